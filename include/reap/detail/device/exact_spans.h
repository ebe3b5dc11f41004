/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums in spans on devices (docs/spans.md). An element has the words of an exact sum
 * (kernel_table.h) in scratch memory, word w of all elements beside each other, and several
 * replicas of them where elements are few. A value is added whole to the word of its lowest bit, a
 * double in two parts: by atomic operations, which need no order. A word that leaves its range
 * carries to the word after the next one, which counts its multiples of 2^64.
 *
 * A sparse span, of which few elements are combined into or which is very long, has its words in
 * slots instead, each taken by the first work-item that combines into an element. Several items
 * that do so at the same time may each take one: an element has a list of slots, of which new
 * values go to the latest. A part of spans.h.
 */
#ifndef REAP_DETAIL_DEVICE_EXACT_SPANS_H
#define REAP_DETAIL_DEVICE_EXACT_SPANS_H

#include <reap/detail/device/exact_round.h>

/* Beside the span's number, where it is noted that there the slots are used up. */
#define REAP__SPAN_IS_FULL ((reap__ulong)1 << 32)

/* The words of a double's exact sum. */
#define REAP__MOST_EXACT_WORDS 71

/* Adds to a word; returns what it was. */
#ifdef REAP__HAS_WIDE_ATOMICS
REAP__FUNCTION reap__ulong reap__word_fetch_add(REAP_GLOBAL reap__ulong *word, reap__ulong v)
{
    return reap__atomic_fetch_add(word, v);
}
#else
/* Its halves, one after the other: the lower one carries. */
REAP__FUNCTION reap__ulong reap__word_fetch_add(REAP_GLOBAL reap__ulong *word, reap__ulong v)
{
    REAP_GLOBAL reap__uint *const halves = (REAP_GLOBAL reap__uint *)word;
    const reap__uint low = (reap__uint)v, old = reap__atomic_fetch_add(halves, low);
    const reap__uint high = (reap__uint)(v >> 32) + ((reap__uint)(old + low) < low ? 1u : 0u);
    const reap__uint above = high != 0 ? reap__atomic_fetch_add(halves + 1, high) : 0;
    return (reap__ulong)above << 32 | old;
}
#endif

/* Adds to a word of an element, of which the next one is `stride` words further. An element's first
 * value finds its word to be 0: then it is noted that the element has one. */
REAP__FUNCTION void reap__word_add(REAP_GLOBAL reap__ulong *word, reap__ulong stride,
                                   REAP_GLOBAL reap__ulong *has_values, reap__ulong v)
{
    reap__ulong old = reap__word_fetch_add(word, v);
    if ((reap__uint)old == 0)
        *has_values = 1;
    while (((old ^ (old + v)) & (v ^ (old + v))) >> 63 != 0) {
        v = v >> 63 != 0 ? 0 - (reap__ulong)1 : 1;
        word += 2 * stride;
        old = reap__word_fetch_add(word, v);
    }
}

/* Adds fraction * 2^exponent least subnormal numbers to an element, whose first word is given. */
REAP__FUNCTION void reap__element_add(REAP_GLOBAL reap__ulong *words, reap__ulong stride,
                                      reap__uint digits, reap__ulong fraction, reap__uint exponent,
                                      bool is_negative)
{
    const reap__ulong low = fraction & 0x7ffffffu, high = fraction >> 27;
    REAP_GLOBAL reap__ulong *const has_values = words + (digits + 3) * stride;
    if (low != 0) {
        const reap__ulong v = low << exponent % 32;
        reap__word_add(words + exponent / 32 * stride, stride, has_values, is_negative ? 0 - v : v);
    }
    if (high != 0) {
        const reap__ulong v = high << (exponent + 27) % 32;
        reap__word_add(words + (exponent + 27) / 32 * stride, stride, has_values,
                       is_negative ? 0 - v : v);
    }
}

/* Adds a zero, a subnormal number, an infinity or a NaN. */
REAP__OUT_OF_LINE void reap__element_add_special(REAP_GLOBAL reap__ulong *words, reap__ulong stride,
                                                 reap__uint digits, reap__ulong fraction,
                                                 bool is_finite, bool is_negative)
{
    REAP_GLOBAL reap__ulong *const counts = words + digits * stride;
    if (is_finite)
        reap__element_add(words, stride, digits, fraction, 0, is_negative);
    else
        reap__word_fetch_add(counts + (fraction != 0 ? 0 : is_negative ? 2 : 1) * stride, 1);
    if (!is_finite || !is_negative)
        counts[3 * stride] = 1;
}

/* ---- Sparse spans -----------------------------------------------------------------------------*/

/* A slot is the words of an element, and then the number of the element's next slot; numbers begin
 * with 1. Words are 0 before others see the slot. */
REAP__OUT_OF_LINE REAP_GLOBAL reap__ulong *reap__slot_take(const struct reap__span span,
                                                           reap__uint words_of_slot)
{
    reap__ulong slot = *(volatile REAP_GLOBAL reap__uint *)span.slots_taken;
    if (slot < span.capacity)
        slot = reap__atomic_fetch_add(span.slots_taken, 1u);
    if (slot >= span.capacity) {
        reap__note_outside(span.outside, span.number | REAP__SPAN_IS_FULL, span.index);
        return 0;
    }
    REAP_GLOBAL reap__ulong *const words = span.words + slot * words_of_slot;
    for (reap__uint w = 0; w < words_of_slot; w++)
        words[w] = 0;
    reap__fence();
    words[words_of_slot - 1] = reap__atomic_exchange(span.table + span.index, (reap__uint)slot + 1);
    return words;
}

