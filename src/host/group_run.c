/* SPDX-License-Identifier: Apache-2.0
 *
 * Fibers in rounds. In a round each fiber runs until its item waits, or is done and no other item
 * is left to start; then the next fiber goes on, straight from the one that stops. The end of an
 * item is a call site like those of barriers. When the last fiber has stopped, all are at
 * one call site, and the next round begins, or the group is done; anything else is divergence. A
 * fiber that is done waits where it can take an item of the next group.
 *
 * A sub-group that meets a word of sub-groups goes through rounds of its own until its items wait
 * where the group does; then the group's round goes on with the next sub-group.
 */
#include "src/host/group.h"

#include "src/core/sizes.h"
#include "src/host/run.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"

#include <stdio.h>
#include <string.h>

/* gcc wants the model where the variable is defined, too. */
REAP__CALLED_BY_ASSEMBLY _Thread_local struct reap__ring reap__ring
    __attribute__((tls_model("initial-exec")));

struct reap__ring *reap__ring_here(void)
{
    __asm__ volatile("");
    return &reap__ring;
}

static const struct reap__call_site end = {.word = "the kernel's end"};

/* ---- Sanitizers -------------------------------------------------------------------------------
 *
 * To ThreadSanitizer each work-item is a thread, which begins with what was done before the launch,
 * and which only a barrier orders with others; in a kernel in phases each group is one. What
 * this file does itself is done in the context of the thread that runs the group. A context is kept
 * for a while when its item or group is done: of a race with one that it no longer remembers the
 * sanitizer says nothing.
 */

static bool is_of_sub_group(const struct reap__call_site *place)
{
    return place->collective != NULL && place->collective->scope == REAP__OF_SUB_GROUP;
}

/* Items in the order in which they are started, which checked execution reverses. */
static size_t item_of(const struct reap__host_group *group, size_t number)
{
    return group->group.is_checked_ ? group->group.items_ - 1 - number : number;
}

/* What a group's barriers order by: an address that the groups before and after it do not use; and
 * those of the sub-group that has the item. */
static void *order_of_group(const struct reap__host_group *group)
{
    static uint64_t orders[8192];
    return &orders[group->group.linear_id_ % (sizeof orders / sizeof *orders)];
}

static void *order_of_sub_group(const struct reap__host_group *group, size_t number)
{
    static uint64_t orders[8192];
    const size_t of_groups_before =
        group->group.linear_id_ * (group->group.items_ / REAP__SUB_GROUP_ITEMS + 1);
    return &orders[(of_groups_before + item_of(group, number) / REAP__SUB_GROUP_ITEMS) %
                   (sizeof orders / sizeof *orders)];
}

static void *order_of(const struct reap__host_group *group, const struct reap__call_site *place,
                      size_t number)
{
    return is_of_sub_group(place) ? order_of_sub_group(group, number) : order_of_group(group);
}

static size_t running(const struct reap__host_group *group)
{
    return (size_t)(reap__ring.running - group->stacks->fibers);
}

static void before_switch(struct reap__host_group *group, const struct reap__fiber *to)
{
    struct reap__stacks *stacks = group->stacks;
    size_t bytes = group->thread_bytes;
    const void *bottom = group->thread_bottom;
    if (!group->is_watched || !reap__asan_is_here())
        return;
    if (to != &stacks->thread)
        bottom = reap__stacks_bottom(stacks, (size_t)(to - stacks->fibers), &bytes);
    reap__asan_leave(&stacks->notes[running(group)].fake_stack, bottom, bytes);
}

static void after_switch(struct reap__host_group *group, void *fake_stack)
{
    const void *bottom;
    size_t bytes;
    if (!group->is_watched || !reap__asan_is_here())
        return;
    reap__asan_arrive(fake_stack, &bottom, &bytes);
    if (group->from_thread) {
        group->thread_bottom = bottom;
        group->thread_bytes = bytes;
        group->from_thread = false;
    }
}

