/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's code adds most values itself (reap__span_add in detail/host/reductions.h), to whole
 * planes that exist. The rest is added here: the first value of a plane, values into planes that
 * are paged, numbers that overflow, zeros, and values that are subnormal or not finite.
 */
#include "src/host/exact_span.h"

#include "src/reduction/exact_number.h"

#include <math.h>
#include <string.h>

/* Zeros are noted in a plane that exists, or in that of 1. */
enum { USUAL_PLANE = (1023 + REAP__PLANE_BIAS) >> REAP__PLANE_LOG2 };

/* Numbers of the special plane count values up to so many: NaN, infinite, minus infinite. */
enum { COUNT_BITS = 42 };
static const uint64_t most_counted = (uint64_t)1 << 32;

struct plane {
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__host_span_copy copy;
    struct reap__span view;
    bool is_allocated;
};

struct reap__host_planes {
    void *whole[REAP__PLANES];           /* what the kernel's code sees: planes of finite values */
    struct plane *all[REAP__ALL_PLANES]; /* NULL: nothing was added */
    struct plane first;                  /* the first that is made, with memory of the run's */
    bool has_first;
};

const struct reap__reduction reap__exact_span_numbers = {
    .operation = "plus",
    .result_size = sizeof(struct reap__exact_number),
    .value_size = sizeof(struct reap__exact_number),
    .has_identity = 1,
};

/* ---- Planes -----------------------------------------------------------------------------------*/

static struct plane *allocate_plane(struct reap__host_span_copy *copy)
{
    const size_t bytes = reap__span_copy_bytes(copy->span);
    struct plane *plane = reap__allocate(sizeof *plane + bytes);
    if (plane == NULL) {
        reap__host_run_fail(copy->run, REAP_ERROR_OUT_OF_MEMORY,
                            "kernel '%s': no memory for span '%s'", copy->run->kernel->name,
                            copy->span->target->parameter->name);
        return NULL;
    }
    plane->is_allocated = true;
    struct reap__scratch own = {.at = (unsigned char *)(plane + 1), .left = bytes};
    reap__span_copy_take(copy->run, copy->span, &own, &plane->view, &plane->copy);
    return plane;
}

static void set_plane(struct reap__host_span_copy *copy, unsigned number, struct plane *plane)
{
    copy->planes->all[number] = plane;
    if (copy->span->is_dense && number > 0 && number < REAP__PLANES - 1)
        copy->planes->whole[number] = plane->view.values_;
}

/* The plane of a copy, made if it is not there; NULL without memory: the run has failed. */
static struct plane *plane_of(struct reap__host_span_copy *copy, unsigned number)
{
    struct reap__host_planes *planes = copy->planes;
    struct plane *plane = planes->all[number];
    if (plane != NULL)
        return plane;
    plane = planes->has_first ? allocate_plane(copy) : &planes->first;
    if (plane == NULL)
        return NULL;
    planes->has_first = true;
    reap__span_copy_begin(&plane->copy);
    set_plane(copy, number, plane);
    return plane;
}

static struct reap__exact_number *numbers_in_slot(const struct plane *plane, size_t slot)
{
    return (struct reap__exact_number *)reap__span_slot_at(&plane->copy, slot).values;
}

static struct reap__exact_number *numbers_of_page(const struct plane *plane, size_t page)
{
    return numbers_in_slot(plane, plane->view.table[page]);
}

static struct reap__exact_number *number_at(struct plane *plane, size_t index)
{
    const struct reap__span *view = &plane->view;
    if (view->is_dense)
        return (struct reap__exact_number *)view->values_ + index;
    const size_t page = index >> view->page_log2;
    if (view->table[page] == 0)
        reap__span_make_page(&plane->copy, page);
    return numbers_of_page(plane, page) + (index & (((size_t)1 << view->page_log2) - 1));
}

/* ---- Adding -----------------------------------------------------------------------------------*/

static void add_number(struct reap__host_span_copy *copy, unsigned number, size_t index,
                       struct reap__exact_number addend)
{
    for (struct plane *plane; (plane = plane_of(copy, number)) != NULL; number++)
        if (!reap__exact_number_add(number_at(plane, index), addend, &addend))
            return;
}

