/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 32 or 64 bits. Included once for each type, with T, SIGNED and
 * UNSIGNED (the types of its size), SUFFIX (of the names), KEY(value), and HIGH(value) and
 * LOW(value): the value is high * 2^32 + low, and a run's sums of each fit 64 bits. The first sweep
 * finds the extremes and the sum, exactly; the second the squared distances from the integer next
 * to the mean. A distance is an integer too, and exact, before it becomes a double; only where it
 * might not fit the type the values become doubles first, which are far enough apart then.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

DESCRIBE_INLINE double NAMED(describe_distance_)(T value, T from, bool fits)
{
    return fits ? (double)(SIGNED)((UNSIGNED)value - (UNSIGNED)from) : (double)value - (double)from;
}

DESCRIBE_INLINE double NAMED(describe_squares_)(const REAP_GLOBAL T *elements, size_t count, T from,
                                                bool fits)
{
    double squares[DESCRIBE_LANES];
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++)
        squares[l] = 0.0;
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++) {
            const double off = NAMED(describe_distance_)(elements[i + l], from, fits);
            squares[l] += off * off;
        }
    for (; i < count; i++) {
        const double off = NAMED(describe_distance_)(elements[i], from, fits);
        squares[0] += off * off;
    }
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++)
            squares[l] += squares[l + half];
    return squares[0];
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    T least = reap_known_identity(minimum, T), greatest = reap_known_identity(maximum, T);
    int64_t high = 0, low = 0;
    describe_part part;
    for (size_t i = 0; i < count; i++) {
        const T value = elements[i];
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
        high += HIGH(value);
        low += LOW(value);
    }
    const struct describe_quotient mean = describe_divide(high, low, (int64_t)count);
    const T from = (T)(((uint64_t)mean.high << 32) + (uint64_t)mean.low);
    const bool fits = (SIGNED)((UNSIGNED)greatest - (UNSIGNED)least) >= 0;
    part = describe_integers(count, high, low, mean);
    part.squares = fits ? NAMED(describe_squares_)(elements, count, from, true)
                        : NAMED(describe_squares_)(elements, count, from, false);
    /* To the mean itself. This takes half at most: no whole number's square is less than it. */
    part.squares -= (double)count * mean.rest * mean.rest;
    part.minimum = KEY(least);
    part.maximum = KEY(greatest);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
#undef SIGNED
#undef UNSIGNED
#undef KEY
#undef HIGH
#undef LOW
