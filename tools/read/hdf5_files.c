/* SPDX-License-Identifier: Apache-2.0
 *
 * The library does not report the files that it opens, and reads missing ones as fill values. So
 * each name is searched beforehand in the library's order (its reference manual,
 * H5Pset_virtual_prefix and H5Lcreate_external), and the first file that it would open is checked.
 * A source of a virtual data set may itself be virtual or external. Links to other files are
 * traversed by a function of this file, since the library also follows them to find sources.
 *
 * Names are checked, not open files: users who can replace files during the run are trusted.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tools/read/hdf5_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 16 };

static struct cli_hdf5_files *current; /* for the library's callback */

hid_t cli_hdf5_files_open(const char *name)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_sec2(access);
    H5Pset_fclose_degree(access, H5F_CLOSE_WEAK); /* as the library opens sources */
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true); /* since some file systems have no locks */
#endif
    const hid_t opened = H5Fopen(name, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return opened;
}

/* ---- A path -----------------------------------------------------------------------------------*/

/* A path longer than the system's limit is not a file. */
struct path {
    char text[PATH_MAX];
};

static bool join(struct path *path, const char *folder, const char *name)
{
    const size_t length = strlen(folder);
    const bool has_slash = length == 0 || folder[length - 1] == '/';
    const int written =
        snprintf(path->text, sizeof path->text, "%s%s%s", folder, has_slash ? "" : "/", name);
    return written >= 0 && (size_t)written < sizeof path->text;
}

/* The path without its last component, with a slash; "": the current folder. */
static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    *(slash != NULL ? slash + 1 : path) = '\0';
}

static bool is_below(const char *folder, const char *path)
{
    const size_t length = folder != NULL ? strlen(folder) : 0;
    return length > 0 && strncmp(path, folder, length) == 0 &&
           (folder[length - 1] == '/' || path[length] == '/');
}

static bool is_outside(const struct cli_hdf5_files *files, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) == NULL ||
           !(is_below(files->folders[0], real) || is_below(files->folders[1], real));
}

enum found { FOUND, MISSING, REFUSED };

/* Checks a file that the library would open next. A folder is refused. */
static enum found check_path(struct cli_hdf5_files *files, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
        return MISSING;
    if (!S_ISREG(status.st_mode)) {
        cli_fail(&files->refused, "it needs '%.400s', which is not a regular file", path);
        return REFUSED;
    }
    if (files->allows_outside || !is_outside(files, path))
        return FOUND;
    cli_fail(&files->refused,
             "it needs '%.400s', which is outside the file's folder; --allow-outside reads it",
             path);
    return REFUSED;
}

/* ---- Looking for a file -----------------------------------------------------------------------*/

/* A search for a file in several folders, until it can be opened. */
struct search {
    struct cli_hdf5_files *files;
    enum found found;
    hid_t opened;
};

static void look_in(struct search *search, const char *folder, const char *name)
{
    struct path path;
    if (search->found != MISSING || !join(&path, folder, name))
        return;
    search->found = check_path(search->files, path.text);
    if (search->found != FOUND)
        return;
    search->opened = cli_hdf5_files_open(path.text);
    if (search->opened < 0)
        search->found = MISSING;
    H5Eclear2(H5E_DEFAULT);
}

/* Searches the folders in an environment variable, separated by colons. */
static void look_in_environment(struct search *search, const char *variable, const char *name)
{
    const char *value = getenv(variable);
    for (const char *at = value; at != NULL && *at != '\0';) {
        struct path folder;
        const size_t length = strcspn(at, ":");
        snprintf(folder.text, sizeof folder.text, "%.*s", (int)length, at);
        if (length > 0 && length < sizeof folder.text)
            look_in(search, folder.text, name);
        at += length + (at[length] == ':');
    }
}

/* Searches the folder of the file `from`: the one in its name, or if is_real, the one after
 * symbolic links are resolved. */
static void look_beside(struct search *search, hid_t from, bool is_real, const char *name)
{
    struct path path;
    char real[PATH_MAX];
    const ssize_t length = H5Fget_name(from, path.text, sizeof path.text);
    if (length < 0 || (size_t)length >= sizeof path.text)
        return;
    if (is_real && realpath(path.text, real) == NULL)
        return;
    char *folder = is_real ? real : path.text;
    cut_name(folder);
    look_in(search, folder, name);
}

/* Searches, in the library's order, for a file that the file `from` names. `prefix` is that of the
 * access property. If the file of an absolute name does not exist, its folder is ignored.
 */
