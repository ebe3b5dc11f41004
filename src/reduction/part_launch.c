/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a launch into parts. It is cut where the reduction shape (docs/reduction-shape.md) has
 * nodes. The longest leaf among the kernel's reductions counts: each complete node of such leaves
 * is a run of its own, which delivers the node's lanes. At both ends less than a leaf is left. The
 * items before the first node run one by one, since their values combine after those of items that
 * another launch has. So do the items after the last node, unless all leaves have the same length:
 * then one run has them. Work-groups are themselves the items of the shape, and one run delivers
 * their values.
 */
#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/reduction/exact.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <assert.h>
#include <string.h>

/* A launch into parts, and a copy of its command that runs some of its work-items. */
struct part_launch {
    const reap_device *device;
    const struct reap__launch *whole;
    struct reap__launch partial;
    struct reap__delivery *deliveries; /* of scalars, then of spans */
    struct reap__part_node **nodes;    /* what the scalars deliver to */
    uint64_t first_item; /* the number of the launch's first item in the reduction shape */
    struct reap__leaves leaves;
    struct reap__item_log log; /* for items that run one by one: */
    bool is_out_of_memory, is_outside;
    size_t at; /* the first item of the current run, counted in the launch */
    size_t item, outside_index, outside_span;
};

static struct reap__part_claim *claim_of(const struct part_launch *launch, size_t t)
{
    return &launch->whole->claims->claims[t];
}

static const struct reap__part_shape *shape_of(const struct part_launch *launch, size_t t)
{
    return &claim_of(launch, t)->part->shape;
}

static struct reap__target *target_of(const struct part_launch *launch, size_t t)
{
    return t < launch->whole->scalar_count
               ? &launch->partial.scalars[t]
               : &launch->partial.spans[t - launch->whole->scalar_count];
}

static reap_status no_memory(const struct part_launch *launch)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its parts",
                      launch->whole->kernel->name);
}

/* ---- Runs -------------------------------------------------------------------------------------*/

/* Turns a run's location, counted from its first item, into the item's number in the part. */
static void shift_location(const struct part_launch *launch, const struct reap__part_shape *shape,
                           unsigned char *result)
{
    uint64_t location;
    memcpy(&location, result + shape->reduction->location_offset, sizeof location);
    if (location == UINT64_MAX)
        return;
    location += launch->first_item * shape->group_items + launch->at;
    memcpy(result + shape->reduction->location_offset, &location, sizeof location);
}

static void add_result(const struct part_launch *launch, size_t s, uint64_t items)
{
    const struct reap__part_shape *shape = shape_of(launch, s);
    struct reap__part_range *range = claim_of(launch, s)->range;
    if (shape->reduction->location_offset > 0)
        shift_location(launch, shape, launch->nodes[s]->row.values);
    reap__combine(shape->reduction, &range->result->row, &launch->nodes[s]->row, 1);
    range->end += items;
}

/* Appends the run's lanes to the claimed range. Lanes after the last item's have no values. */
static void add_lanes(const struct part_launch *launch, size_t s, uint64_t items)
{
    const struct reap__part_shape *shape = shape_of(launch, s);
    struct reap__part_range *range = claim_of(launch, s)->range;
    struct reap__part_node *node = launch->nodes[s];
    const size_t width = (size_t)1 << shape->lanes_log2;
    launch->nodes[s] = NULL;
    if (items >> shape->leaf_log2 > 0) {
        reap__part_range_add_node(shape, range, node);
        return;
    }
    if (items < width) {
        const struct reap__results rest =
            reap__results_at(shape->reduction, &node->row, (size_t)items);
        reap__part_fill(shape, &rest, width - (size_t)items);
    }
    reap__part_range_add_tail(shape, range, node, (size_t)items);
}

static bool create_nodes(const struct part_launch *launch, uint64_t items)
{
    for (size_t s = 0; s < launch->whole->scalar_count; s++) {
        const struct reap__part_shape *shape = shape_of(launch, s);
        const uint64_t end = claim_of(launch, s)->range->end;
        unsigned level = 0;
        while (items >> shape->leaf_log2 >> level > 1)
            level++;
        if (launch->nodes[s] == NULL)
            launch->nodes[s] = reap__part_node_create(shape, end >> shape->leaf_log2, level);
        if (launch->nodes[s] == NULL)
            return false;
        if (!shape->is_ordered)
            reap__part_fill(shape, &launch->nodes[s]->row, 1);
        const size_t width = (size_t)1 << shape->lanes_log2;
        launch->deliveries[s] =
            (struct reap__delivery){.shape = shape,
                                    .row = launch->nodes[s]->row,
                                    .lanes = items < width ? (size_t)items : width};
    }
    return true;
}

