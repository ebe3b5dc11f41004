/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators on devices, with the arithmetic of host/operators.h, and how a value is
 * combined: one overloaded function, chosen by the reduction's tag and type. A tag is what stands
 * beside a reduction's value: whether it has one, where the operator has no identity; where the
 * value is, for a reduction with a location.
 */
#ifndef REAP_DETAIL_DEVICE_OPERATORS_H
#define REAP_DETAIL_DEVICE_OPERATORS_H

/* X(name, type, unsigned type of at least int's width, lowest, highest). In OpenCL C the type long
 * long is another; the library makes it long in a kernel's text. */
#define REAP__MOST_INTEGER_TYPES(X)                                                                \
    X(char, char, reap__uint, CHAR_MIN, CHAR_MAX)                                                  \
    X(schar, signed char, reap__uint, SCHAR_MIN, SCHAR_MAX)                                        \
    X(uchar, unsigned char, reap__uint, 0, UCHAR_MAX)                                              \
    X(short, short, reap__uint, SHRT_MIN, SHRT_MAX)                                                \
    X(ushort, unsigned short, reap__uint, 0, USHRT_MAX)                                            \
    X(int, int, reap__uint, INT_MIN, INT_MAX)                                                      \
    X(uint, unsigned, reap__uint, 0, UINT_MAX)                                                     \
    X(long, long, reap__ulong, LONG_MIN, LONG_MAX)                                                 \
    X(ulong, unsigned long, reap__ulong, 0, ULONG_MAX)
#ifdef __cplusplus
#define REAP__INTEGER_TYPES(X)                                                                     \
    REAP__MOST_INTEGER_TYPES(X)                                                                    \
    X(llong, long long, reap__ulong, LLONG_MIN, LLONG_MAX)                                         \
    X(ullong, unsigned long long, reap__ulong, 0, ULLONG_MAX)
#else
#define REAP__INTEGER_TYPES(X) REAP__MOST_INTEGER_TYPES(X)
#endif

/* X(name, type); narrow types (narrow_types.h) and bool are treated on their own */
#ifdef REAP__HAS_DOUBLES
#define REAP__FLOAT_TYPES(X) X(float, float) X(double, double)
#else
#define REAP__FLOAT_TYPES(X) X(float, float)
#endif

/* X(operator, ...) by the types that they fit */
#define REAP__NUMBER_OPERATORS(X, ...)                                                             \
    X(plus, __VA_ARGS__) X(multiplies, __VA_ARGS__) X(minimum, __VA_ARGS__) X(maximum, __VA_ARGS__)
#define REAP__BIT_OPERATORS(X, ...)                                                                \
    X(bit_and, __VA_ARGS__) X(bit_or, __VA_ARGS__) X(bit_xor, __VA_ARGS__)
#define REAP__LOGICAL_OPERATORS(X, ...) X(logical_and, __VA_ARGS__) X(logical_or, __VA_ARGS__)

/* Where REAP__LOGS_VALUES is defined, a work-item's values are not combined: they are kept beside
 * each other, from `into` on, as many as there is room for, and counted (codegen/item_log.c). */
#ifdef REAP__LOGS_VALUES
#define REAP__TAG_MEMBERS                                                                          \
    reap__uchar set;                                                                               \
    reap__uint count;
#define REAP__MOST_LOGGED(T) (sizeof(T) <= 16 ? 16u : sizeof(T) <= 1024 ? 4u : 2u)
#define REAP__COMBINED(tag, T, into, v, statement)                                                 \
    do {                                                                                           \
        if ((tag)->count < REAP__MOST_LOGGED(T))                                                   \
            REAP__COPY(T, (into) + (tag)->count, &(v));                                            \
        (tag)->count++;                                                                            \
    } while (0)
#else
#define REAP__TAG_MEMBERS reap__uchar set;
#define REAP__COMBINED(tag, T, into, v, statement) statement
#endif

#define REAP__DECLARE_TAG(op, ...)                                                                 \
    struct reap_flag_##op {                                                                        \
        REAP__TAG_MEMBERS                                                                          \
    };
