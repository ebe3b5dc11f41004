/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library: see call.h. An in-order queue runs one command at a time, so each call has
 * a queue alone, from a list of idle ones; on a CUDA stream other than the default one, a queue
 * that it makes. The stream is that of the first array on a device, and waits for those of the
 * others. A call returns when its work has ended, so no stream has to wait for it.
 *
 * Python handles Ctrl-C in its main thread, and only when asked to. There a call that may be long
 * runs in a thread of its own, and the main thread asks in between. After an interrupt it leaves
 * the call to that thread, which puts it into a list when it has ended; the next call releases it,
 * since only a thread of Python's may. */
#include "python/extension/call.h"

#include "python/extension/reach.h"
#include <pthread.h>
#include <reap/device.h>
#include <reap/event.h>
#include <reap/native.h>
#include <reap/usm.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_IDLE_QUEUES = 16,
    MOST_KNOWN = 64,
    MESSAGE_BYTES = 1024,
    LONG_BYTES = 1 << 24,         /* of arrays: a millisecond */
    LONG_BYTES_OF_CARD = 1 << 30, /* the same on a CUDA device */
    SLICE_NANOSECONDS = 50000000
};

struct call {
    reap__py_call open; /* what callers see */
    reap__py_work *work;
    size_t most_arrays;
    reap__py_place place;
    reap_queue *queue; /* NULL: none was idle */
    reap_status status;
    char message[MESSAGE_BYTES]; /* of the first failure */

    pthread_mutex_t lock; /* for the members below */
    pthread_cond_t ended;
    bool has_ended, is_abandoned;
    struct call *next; /* of those that were abandoned and have ended */
};

/* What has run on a CUDA device, so that its kernels are compiled; those of another reduction of
 * the same function may be not. */
struct known {
    reap__py_work *work;
    int ordinal;
    reap_type type; /* of the first array */
};

/* The global interpreter lock protects these. Idle queues are on the default device, or on a CUDA
 * device's default stream. */
static struct {
    reap_queue *queue;
    int ordinal;
} idle_queues[MOST_IDLE_QUEUES];
static size_t idle_queue_count;
static struct known known[MOST_KNOWN];
static size_t known_count;
static PyObject *error_class;
static unsigned long main_thread;

/* Calls that were abandoned and have ended. */
static _Atomic(struct call *) leftovers;

/* Whether the default device is not the host, once a call has found out. */
static atomic_bool is_elsewhere;

/* ---- Making a call ----------------------------------------------------------------------------*/

/* After a failure later calls get another queue: the failure may be the device's. */
static void release_queue(struct call *call)
{
    if (!call->queue || call->place.stream || call->status != REAP_OK ||
        idle_queue_count == MOST_IDLE_QUEUES) {
        reap_queue_release(call->queue);
        return;
    }
    idle_queues[idle_queue_count].queue = call->queue;
    idle_queues[idle_queue_count++].ordinal = call->place.ordinal;
}

/* NULL: none is idle. */
static reap_queue *take_queue(const reap__py_place *place)
{
    for (size_t i = 0; i < idle_queue_count && !place->stream; i++)
        if (idle_queues[i].ordinal == place->ordinal) {
            reap_queue *const queue = idle_queues[i].queue;
            idle_queues[i] = idle_queues[--idle_queue_count];
            return queue;
        }
    return NULL;
}

static void release(struct call *call)
{
    for (size_t i = 0; i < call->open.array_count; i++)
        reap__py_array_close(&call->open.arrays[i]);
    release_queue(call);
    pthread_mutex_destroy(&call->lock);
    pthread_cond_destroy(&call->ended);
    Py_XDECREF(call->open.kept);
    free(call->open.arrays);
    free(call->open.context);
    free(call);
}

static void release_leftovers(void)
{
    if (!atomic_load_explicit(&leftovers, memory_order_relaxed))
        return;
    for (struct call *next, *call = atomic_exchange(&leftovers, NULL); call; call = next) {
        next = call->next;
        release(call);
    }
}

reap__py_call *reap__py_call_create(reap__py_work *work, size_t context_bytes, size_t most_arrays)
{
    release_leftovers();
    struct call *const call = malloc(sizeof *call);
    void *const context = calloc(1, context_bytes + 1);
    reap__py_array *const arrays = malloc((most_arrays + 1) * sizeof *arrays);
    if (!call || !context || !arrays) {
        free(call);
        free(context);
        free(arrays);
        PyErr_NoMemory();
        return NULL;
    }
    call->open = (reap__py_call){.context = context, .arrays = arrays};
    call->work = work;
    call->most_arrays = most_arrays;
    call->place = (reap__py_place){REAP__PY_IN_PROGRAM, NULL};
    call->queue = NULL;
    call->status = REAP_OK;
    call->message[0] = '\0';
    call->has_ended = call->is_abandoned = false;
    pthread_mutex_init(&call->lock, NULL);
    pthread_cond_init(&call->ended, NULL);
    return &call->open;
}