/* In place of reap__fiber_wait. Every switch is a turn, since the ring's place is never set. */
static void wait_watched(struct reap__group *of, const struct reap__call_site *place, void *value)
{
    const struct reap__host_group *group = (struct reap__host_group *)of;
    struct reap__fiber_notes *notes = &group->stacks->notes[running(group)];
    const bool is_item = group->has_contexts && place != &end;
    void *const order = order_of(group, place, running(group));
    if (is_item) {
        reap__tsan_release(order);
        reap__tsan_switch(group->thread_context);
    }
    reap__fiber_wait(of, place, value);
    after_switch((struct reap__host_group *)reap__ring_here()->group, notes->fake_stack);
    if (is_item) {
        reap__tsan_switch(notes->item);
        reap__tsan_acquire(order);
    }
}

/* Switches to a new context in place of the oldest one. */
static void *enter_context(struct reap__host_group *group)
{
    void **oldest = &group->contexts[group->next_context];
    group->next_context = (group->next_context + 1) % group->context_count;
    reap__tsan_switch(group->clean_context);
    if (*oldest != NULL)
        reap__tsan_destroy(*oldest);
    *oldest = reap__tsan_create();
    reap__tsan_switch(*oldest);
    return *oldest;
}

static void enter_item(struct reap__host_group *group)
{
    if (group->has_contexts)
        group->stacks->notes[running(group)].item = enter_context(group);
}

static void leave_context(struct reap__host_group *group)
{
    if (!group->has_contexts)
        return;
    reap__tsan_release(&group->finished);
    reap__tsan_switch(group->thread_context);
}

static void begin_watching(struct reap__host_group *group)
{
    if (group->has_contexts) {
        group->thread_context = reap__tsan_current();
        reap__tsan_switch(group->clean_context);
        reap__stacks_abandon(group->stacks, true);
        reap__tsan_switch(group->thread_context);
    }
    group->from_thread = true;
}

static void end_watching(struct reap__host_group *group)
{
    if (!group->has_contexts)
        return;
    reap__tsan_acquire(&group->finished);
    reap__tsan_acquire(order_of_group(group)); /* where items have parted, they still wait */
    for (size_t i = 0; i < group->group.items_ && group->parted; i += REAP__SUB_GROUP_ITEMS)
        reap__tsan_acquire(order_of_sub_group(group, i));
}

/* ---- Phases -----------------------------------------------------------------------------------*/

/* The library's notes for the launch are not part of the group's context, which has no order with
 * the launching thread. */
static void *leave_for_note(const struct reap__host_group *group)
{
    void *const context = group->has_contexts ? reap__tsan_current() : NULL;
    if (context != NULL)
        reap__tsan_switch(group->thread_context);
    return context;
}

static void return_from_note(void *context)
{
    if (context != NULL)
        reap__tsan_switch(context);
}

static void refuse(struct reap__host_run *run, const struct reap__call_site *place, const char *why)
{
    reap__host_run_fail(run, REAP_ERROR_DIVERGENT_BARRIER, "kernel '%s': %s (%s:%u) %s",
                        run->kernel->name, place->word, place->file, place->line, why);
}

static void wait_in_a_phase(struct reap__group *of, const struct reap__call_site *place,
                            void *value)
{
    (void)value;
    const struct reap__host_group *group = (struct reap__host_group *)of;
    void *const context = leave_for_note(group);
    refuse(group->run, place, "is in a phase, where work-items cannot wait for each other");
    return_from_note(context);
}