/* An element's first word, of the item's replica; 0: memory for it is missing. */
REAP__FUNCTION REAP_GLOBAL reap__ulong *reap__element_words(const struct reap__span span,
                                                            reap__uint words_of_slot)
{
    if (span.capacity == 0)
        return span.words + (span.index << span.replicas_log2) + span.replica;
    const reap__uint slot = *(volatile REAP_GLOBAL reap__uint *)(span.table + span.index);
    if (slot == 0)
        return reap__slot_take(span, words_of_slot);
    return span.words + (reap__ulong)(slot - 1) * words_of_slot;
}

/* ---- Both -------------------------------------------------------------------------------------*/

#ifdef REAP__HAS_GROUPS
#define REAP__EXACT_FUNCTION REAP__OVERLOAD_BESIDE_BARRIERS
#else
#define REAP__EXACT_FUNCTION REAP__OVERLOAD
#endif

#define REAP__SPAN_EXACT(T, U, fraction_bits, exponent_bits, digits)                               \
    REAP__EXACT_FUNCTION void reap__combine_at(struct reap_flag_plus *tag, REAP__SPAN_SPACE T *x,  \
                                               const struct reap__span span, T v)                  \
    {                                                                                              \
        if (!reap__is_inside(span))                                                                \
            return;                                                                                \
        const U bits = reap__bits_of_##T(v);                                                       \
        const reap__uint exponent = (reap__uint)(bits >> (fraction_bits)) & (exponent_bits);       \
        const reap__ulong fraction = bits & (((U)1 << (fraction_bits)) - 1);                       \
        const bool is_negative = bits >> (fraction_bits) > (exponent_bits);                        \
        REAP_GLOBAL reap__ulong *const words = reap__element_words(span, (digits) + 5);            \
        if (words == 0)                                                                            \
            return;                                                                                \
        if (exponent == 0 || exponent == (exponent_bits))                                          \
            reap__element_add_special(words, span.words_stride, digits, fraction, exponent == 0,   \
                                      is_negative);                                                \
        else                                                                                       \
            reap__element_add(words, span.words_stride, digits,                                    \
                              fraction | (reap__ulong)1 << (fraction_bits), exponent - 1,          \
                              is_negative);                                                        \
    }

/* Adds the words of an element, or of its replicas. A word is at most 2^63 in magnitude: its upper
 * half goes to the next word. */
REAP__FUNCTION void reap__words_add(reap__ulong *sum, reap__uint digits,
                                    const REAP_GLOBAL reap__ulong *words, reap__ulong stride,
                                    reap__ulong replicas)
{
    for (reap__uint w = 0; w < digits + 4; w++)
        for (reap__ulong r = 0; r < replicas; r++) {
            const reap__ulong word = words[w * stride + r];
            const bool is_whole = w + 1 >= digits;
            sum[w] += is_whole ? word : word & 0xffffffffu;
            if (!is_whole)
                sum[w + 1] += (reap__ulong)((reap__long)word >> 32);
        }
}

REAP__FUNCTION void reap__element_sum(reap__ulong *sum, reap__uint digits,
                                      const struct reap__span span)
{
    for (reap__uint w = 0; w < digits + 4; w++)
        sum[w] = 0;
    if (span.capacity == 0) {
        reap__words_add(sum, digits, span.words + (span.index << span.replicas_log2),
                        span.words_stride, (reap__ulong)1 << span.replicas_log2);
        return;
    }
    for (reap__ulong slot = span.table[span.index]; slot != 0;) {
        const REAP_GLOBAL reap__ulong *const words = span.words + (slot - 1) * (digits + 5);
        reap__words_add(sum, digits, words, 1, 1);
        slot = words[digits + 4];
    }
}

/* Adds an element to words elsewhere, those of an exact sum, of which each digit but the last one
 * becomes a number of 32 bits with a sign. An element without values changes nothing. */
REAP__FUNCTION void reap__element_add_words(REAP_GLOBAL reap__ulong *into,
                                            const struct reap__span span, reap__uint digits)
{
    reap__ulong sum[REAP__MOST_EXACT_WORDS];
    reap__element_sum(sum, digits, span);
    if (sum[digits + 3] == 0)
        return;
    reap__long over = 0;
    for (reap__uint w = 0; w < digits; w++) {
        const reap__long digit = (reap__long)(into[w] + sum[w] + (reap__ulong)over);
        const reap__long low = w + 1 < digits ? (reap__long)(int)(reap__uint)digit : digit;
        over = (digit - low) >> 32;
        into[w] = (reap__ulong)low;
    }
    for (reap__uint w = digits; w < digits + 4; w++)
        into[w] += sum[w];
}

/* An element's variable becomes the sum of itself, start and the element, rounded once. With
 * `initialize` it is the identity before. */
#define REAP__SPAN_STORE(T, digits)                                                                \
    REAP__OVERLOAD void reap__element_store(REAP_GLOBAL T *variable, const struct reap__span span, \
                                            T start, T identity, bool initialize)                  \
    {                                                                                              \
        reap__ulong sum[(digits) + 4];                                                             \
        reap__element_sum(sum, digits, span);                                                      \
        const T old = initialize ? identity : *variable;                                           \
        if (sum[(digits) + 3] != 0) {                                                              \
            reap__exact_add_##T##_private(sum, old);                                               \
            reap__exact_add_##T##_private(sum, start);                                             \
            *variable = reap__exact_round_##T##_private(sum);                                      \
        } else if (initialize) {                                                                   \
            *variable = identity;                                                                  \
        }                                                                                          \
    }

REAP__SPAN_EXACT(float, reap__uint, 23, 0xffu, 10u)
REAP__SPAN_STORE(float, 10u)
#ifdef REAP__HAS_DOUBLES
REAP__SPAN_EXACT(double, reap__ulong, 52, 0x7ffu, 67u)
REAP__SPAN_STORE(double, 67u)
#endif

#endif
