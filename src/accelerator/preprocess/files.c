/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths are walked from their last component to the first, dropping one for each .. on the way, so
 * that none is ever written down in another form.
 */
#include "src/accelerator/preprocess/files.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A path, or one behind a folder's: what is left of them. */
struct walk {
    const char *folder, *folder_end;
    const char *path, *end;
    size_t up; /* how many components are still to be dropped for .. */
};

static struct walk walk_path(const char *path)
{
    return (struct walk){.path = path, .end = path + strlen(path)};
}

/* The walk of `path`, seen from the folder of the file `from`. */
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

/* The last component of what is left, whatever it is; false: there is none. */
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

/* The last one that is neither . nor .. nor taken back by one; false: there is none. */
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

/* In how many last components two paths agree; SIZE_MAX: in all of them. */
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