/* A declaration within a loop is met again and again, and is the same word. */
static void *take(struct reap__group *of, const struct reap__private_variable *word)
{
    struct reap__host_group *group = (struct reap__host_group *)of;
    for (size_t i = 0; i < group->word_count; i++)
        if (group->words[i].word == word)
            return group->private_memory + group->words[i].begin;
    const size_t mask = word->alignment - 1, begin = (group->private_used + mask) & ~mask;
    if (group->word_count == MOST_WORDS || begin + word->size * of->items_ > group->private_bytes) {
        void *const context = leave_for_note(group);
        reap__host_run_fail(
            group->run, REAP_ERROR_OUT_OF_MEMORY,
            "kernel '%s': it has more than %d reap_item_private variables, or more than %d bytes "
            "of them for each work-item",
            group->run->kernel->name, MOST_WORDS, REAP__MOST_PRIVATE_BYTES);
        return_from_note(context);
        return group->private_memory;
    }
    group->private_used = begin + word->size * of->items_;
    group->words[group->word_count++] = (struct reap__host_private_variable){word, begin};
    return group->private_memory + begin;
}

static void leave(struct reap__group *of, const char *file, unsigned line)
{
    const struct reap__host_group *group = (struct reap__host_group *)of;
    void *const context = leave_for_note(group);
    reap__host_run_fail(
        group->run, REAP_ERROR_DIVERGENT_BARRIER,
        "kernel '%s': the phase at %s:%u is left by return or goto: not all work-items "
        "come to its end",
        group->run->kernel->name, file, line);
    return_from_note(context);
}

static void run_phases(struct reap__host_group *group)
{
    group->group.wait = wait_in_a_phase;
    group->group.leap = NULL;
    group->group.take_ = take;
    group->group.leave = leave;
    if (group->has_contexts && group->private_used > 0)
        reap__pages_renew(group->private_memory, group->private_used);
    group->private_used = group->word_count = 0;
    const struct reap_kernel *const kernel = group->run->kernel;
    const enum reap__isa ran = group->group.is_checked_
                                   ? (kernel->checked_phases)(&group->work)
                                   : (kernel->phases[group->run->isa])(&group->work);
    atomic_store_explicit(&group->run->ran, (int)ran, memory_order_relaxed);
}

/* ---- Work-items -------------------------------------------------------------------------------*/

static void advance(const struct reap__group *group, size_t id[3])
{
    if (++id[2] < group->local_range_[2])
        return;
    id[2] = 0;
    if (++id[1] < group->local_range_[1])
        return;
    id[1] = 0;
    id[0]++;
}

/* Runs the next item, or all phases; in checked execution they go from the last to the first. */
static void run_next(struct reap__host_group *group)
{
    const size_t *range = group->group.local_range_;
    const size_t number = group->started++;
    if (group->item == NULL) {
        run_phases(group);
        return;
    }
    const size_t id[3] = {group->next_id[0], group->next_id[1], group->next_id[2]};
    advance(&group->group, group->next_id);
    if (group->group.is_checked_)
        (group->item)(&group->work, range[0] - 1 - id[0], range[1] - 1 - id[1],
                      range[2] - 1 - id[2], group->group.items_ - 1 - number);
    else
        (group->item)(&group->work, id[0], id[1], id[2], number);
}

/* What a fiber does again and again. Where items have parted, there may be none for it. */
static void run(struct reap__group *of)
{
    struct reap__host_group *group = (struct reap__host_group *)of;
    if (group->started == of->items_) {
        reap__ring.finished--;
        return;
    }
    reap__ring.is_starting = !group->sub_group.is_met && group->started + 1 < of->items_;
    run_next(group);
}

/* In place of `run`, and it never returns. The next item may not stand where one has stood, so that
 * the ring never starts one by itself. */
static void run_watched(struct reap__group *of)
{
    after_switch((struct reap__host_group *)of, NULL);
    for (;;) {
        struct reap__host_group *group = (struct reap__host_group *)reap__ring_here()->group;
        if (group->started < group->runs) {
            enter_item(group);
            run_next(group);
            leave_context(group);
            reap__ring_here()->finished++;
        }
        wait_watched(&group->group, &end, NULL);
    }
}

/* ---- Rounds -----------------------------------------------------------------------------------*/

