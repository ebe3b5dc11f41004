/* SPDX-License-Identifier: Apache-2.0 */
/* The type reap._reap.Foreign: an array of another library, in the memory of the program or of a
 * CUDA device, which it passes on by DLPack or by __cuda_array_interface__. python/reap/_foreign.py
 * asks the library for it. */
#ifndef REAP_PYTHON_EXTENSION_FOREIGN_H
#define REAP_PYTHON_EXTENSION_FOREIGN_H

#include "python/extension/array.h"

typedef struct reap__py_foreign reap__py_foreign;

/* The object as a Foreign; NULL: it is of another type, or no Foreign has been made yet. */
reap__py_foreign *reap__py_foreign_of(PyObject *object);

/* The array, which is valid as long as the object. */
const reap_array *reap__py_foreign_array(const reap__py_foreign *foreign);
reap__py_place reap__py_foreign_place(const reap__py_foreign *foreign);
bool reap__py_foreign_is_read_only(const reap__py_foreign *foreign);

/* Adds the type and the functions that make its objects to the module. Returns whether it could;
 * otherwise an exception is set. */
bool reap__py_add_foreign(PyObject *module);

#endif
