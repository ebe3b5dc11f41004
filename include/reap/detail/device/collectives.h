/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms on devices, in the order of docs/groups.md. Work-items exchange values of any
 * size through 16 bytes of local memory for each item, one part at a time, between barriers.
 */
#ifndef REAP_DETAIL_DEVICE_COLLECTIVES_H
#define REAP_DETAIL_DEVICE_COLLECTIVES_H

/* PoCL 3.1 compiles a barrier under a condition in a loop wrongly if a branch that differs between
 * work-items follows (docs/devices.md). So on a processor a word that has such a branch after its
 * barriers, also in a user's operator, ends with another barrier. */
#ifdef REAP__IS_PROCESSOR
#define REAP__END_BRANCHES(item) reap__sync_items(item)
#else
#define REAP__END_BRANCHES(item) ((void)0)
#endif

/* The value of item `from` in `mine`. */
REAP__FUNCTION reap__ulong2 reap__fetch_pair(const reap_item item, const reap__ulong2 mine,
                                             size_t from)
{
    item.exchange[item.local_linear_id] = mine;
    reap__sync_items(item);
    const reap__ulong2 theirs = item.exchange[from];
    reap__sync_items(item);
    return theirs;
}

/* The same for 32-bit words: `theirs` may be `mine`. */
REAP__FUNCTION void reap__fetch_words(const reap_item item, const reap__ulong *mine,
                                      reap__ulong *theirs, reap__uint words, size_t from)
{
    for (reap__uint w = 0; w < words; w += 2) {
        reap__ulong2 pair;
        pair.x = mine[w];
        pair.y = w + 1 < words ? mine[w + 1] : 0;
        pair = reap__fetch_pair(item, pair, from);
        theirs[w] = pair.x;
        if (w + 1 < words)
            theirs[w + 1] = pair.y;
    }
}

#ifdef __cplusplus
template <typename T> REAP__FUNCTION T reap__fetch(const reap_item item, T v, size_t from)
{
    union either {
        reap__ulong words[(sizeof(T) + 7) / 8];
        T value;
    } mine, theirs;
    mine.value = v;
    reap__fetch_words(item, mine.words, theirs.words, (sizeof(T) + 7) / 8, from);
    return theirs.value;
}
#else
/* The same for bytes in private memory, in place. */
REAP__FUNCTION reap__uchar *reap__fetch_bytes(const reap_item item, reap__uchar *bytes, size_t size,
                                              size_t from)
{
    for (size_t b = 0; b < size; b += 16) {
        union {
            reap__ulong words[2];
            reap__uchar bytes[16];
        } pair;
        for (size_t i = 0; i < 16; i++)
            pair.bytes[i] = b + i < size ? bytes[b + i] : 0;
        reap__fetch_words(item, pair.words, pair.words, 2, from);
        for (size_t i = 0; i < 16 && b + i < size; i++)
            bytes[b + i] = pair.bytes[i];
    }
    return bytes;
}
#endif

/* APPLY(op, a, b) combines, BEGIN(op, v) is an item's initial value, SETTLE(v) makes a NaN the
 * canonical one. In parallel: */
#define REAP__GROUP_IN_STEPS(name, T, APPLY, BEGIN, SETTLE)                                        \
    union REAP__PASTE(reap__words_, name) {                                                        \
        reap__ulong words[(sizeof(T) + 7) / 8];                                                    \
        T value;                                                                                   \
    };                                                                                             \
    REAP__FUNCTION T REAP__PASTE(reap__fetch_, name)(const reap_item item, T v, size_t from)       \
    {                                                                                              \
        union REAP__PASTE(reap__words_, name) mine, theirs;                                        \
        mine.value = v;                                                                            \
        reap__fetch_words(item, mine.words, theirs.words, (sizeof(T) + 7) / 8, from);              \
        return theirs.value;                                                                       \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__steps_reduce_, name)(const reap_item item, int op, T v)     \
    {                                                                                              \
        const size_t l = item.local_linear_id;                                                     \
        size_t reach = 1;                                                                          \
        T own = BEGIN(op, v);                                                                      \
        while (reach < item.items)                                                                 \
            reach *= 2;                                                                            \
        for (reach /= 2; reach > 0; reach /= 2) {                                                  \
            const bool pairs = l < reach && l + reach < item.items;                                \
            const T other = REAP__PASTE(reap__fetch_, name)(item, own, pairs ? l + reach : l);     \
            if (pairs)                                                                             \
                own = APPLY(op, own, other);                                                       \
        }                                                                                          \
        SETTLE(own);                                                                               \
        return REAP__PASTE(reap__fetch_, name)(item, own, 0);                                      \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__steps_inclusive_, name)(const reap_item item, int op, T v)  \
    {                                                                                              \
        const size_t l = item.local_linear_id;                                                     \
        T own = BEGIN(op, v);                                                                      \
        for (size_t d = 1; d < item.items; d *= 2) {                                               \
            const T other = REAP__PASTE(reap__fetch_, name)(item, own, l >= d ? l - d : l);        \
            if (l >= d)                                                                            \
                own = APPLY(op, other, own);                                                       \
        }                                                                                          \
        SETTLE(own);                                                                               \
        REAP__END_BRANCHES(item);                                                                  \
        return own;                                                                                \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__steps_shift_, name)(const reap_item item, T own)            \
    {                                                                                              \
        const size_t l = item.local_linear_id;                                                     \
        return REAP__PASTE(reap__fetch_, name)(item, own, l > 0 ? l - 1 : 0);                      \
    }

