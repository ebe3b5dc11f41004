/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Ready reductions of arrays, without a kernel file: sums, extremes, norms, moments and others.
 *
 * This is a library beside Reap, `libreap_algorithms`, with a pkg-config file, `reap_algorithms`.
 *
 * @code{.c}
 * float sum;
 * reap_status status = reap_sum(queue, x, count, &sum);
 * @endcode
 *
 * - Each function returns when its result is there. A result that is one value may be any object of
 *   the program.
 * - Arrays are as the arguments of kernels: on the host any memory, on other devices buffers
 *   (buffer.h) or memory of usm.h. Edges of histograms, initial values of scans, and moments may
 *   be anywhere: in variables of the program, too.
 * - The result has the same bits on every device and for any number of threads. Sums that are not
 *   exact combine the elements in the order of [the reduction shape](docs/reduction-shape.md),
 *   where element i is item i, in row-major order whatever the strides.
 * - The functions check their arguments before they run anything; where they return an error of an
 *   argument, results are unchanged. After another error an array of results may have some of its
 *   elements; and in a buffer or an allocation it is what a failed command should have written
 *   (buffer.h): call reap_queue_wait(), which returns the error once more, before commands use it
 *   again. Any thread may call them.
 * - The macros are for C. C++ has the functions, whose names begin with reap_array_.
 *
 * [Algorithms](docs/algorithms.md) has a table of all, with the serial loop that each equals. */
#ifndef REAP_ALGORITHMS_H
#define REAP_ALGORITHMS_H

/* Makes gcc's messages show the program's line only, and not the expansion of the macros here. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/api.h>
#include <reap/bfloat16.h>
#include <reap/half.h>
#include <reap/queue.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Types of elements. `bool` is one byte, 0 or 1; in sums it counts as uint8_t does. */
typedef enum reap_type {
    REAP_TYPE_NONE,     /**< no type */
    REAP_TYPE_BOOL,     /**< bool */
    REAP_TYPE_INT8,     /**< int8_t */
    REAP_TYPE_UINT8,    /**< uint8_t */
    REAP_TYPE_INT16,    /**< int16_t */
    REAP_TYPE_UINT16,   /**< uint16_t */
    REAP_TYPE_INT32,    /**< int32_t */
    REAP_TYPE_UINT32,   /**< uint32_t */
    REAP_TYPE_INT64,    /**< int64_t */
    REAP_TYPE_UINT64,   /**< uint64_t */
    REAP_TYPE_HALF,     /**< reap_half */
    REAP_TYPE_BFLOAT16, /**< reap_bfloat16 */
    REAP_TYPE_FLOAT,    /**< float */
    REAP_TYPE_DOUBLE    /**< double */
} reap_type;

/** The bytes of an element; 0 for another number than those above. */
REAP_API size_t reap_type_size(reap_type type);

/** The most dimensions of an array, as in NumPy. */
#define REAP_ARRAY_MOST_DIMENSIONS 64

/** An array in memory. The struct and what it points to are read during a call only. A stride is
 * the bytes from an index of its dimension to the next: a multiple of the size of an element, also
 * 0 or less. */
typedef struct reap_array {
    void *data;          /**< the element with indices 0; arrays that are read are not changed */
    reap_type type;      /**< of its elements */
    unsigned dimensions; /**< 0 (one element) to REAP_ARRAY_MOST_DIMENSIONS */
    const size_t *shape; /**< the length of each dimension */
    const ptrdiff_t *strides; /**< of each dimension, in bytes; NULL: row-major order */
} reap_array;

