/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenMP loops of both sets of flags (openmp_loops.h).
 */
#ifndef BENCH_OPENMP_H
#define BENCH_OPENMP_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_OPENMP_LOOPS(side)                                                                   \
    void side##_set_threads(int threads);                                                          \
    int side##_thread_count(void);                                                                 \
    uint64_t side##_read(const uint64_t *x, size_t count);                                         \
    float side##_sum_float(const float *x, size_t count);                                          \
    double side##_sum_double(const double *x, size_t count);                                       \
    int side##_sum_int(const int *x, size_t count);                                                \
    float side##_dot(const float *x, const float *y, size_t count);                                \
    void side##_four(const float *x, size_t count, float out[4]);                                  \
    void side##_sum_max(const float *x, size_t count, float out[2]);                               \
    float side##_sum_without_simd(const float *x, size_t count);
BENCH_OPENMP_LOOPS(tuned)
BENCH_OPENMP_LOOPS(plain)

#endif