/* On a processor one item computes the result for all, in the same order: steps of many items are
 * not faster there, and OpenCL's compilers for processors take exponentially long for loops with
 * barriers. Values must fit in an item's memory for the exchange. */
#define REAP__GROUP_AT_ONCE(name, T, APPLY, BEGIN, SETTLE)                                         \
    REAP__FUNCTION T REAP__PASTE(reap__once_reduce_, name)(const reap_item item, int op, T v)      \
    {                                                                                              \
        REAP_LOCAL T *const all = (REAP_LOCAL T *)item.exchange;                                   \
        size_t reach = 1;                                                                          \
        all[item.local_linear_id] = BEGIN(op, v);                                                  \
        reap__sync_items(item);                                                                    \
        if (item.local_linear_id == 0) {                                                           \
            while (reach < item.items)                                                             \
                reach *= 2;                                                                        \
            for (reach /= 2; reach > 0; reach /= 2)                                                \
                for (size_t i = 0; i < reach && i + reach < item.items; i++)                       \
                    all[i] = APPLY(op, all[i], all[i + reach]);                                    \
        }                                                                                          \
        reap__sync_items(item);                                                                    \
        T own = all[0];                                                                            \
        SETTLE(own);                                                                               \
        reap__sync_items(item);                                                                    \
        return own;                                                                                \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__once_inclusive_, name)(const reap_item item, int op, T v)   \
    {                                                                                              \
        REAP_LOCAL T *const all = (REAP_LOCAL T *)item.exchange;                                   \
        all[item.local_linear_id] = BEGIN(op, v);                                                  \
        reap__sync_items(item);                                                                    \
        if (item.local_linear_id == 0)                                                             \
            for (size_t d = 1; d < item.items; d *= 2)                                             \
                for (size_t i = item.items; i-- > d;)                                              \
                    all[i] = APPLY(op, all[i - d], all[i]);                                        \
        reap__sync_items(item);                                                                    \
        T own = all[item.local_linear_id];                                                         \
        SETTLE(own);                                                                               \
        reap__sync_items(item);                                                                    \
        return own;                                                                                \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__once_shift_, name)(const reap_item item, T own)             \
    {                                                                                              \
        REAP_LOCAL T *const all = (REAP_LOCAL T *)item.exchange;                                   \
        const size_t l = item.local_linear_id;                                                     \
        all[l] = own;                                                                              \
        reap__sync_items(item);                                                                    \
        const T before = all[l > 0 ? l - 1 : 0];                                                   \
        reap__sync_items(item);                                                                    \
        return before;                                                                             \
    }

