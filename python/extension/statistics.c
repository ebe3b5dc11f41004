/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, minmax, histograms, sums by key, covariance, and reductions with masks, of
 * reap/algorithms.h. Arguments that are None are not there: weights, masks. A result that is None
 * is one number, which is returned. `narrow` has a bit for each array whose two-byte integers are
 * bfloat16: 1 for x, 2 for weights or y. */
#include "python/extension/call.h"
#include "python/extension/functions.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW_X = 1, NARROW_OTHER = 2 };

static bool unsigned_of(PyObject *object, uint64_t *number)
{
    *number = PyLong_AsUnsignedLongLong(object);
    return !PyErr_Occurred();
}

static unsigned flags_of(uint64_t narrow, uint64_t bit)
{
    return (narrow & bit) != 0 ? REAP__PY_BFLOAT16 : 0;
}

/* Opens an array that may be None, which leaves `array` NULL. */
static bool open_optional(reap__py_call *call, PyObject *object, unsigned flags,
                          const reap_array **array)
{
    *array = NULL;
    if (object == Py_None)
        return true;
    *array = reap__py_call_open(call, object, flags);
    return *array != NULL;
}

/* ---- Reductions with masks --------------------------------------------------------------------*/

struct reduce {
    reap_reduction reduction;
    const reap_array *x;
    reap_array_options options;
    reap_array result, largest;
    reap__py_value number, largest_number; /* they, unless they are arrays */
    reap_condition condition;
};

static reap_status call_reduce(reap_queue *queue, void *context)
{
    struct reduce *const it = context;
    return reap_array_reduce(queue, it->reduction, it->x, &it->options, &it->result);
}

static reap_status call_count(reap_queue *queue, void *context)
{
    struct reduce *const it = context;
    return reap_array_count(queue, it->x, &it->condition, &it->options, &it->result);
}

static reap_status call_minmax(reap_queue *queue, void *context)
{
    struct reduce *const it = context;
    return reap_array_minmax(queue, it->x, &it->options, &it->result, &it->largest);
}

/* Opens an array for a result of a type; None: it is a number, which the caller has memory for. */
static bool open_result(reap__py_call *call, PyObject *object, reap_type type,
                        reap__py_value *number, reap_array *result)
{
    const reap_array *array = NULL;
    const unsigned flags = type == REAP_TYPE_BFLOAT16 ? REAP__PY_BFLOAT16 : 0;
    if (!open_optional(call, object, flags | REAP__PY_WRITTEN, &array))
        return false;
    *result = array ? *array : (reap_array){.data = number, .type = type};
    reap__py_take_signed(result, type);
    return true;
}

/* None, or the number that the result is. */
static PyObject *result_of(const reap_array *result, const reap__py_value *number)
{
    return result->data == number ? reap__py_number(result->type, number) : Py_NewRef(Py_None);
}

/* Opens x, axes, where of x, axes, where, result, narrow: five arguments. */
static bool open_reduce(reap__py_call *call, PyObject *const *argument)
{
    uint64_t axes, narrow;
    if (!call || !unsigned_of(argument[1], &axes) || !unsigned_of(argument[4], &narrow))
        return false;
    struct reduce *const it = call->context;
    it->x = reap__py_call_open(call, argument[0], flags_of(narrow, NARROW_X));
    it->options.axes = axes;
    return it->x && open_optional(call, argument[2], 0, &it->options.where);
}

/* reduce_where(x, axes, where, result, narrow, reduction) */
static PyObject *reduce_where(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("reduce_where", count, 6))
        return NULL;
    const long reduction = PyLong_AsLong(argument[5]);
    reap__py_call *const call = reap__py_call_create(call_reduce, sizeof(struct reduce), 3);
    PyObject *result = NULL;
    if (!PyErr_Occurred() && open_reduce(call, argument)) {
        struct reduce *const it = call->context;
        it->reduction = (reap_reduction)reduction;
        const reap_type type = reap_array_reduce_type(it->reduction, it->x->type);
        if (open_result(call, argument[3], type, &it->number, &it->result) &&
            reap__py_call_run(call))
            result = result_of(&it->result, &it->number);
    }
    reap__py_call_release(call);
    return result;
}

