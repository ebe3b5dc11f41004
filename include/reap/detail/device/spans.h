/* SPDX-License-Identifier: Apache-2.0
 *
 * Combining into an element of a span on a device.
 *
 * The entry function sets REAP__SPAN_SPACE to the memory of the copy that its work-items combine
 * into, by atomic operations. An index outside the span is reported, and nothing is combined.
 *
 * Sums of floats and doubles are exact (exact_spans.h) with REAP__HAS_EXACT_SPANS; without it the
 * entry's kernel has none. Minimum and maximum of floating-point numbers take -0 as +0, so that
 * their order does not matter.
 *
 * With REAP__SPAN_CACHE work-items combine into so many elements of each span in local memory, the
 * ones that the group met first: elements that many items combine into are among them nearly
 * always. An element's place is its index modulo the number of places. Other items combine into
 * the launch's copy. At the end the group combines its elements into that.
 *
 * With REAP__SPAN_DEFERS an item's last combination waits until those of some other items have been
 * reached: compilers then load the values of these items together, not one after the other.
 *
 * With REAP__SPAN_IS_LOGGED values go to a log instead (span_log.h), except those of exact sums:
 * then the order of some span of the kernel matters, or the device has no atomic operations for it.
 */
#ifndef REAP_DETAIL_DEVICE_SPANS_H
#define REAP_DETAIL_DEVICE_SPANS_H

/* A deferred combination of an integer. */
struct reap__deferred {
    reap__ulong index;
    reap__ulong value;
    bool holds_type;
    bool is_there;
};

/* An item's view of the copy. */
struct reap__span {
    reap__ulong count;
    struct reap__log *reap_log; /* the item's, if values go to a log */
    reap__uint stride;          /* the distance of elements in local memory, in bytes */
#ifdef REAP__SPAN_CACHE
    REAP_LOCAL reap__uint *keys;    /* the cached elements' indices, plus 1; 0: none */
    REAP_LOCAL reap__uchar *cached; /* their values */
#endif
    struct reap__deferred *deferred; /* the item's, if it has one */
    REAP_GLOBAL reap__ulong *words;  /* exact sums (exact_spans.h): of replica 0, */
    reap__ulong words_stride;        /* the distance of an element's words, */
    reap__uint replicas_log2;        /* and the item's replica; */
    reap__uint replica;
    reap__ulong capacity;          /* if it is sparse: the number of slots; else 0 */
    REAP_GLOBAL reap__uint *table; /* each element's latest slot; 0: it has none */
    REAP_GLOBAL reap__uint *slots_taken;
    REAP_GLOBAL reap__uint *outside; /* a flag; then, from byte 8 on, the span and the index */
    reap__ulong number;              /* the span's, among the kernel's */
    reap__ulong least;               /* at most the number of elements; a constant */
    reap__ulong index;               /* the position that an item combines into */
    bool holds_type;                 /* every value of the index's type is inside */
};

REAP__OUT_OF_LINE void reap__note_outside(REAP_GLOBAL reap__uint *outside, reap__ulong number,
                                          reap__ulong index)
{
    if (reap__atomic_exchange(outside, 1u) != 0)
        return;
    ((REAP_GLOBAL reap__ulong *)outside)[1] = number;
    ((REAP_GLOBAL reap__ulong *)outside)[2] = index;
}

REAP__FUNCTION bool reap__is_inside(const struct reap__span span)
{
    if (span.holds_type || span.index < span.count)
        return true;
    reap__note_outside(span.outside, span.number, span.index);
    return false;
}

/* A span for an index type. If it has as many elements as the index's type has values, the index
 * need not be checked; C has no expression for this. */
#ifdef __cplusplus
template <typename T> REAP__FUNCTION struct reap__span reap__span_at(struct reap__span span, T at)
{
    span.index = (reap__ulong)at;
    if (sizeof(T) < 4 && (T)-1 > (T)0)
        span.holds_type = (reap__ulong)(T)-1 < span.least;
    return span;
}
#else
REAP__FUNCTION struct reap__span reap__span_at(struct reap__span span, reap__ulong at)
{
    span.index = at;
    return span;
}
#endif

#define REAP__WITHOUT_MINUS_ZERO(name, T)                                                          \
    REAP__OVERLOAD T reap__without_minus_zero(T v)                                                 \
    {                                                                                              \
        return v + (T)0;                                                                           \
    }
REAP__FLOAT_TYPES(REAP__WITHOUT_MINUS_ZERO)
#define REAP__NARROW_WITHOUT_MINUS_ZERO(name, T, ...)                                              \
    REAP__OVERLOAD T reap__without_minus_zero(T v)                                                 \
    {                                                                                              \
        v.bits = v.bits == 0x8000u ? 0 : v.bits;                                                   \
        return v;                                                                                  \
    }
