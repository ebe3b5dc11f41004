/* SPDX-License-Identifier: Apache-2.0
 *
 * Each stream has a list of commands in flight, and the compute stream one allocation for their
 * results. Both are filled from the start and reset when all commands are finished; commands
 * finish in order. A command whose event the program holds is followed by a device event, so a
 * wait for that command does not wait for later ones.
 */
#include "src/accelerator/runtime/in_flight.h"

#include "src/accelerator/runtime/runtime.h"
#include "src/core/allocate.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/port/cpu.h"
#include "src/port/fp_environment.h"
#include "src/queue/event.h"
#include "src/queue/queue.h"
#include "src/reduction/exact.h"
#include "src/reduction/operators.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- In flight --------------------------------------------------------------------------------*/

enum { MOST_COMMANDS = 1024, MOST_RESULTS = 4096, RESULTS_BYTES = 1 << 18 };

struct result {
    struct reap__target target;
    unsigned char *from; /* in the host's view; NULL: a span that the host does not store here */
};

struct command {
    uint64_t number;                         /* in its stream */
    struct reap__timeline_value before;      /* what it waited for in other streams */
    reap_queue *queue;                       /* NULL: the launch returns the command's failure */
    reap_event *event;                       /* retained; NULL: no event */
    struct reap__device_event *device_event; /* after it; retained; NULL: not recorded */
    const struct reap_kernel *kernel;
    const unsigned char *view; /* the host's view of its results */
    size_t result_count;       /* of scalars whose variables are in host memory */
    size_t span_count;         /* of spans; they follow in the list of results */
};

struct reap__in_flight {
    size_t first_command; /* the first that is not finished */
    size_t first_result;
    size_t command_count; /* with finished ones */
    size_t result_count;
    struct reap__memory memory; /* of results */
    unsigned char *host;        /* the host's view of it */
    size_t bytes;
    size_t used;
    struct command commands[MOST_COMMANDS];
    struct result results[]; /* MOST_RESULTS for the compute stream */
};

static reap_status make(struct reap__accelerator *accelerator, enum reap__stream stream,
                        struct reap__in_flight **list)
{
    size_t bytes = sizeof **list;
    *list = accelerator->in_flight[stream];
    if (*list != NULL)
        return REAP_OK;
    if (stream == REAP__STREAM_COMPUTE)
        bytes += MOST_RESULTS * sizeof *(*list)->results;
    *list = reap__allocate(bytes);
    if (*list == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the commands of device '%s'",
                          accelerator->device.info.name);
    memset(*list, 0, sizeof **list);
    accelerator->in_flight[stream] = *list;
    return REAP_OK;
}

static reap_status make_memory(struct reap__accelerator *accelerator, size_t bytes)
{
    struct reap__in_flight *list = accelerator->in_flight[REAP__STREAM_COMPUTE];
    void *host;
    if (bytes <= list->bytes)
        return REAP_OK;
    bytes = bytes > RESULTS_BYTES ? bytes : RESULTS_BYTES;
    REAP_TRY(accelerator->driver->allocate_results(accelerator, bytes, &list->memory, &host));
    list->host = host;
    list->bytes = bytes;
    return REAP_OK;
}

reap_status reap__in_flight_reserve(struct reap__device_launch *launch, unsigned char **view)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const size_t bytes = reap__align(launch->results_bytes);
    struct reap__in_flight *list;
    REAP_TRY(make(accelerator, REAP__STREAM_COMPUTE, &list));
    if (list->used + bytes > list->bytes || list->command_count == MOST_COMMANDS ||
        list->result_count + launch->layout.scalar_count + launch->layout.span_count > MOST_RESULTS)
        reap__in_flight_complete(accelerator); /* failures are noted at the queues */
    REAP_TRY(make_memory(accelerator, bytes));
    launch->memories[REAP__MEMORY_RESULTS] = list->memory;
    launch->block[REAP__WORD_RESULTS] = list->used;
    *view = list->host + list->used;
    list->used += bytes;
    if (launch->layout.span_count == 0)
        return REAP_OK;
    memset(*view, 0, REAP__OUTSIDE_BYTES);
    return accelerator->driver->shares_results
               ? REAP_OK
               : accelerator->driver->fill(accelerator, &list->memory,
                                           launch->block[REAP__WORD_RESULTS], 0,
                                           REAP__OUTSIDE_BYTES);
}

/* Records a device event after the command. If that fails, a wait for the command waits for all
 * commands. */
