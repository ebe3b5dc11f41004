/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel of 48 reductions, which takes compilers for devices a minute.
 */
#include <reap/kernel.h>

REAP_KERNEL(many_reductions, in(uint32_t, x), reduce(plus, uint64_t, a0),
            reduce(plus, uint64_t, a1), reduce(plus, uint64_t, a2), reduce(plus, uint64_t, a3),
            reduce(plus, uint64_t, a4), reduce(plus, uint64_t, a5), reduce(plus, uint64_t, a6),
            reduce(plus, uint64_t, a7), reduce(plus, uint64_t, a8), reduce(plus, uint64_t, a9),
            reduce(plus, uint64_t, a10), reduce(plus, uint64_t, a11), reduce(plus, uint64_t, a12),
            reduce(plus, uint64_t, a13), reduce(plus, uint64_t, a14), reduce(plus, uint64_t, a15),
            reduce(maximum, uint32_t, b0), reduce(maximum, uint32_t, b1),
            reduce(maximum, uint32_t, b2), reduce(maximum, uint32_t, b3),
            reduce(maximum, uint32_t, b4), reduce(maximum, uint32_t, b5),
            reduce(maximum, uint32_t, b6), reduce(maximum, uint32_t, b7),
            reduce(maximum, uint32_t, b8), reduce(maximum, uint32_t, b9),
            reduce(maximum, uint32_t, b10), reduce(maximum, uint32_t, b11),
            reduce(maximum, uint32_t, b12), reduce(maximum, uint32_t, b13),
            reduce(maximum, uint32_t, b14), reduce(maximum, uint32_t, b15),
            reduce_location(minimum, uint32_t, c0), reduce_location(minimum, uint32_t, c1),
            reduce_location(minimum, uint32_t, c2), reduce_location(minimum, uint32_t, c3),
            reduce_location(minimum, uint32_t, c4), reduce_location(minimum, uint32_t, c5),
            reduce_location(minimum, uint32_t, c6), reduce_location(minimum, uint32_t, c7),
            reduce_location(minimum, uint32_t, c8), reduce_location(minimum, uint32_t, c9),
            reduce_location(minimum, uint32_t, c10), reduce_location(minimum, uint32_t, c11),
            reduce_location(minimum, uint32_t, c12), reduce_location(minimum, uint32_t, c13),
            reduce_location(minimum, uint32_t, c14), reduce_location(minimum, uint32_t, c15))
{
    const uint32_t v = x[reap_global_id(0)];
    reap_combine(a0, (uint64_t)v * 1);
    reap_combine(a1, (uint64_t)v * 2);
    reap_combine(a2, (uint64_t)v * 3);
    reap_combine(a3, (uint64_t)v * 4);
    reap_combine(a4, (uint64_t)v * 5);
    reap_combine(a5, (uint64_t)v * 6);
    reap_combine(a6, (uint64_t)v * 7);
    reap_combine(a7, (uint64_t)v * 8);
    reap_combine(a8, (uint64_t)v * 9);
    reap_combine(a9, (uint64_t)v * 10);
    reap_combine(a10, (uint64_t)v * 11);
    reap_combine(a11, (uint64_t)v * 12);
    reap_combine(a12, (uint64_t)v * 13);
    reap_combine(a13, (uint64_t)v * 14);
    reap_combine(a14, (uint64_t)v * 15);
    reap_combine(a15, (uint64_t)v * 16);
    reap_combine(b0, v % 1000);
    reap_combine(b1, v % 1001);
    reap_combine(b2, v % 1002);
    reap_combine(b3, v % 1003);
    reap_combine(b4, v % 1004);
    reap_combine(b5, v % 1005);
    reap_combine(b6, v % 1006);
    reap_combine(b7, v % 1007);
    reap_combine(b8, v % 1008);
    reap_combine(b9, v % 1009);
    reap_combine(b10, v % 1010);
    reap_combine(b11, v % 1011);
    reap_combine(b12, v % 1012);
    reap_combine(b13, v % 1013);
    reap_combine(b14, v % 1014);
    reap_combine(b15, v % 1015);
    reap_combine(c0, (v + 0) % 5000);
    reap_combine(c1, (v + 1) % 5001);
    reap_combine(c2, (v + 2) % 5002);
    reap_combine(c3, (v + 3) % 5003);
    reap_combine(c4, (v + 4) % 5004);
    reap_combine(c5, (v + 5) % 5005);
    reap_combine(c6, (v + 6) % 5006);
    reap_combine(c7, (v + 7) % 5007);
    reap_combine(c8, (v + 8) % 5008);
    reap_combine(c9, (v + 9) % 5009);
    reap_combine(c10, (v + 10) % 5010);
    reap_combine(c11, (v + 11) % 5011);
    reap_combine(c12, (v + 12) % 5012);
    reap_combine(c13, (v + 13) % 5013);
    reap_combine(c14, (v + 14) % 5014);
    reap_combine(c15, (v + 15) % 5015);
}
