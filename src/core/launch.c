/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch: it is checked, ordered among other commands (queue/command.c), has its buffers made
 * valid where it runs, and is run by the device's functions.
 */
#include "src/accelerator/preprocess/preprocess.h"
#include "src/combined/division.h"
#include "src/core/allocate.h"
#include "src/core/arguments.h"
#include "src/core/backend.h"
#include "src/core/stack.h"
#include "src/memory/bounds_check.h"
#include "src/memory/buffer.h"
#include "src/memory/registry.h"
#include "src/memory/usm.h"
#include "src/queue/command.h"
#include "src/queue/queue.h"
#include "src/reduction/part.h"

#include <inttypes.h>

/* An index is shown as signed: one beyond PTRDIFF_MAX was a negative number to the user. */
reap_status reap__fail_outside(const struct reap_kernel *kernel, const struct reap__target *span,
                               size_t index)
{
    return reap__fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                      "kernel '%s': index %td is outside span '%s', which has %zu elements%s",
                      kernel->name, (ptrdiff_t)index, span->parameter->name, span->count,
                      span->count == 0 ? ": .count is 0, or missing" : "");
}

static reap_status check_pointers(const reap_queue *queue, const struct reap_kernel *kernel,
                                  const void *arguments)
{
    if (queue == NULL || kernel == NULL || arguments == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_launch: %s",
                          queue == NULL ? "the queue is NULL"
                          : arguments == NULL
                              ? "the arguments struct is NULL"
                              : "the kernel is NULL, or the launch's text begins with a range of "
                                "other dimensions than the range has: put it in parentheses");
    REAP_TRY(reap__kernel_check_usable(kernel));
    return reap__sources_check_variables(kernel);
}

/* Makes what a command uses valid in host memory. */
static reap_status migrate_to_host(const struct reap__launch *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (reap__is_array(parameter) && !reap__is_divided(command, p))
            REAP_TRY(
                reap__buffer_on_host(reap__array(command, parameter), parameter->kind != REAP__IN));
    }
    for (size_t s = 0; s < command->scalar_count && !command->has_parts; s++) {
        REAP_TRY(reap__buffer_on_host(command->scalars[s].variable, true));
        if (command->scalars[s].location != NULL)
            REAP_TRY(reap__buffer_on_host(command->scalars[s].location, true));
    }
    for (size_t s = 0; s < command->span_count && !command->has_parts; s++)
        REAP_TRY(reap__buffer_on_host(command->spans[s].variable, true));
    return REAP_OK;
}

REAP__RARE static reap_status refuse_first(const struct reap_kernel *kernel,
                                           const reap_launch_options *options)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "kernel '%s': .launch.first_item is %" PRIu64
                      ", but no reduction of the launch has .part",
                      kernel->name, options->first_item);
}

/* Where all memory is the host's, nothing is out of reach, or elsewhere. */
static bool is_all_on_host(const reap_device *device, const reap_queue *queue)
{
    return device->functions->allocate == NULL && !queue->is_checked &&
           reap__coherence_copies() == 0;
}

REAP__APART static reap_status run_elsewhere(const reap_device *device,
                                             const struct reap__launch *command)
{
    const bool is_hosts = device->functions->allocate == NULL;
    if (device->functions->divides_launches)
        return device->functions->run(device, command);
    if (!is_hosts)
        REAP_TRY(reap__stack_check(REAP__STACK_FOR_DEVICE, "kernel", command->kernel->name));
    REAP_TRY(reap__usm_check(device, command));
    if (is_hosts)
        REAP_TRY(migrate_to_host(command));
    if (command->queue->is_checked && is_hosts)
        return reap__guarded_run(device, command);
    if (command->queue->is_checked)
        REAP_TRY(reap__guarded_try(command));
    return reap__launch_run(device, command);
}

reap_status reap__launch_run_on(const reap_device *device, const struct reap__launch *command)
{
    return is_all_on_host(device, command->queue) ? reap__launch_run(device, command)
                                                  : run_elsewhere(device, command);
}

/* Adds the results to the parts once nothing can fail any more. The claims end before the command
 * does, for which another thread may wait. */
