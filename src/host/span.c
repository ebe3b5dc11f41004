/* SPDX-License-Identifier: Apache-2.0
 *
 * Private copies of spans: one for each chunk, or one for each thread if every order has the same
 * result. The copy of a short span, or of a span of which nearly all elements are used, is dense:
 * it has all elements from the begin. Other copies are paged: a page is created with its first
 * value, and pages are in the order of their creation, so the cost of a copy depends on the number
 * of elements that are used. Consecutive work-items combine into different replicas, so a work-item
 * does not wait for the store of the previous one when both combine into the same element.
 *
 * An element starts with a value that leaves every value unchanged: for a floating-point sum with
 * -0, not with the identity +0, so an element into which nothing is combined keeps its value.
 */
#include "src/host/span.h"

#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/host/exact_span.h"
#include "src/port/pages.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/store.h"

#include <assert.h>
#include <string.h>

enum {
    PAGE_BYTES = 512,
    APART = 128,       /* bytes: processors fetch pairs of cache lines, so copies share no pair */
    FEW_BYTES = 2048,  /* a copy with so few has four replicas, */
    SOME_BYTES = 8192, /* and with so few two */
    MOST_COPIES = 2,   /* the elements of all threads' copies, for each work-item */
    MOST_UNHIT = 4,    /* with so many elements for each work-item a dense copy costs no more than
                          pages do if all are used; */
    MOST_UNHIT_EXACT = 16, /* the same for exact sums, whose values the library adds to pages; */
    LONG_SPAN = 1 << 20,   /* elements; longer spans are dense if that costs less than combining, */
    LEAST_HITS = 2,        /* which is so with two values for each element */
    LEAST_PART = 256, /* elements of dense copies that are committed at a time: whole pages of paged
                         planes, */
    MOST_PART = 4096, /* and more if each thread then has about */
    PARTS_PER_THREAD = 8, /* so many parts */
    PART_PAGES = 16       /* pages of other copies that are committed at a time */
};

/* Whether a copy should be dense, if each work-item combines one value, since nothing more is
 * known. */
static bool is_worth_whole(size_t items, size_t count, bool is_exact)
{
    const size_t most_unhit = is_exact ? MOST_UNHIT_EXACT : MOST_UNHIT;
    return count <= LONG_SPAN ? items >= count / most_unhit : items / LEAST_HITS >= count;
}

/* The number of replicas, as a power of two, where it does not affect results: up to four, whose
 * addresses stay in registers, if all fit in the first-level cache beside the values. (One element,
 * used by all items, takes 3.0 ns an item on a Xeon with one replica, 1.5 with two and 0.7 with
 * four.) */
static unsigned free_replicas_log2(size_t bytes)
{
    return bytes <= FEW_BYTES ? 2 : bytes <= SOME_BYTES ? 1 : 0;
}

static void plan_span(const struct reap__host_run *run, struct reap__host_span *span,
                      const struct reap__target *target)
{
    span->target = target;
    span->is_exact = reap__is_exact_span(target->reduction);
    span->reduction =
        span->is_exact ? reap__exact_span_numbers(target->reduction) : target->reduction;
    span->has_flags = !span->reduction->has_identity;
    const size_t size = span->reduction->value_size, bytes = target->count * size;
    span->is_dense = bytes <= REAP__DENSE_SPAN_BYTES ||
                     (!run->merges_in_order &&
                      is_worth_whole(run->command->items, target->count, span->is_exact));
    span->replica_log2 = span->is_exact         ? 0
                         : run->merges_in_order ? reap__span_replicas_log2(bytes)
                                                : free_replicas_log2(bytes);
    span->page_log2 = 0;
    while (((size_t)2 << span->page_log2) * size <= PAGE_BYTES)
        span->page_log2++;
    span->pages = target->count == 0 ? 0 : ((target->count - 1) >> span->page_log2) + 1;
}

void reap__span_plan(struct reap__host_run *run)
{
    const struct reap__launch *command = run->command;
    run->merges_in_order = false;
    for (size_t s = 0; s < run->span_count; s++)
        run->merges_in_order |= !reap__span_has_any_order(&command->spans[s]);
    for (size_t s = 0; s < run->span_count; s++)
        plan_span(run, &run->spans[s], &command->spans[s]);
}

size_t reap__span_longest(const struct reap__host_run *run)
{
    size_t longest = 0;
    for (size_t s = 0; s < run->span_count; s++)
        if (run->spans[s].target->count > longest)
            longest = run->spans[s].target->count;
    return longest;
}

