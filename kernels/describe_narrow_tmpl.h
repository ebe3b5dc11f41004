/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes a run of integers of 8 or 16 bits. Included once for each type, with T, SUFFIX (of the
 * names), SQUARES (an unsigned type that holds the sum of a run's squares) and KEY(value). One
 * sweep does: the sums are exact, and so is count * squares - sum * sum.
 */
REAP_KERNEL_FILE

#define NAMED(name) DESCRIBE_PASTE(name, SUFFIX)

DESCRIBE_INLINE describe_part NAMED(describe_run_)(const REAP_GLOBAL T *elements, size_t count,
                                                   uint64_t run)
{
    T least = reap_known_identity(minimum, T), greatest = reap_known_identity(maximum, T);
    int32_t sum = 0;
    SQUARES squares = 0;
    describe_part part;
    for (size_t i = 0; i < count; i++) {
        const T value = elements[i];
        const uint32_t square = (uint32_t)value * (uint32_t)value; /* of either sign */
        least = value < least ? value : least;
        greatest = greatest < value ? value : greatest;
        sum += value;
        squares += square;
    }
    part = describe_integers(count, 0, sum, describe_divide(0, sum, (int64_t)count));
    part.squares = (double)((int64_t)count * (int64_t)squares - (int64_t)sum * sum) / (double)count;
    part.minimum = KEY(least);
    part.maximum = KEY(greatest);
    part.minimum_run = run;
    part.maximum_run = run;
    return part;
}

#undef NAMED
#undef SUFFIX
#undef T
#undef SQUARES
#undef KEY
