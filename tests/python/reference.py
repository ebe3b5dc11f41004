# SPDX-License-Identifier: Apache-2.0
"""What results should be: the reduction shape (docs/reduction-shape.md) in NumPy, sums as fractions,
and views of arrays with all kinds of strides."""

import math
import os
from fractions import Fraction

import numpy

SEED = int(os.environ.get("SEED", "1"))
DTYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
INTEGERS = DTYPES[:9]
FLOATS = DTYPES[9:]

LANES, ROWS = 64, 32


def accumulator(dtype):
    """The type of sums."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "f":
        return numpy.dtype("float64" if dtype.itemsize == 8 else "float32")
    return numpy.dtype("int64" if dtype.kind == "i" else "uint64")


def _leaf(items):
    lanes = numpy.zeros(LANES, items.dtype)
    for first in range(0, len(items), LANES):
        row = items[first : first + LANES]
        lanes[: len(row)] += row
    return lanes


def shape_sum(items):
    """The sum of a vector in its own type, in the order of the reduction shape."""
    leaf = LANES * ROWS
    nodes = [_leaf(items[i : i + leaf]) for i in range(0, len(items), leaf)]
    while len(nodes) > 1:
        pairs = [nodes[i] + nodes[i + 1] for i in range(0, len(nodes) - 1, 2)]
        nodes = pairs + nodes[len(nodes) - len(nodes) % 2 :]
    lanes = nodes[0] if nodes else numpy.zeros(LANES, items.dtype)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = lanes[:half] + lanes[half:]
    return lanes[0]


def is_nearest(result, exact):
    """Whether a finite floating-point number is the one nearest to a fraction."""
    below = numpy.nextafter(result, result.dtype.type(-math.inf))
    above = numpy.nextafter(result, result.dtype.type(math.inf))
    error = abs(Fraction(float(result)) - exact)
    return all(
        error <= abs(Fraction(float(other)) - exact)
        for other in (below, above)
        if numpy.isfinite(other)
    )


def random_array(random, dtype, shape):
    """Numbers of different magnitudes, and zeros."""
    dtype = numpy.dtype(dtype)
    if dtype == bool:
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind == "f":
        largest = 4 if dtype.itemsize == 2 else 9
        return (random.standard_normal(shape) * 2.0 ** random.integers(-9, largest, shape)).astype(
            dtype
        )
    limits = numpy.iinfo(dtype)
    values = random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return values * random.integers(0, 2, shape).astype(dtype)


def views(x):
    """(name, view) of a three-dimensional array, for each kind of strides."""
    yield "row-major", x
    yield "column-major", numpy.asfortranarray(x)
    yield "transposed", x.transpose(2, 0, 1)
    yield "reversed", x[::-1, :, ::-1]
    yield "every second", x[:, 1::2, ::2]
    yield "backwards by three", x[:, ::-3, 1:]
    yield "broadcast", numpy.broadcast_to(x[:, :1, :], x.shape)
    yield "broadcast number", numpy.broadcast_to(x[0, 0, 0], (5, 6))
    yield "diagonal", x.diagonal(axis1=0, axis2=2)
    yield "windows", numpy.lib.stride_tricks.sliding_window_view(x, 3, axis=2)
    yield "one element", x[1:2, 1:2, 1:2]
    yield "number", x[1, 1, 1]
    yield "no rows", x[:0]
    yield "rows without elements", x[:, :, :0]
    members = numpy.zeros(x.shape, [("before", "i1"), ("x", x.dtype), ("after", "i1")])
    members["x"] = x
    yield "members of structs", members["x"]
    octets = numpy.zeros(x.nbytes + 1, numpy.uint8)
    unaligned = octets[1:].view(x.dtype).reshape(x.shape)
    unaligned[...] = x
    yield "unaligned", unaligned
    read_only = x.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only