/** Reductions for reap_array_reduce(). A is the type of the result (reap_array_reduce_type()). */
typedef enum reap_reduction {
    REAP_SUM,       /**< A sum = 0; sum += x[i] */
    REAP_EXACT_SUM, /**< the sum of all elements without any error, rounded once to A; 0 of none, -0
                     * if all are -0 */
    REAP_MINIMUM,   /**< the smallest; NaN if an element is NaN; 0 instead of -0 */
    REAP_MAXIMUM,   /**< the largest; NaN if an element is NaN; 0 instead of -0 */
    REAP_ARGMIN,    /**< the index of the first smallest, or of the first NaN */
    REAP_ARGMAX,    /**< the index of the first largest, or of the first NaN */
    REAP_NORM_1,    /**< A sum = 0; sum += |x[i]| */
    REAP_NORM_2,    /**< the root of the sum of squares, without overflow or underflow on the way
                     * (E. Anderson, ACM TOMS 44, 2017) */
    REAP_NORM_INFINITY, /**< the largest |x[i]|; NaN if an element is NaN */
    REAP_COUNT_NONZERO  /**< how many elements are not 0; NaN is not 0 */
} reap_reduction;

/** The type of a reduction's result:
 * | of | elements | result |
 * |---|---|---|
 * | REAP_SUM, REAP_EXACT_SUM, REAP_NORM_1 | signed integers | int64_t, modulo 2^64 |
 * | | unsigned integers, bool | uint64_t, modulo 2^64 |
 * | | reap_half, reap_bfloat16, float | float |
 * | | double | double |
 * | REAP_MINIMUM, REAP_MAXIMUM | any | the same |
 * | REAP_NORM_INFINITY | signed integers | uint64_t |
 * | | reap_half, reap_bfloat16, float; double; others | float; double; uint64_t |
 * | REAP_NORM_2 | reap_half, reap_bfloat16, float | float |
 * | | others | double |
 * | REAP_ARGMIN, REAP_ARGMAX, REAP_COUNT_NONZERO | any | uint64_t |
 *
 * @return REAP_TYPE_NONE if an argument is none of the enumerations' */
REAP_API reap_type reap_array_reduce_type(reap_reduction reduction, reap_type type);

/** Options; all zero is the default. */
typedef struct reap_array_options {
    uint64_t axes; /**< bit d: reduce along dimension d; 0: along all dimensions, to one value */
    const reap_array *where; /**< a mask: an array of bool or uint8_t of the shape of `x`, with any
                              * strides. Only elements where it is not 0 are reduced:
                              * `if (where[i]) sum += x[i]`. Indices and the order of sums are
                              * those of `x`. NULL: all */
} reap_array_options;

/** Reduces an array to one value, or along some of its dimensions to an array.
 *
 * Each element of the result is that of reap_array_reduce() for the elements that it is made of,
 * numbered in row-major order of the dimensions of `axes`.
 *
 * @param queue      the queue, on whose device it runs
 * @param reduction  which
 * @param x          the array
 * @param options    NULL for the default
 * @param result     an array of the type reap_array_reduce_type() and the shape of `x` without the
 *                   dimensions of `axes`; 0 dimensions: one value. It may be anywhere in the
 *                   program's memory if it is one value. It must not overlap `x`
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; a type, shape, stride or axis is wrong; a
 *                                      minimum, maximum or index of no elements, or of none that
 *                                      `where` selects
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Other errors are those of reap_launch() and reap_queue_wait(). Blocks. */
REAP_API reap_status reap_array_reduce(reap_queue *queue, reap_reduction reduction,
                                       const reap_array *x, const reap_array_options *options,
                                       const reap_array *result);

/** The smallest and the largest element, in one pass: the results of REAP_MINIMUM and REAP_MAXIMUM.
 *
 * @param queue     the queue
 * @param x         the array
 * @param options   NULL for the default
 * @param smallest  an array as the result of reap_array_reduce()
 * @param largest   another
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce()
 * @note Blocks. */
REAP_API reap_status reap_array_minmax(reap_queue *queue, const reap_array *x,
                                       const reap_array_options *options,
                                       const reap_array *smallest, const reap_array *largest);

/** A number that elements are compared with. */
typedef struct reap_number {
    reap_type type;     /**< REAP_TYPE_INT64, REAP_TYPE_UINT64 or REAP_TYPE_DOUBLE */
    int64_t of_int64;   /**< the number, of REAP_TYPE_INT64 */
    uint64_t of_uint64; /**< the number, of REAP_TYPE_UINT64 */
    double of_double;   /**< the number, of REAP_TYPE_DOUBLE */
} reap_number;

