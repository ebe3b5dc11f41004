/* SPDX-License-Identifier: Apache-2.0
 *
 * The signal's handler sets a flag, and makes a pipe readable permanently; threads that wait for a
 * file also wait for the pipe.
 */
#define _GNU_SOURCE /* pipe2, SA_RESETHAND */
#include "tools/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_bool is_interrupted; /* lock-free, so a handler may set it */

static int wake[2] = {-1, -1};

static void note(int number)
{
    const int error = errno;
    (void)number;
    atomic_store(&is_interrupted, true);
    if (write(wake[1], "", 1) < 0)
        errno = error;
    errno = error;
}

bool cli_wait_for(int file, bool is_output, uint64_t seconds)
{
    struct pollfd files[] = {{.fd = file, .events = is_output ? POLLOUT : POLLIN},
                             {.fd = wake[0], .events = POLLIN}};
    const uint64_t most = INT_MAX / 1000;
    return poll(files, 2, seconds == 0 ? -1 : seconds < most ? (int)seconds * 1000 : INT_MAX) != 0;
}

void cli_catch_interrupt(void)
{
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return; /* an interrupt then ends the tool */
    action = (struct sigaction){.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_is_interrupted(void)
{
    return atomic_load_explicit(&is_interrupted, memory_order_relaxed);
}
