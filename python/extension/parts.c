/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of reductions (reap/part.h), in capsules. */
#include "python/extension/call.h"
#include "python/extension/functions.h"
#include "python/extension/part_kernels.h"

#include <reap/launch.h>
#include <reap/part.h>
#include <stdint.h>

static const char part_name[] = "reap.part";

reap_part *reap__py_part_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, part_name);
}

static void release(PyObject *capsule)
{
    reap_part_release(reap__py_part_of(capsule));
}

static PyObject *raise(reap_status status)
{
    reap__py_raise(status, reap_last_error());
    return NULL;
}

static PyObject *wrap(reap_part *part)
{
    PyObject *const capsule = PyCapsule_New(part, part_name, release);
    if (!capsule)
        reap_part_release(part);
    return capsule;
}

/* The name of a reduction, as bytes. */
static PyObject *encode(PyObject *name)
{
    return PyUnicode_AsUTF8String(name);
}

/* part_kernel(kind, letter): the description of a kernel. */
static PyObject *part_kernel(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    PyObject *const kind = reap__py_has_count("part_kernel", count, 2) ? encode(argument[0]) : NULL;
    PyObject *const letter = kind ? encode(argument[1]) : NULL;
    PyObject *description = NULL;
    const struct reap_kernel *kernel = NULL;
    if (letter)
        kernel = reap__py_part_kernel(PyBytes_AsString(kind), PyBytes_AsString(letter)[0]);
    if (kernel)
        description = reap__py_describe_kernel(kernel);
    else if (letter)
        PyErr_Format(PyExc_ValueError, "a part '%U' cannot have elements of type '%U'", argument[0],
                     argument[1]);
    Py_XDECREF(kind);
    Py_XDECREF(letter);
    return description;
}

/* in_order(x): the object if its elements follow each other, where their type may be, in row-major
 * order; otherwise bytes of them in that order. */
static PyObject *in_order(PyObject *module, PyObject *x)
{
    (void)module;
    Py_buffer view;
    PyObject *result = NULL;
    if (PyObject_GetBuffer(x, &view, PyBUF_RECORDS_RO) != 0)
        return NULL;
    if (PyBuffer_IsContiguous(&view, 'C') && (uintptr_t)view.buf % (size_t)view.itemsize == 0)
        result = Py_NewRef(x);
    else
        result = PyBytes_FromStringAndSize(NULL, view.len);
    if (result && result != x &&
        PyBuffer_ToContiguous(PyBytes_AsString(result), &view, view.len, 'C') != 0)
        Py_CLEAR(result);
    PyBuffer_Release(&view);
    return result;
}

/* make_part(kernel, reduction) */
static PyObject *make_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const struct reap_kernel *const kernel =
        reap__py_has_count("make_part", count, 2) ? reap__py_kernel_of(argument[0]) : NULL;
    PyObject *const name = kernel ? encode(argument[1]) : NULL;
    reap_part *part;
    if (!name)
        return NULL;
    const reap_status status = reap_part_create(kernel, PyBytes_AsString(name), &part);
    Py_DECREF(name);
    return status == REAP_OK ? wrap(part) : raise(status);
}

/* read_part(kernel, reduction, bytes) */
static PyObject *read_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const struct reap_kernel *const kernel =
        reap__py_has_count("read_part", count, 3) ? reap__py_kernel_of(argument[0]) : NULL;
    char *bytes;
    Py_ssize_t size;
    if (!kernel || PyBytes_AsStringAndSize(argument[2], &bytes, &size) != 0)
        return NULL;
    PyObject *const name = encode(argument[1]);
    reap_part *part;
    if (!name)
        return NULL;
    const reap_status status =
        reap_part_read(kernel, PyBytes_AsString(name), bytes, (size_t)size, &part);
    Py_DECREF(name);
    return status == REAP_OK ? wrap(part) : raise(status);
}

