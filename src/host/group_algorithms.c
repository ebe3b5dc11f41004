/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms (docs/groups.md), on values on the work-items' stacks, while all items of the
 * group or sub-group wait. A reduction folds by halving, as the lanes of a node do; a scan proceeds
 * by doubling distances.
 */
#include "src/host/group.h"
#include "src/reduction/operators.h"
#include "src/reduction/store.h"
#include "src/reduction/tree.h"

#include <string.h>

struct values {
    const struct reap__collective *collective;
    void (*combine)(void *into, const void *from);                    /* a user's operator */
    void (*combine_many)(void *into, const void *from, size_t count); /* a built-in one */
    const struct reap__fiber *fibers;
    size_t items;
    bool is_reversed;
};

static void combine(const struct values *values, void *into, const void *from)
{
    if (values->combine != NULL)
        (values->combine)(into, from);
    else
        (values->combine_many)(into, from, 1);
}

static struct reap__contribution *offer(const struct values *values, size_t item)
{
    return values->fibers[values->is_reversed ? values->items - 1 - item : item].value;
}

/* Combines each value with the identity, so that minimum and maximum ignore NaNs, as in other
 * reductions. */
static void ignore_nans(const struct values *values)
{
    const struct reap__collective *collective = values->collective;
    if (collective->number == REAP__NO_FLOAT || !reap__is_extreme(collective->operation))
        return;
    for (size_t i = 0; i < values->items; i++) {
        double temporary;
        void *value = offer(values, i)->value;
        reap__operator_identity(collective->operation, collective->type, &temporary);
        combine(values, &temporary, value);
        memcpy(value, &temporary, collective->size);
    }
}

static void reduce(const struct values *values)
{
    const size_t items = values->items, size = values->collective->size;
    size_t width = 1;
    while (width < items)
        width *= 2;
    for (size_t half = width / 2; half > 0; half /= 2)
        for (size_t i = 0; i < reap__fold_pairs(items, half); i++)
            combine(values, offer(values, i)->value, offer(values, half + i)->value);
    const void *result = offer(values, 0)->value;
    reap__canonicalise(values->collective->number, offer(values, 0)->value, 1);
    for (size_t i = 1; i < items; i++)
        memcpy(offer(values, i)->value, result, size);
}

/* value[i] = op(value[i - distance], value[i]), from the last item to the first, so that values on
 * the right-hand side are still the old ones. The operator's left operand receives the result, so
 * it is copied to `temporary`. */
static void scan_step(const struct values *values, size_t distance, void *temporary)
{
    const size_t size = values->collective->size;
    for (size_t i = values->items; i-- > distance;) {
        void *value = offer(values, i)->value;
        memcpy(temporary, offer(values, i - distance)->value, size);
        combine(values, temporary, value);
        memcpy(value, temporary, size);
    }
}

/* Moves each value to the next item. The first one gets the identity, which is in the spare memory
 * of all items. */
static void shift(const struct values *values)
{
    const size_t size = values->collective->size;
    for (size_t i = values->items; i-- > 1;)
        memcpy(offer(values, i)->value, offer(values, i - 1)->value, size);
    memcpy(offer(values, 0)->value, offer(values, 0)->spare, size);
}

static void scan(const struct values *values, bool is_exclusive)
{
    /* The spare memory of item 0 has the identity; that of the last item is free for a temporary
     * value. (One item takes no steps.) */
    void *temporary = offer(values, values->items - 1)->spare;
    for (size_t distance = 1; distance < values->items; distance *= 2)
        scan_step(values, distance, temporary);
    for (size_t i = 0; i < values->items; i++)
        reap__canonicalise(values->collective->number, offer(values, i)->value, 1);
    if (is_exclusive)
        shift(values);
}

static const char *broadcast(const struct values *values)
{
    const size_t from = offer(values, 0)->from, size = values->collective->size;
    if (from >= values->items)
        return values->collective->scope == REAP__OF_GROUP
                   ? "is asked for the value of a work-item that its group lacks"
                   : "is asked for the value of a work-item that its sub-group lacks";
    for (size_t i = 1; i < values->items; i++)
        if (offer(values, i)->from != from)
            return "is asked for the values of different work-items";
    const void *value = offer(values, from)->value;
    for (size_t i = 0; i < values->items; i++)
        if (i != from)
            memcpy(offer(values, i)->value, value, size);
    return NULL;
}

/* Copies a value; most have 4 or 8 bytes. */
static void copy(void *to, const void *from, size_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

/* The macros of the dialect ensure that each item asks for one that exists. */
static void shuffle(const struct values *values)
{
    const size_t size = values->collective->size;
    for (size_t i = 0; i < values->items; i++)
        copy(offer(values, i)->spare, offer(values, offer(values, i)->from)->value, size);
    for (size_t i = 0; i < values->items; i++)
        copy(offer(values, i)->value, offer(values, i)->spare, size);
}

static bool combines(const struct reap__collective *collective)
{
    return collective->kind <= REAP__GROUP_EXCLUSIVE_SCAN;
}

const char *reap__host_group_algorithm(const struct reap__collective *collective,
                                       const struct reap__fiber *fibers, size_t items,
                                       bool is_reversed)
{
    const bool is_built_in = combines(collective) && collective->combine == NULL;
    const struct values values = {
        .collective = collective,
        .combine = collective->combine,
        .combine_many =
            is_built_in ? reap__operator_functions(collective->operation, collective->type)->combine
                        : NULL,
        .fibers = fibers,
        .items = items,
        .is_reversed = is_reversed};
    if (combines(collective))
        ignore_nans(&values);
    switch (collective->kind) {
    case REAP__GROUP_REDUCE:
        reduce(&values);
        break;
    case REAP__GROUP_INCLUSIVE_SCAN:
    case REAP__GROUP_EXCLUSIVE_SCAN:
        scan(&values, collective->kind == REAP__GROUP_EXCLUSIVE_SCAN);
        break;
    case REAP__GROUP_BROADCAST:
        return broadcast(&values);
    case REAP__GROUP_SHUFFLE:
        shuffle(&values);
        break;
    case REAP__GROUP_BARRIER:
        break;
    }
    return NULL;
}
