/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for ranges of many tiles: reductions whose leaves are equal, with flags and with places;
 * and such whose leaves differ.
 */
#include <reap/kernel.h>

/* Neither associative nor commutative. */
REAP_OPERATOR_NO_IDENTITY(tiles_mix, uint32_t, a, b)
{
    return a * 31u + b;
}

typedef struct {
    uint32_t w[25];
} tiles_middle; /* 100 bytes */

typedef struct {
    uint32_t w[130];
} tiles_wide; /* 520 bytes */

REAP_OPERATOR(tiles_mix_middle, tiles_middle, reap_value(tiles_middle, {0}), a, b)
{
    tiles_middle mixed;
    for (int k = 0; k < 25; k++)
        mixed.w[k] = a.w[k] * 31u + b.w[k];
    return mixed;
}

REAP_OPERATOR_NO_IDENTITY(tiles_mix_wide, tiles_wide, a, b)
{
    tiles_wide mixed;
    for (int k = 0; k < 130; k++)
        mixed.w[k] = a.w[k] * 31u + b.w[k];
    return mixed;
}

REAP_KERNEL(over_tiles, in(float, x), value(uint64_t, period), reduce(plus, float, sum),
            reduce_with(tiles_mix, uint32_t, mixed), reduce(plus, double, squares),
            reduce_location(maximum, float, peak))
{
    const uint64_t i = reap_global_linear_id();
    const float v = x[i % period];
    reap_combine(sum, v);
    if (i % 5 == 3)
        reap_combine(mixed, (uint32_t)i);
    reap_combine(squares, (double)v * v);
    reap_combine(peak, v);
}

REAP_KERNEL(over_unequal_tiles, in(float, x), value(uint64_t, period), reduce(plus, float, sum),
            reduce_with(tiles_mix_middle, tiles_middle, middle),
            reduce_with(tiles_mix_wide, tiles_wide, wide))
{
    const uint64_t i = reap_global_linear_id();
    reap_combine(sum, x[i % period]);
    if (i % 3 == 1) {
        tiles_middle v;
        for (uint32_t k = 0; k < 25; k++)
            v.w[k] = (uint32_t)i + k;
        reap_combine(middle, v);
    }
    if (i % 7 == 2) {
        tiles_wide v;
        for (uint32_t k = 0; k < 130; k++)
            v.w[k] = (uint32_t)i * k;
        reap_combine(wide, v);
    }
}
