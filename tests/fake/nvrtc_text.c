/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles nothing: a text compiles to a marker and the text itself.
 */
#include "tests/fake/nvrtc.h"
#include "tests/fake/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Looks like PTX, in which a text with a zero byte at its end is whole. */
static const char mark[] = "// ";

void fake_compile(const char *text, struct fake_code *code)
{
    const char *const log = fake_plan()->compiler_log;
    *code = (struct fake_code){0};
    if (log != NULL) {
        code->log = strdup(log);
        return;
    }
    code->size = sizeof mark - 1 + strlen(text) + 1;
    code->bytes = malloc(code->size);
    if (code->bytes == NULL)
        abort();
    snprintf(code->bytes, code->size, "%s%s", mark, text);
}
