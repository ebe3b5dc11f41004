/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that is allowed between phases, and means the same on every device; and reading, between
 * phases, of what the phases before and after it write.
 */
#include <reap/kernel.h>

typedef struct {
    int scale, offsets[2];
} between_pair;

#define BETWEEN_PARAMETERS in(int, x), inout(int, y), value(int, n), local(int, m)
#define BETWEEN_ADD(v, amount) (v) += (amount)
#define BETWEEN_SWAP(T, a, b)                                                                      \
    do {                                                                                           \
        const T swapped_ = (a);                                                                    \
        (a) = (b);                                                                                 \
        (b) = swapped_;                                                                            \
    } while (0)

static int between_first(REAP_LOCAL const int *values)
{
    return values[0];
}

static int between_scaled(const between_pair *pair, int v)
{
    return pair->scale * v + pair->offsets[0];
}

static void between_make(between_pair *pair, int scale)
{
    pair->scale = scale;
    pair->offsets[0] = scale + 1;
    pair->offsets[1] = scale + 2;
}

static void between_store(REAP_LOCAL int *at, int v)
{
    *at = v;
}

/* The first of its group's, when the phase that overwrites it is next. */
REAP_GROUP_KERNEL(first_of_group, BETWEEN_PARAMETERS)
{
    (void)n;
    reap_for_each_item {
        m[reap_local_id(0)] = x[reap_global_id(0)];
    }
    int first = m[0];
    reap_for_each_item {
        m[reap_local_id(0)] = first + 100;
        y[reap_global_id(0)] = first;
    }
}

/* The same by a helper, in a loop. */
REAP_GROUP_KERNEL(first_by_helper, BETWEEN_PARAMETERS)
{
    int sum = 0;
    reap_for_each_item
        m[reap_local_id(0)] = x[reap_global_id(0)];
    for (int i = 0; i < n; i++) {
        sum += between_first(m);
        reap_for_each_item {
            m[reap_local_id(0)] += 1;
        }
    }
    reap_for_each_item
        y[reap_global_id(0)] = sum;
}

/* As long as some item has something left, all go on. */
REAP_GROUP_KERNEL(until_done, BETWEEN_PARAMETERS)
{
    REAP_LOCAL int *const changed = m + reap_local_range(0);
    reap_for_each_item {
        m[reap_local_id(0)] = x[reap_global_id(0)] % n;
        y[reap_global_id(0)] = 0;
    }
    do {
        reap_for_each_item {
            if (reap_local_id(0) == 0)
                *changed = 0;
        }
        reap_for_each_item {
            if (m[reap_local_id(0)] > 0) {
                m[reap_local_id(0)]--;
                y[reap_global_id(0)]++;
                reap_atomic_fetch_or(changed, 1);
            }
        }
    } while (*changed);
    reap_for_each_item
        y[reap_global_id(0)] += 1000 * m[reap_local_id(0)];
}

/* What the group computes for itself. */
REAP_GROUP_KERNEL(of_the_group, BETWEEN_PARAMETERS)
{
    int table[4] = {0, 2, 0, 4}, rows[2][2];
    const int *const start = table;
    between_pair pair = {.scale = 3, .offsets = {1, 2}};
    REAP_LOCAL int *second = m + 1;
    reap_item_private(int, own);
    for (int i = 0; i < 4; i++)
        BETWEEN_ADD(table[i], n);
    rows[0][1] = rows[1][0] = n++;
    if (n % 2 == 0)
        between_make(&pair, 5);
    else
        pair.offsets[0] += 7;
    BETWEEN_SWAP(int, table[0], table[3]);
    reap_for_each_item {
        int sum = table[reap_local_id(0) % 4], count = 2;
        sum += between_scaled(&pair, x[reap_global_id(0)]);
        count *= 3;
        reap_private(own) = sum + count;
        m[reap_local_id(0)] = sum;
        for (int i = 0; i < 2; i++)
            reap_private(own) += i;
    }
    int count = n;
    --count;
    reap_for_each_item {
        if (reap_local_id(0) + 2 < reap_local_range(0))
            second[reap_local_id(0) + 1] = start[2] + rows[0][1] * rows[1][0];
        between_store(&m[0], 8);
    }
    reap_for_each_item {
        const size_t item = reap_local_id(0);
        BETWEEN_ADD(y[reap_global_id(0)], m[item] + reap_private(own) + count);
    }
}
