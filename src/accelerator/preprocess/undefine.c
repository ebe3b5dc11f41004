/* SPDX-License-Identifier: Apache-2.0
 *
 * See renames.h.
 */
#include "src/accelerator/preprocess/undefine.h"

#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

void reap__undefines_set_header(struct reap__undefines *renames, size_t begin, size_t end)
{
    if (renames->header_end > 0)
        return;
    renames->header = begin;
    renames->header_end = end;
}

void reap__undefines_add(struct reap__undefines *renames, const struct reap__string *text,
                         const char *name)
{
    struct reap__string define = {0};
    const size_t length = reap__identifier_length(name);
    if (renames->header_end == 0 || text->failed)
        return;
    reap__string_add(&define, "\n#define ");
    reap__string_append(&define, name, length);
    reap__string_add(&define, " reap__");
    const char *const header = text->bytes + renames->header;
    const char *const found = define.failed ? NULL : strstr(header, define.bytes);
    if (found != NULL && found + define.length <= text->bytes + renames->header_end) {
        reap__string_add(&renames->lines, "#undef ");
        reap__string_append(&renames->lines, name, length);
        reap__string_add(&renames->lines, "\n");
    }
    renames->lines.failed |= define.failed;
    reap__string_release(&define);
}

void reap__undefines_insert(struct reap__undefines *renames, struct reap__string *text)
{
    const size_t length = renames->lines.length, end = text->length;
    text->failed |= renames->lines.failed;
    if (length == 0 || text->failed)
        return;
    reap__string_append(text, renames->lines.bytes, length);
    if (text->failed)
        return;
    char *at = text->bytes + renames->header_end;
    memmove(at + length, at, end - renames->header_end);
    memcpy(at, renames->lines.bytes, length);
}
