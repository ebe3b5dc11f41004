/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements and declarations of all kinds, for texts that differ from this one.
 */
#include <reap/kernel.h>

typedef struct {
    uint32_t low, high[2];
} interval;

#define LAST(a) ((a)-1)

static uint32_t spread(uint32_t v, const uint32_t *by)
{
    for (int i = 0; i < 3; i++)
        v ^= v << *by;
    return v;
}

REAP_ND_KERNEL(scan_group, in(uint32_t, x), inout(uint32_t, y), value(size_t, n),
               local(uint32_t, shared), reduce(plus, uint64_t, sum))
{
    const size_t l = reap_local_id(0), size = reap_local_range(0), i = reap_global_id(0);
    uint32_t v = x[i], seen[3] = {0, 1, v}, *const at = &seen[1];
    interval mine = {v, {v, v + 1}};
    size_t step = 1, rounds = 0;
    if (reap_group_id(0) == n)
        return;
    for (size_t d = size >> 1; d > 0; d >>= 1, rounds++) {
        const size_t left = step * (2 * l + 1) - 1;
        shared[l] = v + mine.high[rounds % 2];
        reap_barrier(REAP_LOCAL_SPACE);
        if (l < d) {
            v += shared[left % size];
        } else if (l == LAST(size)) {
            v = spread(v, &seen[0]);
        }
        step *= 2;
        reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE);
        if (rounds == 7)
            break;
    }
    do {
        shared[(l + step) % size] = v;
        reap_barrier(REAP_LOCAL_SPACE);
        *at += shared[l];
        while (v % 3 != 0 && rounds > 1)
            v++;
        reap_barrier(REAP_LOCAL_SPACE);
        if (shared[0] % 2 == 0)
            continue;
        mine.low = mine.low > *at ? mine.low : (uint32_t)sizeof(interval);
    } while (rounds-- > 1);
    switch (v & 3) {
    case 0:
        y[i] = mine.low;
        break;
    default:
        if (v > 100)
            return;
        y[i] = seen[1];
    }
    reap_combine(sum, v);
}
