/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of all cases, in the order of the table; each has a file of its name here.
 */
#ifndef BENCH_CASES_LIST_H
#define BENCH_CASES_LIST_H

#include "bench/cases/case.h"

/* X(name) */
#define BENCH_CASES(X)                                                                             \
    X(sum)                                                                                         \
    X(ready_sum)                                                                                   \
    X(ready_dot)                                                                                   \
    X(ready_norm)                                                                                  \
    X(ready_argmax)                                                                                \
    X(ready_moments)                                                                               \
    X(exact_sum)                                                                                   \
    X(dot)                                                                                         \
    X(norm)                                                                                        \
    X(minmax)                                                                                      \
    X(argmax)                                                                                      \
    X(moments)                                                                                     \
    X(four)                                                                                        \
    X(sum_max)                                                                                     \
    X(count)                                                                                       \
    X(histogram)                                                                                   \
    X(by_key)                                                                                      \
    X(kmeans)                                                                                      \
    X(struct)                                                                                      \
    X(rows)                                                                                        \
    X(lines)                                                                                       \
    X(tree)                                                                                        \
    X(matrix)                                                                                      \
    X(launch)                                                                                      \
    X(small)

#define DECLARE(name) extern const struct bench_case bench_case_##name;
BENCH_CASES(DECLARE)
#undef DECLARE

#endif
