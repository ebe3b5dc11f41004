# SPDX-License-Identifier: Apache-2.0
"""The functions of the package: reductions to one value or along axes, and statistics."""

from __future__ import annotations

import array
import contextlib
import math
import sys
from typing import Any, NamedTuple

from . import _reap
from ._elements import Axis, Elements, axes_of, mask_of, shape_without
from ._results import Result, is_narrow, result_type
from ._statistics import Along, check_types, dot_along, reduce_where

__all__ = [
    "Moments", "argmax", "argmin", "count_nonzero", "dot", "kurtosis", "max", "mean", "min",
    "moments", "norm", "skew", "std", "sum", "var", "vdot",
]  # fmt: skip

# What is known of NumPy's arrays, so that a call of a short one is short: their class, once there has
# been one, and by reduction and character of their type the class of the result.
_ndarray: Any = None
_numbers: dict[tuple[int, str], Any] = {}


def _reduce(reduction: int, x: Any, axis: Axis, keepdims: bool, where: Any = None) -> Any:
    if where is not None:
        return reduce_where(reduction, x, axis, keepdims, where)
    if axis is not None or keepdims:
        return _reduce_along(reduction, Elements(x), axis, keepdims)
    if type(x) is _ndarray:
        number = _numbers.get((reduction, x.dtype.char))
        if number is not None:
            return number(_reap.reduce(reduction, x, 0, None, False))
    return _reduce_all(reduction, Elements(x))


def _reduce_all(reduction: int, x: Elements) -> Any:
    global _ndarray
    number = _reap.reduce(reduction, x.array, 0, None, x.is_bfloat16)
    if not x.is_numpy:
        return number
    kind = result_type(reduction, x).type
    if not x.is_foreign and x.dtype.isbuiltin == 1:
        import numpy

        _ndarray = numpy.ndarray
        _numbers[reduction, x.dtype.char] = kind
    return kind(number)


def _reduce_along(reduction: int, x: Elements, axis: Axis, keepdims: bool) -> Any:
    elements = x.as_array()
    axes = axes_of(axis, elements.ndim)
    shape = shape_without(elements.shape, axes, keepdims)
    if not axes:
        elements, axes = x.each_alone()
    of_results = shape_without(elements.shape, axes, False)
    result = Result(x, of_results, result_type(reduction, x), narrow=is_narrow(reduction, x))
    _reap.reduce(reduction, elements, mask_of(axes), result.written, x.is_bfloat16)
    return result.finish(shape)


def sum(
    x: Any, axis: Axis = None, *, exact: bool = False, keepdims: bool = False, where: Any = None
) -> Any:
    """The sum of the elements.

    x         an array
    axis      the axis, or a tuple of axes, along which elements are summed; None: all elements
    exact     the sum is computed without any error, and rounded once
    keepdims  the axes remain in the result, with one element
    where     a mask of bool or uint8, broadcast to the shape of `x`: only elements where it is not 0
              are added

    The result is an int64 for signed integers, a uint64 for bool and unsigned integers (both modulo
    2**64), a float64 for float64 and a float32 for other floats. A sum that is not exact adds in an
    order that depends on the number of elements alone, so it has the same bits wherever it runs.
    """
    return _reduce(_reap.EXACT_SUM if exact else _reap.SUM, x, axis, keepdims, where)


