/* SPDX-License-Identifier: Apache-2.0
 *
 * The work-groups of a command: what each slot needs to run a group, and the reductions. The values
 * of a group's items fold by halving over their local linear ids, and the results of the groups, in
 * order, are items of the reduction shape (docs/reduction-shape.md).
 *
 * Checked execution runs groups in another order.
 */
#include "src/host/group.h"

#include "src/host/compiled/compiled.h"
#include "src/host/run.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"
#include "src/port/stack.h"
#include "src/reduction/exact.h"
#include "src/reduction/part.h"
#include "src/reduction/tree.h"

#include <string.h>

/* Kernels in phases: a group is a context of ThreadSanitizer, which takes a tenth of a millisecond
 * to create. In launches of more groups only races between groups of different threads are
 * found. */
enum { MOST_CONTEXT_GROUPS = 1024 };

/* At a time; ThreadSanitizer can have 8128. */
enum { MOST_CONTEXTS = 4000 };

/* ---- Memory -----------------------------------------------------------------------------------*/

static void find_sizes(struct reap__group *group, const reap_range *range)
{
    group->dimensions_ = range->dimensions;
    group->items_ = 1;
    for (unsigned d = 0; d < 3; d++) {
        group->local_range_[d] = range->group[d];
        group->range_[d] = range->size[d] / range->group[d];
        group->global_range_[d] = range->size[d];
        group->items_ *= range->group[d];
    }
}

static reap_status take_contexts(struct reap__host_group *group, struct reap__scratch *scratch)
{
    group->context_count = MOST_CONTEXTS / group->run->slot_count;
    group->contexts = reap__scratch_take(scratch, group->context_count, sizeof *group->contexts);
    REAP_TRY(reap__scratch_check(scratch));
    memset(group->contexts, 0, group->context_count * sizeof *group->contexts);
    group->clean_context = reap__tsan_create();
    return REAP_OK;
}

/* Memory for private variables; with contexts, pages that can be mapped again for each group. */
static reap_status take_private(struct reap__host_group *group, struct reap__scratch *scratch)
{
    group->private_bytes = group->group.items_ * REAP__MOST_PRIVATE_BYTES;
    group->private_memory = group->has_contexts
                                ? reap__pages_map(group->private_bytes)
                                : reap__scratch_take(scratch, group->private_bytes, 1);
    REAP_TRY(reap__scratch_check(scratch));
    return group->private_memory != NULL
               ? REAP_OK
               : reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                            "no memory for the private variables of work-items");
}

/* Memory for the variables of the items of a compiled kernel, and after them the items' states
 * (run_items_apart). */
static reap_status take_compiled(struct reap__host_group *group, struct reap__scratch *scratch)
{
    const size_t items = group->group.items_;
    size_t bytes = (group->compiled->bytes)(items);
    group->private_bytes = bytes;
    if (!reap__add_bytes(&bytes, items, sizeof(unsigned)))
        bytes = SIZE_MAX;
    group->private_memory = reap__scratch_take(scratch, bytes, 1);
    return reap__scratch_check(scratch);
}

static reap_status take_group(struct reap__host_run *run, struct reap__host_slot *slot,
                              struct reap__scratch *scratch)
{
    struct reap__host_group *group = slot->group;
    *group = (struct reap__host_group){.run = run, .item = run->kernel->item};
    find_sizes(&group->group, run->command->range);
    group->group.is_checked_ = run->is_checked;
    group->is_watched = reap__tsan_is_here() || reap__asan_is_here();
    group->runs = run->kernel->item != NULL ? group->group.items_ : 1;
    group->has_contexts = reap__tsan_is_here() && group->runs * run->slot_count <= MOST_CONTEXTS &&
                          (run->kernel->item != NULL || run->grains <= MOST_CONTEXT_GROUPS);
    group->compiled = run->compiled;
    if (group->compiled != NULL)
        REAP_TRY(take_compiled(group, scratch));
    if (run->kernel->item == NULL)
        REAP_TRY(take_private(group, scratch));
    if (group->has_contexts)
        REAP_TRY(take_contexts(group, scratch));
    REAP_TRY(reap__local_memory_take(group, scratch));
    group->work = (struct reap__work){.group_ = &group->group,
                                      .arguments_ = run->command->arguments,
                                      .lanes_ = slot->lanes,
                                      .spans_ = slot->spans,
                                      .locals_ = group->locals};
    return (run->kernel->item != NULL && group->compiled == NULL) || group->has_contexts
               ? reap__stacks_borrow(group->runs, &group->stacks)
               : REAP_OK;
}