/** A number from an int64_t. */
static inline reap_number reap_number_of_int64(int64_t value)
{
    const reap_number number = {REAP_TYPE_INT64, value, 0, 0};
    return number;
}

/** A number from a uint64_t. */
static inline reap_number reap_number_of_uint64(uint64_t value)
{
    const reap_number number = {REAP_TYPE_UINT64, 0, value, 0};
    return number;
}

/** A number from a double. */
static inline reap_number reap_number_of_double(double value)
{
    const reap_number number = {REAP_TYPE_DOUBLE, 0, 0, value};
    return number;
}

/** Comparisons of an element x[i] with numbers a and b. They are exact, whatever the types: no
 * element of float equals 0.1, and each of int8_t is less than 1000. A NaN is not equal to any
 * number, and neither less nor greater. */
typedef enum reap_comparison {
    REAP_EQUAL,     /**< x[i] == a */
    REAP_NOT_EQUAL, /**< x[i] != a; also where x[i] is NaN */
    REAP_LESS,      /**< x[i] < a */
    REAP_AT_MOST,   /**< x[i] <= a */
    REAP_GREATER,   /**< x[i] > a */
    REAP_AT_LEAST,  /**< x[i] >= a */
    REAP_BETWEEN    /**< a <= x[i] && x[i] <= b */
} reap_comparison;

/** A comparison with its numbers. */
typedef struct reap_condition {
    reap_comparison comparison; /**< which */
    reap_number a;              /**< the number */
    reap_number b;              /**< the upper bound of REAP_BETWEEN; others do not read it */
} reap_condition;

/** How many elements satisfy a condition: `if (x[i] < a) count++`.
 *
 * @param queue      the queue
 * @param x          the array
 * @param condition  the condition
 * @param options    NULL for the default
 * @param result     an array of uint64_t, of the shape of the result of reap_array_reduce()
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); the condition's comparison or a
 *                                      number's type is wrong
 * @note Blocks. */
REAP_API reap_status reap_array_count(reap_queue *queue, const reap_array *x,
                                      const reap_condition *condition,
                                      const reap_array_options *options, const reap_array *result);

/** Options of reap_array_histogram() and reap_array_sum_by_key(); all zero is the default. */
typedef struct reap_bin_options {
    const reap_array *weights; /**< of the elements, an array of any type of their shape. Results
                                * are sums of weights, of the type of REAP_EXACT_SUM. NULL: all 1;
                                * results are uint64_t */
    const reap_array *where;   /**< a mask, as of reap_array_options; NULL: all */
    uint64_t *outside;         /**< receives how many elements that `where` selects are in no bin;
                                * NULL: it is not reported */
} reap_bin_options;

/** A histogram: how many elements, or which sum of weights, each bin has.
 *
 * Bin i has the elements from edge i to less than edge i + 1, and the last bin those that equal the
 * last edge, too: `if (edges[i] <= x[j] && x[j] < edges[i + 1]) result[i] += weights[j]`.
 * Comparisons are exact, as those of reap_comparison. Elements less than the first edge or more
 * than the last, and NaN, are in no bin. Where edges are nearly even, an element's bin is
 * calculated, and corrected by comparisons; otherwise it is found by bisection.
 *
 * Sums of float and double are exact, and rounded once; those of integers are modulo 2^64.
 *
 * @param queue    the queue
 * @param x        an array of any type and shape
 * @param edges    a one-dimensional array of any type, anywhere: at least two numbers, of which
 * none is less than the one before it
 * @param options  NULL for the default
 * @param result   a one-dimensional array with an element for each bin, one less than edges
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); an edge is NaN or less than the
 *                                      one before it
 * @note Other errors are those of reap_launch() and reap_queue_wait(). Blocks. */
REAP_API reap_status reap_array_histogram(reap_queue *queue, const reap_array *x,
                                          const reap_array *edges, const reap_bin_options *options,
                                          const reap_array *result);

