/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks along an axis. A thread collects the elements of each series in contiguous memory.
 */
#include "tools/describe/axis_source.h"

#include "tools/describe/array_source.h"

#include "tools/interrupt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block has BLOCK_BYTES bytes, but at least LEAST_ROWS rows (FEWEST_ROWS if they are long),
 * unless it consists of whole outer indices. */
enum {
    ALIGNMENT = 64,
    BLOCK_BYTES = 1 << 20,
    LEAST_ROWS = 256,
    MOST_BLOCK_BYTES = 8 << 20,
    FEWEST_ROWS = 16,
    TILE = 16
};

/* A thread's scratch memory. */
struct scratch {
    uint64_t first_outer, first_row;
    size_t outer, rows;      /* of the block */
    unsigned char *elements; /* as they were read */
    unsigned char *series;   /* collected by series */
    size_t *counts;          /* if elements may be missing: the number of values of each series */
    uint64_t *missing; /* and the bits of missing ones, missing_words(axis) words for each series */
};

static void free_scratch(void *of)
{
    struct scratch *scratch = of;
    if (scratch == NULL)
        return;
    free(scratch->elements);
    free(scratch->series);
    free(scratch->counts);
    free(scratch->missing);
    free(scratch);
}

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The bytes of a series; each begins at a multiple of the alignment. */
static size_t series_bytes(const struct cli_axis_source *axis)
{
    return round_up((size_t)axis->block_rows * cli_element_bytes(axis->array->layout.element.type));
}

/* The words of the bits of a series in a block. */
static size_t missing_words(const struct cli_axis_source *axis)
{
    return ((size_t)axis->block_rows + 63) / 64;
}

static bool make_missing(const struct cli_axis_source *axis, struct scratch *scratch, size_t count)
{
    if (!axis->array->has_missing_value)
        return true;
    scratch->counts = calloc(count, sizeof *scratch->counts);
    scratch->missing = calloc(count * missing_words(axis), sizeof *scratch->missing);
    return scratch->counts != NULL && scratch->missing != NULL;
}

static void *make_scratch(const struct cli_block_source *source)
{
    const struct cli_axis_source *axis = source->data;
    const size_t count = (size_t)(axis->block_outer * axis->inner);
    const size_t size = cli_element_bytes(axis->array->layout.element.type);
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    scratch->elements = aligned_alloc(ALIGNMENT, round_up(count * (size_t)axis->block_rows * size));
    scratch->series = aligned_alloc(ALIGNMENT, count * series_bytes(axis));
    if (scratch->elements != NULL && scratch->series != NULL && make_missing(axis, scratch, count))
        return scratch;
    free_scratch(scratch);
    return NULL;
}

/* ---- Blocks -----------------------------------------------------------------------------------*/

static size_t block_bytes(const struct cli_axis_source *axis, const struct scratch *scratch)
{
    return scratch->outer * scratch->rows * (size_t)axis->inner *
           cli_element_bytes(axis->array->layout.element.type);
}

/* Reads a block. After an interrupt a stream may have fewer rows. */
static bool read_elements(const struct cli_axis_source *axis, struct scratch *scratch,
                          struct cli_failure *failure)
{
    const size_t size = cli_element_bytes(axis->array->layout.element.type);
    const uint64_t first =
        (scratch->first_outer * axis->rows + scratch->first_row) * axis->inner * size;
    const size_t bytes = block_bytes(axis, scratch);
    const size_t row = (size_t)axis->inner * size;
    size_t count;
    if (!axis->array->read(axis->array, first, scratch->elements, bytes, &count, failure))
        return false;
    if (count < scratch->rows * row) {
        scratch->outer = 1;
        scratch->rows = count / row;
    } else {
        scratch->outer = count / (scratch->rows * row);
    }
    return true;
}