REAP__NARROW_TYPES(REAP__NARROW_WITHOUT_MINUS_ZERO)

/* Combines nothing: the text also contains kernels of other spans, which another entry function
 * runs. */
#define REAP__SPAN_OTHER(op, T)                                                                    \
    REAP__OVERLOAD void reap__combine_at(struct reap_flag_##op *tag, REAP__SPAN_SPACE T *x,        \
                                         const struct reap__span span, T v)                        \
    {                                                                                              \
    }
#ifdef REAP__HAS_EXACT_SPANS
#define REAP__SPAN_SUM(T)
#else
#define REAP__SPAN_SUM(T) REAP__SPAN_OTHER(plus, T)
#endif

#ifdef REAP__SPAN_IS_LOGGED
#include <reap/detail/device/span_log.h>
#else
#ifdef REAP__SPAN_IS_LOCAL
#define REAP__SPAN_COMBINE(op, T)                                                                  \
    reap__atomic_combine_##op(                                                                     \
        (REAP_LOCAL T *)((REAP_LOCAL reap__uchar *)x + (reap__uint)span.index * span.stride), v)
#elif defined(REAP__SPAN_CACHE)
REAP__FUNCTION bool reap__is_cached(const struct reap__span span, reap__uint place)
{
    const reap__uint key = (reap__uint)span.index + 1;
    if (span.index >= (reap__uint)-1)
        return false;
    reap__uint there = *(volatile REAP_LOCAL reap__uint *)(span.keys + place);
    if (there == 0)
        there = reap__atomic_compare_exchange(span.keys + place, (reap__uint)0, key);
    return there == 0 || there == key;
}

#define REAP__SPAN_COMBINE(op, T)                                                                  \
    do {                                                                                           \
        const reap__uint reap_place = (reap__uint)span.index % (REAP__SPAN_CACHE);                 \
        if (reap__is_cached(span, reap_place))                                                     \
            reap__atomic_combine_##op((REAP_LOCAL T *)span.cached + reap_place, v);                \
        else                                                                                       \
            reap__atomic_combine_##op(x + span.index, v);                                          \
    } while (0)
