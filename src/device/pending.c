/* SPDX-License-Identifier: Apache-2.0
 *
 * A device's list of commands that are not finished, and one piece of memory for their results.
 * Both are filled from the begin, and empty once the device was waited for.
 */
#include "src/device/pending.h"

#include "src/core/event.h"
#include "src/core/finish.h"
#include "src/core/memory.h"
#include "src/core/queue.h"
#include "src/core/status.h"
#include "src/port/fp_environment.h"

#include <assert.h>
#include <string.h>

enum { MOST_COMMANDS = 1024, MOST_RESULTS = 4096, RESULTS_BYTES = 1 << 18, ROOM_BYTES = 512 };

struct result {
    struct reap__target target;
    unsigned char *from; /* a span: NULL where it stays on the device */
};

struct command {
    reap_queue *queue;
    reap_event *event; /* kept; NULL: nobody has it */
    const struct reap_kernel *kernel;
    const unsigned char *view; /* of its results */
    size_t result_count;       /* scalars that come home */
    size_t span_count;         /* spans, the next in the list of results */
};

struct reap__pending {
    struct command commands[MOST_COMMANDS];
    struct result results[MOST_RESULTS];
    size_t command_count;
    size_t result_count;
    struct reap__memory memory; /* of results */
    unsigned char *host;        /* the same, as the host sees it */
    size_t bytes;
    size_t used;
};

static reap_status make(struct reap__accelerator *accelerator)
{
    if (accelerator->pending != NULL)
        return REAP_OK;
    accelerator->pending = reap__allocate(sizeof *accelerator->pending);
    if (accelerator->pending == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the commands of device '%s'",
                          accelerator->device.info.name);
    memset(accelerator->pending, 0, sizeof *accelerator->pending);
    return REAP_OK;
}

static reap_status make_memory(struct reap__accelerator *accelerator, size_t bytes)
{
    struct reap__pending *pending = accelerator->pending;
    void *host;
    if (bytes <= pending->bytes)
        return REAP_OK;
    bytes = bytes > RESULTS_BYTES ? bytes : RESULTS_BYTES;
    REAP_TRY(accelerator->driver->share(accelerator, bytes, &pending->memory, &host));
    pending->host = host;
    pending->bytes = bytes;
    return REAP_OK;
}

reap_status reap__pending_reserve(struct reap__device_launch *launch, unsigned char **view)
{
    struct reap__accelerator *accelerator = launch->accelerator;
    const size_t bytes = (launch->results_bytes + 63) / 64 * 64;
    REAP_TRY(make(accelerator));
    struct reap__pending *pending = accelerator->pending;
    if (pending->used + bytes > pending->bytes || pending->command_count == MOST_COMMANDS ||
        pending->result_count + launch->layout.scalar_count + launch->layout.span_count >
            MOST_RESULTS)
        reap__pending_complete(accelerator); /* their queues hear of what failed */
    REAP_TRY(make_memory(accelerator, bytes));
    launch->memories[REAP__MEMORY_RESULTS] = pending->memory;
    launch->block[REAP__WORD_RESULTS] = pending->used;
    *view = pending->host + pending->used;
    pending->used += bytes;
    if (launch->layout.span_count == 0)
        return REAP_OK;
    memset(*view, 0, REAP__OUTSIDE_BYTES);
    return accelerator->driver->shares_results
               ? REAP_OK
               : accelerator->driver->fill(accelerator, &pending->memory,
                                           launch->block[REAP__WORD_RESULTS], 0,
                                           REAP__OUTSIDE_BYTES);
}

static void add_result(struct reap__pending *pending, const struct reap__target *target,
                       unsigned char *from)
{
    pending->results[pending->result_count++] = (struct result){*target, from};
}

void reap__pending_add(const struct reap__device_launch *launch, unsigned char *view)
{
    struct reap__pending *pending = launch->accelerator->pending;
    const struct reap__layout *layout = &launch->layout;
    struct command *command = &pending->commands[pending->command_count++];
    const size_t first = pending->result_count;
    for (size_t s = 0; s < layout->scalar_count; s++)
        if (!layout->scalars[s].stays)
            add_result(pending, &launch->command->scalars[s], view + layout->scalars[s].delivered);
    *command = (struct command){
        .queue = launch->command->queue,
        .event = launch->command->event,
        .kernel = launch->command->kernel,
        .view = view,
        .result_count = pending->result_count - first,
        .span_count = layout->span_count,
    };
    for (size_t s = 0; s < layout->span_count; s++)
        add_result(pending, &launch->command->spans[s],
                   launch->spans_follow ? view + launch->total_of[s] : NULL);
    reap__event_keep(command->event, layout->span_count > 0);
}

