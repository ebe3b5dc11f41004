/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 16 bits. Included once for each type, with T, SUFFIX (of the
 * names), KEY(value), and ORIGIN, HIGH(value) and LOW(value): the value is ORIGIN + 256 * high +
 * low, and each of these halves has 8 bits and a sign. Everything is summed exactly. Powers of the
 * halves fit 16 bits, and their products, of which some thousand fit 32, are what processors
 * multiply and add fastest; from them come those of the values.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

/* Of count elements, 1024 at most, how far they are from ORIGIN: adds their squares and cubes. */
DESCRIBE_INLINE void NAMED(describe_add_powers_)(const REAP_GLOBAL T *elements, size_t count,
                                                 int64_t *squares, int64_t *cubes)
{
    int32_t hh = 0, hl = 0, ll = 0, hhh = 0, hhl = 0, hll = 0, lll = 0;
    for (size_t i = 0; i < count; i++) {
        const int16_t high = (int16_t)HIGH(elements[i]), low = (int16_t)LOW(elements[i]);
        const int16_t high_square = (int16_t)(high * high), low_square = (int16_t)(low * low);
        hh += high * high;
        hl += high * low;
        ll += low * low;
        hhh += high_square * high;
        hhl += high_square * low;
        hll += low_square * high;
        lll += low_square * low;
    }
    *squares += ((int64_t)hh * 256 + (int64_t)hl * 2) * 256 + ll;
    *cubes += (((int64_t)hhh * 256 + (int64_t)hhl * 3) * 256 + (int64_t)hll * 3) * 256 + lll;
}

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    const size_t most = 1024;
    const int64_t numbers = (int64_t)count;
    T least = reap_known_identity(minimum, T), greatest = reap_known_identity(maximum, T);
    int32_t sum = 0;
    int64_t squares = 0, cubes = 0;
    describe_part part;
    for (size_t i = 0; i < count; i++) {
        const T value = elements[i];
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
        sum += value;
    }
    for (size_t i = 0; i < count; i += most)
        NAMED(describe_add_powers_)
    (elements + i, count - i < most ? count - i : most, &squares, &cubes);
    const int64_t sums[3] = {sum - numbers * ORIGIN, squares, cubes};
    part = describe_integers(count, 0, sum);
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
#undef KEY
#undef ORIGIN
#undef HIGH
#undef LOW