static void set_device_event(struct reap__accelerator *accelerator, enum reap__stream stream,
                             struct command *command)
{
    if (command->event != NULL)
        command->device_event =
            reap__device_event_record(accelerator, stream, command->event->begin != NULL);
}

static void add_result(struct reap__in_flight *list, const struct reap__target *target,
                       unsigned char *from)
{
    list->results[list->result_count++] = (struct result){*target, from};
}

void reap__in_flight_add(const struct reap__device_launch *launch, unsigned char *view)
{
    struct reap__in_flight *list = launch->accelerator->in_flight[REAP__STREAM_COMPUTE];
    const struct reap__layout *layout = &launch->layout;
    struct command *command = &list->commands[list->command_count++];
    const size_t first = list->result_count;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (!layout->scalars[s].is_resident)
            add_result(list, &launch->command->scalars[s], view + layout->scalars[s].delivered);
    *command = (struct command){
        .number = reap__stream_note(launch->accelerator, REAP__STREAM_COMPUTE),
        .before = launch->before,
        .queue = launch->completes_within ? NULL : launch->command->queue,
        .event = launch->command->execution->event,
        .kernel = launch->command->kernel,
        .view = view,
        .result_count = list->result_count - first,
        .span_count = layout->span_count,
    };
    for (size_t s = 0; s < layout->span_count; s++)
        add_result(list, &launch->command->spans[s],
                   launch->spans_follow ? view + launch->total_of[s] : NULL);
    reap__event_adopt(command->event, layout->span_count > 0);
    if (command->event != NULL && !command->event->is_inner)
        set_device_event(launch->accelerator, REAP__STREAM_COMPUTE, command);
}

reap_status reap__in_flight_add_transfer(struct reap__accelerator *accelerator, reap_queue *queue,
                                         const struct reap__execution *execution)
{
    struct reap__in_flight *list;
    REAP_TRY(make(accelerator, execution->stream, &list));
    if (list->command_count == MOST_COMMANDS)
        reap__in_flight_complete(accelerator); /* failures are noted at the queues */
    struct command *command = &list->commands[list->command_count++];
    *command = (struct command){
        .number = reap__stream_note(accelerator, execution->stream),
        .before = execution->timeline,
        .queue = queue,
        .event = execution->event,
    };
    reap__event_adopt(execution->event, false);
    set_device_event(accelerator, execution->stream, command);
    return REAP_OK;
}

/* The first command's device event after `count` commands of a stream; borrowed. NULL: there is
 * none. */
static struct reap__device_event *find_event(const struct reap__accelerator *accelerator,
                                             enum reap__stream stream, uint64_t count)
{
    const struct reap__in_flight *list = accelerator->in_flight[stream];
    for (size_t c = list != NULL ? list->first_command : 0; list != NULL && c < list->command_count;
         c++)
        if (list->commands[c].number >= count && list->commands[c].device_event != NULL)
            return list->commands[c].device_event;
    return NULL;
}

struct reap__device_event *reap__device_event_after(struct reap__accelerator *accelerator,
                                                    enum reap__stream stream, uint64_t count)
{
    struct reap__device_event *event = find_event(accelerator, stream, count);
    struct reap__device_event *const latest = accelerator->streams[stream].latest;
    if (event == NULL && latest != NULL && latest->at >= count)
        event = latest;
    if (event == NULL)
        return reap__device_event_record(accelerator, stream, false);
    reap__device_event_retain(event);
    return event;
}

static reap_status follow(struct reap__accelerator *accelerator, enum reap__stream stream,
                          enum reap__stream other, uint64_t count)
{
    struct reap__device_event *event = reap__device_event_after(accelerator, other, count);
    if (event == NULL)
        return reap__accelerator_finish(accelerator);
    const reap_status status = accelerator->driver->wait_event(accelerator, stream, event->handle);
    if (status == REAP_OK)
        accelerator->streams[stream].seen.at[other] = event->at;
    reap__device_event_release(accelerator, event);
    return status;
}

reap_status reap__stream_after(struct reap__accelerator *accelerator, enum reap__stream stream,
                               const struct reap__timeline_value *timeline)
{
    for (enum reap__stream other = REAP__STREAM_COMPUTE; other < REAP__STREAM_COUNT; other++) {
        const uint64_t count = timeline->at[other];
        if (other == stream || count <= accelerator->streams[stream].seen.at[other] ||
            count <= accelerator->streams[other].done)
            continue;
        REAP_TRY(follow(accelerator, stream, other, count));
    }
    return REAP_OK;
}

