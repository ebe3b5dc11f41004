/* SPDX-License-Identifier: Apache-2.0
 *
 * A file for each key, named by the key's hash, contains a header, the key and the binary. A file
 * is written under another name and then renamed, so readers see all of it or nothing, and there is
 * no lock that a fork or a crash could leave locked. Each call opens the folder once and reaches
 * its files through that descriptor, so another process cannot replace the folder. It must belong
 * to the user, since the binaries in it are executed.
 */
#include "src/accelerator/program/program.h"

#include "src/core/allocate.h"
#include "src/core/config.h"
#include "src/port/cpu.h"
#include "src/port/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Hash -------------------------------------------------------------------------------------*/

/* MurmurHash64A (Austin Appleby, 2008, in the public domain): eight bytes at a time, since binaries
 * have megabytes. The cache compares whole keys, too. */
static const uint64_t multiplier = UINT64_C(0xc6a4a7935bd1e995);
enum { SHIFT = 47 };

uint64_t reap__hash(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t hash = seed ^ (size * multiplier);
    for (; size >= sizeof hash; size -= sizeof hash, at += sizeof hash) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word *= multiplier;
        word ^= word >> SHIFT;
        hash = (hash ^ word * multiplier) * multiplier;
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = (hash ^ word) * multiplier;
    }
    hash = (hash ^ hash >> SHIFT) * multiplier;
    return hash ^ hash >> SHIFT;
}

/* ---- Files ------------------------------------------------------------------------------------*/

enum {
    HASH_DIGITS = 32,
    NAME_BYTES = 48,
    TEMPORARY_BYTES = 96, /* a name and a suffix */
    PART_BYTES = 4096,
    MOST_ATTEMPTS = 16, /* to create a name that no other writer has */
    MOST_REMOVED = 64   /* files removed by one store */
};

/* The header of a file. The last character of `magic` is the format's number. Numbers are in the
 * machine's byte order; those of the other order do not match the file's size. */
struct header {
    char magic[8];
    uint64_t key_bytes;
    uint64_t binary_bytes;
    uint64_t checksum; /* of the binary */
};
static const char magic[8] = {'R', 'e', 'a', 'p', 'B', 'i', 'n', '1'};

/* ---- The folder -------------------------------------------------------------------------------*/

/* Creates the folder and its parents, if they do not exist. */
static void make_folders(const char *folder)
{
    char path[PART_BYTES];
    for (size_t i = 0; i < sizeof path; i++) {
        path[i] = folder[i];
        if (i > 0 && (folder[i] == '/' || folder[i] == '\0')) {
            path[i] = '\0';
            mkdir(path, S_IRWXU);
            path[i] = folder[i];
        }
        if (folder[i] == '\0')
            return;
    }
}

/* Whether the file is of this kind, belongs to this user, and no other user may write to it. */
static bool is_own(int file, mode_t kind, struct stat *status)
{
    return fstat(file, status) == 0 && (status->st_mode & S_IFMT) == kind &&
           status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens a folder, or the one that a symbolic link of this user or of root leads to. Another user
 * must not choose among this user's folders. */
static int open_or_follow(const char *path)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    struct stat status;
    const int folder = open(path, flags | O_NOFOLLOW);
    if (folder >= 0 || lstat(path, &status) != 0 || !S_ISLNK(status.st_mode) ||
        (status.st_uid != geteuid() && status.st_uid != 0))
        return folder;
    return open(path, flags);
}

/* Opens the cache's folder, which is created if `is_made`; -1: no usable folder. */
static int open_folder(bool is_made)
{
    const struct reap__config *config;
    struct stat status;
    if (reap__config_get(&config) != REAP_OK || config->cache == NULL)
        return -1;
    if (is_made)
        make_folders(config->cache);
    const int folder = open_or_follow(config->cache);
    if (folder >= 0 && !is_own(folder, S_IFDIR, &status)) {
        close(folder);
        return -1;
    }
    return folder;
}

static void write_name(const char *key, size_t key_bytes, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%016llx%016llx.reap",
             (unsigned long long)reap__hash(1, key, key_bytes),
             (unsigned long long)reap__hash(2, key, key_bytes));
}

/* Whether the name is that of a file of the cache, complete or temporary. No other file is counted
 * or removed, whatever folder the user has set. */
