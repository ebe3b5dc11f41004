/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores results in variables: the last step of the reduction shape, and canonical NaNs.
 */
#include "src/reduction/store.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/reduction/exact_number.h"

#include <math.h>
#include <string.h>

static void canonicalise_floats(void *values, size_t count)
{
    const uint32_t canonical = 0x7fc00000u;
    for (size_t i = 0; i < count; i++) {
        float *value = (float *)values + i;
        if (isnan(*value))
            memcpy(value, &canonical, sizeof canonical);
    }
}

static void canonicalise_doubles(void *values, size_t count)
{
    const uint64_t canonical = 0x7ff8000000000000u;
    for (size_t i = 0; i < count; i++) {
        double *value = (double *)values + i;
        if (isnan(*value))
            memcpy(value, &canonical, sizeof canonical);
    }
}

/* `infinity` and `canonical` are the bits of the type's infinity and canonical NaN. */
static void canonicalise_narrow(void *values, size_t count, uint16_t infinity, uint16_t canonical)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t *value = (uint16_t *)values + i;
        if ((*value & 0x7fffu) > infinity)
            *value = canonical;
    }
}

void reap__canonicalise(enum reap__number number, void *values, size_t count)
{
    switch (number) {
    case REAP__IS_FLOAT:
        canonicalise_floats(values, count);
        break;
    case REAP__IS_DOUBLE:
        canonicalise_doubles(values, count);
        break;
    case REAP__IS_HALF:
        canonicalise_narrow(values, count, 0x7c00, 0x7e00);
        break;
    case REAP__IS_BFLOAT16:
        canonicalise_narrow(values, count, 0x7f80, 0x7fc0);
        break;
    case REAP__NO_FLOAT:
        break;
    }
}

/* memcpy, without a call for the most frequent sizes. */
static inline void copy(void *to, const void *from, size_t size)
{
    if (size == sizeof(float))
        memcpy(to, from, sizeof(float));
    else if (size == sizeof(double))
        memcpy(to, from, sizeof(double));
    else
        memcpy(to, from, size);
}

/* Copies the variable to a result, with its location if it has one. */
static void load(const struct reap__target *target, void *temporary)
{
    const struct reap__reduction *reduction = target->reduction;
    copy(temporary, target->variable, reduction->value_size);
    if (target->location != NULL)
        memcpy((char *)temporary + reduction->location_offset, target->location,
               sizeof *target->location);
}

static void store(const struct reap__target *target, const void *result)
{
    const struct reap__reduction *reduction = target->reduction;
    copy(target->variable, result, reduction->value_size);
    if (target->location != NULL)
        memcpy(target->location, (const char *)result + reduction->location_offset,
               sizeof *target->location);
}

static void combine(const struct reap__reduction *reduction, void *into, const void *from,
                    size_t count)
{
    const struct reap__results to = {into, NULL}, other = {(unsigned char *)from, NULL};
    reap__combine(reduction, &to, &other, count);
}

/* Adds the variable to the exact sum, and rounds once. */
static void store_exact(const struct reap__target *target, const struct reap__results *result,
                        uint64_t *words)
{
    const struct reap__reduction *reduction = target->reduction;
    union {
        double of_double;
        float of_float;
    } variable;
    memcpy(words, result->values, reduction->result_size);
    memcpy(&variable, target->variable, reduction->value_size);
    if (!target->initialize)
        reap__exact_add(reduction, words, &variable, 1);
    reap__exact_round(reduction, words, target->variable);
}

void reap__store_scalar(const struct reap__target *target, const struct reap__results *result,
                        void *temporary)
{
    const struct reap__reduction *reduction = target->reduction;
    if (result->set != NULL && !*result->set)
        return;
    if (reap__is_exact(reduction)) {
        store_exact(target, result, temporary);
        return;
    }
    if (target->initialize) {
        copy(temporary, result->values, reduction->result_size);
    } else {
        load(target, temporary);
        combine(reduction, temporary, result->values, 1);
    }
    reap__canonicalise(reduction->number, temporary, 1);
    store(target, temporary);
}

