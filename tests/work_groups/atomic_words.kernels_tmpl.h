/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of one type: included once per type by atomic_words_32.kernels.h and others with
 * NAME, TYPE and IS_INTEGER. In the first two each item has a cell of its own, so that each result
 * is known.
 */
REAP_KERNEL_FILE

#if IS_INTEGER
#define STEPS                                                                                      \
    NUMBER_WORDS                                                                                   \
    EACH_INTEGER_CHANGE(CHANGE_STEPS)
#define STEP_COUNT INTEGER_STEPS
#else
#define STEPS NUMBER_WORDS
#define STEP_COUNT NUMBER_STEPS
#endif

REAP_KERNEL(NAMED(words), in(TYPE, inputs), inout(TYPE, cells), out(TYPE, results))
{
    const size_t i = reap_global_id(0), items = reap_global_range(0);
    REAP_GLOBAL TYPE *const cell = cells + i;
    BEGIN(TYPE)
    STEPS
}

REAP_ND_KERNEL(NAMED(words_local), in(TYPE, inputs), local(TYPE, cells), out(TYPE, results))
{
    const size_t i = reap_global_id(0), items = reap_global_range(0);
    REAP_LOCAL TYPE *const cell = cells + reap_local_id(0);
    BEGIN(TYPE)
    STEPS
}

REAP_KERNEL(NAMED(contend), in(TYPE, v), inout(TYPE, shared))
{
    const size_t i = reap_global_id(0);
    TYPE found;
    reap_atomic_fetch_add(&shared[SHARED_SUM], v[i], REAP_ORDER_ACQ_REL);
    reap_atomic_fetch_sub(&shared[SHARED_REST], v[i], REAP_ORDER_RELEASE);
    reap_atomic_fetch_min(&shared[SHARED_LEAST], v[i], REAP_ORDER_ACQUIRE);
    reap_atomic_fetch_max(&shared[SHARED_MOST], v[i], REAP_ORDER_SEQ_CST);
    found = reap_atomic_load(&shared[SHARED_WEAK]);
    while (!reap_atomic_compare_exchange_weak(&shared[SHARED_WEAK], &found, found + v[i],
                                              REAP_ORDER_ACQ_REL))
        ;
    found = reap_atomic_load(&shared[SHARED_STRONG], REAP_ORDER_ACQUIRE);
    while (!reap_atomic_compare_exchange_strong(&shared[SHARED_STRONG], &found, found + v[i],
                                                REAP_ORDER_SEQ_CST))
        ;
}

#undef STEPS
#undef STEP_COUNT
#undef NAME
#undef TYPE
#undef IS_INTEGER
