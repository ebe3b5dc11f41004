/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/spans.md in code; the numbered comments are the rules of its section on the order. It holds
 * all C copies of the span for one chunk and visits every element of them, hit or not.
 */
#include "tests/conformance/reference.h"

#include "tests/support/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

static void combine(struct copies *copies, size_t place, const void *value)
{
    unsigned char *left = copies->values + place * copies->op->bytes;
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

void reference_reduce_span(const struct reference_operator *op, const struct reference_hits *hits,
                           const struct reference_launch *launch, size_t longest, void *span,
                           size_t length)
{
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
