/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans. The code of a kernel without work-groups collects values in batches
 * (reap__span_append in detail/host/reductions.h). They are added here: values of dense planes by
 * vector instructions (reduction/exact_plane_tmpl.h), others one by one. Where values are not
 * collected, a kernel's code adds them itself, to dense planes that exist (reap__span_add_float).
 * The rest is added here: the first value of a plane, values of paged planes, numbers that
 * overflow, zeros, and values that are subnormal or not finite.
 */
#include "src/host/exact_span.h"

#include "src/reduction/exact_number.h"
#include "src/reduction/part.h"

#include <math.h>
#include <reap/detail/host/reductions.h>
#include <stddef.h>
#include <string.h>

/* Zeros other than -0 are recorded in a plane that exists, or in the plane of the value 1. */
enum {
    USUAL_PLANE = (1023 + REAP__PLANE_BIAS) >> REAP__PLANE_LOG2,
    USUAL_FLOAT_PLANE = (127 + REAP__FLOAT_PLANE_BIAS) >> REAP__FLOAT_PLANE_LOG2
};

/* A thread counts at most so many values that are not finite, so the counts of all threads together
 * fit in REAP__SPECIAL_BITS. */
enum { MOST_COUNTED = 16 };

/* Spans with more elements than LONG_COPY have paged planes after the first, which become dense
 * when more than 1 / WHOLE_PART of their pages exist. */
enum { LONG_COPY = 4096, WHOLE_PART = 8 };

/* Far copies are those with more bytes, which the nearer caches do not hold. While the values of
 * one block are added, the integers for the next one are prefetched. (On a Zen 4 with 8 MB of
 * integers 1.7 ns a value, instead of 3.4 when one integer was prefetched with each value.) */
enum { FAR_BYTES = 1 << 20 };

/* Values to be added, and their indices. */
struct values {
    size_t indices[REAP__MOST_BATCHED];
    _Alignas(double) unsigned char values[REAP__MOST_BATCHED * sizeof(double)];
    size_t count;
};

struct plane {
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__host_span_copy copy;
    struct reap__span view;
    struct reap__host_span span; /* of an allocated plane: the span, dense or paged */
    unsigned number;
};

struct reap__host_planes {
    struct reap__planes whole; /* the dense planes of finite values, for the kernel's code */
    struct plane *all[REAP__ALL_PLANES]; /* NULL: no value was added */
    struct plane first;                  /* the first one to be created, in memory of the run */
    bool has_first;
    double second_scale; /* of REAP__FIRST_SCALED_PLANE - 1 */

    struct reap__exact_plane usual; /* that values mostly belong to; no numbers: not known */

    bool is_far;
    struct values *batch;   /* far copies: values that a kernel's code does not collect */
    struct values *fetched; /* far copies: values whose integers have been prefetched */
};

/* Far copies have no planes for the kernel's code, so it calls add_later for each value. */
static const struct reap__planes none;

static const struct reap__reduction numbers_of_floats = {
    .operation = "plus",
    .result_size = sizeof(int64_t),
    .value_size = sizeof(int64_t),
    .has_identity = 1,
};
static const struct reap__reduction numbers_of_doubles = {
    .operation = "plus",
    .result_size = sizeof(struct reap__exact_number),
    .value_size = sizeof(struct reap__exact_number),
    .has_identity = 1,
};

const struct reap__reduction *reap__exact_span_numbers(const struct reap__reduction *reduction)
{
    return reduction->number == REAP__IS_DOUBLE ? &numbers_of_doubles : &numbers_of_floats;
}

static bool is_double(const struct reap__host_span *span)
{
    return span->reduction == &numbers_of_doubles;
}

/* ---- Planes -----------------------------------------------------------------------------------*/

