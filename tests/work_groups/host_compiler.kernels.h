/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

enum { ROUNDS = 5 };

/* Each item sees the next ones' values, one in each round. */
REAP_ND_KERNEL(rotate_group, in(uint32_t, x), local(uint32_t, shared), reduce(plus, uint64_t, sum))
{
    const size_t l = reap_local_id(0), size = reap_local_range(0);
    uint32_t v = x[reap_global_id(0)], passed = v;
    for (size_t k = 1; k < ROUNDS; k++) {
        shared[l] = passed;
        reap_barrier(REAP_LOCAL_SPACE);
        passed = shared[(l + 1) % size];
        v = v * 31 + passed;
        reap_barrier(REAP_LOCAL_SPACE);
    }
    reap_combine(sum, v);
}
