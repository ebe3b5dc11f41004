/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions of rows and of columns on the host. A row is reduced as a launch over that part of the
 * range: it is planned once for each thread, and the plan runs row after row (unit.c). So the
 * result of a row has the bits of a launch over that row alone. If rows are a leaf or less, a call
 * of the kernel's code runs several, each into a row of lanes. Columns are in columns.c. The
 * results of all lines are combined with copies of the variables, which are copied to the variables
 * at the end, when nothing can fail any more.
 *
 * Few long rows are not distributed here: launch.c runs them as launches, one after the other, each
 * on all threads.
 */
#include "src/host/lines.h"

#include "src/core/status.h"
#include "src/host/columns.h"
#include "src/reduction/exact.h"
#include "src/reduction/store.h"

#include <string.h>

enum {
    UNIT_ITEMS = 1 << 13, /* the least of a unit */
    MOST_UNITS_PER_THREAD = 64,
    LONG_ITEMS = 1 << 16, /* the least of a row that all threads share, */
    FEW_ROWS = 4,         /* if there are fewer rows than this for each thread */
    ROWS_OF_CALL = 16     /* short rows */
};

/* A thread's plan of a launch over one row. */
struct row_plan {
    struct reap__host_run run;
    struct reap__launch command;
    bool is_call;  /* the row is one call of the kernel's code */
    bool is_short; /* one call runs ROWS_OF_CALL rows */
    struct reap__host_slot *slot;
};

bool reap__host_has_few_lines(const struct reap__launch *command, size_t threads)
{
    const struct reap__lines *lines = &command->lines;
    return !lines->are_columns && threads > 1 && lines->count < FEW_ROWS * threads &&
           lines->items >= LONG_ITEMS;
}

/* ---- Variables --------------------------------------------------------------------------------*/

reap_status reap__host_take_line_targets(struct reap__host_run *run, struct reap__scratch *scratch)
{
    const struct reap__launch *command = run->command;
    run->line_targets =
        reap__scratch_take(scratch, command->scalar_count, sizeof *run->line_targets);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t s = 0; s < command->scalar_count; s++) {
        const size_t size = command->scalars[s].reduction->value_size;
        run->line_targets[s] = command->scalars[s];
        run->line_targets[s].variable = reap__scratch_take(scratch, command->lines.count, size);
    }
    return reap__scratch_check(scratch);
}

void reap__host_begin_line(const struct reap__host_run *run, size_t line,
                           struct reap__target *targets)
{
    for (size_t s = 0; s < run->command->scalar_count; s++) {
        const size_t size = run->line_targets[s].reduction->value_size, at = line * size;
        targets[s] = run->line_targets[s];
        targets[s].count = 1;
        targets[s].variable = (unsigned char *)targets[s].variable + at;
        memcpy(targets[s].variable, (const unsigned char *)run->command->scalars[s].variable + at,
               size);
    }
}

static void store_line(const struct reap__host_run *run, size_t s, size_t line,
                       const struct reap__results *result, void *temporary)
{
    const struct reap__target *whole = &run->command->scalars[s];
    struct reap__target target = run->line_targets[s];
    const size_t size = target.reduction->value_size;
    target.variable = (unsigned char *)target.variable + line * size;
    memcpy(target.variable, (const unsigned char *)whole->variable + line * size, size);
    reap__store_scalar(&target, result, temporary);
}

/* Stores lines whose results all have values and are not exact sums: one call combines them. */
static void store_values(const struct reap__host_run *run, size_t s, size_t first, size_t count,
                         const struct reap__results *results)
{
    const struct reap__target *whole = &run->command->scalars[s], *target = &run->line_targets[s];
    const struct reap__reduction *reduction = target->reduction;
    const size_t size = reduction->value_size;
    unsigned char *into = (unsigned char *)target->variable + first * size;
    const struct reap__results variables = {into, NULL};
    memcpy(into, (const unsigned char *)whole->variable + first * size, count * size);
    if (target->initialize)
        memcpy(into, results->values, count * size);
    else
        reap__combine(reduction, &variables, results, count);
    reap__canonicalise(reduction->number, into, count);
}

void reap__host_store_lines(const struct reap__host_run *run, size_t s, size_t first, size_t count,
                            const struct reap__results *results, void *temporary)
{
    const struct reap__reduction *reduction = run->line_targets[s].reduction;
    if (results->set == NULL && !reap__is_exact(reduction)) {
        store_values(run, s, first, count, results);
        return;
    }
    for (size_t line = 0; line < count; line++) {
        const struct reap__results result = reap__results_at(reduction, results, line);
        store_line(run, s, first + line, &result, temporary);
    }
}

