/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of elements (keys.kernels.h), and what depends only on their order: counts of elements in an
 * interval of keys, extremes, and places; of whole arrays, and of rows with or without a mask.
 */
#ifndef REAP_ALGORITHMS_KEYS_H
#define REAP_ALGORITHMS_KEYS_H

#include "algorithms/array.h"

/* The keys from `lowest` on, `more` after it, modulo 2 to the bits of the element. */
struct reap__interval {
    int64_t lowest;
    uint64_t more;
};

/* The least key of a number, and the largest: those of infinities, or of the type's limits. */
int64_t reap__key_least(reap_type type);
int64_t reap__key_largest(reap_type type);

/* The least key whose number is at least, or is more than, the number, which is not NaN; false: no
 * number of the type is. */
bool reap__key_from(reap_type type, const reap_number *number, bool more, int64_t *key);

/* Whether it is the key of a NaN. */
bool reap__key_is_nan(reap_type type, int64_t key);

/* All numbers are in one interval, and all NaNs in the other, of floating-point types. */
struct reap__interval reap__interval_of_nans(reap_type type);
struct reap__interval reap__interval_of(int64_t first, int64_t last);

/* The element with this key, in the bytes of an element; of a NaN the quiet one without a sign,
 * and of -0 0. */
void reap__key_store(reap_type type, int64_t key, void *element);

/* The element of a type as a number: exact. */
reap_number reap__number_of(reap_type type, const void *element);

/* -1, 0, 1: the first is less, equal, more; neither is NaN. Exact. */
int reap__compare_numbers(const reap_number *a, const reap_number *b);

/* Rows with elements, `where` NULL or a mask for each. The reductions leave a result for each row;
 * of extremes without any selected element the smallest is more than the largest. */
struct reap__keyed {
    const struct reap__rows *rows;
    const struct reap__rows *where;
    reap_type type;
};

reap_status reap__keyed_count(reap_queue *queue, const struct reap__keyed *x,
                              const struct reap__interval *interval, uint64_t *counts);
reap_status reap__keyed_extremes(reap_queue *queue, const struct reap__keyed *x, int64_t *smallest,
                                 int64_t *largest);
/* Of one matrix, on the host. */
reap_status reap__keyed_extremes_of_columns(reap_queue *queue, reap_type type,
                                            const struct reap__columns *columns, int64_t *smallest,
                                            int64_t *largest);
/* The place of the first smallest, or of the first NaN; `largest`: of the first largest. Each row
 * has a selected element. */
reap_status reap__keyed_places(reap_queue *queue, const struct reap__keyed *x, bool largest,
                               uint64_t *places);

#endif
