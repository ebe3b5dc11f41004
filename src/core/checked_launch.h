/* SPDX-License-Identifier: Apache-2.0
 *
 * A checked launch: what core/arguments.c makes of a kernel and its argument struct, and what a
 * backend runs.
 */
#ifndef REAP_CORE_CHECKED_LAUNCH_H
#define REAP_CORE_CHECKED_LAUNCH_H

#include "src/queue/timeline.h"

#include <reap/detail/kernel_table.h>
#include <reap/launch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { REAP__MOST_PARAMETERS = 63 };

static inline bool reap__has_groups(const struct reap_kernel *kernel)
{
    return kernel->item != NULL || kernel->phases[REAP__ISA_PLAIN] != NULL;
}

/* A reduction of a command, and the caller's variable that it ends in. */
struct reap__target {
    const struct reap__parameter *parameter;
    const struct reap__reduction *reduction;
    void *variable;
    uint64_t *location;   /* NULL where the reduction has none */
    const void *identity; /* the launch's own; NULL: the operator's */
    bool initialize;      /* the variable's present value is not included */
    size_t count;         /* elements of the variable; 1 for a scalar, unless it is of lines */
    reap_part *part;      /* receives the result, unfinished, in place of the variable; or NULL */
    struct reap__delivery *delivery; /* of a run that delivers to it (reduction/part.h); or NULL */
};

/* Fails with REAP_ERROR_INDEX_OUT_OF_RANGE: a kernel combined into an element outside of a span. */
reap_status reap__fail_outside(const struct reap_kernel *kernel, const struct reap__target *span,
                               size_t index) __attribute__((cold));

struct reap__division; /* combined/division.h */

/* What a kernel with reductions of rows, or of columns, reduces: line number s has so many items.
 * Item i of a row is item s * items + i of the range, of a column item i * count + s. */
struct reap__lines {
    size_t count;
    size_t items; /* of each */
    bool are_columns;
};

struct reap__launch {
    const struct reap_kernel *kernel;
    const void *arguments;
    const reap_range *range; /* the arguments' first member */
    size_t items;
    size_t first;       /* number of the first item; not 0 only for a part of a launch */
    size_t stride;      /* between items' numbers, in a part of columns on a device; 0: 1 */
    size_t max_threads; /* 0: no limit */
    reap_queue *queue;
    struct reap__execution *execution;
    bool completes_at_once; /* before the launch returns */
    bool has_parts;         /* all reductions go to parts */
    bool reads_identities;  /* the kernel does */
    bool has_lines;         /* all reductions have a result for each of these: */
    struct reap__lines lines;
    bool is_line;                          /* a launch over one of several lines, on a device */
    struct reap__part_claims *claims;      /* of them (reduction/part.h); else NULL */
    const struct reap__division *division; /* of a share, which has slices of arrays; or NULL */
    struct reap__item_log *item_log;       /* receives what items combine (backend.h); or NULL */
    size_t scalar_count;
    size_t span_count;
    struct reap__target *scalars, *spans; /* the maker's memory, for as many as the kernel has */
};

/* Memory for any kernel's targets. It takes 9 KiB, which threads with small stacks may not have;
 * most kernels have few. */
struct reap__targets {
    struct reap__target scalars[REAP__MOST_PARAMETERS];
    struct reap__target spans[REAP__MOST_PARAMETERS];
};

static inline void reap__launch_copy(const struct reap__launch *from, struct reap__targets *storage,
                                     struct reap__launch *to)
{
    *to = *from;
    to->scalars = storage->scalars;
    to->spans = storage->spans;
    if (from->scalar_count > 0)
        memcpy(to->scalars, from->scalars, from->scalar_count * sizeof *to->scalars);
    if (from->span_count > 0)
        memcpy(to->spans, from->spans, from->span_count * sizeof *to->spans);
}

/* The launch's argument of an array parameter: its pointer. */
static inline const void *reap__array(const struct reap__launch *command,
                                      const struct reap__parameter *parameter)
{
    const void *array;
    memcpy(&array, (const char *)command->arguments + parameter->offset, sizeof array);
    return array;
}

/* Whether the parameter's own value is in the arguments. */
static inline bool reap__is_value(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__VALUE || parameter->kind == REAP__IDENTITY_VALUE;
}

/* Whether it is a reduction with a result for each row or column. */
static inline bool reap__is_of_lines(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__ROW_REDUCTION || parameter->kind == REAP__COLUMN_REDUCTION;
}

static inline bool reap__is_local(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__LOCAL || parameter->kind == REAP__LOCAL_2D ||
           parameter->kind == REAP__LOCAL_3D;
}

/* Returns the number of dimensions of local memory, 1 to 3, and fills in its extents. */
static inline size_t reap__local_extents(const struct reap__launch *command,
                                         const struct reap__parameter *parameter, size_t extents[3])
{
    const size_t dimensions = parameter->kind == REAP__LOCAL      ? 1
                              : parameter->kind == REAP__LOCAL_2D ? 2
                                                                  : 3;
    memcpy(extents, (const char *)command->arguments + parameter->offset,
           dimensions * sizeof *extents);
    return dimensions;
}

/* The number of elements of local memory; SIZE_MAX if it overflows. */
static inline size_t reap__local_count(const struct reap__launch *command,
                                       const struct reap__parameter *parameter)
{
    size_t extents[3], count = 1;
    const size_t dimensions = reap__local_extents(command, parameter, extents);
    for (size_t d = 0; d < dimensions; d++)
        if (extents[d] == 0)
            return 0;
    for (size_t d = 0; d < dimensions; d++) {
        if (extents[d] > SIZE_MAX / count)
            return SIZE_MAX;
        count *= extents[d];
    }
    return count;
}

static inline bool reap__is_array(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__IN || parameter->kind == REAP__OUT ||
           parameter->kind == REAP__INOUT;
}

#endif
