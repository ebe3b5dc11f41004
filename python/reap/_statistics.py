# SPDX-License-Identifier: Apache-2.0
"""Counts, extremes together, histograms, sums by key, covariance and correlation."""

from __future__ import annotations

import array
import math
import operator
from typing import Any, Optional

from . import _reap
from ._ctypes import MASKED, is_masked
from ._elements import (
    Axis, Elements, axes_of, elements_of, mask_like, mask_of, numpy_of, shape_without,
)  # fmt: skip
from ._results import Result, is_narrow, of_library, result_type, to_numpy

__all__ = ["bincount", "corr", "count", "cov", "histogram", "minmax"]

# of reap_comparison
_COMPARISONS = {"==": 0, "!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
_BETWEEN = 6


class Along:
    """What a reduction along axes takes, and the shapes of its results.

    is_number  its result is Python's number: of all elements, and they are not NumPy's
    """

    def __init__(self, x: Any, axis: Axis, keepdims: bool, where: Any) -> None:
        self.elements = x if isinstance(x, Elements) else Elements(x)
        self.is_number = axis is None and not keepdims and not self.elements.is_numpy
        if not self.is_number:
            self.elements.as_array()
        self.array, shape = self.elements.array, self.elements.shape()
        self.mask = mask_like(where, shape)
        self.is_each = False
        if self.is_number:
            self.axes = 0  # all
            return
        axes = axes_of(axis, len(shape))
        self.shape = shape_without(shape, axes, keepdims)
        if not axes:
            self.array, axes = self.elements.each_alone()
            self.is_each = self.array.ndim > len(shape)
            if self.mask is not None and self.is_each:
                self.mask = self.elements_of_mask()
        self.shape_of_results = shape_without(self.array.shape, axes, False)
        self.axes = mask_of(axes)

    def elements_of_mask(self) -> Any:
        """The mask with one axis more."""
        is_foreign = isinstance(self.mask, _reap.Foreign)
        return self.mask.with_axis() if is_foreign else numpy_of(self.mask)[..., None]

    def result_of(self, reduction: int) -> Optional[Result]:
        """Memory for results of a reduction's type; None: the result is a number."""
        if self.is_number:
            return None
        x = self.elements
        narrow = is_narrow(reduction, x)
        return Result(x, self.shape_of_results, result_type(reduction, x), narrow=narrow)

    def doubles(self, count: int) -> Any:
        """Memory for so many float64 numbers of each result."""
        if self.is_number:
            return array.array("d", bytes(8 * count))
        import numpy

        return numpy.empty((*self.shape_of_results, count))

    def arguments(self, result: Optional[Result]) -> tuple[Any, ...]:
        """Those that functions of the extension begin with."""
        narrow = int(self.elements.is_bfloat16)
        return self.array, self.axes, self.mask, written(result), narrow

    def finish(self, result: Optional[Result], number: Any) -> Any:
        """The results; `number` is what the extension has returned."""
        return number if result is None else result.finish(self.shape)


def written(result: Optional[Result]) -> Any:
    """What the extension takes for a result."""
    return None if result is None else result.written


def _dtype_of(elements: Elements) -> Any:
    import numpy

    return elements.dtype if elements.dtype is not None else numpy.dtype(elements.type())


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return value
    if is_masked(value):
        raise TypeError(MASKED)
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, str) or not hasattr(value, "__float__"):  # float() takes text
            raise TypeError(f"a number is needed, not {type(value).__name__}") from None
        try:
            number = float(value)
        except OverflowError:  # of a fraction
            number = math.inf
    is_same = type(value).__eq__(value, number)  # NotImplemented: float() alone says what it is
    if not (is_same is NotImplemented or is_same or number != number):
        raise ValueError(f"the number {value} is not a float64, with which elements are compared")
    return number


def _around(value: Any) -> tuple[Any, Any]:
    """A number twice; for an integer of more than 64 bits the largest float that is not above it, and
    the smallest that is not below it, since no element is between these."""
    if isinstance(value, float) or -(2**63) <= value < 2**64:
        return value, value
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if near < value:
        return near, math.nextafter(near, math.inf)
    return (near if near == value else math.nextafter(near, -math.inf)), near


