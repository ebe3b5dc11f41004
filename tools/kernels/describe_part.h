/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reap describe` knows about a part of an array, and how two parts make one: counts add up,
 * the extremes compare, sums add up, means and squared deviations merge as Chan, Golub and LeVeque
 * do it ("Algorithms for computing the sample variance", The American Statistician 37, 1983,
 * equation 2.1), and cubed ones as Pebay does ("Formulas for robust, one-pass parallel computation
 * of covariances and arbitrary-order statistical moments", SAND2008-6212, 2008, section 2.1).
 * Minimum and maximum are kept as keys, so that one struct and one operator serve every element
 * type.
 */
#ifndef KERNELS_DESCRIBE_PART_H
#define KERNELS_DESCRIBE_PART_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Into the loops that each instruction set has of its own, even at -O1. */
#define DESCRIBE_INLINE static inline __attribute__((always_inline, unused))
#define DESCRIBE_PASTE_(a, b) a##b
#define DESCRIBE_PASTE(a, b) DESCRIBE_PASTE_(a, b)

/* The elements of an array are described in runs, one a work-item: long enough that a run's fixed
 * costs vanish, short enough for the first-level cache, since some runs are read twice. The bytes
 * are those of numbers (f16: as f32). */
enum { DESCRIBE_RUN_BYTES = 16384 };

/* What is merged before it meets the rest: the runs of a task, which the tool reads at once. A
 * mebibyte is copied faster from the page cache than less is (1.15 times as fast described, all in
 * all, as 256 KiB, on Zen 4), and is still in a core's caches when it is described. */
enum { DESCRIBE_TASK_RUNS = 64 };

/* Elements taken side by side, and half of them: accumulators enough to fill vector registers and
 * to hide the latency of addition, few enough to stay in registers. */
enum { DESCRIBE_LANES = 16, DESCRIBE_PAIRS = DESCRIBE_LANES / 2 };

/* So many cubes of integers of 8 bits surely fit 32. */
enum { DESCRIBE_CUBES = 1024 };

typedef struct describe_part {
    uint64_t numbers;     /* elements that are not NaN; the rest of this is about them */
    uint64_t nans;        /* elements that are */
    uint64_t infinities;  /* of either sign */
    uint64_t minimum;     /* as a key: an unsigned integer in the order of the values */
    uint64_t maximum;     /* the same */
    uint64_t minimum_run; /* the first run that has it */
    uint64_t maximum_run;
    uint64_t sum_low; /* integers: the sum, in two's complement of 128 bits */
    uint64_t sum_high;
    double sum;      /* floating point */
    double sum_rest; /* what rounding has taken from it */
    double mean;
    double mean_rest; /* what the mean has besides, and a double could not hold */
    double squares;   /* the sum of squared deviations from the mean */
    double squares_rest;
    double lean; /* that of cubed ones, divided by the squares; 0 where those are 0 */
} describe_part;

/* Keys: negative values below the others, and of negative floating-point numbers the one with the
 * larger bits below. Both zeros have one key. */
DESCRIBE_INLINE uint64_t describe_key_of_float(double value)
{
    union {
        double value;
        uint64_t bits;
    } pun;
    pun.value = value + 0.0;
    return pun.bits >> 63 ? ~pun.bits : pun.bits | (uint64_t)1 << 63;
}

DESCRIBE_INLINE uint64_t describe_key_of_signed(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

DESCRIBE_INLINE uint64_t describe_key_of_unsigned(uint64_t value)
{
    return value;
}

/* The number next to an integer, from its halves, each of which a double holds: vector units
 * convert no integers of 64 bits before AVX-512. */
DESCRIBE_INLINE double describe_double_of(int64_t value)
{
    union {
        uint64_t bits;
        double value;
    } high, low;
    high.bits = (uint64_t)value >> 32 ^ 0x4530000080000000;         /* 2^84 + 2^63 + 2^32 * high */
    low.bits = ((uint64_t)value & 0xffffffff) | 0x4330000000000000; /* 2^52 + low */
    return (high.value - 19342822341709703277445120.0) + low.value; /* 2^84 + 2^63 + 2^52 */
}

/* 2^52 above the number, exactly; with 2^31 more, DESCRIBE_LIFT, above a signed one with its first
 * bit changed. */
#define DESCRIBE_LIFT 4503601774854144
DESCRIBE_INLINE double describe_lift(uint32_t value)
{
    union {
        uint64_t bits;
        double value;
    } pun;
    pun.bits = (uint64_t)value | 0x4330000000000000;
    return pun.value;
}

/* The pivot itself; 0 where there is none, or one so large that its products might overflow. */
DESCRIBE_INLINE double describe_usable_pivot(double pivot)
{
    const double most = 1e280;
    return pivot > -most && pivot < most ? pivot : 0.0;
}

/* What deviations are multiplied by, once, in their cubes, so that these stay within a double where
 * the squares do: 1 unless the numbers are very far apart or very close together. */
DESCRIBE_INLINE double describe_choose_scale(double range)
{
    return range > 1e90 ? 1e-155 : range > 0.0 && range < 1e-90 ? 1e155 : 1.0;
}

/* The number with 26 of its 53 bits (Veltkamp 1968), so that its product with a count is exact, and
 * that of the rest as well. */
DESCRIBE_INLINE double describe_shorten(double number)
{
    const double scaled = number * 134217729.0;
    return scaled - (scaled - number);
}

/* What rounding takes from a sum of two numbers (Knuth's TwoSum). */
DESCRIBE_INLINE double describe_find_rest(double a, double b)
{
    const double sum = a + b, moved_by = sum - a;
    return (a - (sum - moved_by)) + (b - moved_by);
}

/* These add, and keep the rest. */
DESCRIBE_INLINE describe_part describe_move_mean(describe_part part, double by)
{
    part.mean_rest += describe_find_rest(part.mean, by);
    part.mean += by;
    return part;
}

DESCRIBE_INLINE describe_part describe_add_sum(describe_part part, double sum)
{
    part.sum_rest += describe_find_rest(part.sum, sum);
    part.sum += sum;
    return part;
}

DESCRIBE_INLINE describe_part describe_add_squares(describe_part part, double squares)
{
    part.squares_rest += describe_find_rest(part.squares, squares);
    part.squares += squares;
    return part;
}

/* The sums with their rests; none of those that have overflowed, or have infinities. */
DESCRIBE_INLINE describe_part describe_round(describe_part part)
{
    if (part.sum - part.sum == 0.0)
        part.sum += part.sum_rest;
    if (part.squares - part.squares == 0.0)
        part.squares += part.squares_rest;
    part.sum_rest = 0.0;
    part.squares_rest = 0.0;
    return part;
}

/* Squares and lean about the mean, from the sums of deviations from a pivot, of their squares, and
 * of their cubes, which are scaled. */
DESCRIBE_INLINE describe_part describe_center(describe_part part, double scale, double sum,
                                              double squares, double cubes)
{
    const double numbers = (double)part.numbers, mean = sum / numbers;
    const double centered = squares - sum * sum / numbers;
    const double centered_cubes = cubes - mean * scale * (3.0 * centered + mean * sum);
    part.squares = centered < 0.0 ? 0.0 : centered;
    part.lean = centered > 0.0 ? centered_cubes / centered / scale : 0.0;
    return part;
}

/* Where all cubes are divided by the squares of their part, the formula is one of weights that are
 * at most 1, and cannot overflow. */
DESCRIBE_INLINE double describe_merge_leans(describe_part a, describe_part b, double apart,
                                            double squares)
{
    const double numbers = (double)(a.numbers + b.numbers);
    const double a_share = (double)a.numbers / numbers, b_share = (double)b.numbers / numbers;
    const double a_weight = a.squares / squares, b_weight = b.squares / squares;
    const double between = apart * apart * ((double)a.numbers * b_share) / squares;
    return a.lean * a_weight + b.lean * b_weight +
           apart *
               (3.0 * (a_share * b_weight - b_share * a_weight) + (a_share - b_share) * between);
}

/* Means, squared deviations and cubed ones; both parts have numbers. */
DESCRIBE_INLINE describe_part describe_merge_moments(describe_part a, describe_part b)
{
    const double share = (double)b.numbers / (double)(a.numbers + b.numbers);
    const double apart = (b.mean - a.mean) + (b.mean_rest - a.mean_rest);
    const double between = apart * apart * ((double)a.numbers * share);
    const double squares = a.squares + b.squares + between;
    if (squares > 0.0)
        a.lean = describe_merge_leans(a, b, apart, squares);
    a = describe_move_mean(a, apart * share);
    a = describe_add_squares(describe_add_squares(a, b.squares), between);
    a.squares_rest += b.squares_rest;
    return a;
}

/* Of equal extremes the first run's, so that the order of merging does not matter. */
DESCRIBE_INLINE describe_part describe_merge_extremes(describe_part a, describe_part b)
{
    if (b.minimum < a.minimum || (b.minimum == a.minimum && b.minimum_run < a.minimum_run)) {
        a.minimum = b.minimum;
        a.minimum_run = b.minimum_run;
    }
    if (b.maximum > a.maximum || (b.maximum == a.maximum && b.maximum_run < a.maximum_run)) {
        a.maximum = b.maximum;
        a.maximum_run = b.maximum_run;
    }
    return a;
}

REAP_OPERATOR(describe_merge, describe_part,
              reap_value(describe_part, 0, 0, 0, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, 0, 0, 0.0,
                         0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
              a, b)
{
    if (b.numbers == 0) {
        a.nans += b.nans;
        return a;
    }
    if (a.numbers == 0) {
        b.nans += a.nans;
        return b;
    }
    a = describe_merge_extremes(describe_merge_moments(a, b), b);
    a.numbers += b.numbers;
    a.nans += b.nans;
    a.infinities += b.infinities;
    a.sum_low += b.sum_low;
    a.sum_high += b.sum_high + (a.sum_low < b.sum_low);
    a = describe_add_sum(a, b.sum);
    a.sum_rest += b.sum_rest;
    return a;
}

/* A mean of integers: high * 2^32 + low is the integer next to it, which it is `rest` above. */
struct describe_quotient {
    int64_t high, low;
    double rest;
};

/* (high * 2^32 + low) / count; high % count and low leave room for a sum in 64 bits. */
DESCRIBE_INLINE struct describe_quotient describe_divide(int64_t high, int64_t low, int64_t count)
{
    const int64_t left = high % count * 4294967296 + low, rest = left % count;
    const int64_t up = 2 * rest > count ? 1 : 2 * rest < -count ? -1 : 0;
    struct describe_quotient quotient;
    quotient.high = high / count;
    quotient.low = left / count + up;
    quotient.rest = (double)(rest - up * count) / (double)count;
    return quotient;
}

/* A part of integers whose sum is high * 2^32 + low, and their mean. */
DESCRIBE_INLINE describe_part describe_integers(uint64_t numbers, int64_t high, int64_t low)
{
    const struct describe_quotient mean = describe_divide(high, low, (int64_t)numbers);
    describe_part part = describe_merge_identity();
    part.numbers = numbers;
    part.sum_low = ((uint64_t)high << 32) + (uint64_t)low;
    part.sum_high = (uint64_t)(high >> 32) + (uint64_t)(low >> 63) + (part.sum_low < (uint64_t)low);
    part.mean = (double)mean.high * 4294967296.0;
    return describe_move_mean(describe_move_mean(part, (double)mean.low), mean.rest);
}

/* Which multiple of 2^64 to add to a sum modulo 2^64, as a signed number, to come near this. */
DESCRIBE_INLINE int64_t describe_find_wraps(uint64_t sum, double near)
{
    const double wraps = (near - (double)(int64_t)sum) / 18446744073709551616.0;
    return (int64_t)(wraps < 0.0 ? wraps - 0.5 : wraps + 0.5);
}

/* Squares and lean about the mean, from the sums of deviations from an integer, of their squares,
 * and of their cubes. Distances from the integer next to the mean are exact; their sums fit, what
 * they are made of need not: that wraps around. */
DESCRIBE_INLINE describe_part describe_center_exactly(describe_part part, const int64_t sums[3])
{
    const uint64_t count = part.numbers, sum = (uint64_t)sums[0], squares = (uint64_t)sums[1];
    const double numbers = (double)part.numbers;
    const struct describe_quotient mean = describe_divide(0, sums[0], (int64_t)count);
    const uint64_t by = (uint64_t)mean.low;
    const double cubes =
        (double)(int64_t)((uint64_t)sums[2] - by * (3 * squares - by * (3 * sum - by * count)));
    part.squares = (double)(int64_t)(count * squares - sum * sum) / numbers;
    part.lean = part.squares > 0.0
                    ? (cubes - mean.rest * (3.0 * part.squares + numbers * mean.rest * mean.rest)) /
                          part.squares
                    : 0.0;
    return part;
}

#endif
