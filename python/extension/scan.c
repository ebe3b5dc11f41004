/* SPDX-License-Identifier: Apache-2.0 */
/* Scans, and reductions of segments, for python/reap/_scans.py, which makes the results' arrays. */
#include "python/extension/scan.h"
#include "python/extension/array.h"
#include "python/extension/call.h"

static bool has_count(const char *function, Py_ssize_t count, Py_ssize_t expected)
{
    if (count == expected)
        return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, expected, count);
    return false;
}

/* Opens up to three objects' elements; of those that are NULL, none. Only the last is written. */
static bool open_arrays(PyObject *const *objects, const unsigned *flags, reap__py_array *arrays,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned written = i + 1 == count ? REAP__PY_WRITTEN : 0;
        if (reap__py_array_open(objects[i], flags[i] | written, &arrays[i]))
            continue;
        while (i-- > 0)
            reap__py_array_close(&arrays[i]);
        return false;
    }
    return true;
}

static void close_arrays(reap__py_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        reap__py_array_close(&arrays[i]);
}

/* ---- Scans ------------------------------------------------------------------------------------*/

struct scan {
    reap_scan scan;
    reap_scan_options options;
    const reap_array *x, *result;
};

static reap_status call_scan(reap_queue *queue, void *context)
{
    const struct scan *const it = context;
    return reap_array_scan(queue, it->scan, it->x, &it->options, it->result);
}

/* scan(scan, x, axis, is_exclusive, initial, result, is_bfloat16): to `result`. `initial` is an
 * array of one element of the result's type, or None. */
static PyObject *scan(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!has_count("scan", count, 7))
        return NULL;
    struct scan it = {.scan = (reap_scan)PyLong_AsLong(argument[0])};
    it.options.axis = (unsigned)PyLong_AsLong(argument[2]);
    it.options.is_exclusive = PyObject_IsTrue(argument[3]) > 0;
    const unsigned bfloat16 = PyObject_IsTrue(argument[6]) > 0 ? REAP__PY_BFLOAT16 : 0;
    if (PyErr_Occurred())
        return NULL;
    const bool has_initial = argument[4] != Py_None;
    PyObject *const objects[] = {argument[1], has_initial ? argument[4] : argument[1], argument[5]};
    const unsigned flags[] = {bfloat16, has_initial ? 0 : bfloat16, 0};
    reap__py_array arrays[3];
    if (!open_arrays(objects, flags, arrays, 3))
        return NULL;
    it.x = &arrays[0].array;
    it.result = &arrays[2].array;
    bool succeeded = false;
    if (has_initial && arrays[1].array.type != it.result->type) {
        PyErr_SetString(PyExc_ValueError, "the initial value has another type than the result");
    } else {
        it.options.initial = has_initial ? arrays[1].array.data : NULL;
        const reap_array *const used[] = {it.x, it.result};
        succeeded = reap__py_call(call_scan, &it, used, 2);
    }
    close_arrays(arrays, 3);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

/* ---- Segments ---------------------------------------------------------------------------------*/

struct segments {
    reap_reduction reduction;
    const reap_array *x, *offsets, *result;
};

static reap_status call_segments(reap_queue *queue, void *context)
{
    const struct segments *const it = context;
    return reap_array_reduce_segments(queue, it->reduction, it->x, it->offsets, it->result);
}

/* segments(reduction, x, offsets, result, is_bfloat16): to `result`. */
static PyObject *segments(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!has_count("segments", count, 5))
        return NULL;
    const long reduction = PyLong_AsLong(argument[0]);
    const unsigned bfloat16 = PyObject_IsTrue(argument[4]) > 0 ? REAP__PY_BFLOAT16 : 0;
    if (PyErr_Occurred())
        return NULL;
    PyObject *const objects[] = {argument[1], argument[2], argument[3]};
    const unsigned flags[] = {bfloat16, 0, 0};
    reap__py_array arrays[3];
    if (!open_arrays(objects, flags, arrays, 3))
        return NULL;
    struct segments it = {(reap_reduction)reduction, &arrays[0].array, &arrays[1].array,
                          &arrays[2].array};
    const reap_array *const used[] = {it.x, it.offsets, it.result};
    const bool succeeded = reap__py_call(call_segments, &it, used, 3);
    close_arrays(arrays, 3);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

#define FUNCTION(name)                                                                             \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL                            \
    }

PyMethodDef reap__py_scan_functions[] = {FUNCTION(scan), FUNCTION(segments), {NULL, NULL, 0, NULL}};
