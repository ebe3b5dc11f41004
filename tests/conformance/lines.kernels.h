/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of rows and of columns: with all operators, of each type; several of different types
 * and operators, into which items combine as many times as an array says; exact sums.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef half
#undef uchar
#undef ushort
#undef uint
#undef ulong

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME schar
#define TYPE signed char
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME uchar
#define TYPE unsigned char
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME ushort
#define TYPE unsigned short
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME int
#define TYPE int
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME ullong
#define TYPE unsigned long long
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"

#define NAME float
#define TYPE float
#define IS_INTEGER 0
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME double
#define TYPE double
#define IS_INTEGER 0
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME half
#define TYPE reap_half
#define IS_INTEGER 0
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME bfloat16
#define TYPE reap_bfloat16
#define IS_INTEGER 0
#include "tests/conformance/lines.kernels_tmpl.h"
#ifdef REAP_TESTS_FEW_TYPES
REAP_KERNEL_MACRO(REAP_TESTS_FEW_TYPES)
#else /* one or two of each size are above */
#define NAME char
#define TYPE char
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME short
#define TYPE short
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME uint
#define TYPE unsigned
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME long
#define TYPE long
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME ulong
#define TYPE unsigned long
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#define NAME llong
#define TYPE long long
#define IS_INTEGER 1
#include "tests/conformance/lines.kernels_tmpl.h"
#endif

/* bool is the one type of the logical operators. */
REAP_KERNEL(rows_truth, in(bool, x), reduce_rows(bit_and, bool, every),
            reduce_rows(bit_or, bool, some), reduce_rows(bit_xor, bool, odd),
            reduce_rows(logical_and, bool, all), reduce_rows(logical_or, bool, any))
{
    const bool v = x[reap_global_linear_id()];
    reap_combine(every, v);
    reap_combine(some, v);
    reap_combine(odd, v);
    reap_combine(all, v);
    reap_combine(any, v);
}

REAP_KERNEL(columns_truth, in(bool, x), reduce_columns(bit_and, bool, every),
            reduce_columns(bit_or, bool, some), reduce_columns(bit_xor, bool, odd),
            reduce_columns(logical_and, bool, all), reduce_columns(logical_or, bool, any))
{
    const bool v = x[reap_global_linear_id()];
    reap_combine(every, v);
    reap_combine(some, v);
    reap_combine(odd, v);
    reap_combine(all, v);
    reap_combine(any, v);
}

/* ---- Users' operators, of several sizes -------------------------------------------------------*/

/* Neither associative nor commutative; the identity is not neutral. */
REAP_OPERATOR(chain, uint32_t, 7, a, b)
{
    return 31 * a + b;
}

REAP_OPERATOR_NO_IDENTITY(halfway, float, a, b)
{
    return (a + b) * 0.5f;
}

REAP_OPERATOR_NO_IDENTITY(newest, uint32_t, a, b)
{
    (void)a;
    return b;
}

typedef struct {
    uint16_t word[256];
} large; /* 512 bytes */

REAP_OPERATOR_NO_IDENTITY(mix_large, large, a, b)
{
    large mixed;
    for (size_t k = 0; k < 256; k++) {
        const unsigned rotated = (unsigned)a.word[k] << 5 | (unsigned)a.word[k] >> 11;
        mixed.word[k] = (uint16_t)(rotated * 40503u + (b.word[k] ^ b.word[(k + 1) % 256]));
    }
    return mixed;
}

static inline large make_large(uint32_t x)
{
    large made;
    for (uint32_t k = 0; k < 256; k++)
        made.word[k] = (uint16_t)(x * (2 * k + 1) >> 7);
    return made;
}

/* A helper that is given reductions. */
static inline void combine_floats(REAP_ITEM, reap_reducer(plus, float, sum),
                                  reap_reducer(halfway, float, middle), float value)
{
    reap_combine(sum, value);
    if (reap_global_id(0) < reap_global_range(0))
        reap_combine(middle, value);
}

