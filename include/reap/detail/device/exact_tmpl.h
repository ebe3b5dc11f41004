/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums of one floating-point type (docs/exact-sums.md): adding a number to the words of a sum
 * (kernel_table.h), and rounding them. The library and devices' programs compile this same text. It
 * expects these macros:
 *
 *   REAP__X             the type, float or double; REAP__X_NAME, on which all names end
 *   REAP__X_FRACTION    bits of the fraction, 23 or 52; REAP__X_EXPONENT, the largest exponent
 *                       field; REAP__X_DIGITS
 *   REAP__X_BITS(v)     the bits of a number as a reap__ulong; REAP__X_NUMBER(bits), the other way
 *   REAP__X_WORD        a word in memory
 *   REAP__X_FETCH_ADD(word, v)   adds to a word that others may add to; what it was before
 */
#define REAP__X_OF(name) REAP__PASTE(reap__exact_##name##_, REAP__X_NAME)
#define REAP__X_MASK 0xffffffffu
#define REAP__X_LIMIT ((reap__long)1 << 62)

/* Adds to a digit. One that reaches the limit carries, by the thread that brought it there. */
REAP__FUNCTION void REAP__X_OF(add_digit)(REAP__X_WORD *words, reap__uint i, reap__ulong v)
{
    for (;; i++) {
        const reap__long old = (reap__long)REAP__X_FETCH_ADD(words + i, v);
        const reap__long now = (reap__long)((reap__ulong)old + v);
        const bool is_over = old < REAP__X_LIMIT && now >= REAP__X_LIMIT;
        const bool is_under = old > -REAP__X_LIMIT && now <= -REAP__X_LIMIT;
        if (i + 1 == REAP__X_DIGITS || (!is_over && !is_under))
            return;
        const reap__ulong carry = (reap__ulong)REAP__X_LIMIT >> 32;
        REAP__X_FETCH_ADD(words + i, (reap__ulong)(is_over ? -REAP__X_LIMIT : REAP__X_LIMIT));
        v = is_over ? carry : 0 - carry;
    }
}

/* Adds fraction * 2^exponent least subnormal numbers, or subtracts them. */
REAP__FUNCTION void REAP__X_OF(add_scaled)(REAP__X_WORD *words, reap__ulong fraction,
                                           reap__uint exponent, bool is_negative)
{
    const reap__uint i = exponent / 32, shift = exponent % 32;
    const reap__ulong low = fraction << shift, high = shift != 0 ? fraction >> (64 - shift) : 0;
    const reap__ulong digits[3] = {low & REAP__X_MASK, low >> 32, high};
    for (reap__uint d = 0; d < 3; d++)
        if (digits[d] != 0)
            REAP__X_OF(add_digit)(words, i + d, is_negative ? 0 - digits[d] : digits[d]);
}

/* Adds a number, but does not count whether it is -0. */
REAP__FUNCTION void REAP__X_OF(add)(REAP__X_WORD *words, REAP__X number)
{
    const reap__ulong bits = REAP__X_BITS(number);
    const reap__uint exponent = (reap__uint)(bits >> REAP__X_FRACTION) & REAP__X_EXPONENT;
    const reap__ulong fraction = bits & (((reap__ulong)1 << REAP__X_FRACTION) - 1);
    const bool is_negative = (bits >> REAP__X_FRACTION) > REAP__X_EXPONENT;
    if (exponent == REAP__X_EXPONENT)
        REAP__X_FETCH_ADD(words + REAP__X_DIGITS +
                              (fraction != 0 ? 0
                               : is_negative ? 2
                                             : 1),
                          (reap__ulong)1);
    else if (exponent == 0)
        REAP__X_OF(add_scaled)(words, fraction, 0, is_negative);
    else
        REAP__X_OF(add_scaled)
    (words, fraction | (reap__ulong)1 << REAP__X_FRACTION, exponent - 1, is_negative);
}

/* Counts a number that is not -0. */
REAP__FUNCTION void REAP__X_OF(note)(REAP__X_WORD *words, REAP__X number)
{
    if (REAP__X_BITS(number) != ((reap__ulong)REAP__X_EXPONENT + 1) << REAP__X_FRACTION)
        REAP__X_FETCH_ADD(words + REAP__X_DIGITS + 3, (reap__ulong)1);
}

/* The digits of the sum's magnitude, each below 2^32, in place, and the one above them; whether the
 * sum is negative. */
