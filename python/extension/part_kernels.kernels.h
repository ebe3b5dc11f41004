/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of reap.Part, for each type of elements. All types are in one file, since devices
 * take a kernel from one. */
#include <reap/kernel.h>

REAP_KERNEL_FILE

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

/* The sums of powers are of differences from the mean. */
typedef struct moments_part {
    double count, mean, squares, cubes, fourths;
} moments_part;

/* Of two sets of elements together (P. Pebay, Sandia Report SAND2008-6212, 2008, which extends
 * Chan's formula). */
REAP_OPERATOR(merge_moments, moments_part, reap_value(moments_part, 0, 0, 0, 0, 0), a, b)
{
    const double count = a.count + b.count, difference = b.mean - a.mean;
    const double step = difference / (count > 0 ? count : 1), product = a.count * b.count;
    const double squares = difference * step * product;
    const double cross = a.count * b.squares - b.count * a.squares;
    const double both = a.count * a.count * b.squares + b.count * b.count * a.squares;
    const double cubes = a.count * b.cubes - b.count * a.cubes;
    const double weight = a.count * a.count - product + b.count * b.count;
    return reap_value(moments_part, count, a.mean + b.count * step, a.squares + b.squares + squares,
                      a.cubes + b.cubes + squares * step * (a.count - b.count) + 3 * step * cross,
                      a.fourths + b.fourths + squares * step * step * weight +
                          6 * step * step * both + 4 * step * cubes);
}

#define IS_FLOATING 0

#define NAME i8
#define ELEMENT int8_t
#define SUM int64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME u8
#define ELEMENT uint8_t
#define SUM uint64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME i16
#define ELEMENT int16_t
#define SUM int64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME u16
#define ELEMENT uint16_t
#define SUM uint64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME i32
#define ELEMENT int32_t
#define SUM int64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME u32
#define ELEMENT uint32_t
#define SUM uint64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME i64
#define ELEMENT int64_t
#define SUM int64_t
#include "python/extension/part_kernels_tmpl.h"

#define NAME u64
#define ELEMENT uint64_t
#define SUM uint64_t
#include "python/extension/part_kernels_tmpl.h"

#undef IS_FLOATING
#define IS_FLOATING 1

#define NAME f16
#define ELEMENT reap_half
#define SUM float
#define VALUE(x) reap_half_to_float(x)
#include "python/extension/part_kernels_tmpl.h"

#define NAME bf16
#define ELEMENT reap_bfloat16
#define SUM float
#define VALUE(x) reap_bfloat16_to_float(x)
#include "python/extension/part_kernels_tmpl.h"

#define NAME f32
#define ELEMENT float
#define SUM float
#define VALUE(x) (x)
#include "python/extension/part_kernels_tmpl.h"

#define NAME f64
#define ELEMENT double
#define SUM double
#define VALUE(x) (x)
#include "python/extension/part_kernels_tmpl.h"
