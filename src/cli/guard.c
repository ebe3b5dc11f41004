/* SPDX-License-Identifier: Apache-2.0
 *
 * A forked child does the work, and the parent does nothing but wait: so it may fork again.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "src/cli/guard.h"

#include "src/cli/message.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Gives the status of a child as waitpid does; false: there is none. */
static bool wait_for(pid_t child, int *status)
{
    pid_t ended;
    if (child < 0)
        return false;
    do
        ended = waitpid(child, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child;
}

static bool is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE ||
           signal == SIGILL;
}

int cli_guard(cli_work *work, int count, char **files, void *data)
{
    int result = CLI_FINE;
    void *memory = mmap(NULL, sizeof(struct cli_progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct cli_progress *progress = memory;
    if (memory == MAP_FAILED) {
        cli_complain(NULL, "%s", strerror(errno));
        return CLI_BAD_INPUT;
    }
    for (int first = 0, status; first < count; first = progress->file + 1) {
        *progress = (struct cli_progress){.file = -1};
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            exit(work(first, count, files, data, progress));
        if (!wait_for(child, &status)) {
            cli_complain(NULL, "no process can be made: %s", strerror(errno));
            return CLI_BAD_INPUT;
        }
        if (WIFEXITED(status))
            return WEXITSTATUS(status) != CLI_FINE ? WEXITSTATUS(status) : result;
        if (!is_crash(WTERMSIG(status)))
            raise(WTERMSIG(status)); /* who ended the child meant us all */
        result = CLI_BAD_INPUT;
        cli_complain(progress->file >= 0 ? files[progress->file] : NULL,
                     "the compiler%s%s crashed: %s", progress->target[0] != '\0' ? " for " : "",
                     progress->target, strsignal(WTERMSIG(status)));
        if (progress->file < 0)
            break;
    }
    return result;
}
