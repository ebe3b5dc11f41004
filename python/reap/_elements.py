# SPDX-License-Identifier: Apache-2.0
"""What the functions of the package are given: arrays, and axes.

NumPy is imported where it is needed, which it is not for all elements of an object with a buffer.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any, Tuple, Union

from . import _reap
from ._ctypes import MASKED, is_masked
from ._foreign import import_array

Axis = Union[None, int, Tuple[int, ...]]


# of formats of the module struct
_NAMES = {
    "?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32",
    "I": "uint32", "q": "int64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64",
}  # fmt: skip


class Elements:
    """The elements of an object, as the extension takes them.

    array        an object with a buffer, or a _reap.Foreign
    is_bfloat16  its two-byte integers are bfloat16 numbers
    is_numpy     results are NumPy's
    is_foreign   it is a _reap.Foreign; `source` is the object that it is of
    key          what tells types of elements apart
    """

    __slots__ = ("array", "is_bfloat16", "is_numpy", "is_foreign", "dtype", "key", "source")

    def __init__(self, x: Any) -> None:
        self.is_bfloat16 = False
        self.is_foreign = False
        self.dtype = None
        numpy = sys.modules.get("numpy")
        if numpy is None or not isinstance(x, (numpy.ndarray, numpy.generic)):
            if _has_buffer(x):
                self.is_numpy = False
                self.array = x
                return
            if self._take_foreign(x):
                return
        self.is_numpy = True
        self._take_numpy(x)

    def _take_foreign(self, x: Any) -> bool:
        array = import_array(x)
        if array is None:
            return False
        self.array, self.source = array, x
        self.is_foreign = True
        self.key = array.format
        self.is_bfloat16 = array.format == "bfloat16"
        self.is_numpy = not self.is_on_card()
        return True

    def is_on_card(self) -> bool:
        """Whether a CUDA device has the elements."""
        return self.is_foreign and self.array.ordinal >= 0

    def _take_numpy(self, x: Any) -> None:
        import numpy

        array = x
        if type(x) is not numpy.ndarray:
            if is_masked(x):
                raise TypeError(MASKED)
            array = numpy_of(x)
        self.dtype = array.dtype
        # The name takes a microsecond to make; 2: the type is not one of NumPy's own
        if array.dtype.isbuiltin == 2 and array.dtype.name == "bfloat16":
            self.is_bfloat16 = True
            array = array.view(numpy.uint16)
        self.key = array.dtype.char, self.is_bfloat16
        self.array = array

    def shape(self) -> tuple[int, ...]:
        """That of the array."""
        if self.is_numpy or self.is_foreign:
            return tuple(self.array.shape)
        try:
            return memoryview(self.array).shape
        except (ValueError, BufferError) as error:
            raise TypeError(f"these elements are not supported: {error}") from None

    def as_array(self) -> Any:
        """An array with a shape, without a copy: NumPy's, or a foreign one."""
        if not self.is_numpy and not self.is_foreign:
            self._take_numpy(numpy_of(self.array))
            self.is_numpy = True
        return self.array

    def with_axis(self) -> Any:
        """The array with one axis more, of length 1."""
        return self.array.with_axis() if self.is_foreign else self.array[..., None]

    def each_alone(self) -> tuple[Any, tuple[int, ...]]:
        """The array, and the axes along which each element is reduced alone: one of length 1, which
        an array of the most dimensions has."""
        shape = tuple(self.array.shape)
        if 1 in shape:
            return self.array, (shape.index(1),)
        return self.with_axis(), (len(shape),)

    def flat(self) -> Elements:
        """The elements as a vector in row-major order, copied by their library if necessary."""
        if not self.is_foreign:
            return self._like(self.as_array().reshape(-1))
        array = self.array.flat()
        if array is not None:
            return self._like(array)
        if not hasattr(self.source, "reshape"):
            raise ValueError("the array is not in row-major order: pass an axis, or a copy")
        return Elements(self.source.reshape(-1))

    def _like(self, array: Any) -> Elements:
        """Elements of the same type, in another array."""
        made = Elements.__new__(Elements)
        for name in Elements.__slots__:
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        made.array = array
        return made

    def size(self) -> int:
        """How many elements there are."""
        return math.prod(self.shape())

    def type(self) -> str:
        """The name of the elements' type."""
        if self.is_foreign:
            return _NAMES.get(self.key, self.key)
        if not self.is_numpy:
            return _NAMES[_reap.result_format(_reap.MINIMUM, self.array, False)]
        return "bfloat16" if self.is_bfloat16 else self.dtype.name


def elements_of(x: Any) -> Elements:
    """The elements of an array that has a shape."""
    if isinstance(x, Elements):
        return x
    elements = Elements(x)
    elements.as_array()
    return elements


def numpy_of(x: Any) -> Any:
    """An object as an array of NumPy, which makes text of bytes."""
    import numpy

    return numpy.asarray(memoryview(x) if isinstance(x, (bytes, bytearray)) else x)


def mask_like(where: Any, shape: tuple[int, ...]) -> Any:
    """A mask of bool or uint8 with this shape, as the extension takes it; None: all elements."""
    if where is None:
        return None
    mask = Elements(where)
    if mask.type() not in ("bool", "uint8"):
        raise TypeError(f"'where' is an array of {mask.type()}: it must be of bool or uint8")
    if mask.shape() == shape:
        return mask.array
    if mask.is_foreign:
        return mask.array.broadcast_to(shape)
    import numpy

    return numpy.broadcast_to(mask.as_array(), shape)


def _has_buffer(x: Any) -> bool:
    try:
        memoryview(x)
    except TypeError:
        return False
    except (ValueError, BufferError):
        return True  # with elements that have no format, which the extension refuses
    return True


def axes_of(axis: Axis, dimensions: int) -> tuple[int, ...]:
    """The dimensions that `axis` names, in increasing order, as NumPy understands it."""
    if axis is None:
        return tuple(range(dimensions))
    given = axis if isinstance(axis, tuple) else (axis,)
    axes = sorted(_axis_of(one, dimensions) for one in given)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return tuple(axes)


def _axis_of(axis: Any, dimensions: int) -> int:
    number = operator.index(axis)
    if not -dimensions <= number < dimensions:
        import numpy

        # numpy.exceptions came with NumPy 1.25
        raise getattr(numpy, "exceptions", numpy).AxisError(number, dimensions)
    return number % dimensions


def mask_of(axes: tuple[int, ...]) -> int:
    """Bit d is set for dimension d."""
    mask = 0
    for axis in axes:
        mask |= 1 << axis
    return mask


def shape_without(shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    """The shape of a reduction's result."""
    if keepdims:
        return tuple(1 if d in axes else length for d, length in enumerate(shape))
    return tuple(length for d, length in enumerate(shape) if d not in axes)
