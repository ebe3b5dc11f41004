/* SPDX-License-Identifier: Apache-2.0
 *
 * Enumerations and wchar_t in built-in reductions, group algorithms and atomic operations. In C an
 * enumeration's type is compatible with an integer type, and wchar_t is one, for which the
 * functions of device/operators.h, spans.h and collectives.h and of atomics.h are; in C++ they are
 * types of their own, for which templates here call those functions.
 */
#ifndef REAP_DETAIL_CUDA_ENUMERATIONS_H
#define REAP_DETAIL_CUDA_ENUMERATIONS_H

/* The hosts' compilers take an integer type with a sign only where a constant has one; NVRTC does
 * so in bit-fields alone. */
template <typename E> struct reap__enumeration_field {
    E value : 8 * sizeof(E) - 1;
};
template <typename E> constexpr bool reap__has_sign(void)
{
    reap__enumeration_field<E> field = {};
    field.value = (E)-1;
    return (long)field.value < 0;
}

template <size_t size> struct reap__unsigned {
    typedef reap__ulong type;
};
template <> struct reap__unsigned<1> {
    typedef reap__uchar type;
};
template <> struct reap__unsigned<2> {
    typedef reap__ushort type;
};
template <> struct reap__unsigned<4> {
    typedef reap__uint type;
};

template <typename E, bool has_sign> struct reap__enumeration_integer {
    typedef __underlying_type(E) type;
};
template <typename E> struct reap__enumeration_integer<E, false> {
    typedef typename reap__unsigned<sizeof(E)>::type type;
};

/* The integer type of an enumeration E, or of wchar_t, which is a type of its own in C++, too. For
 * other types it is undefined, and so is the function. */
template <typename E> constexpr bool reap__is_enumeration = __is_enum(E);
template <typename E, bool = reap__is_enumeration<E>> struct reap__enumeration {
};
template <typename E> struct reap__enumeration<E, true> {
    typedef typename reap__enumeration_integer<E, reap__has_sign<E>()>::type integer;
};
template <> struct reap__enumeration<wchar_t, false> {
    typedef decltype(+L'a') integer;
};
#define REAP__ENUMERATION template <typename E>
#define REAP__INTEGER typename reap__enumeration<E>::integer

#define REAP__ENUMERATION_BINARY(op, ...)                                                          \
    template <typename E, typename I = REAP__INTEGER> REAP__FUNCTION E reap__##op(E a, E b)        \
    {                                                                                              \
        return (E)reap__##op((I)a, (I)b);                                                          \
    }                                                                                              \
    REAP__ENUMERATION REAP__FUNCTION void reap__combine(struct reap_flag_##op *tag, E *into,       \
                                                        REAP__INTEGER v)                           \
    {                                                                                              \
        *into = (E)reap__##op((REAP__INTEGER)*into, v);                                            \
    }                                                                                              \
    template <typename E, typename I = REAP__INTEGER>                                              \
    REAP__FUNCTION E reap__identity_of_##op(E *type)                                               \
    {                                                                                              \
        return (E)reap__identity_of_##op((I *)0);                                                  \
    }                                                                                              \
    template <typename E, typename I = REAP__INTEGER> struct reap__two *reap__fits_##op(E *);
REAP__NUMBER_OPERATORS(REAP__ENUMERATION_BINARY, ~)
REAP__BIT_OPERATORS(REAP__ENUMERATION_BINARY, ~)
template <typename E, typename I = REAP__INTEGER> REAP__FUNCTION void reap__settle(E *value)
{
}

#define REAP__ENUMERATION_LOCATION_OF(struct_location)                                             \
    REAP__ENUMERATION REAP__FUNCTION void reap__combine(struct struct_location *location, E *into, \
                                                        REAP__INTEGER v)                           \
    {                                                                                              \
        REAP__INTEGER best = (REAP__INTEGER)*into;                                                 \
        reap__combine(location, &best, v);                                                         \
        *into = (E)best;                                                                           \
    }
