/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the size of the thread's stack at its first use, and refuses calls that need more.
 */
#include "src/core/stack.h"

reap_status reap__stack_fail_if_short(size_t bytes, const char *what, const char *name)
{
    const size_t left = reap__stack_left();
    if (left >= bytes)
        return REAP_OK;
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                      "%s '%s': this thread has %zu bytes of stack left, and %zu may be needed: "
                      "make the thread with a larger stack (pthread_attr_setstacksize)",
                      what, name, left, bytes);
}
