/* SPDX-License-Identifier: Apache-2.0
 *
 * A group is a kernel with several reductions of one input array, and the reference for each of
 * them. Tests that compare the two go through this table, for any kernel in the same way.
 */
#ifndef TESTS_CONFORMANCE_GROUP_H
#define TESTS_CONFORMANCE_GROUP_H

#include "tests/conformance/devices.h"
#include "tests/conformance/inputs.h"
#include "tests/conformance/reference.h"

#include <reap/reap.h>
#include <stdbool.h>

struct group_reduction {
    const struct reference_operator *op;
    /* What an item combines, from its input; NULL: the input as it is. */
    void (*value)(const void *input, size_t item, void *value);
};

/* What the launch gives for a reduction. */
struct group_argument {
    void *variable;
    const void *identity;
    unsigned properties;
};

enum { GROUP_REDUCTIONS_MOST = 9 };

struct group {
    const char *name;
    enum input_type input;
    size_t elements; /* of the input, for each work-item */
    size_t largest;  /* number of work-items to try */
    size_t reduction_count;
    const struct group_reduction *reductions;
    reap_status (*launch)(reap_queue *queue, size_t count, const void *inputs,
                          const struct group_argument *arguments);
    /* It has sums and differences of products side by side, which gcc before 14 contracts. Reap
     * sees that, and runs such a kernel in a lesser instruction set. */
    bool pairs_products;
};

/* Every group, and how many they are. */
extern const struct group *const groups[];
extern const size_t group_count;

static inline size_t group_item_bytes(const struct group *group)
{
    return group->elements * input_bytes(group->input);
}

/* For templates: this takes a macro's value for a name where Reap's takes the name as it is
 * written. */
#define GROUP_LAUNCH(queue, kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)
#define GROUP_ARGUMENT(r)                                                                          \
    {                                                                                              \
        .variable = (r).variable, .identity = (r).identity, .properties = (r).properties           \
    }
#define GROUP_TEXT(a) GROUP_TEXT_(a)
#define GROUP_TEXT_(a) #a

#endif