/* The execution of one run, which does not keep the launch's event. */
static struct reap__execution begin_execution(const struct part_launch *launch)
{
    return (struct reap__execution){.timeline = launch->whole->execution->timeline};
}

static void end_execution(const struct part_launch *launch, const struct reap__execution *own)
{
    launch->whole->execution->started |= own->started;
    launch->whole->execution->timeline = own->timeline;
}

static reap_status run_partial(struct part_launch *launch)
{
    struct reap__execution own = begin_execution(launch);
    launch->partial.execution = &own;
    const reap_status status = launch->device->functions->run(launch->device, &launch->partial);
    end_execution(launch, &own);
    return status;
}

/* Runs `items` items from item `first` of the launch: a node, or the last items. */
static reap_status run_items(struct part_launch *launch, size_t first, size_t items)
{
    if (!create_nodes(launch, items))
        return no_memory(launch);
    launch->at = first;
    launch->partial.first = launch->whole->first + first;
    launch->partial.items = items;
    REAP_TRY(run_partial(launch));
    for (size_t s = 0; s < launch->whole->scalar_count; s++)
        if (shape_of(launch, s)->is_ordered)
            add_lanes(launch, s, items);
        else
            add_result(launch, s, items);
    return REAP_OK;
}

static reap_status run_groups(struct part_launch *launch)
{
    const size_t scalars = launch->whole->scalar_count;
    const struct reap__part_claim *first = claim_of(launch, 0);
    if (!create_nodes(launch, first->end - first->begin))
        return no_memory(launch);
    launch->at = 0 - launch->whole->first; /* locations of groups count from the range's begin */
    for (size_t s = 0; s < scalars; s++)
        if (shape_of(launch, s)->is_ordered)
            launch->deliveries[s].range = claim_of(launch, s)->range;
    REAP_TRY(run_partial(launch));
    for (size_t s = 0; s < scalars; s++) {
        const struct reap__part_claim *claim = claim_of(launch, s);
        if (launch->deliveries[s].is_out_of_memory)
            return no_memory(launch);
        if (!shape_of(launch, s)->is_ordered)
            add_result(launch, s, claim->end - claim->begin);
        assert(claim->range->end == claim->end);
    }
    return REAP_OK;
}

/* ---- Items one by one -------------------------------------------------------------------------*/

static struct part_launch *of_log(void *log)
{
    return (struct part_launch *)(void *)((char *)log - offsetof(struct part_launch, log));
}

static void begin_item(struct reap__item_log *log, size_t item)
{
    struct part_launch *launch = of_log(log);
    launch->item = item - launch->whole->first;
    for (size_t s = 0; s < launch->whole->scalar_count && !launch->is_out_of_memory; s++)
        launch->is_out_of_memory =
            !reap__part_range_begin_item(shape_of(launch, s), claim_of(launch, s)->range);
}

static void end_item(struct reap__item_log *log)
{
    const struct part_launch *launch = of_log(log);
    for (size_t s = 0; s < launch->whole->scalar_count && !launch->is_out_of_memory; s++)
        reap__part_range_end_item(shape_of(launch, s), claim_of(launch, s)->range);
}

/* Combines a value and its location with the result. */
static void add_located(const struct part_launch *launch, const struct reap__part_shape *shape,
                        const struct reap__part_range *range, const void *value)
{
    _Alignas(REAP__MEMORY_ALIGNMENT) unsigned char pair[4 * sizeof(uint64_t)] = {0};
    const uint64_t location = launch->first_item + launch->item;
    const struct reap__results from = {pair, NULL};
    memcpy(pair, value, shape->reduction->value_size);
    memcpy(pair + shape->reduction->location_offset, &location, sizeof location);
    reap__combine(shape->reduction, &range->result->row, &from, 1);
}

static void add_exactly(const struct reap__part_shape *shape, const struct reap__part_range *range,
                        const void *value)
{
    double copy;
    memcpy(&copy, value, shape->reduction->value_size);
    reap__exact_add(shape->reduction, (uint64_t *)(void *)range->result->row.values, &copy, 1);
}

static void add_value(struct reap__value_log *log, unsigned s, const void *value)
{
    struct part_launch *launch = of_log(log);
    const struct reap__part_shape *shape = shape_of(launch, s);
    struct reap__part_range *range = claim_of(launch, s)->range;
    if (launch->is_out_of_memory)
        return;
    if (shape->is_ordered)
        launch->is_out_of_memory = !reap__part_range_add_value(shape, range, value);
    else if (reap__is_exact(shape->reduction))
        add_exactly(shape, range, value);
    else
        add_located(launch, shape, range, value);
}

