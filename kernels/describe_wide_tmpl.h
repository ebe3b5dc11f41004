/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 32 or 64 bits. Included once for each type, with T, SIGNED and
 * UNSIGNED (the types of its size), SUFFIX (of the names), KEY(value), and HIGH(value) and
 * LOW(value): the value is high * 2^32 + low, and a run's sums of each fit 64 bits. The first sweep
 * finds the extremes and the sum, exactly; the second the squared and cubed distances from the
 * integer next to the mean. A distance is an integer too, and exact, before it becomes a double;
 * only where it might not fit the type the values become doubles first, which are far enough apart
 * then.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

DESCRIBE_INLINE double NAMED(describe_distance_)(T value, T from, bool fits)
{
    return fits ? (double)(SIGNED)((UNSIGNED)value - (UNSIGNED)from)
                : (double)AS_SIGNED(value) - (double)AS_SIGNED(from);
}

struct NAMED(describe_powers_) {
    double squares[DESCRIBE_LANES], cubes[DESCRIBE_LANES];
};

DESCRIBE_INLINE void NAMED(describe_take_)(struct NAMED(describe_powers_) * powers, size_t l,
                                           double off)
{
    const double square = off * off;
    powers->squares[l] += square;
    powers->cubes[l] += square * off;
}

/* All elements, in lane 0. */
DESCRIBE_INLINE struct NAMED(describe_powers_)
    NAMED(describe_add_powers_)(const REAP_GLOBAL T *elements, size_t count, T from, bool fits)
{
    struct NAMED(describe_powers_) powers;
    size_t i;
    for (size_t l = 0; l < DESCRIBE_LANES; l++)
        powers.squares[l] = powers.cubes[l] = 0.0;
    for (i = 0; i + DESCRIBE_LANES <= count; i += DESCRIBE_LANES)
        for (size_t l = 0; l < DESCRIBE_LANES; l++)
            NAMED(describe_take_)
    (&powers, l, NAMED(describe_distance_)(elements[i + l], from, fits));
    for (; i < count; i++)
        NAMED(describe_take_)(&powers, 0, NAMED(describe_distance_)(elements[i], from, fits));
    for (size_t half = DESCRIBE_LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half; l++) {
            powers.squares[l] += powers.squares[l + half];
            powers.cubes[l] += powers.cubes[l + half];
        }
    return powers;
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
    const bool fits = sizeof(T) == 8 && (SIGNED)((UNSIGNED)greatest - (UNSIGNED)least) >= 0;
    const struct NAMED(describe_powers_) powers =
        fits ? NAMED(describe_add_powers_)(elements, count, from, true)
             : NAMED(describe_add_powers_)(elements, count, from, false);
    part = describe_integers(count, high, low, mean);
    /* To the mean itself. This takes half at most: no whole number's square is less than it. */
    part.squares = powers.squares[0] - (double)count * mean.rest * mean.rest;
    part.lean = describe_lean_integers((double)count, mean.rest, part.squares, powers.cubes[0]);
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
#undef AS_SIGNED
#undef KEY
#undef HIGH
#undef LOW