/* write_part(part): its encoding. */
static PyObject *write_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const reap_part *const part =
        reap__py_has_count("write_part", count, 1) ? reap__py_part_of(argument[0]) : NULL;
    size_t size;
    if (!part)
        return NULL;
    reap_status status = reap_part_write(part, NULL, 0, &size);
    if (status != REAP_OK)
        return raise(status);
    PyObject *const bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!bytes)
        return NULL;
    status = reap_part_write(part, PyBytes_AsString(bytes), size, &size);
    if (status == REAP_OK)
        return bytes;
    Py_DECREF(bytes);
    return raise(status);
}

/* copy_part(part) */
static PyObject *copy_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const reap_part *const part =
        reap__py_has_count("copy_part", count, 1) ? reap__py_part_of(argument[0]) : NULL;
    reap_part *copy;
    if (!part)
        return NULL;
    const reap_status status = reap_part_copy(part, &copy);
    return status == REAP_OK ? wrap(copy) : raise(status);
}

/* merge_part(into, from) */
static PyObject *merge_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    reap_part *const into =
        reap__py_has_count("merge_part", count, 2) ? reap__py_part_of(argument[0]) : NULL;
    const reap_part *const from = into ? reap__py_part_of(argument[1]) : NULL;
    if (!from)
        return NULL;
    const reap_status status = reap_part_merge(into, from);
    return status == REAP_OK ? Py_NewRef(Py_None) : raise(status);
}

/* part_ranges(part): a list of (first, end). */
static PyObject *part_ranges(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const reap_part *const part =
        reap__py_has_count("part_ranges", count, 1) ? reap__py_part_of(argument[0]) : NULL;
    PyObject *list = part ? PyList_New(0) : NULL;
    const size_t ranges = reap_part_range_count(part);
    for (size_t i = 0; i < ranges && list; i++) {
        reap_part_range range = {0, 0};
        reap_part_get_range(part, i, &range);
        PyObject *const pair =
            Py_BuildValue("(KK)", (unsigned long long)range.first, (unsigned long long)range.end);
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

/* finish_part(part, result, location, count): result and location, a buffer or None, are written.
 * count is the number of elements of an array reduction, otherwise 0. */
static PyObject *finish_part(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    const reap_part *const part =
        reap__py_has_count("finish_part", count, 4) ? reap__py_part_of(argument[0]) : NULL;
    reap_part_description description;
    Py_buffer result, location = {.buf = NULL};
    const size_t elements = part ? PyLong_AsSize_t(argument[3]) : 0;
    if (!part || PyErr_Occurred() || PyObject_GetBuffer(argument[1], &result, PyBUF_CONTIG) != 0)
        return NULL;
    reap_status status = reap_part_describe(part, &description);
    const bool has_location =
        argument[2] != Py_None && PyObject_GetBuffer(argument[2], &location, PyBUF_CONTIG) == 0;
    const size_t fits =
        description.value_size > 0 ? (size_t)result.len / description.value_size : 0;
    if (status == REAP_OK && (fits == 0 || fits < elements || (has_location && location.len < 8)))
        PyErr_SetString(PyExc_ValueError, "the result has too few bytes");
    if (status == REAP_OK && !PyErr_Occurred()) {
        const reap_part_finish_options options = {
            .location = location.buf, .properties = REAP_INITIALIZE_TO_IDENTITY, .count = elements};
        status = reap_part_finish(part, result.buf, &options);
    }
    PyBuffer_Release(&result);
    if (has_location)
        PyBuffer_Release(&location);
    if (PyErr_Occurred())
        return NULL;
    return status == REAP_OK ? Py_NewRef(Py_None) : raise(status);
}

/* ---- What the module gets ---------------------------------------------------------------------*/

static PyMethodDef functions[] = {
    {"in_order", in_order, METH_O, NULL}, REAP__PY_FUNCTION(part_kernel),
    REAP__PY_FUNCTION(make_part),         REAP__PY_FUNCTION(read_part),
    REAP__PY_FUNCTION(write_part),        REAP__PY_FUNCTION(copy_part),
    REAP__PY_FUNCTION(merge_part),        REAP__PY_FUNCTION(part_ranges),
    REAP__PY_FUNCTION(finish_part),       REAP__PY_END};

bool reap__py_add_parts(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