/* Copies should not have many more elements than there are work-items. But an item may take long,
 * or combine many values: so there are at least as many threads as chunks. */
size_t reap__span_threads(const struct reap__host_run *run, size_t threads)
{
    const size_t longest = reap__span_longest(run), items = run->command->items;
    if (run->merges_in_order || longest == 0 || items == 0)
        return threads;
    const size_t shares = items >= SIZE_MAX / MOST_COPIES ? threads : items * MOST_COPIES / longest;
    const size_t chunks = (items - 1) / reap__span_chunk_items(longest) + 1;
    const size_t worth = shares > chunks ? shares : chunks;
    return worth < threads ? worth : threads;
}

/* ---- Pages ------------------------------------------------------------------------------------*/

/* The elements of replica 0 from `element` on. */
static struct reap__results elements_at(const struct reap__host_span_copy *copy, size_t element)
{
    const struct reap__results all = {copy->view->values_, copy->view->set_};
    return reap__results_at(copy->span->reduction, &all, element);
}

struct reap__results reap__span_slot_at(const struct reap__host_span_copy *copy, size_t slot)
{
    return elements_at(copy, slot * copy->view->slot_elements);
}

static void initialize_slot(const struct reap__host_span_copy *copy, size_t slot)
{
    const struct reap__results results = reap__span_slot_at(copy, slot);
    if (copy->span->is_exact)
        memset(results.values, 0, copy->view->slot_elements * copy->span->reduction->value_size);
    else
        reap__fill(copy->span->reduction, copy->span->start, &results, copy->view->slot_elements);
}

/* Assigns the next free slot to a page. */
static size_t add_slot(struct reap__host_span_copy *copy, size_t page)
{
    const size_t slot = ++copy->used;
    copy->page_of[slot] = (uint32_t)page;
    copy->view->table[page] = (uint32_t)slot;
    return slot;
}

size_t reap__span_make_page(void *owner, size_t page)
{
    struct reap__host_span_copy *copy = owner;
    const size_t slot = add_slot(copy, page);
    initialize_slot(copy, slot);
    return slot;
}