def min(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The smallest element, of the elements' type; NaN if an element is NaN.

    `axis`, `keepdims` and `where` are as in sum(). ValueError: a result has no elements."""
    return _reduce(_reap.MINIMUM, x, axis, keepdims, where)


def max(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The largest element, of the elements' type; NaN if an element is NaN.

    `axis`, `keepdims` and `where` are as in sum(). ValueError: a result has no elements."""
    return _reduce(_reap.MAXIMUM, x, axis, keepdims, where)


def _argument(reduction: int, x: Any, axis: int | None, keepdims: bool, where: Any) -> Any:
    if isinstance(axis, tuple):
        raise TypeError("argmin and argmax take one axis, or None")
    return _reduce(reduction, x, axis, keepdims, where)


def argmin(
    x: Any, axis: int | None = None, *, keepdims: bool = False, where: Any = None
) -> Any:
    """The index of the first smallest element, or of the first NaN; an int64.

    axis   None: the index is in x.ravel(); otherwise along this axis
    where  a mask, as in sum()

    ValueError: a result has no elements."""
    return _argument(_reap.ARGMIN, x, axis, keepdims, where)


def argmax(
    x: Any, axis: int | None = None, *, keepdims: bool = False, where: Any = None
) -> Any:
    """The index of the first largest element, or of the first NaN; an int64.

    axis   None: the index is in x.ravel(); otherwise along this axis
    where  a mask, as in sum()

    ValueError: a result has no elements."""
    return _argument(_reap.ARGMAX, x, axis, keepdims, where)


def count_nonzero(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """How many elements are not 0, an int64; NaN is not 0.

    `axis`, `keepdims` and `where` are as in sum()."""
    return _reduce(_reap.COUNT_NONZERO, x, axis, keepdims, where)


_NORMS = {1: _reap.NORM_1, 2: _reap.NORM_2, math.inf: _reap.NORM_INFINITY}


def norm(
    x: Any, ord: float = 2, axis: Axis = None, *, keepdims: bool = False, where: Any = None
) -> Any:
    """A norm of the elements, which are one vector whatever their shape.

    x     an array
    ord   1: the sum of absolute values, of the type of sum(); 2: the root of the sum of squares,
          without overflow or underflow on the way, float32 or (for integers, too) float64;
          math.inf: the largest absolute value, a uint64 for integers, otherwise a float32 or float64

    `axis`, `keepdims` and `where` are as in sum().
    """
    reduction = _NORMS.get(ord)
    if reduction is None:
        raise ValueError(f"ord is 1, 2 or math.inf, not {ord!r}")
    return _reduce(reduction, x, axis, keepdims, where)


def vdot(
    x: Any, y: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None
) -> Any:
    """The sum of products of the elements of two arrays of the same type and shape, of the type of
    sum(). `axis`, `keepdims` and `where` are as in sum()."""
    if axis is not None or keepdims or where is not None:
        return dot_along(x, y, axis, keepdims, where)
    return _dot(Elements(x), Elements(y))


def _dot(left: Elements, right: Elements) -> Any:
    if left.is_numpy or right.is_numpy or left.is_foreign or right.is_foreign:
        left.as_array()
        right.as_array()
    check_types(left, right)
    number = _reap.dot(left.array, right.array, left.is_bfloat16)
    return result_type(_reap.SUM, left).type(number) if left.is_numpy else number


def dot(x: Any, y: Any, *, where: Any = None) -> Any:
    """The sum of products of two vectors: vdot() of arrays of one dimension."""
    both = Elements(x), Elements(y)
    for one in both:
        dimensions = len(one.shape())
        if dimensions != 1:
            raise ValueError(f"dot takes vectors, not an array of {dimensions} dimensions: see vdot")
    return _dot(*both) if where is None else dot_along(x, y, None, False, where)


class Moments(NamedTuple):
    """The moments of elements, as moments() computes them in one pass over an array.

    count    how many elements there are; with a mask, along axes, an array
    mean     their mean; NaN if there are none
    squares  the sum of (x - mean)**2
    cubes    the sum of (x - mean)**3
    fourths  the sum of (x - mean)**4
    """

    count: Any
    mean: Any
    squares: Any
    cubes: Any
    fourths: Any

    def var(self, ddof: float = 0) -> Any:
        """The variance, squares / (count - ddof); NaN unless count is larger than ddof."""
        degrees = self.count - ddof
        with _quiet():
            if getattr(degrees, "ndim", 0) > 0:  # with a mask, along axes
                return _quotient(self.squares, degrees.clip(0))
            return self.squares / degrees if degrees > 0 else self.squares * math.nan

    def std(self, ddof: float = 0) -> Any:
        """The standard deviation, the root of var(ddof)."""
        return self.var(ddof) ** 0.5

    def skew(self) -> Any:
        """The skewness, (cubes / count) / var()**1.5; NaN if all elements are equal."""
        var = self.var()  # var**1.5 raises an exception where it overflows
        with _quiet():
            return _quotient(self.cubes, self.count * var * var**0.5)

    def kurtosis(self) -> Any:
        """The excess kurtosis, (fourths / count) / var()**2 - 3; NaN if all elements are equal."""
        var = self.var()
        with _quiet():
            return _quotient(self.fourths, self.count * var * var) - 3


def _quiet() -> Any:
    """NumPy does not warn of powers that overflow, and of their quotients."""
    numpy = sys.modules.get("numpy")
    return contextlib.nullcontext() if numpy is None else numpy.errstate(all="ignore")


def _quotient(numerator: Any, denominator: Any) -> Any:
    """a / b, NaN where b is 0."""
    if isinstance(denominator, float):  # numpy.float64 is one
        return numerator / denominator if denominator != 0 else numerator * math.nan
    import numpy

    unknown = numpy.full_like(numerator, math.nan)
    return numpy.divide(numerator, denominator, out=unknown, where=denominator != 0)


def moments(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Moments:
    """The count, mean and higher moments of the elements, computed in float64.

    The members of the result are float64 numbers, or along axes arrays of them. `axis`, `keepdims`
    and `where` are as in sum(). The count is an int; with a mask, along axes, an int64 for each
    result.
    """
    if where is not None:
        return _moments_where(x, axis, keepdims, where)
    elements = Elements(x)
    if axis is not None or keepdims:
        return _moments_along(elements, axis, keepdims)
    values = array.array("d", bytes(40))
    _reap.moments(elements.array, 0, None, values, elements.is_bfloat16)
    count = int(values[0])
    if not elements.is_numpy:
        return Moments(count, *values[1:])
    import numpy

    return Moments(count, *map(numpy.float64, values[1:]))


def _moments_along(x: Elements, axis: Axis, keepdims: bool) -> Moments:
    import numpy

    elements = x.as_array()
    axes = axes_of(axis, elements.ndim)
    shape = shape_without(elements.shape, axes, keepdims)
    if not axes:
        elements, axes = x.each_alone()
    values = numpy.empty((math.prod(shape), 5))
    _reap.moments(elements, mask_of(axes), None, values, x.is_bfloat16)
    count = math.prod(elements.shape[axis] for axis in axes)
    return Moments(count, *(values[:, i].reshape(shape)[()] for i in range(1, 5)))


def _moments_where(x: Any, axis: Axis, keepdims: bool, where: Any) -> Moments:
    along = Along(x, axis, keepdims, where)
    values = along.doubles(5)
    _reap.moments(along.array, along.axes, along.mask, values, along.elements.is_bfloat16)
    if along.is_number:
        return Moments(int(values[0]), *values[1:])
    import numpy

    counts, *powers = (values[..., i].reshape(along.shape)[()] for i in range(5))
    is_one = numpy.ndim(counts) == 0
    return Moments(int(counts) if is_one else counts.astype(numpy.int64), *powers)


def mean(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The mean of the elements, a float64; NaN if there are none. Arguments are as in moments()."""
    return moments(x, axis, keepdims=keepdims, where=where).mean


def var(
    x: Any, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, where: Any = None
) -> Any:
    """The variance of the elements, a float64: Moments.var(). Arguments are as in moments()."""
    return moments(x, axis, keepdims=keepdims, where=where).var(ddof)


def std(
    x: Any, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, where: Any = None
) -> Any:
    """The standard deviation of the elements, a float64. Arguments are as in moments()."""
    return moments(x, axis, keepdims=keepdims, where=where).std(ddof)


def skew(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The skewness of the elements, a float64: Moments.skew(). Arguments are as in moments()."""
    return moments(x, axis, keepdims=keepdims, where=where).skew()


def kurtosis(x: Any, axis: Axis = None, *, keepdims: bool = False, where: Any = None) -> Any:
    """The excess kurtosis of the elements, a float64. Arguments are as in moments()."""
    return moments(x, axis, keepdims=keepdims, where=where).kurtosis()
