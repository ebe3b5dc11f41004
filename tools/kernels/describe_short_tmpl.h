/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 16 bits. Included once for each type, with T, SUFFIX (of the
 * names), SIGNED(value), an int16_t in the order of the values, ORIGIN, which is value -
 * SIGNED(value), and KEY(ordered), the key of the value whose SIGNED is `ordered`. All sums are
 * exact. SIGNED is 256 * high + low + 128, where high and low are signed 8-bit numbers. Squares of
 * these fit 16 bits, and sums of a thousand products 32 bits, which processors multiply and add
 * fastest. The powers of the values are computed from these sums.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* The extremes of SIGNED, and the sums of SIGNED - 128, of its squares and of its cubes.
 */
struct NAMED(describe_powers_) {
    int16_t least, greatest;
    int64_t sums[3];
};

/* Adds count elements, at most DESCRIBE_CUBES. (SIGNED is multiplied by 3, so that compilers use an
 * instruction that multiplies and adds, instead of widening it first.) */
DESCRIBE_INLINE void NAMED(describe_add_powers_)(const REAP_GLOBAL T *elements, size_t count,
                                                 struct NAMED(describe_powers_) * powers)
{
    int16_t least = powers->least, greatest = powers->greatest;
    int32_t sum = 0, hh = 0, hl = 0, ll = 0, hhh = 0, hhl = 0, hll = 0, lll = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t value = SIGNED(elements[i]);
        const int16_t high = (int16_t)(value >> 8), low = (int16_t)((value & 255) - 128);
        const int16_t high_square = (int16_t)(high * high), low_square = (int16_t)(low * low);
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
        sum += value * 3;
        hh += high * high;
        hl += high * low;
        ll += low * low;
        hhh += high_square * high;
        hhl += high_square * low;
        hll += low_square * high;
        lll += low_square * low;
    }
    powers->least = least;
    powers->greatest = greatest;
    powers->sums[0] += sum / 3 - (int64_t)count * 128;
    powers->sums[1] += ((int64_t)hh * 256 + (int64_t)hl * 2) * 256 + ll;
    powers->sums[2] +=
        (((int64_t)hhh * 256 + (int64_t)hhl * 3) * 256 + (int64_t)hll * 3) * 256 + lll;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    struct NAMED(describe_powers_) powers = {INT16_MAX, INT16_MIN, {0, 0, 0}};
    describe_part part;
    for (size_t i = 0; i < count; i += DESCRIBE_CUBES)
        NAMED(describe_add_powers_)
    (elements + i, count - i < DESCRIBE_CUBES ? count - i : DESCRIBE_CUBES, &powers);
    part = describe_integers(count, 0, powers.sums[0] + (int64_t)count * (ORIGIN + 128));
    part = describe_center_exactly(part, powers.sums);
    part.minimum = KEY(powers.least);
    part.maximum = KEY(powers.greatest);
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
