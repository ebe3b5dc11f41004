/* SPDX-License-Identifier: Apache-2.0 */
/* See reach.h. An extent is a range of memory with some arrays. */
#include "python/extension/reach.h"

#include <pthread.h>
#include <reap/buffer.h>
#include <reap/device.h>
#include <reap/native.h>
#include <reap/usm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct extent {
    uintptr_t first, end; /* equal for arrays without elements */
    bool is_on_device;
    reap_buffer *buffer; /* of ordinary memory */
    void *imported;      /* of a device's */
};

struct reap__py_reach {
    size_t count;
    struct extent extents[];
};

/* Held while arrays are in buffers, or imported. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct extent extent_of(const reap__py_array *from)
{
    const reap_array *const array = &from->array;
    const uintptr_t data = (uintptr_t)array->data;
    struct extent extent = {.first = data, .end = data};
    extent.is_on_device = from->place.ordinal != REAP__PY_IN_PROGRAM;
    for (unsigned d = 0; d < array->dimensions; d++) {
        if (array->shape[d] == 0)
            return (struct extent){.first = data, .end = data};
        const ptrdiff_t last = (ptrdiff_t)(array->shape[d] - 1) * array->strides[d];
        if (last < 0)
            extent.first -= (uintptr_t)-last;
        else
            extent.end += (uintptr_t)last;
    }
    extent.end += from->view.obj ? (uintptr_t)from->view.itemsize : reap_type_size(array->type);
    return extent;
}

static int compare(const void *a, const void *b)
{
    const struct extent *const x = a, *const y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* The memory that the arrays are in; extents that overlap are one. */
static void find_extents(reap__py_reach *reach, const reap__py_array *arrays, size_t count)
{
    struct extent *const extents = reach->extents;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        extents[found] = extent_of(&arrays[i]);
        const bool is_used = extents[found].is_on_device || !arrays[i].is_unreached;
        found += is_used && extents[found].first != extents[found].end;
    }
    qsort(extents, found, sizeof *extents, compare);
    for (size_t i = 0; i < found; i++) {
        struct extent *const last = &extents[reach->count - (reach->count > 0)];
        if (reach->count == 0 || extents[i].first >= last->end)
            extents[reach->count++] = extents[i];
        else if (extents[i].end > last->end)
            last->end = extents[i].end;
    }
}

static reap_status reach_extent(const reap_device *device, struct extent *extent)
{
    const size_t bytes = (size_t)(extent->end - extent->first);
    if (!extent->is_on_device)
        return reap_buffer_wrap(reap__py_pointer(extent->first), bytes, &extent->buffer);
    const reap_native_memory memory = {.address = extent->first};
    return reap_memory_import(device, &memory, bytes, &extent->imported);
}

reap_status reap__py_reach_arrays(reap_queue *queue, const reap__py_array *arrays, size_t count,
                                  reap__py_reach **reach)
{
    reap__py_reach *const made = calloc(1, sizeof *made + (count + 1) * sizeof *made->extents);
    if (!made)
        return REAP_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    find_extents(made, arrays, count);
    for (size_t i = 0; i < made->count; i++) {
        const reap_status status = reach_extent(reap_queue_device(queue), &made->extents[i]);
        if (status != REAP_OK) {
            reap__py_unreach(made);
            return status;
        }
    }
    *reach = made;
    return REAP_OK;
}

reap_status reap__py_unreach(reap__py_reach *reach)
{
    reap_status status = REAP_OK;
    for (size_t i = 0; i < reach->count; i++) {
        struct extent *const extent = &reach->extents[i];
        const reap_status released = extent->buffer     ? reap_buffer_release(extent->buffer)
                                     : extent->imported ? reap_free(extent->imported)
                                                        : REAP_OK;
        status = status == REAP_OK ? released : status;
    }
    pthread_mutex_unlock(&lock);
    free(reach);
    return status;
}
