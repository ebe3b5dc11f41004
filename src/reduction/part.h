/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a reduction (<reap/part.h>): the ranges of items that a part has, and what launches add.
 * A range holds part of the reduction shape (docs/reduction-shape.md): the values of items in a
 * leaf that began before the range, one by one, since they are combined after those of earlier
 * items; complete nodes of the tree, as rows of lanes; and the lanes of a leaf that continues after
 * the range. If no order is needed, as with locations and exact sums, a range is one result.
 *
 * The items are those of the reduction: work-items, or work-groups of an nd_range.
 */
#ifndef REAP_REDUCTION_PART_H
#define REAP_REDUCTION_PART_H

#include "src/core/checked_launch.h"
#include "src/reduction/tree.h"

#include <pthread.h>
#include <reap/part.h>
#include <stdatomic.h>

/* What is the same for all ranges of a part. Constant while the part has ranges or claims. Without
 * them it has no identity and no size of work-groups. */
struct reap__part_shape {
    const struct reap_kernel *table; /* the kernel */
    const char *kernel;              /* its name */
    const struct reap__parameter *parameter;
    const struct reap__reduction *reduction;
    bool is_ordered; /* a range has nodes; else it is one result */
    bool is_span;    /* the part has one array for all ranges */
    bool is_exact_span;
    unsigned lanes_log2; /* of a row */
    unsigned leaf_log2;  /* items of a leaf */
    size_t group_items;  /* work-items of an item; 1 without work-groups */
    size_t count;        /* elements of a span; 0: no launch has set it */
    bool has_identity;   /* the launches have one: */
    unsigned char *identity;
    bool has_start;       /* lanes, results and elements start with a value: */
    unsigned char *start; /* this one, as a result */
};

/* A row of lanes, or a result. */
struct reap__part_node {
    struct reap__part_node *next, *previous;
    uint64_t leaf; /* the first one of the node */
    unsigned level;
    struct reap__results row;
};

/* Values of items, in their order; an item may have several. */
struct reap__part_values {
    struct reap__part_values *next;
    size_t count, capacity;
    uint16_t *positions; /* for each value, its item's number in the leaf */
    unsigned char *values;
};

struct reap__part_range {
    struct reap__part_range *next;
    uint64_t begin, end;
    struct reap__part_values *head, *head_last; /* for a leaf that began before the range */
    struct reap__part_node *first, *last;       /* complete nodes */
    struct reap__part_node *tail;   /* the unfinished leaf at its end, if it began in the range */
    struct reap__part_node *result; /* if no order is needed */
};

/* The elements of an array reduction in the memory of a device. A part has at most one on each
 * device, unless launches run at the same time. */
struct reap__part_array {
    struct reap__part_array *next;
    const struct reap_device *device;
    void *memory; /* of kind device */
};

/* The items of a part that a launch has claimed, and its results so far. */
struct reap__part_claim {
    reap_part *part; /* retained by the claim */
    uint64_t begin, end;
    struct reap__part_claim *next;  /* the next claim on the part; under the part's lock */
    struct reap__part_range *range; /* scalars */
    unsigned char *totals;          /* spans: the elements, laid out as the part's totals; */
    struct reap__part_array *array; /* or the part's array on the launch's device */
};

/* The claims of a launch, in the order of its scalars, then of its spans. */
struct reap__part_claims {
    size_t count;
    struct reap__part_claim claims[];
};

struct reap_part {
    struct reap__part_shape shape;
    atomic_uint references;
    pthread_mutex_t lock; /* guards the members after it, and what can change of the shape */
    struct reap__part_claim *claims;
    size_t empty_count; /* shape.count before the first of the claims, without ranges */
    struct reap__part_range *ranges; /* in order; adjacent ranges are merged */
    unsigned char *totals;           /* spans; NULL: no launch has added values yet */
    struct reap__part_array *arrays; /* spans: values on devices, not yet in `totals` */
};

/* Where a device delivers the results of a run, instead of to the variable. */
struct reap__delivery {
    const struct reap__part_shape *shape;
    struct reap__part_range *range; /* work-groups: their values are appended to it; else NULL */
    struct reap__results row;       /* all lanes, or the result if no order is needed */
    size_t lanes;                   /* how many lanes have items */
    unsigned char *totals;          /* exact spans: the words of each element */
    bool is_logged;                 /* values go to a log instead */
    bool is_out_of_memory;          /* memory was missing: the range lacks values */
};

