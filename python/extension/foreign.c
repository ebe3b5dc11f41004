/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of other libraries: see foreign.h. The structs are those of DLPack 1.0, whose functions a
 * library that takes an array from another does not need: a capsule contains the array, and its
 * name says in which of two forms. Taking it renames the capsule; then its memory is given back by
 * the array's own function, once. */
#include "python/extension/foreign.h"

#include "python/extension/functions.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- DLPack -----------------------------------------------------------------------------------*/

enum { DEVICE_CPU = 1, DEVICE_CUDA = 2, DEVICE_CUDA_HOST = 3, DEVICE_CUDA_MANAGED = 13 };
enum { CODE_INT = 0, CODE_UINT = 1, CODE_FLOAT = 2, CODE_BFLOAT = 4, CODE_BOOL = 6 };
enum { IS_READ_ONLY = 1, MAJOR_VERSION = 1 };

struct tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: row-major order */
    uint64_t byte_offset;
};

struct managed {
    struct tensor tensor;
    void *manager;
    void (*deleter)(struct managed *self);
};

struct versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct versioned *self);
    uint64_t flags;
    struct tensor tensor;
};

/* ---- The type ---------------------------------------------------------------------------------*/

struct reap__py_foreign {
    PyObject_HEAD reap_array array;
    reap__py_place place;
    bool is_read_only;
    struct managed *managed;     /* to be given back; or NULL */
    struct versioned *versioned; /* the same */
    PyObject *owner;             /* has the memory otherwise */
    size_t shape[REAP_ARRAY_MOST_DIMENSIONS];
    ptrdiff_t strides[REAP_ARRAY_MOST_DIMENSIONS];
};

static PyTypeObject *foreign_type;

reap__py_foreign *reap__py_foreign_of(PyObject *object)
{
    return Py_TYPE(object) == foreign_type ? (reap__py_foreign *)object : NULL;
}

const reap_array *reap__py_foreign_array(const reap__py_foreign *foreign)
{
    return &foreign->array;
}

reap__py_place reap__py_foreign_place(const reap__py_foreign *foreign)
{
    return foreign->place;
}

bool reap__py_foreign_is_read_only(const reap__py_foreign *foreign)
{
    return foreign->is_read_only;
}

static void deallocate(PyObject *object)
{
    reap__py_foreign *const it = (reap__py_foreign *)object;
    PyObject *type_of_error, *error, *traceback; /* which the functions called here might replace */
    PyErr_Fetch(&type_of_error, &error, &traceback);
    if (it->managed && it->managed->deleter)
        it->managed->deleter(it->managed);
    if (it->versioned && it->versioned->deleter)
        it->versioned->deleter(it->versioned);
    PyErr_Restore(type_of_error, error, traceback);
    Py_XDECREF(it->owner);
    PyTypeObject *const type = Py_TYPE(object);
    PyObject_Free(object);
    Py_DECREF(type);
}

static reap__py_foreign *make(unsigned dimensions)
{
    if (dimensions > REAP_ARRAY_MOST_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "the array has %u dimensions: at most %d are supported",
                     dimensions, REAP_ARRAY_MOST_DIMENSIONS);
        return NULL;
    }
    reap__py_foreign *const it = PyObject_New(reap__py_foreign, foreign_type);
    if (!it)
        return NULL;
    it->array = (reap_array){NULL, REAP_TYPE_NONE, dimensions, it->shape, it->strides};
    it->place = (reap__py_place){REAP__PY_IN_PROGRAM, NULL};
    it->is_read_only = false;
    it->managed = NULL;
    it->versioned = NULL;
    it->owner = NULL;
    return it;
}

/* Strides that lead to no element become those of row-major order. Returns whether the elements are
 * aligned; otherwise an exception is set. */