/* Only the first index of all threads is kept. */
size_t reap__span_outside(void *owner, size_t index)
{
    struct reap__host_span_copy *copy = owner;
    struct reap__host_run *run = copy->run;
    pthread_mutex_lock(&run->merge_lock);
    if (!atomic_load_explicit(&run->outside, memory_order_relaxed)) {
        run->outside_index = index;
        run->outside_target = copy->span->target;
        atomic_store_explicit(&run->outside, true, memory_order_relaxed);
    }
    pthread_mutex_unlock(&run->merge_lock);
    return copy->span->is_dense ? copy->span->target->count : 0;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* A dense replica has one more element than the span, a paged copy one more slot than pages: values
 * outside the span are combined into these. */
static size_t elements_of(const struct reap__host_span *span)
{
    return (span->is_dense ? span->target->count + 1 : (span->pages + 1) << span->page_log2)
           << span->replica_log2;
}

static size_t tables_of(const struct reap__host_span *span)
{
    return span->is_dense ? 0 : span->pages + 1;
}

/* The bytes for a copy's values, with what aligning them to APART may take. */
static size_t apart(size_t bytes)
{
    return bytes == 0 ? 0 : reap__align(bytes + APART - 1) + APART - REAP__MEMORY_ALIGNMENT;
}

size_t reap__span_copy_bytes(const struct reap__host_span *span)
{
    const size_t elements = elements_of(span), tables = tables_of(span);
    return reap__align(tables * sizeof(uint32_t)) * 2 +
           apart(elements * span->reduction->value_size) +
           reap__align(span->has_flags ? elements : 0);
}

static void *take_apart(struct reap__scratch *scratch, size_t elements, size_t size)
{
    const size_t bytes = elements <= PTRDIFF_MAX / size ? apart(elements * size) : SIZE_MAX;
    unsigned char *memory = reap__scratch_take(scratch, bytes, 1);
    return memory == NULL ? NULL : memory + (-(uintptr_t)memory & (APART - 1));
}

void reap__span_copy_take(struct reap__host_run *run, const struct reap__host_span *span,
                          struct reap__scratch *scratch, struct reap__span *view,
                          struct reap__host_span_copy *copy)
{
    const size_t stride = span->target->count + 1;
    const size_t elements = elements_of(span), tables = tables_of(span);
    *copy = (struct reap__host_span_copy){
        .run = run,
        .span = span,
        .view = view,
        .page_of = reap__scratch_take(scratch, tables, sizeof *copy->page_of),
    };
    *view = (struct reap__span){
        .values_ = take_apart(scratch, elements, span->reduction->value_size),
        .set_ = reap__scratch_take(scratch, span->has_flags ? elements : 0, 1),
        .table = reap__scratch_take(scratch, tables, sizeof *view->table),
        .count = span->target->count,
        .replica_mask = ((size_t)1 << span->replica_log2) - 1,
        .replica_stride = span->is_dense ? stride : (size_t)1 << span->page_log2,
        .is_dense = span->is_dense,
        .page_log2 = span->page_log2,
        .slot_elements = (size_t)1 << (span->page_log2 + span->replica_log2),
        .owner = copy,
        .make_page = reap__span_make_page,
        .outside = reap__span_outside,
    };
    if (view->table != NULL)
        memset(view->table, 0, tables * sizeof *view->table);
    if (span->is_dense && view->values_ != NULL)
        reap__pages_prefer_huge(view->values_, elements * span->reduction->value_size);
}

static void take_copy(struct reap__host_run *run, const struct reap__host_span *span,
                      struct reap__scratch *scratch, struct reap__span *view,
                      struct reap__host_span_copy *copy)
{
    (span->is_exact ? reap__exact_span_take : reap__span_copy_take)(run, span, scratch, view, copy);
}

reap_status reap__span_take(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const size_t sets = run->slot_count + (run->merges_in_order ? 1 : 0);
    const size_t count = sets * run->span_count;
    struct reap__span *views = reap__scratch_take(scratch, count, sizeof *views);
    struct reap__host_span_copy *copies = reap__scratch_take(scratch, count, sizeof *copies);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].spans = views + i * run->span_count;
        run->slots[i].copies = copies + i * run->span_count;
    }
    run->totals = copies + run->slot_count * run->span_count;
    for (size_t s = 0; s < run->span_count; s++) {
        struct reap__host_span *span = &run->spans[s];
        const size_t identities = !span->has_flags || span->target->identity != NULL ? 1 : 0;
        const size_t size = span->target->reduction->value_size;
        const size_t own_sets = span->is_exact ? run->slot_count : sets;
        span->identity = reap__scratch_take(scratch, identities, size);
        span->start = reap__scratch_take(scratch, identities, size);
        span->sources = reap__scratch_take(
            scratch, own_sets * (span->is_exact ? REAP__ALL_PLANES : 1), sizeof *span->sources);
        for (size_t i = 0; i < own_sets; i++)
            take_copy(run, span, scratch, &views[i * run->span_count + s],
                      &copies[i * run->span_count + s]);
    }
    return reap__scratch_check(scratch);
}

/* ---- Values -----------------------------------------------------------------------------------*/

void reap__span_begin(struct reap__host_run *run)
{
    for (size_t s = 0; s < run->span_count; s++)
        reap__span_start(run->spans[s].target, run->spans[s].identity, run->spans[s].start);
}

void reap__span_copy_begin(struct reap__host_span_copy *copy)
{
    const struct reap__results all = elements_at(copy, 0);
    if (copy->span->is_exact && copy->span->is_dense)
        memset(all.values, 0, elements_of(copy->span) * copy->span->reduction->value_size);
    else if (copy->span->is_dense)
        reap__fill(copy->span->reduction, copy->span->start, &all, elements_of(copy->span));
    else
        initialize_slot(copy, 0);
}

/* Copies of exact sums are already empty; their planes are created with their first values. */
void reap__span_begin_slot(struct reap__host_slot *slot)
{
    if (slot->is_begun)
        return;
    slot->is_begun = true;
    for (size_t s = 0; s < slot->run->span_count; s++) {
        if (slot->run->spans[s].is_exact)
            continue;
        reap__span_copy_begin(&slot->copies[s]);
        slot->copies[s].is_begun = true;
    }
}

void reap__span_flush(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->span_count; s++)
        for (size_t i = 0; i < run->slot_count && run->spans[s].is_exact; i++)
            reap__exact_span_flush(&run->slots[i].copies[s]);
}

void reap__span_end(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->span_count; s++)
        for (size_t i = 0; i < run->slot_count && run->spans[s].is_exact; i++)
            reap__exact_span_end(&run->slots[i].copies[s]);
}

/* ---- Merging ----------------------------------------------------------------------------------*/

