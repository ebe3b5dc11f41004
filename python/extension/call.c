/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library: see call.h. An in-order queue runs one command at a time, so each call has
 * a queue alone, from a list of idle ones.
 *
 * Arrays are ordinary memory, which only the host reaches. For another device they are wrapped in
 * buffers for the time of a call. Two buffers cannot overlap, so arrays that do share one, and such
 * calls of several threads run one after the other. */
#include "python/extension/call.h"
#include <pthread.h>
#include <reap/buffer.h>
#include <reap/device.h>
#include <stdio.h>
#include <string.h>

enum { MOST_IDLE_QUEUES = 16, MESSAGE_BYTES = 1024 };

/* The global interpreter lock protects these. */
static reap_queue *idle_queues[MOST_IDLE_QUEUES];
static size_t idle_queue_count;
static PyObject *error_class;

/* Held while arrays are wrapped. It is taken without the global interpreter lock. */
static pthread_mutex_t wrapped = PTHREAD_MUTEX_INITIALIZER;

struct call {
    reap__py_work *work;
    void *context;
    const reap_array *const *arrays;
    size_t array_count;
    reap_queue *queue;           /**< NULL: none was idle */
    char message[MESSAGE_BYTES]; /**< of the first failure */
};

/* A range of memory: no bytes for an array without elements. */
struct extent {
    const char *first, *end;
};

static struct extent extent_of(const reap_array *array)
{
    const char *const data = array->data;
    struct extent extent = {data, data + reap_type_size(array->type)};
    for (unsigned d = 0; d < array->dimensions; d++) {
        if (array->shape[d] == 0)
            return (struct extent){data, data};
        const ptrdiff_t last = (ptrdiff_t)(array->shape[d] - 1) * array->strides[d];
        if (last < 0)
            extent.first += last;
        else
            extent.end += last;
    }
    return extent;
}

static reap_status note(struct call *call, reap_status status)
{
    if (status != REAP_OK && !call->message[0])
        snprintf(call->message, sizeof call->message, "%s", reap_last_error());
    return status;
}

static bool overlap(struct extent a, struct extent b)
{
    return (uintptr_t)a.first < (uintptr_t)b.end && (uintptr_t)b.first < (uintptr_t)a.end;
}

/* The ranges of memory that the arrays are in; those that overlap are one. */
static size_t find_extents(const struct call *call, struct extent *extents)
{
    size_t count = 0;
    for (size_t i = 0; i < call->array_count; i++) {
        struct extent next = extent_of(call->arrays[i]);
        if (next.first == next.end)
            continue;
        for (size_t e = 0; e < count;) {
            if (!overlap(next, extents[e])) {
                e++;
                continue;
            }
            if ((uintptr_t)extents[e].first < (uintptr_t)next.first)
                next.first = extents[e].first;
            if ((uintptr_t)extents[e].end > (uintptr_t)next.end)
                next.end = extents[e].end;
            extents[e] = extents[--count];
            e = 0; /* it is longer now */
        }
        extents[count++] = next;
    }
    return count;
}

static reap_status work_on_buffers(struct call *call)
{
    struct extent extents[REAP__PY_MOST_ARRAYS];
    reap_buffer *buffers[REAP__PY_MOST_ARRAYS] = {NULL};
    const size_t count = find_extents(call, extents);
    reap_status status = REAP_OK;
    for (size_t i = 0; i < count && status == REAP_OK; i++) {
        const size_t bytes = (size_t)(extents[i].end - extents[i].first);
        status = note(call, reap_buffer_wrap(extents[i].first, bytes, &buffers[i]));
    }
    if (status == REAP_OK)
        status = note(call, call->work(call->queue, call->context));
    for (size_t i = 0; i < count; i++) {
        const reap_status released = note(call, reap_buffer_release(buffers[i]));
        status = status == REAP_OK ? released : status;
    }
    return status;
}

static reap_status work_on_queue(struct call *call)
{
    reap_device_info info;
    if (!call->queue) {
        const reap_status status = note(call, reap_queue_create(NULL, NULL, &call->queue));
        if (status != REAP_OK)
            return status;
    }
    reap_status status = note(call, reap_device_get_info(reap_queue_device(call->queue), &info));
    if (status != REAP_OK)
        return status;
    if (strcmp(info.backend, "host") == 0)
        return note(call, call->work(call->queue, call->context));
    pthread_mutex_lock(&wrapped);
    status = work_on_buffers(call);
    pthread_mutex_unlock(&wrapped);
    return status;
}

bool reap__py_call(reap__py_work *work, void *context, const reap_array *const *arrays,
                   size_t count)
{
    struct call call = {work, context, arrays, count, NULL, ""};
    if (idle_queue_count > 0)
        call.queue = idle_queues[--idle_queue_count];
    PyThreadState *const thread = PyEval_SaveThread();
    const reap_status status = work_on_queue(&call);
    PyEval_RestoreThread(thread);
    if (call.queue && idle_queue_count < MOST_IDLE_QUEUES)
        idle_queues[idle_queue_count++] = call.queue;
    else
        reap_queue_release(call.queue);
    if (status != REAP_OK)
        reap__py_raise(status, call.message);
    return status == REAP_OK;
}

void reap__py_raise(reap_status status, const char *message)
{
    /* A name or a log in it may have any bytes, and may have been cut. */
    PyObject *const text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (!text)
        return;
    if (status == REAP_ERROR_INVALID_ARGUMENT) {
        PyErr_SetObject(PyExc_ValueError, text);
    } else if (status == REAP_ERROR_OUT_OF_MEMORY) {
        PyErr_SetObject(PyExc_MemoryError, text);
    } else {
        PyObject *const error = PyObject_CallFunctionObjArgs(error_class, text, NULL);
        PyObject *const name = PyUnicode_FromString(reap_status_name(status));
        if (error && name && PyObject_SetAttrString(error, "status", name) == 0)
            PyErr_SetObject(error_class, error);
        Py_XDECREF(name);
        Py_XDECREF(error);
    }
    Py_DECREF(text);
}

bool reap__py_add_error(PyObject *module)
{
    const char *const text = "A failure of the library: of a device, or of its driver.\n\n"
                             "`status` is the name of the status, such as "
                             "'REAP_ERROR_NO_DEVICE'.";
    error_class = PyErr_NewExceptionWithDoc("reap.Error", text, PyExc_RuntimeError, NULL);
    return error_class && PyModule_AddObjectRef(module, "Error", error_class) == 0;
}
