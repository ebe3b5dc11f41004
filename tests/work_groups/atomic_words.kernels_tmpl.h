/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of one type: included once per type by atomic_words_32.kernels.h and others with
 * NAME, TYPE and IS_INTEGER. In the first one each item has a cell of its own, so that each result
 * is known.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(words), in(TYPE, x), in(TYPE, v), in(TYPE, expected), inout(TYPE, cells),
            out(TYPE, old), out(TYPE, after))
{
    const size_t i = reap_global_id(0), items = reap_global_range(0);
    REAP_GLOBAL TYPE *const cell = cells + i;
    size_t at = i;
    TYPE found = expected[i];
    bool is_set = false;
    const bool is_equal = i % 2 == 0 || expected[i] == x[i];
    LOAD_STEPS
    STORE_STEPS
    EACH_NUMBER_CHANGE(CHANGE_STEPS)
    SWAP_STEPS
    TRY_STEPS(strong)
    TRY_STEPS(weak)
#if IS_INTEGER
    EACH_INTEGER_CHANGE(CHANGE_STEPS)
#endif
}

REAP_ND_KERNEL(NAMED(words_local), in(TYPE, x), in(TYPE, v), in(TYPE, expected), local(TYPE, cells),
               out(TYPE, old), out(TYPE, after))
{
    const size_t i = reap_global_id(0), items = reap_global_range(0);
    REAP_LOCAL TYPE *const cell = cells + reap_local_id(0);
    size_t at = i;
    TYPE found = expected[i];
    bool is_set = false;
    const bool is_equal = i % 2 == 0 || expected[i] == x[i];
    LOAD_STEPS
    STORE_STEPS
    EACH_NUMBER_CHANGE(CHANGE_STEPS)
    SWAP_STEPS
    TRY_STEPS(strong)
    TRY_STEPS(weak)
#if IS_INTEGER
    EACH_INTEGER_CHANGE(CHANGE_STEPS)
#endif
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

#undef NAME
#undef TYPE
#undef IS_INTEGER
