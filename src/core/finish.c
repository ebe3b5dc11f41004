/* SPDX-License-Identifier: Apache-2.0
 *
 * The last step of the reduction shape, and canonical NaNs.
 */
#include "src/core/finish.h"

#include <math.h>
#include <reap/half.h>
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

static void canonicalise_halves(void *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        reap_half *value = (reap_half *)values + i;
        if ((value->bits & 0x7fffu) > 0x7c00u)
            value->bits = 0x7e00u;
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
        canonicalise_halves(values, count);
        break;
    case REAP__NO_FLOAT:
        break;
    }
}

/* The variable as a result: with its location where it has one. */
static void load(const struct reap__target *target, void *room)
{
    const struct reap__reduction *reduction = target->reduction;
    memcpy(room, target->variable, reduction->value_size);
    if (target->location != NULL)
        memcpy((char *)room + reduction->location_offset, target->location,
               sizeof *target->location);
}

static void store(const struct reap__target *target, const void *result)
{
    const struct reap__reduction *reduction = target->reduction;
    memcpy(target->variable, result, reduction->value_size);
    if (target->location != NULL)
        memcpy(target->location, (const char *)result + reduction->location_offset,
               sizeof *target->location);
}

void reap__finish_scalar(const struct reap__target *target, const struct reap__results *result,
                         void *room)
{
    const struct reap__reduction *reduction = target->reduction;
    if (result->set != NULL && !*result->set)
        return;
    if (target->initialize) {
        memcpy(room, result->values, reduction->result_size);
    } else {
        load(target, room);
        reduction->combine(room, result->values, 1);
    }
    reap__canonicalise(reduction->number, room, 1);
    store(target, room);
}