def _condition(comparison: str, value: Any) -> tuple[int, Any, Any]:
    """The number of the comparison, and two numbers, as the extension takes them."""
    value = _number(value)
    below, above = _around(value)
    if below is above or below == above:
        return _COMPARISONS[comparison], below, 0
    if comparison in ("==", "!="):
        return _COMPARISONS[comparison], math.nan, 0  # which no element is
    is_less = comparison[0] == "<"
    return _COMPARISONS["<=" if is_less else ">="], below if is_less else above, 0


def count(
    x: Any,
    comparison: str = "!=",
    value: Any = 0,
    axis: Axis = None,
    *,
    between: Optional[tuple[Any, Any]] = None,
    keepdims: bool = False,
    where: Any = None,
) -> Any:
    """How many elements compare with a number: an int64.

    x           an array
    comparison  "==", "!=", "<", "<=", ">" or ">="
    value       the number, an int or a float: comparisons are exact, whatever the elements' type.
                ValueError: a number of another type that float() would round
    axis        the axis, or a tuple of axes, along which elements are counted; None: all elements
    between     (a, b): count a <= x <= b instead
    keepdims    the axes remain in the result, with one element
    where       a mask of bool or uint8, broadcast to the shape of `x`: only elements where it is not
                0 are counted

    A NaN is not equal to any number, and neither less nor greater.
    """
    if between is None and comparison not in _COMPARISONS:
        raise ValueError(f"the comparison is one of {', '.join(_COMPARISONS)}, not {comparison!r}")
    if between is None:
        condition = _condition(comparison, value)
    else:
        if len(between) != 2:
            raise ValueError(f"between is a pair of numbers, not {between!r}")
        condition = _BETWEEN, _around(_number(between[0]))[1], _around(_number(between[1]))[0]
    along = Along(x, axis, keepdims, where)
    result = along.result_of(_reap.COUNT_NONZERO)
    return along.finish(result, _reap.count(*along.arguments(result), *condition))


