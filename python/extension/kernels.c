/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that the package has had compiled into a shared library, which python/reap/_compile.py
 * does: what they are, and launches. The arguments of a launch are written into the kernel's struct
 * of arguments as its table says (reap/detail/kernel_table.h). python/reap/_kernels.py checks their
 * types; the library checks the rest.
 *
 * A library stays loaded until the process ends, since parts and the library's own tables of
 * compiled code refer to its kernels. */
#include "python/extension/call.h"
#include "python/extension/functions.h"

#include <dlfcn.h>
#include <reap/detail/kernel_table.h>
#include <reap/launch.h>
#include <stdint.h>
#include <string.h>

static const char kernel_name[] = "reap.kernel";

const struct reap_kernel *reap__py_kernel_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, kernel_name);
}

/* ---- What there is in a shared library --------------------------------------------------------*/

/* (name, type, kind, size, operation, has_location) */
static PyObject *describe_parameter(const struct reap__parameter *parameter)
{
    const struct reap__reduction *const reduction = parameter->reduction;
    return Py_BuildValue("(ssinzO)", parameter->name, parameter->type, (int)parameter->kind,
                         (Py_ssize_t)parameter->size, reduction ? reduction->operation : NULL,
                         reduction && reduction->location_offset > 0 ? Py_True : Py_False);
}

PyObject *reap__py_describe_kernel(const struct reap_kernel *kernel)
{
    const bool takes_groups = kernel->item || kernel->phases[0] || kernel->of_groups_;
    const bool takes_ranges = kernel->items[0] != NULL;
    PyObject *parameters = PyList_New(0);
    for (size_t i = 1; i < kernel->parameter_count && parameters; i++) {
        PyObject *const one = describe_parameter(&kernel->parameters[i]);
        if (!one || PyList_Append(parameters, one) != 0)
            Py_CLEAR(parameters);
        Py_XDECREF(one);
    }
    PyObject *const capsule =
        parameters ? PyCapsule_New(reap__py_pointer((uintptr_t)kernel), kernel_name, NULL) : NULL;
    if (!capsule) {
        Py_XDECREF(parameters);
        return NULL;
    }
    return Py_BuildValue("(NsOON)", capsule, kernel->name, takes_ranges ? Py_True : Py_False,
                         takes_groups ? Py_True : Py_False, parameters);
}