/* Returns NULL without memory. */
static struct plane *allocate_plane(const struct reap__host_span_copy *copy, bool is_whole)
{
    struct reap__host_span span = *copy->span;
    span.is_dense = is_whole;
    const size_t bytes = reap__span_copy_bytes(&span);
    struct plane *plane = reap__allocate(sizeof *plane + bytes);
    if (plane == NULL)
        return NULL;
    struct reap__scratch own = {.at = (unsigned char *)(plane + 1), .left = bytes};
    plane->span = span;
    reap__span_copy_take(copy->run, &plane->span, &own, &plane->view, &plane->copy);
    return plane;
}

/* The plane of the floats with this prefix. */
static unsigned plane_of_prefix(unsigned prefix)
{
    const unsigned upper_bits = prefix & (REAP__FLOAT_PREFIXES / 2 - 1);
    return ((upper_bits << (9 - REAP__FLOAT_PREFIX_BITS)) + REAP__FLOAT_PLANE_BIAS) >>
           REAP__FLOAT_PLANE_LOG2;
}

static void show_plane(struct reap__planes *whole, unsigned entry, const struct plane *plane)
{
    whole->numbers[entry] = plane->view.values_;
    whole->counts[entry] = plane->view.count;
}

/* Whether a plane is dense and one of those to which a kernel's code adds. */
static bool is_for_kernels(const struct plane *plane)
{
    const bool is_wide = is_double(plane->copy.span);
    const unsigned first = is_wide ? 1 : REAP__FIRST_SCALED_PLANE;
    const unsigned last = is_wide ? REAP__PLANES - 1 : REAP__FLOAT_PLANES - 1;
    return plane->view.is_dense && plane->number >= first && plane->number < last;
}

/* Adds the plane to the copy, and makes it visible to the kernel's code if it is for that. */
static void set_plane(struct reap__host_span_copy *copy, unsigned number, struct plane *plane)
{
    struct reap__planes *whole = &copy->planes->whole;
    plane->number = number;
    copy->planes->all[number] = plane;
    if (!is_for_kernels(plane))
        return;
    if (is_double(copy->span))
        show_plane(whole, number, plane);
    for (unsigned i = 0; i < REAP__FLOAT_PREFIXES && !is_double(copy->span); i++)
        if (plane_of_prefix(i) == number) {
            show_plane(whole, i, plane);
            whole->scales[i] = (float)reap__exact_float_scale(number);
        }
}

static struct plane *make_plane(struct reap__host_span_copy *copy, unsigned number)
{
    const struct reap__host_span *span = copy->span;
    const bool is_whole = span->is_dense && span->target->count <= LONG_COPY;
    struct plane *plane =
        copy->planes->has_first ? allocate_plane(copy, is_whole) : &copy->planes->first;
    if (plane == NULL) {
        reap__host_run_fail(copy->run, REAP_ERROR_OUT_OF_MEMORY,
                            "kernel '%s': no memory for span '%s'", copy->run->kernel->name,
                            span->target->parameter->name);
        return NULL;
    }
    copy->planes->has_first = true;
    reap__span_copy_begin(&plane->copy);
    set_plane(copy, number, plane);
    return plane;
}

/* Makes a paged plane dense, if there is memory. */
static void make_whole(struct reap__host_span_copy *copy, struct plane *paged)
{
    const size_t size = paged->span.reduction->value_size, count = copy->span->target->count;
    const size_t page = (size_t)1 << paged->span.page_log2;
    struct plane *plane = allocate_plane(copy, true);
    if (plane == NULL)
        return;
    reap__span_copy_begin(&plane->copy);
    for (size_t slot = 1; slot <= paged->copy.used; slot++) {
        const size_t first = (size_t)paged->copy.page_of[slot] << paged->span.page_log2;
        memcpy((char *)plane->view.values_ + first * size,
               reap__span_slot_at(&paged->copy, slot).values,
               (count - first < page ? count - first : page) * size);
    }
    set_plane(copy, paged->number, plane);
    reap__free(paged);
}

/* Returns a plane of a copy, creates it if it does not exist; NULL without memory: the run has
 * failed. */