def minmax(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The smallest and the largest element, in one pass: (min(x), max(x)).

    `axis`, `keepdims` and `where` are as in count(). ValueError: a result has no elements."""
    along = Along(x, axis, keepdims, where)
    smallest, largest = along.result_of(_reap.MINIMUM), along.result_of(_reap.MAXIMUM)
    numbers = _reap.minmax(*along.arguments(smallest), written(largest))
    return along.finish(smallest, numbers[0]), along.finish(largest, numbers[1])


def reduce_where(reduction: int, x: Any, axis: Axis, keepdims: bool, where: Any) -> Any:
    """A reduction with a mask."""
    along = Along(x, axis, keepdims, where)
    result = along.result_of(reduction)
    return along.finish(result, _reap.reduce_where(*along.arguments(result), reduction))


# ---- Histograms, and sums by key -----------------------------------------------------------------


def _sum_bins(
    x: Elements, edges: Any, weights: Any, where: Any, length: int, leaves_out: bool
) -> tuple[Any, int]:
    import numpy

    other = None if weights is None else elements_of(weights)
    mask = mask_like(where, x.array.shape)
    if other is not None and other.array.shape != x.array.shape:
        raise ValueError("the weights do not have the shape of the array")
    dtype = numpy.dtype(numpy.int64) if other is None else result_type(_reap.EXACT_SUM, other)
    result = Result(x, (length,), dtype)
    narrow = int(x.is_bfloat16) + (2 if other is not None and other.is_bfloat16 else 0)
    weight_array = None if other is None else other.array
    outside = _reap.sum_bins(
        x.array, edges, weight_array, mask, result.written, narrow, int(leaves_out)
    )
    return result.array, outside


def _edges_of(x: Elements, bins: Any, range: Any, where: Any) -> Any:
    """The edges of bins, NumPy's."""
    import numpy

    if not isinstance(bins, (int, numpy.integer)):
        edges = _comparable(to_numpy(bins))
        if edges.ndim != 1 or edges.size < 2:
            raise ValueError("bins is a number of bins, or a vector of at least two edges")
        return edges
    if bins < 1:
        raise ValueError("the number of bins is not positive")
    kind = numpy.dtype(numpy.float32) if x.is_bfloat16 else _dtype_of(x)
    if range is not None:
        first, last = range
    elif x.size() == 0 or (where is not None and not _has_any(where)):
        first, last = 0, 1
    else:
        first, last = map(kind.type, minmax(x, where=where))
    if not (numpy.isfinite(first) and numpy.isfinite(last)):
        raise ValueError(f"the range is not finite: {first}, {last}")
    if first > last:
        raise ValueError("the end of the range is less than its beginning")
    kind = numpy.result_type(first, last, kind)
    if numpy.issubdtype(kind, numpy.integer) or kind == numpy.bool_:
        kind = numpy.dtype(numpy.float64)
    if first == last:
        first, last = first - 0.5, last + 0.5
    edges = numpy.linspace(first, last, int(bins) + 1, dtype=kind)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError(f"too many bins for the range: {bins} of them cannot have a size")
    return edges if range is not None else _around_all(edges, first, last)


def _comparable(edges: Any) -> Any:
    """Edges of bfloat16, which have no buffer, as float32, which has their numbers."""
    import numpy

    return edges.astype(numpy.float32) if edges.dtype.name == "bfloat16" else edges


def _around_all(edges: Any, first: Any, last: Any) -> Any:
    """The edges, of which the outer ones may have been rounded to float64: into the range of the
    integers, which are compared with them exactly."""
    import numpy

    if isinstance(first, numpy.integer):
        if int(edges[0]) > int(first):
            edges[0] = numpy.nextafter(edges[0], -numpy.inf)
        if int(edges[-1]) < int(last):
            edges[-1] = numpy.nextafter(edges[-1], numpy.inf)
    return edges


def histogram(
    x: Any, bins: Any = 10, range: Any = None, *, weights: Any = None, where: Any = None
) -> tuple[Any, Any]:
    """How many elements each bin has, and the bins' edges.

    x        an array
    bins     the number of bins of one width, or their edges, of which none is less than the one
             before it
    range    (first, last), the outer edges of bins of one width; None: the extremes of `x`, or of
             integers the float64 numbers nearest to them that have all between them
    weights  of the elements, an array of the shape of `x`: results are their sums
    where    a mask, as in count()

    A bin has its lower edge, and the last bin has both. Elements outside and NaN are not counted.
    Counts are int64; sums of weights are exact, rounded once, and of the type of sum(). ValueError:
    the range is too small for that many bins.
    """
    elements = elements_of(x)
    edges = _edges_of(elements, bins, range, where)
    result, _ = _sum_bins(elements, edges, weights, where, len(edges) - 1, True)
    return result, of_library(elements, edges)


def bincount(
    keys: Any, weights: Any = None, minlength: int = 0, *, length: Any = None, where: Any = None
) -> Any:
    """How often each number occurs, or the sum of the weights of each.

    keys       an array of integers or bool, of any shape
    weights    of the keys, an array of their shape
    minlength  the result has at least this length
    length     the result has this length, and keys that are negative or not less are left out;
               None: one more than the largest key, and a negative key is ValueError
    where      a mask, as in count()

    Counts are int64; sums of weights are exact, rounded once, and of the type of sum().
    """
    import numpy

    elements = elements_of(keys)
    if elements.size() == 0 and not hasattr(keys, "dtype") and elements.type() == "float64":
        elements = elements_of(elements.array.astype(numpy.int64))  # an empty list has no type
    if minlength < 0 or (length is not None and length < 0):
        raise ValueError("the length of the result is negative")
    if elements.is_bfloat16 or _dtype_of(elements).kind not in "biu":
        raise TypeError(f"keys are integers, not {elements.type()}")
    leaves_out = length is not None
    if length is None:
        length = minlength
        if elements.size() > 0 and (where is None or _has_any(where)):
            smallest, largest = minmax(elements, where=where)
            if smallest < 0:
                raise ValueError("a key is negative")
            length = max(minlength, int(largest) + 1)
    return _sum_bins(elements, None, weights, where, length, leaves_out)[0]


def _has_any(where: Any) -> bool:
    return bool(count(where) > 0)


# ---- Pairs ---------------------------------------------------------------------------------------


class _Pairs(Along):
    """Two arrays of one shape."""

    def __init__(self, x: Any, y: Any, axis: Axis, keepdims: bool, where: Any) -> None:
        super().__init__(x, axis, keepdims, where)
        self.other = Elements(y) if self.is_number else elements_of(y)
        if self.other.shape() != self.elements.shape():
            raise ValueError("the arrays have different shapes")
        self.other_array = self.other.with_axis() if self.is_each else self.other.array

    def call(self, function: Any, memory: Any) -> Any:
        narrow = int(self.elements.is_bfloat16) + 2 * int(self.other.is_bfloat16)
        return function(self.array, self.other_array, self.axes, self.mask, memory, narrow)


def dot_along(x: Any, y: Any, axis: Axis, keepdims: bool, where: Any) -> Any:
    """The sums of products of two arrays of one type and shape."""
    pairs = _Pairs(x, y, axis, keepdims, where)
    check_types(pairs.elements, pairs.other)
    result = pairs.result_of(_reap.SUM)
    return pairs.finish(result, pairs.call(_reap.dot_along, written(result)))


def check_types(left: Elements, right: Elements) -> None:
    """TypeError unless two arrays have one type."""
    if left.type() != right.type():
        raise TypeError(
            f"the arrays have different types, {left.type()} and {right.type()}: "
            "convert one, by x.astype"
        )


def _comoments(x: Any, y: Any, axis: Axis, keepdims: bool, where: Any) -> tuple[_Pairs, Any]:
    """The count, means, squares and products, each an array of the shape of the result, or a number."""
    pairs = _Pairs(x, y, axis, keepdims, where)
    found = pairs.doubles(6)
    pairs.call(_reap.comoments, found)
    if pairs.is_number:
        return pairs, found
    return pairs, [found[..., i].reshape(pairs.shape) for i in range(6)]


def cov(
    x: Any, y: Any, axis: Axis = None, *, ddof: float = 1, keepdims: bool = False, where: Any = None
) -> Any:
    """The covariance of the elements of two arrays of one shape, a float64.

    axis      the axis, or a tuple of axes, along which pairs are taken together; None: all pairs
    ddof      the sum of products of differences from the means is divided by the count less this
    keepdims  the axes remain in the result, with one element
    where     a mask, as in count()

    NaN unless the count is larger than `ddof`. Results along axes are NumPy's.
    """
    pairs, (count, _, _, _, _, products) = _comoments(x, y, axis, keepdims, where)
    if pairs.is_number:
        return products / (count - ddof) if count > ddof else math.nan
    import numpy

    unknown = numpy.full(products.shape, numpy.nan)
    with numpy.errstate(all="ignore"):
        numpy.divide(products, count - ddof, out=unknown, where=count > ddof)
    return unknown[()]


def corr(
    x: Any, y: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None
) -> Any:
    """Pearson's correlation of the elements of two arrays of one shape, a float64.

    NaN if the elements of an array are all equal. Other arguments are as in cov()."""
    pairs, (_, _, _, x_squares, y_squares, products) = _comoments(x, y, axis, keepdims, where)
    if pairs.is_number:
        scale = math.sqrt(x_squares) * math.sqrt(y_squares)
        found = products / scale if scale > 0 else math.nan
        return found if math.isnan(found) else max(-1.0, min(1.0, found))
    import numpy

    unknown = numpy.full(products.shape, numpy.nan)
    with numpy.errstate(all="ignore"):
        scale = numpy.sqrt(x_squares) * numpy.sqrt(y_squares)
        numpy.divide(products, scale, out=unknown, where=scale > 0)
    return numpy.clip(unknown, -1, 1)[()]
