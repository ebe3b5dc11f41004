/* SPDX-License-Identifier: Apache-2.0
 *
 * Three kernels with a bug each.
 */
#include <reap/kernel.h>

/* The last work-item writes after the array's end. */
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

/* Work-items write one place; what to use is a reduction. (volatile, or it stays in a register; not
 * all, since of very many accesses the sanitizer forgets where they were, and reports nothing.) */
REAP_KERNEL(race, inout(int, total))
{
    volatile int *place = total;
    if (reap_global_id(0) % 1024 == 0)
        *place = *place + 1;
}