REAP__NUMBER_OPERATORS(REAP__DECLARE_TAG, ~)
REAP__BIT_OPERATORS(REAP__DECLARE_TAG, ~)
REAP__LOGICAL_OPERATORS(REAP__DECLARE_TAG, ~)
struct reap_location_minimum {
    reap__ulong at;  /* the linear id of the value's work-item */
    reap__ulong now; /* of the item that combines */
};
struct reap_location_maximum {
    reap__ulong at;
    reap__ulong now;
};

/* A location within a leaf, relative to the thread's first item there; UINT_MAX: no value yet.
 * Where REAP__HAS_NEAR_LOCATIONS is defined, bodies get these, since 32 bits take half the
 * instructions. */
struct reap_near_minimum {
    reap__uint at;
    reap__uint now;
};
struct reap_near_maximum {
    reap__uint at;
    reap__uint now;
};
#ifdef REAP__HAS_NEAR_LOCATIONS
#define REAP__LOCATION_IN_BODY(op) struct REAP__PASTE(reap_near_, op)
#else
#define REAP__LOCATION_IN_BODY(op) struct REAP__PASTE(reap_location_, op)
#endif

#define REAP__IS_OPERATOR(op) REAP__SECOND(REAP__PASTE(REAP__IS_, op), 0)
#define REAP__IS_plus ~, 1
#define REAP__IS_multiplies ~, 1
#define REAP__IS_minimum ~, 1
#define REAP__IS_maximum ~, 1
#define REAP__IS_bit_and ~, 1
#define REAP__IS_bit_or ~, 1
#define REAP__IS_bit_xor ~, 1
#define REAP__IS_logical_and ~, 1
#define REAP__IS_logical_or ~, 1
#define REAP__IS_exact_plus ~, 1