/* ---- Ranges (part_range.c) --------------------------------------------------------------------*/

/* Create an empty range that begins at an item; copy a range. NULL: out of memory. */
struct reap__part_range *reap__part_range_create(const struct reap__part_shape *shape,
                                                 uint64_t begin);
struct reap__part_range *reap__part_range_copy(const struct reap__part_shape *shape,
                                               const struct reap__part_range *range);
void reap__part_range_release(struct reap__part_range *range);

/* Create a row of lanes without values; an empty list of values. NULL: out of memory. */
struct reap__part_node *reap__part_node_create(const struct reap__part_shape *shape, uint64_t leaf,
                                               unsigned level);
struct reap__part_values *reap__part_values_create(const struct reap__part_shape *shape,
                                                   size_t capacity);

/* Initialises `count` lanes. */
void reap__part_fill(const struct reap__part_shape *shape, const struct reap__results *row,
                     size_t count);

/* Append the next item: begin, then its values, then end. Return false if memory is missing. */
bool reap__part_range_begin_item(const struct reap__part_shape *shape,
                                 struct reap__part_range *range);
bool reap__part_range_add_value(const struct reap__part_shape *shape,
                                struct reap__part_range *range, const void *value);
void reap__part_range_end_item(const struct reap__part_shape *shape,
                               struct reap__part_range *range);

/* Appends a node that begins where the range ends. Takes over the node. */
void reap__part_range_add_node(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *node);

/* The same for the lanes of an unfinished leaf, with `items` items. */
void reap__part_range_add_tail(const struct reap__part_shape *shape, struct reap__part_range *range,
                               struct reap__part_node *tail, size_t items);

/* Appends to a range the range that begins where it ends, and releases that. Allocates nothing. */
void reap__part_range_append(const struct reap__part_shape *shape, struct reap__part_range *range,
                             struct reap__part_range *next);

/* Computes in *result the result of a range that begins at item 0, or of no items (NULL). `rows`:
 * memory for two rows. */
void reap__part_range_fold(const struct reap__part_shape *shape,
                           const struct reap__part_range *range, const struct reap__results rows[2],
                           struct reap__results *result);

/* Return the bytes of the values of a row; of the array of a span. */
size_t reap__part_row_bytes(const struct reap__part_shape *shape);
size_t reap__part_totals_bytes(const struct reap__part_shape *shape);

/* ---- Parts (part.c) ---------------------------------------------------------------------------*/

/* Creates a part; messages name the public function `call`. Fails with REAP_ERROR_INVALID_ARGUMENT
 * or REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__part_make(const struct reap_kernel *kernel, const char *reduction,
                            const char *call, reap_part **part);

/* The part may be const for the program. */
void reap__part_lock(const reap_part *part);
void reap__part_unlock(const reap_part *part);

/* Returns the elements of an array reduction, without what launches that have not completed set.
 * With the lock held. */
size_t reap__part_count(const reap_part *part);

/* Fails with REAP_ERROR_INVALID_ARGUMENT if a launch into the part has not completed. With the lock
 * held. */
reap_status reap__part_check_settled(const reap_part *part, const char *call);

/* Sets what all launches into a part have in common: the identity (NULL: the operator's), the
 * work-items of an item, the elements. Without ranges and claims only, or with the same values. */
void reap__part_bind(reap_part *part, const void *identity, size_t group_items, size_t count);

/* Creates an array without values; NULL: out of memory. */
unsigned char *reap__part_totals_create(const struct reap__part_shape *shape);

/* into[i] = op(into[i], from[i]), for all elements. */
void reap__part_totals_add(const struct reap__part_shape *shape, unsigned char *into,
                           const unsigned char *from);

/* ---- Arrays on devices (part_device.c) --------------------------------------------------------*/

struct reap_device;
struct reap__execution;

/* Allocates an array on a device; NULL: out of memory. */
struct reap__part_array *reap__part_array_create(const struct reap_device *device, size_t bytes);

/* The same, as a copy of other memory of the device. Blocks until it is copied. Fails with
 * REAP_ERROR_OUT_OF_MEMORY or as the device does. */
reap_status reap__part_array_copy(const struct reap_device *device, const void *words, size_t bytes,
                                  struct reap__part_array **copy);

/* Frees a list of arrays; NULL is allowed. */
void reap__part_arrays_release(struct reap__part_array *arrays);