#define REAP__ENUMERATION_LOCATION(op)                                                             \
    REAP__ENUMERATION_LOCATION_OF(reap_near_##op)                                                  \
    REAP__ENUMERATION_LOCATION_OF(reap_location_##op)                                              \
    template <typename E, typename I = REAP__INTEGER>                                              \
    REAP__FUNCTION void reap__merge(struct reap_location_##op *location, E *into, reap__ulong at,  \
                                    E v)                                                           \
    {                                                                                              \
        I best = (I)*into;                                                                         \
        reap__merge(location, &best, at, (I)v);                                                    \
        *into = (E)best;                                                                           \
    }
REAP__ENUMERATION_LOCATION(minimum)
REAP__ENUMERATION_LOCATION(maximum)

#ifdef REAP__HAS_SPANS
#define REAP__ENUMERATION_SPAN(op, ...)                                                            \
    REAP__ENUMERATION REAP__FUNCTION void reap__combine_at(                                        \
        struct reap_flag_##op *tag, E *x, const struct reap__span span, REAP__INTEGER v)           \
    {                                                                                              \
        reap__combine_at(tag, (REAP__INTEGER *)x, span, v);                                        \
    }
REAP__NUMBER_OPERATORS(REAP__ENUMERATION_SPAN, ~)
REAP__BIT_OPERATORS(REAP__ENUMERATION_SPAN, ~)
#endif

#ifdef REAP__SPAN_DEFERS
#define REAP__ENUMERATION_WAITING(op, ...)                                                         \
    REAP__ENUMERATION REAP__FUNCTION void reap__combine_deferred(                                  \
        struct reap_flag_##op *tag, E *x, const struct reap__span span,                            \
        const struct reap__deferred *deferred)                                                     \
    {                                                                                              \
        reap__combine_deferred(tag, (REAP__INTEGER *)x, span, deferred);                           \
    }
REAP__NUMBER_OPERATORS(REAP__ENUMERATION_WAITING, ~)
REAP__BIT_OPERATORS(REAP__ENUMERATION_WAITING, ~)
#endif

#if defined(REAP__HAS_SPANS) && !defined(REAP__SPAN_IS_LOGGED)
#define REAP__ENUMERATION_SHARED(op, ...)                                                          \
    REAP__ENUMERATION REAP__FUNCTION void reap__atomic_combine_##op(E *into, REAP__INTEGER v)      \
    {                                                                                              \
        reap__atomic_combine_##op((REAP__INTEGER *)into, v);                                       \
    }
REAP__NUMBER_OPERATORS(REAP__ENUMERATION_SHARED, ~)
REAP__BIT_OPERATORS(REAP__ENUMERATION_SHARED, ~)
#endif

#ifdef REAP__HAS_GROUPS
#define REAP__ENUMERATION_GROUP(algorithm)                                                         \
    REAP__ENUMERATION REAP__FUNCTION E reap__group_##algorithm(const reap_item item, int op,       \
                                                               E *type, REAP__INTEGER v)           \
    {                                                                                              \
        return (E)reap__group_##algorithm(item, op, (REAP__INTEGER *)0, v);                        \
    }
REAP__ENUMERATION_GROUP(reduce)
REAP__ENUMERATION_GROUP(inclusive)
REAP__ENUMERATION_GROUP(exclusive)
#endif

#define REAP__ENUMERATION_ATOMIC(name)                                                             \
    REAP__ENUMERATION REAP__FUNCTION E reap__atomic_##name(E *object, REAP__INTEGER v)             \
    {                                                                                              \
        return (E)reap__atomic_##name((REAP__INTEGER *)object, v);                                 \
    }
REAP__ENUMERATION_ATOMIC(fetch_add)
REAP__ENUMERATION_ATOMIC(fetch_min)
REAP__ENUMERATION_ATOMIC(fetch_max)
REAP__ENUMERATION_ATOMIC(fetch_and)
REAP__ENUMERATION_ATOMIC(fetch_or)
REAP__ENUMERATION_ATOMIC(fetch_xor)
REAP__ENUMERATION_ATOMIC(exchange)
REAP__ENUMERATION REAP__FUNCTION E reap__atomic_compare_exchange(E *object, REAP__INTEGER expected,
                                                                 REAP__INTEGER v)
{
    return (E)reap__atomic_compare_exchange((REAP__INTEGER *)object, expected, v);
}

#endif
