/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of `reap describe`, one for each type of numbers. A work-item describes one run of
 * consecutive elements. Another kernel merges the runs of each block, and reduces the blocks of a
 * launch to one part of the data set. A launch takes any number of runs: few that stay in a core's
 * cache, or many that fill a device.
 */
#include "tools/kernels/describe_part.h"

#include <reap/kernel.h>

/* The parameters of every kernel except its elements: their number, and the runs' parts. */
#define DESCRIBE_PARAMETERS value(size_t, count), out(describe_part, parts)

/* The elements of run `run` of the launch. */
struct describe_bounds {
    size_t first;
    size_t count;
};

DESCRIBE_INLINE struct describe_bounds describe_find_run(size_t run, size_t count,
                                                         size_t element_bytes)
{
    const size_t most = DESCRIBE_RUN_BYTES / element_bytes;
    struct describe_bounds bounds;
    bounds.first = run * most;
    bounds.count = count - bounds.first < most ? count - bounds.first : most;
    return bounds;
}

/* ---- Integers of 8 and 16 bits ----------------------------------------------------------------*/

#define T int8_t
#define SUFFIX i8
#define KEY describe_key_of_signed
#define UNSIGNED(value) ((uint8_t)((value) ^ 128))
#define SIGNED(value) (value)
#define ORIGIN 0
#include "tools/kernels/describe_byte_tmpl.h"

REAP_KERNEL(describe_i8, in(int8_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(int8_t));
    parts[run] = describe_run_i8(elements + at.first, at.count, run);
}

#define T uint8_t
#define SUFFIX u8
#define KEY(ordered) describe_key_of_unsigned((uint64_t)((ordered) + 128))
#define UNSIGNED(value) (value)
#define SIGNED(value) ((int8_t)((value) ^ 128))
#define ORIGIN 128
#include "tools/kernels/describe_byte_tmpl.h"

REAP_KERNEL(describe_u8, in(uint8_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(uint8_t));
    parts[run] = describe_run_u8(elements + at.first, at.count, run);
}

#define T int16_t
#define SUFFIX i16
#define KEY describe_key_of_signed
#define SIGNED(value) (value)
#define ORIGIN 0
#include "tools/kernels/describe_short_tmpl.h"

REAP_KERNEL(describe_i16, in(int16_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(int16_t));
    parts[run] = describe_run_i16(elements + at.first, at.count, run);
}

#define T uint16_t
#define SUFFIX u16
#define KEY(ordered) describe_key_of_unsigned((uint64_t)((ordered) + 32768))
#define SIGNED(value) ((int16_t)((value) ^ 32768))
#define ORIGIN 32768
#include "tools/kernels/describe_short_tmpl.h"

REAP_KERNEL(describe_u16, in(uint16_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(uint16_t));
    parts[run] = describe_run_u16(elements + at.first, at.count, run);
}

/* ---- Integers of 32 and 64 bits ---------------------------------------------------------------*/

#define T int32_t
#define ORDERED int32_t
#define SUFFIX i32
#define KEY describe_key_of_signed
#define SIGNED(value) (value)
#define ORIGIN_HIGH 0
#define ORIGIN_LOW 0
#include "tools/kernels/describe_wide_tmpl.h"

REAP_KERNEL(describe_i32, in(int32_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(int32_t));
    parts[run] = describe_run_i32(elements + at.first, at.count, run);
}

#define T uint32_t
#define ORDERED int32_t
#define SUFFIX u32
#define KEY(ordered) describe_key_of_unsigned((uint32_t)(ordered) ^ (uint32_t)1 << 31)
#define SIGNED(value) ((int32_t)((value) ^ (uint32_t)1 << 31))
#define ORIGIN_HIGH 0
#define ORIGIN_LOW 2147483648
#include "tools/kernels/describe_wide_tmpl.h"

REAP_KERNEL(describe_u32, in(uint32_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(uint32_t));
    parts[run] = describe_run_u32(elements + at.first, at.count, run);
}

#define T int64_t
#define ORDERED int64_t
#define SUFFIX i64
#define KEY describe_key_of_signed
#define SIGNED(value) (value)
#define ORIGIN_HIGH 0
#define ORIGIN_LOW 0
#include "tools/kernels/describe_wide_tmpl.h"

REAP_KERNEL(describe_i64, in(int64_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(int64_t));
    parts[run] = describe_run_i64(elements + at.first, at.count, run);
}

#define T uint64_t
#define ORDERED int64_t
#define SUFFIX u64
#define KEY describe_key_of_signed
#define SIGNED(value) ((int64_t)((value) ^ (uint64_t)1 << 63))
#define ORIGIN_HIGH 2147483648
#define ORIGIN_LOW 0
#include "tools/kernels/describe_wide_tmpl.h"

REAP_KERNEL(describe_u64, in(uint64_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(uint64_t));
    parts[run] = describe_run_u64(elements + at.first, at.count, run);
}

/* ---- Floating point ---------------------------------------------------------------------------*/

/* Extremes of numbers without NaNs, in lanes. Floats are compared by their bits, since processors
 * compare integers while they add floats. As signed integers, the greatest has the bits of the
 * greatest float, unless all are negative. As unsigned integers, the greatest has the bits of the
 * least float if any is negative; the least has those of the least float if none is negative, and
 * of the greatest if all are. */
struct describe_extremes_f32 {
    int32_t greatest_signed[DESCRIBE_PAIRS];
    uint32_t greatest[DESCRIBE_PAIRS], least[DESCRIBE_PAIRS];
};