void reap__host_end_lines(const struct reap__host_run *run)
{
    for (size_t s = 0; s < run->command->scalar_count; s++) {
        const struct reap__target *target = &run->command->scalars[s];
        memcpy(target->variable, run->line_targets[s].variable,
               target->count * target->reduction->value_size);
    }
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* The launch over the first row. Other rows differ in their first item only. */
static void begin_row_plan(const struct reap__host_run *run, struct row_plan *plan)
{
    plan->command = *run->command;
    plan->command.has_lines = false;
    plan->command.items = run->command->lines.items;
    plan->run = *run;
    plan->run.command = &plan->command;
    plan->run.has_lines = false;
    plan->run.is_brief = false;
    atomic_init(&plan->run.ran, (int)run->isa);
}

/* Whether a row fits in one leaf, and no reduction is an exact sum. */
static bool has_short_rows(const struct reap__launch *command)
{
    for (size_t s = 0; s < command->scalar_count; s++)
        if (reap__is_exact(command->scalars[s].reduction))
            return false;
    const int leaf_log2 = command->scalars[0].reduction->lanes_log2 + REAP__ROWS_LOG2;
    return reap__host_is_single_call(command) && command->items <= (size_t)1 << leaf_log2;
}

/* A plan with lanes for ROWS_OF_CALL leaves. */
static reap_status make_short_plan(struct row_plan *plan, struct reap__scratch *scratch)
{
    const size_t items = plan->command.items;
    const int leaf_log2 = plan->command.scalars[0].reduction->lanes_log2 + REAP__ROWS_LOG2;
    plan->command.items = (size_t)ROWS_OF_CALL << leaf_log2;
    const reap_status status = reap__host_plan_single_call(&plan->run, plan->slot, scratch);
    plan->command.items = items;
    return status;
}

static reap_status make_row_plan(const struct reap__host_run *run, struct row_plan *plan,
                                 struct reap__scratch *scratch)
{
    begin_row_plan(run, plan);
    plan->is_call = reap__host_is_single_call(&plan->command);
    plan->is_short = has_short_rows(&plan->command);
    if (!plan->is_call) {
        REAP_TRY(reap__host_plan(&plan->run, 1, scratch));
        plan->slot = &plan->run.slots[0];
        plan->run.first_grain = 0;
        plan->run.batch_end = plan->run.grains;
        plan->run.units = 1;
        return REAP_OK;
    }
    plan->slot = reap__scratch_take(scratch, 1, sizeof *plan->slot);
    REAP_TRY(reap__scratch_check(scratch));
    plan->slot->run = &plan->run;
    plan->slot->spans = NULL;
    return plan->is_short ? make_short_plan(plan, scratch)
                          : reap__host_plan_single_call(&plan->run, plan->slot, scratch);
}

/* The number of lanes of a row to initialise. Combining with the identity of a built-in operator
 * changes no lane (no lane of a sum is -0, since sums begin with +0): so short rows can have all
 * lanes, for which there is faster code. */
static size_t lanes_of(const struct row_plan *plan, const struct reap__host_scalar *scalar)
{
    const size_t items = plan->command.items;
    if (items >= scalar->width ||
        (scalar->reduction->is_builtin && scalar->target->identity == NULL))
        return scalar->width;
    return items;
}

static void end_short_rows(const struct reap__host_run *run, const struct row_plan *plan, size_t s,
                           size_t first, size_t rows)
{
    const struct reap__host_scalar *scalar = &plan->run.scalars[s];
    const struct reap__results all = {plan->slot->lanes[s].values_, plan->slot->lanes[s].set_};
    reap__fold_rows(scalar->reduction, &all, rows, lanes_of(plan, scalar), scalar->width);
    reap__host_store_lines(run, s, first, rows, &all, scalar->temporary);
}

static void run_short_rows(const struct reap__host_run *run, struct row_plan *plan, size_t first,
                           size_t rows)
{
    for (size_t s = 0; s < plan->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &plan->run.scalars[s];
        reap__host_fill(scalar, &plan->slot->lanes[s],
                        (rows - 1) * scalar->width + lanes_of(plan, scalar));
    }
    const size_t items = plan->command.items;
    plan->command.first = 0;
    reap__host_call(&plan->run, (struct reap__items){.lanes_ = plan->slot->lanes,
                                                     .first_ = first * items,
                                                     .count_ = rows * items,
                                                     .leaf_ = items});
    for (size_t s = 0; s < plan->run.scalar_count; s++)
        end_short_rows(run, plan, s, first, rows);
}

static void run_row(const struct reap__host_run *run, struct row_plan *plan, size_t row)
{
    plan->command.first = row * plan->command.items;
    if (plan->is_call) {
        reap__host_run_single_call(plan->slot);
    } else {
        reap__host_run_unit(plan->slot, 0);
        reap__host_end_units(&plan->run);
    }
    for (size_t s = 0; s < plan->run.scalar_count; s++) {
        const struct reap__host_scalar *scalar = &plan->run.scalars[s];
        reap__host_store_lines(run, s, row, 1, &scalar->result, scalar->temporary);
    }
}

static void run_rows(struct reap__host_slot *slot, size_t unit)
{
    struct reap__host_run *run = slot->run;
    struct row_plan *plan = slot->lines;
    const size_t begin = unit * run->unit_grains, left = run->grains - begin;
    const size_t end = begin + (left < run->unit_grains ? left : run->unit_grains);
    for (size_t row = begin, rows; row < end; row += rows) {
        rows = !plan->is_short ? 1 : end - row < ROWS_OF_CALL ? end - row : ROWS_OF_CALL;
        if (plan->is_short)
            run_short_rows(run, plan, row, rows);
        else
            run_row(run, plan, row);
    }
    atomic_store_explicit(&run->ran, atomic_load_explicit(&plan->run.ran, memory_order_relaxed),
                          memory_order_relaxed);
}

static reap_status take_rows(struct reap__host_run *run, struct reap__scratch *scratch)
{
    for (size_t i = 0; i < run->slot_count; i++) {
        struct row_plan *plan = reap__scratch_take(scratch, 1, sizeof *plan);
        REAP_TRY(reap__scratch_check(scratch));
        REAP_TRY(make_row_plan(run, plan, scratch));
        run->slots[i].lines = plan;
    }
    return REAP_OK;
}

/* ---- Lines ------------------------------------------------------------------------------------*/

void reap__host_run_lines(struct reap__host_slot *slot, size_t unit)
{
    if (slot->run->command->lines.are_columns)
        reap__host_run_columns(slot, unit);
    else
        run_rows(slot, unit);
}

/* A unit has so many rows that its fixed cost does not matter. */
static void plan_units(struct reap__host_run *run, size_t threads)
{
    const struct reap__lines *lines = &run->command->lines;
    const size_t least = lines->items < UNIT_ITEMS ? UNIT_ITEMS / lines->items : 1;
    const size_t even = lines->count / (threads * MOST_UNITS_PER_THREAD);
    run->grains = lines->count;
    run->unit_grains = least > even ? least : even;
}

static reap_status take_slots(struct reap__host_run *run, struct reap__scratch *scratch,
                              size_t threads)
{
    const size_t units = (run->grains - 1) / run->unit_grains + 1;
    run->threads = units < threads ? units : threads;
    run->slot_count = run->threads;
    run->slots = reap__scratch_take(scratch, run->slot_count, sizeof *run->slots);
    REAP_TRY(reap__scratch_check(scratch));
    for (size_t i = 0; i < run->slot_count; i++) {
        run->slots[i].run = run;
        run->slots[i].memory = NULL;
    }
    return REAP_OK;
}

/* The run itself has no scalars: the plans of its slots have them. */
reap_status reap__host_plan_lines(struct reap__host_run *run, size_t threads,
                                  struct reap__scratch *scratch)
{
    const bool are_columns = run->command->lines.are_columns;
    run->scalar_count = run->span_count = 0;
    run->merges_in_order = false;
    run->strips = 1;
    run->leaf_log2 = 0;
    run->joints = NULL;
    if (are_columns)
        REAP_TRY(reap__host_plan_columns(run, threads, scratch));
    else
        plan_units(run, threads);
    run->batch_grains = run->grains;
    REAP_TRY(reap__host_take_line_targets(run, scratch));
    REAP_TRY(take_slots(run, scratch, threads));
    return are_columns ? reap__host_take_columns(run, scratch) : take_rows(run, scratch);
}
