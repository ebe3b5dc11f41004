/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks a launch's arguments against the kernel's table of parameters (docs/reductions.md, "What a
 * launch refuses"). How far an array reaches is not known: what is checked is that no reduction
 * variable lies in a buffer that the launch uses as an array, nor where an array begins. How far a
 * buffer reaches is known: what a reduction writes lies wholly in one or touches none.
 */
#include "src/core/arguments.h"

#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/memory/registry.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <limits.h>
#include <reap/version.h>
#include <stdio.h>
#include <string.h>

/* What every reduction's member of the argument struct starts with, and what may follow. */
struct reduction_argument {
    void *variable;
    void *result;
    const void *identity;
    unsigned properties;
};
struct scalar_argument {
    struct reduction_argument common;
    reap_part *part;
};
struct span_argument {
    struct reduction_argument common;
    size_t count;
    reap_part *part;
};
struct location_argument {
    struct reduction_argument common;
    uint64_t *location;
    reap_part *part;
};

/* Alignments are powers of two (C11, 6.2.8). */
static bool is_aligned(const void *pointer, size_t alignment)
{
    return ((uintptr_t)pointer & (alignment - 1)) == 0;
}

REAP__RARE static reap_status refuse(const struct reap__launch *command,
                                     const struct reap__parameter *parameter, const char *what)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "kernel '%s': argument '%s' %s",
                      command->kernel->name, parameter->name, what);
}

REAP__RARE static reap_status refuse_range(const struct reap_kernel *kernel,
                                           const reap_range *range)
{
    if (range->dimensions < 1 || range->dimensions > 3)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': the range has %u dimensions: it must have 1, 2 or 3",
                          kernel->name, range->dimensions);
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': the range is too large: it has 2^%zu work-items or more",
                      kernel->name, CHAR_BIT * sizeof(size_t));
}

/* How many items a range has; false: the range is not valid. */
static bool count_items(const reap_range *range, size_t *items)
{
    *items = range->size[0];
    if (range->dimensions == 1)
        return true;
    if (range->dimensions < 1 || range->dimensions > 3)
        return false;
    for (unsigned d = 1; d < range->dimensions; d++)
        if (range->size[d] == 0)
            *items = 0;
    for (unsigned d = 1; d < range->dimensions; d++) {
        if (*items > 0 && range->size[d] > SIZE_MAX / *items)
            return false;
        *items *= range->size[d];
    }
    return true;
}

/* An nd_range's groups: they divide the range, and the device has room for one. */
static reap_status check_group(const struct reap__launch *command, const reap_device_info *device)
{
    const reap_range *range = command->range;
    const char *kernel = command->kernel->name;
    size_t items = 1;
    if (command->items == 0)
        return REAP_OK; /* no groups */
    for (unsigned d = 0; d < range->dimensions; d++) {
        const size_t group = range->group[d];
        if (group == 0)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': its work-groups have no size in dimension %u (use "
                              "reap_nd_range_%ud, or make it a REAP_ANY_KERNEL)",
                              kernel, d, range->dimensions);
        if (range->size[d] % group != 0)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': %zu work-items in dimension %u are not a multiple "
                              "of the work-group's %zu",
                              kernel, range->size[d], d, group);
        items = group <= SIZE_MAX / items ? items * group : SIZE_MAX;
    }
    if (items > device->max_work_group_size)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': a work-group of %zu work-items is too large: device '%s' "
                          "takes at most %zu",
                          kernel, items, device->name, device->max_work_group_size);
    return REAP_OK;
}

REAP__RARE static reap_status refuse_groups(const struct reap_kernel *kernel,
                                            const reap_range *range)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': it has no work-groups, and the range does (use reap_range_%ud, "
                      "or make it a REAP_ND_KERNEL or a REAP_ANY_KERNEL)",
                      kernel->name, range->dimensions);
}

