/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in OpenCL C with an order and a scope, and those that atomics.h lacks, for
 * kernel files that have atomic operations. The latter are relaxed, and made of what OpenCL C 1.2
 * has. The former are the functions of OpenCL C 2.0 and 3.0; OpenCL C 1.2 has no such thing, since
 * its fences order what a work-item does, and not what others see. A sub-group's scope is the
 * work-group's, which every device with orders has.
 */
#ifndef REAP_DETAIL_OPENCL_ATOMIC_ORDERS_H
#define REAP_DETAIL_OPENCL_ATOMIC_ORDERS_H

#define REAP__BITS_OF_int(v) ((uint)(v))
#define REAP__BITS_OF_uint(v) (v)
#define REAP__BITS_OF_long(v) ((ulong)(v))
#define REAP__BITS_OF_ulong(v) (v)
#define REAP__BITS_OF_float(v) as_uint(v)
#define REAP__BITS_OF_double(v) as_ulong(v)

#define REAP__MINUS_int(v) ((int)(0 - (uint)(v)))
#define REAP__MINUS_uint(v) (0 - (v))
#define REAP__MINUS_long(v) ((long)(0 - (ulong)(v)))
#define REAP__MINUS_ulong(v) (0 - (v))
#define REAP__MINUS_float(v) (-(v))
#define REAP__MINUS_double(v) (-(v))

/* X(space, name of the type, type, its word, prefix of OpenCL C 1.2's functions) */
#define REAP__NARROW_TYPES(X, space)                                                               \
    X(space, int, int, uint, atomic)                                                               \
    X(space, uint, uint, uint, atomic)                                                             \
    X(space, float, float, uint, atomic)
#ifdef REAP__HAS_WIDE_ATOMICS
#define REAP__WIDE_INTEGERS(X, space)                                                              \
    X(space, long, long, ulong, atom)                                                              \
    X(space, ulong, ulong, ulong, atom)
#ifdef REAP__HAS_DOUBLES
#define REAP__WIDE_TYPES(X, space)                                                                 \
    REAP__WIDE_INTEGERS(X, space) X(space, double, double, ulong, atom)
#else
#define REAP__WIDE_TYPES(X, space) REAP__WIDE_INTEGERS(X, space)
#endif
#else
#define REAP__WIDE_TYPES(X, space)
#endif
#define REAP__ATOMIC_TYPES_OF(X, space) REAP__NARROW_TYPES(X, space) REAP__WIDE_TYPES(X, space)

/* ---- Relaxed --------------------------------------------------------------------------------- */