bool reap__in_flight_overlaps(const struct reap__accelerator *accelerator, const void *memory,
                              size_t bytes)
{
    const struct reap__in_flight *list = accelerator->in_flight[REAP__STREAM_COMPUTE];
    if (list == NULL)
        return false;
    for (size_t r = list->first_result; r < list->result_count; r++) {
        const struct reap__target *target = &list->results[r].target;
        if (reap__overlap(memory, bytes, target->variable,
                          target->count * target->parameter->size) ||
            (target->location != NULL &&
             reap__overlap(memory, bytes, target->location, sizeof *target->location)))
            return true;
    }
    return false;
}

reap_status reap__check_outside(const struct reap_kernel *kernel, const unsigned char *view,
                                const struct reap__target *const *spans)
{
    uint32_t flag;
    uint64_t number, index;
    memcpy(&flag, view, sizeof flag);
    memcpy(&number, view + 8, sizeof number);
    memcpy(&index, view + 16, sizeof index);
    if (flag == 0)
        return REAP_OK;
    if (number >> 32 != 0) /* REAP__SPAN_IS_FULL of the dialects */
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                          "kernel '%s': no memory for more elements of span '%s', which has %zu",
                          kernel->name, spans[(uint32_t)number]->parameter->name,
                          spans[(uint32_t)number]->count);
    return reap__fail_outside(kernel, spans[number], index);
}

/* Stores a result; in `temporary` it has the host's layout, in which the location follows the
 * value. */
static void finish(const struct reap__target *target, const unsigned char *from,
                   unsigned char *temporary)
{
    const struct reap__reduction *reduction = target->reduction;
    const unsigned char *tag = from + reap__tags_offset(reduction->value_size, 1);
    unsigned char *spare = temporary + reduction->result_size;
    unsigned char is_set = reap__has_identity(reduction) || *tag != 0;
    if (reap__is_exact(reduction)) {
        memcpy(temporary, from, reduction->result_size);
        const struct reap__results sum = {temporary, NULL};
        reap__store_scalar(target, &sum, spare);
        return;
    }
    memcpy(temporary, from, reduction->value_size);
    if (reduction->location_offset > 0)
        memcpy(temporary + reduction->location_offset, tag, sizeof(uint64_t));
    if (reduction->location_offset > 0 && target->identity != NULL) {
        const struct reap__results both = {temporary, NULL}, other = {spare, NULL};
        reap__identity_of(reduction, spare); /* only built-in operators have locations */
        memcpy(spare, target->identity, reduction->value_size);
        reap__combine(reduction, &both, &other, 1);
    }
    const struct reap__results result = {temporary, reap__has_identity(reduction) ? NULL : &is_set};
    reap__store_scalar(target, &result, spare);
}

/* Combines all lanes, pairs of value and location, into the delivery's only lane. Any order has the
 * same result. */
static void deliver_located(const struct reap__target *target, const unsigned char *from,
                            const unsigned char *tags)
{
    const struct reap__reduction *reduction = target->reduction;
    const struct reap__delivery *delivery = target->delivery;
    _Alignas(64) unsigned char pair[32] = {0};
    for (size_t l = 0; l < delivery->lanes; l++) {
        const struct reap__results other = {pair, NULL};
        memcpy(pair, from + l * reduction->value_size, reduction->value_size);
        memcpy(pair + reduction->location_offset, tags + l * sizeof(uint64_t), sizeof(uint64_t));
        reap__combine(reduction, &delivery->row, &other, 1);
    }
}

/* Copies a row of lanes, or the words of an exact sum, to the delivery. */
static void deliver(const struct reap__target *target, const unsigned char *from)
{
    const struct reap__reduction *reduction = target->reduction;
    const struct reap__delivery *delivery = target->delivery;
    const size_t width = (size_t)1 << reduction->lanes_log2;
    const unsigned char *tags = from + reap__tags_offset(reduction->value_size, width);
    if (reap__is_exact(reduction)) {
        memcpy(delivery->row.values, from, reduction->result_size);
    } else if (reduction->location_offset > 0) {
        deliver_located(target, from, tags);
    } else {
        memcpy(delivery->row.values, from, delivery->lanes * reduction->value_size);
        for (size_t l = 0; l < delivery->lanes && delivery->row.set != NULL; l++)
            delivery->row.set[l] = tags[l] != 0;
    }
}

