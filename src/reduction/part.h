/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a reduction (<reap/part.h>): the ranges of items that a part has, and what launches add.
 * A range is a contiguous piece of the reduction shape (docs/reduction-shape.md): the values of
 * items of a leaf that began before it, one by one, since they combine after what precedes them;
 * complete nodes of the tree, a row of lanes each; and the lanes of a leaf that goes on after it.
 * Where no order is needed, as with locations and exact sums, a range is one result.
 *
 * The items are the reduction's: work-items, or work-groups of an nd_range.
 */
#ifndef REAP_REDUCTION_PART_H
#define REAP_REDUCTION_PART_H

#include "src/core/checked_launch.h"
#include "src/reduction/tree.h"

#include <pthread.h>
#include <reap/part.h>
#include <stdatomic.h>

/* What the ranges of a part have in common; constant while it has ranges or claims. */
struct reap__part_shape {
    const struct reap_kernel *table; /* the kernel */
    const char *kernel;              /* its name */
    const struct reap__parameter *parameter;
    const struct reap__reduction *reduction;
    bool is_ordered; /* a range has nodes; else one result */
    bool is_span;    /* the part has one array for all ranges */
    bool is_exact_span;
    unsigned lanes_log2; /* of a row */
    unsigned leaf_log2;  /* items of a leaf */
    size_t group_items;  /* work-items of an item; 1 without work-groups */
    size_t count;        /* elements of a span; 0: not known yet */
    bool has_identity;   /* the launches' own, of the reduction's type: */
    unsigned char *identity;
    bool has_start;       /* what lanes, results and elements start as: */
    unsigned char *start; /* a result */
};

/* A row of lanes, or a result. */
struct reap__part_node {
    struct reap__part_node *next, *previous;
    uint64_t leaf; /* the first */
    unsigned level;
    struct reap__results row;
};

/* Values of items, in their order; an item may have several. */
struct reap__part_values {
    struct reap__part_values *next;
    size_t count, capacity;
    uint16_t *places; /* the item's number in its leaf */
    unsigned char *values;
};

struct reap__part_range {
    struct reap__part_range *next;
    uint64_t begin, end;
    struct reap__part_values *head, *head_last; /* of the leaf in whose middle it begins */
    struct reap__part_node *first, *last;       /* complete nodes */
    struct reap__part_node *tail;   /* the leaf in whose middle it ends, unless it began there */
    struct reap__part_node *result; /* without an order */
};

/* The elements of an array reduction in a device's memory, which has no more than one of a part
 * unless launches run at the same time. */
struct reap__part_array {
    struct reap__part_array *next;
    const struct reap_device *device;
    void *memory; /* of kind device */
};

/* What a launch has taken a part for, and what it has made so far. */
struct reap__part_claim {
    reap_part *part; /* which it retains */
    uint64_t begin, end;
    struct reap__part_claim *next;  /* of the part; under the part's lock */
    struct reap__part_range *range; /* scalars */
    unsigned char *totals;          /* spans: an array as the part's */
    struct reap__part_array *array; /* or the part's own, on the launch's device */
};

/* The claims of a launch, in the order of its scalars, then of its spans. */
struct reap__part_claims {
    size_t count;
    struct reap__part_claim claims[];
};

struct reap_part {
    struct reap__part_shape shape;
    atomic_uint references;
    pthread_mutex_t lock; /* guards what follows, and what may change of the shape */
    struct reap__part_claim *claims;
    struct reap__part_range *ranges; /* in order; those that touch are one */
    unsigned char *totals;           /* spans; NULL: no launch has come yet */
    struct reap__part_array *arrays; /* spans: what is on devices, and not in totals */
};

/* Where a device delivers what the items of a run come to, in place of the variable. */
struct reap__delivery {
    const struct reap__part_shape *shape;
    struct reap__part_range *range; /* work-groups: their values are appended to it; else NULL: */
    struct reap__results row;       /* all lanes, or the result without an order */
    size_t lanes;                   /* that have items */
    unsigned char *totals;          /* exact spans: the words of each element */
    bool is_logged;                 /* none of these: values go to a log */
    bool is_out_of_memory;          /* the range lacks values */
};

/* ---- Ranges (part_range.c) --------------------------------------------------------------------*/

/* An empty range from this item on; NULL: out of memory. */
struct reap__part_range *reap__part_range_create(const struct reap__part_shape *shape,
                                                 uint64_t begin);
struct reap__part_range *reap__part_range_copy(const struct reap__part_shape *shape,
                                               const struct reap__part_range *range);
void reap__part_range_release(struct reap__part_range *range);

/* A row of lanes that holds nothing yet; NULL: out of memory. */
struct reap__part_node *reap__part_node_create(const struct reap__part_shape *shape, uint64_t leaf,
                                               unsigned level);
struct reap__part_values *reap__part_values_create(const struct reap__part_shape *shape,
                                                   size_t capacity);

/* Lanes that have no value yet. */
void reap__part_fill(const struct reap__part_shape *shape, const struct reap__results *row,
                     size_t count);

/* Appends the next item: begin, then its values, then end. Each may run out of memory: false. */
bool reap__part_range_begin_item(const struct reap__part_shape *shape,
                                 struct reap__part_range *range);
bool reap__part_range_add_value(const struct reap__part_shape *shape,
                                struct reap__part_range *range, const void *value);
void reap__part_range_end_item(const struct reap__part_shape *shape,
                               struct reap__part_range *range);

/* Appends a node that begins where the range ends, which takes it. */
void reap__part_range_add_node(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *node);
/* The same of the lanes of a leaf with so many items, and not all. */
void reap__part_range_add_tail(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *tail, size_t items);