static void note_other(struct reap__host_group *group, const struct reap__call_site *place)
{
    group->parted = true;
    if (place == &end)
        return;
    for (size_t i = 0; i < 2; i++)
        if (group->others[i] == NULL || group->others[i] == place) {
            group->others[i] = place;
            group->at_others[i]++;
            return;
        }
    group->elsewhere++;
}

/* Makes the results of a group algorithm of so many items, the first of which is that fiber's. */
static void collect(struct reap__host_group *group, const struct reap__call_site *place,
                    const struct reap__fiber *first, size_t items)
{
    void *const order = order_of(group, place, (size_t)(first - group->stacks->fibers));
    if (group->has_contexts)
        reap__tsan_acquire(order);
    const char *wrong =
        reap__host_group_algorithm(place->collective, first, items, group->group.is_checked_);
    if (group->has_contexts)
        reap__tsan_release(order);
    if (wrong != NULL)
        reap__host_run_fail(group->run, REAP_ERROR_INDEX_OUT_OF_RANGE, "kernel '%s': %s (%s:%u) %s",
                            group->run->kernel->name, place->word, place->file, place->line, wrong);
}

/* The last fiber that has an item. Items that ended before the first word of sub-groups had none of
 * their own. */
static struct reap__fiber *last_fiber(const struct reap__host_group *group)
{
    return group->stacks->fibers + group->runs - group->sub_group.ended - 1;
}

static struct reap__fiber *begin_round(struct reap__host_group *group)
{
    reap__ring.place = group->place = NULL;
    return reap__ring.running = group->stacks->fibers;
}

static struct reap__fiber *end_round(struct reap__host_group *group)
{
    if (group->parted || group->place == &end)
        return &group->stacks->thread;
    if (group->place->collective != NULL)
        collect(group, group->place, group->stacks->fibers, group->group.items_);
    return begin_round(group);
}

/* ---- Rounds of a sub-group --------------------------------------------------------------------*/

/* The first and the last item of the sub-group that has this one, as they are started. */
static void find_bounds(const struct reap__host_group *group, size_t number, size_t *first,
                        size_t *last)
{
    const size_t items = group->group.items_;
    const size_t item = item_of(group, number);
    const size_t begin = item - item % REAP__SUB_GROUP_ITEMS;
    const size_t final = reap__least(begin + REAP__SUB_GROUP_ITEMS, items) - 1;
    *first = item_of(group, group->group.is_checked_ ? final : begin);
    *last = item_of(group, group->group.is_checked_ ? begin : final);
}

static void set_place(const struct reap__host_group *group, const struct reap__call_site *place)
{
    if (!group->is_watched)
        reap__ring.place = place;
}

/* The group's first word of sub-groups: from now on each item has a fiber of its own. Those that
 * have ended without one did so on the first fiber. */
static void meet_sub_groups(struct reap__host_group *group)
{
    group->sub_group.is_met = true;
    reap__ring.is_starting = 0;
    if (group->place != NULL)
        return;
    group->sub_group.ended = reap__ring.finished;
    if (group->sub_group.ended > 0)
        group->place = &end;
}

static void begin_sub_round(struct reap__host_group *group)
{
    group->sub_group.place = NULL;
    set_place(group, NULL);
}

/* An item waits elsewhere than the sub-group's first. */
static void note_other_of_sub_group(struct reap__host_sub_group *own,
                                    const struct reap__call_site *place)
{
    own->others[reap__ring.running - own->first] = place;
    own->has_parted = true;
}

/* The sub-group of the fiber that runs, runs alone. Items before it wait where the group does. */
static void begin_sub_group(struct reap__host_group *group)
{
    struct reap__host_sub_group *own = &group->sub_group;
    struct reap__fiber *const fibers = group->stacks->fibers;
    size_t first, last;
    find_bounds(group, running(group) + own->ended, &first, &last);
    const size_t before = reap__least(own->ended, last + 1) - reap__least(own->ended, first);
    reap__stacks_ready(group->stacks, group->runs);
    begin_sub_round(group);
    own->first = fibers + (first + before - own->ended);
    own->last = fibers + (last - own->ended);
    reap__ring.last = own->last;
    if (own->first != reap__ring.running || before > 0)
        own->place = group->place;
    own->has_parted = before > 0;
    memset(own->others, 0, sizeof own->others);
}

