/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators and their identities, one function for each type that an operator fits.
 * Integers wrap (their arithmetic is done unsigned), narrow types compute in float and round once,
 * minimum and maximum ignore a NaN that meets a number on their left (docs/reductions.md).
 * A macro finds the function for a type that may be spelt in any way by _Generic.
 */
#ifndef REAP_DETAIL_HOST_OPERATORS_H
#define REAP_DETAIL_HOST_OPERATORS_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <limits.h>
#include <math.h>
#include <reap/bfloat16.h>
#include <reap/detail/list.h>
#include <reap/detail/narrow_types.h>
#include <reap/half.h>
#include <stdbool.h>

/* Without instrumentation: the calls of -finstrument-functions would make a body's loop one that
 * clang does not follow to the end of a phase (phases.h). */
#define REAP__INLINE                                                                               \
    static inline __attribute__((__always_inline__, __no_instrument_function__, __unused__))

/* Whether two constants of macros are equal. Where macros were expanded by another run of the
 * compiler, clang warns of a == a. */
#define REAP__IS_EQUAL(a, b) ((a) - (b) == 0)

/* The calling convention of functions that take a user's struct by value. In the System V
 * convention clang passes a struct of four floats as two vectors of two floats. These stay when the
 * function is inlined, and then the loop is not vectorised. This convention passes each member.
 * (Swift's does so, too, but passes a struct of three bytes as a number of four, which it reads and
 * writes.) */
#if defined(__clang__) && defined(__x86_64__)
#define REAP__BY_MEMBER __attribute__((__regcall__))
#else
#define REAP__BY_MEMBER
#endif

/* X(name, type, unsigned type of at least int's width, lowest, highest) */
#define REAP__INTEGER_TYPES(X)                                                                     \
    X(char, char, unsigned, CHAR_MIN, CHAR_MAX)                                                    \
    X(schar, signed char, unsigned, SCHAR_MIN, SCHAR_MAX)                                          \
    X(uchar, unsigned char, unsigned, 0, UCHAR_MAX)                                                \
    X(short, short, unsigned, SHRT_MIN, SHRT_MAX)                                                  \
    X(ushort, unsigned short, unsigned, 0, USHRT_MAX)                                              \
    X(int, int, unsigned, INT_MIN, INT_MAX)                                                        \
    X(uint, unsigned, unsigned, 0, UINT_MAX)                                                       \
    X(long, long, unsigned long, LONG_MIN, LONG_MAX)                                               \
    X(ulong, unsigned long, unsigned long, 0, ULONG_MAX)                                           \
    X(llong, long long, unsigned long long, LLONG_MIN, LLONG_MAX)                                  \
    X(ullong, unsigned long long, unsigned long long, 0, ULLONG_MAX)

/* X(name, type); without the narrow types (narrow_types.h) */
#define REAP__FLOAT_TYPES(X) X(float, float) X(double, double)

#define REAP__INTEGER_OPERATORS(name, T, U, lowest, highest)                                       \
    REAP__INLINE T reap__plus_##name(T a, T b)                                                     \
    {                                                                                              \
        return (T)((U)a + (U)b);                                                                   \
    }                                                                                              \
    REAP__INLINE T reap__multiplies_##name(T a, T b)                                               \
    {                                                                                              \
        return (T)((U)a * (U)b);                                                                   \
    }                                                                                              \
    REAP__INLINE T reap__bit_and_##name(T a, T b)                                                  \
    {                                                                                              \
        return (T)(a & b);                                                                         \
    }                                                                                              \
    REAP__INLINE T reap__bit_or_##name(T a, T b)                                                   \
    {                                                                                              \
        return (T)(a | b);                                                                         \
    }                                                                                              \
    REAP__INLINE T reap__bit_xor_##name(T a, T b)                                                  \
    {                                                                                              \
        return (T)(a ^ b);                                                                         \
    }                                                                                              \
    REAP__INLINE T reap__minimum_##name(T a, T b)                                                  \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    REAP__INLINE T reap__maximum_##name(T a, T b)                                                  \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    REAP__INLINE bool reap__less_##name(T a, T b)                                                  \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    REAP__INLINE bool reap__vacant_##name(T a, bool fresh)                                         \
    {                                                                                              \
        return (void)a, fresh;                                                                     \
    }
