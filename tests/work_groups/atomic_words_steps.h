/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of atomic_words.kernels_tmpl.h do: every atomic word with orders and scopes.
 */
#ifndef TESTS_WORK_GROUPS_ATOMIC_WORDS_STEPS_H
#define TESTS_WORK_GROUPS_ATOMIC_WORDS_STEPS_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef uint
#undef ulong

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

/* The words that a list of operations has, in its order: X(word) with the operands (object, v). */
#define EACH_NUMBER_CHANGE(X) X(exchange) X(fetch_add) X(fetch_sub) X(fetch_min) X(fetch_max)
#define EACH_INTEGER_CHANGE(X) X(fetch_and) X(fetch_or) X(fetch_xor)

/* How often each is called: loads and stores; changes; comparisons. */
enum { WAYS_OF_ACCESS = 5, WAYS_OF_CHANGE = 7, WAYS_OF_SWAP = 5 };

/* Sets the cell of item i, changes it, and keeps it with what the word returned. */
#define STEP(result)                                                                               \
    *cell = x[i];                                                                                  \
    old[at] = (result);                                                                            \
    after[at] = *cell;                                                                             \
    at += items;
#define LOAD_STEPS                                                                                 \
    STEP(reap_atomic_load(cell))                                                                   \
    STEP(reap_atomic_load(cell, REAP_ORDER_RELAXED, REAP_SCOPE_SUB_GROUP))                         \
    STEP(reap_atomic_load(cell, REAP_ORDER_ACQUIRE))                                               \
    STEP(reap_atomic_load(cell, REAP_ORDER_ACQUIRE, REAP_SCOPE_WORK_GROUP))                        \
    STEP(reap_atomic_load(cell, REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE))
#define STORE_STEPS                                                                                \
    STEP((reap_atomic_store(cell, v[i]), 0))                                                       \
    STEP((reap_atomic_store(cell, v[i], REAP_ORDER_RELAXED, REAP_SCOPE_SUB_GROUP), 0))             \
    STEP((reap_atomic_store(cell, v[i], REAP_ORDER_RELEASE), 0))                                   \
    STEP((reap_atomic_store(cell, v[i], REAP_ORDER_RELEASE, REAP_SCOPE_WORK_GROUP), 0))            \
    STEP((reap_atomic_store(cell, v[i], REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE), 0))
#define CHANGE_STEPS(word)                                                                         \
    STEP(reap_atomic_##word(cell, v[i]))                                                           \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_RELAXED, REAP_SCOPE_SUB_GROUP))                 \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_ACQUIRE, REAP_SCOPE_WORK_GROUP))                \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_RELEASE, REAP_SCOPE_DEVICE))                    \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_ACQ_REL, REAP_SCOPE_SUB_GROUP))                 \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_ACQ_REL))                                       \
    STEP(reap_atomic_##word(cell, v[i], REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE))
#define SWAP_STEPS                                                                                 \
    STEP(reap_atomic_compare_exchange(cell, expected[i], v[i]))                                    \
    STEP(reap_atomic_compare_exchange(cell, expected[i], v[i], REAP_ORDER_RELEASE))                \
    STEP(reap_atomic_compare_exchange(cell, expected[i], v[i], REAP_ORDER_ACQ_REL,                 \
                                      REAP_SCOPE_WORK_GROUP))                                      \
    STEP(reap_atomic_compare_exchange(cell, expected[i], v[i], REAP_ORDER_ACQ_REL,                 \
                                      REAP_ORDER_RELAXED, REAP_SCOPE_DEVICE))                      \
    STEP(reap_atomic_compare_exchange(cell, expected[i], v[i], REAP_ORDER_SEQ_CST))

/* A weak one may fail for no reason, and is tried once more. `old` is what it found, or what it
 * expected; then whether it was set. */
#define TRY_STEP(...)                                                                              \
    *cell = x[i];                                                                                  \
    for (int tries = 0; tries < 1000; tries++) {                                                   \
        found = expected[i];                                                                       \
        is_set = __VA_ARGS__;                                                                      \
        after[at] = *cell;                                                                         \
        if (is_set || !is_equal)                                                                   \
            break;                                                                                 \
    }                                                                                              \
    old[at] = found;                                                                               \
    old[at + items] = is_set;                                                                      \
    after[at + items] = 0;                                                                         \
    at += 2 * items;
#define TRY_STEPS(kind)                                                                            \
    TRY_STEP(reap_atomic_compare_exchange_##kind(cell, &found, v[i]))                              \
    TRY_STEP(reap_atomic_compare_exchange_##kind(cell, &found, v[i], REAP_ORDER_ACQUIRE))          \
    TRY_STEP(reap_atomic_compare_exchange_##kind(cell, &found, v[i], REAP_ORDER_RELEASE,           \
                                                 REAP_SCOPE_WORK_GROUP))                           \
    TRY_STEP(reap_atomic_compare_exchange_##kind(cell, &found, v[i], REAP_ORDER_SEQ_CST,           \
                                                 REAP_ORDER_ACQUIRE, REAP_SCOPE_DEVICE))           \
    TRY_STEP(reap_atomic_compare_exchange_##kind(cell, &found, v[i], REAP_ORDER_ACQ_REL,           \
                                                 REAP_SCOPE_SUB_GROUP))

/* Inputs and results of all items lie one after the other. */
#define BEGIN(T)                                                                                   \
    REAP_GLOBAL const T *const x = inputs, *const v = inputs + items;                              \
    REAP_GLOBAL const T *const expected = inputs + 2 * items;                                      \
    REAP_GLOBAL T *const old = results, *const after = results + STEP_COUNT * items;               \
    const bool is_equal = i % 2 == 0 || expected[i] == x[i];                                       \
    T found = expected[i];                                                                         \
    bool is_set = false;                                                                           \
    size_t at = i;

#define NUMBER_WORDS                                                                               \
    LOAD_STEPS                                                                                     \
    STORE_STEPS                                                                                    \
    EACH_NUMBER_CHANGE(CHANGE_STEPS)                                                               \
    SWAP_STEPS                                                                                     \
    TRY_STEPS(strong)                                                                              \
    TRY_STEPS(weak)

enum {
    NUMBER_STEPS = 2 * WAYS_OF_ACCESS + 5 * WAYS_OF_CHANGE + 5 * WAYS_OF_SWAP,
    INTEGER_STEPS = NUMBER_STEPS + 3 * WAYS_OF_CHANGE
};

/* What all items do to one word, and each with its value. */
enum { SHARED_SUM, SHARED_REST, SHARED_LEAST, SHARED_MOST, SHARED_WEAK, SHARED_STRONG, SHARED };

#endif