static bool settle_strides(reap__py_foreign *it)
{
    const ptrdiff_t size = (ptrdiff_t)reap_type_size(it->array.type);
    bool is_empty = false, is_aligned = (uintptr_t)it->array.data % (uintptr_t)size == 0;
    ptrdiff_t row_major = size;
    for (unsigned d = 0; d < it->array.dimensions; d++)
        is_empty = is_empty || it->shape[d] == 0;
    for (unsigned d = it->array.dimensions; d-- > 0;) {
        if (it->shape[d] <= 1 || is_empty)
            it->strides[d] = row_major;
        is_aligned = is_aligned && it->strides[d] % size == 0;
        row_major *= (ptrdiff_t)it->shape[d];
    }
    if (!is_aligned && !is_empty)
        PyErr_SetString(PyExc_ValueError, "the array's elements are not aligned: copy it");
    return is_aligned || is_empty;
}

/* ---- What is in a capsule ---------------------------------------------------------------------*/

static reap_type integer_type(bool is_signed, unsigned bits)
{
    static const reap_type types[2][4] = {
        {REAP_TYPE_UINT8, REAP_TYPE_UINT16, REAP_TYPE_UINT32, REAP_TYPE_UINT64},
        {REAP_TYPE_INT8, REAP_TYPE_INT16, REAP_TYPE_INT32, REAP_TYPE_INT64}};
    for (unsigned i = 0; i < 4; i++) {
        if (bits == 8u << i)
            return types[is_signed][i];
    }
    return REAP_TYPE_NONE;
}

static reap_type type_of(const struct tensor *tensor)
{
    if (tensor->lanes != 1)
        return REAP_TYPE_NONE;
    if (tensor->code == CODE_INT || tensor->code == CODE_UINT)
        return integer_type(tensor->code == CODE_INT, tensor->bits);
    if (tensor->code == CODE_BOOL)
        return tensor->bits == 8 ? REAP_TYPE_BOOL : REAP_TYPE_NONE;
    if (tensor->code == CODE_BFLOAT)
        return tensor->bits == 16 ? REAP_TYPE_BFLOAT16 : REAP_TYPE_NONE;
    if (tensor->code == CODE_FLOAT)
        return tensor->bits == 16   ? REAP_TYPE_HALF
               : tensor->bits == 32 ? REAP_TYPE_FLOAT
               : tensor->bits == 64 ? REAP_TYPE_DOUBLE
                                    : REAP_TYPE_NONE;
    return REAP_TYPE_NONE;
}

static bool take_ordinal(long ordinal, reap__py_place *place)
{
    place->ordinal = (int)ordinal;
    if (ordinal >= 0 && ordinal <= INT_MAX)
        return true;
    PyErr_Format(PyExc_ValueError, "the number of the array's CUDA device is not one of 0 to %d",
                 INT_MAX);
    return false;
}

static bool find_place(const struct tensor *tensor, void *stream, reap__py_place *place)
{
    if (tensor->device_type == DEVICE_CPU || tensor->device_type == DEVICE_CUDA_HOST)
        return true;
    if (tensor->device_type != DEVICE_CUDA && tensor->device_type != DEVICE_CUDA_MANAGED) {
        PyErr_Format(PyExc_TypeError,
                     "the array is on a device of DLPack's type %d: the processor and CUDA are "
                     "supported",
                     (int)tensor->device_type);
        return false;
    }
    place->stream = stream;
    return take_ordinal(tensor->device_id, place);
}

static bool take_tensor(reap__py_foreign *it, const struct tensor *tensor, void *stream)
{
    ptrdiff_t row_major = 1;
    it->array.type = type_of(tensor);
    if (it->array.type == REAP_TYPE_NONE) {
        PyErr_Format(PyExc_TypeError,
                     "elements of DLPack's type %d with %d bits are not supported: bool, integers "
                     "of 8 to 64 bits, float16, bfloat16, float32 and float64 are",
                     (int)tensor->code, (int)tensor->bits);
        return false;
    }
    const ptrdiff_t size = (ptrdiff_t)reap_type_size(it->array.type);
    for (unsigned d = it->array.dimensions; d-- > 0; row_major *= (ptrdiff_t)tensor->shape[d]) {
        it->shape[d] = (size_t)tensor->shape[d];
        it->strides[d] = size * (tensor->strides ? (ptrdiff_t)tensor->strides[d] : row_major);
    }
    it->array.data = (char *)tensor->data + tensor->byte_offset;
    return find_place(tensor, stream, &it->place) && settle_strides(it);
}

