/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 8 bits. Included once for each type, with T, SUFFIX (of the
 * names), UNSIGNED(value) and SIGNED(value), which are UNSIGNED - 128: integers of 8 bits in the
 * order of the values; ORIGIN, which is value - SIGNED(value); and KEY(ordered), the key of the
 * value whose SIGNED is `ordered`. All sums are exact, and use as few bits as possible, so that
 * more of them fit into a vector. The loops have the forms that compilers translate to the fewest
 * instructions.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* The sum of the distances of count elements, at most DESCRIBE_CUBES, from the least one of the
 * run. (One instruction computes 32 distances.) */
DESCRIBE_INLINE int32_t NAMED(describe_add_distances_)(const REAP_GLOBAL T *elements, size_t count,
                                                       uint8_t least)
{
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const int distance = (int)UNSIGNED(elements[i]) - (int)least;
        sum += distance < 0 ? -distance : distance;
    }
    return sum;
}

/* Adds the squares and cubes of the distances from ORIGIN. Squares are multiplied by 3, so that
 * compilers use one instruction to multiply and add: they would widen a plain square, which they
 * know to have 16 bits. */
DESCRIBE_INLINE void NAMED(describe_add_powers_)(const REAP_GLOBAL T *elements, size_t count,
                                                 int64_t sums[3])
{
    int32_t squares = 0, cubes = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t off = (int16_t)(SIGNED(elements[i]) + 0), square = (int16_t)(off * off);
        squares += square * 3;
        cubes += square * off;
    }
    sums[1] += squares / 3;
    sums[2] += cubes;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    const int64_t numbers = (int64_t)count;
    uint8_t least = UINT8_MAX, greatest = 0;
    int64_t sums[3] = {0, 0, 0};
    describe_part part;
    for (size_t i = 0; i < count; i++) {
        const uint8_t value = UNSIGNED(elements[i]);
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
    }
    for (size_t i = 0; i < count; i += DESCRIBE_CUBES) {
        const size_t some = count - i < DESCRIBE_CUBES ? count - i : DESCRIBE_CUBES;
        sums[0] += NAMED(describe_add_distances_)(elements + i, some, least);
        NAMED(describe_add_powers_)(elements + i, some, sums);
    }
    sums[0] += numbers * ((int64_t)least - 128);
    part = describe_integers(count, 0, sums[0] + numbers * ORIGIN);
    part = describe_center_exactly(part, sums);
    part.minimum = KEY(least - 128);
    part.maximum = KEY(greatest - 128);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
#undef UNSIGNED
#undef SIGNED
#undef KEY
#undef ORIGIN
