/* SPDX-License-Identifier: Apache-2.0 */
/* Python's interface, restricted to its stable part, so that one build works with Python 3.11 and
 * all later versions. In 3.11 the buffer protocol became part of it. */
#ifndef REAP_PYTHON_EXTENSION_PYTHON_H
#define REAP_PYTHON_EXTENSION_PYTHON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* A pointer from an address, or to a function. */
static inline void *reap__py_pointer(uintptr_t address)
{
    void *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

#endif