/* The least size of an array that stays in a device's memory; tests lower it. */
enum { REAP__PART_LEAST_BYTES = 1 << 16 };
extern size_t reap__part_least_bytes;

/* Whether an array of the part stays in the device's memory while launches combine into it. */
bool reap__part_stays(const struct reap__part_shape *shape, const struct reap_device *device);

/* `take`: moves the part's array on the device to the claim, or a new one, which is empty once the
 * device has run what is enqueued. Returns false without memory. `give_back`: returns the array to
 * the part; called in any case, since a launch changes the array only if it succeeds. If the part
 * has no items, the array is freed. */
bool reap__part_array_take(struct reap__part_claim *claim, const struct reap_device *device,
                           struct reap__execution *execution);
void reap__part_array_give_back(struct reap__part_claim *claim);

/* Adds arrays on devices to the totals (*totals NULL: creates them), and frees the arrays. With the
 * lock of their part held. Blocks. Fails with REAP_ERROR_OUT_OF_MEMORY or as the device does;
 * arrays that have been added so far remain added. */
reap_status reap__part_gather(const struct reap__part_shape *shape,
                              struct reap__part_array **arrays, unsigned char **totals);

/* The same for a part, which may be const for the program. */
static inline reap_status reap__part_gather_all(const reap_part *part)
{
    reap_part *const own = (reap_part *)part;
    return reap__part_gather(&own->shape, &own->arrays, &own->totals);
}

/* Whether a part's values consist of words that can be added as integers (part_words.c). */
bool reap__part_has_words(const struct reap__part_shape *shape);

/* ---- Checks and claims (part.c) ---------------------------------------------------------------*/

/* Fails with REAP_ERROR_INVALID_ARGUMENT if a part is not of this reduction of the kernel. */
reap_status reap__part_check(const reap_part *part, const struct reap_kernel *kernel,
                             const struct reap__parameter *parameter);

/* Claims a launch's items in its parts, before it is submitted. Fails with
 * REAP_ERROR_INVALID_ARGUMENT if a part has some of the items already, and with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__part_claim(const struct reap__launch *command, uint64_t first_item,
                             struct reap__part_claims **claims);

/* The leaves of a launch's scalar reductions whose values are combined in the order of the items.
 */
struct reap__leaves {
    bool exist;            /* there is such a reduction */
    bool are_alike;        /* all have leaves of the same length */
    unsigned longest_log2; /* items of the longest leaf */
};
struct reap__leaves reap__leaves_of(const struct reap__launch *command);

/* Whether the last items of a launch into parts run one by one: they are not a whole leaf, and the
 * leaves have different lengths. */
bool reap__ends_in_leaf(const struct reap__launch *command, uint64_t first_item);

/* Adds the results of a successful launch to its parts. Cannot fail. */
void reap__part_commit(struct reap__part_claims *claims);

/* Ends the claims, after success and failure; NULL is allowed. */
void reap__part_unclaim(struct reap__part_claims *claims);

/* Stores the results of complete parts in variables. Fails with REAP_ERROR_OUT_OF_MEMORY, and then
 * changes no variable. */
reap_status reap__parts_store(reap_part *const *parts, const struct reap__target *const *targets,
                              size_t count);

/* Creates a part without items, of the same reduction, identity, work-items of an item and
 * elements; NULL: out of memory. */
reap_part *reap__part_create_alike(const reap_part *part);

/* ---- The encoding (part_file.c) ---------------------------------------------------------------*/

/* Returns the name of a type, the same on all machines; a user's type has its own name. */
const char *reap__part_type_name(const struct reap__parameter *parameter);

/* Returns the first item of a range that is not of a leaf which began before the range. */
uint64_t reap__part_end_of_head(const struct reap__part_shape *shape, uint64_t begin, uint64_t end);

/* Returns the level of the largest node that begins at item `at` and ends at `end` or before. */
unsigned reap__part_level_at(const struct reap__part_shape *shape, uint64_t at, uint64_t end);

/* ---- Launches (part_launch.c) -----------------------------------------------------------------*/

/* Runs a command whose reductions go to parts, and leaves the results in its claims. Fails as the
 * device does, with REAP_ERROR_OUT_OF_MEMORY, or with REAP_ERROR_NO_DEVICE if the device cannot run
 * single items. */
reap_status reap__part_launch_run(const struct reap_device *device,
                                  const struct reap__launch *command);

#endif