/* Names the elements as the launch does: "4 x 5 elements". */
REAP__RARE static reap_status refuse_local(const struct reap__launch *command,
                                           const reap_device_info *device,
                                           const struct reap__parameter *parameter, size_t used)
{
    size_t extents[3];
    char elements[80];
    const size_t dimensions = reap__local_extents(command, parameter, extents);
    int end = snprintf(elements, sizeof elements, "%zu", extents[0]);
    for (size_t d = 1; d < dimensions; d++)
        end += snprintf(elements + end, sizeof elements - (size_t)end, " x %zu", extents[d]);
    return reap__fail(
        REAP_ERROR_INVALID_ARGUMENT,
        "kernel '%s': %s elements of local memory '%s', of %zu bytes each, do not fit device "
        "'%s': it has %zu bytes for a work-group, of which %zu are already used",
        command->kernel->name, elements, parameter->name, parameter->size, device->name,
        device->local_memory_bytes, used);
}

/* Local memory: *bytes is what the parameters so far take. */
static reap_status check_local(const struct reap__launch *command, const reap_device_info *device,
                               const struct reap__parameter *parameter, size_t *bytes)
{
    const size_t before = *bytes;
    const size_t count = reap__local_count(command, parameter);
    if (count == 0 && command->items > 0)
        return refuse(command, parameter, "is local memory and has no elements");
    if (count <= device->local_memory_bytes / parameter->size)
        *bytes += count * parameter->size;
    if (count <= device->local_memory_bytes / parameter->size &&
        *bytes <= device->local_memory_bytes)
        return REAP_OK;
    return refuse_local(command, device, parameter, before);
}

static bool is_fit(const struct reap__launch *command, const struct reap__parameter *parameter)
{
    const void *array = reap__array(command, parameter);
    return (array != NULL || command->items == 0) && is_aligned(array, parameter->alignment);
}

REAP__RARE static reap_status refuse_array(const struct reap__launch *command,
                                           const struct reap__parameter *parameter)
{
    return refuse(command, parameter,
                  reap__array(command, parameter) == NULL ? "is NULL"
                                                          : "is not aligned to its type");
}

/* Returns a product, or SIZE_MAX if it is larger. */
static size_t bounded_product(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* The rows of a range, or its columns: those along its last dimension, or its first one. An empty
 * range may have SIZE_MAX of them, or more. */
static struct reap__lines lines_of(const struct reap__launch *command, bool are_columns)
{
    const reap_range *range = command->range;
    const unsigned along = are_columns ? 0 : range->dimensions - 1;
    struct reap__lines lines = {.count = 1, .are_columns = are_columns};
    for (unsigned d = 0; d < range->dimensions; d++)
        if (d != along)
            lines.count = bounded_product(lines.count, range->size[d]);
    lines.items = range->size[along];
    return lines;
}

/* A reduction of rows or columns: the range has as many as the variable has elements. */
static reap_status check_lines(struct reap__launch *command, const struct reap__target *target)
{
    const struct reap__parameter *parameter = target->parameter;
    const bool are_columns = parameter->kind == REAP__COLUMN_REDUCTION;
    if (command->range->dimensions < 2)
        return refuse(command, parameter,
                      are_columns
                          ? "is a reduction of columns, and the range has one dimension: use "
                            "reap_range_2d(rows, columns), or reduce in place of reduce_columns"
                          : "is a reduction of rows, and the range has one dimension: use "
                            "reap_range_2d(rows, columns), or reduce in place of reduce_rows");
    if (target->part != NULL)
        return refuse(command, parameter,
                      "is a reduction of rows or columns and has .part: parts are for reduce, "
                      "reduce_location and reduce_span");
    command->has_lines = true;
    command->lines = lines_of(command, are_columns);
    if (command->lines.count == SIZE_MAX)
        return refuse(command, parameter,
                      "is a reduction of rows or columns, and the range has too many for memory");
    if (target->count != command->lines.count)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': argument '%s' has .count = %zu, and the range has %zu %s: "
                          "give an array with a result for each",
                          command->kernel->name, parameter->name, target->count,
                          command->lines.count, are_columns ? "columns" : "rows");
    return REAP_OK;
}