/* Appends a range that begins where the first one ends, and releases it. Allocates nothing. */
void reap__part_range_append(const struct reap__part_shape *shape, struct reap__part_range *range,
                             struct reap__part_range *next);

/* The result of a range from item 0 on, or of no items (NULL), in `result`. `rows`: two rows. */
void reap__part_range_fold(const struct reap__part_shape *shape,
                           const struct reap__part_range *range, const struct reap__results rows[2],
                           struct reap__results *result);

/* How many bytes of values a row has, and how many a span's array. */
size_t reap__part_row_bytes(const struct reap__part_shape *shape);
size_t reap__part_totals_bytes(const struct reap__part_shape *shape);

/* ---- Parts (part.c) ---------------------------------------------------------------------------*/

reap_status reap__part_make(const struct reap_kernel *kernel, const char *reduction,
                            const char *call, reap_part **part);

/* Of a part that is const for its program, too. */
void reap__part_lock(const reap_part *part);
void reap__part_unlock(const reap_part *part);

/* With the lock held: fails with REAP_ERROR_INVALID_ARGUMENT where a launch into it has not
 * completed. */
reap_status reap__part_check_settled(const reap_part *part, const char *call);

/* Takes what launches say of all items: the identity, NULL: the operator's; work-items of an item;
 * elements. Without ranges and claims only, or as they are. */
void reap__part_bind(reap_part *part, const void *identity, size_t group_items, size_t count);

/* An array that holds nothing yet; NULL: out of memory. */
unsigned char *reap__part_totals_create(const struct reap__part_shape *shape);

/* into[i] = into[i] op from[i], for all elements. */
void reap__part_totals_add(const struct reap__part_shape *shape, unsigned char *into,
                           const unsigned char *from);

/* ---- Arrays on devices (part_device.c) --------------------------------------------------------*/

struct reap_device;
struct reap__execution;

/* Memory of a device for an array; NULL: it has too little. */
struct reap__part_array *reap__part_array_create(const struct reap_device *device, size_t bytes);

/* The same with a copy of what is in other memory of the device. Fails with
 * REAP_ERROR_OUT_OF_MEMORY or as the device does. */
reap_status reap__part_array_copy(const struct reap_device *device, const void *words, size_t bytes,
                                  struct reap__part_array **copy);

/* NULL, or any number of arrays. */
void reap__part_arrays_release(struct reap__part_array *arrays);

/* The least size of an array in a device's memory; tests make it less. */
enum { REAP__PART_LEAST_BYTES = 1 << 16 };
extern size_t reap__part_least_bytes;

/* Whether an array of the part is to be in the device's memory while launches combine into it. */
bool reap__part_stays(const struct reap__part_shape *shape, const struct reap_device *device);

/* The claim takes the part's array on the device, or a new one, which is empty once the device has
 * run what is enqueued. False: no memory. The launch changes the array only if it succeeds, so it
 * is given back in any case; that of a part without items is released. */
bool reap__part_array_take(struct reap__part_claim *claim, const struct reap_device *device,
                           struct reap__execution *execution);
void reap__part_array_give_back(struct reap__part_claim *claim);

/* Adds arrays on devices to the totals, and releases them; `totals` may be NULL before. With the
 * lock held, if they are a part's. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device does; what
 * has been added so far remains. */
reap_status reap__part_gather(const struct reap__part_shape *shape,
                              struct reap__part_array **arrays, unsigned char **totals);

/* The same of a part that its program may have as const. With the lock held. */
static inline reap_status reap__part_gather_all(const reap_part *part)
{
    reap_part *const own = (reap_part *)part;
    return reap__part_gather(&own->shape, &own->arrays, &own->totals);
}

/* Whether a part's values consist of words that add up (part_words.c). */
bool reap__part_has_words(const struct reap__part_shape *shape);

/* ---- Checks and claims (part.c) ---------------------------------------------------------------*/

/* Whether a part is of the kernel's reduction. */
reap_status reap__part_check(const reap_part *part, const struct reap_kernel *kernel,
                             const struct reap__parameter *parameter);

/* Before a launch is submitted: takes its items' ranges of its parts. Fails with
 * REAP_ERROR_INVALID_ARGUMENT where items are there already, and with REAP_ERROR_OUT_OF_MEMORY. The
 * second adds what was made to the parts, once the launch has succeeded; the third ends the claims
 * in any case, and may be given NULL. */
reap_status reap__part_claim(const struct reap__launch *command, uint64_t first_item,
                             struct reap__part_claims **claims);
void reap__part_commit(struct reap__part_claims *claims);
void reap__part_unclaim(struct reap__part_claims *claims);

/* Stores what complete parts have in variables; all of them, or none: REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__parts_store(reap_part *const *parts, const struct reap__target *const *targets,
                              size_t count);

/* A part without items of the same reduction, identity, work-items of an item and elements; NULL:
 * out of memory. */
reap_part *reap__part_create_alike(const reap_part *part);

/* ---- The encoding (part_file.c) ---------------------------------------------------------------*/

/* What a type is called everywhere; a user's has its own name. */
const char *reap__part_type_name(const struct reap__parameter *parameter);

/* The number of a range's first item that is not of a leaf which began before it. */
uint64_t reap__part_end_of_head(const struct reap__part_shape *shape, uint64_t begin, uint64_t end);

/* The level of the largest node that begins there and ends before. */
unsigned reap__part_level_at(const struct reap__part_shape *shape, uint64_t at, uint64_t end);

/* ---- Launches (part_launch.c) -----------------------------------------------------------------*/

/* Runs a command whose reductions go to parts, and leaves what they come to in its claims. */
reap_status reap__part_launch_run(const struct reap_device *device,
                                  const struct reap__launch *command);

#endif
