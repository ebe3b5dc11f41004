/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 8 bits. Included once for each type, with T, SUFFIX (of the
 * names), ORIGIN and SIGNED(value): a value is ORIGIN above the signed one of 8 bits; and of that,
 * KEY(ordered).
 * Everything is summed exactly, in the fewest bits that hold it, since as many more fit a vector.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* How far count elements, DESCRIBE_BYTES at most, are from ORIGIN: the sums of that, of its squares
 * and cubes. The squares are taken four times: compilers know that a single one has 16 bits, and
 * would rather widen it than multiply and add at once. */
DESCRIBE_INLINE void NAMED(describe_add_powers_)(const REAP_GLOBAL T *elements, size_t count,
                                                 int64_t sums[3])
{
    int16_t sum = 0;
    int32_t squares = 0, cubes = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t off = (int16_t)(SIGNED(elements[i]) + 0), square = (int16_t)(off * off);
        const int16_t four = (int16_t)(off * 4);
        sum = (int16_t)(sum + off);
        squares += off * four;
        cubes += square * off;
    }
    sums[0] += sum;
    sums[1] += squares / 4;
    sums[2] += cubes;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    const int64_t numbers = (int64_t)count;
    int8_t least = INT8_MAX, greatest = INT8_MIN;
    int64_t sums[3] = {0, 0, 0};
    describe_part part;
    for (size_t i = 0; i < count; i++) {
        const int8_t value = SIGNED(elements[i]);
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
    }
    for (size_t i = 0; i < count; i += DESCRIBE_BYTES)
        NAMED(describe_add_powers_)
    (elements + i, count - i < DESCRIBE_BYTES ? count - i : DESCRIBE_BYTES, sums);
    part = describe_integers(count, 0, sums[0] + numbers * ORIGIN);
    part = describe_center_exactly(part, sums);
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
#undef KEY
#undef ORIGIN
