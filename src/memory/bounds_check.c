/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy ends as close to the protected pages after it as its arrays' alignment allows. The gaps
 * between the pages and the copy are filled with a pattern, which is compared afterwards. Only
 * bytes that have changed are written back, so other commands and the program may use other parts
 * of an allocation at the same time.
 */
#include "src/memory/bounds_check.h"

#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/memory/usm.h"
#include "src/port/cancellation.h"
#include "src/port/pages.h"
#include "src/port/watch.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The guard zones on both sides of a copy are as large as the copy, within these bounds. */
enum { PAGE_BYTES = 64 << 10, LEAST_ZONE_BYTES = 1 << 20, PATTERN = 0xdb };
static const size_t most_zone_bytes = (size_t)1 << 30;

/* A buffer or an allocation that the command uses. */
struct copy {
    reap_buffer *buffer;
    const struct reap__parameter *parameter; /* the first array in it */
    const unsigned char *argument;           /* and the begin of that array in the copy */
    size_t alignment;
    bool is_written;
    unsigned char *pages; /* the guard zone, the copy, the second guard zone */
    size_t zone_bytes, data_bytes;
    unsigned char *begin;             /* of the copy */
    unsigned char *old;               /* the contents before; NULL: the command does not write it */
    struct reap__watch before, after; /* of the guard zones */
};

struct guarded {
    struct reap__launch command;
    struct reap__targets targets; /* the command's */
    struct reap__execution execution;
    const struct reap__launch *original;
    unsigned char *arguments;
    unsigned char *variables; /* of the reductions, then their locations */
    size_t copy_count;
    struct copy copies[REAP__MOST_PARAMETERS];
};

static size_t bytes_of(const reap_buffer *buffer)
{
    return (size_t)(buffer->extent.end - buffer->extent.begin);
}

static size_t round_up(size_t bytes)
{
    return (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
}

static reap_status no_memory(const struct guarded *guarded)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY,
                      "kernel '%s': no memory for the copies that REAP_CHECK=1 needs",
                      guarded->original->kernel->name);
}

/* ---- Copies -----------------------------------------------------------------------------------*/

static void note_array(struct guarded *guarded, const struct reap__parameter *parameter)
{
    const void *array = reap__array(guarded->original, parameter);
    reap_buffer *buffer = array != NULL ? reap__registry_find(array, 1) : NULL;
    size_t c = 0;
    if (buffer == NULL)
        return;
    while (c < guarded->copy_count && guarded->copies[c].buffer != buffer)
        c++;
    struct copy *copy = &guarded->copies[c];
    if (c == guarded->copy_count) {
        guarded->copy_count++;
        *copy = (struct copy){.buffer = buffer, .parameter = parameter, .alignment = 1};
    }
    copy->is_written = copy->is_written || parameter->kind != REAP__IN;
    if (parameter->alignment > copy->alignment)
        copy->alignment = parameter->alignment;
}

/* Chooses the begin of the copy, so that arrays have the same alignment as in the buffer, and sets
 * up pattern and guard zones. */
static void place(struct copy *copy)
{
    const size_t bytes = bytes_of(copy->buffer);
    unsigned char *end = copy->pages + copy->zone_bytes + copy->data_bytes;
    copy->begin = end - bytes;
    copy->begin -=
        ((uintptr_t)copy->begin - (uintptr_t)copy->buffer->extent.begin) & (copy->alignment - 1);
    reap__pages_renew(copy->pages + copy->zone_bytes, copy->data_bytes);
    memset(end - copy->data_bytes, PATTERN, (size_t)(copy->begin - (end - copy->data_bytes)));
    memset(copy->begin + bytes, PATTERN, (size_t)(end - (copy->begin + bytes)));
    reap__watch_begin(&copy->before, copy->pages, copy->zone_bytes);
    reap__watch_begin(&copy->after, end, copy->zone_bytes);
}

static reap_status make_copy(const struct guarded *guarded, struct copy *copy)
{
    const size_t bytes = bytes_of(copy->buffer);
    copy->data_bytes = round_up(bytes + copy->alignment);
    copy->zone_bytes = copy->data_bytes < LEAST_ZONE_BYTES  ? LEAST_ZONE_BYTES
                       : copy->data_bytes > most_zone_bytes ? most_zone_bytes
                                                            : copy->data_bytes;
    copy->pages = reap__pages_reserve(2 * copy->zone_bytes + copy->data_bytes);
    if (copy->pages == NULL)
        return no_memory(guarded);
    place(copy);
    REAP_TRY(reap__buffer_read(copy->buffer, 0, copy->begin, bytes));
    if (!copy->is_written)
        return REAP_OK;
    copy->old = reap__allocate(bytes);
    if (copy->old == NULL)
        return no_memory(guarded);
    memcpy(copy->old, copy->begin, bytes);
    return REAP_OK;
}

static void release_copy(struct copy *copy)
{
    reap__free(copy->old);
    if (copy->pages == NULL)
        return;
    reap__watch_end(&copy->before);
    reap__watch_end(&copy->after);
    reap__pages_unmap(copy->pages, 2 * copy->zone_bytes + copy->data_bytes);
}

