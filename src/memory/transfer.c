/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands on memory: copy, fill, prefetch. Each finds where its bytes are valid, in host memory or
 * on the queue's device, and copies as little as possible. Bytes are copied between two devices
 * through host memory. Accesses to the program's own memory have happened when the command has run;
 * those to a device's memory are ordered by the device.
 */
#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/sizes.h"
#include "src/memory/registry.h"
#include "src/memory/usm.h"
#include "src/queue/command.h"
#include "src/queue/queue.h"

#include <reap/usm.h>
#include <stdint.h>
#include <string.h>

enum { MOST_PATTERN_BYTES = 4096, CHUNK_BYTES = 4096 };

/* One side of a command: bytes, and the buffer or allocation that they lie in; NULL: none. */
struct side {
    unsigned char *bytes;
    reap_buffer *buffer;
};

struct transfer {
    reap_queue *queue;
    const char *call;
    struct side to;
    struct side from;
    size_t bytes;
    const void *pattern;
    size_t pattern_bytes;
};

/* A place where a side's bytes are valid. */
struct position {
    unsigned char *host; /* NULL: the bytes are on the device: */
    struct reap__memory memory;
    size_t offset;
};

static bool has_own_memory(const reap_device *device)
{
    return device->functions->allocate != NULL;
}

static size_t size_of(const reap_buffer *buffer)
{
    return (size_t)(buffer->extent.end - buffer->extent.begin);
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static reap_status check_extent(const struct transfer *transfer, const struct side *side)
{
    const uintptr_t begin = (uintptr_t)side->bytes;
    const uintptr_t first = (uintptr_t)side->buffer->extent.begin;
    if (begin >= first && transfer->bytes <= (uintptr_t)side->buffer->extent.end - begin)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: %zu bytes at %p do not lie wholly in the %s of %zu bytes at %p, which "
                      "they touch",
                      transfer->call, transfer->bytes, (const void *)side->bytes,
                      side->buffer->device == NULL ? "buffer" : "allocation", size_of(side->buffer),
                      (const void *)side->buffer->extent.begin);
}

/* Fails if the queue's device cannot access the memory. All devices accept the program's own
 * memory, and allocations that the host can access. */
static reap_status check_reach(const struct transfer *transfer, const struct side *side)
{
    const reap_device *device = transfer->queue->device;
    const reap_device *owner = side->buffer->device;
    if (side->buffer->kind != REAP_MEMORY_DEVICE || owner == device || !has_own_memory(owner))
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "%s: %p is device memory of device '%s', which device '%s' of the queue "
                      "cannot reach: use a queue of '%s', and copy through the host's memory",
                      transfer->call, (const void *)side->bytes, owner->info.name,
                      device->info.name, owner->info.name);
}

static reap_status find_side(const struct transfer *transfer, const void *memory, struct side *side)
{
    if (memory == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: a pointer is NULL", transfer->call);
    if (transfer->bytes > UINTPTR_MAX - (uintptr_t)memory)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: %zu bytes at %p go beyond the end of the address space",
                          transfer->call, transfer->bytes, memory);
    memcpy(&side->bytes, &memory, sizeof side->bytes);
    side->buffer = reap__registry_find(memory, transfer->bytes);
    if (side->buffer == NULL)
        return REAP_OK;
    REAP_TRY(check_extent(transfer, side));
    return check_reach(transfer, side);
}

static reap_status check_overlap(const struct transfer *transfer)
{
    const uintptr_t to = (uintptr_t)transfer->to.bytes, from = (uintptr_t)transfer->from.bytes;
    if (to - from >= transfer->bytes && from - to >= transfer->bytes)
        return REAP_OK;
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: %zu bytes at %p and at %p overlap",
                      transfer->call, transfer->bytes, (const void *)transfer->from.bytes,
                      (const void *)transfer->to.bytes);
}

/* ---- Positions --------------------------------------------------------------------------------*/

/* The execution of what migrates before a command: the command begins with it, but its event is
 * that of the command's own work. */
static struct reap__execution begin_migration(const struct reap__execution *execution)
{
    return (struct reap__execution){.begins = execution->begins};
}

static void place_on_device(const struct side *side, struct position *position)
{
    position->host = NULL;
    position->offset = (size_t)(side->bytes - side->buffer->extent.begin);
}

/* The host memory of a side, if it has any. */
static unsigned char *in_host_memory(const struct side *side)
{
    if (side->buffer == NULL || side->buffer->coherence.is_fixed)
        return side->bytes;
    return side->buffer->coherence.host + (side->bytes - side->buffer->extent.begin);
}

