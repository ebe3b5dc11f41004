/* SPDX-License-Identifier: Apache-2.0
 *
 * Private copies of spans, made page by page. Consecutive work-items combine into different
 * replicas, so that many items that hit one element do not wait for each other's store; a short
 * span has more of them. What an element starts from leaves every value as it is: for a
 * floating-point sum that is -0, not the identity +0, so an element that nobody combines into stays
 * what it was.
 */
#include "src/host/span.h"

#include "src/core/finish.h"
#include "src/core/status.h"

#include <reap/half.h>
#include <string.h>

enum { PAGE_BYTES = 1024, MOST_REPLICA_BYTES = 1 << 18 };

size_t reap__span_chunk_items(size_t count)
{
    size_t items = (size_t)1 << 15;
    while (items < (size_t)1 << 20 && items < 32 * count)
        items *= 2;
    while (items < count)
        items *= 2;
    return items;
}

void reap__span_plan(struct reap__host_span *span, const struct reap__target *target)
{
    const size_t size = target->parameter->size;
    span->target = target;
    span->reduction = target->reduction;
    span->has_flags = target->reduction->identity == NULL;
    span->replicas = 8;
    while (span->replicas > 2 && span->replicas * target->count > MOST_REPLICA_BYTES / size)
        span->replicas /= 2;
    span->page_shift = 0;
    while (((size_t)2 << span->page_shift) * size <= PAGE_BYTES)
        span->page_shift++;
    span->pages = (target->count >> span->page_shift) + 1; /* with the element after the last */
    span->stride = span->pages << span->page_shift;
}

/* ---- What a kernel's code calls ---------------------------------------------------------------*/

/* The elements of a page in one replica of a copy. */
static struct reap__results page_at(const struct reap__host_span *span,
                                    const struct reap__span *copy, size_t replica, size_t page)
{
    const struct reap__results all = {copy->values, copy->set};
    return reap__results_at(span->reduction, &all,
                            replica * copy->stride + (page << copy->page_shift));
}

static void touch(void *owner, size_t page)
{
    const struct reap__span_owner *o = owner;
    for (size_t replica = 0; replica <= o->copy->replica_mask; replica++) {
        const struct reap__results results = page_at(o->span, o->copy, replica, page);
        reap__fill(o->span->reduction, o->span->start, &results, (size_t)1 << o->copy->page_shift);
    }
    o->copy->touched[page] = 1;
}

static size_t outside(void *owner, size_t index)
{
    const struct reap__span_owner *o = owner;
    struct reap__host_run *run = o->run;
    const size_t sink = o->copy->count;
    pthread_mutex_lock(&run->merge_lock);
    if (!atomic_load_explicit(&run->outside, memory_order_relaxed)) {
        run->outside_index = index;
        run->outside_target = o->span->target;
        atomic_store_explicit(&run->outside, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&run->merge_lock);
    if (!o->copy->touched[sink >> o->copy->page_shift])
        touch(owner, sink >> o->copy->page_shift);
    return sink;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

static struct reap__span take_copy(const struct reap__host_span *span, size_t replicas,
                                   struct reap__scratch *scratch)
{
    const size_t elements = replicas * span->stride;
    return (struct reap__span){
        .values = reap__scratch_take(scratch, elements, span->reduction->value_size),
        .set = reap__scratch_take(scratch, span->has_flags ? elements : 0, 1),
        .touched = reap__scratch_take(scratch, span->pages, 1),
        .count = span->target->count,
        .stride = span->stride,
        .page_shift = span->page_shift,
        .replica_mask = replicas - 1,
    };
}

static void take_slot_copy(struct reap__host_slot *slot, size_t s, struct reap__scratch *scratch)
{
    const struct reap__host_span *span = &slot->run->spans[s];
    struct reap__span *copy = &slot->spans[s];
    *copy = take_copy(span, span->replicas, scratch);
    copy->owner = &slot->owners[s];
    copy->touch = touch;
    copy->outside = outside;
    slot->owners[s] = (struct reap__span_owner){slot->run, span, copy};
}

reap_status reap__span_take(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const size_t copies = run->slot_count * run->span_count;
    struct reap__span *spans = reap__scratch_take(scratch, copies, sizeof *spans);
    struct reap__span_owner *owners = reap__scratch_take(scratch, copies, sizeof *owners);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].spans = spans + i * run->span_count;
        run->slots[i].owners = owners + i * run->span_count;
    }
    for (size_t s = 0; s < run->span_count; s++) {
        struct reap__host_span *span = &run->spans[s];
        const size_t identities = !span->has_flags || span->target->identity != NULL ? 1 : 0;
        span->identity = reap__scratch_take(scratch, identities, span->reduction->value_size);
        span->start = reap__scratch_take(scratch, identities, span->reduction->value_size);
        span->total = take_copy(span, 1, scratch);
        for (size_t i = 0; i < run->slot_count; i++)
            take_slot_copy(&run->slots[i], s, scratch);
    }
    return reap__scratch_check(scratch);
}

