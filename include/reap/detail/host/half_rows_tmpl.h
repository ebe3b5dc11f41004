/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of halves, REAP__HALVES lanes at a time, by instructions of REAP__TARGET: REAP__TO_FLOATS
 * and REAP__TO_HALVES convert a vector. Included once for each length by half_rows.h.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#define REAP__NAMED(name) REAP__PASTE(name##_, REAP__HALVES)

typedef float REAP__NAMED(reap__floats) __attribute__((__vector_size__(4 * REAP__HALVES)));
typedef int REAP__NAMED(reap__words) __attribute__((__vector_size__(4 * REAP__HALVES)));
typedef short REAP__NAMED(reap__halves) __attribute__((__vector_size__(2 * REAP__HALVES)));

REAP__INLINE __attribute__((__target__(REAP__TARGET))) REAP__NAMED(reap__floats)
    REAP__NAMED(reap__floats_of)(const reap_half *from)
{
    REAP__NAMED(reap__halves) halves;
    memcpy(&halves, from, sizeof halves);
    return REAP__TO_FLOATS(halves);
}

/* In each element b where the condition holds, else a. */
REAP__INLINE __attribute__((__target__(REAP__TARGET))) REAP__NAMED(reap__floats)
    REAP__NAMED(reap__select)(REAP__NAMED(reap__words) condition, REAP__NAMED(reap__floats) b,
                              REAP__NAMED(reap__floats) a)
{
    return (REAP__NAMED(reap__floats))((condition & (REAP__NAMED(reap__words))b) |
                                       (~condition & (REAP__NAMED(reap__words))a));
}

/* lanes[l] = op(lanes[l], values[l]) for lanes of which the count is a multiple of REAP__HALVES. */
REAP__INLINE __attribute__((__target__(REAP__TARGET))) void
REAP__NAMED(reap__combine_halves)(enum reap__operation operation, void *lanes, const void *values,
                                  size_t count)
{
    for (size_t l = 0; l < count; l += REAP__HALVES) {
        reap_half *const lane = (reap_half *)lanes + l;
        const REAP__NAMED(reap__floats)
            a = REAP__NAMED(reap__floats_of)(lane),
            b = REAP__NAMED(reap__floats_of)((const reap_half *)values + l);
        const REAP__NAMED(reap__floats) result = operation == REAP__OPERATION_plus         ? a + b
                                                 : operation == REAP__OPERATION_multiplies ? a * b
                                                 : operation == REAP__OPERATION_minimum
                                                     ? REAP__NAMED(reap__select)(b < a, b, a)
                                                     : REAP__NAMED(reap__select)(a < b, b, a);
        const REAP__NAMED(reap__halves) halves = REAP__TO_HALVES(result);
        memcpy(lane, &halves, sizeof halves);
    }
}

#undef REAP__NAMED
#undef REAP__HALVES
#undef REAP__TARGET
#undef REAP__TO_FLOATS
#undef REAP__TO_HALVES