static void return_group(const struct reap__host_group *group)
{
    if (group->stacks != NULL)
        reap__stacks_return(group->stacks);
    reap__local_memory_return(group);
    if (!group->has_contexts)
        return;
    if (group->private_memory != NULL)
        reap__pages_unmap(group->private_memory, group->private_bytes);
    for (size_t i = 0; i < group->context_count && group->clean_context != NULL; i++)
        if (group->contexts[i] != NULL)
            reap__tsan_destroy(group->contexts[i]);
    if (group->clean_context != NULL)
        reap__tsan_destroy(group->clean_context);
}

/* Uses compiled code if there is any, but fibers where the order of the values of spans matters: an
 * item's values combine one after the other up to a barrier (docs/spans.md), and compiled loops
 * also end at conditions around barriers. */
static void choose_code(struct reap__host_run *run)
{
    const bool may_be_compiled =
        run->kernel->item != NULL && !run->is_checked && !run->merges_in_order;
    run->compiled =
        may_be_compiled ? reap__compiled_find(run->kernel, run->command->range->dimensions) : NULL;
}

reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch)
{
    choose_code(run);
    struct reap__host_group *groups = reap__scratch_take(scratch, run->slot_count, sizeof *groups);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].group = &groups[i];
        const reap_status status = take_group(run, &run->slots[i], scratch);
        if (status != REAP_OK) {
            for (size_t j = 0; j <= i; j++)
                return_group(&groups[j]);
            return status;
        }
    }
    return REAP_OK;
}

void reap__host_return_groups(const struct reap__host_run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        return_group(run->slots[i].group);
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static void find_group(struct reap__group *group, size_t number)
{
    group->linear_id_ = number;
    for (unsigned d = 3; d-- > 0;) {
        group->id_[d] = number % group->range_[d];
        group->first_[d] = group->id_[d] * group->local_range_[d];
        number /= group->range_[d];
    }
}

/* The global linear id of an item, by its local linear id. */
static uint64_t global_id(const struct reap__group *group, uint64_t item)
{
    uint64_t id = 0, local[3];
    for (unsigned d = 3; d-- > 0;) {
        local[d] = item % group->local_range_[d];
        item /= group->local_range_[d];
    }
    for (unsigned d = 0; d < 3; d++)
        id = id * group->global_range_[d] + group->first_[d] + local[d];
    return id;
}

/* Replaces the location of a result, a local linear id, by the global linear id. */
static void set_location(const struct reap__group *group, const struct reap__reduction *reduction,
                         void *result)
{
    unsigned char *const at = (unsigned char *)result + reduction->location_offset;
    uint64_t location;
    memcpy(&location, at, sizeof location);
    location = location == UINT64_MAX ? location : global_id(group, location);
    memcpy(at, &location, sizeof location);
}

static void fold(const struct reap__host_slot *slot, size_t s, size_t number)
{
    const struct reap__host_run *run = slot->run;
    const struct reap__host_scalar *scalar = &run->scalars[s];
    const struct reap__reduction *reduction = scalar->reduction;
    const struct reap__group *group = &slot->group->group;
    const struct reap__lanes *lanes = &slot->lanes[s];
    const struct reap__results row = {lanes->values_, lanes->set_};
    const struct reap__results result =
        reap__results_at(reduction, &scalar->batch, number - run->first_grain);
    if (scalar->is_exact) {
        reap__exact_add(reduction, (uint64_t *)(void *)result.values, lanes->values_,
                        group->items_);
        return;
    }
    if (scalar->has_location) {
        memcpy(result.values, scalar->identity, reduction->result_size);
        reap__location_fold(reduction, lanes, group->items_, 0, result.values);
        set_location(group, reduction, result.values);
        return;
    }
    size_t width = 1;
    while (width < group->items_)
        width *= 2;
    reap__fold_by_halving(reduction, &row, group->items_, width);
    memcpy(result.values, row.values, reduction->result_size);
    if (result.set != NULL)
        *result.set = *row.set;
}

/* Returns another order of the groups of a batch: steps of a prime that does not divide their
 * number. */
static size_t shuffle(const struct reap__host_run *run, size_t number)
{
    static const size_t primes[] = {1000003, 999983};
    const size_t count = run->batch_end - run->first_grain;
    const size_t prime = count % primes[0] != 0 ? primes[0] : primes[1];
    return run->first_grain + ((number - run->first_grain) * (prime % count) + count / 2) % count;
}

/* Initialises the exact sums of a group. They receive the values that items combine after their
 * first. */
static void begin_sums(const struct reap__host_slot *slot, size_t number)
{
    const struct reap__host_run *run = slot->run;
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        if (!scalar->is_exact)
            continue;
        const struct reap__results sum =
            reap__results_at(scalar->reduction, &scalar->batch, number - run->first_grain);
        memcpy(sum.values, scalar->identity, scalar->reduction->result_size);
        reap__host_begin_sum(scalar, &slot->lanes[s], sum.values);
    }
}