reap_status reap__pending_add_transfer(struct reap__accelerator *accelerator, reap_queue *queue,
                                       reap_event *event)
{
    REAP_TRY(make(accelerator));
    struct reap__pending *pending = accelerator->pending;
    if (pending->command_count == MOST_COMMANDS)
        reap__pending_complete(accelerator); /* its queues hear of what failed */
    pending->commands[pending->command_count++] = (struct command){.queue = queue, .event = event};
    reap__event_keep(event, false);
    return REAP_OK;
}

static bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

bool reap__pending_touches(const struct reap__accelerator *accelerator, const void *memory,
                           size_t bytes)
{
    const struct reap__pending *pending = accelerator->pending;
    for (size_t r = 0; pending != NULL && r < pending->result_count; r++) {
        const struct reap__target *target = &pending->results[r].target;
        if (overlap(memory, bytes, target->variable, target->count * target->parameter->size) ||
            (target->location != NULL &&
             overlap(memory, bytes, target->location, sizeof *target->location)))
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
    return reap__fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                      "kernel '%s': index %td is outside span '%s', which has %zu elements",
                      kernel->name, (ptrdiff_t)index, spans[number]->parameter->name,
                      spans[number]->count);
}

/* A result as the host has it: the location behind the value. */
static void finish(const struct reap__target *target, const unsigned char *from,
                   unsigned char *room)
{
    const struct reap__reduction *reduction = target->reduction;
    const unsigned char *tag = from + reap__tags_offset(reduction->value_size, 1);
    unsigned char *spare = room + reduction->result_size;
    unsigned char is_set = reduction->identity != NULL || *tag != 0;
    memcpy(room, from, reduction->value_size);
    if (reduction->location_offset > 0)
        memcpy(room + reduction->location_offset, tag, sizeof(uint64_t));
    if (reduction->location_offset > 0 && target->identity != NULL) {
        assert(reduction->identity != NULL); /* only built-in operators have locations */
        reduction->identity(spare);
        memcpy(spare, target->identity, reduction->value_size);
        reduction->combine(room, spare, 1);
    }
    const struct reap__results result = {room, reduction->identity == NULL ? &is_set : NULL};
    reap__finish_scalar(target, &result, spare);
}

reap_status reap__finish_result(const struct reap__target *target, const unsigned char *from)
{
    _Alignas(64) unsigned char small[ROOM_BYTES];
    const size_t bytes = 2 * target->reduction->result_size;
    unsigned char *room = bytes <= sizeof small ? small : reap__allocate(bytes);
    if (room == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for the result of reduction '%s'",
                          target->parameter->name);
    finish(target, from, room);
    if (room != small)
        reap__free(room);
    return REAP_OK;
}

/* Finishes a command whose results begin with this one; gives how it ended. */
static reap_status finish_command(const struct command *command, const struct result *results)
{
    const struct reap__target *spans[REAP__MOST_PARAMETERS];
    for (size_t s = 0; s < command->span_count; s++)
        spans[s] = &results[command->result_count + s].target;
    if (command->span_count > 0)
        REAP_TRY(reap__check_outside(command->kernel, command->view, spans));
    for (size_t r = 0; r < command->result_count; r++)
        REAP_TRY(reap__finish_result(&results[r].target, results[r].from));
    for (size_t r = command->result_count; r < command->result_count + command->span_count; r++)
        if (results[r].from != NULL)
            reap__spans_finish(&results[r].target, results[r].from);
    return REAP_OK;
}

reap_status reap__pending_complete(struct reap__accelerator *accelerator)
{
    struct reap__pending *pending = accelerator->pending;
    reap_status first = REAP_OK;
    if (pending == NULL || (pending->used == 0 && pending->command_count == 0))
        return REAP_OK;
    const reap_status finished = reap__accelerator_finish(accelerator);
    const reap__fp_environment before = reap__fp_enter();
    const struct result *results = pending->results;
    for (size_t c = 0; c < pending->command_count; c++) {
        const struct command *command = &pending->commands[c];
        const reap_status status =
            finished != REAP_OK ? finished : finish_command(command, results);
        if (status != REAP_OK)
            reap__queue_note(command->queue, status);
        if (command->event != NULL) {
            reap__event_complete(command->event, status);
            reap_event_release(command->event);
        }
        first = first == REAP_OK ? status : first;
        results += command->result_count + command->span_count;
    }
    reap__fp_leave(before);
    pending->command_count = pending->result_count = pending->used = 0;
    return first;
}
