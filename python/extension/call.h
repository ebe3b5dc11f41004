/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library from Python: on a queue of the default device, or of the CUDA device where
 * the arrays are, without the global interpreter lock, with failures as exceptions.
 *
 *     reap__py_call *call = reap__py_call_create(work, sizeof(struct context), 2);
 *     const reap_array *x = reap__py_call_open(call, object, flags);
 *     struct context *context = call ? call->context : NULL;
 *     ... fill it ...
 *     if (x && reap__py_call_run(call)) ... read it ...
 *     reap__py_call_release(call);
 *
 * Ctrl-C ends a long call with KeyboardInterrupt, while its work goes on in another thread: then
 * neither its context nor its arrays may be used any longer. So the work uses these alone.
 *
 * All functions need the global interpreter lock; any thread may call them. */
#ifndef REAP_PYTHON_EXTENSION_CALL_H
#define REAP_PYTHON_EXTENSION_CALL_H

#include "python/extension/array.h"

#include <reap/algorithms.h>
#include <stdbool.h>
#include <stddef.h>

/* What is called. It calls nothing of Python's. */
typedef reap_status reap__py_work(reap_queue *queue, void *context);

typedef struct reap__py_call {
    void *context;          /**< memory for what `work` needs, zeroed at first */
    bool may_be_long;       /**< false: as its arrays' sizes tell */
    size_t array_count;     /**< how many are open */
    reap__py_array *arrays; /**< these */
    PyObject *kept;         /**< another object that lives as long as the call; default: NULL */
} reap__py_call;

/* A call with memory for its context, and for that many arrays. NULL: an exception is set. */
reap__py_call *reap__py_call_create(reap__py_work *work, size_t context_bytes, size_t most_arrays);

/* Opens the next array, which lives as long as the call. NULL: an exception is set, perhaps that of
 * the call that is NULL.
 *
 * flags: of enum reap__py_array_flags */
const reap_array *reap__py_call_open(reap__py_call *open, PyObject *object, unsigned flags);

/* Calls `work`. Arrays that the device does not reach are in buffers while it runs. Returns whether
 * it succeeded; otherwise an exception is set. */
bool reap__py_call_run(reap__py_call *open);

/* Releases a call and its arrays. NULL is fine. */
void reap__py_call_release(reap__py_call *open);

/* Sets the exception of a status: ValueError, MemoryError or reap.Error. */
void reap__py_raise(reap_status status, const char *message);

/* Adds reap.Error to the module. Returns whether it could; otherwise an exception is set. */
bool reap__py_add_error(PyObject *module);

#endif