/* The number of the command's first group in the range: other than 0 in shares of a launch. */
static size_t first_group(const struct reap__host_run *run, const struct reap__group *group)
{
    return run->command->first == 0 ? 0 : run->command->first / group->items_;
}

void reap__host_run_group(struct reap__host_slot *slot, size_t number)
{
    struct reap__host_run *run = slot->run;
    struct reap__host_group *group = slot->group;
    if (atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    if (run->is_checked && !run->merges_in_order)
        number = shuffle(run, number);
    find_group(&group->group, number + first_group(run, &group->group));
    reap__host_fill_lanes(run, slot->lanes, 1, group->group.items_);
    begin_sums(slot, number);
    reap__local_memory_begin(group);
    group->work.lanes_ = slot->lanes;
    group->work.spans_ = slot->spans;
    const bool has_run = group->compiled != NULL     ? reap__host_group_run_compiled(group)
                         : run->kernel->item == NULL ? reap__host_group_run_phases(group)
                                                     : reap__host_group_run(group);
    if (!has_run)
        return;
    reap__local_memory_check(group);
    for (size_t s = 0; s < run->scalar_count; s++)
        fold(slot, s, number);
}

/* ---- The results of groups --------------------------------------------------------------------*/

void reap__host_begin_groups(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        const struct reap__host_scalar *scalar = &run->scalars[s];
        reap__fill(scalar->reduction, scalar->identity, &scalar->leaf,
                   scalar->is_unordered ? 1 : scalar->width);
    }
}

/* Adds the current leaf to the tree, and begins another. */
static void end_leaf(struct reap__host_scalar *scalar, size_t lanes)
{
    reap__tree_add(&scalar->tree, 0, &scalar->leaf, lanes);
    reap__fill(scalar->reduction, scalar->identity, &scalar->leaf, scalar->width);
}

/* Appends the results of the batch to the range of a part. */
static void deliver_results(const struct reap__host_run *run,
                            const struct reap__host_scalar *scalar)
{
    struct reap__delivery *delivery = scalar->target->delivery;
    for (size_t g = 0; g < run->batch_end - run->first_grain; g++) {
        const struct reap__results result = reap__results_at(scalar->reduction, &scalar->batch, g);
        delivery->is_out_of_memory |=
            !reap__part_range_begin_item(delivery->shape, delivery->range) ||
            ((result.set == NULL || *result.set != 0) &&
             !reap__part_range_add_value(delivery->shape, delivery->range, result.values));
        if (delivery->is_out_of_memory)
            return;
        reap__part_range_end_item(delivery->shape, delivery->range);
    }
}

/* Combines the results of the batch as items of the reduction shape. */
static void add_results(const struct reap__host_run *run, struct reap__host_scalar *scalar)
{
    const size_t leaf = (size_t)1 << scalar->leaf_log2;
    for (size_t at = run->first_grain, n; at < run->batch_end; at += n) {
        const size_t in_leaf = at & (leaf - 1), left = run->batch_end - at;
        const struct reap__results items =
            reap__results_at(scalar->reduction, &scalar->batch, at - run->first_grain);
        n = left < leaf - in_leaf ? left : leaf - in_leaf;
        reap__combine_items(scalar->reduction, &scalar->leaf, &items, in_leaf, n);
        if (in_leaf + n == leaf)
            end_leaf(scalar, scalar->width);
    }
}

void reap__host_add_groups(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        if (!scalar->is_unordered) {
            if (scalar->target->delivery != NULL)
                deliver_results(run, scalar);
            else
                add_results(run, scalar);
            continue;
        }
        for (size_t g = 0; g < run->batch_end - run->first_grain; g++) {
            const struct reap__results item =
                reap__results_at(scalar->reduction, &scalar->batch, g);
            reap__combine(scalar->reduction, &scalar->leaf, &item, 1);
        }
    }
}

void reap__host_end_groups(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->scalar_count; s++) {
        struct reap__host_scalar *scalar = &run->scalars[s];
        const size_t rest = run->grains & (((size_t)1 << scalar->leaf_log2) - 1);
        size_t lanes = rest > 0 && rest < scalar->width ? rest : scalar->width;
        if (scalar->is_unordered || scalar->target->delivery != NULL)
            continue;
        if (rest > 0)
            end_leaf(scalar, lanes);
        const struct reap__results root = reap__tree_finish(&scalar->tree, &lanes);
        reap__fold_by_halving(scalar->reduction, &root, lanes, scalar->width);
        scalar->result = root;
    }
}
