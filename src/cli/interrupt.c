/* SPDX-License-Identifier: Apache-2.0
 *
 * The signal's handler sets a flag.
 */
#define _XOPEN_SOURCE 700 /* SA_RESETHAND */
#include "src/cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool is_interrupted; /* lock-free, so that a handler may set it */

static void note(int number)
{
    (void)number;
    atomic_store(&is_interrupted, true);
}

void cli_catch_interrupt(void)
{
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_is_interrupted(void)
{
    return atomic_load_explicit(&is_interrupted, memory_order_relaxed);
}
