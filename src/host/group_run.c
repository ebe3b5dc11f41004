/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the work-items of a group on fibers, in rounds. In a round each fiber runs until its item
 * waits, or has ended and all items have been started; then the next fiber continues, directly from
 * the one that stops. The end of an item is a call site like those of barriers. When the last fiber
 * has stopped and all are at one call site, the next round begins, or the group has ended; if they
 * are at several, the items have diverged. A fiber whose item has ended waits where it can start an
 * item of the next group.
 *
 * A sub-group whose item calls a function of sub-groups runs alone, in rounds of its own, until all
 * its items wait at a barrier of the group or have ended. Then the group's round continues with the
 * next sub-group.
 */
#include "src/host/group.h"

#include "src/core/sizes.h"
#include "src/host/run.h"
#include "src/port/pages.h"
#include "src/port/sanitizer.h"

#include <stdio.h>
#include <string.h>

/* gcc needs the TLS model at the definition, too. */
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
 * To ThreadSanitizer each work-item is a thread (a context), ordered after what was done before the
 * launch, and with other items only by barriers; in a kernel in phases each group is one. The code
 * of this file runs in the context of the thread that runs the group. A context is kept for a while
 * after its item or group has ended, since the sanitizer reports no races with destroyed contexts.
 */

static bool is_of_sub_group(const struct reap__call_site *site)
{
    return site->collective != NULL && site->collective->scope == REAP__OF_SUB_GROUP;
}

/* The local linear id of the item that is started as number `number`. Checked execution reverses
 * the order. */
static size_t item_of(const struct reap__host_group *group, size_t number)
{
    return group->group.is_checked_ ? group->group.items_ - 1 - number : number;
}

/* The address by which ThreadSanitizer orders the items of a group at its barriers. The groups
 * before and after it have others. */
static void *order_of_group(const struct reap__host_group *group)
{
    static uint64_t orders[8192];
    return &orders[group->group.linear_id_ % (sizeof orders / sizeof *orders)];
}

/* The same for the sub-group of an item. */
static void *order_of_sub_group(const struct reap__host_group *group, size_t number)
{
    static uint64_t orders[8192];
    const size_t of_groups_before =
        group->group.linear_id_ * (group->group.items_ / REAP__SUB_GROUP_ITEMS + 1);
    return &orders[(of_groups_before + item_of(group, number) / REAP__SUB_GROUP_ITEMS) %
                   (sizeof orders / sizeof *orders)];
}

static void *order_of(const struct reap__host_group *group, const struct reap__call_site *site,
                      size_t number)
{
    return is_of_sub_group(site) ? order_of_sub_group(group, number) : order_of_group(group);
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

/* Replaces reap__fiber_wait under sanitizers. Every switch passes through reap__group_next_fiber,
 * since the ring's call site is never set. */
static void wait_watched(struct reap__group *of, const struct reap__call_site *site, void *value)
{
    const struct reap__host_group *group = (struct reap__host_group *)of;
    struct reap__fiber_notes *notes = &group->stacks->notes[running(group)];
    const bool is_item = group->has_contexts && site != &end;
    void *const order = order_of(group, site, running(group));
    if (is_item) {
        reap__tsan_release(order);
        reap__tsan_switch(group->thread_context);
    }
    reap__fiber_wait(of, site, value);
    after_switch((struct reap__host_group *)reap__ring_here()->group, notes->fake_stack);
    if (is_item) {
        reap__tsan_switch(notes->item);
        reap__tsan_acquire(order);
    }
}

/* Switches to a new context, which replaces the oldest one. */
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
    reap__tsan_acquire(order_of_group(group)); /* items that have diverged still wait */
    for (size_t i = 0; i < group->group.items_ && group->has_diverged; i += REAP__SUB_GROUP_ITEMS)
        reap__tsan_acquire(order_of_sub_group(group, i));
}

/* ---- Phases -----------------------------------------------------------------------------------*/

/* Call it before a failure is recorded in the run: switches to the thread's context, since the
 * group's context is not ordered with the launching thread's. Returns the group's context, for
 * return_to_context, or NULL if it has no contexts. */
