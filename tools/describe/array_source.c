/* SPDX-License-Identifier: Apache-2.0
 *
 * The elements of an array as blocks.
 */
#include "tools/describe/array_source.h"

#include "tools/describe/launch.h"
#include "tools/interrupt.h"
#include "tools/kernels/describe_part.h"
#include "tools/rate.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 4096 };

/* The size of a stripe, the consecutive blocks that one rank reads. */
enum { STRIPE_BYTES = 16 << 20, STRIPE_SLABS = 4 };

/* A thread's scratch memory: the elements as they were read, and the parts of complex ones, or
 * those that are not missing. */
struct scratch {
    size_t count; /* elements */
    size_t value_count, missing_count;
    uint64_t first;
    bool is_mapped, is_timed;
    double begin;                /* of loading */
    const unsigned char *values; /* the elements, or where they are mapped */
    unsigned char *elements;
    unsigned char *parts[2];
    uint64_t *missing;
};

size_t cli_task_elements(enum cli_element_type type)
{
    return DESCRIBE_TASK_RUNS * cli_run_elements(cli_element_part(type));
}

static const struct cli_array_source *source_of(const struct cli_block_source *source)
{
    return source->data;
}

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void *make_scratch(const struct cli_block_source *source)
{
    const struct cli_array *array = source_of(source)->array;
    const enum cli_element_type type = array->layout.element.type;
    const size_t count = source_of(source)->block_elements;
    const size_t bytes = round_up(count * cli_element_bytes(type));
    const size_t head = round_up(sizeof(struct scratch));
    const size_t half = source->series_count > 1 ? round_up(bytes / 2) : 0;
    const size_t bits = array->has_missing_value ? round_up((count + 63) / 64 * 8) : 0;
    struct scratch *scratch = aligned_alloc(ALIGNMENT, head + bytes + 2 * half + bits);
    if (scratch == NULL)
        return NULL;
    memset(scratch, 0, sizeof *scratch);
    scratch->elements = (unsigned char *)scratch + head;
    scratch->parts[0] = scratch->elements + bytes;
    scratch->parts[1] = scratch->parts[0] + half;
    scratch->missing = (uint64_t *)(void *)(scratch->parts[1] + half);
    return scratch;
}

/* ---- Taking -----------------------------------------------------------------------------------*/

bool cli_array_is_cut(const struct cli_array *array, uint64_t done)
{
    return cli_is_interrupted() && (array->is_random || done > 0);
}

/* Takes the next block. A block of a stream is read now, since its bytes come in order. */
static enum cli_next take(struct cli_block_source *source, struct cli_block *block,
                          struct cli_failure *failure)
{
    struct cli_array_source *from = source->data;
    struct scratch *scratch = block->scratch;
    const struct cli_array *array = from->array;
    const size_t most = from->block_elements;
    const size_t size = cli_element_bytes(array->layout.element.type);
    const uint64_t left = array->layout.count - from->done;
    size_t bytes;
    if (left == 0 || from->is_at_end || cli_array_is_cut(array, from->done))
        return CLI_NO_MORE;
    scratch->first = from->done;
    scratch->count = left < most ? (size_t)left : most;
    if (!array->is_random && block->is_foreign && array->skip != NULL) {
        array->skip(array, scratch->count * size);
    } else if (!array->is_random) {
        if (!array->read(array, scratch->first * size, scratch->elements, scratch->count * size,
                         &bytes, failure))
            return CLI_NEXT_FAILED;
        from->is_at_end = bytes < scratch->count * size;
        scratch->count = bytes / size;
    }
    from->done += scratch->count;
    return scratch->count > 0 ? CLI_NEXT : CLI_NO_MORE;
}

/* ---- Loading ----------------------------------------------------------------------------------*/

