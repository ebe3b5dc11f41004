/* SPDX-License-Identifier: Apache-2.0
 *
 * One piece of memory: the values of each span, and which of them are there; then an identity.
 */
#include "src/accelerator/runtime/totals.h"

#include "src/core/finish.h"
#include "src/core/memory.h"
#include "src/core/operation.h"
#include "src/core/status.h"
#include "src/accelerator/runtime/in_flight.h"
#include "src/port/fp_environment.h"

static bool has_identity(const struct reap__target *target)
{
    return target->identity != NULL || reap__has_identity(target->reduction);
}

/* What elements of a span start as; NULL: they have no value. */
static const void *element_start(const struct reap__target *target,
                                 const struct reap__totals *totals)
{
    unsigned char *start = totals->identity + target->reduction->result_size;
    reap__span_start(target, has_identity(target) ? totals->identity : NULL, start);
    return has_identity(target) ? start : NULL;
}

static size_t align(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

reap_status reap__totals_make(const struct reap__device_launch *launch, struct reap__totals *totals)
{
    const struct reap__command *command = launch->command;
    size_t largest = 0, bytes = 0;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        largest = target->parameter->size > largest ? target->parameter->size : largest;
        bytes += align(target->count * target->parameter->size) + align(target->count);
    }
    totals->memory = reap__allocate(bytes + align(2 * largest));
    if (totals->memory == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its spans",
                          command->kernel->name);
    totals->identity = totals->memory + bytes;
    bytes = 0;
    for (size_t s = 0; s < command->span_count; s++) {
        const struct reap__target *target = &command->spans[s];
        struct reap__results *row = &totals->rows[s];
        row->values = totals->memory + bytes;
        bytes += align(target->count * target->parameter->size);
        row->set = !reap__has_identity(target->reduction) ? totals->memory + bytes : NULL;
        bytes += align(target->count);
        reap__fill(target->reduction, element_start(target, totals), row, target->count);
    }
    return REAP_OK;
}

static void finish_span(const struct reap__target *target, const struct reap__results *row,
                        const struct reap__totals *totals)
{
    const struct reap__results all = {target->variable, NULL};
    const void *start = element_start(target, totals);
    if (target->initialize)
        reap__fill(target->reduction, totals->identity, &all, target->count);
    reap__finish_span(target, start, row, 0, target->count);
}

reap_status reap__totals_finish(const struct reap__device_launch *launch, const unsigned char *view,
                                const struct reap__totals *totals)
{
    const reap__fp_environment before = reap__fp_enter();
    reap_status status = REAP_OK;
    for (size_t s = 0; s < launch->layout.scalar_count && status == REAP_OK; s++)
        if (!launch->layout.scalars[s].stays)
            status = reap__finish_result(&launch->command->scalars[s],
                                         view + launch->layout.scalars[s].delivered);
    for (size_t s = 0; s < launch->layout.span_count && status == REAP_OK; s++)
        finish_span(&launch->command->spans[s], &totals->rows[s], totals);
    reap__fp_leave(before);
    return status;
}

void reap__totals_release(struct reap__totals *totals)
{
    reap__free(totals->memory);
}