static void *enter_thread_context(const struct reap__host_group *group)
{
    void *const context = group->has_contexts ? reap__tsan_current() : NULL;
    if (context != NULL)
        reap__tsan_switch(group->thread_context);
    return context;
}

static void return_to_context(void *context)
{
    if (context != NULL)
        reap__tsan_switch(context);
}

static void refuse(struct reap__host_run *run, const struct reap__call_site *site, const char *why)
{
    reap__host_run_fail(run, REAP_ERROR_DIVERGENT_BARRIER, "kernel '%s': %s (%s:%u) %s",
                        run->kernel->name, site->word, site->file, site->line, why);
}

static void wait_in_a_phase(struct reap__group *of, const struct reap__call_site *site, void *value)
{
    (void)value;
    const struct reap__host_group *group = (struct reap__host_group *)of;
    void *const context = enter_thread_context(group);
    refuse(group->run, site, "is in a phase, where work-items cannot wait for each other");
    return_to_context(context);
}

/* Returns a private variable's memory. A declaration in a loop is executed repeatedly, and is one
 * variable. */
static void *take(struct reap__group *of, const struct reap__private_variable *variable)
{
    struct reap__host_group *group = (struct reap__host_group *)of;
    for (size_t i = 0; i < group->private_count; i++)
        if (group->private_variables[i].variable == variable)
            return group->private_memory + group->private_variables[i].begin;
    const size_t mask = variable->alignment - 1, begin = (group->private_used + mask) & ~mask;
    if (group->private_count == MOST_PRIVATE_VARIABLES ||
        begin + variable->size * of->items_ > group->private_bytes) {
        void *const context = enter_thread_context(group);
        reap__host_run_fail(
            group->run, REAP_ERROR_OUT_OF_MEMORY,
            "kernel '%s': it has more than %d reap_item_private variables, or more than %d bytes "
            "of them for each work-item",
            group->run->kernel->name, MOST_PRIVATE_VARIABLES, REAP__MOST_PRIVATE_BYTES);
        return_to_context(context);
        return group->private_memory;
    }
    group->private_used = begin + variable->size * of->items_;
    group->private_variables[group->private_count++] =
        (struct reap__host_private_variable){variable, begin};
    return group->private_memory + begin;
}

static void leave(struct reap__group *of, const char *file, unsigned line)
{
    const struct reap__host_group *group = (struct reap__host_group *)of;
    void *const context = enter_thread_context(group);
    reap__host_run_fail(group->run, REAP_ERROR_DIVERGENT_BARRIER,
                        "kernel '%s': the phase at %s:%u is left by return or goto: not all "
                        "work-items reach its end",
                        group->run->kernel->name, file, line);
    return_to_context(context);
}