/* What a reduction that goes to a part cannot have is given when the part is finished. */
static reap_status check_part(const struct reap__launch *command, const struct reap__target *target,
                              unsigned properties)
{
    const struct reap__parameter *parameter = target->parameter;
    if (target->variable != NULL)
        return refuse(command, parameter, "has .part and a variable: give one of them");
    if (target->location != NULL || properties != 0)
        return refuse(command, parameter,
                      "has .part, and .location or .properties: give them to reap_part_finish");
    if (parameter->kind == REAP__SPAN_REDUCTION && !reap__span_has_any_order(target))
        return refuse(command, parameter,
                      "is a span whose values are combined in an order, and has .part: parts of "
                      "spans are for integers, minimum, maximum, and sums of float and double");
    return reap__part_check(target->part, command->kernel, parameter);
}

static reap_status check_target(struct reap__launch *command, const struct reap__target *target,
                                unsigned properties)
{
    const struct reap__parameter *parameter = target->parameter;
    if (reap__is_of_lines(parameter))
        REAP_TRY(check_lines(command, target));
    if (target->part != NULL)
        REAP_TRY(check_part(command, target, properties));
    else if (target->variable == NULL)
        return refuse(command, parameter, "has neither .variable nor .result");
    if (!is_aligned(target->variable, parameter->alignment) ||
        !is_aligned(target->identity, parameter->alignment))
        return refuse(command, parameter, "has a pointer that is not aligned to its type");
    if (target->identity != NULL && reap__is_exact(target->reduction))
        return refuse(command, parameter, "is an exact sum, for which .identity cannot be set");
    if (target->reduction->location_offset > 0 && target->location == NULL && target->part == NULL)
        return refuse(command, parameter, "has no .location");
    if (!is_aligned(target->location, sizeof *target->location))
        return refuse(command, parameter, "has a .location that is not aligned to its type");
    if (target->count == 0 && target->part != NULL)
        return refuse(command, parameter, "is a span in a part and has no .count");
    if (target->count > (SIZE_MAX >> 6) / parameter->size) /* room for some copies of it */
        return refuse(command, parameter, "has a .count that is too large for memory");
    if ((properties & ~(unsigned)REAP_INITIALIZE_TO_IDENTITY) != 0)
        return refuse(command, parameter, "has an unknown bit in .properties");
    if (target->initialize && target->identity == NULL && !target->reduction->has_identity)
        return refuse(command, parameter,
                      "is a .result, or to be initialised to the identity, and its operator has "
                      "no identity: give one as .identity");
    return REAP_OK;
}

/* Where its members stand depends on what precedes them. */
static void read_rest(const char *at, struct reap__target *target)
{
    size_t part = offsetof(struct scalar_argument, part);
    if (target->parameter->kind == REAP__SPAN_REDUCTION || reap__is_of_lines(target->parameter)) {
        memcpy(&target->count, at + offsetof(struct span_argument, count), sizeof target->count);
        part = offsetof(struct span_argument, part);
    } else if (target->reduction->location_offset > 0) {
        memcpy(&target->location, at + offsetof(struct location_argument, location),
               sizeof target->location);
        part = offsetof(struct location_argument, part);
    }
    memcpy(&target->part, at + part, sizeof target->part);
}

/* What the argument of a reduction says, member by member: one copy of the whole, just after the
 * caller's separate stores, would wait for them to leave the store buffer. Returns false if there
 * is a variable and a result. */
static bool read_target(const char *at, struct reap__target *target, unsigned *properties)
{
    void *result, *variable;
    memcpy(&variable, at, sizeof variable);
    memcpy(&target->identity, at + offsetof(struct reduction_argument, identity),
           sizeof target->identity);
    memcpy(properties, at + offsetof(struct reduction_argument, properties), sizeof *properties);
    memcpy(&result, at + offsetof(struct reduction_argument, result), sizeof result);
    read_rest(at, target);
    target->initialize = result != NULL || (*properties & REAP_INITIALIZE_TO_IDENTITY) != 0;
    target->variable = result != NULL ? result : variable;
    return result == NULL || variable == NULL;
}

