/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what `objdump -dw` prints, and checks that each instruction's length is the one that it has
 * there, whatever follows, and 0 if it is cut off.
 */
#include "tests/support/check.h"

#include "src/port/instruction.h"

#include <string.h>

enum { MOST_BYTES = 15, AFTER = 8 };

/* The bytes in a line "  ADDRESS:\tf3 0f 1e fa\tendbr64"; 0: it has none, or none that objdump
 * knows. fwait (9b) and the instruction after it are one to objdump. */
static size_t bytes_of(char *line, unsigned char *bytes)
{
    char *at = strchr(line, '\t');
    const char *const text = at != NULL ? strchr(at + 1, '\t') : NULL;
    size_t count = 0;
    if (text == NULL || strstr(text, "(bad)") != NULL)
        return 0;
    for (at++; at < text && *at != ' ' && count < MOST_BYTES; at++)
        bytes[count++] = (unsigned char)strtoul(at, &at, 16);
    return count == 0 || bytes[0] == 0x9b ? 0 : count;
}

static void check_line(char *line)
{
    unsigned char bytes[MOST_BYTES + AFTER];
    size_t opcode;
    const size_t count = bytes_of(line, bytes);
    if (count == 0)
        return;
    memset(bytes + count, 0x05, AFTER);
    const size_t length = reap__instruction_length(bytes, bytes + count + AFTER, &opcode);
    if (length != count)
        printf("%s", line);
    CHECK_EQ(length, count);
    CHECK(opcode < count);
    CHECK_EQ(reap__instruction_length(bytes, bytes + count - 1, &opcode), 0);
}

int main(void)
{
    char line[1000];
    while (fgets(line, sizeof line, stdin) != NULL)
        check_line(line);
    return check_finish();
}
