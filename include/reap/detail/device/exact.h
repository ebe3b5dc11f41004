/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums on devices (docs/exact-sums.md). A work-item's lane is the sum of three numbers, to
 * which a value is added without error (TwoSum: Knuth, "The Art of Computer Programming", volume 2,
 * 4.2.2). What the third one does not take goes to the words of its work-group, in local memory, as
 * do the lanes in the end. The words of all groups meet in scratch memory; atomic additions of
 * integers need no order. A part of operators.h.
 */
#ifndef REAP_DETAIL_DEVICE_EXACT_H
#define REAP_DETAIL_DEVICE_EXACT_H

/* What stands beside a lane's first number. */
struct reap_flag_exact_plus {
    float second_float, third_float;
#ifdef REAP__HAS_DOUBLES
    double second_double, third_double;
#endif
    REAP_LOCAL reap__ulong *words;
};

/* ---- Words ------------------------------------------------------------------------------------*/

#define REAP__X float
#define REAP__X_FRACTION 23
#define REAP__X_EXPONENT 0xffu
#define REAP__X_DIGITS 10u
#define REAP__X_BITS(number) ((reap__ulong)reap__bits_of_float(number))
#define REAP__X_NUMBER(bits) reap__float_of_bits((reap__uint)(bits))
#define REAP__X_NAME float_local
#define REAP__X_WORD REAP_LOCAL reap__ulong
#define REAP__X_FETCH_ADD(word, v) reap__atomic_fetch_add(word, (reap__ulong)(v))
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#define REAP__X_NAME float_global
#define REAP__X_WORD REAP_GLOBAL reap__ulong
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#undef REAP__X_FETCH_ADD
#define REAP__X_NAME float_private
#define REAP__X_WORD reap__ulong
#define REAP__X_FETCH_ADD(word, v) reap__exact_fetch_add(word, v)
REAP__FUNCTION reap__ulong reap__exact_fetch_add(reap__ulong *word, reap__ulong v)
{
    const reap__ulong old = *word;
    *word = old + v;
    return old;
}
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#undef REAP__X_FETCH_ADD
#undef REAP__X
#undef REAP__X_FRACTION
#undef REAP__X_EXPONENT
#undef REAP__X_DIGITS
#undef REAP__X_BITS
#undef REAP__X_NUMBER

#ifdef REAP__HAS_DOUBLES
#define REAP__X double
#define REAP__X_FRACTION 52
#define REAP__X_EXPONENT 0x7ffu
#define REAP__X_DIGITS 67u
#define REAP__X_BITS(number) reap__bits_of_double(number)
#define REAP__X_NUMBER(bits) reap__double_of_bits(bits)
#define REAP__X_NAME double_local
#define REAP__X_WORD REAP_LOCAL reap__ulong
#define REAP__X_FETCH_ADD(word, v) reap__atomic_fetch_add(word, (reap__ulong)(v))
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#define REAP__X_NAME double_global
#define REAP__X_WORD REAP_GLOBAL reap__ulong
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#undef REAP__X_FETCH_ADD
#define REAP__X_NAME double_private
#define REAP__X_WORD reap__ulong
#define REAP__X_FETCH_ADD(word, v) reap__exact_fetch_add(word, v)
#include <reap/detail/device/exact_tmpl.h>
#undef REAP__X_NAME
#undef REAP__X_WORD
#undef REAP__X_FETCH_ADD
#undef REAP__X
#undef REAP__X_FRACTION
#undef REAP__X_EXPONENT
#undef REAP__X_DIGITS
#undef REAP__X_BITS
#undef REAP__X_NUMBER
#endif

/* ---- Lanes ------------------------------------------------------------------------------------*/

/* *into += v; what that loses. */
#define REAP__EXACT_STEP(T)                                                                        \
    REAP__FUNCTION T reap__exact_step_##T(T *into, T v)                                            \
    {                                                                                              \
        const T a = *into, sum = a + v, part = sum - a;                                            \
        *into = sum;                                                                               \
        return (a - (sum - part)) + (v - part);                                                    \
    }

/* Adds to the words of a group. Out of line: inlined, its copies would fill the instruction cache.
 */
#define REAP__EXACT_SPILL(T)                                                                       \
    REAP__NEVER_INLINE void reap__exact_spill_##T(REAP_LOCAL reap__ulong *words, T v)              \
    {                                                                                              \
        REAP__ASSUME_LOCAL(words);                                                                 \
        if (v != 0)                                                                                \
            reap__exact_add_##T##_local(words, v);                                                 \
    }