/* Separates real and imaginary parts. */
static void split(const struct scratch *scratch, size_t part_bytes)
{
    const unsigned char *from = scratch->elements;
    uint32_t *const *halves = (uint32_t *const *)(const void *)scratch->parts;
    uint64_t *const *wholes = (uint64_t *const *)(const void *)scratch->parts;
    for (size_t i = 0; part_bytes == 4 && i < scratch->count; i++) {
        memcpy(&halves[0][i], from + 8 * i, 4);
        memcpy(&halves[1][i], from + 8 * i + 4, 4);
    }
    for (size_t i = 0; part_bytes == 8 && i < scratch->count; i++) {
        memcpy(&wholes[0][i], from + 16 * i, 8);
        memcpy(&wholes[1][i], from + 16 * i + 8, 8);
    }
}

/* Whether an element is missing. If the missing value is a NaN, every NaN is missing. */
static bool is_missing(const struct cli_array *array, const unsigned char *bytes)
{
    const struct cli_element element = array->layout.element;
    uint64_t key, missing;
    if (memcmp(bytes, array->missing_value, cli_element_bytes(element.type)) == 0)
        return true;
    return cli_element_kind(element.type) == 'f' && !cli_element_key(element, bytes, &key) &&
           !cli_element_key(element, array->missing_value, &missing);
}

size_t cli_array_leave_out_missing(const struct cli_array *array, unsigned char *elements,
                                   size_t count, uint64_t *missing)
{
    const size_t size = cli_element_bytes(array->layout.element.type);
    size_t kept = 0;
    memset(missing, 0, (count + 63) / 64 * sizeof *missing);
    for (size_t i = 0; i < count; i++)
        if (is_missing(array, elements + i * size))
            missing[i / 64] |= (uint64_t)1 << i % 64;
        else
            memmove(elements + kept++ * size, elements + i * size, size);
    return kept;
}

/* How many blocks are timed of either way, copied and mapped; with fewer than LEAST_BLOCKS blocks,
 * none is mapped. */
enum { TIMED_BLOCKS = 8, LEAST_BLOCKS = 64 };

static void begin(struct cli_block_source *source)
{
    struct cli_array_source *from = source->data;
    const struct cli_array *array = from->array;
    const struct cli_layout *layout = &array->layout;
    /* Elements in another form than the processor's are converted in place. */
    const bool is_native =
        layout->element.type != CLI_ELEMENT_boolean && !cli_element_is_swapped(layout->element);
    if (array->map != NULL && source->has_tasks && is_native && source->block_count >= LEAST_BLOCKS)
        from->mapped = array->map(array, 0, cli_layout_bytes(layout), &from->mapping);
}

static bool end(struct cli_block_source *source, struct cli_failure *failure)
{
    struct cli_array_source *from = source->data;
    from->mapped = NULL;
    return cli_mapping_end(&from->mapping) ||
           cli_fail(failure, "the file became shorter while it was read");
}

static bool shall_map(struct cli_array_source *from)
{
    struct cli_array_timing *copied = &from->timings[0], *mapped = &from->timings[1];
    const unsigned copies = atomic_load(&copied->blocks), mappings = atomic_load(&mapped->blocks);
    if (from->mapped == NULL)
        return false;
    if (copies < TIMED_BLOCKS || mappings < TIMED_BLOCKS)
        return mappings < copies;
    return atomic_load(&mapped->nanoseconds) / mappings <
           atomic_load(&copied->nanoseconds) / copies;
}

/* Adds the time of the thread's previous block. */
static void add_time(struct cli_array_source *from, const struct scratch *scratch, double now)
{
    struct cli_array_timing *timing = &from->timings[scratch->is_mapped];
    if (from->mapped == NULL || !scratch->is_timed || atomic_load(&timing->blocks) >= TIMED_BLOCKS)
        return;
    atomic_fetch_add(&timing->nanoseconds, (uint_fast64_t)(1e9 * (now - scratch->begin)));
    atomic_fetch_add(&timing->blocks, 1);
}