/* OpenCL C 1.2 has neither loads nor stores: to load is to change nothing. */
#define REAP__RELAXED(space, name, T, W, prefix)                                                   \
    REAP__OVERLOAD T reap__atomic_load(space T *object)                                            \
    {                                                                                              \
        return as_##name(prefix##_or((volatile space W *)object, (W)0));                           \
    }                                                                                              \
    REAP__OVERLOAD void reap__atomic_store(space T *object, T v)                                   \
    {                                                                                              \
        (void)prefix##_xchg((volatile space W *)object, REAP__BITS_OF_##name(v));                  \
    }                                                                                              \
    REAP__OVERLOAD bool reap__atomic_compare_exchange_strong(space T *object, T *expected, T v)    \
    {                                                                                              \
        const W wanted = REAP__BITS_OF_##name(*expected);                                          \
        const W found =                                                                            \
            prefix##_cmpxchg((volatile space W *)object, wanted, REAP__BITS_OF_##name(v));         \
        *expected = as_##name(found);                                                              \
        return found == wanted;                                                                    \
    }                                                                                              \
    REAP__OVERLOAD bool reap__atomic_compare_exchange_weak(space T *object, T *expected, T v)      \
    {                                                                                              \
        return reap__atomic_compare_exchange_strong(object, expected, v);                          \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_sub(space T *object, T v)                                  \
    {                                                                                              \
        return reap__atomic_fetch_add(object, REAP__MINUS_##name(v));                              \
    }
#define REAP__RELAXED_TYPES(space, ...) REAP__ATOMIC_TYPES_OF(REAP__RELAXED, space)
REAP__EACH_SPACE(REAP__RELAXED_TYPES, ~)

#define REAP__RELAXED_EXTREME(space, word, is_better, T)                                           \
    REAP__OVERLOAD_WITH_BRANCHES T reap__atomic_##word(space T *object, T v)                       \
    {                                                                                              \
        T old = reap__atomic_load(object);                                                         \
        while (v is_better old && !reap__atomic_compare_exchange_strong(object, &old, v))          \
            ;                                                                                      \
        return old;                                                                                \
    }
#define REAP__RELAXED_FLOAT(space, name, T, W, prefix)                                             \
    REAP__OVERLOAD T reap__atomic_exchange(space T *object, T v)                                   \
    {                                                                                              \
        return as_##name(prefix##_xchg((volatile space W *)object, REAP__BITS_OF_##name(v)));      \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_compare_exchange(space T *object, T expected, T v)               \
    {                                                                                              \
        (void)reap__atomic_compare_exchange_strong(object, &expected, v);                          \
        return expected;                                                                           \
    }                                                                                              \
    REAP__RELAXED_EXTREME(space, fetch_min, <, T)                                                  \
    REAP__RELAXED_EXTREME(space, fetch_max, >, T)
#define REAP__RELAXED_SINGLE(space, ...) REAP__RELAXED_FLOAT(space, float, float, uint, atomic)
REAP__EACH_SPACE(REAP__RELAXED_SINGLE, ~)
#if defined(REAP__HAS_WIDE_ATOMICS) && defined(REAP__HAS_DOUBLES)
#define REAP__RELAXED_DOUBLE(space, ...) REAP__RELAXED_FLOAT(space, double, double, ulong, atom)
REAP__EACH_SPACE(REAP__RELAXED_DOUBLE, ~)
#endif

/* ---- With an order --------------------------------------------------------------------------- */

#if defined(REAP__HAS_ORDERS) && __OPENCL_C_VERSION__ >= 200

#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_order_acq_rel)
#define REAP__HAS_ACQ_REL 1
#else
#define REAP__HAS_ACQ_REL 0
#endif
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_order_seq_cst)
#define REAP__HAS_SEQ_CST 1
#else
#define REAP__HAS_SEQ_CST 0
#endif
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_scope_device)
#define REAP__HAS_DEVICE_SCOPE 1
#define REAP__DEVICE_SCOPE memory_scope_device
#else
#define REAP__HAS_DEVICE_SCOPE 0
#define REAP__DEVICE_SCOPE memory_scope_work_group
#endif
#ifdef __opencl_c_atomic_scope_all_devices
#define REAP__HAS_SYSTEM_SCOPE 1
#define REAP__SYSTEM_SCOPE memory_scope_all_svm_devices
#else
#define REAP__HAS_SYSTEM_SCOPE 0
#define REAP__SYSTEM_SCOPE REAP__DEVICE_SCOPE
#endif

/* What is missing is refused where it is used, and has any value here. */
#define REAP__ORDER(order)                                                                         \
    ((order) == REAP_ORDER_RELAXED || !REAP__HAS_ACQ_REL ? memory_order_relaxed                    \
     : (order) == REAP_ORDER_ACQUIRE                     ? memory_order_acquire                    \
     : (order) == REAP_ORDER_RELEASE                     ? memory_order_release                    \
     : (order) == REAP_ORDER_ACQ_REL                     ? memory_order_acq_rel                    \
                                                         : REAP__SEQ_CST)
#if REAP__HAS_SEQ_CST
#define REAP__SEQ_CST memory_order_seq_cst
#else
#define REAP__SEQ_CST memory_order_acq_rel
#endif
#define REAP__SCOPE(scope)                                                                         \
    ((scope) <= REAP_SCOPE_WORK_GROUP ? memory_scope_work_group                                    \
     : (scope) == REAP_SCOPE_DEVICE   ? REAP__DEVICE_SCOPE                                         \
                                      : REAP__SYSTEM_SCOPE)

#define REAP__ORDERED(space, name, T, W, ...)                                                      \
    REAP__OVERLOAD T reap__atomic_load_ordered(space T *object, int order, int scope)              \
    {                                                                                              \
        return as_##name(atomic_load_explicit((volatile space atomic_##W *)object,                 \
                                              REAP__ORDER(order), REAP__SCOPE(scope)));            \
    }                                                                                              \
    REAP__OVERLOAD void reap__atomic_store_ordered(space T *object, T v, int order, int scope)     \
    {                                                                                              \
        atomic_store_explicit((volatile space atomic_##W *)object, REAP__BITS_OF_##name(v),        \
                              REAP__ORDER(order), REAP__SCOPE(scope));                             \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_exchange_ordered(space T *object, T v, int order, int scope)     \
    {                                                                                              \
        return as_##name(atomic_exchange_explicit((volatile space atomic_##W *)object,             \
                                                  REAP__BITS_OF_##name(v), REAP__ORDER(order),     \
                                                  REAP__SCOPE(scope)));                            \
    }                                                                                              \
    REAP__ORDERED_SWAP(strong, space, name, T, W)                                                  \
    REAP__ORDERED_SWAP(weak, space, name, T, W)                                                    \
    REAP__OVERLOAD T reap__atomic_compare_exchange_ordered(space T *object, T expected, T v,       \
                                                           int success, int failure, int scope)    \
    {                                                                                              \
        (void)reap__atomic_compare_exchange_strong_ordered(object, &expected, v, success, failure, \
                                                           scope);                                 \
        return expected;                                                                           \
    }
