/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the library: nobody joins them, and they take no signals. The library must be pinned
 * (pin.h).
 */
#ifndef REAP_PORT_THREAD_H
#define REAP_PORT_THREAD_H

#include <stddef.h>

/* Starts up to `count` threads that run `work`; gives how many there are of them. */
size_t reap__threads_start(size_t count, void *(*work)(void *unused));

#endif