/* An int, which has 64 bits, or a float. */
static bool number_of(PyObject *object, reap_number *number)
{
    if (PyFloat_Check(object)) {
        *number = reap_number_of_double(PyFloat_AsDouble(object));
        return !PyErr_Occurred();
    }
    const long long whole = PyLong_AsLongLong(object);
    *number = reap_number_of_int64(whole);
    if (whole == -1 && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        *number = reap_number_of_uint64(PyLong_AsUnsignedLongLong(object));
    }
    return !PyErr_Occurred();
}

/* count(x, axes, where, result, narrow, comparison, a, b) */
static PyObject *count(PyObject *module, PyObject *const *argument, Py_ssize_t arguments)
{
    (void)module;
    reap_condition condition;
    if (!reap__py_has_count("count", arguments, 8) || !number_of(argument[6], &condition.a) ||
        !number_of(argument[7], &condition.b))
        return NULL;
    condition.comparison = (reap_comparison)PyLong_AsLong(argument[5]);
    reap__py_call *const call = reap__py_call_create(call_count, sizeof(struct reduce), 3);
    PyObject *result = NULL;
    if (!PyErr_Occurred() && open_reduce(call, argument)) {
        struct reduce *const it = call->context;
        it->condition = condition;
        if (open_result(call, argument[3], REAP_TYPE_UINT64, &it->number, &it->result) &&
            reap__py_call_run(call))
            result = result_of(&it->result, &it->number);
    }
    reap__py_call_release(call);
    return result;
}

/* minmax(x, axes, where, smallest, narrow, largest): a pair. */
static PyObject *minmax(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("minmax", count, 6))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_minmax, sizeof(struct reduce), 4);
    PyObject *results = NULL;
    if (open_reduce(call, argument)) {
        struct reduce *const it = call->context;
        const reap_type type = it->x->type;
        if (open_result(call, argument[3], type, &it->number, &it->result) &&
            open_result(call, argument[5], type, &it->largest_number, &it->largest) &&
            reap__py_call_run(call))
            results = Py_BuildValue("(NN)", result_of(&it->result, &it->number),
                                    result_of(&it->largest, &it->largest_number));
    }
    reap__py_call_release(call);
    return results;
}

/* ---- Histograms, and sums by key --------------------------------------------------------------*/

struct bins {
    const reap_array *x, *edges; /* no edges: keys */
    reap_bin_options options;
    reap_array result;
    uint64_t outside;
};

static reap_status call_bins(reap_queue *queue, void *context)
{
    struct bins *const it = context;
    return it->edges ? reap_array_histogram(queue, it->x, it->edges, &it->options, &it->result)
                     : reap_array_sum_by_key(queue, it->x, &it->options, &it->result);
}

static bool open_bins(reap__py_call *call, PyObject *const *argument, uint64_t narrow)
{
    struct bins *const it = call->context;
    it->x = reap__py_call_open(call, argument[0], flags_of(narrow, NARROW_X));
    if (!it->x || !open_optional(call, argument[1], REAP__PY_UNREACHED, &it->edges) ||
        !open_optional(call, argument[2], flags_of(narrow, NARROW_OTHER), &it->options.weights) ||
        !open_optional(call, argument[3], 0, &it->options.where))
        return false;
    const reap_array *const result = reap__py_call_open(call, argument[4], REAP__PY_WRITTEN);
    if (!result)
        return false;
    it->result = *result;
    const reap_array *const weights = it->options.weights;
    reap__py_take_signed(&it->result, weights
                                          ? reap_array_reduce_type(REAP_EXACT_SUM, weights->type)
                                          : REAP_TYPE_UINT64);
    return true;
}

/* sum_bins(x, edges, weights, where, result, narrow, leaves_out): how many elements are in no bin,
 * which is an error of keys unless `leaves_out`. */
static PyObject *sum_bins(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    uint64_t narrow, leaves_out;
    if (!reap__py_has_count("sum_bins", count, 7) || !unsigned_of(argument[5], &narrow) ||
        !unsigned_of(argument[6], &leaves_out))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_bins, sizeof(struct bins), 5);
    PyObject *outside = NULL;
    if (call && open_bins(call, argument, narrow)) {
        struct bins *const it = call->context;
        if (leaves_out)
            it->options.outside = &it->outside;
        if (reap__py_call_run(call))
            outside = PyLong_FromUnsignedLongLong(it->outside);
    }
    reap__py_call_release(call);
    return outside;
}

/* ---- Pairs ------------------------------------------------------------------------------------*/