static struct plane *plane_of(struct reap__host_span_copy *copy, unsigned number)
{
    struct plane *plane = copy->planes->all[number];
    if (plane == NULL)
        return make_plane(copy, number);
    if (copy->span->is_dense && !plane->view.is_dense &&
        plane->copy.used > copy->span->pages / WHOLE_PART)
        make_whole(copy, plane);
    return copy->planes->all[number];
}

/* Returns the integer of an element; creates its page if it does not exist. */
static void *number_at(struct plane *plane, size_t index)
{
    const struct reap__span *view = &plane->view;
    const size_t size = plane->copy.span->reduction->value_size;
    if (view->is_dense)
        return (char *)view->values_ + index * size;
    const size_t page = index >> view->page_log2, mask = ((size_t)1 << view->page_log2) - 1;
    if (view->table[page] == 0)
        reap__span_make_page(&plane->copy, page);
    return reap__span_slot_at(&plane->copy, view->table[page]).values + (index & mask) * size;
}

/* Returns the word of the integer that has the flag, and in the special plane the counts. */
static uint64_t *low_word(struct plane *plane, size_t index)
{
    void *number = number_at(plane, index);
    return is_double(plane->copy.span) ? &((struct reap__exact_number *)number)->low : number;
}

/* ---- Adding -----------------------------------------------------------------------------------*/

static void add_number(struct reap__host_span_copy *copy, unsigned number, size_t index,
                       struct reap__exact_number addend)
{
    for (struct plane *plane; (plane = plane_of(copy, number)) != NULL; number++)
        if (!reap__exact_number_add(number_at(plane, index), is_double(copy->span), addend,
                                    &addend))
            return;
}

/* Counts a value that is not finite: `which` is 0 for NaN, 1 for infinity, 2 for minus infinity. */
static void count(struct reap__host_span_copy *copy, size_t index, unsigned which)
{
    struct plane *plane = plane_of(copy, REAP__SPECIAL_PLANE);
    if (plane == NULL)
        return;
    uint64_t *word = low_word(plane, index);
    const unsigned bit = 1 + REAP__SPECIAL_BITS * which;
    if ((*word >> bit & ((1u << REAP__SPECIAL_BITS) - 1)) < MOST_COUNTED)
        *word = (*word + ((uint64_t)1 << bit)) | 1;
}

static void add_zero(struct reap__host_span_copy *copy, size_t index)
{
    unsigned number = 0;
    while (number < REAP__ALL_PLANES && copy->planes->all[number] == NULL)
        number++;
    if (number == REAP__ALL_PLANES)
        number = is_double(copy->span) ? USUAL_PLANE : USUAL_FLOAT_PLANE;
    struct plane *plane = plane_of(copy, number);
    if (plane != NULL)
        *low_word(plane, index) |= 1;
}

static double value_of(uint64_t bits, bool is_wide)
{
    const uint32_t single_bits = (uint32_t)bits;
    double value;
    float single;
    memcpy(&value, &bits, sizeof value);
    memcpy(&single, &single_bits, sizeof single);
    return is_wide ? value : (double)single;
}

/* Adds any value. */
static void add_any(struct reap__host_span_copy *copy, size_t index, uint64_t bits)
{
    const double value = value_of(bits, is_double(copy->span));
    unsigned number;
    if (index >= copy->span->target->count) {
        reap__span_outside(copy, index);
    } else if (value == 0) {
        if (!signbit(value))
            add_zero(copy, index);
    } else if (isfinite(value)) {
        const struct reap__exact_number addend =
            reap__exact_number_of(value, is_double(copy->span), &number);
        add_number(copy, number, index, (struct reap__exact_number){addend.low | 1, addend.high});
    } else {
        count(copy, index, isnan(value) ? 0 : signbit(value) ? 2 : 1);
    }
}

/* Zeros are frequent, and are recorded in any plane: in the first one that was made, if it is
 * dense. */
static bool add_zero_to_first_plane(struct reap__host_span_copy *copy, size_t index,
                                    bool is_negative)
{
    struct plane *first = &copy->planes->first;
    if (!copy->planes->has_first || !first->view.is_dense || index >= first->view.count)
        return false;
    if (!is_negative)
        *low_word(first, index) |= 1;
    return true;
}

