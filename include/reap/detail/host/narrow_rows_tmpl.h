/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of narrow types by vectors of REAP__BYTES bytes, in code for REAP__TARGET. narrow_rows.h
 * includes this once for each length. REAP__TO_FLOATS and REAP__TO_HALVES, if defined, convert
 * halves to a vector of floats and back; REAP__LESSER and REAP__GREATER are instructions of the
 * processor.
 *
 * Two vectors are processed at a time. A bfloat16 is the upper half of a float's 32 bits, so of a
 * vector of 32-bit words the lower halves become the first vector, the upper halves the second one.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#define REAP__NAMED(name) REAP__PASTE(name##_, REAP__BYTES)

typedef float REAP__NAMED(reap__floats) __attribute__((__vector_size__(REAP__BYTES)));
typedef uint32_t REAP__NAMED(reap__words) __attribute__((__vector_size__(REAP__BYTES)));
typedef short REAP__NAMED(reap__halves) __attribute__((__vector_size__(REAP__BYTES / 2)));

REAP__INLINE REAP__TARGET void REAP__NAMED(reap__widen)(enum reap__number number, const void *from,
                                                        REAP__NAMED(reap__floats) to[2])
{
#ifdef REAP__TO_FLOATS
    if (number == REAP__IS_HALF) {
        REAP__NAMED(reap__halves) first, second;
        memcpy(&first, from, sizeof first);
        memcpy(&second, (const char *)from + sizeof first, sizeof second);
        to[0] = REAP__TO_FLOATS(first);
        to[1] = REAP__TO_FLOATS(second);
        return;
    }
#endif
    REAP__NAMED(reap__words) words;
    memcpy(&words, from, sizeof words);
    to[0] = (REAP__NAMED(reap__floats))(words << 16);
    to[1] = (REAP__NAMED(reap__floats))(words & 0xffff0000u);
    (void)number;
}

/* Converts floats that are values of the type. */
REAP__INLINE REAP__TARGET void REAP__NAMED(reap__narrow)(enum reap__number number, void *to,
                                                         const REAP__NAMED(reap__floats) from[2])
{
#ifdef REAP__TO_FLOATS
    if (number == REAP__IS_HALF) {
        const REAP__NAMED(reap__halves) first = REAP__TO_HALVES(from[0]),
                                        second = REAP__TO_HALVES(from[1]);
        memcpy(to, &first, sizeof first);
        memcpy((char *)to + sizeof first, &second, sizeof second);
        return;
    }
#endif
    const REAP__NAMED(reap__words) words =
        (REAP__NAMED(reap__words))from[0] >> 16 | (REAP__NAMED(reap__words))from[1];
    memcpy(to, &words, sizeof words);
    (void)number;
}

/* Rounds to the type's nearest number, as a float. If the result of an operation on two bfloat16 is
 * a NaN, its lower bits are 0, since it is an operand or the processor's own NaN: so adding keeps
 * it a NaN. */