static reap_status write_back(const struct copy *copy)
{
    const size_t bytes = bytes_of(copy->buffer);
    for (size_t at = 0, end; at < bytes; at = end) {
        while (at < bytes && copy->begin[at] == copy->old[at])
            at++;
        for (end = at; end < bytes && copy->begin[end] != copy->old[end];)
            end++;
        if (end > at)
            REAP_TRY(reap__buffer_write(copy->buffer, at, copy->begin + at, end - at));
    }
    return REAP_OK;
}

/* ---- The command ------------------------------------------------------------------------------*/

static void redirect_array(struct guarded *guarded, const struct reap__parameter *parameter)
{
    const unsigned char *array = reap__array(guarded->original, parameter);
    for (size_t c = 0; c < guarded->copy_count; c++) {
        struct copy *copy = &guarded->copies[c];
        if (array < copy->buffer->extent.begin || array >= copy->buffer->extent.end)
            continue;
        const unsigned char *there = copy->begin + (array - copy->buffer->extent.begin);
        memcpy(guarded->arguments + parameter->offset, &there, sizeof there);
        if (parameter == copy->parameter)
            copy->argument = there;
    }
}

static reap_status copy_arrays(struct guarded *guarded)
{
    const struct reap_kernel *kernel = guarded->original->kernel;
    for (size_t p = 1; p < kernel->parameter_count && guarded->original->items > 0; p++)
        if (reap__is_array(&kernel->parameters[p]))
            note_array(guarded, &kernel->parameters[p]);
    for (size_t c = 0; c < guarded->copy_count; c++)
        REAP_TRY(make_copy(guarded, &guarded->copies[c]));
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            redirect_array(guarded, &kernel->parameters[p]);
    return REAP_OK;
}

/* Lets a reduction end in a variable of the library, instead of the program's. In a try variables
 * begin as zeros: the program's may be written by a command that has not completed. */
static reap_status redirect_target(struct reap__target *target, unsigned char **next, bool is_try)
{
    const size_t bytes = target->count * target->parameter->size;
    size_t taken = 0;
    if (target->part != NULL)
        return REAP_OK;
    reap__add_bytes(&taken, target->count, target->parameter->size);
    if (is_try)
        memset(*next, 0, bytes);
    else
        REAP_TRY(reap__memory_read(target->variable, *next, bytes));
    target->variable = *next;
    *next += taken;
    if (target->location == NULL)
        return REAP_OK;
    if (!is_try)
        REAP_TRY(reap__memory_read(target->location, *next, sizeof *target->location));
    target->location = (uint64_t *)(void *)*next;
    *next += REAP__MEMORY_ALIGNMENT;
    return REAP_OK;
}

static reap_status redirect_targets(struct guarded *guarded, bool is_try)
{
    struct reap__launch *command = &guarded->command;
    size_t bytes = REAP__MEMORY_ALIGNMENT;
    bool fits = true;
    for (size_t s = 0; s < command->scalar_count; s++)
        fits = fits &&
               reap__add_bytes(&bytes, command->scalars[s].count,
                               command->scalars[s].parameter->size) &&
               reap__add_bytes(&bytes, 1, sizeof(uint64_t));
    for (size_t s = 0; s < command->span_count; s++)
        fits = fits &&
               reap__add_bytes(&bytes, command->spans[s].count, command->spans[s].parameter->size);
    guarded->variables = fits ? reap__allocate(bytes) : NULL;
    if (guarded->variables == NULL)
        return no_memory(guarded);
    unsigned char *next = guarded->variables;
    for (size_t s = 0; s < command->scalar_count; s++)
        REAP_TRY(redirect_target(&command->scalars[s], &next, is_try));
    for (size_t s = 0; s < command->span_count; s++)
        REAP_TRY(redirect_target(&command->spans[s], &next, is_try));
    return REAP_OK;
}

static reap_status make(struct guarded *guarded, const struct reap__launch *command, bool is_try)
{
    guarded->original = command;
    reap__launch_copy(command, &guarded->targets, &guarded->command);
    guarded->execution = (struct reap__execution){.event = NULL};
    guarded->command.execution = &guarded->execution;
    guarded->command.completes_at_once = true;
    guarded->arguments = reap__allocate(command->kernel->arguments_size);
    if (guarded->arguments == NULL)
        return no_memory(guarded);
    memcpy(guarded->arguments, command->arguments, command->kernel->arguments_size);
    guarded->command.arguments = guarded->arguments;
    guarded->command.range = (const reap_range *)(const void *)guarded->arguments;
    REAP_TRY(copy_arrays(guarded));
    return redirect_targets(guarded, is_try);
}

static void release(struct guarded *guarded)
{
    for (size_t c = 0; c < guarded->copy_count; c++)
        release_copy(&guarded->copies[c]);
    reap__free(guarded->variables);
    reap__free(guarded->arguments);
    reap__free(guarded);
}