/* Folds the replicas of `count` elements, `stride` elements apart, by halving into the first
 * replica. */
static void fold_replicas(const struct reap__host_span *span, const struct reap__results *first,
                          size_t stride, size_t count)
{
    for (size_t half = (size_t)1 << span->replica_log2 >> 1; half > 0; half /= 2)
        for (size_t replica = 0; replica < half; replica++) {
            const struct reap__results into =
                reap__results_at(span->reduction, first, replica * stride);
            const struct reap__results from =
                reap__results_at(span->reduction, &into, half * stride);
            reap__combine(span->reduction, &into, &from, count);
        }
}

static void fold_copy(const struct reap__host_span_copy *copy)
{
    const struct reap__host_span *span = copy->span;
    const size_t page = (size_t)1 << span->page_log2;
    if (span->is_dense) {
        const struct reap__results first = elements_at(copy, 0);
        fold_replicas(span, &first, copy->view->replica_stride, copy->view->count);
        return;
    }
    for (size_t slot = 1; slot <= copy->used; slot++) {
        const struct reap__results first = reap__span_slot_at(copy, slot);
        fold_replicas(span, &first, page, page);
    }
}

/* Removes all pages of a copy. */
static void empty_copy(struct reap__host_span_copy *copy)
{
    for (size_t slot = 1; slot <= copy->used; slot++)
        copy->view->table[copy->page_of[slot]] = 0;
    copy->used = 0;
}

static void copy_results(const struct reap__reduction *reduction, const struct reap__results *into,
                         const struct reap__results *from, size_t count)
{
    memcpy(into->values, from->values, count * reduction->result_size);
    if (into->set != NULL)
        memcpy(into->set, from->set, count);
}

static void merge_pages(struct reap__host_span_copy *total,
                        const struct reap__host_span_copy *chunk)
{
    const struct reap__reduction *reduction = chunk->span->reduction;
    const size_t elements = (size_t)1 << chunk->span->page_log2;
    for (size_t slot = 1; slot <= chunk->used; slot++) {
        const size_t page = chunk->page_of[slot];
        const struct reap__results from = reap__span_slot_at(chunk, slot);
        if (total->view->table[page] == 0) {
            const struct reap__results new = reap__span_slot_at(total, add_slot(total, page));
            copy_results(reduction, &new, &from, elements);
            continue;
        }
        const struct reap__results into = reap__span_slot_at(total, total->view->table[page]);
        reap__combine(reduction, &into, &from, elements);
    }
}

/* Exchanges two copies: the first chunk's becomes the total. */
static void exchange(struct reap__host_span_copy *a, struct reap__host_span_copy *b)
{
    const struct reap__host_span_copy copy = *a;
    const struct reap__span view = *a->view;
    struct reap__span *const a_view = a->view, *const b_view = b->view;
    *a = *b;
    *b = copy;
    *a_view = *b_view;
    *b_view = view;
    a->view = a_view;
    b->view = b_view;
    a_view->owner = a;
    b_view->owner = b;
}

void reap__span_merge(struct reap__host_slot *slot)
{
    struct reap__host_run *run = slot->run;
    slot->is_begun = false;
    for (size_t s = 0; s < run->span_count; s++) {
        struct reap__host_span_copy *chunk = &slot->copies[s], *total = &run->totals[s];
        if (chunk->span->is_exact)
            continue; /* every order has the same result */
        fold_copy(chunk);
        if (!total->is_begun) {
            exchange(chunk, total);
            continue;
        }
        chunk->is_begun = false;
        if (chunk->span->is_dense) {
            const struct reap__results into = elements_at(total, 0), from = elements_at(chunk, 0);
            reap__combine(chunk->span->reduction, &into, &from, chunk->view->count);
        } else {
            merge_pages(total, chunk);
            empty_copy(chunk);
        }
    }
}

/* ---- The caller's array -----------------------------------------------------------------------*/

static void add_source(struct reap__host_span *span, struct reap__host_span_copy *copy)
{
    if (copy->is_begun)
        span->sources[span->source_count++] = copy;
}

