/* SPDX-License-Identifier: Apache-2.0 */
/* The reductions and moments of reap/algorithms.h. */
#include "python/extension/call.h"
#include "python/extension/functions.h"

#include <stdlib.h>
#include <string.h>

PyObject *reap__py_number(reap_type type, const reap__py_value *value)
{
    switch (type) {
    case REAP_TYPE_BOOL:
        return PyBool_FromLong(value->truth);
    case REAP_TYPE_INT8:
        return PyLong_FromLong(value->int8);
    case REAP_TYPE_UINT8:
        return PyLong_FromLong(value->uint8);
    case REAP_TYPE_INT16:
        return PyLong_FromLong(value->int16);
    case REAP_TYPE_UINT16:
        return PyLong_FromLong(value->uint16);
    case REAP_TYPE_INT32:
        return PyLong_FromLongLong(value->int32);
    case REAP_TYPE_UINT32:
        return PyLong_FromLongLong(value->uint32);
    case REAP_TYPE_INT64:
        return PyLong_FromLongLong(value->int64);
    case REAP_TYPE_UINT64:
        return PyLong_FromUnsignedLongLong(value->uint64);
    case REAP_TYPE_HALF:
        return PyFloat_FromDouble((double)reap_half_to_float(value->half));
    case REAP_TYPE_BFLOAT16:
        return PyFloat_FromDouble((double)reap_bfloat16_to_float(value->bfloat16));
    case REAP_TYPE_FLOAT:
        return PyFloat_FromDouble((double)value->single);
    case REAP_TYPE_DOUBLE:
        return PyFloat_FromDouble(value->number);
    case REAP_TYPE_NONE:
        break;
    }
    PyErr_SetString(PyExc_ValueError, "unknown reduction");
    return NULL;
}

/* What functions are called with, converted. */
struct arguments {
    reap_reduction reduction;
    uint64_t axes;
    unsigned flags;
};

/* The flag of an argument that says whether two-byte integers are bfloat16; -1 with an exception.
 */
static int bfloat16_flag(PyObject *argument)
{
    const int is_bfloat16 = PyObject_IsTrue(argument);
    return is_bfloat16 > 0 ? REAP__PY_BFLOAT16 : is_bfloat16;
}

static bool convert(PyObject *reduction, PyObject *axes, PyObject *bfloat16,
                    struct arguments *arguments)
{
    const long number = reduction ? PyLong_AsLong(reduction) : 0;
    if (number == -1 && PyErr_Occurred())
        return false;
    arguments->reduction = (reap_reduction)number;
    arguments->axes = axes ? PyLong_AsUnsignedLongLong(axes) : 0;
    if (PyErr_Occurred())
        return false;
    const int flag = bfloat16_flag(bfloat16);
    arguments->flags = flag > 0 ? (unsigned)flag : 0;
    return flag >= 0;
}

/* ---- Reductions -------------------------------------------------------------------------------*/

struct reduce {
    reap_reduction reduction;
    reap_array_options options;
    const reap_array *x, *y;
    reap_array result; /* `value`, or an array */
    reap__py_value value;
};

static reap_status call_reduce(reap_queue *queue, void *context)
{
    struct reduce *const it = context;
    return reap_array_reduce(queue, it->reduction, it->x, &it->options, &it->result);
}

static reap_status call_dot(reap_queue *queue, void *context)
{
    struct reduce *const it = context;
    return reap_array_dot(queue, it->x, it->y, &it->result);
}

/* A reduction to one value, which is returned. */
static PyObject *reduce_to_number(reap__py_call *call)
{
    struct reduce *const it = call->context;
    it->result.data = &it->value;
    it->result.type = reap_array_reduce_type(it->reduction, it->x->type);
    return reap__py_call_run(call) ? reap__py_number(it->result.type, &it->value) : NULL;
}

/* A reduction to an array, which the caller has made. */
static PyObject *reduce_to_array(reap__py_call *call, PyObject *object, unsigned flags)
{
    struct reduce *const it = call->context;
    const reap_array *const result = reap__py_call_open(call, object, flags | REAP__PY_WRITTEN);
    if (!result)
        return NULL;
    it->result = *result;
    reap__py_take_signed(&it->result, reap_array_reduce_type(it->reduction, it->x->type));
    return reap__py_call_run(call) ? Py_NewRef(Py_None) : NULL;
}

/* reduce(reduction, x, axes, result, is_bfloat16): to `result`, or with None to a number, which is
 * returned. */
static PyObject *reduce(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    if (!reap__py_has_count("reduce", count, 5) ||
        !convert(argument[0], argument[2], argument[4], &given))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_reduce, sizeof(struct reduce), 2);
    const reap_array *const x = reap__py_call_open(call, argument[1], given.flags);
    PyObject *result = NULL;
    if (x) {
        *(struct reduce *)call->context =
            (struct reduce){.reduction = given.reduction, .options.axes = given.axes, .x = x};
        result = argument[3] == Py_None ? reduce_to_number(call)
                                        : reduce_to_array(call, argument[3], given.flags);
    }
    reap__py_call_release(call);
    return result;
}

/* result_format(reduction, x, is_bfloat16): the format of the reduction's result. */
static PyObject *result_format(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    reap__py_array x;
    if (!reap__py_has_count("result_format", count, 3) ||
        !convert(argument[0], NULL, argument[2], &given) ||
        !reap__py_array_open(argument[1], given.flags, &x))
        return NULL;
    const char *const format =
        reap__py_format_of(reap_array_reduce_type(given.reduction, x.array.type));
    reap__py_array_close(&x);
    if (!format)
        PyErr_SetString(PyExc_ValueError, "unknown reduction");
    return format ? PyUnicode_FromString(format) : NULL;
}