/* Counts a value that is not finite: number 0 to 2. */
static void count(struct reap__host_span_copy *copy, size_t index, unsigned which)
{
    struct plane *plane = plane_of(copy, REAP__SPECIAL_PLANE);
    if (plane == NULL)
        return;
    struct reap__exact_number *at = number_at(plane, index), ignored;
    const unsigned bit = 1 + COUNT_BITS * which;
    const uint64_t high = (uint64_t)at->high;
    const uint64_t counted = which == 0   ? at->low >> bit
                             : which == 1 ? at->low >> bit | high << (64 - bit)
                                          : high >> (bit - 64);
    if ((counted & (((uint64_t)1 << COUNT_BITS) - 1)) >= most_counted)
        return;
    const struct reap__exact_number one = {
        .low = 1 | (bit < 64 ? (uint64_t)1 << bit : 0),
        .high = bit < 64 ? 0 : (int64_t)1 << (bit - 64),
    };
    reap__exact_number_add(at, one, &ignored);
}

static void add_zero(struct reap__host_span_copy *copy, size_t index)
{
    unsigned number = 0;
    while (number < REAP__ALL_PLANES && copy->planes->all[number] == NULL)
        number++;
    if (number == REAP__ALL_PLANES)
        number = USUAL_PLANE;
    struct plane *plane = plane_of(copy, number);
    if (plane != NULL)
        number_at(plane, index)->low |= 1;
}

static void add(void *owner, size_t index, double value)
{
    struct reap__host_span_copy *copy = owner;
    unsigned number;
    if (index >= copy->span->target->count) {
        reap__span_outside(copy, index);
    } else if (value == 0) {
        if (!signbit(value))
            add_zero(copy, index);
    } else if (isfinite(value)) {
        const struct reap__exact_number addend = reap__exact_number_of(value, &number);
        add_number(copy, number, index, (struct reap__exact_number){addend.low | 1, addend.high});
    } else {
        count(copy, index, isnan(value) ? 0 : signbit(value) ? 2 : 1);
    }
}

/* ---- Copies -----------------------------------------------------------------------------------*/

void reap__exact_span_take(struct reap__host_run *run, const struct reap__host_span *span,
                           struct reap__scratch *scratch, struct reap__span *view,
                           struct reap__host_span_copy *copy)
{
    struct reap__host_planes *planes = reap__scratch_take(scratch, 1, sizeof *planes);
    *copy = (struct reap__host_span_copy){.run = run, .span = span, .view = view, .planes = planes};
    if (planes == NULL)
        return;
    memset(planes, 0, sizeof *planes);
    reap__span_copy_take(run, span, scratch, &planes->first.view, &planes->first.copy);
    *view = (struct reap__span){
        .values_ = planes,
        .count = span->target->count,
        .is_dense = true,
        .owner = copy,
        .planes = planes->whole,
        .add = add,
    };
}

/* Takes a plane out of a copy. */
static struct plane *take_plane(struct reap__host_planes *planes, unsigned number)
{
    struct plane *plane = planes->all[number];
    planes->all[number] = NULL;
    if (number < REAP__PLANES)
        planes->whole[number] = NULL;
    return plane;
}

static void release_plane(struct reap__host_planes *planes, unsigned number)
{
    struct plane *plane = take_plane(planes, number);
    if (plane->is_allocated)
        reap__free(plane);
    else if (plane == &planes->first)
        planes->has_first = false;
}

void reap__exact_span_end(struct reap__host_span_copy *copy)
{
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        if (copy->planes->all[number] != NULL)
            release_plane(copy->planes, number);
}

/* ---- Merging ----------------------------------------------------------------------------------*/

static void merge_numbers(struct reap__host_span_copy *total, unsigned number, size_t first,
                          const struct reap__exact_number *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (from[i].low != 0 || from[i].high != 0)
            add_number(total, number, first + i, from[i]);
}

#ifdef __SIZEOF_INT128__
/* Adds whole planes, up to the first number that overflows; returns its index, or `count`. */
static size_t add_numbers(reap__int128 *into, const reap__int128 *from, size_t count)
{
    const reap__int128 flag = 1;
    for (size_t i = 0; i < count; i++) {
        reap__int128 sum;
        if (__builtin_add_overflow(into[i] & ~flag, from[i] & ~flag, &sum))
            return i;
        into[i] = sum | ((into[i] | from[i]) & flag);
    }
    return count;
}