static size_t most_result_bytes(const struct reap__launch *command)
{
    size_t most = 0;
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->scalars[s].reduction->result_size > most)
            most = command->scalars[s].reduction->result_size;
    return (most + REAP__MEMORY_ALIGNMENT - 1) / REAP__MEMORY_ALIGNMENT * REAP__MEMORY_ALIGNMENT;
}

static void store_empty(const struct reap__target *target, unsigned char *identity, void *temporary)
{
    const struct reap__reduction *reduction = target->reduction;
    unsigned char set = reap__identity_of(reduction, identity);
    if (target->identity != NULL && !reap__is_exact(reduction)) {
        memcpy(identity, target->identity, reduction->value_size);
        set = 1;
    }
    const struct reap__results result = {identity, &set};
    for (size_t line = 0; line < target->count; line++) {
        struct reap__target element = *target;
        element.variable = (unsigned char *)target->variable + line * reduction->value_size;
        reap__store_scalar(&element, &result, temporary);
    }
}

reap_status reap__store_empty_lines(const struct reap__launch *command)
{
    const size_t bytes = most_result_bytes(command);
    unsigned char *memory = reap__allocate(2 * bytes);
    if (memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its results",
                          command->kernel->name);
    for (size_t s = 0; s < command->scalar_count; s++)
        store_empty(&command->scalars[s], memory, memory + bytes);
    reap__free(memory);
    return REAP_OK;
}

/* ---- Spans ------------------------------------------------------------------------------------*/

const void *reap__minus_zero(enum reap__number number)
{
    static const float single = -0.0f;
    static const double wide = -0.0;
    static const uint16_t narrow = 0x8000;
    return number == REAP__IS_DOUBLE  ? (const void *)&wide
           : number == REAP__IS_FLOAT ? (const void *)&single
                                      : (const void *)&narrow;
}

static void make_minus_zero(const struct reap__reduction *reduction, void *value)
{
    if (reduction->number != REAP__NO_FLOAT)
        memcpy(value, reap__minus_zero(reduction->number), reduction->value_size);
}

void reap__span_start(const struct reap__target *target, void *identity, void *start)
{
    const struct reap__reduction *reduction = target->reduction;
    const size_t size = reduction->value_size;
    if (identity == NULL)
        return;
    if (target->identity != NULL)
        memcpy(identity, target->identity, size);
    else
        reap__identity_of(reduction, identity);
    memcpy(start, identity, size);
    if (target->identity == NULL && strcmp(reduction->operation, "plus") == 0)
        make_minus_zero(reduction, start);
}

/* Whether nothing was combined into an element: then it is not stored, so that a NaN keeps its
 * payload. */
static bool is_untouched(const struct reap__target *target, const void *start,
                         const struct reap__results *total, size_t i)
{
    const size_t size = target->reduction->value_size;
    if (total->set != NULL)
        return !total->set[i];
    return memcmp((const char *)total->values + i * size, start, size) == 0;
}

bool reap__span_has_any_order(const struct reap__target *target)
{
    const struct reap__reduction *reduction = target->reduction;
    return reap__is_exact_span(reduction) ||
           (reduction->is_builtin && target->identity == NULL &&
            (reduction->number == REAP__NO_FLOAT || reap__is_extreme(reduction->built_in)));
}

static void finish_run(const struct reap__reduction *reduction, const struct reap__results *total,
                       size_t from, unsigned char *variables, size_t count)
{
    const size_t size = reduction->value_size;
    combine(reduction, variables + from * size, total->values + from * size, count);
    reap__canonicalise(reduction->number, variables + from * size, count);
}

void reap__store_span(const struct reap__target *target, const void *start,
                      const struct reap__results *total, size_t first, size_t count)
{
    const struct reap__reduction *reduction = target->reduction;
    unsigned char *variables = (unsigned char *)target->variable + first * reduction->value_size;
    if (reduction->number == REAP__NO_FLOAT && reap__span_has_any_order(target)) {
        /* combining with the identity changes no bits */
        finish_run(reduction, total, 0, variables, count);
        return;
    }
    for (size_t from = 0, to; from < count; from = to) {
        while (from < count && is_untouched(target, start, total, from))
            from++;
        for (to = from; to < count && !is_untouched(target, start, total, to);)
            to++;
        if (to > from)
            finish_run(reduction, total, from, variables, to - from);
    }
}