REAP__APART static reap_status run_into_parts(const reap_device *device,
                                              struct reap__launch *command)
{
    reap_status status = reap__stack_check(REAP__STACK_FOR_DEVICE, "kernel", command->kernel->name);
    if (status == REAP_OK)
        status = reap__launch_run_on(device, command);
    if (status == REAP_OK)
        reap__part_commit(command->claims);
    reap__part_unclaim(command->claims);
    command->claims = NULL;
    return status;
}

static reap_status run(void *command, struct reap__execution *execution)
{
    struct reap__launch *const launched = command;
    const reap_device *const device = launched->queue->device;
    launched->execution = execution;
    if (launched->has_parts)
        return run_into_parts(device, launched);
    if (!is_all_on_host(device, launched->queue))
        return run_elsewhere(device, launched);
    return device->functions->run(device, launched);
}

/* Checked on every device, so that a wrong name is found on the host, too. */
REAP__RARE static reap_status check_divided(const struct reap_kernel *kernel,
                                            const reap_launch_options *options)
{
    struct reap__division division;
    return reap__division_parse(kernel, options->divided, &division);
}

static reap_status check(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments,
                         struct reap__launch *command)
{
    REAP_TRY(reap__arguments_check(queue->device, kernel, arguments, command));
    command->max_threads = queue->options.max_threads;
    command->queue = queue;
    command->completes_at_once = false;
    return REAP_OK;
}

/* The copy of a launch on an asynchronous queue; its targets and its arguments follow it. */
struct kept {
    struct reap__launch command;
};

static void *arguments_of(struct kept *kept)
{
    const struct reap__launch *command = &kept->command;
    size_t before = 0;
    reap__add_bytes(&before, 1, sizeof *kept);
    reap__add_bytes(&before, command->scalar_count + command->span_count, sizeof *command->scalars);
    return (char *)kept + before;
}

static void *keep(const void *command)
{
    const struct reap__launch *launched = command;
    const size_t targets = launched->scalar_count + launched->span_count;
    size_t bytes = 0, before;
    reap__add_bytes(&bytes, 1, sizeof(struct kept));
    before = bytes;
    reap__add_bytes(&bytes, targets, sizeof *launched->scalars);
    if (!reap__arguments_size(launched, &bytes))
        return NULL;
    struct kept *kept = reap__allocate(bytes);
    if (kept == NULL)
        return NULL;
    kept->command = *launched;
    kept->command.scalars = (struct reap__target *)(void *)((char *)kept + before);
    kept->command.spans = kept->command.scalars + launched->scalar_count;
    reap__arguments_copy(launched, arguments_of(kept));
    return kept;
}

static reap_status run_kept(void *command, struct reap__execution *execution)
{
    struct kept *kept = command;
    struct reap__launch *launched = &kept->command;
    REAP_TRY(check(launched->queue, launched->kernel, arguments_of(kept), launched));
    return run(launched, execution);
}

/* Frees the copy of a launch. */
static void drop(void *command)
{
    struct kept *kept = command;
    reap__part_unclaim(kept->command.claims);
    reap__free(kept);
}

static const struct reap__submission_kind launches = {run, keep, run_kept, drop};

/* Memory for a checked launch. */
struct storage {
    struct reap__target *scalars, *spans;
    struct reap__wait_entry *entries;
    bool has_identities; /* the arguments contain them */
};

static reap_status launch_with_identities(const struct reap__launch *command,
                                          const struct storage *storage);