#define REAP__ORDERED_SWAP(kind, space, name, T, W)                                                \
    REAP__OVERLOAD bool reap__atomic_compare_exchange_##kind##_ordered(                            \
        space T *object, T *expected, T v, int success, int failure, int scope)                    \
    {                                                                                              \
        W found = REAP__BITS_OF_##name(*expected);                                                 \
        const bool is_set = atomic_compare_exchange_##kind##_explicit(                             \
            (volatile space atomic_##W *)object, &found, REAP__BITS_OF_##name(v),                  \
            REAP__ORDER(success), REAP__ORDER(failure), REAP__SCOPE(scope));                       \
        *expected = as_##name(found);                                                              \
        return is_set;                                                                             \
    }
#define REAP__ORDERED_TYPES(space, ...) REAP__ATOMIC_TYPES_OF(REAP__ORDERED, space)
REAP__EACH_SPACE(REAP__ORDERED_TYPES, ~)

#define REAP__ORDERED_CHANGE(space, word, T)                                                       \
    REAP__OVERLOAD T reap__atomic_##word##_ordered(space T *object, T v, int order, int scope)     \
    {                                                                                              \
        return atomic_##word##_explicit((volatile space atomic_##T *)object, v,                    \
                                        REAP__ORDER(order), REAP__SCOPE(scope));                   \
    }
#define REAP__ORDERED_INTEGER(space, T)                                                            \
    REAP__ORDERED_CHANGE(space, fetch_add, T)                                                      \
    REAP__ORDERED_CHANGE(space, fetch_sub, T)                                                      \
    REAP__ORDERED_CHANGE(space, fetch_min, T)                                                      \
    REAP__ORDERED_CHANGE(space, fetch_max, T)                                                      \
    REAP__ORDERED_CHANGE(space, fetch_and, T)                                                      \
    REAP__ORDERED_CHANGE(space, fetch_or, T)                                                       \
    REAP__ORDERED_CHANGE(space, fetch_xor, T)
#define REAP__ORDERED_NARROW(space, ...)                                                           \
    REAP__ORDERED_INTEGER(space, int) REAP__ORDERED_INTEGER(space, uint)
REAP__EACH_SPACE(REAP__ORDERED_NARROW, ~)
#ifdef REAP__HAS_WIDE_ATOMICS
#define REAP__ORDERED_WIDE(space, ...)                                                             \
    REAP__ORDERED_INTEGER(space, long) REAP__ORDERED_INTEGER(space, ulong)
REAP__EACH_SPACE(REAP__ORDERED_WIDE, ~)
#endif

/* Loops. A relaxed extreme writes nothing where it changes nothing; others write the old value, so
 * that their order holds. */
#define REAP__ORDERED_LOOP(space, word, T, is_done, next)                                          \
    REAP__OVERLOAD_WITH_BRANCHES T reap__atomic_##word##_ordered(space T *object, T v, int order,  \
                                                                 int scope)                        \
    {                                                                                              \
        T old = reap__atomic_load_ordered(object, REAP_ORDER_RELAXED, scope);                      \
        while (!(order == REAP_ORDER_RELAXED && (is_done))) {                                      \
            if (reap__atomic_compare_exchange_strong_ordered(object, &old, next, order,            \
                                                             REAP_ORDER_RELAXED, scope))           \
                break;                                                                             \
        }                                                                                          \
        return old;                                                                                \
    }
#define REAP__ORDERED_FLOAT(space, T)                                                              \
    REAP__ORDERED_LOOP(space, fetch_add, T, false, old + v)                                        \
    REAP__ORDERED_LOOP(space, fetch_sub, T, false, old - v)                                        \
    REAP__ORDERED_LOOP(space, fetch_min, T, !(v < old), v < old ? v : old)                         \
    REAP__ORDERED_LOOP(space, fetch_max, T, !(v > old), v > old ? v : old)
#define REAP__ORDERED_SINGLE(space, ...) REAP__ORDERED_FLOAT(space, float)
REAP__EACH_SPACE(REAP__ORDERED_SINGLE, ~)
#if defined(REAP__HAS_WIDE_ATOMICS) && defined(REAP__HAS_DOUBLES)
#define REAP__ORDERED_DOUBLE(space, ...) REAP__ORDERED_FLOAT(space, double)
REAP__EACH_SPACE(REAP__ORDERED_DOUBLE, ~)
#endif

REAP__FUNCTION void reap__order_fence(int order, int scope)
{
    if (order != REAP_ORDER_RELAXED)
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, REAP__ORDER(order),
                               REAP__SCOPE(scope));
}

