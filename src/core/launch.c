/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch: checks, then the queue's order, then the bytes where they are needed, then the device's
 * backend. Errors from before the first
 * work-item are the launch's own; later ones are asynchronous and belong to the event and the
 * queue.
 */
#include "src/core/arguments.h"
#include "src/core/backend.h"
#include "src/core/buffer.h"
#include "src/core/event.h"
#include "src/core/queue.h"

static reap_status check_pointers(const reap_queue *queue, const struct reap_kernel *kernel,
                                  const void *arguments)
{
    if (queue == NULL || kernel == NULL || arguments == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_launch: the %s is NULL",
                          queue == NULL    ? "queue"
                          : kernel == NULL ? "kernel"
                                           : "arguments struct");
    return reap__kernel_check_format(kernel);
}

/* The events' commands have completed, since their launches have returned. */
static reap_status check_dependencies(const struct reap_kernel *kernel,
                                      const reap_launch_options *options, bool *failed)
{
    *failed = false;
    if (options->wait_for_count > 0 && options->wait_for == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "kernel '%s': .launch.wait_for is NULL",
                          kernel->name);
    for (size_t i = 0; i < options->wait_for_count; i++) {
        const reap_event *event = options->wait_for[i];
        if (event == NULL)
            return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                              "kernel '%s': .launch.wait_for[%zu] is NULL", kernel->name, i);
        if (event->status != REAP_OK && !*failed) {
            reap__fail(REAP_ERROR_DEPENDENCY_FAILED,
                       "kernel '%s' did not run, since a command that it waits for failed: %.900s",
                       kernel->name, event->message);
            *failed = true;
        }
    }
    return REAP_OK;
}

/* Before kernels, and reductions' ends, use the host's memory. */
static reap_status bring_home(const struct reap__command *command)
{
    const struct reap_kernel *kernel = command->kernel;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        if (reap__is_array(parameter))
            REAP_TRY(
                reap__buffer_on_host(reap__array(command, parameter), parameter->kind != REAP__IN));
    }
    for (size_t s = 0; s < command->scalar_count; s++) {
        REAP_TRY(reap__buffer_on_host(command->scalars[s].variable, true));
        if (command->scalars[s].location != NULL)
            REAP_TRY(reap__buffer_on_host(command->scalars[s].location, true));
    }
    for (size_t s = 0; s < command->span_count; s++)
        REAP_TRY(reap__buffer_on_host(command->spans[s].variable, true));
    return REAP_OK;
}

static reap_status run_on(const reap_device *device, struct reap__command *command, bool *started)
{
    if (device->backend->allocate == NULL && reap__residence_copies() > 0)
        REAP_TRY(bring_home(command));
    return device->backend->run(device, command, started);
}

/* Runs the command in the queue's order; *started tells an asynchronous failure from another. */
static reap_status run(reap_queue *queue, struct reap__command *command,
                       const reap_launch_options *options, bool *started)
{
    bool dependency_failed;
    REAP_TRY(check_dependencies(command->kernel, options, &dependency_failed));
    if (dependency_failed) {
        *started = true;
        return REAP_ERROR_DEPENDENCY_FAILED;
    }
    command->max_threads = queue->options.max_threads;
    command->queue = queue;
    command->completes_at_once = options->event != NULL;
    const size_t generation = reap__queue_enter(queue);
    const reap_status status = run_on(queue->device, command, started);
    reap__queue_leave(queue, generation);
    return status;
}

reap_status reap_launch(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments)
{
    struct reap__command command;
    reap_event *event = NULL;
    bool started = false;

    REAP_TRY(check_pointers(queue, kernel, arguments));
    if (queue->device->backend->is_within != NULL && queue->device->backend->is_within())
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "kernel '%s': a kernel cannot launch it: launch from outside of kernels",
                          kernel->name);
    const reap_launch_options *options =
        (const void *)((const char *)arguments + kernel->options_offset);
    REAP_TRY(reap__arguments_check(queue->device, kernel, arguments, &command));
    if (options->event != NULL)
        REAP_TRY(reap__event_create(&event));

    const reap_status status = run(queue, &command, options, &started);
    if (status != REAP_OK && !started) {
        reap_event_release(event);
        return status;
    }
    if (status != REAP_OK)
        reap__queue_note(queue, status);
    if (event != NULL) {
        reap__event_complete(event, status);
        *options->event = event;
    }
    return REAP_OK;
}