static reap_status write_target(const struct reap__target *to, const struct reap__target *from)
{
    if (to->part != NULL)
        return REAP_OK;
    REAP_TRY(reap__memory_write(to->variable, from->variable, to->count * to->parameter->size));
    return to->location != NULL
               ? reap__memory_write(to->location, from->location, sizeof *to->location)
               : REAP_OK;
}

static reap_status write_results(const struct guarded *guarded)
{
    const struct reap__launch *to = guarded->original, *from = &guarded->command;
    for (size_t c = 0; c < guarded->copy_count; c++)
        if (guarded->copies[c].is_written)
            REAP_TRY(write_back(&guarded->copies[c]));
    for (size_t s = 0; s < to->scalar_count; s++)
        REAP_TRY(write_target(&to->scalars[s], &from->scalars[s]));
    for (size_t s = 0; s < to->span_count; s++)
        REAP_TRY(write_target(&to->spans[s], &from->spans[s]));
    return REAP_OK;
}

/* ---- What was found ---------------------------------------------------------------------------*/

static const unsigned char *find_change(const unsigned char *begin, const unsigned char *end)
{
    while (begin < end && *begin == PATTERN)
        begin++;
    return begin < end ? begin : NULL;
}

/* Returns an address outside of the copy that was accessed; NULL: none. */
static const unsigned char *find_use(const struct copy *copy)
{
    const unsigned char *data = copy->pages + copy->zone_bytes, *end = data + copy->data_bytes;
    const unsigned char *found = reap__watch_touched(&copy->after);
    if (found == NULL)
        found = reap__watch_touched(&copy->before);
    if (found == NULL)
        found = find_change(copy->begin + bytes_of(copy->buffer), end);
    return found != NULL ? found : find_change(data, copy->begin);
}

/* Returns the number of the element at an address; element 0 is at the argument. */
static ptrdiff_t element_at(const struct copy *copy, const unsigned char *address)
{
    const ptrdiff_t bytes = address - copy->argument, size = (ptrdiff_t)copy->parameter->size;
    return bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
}

/* Fails if a work-item has accessed memory outside of a copy. */
static reap_status look(const struct guarded *guarded)
{
    for (size_t c = 0; c < guarded->copy_count; c++) {
        const struct copy *copy = &guarded->copies[c];
        const unsigned char *used = find_use(copy);
        if (used == NULL)
            continue;
        const size_t bytes = bytes_of(copy->buffer);
        return reap__fail(REAP_ERROR_INDEX_OUT_OF_RANGE,
                          "kernel '%s': a work-item used element %td of argument '%s', which is "
                          "outside of the %s of %zu bytes at %p that it points into: elements %td "
                          "to %td are inside",
                          guarded->original->kernel->name, element_at(copy, used),
                          copy->parameter->name,
                          copy->buffer->device == NULL ? "buffer" : "allocation", bytes,
                          (const void *)copy->buffer->extent.begin,
                          element_at(copy, copy->begin + copy->parameter->size - 1),
                          element_at(copy, copy->begin + bytes - copy->parameter->size));
    }
    return REAP_OK;
}

/* ---- Public -----------------------------------------------------------------------------------*/

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while a guarded command runs */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

static reap_status run(const reap_device *device, const struct reap__launch *command, bool is_try)
{
    struct guarded *guarded = reap__allocate(sizeof *guarded);
    if (guarded == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a command");
    memset(guarded, 0, sizeof *guarded);
    reap_status status = make(guarded, command, is_try);
    if (status == REAP_OK)
        status = reap__launch_run(device, &guarded->command);
    if (status == REAP_OK)
        status = look(guarded);
    if (status == REAP_OK && !is_try)
        status = write_results(guarded);
    command->execution->started = guarded->execution.started && !(is_try && status == REAP_OK);
    release(guarded);
    return status;
}

static reap_status run_alone(const reap_device *device, const struct reap__launch *command,
                             bool is_try)
{
    pthread_once(&once, install_fork_handlers);
    reap__cancellation_defer(); /* also for short launches, since they hold the lock */
    pthread_mutex_lock(&lock);
    const reap_status status = run(device, command, is_try);
    pthread_mutex_unlock(&lock);
    reap__cancellation_allow();
    return status;
}

reap_status reap__guarded_run(const reap_device *device, const struct reap__launch *command)
{
    return run_alone(device, command, false);
}

/* Returns the host device, if it is not hidden (REAP_BACKENDS) and can run the command's
 * work-groups; else NULL. */
static const reap_device *host_for(const struct reap__launch *command)
{
    const reap_device *const *devices;
    size_t count, group_items = 1;
    if (reap_device_list(&devices, &count) != REAP_OK || count == 0 ||
        devices[0]->backend != &reap__host_backend)
        return NULL;
    for (unsigned d = 0; reap__has_groups(command->kernel) && d < command->range->dimensions; d++)
        group_items *= command->range->group[d];
    return group_items <= devices[0]->info.max_work_group_size ? devices[0] : NULL;
}

reap_status reap__guarded_try(const struct reap__launch *command)
{
    const reap_device *host = host_for(command);
    return host != NULL && command->items > 0 ? run_alone(host, command, true) : REAP_OK;
}
