/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose parts ranks merge. Items have values without an array, so a share of any length
 * needs no memory; `first` is the share's first item.
 */
#include <reap/kernel.h>

static inline uint32_t scale_draw(uint64_t item)
{
    return (uint32_t)item * 2654435761u >> 8;
}

REAP_KERNEL(scale_sum, value(uint64_t, first), reduce(plus, float, sum))
{
    reap_combine(sum, (float)scale_draw(first + reap_global_id(0)));
}

REAP_KERNEL(scale_results, value(uint64_t, first), reduce(exact_plus, double, exact),
            reduce_location(minimum, float, least))
{
    uint32_t drawn = scale_draw(first + reap_global_id(0));
    reap_combine(exact, (double)drawn);
    reap_combine(least, (float)drawn);
}

REAP_KERNEL(scale_spans, value(uint64_t, first), value(uint32_t, keys),
            reduce_span(plus, uint64_t, counts), reduce_span(plus, float, sums))
{
    uint32_t drawn = scale_draw(first + reap_global_id(0));
    reap_combine_at(counts, drawn % keys, 1);
    reap_combine_at(sums, drawn % keys, (float)drawn);
}