static PyObject *describe_kernels(const struct reap_kernel *const *kernels, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; i < count && list; i++) {
        if (!kernels[i])
            continue;
        PyObject *one = NULL;
        if (kernels[i]->format == REAP__KERNEL_FORMAT)
            one = reap__py_describe_kernel(kernels[i]);
        else
            PyErr_SetString(
                PyExc_ImportError,
                "the kernels were compiled with the headers of another version of Reap");
        if (!one || PyList_Append(list, one) != 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* A function's or an object's address in a library; NULL with an exception. */
static void *open_library(const char *path, const char *symbol, void **library)
{
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const found = *library ? dlsym(*library, symbol) : NULL;
    if (!found)
        PyErr_Format(PyExc_ImportError, "the compiled kernels cannot be loaded: %s", dlerror());
    return found;
}

static PyObject *path_of(PyObject *const *argument, Py_ssize_t count)
{
    PyObject *path = NULL;
    return count == 1 && PyUnicode_FSConverter(argument[0], &path) ? path : NULL;
}

typedef const struct reap_kernel *const *list_function(size_t *count);

/* load_kernels(path): descriptions of all kernels of a library. */
static PyObject *load_kernels(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    PyObject *const path =
        reap__py_has_count("load_kernels", count, 1) ? path_of(argument, count) : NULL;
    if (!path)
        return NULL;
    void *library;
    list_function *list;
    void *const symbol = open_library(PyBytes_AsString(path), "reap_python_kernels", &library);
    Py_DECREF(path);
    if (!symbol)
        return NULL;
    memcpy(&list, &symbol, sizeof list);
    size_t kernel_count;
    const struct reap_kernel *const *const kernels = list(&kernel_count);
    return describe_kernels(kernels, kernel_count);
}

/* load_types(path): the text `reap_python_types` of a library, which is not kept. */
static PyObject *load_types(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    PyObject *const path =
        reap__py_has_count("load_types", count, 1) ? path_of(argument, count) : NULL;
    if (!path)
        return NULL;
    void *library;
    const char *const text = open_library(PyBytes_AsString(path), "reap_python_types", &library);
    Py_DECREF(path);
    PyObject *const types = text ? PyUnicode_FromString(text) : NULL;
    if (library)
        dlclose(library);
    return types;
}

/* ---- Arguments --------------------------------------------------------------------------------*/

/* As the macros of reap/detail/host/parameters.h declare them. */
struct scalar {
    void *variable, *result;
    const void *identity;
    unsigned properties;
    reap_part *part;
};

struct location {
    void *variable, *result;
    const void *identity;
    unsigned properties;
    uint64_t *location;
    reap_part *part;
};

struct span {
    void *variable, *result;
    const void *identity;
    unsigned properties;
    size_t count;
    reap_part *part;
};

/* How python/reap/_kernels.py gives a reduction. */
enum { TO_VARIABLE, TO_RESULT, TO_PART };

static bool set_array(reap__py_call *call, const struct reap__parameter *parameter,
                      PyObject *object, void *into)
{
    const unsigned flags = parameter->kind == REAP__IN ? 0 : REAP__PY_WRITTEN;
    const reap_array *const array = reap__py_call_open(call, object, flags | REAP__PY_PLAIN);
    if (array)
        *(void **)into = array->data;
    return array;
}

/* The bytes of a value, or of the sizes of local memory. */
static bool set_bytes(PyObject *object, size_t size, void *into)
{
    char *bytes;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(object, &bytes, &length) != 0)
        return false;
    if ((size_t)length != size) {
        PyErr_Format(PyExc_ValueError, "a value has %zd bytes: the parameter has %zu", length,
                     size);
        return false;
    }
    memcpy(into, bytes, size);
    return true;
}

/* Memory that the library writes a reduction to. */
static void *open_result(reap__py_call *call, PyObject *object, size_t bytes, size_t *count)
{
    const unsigned flags = REAP__PY_WRITTEN | REAP__PY_PLAIN | REAP__PY_UNREACHED;
    const reap_array *const array = reap__py_call_open(call, object, flags);
    if (!array)
        return NULL;
    const size_t has = reap__py_array_bytes(&call->arrays[call->array_count - 1]);
    if (has < bytes || has % bytes != 0) {
        PyErr_Format(PyExc_ValueError, "the array has %zu bytes: a value of the reduction has %zu",
                     has, bytes);
        return NULL;
    }
    *count = has / bytes;
    return array->data;
}

static bool set_part(const struct reap__parameter *parameter, PyObject *part, PyObject *count,
                     void *into)
{
    reap_part *const found = reap__py_part_of(part);
    if (parameter->kind != REAP__SCALAR_REDUCTION) {
        ((struct span *)into)->part = found;
        ((struct span *)into)->count = count ? PyLong_AsSize_t(count) : 0;
    } else if (parameter->reduction->location_offset > 0) {
        ((struct location *)into)->part = found;
    } else {
        ((struct scalar *)into)->part = found;
    }
    return !PyErr_Occurred();
}

/* object: (TO_VARIABLE or TO_RESULT, memory[, memory of the location]), or (TO_PART, part[, number
 * of elements]) */
static bool set_reduction(reap__py_call *call, const struct reap__parameter *parameter,
                          PyObject *object, void *into)
{
    const bool has_location = parameter->reduction->location_offset > 0;
    const bool is_span = parameter->kind != REAP__SCALAR_REDUCTION; /* or of rows, or columns */
    struct scalar *const scalar = into;                             /* the others begin like it */
    struct location *const location = into;
    struct span *const span = into;
    long how = 0;
    size_t count = 0, locations = 1;
    PyObject *memory = NULL, *where = NULL;
    if (!PyArg_ParseTuple(object, "lO|O", &how, &memory, &where))
        return false;
    if (how == TO_PART)
        return set_part(parameter, memory, where, into);
    void **const place = how == TO_RESULT ? &scalar->result : &scalar->variable;
    *place = open_result(call, memory, parameter->reduction->value_size, &count);
    if (*place && is_span)
        span->count = count;
    if (*place && has_location && where)
        location->location = open_result(call, where, sizeof(uint64_t), &locations);
    if (!PyErr_Occurred() && (locations != 1 || (!is_span && count != 1)))
        PyErr_Format(PyExc_ValueError,
                     "the array has %zu elements: a reduction to one value needs 1", count);
    return !PyErr_Occurred();
}

static bool set_argument(reap__py_call *call, const struct reap__parameter *parameter,
                         PyObject *object, char *arguments)
{
    void *const into = arguments + parameter->offset;
    switch (parameter->kind) {
    case REAP__IN:
    case REAP__OUT:
    case REAP__INOUT:
        return set_array(call, parameter, object, into);
    case REAP__VALUE:
        return set_bytes(object, parameter->size, into);
    case REAP__LOCAL:
        return set_bytes(object, sizeof(size_t), into);
    case REAP__LOCAL_2D:
        return set_bytes(object, 2 * sizeof(size_t), into);
    case REAP__LOCAL_3D:
        return set_bytes(object, 3 * sizeof(size_t), into);
    case REAP__SCALAR_REDUCTION:
    case REAP__SPAN_REDUCTION:
    case REAP__ROW_REDUCTION:
    case REAP__COLUMN_REDUCTION:
        return set_reduction(call, parameter, object, into);
    case REAP__IDENTITY_VALUE:
        break;
    }
    return true;
}

/* Has the exception of an argument say which one it is. */
static void name_argument(const struct reap_kernel *kernel, const struct reap__parameter *parameter)
{
    PyObject *type, *value, *traceback;
    const bool is_value = PyErr_ExceptionMatches(PyExc_ValueError);
    if (!is_value && !PyErr_ExceptionMatches(PyExc_TypeError))
        return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_Format(is_value ? PyExc_ValueError : PyExc_TypeError, "kernel '%s': parameter '%s': %S",
                 kernel->name, parameter->name, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static bool set_arguments(reap__py_call *call, const struct reap_kernel *kernel, PyObject *given,
                          char *arguments)
{
    if (!PyTuple_Check(given) || (size_t)PyTuple_Size(given) + 1 != kernel->parameter_count) {
        PyErr_SetString(PyExc_TypeError, "an argument for each parameter is needed");
        return false;
    }
    for (size_t i = 1; i < kernel->parameter_count; i++) {
        const struct reap__parameter *const parameter = &kernel->parameters[i];
        if (!set_argument(call, parameter, PyTuple_GetItem(given, (Py_ssize_t)i - 1), arguments)) {
            name_argument(kernel, parameter);
            return false;
        }
    }
    return true;
}

/* ---- Launches ---------------------------------------------------------------------------------*/

struct launch {
    const struct reap_kernel *kernel;
    max_align_t arguments[];
};

static reap_status call_launch(reap_queue *queue, void *context)
{
    const struct launch *const it = context;
    REAP_TRY(reap_launch(queue, it->kernel, it->arguments));
    return reap_queue_wait(queue);
}

static bool set_sizes(PyObject *tuple, size_t *sizes, unsigned *count)
{
    const Py_ssize_t length = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : 0;
    if (length < 1 || length > 3) {
        PyErr_SetString(PyExc_ValueError, "a range has 1, 2 or 3 sizes");
        return false;
    }
    for (Py_ssize_t d = 0; d < length; d++) {
        sizes[d] = PyLong_AsSize_t(PyTuple_GetItem(tuple, d));
        if (PyErr_Occurred())
            return false;
    }
    *count = (unsigned)length;
    return true;
}

static bool set_range(PyObject *sizes, PyObject *groups, reap_range *range)
{
    unsigned dimensions;
    *range = (reap_range){{1, 1, 1}, {0, 0, 0}, 0};
    if (!set_sizes(sizes, range->size, &range->dimensions))
        return false;
    if (groups == Py_None)
        return true;
    range->group[0] = range->group[1] = range->group[2] = 1;
    if (!set_sizes(groups, range->group, &dimensions))
        return false;
    if (dimensions != range->dimensions)
        PyErr_SetString(PyExc_ValueError,
                        "the range and the work-group size have different numbers of dimensions");
    return dimensions == range->dimensions;
}

/* The code for ranges of that many dimensions, as reap_parallel_for() finds it. */
static const struct reap_kernel *of_dimensions(const struct reap_kernel *kernel,
                                               unsigned dimensions)
{
    return dimensions == 1 ? kernel->of_1d_ : dimensions == 2 ? kernel->of_2d_ : kernel;
}

static bool set_launch(reap__py_call *call, const struct reap_kernel *kernel,
                       PyObject *const *argument)
{
    struct launch *const it = call->context;
    reap_range *const range = (reap_range *)it->arguments;
    reap_launch_options *const options =
        (reap_launch_options *)((char *)it->arguments + kernel->options_offset);
    if (!set_range(argument[1], argument[2], range) ||
        !set_arguments(call, kernel, argument[3], (char *)it->arguments))
        return false;
    const int may_be_long = PyObject_IsTrue(argument[5]);
    options->first_item = PyLong_AsUnsignedLongLong(argument[4]);
    call->may_be_long = may_be_long > 0;
    call->kept = Py_NewRef(argument[3]);
    it->kernel = of_dimensions(kernel, range->dimensions);
    return !PyErr_Occurred();
}

/* launch(kernel, sizes, groups, arguments, first_item, may_be_long) */
static PyObject *launch(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const struct reap_kernel *const kernel =
        reap__py_has_count("launch", count, 6) ? reap__py_kernel_of(argument[0]) : NULL;
    if (!kernel)
        return NULL;
    /* A reduction with a location has two. */
    reap__py_call *const call = reap__py_call_create(
        call_launch, sizeof(struct launch) + kernel->arguments_size, 2 * kernel->parameter_count);
    PyObject *result = NULL;
    if (call && set_launch(call, kernel, argument) && reap__py_call_run(call))
        result = Py_NewRef(Py_None);
    reap__py_call_release(call);
    return result;
}

/* ---- What the module gets ---------------------------------------------------------------------*/

static PyMethodDef functions[] = {REAP__PY_FUNCTION(load_kernels), REAP__PY_FUNCTION(load_types),
                                  REAP__PY_FUNCTION(launch), REAP__PY_END};

bool reap__py_add_kernels(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
