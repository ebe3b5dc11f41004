/* SPDX-License-Identifier: Apache-2.0
 *
 * Random arrays of every type of elements, of up to five dimensions with strides of every sign and
 * order, and their elements as numbers.
 */
#ifndef TESTS_CONFORMANCE_RANDOM_ARRAYS_H
#define TESTS_CONFORMANCE_RANDOM_ARRAYS_H

#include "tests/conformance/inputs.h"

#include <reap/algorithms.h>
#include <reap/reap.h>

#ifdef REAP_TESTS_SMALL
enum { TRIALS = 60, MOST_ELEMENTS = 5000 };
#else
enum { TRIALS = 600, MOST_ELEMENTS = 60000 };
#endif

/* Of each reap_type. */
struct array_type {
    const char *name;
    size_t size;
    enum input_type input;
    bool is_floating, is_signed;
};

extern const struct array_type array_types[REAP_TYPE_DOUBLE + 1];

/* An element: the number, where it is an integer, in 64 bits; where it is not, as a double. */
struct number {
    uint64_t bits;
    double real;
};

struct number number_read(reap_type type, const void *element);

enum { MOST_DIMENSIONS = 5 };

struct drawn {
    reap_array array;
    size_t shape[MOST_DIMENSIONS], count, bytes;
    ptrdiff_t strides[MOST_DIMENSIONS];
    void *memory;
    reap_buffer *buffer;
};

/* TAME: numbers whose exact sum has 113 bits. MATRIX: perhaps several, row after row. */
enum drawn_kind { ANY, TAME, MATRIX };

void drawn_open(struct drawn *drawn, reap_type type, enum drawn_kind kind, uint64_t *random);

/* One of the same shape, with strides of its own. */
void drawn_open_like(struct drawn *drawn, const struct drawn *other, reap_type type,
                     uint64_t *random);
void drawn_release(struct drawn *drawn);

/* Numbers whose exact sum has 113 bits, instead of others. */
void drawn_tame(struct drawn *drawn, uint64_t *random);

/* Between these, the program may write to the memory. */
void drawn_close_memory(struct drawn *drawn);
void drawn_open_memory(struct drawn *drawn);

/* The number in an order, as indices of the dimensions that are, or are not, among the axes. */
void drawn_set_indices(const struct drawn *drawn, uint64_t axes, bool among, size_t number,
                       size_t *indices);
const void *drawn_at(const struct drawn *drawn, const size_t *indices);
struct number drawn_element(const struct drawn *drawn, const size_t *indices);

#endif