/* Combines a value of a span. A zero in a minimum or maximum counts as +0 (docs/spans.md). */
static void add_element(const struct reap__part_shape *shape, unsigned char *totals, size_t index,
                        const void *value)
{
    const size_t size = shape->reduction->value_size;
    double copy = 0;
    memcpy(&copy, value, size);
    if (shape->is_exact_span) {
        uint64_t *const words =
            (uint64_t *)(void *)totals + index * (size_t)REAP__EXACT_WORDS(size);
        reap__exact_add_each(size, words, &copy, 1);
        if (memcmp(&copy, reap__exact_start(shape->reduction), size) != 0)
            words[REAP__EXACT_DIGITS(size) + 3]++;
        return;
    }
    if (shape->reduction->number != REAP__NO_FLOAT &&
        memcmp(&copy, reap__minus_zero(shape->reduction->number), size) == 0)
        memset(&copy, 0, size);
    const struct reap__results into = {totals + index * size, NULL};
    const struct reap__results from = {(unsigned char *)&copy, NULL};
    reap__combine(shape->reduction, &into, &from, 1);
}

static void add_value_at(struct reap__value_log *log, unsigned s, size_t index, const void *value)
{
    struct part_launch *launch = of_log(log);
    const size_t t = launch->whole->scalar_count + s;
    const struct reap__part_shape *shape = shape_of(launch, t);
    if (index < shape->count) {
        add_element(shape, claim_of(launch, t)->totals, index, value);
    } else if (!launch->is_outside) {
        launch->is_outside = true;
        launch->outside_index = index;
        launch->outside_span = s;
    }
}

/* Runs items one by one. With `items` = 0 it only checks that the device can: else it fails with
 * REAP_ERROR_NO_DEVICE. */
static reap_status log_items(struct part_launch *launch, size_t first, size_t items)
{
    const struct reap__launch *whole = launch->whole;
    if (launch->device->functions->log_items == NULL)
        return reap__fail(REAP_ERROR_NO_DEVICE,
                          "kernel '%s': on device '%s' a launch into parts must begin and end at "
                          "multiples of the leaf's items (docs/chunks.md)",
                          whole->kernel->name, launch->device->info.name);
    launch->log = (struct reap__item_log){
        .values = {add_value, add_value_at}, .begin_item = begin_item, .end_item = end_item};
    for (size_t s = 0; s < whole->scalar_count; s++)
        launch->deliveries[s] =
            (struct reap__delivery){.shape = shape_of(launch, s), .is_logged = true};
    struct reap__execution own = begin_execution(launch);
    launch->partial.execution = &own;
    const reap_status status = launch->device->functions->log_items(
        launch->device, &launch->partial, launch->whole->first + first, items, &launch->log);
    end_execution(launch, &own);
    REAP_TRY(status);
    if (launch->is_out_of_memory)
        return no_memory(launch);
    if (!launch->is_outside)
        return REAP_OK;
    return reap__fail_outside(whole->kernel, &whole->spans[launch->outside_span],
                              launch->outside_index);
}

/* ---- The launch -------------------------------------------------------------------------------*/

/* The number of items of the largest node that begins at item `at` and has at most `most` items. */
static size_t node_items(const struct part_launch *launch, uint64_t at, size_t most)
{
    size_t items = (size_t)1 << launch->leaves.longest_log2;
    while (items <= most / 2 && (at & (2 * (uint64_t)items - 1)) == 0)
        items *= 2;
    return items;
}

static reap_status run_range(struct part_launch *launch)
{
    const size_t items = launch->whole->items, leaf = (size_t)1 << launch->leaves.longest_log2;
    const size_t begun = (size_t)(launch->first_item & (leaf - 1));
    size_t at = 0;
    if (!launch->leaves.exist)
        return run_items(launch, 0, items);
    if (begun > 0) {
        at = items < leaf - begun ? items : leaf - begun;
        REAP_TRY(log_items(launch, 0, at));
    }
    for (size_t n; items - at >= leaf; at += n) {
        n = node_items(launch, launch->first_item + at, items - at);
        REAP_TRY(run_items(launch, at, n));
    }
    if (at == items)
        return REAP_OK;
    return launch->leaves.are_alike ? run_items(launch, at, items - at)
                                    : log_items(launch, at, items - at);
}

/* Whether the parts' arrays stay on the device: a launch with no other reductions is one run, which
 * changes all of them, or none if it fails. A share of a launch must not change them before all
 * shares have succeeded. */
static bool arrays_stay(const struct part_launch *launch)
{
    if (launch->whole->scalar_count > 0 || launch->whole->division != NULL)
        return false;
    for (size_t t = 0; t < launch->whole->claims->count; t++)
        if (!reap__part_stays(shape_of(launch, t), launch->device))
            return false;
    return true;
}

