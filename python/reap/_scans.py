# SPDX-License-Identifier: Apache-2.0
"""Scans of arrays, and sums of segments of them."""

from __future__ import annotations

from typing import Any

from . import _reap
from ._elements import axes_of, elements_of
from ._results import Result, result_type, to_numpy

__all__ = ["cumsum", "segmented_sum"]

_SCAN_SUM = 0  # REAP_SCAN_SUM of reap/algorithms.h


def cumsum(
    x: Any, axis: int | None = None, *, exclusive: bool = False, initial: Any = None
) -> Any:
    """The sums of the elements up to each of them.

    x          an array
    axis       the axis along which elements are summed; None: of x.ravel()
    exclusive  of the elements before each, without itself
    initial    a number that precedes the elements; None: 0

    The result is an array of the type of reap.sum(x). Floating-point numbers are added in an order
    that depends on their index alone, so results have the same bits wherever they are computed; if
    none is negative, the results do not decrease.
    """
    import numpy

    elements = elements_of(x)
    if axis is None:
        elements, axis = elements.flat(), 0
    (axis,) = axes_of(axis, elements.array.ndim)
    result = Result(elements, elements.array.shape, result_type(_reap.SUM, elements))
    dtype = result_type(_reap.SUM, elements)
    first = None if initial is None else numpy.array([initial], dtype)
    _reap.scan(
        _SCAN_SUM, elements.array, axis, exclusive, first, result.written, elements.is_bfloat16
    )
    return result.array


def segmented_sum(x: Any, offsets: Any, *, exact: bool = False) -> Any:
    """The sums of segments of an array of one dimension: of x[offsets[s]:offsets[s + 1]] for each s.

    x        an array
    offsets  integers that do not decrease, one more than there are segments
    exact    each sum is computed without any error, and rounded once

    Each sum has the type and the bits of reap.sum() of the segment; that of an empty one is 0. (In
    numpy.add.reduceat an empty segment has its first element.) ValueError: an offset is less than
    the one before it, or outside the array.
    """
    elements = elements_of(x)
    places = _offsets_of(offsets)
    (count,) = places.shape
    result = Result(elements, (count - 1,), result_type(_reap.SUM, elements))
    reduction = _reap.EXACT_SUM if exact else _reap.SUM
    _reap.segments(reduction, elements.array, places, result.written, elements.is_bfloat16)
    return result.array


def _offsets_of(offsets: Any) -> Any:
    """A vector of int32 or int64, NumPy's or on a card."""
    import numpy

    given = elements_of(offsets)
    places = given.array
    if not given.is_on_card() or given.type() not in ("int32", "int64"):
        places = to_numpy(offsets)
        if places.size == 0 and places.dtype.kind == "f":  # as an empty list has
            places = places.astype(numpy.int64)
        if places.dtype.kind not in "iu":
            raise TypeError("offsets must be integers")
        if places.dtype not in (numpy.dtype(numpy.int32), numpy.dtype(numpy.int64)):
            if places.size > 0 and int(places.max()) > 2**63 - 1:
                raise ValueError("an offset is outside the array")
            places = places.astype(numpy.int64)
    if places.ndim != 1 or places.shape[0] == 0:
        raise ValueError("offsets must be an array of one dimension, with one element or more")
    return places
