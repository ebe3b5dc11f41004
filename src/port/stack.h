/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of the calling thread's stack is left, so that a call that needs more fails instead of
 * ending the program. The check is one comparison.
 */
#ifndef REAP_PORT_STACK_H
#define REAP_PORT_STACK_H

#include "src/port/compiler.h"
#include "src/port/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lowest address of the thread's stack; higher than any stack until reap__stack_left finds it.
 */
extern _Thread_local uintptr_t reap__stack_bottom REAP__NEAR;

/* Returns how many bytes are left; SIZE_MAX if unknown: on a stack that the program has switched
 * to. */
REAP__RARE size_t reap__stack_left(void);

/* Whether less than `bytes` may be left, or it is not known yet: then call reap__stack_left. */
static inline bool reap__stack_may_lack(size_t bytes)
{
    return (uintptr_t)__builtin_frame_address(0) < reap__stack_bottom + bytes;
}

#endif
