/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(ranks_sum, in(float, x), reduce(plus, float, sum))
{
    reap_combine(sum, x[reap_global_id(0)]);
}

REAP_KERNEL(ranks_counts, in(float, x), value(uint64_t, keys), reduce_span(plus, uint64_t, counts))
{
    reap_combine_at(counts, reap_global_id(0) * 2654435761u % keys, 1);
}

REAP_KERNEL(ranks_sums, in(float, x), value(uint64_t, keys), reduce_span(plus, double, sums))
{
    reap_combine_at(sums, reap_global_id(0) * 2654435761u % keys, x[reap_global_id(0)]);
}
