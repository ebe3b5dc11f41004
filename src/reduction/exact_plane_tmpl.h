/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds values to the integers of one plane of a span (detail/kernel_table.h), or of floats to two
 * that are neighbours, for the instruction set that the including file is compiled for. That file
 * includes this before exact_tmpl.h. Groups of values are looked at by vector instructions; then
 * each is added to its integer. A group is not added if a value belongs to another plane, or an
 * index is outside.
 */
#include "src/reduction/exact.h"

#include <limits.h>
#include <reap/detail/host/isa.h>
#include <string.h>
#ifdef __AVX512DQ__
#include <immintrin.h>
#endif

/* A number whose uppermost bit is set if the index is not below the count. */
static inline size_t excess_of_index(size_t index, size_t count)
{
    return index | (count - 1 - index);
}
#define IS_ANY_OUTSIDE(excesses) ((excesses) >> (sizeof(size_t) * CHAR_BIT - 1) != 0)

/* Prefetches the integer that will be needed for an index. For an index outside, another one. */
static inline void prefetch_integer(const void *numbers, size_t index, size_t count, size_t size)
{
    __builtin_prefetch((const char *)numbers + (index < count ? index : 0) * size, 1, 2);
}

/* A group of floats is added in steps, whose loop compilers unroll completely: then they compute
 * what it returns only where it does. */
enum { GROUP = REAP__EXACT_GROUP, STEP = 8 };

/* +0 is added to any plane, for its flag. Other values of a plane have exponent fields from its
 * first one on, so their bits are less than 2^LOG2 above it. */
enum {
    FLOAT_EXPONENTS_LOG2 = 23 + REAP__FLOAT_PLANE_LOG2,
    DOUBLE_EXPONENTS_LOG2 = 52 + REAP__PLANE_LOG2
};

static inline uint32_t bits_of_float_at(const float *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

/* The bits of the least float of a plane. */
static inline uint32_t least_bits_of(unsigned plane)
{
    return ((plane << REAP__FLOAT_PLANE_LOG2) - REAP__FLOAT_PLANE_BIAS) << 23;
}

/* How far the exponent field and the fraction of a float are above the first ones of a plane. */
static inline uint32_t above_plane(uint32_t bits, unsigned plane)
{
    return (bits & 0x7fffffffu) - least_bits_of(plane);
}

/* Whether all values belong to 2^planes_log2 planes from `plane` on, and no index is outside. */
static inline bool are_floats_of(unsigned plane, unsigned planes_log2, size_t elements,
                                 const size_t *indices, const float *values, size_t count)
{
    uint32_t apart = 0;
    size_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = bits_of_float_at(&values[i]);
        apart |= bits == 0 ? 0 : above_plane(bits, plane);
    }
    for (size_t i = 0; i < count; i++)
        outside |= excess_of_index(indices[i], elements);
    return !IS_ANY_OUTSIDE(outside) && apart >> (FLOAT_EXPONENTS_LOG2 + planes_log2) == 0;
}

#ifdef __AVX512DQ__
/* The same for GROUP values and one plane: by comparisons into masks. (Of are_floats_of compilers
 * make code that combines the lanes of a vector step by step.) */
static inline bool is_group_of(unsigned plane, size_t elements, const size_t *indices,
                               const float *values)
{
    const __m512i least = _mm512_set1_epi32((int)least_bits_of(plane));
    const __m512i most = _mm512_set1_epi32((1 << FLOAT_EXPONENTS_LOG2) - 1);
    const __m512i magnitude = _mm512_set1_epi32(0x7fffffff);
    const __m512i count = _mm512_set1_epi64((long long)elements);
    __mmask16 apart = 0;
    __mmask8 outside = 0;
    for (size_t i = 0; i < GROUP; i += sizeof(__m512i) / sizeof(float)) {
        const __m512i bits = _mm512_loadu_si512(values + i);
        const __m512i above = _mm512_sub_epi32(_mm512_and_si512(bits, magnitude), least);
        apart |= _mm512_mask_cmpgt_epu32_mask(_mm512_test_epi32_mask(bits, bits), above, most);
    }
    for (size_t i = 0; i < GROUP; i += sizeof(__m512i) / sizeof(uint64_t))
        outside |= _mm512_cmpge_epu64_mask(_mm512_loadu_si512(indices + i), count);
    return (apart | outside) == 0;
}
#else
static inline bool is_group_of(unsigned plane, size_t elements, const size_t *indices,
                               const float *values)
{
    return are_floats_of(plane, 0, elements, indices, values, GROUP);
}
#endif