static bool is_our_name(const char *name)
{
    static const char end[] = ".reap";
    return strspn(name, "0123456789abcdef") == HASH_DIGITS &&
           strncmp(name + HASH_DIGITS, end, sizeof end - 1) == 0 && strlen(name) < TEMPORARY_BYTES;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

static bool read_all(int file, void *bytes, size_t size)
{
    unsigned char *at = (unsigned char *)bytes;
    while (size > 0) {
        const ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static bool reads_key(int file, const char *key, size_t key_bytes)
{
    char part[PART_BYTES];
    while (key_bytes > 0) {
        const size_t size = key_bytes < sizeof part ? key_bytes : sizeof part;
        if (!read_all(file, part, size) || memcmp(part, key, size) != 0)
            return false;
        key += size;
        key_bytes -= size;
    }
    return true;
}

static bool read_binary(int file, const struct header *header, struct reap__binary *binary)
{
    const size_t size = (size_t)header->binary_bytes;
    void *bytes = reap__allocate(size);
    if (bytes == NULL)
        return false;
    if (!read_all(file, bytes, size) || reap__hash(0, bytes, size) != header->checksum) {
        reap__free(bytes);
        return false;
    }
    *binary = (struct reap__binary){.bytes = bytes, .size = size};
    return true;
}

static bool read_file(int file, const char *key, size_t key_bytes, struct reap__binary *binary)
{
    struct header header;
    struct stat status;
    if (!is_own(file, S_IFREG, &status) || status.st_size > REAP__MOST_CACHE_FILE_BYTES ||
        (size_t)status.st_size <= sizeof header || !read_all(file, &header, sizeof header))
        return false;
    const size_t size = (size_t)status.st_size - sizeof header;
    return memcmp(header.magic, magic, sizeof magic) == 0 && header.key_bytes == key_bytes &&
           key_bytes < size && header.binary_bytes == size - key_bytes &&
           reads_key(file, key, key_bytes) && read_binary(file, &header, binary);
}

bool reap__cache_find(const char *key, size_t key_bytes, struct reap__binary *binary)
{
    char name[NAME_BYTES];
    const int folder = open_folder(false);
    if (folder < 0)
        return false;
    write_name(key, key_bytes, name);
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(folder);
    if (file < 0)
        return false;
    const bool is_found = read_file(file, key, key_bytes, binary);
    if (is_found)
        (void)futimens(file, NULL); /* records the use */
    close(file);
    return is_found;
}

/* ---- Keeping within the limits ----------------------------------------------------------------*/

/* The contents of the folder. */
struct survey {
    size_t files;
    uint64_t bytes;
    char oldest[TEMPORARY_BYTES]; /* least recently used */
    struct timespec used;
};

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static void count_file(struct survey *survey, const char *name, const struct stat *status)
{
    survey->files++;
    survey->bytes += (uint64_t)status->st_size;
    if (survey->files > 1 && !is_before(status->st_mtim, survey->used))
        return;
    survey->used = status->st_mtim;
    memcpy(survey->oldest, name, strlen(name) + 1);
}

static bool survey_folder(int folder, struct survey *survey)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    *survey = (struct survey){0};
    if (directory == NULL) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat status;
        if (is_our_name(entry->d_name) &&
            fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            !S_ISDIR(status.st_mode))
            count_file(survey, entry->d_name, &status);
    }
    closedir(directory);
    return true;
}

/* Lists the folder again after each removal, since other processes may remove files, too. A call
 * removes few files, since every store makes one. */
static void remove_oldest(int folder)
{
    struct survey survey;
    for (int i = 0; i < MOST_REMOVED; i++)
        if (!survey_folder(folder, &survey) ||
            (survey.files <= REAP__MOST_CACHE_FILES && survey.bytes <= REAP__MOST_CACHE_BYTES) ||
            (unlinkat(folder, survey.oldest, 0) != 0 && errno != ENOENT))
            return;
}

/* ---- Writing ----------------------------------------------------------------------------------*/

/* Creates a temporary file, as mkstemp does, but in an open folder. -1: failure. */
static int make_temporary(int folder, const char *name, char temporary[TEMPORARY_BYTES])
{
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
        snprintf(temporary, TEMPORARY_BYTES, "%s-%lx-%llx", name, (unsigned long)getpid(),
                 (unsigned long long)reap__now());
        const int file =
            openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Whether a file of this size may be written. Above the limit RLIMIT_FSIZE, a signal would end the
 * process. */
static bool is_allowed(size_t key_bytes, size_t binary_bytes)
{
    struct rlimit limit;
    const size_t most = REAP__MOST_CACHE_FILE_BYTES - sizeof(struct header);
    if (binary_bytes == 0 || key_bytes > most || binary_bytes > most - key_bytes)
        return false;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY ||
            limit.rlim_cur >= sizeof(struct header) + key_bytes + binary_bytes);
}

static bool write_file(int file, const char *key, size_t key_bytes,
                       const struct reap__binary *binary)
{
    struct header header = {.key_bytes = key_bytes,
                            .binary_bytes = binary->size,
                            .checksum = reap__hash(0, binary->bytes, binary->size)};
    memcpy(header.magic, magic, sizeof magic);
    const bool is_written = reap__file_write(file, &header, sizeof header) &&
                            reap__file_write(file, key, key_bytes) &&
                            reap__file_write(file, binary->bytes, binary->size);
    return close(file) == 0 && is_written; /* some file systems report failures only now */
}

void reap__cache_store(const char *key, size_t key_bytes, const struct reap__binary *binary)
{
    char name[NAME_BYTES], temporary[TEMPORARY_BYTES];
    const int folder = is_allowed(key_bytes, binary->size) ? open_folder(true) : -1;
    if (folder < 0)
        return;
    write_name(key, key_bytes, name);
    const int file = make_temporary(folder, name, temporary);
    if (file >= 0) {
        if (write_file(file, key, key_bytes, binary) &&
            renameat(folder, temporary, folder, name) == 0)
            remove_oldest(folder);
        else
            unlinkat(folder, temporary, 0);
    }
    close(folder);
}