static void gather(struct reap__host_run *run, size_t s)
{
    struct reap__host_span *span = &run->spans[s];
    const struct reap__target *target = span->target;
    span->source_count = span->parts = 0;
    if (span->is_exact)
        reap__exact_span_gather(run, s);
    else if (run->merges_in_order)
        add_source(span, &run->totals[s]);
    else
        for (size_t i = 0; i < run->slot_count; i++)
            add_source(span, &run->slots[i].copies[s]);
    if (span->is_dense && (span->source_count > 0 || target->initialize)) {
        assert(run->slot_count > 0);
        const size_t part = target->count / (run->slot_count * PARTS_PER_THREAD);
        span->part_elements = part < MOST_PART ? (part / LEAST_PART + 1) * LEAST_PART : MOST_PART;
        span->parts = reap__divide_up(target->count, span->part_elements);
        return;
    }
    const struct reap__results all = {target->variable, NULL};
    if (target->initialize)
        reap__fill(target->reduction, span->identity, &all, target->count);
    for (size_t i = 0; i < span->source_count; i++)
        span->parts += reap__divide_up(span->sources[i]->used, PART_PAGES);
}

size_t reap__span_begin_commit(struct reap__host_run *run)
{
    size_t parts = 0;
    for (size_t s = 0; s < run->span_count; s++) {
        gather(run, s);
        parts += run->spans[s].parts;
    }
    return parts;
}

static bool has_page(const struct reap__host_span_copy *copy, size_t page)
{
    return copy->view->table[page] != 0;
}

bool reap__span_source_at(const struct reap__host_span_copy *copy, size_t first,
                          struct reap__results *results)
{
    const struct reap__host_span *span = copy->span;
    const size_t page = first >> span->page_log2, mask = ((size_t)1 << span->page_log2) - 1;
    if (span->is_dense) {
        *results = elements_at(copy, first);
        return true;
    }
    if (!has_page(copy, page))
        return false;
    const struct reap__results slot = reap__span_slot_at(copy, copy->view->table[page]);
    *results = reap__results_at(span->reduction, &slot, first & mask);
    return true;
}

/* Commits `count` elements from `first` on: a part of a dense span, or a page. */
static void commit_elements(const struct reap__host_run *run, const struct reap__host_span *span,
                            size_t first, size_t count)
{
    struct reap__results from, into = {NULL, NULL};
    if (span->is_exact) {
        reap__exact_span_commit(span, first, count);
        return;
    }
    for (size_t i = 0; i < span->source_count; i++) {
        const struct reap__host_span_copy *source = span->sources[i];
        if (!reap__span_source_at(source, first, &from))
            continue;
        if (!run->merges_in_order)
            fold_replicas(span, &from, source->view->replica_stride, count);
        if (into.values == NULL)
            into = from;
        else
            reap__combine(span->reduction, &into, &from, count);
    }
    if (into.values != NULL)
        reap__store_span(span->target, span->start, &into, first, count);
}

static void commit_range(const struct reap__host_run *run, const struct reap__host_span *span,
                         size_t part)
{
    const struct reap__target *target = span->target;
    const size_t first = part * span->part_elements, left = target->count - first;
    const size_t count = left < span->part_elements ? left : span->part_elements;
    const struct reap__results all = {target->variable, NULL};
    const struct reap__results variables = reap__results_at(target->reduction, &all, first);
    if (target->initialize)
        reap__fill(target->reduction, span->identity, &variables, count);
    commit_elements(run, span, first, count);
}

/* Whether no earlier source has the page: the first one that has it commits it for all. */
static bool is_first_with(const struct reap__host_span *span, size_t source, size_t page)
{
    for (size_t i = 0; i < source; i++)
        if (has_page(span->sources[i], page))
            return false;
    return true;
}

static void commit_pages(const struct reap__host_run *run, const struct reap__host_span *span,
                         size_t part)
{
    const size_t elements = (size_t)1 << span->page_log2;
    size_t source = 0;
    for (size_t parts; part >= (parts = reap__divide_up(span->sources[source]->used, PART_PAGES));
         source++)
        part -= parts;
    const struct reap__host_span_copy *copy = span->sources[source];
    const size_t begin = 1 + part * PART_PAGES, end = begin + PART_PAGES;
    for (size_t slot = begin; slot < end && slot <= copy->used; slot++) {
        const size_t page = copy->page_of[slot], first = page << span->page_log2;
        const size_t left = span->target->count - first;
        if (is_first_with(span, source, page))
            commit_elements(run, span, first, left < elements ? left : elements);
    }
}

void reap__span_commit(const struct reap__host_run *run, size_t part)
{
    const struct reap__host_span *span = run->spans;
    for (; part >= span->parts; span++)
        part -= span->parts;
    (span->is_dense ? commit_range : commit_pages)(run, span, part);
}