REAP__INTEGER_TYPES(REAP__INTEGER_OPERATORS)
#undef REAP__INTEGER_OPERATORS

#define REAP__FLOAT_OPERATORS(name, T)                                                             \
    REAP__INLINE T reap__plus_##name(T a, T b)                                                     \
    {                                                                                              \
        return a + b;                                                                              \
    }                                                                                              \
    REAP__INLINE T reap__multiplies_##name(T a, T b)                                               \
    {                                                                                              \
        return a * b;                                                                              \
    }                                                                                              \
    REAP__INLINE T reap__minimum_##name(T a, T b)                                                  \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    REAP__INLINE T reap__maximum_##name(T a, T b)                                                  \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    REAP__INLINE bool reap__less_##name(T a, T b)                                                  \
    {                                                                                              \
        return a < b;                                                                              \
    }                                                                                              \
    REAP__INLINE bool reap__vacant_##name(T a, bool fresh)                                         \
    {                                                                                              \
        return (void)fresh, a != a;                                                                \
    }                                                                                              \
    REAP__INLINE void reap__settle_##name(void *value)                                             \
    {                                                                                              \
        T *const a = (T *)value;                                                                   \
        if (*a != *a)                                                                              \
            *a = (T)NAN;                                                                           \
    }
REAP__FLOAT_TYPES(REAP__FLOAT_OPERATORS)
#undef REAP__FLOAT_OPERATORS

#define REAP__NARROW_OPERATORS(name, T, one, infinity, nan)                                        \
    REAP__INLINE T reap__plus_##name(T a, T b)                                                     \
    {                                                                                              \
        return T##_from_float(T##_to_float(a) + T##_to_float(b));                                  \
    }                                                                                              \
    REAP__INLINE T reap__multiplies_##name(T a, T b)                                               \
    {                                                                                              \
        return T##_from_float(T##_to_float(a) * T##_to_float(b));                                  \
    }                                                                                              \
    REAP__INLINE T reap__minimum_##name(T a, T b)                                                  \
    {                                                                                              \
        return T##_to_float(b) < T##_to_float(a) ? b : a;                                          \
    }                                                                                              \
    REAP__INLINE T reap__maximum_##name(T a, T b)                                                  \
    {                                                                                              \
        return T##_to_float(a) < T##_to_float(b) ? b : a;                                          \
    }                                                                                              \
    REAP__INLINE bool reap__less_##name(T a, T b)                                                  \
    {                                                                                              \
        return T##_to_float(a) < T##_to_float(b);                                                  \
    }                                                                                              \
    REAP__INLINE bool reap__vacant_##name(T a, bool fresh)                                         \
    {                                                                                              \
        return (void)fresh, (a.bits & 0x7fffu) > infinity;                                         \
    }                                                                                              \
    REAP__INLINE void reap__settle_##name(void *value)                                             \
    {                                                                                              \
        T *const a = (T *)value;                                                                   \
        if (reap__vacant_##name(*a, false))                                                        \
            a->bits = nan;                                                                         \
    }
REAP__NARROW_TYPES(REAP__NARROW_OPERATORS)
#undef REAP__NARROW_OPERATORS

REAP__INLINE void reap__settle_other(void *value)
{
    (void)value;
}

REAP__INLINE bool reap__bit_and_boolean(bool a, bool b)
{
    return a & b;
}
REAP__INLINE bool reap__bit_or_boolean(bool a, bool b)
{
    return a | b;
}
REAP__INLINE bool reap__bit_xor_boolean(bool a, bool b)
{
    return a ^ b;
}
REAP__INLINE bool reap__logical_and_boolean(bool a, bool b)
{
    return a & b;
}
REAP__INLINE bool reap__logical_or_boolean(bool a, bool b)
{
    return a | b;
}

/* X(operator), by the types that they fit */
#define REAP__ARITHMETIC_OPERATORS(X) X(plus) X(multiplies) X(minimum) X(maximum)
#define REAP__BIT_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor)
#define REAP__LOGICAL_OPERATORS(X) X(logical_and) X(logical_or)

/* The flag of a reduction in a body: whether its lane has a value. As a parameter it has another
 * type for each operator, so that the compiler notices when a helper function gets a reduction with
 * another operator. Only pointers to the type are used: for an operator that does not exist gcc
 * would report each use. */
struct reap__flag {
    unsigned char set_;
};
#define REAP__OPERATOR_FLAG(op)                                                                    \
    struct reap_flag_##op {                                                                        \
        unsigned char set_;                                                                        \
    };
