/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of floating-point elements. Included once for each type, with T, float or double,
 * and SUFFIX, of the names.
 *
 * One sweep finds the extremes and sums, in double precision, the deviations from a pivot and their
 * squares: the shifted data algorithm of Chan, Golub and LeVeque. The pivot is the mean of four
 * elements, so that its distance d from the run's mean, which rounding errors grow with, cannot be
 * large: 4 d^2 is at most the sum of squares that is sought. NaNs and infinities are looked for, in
 * another sweep, only where the sum says that there may be some.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

struct NAMED(describe_lanes_) {
    double sum[DESCRIBE_LANES], squares[DESCRIBE_LANES]; /* of deviations */
    T least[DESCRIBE_LANES], greatest[DESCRIBE_LANES];
};

struct NAMED(describe_special_lanes_) {
    double sum[DESCRIBE_LANES], squares[DESCRIBE_LANES];
    unsigned nans[DESCRIBE_LANES], infinities[DESCRIBE_LANES];
};

/* Takes one element into lane l. A NaN is neither less nor greater. */
DESCRIBE_INLINE void NAMED(describe_take_)(struct NAMED(describe_lanes_) * lanes, size_t l, T value,
                                           double pivot)
{
    const double off = (double)value - pivot;
    lanes->sum[l] += off;
    lanes->squares[l] += off * off;
    lanes->least[l] = value < lanes->least[l] ? value : lanes->least[l];
    lanes->greatest[l] = lanes->greatest[l] < value ? value : lanes->greatest[l];
}

/* The same, where it may be a NaN, which does not deviate, or infinite. */
DESCRIBE_INLINE void NAMED(describe_take_special_)(struct NAMED(describe_special_lanes_) * lanes,
                                                   size_t l, T value, double pivot)
{
    const T infinity = reap_known_identity(minimum, T);
    const double off = value != value ? 0.0 : (double)value - pivot;
    lanes->sum[l] += off;
    lanes->squares[l] += off * off;
    lanes->nans[l] += value != value;
    lanes->infinities[l] += (value == infinity) | (value == -infinity);
}

/* All elements, in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_lanes_)
    NAMED(describe_sweep_)(const REAP_GLOBAL T *elements, size_t count, double pivot)
{
    struct NAMED(describe_lanes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++) {
        lanes.sum[l] = lanes.squares[l] = 0.0;
        lanes.least[l] = reap_known_identity(minimum, T);
        lanes.greatest[l] = reap_known_identity(maximum, T);
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_take_)(&lanes, l, elements[i + l], pivot);
    for (; i < count; i++)
        NAMED(describe_take_)(&lanes, 0, elements[i], pivot);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            const T least = lanes.least[l + half], greatest = lanes.greatest[l + half];
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
            lanes.least[l] = least < lanes.least[l] ? least : lanes.least[l];
            lanes.greatest[l] = lanes.greatest[l] < greatest ? greatest : lanes.greatest[l];
        }
    return lanes;
}

DESCRIBE_INLINE struct NAMED(describe_special_lanes_)
    NAMED(describe_sweep_specials_)(const REAP_GLOBAL T *elements, size_t count, double pivot)
{
    struct NAMED(describe_special_lanes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++) {
        lanes.sum[l] = lanes.squares[l] = 0.0;
        lanes.nans[l] = lanes.infinities[l] = 0;
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_take_special_)(&lanes, l, elements[i + l], pivot);
    for (; i < count; i++)
        NAMED(describe_take_special_)(&lanes, 0, elements[i], pivot);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
            lanes.nans[l] += lanes.nans[l + half];
            lanes.infinities[l] += lanes.infinities[l + half];
        }
    return lanes;
}

/* The first finite element; 0 where there is none. */
DESCRIBE_INLINE double NAMED(describe_find_finite_)(const REAP_GLOBAL T *elements, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (elements[i] - elements[i] == 0)
            return (double)elements[i];
    return 0.0;
}

/* Sum, mean and squares, from those of the deviations. Infinities make NaNs of them, as IEEE 754
 * has it. */
DESCRIBE_INLINE describe_part NAMED(describe_shift_back_)(describe_part part, double pivot,
                                                          double sum, double squares)
{
    const double numbers = (double)part.numbers;
    const double around_mean = squares - sum * sum / numbers;
    const double high = describe_shorten(pivot), low = pivot - high;
    part.sum = high * numbers + (low * numbers + sum);
    part.mean = pivot;
    part = describe_move_mean(part, sum / numbers);
    part.squares = around_mean < 0.0 ? 0.0 : around_mean;
    return part;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    double pivot =
        describe_usable_pivot(((double)elements[0] + (double)elements[count / 4] +
                               (double)elements[count / 2] + (double)elements[count / 4 * 3]) *
                              0.25);
    const struct NAMED(describe_lanes_) found = NAMED(describe_sweep_)(elements, count, pivot);
    double sum = found.sum[0], squares = found.squares[0];
    describe_part part = describe_merge_identity();
    part.numbers = count;
    if (!(sum - sum == 0.0)) {
        pivot = describe_usable_pivot(NAMED(describe_find_finite_)(elements, count));
        const struct NAMED(describe_special_lanes_) special =
            NAMED(describe_sweep_specials_)(elements, count, pivot);
        sum = special.sum[0];
        squares = special.squares[0];
        part.nans = special.nans[0];
        part.infinities = special.infinities[0];
        part.numbers = count - special.nans[0];
    }
    if (part.numbers == 0)
        return part;
    part = NAMED(describe_shift_back_)(part, pivot, sum, squares);
    if (found.least[0] == found.greatest[0] && part.infinities == 0) {
        part.mean = (double)found.least[0]; /* without the rounding, nothing deviates */
        part.mean_rest = 0.0;
        part.squares = 0.0;
    }
    part.minimum = describe_key_of_float((double)found.least[0]);
    part.maximum = describe_key_of_float((double)found.greatest[0]);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
