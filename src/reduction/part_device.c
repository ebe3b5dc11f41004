/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of parts in a device's memory. An array reduction whose values add as integers
 * (part_words.c) combines on the device into an array that stays there, as a variable in device
 * memory does: a launch takes the part's array on its device, or a new one, and returns it. The
 * arrays of a part are read, and added on the host, when something needs the sum.
 */
#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/reduction/part.h"

#include <reap/usm.h>
#include <string.h>

/* ---- Objects ----------------------------------------------------------------------------------*/

void reap__part_arrays_release(struct reap__part_array *arrays)
{
    for (struct reap__part_array *next; arrays != NULL; arrays = next) {
        next = arrays->next;
        if (arrays->memory != NULL)
            reap_free(arrays->memory);
        reap__free(arrays);
    }
}

struct reap__part_array *reap__part_array_create(const reap_device *device, size_t bytes)
{
    struct reap__part_array *array = reap__allocate(sizeof *array);
    if (array == NULL)
        return NULL;
    *array = (struct reap__part_array){.device = device};
    if (reap_malloc_device(device, bytes, &array->memory) == REAP_OK)
        return array;
    reap__free(array);
    return NULL;
}

/* Creates an array whose words are all 0. */
static struct reap__part_array *create_empty(const reap_device *device, size_t bytes,
                                             struct reap__execution *execution)
{
    struct reap__resolved_pointer place;
    struct reap__part_array *array = reap__part_array_create(device, bytes);
    if (array == NULL)
        return NULL;
    reap_status status = reap__buffer_on_device(array->memory, device, true, &place);
    const struct reap__device_address to = {&place.memory, place.offset};
    if (status == REAP_OK)
        status = device->functions->fill(device, &to, 0, bytes, execution);
    if (status == REAP_OK)
        return array;
    reap__part_arrays_release(array);
    return NULL;
}

reap_status reap__part_array_copy(const reap_device *device, const void *words, size_t bytes,
                                  struct reap__part_array **copy)
{
    struct reap__execution execution = {.event = NULL};
    struct reap__resolved_pointer from, to;
    struct reap__part_array *array = reap__part_array_create(device, bytes);
    if (array == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of device '%s'", bytes,
                          device->info.name);
    reap_status status = reap__buffer_on_device(words, device, false, &from);
    if (status == REAP_OK)
        status = reap__buffer_on_device(array->memory, device, true, &to);
    if (status == REAP_OK)
        status = device->functions->copy(
            device, &(struct reap__device_address){&to.memory, to.offset},
            &(struct reap__device_address){&from.memory, from.offset}, bytes, &execution);
    if (status == REAP_OK)
        status = device->functions->follow(device, NULL, NULL);
    if (status == REAP_OK)
        *copy = array;
    else
        reap__part_arrays_release(array);
    return status;
}

/* ---- Launches ---------------------------------------------------------------------------------*/

/* Copying shorter arrays to the host is faster than allocating memory for them. */
size_t reap__part_least_bytes = REAP__PART_LEAST_BYTES;

/* An array takes at most this fraction of a device's memory, which is the program's. */
enum { PART_OF_MEMORY = 8 };

bool reap__part_stays(const struct reap__part_shape *shape, const reap_device *device)
{
    const size_t bytes = reap__part_totals_bytes(shape);
    return shape->is_span && reap__part_has_words(shape) && device->functions->allocate != NULL &&
           device->functions->fill != NULL && bytes >= reap__part_least_bytes &&
           bytes <= device->info.global_memory_bytes / PART_OF_MEMORY;
}

static struct reap__part_array *take_from(reap_part *part, const reap_device *device)
{
    reap__part_lock(part);
    struct reap__part_array **at = &part->arrays;
    while (*at != NULL && (*at)->device != device)
        at = &(*at)->next;
    struct reap__part_array *const array = *at;
    if (array != NULL) {
        *at = array->next;
        array->next = NULL;
    }
    reap__part_unlock(part);
    return array;
}

bool reap__part_array_take(struct reap__part_claim *claim, const reap_device *device,
                           struct reap__execution *execution)
{
    claim->array = take_from(claim->part, device);
    if (claim->array == NULL)
        claim->array =
            create_empty(device, reap__part_totals_bytes(&claim->part->shape), execution);
    return claim->array != NULL;
}

void reap__part_array_give_back(struct reap__part_claim *claim)
{
    reap_part *const part = claim->part;
    struct reap__part_array *const array = claim->array;
    if (array == NULL)
        return;
    claim->array = NULL;
    reap__part_lock(part);
    const bool has_items = part->ranges != NULL; /* else the next launch may have another length */
    if (has_items) {
        array->next = part->arrays;
        part->arrays = array;
    }
    reap__part_unlock(part);
    if (!has_items)
        reap__part_arrays_release(array);
}

/* ---- Gathering --------------------------------------------------------------------------------*/

/* Copies an array to the host. The first copy becomes the totals, others are added to it. */
static reap_status gather(const struct reap__part_shape *shape,
                          const struct reap__part_array *array, unsigned char **totals)
{
    const size_t bytes = reap__part_totals_bytes(shape);
    unsigned char *copy = reap__allocate(bytes);
    if (copy == NULL)
        return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for an array of a part");
    const reap_status status = reap__memory_read(array->memory, copy, bytes);
    if (status == REAP_OK && *totals == NULL) {
        *totals = copy;
        return REAP_OK;
    }
    if (status == REAP_OK)
        reap__part_totals_add(shape, *totals, copy);
    reap__free(copy);
    return status;
}

reap_status reap__part_gather(const struct reap__part_shape *shape,
                              struct reap__part_array **arrays, unsigned char **totals)
{
    while (*arrays != NULL) {
        struct reap__part_array *const array = *arrays;
        REAP_TRY(gather(shape, array, totals));
        *arrays = array->next;
        array->next = NULL;
        reap__part_arrays_release(array);
    }
    return REAP_OK;
}