const reap_array *reap__py_call_open(reap__py_call *open, PyObject *object, unsigned flags)
{
    struct call *const call = (struct call *)open;
    if (!call)
        return NULL;
    if (open->array_count == call->most_arrays) {
        PyErr_SetString(PyExc_SystemError, "a call has too many arrays");
        return NULL;
    }
    reap__py_array *const array = &open->arrays[open->array_count];
    if (!reap__py_array_open(object, flags, array))
        return NULL;
    open->array_count++;
    return &array->array;
}

void reap__py_call_release(reap__py_call *open)
{
    struct call *const call = (struct call *)open;
    if (!call)
        return;
    pthread_mutex_lock(&call->lock);
    const bool goes_on = call->is_abandoned && !call->has_ended;
    pthread_mutex_unlock(&call->lock);
    if (!goes_on)
        release(call);
}

/* ---- What it does, without the lock of the interpreter ----------------------------------------*/

static reap_status note(struct call *call, reap_status status)
{
    if (status != REAP_OK && !call->message[0])
        snprintf(call->message, sizeof call->message, "%s", reap_last_error());
    return status;
}

static reap_status make_queue(struct call *call)
{
    if (call->place.ordinal == REAP__PY_IN_PROGRAM)
        return reap_queue_create(NULL, NULL, &call->queue);
    char name[32];
    const reap_device *device;
    snprintf(name, sizeof name, "cuda:%d", call->place.ordinal);
    const reap_status status = reap_device_find(name, &device);
    if (status != REAP_OK)
        return status;
    return reap_queue_create_native(device, NULL, call->place.stream, &call->queue);
}

/* Has a queue run its later commands after what a stream has: an event of an empty command that
 * follows the stream is waited for by one of the queue. */
static reap_status follow_stream(reap_queue *queue, void *stream)
{
    reap_queue *there;
    reap_event *reached = NULL;
    reap_status status = reap_queue_create_native(reap_queue_device(queue), NULL, stream, &there);
    if (status != REAP_OK)
        return status;
    status = reap_copy(there, NULL, NULL, 0, &(reap_launch_options){.event = &reached});
    if (status == REAP_OK)
        status = reap_copy(queue, NULL, NULL, 0,
                           &(reap_launch_options){.wait_for = &reached, .wait_for_count = 1});
    reap_event_release(reached);
    reap_queue_release(there);
    return status;
}

/* Whether an array is on a CUDA device, and its stream is not that of the call, nor of an array
 * before it. */
static bool has_another_stream(const struct call *call, size_t i)
{
    const reap__py_array *const arrays = call->open.arrays;
    const reap__py_place place = arrays[i].place;
    if (place.ordinal == REAP__PY_IN_PROGRAM || place.stream == call->place.stream)
        return false;
    for (size_t before = 0; before < i; before++)
        if (arrays[before].place.ordinal != REAP__PY_IN_PROGRAM &&
            arrays[before].place.stream == place.stream)
            return false;
    return true;
}

static reap_status follow_streams(struct call *call)
{
    reap_status status = REAP_OK;
    for (size_t i = 0; i < call->open.array_count && status == REAP_OK; i++)
        if (has_another_stream(call, i))
            status = note(call, follow_stream(call->queue, call->open.arrays[i].place.stream));
    return status;
}

/* What has been launched before a failure may use the arrays until the queue has run it. */
static reap_status run_work(struct call *call)
{
    const reap_status status = note(call, call->work(call->queue, call->open.context));
    if (status != REAP_OK)
        reap_queue_wait(call->queue);
    return status;
}

static reap_status work_within_reach(struct call *call)
{
    reap__py_reach *reach;
    reap_status status = note(call, reap__py_reach_arrays(call->queue, call->open.arrays,
                                                          call->open.array_count, &reach));
    if (status != REAP_OK)
        return status;
    status = follow_streams(call);
    if (status == REAP_OK)
        status = run_work(call);
    const reap_status ended = note(call, reap__py_unreach(reach));
    return status == REAP_OK ? ended : status;
}

static reap_status work_on_queue(struct call *call)
{
    reap_device_info info;
    reap_status status = call->queue ? REAP_OK : note(call, make_queue(call));
    if (status == REAP_OK)
        status = note(call, reap_device_get_info(reap_queue_device(call->queue), &info));
    if (status != REAP_OK)
        return status;
    if (strcmp(info.backend, "host") == 0)
        return run_work(call);
    if (call->place.ordinal == REAP__PY_IN_PROGRAM)
        atomic_store_explicit(&is_elsewhere, true, memory_order_relaxed);
    return work_within_reach(call);
}

/* ---- Long calls -------------------------------------------------------------------------------*/

static void leave(struct call *call)
{
    call->next = atomic_load(&leftovers);
    while (!atomic_compare_exchange_weak(&leftovers, &call->next, call))
        ;
}

static void *work_in_thread(void *argument)
{
    struct call *const call = argument;
    const reap_status status = work_on_queue(call);
    pthread_mutex_lock(&call->lock);
    call->status = status;
    call->has_ended = !call->is_abandoned;
    const bool is_abandoned = call->is_abandoned;
    pthread_cond_signal(&call->ended);
    pthread_mutex_unlock(&call->lock);
    if (is_abandoned)
        leave(call);
    return NULL;
}

