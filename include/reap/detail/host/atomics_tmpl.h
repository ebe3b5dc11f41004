/* SPDX-License-Identifier: Apache-2.0
 *
 * The atomic operations on one type. atomics.h includes this once for each type, with
 * REAP__ATOMIC_T, REAP__ATOMIC_NAMED, and REAP__ATOMIC_IS_INTEGER, which is 0 or 1. The last two
 * parameters of all functions are the memory order, and that of a comparison that fails.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(load)(REAP__ATOMIC_T *object, int order, int failure)
{
    REAP__ATOMIC_T v;
    (void)failure;
    __atomic_load(object, &v, order);
    return v;
}

REAP__INLINE void REAP__ATOMIC_NAMED(store)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v, int order,
                                            int failure)
{
    (void)failure;
    __atomic_store(object, &v, order);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(exchange)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                         int order, int failure)
{
    REAP__ATOMIC_T old;
    (void)failure;
    __atomic_exchange(object, &v, &old, order);
    return old;
}

REAP__INLINE bool REAP__ATOMIC_NAMED(compare_exchange_weak)(REAP__ATOMIC_T *object,
                                                            REAP__ATOMIC_T *expected,
                                                            REAP__ATOMIC_T v, int order,
                                                            int failure)
{
    return __atomic_compare_exchange(object, expected, &v, true, order, failure);
}

REAP__INLINE bool REAP__ATOMIC_NAMED(compare_exchange_strong)(REAP__ATOMIC_T *object,
                                                              REAP__ATOMIC_T *expected,
                                                              REAP__ATOMIC_T v, int order,
                                                              int failure)
{
    return __atomic_compare_exchange(object, expected, &v, false, order, failure);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(compare_exchange)(REAP__ATOMIC_T *object,
                                                                 REAP__ATOMIC_T expected,
                                                                 REAP__ATOMIC_T v, int order,
                                                                 int failure)
{
    __atomic_compare_exchange(object, &expected, &v, false, order, failure);
    return expected;
}

/* If v is not smaller, a relaxed operation writes nothing, which has the same effect. Other orders
 * write the old value, so that the order holds. */
REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_min)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    REAP__ATOMIC_T old, next;
    (void)failure;
    __atomic_load(object, &old, __ATOMIC_RELAXED);
    do {
        if (!(v < old) && order == __ATOMIC_RELAXED)
            break;
        next = v < old ? v : old;
    } while (!__atomic_compare_exchange(object, &old, &next, true, order, __ATOMIC_RELAXED));
    return old;
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_max)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    REAP__ATOMIC_T old, next;
    (void)failure;
    __atomic_load(object, &old, __ATOMIC_RELAXED);
    do {
        if (!(v > old) && order == __ATOMIC_RELAXED)
            break;
        next = v > old ? v : old;
    } while (!__atomic_compare_exchange(object, &old, &next, true, order, __ATOMIC_RELAXED));
    return old;
}

#if REAP__ATOMIC_IS_INTEGER

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_add)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    (void)failure;
    return __atomic_fetch_add(object, v, order);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_sub)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    (void)failure;
    return __atomic_fetch_sub(object, v, order);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_and)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    (void)failure;
    return __atomic_fetch_and(object, v, order);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_or)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                         int order, int failure)
{
    (void)failure;
    return __atomic_fetch_or(object, v, order);
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_xor)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    (void)failure;
    return __atomic_fetch_xor(object, v, order);
}

#else

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_add)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    REAP__ATOMIC_T old, next;
    (void)failure;
    __atomic_load(object, &old, __ATOMIC_RELAXED);
    do
        next = old + v;
    while (!__atomic_compare_exchange(object, &old, &next, true, order, __ATOMIC_RELAXED));
    return old;
}

REAP__INLINE REAP__ATOMIC_T REAP__ATOMIC_NAMED(fetch_sub)(REAP__ATOMIC_T *object, REAP__ATOMIC_T v,
                                                          int order, int failure)
{
    return REAP__ATOMIC_NAMED(fetch_add)(object, -v, order, failure);
}

#endif

#undef REAP__ATOMIC_T
#undef REAP__ATOMIC_NAMED
#undef REAP__ATOMIC_IS_INTEGER