/* Finds where to read: on the queue's device if it can access the bytes and they are valid there,
 * else in host memory. */
static reap_status find_source(const struct transfer *transfer, struct reap__execution *migration,
                               struct position *position)
{
    const struct side *from = &transfer->from;
    const reap_device *device = transfer->queue->device;
    *position = (struct position){.host = in_host_memory(from)};
    if (from->buffer == NULL)
        return REAP_OK;
    if (has_own_memory(device) && reap__usm_reaches(device, from->buffer) &&
        reap__coherence_is_valid_on(&from->buffer->coherence, device, &position->memory)) {
        place_on_device(from, position);
        return REAP_OK;
    }
    return reap__coherence_to_host(
        &from->buffer->coherence,
        (struct reap__access_mode){.reads = true,
                                   .writes = reap__is_moving_allocation(from->buffer),
                                   .execution = migration});
}

/* Finds where to write: on the queue's device if it has own memory and can access the bytes, else
 * in host memory. */
static reap_status find_target(const struct transfer *transfer, struct reap__execution *migration,
                               struct position *position)
{
    const struct side *to = &transfer->to;
    const reap_device *device = transfer->queue->device;
    const bool is_part = to->buffer != NULL && transfer->bytes < size_of(to->buffer);
    const struct reap__access_mode access = {
        .reads = is_part, .writes = true, .execution = migration};
    *position = (struct position){.host = in_host_memory(to)};
    if (to->buffer == NULL)
        return REAP_OK;
    if (!has_own_memory(device) || !reap__usm_reaches(device, to->buffer))
        return reap__coherence_to_host(&to->buffer->coherence, access);
    place_on_device(to, position);
    return reap__coherence_to_device(&to->buffer->coherence, device, access, &position->memory);
}

/* Waits for commands of the device that write their results to this host memory. */
static reap_status settle(const struct transfer *transfer, const struct position *position)
{
    const reap_device *device = transfer->queue->device;
    if (position->host == NULL || device->functions->settle == NULL)
        return REAP_OK;
    return device->functions->settle(device, position->host, transfer->bytes);
}

/* ---- Commands ---------------------------------------------------------------------------------*/

/* For a command that gave the device no work: its event still follows the device's earlier
 * commands. */
static reap_status follow_without_work(const struct transfer *transfer,
                                       struct reap__execution *execution)
{
    const reap_device *device = transfer->queue->device;
    if (execution->event == NULL || device->functions->follow == NULL)
        return REAP_OK;
    return device->functions->follow(device, transfer->queue, execution);
}

static reap_status copy(void *command, struct reap__execution *execution)
{
    const struct transfer *transfer = command;
    const reap_device *device = transfer->queue->device;
    const struct reap__device_functions *functions = device->functions;
    struct reap__execution migration = begin_migration(execution);
    struct position from, to;
    if (transfer->bytes == 0)
        return follow_without_work(transfer, execution);
    REAP_TRY(find_source(transfer, &migration, &from));
    REAP_TRY(settle(transfer, &from));
    REAP_TRY(find_target(transfer, &migration, &to));
    REAP_TRY(settle(transfer, &to));
    execution->begins = migration.begins;
    const struct reap__device_address there = {&from.memory, from.offset},
                                      here = {&to.memory, to.offset};
    execution->started = true;
    if (to.host != NULL && from.host != NULL)
        memcpy(to.host, from.host, transfer->bytes);
    else if (to.host != NULL)
        return functions->read(device, &there, to.host, transfer->bytes, execution);
    if (to.host != NULL)
        return follow_without_work(transfer, execution);
    if (from.host != NULL)
        REAP_TRY(functions->write(device, &here, from.host, transfer->bytes, execution));
    else
        REAP_TRY(functions->copy(device, &here, &there, transfer->bytes, execution));
    return functions->follow(device, transfer->queue, execution);
}

/* Fills memory whose first `filled` bytes have whole patterns, by doubling. */
static void repeat(unsigned char *memory, size_t filled, size_t bytes)
{
    for (size_t more; filled < bytes; filled += more) {
        more = reap__least(filled, bytes - filled);
        memcpy(memory + filled, memory, more);
    }
}

static bool is_one_byte(const struct transfer *transfer)
{
    const unsigned char *pattern = transfer->pattern;
    return memcmp(pattern, pattern + 1, transfer->pattern_bytes - 1) == 0;
}

/* Devices cannot fill with patterns of every size: so the host writes the first copies of the
 * pattern, and the device doubles them. */
