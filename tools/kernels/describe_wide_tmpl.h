/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 32 or 64 bits. Included once for each type, with T, ORDERED (the
 * signed type of its size), SUFFIX (of the names), SIGNED(value), an ORDERED in the order of the
 * values, KEY(ordered), the key of the value whose SIGNED is `ordered`, and ORIGIN_HIGH and
 * ORIGIN_LOW: value - SIGNED(value) is ORIGIN_HIGH * 2^32 + ORIGIN_LOW.
 *
 * One sweep finds the extremes, the sum modulo 2^64, and sums, in double precision, the deviations
 * from a pivot, their squares and cubes, as for floating-point elements
 * (tools/kernels/describe_float_tmpl.h). The pivot is an integer, and a deviation is computed as an
 * integer before it becomes a double; only if it might not fit 64 bits, elements become doubles
 * first, which is precise enough for numbers so far apart. The sum of deviations determines which
 * multiple of 2^64 the sum modulo 2^64 lacks.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

struct NAMED(describe_lanes_) {
    double sum[DESCRIBE_PAIRS], squares[DESCRIBE_PAIRS], cubes[DESCRIBE_PAIRS]; /* of deviations */
    uint64_t total[DESCRIBE_PAIRS]; /* the sum modulo 2^64 of 64-bit SIGNED values */
    ORDERED least[DESCRIBE_PAIRS], greatest[DESCRIBE_PAIRS];
};

/* The pivot. Deviations of 32-bit integers are lifted values minus `rest`; those of 64-bit integers
 * are value - base, which fits 64 bits, minus `rest`. */
struct NAMED(describe_pivot_) {
    int64_t base;
    double rest;
};

DESCRIBE_INLINE struct NAMED(describe_pivot_) NAMED(describe_set_pivot_)(int64_t pivot, bool fits)
{
    struct NAMED(describe_pivot_) set;
    set.base = fits ? pivot : 0;
    set.rest = sizeof(T) == 4 ? (double)(DESCRIBE_LIFT + pivot) : fits ? 0.0 : (double)pivot;
    return set;
}

DESCRIBE_INLINE double NAMED(describe_deviate_)(T value, struct NAMED(describe_pivot_) pivot)
{
    if (sizeof(T) == 4)
        return describe_lift((uint32_t)SIGNED(value) ^ (uint32_t)1 << 31) - pivot.rest;
    return describe_double_of((int64_t)((uint64_t)SIGNED(value) - (uint64_t)pivot.base)) -
           pivot.rest;
}

/* Adds the deviations of two elements to lane l. */
DESCRIBE_INLINE void NAMED(describe_add_)(struct NAMED(describe_lanes_) * lanes, size_t l,
                                          double off, double other)
{
    const double square = off * off, other_square = other * other;
    lanes->sum[l] += off + other;
    lanes->squares[l] += square + other_square;
    lanes->cubes[l] += square * off + other_square * other;
}

/* Adds an element to the extremes and the sum of lane l. */
DESCRIBE_INLINE void NAMED(describe_compare_)(struct NAMED(describe_lanes_) * lanes, size_t l,
                                              ORDERED value)
{
    if (sizeof(T) == 8)
        lanes->total[l] += (uint64_t)value;
    lanes->least[l] = value < lanes->least[l] ? value : lanes->least[l];
    lanes->greatest[l] = lanes->greatest[l] < value ? value : lanes->greatest[l];
}

