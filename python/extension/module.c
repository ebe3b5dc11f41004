/* SPDX-License-Identifier: Apache-2.0 */
/* The module reap._reap: the library over Python's arrays. It is the part of the package that is
 * written in C; axes, NumPy's results and documentation are in Python, in python/reap. Arguments
 * are positional, and those that the package makes itself (numbers of reductions, bit masks of
 * axes) are only converted here: the library checks them. */
#include "python/extension/call.h"
#include "python/extension/foreign.h"
#include "python/extension/functions.h"

#include <reap/device.h>
#include <reap/version.h>

static bool append_name(PyObject *list, const reap_device *device)
{
    reap_device_info info;
    const reap_status status = reap_device_get_info(device, &info);
    if (status != REAP_OK) {
        reap__py_raise(status, reap_last_error());
        return false;
    }
    PyObject *const name = PyUnicode_FromString(info.name);
    const bool is_appended = name && PyList_Append(list, name) == 0;
    Py_XDECREF(name);
    return is_appended;
}

static const char devices_text[] =
    "devices()\n--\n\n"
    "The names of the devices of this machine, for the environment variable REAP_DEVICE.";

static PyObject *devices(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    const reap_device *const *found;
    size_t count;
    PyThreadState *const thread = PyEval_SaveThread(); /* loads drivers */
    const reap_status status = reap_device_list(&found, &count);
    PyEval_RestoreThread(thread);
    if (status != REAP_OK) {
        reap__py_raise(status, reap_last_error());
        return NULL;
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < count && list; i++) {
        if (!append_name(list, found[i]))
            Py_CLEAR(list);
    }
    return list;
}

static PyMethodDef functions[] = {{"devices", devices, METH_NOARGS, devices_text},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "reap._reap", .m_size = -1,
                                        .m_methods = functions};

/* Each file of functions adds its own. */
static bool (*const parts[])(PyObject *module) = {reap__py_add_error,      reap__py_add_foreign,
                                                  reap__py_add_reductions, reap__py_add_statistics,
                                                  reap__py_add_kernels,    reap__py_add_parts};

extern PyMODINIT_FUNC PyInit__reap(void);

PyMODINIT_FUNC PyInit__reap(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && PyModule_AddStringConstant(module, "version", reap_version()) != 0)
        Py_CLEAR(module);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && module; i++) {
        if (!parts[i](module))
            Py_CLEAR(module);
    }
    return module;
}
