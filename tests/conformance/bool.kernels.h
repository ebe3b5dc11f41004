/* SPDX-License-Identifier: Apache-2.0
 *
 * Every operator on bool in one kernel.
 */
#include <reap/kernel.h>

REAP_KERNEL(truths, in(bool, x), reduce(bit_and, bool, all_bits), reduce(bit_or, bool, any_bit),
            reduce(bit_xor, bool, parity), reduce(logical_and, bool, every),
            reduce(logical_or, bool, some))
{
    const bool value = x[reap_global_id(0)];
    reap_combine(all_bits, value);
    reap_combine(any_bit, value);
    reap_combine(parity, value);
    reap_combine(every, value);
    reap_combine(some, value);
}
