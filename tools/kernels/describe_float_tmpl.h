/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of floating-point elements. Included once for each type, with T, float or double,
 * SUFFIX, of the names, and struct describe_extremes_SUFFIX with its functions.
 *
 * One sweep finds the extremes and sums, in double precision, the deviations from a pivot, their
 * squares and cubes: the shifted data algorithm of Chan, Golub and LeVeque. Rounding errors grow
 * with the distance d of the pivot from the run's mean. The pivot is the mean of four elements, so
 * 4 d^2 is at most the sum of squared deviations. A second sweep handles NaNs and infinities, if
 * the sum shows that there may be some, scales cubes, if the extremes show that they may be out of
 * a double's range, and has the mean as its pivot, if the first one was much larger than most
 * elements: their sum would lose digits.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* Each lane takes two elements at a time, and adds their powers first: half as many accumulators
 * fit the registers. */
struct NAMED(describe_lanes_) {
    double sum[DESCRIBE_PAIRS], squares[DESCRIBE_PAIRS], cubes[DESCRIBE_PAIRS]; /* of deviations */
    struct NAMED(describe_extremes_) extremes;
};

struct NAMED(describe_special_lanes_) {
    double sum[DESCRIBE_LANES], squares[DESCRIBE_LANES], cubes[DESCRIBE_LANES];
    T least[DESCRIBE_LANES], greatest[DESCRIBE_LANES];
    unsigned nans[DESCRIBE_LANES], infinities[DESCRIBE_LANES];
};

/* Adds the deviations of two elements to lane l. */
DESCRIBE_INLINE void NAMED(describe_add_)(struct NAMED(describe_lanes_) * lanes, size_t l,
                                          double off, double other)
{
    const double square = off * off, other_square = other * other;
    lanes->sum[l] += off + other;
    lanes->squares[l] += square + other_square;
    lanes->cubes[l] += square * off + other_square * other;
}

/* Adds any element to lane l. The deviation of a NaN is 0. Cubes are scaled. */
DESCRIBE_INLINE void NAMED(describe_take_special_)(struct NAMED(describe_special_lanes_) * lanes,
                                                   size_t l, T value, double pivot, double scale)
{
    const T infinity = reap_known_identity(minimum, T);
    const double off = value != value ? 0.0 : (double)value - pivot, square = off * off;
    lanes->least[l] = value < lanes->least[l] ? value : lanes->least[l];
    lanes->greatest[l] = lanes->greatest[l] < value ? value : lanes->greatest[l];
    lanes->sum[l] += off;
    lanes->squares[l] += square;
    lanes->cubes[l] += square * (off * scale);
    lanes->nans[l] += value != value;
    lanes->infinities[l] += (value == infinity) | (value == -infinity);
}

/* One sweep over all elements; the result is in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_lanes_)
    NAMED(describe_sweep_)(const REAP_GLOBAL T *elements, size_t count, double pivot)
{
    struct NAMED(describe_lanes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_PAIRS; l++) {
        lanes.sum[l] = lanes.squares[l] = lanes.cubes[l] = 0.0;
        NAMED(describe_start_)(&lanes.extremes, l);
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES) {
        DESCRIBE_FETCH_AHEAD(elements + i, DESCRIBE_LANES * sizeof(T));
        for (size_t l = 0; l < DESCRIBE_PAIRS; l++) {
            const T value = elements[i + l], other = elements[i + l + DESCRIBE_PAIRS];
            NAMED(describe_add_)(&lanes, l, (double)value - pivot, (double)other - pivot);
            NAMED(describe_compare_)(&lanes.extremes, l, value);
            NAMED(describe_compare_)(&lanes.extremes, l, other);
        }
    }
    for (size_t l = 0; l < DESCRIBE_PAIRS && i + l < count; l++) {
        const bool is_pair = i + l + DESCRIBE_PAIRS < count;
        const T value = elements[i + l], other = elements[i + l + (is_pair ? DESCRIBE_PAIRS : 0)];
        NAMED(describe_add_)
        (&lanes, l, (double)value - pivot, is_pair ? (double)other - pivot : 0.0);
        NAMED(describe_compare_)(&lanes.extremes, l, value);
        NAMED(describe_compare_)(&lanes.extremes, l, other);
    }
    for (size_t half = DESCRIBE_PAIRS / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
            lanes.cubes[l] += lanes.cubes[l + half];
            NAMED(describe_join_)(&lanes.extremes, l, l + half);
        }
    return lanes;
}

DESCRIBE_INLINE struct NAMED(describe_special_lanes_)
    NAMED(describe_sweep_specials_)(const REAP_GLOBAL T *elements, size_t count, double pivot,
                                    double scale)
{
    struct NAMED(describe_special_lanes_) lanes;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++) {
        lanes.sum[l] = lanes.squares[l] = lanes.cubes[l] = 0.0;
        lanes.least[l] = reap_known_identity(minimum, T);
        lanes.greatest[l] = reap_known_identity(maximum, T);
        lanes.nans[l] = lanes.infinities[l] = 0;
    }
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_take_special_)(&lanes, l, elements[i + l], pivot, scale);
    for (; i < count; i++)
        NAMED(describe_take_special_)(&lanes, 0, elements[i], pivot, scale);
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            const T least = lanes.least[l + half], greatest = lanes.greatest[l + half];
            lanes.least[l] = least < lanes.least[l] ? least : lanes.least[l];
            lanes.greatest[l] = lanes.greatest[l] < greatest ? greatest : lanes.greatest[l];
            lanes.sum[l] += lanes.sum[l + half];
            lanes.squares[l] += lanes.squares[l + half];
            lanes.cubes[l] += lanes.cubes[l + half];
            lanes.nans[l] += lanes.nans[l + half];
            lanes.infinities[l] += lanes.infinities[l + half];
        }
    return lanes;
}

/* The first finite element, or 0. */
DESCRIBE_INLINE double NAMED(describe_find_finite_)(const REAP_GLOBAL T *elements, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (elements[i] - elements[i] == 0)
            return (double)elements[i];
    return 0.0;
}

