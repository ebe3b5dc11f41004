/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that turn elements as a file has them into numbers that kernels/describe.kernels.h
 * knows. They run over a chunk that is in the cache.
 */
#include "kernels/describe_part.h"

#include <reap/kernel.h>

REAP_KERNEL(widen_halves, in(reap_half, halves), value(int, swapped), out(float, floats))
{
    const size_t i = reap_global_id(0);
    const uint16_t bits = halves[i].bits;
    const uint16_t right_bits = swapped ? describe_swap_16(bits) : bits;
    floats[i] = reap_half_to_float(reap_value(reap_half, right_bits));
}

/* Any byte but 0 is true. */
REAP_KERNEL(find_truth, inout(uint8_t, values))
{
    const size_t i = reap_global_id(0);
    values[i] = values[i] != 0;
}