/** The edges of bins of one width: edge i is `first + i * ((last - first) / bins)`, rounded at each
 * step, and edge `bins` is `last`.
 *
 * @param first  the first edge
 * @param last   the last edge, not less
 * @param bins   how many bins
 * @param edges  receives `bins` + 1 edges */
REAP_API void reap_array_even_edges(double first, double last, size_t bins, double *edges);

/** Counts, or sums of weights, by key: `result[keys[i]] += weights[i]`.
 *
 * Sums of float and double are exact, and rounded once; those of integers are modulo 2^64. A result
 * without an element is 0.
 *
 * @param queue    the queue
 * @param keys     an array of integers or bool, of any shape
 * @param options  NULL for the default. Where `outside` is not NULL, elements whose keys are
 * negative or not less than the length of the result are left out
 * @param result   a one-dimensional array of any length
 * @retval REAP_ERROR_INVALID_ARGUMENT    as for reap_array_reduce()
 * @retval REAP_ERROR_INDEX_OUT_OF_RANGE  `outside` is NULL, and a key is negative or not less than
 *                                        the length of the result, which is unchanged
 * @note Other errors are those of reap_launch() and reap_queue_wait(). Blocks. */
REAP_API reap_status reap_array_sum_by_key(reap_queue *queue, const reap_array *keys,
                                           const reap_bin_options *options,
                                           const reap_array *result);

/** The sum of products of the elements of two arrays, in the type of their sums.
 *
 * @param queue   the queue
 * @param x       an array
 * @param y       an array of the same type and shape
 * @param result  one value, of the type of REAP_SUM
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); the shapes or types differ
 * @note Blocks. */
REAP_API reap_status reap_array_dot(reap_queue *queue, const reap_array *x, const reap_array *y,
                                    const reap_array *result);

/** The sums of products along dimensions, or of elements that a mask selects: for each element of
 * the result what reap_array_dot() computes of rows of `x` and `y`.
 *
 * @param queue    the queue
 * @param x        an array
 * @param y        an array of the same type and shape
 * @param options  NULL for the default
 * @param result   an array of the type of REAP_SUM, of the shape of the result of
 *                 reap_array_reduce()
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); the shapes or types differ
 * @note Blocks. */
REAP_API reap_status reap_array_dot_along(reap_queue *queue, const reap_array *x,
                                          const reap_array *y, const reap_array_options *options,
                                          const reap_array *result);

/** Statistics of an array; computed in double. Squares and fourths that overflow are infinite, and
 * cubes then infinite or NaN, or 0 where they cancel. The mean does not overflow: it is that of the
 * exact sum where sums do. If an element is infinite or NaN, so is the mean, and the others are
 * NaN. */
typedef struct reap_moments {
    uint64_t count; /**< of elements */
    double mean;    /**< NaN without elements */
    double squares; /**< the sum of (x[i] - mean)^2; the variance is squares / count, or
                     * squares / (count - 1) */
    double cubes;   /**< the sum of (x[i] - mean)^3 */
    double fourths; /**< the sum of (x[i] - mean)^4 */
} reap_moments;

/** Mean, variance and higher moments, in one pass.
 *
 * The powers are summed of x[i] - k, where k is the mean of the first elements, and moved to the
 * mean afterwards; where k proves to be far from the mean, in a second pass with the mean
 * (T. Chan, G. Golub, R. LeVeque, The American Statistician 37, 1983).
 *
 * @param queue   the queue
 * @param x       the array
 * @param result  receives the moments
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce()
 * @note Blocks. */
REAP_API reap_status reap_array_moments(reap_queue *queue, const reap_array *x,
                                        reap_moments *result);

/** The moments of the elements along dimensions, or of those that a mask selects: for each result
 * what reap_array_moments() computes, of rows.
 *
 * Origins are means of the first 2048 elements' selected ones. All rows together are two or three
 * launches.
 *
 * @param queue    the queue
 * @param x        the array
 * @param options  NULL for the default
 * @param results  receives the moments, anywhere: as many as the shape of `x` without the
 * dimensions of `axes` has elements, in row-major order
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce()
 * @note Blocks. */