#else
#define REAP__SPAN_COMBINE(op, T) reap__atomic_combine_##op(x + span.index, v)
#endif
#ifdef REAP__SPAN_DEFERS
#define REAP__SPAN_BUILTIN(op, T)                                                                  \
    REAP__OVERLOAD_WITH_BRANCHES void reap__combine_deferred(                                      \
        struct reap_flag_##op *tag, REAP__SPAN_SPACE T *x, struct reap__span span,                 \
        const struct reap__deferred *deferred)                                                     \
    {                                                                                              \
        const T v = (T)deferred->value;                                                            \
        span.index = deferred->index;                                                              \
        span.holds_type = deferred->holds_type;                                                    \
        if (deferred->is_there && reap__is_inside(span))                                           \
            REAP__SPAN_COMBINE(op, T);                                                             \
    }                                                                                              \
    REAP__OVERLOAD_WITH_BRANCHES void reap__combine_at(                                            \
        struct reap_flag_##op *tag, REAP__SPAN_SPACE T *x, const struct reap__span span, T v)      \
    {                                                                                              \
        reap__combine_deferred(tag, x, span, span.deferred);                                       \
        span.deferred->index = span.index;                                                         \
        span.deferred->value = (reap__ulong)v;                                                     \
        span.deferred->holds_type = span.holds_type;                                               \
        span.deferred->is_there = true;                                                            \
    }
#else
#define REAP__SPAN_BUILTIN(op, T)                                                                  \
    REAP__OVERLOAD_WITH_BRANCHES void reap__combine_at(                                            \
        struct reap_flag_##op *tag, REAP__SPAN_SPACE T *x, const struct reap__span span, T v)      \
    {                                                                                              \
        if (reap__is_inside(span))                                                                 \
            REAP__SPAN_COMBINE(op, T);                                                             \
    }
#endif
/* A minimum or maximum of floating-point numbers. */
#define REAP__SPAN_EXTREME(op, T)                                                                  \
    REAP__OVERLOAD_WITH_BRANCHES void reap__combine_at(                                            \
        struct reap_flag_##op *tag, REAP__SPAN_SPACE T *x, const struct reap__span span, T number) \
    {                                                                                              \
        const T v = reap__without_minus_zero(number);                                              \
        if (reap__is_inside(span))                                                                 \
            REAP__SPAN_COMBINE(op, T);                                                             \
    }
#endif
#define REAP__SPAN_INTEGER(name, T, ...)                                                           \
    REAP__NUMBER_OPERATORS(REAP__SPAN_BUILTIN, T) REAP__BIT_OPERATORS(REAP__SPAN_BUILTIN, T)
#define REAP__SPAN_FLOAT(name, T)                                                                  \
    REAP__SPAN_SUM(T)                                                                              \
    REAP__SPAN_BUILTIN(multiplies, T)                                                              \
    REAP__SPAN_EXTREME(minimum, T)                                                                 \
    REAP__SPAN_EXTREME(maximum, T)
#ifdef REAP__HAS_EXACT_SPANS
#include <reap/detail/device/exact_spans.h>
#endif

#ifndef REAP__SPAN_IS_LOGGED
#define REAP__ATOMIC_COMBINE(space, op, name, T)                                                   \
    REAP__OVERLOAD void reap__atomic_combine_##op(space T *into, T v)                              \
    {                                                                                              \
        name(into, v);                                                                             \
    }
#define REAP__ATOMIC_COMBINES(space, T)                                                            \
    REAP__ATOMIC_COMBINE(space, plus, reap__atomic_fetch_add, T)                                   \
    REAP__ATOMIC_COMBINE(space, minimum, reap__atomic_fetch_min, T)                                \
    REAP__ATOMIC_COMBINE(space, maximum, reap__atomic_fetch_max, T)                                \
    REAP__ATOMIC_COMBINE(space, bit_and, reap__atomic_fetch_and, T)                                \
    REAP__ATOMIC_COMBINE(space, bit_or, reap__atomic_fetch_or, T)                                  \
    REAP__ATOMIC_COMBINE(space, bit_xor, reap__atomic_fetch_xor, T)                                \
    REAP__OVERLOAD void reap__atomic_combine_multiplies(space T *into, T v)                        \
    {                                                                                              \
        for (T old = *(volatile space T *)into;;) {                                                \
            const T found = reap__atomic_compare_exchange(into, old, reap__multiplies(old, v));    \
            if (found == old)                                                                      \
                break;                                                                             \
            old = found;                                                                           \
        }                                                                                          \
    }
/* Positive numbers have the order of their bits as signed integers, negative ones the opposite
 * order of their bits as unsigned ones; each is beyond all numbers of the other sign, as what they
 * are compared with (the identity first) has it. -0 has become +0, and NaNs are left out. */
#define REAP__ATOMIC_EXTREMES(space, T, I, U)                                                      \
    REAP__OVERLOAD void reap__atomic_combine_minimum(space T *into, T v)                           \
    {                                                                                              \
        const U bits = reap__bits_of_##T(v);                                                       \
        if (v >= 0)                                                                                \
            reap__atomic_fetch_min((space I *)into, (I)bits);                                      \
        else if (v < 0)                                                                            \
            reap__atomic_fetch_max((space U *)into, bits);                                         \
    }                                                                                              \
    REAP__OVERLOAD void reap__atomic_combine_maximum(space T *into, T v)                           \
    {                                                                                              \
        const U bits = reap__bits_of_##T(v);                                                       \
        if (v >= 0)                                                                                \
            reap__atomic_fetch_max((space I *)into, (I)bits);                                      \
        else if (v < 0)                                                                            \
            reap__atomic_fetch_min((space U *)into, bits);                                         \
    }
#define REAP__ATOMIC_FLOAT_EXTREMES(space, ...) REAP__ATOMIC_EXTREMES(space, float, int, reap__uint)
REAP__EACH_SPACE(REAP__ATOMIC_FLOAT_EXTREMES, ~)
#if defined(REAP__HAS_DOUBLES) && defined(REAP__HAS_WIDE_ATOMICS)
#define REAP__ATOMIC_DOUBLE_EXTREMES(space, ...)                                                   \
    REAP__ATOMIC_EXTREMES(space, double, reap__long, reap__ulong)
REAP__EACH_SPACE(REAP__ATOMIC_DOUBLE_EXTREMES, ~)
#endif
#define REAP__ATOMIC_COMBINES_IN(space, ...) REAP__ATOMIC_TYPES_IN(REAP__ATOMIC_COMBINES, space)
REAP__EACH_SPACE(REAP__ATOMIC_COMBINES_IN, ~)
/* A value of 8 or 16 bits: the word of 32 bits around it is replaced, unless another item has
 * changed that since it was read. Copies begin and end at whole words. */
#define REAP__ATOMIC_PART(op, T, value_of, bits_of, space)                                         \
    REAP__OVERLOAD void reap__atomic_combine_##op(space T *into, T v)                              \
    {                                                                                              \
        const reap__uint at = (reap__uint)((size_t)into & 3), mask = (1u << 8 * sizeof(T)) - 1;    \
        space reap__uint *const word = (space reap__uint *)((space reap__uchar *)into - at);       \
        for (reap__uint old = *(volatile space reap__uint *)word;;) {                              \
            const T combined = reap__##op(value_of(old >> 8 * at & mask), v);                      \
            const reap__uint bits = ((reap__uint)bits_of(combined) & mask) << 8 * at;              \
            const reap__uint next = (old & ~(mask << 8 * at)) | bits;                              \
            const reap__uint found =                                                               \
                next == old ? old : reap__atomic_compare_exchange(word, old, next);                \
            if (found == old)                                                                      \
                break;                                                                             \
            old = found;                                                                           \
        }                                                                                          \
    }
#define REAP__ATOMIC_PARTS_IN(space, op, ...) REAP__ATOMIC_PART(op, __VA_ARGS__, space)
#define REAP__ATOMIC_PARTS(op, T, ...) REAP__EACH_SPACE(REAP__ATOMIC_PARTS_IN, op, T, __VA_ARGS__)
#define REAP__SPAN_PART(op, T) REAP__ATOMIC_PARTS(op, T, (T), ) REAP__SPAN_BUILTIN(op, T)
#define REAP__SPAN_NARROW(T)                                                                       \
    REAP__NUMBER_OPERATORS(REAP__SPAN_PART, T) REAP__BIT_OPERATORS(REAP__SPAN_PART, T)
REAP__SPAN_NARROW(char)
REAP__SPAN_NARROW(signed char)
REAP__SPAN_NARROW(unsigned char)
REAP__SPAN_NARROW(short)
REAP__SPAN_NARROW(unsigned short)
REAP__BIT_OPERATORS(REAP__SPAN_PART, bool)
REAP__LOGICAL_OPERATORS(REAP__SPAN_PART, bool)
#ifndef REAP__HAS_WIDE_ATOMICS
#define REAP__SPAN_WIDE(T)                                                                         \
    REAP__NUMBER_OPERATORS(REAP__SPAN_OTHER, T) REAP__BIT_OPERATORS(REAP__SPAN_OTHER, T)
REAP__SPAN_WIDE(long)
REAP__SPAN_WIDE(unsigned long)
#endif
REAP__ATOMIC_TYPES(REAP__SPAN_INTEGER)
#define REAP__SPAN_SHARED_FLOAT(T)                                                                 \
    REAP__SPAN_SUM(T)                                                                              \
    REAP__SPAN_OTHER(multiplies, T)                                                                \
    REAP__SPAN_EXTREME(minimum, T)                                                                 \
    REAP__SPAN_EXTREME(maximum, T)
REAP__SPAN_SHARED_FLOAT(float)
#if defined(REAP__HAS_DOUBLES) && defined(REAP__HAS_WIDE_ATOMICS)
REAP__SPAN_SHARED_FLOAT(double)
#elif defined(REAP__HAS_DOUBLES)
REAP__SPAN_SUM(double)
REAP__SPAN_OTHER(multiplies, double)
REAP__SPAN_OTHER(minimum, double)
REAP__SPAN_OTHER(maximum, double)
#endif
#define REAP__BITS_OF_NARROW(v) (v).bits
#define REAP__SPAN_NARROW_FLOAT(name, T, ...)                                                      \
    REAP__SPAN_OTHER(plus, T)                                                                      \
    REAP__SPAN_OTHER(multiplies, T)                                                                \
    REAP__ATOMIC_PARTS(minimum, T, reap__##name##_of, REAP__BITS_OF_NARROW)                        \
    REAP__ATOMIC_PARTS(maximum, T, reap__##name##_of, REAP__BITS_OF_NARROW)                        \
    REAP__SPAN_EXTREME(minimum, T)                                                                 \
    REAP__SPAN_EXTREME(maximum, T)
REAP__NARROW_TYPES(REAP__SPAN_NARROW_FLOAT)
#else
REAP__INTEGER_TYPES(REAP__SPAN_INTEGER)
REAP__FLOAT_TYPES(REAP__SPAN_FLOAT)
#define REAP__SPAN_NARROW_FLOAT(name, T, ...)                                                      \
    REAP__SPAN_BUILTIN(plus, T)                                                                    \
    REAP__SPAN_BUILTIN(multiplies, T)                                                              \
    REAP__SPAN_EXTREME(minimum, T)                                                                 \
    REAP__SPAN_EXTREME(maximum, T)
REAP__NARROW_TYPES(REAP__SPAN_NARROW_FLOAT)
REAP__BIT_OPERATORS(REAP__SPAN_BUILTIN, bool)
REAP__LOGICAL_OPERATORS(REAP__SPAN_BUILTIN, bool)
#endif

#ifndef REAP__SPAN_IS_LOGGED
#define REAP__USER_SPAN(name, T)                                                                   \
    REAP__OVERLOAD void reap__combine_at(struct REAP__PASTE(reap_flag_, name) * tag,               \
                                         REAP__SPAN_SPACE T * x, const struct reap__span span,     \
                                         T v)                                                      \
    {                                                                                              \
    }
#define REAP__USER_SPAN_NO_IDENTITY(name, T) REAP__USER_SPAN(name, T)
#endif

#endif