static void add_double(void *owner, size_t index, uint64_t bits)
{
    if (bits << 1 != 0 || !add_zero_to_first_plane(owner, index, bits != 0))
        add_any(owner, index, bits);
}

/* Floats of the second plane are added here as the kernel's code adds others. */
static bool add_to_second_plane(struct reap__host_span_copy *copy, size_t index, uint32_t bits)
{
    const struct plane *plane = copy->planes->all[REAP__FIRST_SCALED_PLANE - 1];
    const unsigned field = bits >> 23 & 0xff;
    if ((field + REAP__FLOAT_PLANE_BIAS) >> REAP__FLOAT_PLANE_LOG2 !=
            REAP__FIRST_SCALED_PLANE - 1 ||
        plane == NULL || !plane->view.is_dense || index >= plane->view.count)
        return false;
    int64_t *at = (int64_t *)plane->view.values_ + index, sum;
    const int64_t term = (int64_t)(value_of(bits, false) * copy->planes->second_scale);
    if (__builtin_add_overflow(*at, term, &sum))
        return false;
    *at = sum | 1;
    return true;
}

static void add_float(void *owner, size_t index, uint64_t bits)
{
    if (bits << 33 == 0 ? !add_zero_to_first_plane(owner, index, bits != 0)
                        : !add_to_second_plane(owner, index, (uint32_t)bits))
        add_any(owner, index, bits);
}

/* ---- Batches ----------------------------------------------------------------------------------*/

static uint64_t bits_at(const void *values, size_t i, bool is_wide)
{
    uint64_t bits;
    uint32_t single_bits;
    memcpy(&single_bits, (const char *)values + i * sizeof(float), sizeof single_bits);
    if (!is_wide)
        return single_bits;
    memcpy(&bits, (const char *)values + i * sizeof(double), sizeof bits);
    return bits;
}

/* Makes another plane the usual one, if it exists. */
static void choose_usual(struct reap__host_planes *planes, unsigned number, bool is_wide)
{
    const struct plane *plane = planes->all[number];
    if (plane == NULL || !is_for_kernels(plane))
        return;
    planes->usual =
        (struct reap__exact_plane){.numbers = plane->view.values_,
                                   .count = plane->view.count,
                                   .number = number,
                                   .scale = is_wide ? 0 : (float)reap__exact_float_scale(number),
                                   .all = &planes->whole,
                                   .room = planes->usual.room};
}

static unsigned plane_number_of(uint64_t bits, bool is_wide)
{
    return is_wide
               ? ((unsigned)(bits << 1 >> 53) + REAP__PLANE_BIAS) >> REAP__PLANE_LOG2
               : ((unsigned)(bits >> 23 & 0xff) + REAP__FLOAT_PLANE_BIAS) >> REAP__FLOAT_PLANE_LOG2;
}

/* Returns the plane to add values to: that of the first and the last one, if they have the same, or
 * the last such plane. */
static const struct reap__exact_plane *
usual_plane(struct reap__host_planes *planes, const struct reap__exact_values *values, bool is_wide)
{
    const uint64_t first = bits_at(values->values, 0, is_wide);
    const uint64_t last = bits_at(values->values, values->count - 1, is_wide);
    const unsigned number = plane_number_of(first, is_wide);
    if (number != planes->usual.number && number == plane_number_of(last, is_wide))
        choose_usual(planes, number, is_wide);
    return &planes->usual;
}

/* Prefetches the integer of a value in the first plane, where most values belong. For an index
 * outside, another one. */
static void fetch(const struct reap__host_span_copy *copy, size_t index)
{
    const struct reap__span *first = &copy->planes->first.view;
    const size_t element = index < first->count ? index : 0;
    __builtin_prefetch((const char *)first->values_ + element * copy->span->reduction->value_size,
                       1, 2);
}