REAP_API reap_status reap_array_moments_along(reap_queue *queue, const reap_array *x,
                                              const reap_array_options *options,
                                              reap_moments *results);

/** Statistics of pairs of elements of two arrays; computed in double. Means do not overflow;
 * squares that do are infinite, and products infinite or NaN. */
typedef struct reap_comoments {
    uint64_t count;   /**< of pairs */
    double x_mean;    /**< NaN without pairs */
    double y_mean;    /**< NaN without pairs */
    double x_squares; /**< the sum of (x[i] - x_mean)^2 */
    double y_squares; /**< the sum of (y[i] - y_mean)^2 */
    double products;  /**< the sum of (x[i] - x_mean) (y[i] - y_mean); NaN if an element is
                       * infinite or NaN. The covariance is products /
                       * count, or products / (count - 1); Pearson's correlation products /
                       * (sqrt(x_squares) sqrt(y_squares)) */
} reap_comoments;

/** Covariance and correlation of two arrays, in one pass: as reap_array_moments(), from differences
 * from the means of the first elements, in the order of the reduction shape.
 *
 * @param queue    the queue
 * @param x        an array
 * @param y        an array of the same shape; the type may be another
 * @param options  NULL for the default; `axes` must be 0
 * @param result   receives the statistics
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); the shapes differ; `axes` is not
 * 0
 * @note Blocks. */
REAP_API reap_status reap_array_comoments(reap_queue *queue, const reap_array *x,
                                          const reap_array *y, const reap_array_options *options,
                                          reap_comoments *result);

/** The statistics of pairs along dimensions: for each result what reap_array_comoments() computes
 * of rows of `x` and `y`. All rows together are two or three launches.
 *
 * @param queue    the queue
 * @param x        an array
 * @param y        an array of the same shape; the type may be another
 * @param options  NULL for the default
 * @param results  receives the statistics, anywhere: as many as the shape of `x` without the
 * dimensions of `axes` has elements, in row-major order
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); the shapes differ
 * @note Blocks. */
REAP_API reap_status reap_array_comoments_along(reap_queue *queue, const reap_array *x,
                                                const reap_array *y,
                                                const reap_array_options *options,
                                                reap_comoments *results);

/* ---- Scans ------------------------------------------------------------------------------------*/

/** Scans for reap_array_scan(): what combines the elements up to each. */
typedef enum reap_scan {
    REAP_SCAN_SUM,     /**< the sum; integers modulo 2^w, where the result's type has w bits */
    REAP_SCAN_PRODUCT, /**< the product; the same */
    REAP_SCAN_MINIMUM, /**< the smallest so far, the first of 0 and -0; NaN from the first NaN on */
    REAP_SCAN_MAXIMUM  /**< the largest so far, the same */
} reap_scan;

/** Options of a scan; all zero is the default. */
typedef struct reap_scan_options {
    unsigned axis;       /**< the dimension along which elements are combined; default: the first */
    bool is_exclusive;   /**< an element's result combines those before it, without itself */
    const void *initial; /**< a value of the result's type that precedes all elements; NULL: none,
                          * and in an exclusive scan 0, 1, the largest or the lowest value (infinity
                          * or -infinity) */
} reap_scan_options;