static void merge_whole(struct reap__host_span_copy *total, unsigned number,
                        const struct plane *plane)
{
    const size_t count = total->span->target->count;
    reap__int128 *into = total->planes->all[number]->view.values_;
    const reap__int128 *from = plane->view.values_;
    for (size_t i = 0; (i += add_numbers(into + i, from + i, count - i)) < count; i++)
        merge_numbers(total, number, i, (const struct reap__exact_number *)plane->view.values_ + i,
                      1);
}
#else
static void merge_whole(struct reap__host_span_copy *total, unsigned number,
                        const struct plane *plane)
{
    merge_numbers(total, number, 0, plane->view.values_, total->span->target->count);
}
#endif

static void merge_plane(struct reap__host_span_copy *total, unsigned number,
                        const struct plane *plane)
{
    const struct reap__host_span *span = total->span;
    const size_t count = span->target->count, page = (size_t)1 << span->page_log2;
    if (span->is_dense) {
        merge_whole(total, number, plane);
        return;
    }
    for (size_t slot = 1; slot <= plane->copy.used; slot++) {
        const size_t first = (size_t)plane->copy.page_of[slot] << span->page_log2;
        merge_numbers(total, number, first, numbers_in_slot(plane, slot),
                      count - first < page ? count - first : page);
    }
}

void reap__exact_span_merge(struct reap__host_span_copy *total,
                            const struct reap__host_span_copy *chunk)
{
    for (unsigned number = 0; number < REAP__ALL_PLANES && chunk != total; number++) {
        if (chunk->planes->all[number] == NULL)
            continue;
        if (total->planes->all[number] == NULL) {
            set_plane(total, number, take_plane(chunk->planes, number));
            continue;
        }
        merge_plane(total, number, chunk->planes->all[number]);
        release_plane(chunk->planes, number);
    }
}

/* ---- The caller's array -----------------------------------------------------------------------*/

static void gather(struct reap__exact_element *element, struct reap__exact_number number,
                   unsigned plane)
{
    if (number.low == 0 && number.high == 0)
        return;
    element->numbers[element->count] = number;
    element->planes[element->count++] = plane;
}

/* Elements `first` to `first` + count, of which `pages` are in each plane, or NULL. */
static void commit_elements(const struct reap__host_span_copy *total, size_t first, size_t count,
                            struct reap__exact_number *const *pages)
{
    const struct reap__host_span *span = total->span;
    const struct reap__reduction *reduction = span->target->reduction;
    unsigned present[REAP__ALL_PLANES], planes = 0;
    struct reap__exact_element element;
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        if (pages[number] != NULL)
            present[planes++] = number;
    for (size_t i = 0; i < count; i++) {
        element.count = 0;
        for (unsigned p = 0; p < planes; p++)
            gather(&element, pages[present[p]][i], present[p]);
        if (element.count > 0)
            reap__exact_element_store(reduction, &element, span->start,
                                      (char *)span->target->variable +
                                          (first + i) * reduction->value_size);
    }
}

/* Elements of a page, with those of the planes below `below` that have it already. */
static void commit_page(const struct reap__host_span_copy *total, size_t page, unsigned below)
{
    const struct reap__host_span *span = total->span;
    struct reap__exact_number *pages[REAP__ALL_PLANES];
    const size_t first = page << span->page_log2, count = span->target->count - first;
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++) {
        const struct plane *plane = total->planes->all[number];
        const bool has_page = plane != NULL && plane->view.table[page] != 0;
        if (has_page && number < below)
            return; /* it was committed with that plane */
        pages[number] = has_page ? numbers_of_page(plane, page) : NULL;
    }
    commit_elements(total, first,
                    count < (size_t)1 << span->page_log2 ? count : (size_t)1 << span->page_log2,
                    pages);
}

void reap__exact_span_commit(const struct reap__host_span_copy *total)
{
    struct reap__exact_number *pages[REAP__ALL_PLANES];
    if (!total->span->is_dense) {
        for (unsigned number = 0; number < REAP__ALL_PLANES; number++) {
            const struct plane *plane = total->planes->all[number];
            for (size_t slot = 1; plane != NULL && slot <= plane->copy.used; slot++)
                commit_page(total, plane->copy.page_of[slot], number);
        }
        return;
    }
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++) {
        const struct plane *plane = total->planes->all[number];
        pages[number] = plane != NULL ? plane->view.values_ : NULL;
    }
    commit_elements(total, 0, total->span->target->count, pages);
}
