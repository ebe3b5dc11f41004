/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler reads the text from its standard input and writes the shared object through
 * /proc/self/fd. Both are files in memory, so nothing is left behind if the program ends meanwhile,
 * and no folder has to be writable or may hold code. The compiler runs in a process group of its
 * own, which is killed at the time limit. What it says is not kept.
 *
 * A program that reaps or ignores all of its children takes the exit status: then the compilation
 * counts as failed.
 */
#define _GNU_SOURCE /* memfd_create */
#include "src/host/compiled/compiler.h"

#include "src/core/allocate.h"
#include "src/port/cpu.h"
#include "src/port/library.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define LIMIT_NANOSECONDS UINT64_C(30000000000)
#define VERSION_NANOSECONDS UINT64_C(5000000000)
enum { OUTPUT = 3, LEAST_FILE = 16, POLL_NANOSECONDS = 1000000, MOST_BINARY_BYTES = 64 << 20 };

/* ---- Files in memory --------------------------------------------------------------------------*/

/* Its number is not one that the child uses. -1: there is none. */
static int make_file(void)
{
    const int file = memfd_create("reap", MFD_CLOEXEC);
    const int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, LEAST_FILE);
    if (file >= 0)
        close(file);
    return high;
}

static bool write_all(int file, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    while (size > 0) {
        const ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

static bool read_all(int file, struct reap__binary *binary)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size <= 0 || status.st_size > MOST_BINARY_BYTES)
        return false;
    binary->size = (size_t)status.st_size;
    binary->bytes = reap__allocate(binary->size + 1);
    if (binary->bytes == NULL)
        return false;
    unsigned char *bytes = (unsigned char *)binary->bytes;
    for (size_t at = 0; at < binary->size;) {
        const ssize_t got = pread(file, bytes + at, binary->size - at, (off_t)at);
        if (got <= 0) {
            reap__free(binary->bytes);
            return false;
        }
        at += (size_t)got;
    }
    bytes[binary->size] = '\0';
    return true;
}

/* ---- The process ------------------------------------------------------------------------------*/

/* A compiler that has not come to an end is not started again. */
static atomic_bool hangs;

/* Waits for the child; true: it has ended well. */
static bool wait_for(pid_t child, uint64_t limit)
{
    const uint64_t end = reap__now() + limit;
    int status = 0;
    for (;;) {
        const pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (found < 0 && errno != EINTR)
            return false;
        if (reap__now() > end)
            break;
        nanosleep(&(const struct timespec){.tv_nsec = POLL_NANOSECONDS}, NULL);
    }
    atomic_store_explicit(&hangs, true, memory_order_relaxed);
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

static bool prepare(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int input,
                    int number, int output)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    for (int i = 0; i < OUTPUT; i++)
        if (posix_spawn_file_actions_addopen(actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY,
                                             0) != 0)
            return false;
    return (input < 0 || posix_spawn_file_actions_adddup2(actions, input, 0) == 0) &&
           posix_spawn_file_actions_adddup2(actions, output, number) == 0 &&
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 34)
           posix_spawn_file_actions_addclosefrom_np(actions, OUTPUT + 1) == 0 &&
#endif
#endif
           posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETPGROUP) == 0;
}

struct call {
    const char *const *arguments; /* the first is the program; NULL ends them */
    int input;                    /* -1: none */
    int number;                   /* of the child's file that is the output */
    int output;
    uint64_t limit;
};

static bool run(const struct call *call)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    if (atomic_load_explicit(&hangs, memory_order_relaxed) ||
        posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool has_begun = posix_spawnattr_init(&attributes) == 0;
    if (has_begun) {
        has_begun = prepare(&actions, &attributes, call->input, call->number, call->output) &&
                    posix_spawnp(&child, call->arguments[0], &actions, &attributes,
                                 (char *const *)(uintptr_t)call->arguments, environ) == 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return has_begun && wait_for(child, call->limit);
}

/* ---- What is asked of it ----------------------------------------------------------------------*/

bool reap__compiler_version(const char *compiler, struct reap__string *into)
{
    const char *const arguments[] = {compiler, "--version", NULL};
    struct reap__binary text;
    const int output = make_file();
    if (output < 0)
        return false;
    const struct call call = {arguments, -1, STDOUT_FILENO, output, VERSION_NANOSECONDS};
    const bool is_there = run(&call) && read_all(output, &text);
    if (is_there) {
        reap__string_add(into, text.bytes);
        reap__free(text.bytes);
    }
    close(output);
    return is_there;
}

/* As a program's own kernels are compiled. A program may have been compiled with -fwrapv or
 * -fno-strict-aliasing, so code must not depend on their absence. */
#define OPTIONS(X)                                                                                 \
    X("-O2")                                                                                       \
    X("-std=gnu11")                                                                                \
    X("-ffp-contract=off")                                                                         \
    X("-fwrapv")                                                                                   \
    X("-fno-strict-aliasing")                                                                      \
    X("-fno-delete-null-pointer-checks")                                                           \
    X("-fvisibility=hidden")                                                                       \
    X("-fPIC")                                                                                     \
    X("-shared")                                                                                   \
    X("-w")                                                                                        \
    X("-Werror=implicit-function-declaration")                                                     \
    X("-Werror=incompatible-pointer-types")                                                        \
    X("-Werror=int-conversion")

const char *reap__compiler_options(void)
{
#define LINE(option) option " "
    return OPTIONS(LINE);
}

static const char *compile(const char *compiler, int input, int output, struct reap__binary *binary)
{
#define ENTRY(option) option,
    const char *const arguments[] = {compiler, OPTIONS(ENTRY) "-x", "c", "-", "-lm",
                                     "-o",     "/proc/self/fd/3",   NULL};
    const struct call call = {arguments, input, OUTPUT, output, LIMIT_NANOSECONDS};
    if (!run(&call))
        return atomic_load(&hangs) ? "the compiler has taken too long" : "the compiler has failed";
    return read_all(output, binary) ? NULL : "the compiler has written nothing";
}

const char *reap__compiler_run(const char *compiler, const struct reap__string *text,
                               struct reap__binary *binary)
{
    const char *problem = "memory is missing for files";
    const int input = make_file(), output = make_file();
    if (input >= 0 && output >= 0 && write_all(input, text->bytes, text->length) &&
        lseek(input, 0, SEEK_SET) == 0)
        problem = compile(compiler, input, output, binary);
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return problem;
}

/* ---- Shared objects ---------------------------------------------------------------------------*/

/* The linker takes a path that it has opened before for the same object, and numbers of files come
 * again: the path has another form each time. */
static void write_path(int file, char *path, size_t size)
{
    static atomic_uint loads;
    unsigned number = atomic_fetch_add_explicit(&loads, 1, memory_order_relaxed);
    size_t length = (size_t)snprintf(path, size, "/proc/self");
    for (unsigned bit = 0; bit < 32; bit++, number >>= 1)
        length += (size_t)snprintf(path + length, size - length, "%s", number & 1 ? "//" : "/./");
    snprintf(path + length, size - length, "fd/%d", file);
}

const void *reap__binary_load(const struct reap__binary *binary, const char *symbol)
{
    char path[160];
    const int file = make_file();
    void *library = NULL;
    if (file < 0)
        return NULL;
    write_path(file, path, sizeof path);
    if (write_all(file, binary->bytes, binary->size))
        library = reap__library_open(path);
    close(file);
    return library != NULL ? reap__library_symbol(library, symbol) : NULL;
}