REAP__ARITHMETIC_OPERATORS(REAP__OPERATOR_FLAG)
REAP__BIT_OPERATORS(REAP__OPERATOR_FLAG)
REAP__LOGICAL_OPERATORS(REAP__OPERATOR_FLAG)
REAP__OPERATOR_FLAG(exact_plus)

/* The same for a reduction with a location: where the row of the lane's value is stored, and the
 * row of the current item. */
#define REAP__OPERATOR_LOCATION(op)                                                                \
    struct reap_location_##op {                                                                    \
        void *row_;                                                                                \
        unsigned now_;                                                                             \
    };
REAP__OPERATOR_LOCATION(minimum)
REAP__OPERATOR_LOCATION(maximum)

/* REAP__IS_OPERATOR(op): 1 for a built-in operator, 0 for any other word. */
#define REAP__IS_OPERATOR(op) REAP__SECOND(REAP__IS_##op, 0)
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

/* Associations of _Generic: m(op, name of the type) for each type that op fits. */
#define REAP__FOR_INTEGERS(m, op)                                                                  \
    char : m(op, char),                                                                            \
           signed char : m(op, schar),                                                             \
                         unsigned char : m(op, uchar),                                             \
                                         short : m(op, short),                                     \
                                                 unsigned short : m(op, ushort),                   \
                                                                  int : m(op, int),                \
                                                                        unsigned : m(op, uint),    \
                                                                                   long            \
        : m(op, long),                                                                             \
          unsigned long : m(op, ulong),                                                            \
                          long long : m(op, llong),                                                \
                                      unsigned long long : m(op, ullong)
#define REAP__FOR_ARITHMETIC(m, op)                                                                \
    REAP__FOR_INTEGERS(m, op), float : m(op, float),                                               \
                                       double : m(op, double),                                     \
                                                reap_half : m(op, half),                           \
                                                            reap_bfloat16 : m(op, bfloat16)
#define REAP__FOR_BITS(m, op) REAP__FOR_INTEGERS(m, op), bool : m(op, boolean)
#define REAP__FOR_plus(m) REAP__FOR_ARITHMETIC(m, plus)
#define REAP__FOR_multiplies(m) REAP__FOR_ARITHMETIC(m, multiplies)
#define REAP__FOR_minimum(m) REAP__FOR_ARITHMETIC(m, minimum)
#define REAP__FOR_maximum(m) REAP__FOR_ARITHMETIC(m, maximum)
#define REAP__FOR_bit_and(m) REAP__FOR_BITS(m, bit_and)
#define REAP__FOR_bit_or(m) REAP__FOR_BITS(m, bit_or)
#define REAP__FOR_bit_xor(m) REAP__FOR_BITS(m, bit_xor)
#define REAP__FOR_logical_and(m) bool : m(logical_and, boolean)
#define REAP__FOR_logical_or(m) bool : m(logical_or, boolean)
#define REAP__FOR_exact_plus(m) float : m(exact_plus, float), double : m(exact_plus, double)