static reap_status add_target(struct reap__launch *command, const struct reap__parameter *parameter)
{
    const bool is_span = parameter->kind == REAP__SPAN_REDUCTION;
    struct reap__target *target = is_span ? &command->spans[command->span_count++]
                                          : &command->scalars[command->scalar_count++];
    unsigned properties;
    target->parameter = parameter;
    target->reduction = parameter->reduction;
    target->location = NULL;
    target->count = 1;
    target->delivery = NULL;
    if (!read_target((const char *)command->arguments + parameter->offset, target, &properties))
        return refuse(command, parameter,
                      "has .variable, whose value is included, and .result, whose value is not: "
                      "give one of them");
    command->has_parts |= target->part != NULL;
    return check_target(command, target, properties);
}

/* What a reduction writes: its variable or its location. */
struct written {
    const struct reap__parameter *reduction;
    const char *what;
    const void *memory;
    size_t bytes;
};

/* Memory that goes past a buffer's beginning or end may be no memory at all, and on a device with
 * memory of its own it would be two objects. It may touch several buffers, but does not lie wholly
 * in the first then, so that it is enough to look at that one. */
static reap_status check_extent(const struct reap__launch *command, const struct written *written,
                                const reap_buffer *buffer)
{
    const struct reap__extent *extent = &buffer->extent;
    const uintptr_t begin = (uintptr_t)written->memory, end = begin + written->bytes;
    const uintptr_t first = (uintptr_t)extent->begin, last = (uintptr_t)extent->end;
    const size_t inside = (end < last ? end : last) - (begin > first ? begin : first);
    if (inside == written->bytes)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': the %s of reduction '%s' has %zu bytes at %p, and only %zu of "
                      "them lie in the %s of %zu bytes at %p",
                      command->kernel->name, written->what, written->reduction->name,
                      written->bytes, written->memory, inside,
                      buffer->device == NULL ? "buffer" : "allocation", (size_t)(last - first),
                      (const void *)extent->begin);
}

/* An array must not point into memory that a reduction writes, nor into that memory's buffer. How
 * much of an allocation an array takes is not known. */
static reap_status check_written(const struct reap__launch *command, const struct written *written)
{
    struct reap__extent extent = {NULL, NULL};
    const reap_buffer *buffer = reap__registry_find(written->memory, written->bytes);
    const bool in_buffer = buffer != NULL && buffer->device == NULL;
    if (buffer != NULL) {
        extent = buffer->extent;
        REAP_TRY(check_extent(command, written, buffer));
    }
    for (size_t p = 1; p < command->kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &command->kernel->parameters[p];
        if (!reap__is_array(parameter))
            continue;
        const void *array = reap__array(command, parameter);
        if (array == NULL)
            continue;
        if (reap__overlap(array, parameter->size, written->memory, written->bytes) ||
            (in_buffer &&
             reap__overlap(array, 1, extent.begin, (size_t)(extent.end - extent.begin))))
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': the %s of reduction '%s' lies in the memory of array "
                              "'%s'",
                              command->kernel->name, written->what, written->reduction->name,
                              parameter->name);
    }
    return REAP_OK;
}

static reap_status check_target_memory(const struct reap__launch *command,
                                       const struct reap__target *target)
{
    const struct reap__parameter *parameter = target->parameter;
    const struct written variable = {parameter, "variable", target->variable,
                                     target->count * parameter->size};
    const struct written location = {parameter, "location", target->location,
                                     sizeof *target->location};
    REAP_TRY(check_written(command, &variable));
    return target->location != NULL ? check_written(command, &location) : REAP_OK;
}

static const struct reap__target *target_at(const struct reap__launch *command, size_t index)
{
    return index < command->scalar_count ? &command->scalars[index]
                                         : &command->spans[index - command->scalar_count];
}

