// SPDX-License-Identifier: Apache-2.0
//
// As vendors' guides for processors have it: each work-item adds a contiguous share by vectors, one
// work-item a group, and the host adds the shares' sums. And the tree kernel of
// bench/cases/tree.kernels.h.
#define SUM(NAME, T, VECTOR, PRODUCT)                                                              \
    __kernel void NAME(__global const T *x, __global const T *y, ulong count, __global T *sums)    \
    {                                                                                              \
        size_t share = get_group_id(0), shares = get_num_groups(0);                                \
        size_t vectors = count / 16;                                                               \
        size_t i = vectors * share / shares, end = vectors * (share + 1) / shares;                 \
        VECTOR all = 0;                                                                            \
        for (; i < end; i++) {                                                                     \
            VECTOR a = vload16(i, x);                                                              \
            all += PRODUCT(a, vload16(i, y));                                                      \
        }                                                                                          \
        T values[16], sum = 0;                                                                     \
        vstore16(all, 0, values);                                                                  \
        for (int v = 0; v < 16; v++)                                                               \
            sum += values[v];                                                                      \
        if (share == 0)                                                                            \
            for (size_t left = vectors * 16; left < count; left++)                                 \
                sum += PRODUCT(x[left], y[left]);                                                  \
        sums[share] = sum;                                                                         \
    }
#define FIRST(a, b) (a)
#define PRODUCT(a, b) ((a) * (b))
SUM(sum_float, float, float16, FIRST)
SUM(dot_float, float, float16, PRODUCT)
#ifdef cl_khr_fp64
SUM(sum_double, double, double16, FIRST)
SUM(dot_double, double, double16, PRODUCT)
#endif

__kernel void add_groups(__global const uint *input, __global uint *partial, ulong length,
                         __local uint *scratch)
{
    size_t item = get_local_id(0);
    size_t size = get_local_size(0);
    size_t at = 2 * get_global_id(0);
    scratch[item] = 0;
    if (at < length)
        scratch[item] = input[at] + (at + 1 < length ? input[at + 1] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t stride = 1; stride < size; stride *= 2) {
        size_t left = 2 * stride * item;
        if (left + stride < size)
            scratch[left] += scratch[left + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        partial[get_group_id(0)] = scratch[0];
}