static enum cli_next take(struct cli_block_source *source, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct cli_axis_source *axis = source->data;
    struct scratch *scratch = block->scratch;
    const uint64_t rows_left = axis->rows - axis->next_row;
    const uint64_t outer_left = axis->outer - axis->next_outer;
    const bool is_begun = axis->next_outer > 0 || axis->next_row > 0;
    if (outer_left == 0 || axis->rows == 0 || cli_array_is_cut(axis->array, is_begun))
        return CLI_NO_MORE;
    scratch->first_outer = axis->next_outer;
    scratch->first_row = axis->next_row;
    scratch->rows = (size_t)(rows_left < axis->block_rows ? rows_left : axis->block_rows);
    scratch->outer = (size_t)(outer_left < axis->block_outer ? outer_left : axis->block_outer);
    if (!axis->array->is_random && block->is_foreign && axis->array->skip != NULL)
        axis->array->skip(axis->array, block_bytes(axis, scratch));
    else if (!axis->array->is_random && !read_elements(axis, scratch, failure))
        return CLI_NEXT_FAILED;
    axis->next_row += scratch->rows;
    if (axis->next_row == axis->rows) {
        axis->next_row = 0;
        axis->next_outer += scratch->outer;
    }
    return scratch->rows > 0 ? CLI_NEXT : CLI_NO_MORE;
}

/* Transposes rows x inner elements to `inner` series. Tiles keep source and destination in the
 * cache. The size is a constant in each call, for which the function is compiled. */
static inline void move(const unsigned char *from, unsigned char *to, size_t rows, size_t inner,
                        size_t stride, size_t size)
{
    for (size_t i0 = 0; i0 < inner; i0 += TILE)
        for (size_t r = 0; r < rows; r++)
            for (size_t i = i0; i < i0 + TILE && i < inner; i++)
                memcpy(to + i * stride + r * size, from + (r * inner + i) * size, size);
}

static void move_together(const struct cli_axis_source *axis, const struct scratch *scratch)
{
    const size_t size = cli_element_bytes(axis->array->layout.element.type);
    const size_t inner = (size_t)axis->inner, stride = series_bytes(axis);
    for (size_t o = 0; o < scratch->outer; o++) {
        const unsigned char *from = scratch->elements + o * scratch->rows * inner * size;
        unsigned char *to = scratch->series + o * inner * stride;
        if (size == 1)
            move(from, to, scratch->rows, inner, stride, 1);
        else if (size == 2)
            move(from, to, scratch->rows, inner, stride, 2);
        else if (size == 4)
            move(from, to, scratch->rows, inner, stride, 4);
        else
            move(from, to, scratch->rows, inner, stride, 8);
    }
}

static bool load(const struct cli_block_source *source, struct cli_block *block,
                 struct cli_failure *failure)
{
    const struct cli_axis_source *axis = source->data;
    struct scratch *scratch = block->scratch;
    if (axis->array->is_random && !read_elements(axis, scratch, failure))
        return false;
    move_together(axis, scratch);
    block->rows = scratch->outer * scratch->rows * (size_t)axis->inner;
    block->first_series = (size_t)(scratch->first_outer * axis->inner);
    block->series_count = scratch->outer * (size_t)axis->inner;
    block->first_row = scratch->first_row;
    block->item = scratch->first_row / axis->block_rows;
    for (size_t s = 0; s < block->series_count && scratch->counts != NULL; s++)
        scratch->counts[s] =
            cli_array_leave_out_missing(axis->array, scratch->series + s * series_bytes(axis),
                                        scratch->rows, scratch->missing + s * missing_words(axis));
    return true;
}

static void select_values(const struct cli_block_source *source, const struct cli_block *block,
                          size_t series, struct cli_values *values)
{
    const struct cli_axis_source *axis = source->data;
    const struct scratch *scratch = block->scratch;
    const size_t s = series - block->first_series;
    *values = (struct cli_values){.element = axis->array->layout.element,
                                  .elements = scratch->series + s * series_bytes(axis),
                                  .count = scratch->rows};
    if (scratch->counts == NULL)
        return;
    values->count = scratch->counts[s];
    values->missing_count = scratch->rows - scratch->counts[s];
    values->missing = scratch->missing + s * missing_words(axis);
}

