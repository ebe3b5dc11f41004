/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of a command: what each slot needs to run one, and what a group's items come to. The
 * items' values fold by halving over their local linear ids, and the groups' results, in order, are
 * the items of the next level (docs/reduction-shape.md).
 *
 * Checked execution puts guards around local memory, fills it before each group, and takes groups
 * in another order.
 */
#include "src/host/group.h"
#include "src/host/run.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"

#include <string.h>

enum {
    GUARD_BYTES = 64, /* on either side of local memory, in checked execution */
    GUARD = 0xdb,
    GARBAGE = 0xa5,
    MOST_ITEM_CONTEXTS = 4000, /* at a time, of the 8128 that ThreadSanitizer can have */
};

/* ---- Memory -----------------------------------------------------------------------------------*/

static size_t local_bytes(const struct reap__host_run *run, const struct reap__parameter *local)
{
    size_t count;
    memcpy(&count, (const char *)run->command->arguments + local->offset, sizeof count);
    return count * local->size;
}

/* What local memory takes with its guards, as a multiple of the alignment. */
static size_t guarded_bytes(const struct reap__host_run *run, size_t bytes)
{
    const size_t all = bytes + (run->is_checked ? 2 * GUARD_BYTES : 0);
    return (all + REAP__MEMORY_ALIGNMENT - 1) & ~(size_t)(REAP__MEMORY_ALIGNMENT - 1);
}

static size_t all_local_bytes(const struct reap__host_run *run)
{
    const struct reap_kernel *kernel = run->kernel;
    size_t all = 0;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].kind == REAP__LOCAL)
            all += guarded_bytes(run, local_bytes(run, &kernel->parameters[p]));
    return all;
}

static void place_locals(struct reap__host_group *group, unsigned char *memory)
{
    const struct reap__host_run *run = group->run;
    const struct reap_kernel *kernel = run->kernel;
    size_t number = 0;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        if (kernel->parameters[p].kind != REAP__LOCAL)
            continue;
        group->locals[number++] = memory + (run->is_checked ? GUARD_BYTES : 0);
        memory += guarded_bytes(run, local_bytes(run, &kernel->parameters[p]));
    }
}

static reap_status take_locals(struct reap__host_group *group, struct reap__scratch *scratch)
{
    const struct reap__host_run *run = group->run;
    group->local_bytes = all_local_bytes(run);
    group->locals =
        reap__scratch_take(scratch, run->kernel->parameter_count, sizeof *group->locals);
    group->local_memory = group->has_item_contexts && group->local_bytes > 0
                              ? reap__pages_map(group->local_bytes)
                              : reap__scratch_take(scratch, group->local_bytes, 1);
    if (group->local_bytes > 0 && group->local_memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of local memory",
                          group->local_bytes);
    REAP_TRY(reap__scratch_check(scratch));
    if (group->local_bytes > 0)
        place_locals(group, group->local_memory);
    return REAP_OK;
}

static void find_sizes(struct reap__group *group, const reap_range *range)
{
    group->dimensions = range->dimensions;
    group->items = 1;
    for (unsigned d = 0; d < 3; d++) {
        group->local_range[d] = range->group[d];
        group->range[d] = range->size[d] / range->group[d];
        group->global_range[d] = range->size[d];
        group->items *= range->group[d];
    }
}

static reap_status take_contexts(struct reap__host_group *group, struct reap__scratch *scratch)
{
    group->item_context_count = MOST_ITEM_CONTEXTS / group->run->slot_count;
    group->item_contexts =
        reap__scratch_take(scratch, group->item_context_count, sizeof *group->item_contexts);
    REAP_TRY(reap__scratch_check(scratch));
    memset(group->item_contexts, 0, group->item_context_count * sizeof *group->item_contexts);
    group->clean_context = reap__tsan_create();
    return REAP_OK;
}

static reap_status take_group(struct reap__host_run *run, struct reap__host_slot *slot,
                              struct reap__scratch *scratch)
{
    struct reap__host_group *group = slot->group;
    *group = (struct reap__host_group){.run = run, .item = run->kernel->item};
    find_sizes(&group->group, run->command->range);
    group->group.is_checked = run->is_checked;
    group->is_watched = reap__tsan_is_here() || reap__asan_is_here();
    group->has_item_contexts = reap__tsan_is_here() && run->kernel->item != NULL &&
                               group->group.items * run->slot_count <= MOST_ITEM_CONTEXTS;
    if (group->has_item_contexts)
        REAP_TRY(take_contexts(group, scratch));
    REAP_TRY(take_locals(group, scratch));
    group->work = (struct reap__work){.group = &group->group,
                                      .arguments = run->command->arguments,
                                      .lanes = slot->lanes,
                                      .spans = slot->spans,
                                      .locals = group->locals};
    if (run->kernel->item != NULL)
        return reap__stacks_borrow(group->group.items, &group->stacks);
    group->private_bytes = group->group.items * REAP__MOST_PRIVATE_BYTES;
    group->private_memory = reap__scratch_take(scratch, group->private_bytes, 1);
    return reap__scratch_check(scratch);
}

static void return_group(const struct reap__host_group *group)
{
    if (group->stacks != NULL)
        reap__stacks_return(group->stacks);
    if (!group->has_item_contexts)
        return;
    for (size_t i = 0; i < group->item_context_count && group->clean_context != NULL; i++)
        if (group->item_contexts[i] != NULL)
            reap__tsan_destroy(group->item_contexts[i]);
    if (group->clean_context != NULL)
        reap__tsan_destroy(group->clean_context);
    if (group->local_memory != NULL)
        reap__pages_unmap(group->local_memory, group->local_bytes);
}

reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch)
{
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

/* ---- Local memory -----------------------------------------------------------------------------*/

static void fill_locals(const struct reap__host_group *group)
{
    const struct reap__host_run *run = group->run;
    if (run->is_checked)
        memset(group->local_memory, GUARD, group->local_bytes);
    for (size_t p = 1, number = 0; p < run->kernel->parameter_count; p++) {
        const struct reap__parameter *local = &run->kernel->parameters[p];
        if (local->kind != REAP__LOCAL)
            continue;
        if (run->is_checked)
            memset(group->locals[number], GARBAGE, local_bytes(run, local));
        reap__valgrind_undefined(group->locals[number++], local_bytes(run, local));
    }
}

/* Each group finds garbage, and nobody who has been there before. */
static void begin_locals(const struct reap__host_group *group)
{
    if (group->local_bytes == 0)
        return;
    if (!group->has_item_contexts) {
        fill_locals(group);
        return;
    }
    void *thread = reap__tsan_current();
    reap__tsan_switch(group->clean_context);
    reap__pages_renew(group->local_memory, group->local_bytes);
    fill_locals(group); /* the items come after this context, not after the thread's */
    reap__tsan_switch(thread);
}

static bool is_guard(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != GUARD)
            return false;
    return true;
}

/* Looks at the guards once the group is done. */
static void check_locals(const struct reap__host_group *group)
{
    struct reap__host_run *run = group->run;
    size_t number = 0;
    for (size_t p = 1; p < run->kernel->parameter_count; p++) {
        const struct reap__parameter *local = &run->kernel->parameters[p];
        if (local->kind != REAP__LOCAL)
            continue;
        const unsigned char *memory = group->locals[number++];
        const size_t bytes = local_bytes(run, local);
        const size_t after = guarded_bytes(run, bytes) - GUARD_BYTES - bytes;
        const bool is_before = !is_guard(memory - GUARD_BYTES, GUARD_BYTES);
        if (is_before || !is_guard(memory + bytes, after))
            reap__host_note(run, REAP_ERROR_INDEX_OUT_OF_RANGE,
                            "kernel '%s': group (%zu, %zu, %zu) wrote %s the %zu elements of local "
                            "memory '%s'",
                            run->kernel->name, group->group.id[0], group->group.id[1],
                            group->group.id[2], is_before ? "before" : "behind",
                            bytes / local->size, local->name);
    }
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static void find_group(struct reap__group *group, size_t number)
{
    group->linear_id = number;
    for (unsigned d = 3; d-- > 0;) {
        group->id[d] = number % group->range[d];
        group->first[d] = group->id[d] * group->local_range[d];
        number /= group->range[d];
    }
}

/* The global linear id of the item with that id in the group. */
static uint64_t global_id(const struct reap__group *group, uint64_t item)
{
    uint64_t id = 0, local[3];
    for (unsigned d = 3; d-- > 0;) {
        local[d] = item % group->local_range[d];
        item /= group->local_range[d];
    }
    for (unsigned d = 0; d < 3; d++)
        id = id * group->global_range[d] + group->first[d] + local[d];
    return id;
}

static void fold(const struct reap__host_slot *slot, size_t s, size_t number)
{
    const struct reap__host_run *run = slot->run;
    const struct reap__host_scalar *scalar = &run->scalars[s];
    const struct reap__reduction *reduction = scalar->reduction;
    const struct reap__group *group = &slot->group->group;
    const struct reap__results result =
        reap__results_at(reduction, &scalar->batch, number - run->first_tile);
    const int is_set =
        (reduction->fold[run->isa])(&slot->lanes[s], group->items, scalar->width, 0, result.values);
    if (result.set != NULL)
        *result.set = (unsigned char)is_set;
    if (reduction->location_offset > 0) {
        uint64_t location;
        unsigned char *at = (unsigned char *)result.values + reduction->location_offset;
        memcpy(&location, at, sizeof location);
        location = location == UINT64_MAX ? location : global_id(group, location);
        memcpy(at, &location, sizeof location);
    }
}

/* Another order of the batch's groups: steps of a prime that does not divide their number. */
static size_t shuffle(const struct reap__host_run *run, size_t number)
{
    static const size_t primes[] = {1000003, 999983};
    const size_t count = run->batch_end - run->first_tile;
    const size_t prime = count % primes[0] != 0 ? primes[0] : primes[1];
    return run->first_tile + ((number - run->first_tile) * (prime % count) + count / 2) % count;
}

void reap__host_run_group(struct reap__host_slot *slot, size_t number)
{
    struct reap__host_run *run = slot->run;
    struct reap__host_group *group = slot->group;
    if (atomic_load_explicit(&run->failed, memory_order_relaxed))
        return;
    if (run->is_checked && run->span_count == 0) /* chunks of spans are merged in order */
        number = shuffle(run, number);
    find_group(&group->group, number);
    reap__host_fill_lanes(run, slot->lanes, group->group.items);
    begin_locals(group);
    group->work.lanes = slot->lanes;
    group->work.spans = slot->spans;
    if (run->kernel->item == NULL)
        reap__host_group_run_phases(group);
    else if (!reap__host_group_run(group))
        return;
    if (run->is_checked)
        check_locals(group);
    for (size_t s = 0; s < run->scalar_count; s++)
        fold(slot, s, number);
}
