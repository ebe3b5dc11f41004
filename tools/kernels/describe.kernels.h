/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of `reap describe`, one for each type of numbers. A work-item describes one run of
 * consecutive elements. One more kernel merges what was found in the runs of each block, and
 * reduces the blocks: into a part of the data set, since launches have some blocks each. A launch
 * takes any number of runs, few that stay in a core's cache or many that fill a device.
 */
#include "tools/kernels/describe_part.h"

#include <reap/kernel.h>

/* The parameters of every kernel except its elements: their number, and the runs' parts. */
#define DESCRIBE_PARAMETERS value(size_t, count), out(describe_part, parts)

/* Where run `run` of the launch lies. */
struct describe_place {
    size_t first;
    size_t count;
};

DESCRIBE_INLINE struct describe_place describe_find_run(size_t run, size_t count,
                                                        size_t element_bytes)
{
    const size_t most = DESCRIBE_RUN_BYTES / element_bytes;
    struct describe_place place;
    place.first = run * most;
    place.count = count - place.first < most ? count - place.first : most;
    return place;
}

/* ---- Integers of 8 and 16 bits ----------------------------------------------------------------*/

#define T int8_t
#define SUFFIX i8
#define KEY describe_key_of_signed
#define SIGNED(value) (value)
#define ORIGIN 0
#include "tools/kernels/describe_byte_tmpl.h"

REAP_KERNEL(describe_i8, in(int8_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(int8_t));
    parts[run] = describe_run_i8(elements + at.first, at.count, run);
}

#define T uint8_t
#define SUFFIX u8
#define KEY(ordered) describe_key_of_unsigned((uint64_t)((ordered) + 128))
#define SIGNED(value) ((int8_t)((value) ^ 128))
#define ORIGIN 128
#include "tools/kernels/describe_byte_tmpl.h"

REAP_KERNEL(describe_u8, in(uint8_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(uint8_t));
    parts[run] = describe_run_u8(elements + at.first, at.count, run);
}

#define T int16_t
#define SUFFIX i16
#define KEY describe_key_of_signed
#define ORIGIN 128
#define HIGH(value) ((value) >> 8)
#define LOW(value) (((value)&255) - 128)
#include "tools/kernels/describe_short_tmpl.h"

REAP_KERNEL(describe_i16, in(int16_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(int16_t));
    parts[run] = describe_run_i16(elements + at.first, at.count, run);
}

#define T uint16_t
#define SUFFIX u16
#define KEY describe_key_of_unsigned
#define ORIGIN 32896
#define HIGH(value) (((value) >> 8) - 128)
#define LOW(value) (((value)&255) - 128)
#include "tools/kernels/describe_short_tmpl.h"

REAP_KERNEL(describe_u16, in(uint16_t, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(uint16_t));
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
    const struct describe_place at = describe_find_run(run, count, sizeof(int32_t));
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
    const struct describe_place at = describe_find_run(run, count, sizeof(uint32_t));
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
    const struct describe_place at = describe_find_run(run, count, sizeof(int64_t));
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
    const struct describe_place at = describe_find_run(run, count, sizeof(uint64_t));
    parts[run] = describe_run_u64(elements + at.first, at.count, run);
}

/* ---- Floating point ---------------------------------------------------------------------------*/

#define T float
#define SUFFIX f32
#include "tools/kernels/describe_float_tmpl.h"

REAP_KERNEL(describe_f32, in(float, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(float));
    parts[run] = describe_run_f32(elements + at.first, at.count, run);
}

#define T double
#define SUFFIX f64
#include "tools/kernels/describe_float_tmpl.h"

REAP_KERNEL(describe_f64, in(double, elements), DESCRIBE_PARAMETERS)
{
    const size_t run = reap_global_id(0);
    const struct describe_place at = describe_find_run(run, count, sizeof(double));
    parts[run] = describe_run_f64(elements + at.first, at.count, run);
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

/* A task's runs, which it overwrites, merged by halving, as the lanes of a row fold
 * (docs/reduction-shape.md). */
DESCRIBE_INLINE describe_part describe_fold(REAP_GLOBAL describe_part *runs, size_t count)
{
    for (size_t half = DESCRIBE_TASK_RUNS / 2; half > 0; half /= 2)
        for (size_t r = 0; r < half && r + half < count; r++)
            runs[r] = reap_operate(describe_merge, runs[r], runs[r + half]);
    return runs[0];
}

/* A work-item is a block of the launch's runs: one task, or several one after the other. Its part
 * is stored, for the extremes, and reduced with those of all blocks. A work-item without runs adds
 * nothing. */
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