static reap_status fill_on_device(const struct transfer *transfer, const struct position *to,
                                  struct reap__execution *execution)
{
    const struct reap__device_address begin = {&to->memory, to->offset};
    const reap_device *device = transfer->queue->device;
    const struct reap__device_functions *functions = device->functions;
    unsigned char chunk[CHUNK_BYTES];
    const size_t whole = CHUNK_BYTES / transfer->pattern_bytes * transfer->pattern_bytes;
    const size_t first = reap__least(whole, transfer->bytes);
    if (is_one_byte(transfer))
        return functions->fill(device, &begin, *(const unsigned char *)transfer->pattern,
                               transfer->bytes, execution);
    memcpy(chunk, transfer->pattern, transfer->pattern_bytes);
    repeat(chunk, transfer->pattern_bytes, first);
    REAP_TRY(functions->write(device, &begin, chunk, first, execution));
    /* Without the event, whose command has begun. */
    struct reap__execution rest = {.timeline = execution->timeline};
    for (size_t filled = first, more; filled < transfer->bytes; filled += more) {
        more = reap__least(filled, transfer->bytes - filled);
        REAP_TRY(functions->copy(device,
                                 &(struct reap__device_address){&to->memory, to->offset + filled},
                                 &begin, more, &rest));
    }
    execution->timeline = rest.timeline;
    return REAP_OK;
}

static reap_status fill(void *command, struct reap__execution *execution)
{
    const struct transfer *transfer = command;
    struct reap__execution migration = begin_migration(execution);
    struct position to;
    if (transfer->bytes == 0)
        return follow_without_work(transfer, execution);
    REAP_TRY(find_target(transfer, &migration, &to));
    REAP_TRY(settle(transfer, &to));
    execution->begins = migration.begins;
    execution->started = true;
    if (to.host == NULL) {
        REAP_TRY(fill_on_device(transfer, &to, execution));
        return transfer->queue->device->functions->follow(transfer->queue->device, transfer->queue,
                                                          execution);
    }
    memcpy(to.host, transfer->pattern, transfer->pattern_bytes);
    repeat(to.host, transfer->pattern_bytes, transfer->bytes);
    return follow_without_work(transfer, execution);
}

/* Does nothing for an allocation that the device cannot access: a copy there would not have what
 * the program writes later, and commands of the device copy from the allocation itself. */
static reap_status move_ahead(const struct transfer *transfer, struct reap__execution *execution)
{
    const reap_device *device = transfer->queue->device;
    const struct side *from = &transfer->from;
    struct reap__execution migration = begin_migration(execution);
    struct reap__memory memory;
    if (transfer->bytes == 0 || from->buffer == NULL || !reap__usm_reaches(device, from->buffer))
        return REAP_OK;
    struct reap__coherence *coherence = &from->buffer->coherence;
    execution->started = true;
    if (coherence->is_fixed) {
        const reap_device *owner = from->buffer->device;
        if (from->buffer->kind != REAP_MEMORY_SHARED || owner->functions->prefetch == NULL)
            return REAP_OK;
        return owner->functions->prefetch(owner, &coherence->copies[0].memory,
                                          (size_t)(from->bytes - from->buffer->extent.begin),
                                          transfer->bytes, !has_own_memory(device));
    }
    if (!has_own_memory(device))
        return reap__coherence_to_host(
            coherence, (struct reap__access_mode){
                           .reads = true, .writes = reap__is_moving_allocation(from->buffer)});
    REAP_TRY(reap__coherence_to_device(
        coherence, device, (struct reap__access_mode){.reads = true, .execution = &migration},
        &memory));
    if (memory.last_access != NULL) /* the bytes are valid there, so readers do not change it */
        reap__timeline_join(&execution->timeline, &memory.last_access->written);
    return REAP_OK;
}

static reap_status prefetch(void *command, struct reap__execution *execution)
{
    const struct transfer *transfer = command;
    REAP_TRY(move_ahead(transfer, execution));
    return follow_without_work(transfer, execution);
}

/* ---- Public -----------------------------------------------------------------------------------*/

static reap_status begin(const char *call, reap_queue *queue, size_t bytes,
                         struct transfer *transfer)
{
    *transfer = (struct transfer){.queue = queue, .call = call, .bytes = bytes};
    if (queue == NULL) {
        reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the queue is NULL", call);
        return REAP_ERROR_INVALID_ARGUMENT;
    }
    if (reap__is_in_kernel(queue->device->backend))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: it is called by a running kernel: call it from outside of kernels",
                          call);
    return REAP_OK;
}