reap_status reap__finishing_begin(struct reap__finishing *finishing,
                                  const struct reap__target *target)
{
    const size_t bytes = target->delivery == NULL ? 2 * target->reduction->result_size : 0;
    if (bytes <= sizeof finishing->small || bytes <= finishing->bytes)
        return REAP_OK;
    reap__free(finishing->large);
    finishing->bytes = bytes;
    finishing->large = reap__allocate(bytes);
    if (finishing->large != NULL)
        return REAP_OK;
    finishing->bytes = 0;
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the result of reduction '%s'",
                      target->parameter->name);
}

void reap__finish_result(struct reap__finishing *finishing, const struct reap__target *target,
                         const unsigned char *from)
{
    if (target->delivery == NULL)
        finish(target, from, finishing->large != NULL ? finishing->large : finishing->small);
    else if (!target->delivery->is_logged)
        deliver(target, from);
}

void reap__finishing_end(struct reap__finishing *finishing)
{
    reap__free(finishing->large);
}

/* Stores the results of a command; returns its status. */
static reap_status finish_command(const struct command *command, const struct result *results)
{
    const struct reap__target *spans[REAP__MOST_PARAMETERS];
    for (size_t s = 0; s < command->span_count; s++)
        spans[s] = &results[command->result_count + s].target;
    if (command->span_count > 0)
        REAP_TRY(reap__check_outside(command->kernel, command->view, spans));
    struct reap__finishing finishing = {.bytes = 0};
    reap_status status = REAP_OK;
    for (size_t r = 0; r < command->result_count && status == REAP_OK; r++)
        status = reap__finishing_begin(&finishing, &results[r].target);
    for (size_t r = 0; r < command->result_count && status == REAP_OK; r++)
        reap__finish_result(&finishing, &results[r].target, results[r].from);
    reap__finishing_end(&finishing);
    REAP_TRY(status);
    for (size_t r = command->result_count; r < command->result_count + command->span_count; r++)
        if (results[r].from != NULL)
            reap__spans_finish(&results[r].target, results[r].from);
    return REAP_OK;
}

/* Takes the times that the device has measured, from where the event begins to `last`; the end
 * alone, if its command began on another device. */
static void take_times(struct reap__accelerator *accelerator, reap_event *event, void *last)
{
    uint64_t times[2];
    void *const first = event->begins_elsewhere ? last : event->begin;
    if (accelerator->driver->event_times(accelerator, first, last, times) != REAP_OK)
        return;
    /* The clocks of device and host drift: a command must not begin before the host enqueues it. */
    const uint64_t asked = event->times.started;
    const uint64_t late = times[0] < asked ? asked - times[0] : 0;
    if (!event->begins_elsewhere)
        event->times.started = times[0] + late;
    event->times.ended = times[1] + late;
}

/* Completes the command's event, with the times that the device has measured. */
static void end_event(struct reap__accelerator *accelerator, const struct command *command,
                      reap_status status)
{
    reap_event *event = command->event;
    char line[REAP__MESSAGE_BYTES];
    if (event->begin != NULL) {
        snprintf(line, sizeof line, "%s", reap_last_error());
        if (status == REAP_OK && command->device_event != NULL)
            take_times(accelerator, event, command->device_event->handle);
        accelerator->driver->destroy_event(accelerator, event->begin);
        event->begin = NULL;
        reap__fail(status, "%s", line);
    }
    reap__event_complete(event, status);
    reap_event_release(event);
}

/* Finishes a stream's commands up to number `count`. If `done` is a failure, they fail with it and
 * this thread's message; otherwise the device has completed them. Returns the first failure, with
 * its message. */
static reap_status finish_commands(struct reap__accelerator *accelerator, enum reap__stream stream,
                                   uint64_t count, reap_status done)
{
    struct reap__in_flight *list = accelerator->in_flight[stream];
    char line[REAP__MESSAGE_BYTES];
    reap_status first = REAP_OK;
    if (list == NULL)
        return REAP_OK;
    const reap__fp_environment before = reap__fp_enter();
    snprintf(line, sizeof line, "%s", done != REAP_OK ? reap_last_error() : "");
    for (; list->first_command < list->command_count &&
           list->commands[list->first_command].number <= count;
         list->first_command++) {
        const struct command *command = &list->commands[list->first_command];
        const reap_status status =
            done != REAP_OK ? reap__fail(done, "%s", line)
                            : finish_command(command, &list->results[list->first_result]);
        if (status != REAP_OK && command->queue != NULL)
            reap__queue_note(command->queue, status, command->event);
        if (status != REAP_OK && first == REAP_OK) {
            snprintf(line, sizeof line, "%s", reap_last_error());
            first = status;
        }
        if (command->event != NULL)
            end_event(accelerator, command, status);
        reap__device_event_release(accelerator, command->device_event);
        list->first_result += command->result_count + command->span_count;
    }
    reap__fp_leave(before);
    if (list->first_command == list->command_count)
        list->first_command = list->first_result = list->command_count = list->result_count =
            list->used = 0;
    return first == REAP_OK ? REAP_OK : reap__fail(first, "%s", line);
}