/* Signals are for the main thread. */
static bool start_thread(struct call *call)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(&thread, NULL, work_in_thread, call) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started)
        pthread_detach(thread);
    return is_started;
}

static bool wait_a_slice(struct call *call)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += SLICE_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&call->lock);
    int result = 0;
    while (!call->has_ended && result == 0)
        result = pthread_cond_timedwait(&call->ended, &call->lock, &until);
    const bool has_ended = call->has_ended;
    pthread_mutex_unlock(&call->lock);
    return has_ended;
}

/* After an interrupt: unless the call has ended meanwhile, its thread keeps it. */
static bool abandon(struct call *call)
{
    pthread_mutex_lock(&call->lock);
    call->is_abandoned = !call->has_ended;
    pthread_mutex_unlock(&call->lock);
    return false;
}

/* Returns false with an exception after an interrupt. */
static bool wait_for_end(struct call *call)
{
    for (;;) {
        PyThreadState *const thread = PyEval_SaveThread();
        const bool has_ended = wait_a_slice(call);
        PyEval_RestoreThread(thread);
        if (has_ended)
            return true;
        if (PyErr_CheckSignals() != 0)
            return abandon(call);
    }
}

/* ---- Running a call ---------------------------------------------------------------------------*/

/* All arrays of devices are of one. */
static bool find_place(struct call *call)
{
    for (size_t i = 0; i < call->open.array_count; i++) {
        const reap__py_place place = call->open.arrays[i].place;
        if (place.ordinal == REAP__PY_IN_PROGRAM)
            continue;
        if (call->place.ordinal != REAP__PY_IN_PROGRAM && call->place.ordinal != place.ordinal) {
            PyErr_Format(PyExc_ValueError,
                         "the arrays are on different devices, cuda:%d and cuda:%d",
                         call->place.ordinal, place.ordinal);
            return false;
        }
        if (call->place.ordinal == REAP__PY_IN_PROGRAM)
            call->place = place;
    }
    return true;
}

static struct known known_of(const struct call *call)
{
    return (struct known){call->work, call->place.ordinal,
                          call->open.array_count ? call->open.arrays[0].array.type
                                                 : REAP_TYPE_NONE};
}

static bool is_known(const struct known *it)
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i].work == it->work && known[i].ordinal == it->ordinal &&
            known[i].type == it->type)
            return true;
    return false;
}

static void note_known(const struct call *call)
{
    const struct known it = known_of(call);
    if (call->status == REAP_OK && it.ordinal != REAP__PY_IN_PROGRAM && known_count < MOST_KNOWN &&
        !is_known(&it))
        known[known_count++] = it;
}

/* Whether it may take so long that a user wants to interrupt it, which only the main thread can be.
 * Calls on devices may compile kernels. */
static bool is_long(const struct call *call)
{
    const bool is_on_card = call->place.ordinal != REAP__PY_IN_PROGRAM;
    const struct known it = known_of(call);
    size_t bytes = 0;
    if (PyThread_get_thread_ident() != main_thread)
        return false;
    if (call->open.may_be_long || (is_on_card ? !is_known(&it) : !call->queue) ||
        (!is_on_card && atomic_load_explicit(&is_elsewhere, memory_order_relaxed)))
        return true;
    for (size_t i = 0; i < call->open.array_count; i++)
        bytes += reap__py_array_bytes(&call->open.arrays[i]);
    return bytes >= (is_on_card ? (size_t)LONG_BYTES_OF_CARD : (size_t)LONG_BYTES);
}

bool reap__py_call_run(reap__py_call *open)
{
    struct call *const call = (struct call *)open;
    if (!find_place(call))
        return false;
    call->queue = take_queue(&call->place);
    if (is_long(call) && start_thread(call)) {
        if (!wait_for_end(call))
            return false;
    } else {
        PyThreadState *const thread = PyEval_SaveThread();
        call->status = work_on_queue(call);
        PyEval_RestoreThread(thread);
    }
    note_known(call);
    if (call->status != REAP_OK)
        reap__py_raise(call->status, call->message);
    return call->status == REAP_OK;
}

/* ---- Exceptions -------------------------------------------------------------------------------*/

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

/* Of Python's threads the module threading knows which one is the main one. */
static bool find_main_thread(void)
{
    PyObject *const threading = PyImport_ImportModule("threading");
    PyObject *const thread = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *const ident = thread ? PyObject_GetAttrString(thread, "ident") : NULL;
    main_thread = ident ? PyLong_AsUnsignedLong(ident) : 0;
    Py_XDECREF(ident);
    Py_XDECREF(thread);
    Py_XDECREF(threading);
    return !PyErr_Occurred();
}

bool reap__py_add_error(PyObject *module)
{
    const char *const text = "A failure of the library: of a device, or of its driver.\n\n"
                             "`status` is the name of the status, such as "
                             "'REAP_ERROR_NO_DEVICE'.";
    error_class = PyErr_NewExceptionWithDoc("reap.Error", text, PyExc_RuntimeError, NULL);
    return error_class && find_main_thread() &&
           PyModule_AddObjectRef(module, "Error", error_class) == 0;
}