/* For a file: copies the elements, unless they are mapped. */
static bool find_elements(struct cli_array_source *from, struct scratch *scratch,
                          struct cli_failure *failure)
{
    const struct cli_array *array = from->array;
    const size_t size = cli_element_bytes(array->layout.element.type);
    const uint64_t first = scratch->first * size;
    const double now = cli_now();
    size_t bytes;
    add_time(from, scratch, now);
    scratch->begin = now;
    scratch->is_timed = scratch->count == from->block_elements;
    scratch->is_mapped = shall_map(from);
    if (!scratch->is_mapped)
        return array->read(array, first, scratch->elements, scratch->count * size, &bytes, failure);
    scratch->values = from->mapped + first;
    return true;
}

static bool load(const struct cli_block_source *source, struct cli_block *block,
                 struct cli_failure *failure)
{
    struct scratch *scratch = block->scratch;
    const struct cli_array *array = source_of(source)->array;
    const size_t size = cli_element_bytes(array->layout.element.type);
    scratch->values = scratch->elements;
    if (array->is_random && !find_elements(source->data, scratch, failure))
        return false;
    block->rows = scratch->count;
    block->first_row = scratch->first;
    if (source->has_tasks)
        block->item = scratch->first / cli_task_elements(array->layout.element.type);
    scratch->value_count = scratch->count;
    if (source->series_count > 1)
        split(scratch, size / 2);
    else if (array->has_missing_value)
        scratch->value_count =
            cli_array_leave_out_missing(array, scratch->elements, scratch->count, scratch->missing);
    scratch->missing_count = scratch->count - scratch->value_count;
    return true;
}

static void select_values(const struct cli_block_source *source, const struct cli_block *block,
                          size_t series, struct cli_values *values)
{
    const struct scratch *scratch = block->scratch;
    const struct cli_element element = source_of(source)->array->layout.element;
    *values = (struct cli_values){
        .element = {cli_element_part(element.type), element.is_big_endian},
        .elements = source->series_count > 1 ? scratch->parts[series] : (void *)scratch->values,
        .count = scratch->value_count,
        .missing_count = scratch->missing_count,
        .missing = scratch->missing};
}

static bool finish(struct cli_block_source *source, struct cli_failure *failure)
{
    const struct cli_array *array = source_of(source)->array;
    return array->finish == NULL || array->finish(array, failure);
}

void cli_array_source_divide(struct cli_block_source *source, const struct cli_array *array,
                             size_t block_bytes)
{
    const size_t slabs = array->skip != NULL ? STRIPE_SLABS * array->slab_bytes : 0;
    const size_t most = slabs > STRIPE_BYTES ? slabs : STRIPE_BYTES;
    source->stripe_blocks = block_bytes > 0 ? (most + block_bytes - 1) / block_bytes : 1;
    source->has_slabs = array->skip != NULL;
}

void cli_array_source_open(struct cli_array_source *source, const struct cli_array *array,
                           size_t block_tasks)
{
    const struct cli_layout *layout = &array->layout;
    const bool is_complex = cli_element_kind(layout->element.type) == 'c';
    const bool has_tasks = !is_complex && !array->has_missing_value;
    const size_t most = cli_task_elements(layout->element.type) * (has_tasks ? block_tasks : 1);
    *source = (struct cli_array_source){.array = array, .block_elements = most};
    source->base = (struct cli_block_source){.series_count = is_complex ? 2 : 1,
                                             .block_count = layout->count == CLI_COUNT_UNKNOWN
                                                                ? UINT64_MAX
                                                                : layout->count / most +
                                                                      (layout->count % most > 0),
                                             .has_tasks = has_tasks,
                                             .data = source,
                                             .make_scratch = make_scratch,
                                             .free_scratch = free,
                                             .take = take,
                                             .load = load,
                                             .select = select_values,
                                             .begin = begin,
                                             .end = end,
                                             .finish = finish,
                                             .array = array};
    cli_array_source_divide(&source->base, array, most * cli_element_bytes(layout->element.type));
}
