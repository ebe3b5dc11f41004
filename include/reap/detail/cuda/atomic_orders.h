/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations in CUDA C++ with an order and a scope, and those that atomics.h lacks, for
 * kernel files that have atomic operations. From compute capability 7.0 on they are instructions
 * of PTX, and a sequentially consistent one follows a fence.sc, as in "A Formal Analysis of the
 * NVIDIA PTX Memory Consistency Model" (Lustig, Sahasrabuddhe, Giroux, ASPLOS 2019). Older cards
 * have fences around the relaxed functions of CUDA. A sub-group's scope is the work-group's, PTX
 * has none.
 */
#ifndef REAP_DETAIL_CUDA_ATOMIC_ORDERS_H
#define REAP_DETAIL_CUDA_ATOMIC_ORDERS_H

/* ---- Instructions ---------------------------------------------------------------------------- */

#if __CUDA_ARCH__ >= 700

/* ASM(semantics, scope, ...) with texts of PTX, for constants `order` and `scope`. */
#define REAP__AT_SCOPE(ASM, semantics, ...)                                                        \
    if constexpr (scope <= REAP_SCOPE_WORK_GROUP)                                                  \
        ASM(semantics, "cta", __VA_ARGS__);                                                        \
    else if constexpr (scope == REAP_SCOPE_DEVICE)                                                 \
        ASM(semantics, "gpu", __VA_ARGS__);                                                        \
    else                                                                                           \
        ASM(semantics, "sys", __VA_ARGS__);
#define REAP__FENCE_ASM(semantics, scope, ...)                                                     \
    asm volatile("fence." semantics "." scope ";" ::: "memory")
#define REAP__LOAD_ASM(semantics, scope, type, c)                                                  \
    asm volatile("ld." semantics "." scope "." type " %0, [%1];"                                   \
                 : "=" c(v)                                                                        \
                 : "l"(object)                                                                     \
                 : "memory")
#define REAP__STORE_ASM(semantics, scope, type, c)                                                 \
    asm volatile("st." semantics "." scope "." type " [%0], %1;" ::"l"(object), c(v) : "memory")
#define REAP__CHANGE_ASM(semantics, scope, type, c)                                                \
    asm volatile("atom." semantics "." scope "." type " %0, [%1], %2;"                             \
                 : "=" c(old)                                                                      \
                 : "l"(object), c(v)                                                               \
                 : "memory")
#define REAP__SWAP_ASM(semantics, scope, type, c)                                                  \
    asm volatile("atom." semantics "." scope ".cas." type " %0, [%1], %2, %3;"                     \
                 : "=" c(old)                                                                      \
                 : "l"(object), c(expected), c(v)                                                  \
                 : "memory")

template <int order, int scope> REAP__FUNCTION void reap__order_fence(void)
{
    if constexpr (order == REAP_ORDER_SEQ_CST) {
        REAP__AT_SCOPE(REAP__FENCE_ASM, "sc", ~)
    } else if constexpr (order != REAP_ORDER_RELAXED) {
        REAP__AT_SCOPE(REAP__FENCE_ASM, "acq_rel", ~)
    }
}

template <int order, int scope> REAP__FUNCTION void reap__order_before(void)
{
    if constexpr (order == REAP_ORDER_SEQ_CST)
        reap__order_fence<order, scope>();
}