static struct search find_file(struct cli_hdf5_files *files, hid_t from, const char *variable,
                               const char *prefix, const char *name)
{
    struct search search = {files, MISSING, H5I_INVALID_HID};
    if (name[0] == '/') {
        look_in(&search, "", name);
        name = strrchr(name, '/') + 1;
    }
    look_in_environment(&search, variable, name);
    if (prefix[0] != '\0')
        look_in(&search, prefix, name);
    look_beside(&search, from, false, name);
    look_in(&search, "", name);
    look_beside(&search, from, true, name);
    return search;
}

/* ---- Links to other files ---------------------------------------------------------------------*/

static hid_t follow_link(const char *link, hid_t group, const void *data, size_t bytes,
                         hid_t access, hid_t transfer)
{
    struct cli_hdf5_files *files = current;
    struct path prefix = {""};
    const char *file, *object;
    unsigned flags;
    hid_t opened = H5I_INVALID_HID;
    (void)link;
    (void)transfer;
    if (files == NULL || files->depth == MOST_DEPTH ||
        H5Lunpack_elink_val(data, bytes, &flags, &file, &object) < 0)
        return H5I_INVALID_HID;
    H5Pget_elink_prefix(access, prefix.text, sizeof prefix.text);
    const hid_t from = H5Iget_file_id(group);
    files->depth++;
    const struct search search = find_file(files, from, "HDF5_EXT_PREFIX", prefix.text, file);
    if (search.found == FOUND) {
        opened = H5Oopen(search.opened, object, H5P_DEFAULT);
        H5Fclose(search.opened);
    }
    files->depth--;
    H5Fclose(from);
    return opened;
}

static void take_over_links(void)
{
    static const H5L_class_t links = {.version = H5L_LINK_CLASS_T_VERS,
                                      .id = H5L_TYPE_EXTERNAL,
                                      .comment = "a link to a file that is checked",
                                      .trav_func = follow_link};
    if (H5Lregister(&links) < 0)
        H5Lunregister(H5L_TYPE_EXTERNAL); /* otherwise external links cannot be followed */
}

/* ---- Sources of virtual data sets -------------------------------------------------------------*/

static enum found check_set(struct cli_hdf5_files *files, hid_t set);

/* Replaces %b by a number, and %% by a percent sign; NULL: out of memory. */
static char *number_name(const char *name, unsigned long long number)
{
    char *into = malloc(strlen(name) * 10 + 1), *to = into;
    for (; into != NULL && *name != '\0'; name++) {
        if (name[0] == '%' && name[1] == 'b')
            to += sprintf(to, "%llu", number);
        else
            *to++ = *name;
        name += name[0] == '%' && (name[1] == 'b' || name[1] == '%');
    }
    if (into != NULL)
        *to = '\0';
    return into;
}

static bool is_numbered(const char *name)
{
    for (; (name = strchr(name, '%')) != NULL; name++) {
        if (name[1] == 'b')
            return true;
        name += name[1] == '%';
    }
    return false;
}

/* Checks a source: the data set `name` in `file`; ".": the set's own file. */
static enum found check_source(struct cli_hdf5_files *files, hid_t set, const char *file,
                               const char *name)
{
    struct path prefix = {""};
    struct search search = {files, FOUND, H5I_INVALID_HID};
    const hid_t access = H5Dget_access_plist(set), own = H5Iget_file_id(set);
    H5Pget_virtual_prefix(access, prefix.text, sizeof prefix.text);
    H5Pclose(access);
    if (strcmp(file, ".") == 0)
        search.opened = own;
    else {
        search = find_file(files, own, "HDF5_VDS_PREFIX", prefix.text, file);
        H5Fclose(own);
    }
    if (search.found != FOUND)
        return search.found;
    const hid_t source = H5Dopen2(search.opened, name, H5P_DEFAULT);
    enum found found = source >= 0 ? check_set(files, source) : MISSING;
    if (source >= 0)
        H5Dclose(source);
    H5Fclose(search.opened);
    H5Eclear2(H5E_DEFAULT);
    return files->refused.text[0] != '\0' ? REFUSED : found;
}

/* Checks a mapping. Names with %b represent several names, up to the first missing one. */
static enum found check_mapping(struct cli_hdf5_files *files, hid_t set, const char *file,
                                const char *name)
{
    const bool are_several = is_numbered(file) || is_numbered(name);
    enum found found = FOUND;
    for (unsigned long long n = 0; found == FOUND && (n == 0 || are_several); n++) {
        char *this_file = number_name(file, n), *this_name = number_name(name, n);
        found = MISSING;
        if (this_file != NULL && this_name != NULL)
            found = check_source(files, set, this_file, this_name);
        else
            cli_fail(&files->refused, "%s", strerror(ENOMEM));
        free(this_file);
        free(this_name);
    }
    return found;
}