/* Adds some of the values, one by one. */
static inline void add_one_by_one(struct reap__host_span_copy *copy,
                                  const struct reap__exact_values *values, size_t begin, size_t end,
                                  bool is_wide)
{
    const struct reap__span view = {
        .planes = &copy->planes->whole, .owner = copy, .add = is_wide ? add_double : add_float};
    const double *const doubles = values->values;
    const float *const floats = values->values;
    for (size_t i = begin; i < end; i++)
        if (is_wide)
            reap__span_add_double(&view, values->indices[i], doubles[i]);
        else
            reap__span_add_float(&view, values->indices[i], floats[i]);
}

/* Adds values. `ahead`: as many indices whose integers will be needed next, or NULL. */
static inline void add_values(struct reap__host_span_copy *copy,
                              const struct reap__exact_values *values, const size_t *ahead,
                              bool is_wide)
{
    const struct reap__exact_plane *plane = usual_plane(copy->planes, values, is_wide);
    const size_t size = is_wide ? sizeof(double) : sizeof(float), count = values->count;
    size_t done = 0;
    if (plane->numbers != NULL)
        done = reap__exact_add_to_plane(is_wide, plane, values, ahead);
    while (done < count) {
        const size_t end = done + REAP__EXACT_GROUP < count ? done + REAP__EXACT_GROUP : count;
        for (size_t i = done; ahead != NULL && i < end; i++)
            fetch(copy, ahead[i]);
        add_one_by_one(copy, values, done, end, is_wide);
        done = end;
        const struct reap__exact_values rest = {
            values->indices + done, (const char *)values->values + done * size, count - done};
        if (plane->numbers != NULL && done < count)
            done += reap__exact_add_to_plane(is_wide, plane, &rest,
                                             ahead == NULL ? NULL : ahead + done);
    }
}

/* Adds the values whose integers have been prefetched, and prefetches those of `count` other
 * ones. */
static void add_fetched(struct reap__host_span_copy *copy, const size_t *indices, size_t count)
{
    struct values *fetched = copy->planes->fetched;
    const bool is_ahead = fetched->count <= count;
    for (size_t i = is_ahead ? fetched->count : 0; i < count; i++)
        fetch(copy, indices[i]);
    if (fetched->count > 0)
        add_values(copy,
                   &(struct reap__exact_values){fetched->indices, fetched->values, fetched->count},
                   is_ahead ? indices : NULL, is_double(copy->span));
    fetched->count = 0;
}

/* Adds the values of a batch to a far copy, when those of the next one have been prefetched. */
static void add_far(void *owner, const size_t *indices, const void *values, size_t count)
{
    struct reap__host_span_copy *copy = owner;
    struct values *fetched = copy->planes->fetched;
    add_fetched(copy, indices, count);
    memcpy(fetched->indices, indices, count * sizeof *indices);
    memcpy(fetched->values, values, count * copy->span->target->reduction->value_size);
    fetched->count = count;
}

/* Adds the values of a batch, most of which probably belong to the usual plane. */
static inline void add_batch(struct reap__host_span_copy *copy, const size_t *indices,
                             const void *values, size_t count, bool is_wide)
{
    const size_t size = is_wide ? sizeof(double) : sizeof(float);
    const size_t done =
        reap__exact_add_groups(is_wide, &copy->planes->usual, indices, values, count);
    const struct reap__exact_values rest = {indices + done, (const char *)values + done * size,
                                            count - done};
    if (rest.count > 0)
        add_values(copy, &rest, NULL, is_wide);
}

static void add_batch_of_floats(void *owner, const size_t *indices, const void *values,
                                size_t count)
{
    add_batch(owner, indices, values, count, false);
}

static void add_batch_of_doubles(void *owner, const size_t *indices, const void *values,
                                 size_t count)
{
    add_batch(owner, indices, values, count, true);
}