#define REAP__ORDERED_WORD(W, U, type, c)                                                          \
    template <int order, int scope> REAP__FUNCTION W reap__word_load(W *object)                    \
    {                                                                                              \
        W v;                                                                                       \
        reap__order_before<order, scope>();                                                        \
        if constexpr (order == REAP_ORDER_RELAXED) {                                               \
            REAP__AT_SCOPE(REAP__LOAD_ASM, "relaxed", type, c)                                     \
        } else {                                                                                   \
            REAP__AT_SCOPE(REAP__LOAD_ASM, "acquire", type, c)                                     \
        }                                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    template <int order, int scope> REAP__FUNCTION void reap__word_store(W *object, W v)           \
    {                                                                                              \
        reap__order_before<order, scope>();                                                        \
        if constexpr (order == REAP_ORDER_RELAXED) {                                               \
            REAP__AT_SCOPE(REAP__STORE_ASM, "relaxed", type, c)                                    \
        } else {                                                                                   \
            REAP__AT_SCOPE(REAP__STORE_ASM, "release", type, c)                                    \
        }                                                                                          \
    }                                                                                              \
    template <int order, int scope>                                                                \
    REAP__FUNCTION W reap__word_compare_exchange(W *object, W expected, W v)                       \
    {                                                                                              \
        W old;                                                                                     \
        REAP__IN_ORDER(REAP__SWAP_ASM, type, c)                                                    \
        return old;                                                                                \
    }
#define REAP__ORDERED(name, W, U, type, c, function)                                               \
    template <int order, int scope> REAP__FUNCTION W reap__word_##name(W *object, W v)             \
    {                                                                                              \
        W old;                                                                                     \
        REAP__IN_ORDER(REAP__CHANGE_ASM, type, c)                                                  \
        return old;                                                                                \
    }
#define REAP__IN_ORDER(ASM, type, c)                                                               \
    reap__order_before<order, scope>();                                                            \
    if constexpr (order == REAP_ORDER_RELAXED) {                                                   \
        REAP__AT_SCOPE(ASM, "relaxed", type, c)                                                    \
    } else if constexpr (order == REAP_ORDER_ACQUIRE) {                                            \
        REAP__AT_SCOPE(ASM, "acquire", type, c)                                                    \
    } else if constexpr (order == REAP_ORDER_RELEASE) {                                            \
        REAP__AT_SCOPE(ASM, "release", type, c)                                                    \
    } else {                                                                                       \
        REAP__AT_SCOPE(ASM, "acq_rel", type, c)                                                    \
    }

#define REAP__ATOMIC_CHECK(...) ((void)0)

#else

template <int order, int scope> REAP__FUNCTION void reap__order_fence(void)
{
    if constexpr (order != REAP_ORDER_RELAXED && scope <= REAP_SCOPE_WORK_GROUP)
        __threadfence_block();
    else if constexpr (order != REAP_ORDER_RELAXED)
        __threadfence();
}

template <int order, int scope> REAP__FUNCTION void reap__order_before(void)
{
    if constexpr (order != REAP_ORDER_ACQUIRE)
        reap__order_fence<order, scope>();
}

template <int order, int scope> REAP__FUNCTION void reap__order_after(void)
{
    if constexpr (order != REAP_ORDER_RELEASE)
        reap__order_fence<order, scope>();
}

#define REAP__ORDERED_WORD(W, U, type, c)                                                          \
    template <int order, int scope> REAP__FUNCTION W reap__word_load(W *object)                    \
    {                                                                                              \
        reap__order_before<order, scope>();                                                        \
        const W v = *(const volatile W *)object;                                                   \
        reap__order_after<order, scope>();                                                         \
        return v;                                                                                  \
    }                                                                                              \
    template <int order, int scope> REAP__FUNCTION void reap__word_store(W *object, W v)           \
    {                                                                                              \
        reap__order_before<order, scope>();                                                        \
        *(volatile W *)object = v;                                                                 \
        reap__order_after<order, scope>();                                                         \
    }                                                                                              \
    template <int order, int scope>                                                                \
    REAP__FUNCTION W reap__word_compare_exchange(W *object, W expected, W v)                       \
    {                                                                                              \
        reap__order_before<order, scope>();                                                        \
        const W old = (W)atomicCAS((U *)object, (U)expected, (U)v);                                \
        reap__order_after<order, scope>();                                                         \
        return old;                                                                                \
    }
#define REAP__ORDERED(name, W, U, type, c, function)                                               \
    template <int order, int scope> REAP__FUNCTION W reap__word_##name(W *object, W v)             \
    {                                                                                              \
        reap__order_before<order, scope>();                                                        \
        const W old = (W)function((U *)object, (U)v);                                              \
        reap__order_after<order, scope>();                                                         \
        return old;                                                                                \
    }

#define REAP__ATOMIC_CHECK(...) ([]() { __VA_ARGS__ }())

#endif

#define REAP__ORDERED_BITS(W, U, bits, c)                                                          \
    REAP__ORDERED_WORD(W, U, bits, c)                                                              \
    REAP__ORDERED(exchange, W, U, "exch." bits, c, atomicExch)                                     \
    REAP__ORDERED(fetch_and, W, U, "and." bits, c, atomicAnd)                                      \
    REAP__ORDERED(fetch_or, W, U, "or." bits, c, atomicOr)                                         \
    REAP__ORDERED(fetch_xor, W, U, "xor." bits, c, atomicXor)
REAP__ORDERED_BITS(reap__uint, unsigned, "b32", "r")
REAP__ORDERED_BITS(reap__ulong, unsigned long long, "b64", "l")
REAP__ORDERED(fetch_add, reap__uint, unsigned, "add.u32", "r", atomicAdd)
REAP__ORDERED(fetch_add, reap__ulong, unsigned long long, "add.u64", "l", atomicAdd)
REAP__ORDERED(fetch_add, float, float, "add.f32", "f", atomicAdd)
#if __CUDA_ARCH__ >= 600
REAP__ORDERED(fetch_add, double, double, "add.f64", "d", atomicAdd)
#endif
#define REAP__ORDERED_EXTREMES(W, U, type, c)                                                      \
    REAP__ORDERED(fetch_min, W, U, "min." type, c, atomicMin)                                      \
    REAP__ORDERED(fetch_max, W, U, "max." type, c, atomicMax)
REAP__ORDERED_EXTREMES(int, int, "s32", "r")
REAP__ORDERED_EXTREMES(reap__uint, unsigned, "u32", "r")
REAP__ORDERED_EXTREMES(reap__long, long long, "s64", "l")
REAP__ORDERED_EXTREMES(reap__ulong, unsigned long long, "u64", "l")

/* ---- Types ----------------------------------------------------------------------------------- */

/* Of a type: the word that has its bits, what sums and extremes are computed in, and what a value
 * is given as. C++ does not make an enumeration of an integer. */
template <size_t size, bool has_sign, bool is_floating> struct reap__atomic_kind;
#define REAP__ATOMIC_KIND(size, has_sign, is_floating, W, S, E)                                    \
    template <> struct reap__atomic_kind<size, has_sign, is_floating> {                            \
        typedef W word;                                                                            \
        typedef S sum;                                                                             \
        typedef E extreme;                                                                         \
    };
REAP__ATOMIC_KIND(4, true, false, reap__uint, reap__uint, int)
REAP__ATOMIC_KIND(4, false, false, reap__uint, reap__uint, reap__uint)
REAP__ATOMIC_KIND(4, true, true, reap__uint, float, float)
REAP__ATOMIC_KIND(8, true, false, reap__ulong, reap__ulong, reap__long)
REAP__ATOMIC_KIND(8, false, false, reap__ulong, reap__ulong, reap__ulong)
REAP__ATOMIC_KIND(8, true, true, reap__ulong, double, double)

template <typename T, bool is_enumeration> struct reap__atomic_value_of {
    typedef T type;
};
template <typename T> struct reap__atomic_value_of<T, true> {
    typedef typename reap__enumeration<T>::integer type;
};
template <typename T> struct reap__atomic_value : reap__atomic_value_of<T, __is_enum(T)> {
};
#define REAP__VALUE typename reap__atomic_value<T>::type

template <typename V>
struct reap__atomic_type : reap__atomic_kind<sizeof(V), (V)-1 < (V)0, (V)0.5 != (V)0> {
};
template <typename P> struct reap__atomic_type<P *> : reap__atomic_kind<sizeof(P *), false, false> {
};
#define REAP__OF_TYPE(member) typename reap__atomic_type<REAP__VALUE>::member

template <typename To, typename From> REAP__FUNCTION To reap__same_bits(From from)
{
    union {
        From from;
        To to;
    } bits;
    bits.from = from;
    return bits.to;
}

/* ---- Operations ------------------------------------------------------------------------------ */

#define REAP__ORDERED_FUNCTION(result, name, ...)                                                  \
    template <int order, int scope, typename T>                                                    \
    REAP__FUNCTION result reap__atomic_##name##_ordered(T *object __VA_ARGS__)

REAP__ORDERED_FUNCTION(T, load)
{
    typedef REAP__OF_TYPE(word) W;
    return reap__same_bits<T>(reap__word_load<order, scope>((W *)object));
}

REAP__ORDERED_FUNCTION(void, store, , REAP__VALUE v)
{
    typedef REAP__OF_TYPE(word) W;
    reap__word_store<order, scope>((W *)object, reap__same_bits<W>(v));
}

/* T: what the function of words takes, the type's word, sum or extreme. */
#define REAP__ORDERED_CHANGE(name, member)                                                         \
    REAP__ORDERED_FUNCTION(T, name, , REAP__VALUE v)                                               \
    {                                                                                              \
        typedef REAP__OF_TYPE(member) W;                                                           \
        return reap__same_bits<T>(                                                                 \
            reap__word_##name<order, scope>((W *)object, reap__same_bits<W>(v)));                  \
    }
REAP__ORDERED_CHANGE(exchange, word)
REAP__ORDERED_CHANGE(fetch_and, word)
REAP__ORDERED_CHANGE(fetch_or, word)
REAP__ORDERED_CHANGE(fetch_xor, word)
REAP__ORDERED_CHANGE(fetch_add, sum)

REAP__ORDERED_FUNCTION(T, fetch_sub, , REAP__VALUE v)
{
    typedef REAP__OF_TYPE(sum) S;
    return reap__same_bits<T>(
        reap__word_fetch_add<order, scope>((S *)object, -reap__same_bits<S>(v)));
}

/* Of a pointer and a number of elements. */
template <int order, int scope, typename P>
REAP__FUNCTION P *reap__atomic_fetch_add_ordered(P **object, long long v)
{
    typedef typename reap__atomic_type<P *>::sum S;
    return reap__same_bits<P *>(
        reap__word_fetch_add<order, scope>((S *)object, (S)v * (S)sizeof(P)));
}

template <int order, int scope, typename P>
REAP__FUNCTION P *reap__atomic_fetch_sub_ordered(P **object, long long v)
{
    return reap__atomic_fetch_add_ordered<order, scope>(object, -v);
}

/* A comparison that fails has an order no stronger than the instruction's. */
REAP__ORDERED_FUNCTION(T, compare_exchange, , REAP__VALUE expected, REAP__VALUE v)
{
    typedef REAP__OF_TYPE(word) W;
    return reap__same_bits<T>(reap__word_compare_exchange<order, scope>(
        (W *)object, reap__same_bits<W>(expected), reap__same_bits<W>(v)));
}

REAP__ORDERED_FUNCTION(bool, compare_exchange_strong, , T *expected, REAP__VALUE v)
{
    typedef REAP__OF_TYPE(word) W;
    const W wanted = reap__same_bits<W>(*expected);
    const W found =
        reap__word_compare_exchange<order, scope>((W *)object, wanted, reap__same_bits<W>(v));
    if (found == wanted)
        return true;
    *expected = reap__same_bits<T>(found);
    return false;
}

REAP__ORDERED_FUNCTION(bool, compare_exchange_weak, , T *expected, REAP__VALUE v)
{
    return reap__atomic_compare_exchange_strong_ordered<order, scope>(object, expected, v);
}

/* Floating-point extremes are loops. One that is relaxed writes nothing where it changes nothing;
 * others write the old value, so that their order holds. */
#define REAP__ORDERED_EXTREME(name, is_better)                                                     \
    REAP__ORDERED_FUNCTION(T, name, , REAP__VALUE v)                                               \
    {                                                                                              \
        typedef REAP__OF_TYPE(extreme) E;                                                          \
        if constexpr ((E)0.5 == (E)0) {                                                            \
            return reap__same_bits<T>(                                                             \
                reap__word_##name<order, scope>((E *)object, reap__same_bits<E>(v)));              \
        } else {                                                                                   \
            T old = reap__atomic_load_ordered<REAP_ORDER_RELAXED, scope>(object);                  \
            while (order != REAP_ORDER_RELAXED || v is_better old) {                               \
                if (reap__atomic_compare_exchange_strong_ordered<order, scope>(                    \
                        object, &old, v is_better old ? v : old))                                  \
                    break;                                                                         \
            }                                                                                      \
            return old;                                                                            \
        }                                                                                          \
    }
REAP__ORDERED_EXTREME(fetch_min, <)
REAP__ORDERED_EXTREME(fetch_max, >)

/* ---- Those that atomics.h lacks -------------------------------------------------------------- */

#define REAP__RELAXED(name) reap__atomic_##name##_ordered<REAP_ORDER_RELAXED, REAP_SCOPE_DEVICE>
template <typename T> REAP__FUNCTION T reap__atomic_load(T *object)
{
    return REAP__RELAXED(load)(object);
}

template <typename T> REAP__FUNCTION void reap__atomic_store(T *object, REAP__VALUE v)
{
    REAP__RELAXED(store)(object, v);
}

template <typename T> REAP__FUNCTION T reap__atomic_fetch_sub(T *object, REAP__VALUE v)
{
    return REAP__RELAXED(fetch_sub)(object, v);
}

template <typename T>
REAP__FUNCTION bool reap__atomic_compare_exchange_strong(T *object, T *expected, REAP__VALUE v)
{
    return REAP__RELAXED(compare_exchange_strong)(object, expected, v);
}

template <typename T>
REAP__FUNCTION bool reap__atomic_compare_exchange_weak(T *object, T *expected, REAP__VALUE v)
{
    return REAP__RELAXED(compare_exchange_strong)(object, expected, v);
}

#define REAP__RELAXED_FLOATS(T)                                                                    \
    REAP__OVERLOAD T reap__atomic_exchange(T *object, T v)                                         \
    {                                                                                              \
        return REAP__RELAXED(exchange)(object, v);                                                 \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_compare_exchange(T *object, T expected, T v)                     \
    {                                                                                              \
        return REAP__RELAXED(compare_exchange)(object, expected, v);                               \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_min(T *object, T v)                                        \
    {                                                                                              \
        return REAP__RELAXED(fetch_min)(object, v);                                                \
    }                                                                                              \
    REAP__OVERLOAD T reap__atomic_fetch_max(T *object, T v)                                        \
    {                                                                                              \
        return REAP__RELAXED(fetch_max)(object, v);                                                \
    }
REAP__RELAXED_FLOATS(float)
REAP__RELAXED_FLOATS(double)

#define REAP__POINTER typename reap__atomic_value<P *>::type
template <typename P> REAP__FUNCTION P *reap__atomic_exchange(P **object, REAP__POINTER v)
{
    return REAP__RELAXED(exchange)(object, v);
}

template <typename P>
REAP__FUNCTION P *reap__atomic_compare_exchange(P **object, REAP__POINTER expected, REAP__POINTER v)
{
    return REAP__RELAXED(compare_exchange)(object, expected, v);
}

template <typename P> REAP__FUNCTION P *reap__atomic_fetch_add(P **object, long long v)
{
    return REAP__RELAXED(fetch_add)(object, v);
}

template <typename P> REAP__FUNCTION P *reap__atomic_fetch_sub(P **object, long long v)
{
    return REAP__RELAXED(fetch_sub)(object, v);
}

/* ---- The words ------------------------------------------------------------------------------- */

/* The host's compiler has checked types and orders. */
#define REAP__ATOMIC_INTEGERS(object) 1
#define REAP__ATOMIC_INTEGERS_TEXT ""
#define REAP__ATOMIC_NUMBERS(object) 1
#define REAP__ATOMIC_NUMBERS_TEXT ""
#define REAP__ATOMIC_VALUES(object) 1
#define REAP__ATOMIC_VALUES_TEXT ""
#define REAP__ATOMIC_OBJECTS(object) 1
#define REAP__ATOMIC_OBJECTS_TEXT ""
#define REAP__ATOMIC_TERMS(object) 1
#define REAP__ATOMIC_TERMS_TEXT ""
#define REAP__IS_CONSTANT(x) 1
#define REAP__ATOMIC_CAN(name, order, scope)                                                       \
    _Static_assert((scope) != REAP_SCOPE_SYSTEM,                                                   \
                   "Reap: " name " takes REAP_SCOPE_SYSTEM on cards of compute capability 7.0 "    \
                   "and later, not on this one: use REAP_SCOPE_DEVICE");

#define REAP__ATOMIC_BY_DEFAULT(f, type, ...) f(__VA_ARGS__)
#define REAP__ATOMIC_AT(f, type, order, scope, ...) f##_ordered<(order), (scope)>(__VA_ARGS__)
#define REAP__ATOMIC_SWAP_AT(f, type, success, failure, scope, ...)                                \
    f##_ordered<(success), (scope)>(__VA_ARGS__)
#define REAP__ATOMIC_FENCE_AT(order, scope) reap__order_fence<(order), (scope)>()

#endif
