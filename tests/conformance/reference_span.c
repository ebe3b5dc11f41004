/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/spans.md in code; the numbered comments are the rules of its section on the order. It holds
 * all C copies of the span for one chunk and visits every element of them, hit or not.
 */
#include "tests/conformance/reference.h"

#include "tests/conformance/reference_exact.h"
#include "tests/support/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Built-in operators on floating-point numbers settle NaNs. A sum of floats or doubles is exact; of
 * a minimum or maximum, values of -0 are +0. */
static bool is_exact(const struct reference_operator *op)
{
    return op->settle != NULL && strcmp(op->name, "plus") == 0 && op->bytes >= sizeof(float);
}

/* Some copies of the span, one after the other; an element without a value is not present. */
struct copies {
    const struct reference_operator *op;
    size_t count, length;
    unsigned char *values;
    bool *present;
};

static struct copies new_copies(const struct reference_operator *op, size_t count, size_t length)
{
    const struct copies copies = {op, count, length, test_allocate(count * length * op->bytes),
                                  test_allocate(count * length * sizeof(bool))};
    return copies;
}

static void free_copies(struct copies *copies)
{
    free(copies->values);
    free(copies->present);
}

/* -0 as +0, for a minimum or maximum. */
static void remove_minus_zero(unsigned char *value, size_t bytes)
{
    static const unsigned char zeros[sizeof(double)];
    if (value[bytes - 1] == 0x80 && memcmp(value, zeros, bytes - 1) == 0)
        value[bytes - 1] = 0;
}

static void combine(struct copies *copies, size_t place, const void *right)
{
    unsigned char *left = copies->values + place * copies->op->bytes;
    unsigned char changed[sizeof(double)];
    const void *value = right;
    if (reference_is_extreme(copies->op)) {
        memcpy(changed, right, copies->op->bytes);
        remove_minus_zero(changed, copies->op->bytes);
        value = changed;
    }
    if (copies->present[place])
        copies->op->combine(left, value, copies->op->bytes);
    else
        memcpy(left, value, copies->op->bytes);
    copies->present[place] = true;
}

/* into's element becomes op(itself, from's element), unless that has no value. */
static void combine_element(struct copies *into, size_t place, const struct copies *from,
                            size_t other)
{
    if (from->present[other])
        combine(into, place, from->values + other * from->op->bytes);
}

/* Rule 1: the items of a chunk. */
static size_t chunk_items(size_t longest)
{
    const size_t dense = longest > ((size_t)1 << 20) / 64 ? (size_t)1 << 20 : 64 * longest;
    size_t K = 1;
    while (K < (size_t)1 << 15 || K < dense || K < longest)
        K *= 2;
    return K;
}

/* Rule 2: how many replicas a span has. */
static size_t replicas(size_t bytes, size_t length)
{
    return length * bytes <= 16384 ? 8 : 4;
}

/* Rule 2: each replica starts from the identity, and items combine into replica item mod C. */
static void fill_chunk(struct copies *chunk, const void *start, const struct reference_hits *hits,
                       size_t begin, size_t end, bool *touched)
{
    const size_t C = chunk->count;
    assert(C > 0);
    for (size_t place = 0; place < C * chunk->length; place++) {
        chunk->present[place] = start != NULL;
        if (start != NULL)
            memcpy(chunk->values + place * chunk->op->bytes, start, chunk->op->bytes);
    }
    for (size_t item = begin; item < end; item++) {
        const size_t *index = NULL;
        const void *first = NULL;
        const size_t values = hits->values(hits->context, item, &index, &first);
        for (size_t k = 0; k < values; k++) {
            combine(chunk, item % C * chunk->length + index[k],
                    (const char *)first + k * chunk->op->bytes);
            touched[index[k]] = true;
        }
    }
}

/* Rule 3: the replicas fold by halving, into replica 0. */
static void halve(struct copies *chunk)
{
    for (size_t h = chunk->count / 2; h >= 1; h /= 2)
        for (size_t place = 0; place < h * chunk->length; place++)
            combine_element(chunk, place, chunk, place + h * chunk->length);
}

/* The semantics' first two rules. */
static void finish(const struct copies *result, const bool *touched, const void *identity,
                   bool initialize, void *span)
{
    const struct reference_operator *op = result->op;
    for (size_t i = 0; i < result->length; i++) {
        unsigned char *element = (unsigned char *)span + i * op->bytes;
        if (initialize)
            memcpy(element, identity, op->bytes);
        if (!touched[i])
            continue;
        op->combine(element, result->values + i * op->bytes, op->bytes);
        if (op->settle != NULL)
            op->settle(element);
    }
}

/* ---- Exact sums -------------------------------------------------------------------------------*/

static void add_exactly(const struct reference_operator *op, struct reference_sum *sum,
                        const void *value)
{
    float narrow;
    double wide;
    memcpy(&narrow, value, sizeof narrow);
    if (op->bytes == sizeof wide)
        memcpy(&wide, value, sizeof wide);
    else
        wide = narrow;
    reference_sum_add(sum, wide);
}

/* An element without values other than -0 keeps its bits. */
static void reduce_exactly(const struct reference_operator *op, const struct reference_hits *hits,
                           const struct reference_launch *launch, void *span, size_t length)
{
    const void *identity = launch->identity != NULL ? launch->identity : op->identity;
    const void *start = launch->identity != NULL ? launch->identity : op->span_start;
    const size_t *index = NULL;
    const void *first = NULL;
    struct reference_sum *sums = test_allocate(length * sizeof *sums);
    memset(sums, 0, length * sizeof *sums);
    for (size_t item = 0; item < hits->count; item++) {
        const size_t values = hits->values(hits->context, item, &index, &first);
        for (size_t k = 0; k < values; k++)
            add_exactly(op, &sums[index[k]], (const char *)first + k * op->bytes);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char *element = (unsigned char *)span + i * op->bytes;
        if (launch->initialize)
            memcpy(element, identity, op->bytes);
        if (!sums[i].has_others)
            continue;
        add_exactly(op, &sums[i], element);
        add_exactly(op, &sums[i], start);
        const uint64_t bits = reference_sum_bits(&sums[i], op->bytes == sizeof(double));
        memcpy(element, &bits, op->bytes);
    }
    free(sums);
}

void reference_reduce_span(const struct reference_operator *op, const struct reference_hits *hits,
                           const struct reference_launch *launch, size_t longest, void *span,
                           size_t length)
{
    if (is_exact(op)) {
        reduce_exactly(op, hits, launch, span, length);
        return;
    }
    const void *identity = launch->identity != NULL ? launch->identity : op->identity;
    const bool own_start = launch->identity == NULL && op->span_start != NULL;
    const size_t K = chunk_items(longest), C = replicas(op->bytes, length);
    struct copies result = new_copies(op, 1, length), chunk = new_copies(op, C, length);
    bool *touched = test_allocate(length * sizeof *touched);
    for (size_t begin = 0; begin < hits->count; begin += K) {
        const size_t left = hits->count - begin, end = begin + (left < K ? left : K);
        fill_chunk(&chunk, own_start ? op->span_start : identity, hits, begin, end, touched);
        halve(&chunk);
        for (size_t i = 0; i < length; i++) /* Rule 3: from left to right. */
            combine_element(&result, i, &chunk, i);
    }
    finish(&result, touched, identity, launch->initialize, span);
    free_copies(&result);
    free_copies(&chunk);
    free(touched);
}
