/* SPDX-License-Identifier: Apache-2.0
 *
 * A forked child does the work. It leads a process group that contains the compilers it starts, so
 * all of them can be ended at once. The parent waits for the child's end, for the time limit, and
 * for the signals that end programs; then it ends the group and removes the folder. If the parent
 * itself is ended (by SIGKILL, for example), the kernel sends the child a signal, and a thread of
 * the child that waits for it does the same.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, nftw */
#include "tools/guard.h"

#include "tools/message.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cli_progress_note(struct cli_progress *progress, int file, const char *target)
{
    progress->file = file;
    snprintf(progress->target, sizeof progress->target, "%s", target);
    atomic_store(&progress->begun, milliseconds());
}

/* ---- The folder -------------------------------------------------------------------------------*/

static bool make_folder(char *folder, size_t bytes)
{
    const char *root = getenv("TMPDIR");
    if (root == NULL || root[0] == '\0')
        root = "/tmp";
    const int length = snprintf(folder, bytes, "%s/reap-compile-XXXXXX", root);
    if (length >= 0 && (size_t)length < bytes && mkdtemp(folder) != NULL)
        return true;
    cli_complain(root, "cannot create a temporary folder there: %s", strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *level)
{
    (void)about;
    (void)kind;
    (void)level;
    remove(path);
    return 0;
}

static void remove_folder(const char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* ---- The signals that end programs ------------------------------------------------------------*/

/* Blocks these signals, except ignored ones, and SIGCHLD, so that they can be waited for. */
static void hold_signals(sigset_t *held, sigset_t *before)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    struct sigaction action;
    sigemptyset(held);
    sigaddset(held, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(held, ending[i]);
    sigprocmask(SIG_BLOCK, held, before);
}

/* ---- The child --------------------------------------------------------------------------------*/

/* Waits for SIGTERM: the parent has ended, or this process shall. */
static void *wait_for_end(void *data)
{
    const struct cli_progress *progress = data;
    sigset_t signals;
    int number;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigwait(&signals, &number);
    remove_folder(progress->folder);
    kill(0, SIGKILL); /* the group, which includes this process */
    return NULL;
}

/* Returns false if the parent has ended already, or the thread cannot be created. */
static bool join_parent(pid_t parent, struct cli_progress *progress)
{
    pthread_t thread;
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    setpgid(0, 0);
    signal(SIGTTOU,
           SIG_IGN); /* the group is not the terminal's foreground group, and may write to it */
    setenv("TMPDIR", progress->folder, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return pthread_create(&thread, NULL, wait_for_end, progress) == 0 && getppid() == parent;
}

/* ---- The parent -------------------------------------------------------------------------------*/

/* The work, and its state. */
struct guard {
    cli_work *work;
    int count;
    char **files;
    void *data;
    uint64_t seconds;
    struct cli_progress *progress;
    sigset_t signals, signals_before;
    int result; /* the exit status so far */
    int end;    /* the signal that will end the tool; 0: none */
};

/* Starts the child; returns its process number. Negative: fork failed. */
static pid_t start(const struct guard *guard, int first)
{
    cli_progress_note(guard->progress, -1, "");
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &guard->signals_before, NULL);
        if (!join_parent(parent, guard->progress)) {
            remove_folder(guard->progress->folder);
            _exit(CLI_BAD_INPUT);
        }
        exit(guard->work(first, guard->count, guard->files, guard->data, guard->progress));
    }
    if (child < 0)
        cli_complain(NULL, "cannot create a process: %s", strerror(errno));
    else
        setpgid(child, child);
    return child;
}

/* Waits until the child has ended or must be ended: its time is over, or a signal came, which is
 * recorded. Returns whether it has ended. */
static bool wait_for(struct guard *guard, pid_t child)
{
    for (;;) {
        siginfo_t about = {.si_pid = 0};
        if (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            about.si_pid == child)
            return true;
        const int64_t left =
            atomic_load(&guard->progress->begun) + (int64_t)guard->seconds * 1000 - milliseconds();
        if (left <= 0)
            return false;
        const struct timespec time = {.tv_sec = (time_t)(left / 1000),
                                      .tv_nsec = (long)(left % 1000) * 1000000};
        const int number = sigtimedwait(&guard->signals, NULL, &time);
        if (number > 0 && number != SIGCHLD) {
            guard->end = number;
            return false;
        }
    }
}

/* Ends the group; returns its leader's status. The leader has not been waited for, so no other
 * group can have its number. */
static int end_group(pid_t child)
{
    int status = 0;
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGFPE ||
           number == SIGILL;
}

/* Reports the failure of the current compiler. */
static void complain_of_compiler(struct guard *guard, const char *what)
{
    const struct cli_progress *progress = guard->progress;
    const bool is_host = progress->target[0] == '\0';
    guard->result = CLI_BAD_INPUT;
    cli_complain(progress->file >= 0 ? guard->files[progress->file] : NULL, "the %scompiler%s%s %s",
                 is_host ? "C " : "", is_host ? "" : " for ", progress->target, what);
}

/* Works on files from `first` on until all are done, or a compiler has crashed or timed out;
 * returns whether files are left. */
static bool work_on(struct guard *guard, int first)
{
    char what[80];
    const pid_t child = start(guard, first);
    if (child < 0) {
        guard->result = CLI_BAD_INPUT;
        return false;
    }
    const bool has_ended = wait_for(guard, child);
    const int status = end_group(child);
    if (guard->end != 0)
        return false;
    if (!has_ended) {
        snprintf(what, sizeof what, "was ended after %" PRIu64 " second%s; --timeout allows more",
                 guard->seconds, guard->seconds == 1 ? "" : "s");
    } else if (WIFEXITED(status)) {
        guard->result = WEXITSTATUS(status) != CLI_FINE ? WEXITSTATUS(status) : guard->result;
        return false;
    } else if (!is_crash(WTERMSIG(status))) {
        guard->end = WTERMSIG(status); /* the signal was for the tool */
        return false;
    } else {
        snprintf(what, sizeof what, "crashed: %s", strsignal(WTERMSIG(status)));
    }
    complain_of_compiler(guard, what);
    return guard->progress->file >= 0;
}

static void work_on_all(struct guard *guard)
{
    char *folder = guard->progress->folder;
    hold_signals(&guard->signals, &guard->signals_before);
    guard->result = CLI_BAD_INPUT;
    if (make_folder(folder, sizeof guard->progress->folder)) {
        guard->result = CLI_FINE;
        for (int first = 0; first < guard->count && work_on(guard, first);)
            first = guard->progress->file + 1;
        remove_folder(folder);
    }
    sigprocmask(SIG_SETMASK, &guard->signals_before, NULL);
}

int cli_guard(cli_work *work, int count, char **files, void *data, uint64_t seconds)
{
    struct guard guard = {work, count, files, data, seconds, .end = 0};
    void *memory = mmap(NULL, sizeof *guard.progress, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        cli_complain(NULL, "%s", strerror(errno));
        return CLI_BAD_INPUT;
    }
    guard.progress = memory;
    work_on_all(&guard);
    if (guard.end != 0)
        raise(guard.end);
    munmap(memory, sizeof *guard.progress);
    return guard.result;
}