/* dot(x, y, is_bfloat16): the sum of products, a number. */
static PyObject *dot(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    if (!reap__py_has_count("dot", count, 3) || !convert(NULL, NULL, argument[2], &given))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_dot, sizeof(struct reduce), 2);
    const reap_array *const x = reap__py_call_open(call, argument[0], given.flags);
    const reap_array *const y = x ? reap__py_call_open(call, argument[1], given.flags) : NULL;
    PyObject *result = NULL;
    if (y) {
        *(struct reduce *)call->context = (struct reduce){.reduction = REAP_SUM, .x = x, .y = y};
        result = reduce_to_number(call);
    }
    reap__py_call_release(call);
    return result;
}

/* ---- Moments ----------------------------------------------------------------------------------*/

/* The moments of an array's slices: `slices` of them, each of the elements along the dimensions of
 * `inner`, one for each index of the dimensions of `outer`. */
struct moments {
    const reap_array *x, *where; /**< where: NULL, or a mask */
    uint64_t inner;              /**< bit d: dimension d is reduced; 0: all */
    size_t slices;               /**< in row-major order of the other dimensions */
    double *result;              /**< count, mean, squares, cubes, fourths of each slice */
};

enum { MOMENTS = 5 };

static reap_status call_moments(reap_queue *queue, void *context)
{
    const struct moments *const it = context;
    const reap_array_options options = {.axes = it->inner, .where = it->where};
    reap_moments *const moments = malloc((it->slices + 1) * sizeof *moments);
    if (!moments)
        return REAP_ERROR_OUT_OF_MEMORY;
    const reap_status status = reap_array_moments_along(queue, it->x, &options, moments);
    for (size_t i = 0; status == REAP_OK && i < it->slices; i++) {
        const reap_moments *const of = &moments[i];
        const double of_slice[MOMENTS] = {(double)of->count, of->mean, of->squares, of->cubes,
                                          of->fourths};
        memcpy(it->result + MOMENTS * i, of_slice, sizeof of_slice);
    }
    free(moments);
    return status;
}

static bool is_inner(const struct moments *it, unsigned d)
{
    return it->inner == 0 || it->inner >> d & 1;
}

static void count_slices(struct moments *it)
{
    it->slices = 1;
    for (unsigned d = 0; d < it->x->dimensions; d++)
        it->slices *= is_inner(it, d) ? 1 : it->x->shape[d];
}

/* The result is an array of float64, with MOMENTS for each slice. */
static bool take_moments(reap__py_call *call, const reap__py_array *result)
{
    struct moments *const it = call->context;
    count_slices(it);
    if (result->array.type != REAP_TYPE_DOUBLE || result->place.ordinal != REAP__PY_IN_PROGRAM ||
        !PyBuffer_IsContiguous(&result->view, 'C') ||
        (size_t)result->view.len != MOMENTS * sizeof(double) * it->slices) {
        PyErr_SetString(PyExc_ValueError, "the result has another type or shape");
        return false;
    }
    it->result = result->array.data;
    return true;
}

/* moments(x, axes, where, result, is_bfloat16): to `result`; `where` is a mask or None. */
static PyObject *moments(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    if (!reap__py_has_count("moments", count, 5) ||
        !convert(NULL, argument[1], argument[4], &given))
        return NULL;
    reap__py_call *const call = reap__py_call_create(call_moments, sizeof(struct moments), 3);
    const reap_array *const x = reap__py_call_open(call, argument[0], given.flags);
    const unsigned into = REAP__PY_WRITTEN | REAP__PY_UNREACHED;
    bool succeeded = false;
    if (x && reap__py_call_open(call, argument[3], into)) {
        const bool is_masked = argument[2] != Py_None;
        const reap_array *const where = is_masked ? reap__py_call_open(call, argument[2], 0) : NULL;
        *(struct moments *)call->context =
            (struct moments){.x = x, .where = where, .inner = given.axes};
        succeeded = (where || !is_masked) && take_moments(call, &call->arrays[1]) &&
                    reap__py_call_run(call);
    }
    reap__py_call_release(call);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

/* ---- What the module gets ---------------------------------------------------------------------*/

static PyMethodDef functions[] = {REAP__PY_FUNCTION(reduce), REAP__PY_FUNCTION(result_format),
                                  REAP__PY_FUNCTION(dot), REAP__PY_FUNCTION(moments), REAP__PY_END};

static const struct {
    const char *name;
    reap_reduction value;
} reductions[] = {{"SUM", REAP_SUM},
                  {"EXACT_SUM", REAP_EXACT_SUM},
                  {"MINIMUM", REAP_MINIMUM},
                  {"MAXIMUM", REAP_MAXIMUM},
                  {"ARGMIN", REAP_ARGMIN},
                  {"ARGMAX", REAP_ARGMAX},
                  {"NORM_1", REAP_NORM_1},
                  {"NORM_2", REAP_NORM_2},
                  {"NORM_INFINITY", REAP_NORM_INFINITY},
                  {"COUNT_NONZERO", REAP_COUNT_NONZERO}};

bool reap__py_add_reductions(PyObject *module)
{
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        if (PyModule_AddIntConstant(module, reductions[i].name, reductions[i].value) != 0)
            return false;
    }
    return PyModule_AddFunctions(module, functions) == 0;
}
