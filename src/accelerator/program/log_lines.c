/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through a log line by line. A line that names an error and its place is described as if it
 * were the whole log; the others, which show the code or say what an error is about, stay as they
 * are.
 */
#include "src/accelerator/program/log_lines.h"

#include "src/accelerator/program/advice.h"
#include "src/accelerator/program/log.h"

#include <string.h>

enum { LINE_BYTES = 2048 };

static void add_line(const char *line, size_t length, const char *text, struct reap__text *into)
{
    char copy[LINE_BYTES];
    char described[LINE_BYTES];
    if (length < sizeof copy) {
        memcpy(copy, line, length);
        copy[length] = '\0';
        reap__log_describe(copy, text, described, sizeof described);
        const size_t before = strlen(described);
        reap__advise(described, sizeof described, text);
        if (strstr(described, ": error: ") != NULL || strlen(described) > before) {
            line = described;
            length = strlen(described);
        }
    }
    reap__text_append(into, line, length);
    reap__text_append(into, "\n", 1);
}

void reap__log_add_lines(const char *log, const char *text, struct reap__text *into)
{
    while (log != NULL && *log != '\0') {
        const size_t length = strcspn(log, "\n");
        add_line(log, length, text, into);
        log += length + (log[length] == '\n');
    }
}