/* Adds a value of a far copy to a batch, where a kernel's code does not. */
static void add_later(void *owner, size_t index, uint64_t bits)
{
    struct reap__host_span_copy *copy = owner;
    struct values *batch = copy->planes->batch;
    const uint32_t single_bits = (uint32_t)bits;
    batch->indices[batch->count] = index;
    if (is_double(copy->span))
        memcpy(batch->values + batch->count * sizeof bits, &bits, sizeof bits);
    else
        memcpy(batch->values + batch->count * sizeof single_bits, &single_bits, sizeof single_bits);
    if (++batch->count < REAP__BATCH)
        return;
    add_far(copy, batch->indices, batch->values, batch->count);
    batch->count = 0;
}

void reap__exact_span_flush(struct reap__host_span_copy *copy)
{
    struct values *batch = copy->planes->batch;
    if (batch->count > 0)
        add_far(copy, batch->indices, batch->values, batch->count);
    batch->count = 0;
    add_fetched(copy, NULL, 0);
}

/* ---- Copies -----------------------------------------------------------------------------------*/

void reap__exact_span_take(struct reap__host_run *run, const struct reap__host_span *span,
                           struct reap__scratch *scratch, struct reap__span *view,
                           struct reap__host_span_copy *copy)
{
    const bool is_far =
        span->is_dense && span->target->count > FAR_BYTES / span->reduction->value_size;
    struct reap__host_planes *planes = reap__scratch_take(scratch, 1, sizeof *planes);
    struct values *values = reap__scratch_take(scratch, 2, sizeof *values);
    struct reap__exact_room *room = reap__scratch_take(scratch, 1, sizeof *room);
    *copy = (struct reap__host_span_copy){.run = run, .span = span, .view = view, .planes = planes};
    if (planes == NULL || values == NULL || room == NULL)
        return;
    memset(planes, 0, sizeof *planes);
    values[0].count = values[1].count = 0;
    planes->is_far = is_far;
    planes->second_scale = reap__exact_float_scale(REAP__FIRST_SCALED_PLANE - 1);
    planes->batch = &values[0];
    planes->fetched = &values[1];
    planes->usual.room = room;
    reap__span_copy_take(run, span, scratch, &planes->first.view, &planes->first.copy);
    *view = (struct reap__span){
        .values_ = planes,
        .count = span->target->count,
        .is_dense = true,
        .owner = copy,
        .planes = is_far ? &none : &planes->whole,
        .add = is_far            ? add_later
               : is_double(span) ? add_double
                                 : add_float,
        .add_batch = is_far            ? add_far
                     : is_double(span) ? add_batch_of_doubles
                                       : add_batch_of_floats,
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

/* Elements are committed in blocks of at most BLOCK; a page consists of whole blocks. */
enum { BLOCK = REAP__EXACT_BLOCK, MOST_SOURCES = 64 };

struct element {
    size_t count;
    struct reap__exact_part parts[REAP__ALL_PLANES];
};

static unsigned plane_number(const struct reap__host_span_copy *source)
{
    return ((const struct plane *)source)->number;
}

/* Returns the first source after `begin` of another plane. */
static size_t end_of_plane(const struct reap__host_span *span, size_t begin)
{
    const unsigned number = plane_number(span->sources[begin]);
    while (begin < span->source_count && plane_number(span->sources[begin]) == number)
        begin++;
    return begin;
}

/* Returns the integers of a source from element `first` on, to the end of its page; NULL if the
 * page does not exist. */
static const void *numbers_at(const struct reap__host_span_copy *source, size_t first)
{
    const struct reap__span *view = source->view;
    const size_t page = first >> view->page_log2, mask = ((size_t)1 << view->page_log2) - 1;
    size_t element = first;
    if (!view->is_dense && view->table[page] == 0)
        return NULL;
    if (!view->is_dense)
        element = view->table[page] * view->slot_elements + (first & mask);
    return (const char *)view->values_ + element * source->span->reduction->value_size;
}

static void append(struct element *element, struct reap__exact_number number, unsigned plane)
{
    if (number.low == 0 && number.high == 0)
        return;
    element->parts[element->count++] = (struct reap__exact_part){number, plane};
}

/* Adds the integers of one plane of floats; 2^64 of them cannot overflow. The lowest bits are
 * flags. */
static void add_floats(struct reap__exact_number *into, const int64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t addend = (uint64_t)from[i] & ~(uint64_t)1, low = into[i].low + addend;
        into[i].high += (from[i] >> 63) + (low < addend);
        into[i].low = low | ((uint64_t)from[i] & 1);
    }
}

/* Adds the integers of one plane of doubles. Returns a bit for each sum that overflows. */
static uint32_t add_doubles(struct reap__exact_number *into, const struct reap__exact_number *from,
                            size_t count)
{
    uint32_t overflowed = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t addend = from[i].low & ~(uint64_t)1, low = into[i].low + addend;
        const uint64_t old = (uint64_t)into[i].high, own = (uint64_t)from[i].high;
        const uint64_t high = old + own + (low < addend);
        overflowed |= (uint32_t)(((old ^ high) & (own ^ high)) >> 63) << i;
        into[i].low = low | (from[i].low & 1);
        into[i].high = (int64_t)high;
    }
    return overflowed;
}

