/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths are compared from their last component to the first, dropping one component for each "..",
 * so no path is normalised in memory.
 *
 * A template (a file that is included several times, with macros defined in between) defines
 * several kernels and does not compile alone, so a device compiles the file that includes it, which
 * may be a template, too.
 */
#include "src/accelerator/preprocess/lookup.h"

#include "src/accelerator/preprocess/lexer.h"
#include "src/core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- Files ------------------------------------------------------------------------------------*/

/* The components of a path that are still to be compared; those of the folder that it is relative
 * to precede them. */
struct walk {
    const char *folder, *folder_end;
    const char *path, *end;
    size_t up; /* how many components are still to be dropped, for .. */
};

static struct walk walk_path(const char *path)
{
    return (struct walk){.path = path, .end = path + strlen(path)};
}

/* The components of `path`, relative to the folder of the file `from`. */
static struct walk walk_from(const char *from, const char *path)
{
    struct walk walk = walk_path(path);
    const char *slash = strrchr(from, '/');
    if (*path != '/' && slash != NULL) {
        walk.folder = from;
        walk.folder_end = slash + 1;
    }
    return walk;
}

/* Removes the last component, of any kind; false: it was empty. */
static bool pop(struct walk *walk, const char **component, size_t *length)
{
    while (walk->end > walk->path && walk->end[-1] == '/')
        walk->end--;
    if (walk->end == walk->path && walk->folder != NULL) {
        walk->path = walk->folder;
        walk->end = walk->folder_end;
        walk->folder = NULL;
        return pop(walk, component, length);
    }
    const char *end = walk->end;
    while (walk->end > walk->path && walk->end[-1] != '/')
        walk->end--;
    *component = walk->end;
    *length = (size_t)(end - walk->end);
    return *length > 0;
}

/* Removes the last component that is neither . nor .. nor dropped by a ..; false: there is none. */
static bool next(struct walk *walk, const char **component, size_t *length)
{
    while (pop(walk, component, length)) {
        if (*length == 1 && **component == '.')
            continue;
        if (*length == 2 && memcmp(*component, "..", 2) == 0)
            walk->up++;
        else if (walk->up == 0)
            return true;
        else
            walk->up--;
    }
    return false;
}

static size_t count_components(struct walk walk)
{
    const char *component;
    size_t length, count = 0;
    while (next(&walk, &component, &length))
        count++;
    return count;
}

/* The number of last components in which two paths agree; SIZE_MAX: the paths are equal. */
static size_t compare(struct walk a, struct walk b)
{
    for (size_t count = 0;; count++) {
        const char *component[2];
        size_t length[2];
        const bool has_a = next(&a, &component[0], &length[0]);
        const bool has_b = next(&b, &component[1], &length[1]);
        if (!has_a && !has_b) {
            const bool is_rooted[2] = {*a.path == '/', *b.path == '/'};
            return is_rooted[0] == is_rooted[1] && (a.up == b.up || is_rooted[0]) ? SIZE_MAX
                                                                                  : count;
        }
        if (!has_a || !has_b || length[0] != length[1] ||
            memcmp(component[0], component[1], length[0]) != 0)
            return count;
    }
}

struct search {
    struct walk wanted;
    size_t least; /* components that must agree */
    size_t most;  /* that do, in the best file so far */
    enum reap__files files;
    struct reap__file best;
};

static void look_at(struct search *search, const char *name, const char *(*text)(void))
{
    const size_t agree = compare(search->wanted, walk_path(name));
    const bool is_better = search->files == REAP__NO_FILE || agree > search->most;
    if (agree < search->least || (!is_better && agree < search->most))
        return;
    const char *bytes = text();
    if (bytes == NULL)
        return;
    if (is_better) {
        search->files = REAP__ONE_FILE;
        search->most = agree;
        search->best = (struct reap__file){name, bytes};
    } else if (strcmp(bytes, search->best.text) != 0) {
        search->files = REAP__SEVERAL_FILES;
    }
}

enum reap__files reap__find_file(const struct reap_kernel *kernel, const char *from,
                                 const char *spelled, struct reap__file *found)
{
    struct search search = {.wanted = walk_from(from, spelled)};
    search.least = count_components(walk_path(spelled));
    if (search.least == 0)
        return REAP__NO_FILE;
    look_at(&search, kernel->file, kernel->text);
    for (const struct reap__source *const *source = kernel->sources; source != kernel->sources_end;
         source++)
        if (*source != NULL && (*source)->text != NULL)
            look_at(&search, (*source)->name, (*source)->text);
    if (search.files == REAP__ONE_FILE)
        *found = search.best;
    return search.files;
}

/* ---- Roots ------------------------------------------------------------------------------------*/

enum { MOST_LEVELS = 8 };

/* The file name of an #include; cuts the directive after it. NULL: another directive. */
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

/* Whether a file includes the text `other`; if that is NULL, <reap/kernel.h>. */
static bool includes(const struct reap_kernel *kernel, const struct reap__file *file,
                     const char *other, struct reap__string *scratch)
{
    struct reap__lexer scanner = reap__lexer_start(file->text, scratch);
    struct reap__line line;
    bool found = false;
    while (!found && reap__lexer_next_line(&scanner, &line)) {
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

/* Sets *root to the file that includes it; leaves it unchanged if there is none. */
static reap_status find_includer(const struct reap_kernel *kernel, struct reap__string *scratch,
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
                              "kernel '%s': '%s' is included by '%s' and by '%s': for devices only "
                              "one file may include it (docs/kernels.md)",
                              kernel->name, root->name, found.name, file.name);
        found = file;
    }
    if (found.text != NULL)
        *root = found;
    return REAP_OK;
}

reap_status reap__find_root(const struct reap_kernel *kernel, struct reap__file *root)
{
    struct reap__string scratch = {0};
    reap_status status = REAP_OK;
    const char *text = kernel->text != NULL ? kernel->text() : NULL;
    if (text == NULL)
        return reap__fail(
            REAP_ERROR_COMPILATION_FAILED,
            "kernel '%s': its source text is not in the program, so it can run on the host only",
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
    reap__string_release(&scratch);
    return status;
}
