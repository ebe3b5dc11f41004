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

#include <reap/detail/device/exact_round.h>

/* A work-item's view of a sum. Its first value goes to a place that holds -0, and is added when the
 * values of other items are there, too: compilers then load all of them together. Further values
 * are added to the lane at once, as is the first one where `has_value` says so. */
struct reap_flag_exact_plus {
    void *lane;        /* the first of its three numbers, which are */
    reap__uint stride; /* so far apart */
    bool has_value;
#ifdef REAP__LOGS_VALUES
    reap__uint count;
#endif
    REAP_LOCAL reap__ulong *words; /* the work-group's */
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
 * PoCL 3.1 crashes if it replaces `words` there by the entry's array, as it does where an item adds
 * nothing; not if the function might have other callers. */
#ifdef REAP__IS_PROCESSOR
#define REAP__WITH_OTHER_CALLERS __attribute__((__used__))
#else
#define REAP__WITH_OTHER_CALLERS
#endif
#define REAP__EXACT_SPILL(T)                                                                       \
    REAP__NEVER_INLINE REAP__WITH_OTHER_CALLERS void reap__exact_spill_##T(                        \
        REAP_LOCAL reap__ulong *words, T v)                                                        \
    {                                                                                              \
        REAP__ASSUME_LOCAL(words);                                                                 \
        if (v != 0)                                                                                \
            reap__exact_add_##T##_local(words, v);                                                 \
    }

/* A lane's second and third number get what its first one loses; what the third one loses. */
#define REAP__EXACT_LOWER(T)                                                                       \
    REAP__FUNCTION T reap__exact_lower_##T(T *lane, reap__uint stride, T lost)                     \
    {                                                                                              \
        lost = reap__exact_step_##T(&lane[stride], lost);                                          \
        return reap__exact_step_##T(&lane[2 * stride], lost);                                      \
    }

/* Adds a value to a lane. What the third number loses goes to the words. An overflow, an infinity
 * and a NaN lose a NaN: all goes there then, as it was before the value. */
#define REAP__EXACT_ADD(T, U)                                                                      \
    REAP__OVERLOAD void reap__exact_add(T *lane, reap__uint stride, REAP_LOCAL reap__ulong *words, \
                                        T v)                                                       \
    {                                                                                              \
        const T first = lane[0], second = lane[stride], third = lane[2 * stride];                  \
        const T lost = reap__exact_lower_##T(lane, stride, reap__exact_step_##T(&lane[0], v));     \
        if (lost != 0) {                                                                           \
            if (lost - lost == 0) {                                                                \
                reap__exact_spill_##T(words, lost);                                                \
            } else {                                                                               \
                reap__exact_spill_##T(words, v);                                                   \
                reap__exact_spill_##T(words, first);                                               \
                reap__exact_spill_##T(words, second);                                              \
                reap__exact_spill_##T(words, third);                                               \
                lane[0] = lane[stride] = lane[2 * stride] = 0;                                     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    /* Adds one of several values; the bits of what is lost. If they are not those of a zero, the  \
     * caller restores the lanes, and adds the values one by one. */                               \
    REAP__OVERLOAD U reap__exact_try(T *lane, reap__uint stride, T v)                              \
    {                                                                                              \
        return reap__bits_of_##T(                                                                  \
            reap__exact_lower_##T(lane, stride, reap__exact_step_##T(&lane[0], v)));               \
    }                                                                                              \
    REAP__OVERLOAD void reap__exact_combine(struct reap_flag_exact_plus *tag, T *into, T v)        \
    {                                                                                              \
        if (tag->has_value)                                                                        \
            reap__exact_add((T *)tag->lane, tag->stride, tag->words, v);                           \
        else                                                                                       \
            *into = v;                                                                             \
        tag->has_value = true;                                                                     \
    }                                                                                              \
    REAP__OVERLOAD void reap__combine(struct reap_flag_exact_plus *tag, T *into, T v)              \
    {                                                                                              \
        REAP__COMBINED(tag, T, into, v, reap__exact_combine(tag, into, v));                        \
    }

/* A lane is added to the thread's first one; that goes to the words of its group. */
#define REAP__EXACT_FLUSH(T)                                                                       \
    REAP__OVERLOAD void reap__exact_merge(T *lane, const T *right, reap__uint stride,              \
                                          REAP_LOCAL reap__ulong *words)                           \
    {                                                                                              \
        reap__exact_add(lane, stride, words, right[0]);                                            \
        reap__exact_spill_##T(words, reap__exact_lower_##T(lane, stride, right[stride]));          \
        reap__exact_spill_##T(words, reap__exact_lower_##T(lane, stride, right[2 * stride]));      \
    }                                                                                              \
    REAP__OVERLOAD void reap__exact_flush(const T *lane, reap__uint stride,                        \
                                          REAP_LOCAL reap__ulong *words)                           \
    {                                                                                              \
        reap__exact_spill_##T(words, lane[0]);                                                     \
        reap__exact_spill_##T(words, lane[stride]);                                                \
        reap__exact_spill_##T(words, lane[2 * stride]);                                            \
        reap__exact_note_##T##_local(words, lane[0]);                                              \
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
REAP__EXACT_ADD(float, reap__uint)
REAP__EXACT_FLUSH(float)
REAP__EXACT_PASS(float, 10)
REAP__EXACT_FINISH(float)
#ifdef REAP__HAS_DOUBLES
REAP__EXACT_STEP(double)
REAP__EXACT_SPILL(double)
REAP__EXACT_LOWER(double)
REAP__EXACT_ADD(double, reap__ulong)
REAP__EXACT_FLUSH(double)
REAP__EXACT_PASS(double, 67)
REAP__EXACT_FINISH(double)
#endif

#endif