static void run_phases(struct reap__host_group *group)
{
    group->group.wait = wait_in_a_phase;
    group->group.leap = NULL;
    group->group.take_ = take;
    group->group.leave = leave;
    if (group->has_contexts && group->private_used > 0)
        reap__pages_renew(group->private_memory, group->private_used);
    group->private_used = group->private_count = 0;
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

/* Runs the next item, or all phases. Checked execution runs items from the last to the first. */
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

/* The ring's `run`. If items have diverged, all may have been started. */
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

/* Replaces `run` under sanitizers, and never returns. After an item the fiber waits at `end`
 * instead of starting the next item, which so has a stack of its own from its begin. */
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

static void note_other(struct reap__host_group *group, const struct reap__call_site *site)
{
    group->has_diverged = true;
    if (site == &end)
        return;
    for (size_t i = 0; i < 2; i++)
        if (group->others[i] == NULL || group->others[i] == site) {
            group->others[i] = site;
            group->at_others[i]++;
            return;
        }
    group->elsewhere++;
}

/* Computes the group algorithm at a call site, for `items` items from fiber `first` on. */
static void collect(struct reap__host_group *group, const struct reap__call_site *site,
                    const struct reap__fiber *first, size_t items)
{
    void *const order = order_of(group, site, (size_t)(first - group->stacks->fibers));
    if (group->has_contexts)
        reap__tsan_acquire(order);
    const char *wrong =
        reap__host_group_algorithm(site->collective, first, items, group->group.is_checked_);
    if (group->has_contexts)
        reap__tsan_release(order);
    if (wrong != NULL)
        reap__host_run_fail(group->run, REAP_ERROR_INDEX_OUT_OF_RANGE, "kernel '%s': %s (%s:%u) %s",
                            group->run->kernel->name, site->word, site->file, site->line, wrong);
}

/* The last fiber that has an item. Items that ended before an item called a function of sub-groups
 * had no fiber of their own. */
static struct reap__fiber *last_fiber(const struct reap__host_group *group)
{
    return group->stacks->fibers + group->runs - group->sub_group.ended - 1;
}

static struct reap__fiber *begin_round(struct reap__host_group *group)
{
    reap__ring.site = group->site = NULL;
    return reap__ring.running = group->stacks->fibers;
}

static struct reap__fiber *end_round(struct reap__host_group *group)
{
    if (group->has_diverged || group->site == &end)
        return &group->stacks->thread;
    if (group->site->collective != NULL)
        collect(group, group->site, group->stacks->fibers, group->group.items_);
    return begin_round(group);
}

/* ---- Rounds of a sub-group --------------------------------------------------------------------*/

/* Finds the first and the last item, in the order in which they are started, of the sub-group of
 * the item that is started as number `number`. */
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

static void set_site(const struct reap__host_group *group, const struct reap__call_site *site)
{
    if (!group->is_watched)
        reap__ring.site = site;
}

/* For the first call of a function of sub-groups in the group: from now on each item has a fiber of
 * its own. Items that have ended without one did so on the first fiber. */
static void meet_sub_groups(struct reap__host_group *group)
{
    group->sub_group.is_met = true;
    reap__ring.is_starting = 0;
    if (group->site != NULL)
        return;
    group->sub_group.ended = reap__ring.finished;
    if (group->sub_group.ended > 0)
        group->site = &end;
}

static void begin_sub_round(struct reap__host_group *group)
{
    group->sub_group.site = NULL;
    set_site(group, NULL);
}

/* Records that the running item waits at another call site than its sub-group's first item. */
static void note_other_of_sub_group(struct reap__host_sub_group *own,
                                    const struct reap__call_site *site)
{
    own->others[reap__ring.running - own->first] = site;
    own->has_diverged = true;
}

/* Lets the running fiber's sub-group run alone. Its items before the running one wait at the
 * group's call site. */
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
        own->site = group->site;
    own->has_diverged = before > 0;
    memset(own->others, 0, sizeof own->others);
}

static struct reap__fiber *continue_sub_group(struct reap__host_group *group)
{
    begin_sub_round(group);
    return reap__ring.running = group->sub_group.first;
}

/* Ends the rounds of a sub-group, all items of which wait at a barrier of the group or have ended.
 * Returns the fiber that continues. */
static struct reap__fiber *leave_sub_group(struct reap__host_group *group)
{
    struct reap__host_sub_group *own = &group->sub_group;
    const size_t items = (size_t)(own->last - own->first) + 1;
    struct reap__fiber *const last = own->last;
    own->first = NULL;
    reap__ring.last = last_fiber(group);
    if (group->site == NULL)
        group->site = own->site;
    for (size_t i = 0; i < items && own->site != group->site; i++)
        note_other(group, own->site);
    set_site(group, group->site);
    return last == reap__ring.last ? end_round(group) : last + 1;
}

static struct reap__fiber *end_sub_round(struct reap__host_group *group)
{
    struct reap__host_sub_group *own = &group->sub_group;
    if (own->has_diverged) {
        group->has_diverged = true;
        return &group->stacks->thread;
    }
    if (!is_of_sub_group(own->site))
        return leave_sub_group(group);
    if (own->site->collective->kind != REAP__GROUP_BARRIER)
        collect(group, own->site, own->first, (size_t)(own->last - own->first) + 1);
    return continue_sub_group(group);
}