#define REAP__ATOMIC_AT(f, type, order, scope, ...) f##_ordered(__VA_ARGS__, (order), (scope))
#define REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, ...)                                \
    f##_ordered(__VA_ARGS__, (success), (failure), (scope))
#define REAP__ATOMIC_FENCE_AT(order, scope) reap__order_fence((order), (scope))

#else /* all are relaxed, and have the device's scope */

#define REAP__HAS_ACQ_REL 0
#define REAP__HAS_SEQ_CST 0
#define REAP__HAS_DEVICE_SCOPE 1
#define REAP__HAS_SYSTEM_SCOPE 0
#define REAP__ATOMIC_AT(f, type, order, scope, ...) f(__VA_ARGS__)
#define REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, ...) f(__VA_ARGS__)
#define REAP__ATOMIC_FENCE_AT(order, scope) ((void)0)

#endif

/* ---- The words ------------------------------------------------------------------------------- */

#ifdef REAP__HAS_WIDE_ATOMICS /* the host's compiler has checked the type */
#define REAP__ATOMIC_INTEGERS(object) 1
#define REAP__ATOMIC_NUMBERS(object) 1
#else
#define REAP__ATOMIC_INTEGERS(object) (sizeof(*(object)) == 4)
#define REAP__ATOMIC_NUMBERS(object) (sizeof(*(object)) == 4)
#endif
#define REAP__ATOMIC_VALUES(object) (REAP__IS_NO_POINTER(object) && REAP__ATOMIC_NUMBERS(object))
#define REAP__ATOMIC_OBJECTS(object) REAP__ATOMIC_VALUES(object)
#define REAP__ATOMIC_TERMS(object) REAP__ATOMIC_VALUES(object)
#ifdef __clang__ /* of GNU C's classes that of pointers is 5 */
#define REAP__IS_NO_POINTER(object) (__builtin_classify_type(*(object)) != 5)
#else
#define REAP__IS_NO_POINTER(object) 1
#endif
#define REAP__ATOMIC_INTEGERS_TEXT                                                                 \
    "32 bits on this device, which has no atomic operations on 64 bits (REAP_ASPECT_ATOMIC64): "   \
    "use int32_t, uint32_t or float, or another device"
#define REAP__ATOMIC_NUMBERS_TEXT REAP__ATOMIC_INTEGERS_TEXT
#ifdef REAP__HAS_WIDE_ATOMICS
#define REAP__ATOMIC_VALUES_TEXT                                                                   \
    "numbers on OpenCL devices, which have no atomic operations on pointers: keep an index, an "   \
    "uint32_t or uint64_t"
#else
#define REAP__ATOMIC_VALUES_TEXT REAP__ATOMIC_INTEGERS_TEXT
#endif
#define REAP__ATOMIC_OBJECTS_TEXT REAP__ATOMIC_VALUES_TEXT
#define REAP__ATOMIC_TERMS_TEXT REAP__ATOMIC_VALUES_TEXT
#define REAP__IS_CONSTANT(x) 1
#define REAP__ATOMIC_CHECK(...) ((void)sizeof(struct { __VA_ARGS__ char reap_; }))
#define REAP__ATOMIC_CAN(name, order, scope)                                                       \
    _Static_assert((order) == REAP_ORDER_RELAXED || REAP__HAS_ACQ_REL,                             \
                   "Reap: " name " takes REAP_ORDER_RELAXED only on this device, which lacks "     \
                   "__opencl_c_atomic_order_acq_rel of OpenCL C 3.0: use reap_barrier, a second "  \
                   "launch or another device");                                                    \
    _Static_assert((order) != REAP_ORDER_SEQ_CST || REAP__HAS_SEQ_CST,                             \
                   "Reap: " name " does not take REAP_ORDER_SEQ_CST on this device, which lacks "  \
                   "__opencl_c_atomic_order_seq_cst of OpenCL C 3.0: use REAP_ORDER_ACQ_REL or "   \
                   "another device");                                                              \
    _Static_assert((scope) != REAP_SCOPE_DEVICE || REAP__HAS_DEVICE_SCOPE,                         \
                   "Reap: " name " does not take REAP_SCOPE_DEVICE on this device, which lacks "   \
                   "__opencl_c_atomic_scope_device of OpenCL C 3.0: use REAP_SCOPE_WORK_GROUP or " \
                   "another device");                                                              \
    _Static_assert((scope) != REAP_SCOPE_SYSTEM || REAP__HAS_SYSTEM_SCOPE,                         \
                   "Reap: " name " does not take REAP_SCOPE_SYSTEM on this device, which lacks "   \
                   "__opencl_c_atomic_scope_all_devices of OpenCL C: use REAP_SCOPE_DEVICE or "    \
                   "another device");
#define REAP__ATOMIC_BY_DEFAULT(f, type, ...) f(__VA_ARGS__)

#endif