/* ---- Values -----------------------------------------------------------------------------------*/

static void make_minus_zero(enum reap__number number, void *value)
{
    const float single = -0.0f;
    const double wide = -0.0;
    const reap_half half = {0x8000};
    if (number == REAP__IS_FLOAT)
        memcpy(value, &single, sizeof single);
    else if (number == REAP__IS_DOUBLE)
        memcpy(value, &wide, sizeof wide);
    else if (number == REAP__IS_HALF)
        memcpy(value, &half, sizeof half);
}

/* The identity, but -0 for a built-in floating-point sum without an identity of the launch's own.
 */
static void make_start(struct reap__host_span *span)
{
    const struct reap__reduction *reduction = span->reduction;
    const size_t size = reduction->value_size;
    if (span->identity == NULL)
        return;
    if (span->target->identity != NULL)
        memcpy(span->identity, span->target->identity, size);
    else
        reduction->identity(span->identity);
    memcpy(span->start, span->identity, size);
    if (span->target->identity == NULL && strcmp(reduction->operation, "plus") == 0)
        make_minus_zero(reduction->number, span->start);
}

void reap__span_begin_totals(struct reap__host_run *run)
{
    for (size_t s = 0; s < run->span_count; s++) {
        make_start(&run->spans[s]);
        memset(run->spans[s].total.touched, 0, run->spans[s].pages);
    }
}

void reap__span_begin_chunk(struct reap__host_slot *slot)
{
    for (size_t s = 0; s < slot->run->span_count; s++)
        memset(slot->spans[s].touched, 0, slot->run->spans[s].pages);
}

/* The next touched page from `page` on, or `pages`. */
static size_t next_touched(const struct reap__span *copy, size_t page, size_t pages)
{
    const unsigned char *found = memchr(copy->touched + page, 1, pages - page);
    return found != NULL ? (size_t)(found - copy->touched) : pages;
}

/* Replica 0 becomes the fold by halving of all. */
static void fold_replicas(const struct reap__host_span *span, const struct reap__span *copy,
                          size_t page, size_t count)
{
    for (size_t half = span->replicas / 2; half > 0; half /= 2)
        for (size_t replica = 0; replica < half; replica++) {
            const struct reap__results into = page_at(span, copy, replica, page);
            const struct reap__results from = page_at(span, copy, replica + half, page);
            reap__combine(span->reduction, &into, &from, count);
        }
}

static void merge_page(struct reap__host_span *span, const struct reap__span *copy, size_t page)
{
    const size_t count = (size_t)1 << span->page_shift;
    const struct reap__results total = page_at(span, &span->total, 0, page);
    const struct reap__results chunk = page_at(span, copy, 0, page);
    fold_replicas(span, copy, page, count);
    if (span->total.touched[page]) {
        reap__combine(span->reduction, &total, &chunk, count);
        return;
    }
    memcpy(total.values, chunk.values, count * span->reduction->value_size);
    if (total.set != NULL)
        memcpy(total.set, chunk.set, count);
    span->total.touched[page] = 1;
}

void reap__span_merge(struct reap__host_slot *slot)
{
    for (size_t s = 0; s < slot->run->span_count; s++) {
        struct reap__host_span *span = &slot->run->spans[s];
        const struct reap__span *copy = &slot->spans[s];
        for (size_t page = next_touched(copy, 0, span->pages); page < span->pages;
             page = next_touched(copy, page + 1, span->pages))
            merge_page(span, copy, page);
    }
}

/* An array without values in some elements: those are left alone. */
static void commit_present(const struct reap__host_span *span, const struct reap__results *total,
                           unsigned char *variable, size_t count)
{
    const size_t size = span->reduction->value_size;
    for (size_t i = 0; i < count; i++)
        if (total->set[i])
            span->reduction->combine(variable + i * size, total->values + i * size, 1);
}

void reap__span_commit(const struct reap__host_span *span)
{
    const struct reap__reduction *reduction = span->reduction;
    const size_t size = reduction->value_size, count = span->target->count;
    const struct reap__results all = {span->target->variable, NULL};
    const struct reap__span *copy = &span->total;
    if (span->target->initialize)
        reap__fill(reduction, span->identity, &all, count);
    for (size_t page = next_touched(copy, 0, span->pages); page < span->pages;
         page = next_touched(copy, page + 1, span->pages)) {
        const size_t first = page << span->page_shift, most = (size_t)1 << span->page_shift;
        const size_t elements = count - first < most ? count - first : most;
        const struct reap__results total = page_at(span, copy, 0, page);
        unsigned char *variable = all.values + first * size;
        if (total.set != NULL)
            commit_present(span, &total, variable, elements);
        else
            reduction->combine(variable, total.values, elements);
        reap__canonicalise(reduction, variable, elements);
    }
}
