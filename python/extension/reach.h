/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that a device reaches: for the time of a call, ordinary memory is wrapped in buffers, and
 * a CUDA device's memory is imported. Two buffers cannot overlap, so arrays that do share one, and
 * such calls of several threads run one after the other. */
#ifndef REAP_PYTHON_EXTENSION_REACH_H
#define REAP_PYTHON_EXTENSION_REACH_H

#include "python/extension/array.h"

#include <reap/queue.h>
#include <stddef.h>

typedef struct reap__py_reach reap__py_reach;

/* Has a queue's device reach arrays, until reap__py_unreach(), which the same thread calls. It may
 * wait for other threads. The lock of the interpreter is not needed. */
reap_status reap__py_reach_arrays(reap_queue *queue, const reap__py_array *arrays, size_t count,
                                  reap__py_reach **reach);

/* Ends that; the arrays' memory has what was written then. */
reap_status reap__py_unreach(reap__py_reach *reach);

#endif
