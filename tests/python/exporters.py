# SPDX-License-Identifier: Apache-2.0
"""Objects that export arrays by DLPack and by __cuda_array_interface__, as libraries do: of memory
of the program, and of a CUDA device through its driver, which may be the emulated one."""

import ctypes
import itertools

import numpy
import reap

_api = ctypes.pythonapi
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
_api.PyCapsule_IsValid.argtypes = ctypes.py_object, ctypes.c_char_p

CPU, CUDA, ROCM = 1, 2, 10
_ITS_OWN = object()  # the stream of a Card
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


# By the address of the struct: the exporter, and what must live until the deleter is called.
_exported = {}


@_Destructor
def _delete(address):
    _exported.pop(address)[0].deleted += 1


@_Destructor
def _destroy(capsule):
    """Of a capsule from which the array has not been taken."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", _api)
    )
    valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
        ("PyCapsule_IsValid", _api)
    )
    for name in (b"dltensor", b"dltensor_versioned"):
        if valid(capsule, name):
            _delete(get(capsule, name))


class DLPack:
    """An exporter of the layout of a NumPy array at an address.

    version  0: a capsule from before DLPack 1.0, whose consumers do not say max_version"""

    def __init__(self, like, address, device=(CPU, 0), version=1, read_only=False, bits=None):
        self.like, self.address, self.device = like, address, device
        self.version, self.read_only, self.bits = version, read_only, bits
        self.major = 1
        self.exported = self.deleted = 0
        self.streams = []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **given):
        if self.version == 0 and "max_version" in given:
            raise TypeError("unexpected keyword argument 'max_version'")
        self.streams.append(given.get("stream"))
        numbers = ctypes.c_int64 * max(self.like.ndim, 1)
        shape = numbers(*self.like.shape)
        strides = numbers(*(s // self.like.itemsize for s in self.like.strides))
        is_plain = self.version == 0 and self.like.flags.c_contiguous
        code = CODES[self.like.dtype.kind]
        tensor = Tensor(
            self.address - 24, *self.device, self.like.ndim, code,
            self.bits or 8 * self.like.itemsize, 1, shape, None if is_plain else strides, 24,
        )  # fmt: skip
        deleter = ctypes.cast(_delete, ctypes.c_void_p)
        if self.version == 0:
            managed, name = Managed(tensor, None, deleter), b"dltensor"
        else:
            flags = 1 if self.read_only else 0
            managed = Versioned(self.major, 0, None, deleter, flags, tensor)
            name = b"dltensor_versioned"
        _exported[ctypes.addressof(managed)] = self, managed, shape, strides
        self.exported += 1
        return _api.PyCapsule_New(
            ctypes.addressof(managed), name, ctypes.cast(_destroy, ctypes.c_void_p)
        )


class Interface:
    """An exporter by __cuda_array_interface__."""

    def __init__(self, like, address, stream=None, read_only=False):
        self.__cuda_array_interface__ = {
            "shape": like.shape,
            "typestr": like.dtype.str,
            "data": (address, read_only),
            "strides": None if like.flags.c_contiguous else like.strides,
            "version": 3,
            "stream": stream,
        }


class Card:
    """A CUDA device, through its driver. Memory is written on a stream, without waiting."""

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxPushCurrent_v2", self.context)
        self.stream = None
        one = numpy.ones(1)
        # The emulated card takes the first streams that it is asked for to be Reap's.
        reap.sum(Interface(one, self.copy(one)))
        self.stream = self.make_stream()

    def make_stream(self):
        stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        return stream.value

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            raise OSError(f"{name}: {status}")

    def copy(self, x, stream=_ITS_OWN):
        """The address of a copy of an array's memory on the device. The memory is kept."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(x.nbytes, 1)))
        if x.nbytes:
            self.write(address.value, x, stream)
        return address.value

    def write(self, address, x, stream=_ITS_OWN):
        """Has a stream write an array's elements; None is the default stream."""
        self.call(
            "cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), ctypes.c_void_p(x.ctypes.data),
            ctypes.c_size_t(x.nbytes), self._handle(stream),
        )  # fmt: skip

    def read(self, address, like, stream=_ITS_OWN):
        """The elements at an address, with the type and shape of an array."""
        x = numpy.empty_like(like)
        self.call(
            "cuMemcpyDtoHAsync_v2", ctypes.c_void_p(x.ctypes.data), ctypes.c_uint64(address),
            ctypes.c_size_t(x.nbytes), self._handle(stream),
        )  # fmt: skip
        self.call("cuStreamSynchronize", self._handle(stream))
        return x

    def _handle(self, stream):
        return ctypes.c_void_p(self.stream if stream is _ITS_OWN else stream)

    def exporters(self, base, view):
        """(name, object) of each kind, for a view of a copy of an array on the device."""
        like = view(base)
        address = self.copy(base) + like.ctypes.data - base.ctypes.data
        for version, stream in itertools.product((0, 1), (None, self.stream)):
            x = DLPack(like, address, (CUDA, 0), version)
            # How a library tells its current stream; the other one must wait for it.
            if stream:
                x.__cuda_array_interface__ = {"stream": stream}
            else:
                self.call("cuStreamSynchronize", ctypes.c_void_p(self.stream))
            yield f"DLPack {version}, {stream}", x
        yield "interface", Interface(like, address, self.stream)