/** The elements of an array up to each of them, combined: prefix sums and others.
 *
 * @code{.c}
 * sum = initial;
 * for (i = 0; i < count; i++) {
 *     result[i] = sum + x[i];   // exclusive: result[i] = sum
 *     sum += x[i];
 * }
 * @endcode
 *
 * Sums of integers, minimum and maximum are those of this loop. Floating-point sums and products
 * are those of the loop in a fixed order, which depends on the index alone: 16 elements are a run,
 * 16 runs a block, 32 blocks a section, 32 sections a region. With op for + or *, the result of
 * element i is
 *
 * @code{.unparsed}
 * op(regions, op(sections, op(blocks, op(runs, elements))))
 * @endcode
 *
 * where `elements` are those of its run up to i (exclusive: before i), `runs` the runs of its block
 * before its own, `blocks` the blocks of its section before its own, `sections` the sections of its
 * region before its own, and `regions` the initial value and the regions before its own; each of
 * these is the loop's value over its operands, from the first on, and op is left out where one of
 * its operands is empty. So the error of a sum is at most that of 96 + i / 262144 additions, and
 * where no element is negative, no result is less than
 * the one before it. The type of the arithmetic is float for reap_half, reap_bfloat16 and float;
 * each result is rounded once more to its type.
 *
 * Cost: the array is read and the result written once on the host, where a second reading is from a
 * processor's cache, and on CUDA devices; on other devices it is read twice. If `axis` is not the
 * last dimension, or the elements are not in row-major order, they are copied, too.
 *
 * @param queue    the queue, on whose device it runs
 * @param scan     which
 * @param x        the array, of at least one dimension
 * @param options  NULL for the default
 * @param result   an array of the shape of `x`, in row-major order; of its type, or, for sums and
 *                 products, of the type of its sums (reap_array_reduce_type(); that of bool only).
 * It may be `x` itself, and must not overlap it otherwise
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL; a type, shape, stride or axis is wrong
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Other errors are those of reap_launch() and reap_queue_wait(). Blocks. */
REAP_API reap_status reap_array_scan(reap_queue *queue, reap_scan scan, const reap_array *x,
                                     const reap_scan_options *options, const reap_array *result);

/* ---- Segments ---------------------------------------------------------------------------------*/

/** Reduces segments of an array, as the rows of a sparse matrix in CSR format.
 *
 * @code{.c}
 * for (s = 0; s < segments; s++)
 *     for (i = offsets[s]; i < offsets[s + 1]; i++)
 *         result[s] += x[i];
 * @endcode
 *
 * Each element of the result has the bits of reap_array_reduce() for the elements of its segment
 * alone: a sum in the order of the reduction shape, whatever the other segments are. A segment may
 * have any length; the sum of none is 0.
 *
 * Cost: the offsets are read twice, the elements once. On other devices than the host, segments of
 * 32 elements or more on average take memory of the size of the result, from which it is restored
 * after an error. Many short segments and a few long ones are divided among threads by elements; a
 * segment of more than 2^15 elements on the host, of more than 2^18 on another device, is a launch
 * of its own. Exact sums of floating-point numbers are those of a [span](docs/spans.md), with its
 * cost and memory.
 *
 * @param queue      the queue, on whose device it runs
 * @param reduction  REAP_SUM, REAP_EXACT_SUM, REAP_MINIMUM or REAP_MAXIMUM
 * @param x          an array of one dimension
 * @param offsets    an array of one dimension, of int32_t or int64_t: where segments begin, and
 * where the last one ends. They do not decrease; elements before the first one and from the last
 * one on are in no segment
 * @param result     an array of one dimension, with an element for each segment, so one less than
 *                   there are offsets, of the type reap_array_reduce_type(). It must not overlap
 *                   the others
 * @retval REAP_ERROR_INVALID_ARGUMENT  as for reap_array_reduce(); an offset is less than the one
 *                                      before it, or outside the array; a minimum or maximum has an
 *                                      empty segment. The result is unchanged
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Other errors are those of reap_launch() and reap_queue_wait(). Blocks. */
REAP_API reap_status reap_array_reduce_segments(reap_queue *queue, reap_reduction reduction,
                                                const reap_array *x, const reap_array *offsets,
                                                const reap_array *result);

/* ---- One-dimensional arrays of C's types ------------------------------------------------------*/

/** The reap_type of a value of a built-in type. */
#define REAP_TYPE_OF(value)                                                                        \
    _Generic((value), bool                                                                         \
             : REAP_TYPE_BOOL, signed char                                                         \
             : REAP_TYPE_INT8, unsigned char                                                       \
             : REAP_TYPE_UINT8, char                                                               \
             : (char)-1 < 0 ? REAP_TYPE_INT8 : REAP_TYPE_UINT8, short                              \
             : REAP_TYPE_INT16, unsigned short                                                     \
             : REAP_TYPE_UINT16, int                                                               \
             : REAP_TYPE_INT32, unsigned                                                           \
             : REAP_TYPE_UINT32, long                                                              \
             : sizeof(long) == 8 ? REAP_TYPE_INT64 : REAP_TYPE_INT32, unsigned long                \
             : sizeof(long) == 8 ? REAP_TYPE_UINT64 : REAP_TYPE_UINT32, long long                  \
             : REAP_TYPE_INT64, unsigned long long                                                 \
             : REAP_TYPE_UINT64, reap_half                                                         \
             : REAP_TYPE_HALF, reap_bfloat16                                                       \
             : REAP_TYPE_BFLOAT16, float                                                           \
             : REAP_TYPE_FLOAT, double                                                             \
             : REAP_TYPE_DOUBLE)

