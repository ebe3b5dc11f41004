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
    unsigned number;
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
    struct reap__scratch own = {.at = (unsigned char *)(plane + 1), .left = bytes};
    reap__span_copy_take(copy->run, copy->span, &own, &plane->view, &plane->copy);
    return plane;
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
    plane->number = number;
    planes->all[number] = plane;
    if (copy->span->is_dense && number > 0 && number < REAP__PLANES - 1)
        planes->whole[number] = plane->view.values_;
    reap__span_copy_begin(&plane->copy);
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

void reap__exact_span_end(struct reap__host_span_copy *copy)
{
    struct reap__host_planes *planes = copy->planes;
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        if (planes->all[number] != NULL && planes->all[number] != &planes->first)
            reap__free(planes->all[number]);
}

/* ---- The caller's array -----------------------------------------------------------------------*/

void reap__exact_span_gather(struct reap__host_run *run, size_t s)
{
    struct reap__host_span *span = &run->spans[s];
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        for (size_t i = 0; i < run->slot_count; i++) {
            struct plane *plane = run->slots[i].copies[s].planes->all[number];
            if (plane != NULL)
                span->sources[span->source_count++] = &plane->copy;
        }
}

/* Elements are committed in blocks of so many, or fewer; a page is a block. */
enum { BLOCK = 32 };

/* The elements of a block, of all planes and threads. */
struct block {
    struct reap__exact_element elements[BLOCK];
    uint32_t overflowed; /* bit i: of element i numbers have been left out, or all */
};

static unsigned number_of(const struct reap__host_span_copy *source)
{
    return ((const struct plane *)source)->number;
}

static const struct reap__exact_number *numbers_at(const struct reap__host_span_copy *source,
                                                   size_t first)
{
    struct reap__results results;
    return reap__span_source_at(source, first, &results) ? (const void *)results.values : NULL;
}

static void append(struct reap__exact_element *element, struct reap__exact_number number,
                   unsigned plane)
{
    if (number.low == 0 && number.high == 0)
        return;
    element->numbers[element->count] = number;
    element->planes[element->count++] = plane;
}

/* Adds numbers of one plane to others; returns whose sums overflow, which are not right then. */
static uint32_t add_numbers(struct reap__exact_number *into, const struct reap__exact_number *from,
                            size_t count)
{
    uint32_t overflowed = 0;
    for (size_t i = 0; i < count; i++) {
        struct reap__exact_number carry;
        overflowed |= (uint32_t)reap__exact_number_add(&into[i], from[i], &carry) << i;
    }
    return overflowed;
}

/* Adds the numbers of one plane, whose sources are those from `begin` to `end`. */
static void add_plane(const struct reap__host_span *span, size_t begin, size_t end, size_t first,
                      size_t count, struct block *block)
{
    struct reap__exact_number sums[BLOCK];
    const struct reap__exact_number *from;
    bool is_there = false;
    for (size_t i = begin; i < end; i++) {
        if ((from = numbers_at(span->sources[i], first)) == NULL)
            continue;
        if (is_there)
            block->overflowed |= add_numbers(sums, from, count);
        else
            memcpy(sums, from, count * sizeof *sums);
        is_there = true;
    }
    for (size_t i = 0; is_there && i < count; i++)
        append(&block->elements[i], sums[i], number_of(span->sources[begin]));
}

/* An element some of whose numbers are too large for their plane, with carries. */
static void add_carefully(const struct reap__host_span *span, size_t first, size_t at,
                          struct reap__exact_element *element)
{
    struct reap__exact_number numbers[REAP__ALL_PLANES] = {{0, 0}};
    const struct reap__exact_number *from;
    for (size_t i = 0; i < span->source_count; i++) {
        if ((from = numbers_at(span->sources[i], first)) == NULL)
            continue;
        struct reap__exact_number addend = from[at];
        unsigned number = number_of(span->sources[i]);
        while (reap__exact_number_add(&numbers[number], addend, &addend))
            number++;
    }
    element->count = 0;
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        append(element, numbers[number], number);
}

static void commit_block(const struct reap__host_span *span, size_t first, size_t count)
{
    const struct reap__reduction *reduction = span->target->reduction;
    char *const variables = (char *)span->target->variable + first * reduction->value_size;
    struct block block;
    block.overflowed = 0;
    for (size_t i = 0; i < count; i++)
        block.elements[i].count = 0;
    for (size_t begin = 0, end; begin < span->source_count; begin = end) {
        const unsigned number = number_of(span->sources[begin]);
        for (end = begin; end < span->source_count && number_of(span->sources[end]) == number;)
            end++;
        add_plane(span, begin, end, first, count, &block);
    }
    for (size_t i = 0; i < count; i++) {
        if ((block.overflowed >> i & 1) != 0)
            add_carefully(span, first, i, &block.elements[i]);
        if (block.elements[i].count > 0)
            reap__exact_element_store(reduction, &block.elements[i], span->start,
                                      variables + i * reduction->value_size);
    }
}

void reap__exact_span_commit(const struct reap__host_span *span, size_t first, size_t count)
{
    for (size_t done = 0, left; span->source_count > 0 && done < count; done += left) {
        left = count - done < BLOCK ? count - done : BLOCK;
        commit_block(span, first + done, left);
    }
}
