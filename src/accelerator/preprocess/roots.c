/* SPDX-License-Identifier: Apache-2.0
 *
 * Several inclusions of one file, with macros defined in between, make several kernels of it. Alone
 * such a template is no C, so a device reads the file that includes it. That may be a template in
 * its turn.
 */
#include "src/accelerator/preprocess/roots.h"

#include "src/core/status.h"
#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

enum { MOST_LEVELS = 8 };

/* What an #include names, cut out of the directive; NULL: it is none. */
static const char *included_name(char *directive)
{
    static const char word[] = "include";
    char *at = reap__skip_blanks(directive);
    if (reap__identifier_length(at) != sizeof word - 1 || strncmp(at, word, sizeof word - 1) != 0)
        return NULL;
    at = reap__skip_blanks(at + sizeof word - 1);
    char *end = *at == '"' ? strchr(at + 1, '"') : *at == '<' ? strchr(at + 1, '>') : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    return at + 1;
}

/* Whether a file includes the other one; NULL: <reap/kernel.h>. */
static bool includes(const struct reap_kernel *kernel, const struct reap__file *file,
                     const char *other, struct reap__text *scratch)
{
    struct reap__scanner scanner = reap__scanner_start(file->text, scratch);
    struct reap__line line;
    bool found = false;
    while (!found && reap__scan_line(&scanner, &line)) {
        struct reap__file named;
        const char *name = line.directive != NULL ? included_name(line.directive) : NULL;
        if (name == NULL)
            continue;
        if (other == NULL)
            found = strcmp(name, "reap/kernel.h") == 0;
        else
            found = reap__find_file(kernel, file->name, name, &named) == REAP__ONE_FILE &&
                    strcmp(named.text, other) == 0;
    }
    return found;
}

/* The file that includes a template; *root stays as it is where there is none. */
static reap_status find_includer(const struct reap_kernel *kernel, struct reap__text *scratch,
                                 struct reap__file *root)
{
    struct reap__file found = {NULL, NULL};
    for (const struct reap__source *const *entry = kernel->sources; entry != kernel->sources_end;
         entry++) {
        if (*entry == NULL || (*entry)->text == NULL)
            continue;
        const struct reap__file file = {(*entry)->name, (*entry)->text()};
        const bool is_new = file.text != NULL &&
                            (found.text == NULL || strcmp(file.text, found.text) != 0) &&
                            strcmp(file.text, root->text) != 0;
        if (!is_new || !includes(kernel, &file, root->text, scratch))
            continue;
        if (found.text != NULL)
            return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                              "kernel '%s': '%s' is included by '%s' and by '%s': devices take a "
                              "kernel of one file (docs/kernels.md)",
                              kernel->name, root->name, found.name, file.name);
        found = file;
    }
    if (found.text != NULL)
        *root = found;
    return REAP_OK;
}

reap_status reap__find_root(const struct reap_kernel *kernel, struct reap__file *root)
{
    struct reap__text scratch = {0};
    reap_status status = REAP_OK;
    const char *text = kernel->text != NULL ? kernel->text() : NULL;
    if (text == NULL)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': its text is not in the program, so only the host runs it",
                          kernel->name);
    *root = (struct reap__file){kernel->file, text};
    for (unsigned level = 0; level < MOST_LEVELS && status == REAP_OK; level++) {
        const char *before = root->text;
        if (includes(kernel, root, NULL, &scratch))
            break;
        status = find_includer(kernel, &scratch, root);
        if (root->text == before)
            break;
    }
    if (status == REAP_OK && scratch.failed)
        status = reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                            kernel->name);
    reap__text_release(&scratch);
    return status;
}
