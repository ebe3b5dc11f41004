/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of functions add to the module. To add functions, write a file with one of these,
 * and put it into the list of module.c and into CMakeLists.txt. */
#ifndef REAP_PYTHON_EXTENSION_FUNCTIONS_H
#define REAP_PYTHON_EXTENSION_FUNCTIONS_H

#include "python/extension/python.h"

#include <reap/algorithms.h>
#include <reap/part.h>
#include <stdbool.h>

/* A function that takes its arguments as an array; `name` is also that in Python. */
#define REAP__PY_FUNCTION(name)                                                                    \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL                            \
    }
#define REAP__PY_END                                                                               \
    {                                                                                              \
        NULL, NULL, 0, NULL                                                                        \
    }

/* These return whether they could; otherwise an exception is set. */
bool reap__py_add_reductions(PyObject *module);
bool reap__py_add_statistics(PyObject *module);
bool reap__py_add_kernels(PyObject *module);
bool reap__py_add_parts(PyObject *module);
bool reap__py_add_scans(PyObject *module);

/* Whether a function was called with that many arguments; otherwise an exception is set. */
static inline bool reap__py_has_count(const char *function, Py_ssize_t count, Py_ssize_t expected)
{
    if (count != expected)
        PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, expected, count);
    return count == expected;
}

/* What a capsule that the module has made contains. NULL with an exception: it is another object.
 */
struct reap_kernel;
const struct reap_kernel *reap__py_kernel_of(PyObject *capsule);
reap_part *reap__py_part_of(PyObject *capsule);

/* (capsule, name, takes_ranges, takes_groups, parameters); NULL with an exception. */
PyObject *reap__py_describe_kernel(const struct reap_kernel *kernel);

/* A result that is one value, of any type. */
typedef union reap__py_value {
    bool truth;
    int8_t int8;
    uint8_t uint8;
    int16_t int16;
    uint16_t uint16;
    int32_t int32;
    uint32_t uint32;
    int64_t int64;
    uint64_t uint64;
    reap_half half;
    reap_bfloat16 bfloat16;
    float single;
    double number;
} reap__py_value;

/* The places of elements and counts are below 2^63, and PyTorch before 2.3 has no uint64: a result
 * may say that its elements are signed. */
static inline void reap__py_take_signed(reap_array *result, reap_type type)
{
    if (type == REAP_TYPE_UINT64 && result->type == REAP_TYPE_INT64)
        result->type = REAP_TYPE_UINT64;
}

/* A value as Python's bool, int or float. NULL with an exception: the type is REAP_TYPE_NONE. */
PyObject *reap__py_number(reap_type type, const reap__py_value *value);

#endif
