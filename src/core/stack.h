/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that would overflow the stack of a small thread are refused before they do anything. The
 * sizes below are measured ones with a margin.
 */
#ifndef REAP_CORE_STACK_H
#define REAP_CORE_STACK_H

#include "src/core/status.h"
#include "src/port/compiler.h"
#include "src/port/stack.h"

#include <stddef.h>

/* Code that is not optimised needs more, and so does code with sanitizers (src/CMakeLists.txt). */
#if defined(REAP__LIBRARY_IS_SANITIZED)
enum { REAP__STACK_UNIT = 4 << 10 };
#elif defined(__OPTIMIZE__)
enum { REAP__STACK_UNIT = 1 << 10 };
#else
enum { REAP__STACK_UNIT = 2 << 10 };
#endif

/* For a launch on the host, without its kernel's variables; for other calls of a device; to load
 * drivers; to compile a kernel. */
enum {
    REAP__STACK_FOR_HOST = 8 * REAP__STACK_UNIT,
    REAP__STACK_FOR_DEVICE = 64 * REAP__STACK_UNIT,
    REAP__STACK_FOR_DRIVERS = 128 * REAP__STACK_UNIT,
    REAP__STACK_FOR_COMPILER = 256 * REAP__STACK_UNIT
};

/* Fails with REAP_ERROR_OUT_OF_MEMORY if the calling thread has less stack left. The message begins
 * with "`what` '`name`': ". */
REAP__RARE reap_status reap__stack_fail_if_short(size_t bytes, const char *what, const char *name);
static inline reap_status reap__stack_check(size_t bytes, const char *what, const char *name)
{
    if (REAP__SELDOM(reap__stack_may_lack(bytes)))
        return reap__stack_fail_if_short(bytes, what, name);
    return REAP_OK;
}

#endif