/* A mapping's file, or the data set in it; NULL: unknown. */
static char *copy_name(hid_t plan, size_t mapping, ssize_t (*get)(hid_t, size_t, char *, size_t))
{
    const ssize_t length = get(plan, mapping, NULL, 0);
    char *name = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (name != NULL && get(plan, mapping, name, (size_t)length + 1) >= 0)
        return name;
    free(name);
    return NULL;
}

/* Checks the sources of a virtual data set. A missing source is not an error: its elements are fill
 * values. */
static void check_virtual(struct cli_hdf5_files *files, hid_t set, hid_t plan)
{
    size_t count = 0;
    if (H5Pget_layout(plan) != H5D_VIRTUAL || H5Pget_virtual_count(plan, &count) < 0)
        return;
    for (size_t m = 0; m < count && files->refused.text[0] == '\0'; m++) {
        char *file = copy_name(plan, m, H5Pget_virtual_filename);
        char *name = copy_name(plan, m, H5Pget_virtual_dsetname);
        if (file != NULL && name != NULL)
            check_mapping(files, set, file, name);
        else
            cli_fail(&files->refused, "what it consists of cannot be read");
        free(file);
        free(name);
    }
}

/* ---- External data sets -----------------------------------------------------------------------*/

static void check_external(struct cli_hdf5_files *files, hid_t set, hid_t plan)
{
    struct path prefix = {""}, name, path;
    const int count = H5Pget_external_count(plan);
    const hid_t access = H5Dget_access_plist(set);
    H5Pget_efile_prefix(access, prefix.text, sizeof prefix.text);
    H5Pclose(access);
    for (int e = 0; e < count && files->refused.text[0] == '\0'; e++) {
        off_t offset;
        hsize_t bytes;
        memset(&name, 0, sizeof name);
        if (H5Pget_external(plan, (unsigned)e, sizeof name.text - 1, name.text, &offset, &bytes) <
                0 ||
            strlen(name.text) == sizeof name.text - 1 ||
            !join(&path, name.text[0] == '/' ? "" : prefix.text, name.text))
            cli_fail(&files->refused, "the names of its files cannot be read");
        else
            check_path(files, path.text);
    }
}

static enum found check_set(struct cli_hdf5_files *files, hid_t set)
{
    const hid_t plan = H5Dget_create_plist(set);
    if (plan < 0)
        cli_fail(&files->refused, "what it consists of cannot be read");
    else if (files->depth == MOST_DEPTH)
        cli_fail(&files->refused, "its virtual data sets are nested too deeply");
    else {
        files->depth++;
        check_external(files, set, plan);
        check_virtual(files, set, plan);
        files->depth--;
    }
    H5Pclose(plan);
    return files->refused.text[0] != '\0' ? REFUSED : FOUND;
}

/* ---- A file -----------------------------------------------------------------------------------*/

/* The real folder of a path; NULL: it does not exist, so it contains no files. */
static char *find_folder(const char *name)
{
    struct path path;
    char real[PATH_MAX];
    if (!join(&path, "", name))
        return NULL;
    cut_name(path.text);
    return realpath(path.text[0] != '\0' ? path.text : ".", real) != NULL ? strdup(real) : NULL;
}

bool cli_hdf5_files_begin(struct cli_hdf5_files *files, const char *name, bool allows_outside,
                          struct cli_failure *failure)
{
    char real[PATH_MAX];
    *files = (struct cli_hdf5_files){.allows_outside = allows_outside};
    files->folders[0] = find_folder(name);
    if (realpath(name, real) != NULL)
        files->folders[1] = find_folder(real);
    current = files;
    take_over_links();
    return (files->folders[0] != NULL && files->folders[1] != NULL) ||
           cli_fail(failure, "%s", strerror(errno));
}

void cli_hdf5_files_end(struct cli_hdf5_files *files)
{
    free(files->folders[0]);
    free(files->folders[1]);
    files->folders[0] = files->folders[1] = NULL;
    current = NULL;
}

bool cli_hdf5_files_check(struct cli_hdf5_files *files, hid_t set, struct cli_failure *failure)
{
    files->refused = (struct cli_failure){""};
    return check_set(files, set) == FOUND || cli_fail(failure, "%s", files->refused.text);
}