REAP__INLINE REAP__TARGET REAP__NAMED(reap__floats)
    REAP__NAMED(reap__rounded)(enum reap__number number, REAP__NAMED(reap__floats) value)
{
#ifdef REAP__TO_FLOATS
    if (number == REAP__IS_HALF)
        return REAP__TO_FLOATS(REAP__TO_HALVES(value));
#endif
    const REAP__NAMED(reap__words) bits = (REAP__NAMED(reap__words))value;
    (void)number;
    return (REAP__NAMED(reap__floats))((bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u);
}

/* In each element b if it is less, or greater, than a; else a. */
#ifndef REAP__LESSER
#define REAP__LESSER(b, a) REAP__NAMED(reap__select)((REAP__NAMED(reap__words))(b < a), b, a)
#define REAP__GREATER(b, a) REAP__NAMED(reap__select)((REAP__NAMED(reap__words))(a < b), b, a)
REAP__INLINE REAP__TARGET REAP__NAMED(reap__floats)
    REAP__NAMED(reap__select)(REAP__NAMED(reap__words) condition, REAP__NAMED(reap__floats) b,
                              REAP__NAMED(reap__floats) a)
{
    return (REAP__NAMED(reap__floats))((condition & (REAP__NAMED(reap__words))b) |
                                       (~condition & (REAP__NAMED(reap__words))a));
}
#endif

REAP__INLINE REAP__TARGET REAP__NAMED(reap__floats)
    REAP__NAMED(reap__operate)(enum reap__number number, enum reap__operation operation,
                               REAP__NAMED(reap__floats) a, REAP__NAMED(reap__floats) b)
{
    return operation == REAP__OPERATION_plus         ? REAP__NAMED(reap__rounded)(number, a + b)
           : operation == REAP__OPERATION_multiplies ? REAP__NAMED(reap__rounded)(number, a * b)
           : operation == REAP__OPERATION_minimum    ? REAP__LESSER(b, a)
                                                     : REAP__GREATER(b, a);
}

/* Loads and stores a vector of lanes in the type that the conversions use: with another type gcc
 * keeps a copy of each lane on the stack. */
REAP__INLINE REAP__TARGET REAP__NAMED(reap__floats)
    REAP__NAMED(reap__load)(enum reap__number number, const float *from)
{
    REAP__NAMED(reap__floats) floats;
    REAP__NAMED(reap__words) words;
    if (number == REAP__IS_HALF) {
        memcpy(&floats, from, sizeof floats);
        return floats;
    }
    memcpy(&words, from, sizeof words);
    return (REAP__NAMED(reap__floats))words;
}

REAP__INLINE REAP__TARGET void REAP__NAMED(reap__put)(enum reap__number number, float *to,
                                                      REAP__NAMED(reap__floats) floats)
{
    const REAP__NAMED(reap__words) words = (REAP__NAMED(reap__words))floats;
    if (number == REAP__IS_HALF)
        memcpy(to, &floats, sizeof floats);
    else
        memcpy(to, &words, sizeof words);
}

/* Convert rows. The number of lanes is a multiple of those in two vectors. */
REAP__INLINE REAP__TARGET void REAP__NAMED(reap__widen_row)(enum reap__number number, float *lanes,
                                                            const void *values, size_t count)
{
    REAP__UNROLL
    for (size_t l = 0; l < count; l += REAP__BYTES / 2) {
        REAP__NAMED(reap__floats) wide[2];
        REAP__NAMED(reap__widen)(number, (const uint16_t *)values + l, wide);
        REAP__NAMED(reap__put)(number, lanes + l, wide[0]);
        REAP__NAMED(reap__put)(number, lanes + l + REAP__BYTES / 4, wide[1]);
    }
}

REAP__INLINE REAP__TARGET void REAP__NAMED(reap__narrow_row)(enum reap__number number, void *values,
                                                             const float *lanes, size_t count)
{
    REAP__UNROLL
    for (size_t l = 0; l < count; l += REAP__BYTES / 2) {
        const REAP__NAMED(reap__floats)
            wide[2] = {REAP__NAMED(reap__load)(number, lanes + l),
                       REAP__NAMED(reap__load)(number, lanes + l + REAP__BYTES / 4)};
        REAP__NAMED(reap__narrow)(number, (uint16_t *)values + l, wide);
    }
}

/* lanes = op(lanes, values) */
REAP__INLINE REAP__TARGET void REAP__NAMED(reap__combine_row)(enum reap__number number,
                                                              enum reap__operation operation,
                                                              float *lanes, const void *values,
                                                              size_t count)
{
    REAP__UNROLL
    for (size_t l = 0; l < count; l += REAP__BYTES / 2) {
        REAP__NAMED(reap__floats) wide[2];
        REAP__NAMED(reap__widen)(number, (const uint16_t *)values + l, wide);
        for (size_t i = 0; i < 2; i++) {
            float *const lane = lanes + l + i * (REAP__BYTES / 4);
            REAP__NAMED(reap__put)
            (number, lane,
             REAP__NAMED(reap__operate)(number, operation, REAP__NAMED(reap__load)(number, lane),
                                        wide[i]));
        }
    }
}

#undef REAP__NAMED
#undef REAP__BYTES
#undef REAP__TARGET
#undef REAP__TO_FLOATS
#undef REAP__TO_HALVES
#undef REAP__LESSER
#undef REAP__GREATER