DESCRIBE_INLINE void describe_start_f32(struct describe_extremes_f32 *extremes, size_t l)
{
    extremes->greatest_signed[l] = INT32_MIN;
    extremes->greatest[l] = 0;
    extremes->least[l] = UINT32_MAX;
}

DESCRIBE_INLINE void describe_take_bits(struct describe_extremes_f32 *extremes, size_t l,
                                        int32_t number, uint32_t most, uint32_t fewest)
{
    extremes->greatest_signed[l] =
        extremes->greatest_signed[l] < number ? number : extremes->greatest_signed[l];
    extremes->greatest[l] = extremes->greatest[l] < most ? most : extremes->greatest[l];
    extremes->least[l] = fewest < extremes->least[l] ? fewest : extremes->least[l];
}

union describe_float {
    float value;
    uint32_t bits;
};

DESCRIBE_INLINE void describe_compare_f32(struct describe_extremes_f32 *extremes, size_t l,
                                          float value)
{
    union describe_float pun;
    pun.value = value;
    describe_take_bits(extremes, l, (int32_t)pun.bits, pun.bits, pun.bits);
}

DESCRIBE_INLINE void describe_join_f32(struct describe_extremes_f32 *extremes, size_t l,
                                       size_t other)
{
    describe_take_bits(extremes, l, extremes->greatest_signed[other], extremes->greatest[other],
                       extremes->least[other]);
}

DESCRIBE_INLINE float describe_least_f32(const struct describe_extremes_f32 *extremes)
{
    union describe_float pun;
    pun.bits = extremes->greatest[0] >> 31 ? extremes->greatest[0] : extremes->least[0];
    return pun.value;
}

DESCRIBE_INLINE float describe_greatest_f32(const struct describe_extremes_f32 *extremes)
{
    union describe_float pun;
    pun.bits =
        extremes->least[0] >> 31 ? extremes->least[0] : (uint32_t)extremes->greatest_signed[0];
    return pun.value;
}

#define T float
#define SUFFIX f32
#include "tools/kernels/describe_float_tmpl.h"

REAP_KERNEL(describe_f32, in(float, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(float));
    parts[run] = describe_run_f32(elements + at.first, at.count, run);
}

struct describe_extremes_f64 {
    double least[DESCRIBE_PAIRS], greatest[DESCRIBE_PAIRS];
};

DESCRIBE_INLINE void describe_start_f64(struct describe_extremes_f64 *extremes, size_t l)
{
    extremes->least[l] = reap_known_identity(minimum, double);
    extremes->greatest[l] = reap_known_identity(maximum, double);
}

DESCRIBE_INLINE void describe_take_f64(struct describe_extremes_f64 *extremes, size_t l,
                                       double least, double greatest)
{
    extremes->least[l] = least < extremes->least[l] ? least : extremes->least[l];
    extremes->greatest[l] = extremes->greatest[l] < greatest ? greatest : extremes->greatest[l];
}

DESCRIBE_INLINE void describe_compare_f64(struct describe_extremes_f64 *extremes, size_t l,
                                          double value)
{
    describe_take_f64(extremes, l, value, value);
}

DESCRIBE_INLINE void describe_join_f64(struct describe_extremes_f64 *extremes, size_t l,
                                       size_t other)
{
    describe_take_f64(extremes, l, extremes->least[other], extremes->greatest[other]);
}

DESCRIBE_INLINE double describe_least_f64(const struct describe_extremes_f64 *extremes)
{
    return extremes->least[0];
}

DESCRIBE_INLINE double describe_greatest_f64(const struct describe_extremes_f64 *extremes)
{
    return extremes->greatest[0];
}

#define T double
#define SUFFIX f64
#include "tools/kernels/describe_float_tmpl.h"

REAP_KERNEL(describe_f64, in(double, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_bounds at = describe_find_run(run, count, sizeof(double));
    parts[run] = describe_run_f64(elements + at.first, at.count, run);
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* Merges a task's runs by halving, in bounds, as the lanes of a row fold (docs/reduction-shape.md).
 */
DESCRIBE_INLINE describe_part describe_fold(REAP_GLOBAL describe_part *runs, size_t count)
{
    for (size_t half = DESCRIBE_TASK_RUNS / 2; half > 0; half /= 2)
        for (size_t r = 0; r < half && r + half < count; r++)
            runs[r] = reap_operate(describe_merge, runs[r], runs[r + half]);
    return runs[0];
}

/* A work-item merges a block of the launch's runs: one task, or several one after the other. The
 * block's part is stored, to find extremes, and reduced with those of all blocks. A work-item
 * without runs contributes nothing. */
REAP_KERNEL(describe_blocks, inout(describe_part, runs), value(size_t, count),
            value(size_t, block_runs), out(describe_part, blocks),
            reduce_with(describe_merge, describe_part, all))
{
    const size_t first = reap_global_id(0) * block_runs;
    describe_part block = describe_merge_identity();
    if (first >= count)
        return;
    const size_t left = count - first < block_runs ? count - first : block_runs;
    for (size_t done = 0; done < left; done += DESCRIBE_TASK_RUNS) {
        const size_t rest = left - done;
        block = reap_operate(describe_merge, block,
                             describe_fold(runs + first + done, rest < DESCRIBE_TASK_RUNS
                                                                    ? rest
                                                                    : (size_t)DESCRIBE_TASK_RUNS));
    }
    blocks[reap_global_id(0)] = block;
    reap_combine(all, block);
}