/* As finish_commands, for all streams. */
static reap_status finish_all(struct reap__accelerator *accelerator,
                              const struct reap__timeline_value *timeline, reap_status done)
{
    char line[REAP__MESSAGE_BYTES];
    reap_status first = REAP_OK;
    snprintf(line, sizeof line, "%s", done != REAP_OK ? reap_last_error() : "");
    for (enum reap__stream stream = REAP__STREAM_COMPUTE; stream < REAP__STREAM_COUNT; stream++) {
        const reap_status before = done != REAP_OK ? reap__fail(done, "%s", line) : REAP_OK;
        const reap_status status =
            finish_commands(accelerator, stream, timeline->at[stream], before);
        if (status == REAP_OK || first != REAP_OK)
            continue;
        snprintf(line, sizeof line, "%s", reap_last_error());
        first = status;
    }
    return first == REAP_OK ? REAP_OK : reap__fail(first, "%s", line);
}

static bool is_empty(const struct reap__accelerator *accelerator)
{
    for (size_t s = 0; s < REAP__STREAM_COUNT; s++) {
        const struct reap__in_flight *list = accelerator->in_flight[s];
        if (list != NULL && (list->used > 0 || list->command_count > 0))
            return false;
    }
    return true;
}

reap_status reap__in_flight_complete(struct reap__accelerator *accelerator)
{
    if (is_empty(accelerator))
        return REAP_OK;
    const struct reap__timeline_value end = reap__streams_end(accelerator);
    return finish_all(accelerator, &end, reap__accelerator_finish(accelerator));
}

reap_status reap__in_flight_wait(struct reap__accelerator *accelerator)
{
    if (is_empty(accelerator))
        return REAP_OK;
    const struct reap__timeline_value end = reap__streams_end(accelerator);
    return finish_all(accelerator, &end, reap__accelerator_wait(accelerator, &end));
}

void reap__in_flight_note_done(struct reap__accelerator *accelerator,
                               const struct reap__timeline_value *timeline)
{
    for (enum reap__stream stream = REAP__STREAM_COMPUTE; stream < REAP__STREAM_COUNT; stream++)
        reap__accelerator_note_done(accelerator, stream, timeline->at[stream]);
    finish_all(accelerator, timeline, REAP_OK);
}

/* ---- One event --------------------------------------------------------------------------------*/

static struct command *find_command(const struct reap__accelerator *accelerator,
                                    const reap_event *event, enum reap__stream *stream)
{
    for (*stream = REAP__STREAM_COMPUTE; *stream < REAP__STREAM_COUNT; ++*stream) {
        struct reap__in_flight *list = accelerator->in_flight[*stream];
        for (size_t c = list != NULL ? list->first_command : 0;
             list != NULL && c < list->command_count; c++)
            if (list->commands[c].event == event)
                return &list->commands[c];
    }
    return NULL;
}

/* A device event after the command: its own, a later command's, or one that is recorded now.
 * Borrowed. NULL: recording failed. */
static struct reap__device_event *device_event_after(struct reap__accelerator *accelerator,
                                                     enum reap__stream stream,
                                                     struct command *command)
{
    struct reap__device_event *device_event = find_event(accelerator, stream, command->number);
    if (device_event == NULL)
        set_device_event(accelerator, stream, command);
    return device_event != NULL ? device_event : command->device_event;
}

/* A query of the device has failed, so it is unknown which commands are complete: all have failed,
 * unless the query ran out of memory and a wait for the device succeeds. */
static reap_status fail_all(struct reap__accelerator *accelerator, reap_status status)
{
    char line[REAP__MESSAGE_BYTES];
    const struct reap__timeline_value end = reap__streams_end(accelerator);
    snprintf(line, sizeof line, "%s", reap_last_error());
    reap_status finished = reap__accelerator_finish(accelerator);
    if (finished == REAP_OK && status != REAP_ERROR_OUT_OF_MEMORY)
        finished = reap__fail(status, "%s", line);
    return finish_all(accelerator, &end, finished);
}

