# SPDX-License-Identifier: Apache-2.0
"""Arrays that Hypothesis thinks of, against NumPy."""

import os
import unittest
import warnings

import numpy
import reap
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from reference import DTYPES, SEED, accumulator, shape_sum

settings.register_profile(
    "reap",
    max_examples=40 if "SHARE" in os.environ else 100,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("reap")


@st.composite
def arrays(draw, minimum_side=0):
    """An array of any type and strides."""
    shape = arrays_of.array_shapes(min_dims=0, max_dims=5, min_side=minimum_side, max_side=6)
    x = draw(arrays_of.arrays(draw(st.sampled_from(DTYPES)), draw(shape)))
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    steps = st.sampled_from([slice(None), slice(None, None, -1), slice(None, None, 2)])
    if minimum_side == 0:
        steps |= st.just(slice(1, None, 3))
    x = x[tuple(draw(steps) for _ in range(x.ndim))]
    if draw(st.booleans()):
        x = numpy.broadcast_to(x, (draw(st.integers(1, 4)), *x.shape))
    return x


@st.composite
def arrays_and_axes(draw, minimum_side=0):
    x = draw(arrays(minimum_side))
    if x.ndim == 0:
        return x, draw(st.sampled_from([None, ()]))
    several = arrays_of.valid_tuple_axes(x.ndim)
    return x, draw(st.none() | st.integers(-x.ndim, x.ndim - 1) | several)


def slices(x, axis):
    """The elements of each slice, in row-major order: an array of two dimensions."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = sorted(a % x.ndim for a in axes) if x.ndim else []
    others = [d for d in range(x.ndim) if d not in axes]
    rows = numpy.prod([x.shape[d] for d in others], dtype=int)
    length = numpy.prod([x.shape[d] for d in axes], dtype=int)
    return x.transpose(others + axes).reshape(rows, length)


class Random(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)
        warnings.simplefilter("ignore")

    def equal(self, ours, theirs):
        self.assertEqual(numpy.shape(ours), numpy.shape(theirs))
        self.assertTrue(numpy.array_equal(ours, theirs, equal_nan=True), (ours, theirs))

    @seed(SEED)
    @given(arrays_and_axes())
    def test_sum(self, given):
        x, axis = given
        kind = accumulator(x.dtype)
        result = numpy.asarray(reap.sum(x, axis))
        self.assertEqual(result.dtype, kind)
        self.assertEqual(result.shape, numpy.sum(x, axis).shape)
        expected = [shape_sum(row.astype(kind)) for row in slices(x, axis)]
        self.equal(result.ravel(), numpy.array(expected, kind))

    @seed(SEED)
    @given(arrays_and_axes(minimum_side=1))
    def test_extremes(self, given):
        x, axis = given
        for name in ("min", "max"):
            ours = getattr(reap, name)(x, axis, keepdims=True)
            self.assertEqual(ours.dtype, x.dtype)
            self.equal(ours, getattr(numpy, name)(x, axis, keepdims=True))
        if not isinstance(axis, tuple):
            for name in ("argmin", "argmax"):
                self.equal(getattr(reap, name)(x, axis), getattr(numpy, name)(x, axis))

    @seed(SEED)
    @given(arrays_and_axes())
    def test_count(self, given):
        x, axis = given
        self.equal(reap.count_nonzero(x, axis), numpy.count_nonzero(x, axis))

    @seed(SEED)
    @given(arrays())
    def test_objects_with_buffers(self, x):
        """A memoryview has the results of its array, as Python's numbers."""
        view = memoryview(x)
        for function in (reap.sum, reap.count_nonzero, reap.norm, reap.mean):
            result = function(view)
            self.assertIn(type(result), (int, float))
            self.equal(result, function(x))


if __name__ == "__main__":
    unittest.main()
