/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the library: they take no signals. Those that nobody joins need the library to be
 * pinned (pin.h).
 */
#ifndef REAP_PORT_THREAD_H
#define REAP_PORT_THREAD_H

#include <limits.h> /* of any header: says whether it is glibc's */
#include <stdbool.h>
#include <stddef.h>

/* Behind _Thread_local: a pointer or so that each launch looks at, which the shared library then
 * finds without a call. glibc keeps room for such variables of libraries that are opened late. */
#if defined(__GLIBC__)
#define REAP__NEAR __attribute__((tls_model("initial-exec")))
#else
#define REAP__NEAR
#endif

/* Starts up to `count` threads that run `work` on `data`; gives how many there are of them. */
size_t reap__threads_start(size_t count, void *(*work)(void *data), void *data);

/* Runs `work` on a thread with a stack of so many bytes, and returns when that is done. False:
 * there is no such thread. */
bool reap__thread_run(size_t stack_bytes, void *(*work)(void *data), void *data);

#endif
