/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that count for the histograms of `reap describe`: array reductions with an element
 * for each bin. Numbers outside of all bins, and NaNs, are not counted.
 */
#include <reap/kernel.h>

/* Bins between bins + 1 edges; only the last bin includes its upper edge. Arithmetic finds an
 * approximate bin, and comparisons the right one. Numbers are halved, since the range may overflow
 * a double. */
REAP_KERNEL(count_doubles, in(double, numbers), in(double, edges), value(size_t, bins),
            value(double, scale), reduce_span(plus, uint64_t, counts))
{
    const double number = numbers[reap_global_id(0)];
    if (!(number >= edges[0] && number <= edges[bins]))
        return;
    size_t bin = (size_t)((number * 0.5 - edges[0] * 0.5) * scale);
    bin = bin < bins ? bin : bins - 1;
    while (number < edges[bin])
        bin--;
    while (bin + 1 < bins && number >= edges[bin + 1])
        bin++;
    reap_combine_at(counts, bin, 1);
}

/* Bins of `width` integers each, from `lowest` to lowest + range. */
REAP_KERNEL(count_keys, in(uint64_t, numbers), value(uint64_t, lowest), value(uint64_t, range),
            value(uint64_t, width), reduce_span(plus, uint64_t, counts))
{
    const uint64_t above = numbers[reap_global_id(0)] - lowest;
    if (above <= range)
        reap_combine_at(counts, (size_t)(above / width), 1);
}