static struct reap__fiber *next_in_sub_group(struct reap__host_group *group,
                                             const struct reap__call_site *site)
{
    struct reap__host_sub_group *own = &group->sub_group;
    if (!own->is_met)
        meet_sub_groups(group);
    if (own->first == NULL)
        begin_sub_group(group);
    if (own->site == NULL) {
        own->site = site;
        set_site(group, site);
    } else if (site != own->site) {
        note_other_of_sub_group(own, site);
    }
    return reap__ring.running == own->last ? end_sub_round(group) : reap__ring.running + 1;
}

/* Whether the sub-group of the running item begins rounds of its own at this call site. If items
 * have diverged, only with its first item, since it is not known which of the others waits
 * where. */
static bool meets_sub_group(const struct reap__host_group *group,
                            const struct reap__call_site *site)
{
    size_t first, last;
    if (!is_of_sub_group(site))
        return false;
    if (!group->has_diverged)
        return true;
    find_bounds(group, running(group) + group->sub_group.ended, &first, &last);
    return running(group) + group->sub_group.ended == first;
}

/* ---- The next fiber ---------------------------------------------------------------------------*/

static struct reap__fiber *next_fiber(struct reap__host_group *group,
                                      const struct reap__call_site *site)
{
    if (group->sub_group.first != NULL || meets_sub_group(group, site))
        return next_in_sub_group(group, site);
    if (group->site == NULL) {
        if (reap__ring.finished == group->runs)
            return &group->stacks->thread; /* all items have ended on one fiber */
        reap__stacks_ready(group->stacks, group->runs);
        group->site = site;
        if (!group->is_watched)
            reap__ring.site = site;
    } else if (site != group->site) {
        note_other(group, site);
    }
    if (reap__ring.running == reap__ring.last)
        return end_round(group);
    return reap__ring.running + 1;
}

const struct reap__fiber *reap__group_next_fiber(const struct reap__call_site *site)
{
    struct reap__host_group *group = (struct reap__host_group *)reap__ring.group;
    struct reap__fiber *const from = reap__ring.running;
    struct reap__fiber *const to = next_fiber(group, site);
    reap__ring.running = from; /* it runs until the switch */
    before_switch(group, to);
    if (to != &group->stacks->thread)
        reap__ring.running = to;
    return to;
}

/* ---- Divergence -------------------------------------------------------------------------------*/

/* Of a long path the end, so that a message has room for several. */
enum { PATH_BYTES = 120, WHERE_BYTES = REAP__MESSAGE_BYTES / 4 * 3 };

static void describe(char *text, size_t bytes, size_t count, const struct reap__call_site *site)
{
    if (count == 0)
        return;
    const size_t length = strlen(text), path = strlen(site->file);
    const bool is_long = path > PATH_BYTES;
    snprintf(text + length, bytes - length, "%s%zu %s at %s (%s%s:%u)", length > 0 ? ", " : "",
             count, count == 1 ? "is" : "are", site->word, is_long ? "..." : "",
             site->file + (is_long ? path - PATH_BYTES : 0), site->line);
}

static void describe_done(char *text, size_t bytes, size_t count)
{
    const size_t length = strlen(text);
    if (count > 0)
        snprintf(text + length, bytes - length, "%s%zu %s done", length > 0 ? ", " : "", count,
                 count == 1 ? "is" : "are");
}

/* Fails with the call sites at which the sub-group's items wait. */
static void report_sub_group(struct reap__host_group *group)
{
    const struct reap__host_sub_group *own = &group->sub_group;
    const size_t fibers = (size_t)(own->last - own->first) + 1, *id = group->group.id_;
    const struct reap__call_site *sites[REAP__SUB_GROUP_ITEMS];
    size_t counts[REAP__SUB_GROUP_ITEMS] = {0}, kinds = 0, done, first, last;
    char where[WHERE_BYTES] = "";
    find_bounds(group, (size_t)(own->last - group->stacks->fibers) + own->ended, &first, &last);
    done = last - first + 1 - fibers;
    for (size_t i = 0; i < fibers; i++) {
        const struct reap__call_site *site = own->others[i] != NULL ? own->others[i] : own->site;
        size_t k = 0;
        while (k < kinds && sites[k] != site)
            k++;
        kinds += k == kinds;
        sites[k] = site;
        if (site == &end)
            done++;
        else
            counts[k]++;
    }
    for (size_t k = 0; k < kinds; k++)
        describe(where, sizeof where, counts[k], sites[k]);
    describe_done(where, sizeof where, done);
    reap__host_run_fail(
        group->run, REAP_ERROR_DIVERGENT_BARRIER,
        "kernel '%s': the work-items of sub-group %zu of group (%zu, %zu, %zu) diverge: %s",
        group->run->kernel->name, item_of(group, first) / REAP__SUB_GROUP_ITEMS, id[0], id[1],
        id[2], where);
}