/* Adds a group of values of the plane. Returns how many it has added. */
static inline size_t add_group_of_floats(const struct reap__exact_plane *plane,
                                         const size_t *indices, const float *values, size_t count,
                                         const size_t *ahead)
{
    const size_t elements = plane->count;
    const float scale = plane->scale;
    int64_t *const numbers = plane->numbers;
    if (count == GROUP ? !is_group_of(plane->number, elements, indices, values)
                       : !are_floats_of(plane->number, 0, elements, indices, values, count))
        return 0;
#ifdef __AVX512DQ__ /* vectors are converted to 64-bit integers */
    int64_t *const terms = plane->room->terms;
    for (size_t i = 0; i < count; i++)
        terms[i] = (int64_t)(values[i] * scale);
#endif
    for (size_t begin = 0; begin < count; begin += STEP) {
        const size_t step = count - begin < STEP ? count - begin : STEP;
        REAP__UNROLL
        for (size_t k = 0; k < step; k++) {
            const size_t i = begin + k;
#ifdef __AVX512DQ__
            const int64_t term = terms[i];
#else
            const int64_t term = (int64_t)(values[i] * scale);
#endif
            int64_t sum;
            if (ahead != NULL)
                prefetch_integer(numbers, ahead[i], elements, sizeof *numbers);
            if (__builtin_expect(__builtin_add_overflow(numbers[indices[i]], term, &sum), 0))
                return i;
            numbers[indices[i]] = sum | 1;
        }
    }
    return count;
}

/* An entry of struct reap__planes for a plane of floats. */
static inline size_t entry_of_plane(unsigned number)
{
    return ((number << REAP__FLOAT_PLANE_LOG2) - REAP__FLOAT_PLANE_BIAS) >>
           (9 - REAP__FLOAT_PREFIX_BITS);
}

/* The same for GROUP values of a plane, `lower`, and of the next one. */
static size_t add_floats_of_two_planes(const struct reap__exact_plane *plane, unsigned lower,
                                       const size_t *indices, const float *values)
{
    const struct reap__planes *const planes = plane->all;
    const size_t first = entry_of_plane(lower), second = entry_of_plane(lower + 1);
    const size_t elements = planes->counts[first];
    int64_t *const lower_numbers = planes->numbers[first];
    int64_t *const upper_numbers = planes->numbers[second];
    const float lower_scale = planes->scales[first], upper_scale = planes->scales[second];
    int64_t *const terms = plane->room->terms, **const at = plane->room->at;
    if (planes->counts[second] != elements ||
        !are_floats_of(lower, 1, elements, indices, values, GROUP))
        return 0;
    for (size_t i = 0; i < GROUP; i++) {
        const uint32_t above = above_plane(bits_of_float_at(&values[i]), lower);
        const bool is_upper = above >> FLOAT_EXPONENTS_LOG2 != 0;
        terms[i] = (int64_t)(values[i] * (is_upper ? upper_scale : lower_scale));
        at[i] = (is_upper ? upper_numbers : lower_numbers) + indices[i];
    }
    REAP__UNROLL
    for (size_t i = 0; i < GROUP; i++) {
        int64_t sum;
        if (__builtin_expect(__builtin_add_overflow(*at[i], terms[i], &sum), 0))
            return i;
        *at[i] = sum | 1;
    }
    return GROUP;
}

