/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches the kernels for a batch: those that decode its elements, if needed, and the one that
 * describes the numbers. Only this file contains these kernels' code.
 */
#include "tools/describe/launch.h"

#include "tools/kernels/decode.kernels.h"
#include "tools/kernels/describe.kernels.h"

/* ---- Describing -------------------------------------------------------------------------------*/

struct numbers {
    const void *memory;
    size_t count;
    describe_part *parts;
};

/* For a kernel whose name macros compose. */
#define EXPAND_AND_LAUNCH(...) reap_parallel_for(__VA_ARGS__)

#define NAME i8
#define TYPE int8_t
#include "tools/describe/launch_tmpl.h"
#define NAME i16
#define TYPE int16_t
#include "tools/describe/launch_tmpl.h"
#define NAME i32
#define TYPE int32_t
#include "tools/describe/launch_tmpl.h"
#define NAME i64
#define TYPE int64_t
#include "tools/describe/launch_tmpl.h"
#define NAME u8
#define TYPE uint8_t
#include "tools/describe/launch_tmpl.h"
#define NAME u16
#define TYPE uint16_t
#include "tools/describe/launch_tmpl.h"
#define NAME u32
#define TYPE uint32_t
#include "tools/describe/launch_tmpl.h"
#define NAME u64
#define TYPE uint64_t
#include "tools/describe/launch_tmpl.h"
#define NAME f32
#define TYPE float
#include "tools/describe/launch_tmpl.h"
#define NAME f64
#define TYPE double
#include "tools/describe/launch_tmpl.h"

/* The size of each type's numbers, and the launch that describes them. */
static const struct {
    size_t bytes;
    reap_status (*describe)(reap_queue *queue, const struct numbers *numbers);
} types[CLI_ELEMENT_TYPE_COUNT] = {
    [CLI_ELEMENT_boolean] = {1, describe_as_u8}, [CLI_ELEMENT_i8] = {1, describe_as_i8},
    [CLI_ELEMENT_i16] = {2, describe_as_i16},    [CLI_ELEMENT_i32] = {4, describe_as_i32},
    [CLI_ELEMENT_i64] = {8, describe_as_i64},    [CLI_ELEMENT_u8] = {1, describe_as_u8},
    [CLI_ELEMENT_u16] = {2, describe_as_u16},    [CLI_ELEMENT_u32] = {4, describe_as_u32},
    [CLI_ELEMENT_u64] = {8, describe_as_u64},    [CLI_ELEMENT_f16] = {4, describe_as_f32},
    [CLI_ELEMENT_f32] = {4, describe_as_f32},    [CLI_ELEMENT_f64] = {8, describe_as_f64},
};

size_t cli_number_bytes(enum cli_element_type type)
{
    return types[type].bytes;
}

size_t cli_run_elements(enum cli_element_type type)
{
    return DESCRIBE_RUN_BYTES / types[type].bytes;
}

/* ---- Decoding ---------------------------------------------------------------------------------*/

static reap_status swap_bytes(reap_queue *queue, const struct cli_batch *batch)
{
    const reap_range range = reap_range_1d(batch->count);
    switch (cli_element_bytes(batch->element.type)) {
    case 2:
        return reap_parallel_for(queue, swap_bytes_16, range, .words = (uint16_t *)batch->elements);
    case 4:
        return reap_parallel_for(queue, swap_bytes_32, range, .words = (uint32_t *)batch->elements);
    case 8:
        return reap_parallel_for(queue, swap_bytes_64, range, .words = (uint64_t *)batch->elements);
    default:
        return REAP_OK;
    }
}

/* Sets *memory to the numbers: the elements' memory, or batch->numbers. */
static reap_status decode(reap_queue *queue, const struct cli_batch *batch, void **memory)
{
    const reap_range range = reap_range_1d(batch->count);
    reap_status status = REAP_OK;
    *memory = batch->elements;
    if (cli_element_is_swapped(batch->element))
        status = swap_bytes(queue, batch);
    if (status != REAP_OK)
        return status;
    if (batch->element.type == CLI_ELEMENT_boolean)
        return reap_parallel_for(queue, find_truth, range, .values = (uint8_t *)batch->elements);
    if (batch->element.type != CLI_ELEMENT_f16)
        return REAP_OK;
    *memory = batch->numbers;
    return reap_parallel_for(queue, widen_halves, range, .halves = (reap_half *)batch->elements,
                             .floats = (float *)batch->numbers);
}

/* ---- A batch ----------------------------------------------------------------------------------*/

reap_status cli_launch_describe(reap_queue *queue, const struct cli_batch *batch)
{
    struct numbers numbers = {.count = batch->count, .parts = batch->runs};
    void *memory;
    const reap_status status = decode(queue, batch, &memory);
    numbers.memory = memory;
    return status == REAP_OK ? types[batch->element.type].describe(queue, &numbers) : status;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

reap_status cli_launch_blocks(reap_queue *queue, const struct cli_runs *runs)
{
    const size_t blocks = (runs->count + runs->block_runs - 1) / runs->block_runs;
    return reap_parallel_for(queue, describe_blocks, reap_range_1d(blocks), .runs = runs->runs,
                             .count = runs->count, .block_runs = runs->block_runs,
                             .blocks = runs->blocks, .all = {.part = runs->all},
                             .launch.first_item = runs->first_block);
}

reap_status cli_part_create(reap_part **part)
{
    return reap_part_create(&reap_kernel_describe_blocks, "all", part);
}

reap_status cli_part_read(const void *bytes, size_t count, reap_part **part)
{
    return reap_part_read(&reap_kernel_describe_blocks, "all", bytes, count, part);
}

/* Adds empty blocks to a part: a launch without runs. */
static reap_status add_empty_blocks(reap_queue *queue, reap_part *part, uint64_t first,
                                    uint64_t end)
{
    describe_part no_run, no_block;
    return reap_parallel_for(queue, describe_blocks, reap_range_1d((size_t)(end - first)),
                             .runs = &no_run, .block_runs = 1, .blocks = &no_block,
                             .all = {.part = part}, .launch.first_item = first);
}

/* Finds the first gap in a part's blocks, before others. */
static bool find_gap(const reap_part *part, reap_part_range *gap)
{
    reap_part_range first = {0, 0}, second = {0, 0};
    reap_part_get_range(part, 0, &first);
    if (first.first == 0 && reap_part_range_count(part) > 1)
        reap_part_get_range(part, 1, &second);
    *gap = first.first > 0 ? (reap_part_range){0, first.first}
                           : (reap_part_range){first.end, second.first};
    return gap->first < gap->end;
}

reap_status cli_part_finish(reap_part *part, describe_part *result)
{
    const reap_part_finish_options options = {.properties = REAP_INITIALIZE_TO_IDENTITY};
    reap_part_range gap;
    reap_queue *queue = NULL;
    reap_status status = REAP_OK;
    while (status == REAP_OK && find_gap(part, &gap)) {
        if (queue == NULL)
            status = reap_queue_create(NULL, NULL, &queue);
        if (status == REAP_OK)
            status = add_empty_blocks(queue, part, gap.first, gap.end);
    }
    reap_queue_release(queue);
    return status == REAP_OK ? reap_part_finish(part, result, &options) : status;
}
