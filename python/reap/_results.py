# SPDX-License-Identifier: Apache-2.0
"""The types of results, and memory for them: where the elements are, if their library is known."""

from __future__ import annotations

from typing import Any

from . import _reap
from ._elements import Elements, numpy_of
from ._foreign import array_like, empty_like, import_array

# (reduction, key of the elements' type) to the dtype of the result
_types: dict[tuple[int, Any], Any] = {}


def result_type(reduction: int, x: Elements) -> Any:
    """The dtype of a reduction's result."""
    key = reduction, x.key
    found = _types.get(key)
    if found is None:
        found = _types[key] = _find_type(reduction, x)
    return found


def _find_type(reduction: int, x: Elements) -> Any:
    import numpy

    if reduction in (_reap.ARGMIN, _reap.ARGMAX, _reap.COUNT_NONZERO):
        return numpy.dtype(numpy.int64)
    if is_narrow(reduction, x):
        return x.dtype or _bfloat16()
    # "q" may be another type than int64 of the same size, which its `str` is not
    found = numpy.dtype(_reap.result_format(reduction, x.array, x.is_bfloat16))
    return numpy.dtype(found.str)


def is_narrow(reduction: int, x: Elements) -> bool:
    """Whether the result is bfloat16, which NumPy has no format for."""
    return x.is_bfloat16 and reduction in (_reap.MINIMUM, _reap.MAXIMUM)


def _bfloat16() -> Any:
    """The dtype of the package ml_dtypes; float32, which has its numbers, without that package."""
    import numpy

    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype(numpy.float32)
    return numpy.dtype(ml_dtypes.bfloat16)


class Result:
    """An array for results of a reduction of `x`.

    written  what the extension takes

    It is NumPy's unless `x` is on a card and of a known library, or `in_program` is true.
    """

    __slots__ = ("array", "written", "is_on_card", "_narrow")

    def __init__(
        self,
        x: Elements,
        shape: tuple[int, ...],
        dtype: Any,
        *,
        narrow: bool = False,
        in_program: bool = False,
    ) -> None:
        self.is_on_card = x.is_on_card()
        self._narrow = None
        if self.is_on_card and not in_program:
            name = "bfloat16" if narrow else dtype.name
            self.array = empty_like(x.source, shape, name)
            if self.array is not None:
                self.written = import_array(self.array)
                return
        import numpy

        if narrow:
            self._narrow = dtype
        self.array = self.written = numpy.empty(shape, numpy.uint16 if narrow else dtype)

    def finish(self, shape: tuple[int, ...]) -> Any:
        """The results in this shape; one value of NumPy is a number."""
        array = self.array
        if self._narrow is not None:
            array = _of_bits(array, self._narrow)
        return array.reshape(shape) if self.is_on_card else array.reshape(shape)[()]


def _of_bits(bits: Any, dtype: Any) -> Any:
    """The bits of bfloat16 numbers, as they are or as float32."""
    import numpy

    if dtype.name == "bfloat16":
        return bits.view(dtype)
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def bfloat16_of_bits(bits: Any) -> Any:
    """Bits of bfloat16 numbers as the numbers."""
    return _of_bits(bits, _bfloat16())


def to_numpy(x: Any) -> Any:
    """Any array as NumPy's: a copy of the elements of another library's."""
    elements = Elements(x)
    if not elements.is_foreign:
        return numpy_of(x)
    of = elements.array.shape
    narrow = is_narrow(_reap.MINIMUM, elements)
    dtype = result_type(_reap.MINIMUM, elements)
    result = Result(elements, of, dtype, narrow=narrow, in_program=True)
    # The smallest of each element alone is that element
    axes = 1 << len(of)
    _reap.reduce(
        _reap.MINIMUM, elements.with_axis(), axes, result.written, elements.is_bfloat16
    )
    return result.finish(of)


def of_library(x: Elements, array: Any) -> Any:
    """A NumPy array as one of the library of `x` on its card; NumPy's if that is not known, or `x`
    is in the program's memory."""
    moved = array_like(x.source, array) if x.is_on_card() else None
    return array if moved is None else moved
