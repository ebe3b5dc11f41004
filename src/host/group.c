/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers in rounds. In a round each fiber runs until its item waits, or is done and no other item
 * is left to start; then the next fiber goes on, straight from the one that stops. When the last
 * has stopped, either all wait at one place, and the next round begins, or all are done; anything
 * else is divergence. A fiber that is done stands where it can take an item of the next group.
 */
#include "src/host/group.h"

#include "src/core/status.h"
#include "src/host/stacks.h"

#include <stdio.h>
#include <string.h>

/* The group that this thread runs. A fiber reads it anew after each switch: the next group that it
 * has an item of may be another launch's. */
static _Thread_local struct reap__host_group *current;

/* A function of its own: a fiber may go on in another thread, and a compiler that saw the variable
 * used on both sides of a switch would keep its address. */
__attribute__((noinline)) static struct reap__host_group *find_current(void)
{
    __asm__ volatile("");
    return current;
}

static void find_local_id(const struct reap__group *group, size_t item, size_t id[3])
{
    id[2] = item % group->local_range[2];
    item /= group->local_range[2];
    id[1] = item % group->local_range[1];
    id[0] = item / group->local_range[1];
}

static void run_item(struct reap__host_group *group, size_t number)
{
    const reap_range *range = group->range;
    struct reap__work work = group->work;
    reap_item item = {.local_linear_id = number, .group = &group->group};
    /* The sizes of dimensions that a range does not have are 1, and they are the last ones; the
     * ids of those are 0. */
    find_local_id(&group->group, number, item.local_id);
    for (unsigned d = 0; d < 3; d++) {
        item.global_id[d] = group->group.id[d] * group->group.local_range[d] + item.local_id[d];
        item.global_range[d] = range->size[d];
        item.global_linear_id = item.global_linear_id * range->size[d] + item.global_id[d];
    }
    work.item = &item;
    group->kernel->work(&work);
}

/* ---- Rounds -----------------------------------------------------------------------------------*/

static void go_on(struct reap__host_group *group, size_t number)
{
    struct reap__fiber *const from = reap__stacks_fiber(group->stacks, group->running);
    const size_t before = group->running;
    group->running = number;
    if (number != before)
        reap__fiber_switch(from, reap__stacks_fiber(group->stacks, number));
}

static void go_to_thread(struct reap__host_group *group)
{
    reap__fiber_switch(reap__stacks_fiber(group->stacks, group->running),
                       reap__stacks_thread(group->stacks));
}

static void end_round(struct reap__host_group *group)
{
    if (group->waiting == 0 || group->finished > 0 || group->differs) {
        go_to_thread(group);
        return;
    }
    group->waiting = 0;
    go_on(group, 0);
}

static void go_to_next(struct reap__host_group *group)
{
    if (group->running + 1 < group->fibers)
        go_on(group, group->running + 1);
    else
        end_round(group);
}

/* What every fiber does. */
static void take_items(void)
{
    for (;;) {
        struct reap__host_group *group = find_current();
        while (group->started < group->group.items) {
            run_item(group, group->started++);
            group->finished++;
        }
        go_to_next(group);
    }
}

static void start_fiber(struct reap__host_group *group)
{
    const size_t number = group->fibers++;
    reap__stacks_ready(group->stacks, number, take_items);
    go_on(group, number);
}

static void wait(struct reap__group *of, const struct reap__place *place)
{
    struct reap__host_group *group = (struct reap__host_group *)of;
    group->places[group->running] = place;
    if (group->waiting++ == 0)
        group->place = place;
    group->differs |= place != group->place;
    if (group->started < group->group.items)
        start_fiber(group);
    else
        go_to_next(group);
    group->places[group->running] = NULL;
}

/* ---- Divergence -------------------------------------------------------------------------------*/

static size_t count_at(const struct reap__host_group *group, const struct reap__place *place)
{
    size_t count = 0;
    for (size_t i = 0; i < group->fibers; i++)
        count += group->places[i] == place;
    return count;
}

/* Another place than the first. */
static const struct reap__place *other_place(const struct reap__host_group *group)
{
    for (size_t i = 0; i < group->fibers; i++)
        if (group->places[i] != NULL && group->places[i] != group->place)
            return group->places[i];
    return NULL;
}

static void tell(const struct reap__host_group *group)
{
    const struct reap__place *place = group->place, *other = other_place(group);
    const size_t *id = group->group.id;
    char where[512];
    if (other != NULL)
        snprintf(where, sizeof where, "%zu are at %s (%s:%u)", count_at(group, other), other->word,
                 other->file, other->line);
    else
        snprintf(where, sizeof where, "%zu are done", group->finished);
    reap__fail(REAP_ERROR_DIVERGENT_BARRIER,
               "kernel '%s': the work-items of group (%zu, %zu, %zu) part: %zu are at %s (%s:%u), "
               "%s",
               group->kernel->name, id[0], id[1], id[2], count_at(group, place), place->word,
               place->file, place->line, where);
}

bool reap__host_group_run(struct reap__host_group *group)
{
    struct reap__host_group *const outer = current;
    group->group.wait = wait;
    group->started = group->finished = group->waiting = group->fibers = group->running = 0;
    group->place = NULL;
    group->differs = false;
    memset(group->places, 0, group->group.items * sizeof *group->places);
    current = group;
    group->fibers = 1;
    reap__stacks_ready(group->stacks, 0, take_items);
    reap__fiber_switch(reap__stacks_thread(group->stacks), reap__stacks_fiber(group->stacks, 0));
    current = outer;
    if (group->finished == group->group.items)
        return true;
    reap__stacks_abandon(group->stacks);
    tell(group);
    return false;
}