static struct reap__fiber *continue_sub_group(struct reap__host_group *group)
{
    begin_sub_round(group);
    return reap__ring.running = group->sub_group.first;
}

/* All items of the sub-group wait at a barrier of the group, or have ended. */
static struct reap__fiber *leave_sub_group(struct reap__host_group *group)
{
    struct reap__host_sub_group *own = &group->sub_group;
    const size_t items = (size_t)(own->last - own->first) + 1;
    struct reap__fiber *const last = own->last;
    own->first = NULL;
    reap__ring.last = last_fiber(group);
    if (group->place == NULL)
        group->place = own->place;
    for (size_t i = 0; i < items && own->place != group->place; i++)
        note_other(group, own->place);
    set_place(group, group->place);
    return last == reap__ring.last ? end_round(group) : last + 1;
}

static struct reap__fiber *end_sub_round(struct reap__host_group *group)
{
    struct reap__host_sub_group *own = &group->sub_group;
    if (own->has_parted) {
        group->parted = true;
        return &group->stacks->thread;
    }
    if (!is_of_sub_group(own->place))
        return leave_sub_group(group);
    if (own->place->collective->kind != REAP__GROUP_MEETING)
        collect(group, own->place, own->first, (size_t)(own->last - own->first) + 1);
    return continue_sub_group(group);
}

static struct reap__fiber *sub_group_execution(struct reap__host_group *group,
                                               const struct reap__call_site *place)
{
    struct reap__host_sub_group *own = &group->sub_group;
    if (!own->is_met)
        meet_sub_groups(group);
    if (own->first == NULL)
        begin_sub_group(group);
    if (own->place == NULL) {
        own->place = place;
        set_place(group, place);
    } else if (place != own->place) {
        note_other_of_sub_group(own, place);
    }
    return reap__ring.running == own->last ? end_sub_round(group) : reap__ring.running + 1;
}

/* Whether a sub-group begins a round of its own here. It does not if items before this one are
 * known to be at several places: then where each is, is not. */
static bool meets_sub_group(const struct reap__host_group *group,
                            const struct reap__call_site *place)
{
    size_t first, last;
    if (!is_of_sub_group(place))
        return false;
    if (!group->parted)
        return true;
    find_bounds(group, running(group) + group->sub_group.ended, &first, &last);
    return running(group) + group->sub_group.ended == first;
}

/* ---- Turns ------------------------------------------------------------------------------------*/

static struct reap__fiber *execution(struct reap__host_group *group,
                                     const struct reap__call_site *place)
{
    if (group->sub_group.first != NULL || meets_sub_group(group, place))
        return sub_group_execution(group, place);
    if (group->place == NULL) {
        if (reap__ring.finished == group->runs)
            return &group->stacks->thread; /* all on one fiber */
        reap__stacks_ready(group->stacks, group->runs);
        group->place = place;
        if (!group->is_watched)
            reap__ring.place = place;
    } else if (place != group->place) {
        note_other(group, place);
    }
    if (reap__ring.running == reap__ring.last)
        return end_round(group);
    return reap__ring.running + 1;
}

const struct reap__fiber *reap__group_turn(const struct reap__call_site *place)
{
    struct reap__host_group *group = (struct reap__host_group *)reap__ring.group;
    struct reap__fiber *const from = reap__ring.running;
    struct reap__fiber *const to = execution(group, place);
    reap__ring.running = from; /* it is the one that runs until the switch */
    before_switch(group, to);
    if (to != &group->stacks->thread)
        reap__ring.running = to;
    return to;
}

/* ---- Divergence -------------------------------------------------------------------------------*/

