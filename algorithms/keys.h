/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of elements (keys.kernels.h), and reductions that depend only on their order: counts of
 * elements in an interval of keys, extremes, and locations, of rows with or without a mask.
 */
#ifndef REAP_ALGORITHMS_KEYS_H
#define REAP_ALGORITHMS_KEYS_H

#include "algorithms/array.h"

/* The keys from `lowest` to lowest + more, modulo 2^n for elements of n bits. */
struct reap__interval {
    int64_t lowest;
    uint64_t more;
};

/* The least and the largest key of a number: those of -infinity and infinity, or of the type's
 * limits. */
int64_t reap__key_least(reap_type type);
int64_t reap__key_largest(reap_type type);

/* Finds the least key whose number is at least `number`, or if `more`, is greater than it. The
 * number is not NaN. Returns false if the type has no such number. */
bool reap__key_from(reap_type type, const reap_number *number, bool more, int64_t *key);

/* Whether it is the key of a NaN. */
bool reap__key_is_nan(reap_type type, int64_t key);

/* The interval of all NaNs of a floating-point type. The interval from `first` to `last`. */
struct reap__interval reap__interval_of_nans(reap_type type);
struct reap__interval reap__interval_of(int64_t first, int64_t last);

/* Stores the element with this key; instead of any NaN the positive quiet one, instead of -0 0. */
void reap__key_store(reap_type type, int64_t key, void *element);

/* The element as a number; exact. */
reap_number reap__number_of(reap_type type, const void *element);

/* Returns -1, 0 or 1: a is less than, equal to, or greater than b. Neither is NaN. Exact. */
int reap__compare_numbers(const reap_number *a, const reap_number *b);

/* Rows of elements; `where` is their mask or NULL. The reductions below store a result for each
 * row, and wait. If a row has no selected element, its smallest key is greater than its largest. */
struct reap__keyed {
    const struct reap__rows *rows;
    const struct reap__rows *where;
    reap_type type;
};

reap_status reap__keyed_count(reap_queue *queue, const struct reap__keyed *x,
                              const struct reap__interval *interval, uint64_t *counts);
/* Counts the elements of each row of a mask that are not 0. */
reap_status reap__count_selected(reap_queue *queue, const struct reap__rows *where,
                                 uint64_t *counts);
reap_status reap__keyed_extremes(reap_queue *queue, const struct reap__keyed *x, int64_t *smallest,
                                 int64_t *largest);
/* The same for the columns of one matrix, on the host. */
reap_status reap__keyed_extremes_of_columns(reap_queue *queue, reap_type type,
                                            const struct reap__columns *columns, int64_t *smallest,
                                            int64_t *largest);
/* The location in each row of the first smallest element, or if `largest`, of the first largest; of
 * the first NaN if there is one. Each row has a selected element. */
reap_status reap__keyed_positions(reap_queue *queue, const struct reap__keyed *x, bool largest,
                                  uint64_t *positions);

#endif