static bool is_known_version(const struct versioned *versioned)
{
    if (versioned->major > MAJOR_VERSION)
        PyErr_Format(PyExc_BufferError,
                     "the array is of DLPack version %u: %d is the newest that is supported",
                     versioned->major, MAJOR_VERSION);
    return versioned->major <= MAJOR_VERSION;
}

static reap__py_foreign *open_capsule(PyObject *capsule, const char *name, void *stream)
{
    const bool is_versioned = strcmp(name, "dltensor_versioned") == 0;
    void *const content = PyCapsule_GetPointer(capsule, name);
    struct versioned *const versioned = is_versioned ? content : NULL;
    struct managed *const managed = is_versioned ? NULL : content;
    if (!content || (versioned && !is_known_version(versioned)))
        return NULL;
    const struct tensor *const tensor = versioned ? &versioned->tensor : &managed->tensor;
    reap__py_foreign *const it = make((unsigned)tensor->ndim);
    if (!it || !take_tensor(it, tensor, stream) ||
        PyCapsule_SetName(capsule, is_versioned ? "used_dltensor_versioned" : "used_dltensor")) {
        Py_XDECREF((PyObject *)it);
        return NULL;
    }
    it->is_read_only = versioned && (versioned->flags & IS_READ_ONLY);
    it->managed = managed;
    it->versioned = versioned;
    return it;
}

static bool take_stream(PyObject *number, void **stream)
{
    *stream = PyLong_AsVoidPtr(number);
    return !PyErr_Occurred();
}

/* from_dlpack(capsule, stream): the array in the capsule; what makes its elements is in the stream.
 */
static PyObject *from_dlpack(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    void *stream;
    if (!reap__py_has_count("from_dlpack", count, 2) || !take_stream(argument[1], &stream))
        return NULL;
    const bool is_versioned = PyCapsule_IsValid(argument[0], "dltensor_versioned");
    const char *const name = is_versioned ? "dltensor_versioned" : "dltensor";
    return (PyObject *)open_capsule(argument[0], name, stream);
}

/* ---- __cuda_array_interface__ -----------------------------------------------------------------*/

/* The numbers of a tuple, one for each dimension. */
static bool take_numbers(PyObject *tuple, unsigned count, ptrdiff_t *numbers)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != (Py_ssize_t)count) {
        PyErr_SetString(PyExc_TypeError, "__cuda_array_interface__ has a wrong shape or strides");
        return false;
    }
    for (unsigned d = 0; d < count; d++) {
        numbers[d] = PyLong_AsSsize_t(PyTuple_GetItem(tuple, (Py_ssize_t)d));
        if (numbers[d] == -1 && PyErr_Occurred())
            return false;
    }
    return true;
}

static bool take_layout(reap__py_foreign *it, PyObject *shape, PyObject *strides)
{
    ptrdiff_t lengths[REAP_ARRAY_MOST_DIMENSIONS];
    const unsigned dimensions = it->array.dimensions;
    if (!take_numbers(shape, dimensions, lengths) ||
        (strides != Py_None && !take_numbers(strides, dimensions, it->strides)))
        return false;
    ptrdiff_t row_major = (ptrdiff_t)reap_type_size(it->array.type);
    for (unsigned d = dimensions; d-- > 0; row_major *= lengths[d]) {
        it->shape[d] = (size_t)lengths[d];
        if (strides == Py_None)
            it->strides[d] = row_major;
    }
    return settle_strides(it);
}