/* One sweep over all elements; the result is in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_lanes_)
    NAMED(describe_sweep_)(const REAP_GLOBAL T *elements, size_t count,
                           struct NAMED(describe_pivot_) pivot)
{
    struct NAMED(describe_lanes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_PAIRS; l++) {
        lanes.sum[l] = lanes.squares[l] = lanes.cubes[l] = 0.0;
        lanes.total[l] = 0;
        lanes.least[l] = reap_known_identity(minimum, ORDERED);
        lanes.greatest[l] = reap_known_identity(maximum, ORDERED);
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES) {
        DESCRIBE_FETCH_AHEAD(elements + i, DESCRIBE_LANES * sizeof(T));
        for (size_t l = 0; l < DESCRIBE_PAIRS; l++) {
            const T value = elements[i + l], other = elements[i + l + DESCRIBE_PAIRS];
            NAMED(describe_add_)
            (&lanes, l, NAMED(describe_deviate_)(value, pivot),
             NAMED(describe_deviate_)(other, pivot));
            NAMED(describe_compare_)(&lanes, l, SIGNED(value));
            NAMED(describe_compare_)(&lanes, l, SIGNED(other));
        }
    }
    for (size_t l = 0; l < DESCRIBE_PAIRS && i + l < count; l++) {
        const bool is_pair = i + l + DESCRIBE_PAIRS < count;
        const T value = elements[i + l], other = elements[i + l + (is_pair ? DESCRIBE_PAIRS : 0)];
        NAMED(describe_add_)
        (&lanes, l, NAMED(describe_deviate_)(value, pivot),
         is_pair ? NAMED(describe_deviate_)(other, pivot) : 0.0);
        NAMED(describe_compare_)(&lanes, l, SIGNED(value));
        if (is_pair)
            NAMED(describe_compare_)(&lanes, l, SIGNED(other));
    }
    for (size_t half = DESCRIBE_PAIRS / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            const ORDERED least = lanes.least[l + half], greatest = lanes.greatest[l + half];
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
            lanes.cubes[l] += lanes.cubes[l + half];
            lanes.total[l] += lanes.total[l + half];
            lanes.least[l] = least < lanes.least[l] ? least : lanes.least[l];
            lanes.greatest[l] = lanes.greatest[l] < greatest ? greatest : lanes.greatest[l];
        }
    return lanes;
}

/* Whether the distances of both extremes from the pivot, which is between them, fit 63 bits. */
DESCRIBE_INLINE bool NAMED(describe_fits_)(ORDERED least, ORDERED greatest, int64_t pivot)
{
    const uint64_t below = (uint64_t)pivot - (uint64_t)least;
    const uint64_t above = (uint64_t)greatest - (uint64_t)pivot;
    return (below | above) >> 63 == 0;
}

/* Whether an element is near the pivot, which suggests that all deviations fit 64 bits. */
DESCRIBE_INLINE bool NAMED(describe_is_near_)(ORDERED value, int64_t pivot)
{
    const uint64_t reach = (uint64_t)1 << 61;
    return (uint64_t)value - (uint64_t)pivot + reach < 2 * reach;
}

/* The mean of four numbers, rounded down. */
DESCRIBE_INLINE int64_t NAMED(describe_find_mean_)(ORDERED a, ORDERED b, ORDERED c, ORDERED d)
{
    return (int64_t)(a >> 2) + (b >> 2) + (c >> 2) + (d >> 2) +
           ((a & 3) + (b & 3) + (c & 3) + (d & 3)) / 4;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    const ORDERED a = SIGNED(elements[0]), b = SIGNED(elements[count / 4]);
    const ORDERED c = SIGNED(elements[count / 2]), d = SIGNED(elements[count / 4 * 3]);
    const int64_t numbers = (int64_t)count, pivot = NAMED(describe_find_mean_)(a, b, c, d);
    const bool may_fit = NAMED(describe_is_near_)(a, pivot) && NAMED(describe_is_near_)(b, pivot) &&
                         NAMED(describe_is_near_)(c, pivot) && NAMED(describe_is_near_)(d, pivot);
    struct NAMED(describe_lanes_) found =
        NAMED(describe_sweep_)(elements, count, NAMED(describe_set_pivot_)(pivot, may_fit));
    if (may_fit && !NAMED(describe_fits_)(found.least[0], found.greatest[0], pivot))
        found = NAMED(describe_sweep_)(elements, count, NAMED(describe_set_pivot_)(pivot, false));
    const uint64_t total =
        sizeof(T) == 4 ? (uint64_t)((int64_t)found.sum[0] + numbers * pivot) : found.total[0];
    const int64_t wraps = describe_find_wraps(total, (double)pivot * (double)count + found.sum[0]);
    const int64_t high = ((int64_t)total >> 32) + wraps * 4294967296 + numbers * (ORIGIN_HIGH);
    const int64_t low = (int64_t)(total & 0xffffffff) + numbers * (ORIGIN_LOW);
    describe_part part = describe_integers(count, high, low);
    part = describe_center(part, 1.0, found.sum[0], found.squares[0], found.cubes[0]);
    part.minimum = KEY(found.least[0]);
    part.maximum = KEY(found.greatest[0]);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
#undef ORDERED
#undef SIGNED
#undef KEY
#undef ORIGIN_HIGH
#undef ORIGIN_LOW