/* Takes all arrays. Returns false, with none taken, if memory is missing. */
static bool take_arrays(const struct part_launch *launch)
{
    struct reap__execution own = begin_execution(launch);
    size_t taken = 0;
    while (taken < launch->whole->claims->count &&
           reap__part_array_take(claim_of(launch, taken), launch->device, &own))
        taken++;
    end_execution(launch, &own);
    if (taken == launch->whole->claims->count)
        return true;
    for (size_t t = 0; t < taken; t++)
        reap__part_array_give_back(claim_of(launch, t));
    return false;
}

static bool create_totals(const struct part_launch *launch, size_t t)
{
    const struct reap__part_shape *shape = shape_of(launch, t);
    struct reap__part_claim *claim = claim_of(launch, t);
    claim->totals = reap__part_totals_create(shape);
    launch->deliveries[t] = (struct reap__delivery){
        .shape = shape, .totals = shape->is_exact_span ? claim->totals : NULL};
    return claim->totals != NULL;
}

/* Results begin empty each time, since a checked command may run twice. */
static bool create_results(const struct part_launch *launch)
{
    for (size_t t = 0; t < launch->whole->claims->count; t++) {
        struct reap__part_claim *claim = claim_of(launch, t);
        const struct reap__part_shape *shape = shape_of(launch, t);
        reap__part_range_release(claim->range);
        reap__free(claim->totals);
        reap__part_array_give_back(claim);
        claim->totals = NULL;
        claim->range = reap__part_range_create(shape, claim->begin);
        if (claim->range == NULL)
            return false;
        if (shape->is_span)
            claim->range->end = claim->end;
    }
    const bool stay = arrays_stay(launch) && take_arrays(launch);
    for (size_t t = 0; t < launch->whole->claims->count && !stay; t++)
        if (shape_of(launch, t)->is_span && !create_totals(launch, t))
            return false;
    return true;
}

/* Scalars deliver their lanes; spans combine into the claims' arrays. */
static void redirect(const struct part_launch *launch)
{
    for (size_t t = 0; t < launch->whole->claims->count; t++) {
        struct reap__target *target = target_of(launch, t);
        const struct reap__part_claim *claim = claim_of(launch, t);
        const bool is_span = t >= launch->whole->scalar_count;
        const bool is_delivered =
            !is_span || (shape_of(launch, t)->is_exact_span && claim->array == NULL);
        target->delivery = is_delivered ? &launch->deliveries[t] : NULL;
        if (is_span)
            target->variable = claim->array != NULL ? claim->array->memory : claim->totals;
    }
}

/* Checks before anything runs that the device can log items, if the launch has to at its end only.
 * A launch that begins within a leaf begins by logging items, and fails there. */
static reap_status check_device(struct part_launch *launch)
{
    const uint64_t leaf = (uint64_t)1 << launch->leaves.longest_log2;
    return launch->first_item % leaf == 0 && reap__ends_in_leaf(launch->whole, launch->first_item)
               ? log_items(launch, 0, 0)
               : REAP_OK;
}

static reap_status run(struct part_launch *launch)
{
    launch->leaves = reap__leaves_of(launch->whole);
    if (!create_results(launch))
        return no_memory(launch);
    redirect(launch);
    REAP_TRY(check_device(launch));
    return reap__has_groups(launch->whole->kernel) ? run_groups(launch) : run_range(launch);
}

reap_status reap__part_launch_run(const reap_device *device, const struct reap__launch *command)
{
    const size_t count = command->claims->count;
    size_t bytes = 0;
    if (command->items == 0)
        return REAP_OK;
    reap__add_bytes(&bytes, 1, sizeof(struct part_launch));
    const size_t targets = bytes;
    reap__add_bytes(&bytes, 1, sizeof(struct reap__targets));
    const size_t deliveries = bytes;
    reap__add_bytes(&bytes, count, sizeof(struct reap__delivery));
    const size_t nodes = bytes;
    reap__add_bytes(&bytes, count, sizeof(struct reap__part_node *));
    unsigned char *memory = reap__allocate(bytes);
    if (memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its parts",
                          command->kernel->name);
    memset(memory, 0, bytes);
    struct part_launch *launch = (struct part_launch *)(void *)memory;
    launch->device = device;
    launch->whole = command;
    reap__launch_copy(command, (struct reap__targets *)(void *)(memory + targets),
                      &launch->partial);
    launch->partial.completes_at_once = true;
    launch->deliveries = (struct reap__delivery *)(void *)(memory + deliveries);
    launch->nodes = (struct reap__part_node **)(void *)(memory + nodes);
    launch->first_item = command->claims->claims[0].begin;
    const reap_status status = run(launch);
    for (size_t s = 0; s < command->scalar_count; s++)
        reap__free(launch->nodes[s]);
    reap__free(memory);
    return status;
}

reap_status reap__launch_run(const reap_device *device, const struct reap__launch *command)
{
    return command->has_parts && !device->functions->divides_launches
               ? reap__part_launch_run(device, command)
               : device->functions->run(device, command);
}