static bool targets_overlap(const struct reap__target *a, const struct reap__target *b)
{
    const size_t a_bytes = a->count * a->parameter->size, b_bytes = b->count * b->parameter->size;
    const size_t a_place = a->location != NULL ? sizeof *a->location : 0;
    const size_t b_place = b->location != NULL ? sizeof *b->location : 0;
    return reap__overlap(a->variable, a_bytes, b->variable, b_bytes) ||
           (a_place > 0 && reap__overlap(a->location, a_place, b->variable, b_bytes)) ||
           (b_place > 0 && reap__overlap(a->variable, a_bytes, b->location, b_place)) ||
           (a_place > 0 && b_place > 0 &&
            reap__overlap(a->location, a_place, b->location, b_place));
}

/* All reductions go to parts, each to one of its own, as their names are those of the parts. */
REAP__RARE static reap_status check_parts(const struct reap__launch *command)
{
    const size_t count = command->scalar_count + command->span_count;
    for (size_t i = 0; i < count; i++) {
        const struct reap__target *a = target_at(command, i);
        if (a->part == NULL)
            return refuse(command, a->parameter,
                          "has no .part, and another reduction of the launch has one");
    }
    return REAP_OK;
}

static reap_status check_targets(const struct reap__launch *command)
{
    const size_t count = command->scalar_count + command->span_count;
    if (command->has_parts)
        return check_parts(command);
    for (size_t i = 0; i < count; i++) {
        const struct reap__target *a = target_at(command, i);
        REAP_TRY(check_target_memory(command, a));
        if (a->location != NULL &&
            reap__overlap(a->variable, a->parameter->size, a->location, sizeof *a->location))
            return refuse(command, a->parameter, "has a .variable and a .location that overlap");
        for (size_t j = i + 1; j < count; j++) {
            const struct reap__target *b = target_at(command, j);
            if (targets_overlap(a, b))
                return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                                  "kernel '%s': the variables of reductions '%s' and '%s' overlap",
                                  command->kernel->name, a->parameter->name, b->parameter->name);
        }
    }
    return REAP_OK;
}

/* One pointer given as an output must not be given once more. */
REAP__APART static reap_status check_outputs(const struct reap__launch *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t i = 1; i < kernel->parameter_count; i++) {
        const struct reap__parameter *a = &kernel->parameters[i];
        if (a->kind != REAP__OUT && a->kind != REAP__INOUT)
            continue;
        const void *array = reap__array(command, a);
        for (size_t j = 1; j < kernel->parameter_count; j++) {
            const struct reap__parameter *b = &kernel->parameters[j];
            if (i == j || !reap__is_array(b) || array == NULL || reap__array(command, b) != array)
                continue;
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': arguments '%s' and '%s' are the same pointer, and the "
                              "kernel writes '%s'",
                              kernel->name, a->name, b->name, a->name);
        }
    }
    return REAP_OK;
}

static reap_status check_parameter(struct reap__launch *command, const reap_device_info *device,
                                   const struct reap__parameter *parameter, size_t *local_bytes)
{
    switch (parameter->kind) {
    case REAP__IN:
    case REAP__OUT:
    case REAP__INOUT:
        return is_fit(command, parameter) ? REAP_OK : refuse_array(command, parameter);
    case REAP__SCALAR_REDUCTION:
    case REAP__SPAN_REDUCTION:
    case REAP__ROW_REDUCTION:
    case REAP__COLUMN_REDUCTION:
        return add_target(command, parameter);
    case REAP__LOCAL:
    case REAP__LOCAL_2D:
    case REAP__LOCAL_3D:
        return check_local(command, device, parameter, local_bytes);
    case REAP__IDENTITY_VALUE:
        command->reads_identities = true;
        break;
    case REAP__VALUE:
        break;
    }
    return REAP_OK;
}

/* The group; the parameters from number `first` on, and what several of them do. */
REAP__APART static reap_status check_from(struct reap__launch *command,
                                          const reap_device_info *device, size_t first)
{
    size_t local_bytes = 0;
    if (reap__has_groups(command->kernel))
        REAP_TRY(check_group(command, device));
    for (size_t p = first; p < command->kernel->parameter_count; p++)
        REAP_TRY(check_parameter(command, device, &command->kernel->parameters[p], &local_bytes));
    REAP_TRY(check_targets(command));
    return check_outputs(command);
}