/* Finishes a stream's commands up to number `count`; before them, those of other streams that they
 * waited for, so the causes of errors are reported first. */
static void finish_reached(struct reap__accelerator *accelerator, enum reap__stream stream,
                           uint64_t count)
{
    const struct reap__in_flight *list = accelerator->in_flight[stream];
    struct reap__timeline_value done = {{0}};
    for (size_t c = list->first_command;
         c < list->command_count && list->commands[c].number <= count; c++)
        reap__timeline_join(&done, &list->commands[c].before);
    done.at[stream] = 0;
    reap__in_flight_note_done(accelerator, &done);
    finish_commands(accelerator, stream, count, REAP_OK);
}

reap_status reap__in_flight_wait_event(struct reap__accelerator *accelerator,
                                       const reap_event *event, bool waits)
{
    enum reap__stream stream;
    bool is_reached = false;
    struct command *command = find_command(accelerator, event, &stream);
    if (command == NULL)
        return REAP_OK;
    struct reap__device_event *const device_event =
        device_event_after(accelerator, stream, command);
    if (device_event == NULL)
        return reap__in_flight_complete(accelerator);
    reap__device_event_retain(device_event);
    const reap_status status =
        reap__accelerator_wait_event(accelerator, device_event, waits, &is_reached);
    const uint64_t count = device_event->at;
    reap__device_event_release(accelerator, device_event);
    if (status != REAP_OK)
        return fail_all(accelerator, status);
    if (is_reached)
        finish_reached(accelerator, stream, count);
    return REAP_OK;
}

/* ---- Waiting ----------------------------------------------------------------------------------*/

void reap__device_wait(const reap_device *device)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return; /* the commands are the parent process's */
    reap__accelerator_lock(accelerator);
    reap__accelerator_leave(accelerator, reap__in_flight_wait(accelerator));
}

/* A caller that must not wait does not wait for the lock either. */
void reap__device_reach(const reap_device *device, reap_event *event, bool waits)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return;
    if (waits)
        reap__accelerator_lock(accelerator);
    else if (!reap__accelerator_try_lock(accelerator))
        return;
    const reap_status status = reap__in_flight_wait_event(accelerator, event, waits);
    reap__accelerator_leave(accelerator, status);
}

/* Before the first timed event the device must be idle, since the driver may replace its queue. */
static reap_status begin_to_measure(struct reap__accelerator *accelerator)
{
    if (accelerator->measures)
        return REAP_OK;
    reap__in_flight_complete(accelerator); /* failures are noted at the queues */
    return reap__accelerator_finish(accelerator);
}

void reap__device_measure(const reap_device *device, reap_event *event)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_enter(accelerator) != REAP_OK)
        return; /* the command will fail for the same reason */
    void *begin = NULL;
    if (begin_to_measure(accelerator) == REAP_OK &&
        accelerator->driver->record_event(accelerator, REAP__STREAM_COMPUTE, true, &begin) ==
            REAP_OK) {
        accelerator->measures = true;
        event->begin = begin;
    }
    reap__accelerator_leave(accelerator, REAP_OK);
}

void reap__device_record_begin(struct reap__accelerator *accelerator, enum reap__stream stream,
                               struct reap__execution *execution)
{
    reap_event *const event = execution->begins;
    void *begin = NULL;
    if (event == NULL)
        return;
    execution->begins = NULL;
    event->times.started = reap__now();
    event->begins_elsewhere = event->device != &accelerator->device;
    if (event->begins_elsewhere ||
        accelerator->driver->record_event(accelerator, stream, true, &begin) != REAP_OK)
        return;
    accelerator->driver->destroy_event(accelerator, event->begin);
    event->begin = begin;
}

void reap__device_note_times(struct reap__accelerator *accelerator, reap_event *event)
{
    if (event == NULL || event->begin == NULL)
        return;
    if (!event->begins_elsewhere)
        take_times(accelerator, event, event->begin);
    const uint64_t now = reap__now();
    event->times.ended = now;
    if (event->times.started > now)
        event->times.started = now;
}

void reap__device_stop_measuring(const reap_device *device, reap_event *event)
{
    struct reap__accelerator *accelerator = reap__accelerator_of(device);
    if (reap__accelerator_is_foreign(accelerator))
        return;
    reap__accelerator_lock(accelerator);
    accelerator->driver->destroy_event(accelerator, event->begin);
    event->begin = NULL;
    reap__accelerator_unlock(accelerator);
}