static void describe(char *text, size_t bytes, size_t count, const struct reap__call_site *place)
{
    const size_t length = strlen(text);
    if (count > 0)
        snprintf(text + length, bytes - length, "%s%zu %s at %s (%.200s:%u)",
                 length > 0 ? ", " : "", count, count == 1 ? "is" : "are", place->word, place->file,
                 place->line);
}

static void describe_done(char *text, size_t bytes, size_t count)
{
    const size_t length = strlen(text);
    if (count > 0)
        snprintf(text + length, bytes - length, "%s%zu %s done", length > 0 ? ", " : "", count,
                 count == 1 ? "is" : "are");
}

/* Where the items of a sub-group are: at its place, or elsewhere. */
static void tell_of_sub_group(struct reap__host_group *group)
{
    const struct reap__host_sub_group *own = &group->sub_group;
    const size_t fibers = (size_t)(own->last - own->first) + 1, *id = group->group.id_;
    const struct reap__call_site *places[REAP__SUB_GROUP_ITEMS];
    size_t counts[REAP__SUB_GROUP_ITEMS] = {0}, kinds = 0, done, first, last;
    char where[REAP__MESSAGE_BYTES / 2] = "";
    find_bounds(group, (size_t)(own->last - group->stacks->fibers) + own->ended, &first, &last);
    done = last - first + 1 - fibers;
    for (size_t i = 0; i < fibers; i++) {
        const struct reap__call_site *place = own->others[i] != NULL ? own->others[i] : own->place;
        size_t k = 0;
        while (k < kinds && places[k] != place)
            k++;
        kinds += k == kinds;
        places[k] = place;
        if (place == &end)
            done++;
        else
            counts[k]++;
    }
    for (size_t k = 0; k < kinds; k++)
        describe(where, sizeof where, counts[k], places[k]);
    describe_done(where, sizeof where, done);
    reap__host_run_fail(group->run, REAP_ERROR_DIVERGENT_BARRIER,
                        "kernel '%s': the work-items of sub-group %zu of group (%zu, %zu, %zu) "
                        "part: %s",
                        group->run->kernel->name, item_of(group, first) / REAP__SUB_GROUP_ITEMS,
                        id[0], id[1], id[2], where);
}

/* The place of the round is noted where it is not the kernel's end: then its others are all. */
static void tell(struct reap__host_group *group)
{
    const size_t *id = group->group.id_;
    char where[REAP__MESSAGE_BYTES / 2] = "";
    if (group->place != &end)
        describe(where, sizeof where,
                 group->group.items_ - group->finished - group->at_others[0] - group->at_others[1] -
                     group->elsewhere,
                 group->place);
    describe(where, sizeof where, group->at_others[0], group->others[0]);
    describe(where, sizeof where, group->at_others[1], group->others[1]);
    const size_t length = strlen(where);
    if (group->elsewhere > 0)
        snprintf(where + length, sizeof where - length, ", %zu elsewhere", group->elsewhere);
    describe_done(where, sizeof where, group->finished);
    reap__host_run_fail(group->run, REAP_ERROR_DIVERGENT_BARRIER,
                        "kernel '%s': the work-items of group (%zu, %zu, %zu) part: %s",
                        group->run->kernel->name, id[0], id[1], id[2], where);
}

static void forget(struct reap__host_group *group)
{
    group->parted = false;
    group->others[0] = group->others[1] = NULL;
    group->at_others[0] = group->at_others[1] = group->elsewhere = 0;
}

/* ---- Groups -----------------------------------------------------------------------------------*/