/** reap_array_reduce() of `count` elements from `x` on, a pointer to a built-in type, to `*result`.
 * A `result` of another type than the reduction has is REAP_ERROR_INVALID_ARGUMENT. */
#define reap_reduce(queue, reduction, x, count, result)                                            \
    reap_array_reduce(queue, reduction, REAP__ARRAY_1D(x, count), NULL, REAP__RESULT_0D(result))
/** The sum of the elements, in the order of the reduction shape. */
#define reap_sum(queue, x, count, result) reap_reduce(queue, REAP_SUM, x, count, result)
/** Their exact sum, rounded once. */
#define reap_exact_sum(queue, x, count, result) reap_reduce(queue, REAP_EXACT_SUM, x, count, result)
/** The smallest element. */
#define reap_minimum(queue, x, count, result) reap_reduce(queue, REAP_MINIMUM, x, count, result)
/** The largest element. */
#define reap_maximum(queue, x, count, result) reap_reduce(queue, REAP_MAXIMUM, x, count, result)
/** The index of the first smallest element. */
#define reap_argmin(queue, x, count, result) reap_reduce(queue, REAP_ARGMIN, x, count, result)
/** The index of the first largest element. */
#define reap_argmax(queue, x, count, result) reap_reduce(queue, REAP_ARGMAX, x, count, result)
/** The root of the sum of squares. */
#define reap_norm(queue, x, count, result) reap_reduce(queue, REAP_NORM_2, x, count, result)
/** The sum of products. */
#define reap_dot(queue, x, y, count, result)                                                       \
    reap_array_dot(queue, REAP__ARRAY_1D(x, count), REAP__ARRAY_1D(y, count),                      \
                   REAP__RESULT_0D(result))
/** The smallest and the largest element. */
#define reap_minmax(queue, x, count, smallest, largest)                                            \
    reap_array_minmax(queue, REAP__ARRAY_1D(x, count), NULL, REAP__RESULT_0D(smallest),            \
                      REAP__RESULT_0D(largest))
/** How many elements satisfy a `reap_comparison` with a number, which REAP_NUMBER() takes, to a
 * uint64_t. */
#define reap_count(queue, x, count, comparison, number, result)                                    \
    reap_array_count(queue, REAP__ARRAY_1D(x, count),                                              \
                     &(const reap_condition){(comparison), REAP_NUMBER(number), {0}}, NULL,        \
                     REAP__RESULT_0D(result))
/** How many elements are at least `a` and at most `b`, which REAP_NUMBER() takes, to a uint64_t. */
#define reap_count_between(queue, x, count, a, b, result)                                          \
    reap_array_count(queue, REAP__ARRAY_1D(x, count),                                              \
                     &(const reap_condition){REAP_BETWEEN, REAP_NUMBER(a), REAP_NUMBER(b)}, NULL,  \
                     REAP__RESULT_0D(result))
/** How many elements each of `bins` bins has, to as many uint64_t; from `bins` + 1 edges. */
#define reap_histogram(queue, x, count, edges, bins, result)                                       \
    reap_array_histogram(queue, REAP__ARRAY_1D(x, count), REAP__ARRAY_1D(edges, (bins) + 1), NULL, \
                         REAP__RESULT_1D(result, bins))
/** How often each key less than `bins` occurs, to as many uint64_t. */
#define reap_bincount(queue, keys, count, bins, result)                                            \
    reap_array_sum_by_key(queue, REAP__ARRAY_1D(keys, count), NULL, REAP__RESULT_1D(result, bins))