#define REAP__GIVE_ONE(op, name) 1
#define REAP__GIVE_FUNCTION(op, name) reap__##op##_##name
#define REAP__GIVE_IDENTITY(op, name) REAP__IDENTITY_##op(_##name)

/* For a built-in operator: whether it fits the type; its function (if it does not fit, which has
 * been reported, something that compiles); its identity, a constant. */
#define REAP__FITS(op, T) _Generic(*(T *)0, REAP__FOR_##op(REAP__GIVE_ONE), default : 0)
#define REAP__FUNCTION(op, T)                                                                      \
    _Generic(*(T *)0, REAP__FOR_##op(REAP__GIVE_FUNCTION), default : (T(*)(T, T))0)
#define REAP__IDENTITY(op, T) _Generic(*(T *)0, REAP__FOR_##op(REAP__GIVE_IDENTITY))

#define REAP__GIVE_LESS(op, name) reap__less_##name
#define REAP__GIVE_VACANT(op, name) reap__vacant_##name

/* For a type of numbers: its comparison; whether a lane that holds `a` has no location yet
 * (`fresh`: no row is stored). Floating-point lanes start as NaN, so that one comparison is
 * enough. */
#define REAP__LESS(T)                                                                              \
    _Generic(*(T *)0, REAP__FOR_ARITHMETIC(REAP__GIVE_LESS, ~), default : (bool (*)(T, T))0)

#define REAP__VACANT(T)                                                                            \
    _Generic(*(T *)0, REAP__FOR_ARITHMETIC(REAP__GIVE_VACANT, ~), default : (bool (*)(T, bool))0)

/* The number of a type that built-in operators take; 0 for other types. */
#define REAP__GIVE_TYPE(op, name) REAP__TYPE_##name
#define REAP__TYPE(T)                                                                              \
    _Generic(*(T *)0, REAP__FOR_ARITHMETIC(REAP__GIVE_TYPE, ~), bool                               \
             : REAP__TYPE_boolean, default : 0)

/* Replaces a NaN by the canonical one. */
#define REAP__SETTLE(T)                                                                            \
    _Generic(*(T *)0, float                                                                        \
             : reap__settle_float, double                                                          \
             : reap__settle_double, reap_half                                                      \
             : reap__settle_half, reap_bfloat16                                                    \
             : reap__settle_bfloat16, default                                                      \
             : reap__settle_other)

/* The kind of a type, which determines its canonical NaN. */
#define REAP__NUMBER(T)                                                                            \
    _Generic(*(T *)0, float                                                                        \
             : REAP__IS_FLOAT, double                                                              \
             : REAP__IS_DOUBLE, reap_half                                                          \
             : REAP__IS_HALF, reap_bfloat16                                                        \
             : REAP__IS_BFLOAT16, default                                                          \
             : REAP__NO_FLOAT)

/* Constants of a type, by its name with an underscore before it. */
#define REAP__IDENTITY_plus(name) REAP__ZERO##name
#define REAP__IDENTITY_multiplies(name) REAP__UNIT##name
#define REAP__IDENTITY_minimum(name) REAP__HIGHEST##name
#define REAP__IDENTITY_maximum(name) REAP__LOWEST##name
#define REAP__IDENTITY_bit_and(name) REAP__ONES##name
#define REAP__IDENTITY_bit_or(name) REAP__ZERO##name
#define REAP__IDENTITY_bit_xor(name) REAP__ZERO##name
#define REAP__IDENTITY_logical_and(name) REAP__ONES##name
#define REAP__IDENTITY_logical_or(name) REAP__ZERO##name
#define REAP__IDENTITY_exact_plus(name) (-REAP__ZERO##name)

#define REAP__ZERO_char ((char)0)
#define REAP__UNIT_char ((char)1)
#define REAP__ONES_char ((char)~(char)0)
#define REAP__LOWEST_char ((char)CHAR_MIN)
#define REAP__HIGHEST_char ((char)CHAR_MAX)

#define REAP__ZERO_schar ((signed char)0)
#define REAP__UNIT_schar ((signed char)1)
#define REAP__ONES_schar ((signed char)~(signed char)0)
#define REAP__LOWEST_schar ((signed char)SCHAR_MIN)
#define REAP__HIGHEST_schar ((signed char)SCHAR_MAX)

#define REAP__ZERO_uchar ((unsigned char)0)
#define REAP__UNIT_uchar ((unsigned char)1)
#define REAP__ONES_uchar ((unsigned char)~(unsigned char)0)
#define REAP__LOWEST_uchar ((unsigned char)0)
#define REAP__HIGHEST_uchar ((unsigned char)UCHAR_MAX)

#define REAP__ZERO_short ((short)0)
#define REAP__UNIT_short ((short)1)
#define REAP__ONES_short ((short)~(short)0)
#define REAP__LOWEST_short ((short)SHRT_MIN)
#define REAP__HIGHEST_short ((short)SHRT_MAX)

#define REAP__ZERO_ushort ((unsigned short)0)
#define REAP__UNIT_ushort ((unsigned short)1)
#define REAP__ONES_ushort ((unsigned short)~(unsigned short)0)
#define REAP__LOWEST_ushort ((unsigned short)0)
#define REAP__HIGHEST_ushort ((unsigned short)USHRT_MAX)

#define REAP__ZERO_int ((int)0)
#define REAP__UNIT_int ((int)1)
#define REAP__ONES_int ((int)~(int)0)
#define REAP__LOWEST_int ((int)INT_MIN)
#define REAP__HIGHEST_int ((int)INT_MAX)

#define REAP__ZERO_uint ((unsigned)0)
#define REAP__UNIT_uint ((unsigned)1)
#define REAP__ONES_uint ((unsigned)~(unsigned)0)
#define REAP__LOWEST_uint ((unsigned)0)
#define REAP__HIGHEST_uint ((unsigned)UINT_MAX)

#define REAP__ZERO_long ((long)0)
#define REAP__UNIT_long ((long)1)
#define REAP__ONES_long ((long)~(long)0)
#define REAP__LOWEST_long ((long)LONG_MIN)
#define REAP__HIGHEST_long ((long)LONG_MAX)

#define REAP__ZERO_ulong ((unsigned long)0)
#define REAP__UNIT_ulong ((unsigned long)1)
#define REAP__ONES_ulong ((unsigned long)~(unsigned long)0)
#define REAP__LOWEST_ulong ((unsigned long)0)
#define REAP__HIGHEST_ulong ((unsigned long)ULONG_MAX)

#define REAP__ZERO_llong ((long long)0)
#define REAP__UNIT_llong ((long long)1)
#define REAP__ONES_llong ((long long)~(long long)0)
#define REAP__LOWEST_llong ((long long)LLONG_MIN)
#define REAP__HIGHEST_llong ((long long)LLONG_MAX)

#define REAP__ZERO_ullong ((unsigned long long)0)
#define REAP__UNIT_ullong ((unsigned long long)1)
#define REAP__ONES_ullong ((unsigned long long)~(unsigned long long)0)
#define REAP__LOWEST_ullong ((unsigned long long)0)
#define REAP__HIGHEST_ullong ((unsigned long long)ULLONG_MAX)

#define REAP__ZERO_float 0.0f
#define REAP__UNIT_float 1.0f
#define REAP__LOWEST_float (-INFINITY)
#define REAP__HIGHEST_float INFINITY

#define REAP__ZERO_double 0.0
#define REAP__UNIT_double 1.0
#define REAP__LOWEST_double ((double)-INFINITY)
#define REAP__HIGHEST_double ((double)INFINITY)

#define REAP__ZERO_half ((reap_half){0})
#define REAP__UNIT_half ((reap_half){0x3c00})
#define REAP__LOWEST_half ((reap_half){0xfc00})
#define REAP__HIGHEST_half ((reap_half){0x7c00})

#define REAP__ZERO_bfloat16 ((reap_bfloat16){0})
#define REAP__UNIT_bfloat16 ((reap_bfloat16){0x3f80})
#define REAP__LOWEST_bfloat16 ((reap_bfloat16){0xff80})
#define REAP__HIGHEST_bfloat16 ((reap_bfloat16){0x7f80})

#define REAP__ZERO_boolean ((bool)0)
#define REAP__ONES_boolean ((bool)1)

/* ---- Operators on two values ------------------------------------------------------------------*/

/* The enumerator is used so that an operator that does not exist is an error: C11 would assume a
 * function that returns int. */
#define REAP__OPERATE_0(name, a, b)                                                                \
    ((void)reap_operator_has_identity_##name, reap_operator_##name((a), (b)))
/* The operands have unique names, since one may be the result of another operator. */
#define REAP__OPERATE_1(op, a, b)                                                                  \
    REAP__OPERATE_ON(REAP__PASTE(reap_left_, __COUNTER__), REAP__PASTE(reap_right_, __COUNTER__),  \
                     REAP__PASTE(reap_result_, __COUNTER__), op, a, b)
#define REAP__OPERATE_ON(left, right, result, op, a, b)                                            \
    __extension__({                                                                                \
        _Static_assert(REAP__OPERATION_##op != REAP__OPERATION_exact_plus,                         \
                       "Reap: reap_operate does not take operator '" #op                           \
                       "': a kernel's reductions do (docs/exact-sums.md)");                        \
        REAP__OPERAND_##op left = ((void)0, (a));                                                  \
        REAP__OPERAND_##op right = ((void)0, (b));                                                 \
        _Static_assert(__builtin_types_compatible_p(__typeof__(left), __typeof__(right)),          \
                       "Reap: reap_operate(" #op ", a, b) has operands of different types: "       \
                       "convert one to the other's type");                                         \
        _Static_assert(REAP__FITS(op, __typeof__(left)),                                           \
                       "Reap: reap_operate(" #op ", a, b): the operator does not fit the "         \
                       "operands' type (docs/reductions.md)");                                     \
        __typeof__(REAP__FUNCTION(op, __typeof__(left))(left, right)) result =                     \
            REAP__FUNCTION(op, __typeof__(left))(left, right);                                     \
        REAP__SETTLE(__typeof__(left))(&result);                                                   \
        result;                                                                                    \
    })
#define REAP__OPERAND_plus __auto_type
#define REAP__OPERAND_multiplies __auto_type
#define REAP__OPERAND_minimum __auto_type
#define REAP__OPERAND_maximum __auto_type
#define REAP__OPERAND_bit_and __auto_type
#define REAP__OPERAND_bit_or __auto_type
#define REAP__OPERAND_bit_xor __auto_type
#define REAP__OPERAND_logical_and bool
#define REAP__OPERAND_logical_or bool
#define REAP__OPERAND_exact_plus __auto_type

/* ---- Users' operators -------------------------------------------------------------------------*/

#define REAP__HAS_IDENTITY_0(op, T) 0
#define REAP__HAS_IDENTITY_1(op, T) REAP__FITS(op, T)

#define REAP__OPERATOR(name, T, has_identity)                                                      \
    REAP__BODY T REAP__BY_MEMBER reap_operator_##name(T, T);                                       \
    static __attribute__((__unused__)) void reap_into_##name(void *into_, const void *from_)       \
    {                                                                                              \
        *(T *)into_ = reap_operator_##name(*(T const *)into_, *(T const *)from_);                  \
    }                                                                                              \
    REAP__OPERATOR_FLAG(name)                                                                      \
    REAP__DECLARED(operator_##name)                                                                \
    enum { reap_operator_has_identity_##name = has_identity };                                     \
    REAP__DEFINE_IS_UNIFORM(name, T)

#endif
