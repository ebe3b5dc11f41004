/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a Python object as a reap_array, through the buffer protocol (PEP 3118), without
 * a copy. Only elements that are not aligned, or whose strides are not multiples of their size, as
 * those of a member of structs often are, are copied.
 *
 * All functions need the global interpreter lock. */
#ifndef REAP_PYTHON_EXTENSION_ARRAY_H
#define REAP_PYTHON_EXTENSION_ARRAY_H

#include "python/extension/python.h"
#include <reap/algorithms.h>
#include <stdbool.h>

typedef struct reap__py_array {
    reap_array array; /**< points to `shape` and `strides`: the struct is not moved */
    Py_buffer view;   /**< keeps the object's memory until reap__py_array_close() */
    void *copy;       /**< of the elements, in row-major order; or NULL */
    size_t shape[REAP_ARRAY_MOST_DIMENSIONS];
    ptrdiff_t strides[REAP_ARRAY_MOST_DIMENSIONS];
} reap__py_array;

/* What reap__py_array_open() is asked for, combined with |. */
enum reap__py_array_flags {
    REAP__PY_BFLOAT16 = 1, /**< elements of two bytes are reap_bfloat16, which has no format */
    REAP__PY_WRITTEN = 2   /**< the elements will be written; they are not copied */
};

/* Opens an object's elements. Returns whether it could; otherwise an exception is set. */
bool reap__py_array_open(PyObject *object, unsigned flags, reap__py_array *array);

/* Lets go of the object's memory. */
void reap__py_array_close(reap__py_array *array);

/* The format of a type, as in Python's struct module. bfloat16 has "H", that of its bits. */
const char *reap__py_format_of(reap_type type);

#endif
