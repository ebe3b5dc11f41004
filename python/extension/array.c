/* SPDX-License-Identifier: Apache-2.0 */
/* Python objects as arrays: see array.h. The format of a buffer is that of the struct module: a
 * letter for the kind of the elements, perhaps after one for the byte order. The size of the
 * elements comes with the buffer. */
#include "python/extension/array.h"
#include "python/extension/foreign.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define IS_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

const char *reap__py_format_of(reap_type type)
{
    switch (type) {
    case REAP_TYPE_BOOL:
        return "?";
    case REAP_TYPE_INT8:
        return "b";
    case REAP_TYPE_UINT8:
        return "B";
    case REAP_TYPE_INT16:
        return "h";
    case REAP_TYPE_UINT16:
        return "H";
    case REAP_TYPE_INT32:
        return "i";
    case REAP_TYPE_UINT32:
        return "I";
    case REAP_TYPE_INT64:
        return "q";
    case REAP_TYPE_UINT64:
        return "Q";
    case REAP_TYPE_HALF:
        return "e";
    case REAP_TYPE_BFLOAT16:
        return "H";
    case REAP_TYPE_FLOAT:
        return "f";
    case REAP_TYPE_DOUBLE:
        return "d";
    case REAP_TYPE_NONE:
        break;
    }
    return NULL;
}

static reap_type integer_type(bool is_signed, Py_ssize_t bytes)
{
    switch (bytes) {
    case 1:
        return is_signed ? REAP_TYPE_INT8 : REAP_TYPE_UINT8;
    case 2:
        return is_signed ? REAP_TYPE_INT16 : REAP_TYPE_UINT16;
    case 4:
        return is_signed ? REAP_TYPE_INT32 : REAP_TYPE_UINT32;
    case 8:
        return is_signed ? REAP_TYPE_INT64 : REAP_TYPE_UINT64;
    default:
        return REAP_TYPE_NONE;
    }
}

/* The type of a letter, if elements of it have that many bytes. */
static reap_type type_of_letter(char letter, Py_ssize_t bytes)
{
    reap_type type = REAP_TYPE_NONE;
    if (strchr("bhilqn", letter))
        return integer_type(true, bytes);
    if (strchr("BHILQN", letter))
        return integer_type(false, bytes);
    if (letter == '?')
        type = REAP_TYPE_BOOL;
    else if (letter == 'e')
        type = REAP_TYPE_HALF;
    else if (letter == 'f')
        type = REAP_TYPE_FLOAT;
    else if (letter == 'd')
        type = REAP_TYPE_DOUBLE;
    return (Py_ssize_t)reap_type_size(type) == bytes ? type : REAP_TYPE_NONE;
}

/* REAP_TYPE_NONE, with an exception, for what Reap has no type for. */
static reap_type type_of(const Py_buffer *view, unsigned flags)
{
    const char *const format = view->format ? view->format : "B";
    const char *letter = format;
    const bool is_foreign = *letter && strchr(IS_LITTLE_ENDIAN ? ">!" : "<", *letter);
    if (*letter && strchr("@=<>!", *letter))
        letter++;
    reap_type type = REAP_TYPE_NONE;
    if (letter[0] != '\0' && letter[1] == '\0')
        type = type_of_letter(*letter, view->itemsize);
    if (type == REAP_TYPE_UINT16 && (flags & REAP__PY_BFLOAT16))
        type = REAP_TYPE_BFLOAT16;
    if (type == REAP_TYPE_NONE)
        PyErr_Format(PyExc_TypeError,
                     "elements of the format '%s' are not supported: bool, integers of 8 to 64 "
                     "bits, float16, bfloat16, float32 and float64 are",
                     format);
    else if (is_foreign && view->itemsize > 1)
        PyErr_Format(PyExc_TypeError,
                     "elements of the format '%s' have another byte order than this machine's: "
                     "convert them, as by x.astype(x.dtype.newbyteorder('='))",
                     format);
    else
        return type;
    return REAP_TYPE_NONE;
}

/* Takes shape and strides. Returns whether the elements can be used where they are. A stride that
 * leads to no element may be any number: it becomes that of row-major order, and so do the strides
 * of ctypes' arrays, which are NULL. */
static bool take_layout(reap__py_array *array)
{
    const Py_buffer *const view = &array->view;
    bool is_aligned = (uintptr_t)view->buf % (size_t)view->itemsize == 0;
    ptrdiff_t row_major = view->itemsize;
    for (int d = view->ndim; d-- > 0;) {
        const bool has_stride = view->strides && view->shape[d] > 1 && view->len > 0;
        array->shape[d] = (size_t)view->shape[d];
        array->strides[d] = has_stride ? view->strides[d] : row_major;
        is_aligned = is_aligned && array->strides[d] % view->itemsize == 0;
        row_major *= view->shape[d];
    }
    return is_aligned || view->len == 0;
}