/* "i4" and its like: a letter and a number of bytes, 1 to 8. */
static reap_type type_named(const char *name)
{
    static const char letters[] = "iufb";
    static const uint8_t codes[] = {CODE_INT, CODE_UINT, CODE_FLOAT, CODE_BOOL};
    const char *const letter = *name ? strchr(letters, *name) : NULL;
    if (!letter || name[1] < '1' || name[1] > '8' || name[2] != '\0')
        return REAP_TYPE_NONE;
    const struct tensor tensor = {
        .code = codes[letter - letters], .bits = (uint8_t)(8 * (name[1] - '0')), .lanes = 1};
    return type_of(&tensor);
}

static bool take_type(reap__py_foreign *it, PyObject *name)
{
    PyObject *const text = PyUnicode_AsUTF8String(name);
    if (!text)
        return false;
    it->array.type = type_named(PyBytes_AsString(text));
    Py_DECREF(text);
    if (it->array.type == REAP_TYPE_NONE)
        PyErr_Format(PyExc_TypeError,
                     "elements of the type %R are not supported: bool, integers of 8 to 64 bits, "
                     "float16, float32 and float64 are",
                     name);
    return it->array.type != REAP_TYPE_NONE;
}

/* from_pointer(owner, type, shape, strides, address, is_read_only, ordinal, stream): memory of a
 * CUDA device that belongs to `owner`. */
static PyObject *from_pointer(PyObject *module, PyObject *const *argument, Py_ssize_t count)
{
    (void)module;
    if (!reap__py_has_count("from_pointer", count, 8))
        return NULL;
    const Py_ssize_t dimensions = PyObject_Length(argument[2]);
    reap__py_foreign *const it = dimensions < 0 ? NULL : make((unsigned)dimensions);
    if (!it)
        return NULL;
    it->owner = Py_NewRef(argument[0]);
    it->array.data = PyLong_AsVoidPtr(argument[4]);
    it->is_read_only = PyObject_IsTrue(argument[5]) != 0;
    it->place.stream = PyLong_AsVoidPtr(argument[7]);
    int overflow;
    const long ordinal = PyLong_AsLongAndOverflow(argument[6], &overflow);
    if (!PyErr_Occurred() && take_ordinal(overflow ? -1 : ordinal, &it->place) &&
        take_type(it, argument[1]) && take_layout(it, argument[2], argument[3]))
        return (PyObject *)it;
    Py_DECREF((PyObject *)it);
    return NULL;
}

/* ---- What Python asks of the type -------------------------------------------------------------*/

static PyObject *get_shape(PyObject *object, void *unused)
{
    (void)unused;
    const reap__py_foreign *const it = (reap__py_foreign *)object;
    PyObject *shape = PyTuple_New((Py_ssize_t)it->array.dimensions);
    for (unsigned d = 0; d < it->array.dimensions && shape; d++) {
        PyObject *const length = PyLong_FromSize_t(it->shape[d]);
        if (!length || PyTuple_SetItem(shape, (Py_ssize_t)d, length) != 0)
            Py_CLEAR(shape);
    }
    return shape;
}

static PyObject *get_ndim(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(((reap__py_foreign *)object)->array.dimensions);
}

static PyObject *get_format(PyObject *object, void *unused)
{
    (void)unused;
    const reap_type type = ((reap__py_foreign *)object)->array.type;
    return PyUnicode_FromString(type == REAP_TYPE_BFLOAT16 ? "bfloat16" : reap__py_format_of(type));
}

static PyObject *get_ordinal(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((reap__py_foreign *)object)->place.ordinal);
}

static PyObject *get_address(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromVoidPtr(((reap__py_foreign *)object)->array.data);
}

/* The same elements, with some number of dimensions that the caller sets. */
static reap__py_foreign *make_of(PyObject *object, unsigned dimensions)
{
    const reap__py_foreign *const from = (reap__py_foreign *)object;
    reap__py_foreign *const it = make(dimensions);
    if (!it)
        return NULL;
    it->array.data = from->array.data;
    it->array.type = from->array.type;
    it->place = from->place;
    it->is_read_only = from->is_read_only;
    it->owner = Py_NewRef(object);
    return it;
}

