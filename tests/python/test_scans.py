# SPDX-License-Identifier: Apache-2.0
"""Scans and sums of segments, of arrays that Hypothesis thinks of, against NumPy."""

import math
import os
import unittest

import numpy
import reap
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from reference import SEED

settings.register_profile(
    "scans",
    max_examples=40 if "SHARE" in os.environ else 100,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("scans")

INTEGERS = [numpy.dtype(letter) for letter in "?bBhHiIqQ"]


@st.composite
def arrays(draw, types, dimensions=3):
    """An array of one of the types, of any strides."""
    shape = arrays_of.array_shapes(min_dims=1, max_dims=dimensions, min_side=0, max_side=9)
    x = draw(arrays_of.arrays(draw(st.sampled_from(types)), draw(shape)))
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    steps = st.sampled_from([slice(None), slice(None, None, -1), slice(None, None, 2)])
    return x[tuple(draw(steps) for _ in range(x.ndim))]


@st.composite
def offsets_of(draw, count):
    kind = draw(st.sampled_from([numpy.int32, numpy.int64, numpy.uint16]))
    return numpy.array(sorted(draw(st.lists(st.integers(0, count), min_size=1))), kind)


class Scans(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)

    @seed(SEED)
    @given(st.data())
    def test_integers(self, data):
        x = data.draw(arrays(INTEGERS))
        axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
        kind = numpy.int64 if x.dtype.kind == "i" else numpy.uint64
        expected = numpy.cumsum(x, axis=axis, dtype=kind)
        got = reap.cumsum(x, axis)
        self.assertEqual(got.dtype, kind)
        numpy.testing.assert_array_equal(got, expected)

    @seed(SEED)
    @given(st.data())
    def test_exclusive_and_initial(self, data):
        x = data.draw(arrays(INTEGERS, 1))
        kind = numpy.int64 if x.dtype.kind == "i" else numpy.uint64
        initial = data.draw(st.integers(0, 2**40))
        expected = numpy.cumsum(numpy.concatenate([[kind(initial)], x.astype(kind)]), dtype=kind)
        numpy.testing.assert_array_equal(reap.cumsum(x, initial=initial), expected[1:])
        numpy.testing.assert_array_equal(
            reap.cumsum(x, exclusive=True, initial=initial), expected[:-1]
        )

    @seed(SEED)
    @given(st.data())
    def test_floats(self, data):
        """A run is added up as NumPy does."""
        shape = st.integers(0, 16)
        kind = data.draw(st.sampled_from([numpy.float32, numpy.float64]))
        x = data.draw(arrays_of.arrays(kind, shape))
        with numpy.errstate(all="ignore"):
            expected = numpy.cumsum(x)
        numpy.testing.assert_array_equal(reap.cumsum(x), expected)

    @seed(SEED)
    @given(st.data())
    def test_products_and_extremes(self, data):
        types = INTEGERS + [numpy.dtype(letter) for letter in "efd"]
        x = data.draw(arrays(types))
        axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
        for ours, theirs in ((reap.cummin, numpy.minimum), (reap.cummax, numpy.maximum)):
            got = ours(x, axis)
            self.assertEqual(got.dtype, x.dtype)
            given = x.reshape(-1) if axis is None else x
            expected = theirs.accumulate(given, axis=axis or 0)
            numpy.testing.assert_array_equal(got, expected)
        if x.dtype.kind != "f":
            kind = numpy.int64 if x.dtype.kind == "i" else numpy.uint64
            expected = numpy.cumprod(x, axis=axis, dtype=kind)
            numpy.testing.assert_array_equal(reap.cumprod(x, axis), expected)

    def test_initial_values(self):
        x = numpy.array([3, -1, 2], "i2")
        self.assertEqual(reap.cumprod(x, initial=2).tolist(), [6, -6, -12])
        self.assertEqual(reap.cumprod(x, exclusive=True).tolist(), [1, 3, -3])
        self.assertEqual(reap.cummin(x, initial=1).tolist(), [1, -1, -1])
        self.assertEqual(reap.cummin(x, exclusive=True).tolist(), [2**15 - 1, 3, -1])
        self.assertEqual(reap.cummax(x, exclusive=True).tolist(), [-(2**15), 3, 3])
        self.assertEqual(reap.cummax(x.astype("f4"), exclusive=True)[0], -numpy.inf)

    def test_initial_values_that_are_refused(self):
        whole, floats = numpy.array([1, 2, 3], "u1"), numpy.array([1, 2, 3], "f4")
        for x in (whole, floats):
            for initial in ([], [1, 2], numpy.array([5]), "7", b"7", 1j, x, object()):
                with self.assertRaises(TypeError, msg=str(initial)):
                    reap.cumsum(x, initial=initial)
        for call, initial, error in (
            (reap.cumsum, 1.5, TypeError), (reap.cumsum, -1, ValueError),
            (reap.cumsum, 2**64, ValueError), (reap.cummin, 256, ValueError),
        ):  # fmt: skip
            self.assertRaises(error, call, whole, initial=initial)
        self.assertRaisesRegex(ValueError, "fit float32", reap.cumsum, floats, initial=1e39)
        self.assertRaises(ValueError, reap.cummin, floats.astype("e"), initial=1e5)
        self.assertRaises(ValueError, reap.cummax, whole > 1, initial=2)
        for first in (numpy.zeros(0, "u8"), numpy.zeros(2, "u8"), numpy.zeros(1, "i8")):
            with self.assertRaises(ValueError):
                reap._reap.scan(0, whole, 0, False, first, numpy.zeros(3, "u8"), False)

    def test_initial_values_of_every_kind(self):
        whole, floats = numpy.array([1, 2, 3], "i4"), numpy.array([1, 2, 3], "f4")
        for initial in (7, numpy.int8(7), numpy.array(7), True):
            expected = int(initial) + numpy.array([1, 3, 6])
            self.assertEqual(reap.cumsum(whole, initial=initial).tolist(), expected.tolist())
            self.assertEqual(reap.cumsum(floats, initial=initial).tolist(), expected.tolist())
        self.assertEqual(reap.cumsum(floats, initial=numpy.float64(0.5))[0], 1.5)
        self.assertEqual(reap.cummin(floats, initial=math.inf).tolist(), [1, 1, 1])
        self.assertEqual(reap.cummax(whole > 1, initial=True).tolist(), [True] * 3)

    def test_many(self):
        random = numpy.random.default_rng(SEED)
        for count in (2047, 2048, 2049, 32769, 200_000):
            x = random.random(count)
            got = reap.cumsum(x)
            numpy.testing.assert_allclose(got, numpy.cumsum(x), rtol=1e-12)
            self.assertTrue((numpy.diff(got) >= 0).all())
            whole = random.integers(-(2**62), 2**62, count)
            numpy.testing.assert_array_equal(reap.cumsum(whole), numpy.cumsum(whole))

    def test_other_arguments(self):
        numpy.testing.assert_array_equal(reap.cumsum([1, 2, 3]), [1, 3, 6])
        numpy.testing.assert_array_equal(reap.cumsum(5), [5])
        self.assertEqual(reap.cumsum(numpy.ones(3, numpy.float16)).dtype, numpy.float32)
        with self.assertRaises(ValueError):
            reap.cumsum(numpy.ones(3), 1)
        with self.assertRaisesRegex(TypeError, "one axis"):
            reap.cumsum(numpy.ones((3, 2)), (0, 1))


class Segments(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)

    @seed(SEED)
    @given(st.data())
    def test_sums(self, data):
        types = INTEGERS + [numpy.dtype(letter) for letter in "efd"]
        x = data.draw(arrays(types, 1))
        offsets = data.draw(offsets_of(x.size))
        with numpy.errstate(all="ignore"):
            got = reap.segmented_sum(x, offsets)
            exact = reap.segmented_sum(x, offsets, exact=True)
        self.assertEqual(got.size, offsets.size - 1)
        for s in range(got.size):
            own = x[offsets[s] : offsets[s + 1]]
            numpy.testing.assert_array_equal(got[s], reap.sum(own))
            numpy.testing.assert_array_equal(exact[s], reap.sum(own, exact=True))

    @seed(SEED)
    @given(st.data())
    def test_against_reduceat(self, data):
        """Which has sums only of segments that are not empty."""
        x = data.draw(arrays(INTEGERS, 1))
        offsets = numpy.unique(data.draw(offsets_of(x.size)))
        if offsets.size < 2:
            return
        kind = numpy.int64 if x.dtype.kind == "i" else numpy.uint64
        places = offsets[:-1].astype(numpy.int64)
        expected = numpy.add.reduceat(x[: offsets[-1]].astype(kind), places)
        numpy.testing.assert_array_equal(reap.segmented_sum(x, offsets), expected)

    @seed(SEED)
    @given(st.data())
    def test_extremes(self, data):
        types = INTEGERS + [numpy.dtype(letter) for letter in "efd"]
        x = data.draw(arrays(types, 1))
        offsets = numpy.unique(data.draw(offsets_of(x.size)))
        for name in ("min", "max"):
            got = getattr(reap, "segmented_" + name)(x, offsets)
            self.assertEqual(got.dtype, x.dtype)
            expected = [getattr(x[a:b], name)() for a, b in zip(offsets, offsets[1:])]
            numpy.testing.assert_array_equal(got, numpy.array(expected, x.dtype))
        self.assertRaises(ValueError, reap.segmented_min, x, [0, 0])

    def test_wrong_offsets(self):
        x = numpy.ones(5)
        for offsets in ([0, 3, 2], [0, 6], [-1, 3], [[0, 1]], [], [6], [-1]):
            with self.assertRaises(ValueError, msg=str(offsets)):
                reap.segmented_sum(x, offsets)
        for offset in (0, 5):
            self.assertEqual(reap.segmented_sum(x, [offset]).tolist(), [])
        with self.assertRaises(TypeError):
            reap.segmented_sum(x, [0.0, 5.0])


if __name__ == "__main__":
    unittest.main()
