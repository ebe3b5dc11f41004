/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 8 bits. Included once for each type, with T, SUFFIX (of the
 * names), UNSIGNED(value) and SIGNED(value): integers of 8 bits in the order of the values, 128
 * apart; ORIGIN: a value is so much above SIGNED of it; and of that, KEY(ordered).
 * Everything is summed exactly, in the fewest bits that hold it, since as many more fit a vector,
 * and in the loops that compilers make the fewest instructions of.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* Of count elements, DESCRIBE_CUBES at most: how far they are above the least one of the run, their
 * sum (a distance is one instruction for 32 of them). */
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

/* How far they are from ORIGIN: adds the squares and cubes of that. The squares are taken three
 * times: compilers know that a single one has 16 bits, and would rather widen it than multiply and
 * add at once. */
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