/** The exact sum of the weights of each key less than `bins`. */
#define reap_sum_by_key(queue, keys, weights_of_keys, count, bins, result)                         \
    reap_array_sum_by_key(                                                                         \
        queue, REAP__ARRAY_1D(keys, count),                                                        \
        &(const reap_bin_options){.weights = REAP__ARRAY_1D(weights_of_keys, count)},              \
        REAP__RESULT_1D(result, bins))
/** Means, squares and products of pairs, for covariance and correlation. */
#define reap_costatistics(queue, x, y, count, result)                                              \
    reap_array_comoments(queue, REAP__ARRAY_1D(x, count), REAP__ARRAY_1D(y, count), NULL, result)
/** Mean, variance and higher moments. */
#define reap_statistics(queue, x, count, result)                                                   \
    reap_array_moments(queue, REAP__ARRAY_1D(x, count), result)

/** The elements from the first to each, combined (REAP_SCAN_SUM or another), of `count` elements
 * from `x` on to those from `result` on. */
#define reap_inclusive_scan(queue, scan, x, count, result)                                         \
    reap_array_scan(queue, scan, REAP__ARRAY_1D(x, count), NULL, REAP__RESULT_1D(result, count))
/** The elements before each, combined, after `*initial`, a value of the result's type; NULL: after
 * 0, 1, the largest or the lowest. */
#define reap_exclusive_scan(queue, scan, x, count, initial_value, result)                          \
    reap_array_scan(queue, scan, REAP__ARRAY_1D(x, count),                                         \
                    &(const reap_scan_options){.is_exclusive = true, .initial = (initial_value)},  \
                    REAP__RESULT_1D(result, count))

/** reap_array_reduce_segments() of `count` elements from `x` on; `segments` + 1 offsets from
 * `offsets` on, int32_t or int64_t; and as many results as there are segments. */
#define reap_segmented_reduce(queue, reduction, x, count, offsets, segments, result)               \
    reap_array_reduce_segments(queue, reduction, REAP__ARRAY_1D(x, count),                         \
                               REAP__ARRAY_1D(offsets, (segments) + (size_t)1),                    \
                               REAP__RESULT_1D(result, segments))

/** The reap_number of a value of an integer type of up to 64 bits, of bool, float or double.
 * Others, as long double and reap_half, do not compile: convert them to double. So do bit-fields
 * that are wider than an int: convert them to an integer type. */
#define REAP_NUMBER(value)                                                                         \
    _Generic(+(value), float                                                                       \
             : reap_number_of_double, double                                                       \
             : reap_number_of_double, unsigned                                                     \
             : reap_number_of_uint64, unsigned long                                                \
             : reap_number_of_uint64, unsigned long long                                           \
             : reap_number_of_uint64, int                                                          \
             : reap_number_of_int64, long                                                          \
             : reap_number_of_int64, long long                                                     \
             : reap_number_of_int64)(value)

/* Without const: arrays that are read are not changed. */
static inline void *reap__array_data(const volatile void *data)
{
    union {
        const volatile void *given;
        void *data;
    } pointer = {data};
    return pointer.data;
}
#define REAP__ARRAY_1D(x, count)                                                                   \
    (&(const reap_array){reap__array_data(x), REAP_TYPE_OF(*(x)), 1,                               \
                         (const size_t[]){(size_t)(+(count))}, NULL})

/* A pointer to const would be one to a variable that is only read: clang warns if it has no value
 * yet, and a result that is const would compile. */
static inline void *reap__result_data(volatile void *data)
{
    return reap__array_data(data);
}
#define REAP__RESULT_1D(result, count)                                                             \
    (&(const reap_array){reap__result_data(result), REAP_TYPE_OF(*(result)), 1,                    \
                         (const size_t[]){(size_t)(+(count))}, NULL})
#define REAP__RESULT_0D(result)                                                                    \
    (&(const reap_array){reap__result_data(result), REAP_TYPE_OF(*(result)), 0, NULL, NULL})

#endif
