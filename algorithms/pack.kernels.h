/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of elements with any strides, also negative ones, to contiguous memory; and copies in
 * which elements that a mask does not select are replaced.
 */
#ifndef REAP_ALGORITHMS_PACK_KERNELS_H
#define REAP_ALGORITHMS_PACK_KERNELS_H

#include <reap/kernel.h>

#define PACK_KERNEL(name, T)                                                                       \
    REAP_KERNEL(name, in(T, from), out(T, to), value(int64_t, stride_0), value(int64_t, stride_1), \
                value(int64_t, stride_2))                                                          \
    {                                                                                              \
        to[reap_global_linear_id()] =                                                              \
            from[(int64_t)reap_global_id(0) * stride_0 + (int64_t)reap_global_id(1) * stride_1 +   \
                 (int64_t)reap_global_id(2) * stride_2];                                           \
    }

PACK_KERNEL(pack_8, uint8_t)
PACK_KERNEL(pack_16, uint16_t)
PACK_KERNEL(pack_32, uint32_t)
PACK_KERNEL(pack_64, uint64_t)

#define SELECT_KERNEL(name, T)                                                                     \
    REAP_KERNEL(name, in(T, from), in(uint8_t, where), value(T, others), out(T, to))               \
    {                                                                                              \
        const size_t i = reap_global_id(0);                                                        \
        to[i] = (T)(where[i] != 0 ? from[i] : others);                                             \
    }

SELECT_KERNEL(select_8, uint8_t)
SELECT_KERNEL(select_16, uint16_t)
SELECT_KERNEL(select_32, uint32_t)
SELECT_KERNEL(select_64, uint64_t)

#endif
