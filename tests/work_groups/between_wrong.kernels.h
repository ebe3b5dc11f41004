/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels in phases that mean something else on each device, so that none takes them. What a
 * message must name follows "wrong:" on the line that it must name.
 */
#include <reap/kernel.h>

typedef struct {
    int a, b[2];
} wrong_pair;

typedef int wrong_row[4];
typedef REAP_GLOBAL int *wrong_pointer;

typedef struct {
    REAP_GLOBAL int *to;
} wrong_holder;

#define WRONG_PARAMETERS                                                                           \
    in(int, x), inout(int, y), inout(wrong_pair, pairs), value(int, n), local(int, m),             \
        local_2d(int, tile)
#define WRONG_ADD(v, amount) (v) += (amount)
#define WRONG_NAME(a, b) a##b
#define WRONG_PHASE reap_for_each_item

static void wrong_set(REAP_GLOBAL int *at, int v)
{
    *at = v;
}

static void wrong_set_own(int *at, int v)
{
    *at = v;
}

REAP_GROUP_KERNEL(wrong_store, WRONG_PARAMETERS)
{
    y[reap_group_id(0)] += 2; /* wrong: 'y' is written */
}

REAP_GROUP_KERNEL(wrong_store_to_local, WRONG_PARAMETERS)
{
    reap_for_each_item
        y[reap_global_id(0)] = m[0];
    m[0] = 1; /* wrong: 'm' is written */
}

REAP_GROUP_KERNEL(wrong_store_to_tile, WRONG_PARAMETERS)
{
    const int corner = reap_at(tile, 0, 0) + (int)reap_extent(tile, 1);
    reap_for_each_item
        reap_at(tile, 1, 0) += corner;
    reap_at(tile, 1, 0) = 1; /* wrong: 'tile' is written */
}

REAP_GROUP_KERNEL(wrong_increment_in_tile, WRONG_PARAMETERS)
{
    ++reap_at(tile, 1, 0); /* wrong: 'tile' is written */
}

REAP_GROUP_KERNEL(wrong_pointer_into_tile, WRONG_PARAMETERS)
{
    reap_atomic_fetch_add(&reap_at(tile, 1, 0), 1); /* wrong: 'reap_atomic_fetch_add' is called */
}

REAP_GROUP_KERNEL(wrong_atomic, WRONG_PARAMETERS)
{
    reap_atomic_fetch_add(&y[0], 1); /* wrong: 'reap_atomic_fetch_add' is called */
}

REAP_GROUP_KERNEL(wrong_count_of_first_items, WRONG_PARAMETERS)
{
    reap_for_first_items(y[0]++) /* wrong: 'y' is written */
        m[reap_local_id(0)] = n;
}

REAP_GROUP_KERNEL(wrong_sum_of_first_items, WRONG_PARAMETERS)
{
    int sum = 0;
    reap_for_first_items(n)
        sum += x[reap_global_id(0)]; /* wrong: a phase changes 'sum' */
    reap_for_each_item
        y[reap_global_id(0)] = sum;
}

REAP_GROUP_KERNEL(wrong_increment, WRONG_PARAMETERS)
{
    ++*y; /* wrong: 'y' is written */
}

REAP_GROUP_KERNEL(wrong_decrement, WRONG_PARAMETERS)
{
    (*y)--; /* wrong: is written */
}

REAP_GROUP_KERNEL(wrong_moving_store, WRONG_PARAMETERS)
{
    if (n > 0)
        *y++ = n; /* wrong: is written */
}

REAP_GROUP_KERNEL(wrong_member, WRONG_PARAMETERS)
{
    pairs->a = n; /* wrong: 'pairs' is written */
}

REAP_GROUP_KERNEL(wrong_member_of_element, WRONG_PARAMETERS)
{
    pairs[n].b[1] = n; /* wrong: 'pairs' is written */
}

REAP_GROUP_KERNEL(wrong_store_through_pointer, WRONG_PARAMETERS)
{
    REAP_GLOBAL int *p = y + n;
    if (n > 0)
        *p = 5; /* wrong: 'p' is written */
}

REAP_GROUP_KERNEL(wrong_store_through_sum, WRONG_PARAMETERS)
{
    *(y + n) = 5; /* wrong: is written */
}