/* Fails with the call sites at which the group's items wait. If the round's is not the kernel's
 * end, all items that are not counted elsewhere wait there. */
static void report(struct reap__host_group *group)
{
    const size_t *id = group->group.id_;
    char where[WHERE_BYTES] = "";
    if (group->site != &end)
        describe(where, sizeof where,
                 group->group.items_ - group->finished - group->at_others[0] - group->at_others[1] -
                     group->elsewhere,
                 group->site);
    describe(where, sizeof where, group->at_others[0], group->others[0]);
    describe(where, sizeof where, group->at_others[1], group->others[1]);
    const size_t length = strlen(where);
    if (group->elsewhere > 0)
        snprintf(where + length, sizeof where - length, ", %zu elsewhere", group->elsewhere);
    describe_done(where, sizeof where, group->finished);
    reap__host_run_fail(group->run, REAP_ERROR_DIVERGENT_BARRIER,
                        "kernel '%s': the work-items of group (%zu, %zu, %zu) diverge: %s",
                        group->run->kernel->name, id[0], id[1], id[2], where);
}

static void forget(struct reap__host_group *group)
{
    group->has_diverged = false;
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
    if (!group->has_diverged)
        return true;
    reap__stacks_abandon(stacks, false);
    if (group->sub_group.first != NULL)
        report_sub_group(group);
    else
        report(group);
    forget(group);
    return false;
}

/* ---- Kernels that were compiled at run time ---------------------------------------------------*/

/* A round, as with fibers: each item continues until it waits or ends. */
static void continue_items(struct reap__host_group *group, unsigned *states)
{
    size_t id[3] = {0, 0, 0};
    group->site = NULL;
    for (size_t i = 0; i < group->group.items_; i++) {
        const struct reap__call_site *site =
            (group->compiled->item)(&group->work, id, i, group->private_memory, &states[i]);
        if (site == NULL)
            group->finished++;
        else if (group->site == NULL)
            group->site = site;
        else if (site != group->site)
            note_other(group, site);
        advance(&group->group, id);
    }
    group->has_diverged |= group->finished > 0 && group->finished < group->group.items_;
}

/* Runs the items one by one from the condition around a barrier at which the loops stopped because
 * it differed between items. They may still reach the same barriers. */
static bool run_items_apart(struct reap__host_group *group, unsigned state)
{
    unsigned *const states = (unsigned *)(void *)(group->private_memory + group->private_bytes);
    for (size_t i = 0; i < group->group.items_; i++)
        states[i] = state;
    group->finished = 0;
    while (!group->has_diverged && group->finished == 0)
        continue_items(group, states);
    if (!group->has_diverged)
        return true;
    report(group);
    forget(group);
    return false;
}

static void wait_in_compiled(struct reap__group *of, const struct reap__call_site *site,
                             void *value)
{
    (void)value;
    refuse(((struct reap__host_group *)of)->run, site, "is where work-items cannot wait");
}

bool reap__host_group_run_compiled(struct reap__host_group *group)
{
    group->group.wait = wait_in_compiled;
    group->group.leap = NULL;
    const unsigned state = (group->compiled->group)(&group->work, group->private_memory);
    return state == 0 || run_items_apart(group, state);
}

/* ---- Phases, and no groups --------------------------------------------------------------------*/

static void wait_without_a_group(struct reap__group *of, const struct reap__call_site *site,
                                 void *value)
{
    struct reap__host_run *const run = reap__current_kernel_run;
    (void)of, (void)value;
    refuse(
        run, site,
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
