/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel for the host alone: its items sleep, which is a cancellation point.
 */
#include <reap/kernel.h>
#include <time.h>

REAP_KERNEL(sleep_a_little, value(int, microseconds), reduce(plus, int, items))
{
    const struct timespec time = {0, 1000L * microseconds};
    nanosleep(&time, 0);
    reap_combine(items, 1);
}