/* with_axis(): the same elements, with one dimension more, of length 1. */
static PyObject *with_axis(PyObject *object, PyObject *unused)
{
    (void)unused;
    const reap__py_foreign *const from = (reap__py_foreign *)object;
    const unsigned last = from->array.dimensions;
    reap__py_foreign *const it = make_of(object, last + 1);
    if (!it)
        return NULL;
    memcpy(it->shape, from->shape, last * sizeof *it->shape);
    memcpy(it->strides, from->strides, last * sizeof *it->strides);
    it->shape[last] = 1;
    it->strides[last] = (ptrdiff_t)reap_type_size(from->array.type);
    return (PyObject *)it;
}

/* flat(): the same elements as a vector, in row-major order; None: they do not follow each other.
 */
static PyObject *flat(PyObject *object, PyObject *unused)
{
    (void)unused;
    const reap__py_foreign *const from = (reap__py_foreign *)object;
    const ptrdiff_t size = (ptrdiff_t)reap_type_size(from->array.type);
    size_t count = 1;
    for (unsigned d = from->array.dimensions; d-- > 0; count *= from->shape[d])
        if (from->shape[d] > 1 && from->strides[d] != (ptrdiff_t)count * size)
            return Py_NewRef(Py_None);
    reap__py_foreign *const it = make_of(object, 1);
    if (!it)
        return NULL;
    it->shape[0] = count;
    it->strides[0] = size;
    return (PyObject *)it;
}

/* broadcast_to(shape): the same elements, repeated along dimensions where they have one or none, as
 * numpy.broadcast_to() does. */
static PyObject *broadcast_to(PyObject *object, PyObject *shape)
{
    const reap__py_foreign *const from = (reap__py_foreign *)object;
    const Py_ssize_t dimensions = PyTuple_Size(shape);
    reap__py_foreign *const it = dimensions < 0 ? NULL : make_of(object, (unsigned)dimensions);
    const unsigned fewer = from->array.dimensions;
    bool fits = it && fewer <= it->array.dimensions;
    for (unsigned d = 0; fits && d < it->array.dimensions; d++) {
        const unsigned more = it->array.dimensions - fewer;
        const size_t length = d < more ? 1 : from->shape[d - more];
        it->shape[d] = PyLong_AsSize_t(PyTuple_GetItem(shape, (Py_ssize_t)d));
        it->strides[d] = length == 1 ? 0 : from->strides[d - more];
        fits = length == 1 || length == it->shape[d];
    }
    if (fits && !PyErr_Occurred())
        return (PyObject *)it;
    Py_XDECREF((PyObject *)it);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "an array cannot be broadcast to the shape %R", shape);
    return NULL;
}

static PyGetSetDef attributes[] = {
    {"shape", get_shape, NULL, NULL, NULL},     {"ndim", get_ndim, NULL, NULL, NULL},
    {"format", get_format, NULL, NULL, NULL},   {"ordinal", get_ordinal, NULL, NULL, NULL},
    {"address", get_address, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {{"with_axis", with_axis, METH_NOARGS, NULL},
                                {"flat", flat, METH_NOARGS, NULL},
                                {"broadcast_to", broadcast_to, METH_O, NULL},
                                REAP__PY_END};

static PyMethodDef functions[] = {REAP__PY_FUNCTION(from_dlpack), REAP__PY_FUNCTION(from_pointer),
                                  REAP__PY_END};

bool reap__py_add_foreign(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, reap__py_pointer((uintptr_t)deallocate)},
                           {Py_tp_getset, attributes},
                           {Py_tp_methods, methods},
                           {0, NULL}};
    PyType_Spec spec = {"reap._reap.Foreign", sizeof(reap__py_foreign), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    foreign_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return foreign_type &&
           PyModule_AddObjectRef(module, "Foreign", (PyObject *)foreign_type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}
