/* SPDX-License-Identifier: Apache-2.0
 *
 * Sub-groups: the position of a work-item in its sub-group, and the shuffles that group algorithms
 * over a whole group do not have.
 */
#ifndef REAP_DETAIL_HOST_SUB_GROUPS_H
#define REAP_DETAIL_HOST_SUB_GROUPS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/collectives.h>

/* Return the number of sub-groups in a group of `items`; the number of items in the sub-group of
 * `item`. */
REAP__INLINE size_t reap__sub_groups(size_t items)
{
    return (items + REAP__SUB_GROUP_ITEMS - 1) / REAP__SUB_GROUP_ITEMS;
}
REAP__INLINE size_t reap__sub_group_items(size_t items, size_t item)
{
    const size_t left = items - item / REAP__SUB_GROUP_ITEMS * REAP__SUB_GROUP_ITEMS;
    return left < REAP__SUB_GROUP_ITEMS ? left : REAP__SUB_GROUP_ITEMS;
}

/* Return the item of a sub-group of `size` items whose value item `own` gets: its own if the one
 * that it asks for does not exist. */
REAP__INLINE size_t reap__lane_at(size_t own, size_t size, size_t from)
{
    return from < size ? from : own;
}
REAP__INLINE size_t reap__lane_up(size_t own, size_t size, size_t by)
{
    (void)size;
    return by <= own ? own - by : own;
}
REAP__INLINE size_t reap__lane_down(size_t own, size_t size, size_t by)
{
    return by < size - own ? own + by : own;
}
REAP__INLINE size_t reap__lane_xor(size_t own, size_t size, size_t mask)
{
    return (own ^ mask) < size ? own ^ mask : own;
}

/* LANE returns the item whose value is taken. */
#define REAP__SHUFFLE(word, T, v, LANE, argument)                                                  \
    REAP__SHUFFLE_AS(REAP__MINE, REAP__MINE, word, T, v, LANE, argument)
#define REAP__SHUFFLE_AS(mine, source, word, T, v, LANE, argument)                                 \
    __extension__({                                                                                \
        _Static_assert(REAP__IS_GROUPED, "Reap: " word " " REAP__NEEDS_GROUP);                     \
        T mine = (v);                                                                              \
        T reap_spare_;                                                                             \
        const size_t source =                                                                      \
            LANE(reap_item_.local_linear_id_ % REAP__SUB_GROUP_ITEMS,                              \
                 reap__sub_group_items(REAP__GROUP_HERE->items_, reap_item_.local_linear_id_),     \
                 (argument));                                                                      \
        struct reap__contribution reap_offer_ = {&mine, &reap_spare_, source};                     \
        static const struct reap__collective reap_collective_ = {                                  \
            REAP__OF_SUB_GROUP,   REAP__GROUP_SHUFFLE, sizeof(T), REAP__NO_FLOAT,                  \
            REAP__OPERATION_none, REAP__TYPE(T),       NULL};                                      \
        REAP__CALL_SITE(reap_site_, word, &reap_collective_);                                      \
        REAP__WAIT(REAP__GROUP_HERE, &reap_site_, &reap_offer_);                                   \
        mine;                                                                                      \
    })

/* The barrier of a sub-group. */
#define REAP__SUB_GROUP_BARRIER(word)                                                              \
    do {                                                                                           \
        _Static_assert(REAP__IS_GROUPED, "Reap: " word " " REAP__NEEDS_GROUP);                     \
        static const struct reap__collective reap_collective_ = {                                  \
            REAP__OF_SUB_GROUP,   REAP__GROUP_BARRIER, 0,   REAP__NO_FLOAT,                        \
            REAP__OPERATION_none, REAP__TYPE(int),     NULL};                                      \
        REAP__CALL_SITE(reap_site_, word, &reap_collective_);                                      \
        REAP__WAIT(REAP__GROUP_HERE, &reap_site_, NULL);                                           \
    } while (0)

#endif
