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
 * Chan's formula). Shares of the count are at most 1, so factors overflow only where a result does.
 * Where the difference of the means does, or is that of infinities, the mean is the weighted one,
 * which loses digits otherwise. */
REAP_OPERATOR(merge_moments, moments_part, reap_value(moments_part, 0, 0, 0, 0, 0), a, b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    const double count = a.count + b.count, apart = b.mean - a.mean;
    const double a_share = a.count / count, b_share = b.count / count;
    const bool is_finite = apart - apart == 0;
    const double mean = is_finite ? a.mean + b_share * apart : a_share * a.mean + b_share * b.mean;
    const double between = apart * (a.count * b_share) * apart;
    const double cross = a_share * b.squares - b_share * a.squares;
    const double both = a_share * a_share * b.squares + b_share * b_share * a.squares;
    const double cubes = a_share * b.cubes - b_share * a.cubes;
    const double weight = a_share * a_share - a_share * b_share + b_share * b_share;
    return reap_value(moments_part, count, mean, a.squares + b.squares + between,
                      a.cubes + b.cubes + between * apart * (a_share - b_share) +
                          apart * (3 * cross),
                      a.fourths + b.fourths + between * apart * apart * weight +
                          6 * (apart * both * apart) + apart * (4 * cubes));
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
