/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled programs on disk: what is stored is found, and nothing else is, whatever has become of
 * the files and their folder; several processes at once; limits. Each case is a process with a
 * folder of its own, since the environment is read once.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/support/check_status.h"
#include "tests/support/folder.h"

#include "src/accelerator/program/program.h"
#include "src/core/allocate.h"
#include "src/core/config.h"
#include "src/core/status.h"

#include <dirent.h>
#include <errno.h>
#include <reap/status.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { PATH_BYTES = 5000, UNPRIVILEGED = 65534 };

static const char *base;          /* the test's folder */
static char folder[100];          /* the case's, where the cache's is made */
static char cache[PATH_BYTES];    /* the cache's */
static char file[2 * PATH_BYTES]; /* the only file in it */

/* Runs a case in a process; its folder is there, and REAP_CACHE_DIR names one in it. */
static void run(void (*test)(void))
{
    static int number;
    int status = 1;
    snprintf(folder, sizeof folder, "%s/%d", base, number++);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    CHECK_EQ(mkdir(folder, 0755), 0);
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        check_failures = 0;
        setenv("REAP_CACHE_DIR", cache, 1);
        test();
        CHECK_EQ(reap__allocations_alive(), 0);
        _exit(check_failures > 0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    CHECK_EQ(status, 0);
}

/* ---- What most cases do -----------------------------------------------------------------------*/

static void store(const char *key, const char *code)
{
    char bytes[100];
    const struct reap__binary binary = {bytes, strlen(code)};
    memcpy(bytes, code, strlen(code));
    reap__cache_store(key, strlen(key), &binary);
}

static bool is_absent(const char *key)
{
    struct reap__binary binary = {&binary, 77};
    const bool is_found = reap__cache_find(key, strlen(key), &binary);
    if (is_found)
        reap__free(binary.bytes);
    return !is_found && binary.bytes == &binary && binary.size == 77;
}

static bool finds(const char *key, const char *code)
{
    struct reap__binary binary;
    if (!reap__cache_find(key, strlen(key), &binary))
        return false;
    const bool is_it = binary.size == strlen(code) && memcmp(binary.bytes, code, binary.size) == 0;
    reap__free(binary.bytes);
    return is_it;
}

/* How many files are in the cache's folder; `file` becomes one of them. */
static size_t count_files(void)
{
    size_t count = 0;
    DIR *directory = opendir(cache);
    if (directory == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (*entry->d_name != '.') {
            snprintf(file, sizeof file, "%s/%s", cache, entry->d_name);
            count++;
        }
    closedir(directory);
    return count;
}

static size_t read_file(char *bytes, size_t size)
{
    FILE *stream = fopen(file, "rb");
    const size_t got = stream != NULL ? fread(bytes, 1, size, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return got;
}

static bool write_file(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    return stream != NULL && (fwrite(bytes, 1, size, stream) == size) + (fclose(stream) == 0) == 2;
}

/* ---- Storing and finding ----------------------------------------------------------------------*/

static void check_finding(void)
{
    struct stat status;
    CHECK(is_absent("key") && access(cache, F_OK) != 0);
    store("key", "code");
    CHECK(finds("key", "code") && is_absent("kez") && is_absent("ke") && is_absent(""));
    store("key", "");
    CHECK(finds("key", "code"));
    store("key", "other code");
    store("", "empty");
    CHECK(finds("key", "other code") && finds("", "empty"));
    CHECK_EQ(count_files(), 2);
    CHECK(stat(cache, &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(stat(file, &status) == 0 && (status.st_mode & 0777) == 0600);
}

static void check_many_sizes(void)
{
    static char key[70000], code[70000];
    uint64_t seed = check_seed();
    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = (char)check_random(&seed);
        code[i] = (char)check_random(&seed);
    }
    for (int i = 0; i < 100; i++) {
        const size_t key_bytes = check_random(&seed) % (i % 2 == 0 ? 100 : sizeof key);
        const struct reap__binary stored = {code, 1 + check_random(&seed) % (sizeof code - 1)};
        struct reap__binary found;
        reap__cache_store(key, key_bytes, &stored);
        const bool is_found = reap__cache_find(key, key_bytes, &found);
        CHECK(is_found);
        if (!is_found)
            continue;
        CHECK(found.size == stored.size && memcmp(found.bytes, code, found.size) == 0);
        reap__free(found.bytes);
    }
}

static void check_allocations(void)
{
    store("key", "code");
    reap__fail_allocation(1);
    CHECK(is_absent("key"));
    CHECK(finds("key", "code"));
    reap__fail_allocation(0);
}

/* ---- Files that are not what was written ------------------------------------------------------*/

static void check_changed_files(void)
{
    char bytes[100];
    store("key", "code");
    CHECK_EQ(count_files(), 1);
    const size_t size = read_file(bytes, sizeof bytes);
    CHECK(size > sizeof "keycode" && size < sizeof bytes);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (char)(1 << bit);
            CHECK(write_file(file, bytes, size) && is_absent("key"));
            bytes[i] ^= (char)(1 << bit);
        }
    for (size_t i = 0; i < size; i++)
        CHECK(write_file(file, bytes, i) && is_absent("key"));
    bytes[size] = '\0';
    CHECK(write_file(file, bytes, size + 1) && is_absent("key"));
    store("key", "new");
    CHECK(finds("key", "new") && count_files() == 1);
    CHECK(write_file(file, bytes, size) && finds("key", "code"));
}

/* Two keys of one hash. */
static void check_foreign_key(void)
{
    char bytes[100];
    store("other", "wrong");
    CHECK_EQ(count_files(), 1);
    const size_t size = read_file(bytes, sizeof bytes);
    remove(file);
    store("keyed", "right");
    CHECK_EQ(count_files(), 1);
    CHECK(write_file(file, bytes, size) && is_absent("keyed"));
}

static void check_links_and_folders(void)
{
    store("key", "code");
    CHECK(count_files() == 1 && chdir(folder) == 0 && rename(file, "real") == 0);
    CHECK(symlink("../real", file) == 0 && access(file, R_OK) == 0 && is_absent("key"));
    store("key", "new"); /* in place of the link */
    CHECK(finds("key", "new"));
    CHECK(remove(file) == 0 && mkfifo(file, 0600) == 0 && is_absent("key"));
    store("key", "again");
    CHECK(finds("key", "again"));
    CHECK(remove(file) == 0 && mkdir(file, 0700) == 0 && is_absent("key"));
    store("key", "no");
    CHECK(is_absent("key") && count_files() == 1);
}

/* ---- Who may use what -------------------------------------------------------------------------*/

static void check_other_users(void)
{
    store("key", "code");
    CHECK_EQ(count_files(), 1);
    CHECK(chmod(file, 0620) == 0 && is_absent("key"));
    CHECK(chmod(file, 0602) == 0 && is_absent("key"));
    CHECK(chmod(file, 0644) == 0 && finds("key", "code"));
    CHECK(chmod(cache, 0770) == 0 && is_absent("key"));
    store("second", "code");
    CHECK(chmod(cache, 01777) == 0 && is_absent("key"));
    store("second", "code");
    CHECK_EQ(count_files(), 1);
    CHECK(chmod(cache, 0755) == 0 && finds("key", "code"));
    if (geteuid() != 0)
        return;
    CHECK(chown(file, UNPRIVILEGED, UNPRIVILEGED) == 0 && is_absent("key"));
    CHECK(chown(file, 0, 0) == 0 && chown(cache, UNPRIVILEGED, UNPRIVILEGED) == 0 &&
          is_absent("key"));
    store("second", "code");
    CHECK_EQ(count_files(), 1);
}

/* As ~/.cache/reap may be a link to a disk for temporary files. */
static void check_linked_folder(void)
{
    CHECK(chdir(folder) == 0 && mkdir("real", 0700) == 0 && symlink("real", cache) == 0);
    store("key", "code");
    CHECK(finds("key", "code") && count_files() == 1);
    CHECK(chmod("real", 0770) == 0 && is_absent("key"));
    CHECK(chmod("real", 0700) == 0 && finds("key", "code"));
    if (geteuid() == 0)
        CHECK(lchown(cache, UNPRIVILEGED, UNPRIVILEGED) == 0 && is_absent("key"));
    CHECK(remove(cache) == 0 && symlink("missing", cache) == 0);
    store("key", "code");
    CHECK(is_absent("key"));
    CHECK(remove(cache) == 0 && write_file(cache, "", 0));
    store("key", "code");
    CHECK(is_absent("key"));
}

/* With the right to read only; where the test runs as root, as another user. */
static void check_reading_only(void)
{
    CHECK_EQ(mkdir(cache, 0700), 0);
    if (geteuid() == 0)
        CHECK(chown(cache, UNPRIVILEGED, UNPRIVILEGED) == 0 && setgid(UNPRIVILEGED) == 0 &&
              setuid(UNPRIVILEGED) == 0);
    store("key", "code");
    CHECK(finds("key", "code") && count_files() == 1);
    CHECK(chmod(file, 0400) == 0 && chmod(cache, 0500) == 0);
    store("key", "new");
    store("second", "code");
    CHECK(finds("key", "code") && is_absent("second") && count_files() == 1);
    CHECK_EQ(chmod(cache, 0700), 0);
}

/* Whether the effective user chose the variables is not known. */
static void check_borrowed_rights(void)
{
    const struct reap__config *config = NULL;
    if (geteuid() != 0)
        return;
    setenv("REAP_DUMP_KERNELS", folder, 1);
    CHECK(seteuid(UNPRIVILEGED) == 0 && reap__config_get(&config) == REAP_OK);
    CHECK(config != NULL && config->cache == NULL && config->dump == NULL);
}

/* ---- Which folder -----------------------------------------------------------------------------*/

static void check_nested_folder(void)
{
    snprintf(cache, sizeof cache, "%s/a/b//c/", folder);
    setenv("REAP_CACHE_DIR", cache, 1);
    store("key", "code");
    CHECK(finds("key", "code") && count_files() == 1);
}

/* After a slash, systems follow any link. */
static void check_slashes(void)
{
    char path[sizeof cache + 4];
    snprintf(path, sizeof path, "%s/.//", cache);
    setenv("REAP_CACHE_DIR", path, 1);
    CHECK(chdir(folder) == 0 && mkdir("real", 0700) == 0 && symlink("real", cache) == 0);
    store("key", "code");
    CHECK(finds("key", "code") && count_files() == 1);
    if (geteuid() == 0)
        CHECK(lchown(cache, UNPRIVILEGED, UNPRIVILEGED) == 0 && is_absent("key"));
}

static void check_impossible_folder(void)
{
    snprintf(cache, sizeof cache, "%s/file", folder);
    CHECK(write_file(cache, "", 0));
    snprintf(cache, sizeof cache, "%s/file/below", folder);
    setenv("REAP_CACHE_DIR", cache, 1);
    store("key", "code");
    CHECK(is_absent("key"));
}

static void check_no_folder(void)
{
    CHECK_EQ(chdir(folder), 0);
    setenv("REAP_CACHE_DIR", "none", 1);
    setenv("HOME", folder, 1);
    store("key", "code");
    CHECK(is_absent("key") && rmdir(folder) == 0);
}

static void check_no_variables(void)
{
    const struct reap__config *config;
    CHECK_EQ(unsetenv("REAP_CACHE_DIR") + unsetenv("XDG_CACHE_HOME") + unsetenv("HOME"), 0);
    CHECK(reap__config_get(&config) == REAP_OK && config->cache == NULL);
}

static void check_base_folder(void)
{
    setenv("REAP_CACHE_DIR", "", 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("HOME", "/nowhere", 1);
    store("key", "code");
    snprintf(cache, sizeof cache, "%s/reap", folder);
    CHECK(finds("key", "code") && count_files() == 1);
}

/* XDG_CACHE_HOME is ignored if it is not an absolute path, or too long. */
static void check_home(void)
{
    unsetenv("REAP_CACHE_DIR");
    setenv("HOME", folder, 1);
    store("key", "code");
    snprintf(cache, sizeof cache, "%s/.cache/reap", folder);
    CHECK(finds("key", "code") && count_files() == 1);
}

static void check_relative_base(void)
{
    setenv("XDG_CACHE_HOME", "relative", 1);
    check_home();
}

static void check_long_base(void)
{
    memset(cache, '/', 4091);
    cache[4091] = '\0';
    setenv("XDG_CACHE_HOME", cache, 1);
    check_home();
}

static void check_long_path(void)
{
    const struct reap__config *config;
    memset(cache, '/', 4094);
    memcpy(cache + 4094, "a", 2);
    setenv("REAP_CACHE_DIR", cache, 1);
    CHECK(reap__config_get(&config) == REAP_OK && strcmp(config->cache, cache) == 0);
}

static void check_too_long_path(void)
{
    const struct reap__config *config;
    memset(cache, '/', 4096);
    cache[4096] = '\0';
    setenv("REAP_CACHE_DIR", cache, 1);
    CHECK_STATUS(reap__config_get(&config), REAP_ERROR_NO_DEVICE);
    CHECK_HAS(reap_last_error(), "REAP_CACHE_DIR has more than 4095 characters");
    store("key", "code");
    CHECK(is_absent("key"));
}

/* ---- Several at once --------------------------------------------------------------------------*/

enum { WRITERS = 4, STORES = 300, CODE_BYTES = 20000 };

/* Stores its own binary and finds one that another process has stored. */
static int write_often(char writer)
{
    static char code[CODE_BYTES];
    memset(code, writer, sizeof code);
    for (int i = 0; i < STORES; i++) {
        const struct reap__binary binary = {code, sizeof code};
        struct reap__binary found;
        reap__cache_store("key", 3, &binary);
        if (!reap__cache_find("key", 3, &found) || found.size != sizeof code)
            return 1;
        const char *bytes = (const char *)found.bytes;
        for (size_t b = 0; b < found.size; b++)
            if (bytes[b] != bytes[0] || bytes[b] < 'a' || bytes[b] >= 'a' + WRITERS)
                return 1;
        reap__free(found.bytes);
    }
    return 0;
}

static void check_writers(void)
{
    pid_t processes[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        processes[i] = fork();
        if (processes[i] == 0)
            _exit(write_often((char)('a' + i)));
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        CHECK(processes[i] > 0 && waitpid(processes[i], &status, 0) == processes[i]);
        CHECK_EQ(status, 0);
    }
    CHECK_EQ(count_files(), 1);
}

/* ---- Limits -----------------------------------------------------------------------------------*/

/* A file as of a store so many seconds ago; of holes. */
static bool put_file(const char *name, off_t size, time_t age)
{
    char path[2 * PATH_BYTES];
    const struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    snprintf(path, sizeof path, "%s/%s", cache, name);
    const int made = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return made >= 0 &&
           (ftruncate(made, size) == 0) + (futimens(made, times) == 0) + (close(made) == 0) == 3;
}

static bool has_file(const char *name)
{
    char path[2 * PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", cache, name);
    return access(path, F_OK) == 0;
}

static void check_file_count(void)
{
    char name[50];
    store("key", "code");
    CHECK_EQ(count_files(), 1);
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    CHECK_EQ(utimensat(AT_FDCWD, file, old, 0), 0);
    CHECK(put_file("another's", 0, 1000000));
    for (int i = 0; i < REAP__MOST_CACHE_FILES; i++) {
        snprintf(name, sizeof name, "%032x.reap%s", i, i % 2 == 0 ? "" : "-1f-2e");
        CHECK(put_file(name, 0, 1 + i));
    }
    CHECK(finds("key", "code")); /* and so it is not the oldest any more */
    store("second", "code");
    CHECK(finds("key", "code") && finds("second", "code") && has_file("another's"));
    CHECK_EQ(count_files(), REAP__MOST_CACHE_FILES + 1);
    CHECK(!has_file(name)); /* the oldest */
}

static void check_bytes(void)
{
    char name[50];
    CHECK_EQ(mkdir(cache, 0700), 0);
    for (int i = 0; i < 9; i++) {
        snprintf(name, sizeof name, "%032x.reap", i);
        CHECK(put_file(name, REAP__MOST_CACHE_BYTES / 8, 1000 - i));
    }
    store("key", "code");
    CHECK(finds("key", "code") && count_files() == 8);
    CHECK(has_file(name) && !has_file("00000000000000000000000000000001.reap"));
    CHECK(has_file("00000000000000000000000000000002.reap"));
}

static void check_large_binary(void)
{
    struct reap__binary binary = {reap__allocate(REAP__MOST_CACHE_FILE_BYTES),
                                  REAP__MOST_CACHE_FILE_BYTES - 34};
    CHECK(binary.bytes != NULL);
    if (binary.bytes != NULL)
        memset(binary.bytes, 1, REAP__MOST_CACHE_FILE_BYTES);
    reap__cache_store("key", 3, &binary); /* with the header one byte too many */
    CHECK(is_absent("key"));
    binary.size = SIZE_MAX;
    reap__cache_store("key", 3, &binary);
    CHECK(is_absent("key"));
    binary.size = REAP__MOST_CACHE_FILE_BYTES - 35;
    reap__cache_store("key", 3, &binary);
    CHECK(!is_absent("key"));
    reap__free(binary.bytes);
}

/* A write beyond it would end the process. */
static void check_limited_files(void)
{
    const struct rlimit limit = {38, 38};
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    store("key", "code");
    CHECK(is_absent("key") && count_files() == 0);
    store("key", "cod");
    CHECK(finds("key", "cod"));
}

int main(void)
{
    static void (*const cases[])(void) = {
        check_finding,           check_many_sizes,      check_allocations,
        check_changed_files,     check_foreign_key,     check_other_users,
        check_links_and_folders, check_linked_folder,   check_reading_only,
        check_nested_folder,     check_borrowed_rights, check_impossible_folder,
        check_no_folder,         check_no_variables,    check_base_folder,
        check_relative_base,     check_long_base,       check_long_path,
        check_too_long_path,     check_writers,         check_slashes,
        check_file_count,        check_bytes,           check_large_binary,
        check_limited_files,
    };
    base = test_make_folder();
    CHECK_EQ(chmod(base, 0755), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run(cases[i]);
    test_remove_folder(base);
    return check_finish();
}