/* Replaces the elements by a copy in row-major order. */
static bool copy_elements(reap__py_array *array)
{
    Py_buffer *const view = &array->view;
    array->copy = malloc((size_t)view->len);
    if (!array->copy) {
        PyErr_NoMemory();
        return false;
    }
    if (PyBuffer_ToContiguous(array->copy, view, view->len, 'C') != 0)
        return false;
    ptrdiff_t stride = view->itemsize;
    for (int d = view->ndim; d-- > 0; stride *= view->shape[d])
        array->strides[d] = stride;
    array->array.data = array->copy;
    return true;
}

/* NumPy says of a type without a format that the value is wrong; what is wrong is the type. */
static bool open_view(PyObject *object, unsigned flags, Py_buffer *view)
{
    const int access = flags & REAP__PY_WRITTEN ? PyBUF_RECORDS : PyBUF_RECORDS_RO;
    if (PyObject_GetBuffer(object, view, access) == 0)
        return true;
    if (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_BufferError)) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_Format(PyExc_TypeError, "these elements are not supported: %S", value);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return false;
}

static bool are_few_dimensions(int count)
{
    if (count > REAP_ARRAY_MOST_DIMENSIONS)
        PyErr_Format(PyExc_ValueError, "the array has %d dimensions: at most %d are supported",
                     count, REAP_ARRAY_MOST_DIMENSIONS);
    return count <= REAP_ARRAY_MOST_DIMENSIONS;
}

/* The elements of a view, as they are or copied. */
static bool take_elements(reap__py_array *array, unsigned flags)
{
    const reap_type type = type_of(&array->view, flags);
    if (type == REAP_TYPE_NONE || !are_few_dimensions(array->view.ndim))
        return false;
    array->array = (reap_array){array->view.buf, type, (unsigned)array->view.ndim, array->shape,
                                array->strides};
    if (take_layout(array))
        return true;
    if (!(flags & REAP__PY_WRITTEN))
        return copy_elements(array);
    PyErr_SetString(PyExc_ValueError, "the result is not aligned");
    return false;
}

/* The bytes of a view, whatever its elements are. */
static bool take_bytes(reap__py_array *array)
{
    if (!are_few_dimensions(array->view.ndim))
        return false;
    if (array->view.itemsize == 0 || !PyBuffer_IsContiguous(&array->view, 'C')) {
        PyErr_SetString(PyExc_ValueError,
                        "the array is not in row-major order: pass numpy.ascontiguousarray(x)");
        return false;
    }
    array->array = (reap_array){array->view.buf, REAP_TYPE_NONE, (unsigned)array->view.ndim,
                                array->shape, array->strides};
    take_layout(array);
    return true;
}

static bool open_foreign(const reap__py_foreign *foreign, unsigned flags, reap__py_array *array)
{
    const reap_array *const source = reap__py_foreign_array(foreign);
    if ((flags & REAP__PY_WRITTEN) && reap__py_foreign_is_read_only(foreign)) {
        PyErr_SetString(PyExc_ValueError, "the array is read-only");
        return false;
    }
    ptrdiff_t row_major = (ptrdiff_t)reap_type_size(source->type);
    for (unsigned d = source->dimensions; d-- > 0; row_major *= (ptrdiff_t)source->shape[d]) {
        if ((flags & REAP__PY_PLAIN) && source->strides[d] != row_major) {
            PyErr_SetString(PyExc_ValueError, "the array is not in row-major order: copy it");
            return false;
        }
    }
    array->place = reap__py_foreign_place(foreign);
    array->array = *source;
    array->foreign = Py_NewRef(reap__py_pointer((uintptr_t)foreign));
    return true;
}

bool reap__py_array_open(PyObject *object, unsigned flags, reap__py_array *array)
{
    const reap__py_foreign *const foreign = reap__py_foreign_of(object);
    array->copy = NULL;
    array->foreign = NULL;
    array->view.obj = NULL;
    array->is_unreached = flags & REAP__PY_UNREACHED;
    array->place = (reap__py_place){REAP__PY_IN_PROGRAM, NULL};
    if (foreign)
        return open_foreign(foreign, flags, array);
    if (!open_view(object, flags, &array->view))
        return false;
    const bool is_open = flags & REAP__PY_PLAIN ? take_bytes(array) : take_elements(array, flags);
    if (!is_open)
        reap__py_array_close(array);
    return is_open;
}

void reap__py_array_close(reap__py_array *array)
{
    free(array->copy);
    array->copy = NULL;
    Py_CLEAR(array->foreign);
    PyBuffer_Release(&array->view);
}

size_t reap__py_array_bytes(const reap__py_array *array)
{
    size_t bytes = reap_type_size(array->array.type);
    if (array->view.obj)
        return (size_t)array->view.len;
    for (unsigned d = 0; d < array->array.dimensions; d++)
        bytes *= array->array.shape[d];
    return bytes;
}