/* Adds the integers of one plane, whose sources are those from `begin` to `end`. Returns a bit for
 * each sum that overflows. */
static uint32_t add_plane(const struct reap__host_span *span, size_t begin, size_t end,
                          size_t first, size_t count, struct reap__exact_number *sums)
{
    const void *from;
    uint32_t overflowed = 0;
    memset(sums, 0, count * sizeof *sums);
    for (size_t i = begin; i < end; i++) {
        if ((from = numbers_at(span->sources[i], first)) == NULL)
            continue;
        if (is_double(span))
            overflowed |= add_doubles(sums, from, count);
        else
            add_floats(sums, from, count);
    }
    return overflowed;
}

/* Collects an element of doubles of which sums overflow, with carries into the next planes. */
static void add_carefully(const struct reap__host_span *span, size_t first, size_t at,
                          struct element *element)
{
    struct reap__exact_number numbers[REAP__ALL_PLANES] = {{0, 0}};
    const struct reap__exact_number *from;
    for (size_t i = 0; i < span->source_count; i++) {
        if ((from = numbers_at(span->sources[i], first)) == NULL)
            continue;
        struct reap__exact_number addend = from[at];
        unsigned number = plane_number(span->sources[i]);
        while (reap__exact_number_add(&numbers[number], true, addend, &addend))
            number++;
    }
    element->count = 0;
    for (unsigned number = 0; number < REAP__ALL_PLANES; number++)
        append(element, numbers[number], number);
}

/* Returns the words of an element, for a launch into parts. */
static uint64_t *delivered(const struct reap__host_span *span, size_t index)
{
    return (uint64_t *)(void *)span->target->delivery->totals +
           index * (size_t)REAP__EXACT_WORDS(span->target->reduction->value_size);
}

/* Stores those elements of a whole block of floats that have one integer, in this plane. Returns a
 * bit for each. */
static uint32_t store_alone(const struct reap__host_span *span, const struct element *elements,
                            unsigned plane, size_t first)
{
    int64_t numbers[BLOCK];
    const int64_t *const source = numbers;
    uint32_t alone = 0;
    for (size_t i = 0; i < BLOCK; i++) {
        const struct reap__exact_part *part = &elements[i].parts[0];
        const bool is_alone = elements[i].count == 1 && part->plane == plane &&
                              part->number.high == (int64_t)part->number.low >> 63;
        numbers[i] = is_alone ? (int64_t)part->number.low : 0;
        alone |= (uint32_t)is_alone << i;
    }
    return reap__exact_floats_store(plane, &source, 1, span->start,
                                    (float *)span->target->variable + first)
               ? alone
               : 0;
}

/* Collects the elements' integers of all planes, from the sources from `begin` to `end`. Returns a
 * bit for each element of which a sum overflows. */
