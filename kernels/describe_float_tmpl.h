/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of floating-point elements. Included once for each type, with T, float or double,
 * and SUFFIX, of the names.
 *
 * The first sweep finds the extremes and the mean, as well as T has it; the second sums, in double
 * precision, the deviations from this pivot and their squares, so that squares of large numbers
 * never cancel. NaNs and infinities are counted only where the sum says that there may be some.
 */
#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

struct NAMED(describe_extremes_) {
    T sum[DESCRIBE_LANES], least[DESCRIBE_LANES], greatest[DESCRIBE_LANES];
};

struct NAMED(describe_specials_) {
    double sum[DESCRIBE_LANES];
    unsigned nans[DESCRIBE_LANES], infinities[DESCRIBE_LANES];
};

struct NAMED(describe_deviations_) {
    double sum[DESCRIBE_LANES], squares[DESCRIBE_LANES];
};

/* Each of these takes one element into lane l. A NaN is neither less nor greater, and does not
 * deviate. */
DESCRIBE_INLINE void NAMED(describe_compare_)(struct NAMED(describe_extremes_) * lanes, size_t l,
                                              T value)
{
    lanes->sum[l] += value;
    lanes->least[l] = value < lanes->least[l] ? value : lanes->least[l];
    lanes->greatest[l] = lanes->greatest[l] < value ? value : lanes->greatest[l];
}

DESCRIBE_INLINE void NAMED(describe_inspect_)(struct NAMED(describe_specials_) * lanes, size_t l,
                                              T value)
{
    const T infinity = reap_known_identity(minimum, T);
    lanes->nans[l] += value != value;
    lanes->infinities[l] += (value == infinity) | (value == -infinity);
    lanes->sum[l] += value != value ? 0.0 : (double)value;
}

DESCRIBE_INLINE void NAMED(describe_deviate_)(struct NAMED(describe_deviations_) * lanes, size_t l,
                                              T value, T pivot)
{
    const double off = (double)(value != value ? pivot : value) - (double)pivot;
    lanes->sum[l] += off;
    lanes->squares[l] += off * off;
}

/* The extremes and the sum, in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_extremes_)
    NAMED(describe_find_extremes_)(const REAP_GLOBAL T *elements, size_t count)
{
    struct NAMED(describe_extremes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++) {
        lanes.sum[l] = 0;
        lanes.least[l] = reap_known_identity(minimum, T);
        lanes.greatest[l] = reap_known_identity(maximum, T);
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_compare_)(&lanes, l, elements[i + l]);
    for (; i < count; i++)
        NAMED(describe_compare_)(&lanes, 0, elements[i]);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            const T least = lanes.least[l + half], greatest = lanes.greatest[l + half];
            lanes.sum[l] += lanes.sum[l + half];
            lanes.least[l] = least < lanes.least[l] ? least : lanes.least[l];
            lanes.greatest[l] = lanes.greatest[l] < greatest ? greatest : lanes.greatest[l];
        }
    return lanes;
}

/* The number of NaNs and of infinities and the sum of all that is no NaN, in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_specials_)
    NAMED(describe_find_specials_)(const REAP_GLOBAL T *elements, size_t count)
{
    struct NAMED(describe_specials_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++) {
        lanes.sum[l] = 0.0;
        lanes.nans[l] = lanes.infinities[l] = 0;
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_inspect_)(&lanes, l, elements[i + l]);
    for (; i < count; i++)
        NAMED(describe_inspect_)(&lanes, 0, elements[i]);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            lanes.sum[l] += lanes.sum[l + half];
            lanes.nans[l] += lanes.nans[l + half];
            lanes.infinities[l] += lanes.infinities[l + half];
        }
    return lanes;
}

/* The sums of the deviations from a pivot and of their squares, in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_deviations_)
    NAMED(describe_find_deviations_)(const REAP_GLOBAL T *elements, size_t count, T pivot)
{
    struct NAMED(describe_deviations_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++)
        lanes.sum[l] = lanes.squares[l] = 0.0;
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_deviate_)(&lanes, l, elements[i + l], pivot);
    for (; i < count; i++)
        NAMED(describe_deviate_)(&lanes, 0, elements[i], pivot);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
        }
    return lanes;
}

/* Counts, and the sum as the first sweep has it. */
DESCRIBE_INLINE describe_part NAMED(describe_count_)(const REAP_GLOBAL T *elements, size_t count,
                                                     T sum)
{
    describe_part part = describe_merge_identity();
    part.sum = (double)sum;
    if (!(part.sum - part.sum == 0.0)) {
        const struct NAMED(describe_specials_) found =
            NAMED(describe_find_specials_)(elements, count);
        part.sum = found.sum[0];
        part.nans = found.nans[0];
        part.infinities = found.infinities[0];
    }
    part.numbers = count - part.nans;
    return part;
}

/* The pivot is nearly the mean; the sum of deviations is what it lacks. Where it is a float, its
 * product with the count is exact, and the sum is better got from there too. Infinities make
 * deviations NaN, as IEEE 754 has it. */
DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    const struct NAMED(describe_extremes_) extremes =
        NAMED(describe_find_extremes_)(elements, count);
    const T least = extremes.least[0], greatest = extremes.greatest[0];
    describe_part part = NAMED(describe_count_)(elements, count, extremes.sum[0]);
    if (part.numbers == 0)
        return part;
    const double numbers = (double)part.numbers;
    const T pivot = least < greatest ? (T)(part.sum / numbers) : least; /* if all are equal, they */
    const struct NAMED(describe_deviations_) deviations =
        NAMED(describe_find_deviations_)(elements, count, pivot);
    const double off = deviations.sum[0], squares = deviations.squares[0] - off * off / numbers;
    if (sizeof(T) == sizeof(float) && part.infinities == 0)
        part.sum = (double)pivot * numbers + off;
    part.mean = (double)pivot + off / numbers;
    part.squares = squares < 0.0 ? 0.0 : squares;
    part.minimum = describe_key_of_float((double)least);
    part.maximum = describe_key_of_float((double)greatest);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
