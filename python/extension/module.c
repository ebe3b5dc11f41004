/* SPDX-License-Identifier: Apache-2.0 */
/* The module reap._reap: the functions of reap/algorithms.h over Python's buffers. It is the part
 * of the package that is written in C; axes, NumPy's results and documentation are in Python, in
 * python/reap. Arguments are positional, and those that the package makes itself (numbers of
 * reductions, bit masks of axes) are only converted here: the library checks them. */
#include "python/extension/array.h"
#include "python/extension/call.h"
#include "python/extension/scan.h"
#include <reap/device.h>
#include <reap/version.h>
#include <string.h>

/* A result that is one value, of any type. */
union value {
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
};

static PyObject *number_of(reap_type type, const union value *value)
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

static bool has_count(const char *function, Py_ssize_t count, Py_ssize_t expected)
{
    if (count == expected)
        return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, expected, count);
    return false;
}

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
    const reap_array *x, *y, *result;
};

static reap_status call_reduce(reap_queue *queue, void *context)
{
    const struct reduce *const it = context;
    return reap_array_reduce(queue, it->reduction, it->x, &it->options, it->result);
}

static reap_status call_dot(reap_queue *queue, void *context)
{
    const struct reduce *const it = context;
    return reap_array_dot(queue, it->x, it->y, it->result);
}

/* A reduction to one value, which is returned. */
static PyObject *reduce_to_number(struct reduce *reduce, reap__py_work *work)
{
    const reap_array *const arrays[] = {reduce->x, reduce->y};
    union value value;
    memset(&value, 0, sizeof value);
    const reap_type type = reap_array_reduce_type(reduce->reduction, reduce->x->type);
    const reap_array result = {&value, type, 0, NULL, NULL};
    reduce->result = &result;
    if (!reap__py_call(work, reduce, arrays, reduce->y ? 2 : 1))
        return NULL;
    return number_of(type, &value);
}

/* A reduction to an array, which the caller has made. */
static PyObject *reduce_to_array(struct reduce *reduce, PyObject *object, unsigned flags)
{
    reap__py_array result;
    if (!reap__py_array_open(object, flags | REAP__PY_WRITTEN, &result))
        return NULL;
    /* The places of elements and counts are below 2^63: the result may say that they are signed. */
    reap_array array = result.array;
    if (array.type == REAP_TYPE_INT64 &&
        reap_array_reduce_type(reduce->reduction, reduce->x->type) == REAP_TYPE_UINT64)
        array.type = REAP_TYPE_UINT64;
    reduce->result = &array;
    const reap_array *const arrays[] = {reduce->x, &array};
    const bool succeeded = reap__py_call(call_reduce, reduce, arrays, 2);
    reap__py_array_close(&result);
    return succeeded ? Py_NewRef(Py_None) : NULL;
}

/* reduce(reduction, x, axes, result, is_bfloat16): to `result`, or with None to a number, which is
 * returned. */
static PyObject *reduce(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    reap__py_array x;
    if (!has_count("reduce", count, 5) || !convert(argument[0], argument[2], argument[4], &given) ||
        !reap__py_array_open(argument[1], given.flags, &x))
        return NULL;
    struct reduce it = {.reduction = given.reduction, .options.axes = given.axes, .x = &x.array};
    PyObject *const result = argument[3] == Py_None
                                 ? reduce_to_number(&it, call_reduce)
                                 : reduce_to_array(&it, argument[3], given.flags);
    reap__py_array_close(&x);
    return result;
}

