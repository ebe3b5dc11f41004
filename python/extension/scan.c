/* SPDX-License-Identifier: Apache-2.0 */
/* Scans, and reductions of segments, for python/reap/_scans.py, which makes the results' arrays. */
#include "python/extension/call.h"
#include "python/extension/functions.h"

/* ---- Scans ------------------------------------------------------------------------------------*/

struct scan {
    reap_scan scan;
    reap_scan_options options;
    const reap_array *x;
    reap_array result;
};

static reap_status call_scan(reap_queue *queue, void *context)
{
    const struct scan *const it = context;
    return reap_array_scan(queue, it->scan, it->x, &it->options, &it->result);
}

/* An array for the result, of the type of sums or of the elements. */
static bool take_result(reap__py_call *call, PyObject *object, struct scan *it)
{
    const bool is_sum = it->scan == REAP_SCAN_SUM || it->scan == REAP_SCAN_PRODUCT;
    const bool is_narrow = !is_sum && it->x->type == REAP_TYPE_BFLOAT16;
    const unsigned flags = REAP__PY_WRITTEN | (is_narrow ? REAP__PY_BFLOAT16 : 0);
    const reap_array *const result = reap__py_call_open(call, object, flags);
    if (!result)
        return false;
    it->result = *result;
    reap__py_take_signed(&it->result,
                         is_sum ? reap_array_reduce_type(REAP_SUM, it->x->type) : it->x->type);
    return true;
}

/* The initial value, an array of one element of the result's type, or None. */
static bool take_initial(reap__py_call *call, PyObject *object, struct scan *it)
{
    if (object == Py_None)
        return true;
    const reap_array *const initial = reap__py_call_open(call, object, REAP__PY_UNREACHED);
    if (!initial)
        return false;
    const size_t bytes = reap__py_array_bytes(&call->arrays[call->array_count - 1]);
    if (initial->type != it->result.type || bytes != reap_type_size(initial->type)) {
        PyErr_SetString(PyExc_ValueError,
                        "the initial value is not one number of the result's type");
        return false;
    }
    it->options.initial = initial->data;
    return true;
}

/* scan(scan, x, axis, is_exclusive, initial, result, is_bfloat16): to `result`. */
static PyObject *scan(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("scan", count, 7))
        return NULL;
    struct scan it = {.scan = (reap_scan)PyLong_AsLong(argument[0])};
    it.options.axis = (unsigned)PyLong_AsLong(argument[2]);
    it.options.is_exclusive = PyObject_IsTrue(argument[3]) > 0;
    const unsigned flags = PyObject_IsTrue(argument[6]) > 0 ? REAP__PY_BFLOAT16 : 0;
    if (PyErr_Occurred())
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_scan, sizeof it, 3);
    bool succeeded = false;
    it.x = reap__py_call_open(call, argument[1], flags);
    if (it.x && take_result(call, argument[5], &it) && take_initial(call, argument[4], &it)) {
        *(struct scan *)call->context = it;
        succeeded = reap__py_call_run(call);
    }
    reap__py_call_release(call);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

/* ---- Segments ---------------------------------------------------------------------------------*/

struct segments {
    reap_reduction reduction;
    const reap_array *x, *offsets;
    reap_array result;
};

static reap_status call_segments(reap_queue *queue, void *context)
{
    const struct segments *const it = context;
    return reap_array_reduce_segments(queue, it->reduction, it->x, it->offsets, &it->result);
}

/* segments(reduction, x, offsets, result, is_bfloat16): to `result`. */
static PyObject *segments(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("segments", count, 5))
        return NULL;
    struct segments it = {.reduction = (reap_reduction)PyLong_AsLong(argument[0])};
    const unsigned flags = PyObject_IsTrue(argument[4]) > 0 ? REAP__PY_BFLOAT16 : 0;
    if (PyErr_Occurred())
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_segments, sizeof it, 3);
    bool succeeded = false;
    it.x = reap__py_call_open(call, argument[1], flags);
    if (it.x)
        it.offsets = reap__py_call_open(call, argument[2], 0);
    const bool is_sum = it.reduction == REAP_SUM || it.reduction == REAP_EXACT_SUM;
    const unsigned into = REAP__PY_WRITTEN | (is_sum ? 0 : flags);
    const reap_array *const result =
        it.offsets ? reap__py_call_open(call, argument[3], into) : NULL;
    if (result) {
        it.result = *result;
        reap__py_take_signed(&it.result, reap_array_reduce_type(it.reduction, it.x->type));
        *(struct segments *)call->context = it;
        succeeded = reap__py_call_run(call);
    }
    reap__py_call_release(call);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

/* ---- What the module gets ---------------------------------------------------------------------*/

static PyMethodDef functions[] = {REAP__PY_FUNCTION(scan), REAP__PY_FUNCTION(segments),
                                  REAP__PY_END};

bool reap__py_add_scans(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
