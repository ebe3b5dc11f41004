/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of the calling thread's stack is left, so that a call that needs more is refused and
 * does not end the program. It costs a comparison.
 */
#ifndef REAP_PORT_STACK_H
#define REAP_PORT_STACK_H

#include "src/port/compiler.h"
#include "src/port/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the thread's stack begins; higher than any stack until reap__stack_left has found that. */
extern _Thread_local uintptr_t reap__stack_bottom REAP__NEAR;

/* In bytes; SIZE_MAX where it is not known: on a stack that the program has switched to. */
REAP__RARE size_t reap__stack_left(void);

/* Whether less may be left, or nobody has looked: reap__stack_left tells. */
static inline bool reap__stack_may_lack(size_t bytes)
{
    return (uintptr_t)__builtin_frame_address(0) < reap__stack_bottom + bytes;
}

#endif