reap_status reap__kernel_refuse_format(const struct reap_kernel *kernel)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s' was compiled with headers of another version of Reap than this "
                      "library's, %s: compile it again",
                      kernel->name, reap_version());
}

reap_status reap__arguments_check(const reap_device *device, const struct reap_kernel *kernel,
                                  const void *arguments, struct reap__launch *command)
{
    const reap_range *const range = arguments;
    size_t items;
    if (!count_items(range, &items))
        return refuse_range(kernel, range);
    command->kernel = kernel;
    command->arguments = arguments;
    command->range = range;
    command->items = items;
    command->first = 0;
    command->stride = 0;
    command->is_line = false;
    command->has_parts = false;
    command->reads_identities = false;
    command->has_lines = false;
    command->division = NULL;
    command->item_log = NULL;
    command->scalar_count = 0;
    command->span_count = 0;
    if (reap__has_groups(kernel))
        return check_from(command, &device->info, 1);
    if (range->group[0] != 0)
        return refuse_groups(kernel, range);
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (parameter->kind == REAP__VALUE)
            continue;
        if (!reap__is_array(parameter))
            return check_from(command, &device->info, p);
        if (!is_fit(command, parameter))
            return refuse_array(command, parameter);
    }
    return kernel->parameter_count > 2 ? check_outputs(command) : REAP_OK;
}

/* ---- Launches that are prepared ---------------------------------------------------------------*/

bool reap__arguments_are_plain(const struct reap__launch *command)
{
    for (size_t s = 0; s < command->scalar_count; s++)
        if (command->scalars[s].identity != NULL || command->scalars[s].delivery != NULL)
            return false;
    return command->first == 0 && !command->has_parts && !command->has_lines &&
           !command->reads_identities && command->division == NULL && command->item_log == NULL &&
           command->span_count == 0 && command->scalar_count <= REAP__MOST_PREPARED &&
           !reap__has_groups(command->kernel);
}

bool reap__arguments_prepare(const struct reap__launch *command,
                             struct reap__prepared_arguments *prepared)
{
    const struct reap_kernel *kernel = command->kernel;
    prepared->array_count = 0;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (parameter->kind == REAP__IN && prepared->array_count < REAP__MOST_PREPARED)
            prepared->arrays[prepared->array_count++] = (struct reap__prepared_array){
                parameter->offset, parameter->size, parameter->alignment};
        else if (parameter->kind != REAP__VALUE && parameter->kind != REAP__SCALAR_REDUCTION)
            return false;
    }
    return reap__arguments_are_plain(command);
}

/* Reads a target; as add_target and check_target. */
static bool read_again(const char *at, struct reap__target *target)
{
    unsigned properties;
    return read_target(at, target, &properties) && target->variable != NULL &&
           target->identity == NULL && target->part == NULL &&
           (properties & ~(unsigned)REAP_INITIALIZE_TO_IDENTITY) == 0 &&
           (!target->initialize || target->reduction->has_identity) &&
           is_aligned(target->variable, target->parameter->alignment) &&
           (target->reduction->location_offset == 0 || target->location != NULL) &&
           is_aligned(target->location, sizeof *target->location);
}

/* Whether what the target writes overlaps another target, or the first element of an array. */
static bool is_apart(const struct reap__prepared_arguments *prepared, const char *arguments,
                     const struct reap__target *targets, size_t index)
{
    const struct reap__target *target = &targets[index];
    const size_t place = target->location != NULL ? sizeof *target->location : 0;
    bool is_overlapping = false;
    for (size_t a = 0; a < prepared->array_count; a++) {
        const struct reap__prepared_array *array = &prepared->arrays[a];
        const void *data;
        memcpy(&data, arguments + array->offset, sizeof data);
        is_overlapping |=
            reap__overlap(data, array->size, target->variable, target->parameter->size);
        if (place > 0)
            is_overlapping |= reap__overlap(data, array->size, target->location, place);
    }
    if (place > 0)
        is_overlapping |=
            reap__overlap(target->variable, target->parameter->size, target->location, place);
    for (size_t t = 0; t < index; t++)
        is_overlapping |= targets_overlap(&targets[t], target);
    return !is_overlapping;
}