bool reap__host_group_run(struct reap__host_group *group)
{
    struct reap__stacks *stacks = group->stacks;
    void *fake_stack = NULL;
    group->started = 0;
    group->next_id[0] = group->next_id[1] = group->next_id[2] = 0;
    const struct reap__ring outer = reap__ring;
    reap__ring = (struct reap__ring){.last = stacks->fibers + group->runs - 1,
                                     .group = &group->group,
                                     .run = group->is_watched ? run_watched : run,
                                     .end = &end,
                                     .is_starting = !group->is_watched && !group->sub_group.is_met};
    group->sub_group.first = NULL;
    group->sub_group.ended = 0;
    group->group.wait = group->is_watched ? wait_watched : reap__fiber_wait;
    group->group.leap = group->is_watched ? NULL : REAP__FIBER_LEAP;
    begin_round(group);
    if (group->is_watched)
        begin_watching(group);
    reap__stacks_ready(stacks, 1);
    if (group->is_watched && reap__asan_is_here()) {
        size_t bytes;
        const void *bottom = reap__stacks_bottom(stacks, 0, &bytes);
        reap__asan_leave(&fake_stack, bottom, bytes);
    }
    reap__fiber_enter(&stacks->thread, stacks->fibers);
    group->finished = reap__ring.finished;
    reap__ring = outer;
    if (group->is_watched && reap__asan_is_here())
        reap__asan_arrive(fake_stack, NULL, NULL);
    if (group->is_watched)
        end_watching(group);
    if (!group->parted)
        return true;
    reap__stacks_abandon(stacks, false);
    if (group->sub_group.first != NULL)
        tell_of_sub_group(group);
    else
        tell(group);
    forget(group);
    return false;
}

/* ---- Kernels that were compiled at run time ---------------------------------------------------*/

/* In a round each item continues to where it waits, and the round is a round of fibers. */
static void continue_items(struct reap__host_group *group, unsigned *states)
{
    size_t id[3] = {0, 0, 0};
    group->place = NULL;
    for (size_t i = 0; i < group->group.items_; i++) {
        const struct reap__call_site *place =
            (group->compiled->item)(&group->work, id, i, group->private_memory, &states[i]);
        if (place == NULL)
            group->finished++;
        else if (group->place == NULL)
            group->place = place;
        else if (place != group->place)
            note_other(group, place);
        advance(&group->group, id);
    }
    group->parted |= group->finished > 0 && group->finished < group->group.items_;
}

/* The items of a group do not go the same way. They may still wait at the same places. */
static bool run_items_apart(struct reap__host_group *group, unsigned state)
{
    unsigned *const states = (unsigned *)(void *)(group->private_memory + group->private_bytes);
    for (size_t i = 0; i < group->group.items_; i++)
        states[i] = state;
    group->finished = 0;
    while (!group->parted && group->finished == 0)
        continue_items(group, states);
    if (!group->parted)
        return true;
    tell(group);
    forget(group);
    return false;
}

static void wait_in_compiled(struct reap__group *of, const struct reap__call_site *place,
                             void *value)
{
    (void)value;
    refuse(((struct reap__host_group *)of)->run, place, "is where work-items cannot wait");
}

bool reap__host_group_run_compiled(struct reap__host_group *group)
{
    group->group.wait = wait_in_compiled;
    group->group.leap = NULL;
    const unsigned state = (group->compiled->group)(&group->work, group->private_memory);
    return state == 0 || run_items_apart(group, state);
}

/* ---- Phases, and no groups --------------------------------------------------------------------*/

static void wait_without_a_group(struct reap__group *of, const struct reap__call_site *place,
                                 void *value)
{
    struct reap__host_run *const run = reap__current_kernel_run;
    (void)of, (void)value;
    refuse(
        run, place,
        run->kernel->of_groups_ != NULL
            ? "needs a work-group, and the range has none: launch the kernel over an nd_range"
            : "needs a work-group, and a REAP_KERNEL has none: make the kernel a REAP_ND_KERNEL");
}

struct reap__group reap__host_no_group = {.dimensions_ = 1,
                                          .range_ = {1, 1, 1},
                                          .local_range_ = {1, 1, 1},
                                          .items_ = 1,
                                          .global_range_ = {1, 1, 1},
                                          .wait = wait_without_a_group};

bool reap__host_group_run_phases(struct reap__host_group *group)
{
    if (group->has_contexts)
        return reap__host_group_run(group);
    run_phases(group);
    return true;
}