#ifdef REAP__IS_PROCESSOR
#define REAP__GROUP_EITHER(T, algorithm, name, ...)                                                \
    if (sizeof(T) <= sizeof(reap__ulong2))                                                         \
        return REAP__PASTE(reap__once_##algorithm##_, name)(__VA_ARGS__);                          \
    return REAP__PASTE(reap__steps_##algorithm##_, name)(__VA_ARGS__)
#else
#define REAP__GROUP_EITHER(T, algorithm, name, ...)                                                \
    return REAP__PASTE(reap__steps_##algorithm##_, name)(__VA_ARGS__)
#undef REAP__GROUP_AT_ONCE
#define REAP__GROUP_AT_ONCE(name, T, APPLY, BEGIN, SETTLE)
#endif

#define REAP__GROUP_FUNCTIONS(name, T, APPLY, BEGIN, SETTLE)                                       \
    REAP__GROUP_IN_STEPS(name, T, APPLY, BEGIN, SETTLE)                                            \
    REAP__GROUP_AT_ONCE(name, T, APPLY, BEGIN, SETTLE)                                             \
    REAP__FUNCTION T REAP__PASTE(reap__reduce_, name)(const reap_item item, int op, T v)           \
    {                                                                                              \
        REAP__GROUP_EITHER(T, reduce, name, item, op, v);                                          \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__inclusive_, name)(const reap_item item, int op, T v)        \
    {                                                                                              \
        REAP__GROUP_EITHER(T, inclusive, name, item, op, v);                                       \
    }                                                                                              \
    REAP__FUNCTION T REAP__PASTE(reap__shift_, name)(const reap_item item, T own)                  \
    {                                                                                              \
        REAP__GROUP_EITHER(T, shift, name, item, own);                                             \
    }
#define REAP__GROUP_EXCLUSIVE(name, T, IDENTITY)                                                   \
    REAP__FUNCTION T REAP__PASTE(reap__exclusive_, name)(const reap_item item, int op, T v)        \
    {                                                                                              \
        const T own = REAP__PASTE(reap__inclusive_, name)(item, op, v);                            \
        T before = REAP__PASTE(reap__shift_, name)(item, own);                                     \
        if (item.local_linear_id == 0)                                                             \
            before = IDENTITY(op, (T *)0);                                                         \
        REAP__END_BRANCHES(item);                                                                  \
        return before;                                                                             \
    }

/* The built-in operators by number, which is always a constant. */
#define REAP__NUMBERED(op, ...) REAP__OPERATION_##op,
enum reap__operation {
    REAP__NUMBER_OPERATORS(REAP__NUMBERED, ~) REAP__BIT_OPERATORS(REAP__NUMBERED, ~)
        REAP__LOGICAL_OPERATORS(REAP__NUMBERED, ~)
};
#define REAP__CASE_APPLY(op, ...)                                                                  \
    case REAP__OPERATION_##op:                                                                     \
        return reap__##op(a, b);
#define REAP__CASE_IDENTITY(op, ...)                                                               \
    case REAP__OPERATION_##op:                                                                     \
        return reap__identity_of_##op(type);
#define REAP__APPLY(T, NUMBERS, BITS, LOGICALS)                                                    \
    REAP__OVERLOAD T reap__apply(int op, T a, T b)                                                 \
    {                                                                                              \
        switch (op) {                                                                              \
            NUMBERS(REAP__CASE_APPLY, ~)                                                           \
            BITS(REAP__CASE_APPLY, ~)                                                              \
            LOGICALS(REAP__CASE_APPLY, ~)                                                          \
        }                                                                                          \
        return a;                                                                                  \
    }                                                                                              \
    REAP__OVERLOAD T reap__identity(int op, T *type)                                               \
    {                                                                                              \
        switch (op) {                                                                              \
            NUMBERS(REAP__CASE_IDENTITY, ~)                                                        \
            BITS(REAP__CASE_IDENTITY, ~)                                                           \
            LOGICALS(REAP__CASE_IDENTITY, ~)                                                       \
        }                                                                                          \
        return *type;                                                                              \
    }
#define REAP__NO_OPERATORS(X, ...)

/* Minimum and maximum ignore NaNs, as a reduction does, which begins with the identity. */
#define REAP__BEGIN_AS_IT_IS(op, v) (v)
#define REAP__BEGIN_FLOAT(op, v)                                                                   \
    ((op) == REAP__OPERATION_minimum || (op) == REAP__OPERATION_maximum                            \
         ? reap__apply(op, reap__identity(op, &(v)), v)                                            \
         : (v))
#define REAP__SETTLE_BUILTIN(v) reap__settle(&(v))

#define REAP__GROUP_BUILTIN(name, T, BEGIN)                                                        \
    REAP__GROUP_FUNCTIONS(name, T, reap__apply, BEGIN, REAP__SETTLE_BUILTIN)                       \
    REAP__GROUP_EXCLUSIVE(name, T, reap__identity)                                                 \
    REAP__GROUP_BY_TYPE(reduce, name, T)                                                           \
    REAP__GROUP_BY_TYPE(inclusive, name, T)                                                        \
    REAP__GROUP_BY_TYPE(exclusive, name, T)
#define REAP__GROUP_BY_TYPE(algorithm, name, T)                                                    \
    REAP__OVERLOAD T reap__group_##algorithm(const reap_item item, int op, T *type, T v)           \
    {                                                                                              \
        return reap__##algorithm##_##name(item, op, v);                                            \
    }
#define REAP__GROUP_INTEGER(name, T, ...)                                                          \
    REAP__APPLY(T, REAP__NUMBER_OPERATORS, REAP__BIT_OPERATORS, REAP__NO_OPERATORS)                \
    REAP__GROUP_BUILTIN(name, T, REAP__BEGIN_AS_IT_IS)
#define REAP__GROUP_FLOAT(name, T)                                                                 \
    REAP__APPLY(T, REAP__NUMBER_OPERATORS, REAP__NO_OPERATORS, REAP__NO_OPERATORS)                 \
    REAP__GROUP_BUILTIN(name, T, REAP__BEGIN_FLOAT)
REAP__INTEGER_TYPES(REAP__GROUP_INTEGER)
REAP__FLOAT_TYPES(REAP__GROUP_FLOAT)
#define REAP__GROUP_NARROW(name, T, ...) REAP__GROUP_FLOAT(name, T)
REAP__NARROW_TYPES(REAP__GROUP_NARROW)
REAP__APPLY(bool, REAP__NO_OPERATORS, REAP__BIT_OPERATORS, REAP__LOGICAL_OPERATORS)
REAP__GROUP_BUILTIN(boolean, bool, REAP__BEGIN_AS_IT_IS)

/* The user's operators. */
#define REAP__SETTLE_USER(v) ((void)0)
#define REAP__USER_APPLY(name, T)                                                                  \
    REAP__FUNCTION T REAP__PASTE(reap__apply_, name)(int op, T a, T b)                             \
    {                                                                                              \
        return REAP__PASTE(reap_operator_, name)(a, b);                                            \
    }
#define REAP__USER_GROUP(name, T)                                                                  \
    REAP__USER_APPLY(name, T)                                                                      \
    REAP__GROUP_FUNCTIONS(REAP__PASTE(by_, name), T, REAP__PASTE(reap__apply_, name),              \
                          REAP__BEGIN_AS_IT_IS, REAP__SETTLE_USER)
#define REAP__USER_IDENTITY_GROUP(name, T)                                                         \
    REAP__FUNCTION T REAP__PASTE(reap__identity_by_, name)(int op, T *type)                        \
    {                                                                                              \
        return REAP__PASTE(name, _identity)();                                                     \
    }                                                                                              \
    REAP__GROUP_EXCLUSIVE(REAP__PASTE(by_, name), T, REAP__PASTE(reap__identity_by_, name))

#define REAP__GROUP(algorithm, op, T, v)                                                           \
    REAP__PASTE(REAP__GROUP_, REAP__IS_OPERATOR(op))(algorithm, op, T, v)
#define REAP__GROUP_1(algorithm, op, T, v)                                                         \
    reap__group_##algorithm(reap_item_, REAP__OPERATION_##op, (T *)0, v)
#define REAP__GROUP_0(algorithm, op, T, v)                                                         \
    REAP__PASTE(reap__##algorithm##_by_, op)(reap_item_, 0, v)

#define reap_group_reduce(op, T, v) REAP__GROUP(reduce, op, T, v)
#define reap_group_inclusive_scan(op, T, v) REAP__GROUP(inclusive, op, T, v)
#define reap_group_exclusive_scan(op, T, v) REAP__GROUP(exclusive, op, T, v)
#define reap_group_broadcast(T, v, item) REAP__GROUP_FROM(T, v, item)
#define reap_group_broadcast_id(T, v, ...)                                                         \
    REAP__GROUP_FROM(T, v, REAP__ITEM_AT(reap_item_.local_range, __VA_ARGS__, 0, 0, ~))
#define REAP__ITEM_AT(range, i, j, k, ...)                                                         \
    (((size_t)(i) * (range)[1] + (size_t)(j)) * (range)[2] + (size_t)(k))
#define reap_group_any(condition)                                                                  \
    reap__reduce_boolean(reap_item_, REAP__OPERATION_logical_or, (condition) != 0)
#define reap_group_all(condition)                                                                  \
    reap__reduce_boolean(reap_item_, REAP__OPERATION_logical_and, (condition) != 0)
#define reap_group_none(condition)                                                                 \
    (!reap__reduce_boolean(reap_item_, REAP__OPERATION_logical_or, (condition) != 0))

#include <reap/detail/device/joint.h>

#endif