/* A lane's second and third number get what its first one loses. */
#define REAP__EXACT_LOWER(T)                                                                       \
    REAP__FUNCTION void reap__exact_lower_##T(struct reap_flag_exact_plus *tag, T lost)            \
    {                                                                                              \
        lost = reap__exact_step_##T(&tag->second_##T, lost);                                       \
        lost = reap__exact_step_##T(&tag->third_##T, lost);                                        \
        if (lost != 0)                                                                             \
            reap__exact_spill_##T(tag->words, lost);                                               \
    }

/* What the third number loses goes to the words. An overflow, an infinity and a NaN lose a NaN: all
 * goes there then, as it was before the value. */
#define REAP__EXACT_COMBINE(T)                                                                     \
    REAP__OVERLOAD void reap__combine(struct reap_flag_exact_plus *tag, T *into, T v)              \
    {                                                                                              \
        const T first = *into, second = tag->second_##T, third = tag->third_##T;                   \
        T lost = reap__exact_step_##T(into, v);                                                    \
        lost = reap__exact_step_##T(&tag->second_##T, lost);                                       \
        lost = reap__exact_step_##T(&tag->third_##T, lost);                                        \
        if (lost != 0) {                                                                           \
            if (lost - lost == 0) {                                                                \
                reap__exact_spill_##T(tag->words, lost);                                           \
            } else {                                                                               \
                reap__exact_spill_##T(tag->words, v);                                              \
                reap__exact_spill_##T(tag->words, first);                                          \
                reap__exact_spill_##T(tag->words, second);                                         \
                reap__exact_spill_##T(tag->words, third);                                          \
                *into = tag->second_##T = tag->third_##T = 0;                                      \
            }                                                                                      \
        }                                                                                          \
    }

/* A thread's lane goes to the words of its group. */
#define REAP__EXACT_FLUSH(T)                                                                       \
    REAP__OVERLOAD void reap__exact_flush(const struct reap_flag_exact_plus *tag, const T *lane)   \
    {                                                                                              \
        reap__exact_spill_##T(tag->words, *lane);                                                  \
        reap__exact_spill_##T(tag->words, tag->second_##T);                                        \
        reap__exact_spill_##T(tag->words, tag->third_##T);                                         \
        reap__exact_note_##T##_local(tag->words, *lane);                                           \
    }                                                                                              \
    REAP__OVERLOAD void reap__exact_merge(struct reap_flag_exact_plus *tag, T *lane,               \
                                          const struct reap_flag_exact_plus *right_tag,            \
                                          const T *right)                                          \
    {                                                                                              \
        reap__combine(tag, lane, *right);                                                          \
        reap__exact_lower_##T(tag, right_tag->second_##T);                                         \
        reap__exact_lower_##T(tag, right_tag->third_##T);                                          \
    }

/* A word of a group is added to that of the launch. */
#define REAP__EXACT_PASS(T, digits)                                                                \
    REAP__OVERLOAD void reap__exact_pass(const T *type, REAP_GLOBAL reap__ulong *words,            \
                                         reap__uint w, reap__ulong v)                              \
    {                                                                                              \
        if (w < (digits))                                                                          \
            reap__exact_add_digit_##T##_global(words, w, v);                                       \
        else                                                                                       \
            reap__atomic_fetch_add(words + w, v);                                                  \
    }

/* The launch's sum, with the variable's old value unless that is not included. */
#define REAP__EXACT_FINISH(T)                                                                      \
    REAP__OVERLOAD T reap__exact_finish(reap__ulong *words, const T *old, bool includes)           \
    {                                                                                              \
        if (includes) {                                                                            \
            reap__exact_add_##T##_private(words, *old);                                            \
            reap__exact_note_##T##_private(words, *old);                                           \
        }                                                                                          \
        return reap__exact_round_##T##_private(words);                                             \
    }

REAP__EXACT_STEP(float)
REAP__EXACT_SPILL(float)
REAP__EXACT_LOWER(float)
REAP__EXACT_COMBINE(float)
REAP__EXACT_FLUSH(float)
REAP__EXACT_PASS(float, 10)
REAP__EXACT_FINISH(float)
#ifdef REAP__HAS_DOUBLES
REAP__EXACT_STEP(double)
REAP__EXACT_SPILL(double)
REAP__EXACT_LOWER(double)
REAP__EXACT_COMBINE(double)
REAP__EXACT_FLUSH(double)
REAP__EXACT_PASS(double, 67)
REAP__EXACT_FINISH(double)
#endif

#endif
