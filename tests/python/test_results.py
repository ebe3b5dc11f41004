# SPDX-License-Identifier: Apache-2.0
"""Results against NumPy, and against the reduction shape to the bit."""

import array
import itertools
import math
import unittest
import warnings
from fractions import Fraction

import numpy
import reap
from reference import DTYPES, FLOATS, SEED, accumulator, is_nearest, random_array, shape_sum, views

AXES = [None, 0, 1, -1, (0, 2), (1, 0), (0, 1, 2), ()]


def same_bits(a, b):
    a, b = numpy.asarray(a), numpy.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def along(function, x, axis, dtype=None):
    """`function` of each slice, a vector in row-major order; the naive way."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = sorted(a % x.ndim for a in axes)
    others = [d for d in range(x.ndim) if d not in axes]
    rows = x.transpose(others + axes)
    outer = rows.shape[: len(others)]
    results = [function(numpy.ravel(rows[index])) for index in numpy.ndindex(*outer)]
    return numpy.array(results, dtype).reshape(outer)


def each_case(check):
    """A test that calls check(self, x, axis) for each dtype, each kind of strides, and axes."""

    def test(self):
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            for name, x in views(random_array(random, dtype, (5, 7, 9))):
                for axis in AXES:
                    highest = max((a % 3 for a in numpy.atleast_1d(axis or 0)), default=0)
                    if axis is None or highest < x.ndim:
                        with self.subTest(seed=SEED, dtype=dtype, strides=name, axis=axis):
                            check(self, x, axis)

    return test


class Results(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")  # NumPy's, of overflows

    @each_case
    def test_sum(self, x, axis):
        expected = along(lambda row: shape_sum(row.astype(accumulator(x.dtype))), x, axis)
        result = reap.sum(x, axis)
        self.assertEqual(numpy.asarray(result).dtype, accumulator(x.dtype))
        self.assertTrue(same_bits(result, expected.astype(accumulator(x.dtype))))
        kept = reap.sum(x, axis, keepdims=True)
        self.assertEqual(numpy.shape(kept), numpy.sum(x, axis, keepdims=True).shape)
        self.assertTrue(same_bits(kept.ravel(), numpy.ravel(result)))

    @each_case
    def test_exact_sum(self, x, axis):
        result = numpy.asarray(reap.sum(x, axis, exact=True))
        if x.dtype.kind == "f":
            exact = along(lambda row: sum(map(Fraction, row.tolist())), x, axis, object)
            self.assertEqual(result.dtype, accumulator(x.dtype))
            self.assertEqual(result.shape, exact.shape)
            pairs = zip(result.ravel(), exact.ravel())
            self.assertTrue(all(is_nearest(a, Fraction(b)) for a, b in pairs))
        else:
            self.assertTrue(same_bits(result, numpy.asarray(reap.sum(x, axis))))

    def test_exact_sum_where_order_matters(self):
        random = numpy.random.default_rng(SEED)
        values = random.standard_normal(4001) * 10.0 ** random.integers(-200, 200, 4001)
        values = numpy.concatenate([values, -values[::-1], [2.0**-1000, 3.0]])
        self.assertEqual(reap.sum(values, exact=True), math.fsum(values))
        self.assertEqual(reap.sum(values, exact=True), 3.0)
        self.assertNotEqual(reap.sum(values), 3.0)

    @each_case
    def test_extremes(self, x, axis):
        names = ["min", "max"]
        if axis is None or isinstance(axis, int):
            names += ["argmin", "argmax"]
        for name in names:
            ours, numpys = getattr(reap, name), getattr(numpy, name)
            try:
                expected = numpys(x, axis)
            except ValueError:
                self.assertRaises(ValueError, ours, x, axis)
                continue
            self.assertTrue(same_bits(ours(x, axis), expected), name)
            kept = numpy.expand_dims(expected, axis) if isinstance(axis, int) else None
            if kept is not None:
                self.assertTrue(same_bits(ours(x, axis, keepdims=True), kept))

    @each_case
    def test_norms(self, x, axis):
        wide = numpy.abs(x.astype(object if x.dtype.kind in "iu" else float))
        for order in (1, 2, math.inf):
            result = numpy.asarray(reap.norm(x, order, axis))
            if order == 1:
                expected = along(lambda row: sum(row.tolist()), wide, axis, object)
            elif order == 2:
                squares = along(
                    lambda row: math.fsum(float(v) ** 2 for v in row.tolist()), wide, axis
                )
                expected = numpy.sqrt(squares.astype(float))
            else:
                expected = along(lambda row: row.max() if len(row) else 0, wide, axis)
            if order == 1 and x.dtype.kind in "iu":
                expected = numpy.array(expected % 2**64, "uint64")
                result = result.astype("uint64")
            error = 1e-14 if result.dtype.itemsize == 8 else 1e-6
            self.assertEqual(result.shape, expected.shape)
            self.assertTrue(numpy.allclose(result, expected.astype(float), error, 0), order)

    def test_norms_without_overflow(self):
        self.assertAlmostEqual(reap.norm([3e200, -4e200]) / 5e200, 1, 14)
        self.assertAlmostEqual(reap.norm([3e-200, -4e-200]) / 5e-200, 1, 14)
        large = numpy.array([3e30, 4e30], "float32")
        self.assertAlmostEqual(float(reap.norm(large)) / 5e30, 1, 6)
        self.assertEqual(reap.norm(numpy.array([-128], "int8"), math.inf), 128)

    def test_dot(self):
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            x, y = (random_array(random, dtype, (6, 50, 11)) for _ in range(2))
            for (name, a), (_, b) in zip(views(x), views(y)):
                with self.subTest(dtype=dtype, strides=name):
                    kind = accumulator(dtype)
                    expected = shape_sum(a.ravel().astype(kind) * b.ravel().astype(kind))
                    self.assertTrue(same_bits(reap.vdot(a, b), expected))
        z = random_array(random, "float64", 1000)
        self.assertTrue(same_bits(reap.dot(z, z), shape_sum(z * z)))
        self.assertTrue(same_bits(reap.dot(z[:-1], z[1:]), shape_sum(z[:-1] * z[1:])))
        self.assertEqual(reap.dot([1, 2], [3, 4]), 11)

    @each_case
    def test_count(self, x, axis):
        self.assertTrue(same_bits(reap.count_nonzero(x, axis), numpy.count_nonzero(x, axis)))

    def test_special_numbers(self):
        for dtype in FLOATS:
            for values in itertools.permutations([1, math.nan, -math.inf, math.inf, 0]):
                x = numpy.array(values, dtype)
                for name in ("sum", "min", "max", "argmin", "argmax", "count_nonzero"):
                    ours, numpys = getattr(reap, name)(x), getattr(numpy, name)(x)
                    self.assertTrue(numpy.array_equal(ours, numpys, equal_nan=True), (x, name))
                self.assertTrue(math.isnan(reap.sum(x, exact=True)))
                self.assertTrue(math.isnan(reap.norm(x)))

    def test_large(self):
        """So long that several threads take part, in the order of the reduction shape."""
        random = numpy.random.default_rng(SEED)
        for dtype in ("float32", "float64", "int32"):
            x = random_array(random, dtype, 1_000_003)
            for y in (x, x[::-1], x[1::3]):
                self.assertTrue(same_bits(reap.sum(y), shape_sum(y.astype(accumulator(dtype)))))
                self.assertEqual(reap.argmax(y), numpy.argmax(y))
        self.assertEqual(reap.sum(x := random.standard_normal(300_000), exact=True), math.fsum(x))


class Moments(unittest.TestCase):
    def test_moments(self):
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            for name, x in views(random_array(random, dtype, (5, 7, 9))):
                for axis in (None, *range(x.ndim), tuple(range(x.ndim))):
                    with self.subTest(dtype=dtype, strides=name, axis=axis):
                        self.check(x, axis)

    def check(self, x, axis):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide = x.astype(float)
            mean = numpy.mean(wide, axis, keepdims=True)
            powers = [numpy.sum((wide - mean) ** p, axis) for p in (2, 3, 4)]
            scale = numpy.sqrt(numpy.mean(wide**2, axis))
        result = reap.moments(x, axis)
        count = x.size // max(1, mean.size) if x.size else 0
        if x.size:
            self.assertEqual(result.count, count)
        self.assertEqual(numpy.shape(result.mean), numpy.shape(powers[0]))
        for p, (ours, expected) in enumerate(zip(result[1:], [mean.reshape(scale.shape), *powers])):
            bound = 1e-12 * (count if p else 1) * scale ** (p + 1)
            good = (numpy.abs(ours - expected) <= bound) | (ours == expected)
            self.assertTrue(numpy.all(good | (numpy.isnan(ours) & numpy.isnan(expected))), p)

    def test_statistics(self):
        x = numpy.random.default_rng(SEED).gamma(2, 3, (40, 50))
        for axis in (None, 0, 1, (0, 1)):
            for ddof in (0, 1, 1.5):
                for keepdims in (False, True):
                    for name in ("var", "std"):
                        ours = getattr(reap, name)(x, axis, ddof=ddof, keepdims=keepdims)
                        theirs = getattr(numpy, name)(x, axis, ddof=ddof, keepdims=keepdims)
                        self.assertEqual(numpy.shape(ours), numpy.shape(theirs))
                        self.assertTrue(numpy.allclose(ours, theirs, 1e-12, 0))
            centred = x - x.mean(axis, keepdims=True)
            m2, m3, m4 = (numpy.mean(centred**p, axis) for p in (2, 3, 4))
            self.assertTrue(numpy.allclose(reap.skew(x, axis), m3 / m2**1.5, 1e-10, 0))
            self.assertTrue(numpy.allclose(reap.kurtosis(x, axis), m4 / m2**2 - 3, 1e-10, 0))
            self.assertTrue(numpy.allclose(reap.mean(x, axis), x.mean(axis), 1e-14, 0))

    def test_offset(self):
        """Far from 0 a sum of squares alone would lose all digits of the variance."""
        x = 1e9 + numpy.random.default_rng(SEED).standard_normal(100_000)
        few = x[:2000]
        mean = sum(map(Fraction, few.tolist())) / len(few)
        exact = sum((Fraction(v) - mean) ** 2 for v in few.tolist()) / len(few)
        self.assertAlmostEqual(reap.var(few) / float(exact), 1, 10)
        self.assertAlmostEqual(reap.var(x) / numpy.var(x), 1, 6)

    def test_overflow(self):
        """Squares that overflow are infinite, and those with infinities NaN, as NumPy has them; but
        sums do not overflow."""
        for values, mean in (
            ([1e308, 1e308, -1e308], 1e308 / 3), ([1e308, -1e308] * 2, 0), ([1.7e308, 1e308], 1.35e308),
            ([1.7e308, 1.7e308, -1], 1.7e308 / 3 * 2), ([2.0**700, 3 * 2.0**700], 2.0**701), ([1, math.inf, 2], math.inf), ([math.inf], math.inf),
            ([-math.inf, math.inf], math.nan), ([math.inf] * 3, math.inf), ([1, math.nan], math.nan),
        ):  # fmt: skip
            x = numpy.array(values)
            both = numpy.array([x, x])
            with self.subTest(values=values), numpy.errstate(all="ignore"):
                for ours, expected in (
                    (reap.mean(x), mean),
                    (reap.var(x), x.var()),
                    (reap.mean(both, 1), [mean] * 2),
                    (reap.var(both, 1), both.var(1)),
                    (reap.var(both, 1, where=True), both.var(1)),
                    (reap.std(both.T, 0), both.std(1)),
                ):
                    numpy.testing.assert_allclose(ours, expected, 1e-15)

    def test_no_warnings(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for values in ([1e308, 1e308, -1e308, 5], [1e120, 0, 3e130, 1], [math.inf, 1, 2, 3]):
                for x in (numpy.array(values), array.array("d", values)):
                    self.assertFalse(math.isfinite(reap.kurtosis(x)))
                    reap.skew(x)
                    reap.var(x, ddof=1)
                    reap.describe(x)
                both = numpy.array([values, values])
                for where in (None, both > -1):
                    self.assertFalse(numpy.isfinite(reap.kurtosis(both, 1, where=where)).any())
                    reap.skew(both, 1, where=where)
                    reap.std(both, 1, where=where)

    def test_equal_elements(self):
        """Whose sum overflows: the mean is the element, and the others are 0."""
        for value in (1e307, 1.7e308, -3.3e307):
            for count in (2, 49, 2048, 3000):
                x = numpy.full((2, count), value)
                self.assertEqual(reap.moments(x), (2 * count, value, 0, 0, 0))
                self.assertTrue((reap.mean(x, 1) == value).all())
                late = numpy.arange(2 * count).reshape(2, count) >= count + 1
                self.assertEqual(reap.moments(x, where=late), (count - 1, value, 0, 0, 0))
        figures = reap.describe(numpy.full(2048, 1e307))
        self.assertEqual((figures["mean"], figures["standard_deviation"]), (1e307, 0))

    def test_degenerate(self):
        self.assertTrue(math.isnan(reap.mean([])))
        self.assertTrue(math.isnan(reap.var([1.0], ddof=1)))
        self.assertTrue(math.isnan(reap.skew([2.0, 2.0])))
        self.assertTrue(math.isnan(reap.kurtosis([2.0, 2.0])))
        self.assertTrue(numpy.all(numpy.isnan(reap.skew(numpy.ones((3, 4)), 0))))
        self.assertEqual(reap.moments(numpy.ones((3, 0)), 1).mean.shape, (3,))
        self.assertEqual(reap.var([3, 3, 3]), 0)
        large = array.array("d", [0, 1, 1e150])  # Python's powers raise exceptions
        self.assertTrue(math.isnan(reap.skew(large)))
        self.assertTrue(math.isnan(reap.kurtosis(large)))


if __name__ == "__main__":
    unittest.main()