/* Copies a command to memory of its own, with the pattern after it. */
static void *keep(const void *command)
{
    const struct transfer *transfer = command;
    size_t bytes = 0, before;
    reap__add_bytes(&bytes, 1, sizeof *transfer);
    before = bytes;
    reap__add_bytes(&bytes, 1, transfer->pattern_bytes);
    struct transfer *kept = reap__allocate(bytes);
    if (kept == NULL)
        return NULL;
    *kept = *transfer;
    if (transfer->pattern != NULL)
        kept->pattern = memcpy((char *)kept + before, transfer->pattern, transfer->pattern_bytes);
    return kept;
}

static const struct reap__submission_kind copies = {copy, keep, copy, NULL},
                                          fills = {fill, keep, fill, NULL},
                                          prefetches = {prefetch, keep, prefetch, NULL};

static struct reap__buffer_access target_use(const struct transfer *transfer)
{
    const bool is_part = transfer->bytes < size_of(transfer->to.buffer);
    return (struct reap__buffer_access){
        .writes = true, .need = is_part ? REAP__NEEDS_CONTENTS : REAP__NEEDS_NOTHING};
}

/* A prefetch moves bytes without reading them, so it does not fail if they are poisoned. */
static struct reap__buffer_access source_use(const struct transfer *transfer)
{
    const bool is_copy = transfer->to.bytes != NULL;
    return (struct reap__buffer_access){.reader = is_copy ? "from" : NULL,
                                        .need =
                                            is_copy ? REAP__NEEDS_CONTENTS : REAP__NEEDS_NOTHING};
}

static reap_status submit(struct transfer *transfer, const reap_launch_options *options,
                          const struct reap__submission_kind *kind)
{
    static const reap_launch_options none = {.event = NULL};
    struct reap__wait_entry entries[2];
    struct reap__access_set accesses = {.list = entries};
    if (options != NULL && options->first_item != 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "%s: options->first_item is for launches into parts", transfer->call);
    if (transfer->to.buffer != NULL)
        reap__access_set_add_buffer(&accesses, transfer->to.buffer, target_use(transfer));
    if (transfer->from.buffer != NULL)
        reap__access_set_add_buffer(&accesses, transfer->from.buffer, source_use(transfer));
    return reap__submit(&(const struct reap__submission){
        .queue = transfer->queue,
        .options = options != NULL ? options : &none,
        .call = transfer->call,
        .accesses = &accesses,
        .kind = kind,
        .command = transfer,
    });
}

reap_status reap_copy(reap_queue *queue, void *to, const void *from, size_t bytes,
                      const reap_launch_options *options)
{
    struct transfer transfer;
    REAP_TRY(begin(__func__, queue, bytes, &transfer));
    if (bytes > 0) {
        REAP_TRY(find_side(&transfer, to, &transfer.to));
        REAP_TRY(find_side(&transfer, from, &transfer.from));
        REAP_TRY(check_overlap(&transfer));
    }
    return submit(&transfer, options, &copies);
}

reap_status reap_fill(reap_queue *queue, void *memory, const void *pattern, size_t pattern_bytes,
                      size_t count, const reap_launch_options *options)
{
    struct transfer transfer;
    if (pattern == NULL || pattern_bytes == 0 || pattern_bytes > MOST_PATTERN_BYTES)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          pattern == NULL ? "reap_fill: the pattern is NULL"
                                          : "reap_fill: a pattern must have 1 to %d bytes, not %zu",
                          MOST_PATTERN_BYTES, pattern_bytes);
    const reap_buffer *buffer = reap__registry_find(pattern, pattern_bytes);
    if (buffer != NULL && buffer->kind == REAP_MEMORY_DEVICE && has_own_memory(buffer->device))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_fill: the pattern at %p is in memory of device '%s', and the host "
                          "cannot read it there",
                          pattern, buffer->device->info.name);
    if (count > SIZE_MAX / pattern_bytes)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_fill: %zu elements of %zu bytes are more than any memory holds",
                          count, pattern_bytes);
    REAP_TRY(begin(__func__, queue, count * pattern_bytes, &transfer));
    transfer.pattern = pattern;
    transfer.pattern_bytes = pattern_bytes;
    if (count > 0)
        REAP_TRY(find_side(&transfer, memory, &transfer.to));
    return submit(&transfer, options, &fills);
}

reap_status reap_prefetch(reap_queue *queue, const void *memory, size_t bytes,
                          const reap_launch_options *options)
{
    struct transfer transfer;
    REAP_TRY(begin(__func__, queue, bytes, &transfer));
    if (bytes > 0)
        REAP_TRY(find_side(&transfer, memory, &transfer.from));
    return submit(&transfer, options, &prefetches);
}