/* One operation on two values, and the operator's identity. */
#define REAP__BINARY(op, T, expression)                                                            \
    REAP__OVERLOAD T reap__##op(T a, T b)                                                          \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    REAP__OVERLOAD void reap__combine(struct reap_flag_##op *tag, T *into, T v)                    \
    {                                                                                              \
        REAP__COMBINED(tag, T, into, v, *into = reap__##op(*into, v));                             \
    }
#define REAP__IDENTITY(op, T, value)                                                               \
    REAP__OVERLOAD T reap__identity_of_##op(T *type)                                               \
    {                                                                                              \
        return value;                                                                              \
    }

#define REAP__INTEGER_OPERATORS(name, T, U, lowest, highest)                                       \
    REAP__BINARY(plus, T, (T)((U)a + (U)b))                                                        \
    REAP__BINARY(multiplies, T, (T)((U)a * (U)b))                                                  \
    REAP__BINARY(minimum, T, b < a ? b : a)                                                        \
    REAP__BINARY(maximum, T, a < b ? b : a)                                                        \
    REAP__BINARY(bit_and, T, (T)(a & b))                                                           \
    REAP__BINARY(bit_or, T, (T)(a | b))                                                            \
    REAP__BINARY(bit_xor, T, (T)(a ^ b))                                                           \
    REAP__IDENTITY(plus, T, 0)                                                                     \
    REAP__IDENTITY(multiplies, T, 1)                                                               \
    REAP__IDENTITY(minimum, T, highest)                                                            \
    REAP__IDENTITY(maximum, T, lowest)                                                             \
    REAP__IDENTITY(bit_and, T, (T) ~(T)0)                                                          \
    REAP__IDENTITY(bit_or, T, 0)                                                                   \
    REAP__IDENTITY(bit_xor, T, 0)                                                                  \
    REAP__LOCATIONS(T, a < b, a == b, true)                                                        \
    REAP__OVERLOAD void reap__settle(T *value)                                                     \
    {                                                                                              \
    }                                                                                              \
    REAP__SETTLED_INTEGER(T)
/* A value, or the canonical NaN. */
#define REAP__SETTLED(T)                                                                           \
    REAP__OVERLOAD T reap__settled(T value)                                                        \
    {                                                                                              \
        reap__settle(&value);                                                                      \
        return value;                                                                              \
    }
#ifdef __cplusplus /* of any type, such as an enumeration */
#define REAP__SETTLED_INTEGER(T)
template <typename T> REAP__FUNCTION T reap__settled(T value)
{
    return value;
}
#else
#define REAP__SETTLED_INTEGER(T) REAP__SETTLED(T)
#endif
#define REAP__FLOAT_OPERATORS(name, T)                                                             \
    REAP__BINARY(plus, T, a + b)                                                                   \
    REAP__BINARY(multiplies, T, a *b)                                                              \
    REAP__BINARY(minimum, T, b < a ? b : a)                                                        \
    REAP__BINARY(maximum, T, a < b ? b : a)                                                        \
    REAP__IDENTITY(plus, T, 0)                                                                     \
    REAP__IDENTITY(multiplies, T, 1)                                                               \
    REAP__IDENTITY(minimum, T, (T)INFINITY)                                                        \
    REAP__IDENTITY(maximum, T, (T)-INFINITY)                                                       \
    REAP__LOCATIONS(T, a < b, a == b, a == a)                                                      \
    REAP__OVERLOAD void reap__settle(T *value)                                                     \
    {                                                                                              \
        if (*value != *value)                                                                      \
            *value = (T)NAN;                                                                       \
    }                                                                                              \
    REAP__SETTLED(T)

/* The better of two values and locations: of equal values the one of the lower item. A value that
 * is NaN has no location. */
#define REAP__LOCATIONS(T, is_less, is_equal, is_number)                                           \
    REAP__OVERLOAD bool reap__less(T a, T b)                                                       \
    {                                                                                              \
        return is_less;                                                                            \
    }                                                                                              \
    REAP__OVERLOAD bool reap__equal(T a, T b)                                                      \
    {                                                                                              \
        return is_equal;                                                                           \
    }                                                                                              \
    REAP__OVERLOAD bool reap__is_number(T a)                                                       \
    {                                                                                              \
        return is_number;                                                                          \
    }                                                                                              \
    REAP__LOCATION(minimum, T, reap__less(v, *into))                                               \
    REAP__LOCATION(maximum, T, reap__less(*into, v))
#define REAP__LOCATION(op, T, is_better)                                                           \
    REAP__OVERLOAD void reap__combine(struct reap_near_##op *location, T *into, T v)               \
    {                                                                                              \
        const bool better = (is_better) | ((location->at == UINT_MAX) & reap__is_number(v));       \
        *into = better ? v : *into;                                                                \
        location->at = better ? location->now : location->at;                                      \
    }                                                                                              \
    REAP__OVERLOAD void reap__combine(struct reap_location_##op *location, T *into, T v)           \
    {                                                                                              \
        const bool better = (is_better) | ((location->at == ULONG_MAX) & reap__is_number(v));      \
        *into = better ? v : *into;                                                                \
        location->at = better ? location->now : location->at;                                      \
    }                                                                                              \
    REAP__OVERLOAD void reap__merge(struct reap_location_##op *location, T *into, reap__ulong at,  \
                                    T v)                                                           \
    {                                                                                              \
        const bool better = (is_better) | (reap__equal(*into, v) & (at < location->at));           \
        *into = better ? v : *into;                                                                \
        location->at = better ? at : location->at;                                                 \
    }

REAP__INTEGER_TYPES(REAP__INTEGER_OPERATORS)
REAP__FLOAT_TYPES(REAP__FLOAT_OPERATORS)

#define REAP__NARROW_OPERATORS(name, T, one, infinity, nan)                                        \
    REAP__BINARY(plus, T, REAP__NARROWED(T, +))                                                    \
    REAP__BINARY(multiplies, T, REAP__NARROWED(T, *))                                              \
    REAP__BINARY(minimum, T, T##_to_float(b) < T##_to_float(a) ? b : a)                            \
    REAP__BINARY(maximum, T, T##_to_float(a) < T##_to_float(b) ? b : a)                            \
    REAP__IDENTITY(plus, T, reap__##name##_of(0))                                                  \
    REAP__IDENTITY(multiplies, T, reap__##name##_of(one))                                          \
    REAP__IDENTITY(minimum, T, reap__##name##_of(infinity))                                        \
    REAP__IDENTITY(maximum, T, reap__##name##_of(0x8000 | infinity))                               \
    REAP__LOCATIONS(T, T##_to_float(a) < T##_to_float(b), T##_to_float(a) == T##_to_float(b),      \
                    (a.bits & 0x7fff) <= infinity)                                                 \
    REAP__OVERLOAD void reap__settle(T *value)                                                     \
    {                                                                                              \
        if (!reap__is_number(*value))                                                              \
            value->bits = nan;                                                                     \
    }                                                                                              \
    REAP__SETTLED(T)
#define REAP__NARROWED(T, sign) T##_from_float(T##_to_float(a) sign T##_to_float(b))
REAP__NARROW_TYPES(REAP__NARROW_OPERATORS)

REAP__BINARY(bit_and, bool, (a & b) != 0)
REAP__BINARY(bit_or, bool, (a | b) != 0)
REAP__BINARY(bit_xor, bool, (a ^ b) != 0)
REAP__BINARY(logical_and, bool, (a & b) != 0)
REAP__BINARY(logical_or, bool, (a | b) != 0)
REAP__IDENTITY(bit_and, bool, true)
REAP__IDENTITY(bit_or, bool, false)
REAP__IDENTITY(bit_xor, bool, false)
REAP__IDENTITY(logical_and, bool, true)
REAP__IDENTITY(logical_or, bool, false)
REAP__OVERLOAD void reap__settle(bool *value)
{
}
REAP__SETTLED_INTEGER(bool)

/* Whether an operator has a known identity for a type: the size of what a function that is never
 * called points to. */
#define REAP__HAS_IDENTITY_0(op, T) 0
#define REAP__HAS_IDENTITY_1(op, T)                                                                \
    (sizeof(*REAP__PASTE(reap__fits_, op)((T *)0)) == sizeof(struct reap__two))
struct reap__one {
    char bytes[1];
};
struct reap__two {
    char bytes[2];
};
#define REAP__FITS_NOT(op, ...) REAP__OVERLOAD_DECLARED struct reap__one *reap__fits_##op(void *);
#define REAP__FITS_ONE(op, T) REAP__OVERLOAD_DECLARED struct reap__two *reap__fits_##op(T *);
REAP__NUMBER_OPERATORS(REAP__FITS_NOT, ~)
REAP__BIT_OPERATORS(REAP__FITS_NOT, ~)
REAP__LOGICAL_OPERATORS(REAP__FITS_NOT, ~)
#define REAP__FITS_INTEGER(name, T, ...)                                                           \
    REAP__NUMBER_OPERATORS(REAP__FITS_ONE, T) REAP__BIT_OPERATORS(REAP__FITS_ONE, T)
#define REAP__FITS_FLOAT(name, T) REAP__NUMBER_OPERATORS(REAP__FITS_ONE, T)
REAP__INTEGER_TYPES(REAP__FITS_INTEGER)
REAP__FLOAT_TYPES(REAP__FITS_FLOAT)
#define REAP__FITS_NARROW(name, T, ...) REAP__NUMBER_OPERATORS(REAP__FITS_ONE, T)
REAP__NARROW_TYPES(REAP__FITS_NARROW)
REAP__BIT_OPERATORS(REAP__FITS_ONE, bool)
REAP__LOGICAL_OPERATORS(REAP__FITS_ONE, bool)

/* ---- The user's operators ---------------------------------------------------------------------*/

#define REAP__OPERATOR(name, T)                                                                    \
    struct REAP__PASTE(reap_flag_, name) {                                                         \
        REAP__TAG_MEMBERS                                                                          \
    };                                                                                             \
    REAP__FUNCTION REAP__OPERATED(T)                                                               \
        REAP__PASTE(reap__operate_, name)(REAP__OPERAND(T), REAP__OPERAND(T));                     \
    REAP__FUNCTION T REAP__PASTE(reap_operator_, name)(T reap_a_, T reap_b_)                       \
    {                                                                                              \
        return REAP__PASTE(reap__operate_, name)(reap_a_, reap_b_);                                \
    }
/* The operator on values that registers do not hold is in the code once: inlined wherever values
 * are combined, it takes compilers minutes. So it does where they see that an argument is only
 * read, and pass its thousands of members instead: it is given by its address as a number. What
 * the operator makes of its arguments stays in it: the first is written after it, the second is a
 * copy. */
#define REAP__USER_LARGE(name, T)                                                                  \
    REAP__NEVER_INLINE void REAP__PASTE(reap__large_, name)(T * reap_into_, size_t reap_v_)        \
    {                                                                                              \
        T reap_copy_;                                                                              \
        REAP__COPY(T, &reap_copy_, (const T *)reap_v_);                                            \
        const REAP__OPERATED(T) reap_combined_ =                                                   \
            REAP__PASTE(reap__operate_, name)(*reap_into_, reap_copy_);                            \
        REAP__COPY(T, reap_into_, (const T *)&reap_combined_);                                     \
    }
#ifdef REAP__LOGS_VALUES
#define REAP__USER_COMBINE(name, T)                                                                \
    REAP__OVERLOAD void reap__combine(struct REAP__PASTE(reap_flag_, name) * reap_tag_,            \
                                      T * reap_into_, const T REAP__REFERENCE reap_v_)             \
    {                                                                                              \
        REAP__COMBINED(reap_tag_, T, reap_into_, reap_v_, );                                       \
    }
#define REAP__USER_COMBINE_NO_IDENTITY(name, T) REAP__USER_COMBINE(name, T)
#else
#define REAP__USER_COMBINE(name, T)                                                                \
    REAP__USER_LARGE(name, T)                                                                      \
    REAP__OVERLOAD void reap__combine(struct REAP__PASTE(reap_flag_, name) * reap_tag_,            \
                                      T * reap_into_, const T REAP__REFERENCE reap_v_)             \
    {                                                                                              \
        if (REAP__IS_LARGE(T))                                                                     \
            REAP__PASTE(reap__large_, name)(reap_into_, (size_t)&reap_v_);                         \
        else                                                                                       \
            *reap_into_ = REAP__PASTE(reap_operator_, name)(*reap_into_, reap_v_);                 \
    }
#define REAP__USER_COMBINE_NO_IDENTITY(name, T)                                                    \
    REAP__USER_LARGE(name, T)                                                                      \
    REAP__OVERLOAD void reap__combine(struct REAP__PASTE(reap_flag_, name) * reap_tag_,            \
                                      T * reap_into_, const T REAP__REFERENCE reap_v_)             \
    {                                                                                              \
        if (reap_tag_->set && REAP__IS_LARGE(T)) {                                                 \
            REAP__PASTE(reap__large_, name)(reap_into_, (size_t)&reap_v_);                         \
        } else if (reap_tag_->set) {                                                               \
            const T reap_combined_ = REAP__PASTE(reap_operator_, name)(*reap_into_, reap_v_);      \
            *reap_into_ = reap_combined_;                                                          \
        } else {                                                                                   \
            REAP__COPY(T, reap_into_, &reap_v_);                                                   \
        }                                                                                          \
        reap_tag_->set = 1;                                                                        \
    }
#endif

REAP__IDENTITY(exact_plus, float, -0.0f)
REAP__OVERLOAD_DECLARED struct reap__one *reap__fits_exact_plus(void *);
REAP__OVERLOAD_DECLARED struct reap__two *reap__fits_exact_plus(float *);
#ifdef REAP__HAS_DOUBLES
REAP__IDENTITY(exact_plus, double, -0.0)
REAP__OVERLOAD_DECLARED struct reap__two *reap__fits_exact_plus(double *);
#endif
#ifdef REAP__HAS_EXACT_SUMS
#include <reap/detail/device/exact.h>
#endif

#ifdef REAP__HAS_SPANS
#include <reap/detail/device/spans.h>
#else
#define REAP__SPAN_SPACE REAP_GLOBAL
struct reap__span {
    int none;
};
#define REAP__USER_SPAN(name, T)
#define REAP__USER_SPAN_NO_IDENTITY(name, T)
#endif

#ifndef REAP__HAS_GROUPS
#define REAP__USER_GROUP(name, T)
#define REAP__USER_IDENTITY_GROUP(name, T)
#endif

#endif