static uint32_t collect(const struct reap__host_span *span, size_t begin, size_t end, size_t first,
                        size_t count, struct element *elements)
{
    struct reap__exact_number sums[BLOCK];
    uint32_t overflowed = 0;
    for (size_t i = 0; i < count; i++)
        elements[i].count = 0;
    for (size_t next; begin < end; begin = next) {
        next = end_of_plane(span, begin);
        overflowed |= add_plane(span, begin, next, first, count, sums);
        for (size_t i = 0; i < count; i++)
            append(&elements[i], sums[i], plane_number(span->sources[begin]));
    }
    return overflowed;
}

/* Commits at most BLOCK elements from `first` on, whose sources are those from `begin` to `end`. */
static void commit_planes(const struct reap__host_span *span, size_t begin, size_t end,
                          size_t first, size_t count)
{
    const struct reap__reduction *reduction = span->target->reduction;
    char *const variables = (char *)span->target->variable + first * reduction->value_size;
    struct element elements[BLOCK];
    const bool are_floats = !is_double(span) && count == BLOCK && span->target->delivery == NULL;
    const uint32_t overflowed = collect(span, begin, end, first, count, elements);
    uint32_t stored = 0;
    for (; are_floats && begin < end; begin = end_of_plane(span, begin))
        stored |= store_alone(span, elements, plane_number(span->sources[begin]), first);
    for (size_t i = 0; i < count; i++) {
        if ((overflowed >> i & 1) != 0)
            add_carefully(span, first, i, &elements[i]);
        if (elements[i].count == 0 || (stored >> i & 1) != 0)
            continue;
        if (span->target->delivery != NULL)
            reap__exact_element_add(reduction, elements[i].parts, elements[i].count,
                                    delivered(span, first + i));
        else
            reap__exact_element_store(reduction, elements[i].parts, elements[i].count, span->start,
                                      variables + i * reduction->value_size);
    }
}

/* Commits a whole block of floats whose sources are of one plane. Returns false if it cannot. */
static bool commit_floats(const struct reap__host_span *span, size_t begin, size_t end,
                          size_t first, size_t count)
{
    const int64_t *sources[MOST_SOURCES];
    size_t source_count = 0;
    if (is_double(span) || count != BLOCK || end - begin > MOST_SOURCES)
        return false;
    for (size_t i = begin; i < end; i++) {
        sources[source_count] = numbers_at(span->sources[i], first);
        source_count += sources[source_count] != NULL;
    }
    return reap__exact_floats_store(plane_number(span->sources[begin]), sources, source_count,
                                    span->start, (float *)span->target->variable + first);
}

/* The same for any block whose sources are of one plane. Returns false if a sum overflows. */
static bool commit_plane(const struct reap__host_span *span, size_t begin, size_t end, size_t first,
                         size_t count)
{
    const struct reap__reduction *reduction = span->target->reduction;
    struct reap__exact_number sums[BLOCK];
    if (commit_floats(span, begin, end, first, count))
        return true;
    if (add_plane(span, begin, end, first, count, sums) != 0)
        return false;
    reap__exact_numbers_store(reduction, plane_number(span->sources[begin]), sums, count,
                              span->start,
                              (char *)span->target->variable + first * reduction->value_size);
    return true;
}

/* Commits a block. Sources without its page are skipped at both ends. */
static void commit_block(const struct reap__host_span *span, size_t first, size_t count)
{
    size_t begin = 0, end = span->source_count;
    while (begin < end && numbers_at(span->sources[begin], first) == NULL)
        begin++;
    while (begin < end && numbers_at(span->sources[end - 1], first) == NULL)
        end--;
    if (begin < end && (span->target->delivery != NULL || end_of_plane(span, begin) < end ||
                        !commit_plane(span, begin, end, first, count)))
        commit_planes(span, begin, end, first, count);
}

void reap__exact_span_commit(const struct reap__host_span *span, size_t first, size_t count)
{
    for (size_t done = 0, block; done < count; done += block) {
        block = count - done < BLOCK ? count - done : BLOCK;
        commit_block(span, first + done, block);
    }
}