REAP_GROUP_KERNEL(wrong_store_within, WRONG_PARAMETERS)
{
    int v = 3 + (y[1] = 2); /* wrong: 'y' is written */
    reap_for_each_item
        y[reap_global_id(0)] = v;
}

REAP_GROUP_KERNEL(wrong_store_in_loop, WRONG_PARAMETERS)
{
    for (int i = 0; i < n; y[i++] = 0) /* wrong: 'y' is written */
        reap_for_each_item
            m[reap_local_id(0)] = i;
}

REAP_GROUP_KERNEL(wrong_store_by_macro, WRONG_PARAMETERS)
{
    WRONG_ADD(y[0], n); /* wrong: is written */
}

REAP_GROUP_KERNEL(wrong_store_by_helper, WRONG_PARAMETERS)
{
    wrong_set(y + n, 5); /* wrong: 'y' is passed between phases to 'wrong_set' */
}

REAP_GROUP_KERNEL(wrong_store_to_element_by_helper, WRONG_PARAMETERS)
{
    wrong_set(&y[n], 5); /* wrong: 'y' is passed between phases to 'wrong_set' */
}

REAP_GROUP_KERNEL(wrong_sum, WRONG_PARAMETERS)
{
    int sum = 0;
    reap_for_each_item {
        sum += x[reap_global_id(0)]; /* wrong: a phase changes 'sum' */
    }
    reap_for_each_item
        y[reap_global_id(0)] = sum;
}

REAP_GROUP_KERNEL(wrong_count, WRONG_PARAMETERS)
{
    int count = 0;
    WRONG_PHASE
    if (x[reap_global_id(0)] > 0)
        count++; /* wrong: a phase changes 'count' */
    reap_for_each_item
        y[reap_global_id(0)] = count;
}

REAP_GROUP_KERNEL(wrong_sum_in_branch, WRONG_PARAMETERS)
{
    int WRONG_NAME(to, tal) = 0;
    for (int i = 0; i < n; i++) {
        reap_for_each_item {
            int own = 1;
            for (int k = 0; k < 3; k++)
                own += k;
            if (own > 0) {
                total = own; /* wrong: a phase changes 'total' */
            }
        }
    }
    reap_for_each_item
        y[reap_global_id(0)] = total;
}

REAP_GROUP_KERNEL(wrong_sum_by_macro, WRONG_PARAMETERS)
{
    int sum = 0;
    reap_for_each_item {
        WRONG_ADD(sum, 1); /* wrong: a phase changes 'sum' */
    }
}

REAP_GROUP_KERNEL(wrong_sum_by_helper, WRONG_PARAMETERS)
{
    int sum = 0;
    reap_for_each_item {
        wrong_set_own(&sum, 1); /* wrong: a phase takes a pointer to 'sum' */
    }
}

REAP_GROUP_KERNEL(wrong_sum_by_cast, WRONG_PARAMETERS)
{
    int sum = 0;
    reap_for_each_item {
        wrong_set_own((int *)&sum, 1); /* wrong: a phase takes a pointer to 'sum' */
    }
}

REAP_GROUP_KERNEL(wrong_sum_by_pointer, WRONG_PARAMETERS)
{
    int sum = 0;
    int *at = &sum; /* wrong: a pointer to the variable 'sum' is stored */
    reap_for_each_item {
        *at += 1;
    }
}

REAP_GROUP_KERNEL(wrong_argument, WRONG_PARAMETERS)
{
    reap_for_each_item {
        n = 3; /* wrong: a phase changes 'n' */
    }
}

REAP_GROUP_KERNEL(wrong_step, WRONG_PARAMETERS)
{
    REAP_LOCAL int *p = m;
    reap_for_each_item {
        *p++ = 1; /* wrong: a phase changes 'p' */
    }
}

REAP_GROUP_KERNEL(wrong_array, WRONG_PARAMETERS)
{
    int a[4] = {0};
    reap_for_each_item {
        a[reap_local_id(0) % 4] = 1; /* wrong: a phase changes 'a' */
    }
    reap_for_each_item
        y[reap_global_id(0)] = a[0];
}

REAP_GROUP_KERNEL(wrong_array_of_two, WRONG_PARAMETERS)
{
    int a[4][2] = {{0}};
    reap_for_each_item {
        a[reap_local_id(0) % 4][1]++; /* wrong: a phase changes 'a' */
    }
}

