/* SPDX-License-Identifier: Apache-2.0
 *
 * The C library returns a thread's stack; this asks it once for each thread, which takes some
 * microseconds.
 */
#define _GNU_SOURCE /* pthread_getattr_np */
#include "src/port/stack.h"

#include "src/port/cancellation.h"

#include <pthread.h>

/* Above all stacks, and low enough to add some bytes. */
#define NOT_KNOWN (UINTPTR_MAX - ((uintptr_t)1 << 24))

_Thread_local uintptr_t reap__stack_bottom REAP__NEAR = NOT_KNOWN;
static _Thread_local uintptr_t top;

/* An unknown stack is taken to be unlimited. */
static void find_stack(void)
{
    pthread_attr_t attributes;
    void *bottom = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &bottom, &bytes) != 0)
            bytes = 0;
        pthread_attr_destroy(&attributes);
    }
    reap__stack_bottom = bytes > 0 ? (uintptr_t)bottom : 0;
    top = reap__stack_bottom + bytes;
}

size_t reap__stack_left(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (reap__stack_bottom == NOT_KNOWN) {
        reap__cancellation_defer();
        find_stack();
        reap__cancellation_allow();
    }
    const bool is_there = here >= reap__stack_bottom && here < top;
    return is_there ? here - reap__stack_bottom : SIZE_MAX;
}
