/* SPDX-License-Identifier: Apache-2.0
 *
 * A forked child can use Reap although the parent's other threads, and what they held, are gone.
 */
#ifndef REAP_CORE_FORK_H
#define REAP_CORE_FORK_H

/* How often this process and its ancestors were forked since Reap was first used. A lock that was
 * initialised under another number may be held by a thread that this process does not have. */
unsigned reap__fork_generation(void);

/* The same number as a variable, counted from the first call of that function on. */
extern unsigned reap__forks;

#endif
