/* SPDX-License-Identifier: Apache-2.0
 *
 * Reap's side of each comparison: a launch and the wait for its value.
 */
#ifndef BENCH_SIDE_H
#define BENCH_SIDE_H

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

float side_sum_float(reap_queue *queue, const float *x, size_t count);
double side_sum_double(reap_queue *queue, const double *x, size_t count);
int side_sum_int(reap_queue *queue, const int *x, size_t count);
float side_dot(reap_queue *queue, const float *x, const float *y, size_t count);
void side_four(reap_queue *queue, const float *x, size_t count, float out[4]);
void side_sum_max(reap_queue *queue, const float *x, size_t count, float out[2]);
float side_sum_matrix(reap_queue *queue, const float *x, size_t rows, size_t columns);
uint64_t side_argmax(reap_queue *queue, const float *x, size_t count);
void side_histogram(reap_queue *queue, const uint32_t *x, size_t count, uint32_t *bins,
                    size_t bin_count);
uint32_t side_tree_sum(reap_queue *queue, const uint32_t *x, size_t count, size_t group_size,
                       bool in_phases, uint32_t *const partial[2]);

/* So many launches of one item, each of which needs the one before; gives what comes out. And the
 * least that they could do: a call that the compiler knows nothing of, and one atomic. */
uint32_t side_chain(reap_queue *queue, size_t launches);
uint32_t side_call_chain(size_t calls);

#endif
