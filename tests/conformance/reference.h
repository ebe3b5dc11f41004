/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions folded the naive way, to check the library against. reference.c is written from
 * docs/reduction-shape.md and docs/spans.md alone, to be read beside them: it is serial, includes
 * nothing of the library, and has the constants retyped. It does not try to be fast.
 */
#ifndef TESTS_CONFORMANCE_REFERENCE_H
#define TESTS_CONFORMANCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

/* An operator on one type. */
struct reference_operator {
    const char *name;
    size_t bytes;                                                 /* of the type */
    void (*combine)(void *left, const void *right, size_t bytes); /* left = op(left, right) */
    const void *identity;                                         /* NULL: it has none */
    const void *span_start;         /* where a span's replicas start; NULL: from the identity */
    void (*settle)(void *variable); /* makes a NaN the canonical one; NULL: nothing to do */
};

/* A minimum or maximum of floating-point numbers: it ignores NaNs, and in spans takes -0 as +0. */
bool reference_is_extreme(const struct reference_operator *op);

/* What a launch says about a reduction. */
struct reference_launch {
    const void *identity; /* NULL: the operator's own */
    bool initialize;      /* REAP_INITIALIZE_TO_IDENTITY */
};

/* The work-items of a range. values() points first at the values that an item combines, in the
 * order in which it combines them, and returns how many they are. They may be overwritten by the
 * next call. */
struct reference_items {
    size_t count;
    size_t (*values)(void *context, size_t item, const void **first);
    void *context;
};

/* The same for a span: also which elements it combines into. */
struct reference_hits {
    size_t count;
    size_t (*values)(void *context, size_t item, const size_t **index, const void **first);
    void *context;
};

/* What docs/reduction-shape.md says becomes of the variable. */
void reference_reduce(const struct reference_operator *op, const struct reference_items *items,
                      const struct reference_launch *launch, void *variable);

/* The same of an nd_range, whose items are counted group by group: number `group` * group_items +
 * local linear id. The items of a group fold by halving, as many lanes as they are, and the groups'
 * results are the items of the order. */
void reference_reduce_groups(const struct reference_operator *op,
                             const struct reference_items *items, size_t group_items,
                             const struct reference_launch *launch, void *variable);

/* What docs/spans.md says becomes of a span of that many elements; longest is the length of the
 * kernel's longest span. */
void reference_reduce_span(const struct reference_operator *op, const struct reference_hits *hits,
                           const struct reference_launch *launch, size_t longest, void *span,
                           size_t length);

/* W and W * R of docs/reduction-shape.md, for a type of that many bytes. */
size_t reference_lanes(size_t bytes);
size_t reference_leaf_items(size_t bytes);

#endif