/* Two arrays, and a mask or NULL. */
struct pairs {
    const reap_array *x, *y;
    reap_array_options options;
    reap_array result;     /* of comoments: float64 */
    reap__py_value number; /* it, unless it is an array */
};

enum { COMOMENTS = 6 };

static reap_status call_dot(reap_queue *queue, void *context)
{
    struct pairs *const it = context;
    return reap_array_dot_along(queue, it->x, it->y, &it->options, &it->result);
}

/* How many results there are: the result of comoments has COMOMENTS numbers for each. */
static size_t results_of(const struct pairs *it)
{
    size_t results = 1;
    for (unsigned d = 0; d < it->x->dimensions; d++)
        results *= it->options.axes == 0 || it->options.axes >> d & 1 ? 1 : it->x->shape[d];
    return results;
}

static reap_status call_comoments(reap_queue *queue, void *context)
{
    struct pairs *const it = context;
    const size_t results = results_of(it);
    reap_comoments *const found = malloc((results + 1) * sizeof *found);
    if (!found)
        return REAP_ERROR_OUT_OF_MEMORY;
    const reap_status status = reap_array_comoments_along(queue, it->x, it->y, &it->options, found);
    for (size_t i = 0; status == REAP_OK && i < results; i++) {
        const reap_comoments *const of = &found[i];
        const double numbers[COMOMENTS] = {(double)of->count, of->x_mean,    of->y_mean,
                                           of->x_squares,     of->y_squares, of->products};
        memcpy((double *)it->result.data + i * COMOMENTS, numbers, sizeof numbers);
    }
    free(found);
    return status;
}

/* Opens x, y, axes, where of x, y, axes, where, result, narrow: six arguments. */
static bool open_pairs(reap__py_call *call, PyObject *const *argument)
{
    uint64_t axes, narrow;
    if (!call || !unsigned_of(argument[2], &axes) || !unsigned_of(argument[5], &narrow))
        return false;
    struct pairs *const it = call->context;
    it->x = reap__py_call_open(call, argument[0], flags_of(narrow, NARROW_X));
    it->y = it->x ? reap__py_call_open(call, argument[1], flags_of(narrow, NARROW_OTHER)) : NULL;
    it->options.axes = axes;
    return it->y && open_optional(call, argument[3], 0, &it->options.where);
}

/* dot_along(x, y, axes, where, result, narrow): the sums of products. */
static PyObject *dot_along(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("dot_along", count, 6))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_dot, sizeof(struct pairs), 4);
    PyObject *result = NULL;
    if (open_pairs(call, argument)) {
        struct pairs *const it = call->context;
        const reap_type type = reap_array_reduce_type(REAP_SUM, it->x->type);
        if (open_result(call, argument[4], type, &it->number, &it->result) &&
            reap__py_call_run(call))
            result = result_of(&it->result, &it->number);
    }
    reap__py_call_release(call);
    return result;
}

/* comoments(x, y, axes, where, result, narrow): the members of reap_comoments for each result, to
 * an array of float64. */
static PyObject *comoments(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("comoments", count, 6))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_comoments, sizeof(struct pairs), 4);
    bool succeeded = false;
    const reap_array *const result =
        open_pairs(call, argument)
            ? reap__py_call_open(call, argument[4], REAP__PY_WRITTEN | REAP__PY_UNREACHED)
            : NULL;
    if (result) {
        struct pairs *const it = call->context;
        const reap__py_array *const into = &call->arrays[call->array_count - 1];
        it->result = *result;
        const size_t bytes = COMOMENTS * sizeof(double) * results_of(it);
        if (it->result.type == REAP_TYPE_DOUBLE && into->place.ordinal == REAP__PY_IN_PROGRAM &&
            PyBuffer_IsContiguous(&into->view, 'C') && (size_t)into->view.len == bytes)
            succeeded = reap__py_call_run(call);
        else
            PyErr_SetString(PyExc_ValueError, "the result has another type or shape");
    }
    reap__py_call_release(call);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {REAP__PY_FUNCTION(reduce_where),
                                  REAP__PY_FUNCTION(count),
                                  REAP__PY_FUNCTION(minmax),
                                  REAP__PY_FUNCTION(sum_bins),
                                  REAP__PY_FUNCTION(dot_along),
                                  REAP__PY_FUNCTION(comoments),
                                  REAP__PY_END};

bool reap__py_add_statistics(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