bool reap__arguments_check_again(const struct reap__prepared_arguments *prepared,
                                 const void *arguments, struct reap__target *targets, size_t count)
{
    const char *const begin = arguments;
    for (size_t a = 0; a < prepared->array_count; a++) {
        const void *data;
        memcpy(&data, begin + prepared->arrays[a].offset, sizeof data);
        if (data == NULL || !is_aligned(data, prepared->arrays[a].alignment))
            return false;
    }
    for (size_t t = 0; t < count; t++)
        if (!read_again(begin + targets[t].parameter->offset, &targets[t]) ||
            !is_apart(prepared, begin, targets, t))
            return false;
    return true;
}

/* ---- Identities that kernels read -------------------------------------------------------------*/

/* Target number t: the scalars, then the spans. */
static const struct reap__target *target_of(const struct reap__launch *command, size_t t)
{
    return t < command->scalar_count ? &command->scalars[t]
                                     : &command->spans[t - command->scalar_count];
}

/* One with that reduction, of which each is of one parameter. */
static const struct reap__target *target_with(const struct reap__launch *command,
                                              const struct reap__reduction *reduction)
{
    size_t t = 0;
    while (target_of(command, t)->reduction != reduction)
        t++;
    return target_of(command, t);
}

static reap_status put_identity(const struct reap__launch *command,
                                const struct reap__target *target, void *into)
{
    const struct reap__reduction *reduction = target->reduction;
    if (target->identity != NULL)
        memcpy(into, target->identity, reduction->value_size);
    else if (reap__is_exact(reduction))
        memcpy(into, reap__minus_zero(reduction->number), reduction->value_size);
    else if (reduction->is_builtin)
        reap__operator_identity(reduction->built_in, reduction->type, into);
    else if (reduction->has_identity)
        (reduction->identity)(into);
    else
        return refuse(command, target->parameter,
                      "has no identity, which the kernel reads, and its operator has none: give "
                      "one as .identity");
    return REAP_OK;
}

reap_status reap__arguments_put_identities(const struct reap__launch *command, void *arguments)
{
    const struct reap_kernel *kernel = command->kernel;
    memcpy(arguments, command->arguments, kernel->arguments_size);
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (parameter->kind == REAP__IDENTITY_VALUE)
            REAP_TRY(put_identity(command, target_with(command, parameter->reduction),
                                  (char *)arguments + parameter->offset));
    }
    return REAP_OK;
}

/* ---- Keeping ----------------------------------------------------------------------------------*/

bool reap__arguments_size(const struct reap__launch *command, size_t *bytes)
{
    bool fits = reap__add_bytes(bytes, 1, command->kernel->arguments_size);
    for (size_t t = 0; t < command->scalar_count + command->span_count; t++)
        if (target_of(command, t)->identity != NULL)
            fits = fits && reap__add_bytes(bytes, 1, target_of(command, t)->parameter->size);
    return fits;
}

void reap__arguments_copy(const struct reap__launch *command, void *memory)
{
    char *const arguments = memory;
    size_t used = 0;
    memcpy(arguments, command->arguments, command->kernel->arguments_size);
    reap__add_bytes(&used, 1, command->kernel->arguments_size);
    for (size_t t = 0; t < command->scalar_count + command->span_count; t++) {
        const struct reap__target *target = target_of(command, t);
        if (target->identity == NULL)
            continue;
        const void *const kept = arguments + used;
        memcpy(arguments + used, target->identity, target->parameter->size);
        memcpy(arguments + target->parameter->offset +
                   offsetof(struct reduction_argument, identity),
               &kept, sizeof kept);
        reap__add_bytes(&used, 1, target->parameter->size);
    }
}
