# SPDX-License-Identifier: Apache-2.0
"""Scans of arrays, and reductions of segments of them."""

from __future__ import annotations

from typing import Any

from . import _reap
from ._ctypes import NAMES, pack
from ._elements import axes_of, elements_of
from ._results import Result, is_narrow, result_type, to_numpy

__all__ = [
    "cummax", "cummin", "cumprod", "cumsum", "segmented_max", "segmented_min", "segmented_sum",
]  # fmt: skip

# of reap_scan of reap/algorithms.h, each with the reduction whose type its results have
_SUM, _PRODUCT = (0, _reap.SUM), (1, _reap.SUM)
_MINIMUM, _MAXIMUM = (2, _reap.MINIMUM), (3, _reap.MAXIMUM)

_LETTERS = {name: letter for letter, name in NAMES.items()}


def _scan(kind: tuple[int, int], x: Any, axis: int | None, exclusive: bool, initial: Any) -> Any:
    if isinstance(axis, tuple):
        raise TypeError("scans take one axis, or None")
    scan, reduction = kind
    elements = elements_of(x)
    if axis is None:
        elements, axis = elements.flat(), 0
    (axis,) = axes_of(axis, elements.array.ndim)
    shape, dtype = elements.array.shape, result_type(reduction, elements)
    narrow = is_narrow(reduction, elements)
    result = Result(elements, shape, dtype, narrow=narrow)
    if narrow and initial is not None:
        raise TypeError("an initial value of bfloat16 is not supported")
    first = None if initial is None else _initial(initial, dtype)
    _reap.scan(
        scan, elements.array, axis, exclusive, first, result.written, elements.is_bfloat16
    )
    return result.finish(shape) if narrow else result.array


def _initial(value: Any, dtype: Any) -> Any:
    """An array of one number, which the type can hold."""
    import numpy

    if getattr(value, "shape", ()) != ():
        raise TypeError(f"the initial value is one number, not an array of the shape {value.shape}")
    if dtype == numpy.bool_ and value not in (0, 1):
        raise ValueError(f"the initial value {value} does not fit bool")
    try:
        octets = pack(_LETTERS[dtype.name], dtype.itemsize, value)
    except OverflowError:
        raise ValueError(f"the initial value {value} does not fit {dtype.name}") from None
    except TypeError as error:
        raise TypeError(f"the initial value of {dtype.name}: {error}") from None
    return numpy.frombuffer(octets, dtype)


def cumsum(
    x: Any, axis: int | None = None, *, exclusive: bool = False, initial: Any = None
) -> Any:
    """The sums of the elements up to each of them.

    x          an array
    axis       the axis along which elements are summed; None: of x.ravel()
    exclusive  of the elements before each, without itself
    initial    a number that precedes the elements, which the type of the result can hold; None: 0

    The result is an array of the type of reap.sum(x). Floating-point numbers are added in an order
    that depends on their index alone, so results have the same bits wherever they are computed; if
    none is negative, the results do not decrease.
    """
    return _scan(_SUM, x, axis, exclusive, initial)


def cumprod(
    x: Any, axis: int | None = None, *, exclusive: bool = False, initial: Any = None
) -> Any:
    """The products of the elements up to each of them, of the type of reap.sum(x); integers are
    multiplied modulo 2**64. Arguments are as in cumsum(), where 1 is the initial value."""
    return _scan(_PRODUCT, x, axis, exclusive, initial)


def cummin(
    x: Any, axis: int | None = None, *, exclusive: bool = False, initial: Any = None
) -> Any:
    """The smallest of the elements up to each of them, of the elements' type; NaN from the first NaN
    on. Arguments are as in cumsum(); the initial value is the largest, or infinity."""
    return _scan(_MINIMUM, x, axis, exclusive, initial)


def cummax(
    x: Any, axis: int | None = None, *, exclusive: bool = False, initial: Any = None
) -> Any:
    """The largest of the elements up to each of them, of the elements' type; NaN from the first NaN
    on. Arguments are as in cumsum(); the initial value is the lowest, or -infinity."""
    return _scan(_MAXIMUM, x, axis, exclusive, initial)


def _segments(reduction: int, x: Any, offsets: Any) -> Any:
    elements = elements_of(x)
    starts = _offsets_of(offsets)
    (count,) = starts.shape
    narrow = is_narrow(reduction, elements)
    result = Result(elements, (count - 1,), result_type(reduction, elements), narrow=narrow)
    _reap.segments(reduction, elements.array, starts, result.written, elements.is_bfloat16)
    return result.finish((count - 1,)) if narrow else result.array


def segmented_sum(x: Any, offsets: Any, *, exact: bool = False) -> Any:
    """The sums of segments of an array of one dimension: of x[offsets[s]:offsets[s + 1]] for each s.

    x        an array
    offsets  integers that do not decrease, one more than there are segments
    exact    each sum is computed without any error, and rounded once

    Each sum has the type and the bits of reap.sum() of the segment; that of an empty one is 0. (In
    numpy.add.reduceat an empty segment has its first element.) ValueError: an offset is less than
    the one before it, or outside the array.
    """
    return _segments(_reap.EXACT_SUM if exact else _reap.SUM, x, offsets)


def segmented_min(x: Any, offsets: Any) -> Any:
    """The smallest element of each segment, as reap.min() of it; see segmented_sum().

    ValueError: a segment is empty."""
    return _segments(_reap.MINIMUM, x, offsets)


def segmented_max(x: Any, offsets: Any) -> Any:
    """The largest element of each segment, as reap.max() of it; see segmented_sum().

    ValueError: a segment is empty."""
    return _segments(_reap.MAXIMUM, x, offsets)


def _offsets_of(offsets: Any) -> Any:
    """A vector of int32 or int64, NumPy's or on a card."""
    import numpy

    given = elements_of(offsets)
    starts = given.array
    if not given.is_on_card() or given.type() not in ("int32", "int64"):
        starts = to_numpy(offsets)
        if starts.size == 0 and starts.dtype.kind == "f":  # as an empty list has
            starts = starts.astype(numpy.int64)
        if starts.dtype.kind not in "iu":
            raise TypeError("offsets must be integers")
        if starts.dtype not in (numpy.dtype(numpy.int32), numpy.dtype(numpy.int64)):
            if starts.size > 0 and int(starts.max()) > 2**63 - 1:
                raise ValueError("an offset is outside the array")
            starts = starts.astype(numpy.int64)
    if starts.ndim != 1 or starts.shape[0] == 0:
        raise ValueError("offsets must be an array of one dimension, with one element or more")
    return starts
