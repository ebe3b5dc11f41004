/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

REAP_KERNEL(add_chunk, in(int, values), reduce(plus, int64_t, sum), reduce(minimum, int, least),
            reduce(maximum, int, most))
{
    int value = values[reap_global_id(0)];
    reap_combine(sum, value);
    reap_combine(least, value);
    reap_combine(most, value);
}
