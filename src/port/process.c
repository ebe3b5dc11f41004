/* SPDX-License-Identifier: Apache-2.0
 *
 * AT_SECURE of the auxiliary vector, posix_spawn and memfd_create. The child is in a process group
 * of its own, so that it can be killed with its children; it blocks and handles no signals. If the
 * program reaps or ignores all of its children, the status of this child is lost, and it counts as
 * failed.
 */
#define _GNU_SOURCE /* memfd_create */
#include "src/port/process.h"

#include "src/port/cpu.h"
#include "src/port/library.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NUMBER = 3, LEAST_FILE = 16, POLL_NANOSECONDS = 1000000 };

bool reap__rights_are_raised(void)
{
    return getauxval(AT_SECURE) != 0 || geteuid() != getuid() || getegid() != getgid();
}

/* ---- Files in memory --------------------------------------------------------------------------*/

int reap__file_make(void)
{
    const int file = memfd_create("reap", MFD_CLOEXEC);
    const int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, LEAST_FILE);
    if (file >= 0)
        close(file);
    return high;
}

void reap__file_close(int file)
{
    if (file >= 0)
        close(file);
}

bool reap__file_write(int file, const void *bytes, size_t size)
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

bool reap__file_rewind(int file)
{
    return lseek(file, 0, SEEK_SET) == 0;
}

bool reap__file_size(int file, size_t *size)
{
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_size < 0)
        return false;
    *size = (size_t)status.st_size;
    return true;
}

bool reap__file_read(int file, void *bytes, size_t size)
{
    unsigned char *const into = (unsigned char *)bytes;
    for (size_t at = 0; at < size;) {
        const ssize_t got = pread(file, into + at, size - at, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

/* The dynamic linker takes a path that it has opened before for the same object, and file numbers
 * are used again: so the path is spelt differently for each file, by the file's serial number. A
 * loaded object keeps its file, so files of other copies of this library have other numbers. */
static void write_path(int file, uint64_t serial, char *path, size_t size)
{
    size_t length = (size_t)snprintf(path, size, "/proc/self");
    for (unsigned bit = 0; bit < 64; bit++, serial >>= 1)
        length += (size_t)snprintf(path + length, size - length, "%s", serial & 1 ? "//" : "/./");
    snprintf(path + length, size - length, "fd/%d", file);
}

void *reap__file_load(int file)
{
    char path[256];
    struct stat status;
    if (fstat(file, &status) != 0)
        return NULL;
    write_path(file, status.st_ino, path, sizeof path);
    return reap__library_open(path);
}

/* ---- Processes --------------------------------------------------------------------------------*/

static enum reap__process_end wait_for(pid_t child, uint64_t nanoseconds)
{
    const uint64_t end = reap__now() + nanoseconds;
    int status = 0;
    for (;;) {
        const pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? REAP__PROCESS_ENDED
                                                                 : REAP__PROCESS_FAILED;
        if (found < 0 && errno != EINTR)
            return REAP__PROCESS_FAILED;
        if (reap__now() > end)
            break;
        nanosleep(&(const struct timespec){.tv_nsec = POLL_NANOSECONDS}, NULL);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return REAP__PROCESS_KILLED;
}

/* Closes files in the child that the program has not marked as close-on-exec. */
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
static bool close_others(posix_spawn_file_actions_t *actions)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, MOST_NUMBER + 1) == 0;
}
#else
static bool close_others(const posix_spawn_file_actions_t *actions)
{
    (void)actions;
    return true;
}
#endif

static bool set_files(posix_spawn_file_actions_t *actions, const struct reap__process *process)
{
    for (int i = 0; i < MOST_NUMBER; i++)
        if (posix_spawn_file_actions_addopen(actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY,
                                             0) != 0)
            return false;
    return (process->input < 0 ||
            posix_spawn_file_actions_adddup2(actions, process->input, 0) == 0) &&
           posix_spawn_file_actions_adddup2(actions, process->output, MOST_NUMBER) == 0 &&
           close_others(actions) &&
           posix_spawn_file_actions_adddup2(actions, MOST_NUMBER, process->output_number) == 0;
}

static bool set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    return posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &all) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETPGROUP) == 0;
}

static bool start(const struct reap__process *process, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *const *arguments; /* the function does not change them */
    memcpy(&arguments, &process->arguments, sizeof arguments);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool has_begun = posix_spawnattr_init(&attributes) == 0;
    if (has_begun) {
        has_begun = set_files(&actions, process) && set_signals(&attributes) &&
                    posix_spawnp(child, process->arguments[0], &actions, &attributes, arguments,
                                 environ) == 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return has_begun;
}

enum reap__process_end reap__process_run(const struct reap__process *process)
{
    pid_t child;
    return start(process, &child) ? wait_for(child, process->nanoseconds) : REAP__PROCESS_FAILED;
}
