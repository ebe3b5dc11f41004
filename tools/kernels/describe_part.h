/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics of a part of an array, and the operator that merges two parts. Means and squared
 * deviations are merged by the formula of Chan, Golub and LeVeque ("Algorithms for computing the
 * sample variance", The American Statistician 37, 1983, equation 2.1), cubed ones by that of Pebay
 * ("Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
 * statistical moments", SAND2008-6212, 2008, section 2.1). Minimum and maximum are stored as keys,
 * so that one struct and one operator serve every element type.
 */
#ifndef KERNELS_DESCRIBE_PART_H
#define KERNELS_DESCRIBE_PART_H

#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Inlined, also at -O1, into the loops that are compiled for each instruction set. */
#define DESCRIBE_INLINE static inline __attribute__((always_inline, unused))
#define DESCRIBE_PASTE_(a, b) a##b
#define DESCRIBE_PASTE(a, b) DESCRIBE_PASTE_(a, b)

/* The bytes of a run, the elements of a work-item: long enough to make its fixed costs negligible,
 * short enough for the first-level cache, since some runs are read twice. They are bytes of
 * converted numbers (f16: as f32). */
enum { DESCRIBE_RUN_BYTES = 16384 };

/* The runs of a task, which are read together and merged before other tasks. A mebibyte is copied
 * from the page cache at a higher rate than less (a file is described 1.15 times as fast as with
 * 256 KiB, on Zen 4), and is still in a core's caches when it is described. */
enum { DESCRIBE_TASK_RUNS = 64 };

/* Elements that are processed side by side, and half of them: enough accumulators to fill vector
 * registers and to hide the latency of addition, few enough to stay in registers. Half of them are
 * 16, a vector of 4-byte elements of AVX-512, or gcc makes vectors of 32 bytes: with 8 a GiB of f32
 * took 0.15 s on two cores of a Xeon, of i32 0.12, and with 16 0.12 and 0.09; as long with AVX2. */
enum { DESCRIBE_LANES = 32, DESCRIBE_PAIRS = DESCRIBE_LANES / 2 };

/* The sum of so many cubes of 8-bit integers fits 32 bits. */
enum { DESCRIBE_CUBES = 1024 };

/* Asks for so many bytes of what a sweep reads a page later: processors fetch ahead by themselves
 * within a page of 4 KiB, and a mapped file has no larger ones. A GiB of f32 in the page cache
 * takes two cores of a Xeon 0.13 s of processor time instead of 0.18. Cards have other threads to
 * run. */
#if defined(__OPENCL_VERSION__) || defined(__CUDA_ARCH__)
#define DESCRIBE_FETCH_AHEAD(from, bytes) ((void)0)
#else
#define DESCRIBE_FETCH_AHEAD(from, bytes)                                                          \
    do {                                                                                           \
        for (size_t reached = 0; reached < (bytes); reached += 64)                                 \
            __builtin_prefetch((const char *)(from) + 4096 + reached);                             \
    } while (0)
#endif

typedef struct describe_part {
    uint64_t numbers;     /* elements that are not NaN; all others except `nans` are about these */
    uint64_t nans;        /* elements that are NaN */
    uint64_t infinities;  /* of either sign */
    uint64_t minimum;     /* as a key: an unsigned integer in the order of the values */
    uint64_t maximum;     /* the same */
    uint64_t minimum_run; /* the first run that has it */
    uint64_t maximum_run;
    uint64_t sum_low; /* integers: the sum, in two's complement of 128 bits */
    uint64_t sum_high;
    double sum;      /* floating point */
    double sum_rest; /* the part of the sum that rounding has removed */
    double mean;
    double mean_rest; /* the part of the mean that does not fit a double */
    double squares;   /* the sum of squared deviations from the mean */
    double squares_rest;
    double skew_ratio; /* the sum of cubed deviations divided by that of squared ones; 0 if that is
                          0 */
} describe_part;

/* Keys: negative values precede others; of negative floating-point numbers, the one with the larger
 * bits precedes. Both zeros have one key. */
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

/* The integer, rounded, from its two halves, which doubles represent exactly: vector units before
 * AVX-512 cannot convert 64-bit integers. */
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

/* Returns 2^52 + value, exactly. For a signed number whose sign bit is inverted, that is the number
 * plus DESCRIBE_LIFT, 2^52 + 2^31. */
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

/* The pivot; 0 if it is not finite, or so large that products might overflow. */
DESCRIBE_INLINE double describe_usable_pivot(double pivot)
{
    const double most = 1e280;
    return pivot > -most && pivot < most ? pivot : 0.0;
}

/* A factor for cubes of deviations, so that they stay in a double's range if the squares do: 1
 * unless the range of the numbers is very large or very small. */
DESCRIBE_INLINE double describe_choose_scale(double range)
{
    return range > 1e90 ? 1e-155 : range > 0.0 && range < 1e-90 ? 1e155 : 1.0;
}

/* The upper 26 of the number's 53 bits (Veltkamp 1968), so its product with a count is exact, as is
 * that of the rest. */
DESCRIBE_INLINE double describe_shorten(double number)
{
    const double scaled = number * 134217729.0;
    return scaled - (scaled - number);
}

/* A pivot for which the numbers' distances add up to at most 7 times their absolute values: the
 * given one if that is sure, else the mean, to 26 bits, so that distances of short numbers stay
 * exact. The absolute values add up to at least |sum x|, and to at least sum x^2 / max |x|, which
 * is not used if squares may have left a double's range. Sum and squares are those of the distances
 * from the given pivot. */
DESCRIBE_INLINE double describe_nearer_pivot(double pivot, double numbers, double sum,
                                             double squares, double least, double greatest)
{
    const double pivots = numbers * pivot, limit = (pivots < 0.0 ? -pivots : pivots) / 6.0;
    const double total = pivots + sum, all_squares = squares + pivot * (2.0 * sum + pivots);
    const double largest = -least < greatest ? greatest : -least;
    const bool are_squares_in_range = all_squares > 1e-280 && all_squares < 1e300;
    if (limit <= (total < 0.0 ? -total : total) ||
        (are_squares_in_range && limit * largest <= all_squares))
        return pivot;
    return describe_shorten(describe_usable_pivot(pivot + sum / numbers));
}

/* The rounding error of a sum of two numbers (Knuth's TwoSum). */
DESCRIBE_INLINE double describe_find_rest(double a, double b)
{
    const double sum = a + b, moved_by = sum - a;
    return (a - (sum - moved_by)) + (b - moved_by);
}

/* These add a number, and its rounding error to the rest. */
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

/* Adds the rests to the sums, unless these are infinite or NaN. */
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

/* Squares and skew_ratio about the mean, from the sums of deviations from a pivot, of their
 * squares, and of their cubes, which are scaled. */
DESCRIBE_INLINE describe_part describe_center(describe_part part, double scale, double sum,
                                              double squares, double cubes)
{
    const double numbers = (double)part.numbers, mean = sum / numbers;
    const double centered = squares - sum * sum / numbers;
    const double centered_cubes = cubes - mean * scale * (3.0 * centered + mean * sum);
    part.squares = centered < 0.0 ? 0.0 : centered;
    part.skew_ratio = centered > 0.0 ? centered_cubes / centered / scale : 0.0;
    return part;
}

/* As cubes are divided by the squares of their part, all weights of the formula are at most 1, and
 * it cannot overflow. */
DESCRIBE_INLINE double describe_merge_skew_ratios(describe_part a, describe_part b, double apart,
                                                  double squares)
{
    const double numbers = (double)(a.numbers + b.numbers);
    const double a_share = (double)a.numbers / numbers, b_share = (double)b.numbers / numbers;
    const double a_weight = a.squares / squares, b_weight = b.squares / squares;
    const double between = apart * apart * ((double)a.numbers * b_share) / squares;
    return a.skew_ratio * a_weight + b.skew_ratio * b_weight +
           apart *
               (3.0 * (a_share * b_weight - b_share * a_weight) + (a_share - b_share) * between);
}

/* Merges means, squared deviations and cubed ones. Both parts have numbers. */
DESCRIBE_INLINE describe_part describe_merge_moments(describe_part a, describe_part b)
{
    const double share = (double)b.numbers / (double)(a.numbers + b.numbers);
    const double apart = (b.mean - a.mean) + (b.mean_rest - a.mean_rest);
    const double between = apart * apart * ((double)a.numbers * share);
    const double squares = a.squares + b.squares + between;
    if (squares > 0.0)
        a.skew_ratio = describe_merge_skew_ratios(a, b, apart, squares);
    a = describe_move_mean(a, apart * share);
    a = describe_add_squares(describe_add_squares(a, b.squares), between);
    a.squares_rest += b.squares_rest;
    return a;
}

/* Of equal extremes the first run's is kept, so the order of merging does not matter. */
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

/* A mean of integers: high * 2^32 + low + rest, of which high * 2^32 + low is the nearest integer.
 */
struct describe_quotient {
    int64_t high, low;
    double rest;
};

/* (high * 2^32 + low) / count. The sum with high % count does not overflow 64 bits. */
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

/* Which multiple of 2^64, added to a sum modulo 2^64, is nearest to `near`. */
DESCRIBE_INLINE int64_t describe_find_wraps(uint64_t sum, double near)
{
    const double wraps = (near - (double)(int64_t)sum) / 18446744073709551616.0;
    return (int64_t)(wraps < 0.0 ? wraps - 0.5 : wraps + 0.5);
}

/* Squares and skew_ratio about the mean, from the sums of deviations from an integer, of their
 * squares, and of their cubes. Deviations from the integer nearest to the mean are exact. Their
 * sums fit 64 bits; intermediate values may wrap around. */
DESCRIBE_INLINE describe_part describe_center_exactly(describe_part part, const int64_t sums[3])
{
    const uint64_t count = part.numbers, sum = (uint64_t)sums[0], squares = (uint64_t)sums[1];
    const double numbers = (double)part.numbers;
    const struct describe_quotient mean = describe_divide(0, sums[0], (int64_t)count);
    const uint64_t by = (uint64_t)mean.low;
    const double cubes =
        (double)(int64_t)((uint64_t)sums[2] - by * (3 * squares - by * (3 * sum - by * count)));
    part.squares = (double)(int64_t)(count * squares - sum * sum) / numbers;
    part.skew_ratio =
        part.squares > 0.0
            ? (cubes - mean.rest * (3.0 * part.squares + numbers * mean.rest * mean.rest)) /
                  part.squares
            : 0.0;
    return part;
}

#endif
