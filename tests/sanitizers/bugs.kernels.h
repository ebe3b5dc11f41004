/* SPDX-License-Identifier: Apache-2.0
 *
 * Three kernels with a bug each.
 */
#include <reap/kernel.h>

/* The last work-item writes behind the array. */
REAP_KERNEL(overrun, out(int, numbers))
{
    size_t i = reap_global_id(0);
    numbers[i + 1] = 1;
}

/* Two signed numbers overflow. */
REAP_KERNEL(overflow, in(int, numbers), out(int, doubled))
{
    size_t i = reap_global_id(0);
    doubled[i] = numbers[i] + numbers[i];
}

/* All work-items write one place; what to use is a reduction. (volatile, or it stays in a register
 * for so long that the threads hardly meet.) */
REAP_KERNEL(race, in(int, numbers), inout(int, total))
{
    volatile int *place = total;
    *place = *place + numbers[reap_global_id(0)];
}
