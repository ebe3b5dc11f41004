/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the module that scan arrays, and that reduce segments of them. */
#ifndef REAP_PYTHON_EXTENSION_SCAN_H
#define REAP_PYTHON_EXTENSION_SCAN_H

#include "python/extension/python.h"

/* For PyModule_AddFunctions(). */
extern PyMethodDef reap__py_scan_functions[];

#endif
