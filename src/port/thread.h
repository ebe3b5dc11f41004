/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the library; they block signals. Threads that are not joined need the library to be
 * pinned (pin.h).
 */
#ifndef REAP_PORT_THREAD_H
#define REAP_PORT_THREAD_H

#include <limits.h> /* any header, for __GLIBC__ */
#include <stdbool.h>
#include <stddef.h>

/* Follows a _Thread_local variable of a pointer's size that each launch reads: the shared library
 * finds it without a call. glibc reserves space for such variables of libraries that are opened
 * late. */
#if defined(__GLIBC__)
#define REAP__NEAR __attribute__((tls_model("initial-exec")))
#else
#define REAP__NEAR
#endif

/* Starts up to `count` threads that run `work` on `data`; returns how many it started. */
size_t reap__threads_start(size_t count, void *(*work)(void *data), void *data);

/* Runs `work` on a thread with a stack of `stack_bytes`, and returns when `work` has returned.
 * False: the thread could not be created. */
bool reap__thread_run(size_t stack_bytes, void *(*work)(void *data), void *data);

#endif