static bool finish(struct cli_block_source *source, struct cli_failure *failure)
{
    const struct cli_array *array = ((const struct cli_axis_source *)source->data)->array;
    return array->finish == NULL || array->finish(array, failure);
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static bool find_axis(struct cli_axis_source *source, long axis, struct cli_failure *failure)
{
    const struct cli_layout *layout = &source->array->layout;
    const long dimensions = (long)layout->dimensions;
    if (layout->count == CLI_COUNT_UNKNOWN)
        return cli_fail(failure, "a stream of raw numbers has no axis (--shape makes it an array)");
    if (cli_element_kind(layout->element.type) == 'c')
        return cli_fail(failure, "--axis is for real numbers");
    if (axis < -dimensions || axis >= dimensions)
        return cli_fail(failure, "has no axis %ld, but %ld dimension%s", axis, dimensions,
                        dimensions == 1 ? "" : "s");
    source->axis = (unsigned)(axis < 0 ? axis + dimensions : axis);
    return true;
}

static void measure(struct cli_axis_source *source)
{
    const struct cli_layout *layout = &source->array->layout;
    source->outer = source->inner = 1;
    source->rows = layout->shape[source->axis];
    for (unsigned d = 0; d < layout->dimensions; d++)
        if (d != source->axis && (d < source->axis) != layout->is_fortran)
            source->outer *= layout->shape[d];
        else if (d != source->axis)
            source->inner *= layout->shape[d];
}

static void choose_blocks(struct cli_axis_source *source)
{
    const uint64_t row = source->inner * cli_element_bytes(source->array->layout.element.type);
    const uint64_t most =
        MOST_BLOCK_BYTES / row > FEWEST_ROWS ? MOST_BLOCK_BYTES / row : FEWEST_ROWS;
    const uint64_t least = most < LEAST_ROWS ? most : LEAST_ROWS;
    const uint64_t fitting = BLOCK_BYTES / row > least ? BLOCK_BYTES / row : least;
    source->block_rows = source->rows < fitting ? source->rows : fitting;
    source->block_outer = 1;
    if (source->block_rows == source->rows && source->rows > 0)
        source->block_outer = fitting / source->rows;
    if (source->block_outer > source->outer)
        source->block_outer = source->outer;
}

bool cli_axis_source_open(struct cli_axis_source *source, const struct cli_array *array, long axis,
                          struct cli_failure *failure)
{
    *source = (struct cli_axis_source){.array = array};
    if (!find_axis(source, axis, failure))
        return false;
    measure(source);
    if (source->outer == 0 || source->inner == 0)
        return cli_fail(failure, "has no elements: a dimension other than axis %ld has the size 0",
                        axis);
    if (source->outer > CLI_AXIS_MOST_SERIES / source->inner)
        return cli_fail(failure, "has more than %d series along axis %ld", CLI_AXIS_MOST_SERIES,
                        axis);
    choose_blocks(source);
    source->base =
        (struct cli_block_source){.series_count = (size_t)(source->outer * source->inner),
                                  .block_count = UINT64_MAX,
                                  .data = source,
                                  .make_scratch = make_scratch,
                                  .free_scratch = free_scratch,
                                  .take = take,
                                  .load = load,
                                  .select = select_values,
                                  .finish = finish,
                                  .array = array};
    cli_array_source_divide(&source->base, array,
                            (size_t)(source->block_outer * source->block_rows * source->inner) *
                                cli_element_bytes(array->layout.element.type));
    return true;
}

void cli_axis_name(const struct cli_axis_source *source, size_t series,
                   char name[CLI_AXIS_NAME_BYTES])
{
    const struct cli_layout *layout = &source->array->layout;
    uint64_t coordinates[CLI_MOST_DIMENSIONS] = {0}, rest = series;
    size_t length = 1;
    for (unsigned i = 0; i < layout->dimensions; i++) {
        const unsigned d = layout->is_fortran ? i : layout->dimensions - 1 - i;
        if (d == source->axis)
            continue;
        coordinates[d] = rest % layout->shape[d];
        rest /= layout->shape[d];
    }
    name[0] = '[';
    for (unsigned d = 0; d < layout->dimensions; d++) {
        const char *comma = d > 0 ? ", " : "";
        length += (size_t)(d == source->axis
                               ? snprintf(name + length, CLI_AXIS_NAME_BYTES - length, "%s:", comma)
                               : snprintf(name + length, CLI_AXIS_NAME_BYTES - length, "%s%" PRIu64,
                                          comma, coordinates[d]));
    }
    snprintf(name + length, CLI_AXIS_NAME_BYTES - length, "]");
}