REAP__FUNCTION bool REAP__X_OF(carry)(REAP__X_WORD *words, reap__ulong *top)
{
    reap__long carry = 0;
    for (reap__uint i = 0; i < REAP__X_DIGITS; i++) {
        const reap__long sum = (reap__long)words[i] + carry;
        words[i] = (reap__ulong)sum & REAP__X_MASK;
        carry = sum >> 32;
    }
    *top = (reap__ulong)carry;
    if (carry >= 0)
        return false;
    reap__ulong one = 1;
    for (reap__uint i = 0; i < REAP__X_DIGITS; i++) {
        const reap__ulong sum = (~words[i] & REAP__X_MASK) + one;
        words[i] = sum & REAP__X_MASK;
        one = sum >> 32;
    }
    *top = ~*top + one;
    return true;
}

REAP__FUNCTION reap__ulong REAP__X_OF(digit)(const REAP__X_WORD *words, reap__ulong top,
                                             reap__uint i)
{
    return i < REAP__X_DIGITS ? words[i] : i == REAP__X_DIGITS ? top : 0;
}

/* The bits of the magnitude rounded to nearest, ties to even, whose highest bit is number `high`.
 */
REAP__FUNCTION reap__ulong REAP__X_OF(nearest)(const REAP__X_WORD *words, reap__ulong top,
                                               reap__uint high)
{
    if (high <= REAP__X_FRACTION)
        return words[0] | words[1] << 32;
    const reap__uint below = high - REAP__X_FRACTION, i = below / 32, shift = below % 32;
    reap__ulong fraction = REAP__X_OF(digit)(words, top, i) >> shift |
                           REAP__X_OF(digit)(words, top, i + 1) << (32 - shift);
    if (shift != 0)
        fraction |= REAP__X_OF(digit)(words, top, i + 2) << (64 - shift);
    fraction &= ((reap__ulong)2 << REAP__X_FRACTION) - 1;
    const reap__uint last = (below - 1) / 32, bit = (below - 1) % 32;
    const reap__ulong rest = REAP__X_OF(digit)(words, top, last);
    reap__ulong less = rest & (((reap__ulong)1 << bit) - 1);
    for (reap__uint d = 0; d < last; d++)
        less |= words[d];
    if ((rest >> bit & 1) != 0 && (less != 0 || (fraction & 1) != 0))
        fraction++;
    if (below >= REAP__X_EXPONENT)
        return (reap__ulong)REAP__X_EXPONENT << REAP__X_FRACTION;
    fraction += (reap__ulong)below << REAP__X_FRACTION;
    return fraction < (reap__ulong)REAP__X_EXPONENT << REAP__X_FRACTION
               ? fraction
               : (reap__ulong)REAP__X_EXPONENT << REAP__X_FRACTION;
}

/* The sum, rounded once; the words change. A NaN is the canonical one. */
REAP__FUNCTION REAP__X REAP__X_OF(round)(REAP__X_WORD *words)
{
    const reap__ulong infinity = (reap__ulong)REAP__X_EXPONENT << REAP__X_FRACTION;
    const reap__ulong minus = ((reap__ulong)REAP__X_EXPONENT + 1) << REAP__X_FRACTION;
    REAP__X_WORD *const counts = words + REAP__X_DIGITS;
    if (counts[0] != 0 || (counts[1] != 0 && counts[2] != 0))
        return REAP__X_NUMBER(infinity | (reap__ulong)1 << (REAP__X_FRACTION - 1));
    if (counts[1] != 0 || counts[2] != 0)
        return REAP__X_NUMBER(infinity | (counts[2] != 0 ? minus : 0));
    reap__ulong top;
    const bool is_negative = REAP__X_OF(carry)(words, &top);
    reap__uint i = REAP__X_DIGITS;
    while (i > 0 && REAP__X_OF(digit)(words, top, i) == 0)
        i--;
    const reap__ulong first = REAP__X_OF(digit)(words, top, i);
    if (first == 0)
        return REAP__X_NUMBER(counts[3] != 0 ? 0 : minus);
    reap__uint bit = 0;
    while (first >> bit > 1)
        bit++;
    return REAP__X_NUMBER(REAP__X_OF(nearest)(words, top, i * 32 + bit) |
                          (is_negative ? minus : 0));
}

#undef REAP__X_OF
#undef REAP__X_MASK
#undef REAP__X_LIMIT
