/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a Python object as a reap_array, without a copy: through the buffer protocol
 * (PEP 3118), or of a reap._reap.Foreign (foreign.h). Only elements that are not aligned, or whose
 * strides are not multiples of their size, as those of a member of structs often are, are copied.
 *
 * All functions need the global interpreter lock. */
#ifndef REAP_PYTHON_EXTENSION_ARRAY_H
#define REAP_PYTHON_EXTENSION_ARRAY_H

#include "python/extension/python.h"
#include <reap/algorithms.h>
#include <stdbool.h>

/* Where elements are: in the memory of the program, or in that of a CUDA device. */
typedef struct reap__py_place {
    int ordinal;  /**< of the CUDA device; REAP__PY_IN_PROGRAM */
    void *stream; /**< of the device, which has the work that makes the elements; NULL: the default
                   * stream, which waits for others */
} reap__py_place;

enum { REAP__PY_IN_PROGRAM = -1 };

typedef struct reap__py_array {
    reap_array array; /**< points to `shape` and `strides`: the struct is not moved */
    reap__py_place place;
    Py_buffer view;    /**< keeps the object's memory until reap__py_array_close(); or has no obj */
    PyObject *foreign; /**< does so, too; or NULL */
    void *copy;        /**< of the elements, in row-major order; or NULL */
    bool is_unreached; /**< REAP__PY_UNREACHED */
    size_t shape[REAP_ARRAY_MOST_DIMENSIONS];
    ptrdiff_t strides[REAP_ARRAY_MOST_DIMENSIONS];
} reap__py_array;

/* What reap__py_array_open() is asked for, combined with |. */
enum reap__py_array_flags {
    REAP__PY_BFLOAT16 = 1,  /**< elements of two bytes are reap_bfloat16, which has no format */
    REAP__PY_WRITTEN = 2,   /**< the elements will be written; they are not copied */
    REAP__PY_UNREACHED = 8, /**< no device has to reach them if they are in the program's memory */
    REAP__PY_PLAIN = 4      /**< any elements, in row-major order, which are not copied; the type is
                             * REAP_TYPE_NONE where Reap has none */
};

/* Opens an object's elements. Returns whether it could; otherwise an exception is set. */
bool reap__py_array_open(PyObject *object, unsigned flags, reap__py_array *array);

/* Lets go of the object's memory. */
void reap__py_array_close(reap__py_array *array);

/* How many bytes the elements of a REAP__PY_PLAIN array have. */
size_t reap__py_array_bytes(const reap__py_array *array);

/* The format of a type, as in Python's struct module. bfloat16 has "H", that of its bits. */
const char *reap__py_format_of(reap_type type);

#endif