/* The sums of deviations from a pivot, of their squares, and of their cubes, which are scaled. */
struct NAMED(describe_deviations_) {
    double pivot, scale, sum, squares, cubes;
};

/* Sum, mean, squares and skew_ratio, from those of the deviations. With infinities they are as IEEE
 * 754 defines: infinite or NaN. */
DESCRIBE_INLINE describe_part NAMED(describe_shift_back_)(describe_part part,
                                                          struct NAMED(describe_deviations_) off)
{
    const double numbers = (double)part.numbers;
    const double high = describe_shorten(off.pivot), low = off.pivot - high;
    part.sum = high * numbers;
    part = describe_add_sum(describe_add_sum(part, low * numbers), off.sum);
    part.mean = off.pivot;
    part = describe_move_mean(part, off.sum / numbers);
    return describe_center(part, off.scale, off.sum, off.squares, off.cubes);
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    double pivot =
        describe_usable_pivot(((double)elements[0] + (double)elements[count / 4] +
                               (double)elements[count / 2] + (double)elements[count / 4 * 3]) *
                              0.25);
    const struct NAMED(describe_lanes_) found = NAMED(describe_sweep_)(elements, count, pivot);
    double least = (double)NAMED(describe_least_)(&found.extremes);
    double greatest = (double)NAMED(describe_greatest_)(&found.extremes);
    const double scale = describe_choose_scale(greatest - least);
    const bool is_finite = found.sum[0] - found.sum[0] == 0.0;
    double nearer = is_finite
                        ? describe_nearer_pivot(pivot, (double)count, found.sum[0],
                                                found.squares[0], least, greatest)
                        : describe_usable_pivot(NAMED(describe_find_finite_)(elements, count));
    struct NAMED(describe_deviations_)
        off = {pivot, 1.0, found.sum[0], found.squares[0], found.cubes[0]};
    describe_part part = describe_merge_identity();
    part.numbers = count;
    if (!is_finite || scale != 1.0 || nearer != pivot) {
        struct NAMED(describe_special_lanes_) special;
        pivot = nearer;
        special = NAMED(describe_sweep_specials_)(elements, count, pivot, scale);
        if (!is_finite) /* the first finite element may be far from the others, too */
            nearer = describe_nearer_pivot(pivot, (double)(count - special.nans[0]), special.sum[0],
                                           special.squares[0], (double)special.least[0],
                                           (double)special.greatest[0]);
        if (nearer != pivot)
            special = NAMED(describe_sweep_specials_)(elements, count, nearer, scale);
        pivot = nearer;
        least = (double)special.least[0];
        greatest = (double)special.greatest[0];
        off.pivot = pivot;
        off.scale = scale;
        off.sum = special.sum[0];
        off.squares = special.squares[0];
        off.cubes = special.cubes[0];
        part.nans = special.nans[0];
        part.infinities = special.infinities[0];
        part.numbers = count - special.nans[0];
    }
    if (part.numbers == 0)
        return part;
    part = NAMED(describe_shift_back_)(part, off);
    if (least == greatest && part.infinities == 0) {
        part.mean = least; /* exact: all elements are equal */
        part.mean_rest = 0.0;
        part.squares = 0.0;
        part.skew_ratio = 0.0;
    }
    part.minimum = describe_key_of_float(least);
    part.maximum = describe_key_of_float(greatest);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
