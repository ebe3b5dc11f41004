/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library from Python: on a queue of the default device, without the global
 * interpreter lock, with failures as exceptions. */
#ifndef REAP_PYTHON_EXTENSION_CALL_H
#define REAP_PYTHON_EXTENSION_CALL_H

#include "python/extension/python.h"
#include <reap/algorithms.h>
#include <stdbool.h>
#include <stddef.h>

/* What is called. It calls nothing of Python's. */
typedef reap_status reap__py_work(reap_queue *queue, void *context);

/* The arrays in memory that a call uses. */
enum { REAP__PY_MOST_ARRAYS = 3 };

/* Calls `work`. On other devices than the host the arrays are in buffers while it runs.
 *
 * arrays: `count` of them, at most REAP__PY_MOST_ARRAYS, with strides; read or written
 * Returns whether it succeeded; otherwise an exception is set. Any thread may call it, with the
 * global interpreter lock. */
bool reap__py_call(reap__py_work *work, void *context, const reap_array *const *arrays,
                   size_t count);

/* Sets the exception of a status: ValueError, MemoryError or reap.Error. */
void reap__py_raise(reap_status status, const char *message);

/* Adds reap.Error to the module. Returns whether it could; otherwise an exception is set. */
bool reap__py_add_error(PyObject *module);

#endif