#ifdef __SIZEOF_INT128__
static inline size_t add_group_of_doubles(const struct reap__exact_plane *plane,
                                          const size_t *indices, const double *values, size_t count,
                                          const size_t *ahead)
{
    const uint64_t sign = (uint64_t)1 << 63, implicit = (uint64_t)1 << 52;
    const uint64_t least = (((uint64_t)plane->number << REAP__PLANE_LOG2) - REAP__PLANE_BIAS) << 52;
    const size_t elements = plane->count;
    reap__int128 *const numbers = plane->numbers;
    uint64_t *const low = plane->room->low, *const high = plane->room->high;
    uint64_t apart = 0;
    size_t outside = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        const uint64_t negative = 0 - (bits >> 63), present = (bits | (0 - bits)) >> 63;
        const uint64_t above = (bits & ~sign) - least, shift = above >> 52 & 63;
        const uint64_t fraction = (bits & (implicit - 1)) | present << 52;
        const uint64_t magnitude = fraction << 1 << shift;
        apart |= above & (0 - present);
        low[i] = (magnitude ^ negative) - negative;
        /* A carry: the lower half of what is negated is 0. */
        const uint64_t carry = ~(magnitude | (0 - magnitude)) >> 63 & negative;
        high[i] = (fraction >> (63 - shift) ^ negative) + carry;
    }
    for (size_t i = 0; i < count; i++)
        outside |= excess_of_index(indices[i], elements);
    if (IS_ANY_OUTSIDE(outside) || apart >> DOUBLE_EXPONENTS_LOG2 != 0)
        return 0;
    REAP__UNROLL
    for (size_t i = 0; i < count; i++) {
        const reap__int128 term = (reap__int128)((reap__uint128)high[i] << 64 | low[i]);
        reap__int128 sum;
        if (ahead != NULL)
            prefetch_integer(numbers, ahead[i], elements, sizeof *numbers);
        if (__builtin_expect(__builtin_add_overflow(numbers[indices[i]], term, &sum), 0))
            return i;
        numbers[indices[i]] = sum | 1;
    }
    return count;
}
#else
static inline size_t add_group_of_doubles(const struct reap__exact_plane *plane,
                                          const size_t *indices, const double *values, size_t count,
                                          const size_t *ahead)
{
    (void)plane, (void)indices, (void)values, (void)count, (void)ahead;
    return 0;
}
#endif

/* Adds a group of GROUP values of either type, of one plane or of floats of two, or fewer values of
 * one plane. */
static inline size_t add_group(const struct reap__exact_plane *plane, bool is_wide,
                               const size_t *indices, const void *values, size_t count,
                               const size_t *ahead)
{
    if (is_wide)
        return add_group_of_doubles(plane, indices, values, count, ahead);
    size_t added = add_group_of_floats(plane, indices, values, count, ahead);
    if (added == 0 && count == GROUP)
        added = add_floats_of_two_planes(plane, plane->number - 1, indices, values);
    if (added == 0 && count == GROUP)
        added = add_floats_of_two_planes(plane, plane->number, indices, values);
    return added;
}

static inline size_t add_to_plane(const struct reap__exact_plane *plane, bool is_wide,
                                  const struct reap__exact_values *from, const size_t *ahead)
{
    const size_t size = is_wide ? sizeof(double) : sizeof(float);
    size_t done = 0;
    while (done < from->count) {
        const size_t left = from->count - done, count = left < GROUP ? left : GROUP;
        const size_t added = add_group(plane, is_wide, from->indices + done,
                                       (const char *)from->values + done * size, count,
                                       ahead == NULL ? NULL : ahead + done);
        done += added;
        if (added < count)
            break;
    }
    return done;
}

static size_t add_floats_to_plane(const struct reap__exact_plane *plane,
                                  const struct reap__exact_values *values, const size_t *ahead)
{
    return add_to_plane(plane, false, values, ahead);
}

static size_t add_doubles_to_plane(const struct reap__exact_plane *plane,
                                   const struct reap__exact_values *values, const size_t *ahead)
{
    return add_to_plane(plane, true, values, ahead);
}

/* Adds groups of GROUP values of one plane; the compiler knows their number. */
static inline size_t add_groups(const struct reap__exact_plane *plane, bool is_wide,
                                const size_t *indices, const void *values, size_t count)
{
    const float *const floats = values;
    const double *const doubles = values;
    size_t done = 0, added = GROUP;
    while (added == GROUP && count - done >= GROUP) {
        added = is_wide ? add_group_of_doubles(plane, indices + done, doubles + done, GROUP, NULL)
                        : add_group_of_floats(plane, indices + done, floats + done, GROUP, NULL);
        done += added;
    }
    return done;
}

static size_t add_groups_of_floats(const struct reap__exact_plane *plane, const size_t *indices,
                                   const void *values, size_t count)
{
    return add_groups(plane, false, indices, values, count);
}

static size_t add_groups_of_doubles(const struct reap__exact_plane *plane, const size_t *indices,
                                    const void *values, size_t count)
{
    return add_groups(plane, true, indices, values, count);
}
