/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that convert elements of a file to the processor's numbers, before
 * tools/kernels/describe.kernels.h describes them: the other byte order, half precision, truth
 * values of any non-zero byte. They run over a chunk that is in the cache; swapping adds less than
 * a tenth to the time of a file. (Conversion within each run that is described was no faster; as a
 * part of each load it would double the code of every type.)
 */
#include <reap/kernel.h>

REAP_KERNEL(swap_bytes_16, inout(uint16_t, words))
{
    const size_t i = reap_global_id(0);
    words[i] = (uint16_t)(words[i] << 8 | words[i] >> 8);
}

REAP_KERNEL(swap_bytes_32, inout(uint32_t, words))
{
    const size_t i = reap_global_id(0);
    const uint32_t x = words[i];
    words[i] = x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

REAP_KERNEL(swap_bytes_64, inout(uint64_t, words))
{
    const size_t i = reap_global_id(0);
    uint64_t x = words[i];
    x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
    x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
    words[i] = x << 32 | x >> 32;
}

/* The bits of a finite half, shifted to their positions in a float, are the number times 2^-112;
 * infinities and NaNs then get all bits of the exponent. (reap_half_to_float, which does not
 * compute with subnormal floats, has twice as many instructions.) */
REAP_KERNEL(widen_halves, in(reap_half, halves), out(float, floats))
{
    const size_t i = reap_global_id(0);
    const int32_t half = (int16_t)halves[i].bits;
    union {
        uint32_t bits;
        float value;
    } pun;
    pun.bits = (uint32_t)half << 13 & 0x8fffe000u;
    pun.value *= 5192296858534827628530496329220096.0f;
    pun.bits |= (half & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u;
    floats[i] = pun.value;
}

REAP_KERNEL(find_truth, inout(uint8_t, values))
{
    const size_t i = reap_global_id(0);
    values[i] = values[i] != 0;
}