/* result_format(reduction, x, is_bfloat16): the format of the reduction's result. */
static PyObject *result_format(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    reap__py_array x;
    if (!has_count("result_format", count, 3) || !convert(argument[0], NULL, argument[2], &given) ||
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
    reap__py_array x, y;
    if (!has_count("dot", count, 3) || !convert(NULL, NULL, argument[2], &given) ||
        !reap__py_array_open(argument[0], given.flags, &x))
        return NULL;
    PyObject *result = NULL;
    if (reap__py_array_open(argument[1], given.flags, &y)) {
        struct reduce it = {.reduction = REAP_SUM, .x = &x.array, .y = &y.array};
        result = reduce_to_number(&it, call_dot);
        reap__py_array_close(&y);
    }
    reap__py_array_close(&x);
    return result;
}

/* ---- Moments ----------------------------------------------------------------------------------*/

/* The moments of an array's slices: `slices` of them, each of the elements along the dimensions of
 * `inner`, one for each index of the dimensions of `outer`. */
struct moments {
    const reap_array *x;
    uint64_t inner;    /**< bit d: dimension d is reduced */
    size_t slices;     /**< in row-major order of the other dimensions */
    uint64_t elements; /**< of a slice */
    double *result;    /**< mean, squares, cubes, fourths of each slice */
};

static bool is_inner(const struct moments *it, unsigned d)
{
    return it->inner >> d & 1;
}

/* The slice of a number: its first element, and the dimensions that it has. */
static reap_array slice_of(const struct moments *it, size_t number, size_t *shape,
                           ptrdiff_t *strides)
{
    const reap_array *const x = it->x;
    reap_array slice = {x->data, x->type, 0, shape, strides};
    ptrdiff_t offset = 0;
    for (unsigned d = x->dimensions; d-- > 0;) {
        if (is_inner(it, d))
            continue;
        offset += (ptrdiff_t)(number % x->shape[d]) * x->strides[d];
        number /= x->shape[d];
    }
    for (unsigned d = 0; d < x->dimensions; d++) {
        if (is_inner(it, d)) {
            shape[slice.dimensions] = x->shape[d];
            strides[slice.dimensions++] = x->strides[d];
        }
    }
    slice.data = (char *)x->data + offset;
    return slice;
}

static reap_status call_moments(reap_queue *queue, void *context)
{
    const struct moments *const it = context;
    size_t shape[REAP_ARRAY_MOST_DIMENSIONS];
    ptrdiff_t strides[REAP_ARRAY_MOST_DIMENSIONS];
    for (size_t i = 0; i < it->slices; i++) {
        const reap_array slice = slice_of(it, i, shape, strides);
        reap_moments moments;
        REAP_TRY(reap_array_moments(queue, &slice, &moments));
        memcpy(it->result + 4 * i,
               (const double[]){moments.mean, moments.squares, moments.cubes, moments.fourths},
               4 * sizeof(double));
    }
    return REAP_OK;
}

static void count_slices(struct moments *it)
{
    it->slices = 1;
    it->elements = 1;
    for (unsigned d = 0; d < it->x->dimensions; d++) {
        if (is_inner(it, d))
            it->elements *= it->x->shape[d];
        else
            it->slices *= it->x->shape[d];
    }
}

/* The result is an array of float64, with four for each slice. */
static bool moments_to_array(struct moments *it, PyObject *object)
{
    reap__py_array result;
    if (!reap__py_array_open(object, REAP__PY_WRITTEN, &result))
        return false;
    bool succeeded = false;
    if (result.array.type != REAP_TYPE_DOUBLE || !PyBuffer_IsContiguous(&result.view, 'C') ||
        (size_t)result.view.len != 4 * sizeof(double) * it->slices) {
        PyErr_SetString(PyExc_ValueError, "the result has another type or shape");
    } else {
        it->result = result.array.data;
        succeeded = reap__py_call(call_moments, it, &it->x, 1);
    }
    reap__py_array_close(&result);
    return succeeded;
}

/* moments(x, axes, result, is_bfloat16): the count of the elements of a slice; their moments are in
 * `result`. */
static PyObject *moments(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    struct arguments given;
    reap__py_array x;
    if (!has_count("moments", count, 4) || !convert(NULL, argument[1], argument[3], &given) ||
        !reap__py_array_open(argument[0], given.flags, &x))
        return NULL;
    struct moments it = {.x = &x.array, .inner = given.axes};
    count_slices(&it);
    const bool succeeded = moments_to_array(&it, argument[2]);
    reap__py_array_close(&x);
    return succeeded ? PyLong_FromUnsignedLongLong(it.elements) : NULL;
}

/* ---- Devices, and the module ------------------------------------------------------------------*/

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

#define FUNCTION(name)                                                                             \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL                            \
    }

static PyMethodDef functions[] = {FUNCTION(reduce),
                                  FUNCTION(result_format),
                                  FUNCTION(dot),
                                  FUNCTION(moments),
                                  {"devices", devices, METH_NOARGS, devices_text},
                                  {NULL, NULL, 0, NULL}};

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

static bool add_constants(PyObject *module)
{
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        if (PyModule_AddIntConstant(module, reductions[i].name, reductions[i].value) != 0)
            return false;
    }
    return PyModule_AddStringConstant(module, "version", reap_version()) == 0;
}

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "reap._reap", .m_size = -1,
                                        .m_methods = functions};

extern PyMODINIT_FUNC PyInit__reap(void);

PyMODINIT_FUNC PyInit__reap(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (!reap__py_add_error(module) || !add_constants(module) ||
                   PyModule_AddFunctions(module, reap__py_scan_functions) != 0))
        Py_CLEAR(module);
    return module;
}
