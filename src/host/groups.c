/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of a command: what each slot needs to run one, and what a group's items come to. The
 * items' values fold by halving over their local linear ids, and the groups' results, in order, are
 * the items of the next level (docs/reduction-shape.md).
 */
#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/run.h"
#include "src/host/stacks.h"

#include <string.h>

static size_t local_count(const struct reap__command *command, const struct reap__parameter *local)
{
    size_t count;
    memcpy(&count, (const char *)command->arguments + local->offset, sizeof count);
    return count;
}

static void *const *take_locals(const struct reap__host_run *run, struct reap__scratch *scratch)
{
    const struct reap_kernel *kernel = run->kernel;
    void **locals = reap__scratch_take(scratch, kernel->parameter_count, sizeof *locals);
    size_t number = 0;
    for (size_t p = 1; p < kernel->parameter_count && locals != NULL; p++)
        if (kernel->parameters[p].kind == REAP__LOCAL)
            locals[number++] =
                reap__scratch_take(scratch, local_count(run->command, &kernel->parameters[p]),
                                   kernel->parameters[p].size);
    return locals;
}

static reap_status take_group(const struct reap__host_run *run, struct reap__host_slot *slot,
                              struct reap__scratch *scratch)
{
    const reap_range *range = run->command->range;
    struct reap__host_group *group = slot->group;
    *group = (struct reap__host_group){.kernel = run->kernel, .range = range};
    group->group.items = 1;
    for (unsigned d = 0; d < 3; d++) {
        group->group.local_range[d] = range->group[d];
        group->group.range[d] = range->size[d] / range->group[d];
        group->group.items *= range->group[d];
    }
    group->work = (struct reap__work){.arguments = run->command->arguments,
                                      .lanes = slot->lanes,
                                      .spans = slot->spans,
                                      .locals = take_locals(run, scratch)};
    group->places = reap__scratch_take(scratch, group->group.items, sizeof *group->places);
    REAP_TRY(reap__scratch_check(scratch));
    return reap__stacks_borrow(group->group.items, &group->stacks);
}

reap_status reap__host_take_groups(struct reap__host_run *run, struct reap__scratch *scratch)
{
    struct reap__host_group *groups = reap__scratch_take(scratch, run->slot_count, sizeof *groups);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].group = &groups[i];
        const reap_status status = take_group(run, &run->slots[i], scratch);
        if (status != REAP_OK) {
            while (i-- > 0)
                reap__stacks_return(groups[i].stacks);
            return status;
        }
    }
    return REAP_OK;
}

void reap__host_return_groups(const struct reap__host_run *run)
{
    for (size_t i = 0; i < run->slot_count; i++)
        reap__stacks_return(run->slots[i].group->stacks);
}

static void find_group(struct reap__group *group, size_t number)
{
    group->linear_id = number;
    for (unsigned d = 3; d-- > 0;) {
        group->id[d] = number % group->range[d];
        number /= group->range[d];
    }
}

/* The first to part tells; the others only stop. */
static void note_divergence(struct reap__host_run *run)
{
    if (!atomic_exchange(&run->diverged, true))
        memcpy(run->message, reap_last_error(), strlen(reap_last_error()) + 1);
}

/* The global linear id of the item with that id in the group. */
static uint64_t global_id(const struct reap__host_group *group, uint64_t item)
{
    uint64_t id = 0, local[3];
    for (unsigned d = 3; d-- > 0;) {
        local[d] = item % group->group.local_range[d];
        item /= group->group.local_range[d];
    }
    for (unsigned d = 0; d < 3; d++)
        id = id * group->range->size[d] + group->group.id[d] * group->group.local_range[d] +
             local[d];
    return id;
}

static void fold(const struct reap__host_slot *slot, size_t s, size_t number)
{
    const struct reap__host_run *run = slot->run;
    const struct reap__host_scalar *scalar = &run->scalars[s];
    const struct reap__reduction *reduction = scalar->reduction;
    const struct reap__results result =
        reap__results_at(reduction, &scalar->batch, number - run->first_tile);
    const int is_set = reduction->fold[run->isa](&slot->lanes[s], slot->group->group.items,
                                                 scalar->width, 0, result.values);
    if (result.set != NULL)
        *result.set = (unsigned char)is_set;
    if (reduction->location_offset > 0) {
        uint64_t location;
        unsigned char *at = (unsigned char *)result.values + reduction->location_offset;
        memcpy(&location, at, sizeof location);
        location = location == UINT64_MAX ? location : global_id(slot->group, location);
        memcpy(at, &location, sizeof location);
    }
}

void reap__host_run_group(struct reap__host_slot *slot, size_t number)
{
    struct reap__host_run *run = slot->run;
    if (atomic_load_explicit(&run->diverged, memory_order_relaxed))
        return;
    find_group(&slot->group->group, number);
    reap__host_fill_lanes(run, slot->lanes, slot->group->group.items);
    slot->group->work.lanes = slot->lanes;
    slot->group->work.spans = slot->spans;
    if (!reap__host_group_run(slot->group)) {
        note_divergence(run);
        return;
    }
    for (size_t s = 0; s < run->scalar_count; s++)
        fold(slot, s, number);
}
