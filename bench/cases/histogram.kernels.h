/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(histogram, in(uint32_t, x), reduce_span(plus, uint32_t, bins))
{
    reap_combine_at(bins, x[reap_global_id(0)], 1);
}