REAP_GROUP_KERNEL(wrong_array_by_helper, WRONG_PARAMETERS)
{
    int a[4] = {0};
    reap_for_each_item {
        wrong_set_own(a, 1); /* wrong: a phase takes a pointer to 'a' */
    }
}

REAP_GROUP_KERNEL(wrong_array_by_pointer, WRONG_PARAMETERS)
{
    int a[4] = {0}, *first = a; /* wrong: a pointer to the variable 'a' is stored */
    reap_for_each_item {
        first[reap_local_id(0) % 4] = 1;
    }
}

REAP_GROUP_KERNEL(wrong_array_of_type, WRONG_PARAMETERS)
{
    wrong_row row = {0};
    reap_for_each_item {
        *row = 1; /* wrong: 'row' */
    }
}

REAP_GROUP_KERNEL(wrong_struct, WRONG_PARAMETERS)
{
    wrong_pair pair = {0, {0}};
    reap_for_each_item {
        pair.a = 1; /* wrong: a phase changes 'pair' */
    }
    reap_for_each_item
        y[reap_global_id(0)] = pair.a;
}

REAP_GROUP_KERNEL(wrong_array_of_struct, WRONG_PARAMETERS)
{
    wrong_pair pair = {.a = 0, .b = {[1] = 2}};
    reap_for_each_item {
        (pair).b[1] -= 1; /* wrong: a phase changes 'pair' */
    }
    reap_for_each_item
        y[reap_global_id(0)] = pair.b[1];
}

REAP_GROUP_KERNEL(wrong_pointer_of_type, WRONG_PARAMETERS)
{
    const wrong_pointer p = y;
    p[n] = 1; /* wrong: 'p' is written */
}

REAP_GROUP_KERNEL(wrong_pointer_in_struct, WRONG_PARAMETERS)
{
    wrong_holder holder;
    holder.to = y;
    holder.to[n] = 1; /* wrong: 'holder' is written */
}

REAP_GROUP_KERNEL(wrong_in_parentheses, WRONG_PARAMETERS)
{
    int a[2] = {0};
    reap_for_each_item {
        ++(a[n]); /* wrong: a phase changes 'a' */
    }
    reap_for_each_item
        y[reap_global_id(0)] = a[1];
}

REAP_GROUP_KERNEL(wrong_pointer_of_type_by_helper, WRONG_PARAMETERS)
{
    const wrong_pointer p = y;
    wrong_set(p, n); /* wrong: 'p' is passed between phases to 'wrong_set' */
}

/* Conditions that are true on every device. */
REAP_GROUP_KERNEL(wrong_under_limit, WRONG_PARAMETERS)
{
#if UINT_MAX >= 65535 && defined(INT_MAX)
    y[n] = 1; /* wrong: 'y' is written */
#endif
}

REAP_GROUP_KERNEL(wrong_under_unsigned, WRONG_PARAMETERS)
{
#if 2u - 3 > 0 && '\x41' == 65
    y[n] = 1; /* wrong: 'y' is written */
#endif
}

/* Conditions that may be true on some. */
REAP_GROUP_KERNEL(wrong_on_one_device, WRONG_PARAMETERS)
{
#ifdef __OPENCL_VERSION__
    y[n] = 1; /* wrong: 'y' is written */
#endif
}

REAP_GROUP_KERNEL(wrong_on_others, WRONG_PARAMETERS)
{
#if __STDC_VERSION__ > 201112L
    (void)n;
#elif defined(__CUDACC_RTC__) && __has_include("x.h")
    (void)n;
#else
    y[n] = 1; /* wrong: 'y' is written */
#endif
}

REAP_GROUP_KERNEL(wrong_row_of_array, WRONG_PARAMETERS)
{
    int sums[2][2] = {{0, 0}};
    reap_for_each_item
        wrong_set_own(sums[1], n); /* wrong: a phase takes a pointer to 'sums' */
    reap_for_each_item
        y[reap_global_id(0)] = sums[1][1];
}

REAP_GROUP_KERNEL(wrong_first_row, WRONG_PARAMETERS)
{
    wrong_row rows[2] = {{0}};
    reap_for_each_item
        wrong_set_own(*rows, n); /* wrong: a phase takes a pointer to 'rows' */
    reap_for_each_item
        y[reap_global_id(0)] = rows[0][1];
}
