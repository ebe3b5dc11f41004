/* SPDX-License-Identifier: Apache-2.0
 *
 * Other forms of kernels that the library compiles at run time: for ranges and nd_ranges, and with
 * identities that the kernel reads.
 */
#include <reap/kernel.h>

typedef struct {
    float sum;
    int32_t least;
    uint32_t largest;
    double most;
} identities_read;

/* Its identity comes from the launch. */
REAP_OPERATOR_NO_IDENTITY(larger_word, uint32_t, a, b)
{
    return a < b ? b : a;
}

/* Another kernel for both, which the compiler does not see. */
REAP_ANY_KERNEL(before_the_others, inout(uint32_t, y))
{
    y[reap_global_linear_id()] = reap_global_id(0) < 3 ? 1 : 2;
}

REAP_ANY_KERNEL(without_barrier, in(uint32_t, x), inout(uint32_t, y), value(uint32_t, factor),
                reduce(plus, uint64_t, sum), reduce_location(maximum, uint32_t, most))
{
    const size_t i = reap_global_linear_id();
    uint32_t v = x[i];
    for (uint32_t k = 0; k < x[i] % 5; k++)
        v = v * factor + k;
    y[i] = v + (uint32_t)reap_global_id(1);
    reap_combine(sum, v);
    reap_combine(most, v);
}

/* Through y, as it has no local memory. */
REAP_ANY_KERNEL(with_barriers, in(uint32_t, x), inout(uint32_t, y), value(uint32_t, factor),
                reduce(plus, uint64_t, sum), reduce_location(maximum, uint32_t, most))
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    uint32_t v = x[i];
    for (uint32_t k = 0; k < factor; k++) {
        y[i] = v;
        reap_barrier(REAP_GLOBAL_SPACE);
        v = v * 31 + (l > 0 ? y[i - 1] : k);
        reap_barrier(REAP_GLOBAL_SPACE);
    }
    y[i] = v;
    reap_combine(sum, v);
    reap_combine(most, v);
}

#define IDENTITIES                                                                                 \
    in(uint32_t, x), out(identities_read, read), reduce(plus, float, sum),                         \
        reduce(minimum, int32_t, least), reduce_with(larger_word, uint32_t, largest),              \
        reduce_location(maximum, double, most), identity(float, sum), identity(int32_t, least),    \
        identity(uint32_t, largest), identity(double, most)

/* A third of the items combine, so that others have the identity. */
#define READ_IDENTITIES(i, other)                                                                  \
    read[i].sum = reap_identity(sum);                                                              \
    read[i].least = reap_identity(least);                                                          \
    read[i].largest = reap_operate(larger_word, reap_identity(largest), other);                    \
    read[i].most = reap_identity(most);                                                            \
    if (i % 3 == 0) {                                                                              \
        reap_combine(sum, (float)(x[i] % 64));                                                     \
        reap_combine(least, (int32_t)(x[i] % 1000));                                               \
        reap_combine(largest, x[i]);                                                               \
        reap_combine(most, (double)(x[i] % 1000) - 500);                                           \
    }

REAP_ND_KERNEL(identities_at_barriers, IDENTITIES, local(uint32_t, shared))
{
    const size_t i = reap_global_linear_id(), l = reap_local_linear_id();
    shared[l] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    const uint32_t other = shared[reap_local_linear_range() - 1 - l];
    READ_IDENTITIES(i, other)
}

REAP_ANY_KERNEL(identities_of_both, IDENTITIES)
{
    const size_t i = reap_global_linear_id();
    READ_IDENTITIES(i, x[i])
}