/* Six reductions of four types. The inputs are two for each item. */
REAP_KERNEL(sometimes_rows, in(unsigned char, times), in(uint32_t, x), out(uint32_t, seen),
            reduce_rows_with(chain, uint32_t, chained), reduce_rows_with(newest, uint32_t, last),
            reduce_rows(plus, float, sum), reduce_rows_with(halfway, float, middle),
            reduce_rows(minimum, int64_t, least), reduce_rows(multiplies, unsigned char, product))
{
    const size_t i =
        (reap_global_id(0) * reap_global_range(1) + reap_global_id(1)) * reap_global_range(2) +
        reap_global_id(2);
    for (unsigned k = 0; k < times[i]; k++) {
        const uint32_t value = x[2 * i + k];
        reap_combine(chained, value);
        reap_combine(last, value);
        combine_floats(REAP_THIS_ITEM, reap_pass(sum), reap_pass(middle),
                       (float)(int32_t)value * 0x1p-20f);
        reap_combine(least, (int64_t)value * 3);
        reap_combine(product, (unsigned char)(value | 1));
    }
    seen[i]++;
}

REAP_KERNEL(sometimes_columns, in(unsigned char, times), in(uint32_t, x), out(uint32_t, seen),
            reduce_columns_with(chain, uint32_t, chained),
            reduce_columns_with(newest, uint32_t, last), reduce_columns(plus, float, sum),
            reduce_columns_with(halfway, float, middle), reduce_columns(minimum, int64_t, least),
            reduce_columns(multiplies, unsigned char, product))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        const uint32_t value = x[2 * i + k];
        reap_combine(chained, value);
        reap_combine(last, value);
        combine_floats(REAP_THIS_ITEM, reap_pass(sum), reap_pass(middle),
                       (float)(int32_t)value * 0x1p-20f);
        reap_combine(least, (int64_t)value * 3);
        reap_combine(product, (unsigned char)(value | 1));
    }
    seen[i]++;
}

/* Reductions whose leaves differ. */
REAP_KERNEL(large_rows, in(unsigned char, times), in(uint32_t, x),
            reduce_rows_with(mix_large, large, mixed), reduce_rows(plus, float, sum))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(mixed, make_large(x[2 * i + k]));
        reap_combine(sum, (float)(int32_t)x[2 * i + k] * 0x1p-20f);
    }
}

REAP_KERNEL(large_columns, in(unsigned char, times), in(uint32_t, x),
            reduce_columns_with(mix_large, large, mixed), reduce_columns(plus, float, sum))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(mixed, make_large(x[2 * i + k]));
        reap_combine(sum, (float)(int32_t)x[2 * i + k] * 0x1p-20f);
    }
}

/* ---- Exact sums, beside one in order ----------------------------------------------------------*/

REAP_KERNEL(exact_rows, in(unsigned char, times), in(double, x), in(float, y),
            reduce_rows(exact_plus, double, sum), reduce_rows(exact_plus, float, narrow),
            reduce_rows(plus, double, ordered))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(sum, x[2 * i + k]);
        reap_combine(narrow, y[2 * i + k]);
        reap_combine(ordered, x[2 * i + k]);
    }
}

REAP_KERNEL(exact_columns, in(unsigned char, times), in(double, x), in(float, y),
            reduce_columns(exact_plus, double, sum), reduce_columns(exact_plus, float, narrow),
            reduce_columns(plus, double, ordered))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(sum, x[2 * i + k]);
        reap_combine(narrow, y[2 * i + k]);
        reap_combine(ordered, x[2 * i + k]);
    }
}

/* ---- A row alone ------------------------------------------------------------------------------*/

REAP_KERNEL(sums_of_rows, in(float, x), reduce_rows(plus, double, sum),
            reduce_rows(maximum, float, most))
{
    const float v = x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)];
    reap_combine(sum, v);
    reap_combine(most, v);
}

REAP_KERNEL(sums_of_columns, in(float, x), reduce_columns(plus, double, sum),
            reduce_columns(maximum, float, most))
{
    const float v = x[reap_global_id(0) * reap_global_range(1) + reap_global_id(1)];
    reap_combine(sum, v);
    reap_combine(most, v);
}

REAP_KERNEL(sum_of_one, in(float, x), value(size_t, first), value(size_t, step),
            reduce(plus, double, sum), reduce(maximum, float, most))
{
    const float v = x[first + reap_global_id(0) * step];
    reap_combine(sum, v);
    reap_combine(most, v);
}