static inline reap_status launch(reap_queue *queue, const struct reap_kernel *kernel,
                                 const void *arguments, const struct storage *storage)
{
    struct reap__launch command;
    struct reap__access_set accesses;
    command.scalars = storage->scalars;
    command.spans = storage->spans;
    command.claims = NULL;
    REAP_TRY(check(queue, kernel, arguments, &command));
    if (command.reads_identities && !storage->has_identities)
        return launch_with_identities(&command, storage);
    if (queue->options.asynchronous && !is_all_on_host(queue->device, queue) &&
        !queue->device->functions->divides_launches)
        REAP_TRY(reap__usm_check(queue->device, &command));
    accesses.list = storage->entries;
    accesses.count = 0;
    if (!reap__registry_is_empty())
        reap__access_set_add_launch(&accesses, &command);
    const reap_launch_options *const options =
        (const void *)((const char *)arguments + kernel->options_offset);
    if (options->divided != NULL)
        REAP_TRY(check_divided(kernel, options));
    if (command.has_parts)
        REAP_TRY(reap__part_claim(&command, options->first_item, &command.claims));
    else if (options->first_item != 0)
        return refuse_first(kernel, options);
    const reap_status status = reap__submit(&(const struct reap__submission){
        .queue = queue,
        .options = options,
        .kernel = kernel->name,
        .accesses = &accesses,
        .may_fail_later = command.span_count > 0 && queue->device->functions->wait != NULL,
        .kind = &launches,
        .command = &command,
    });
    if (command.has_parts && (status != REAP_OK || !queue->options.asynchronous))
        reap__part_unclaim(command.claims);
    return status;
}

/* Copies the arguments, since the program's stay unchanged. Those of most kernels fit here. */
REAP__APART static reap_status launch_with_identities(const struct reap__launch *command,
                                                      const struct storage *storage)
{
    _Alignas(REAP__MEMORY_ALIGNMENT) unsigned char small[512];
    const struct storage again = {storage->scalars, storage->spans, storage->entries, true};
    const size_t bytes = command->kernel->arguments_size;
    void *const arguments = bytes <= sizeof small ? small : reap__allocate(bytes);
    if (arguments == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its arguments",
                          command->kernel->name);
    reap_status status = reap__arguments_put_identities(command, arguments);
    if (status == REAP_OK)
        status = launch(command->queue, command->kernel, arguments, &again);
    if (arguments != small)
        reap__free(arguments);
    return status;
}

/* Most kernels have few parameters. Memory for the largest number takes 16 KiB, which is the whole
 * stack of some threads. */
enum { FEW = 8 };
struct storage_for_many {
    struct reap__targets targets;
    struct reap__wait_entry entries[2 * REAP__MOST_PARAMETERS];
};

REAP__APART static reap_status launch_many(reap_queue *queue, const struct reap_kernel *kernel,
                                           const void *arguments)
{
    struct storage_for_many storage;
    return launch(queue, kernel, arguments,
                  &(const struct storage){storage.targets.scalars, storage.targets.spans,
                                          storage.entries, false});
}

/* A kernel for any range consists of two: returns that for a range or that for an nd_range. */
static inline const struct reap_kernel *kernel_for(const struct reap_kernel *kernel,
                                                   const reap_range *range)
{
    if (kernel->of_groups_ == NULL)
        return kernel;
    for (unsigned d = 0; d < range->dimensions && d < 3; d++)
        if (range->group[d] != 0)
            return kernel->of_groups_;
    return kernel;
}

reap_status reap_launch(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments)
{
    struct reap__target scalars[FEW], spans[FEW];
    struct reap__wait_entry entries[2 * FEW];
    REAP_TRY(check_pointers(queue, kernel, arguments));
    kernel = kernel_for(kernel, arguments);
    if (reap__is_in_kernel(queue->device->backend))
        return reap__fail(
            REAP_ERROR_INVALID_ARGUMENT,
            "kernel '%s': it is launched by a running kernel: launch it from outside of kernels",
            kernel->name);
    REAP_TRY(reap__stack_check(REAP__STACK_FOR_HOST, "kernel", kernel->name));
    if (queue->runs_prepared && reap__registry_is_empty() && reap__coherence_copies() == 0) {
        reap_status status;
        if (queue->device->functions->run_prepared(queue, kernel, arguments, &status))
            return status;
    }
    if (kernel->parameter_count > 1 + FEW) {
        REAP_TRY(reap__stack_check(REAP__STACK_FOR_HOST + sizeof(struct storage_for_many), "kernel",
                                   kernel->name));
        return launch_many(queue, kernel, arguments);
    }
    return launch(queue, kernel, arguments,
                  &(const struct storage){scalars, spans, entries, false});
}
