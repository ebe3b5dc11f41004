/* SPDX-License-Identifier: Apache-2.0
 *
 * A forked child can use Reap although the parent's other threads, and what they held, are gone.
 */
#ifndef REAP_CORE_FORK_H
#define REAP_CORE_FORK_H

/* How often this process and its ancestors were forked, as the child counts since Reap was first
 * used: a lock that was made under another number may be held by a thread that is not there. */
unsigned reap__fork_generation(void);

/* The same for who has called that before: counted from then on, it is a number to look at. */
extern unsigned reap__forks;

#endif
