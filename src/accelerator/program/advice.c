/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the name in an error, and whether the text calls a function of that name.
 */
#include "src/accelerator/program/advice.h"

#include "src/accelerator/preprocess/lexer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Where the name begins that a compiler does not know; NULL: it is another error. */
static const char *find_unknown(const char *line)
{
    static const char *const before[] = {"use of undeclared identifier '",
                                         "implicit declaration of function '",
                                         "Cannot find symbol "};
    static const char renamed[] = "reap__name_"; /* opencl/names.h and cuda/names.h */
    const char *name = strstr(line, "identifier \"");
    if (name != NULL && strstr(name, "\" is undefined") != NULL)
        name += strlen("identifier \"");
    else
        name = NULL;
    for (size_t i = 0; i < sizeof before / sizeof *before && name == NULL; i++) {
        name = strstr(line, before[i]);
        name = name != NULL ? name + strlen(before[i]) : NULL;
    }
    if (name == NULL)
        return NULL;
    name += strncmp(name, renamed, strlen(renamed)) == 0 ? strlen(renamed) : 0;
    return strncmp(name, "reap_", 5) != 0 ? name : NULL;
}

static bool is_called(const char *text, const char *name, size_t length)
{
    for (const char *at = text; (at = strchr(at, *name)) != NULL; at++) {
        const bool begins = at == text || reap__identifier_length(at - 1) == 0;
        if (begins && reap__identifier_length(at) == length && strncmp(at, name, length) == 0 &&
            at[length + strspn(at + length, " \t")] == '(')
            return true;
    }
    return false;
}

void reap__advise(char *line, size_t size, const char *text)
{
    char name[64];
    const char *unknown = find_unknown(line);
    const size_t length = unknown != NULL ? reap__identifier_length(unknown) : 0;
    const size_t used = strlen(line);
    if (length == 0 || length >= sizeof name)
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, unknown);
    if (is_called(text, name, length))
        snprintf(line + used, size - used,
                 " ('%s': kernels call functions of the kernel file and of what it includes, and "
                 "those of <math.h>: docs/kernels.md)",
                 name);
    else
        snprintf(line + used, size - used,
                 " (a macro of the program needs REAP_KERNEL_MACRO(%s), and a variable of the "
                 "program is passed as a parameter: docs/kernels.md)",
                 name);
}
