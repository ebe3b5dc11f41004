# SPDX-License-Identifier: Apache-2.0
"""Counts, masks, histograms, sums by key and covariance of arrays that Hypothesis thinks of, against
NumPy and exact fractions."""

import math
import sys
import unittest
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy
import reap
from hypothesis import given, seed
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from reference import SEED, accumulator, is_nearest, shape_sum
from test_random import arrays, arrays_and_axes, slices

OPERATORS = {
    "==": lambda x, a: x == a,
    "!=": lambda x, a: x != a,
    "<": lambda x, a: x < a,
    "<=": lambda x, a: x <= a,
    ">": lambda x, a: x > a,
    ">=": lambda x, a: x >= a,
}


def exact(value):
    """A number as Python's own, which compares without rounding."""
    return value.item()


def mask_of(draw, x):
    kind = draw(st.sampled_from([numpy.bool_, numpy.uint8]))
    shape = x.shape if draw(st.booleans()) else x.shape[1:]
    return draw(arrays_of.arrays(kind, shape))


def central(values, power):
    """The sum of powers of differences from the mean, exactly."""
    numbers = [Fraction(exact(v)) for v in values]
    mean = sum(numbers) / len(numbers)
    return sum(((v - mean) ** power for v in numbers), Fraction(0))


@st.composite
def pairs(draw):
    """Two small arrays of one shape, an axis, and a mask."""
    shape = draw(arrays_of.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=6))
    kinds = st.sampled_from(["f4", "f8", "i2", "u1", "?"])

    def array():
        kind = draw(kinds)
        limits = {"i2": (-(2**15), 2**15 - 1), "u1": (0, 255), "?": (0, 1)}.get(kind)
        elements = st.integers(*limits) if limits else st.floats(-1e3, 1e3, width=32)
        return draw(arrays_of.arrays(kind, shape, elements=elements))

    x, y = array(), array()
    axis = draw(st.none() | st.integers(-len(shape), len(shape) - 1) | st.just(()))
    return x, y, axis, mask_of(draw, x)


@st.composite
def masked(draw, minimum_side=0):
    x, axis = draw(arrays_and_axes(minimum_side))
    return x, axis, mask_of(draw, x)


def _kept(x, axis):
    return numpy.sum(x, axis, keepdims=True).shape


class Random(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)
        warnings.simplefilter("ignore")

    def equal(self, ours, theirs):
        self.assertEqual(numpy.shape(ours), numpy.shape(theirs))
        self.assertTrue(numpy.array_equal(ours, theirs, equal_nan=True), (ours, theirs))

    def test_numbers_to_compare_with(self):
        x = numpy.arange(6)
        for value in ("3", b"3", numpy.str_("3"), None, 1j, [1]):
            self.assertRaises(TypeError, reap.count, x, "==", value)
        for between in ((), (1,), (1, 3, 5)):
            self.assertRaisesRegex(ValueError, "pair of numbers", reap.count, x, between=between)
        self.assertRaises(TypeError, reap.count, x, between=("1", 3))
        self.assertEqual(reap.count(x, between=[1, numpy.float32(3)]), 3)

    def test_numbers_that_float_rounds(self):
        x = numpy.arange(6) / 2
        large = numpy.longdouble(2) ** 4000
        rounded = [Decimal("0.1"), Decimal("1e400"), Fraction(1, 3), Fraction(10**400)]
        if large > sys.float_info.max:
            rounded += [numpy.longdouble(1) + numpy.finfo(numpy.longdouble).eps, large]
        for value in rounded:
            self.assertRaisesRegex(ValueError, "not a float64", reap.count, x, "<", value)
            self.assertRaisesRegex(ValueError, "not a float64", reap.count, x, between=(0, value))
        for value in (Decimal("1.5"), Fraction(3, 2), numpy.longdouble(1.5), numpy.array(1.5, "f2")):
            self.assertEqual(reap.count(x, "<", value), 3)

        class Half:  # equal to itself alone
            def __float__(self):
                return 0.5

        self.assertEqual(reap.count(x, "<=", Half()), 2)
        for value in (Decimal("inf"), numpy.longdouble("inf")):
            self.assertEqual(reap.count(x, "<", value), 6)
        for value in (Decimal("nan"), numpy.longdouble("nan")):
            self.assertEqual(reap.count(x, "!=", value), 6)

    @seed(SEED)
    @given(masked(), st.sampled_from(sorted(OPERATORS)), st.data())
    def test_count(self, given, comparison, data):
        x, axis, where = given
        numbers = st.integers(-(2**63), 2**64 - 1) | st.floats() | st.sampled_from([0, 1, -1, 0.5])
        numbers |= st.integers(-(2**66), 2**66) | st.sampled_from([2**64, -(10**400), 10**400])
        if x.size:
            numbers |= st.sampled_from([exact(v) for v in x.ravel()[:20]])
        value = data.draw(numbers)
        holds = [bool(OPERATORS[comparison](exact(v), value)) for v in x.ravel()]
        holds = numpy.array(holds, bool).reshape(x.shape)
        self.equal(reap.count(x, comparison, value, axis), holds.sum(axis))
        selected = holds & (numpy.broadcast_to(where, x.shape) != 0)
        self.equal(
            reap.count(x, comparison, value, axis, where=where, keepdims=True),
            selected.sum(axis, keepdims=True),
        )

    @seed(SEED)
    @given(arrays(), st.tuples(*2 * [st.floats() | st.integers(-(2**70), 2**70)]))
    def test_between(self, x, between):
        a, b = between
        expected = sum(a <= exact(v) <= b for v in x.ravel())
        self.equal(reap.count(x, between=between), expected)

    def test_integers_of_more_than_64_bits(self):
        floats = numpy.array([2.0**64, 2.0**65, -(2.0**65), math.inf, -math.inf, math.nan])
        limits = numpy.array([0, 2**64 - 1], "u8")
        for value in (2**64, 2**64 + 1, 2**65 - 1, 2**65, -(2**65) + 1, -(10**400), 10**400):
            for x in (floats, limits, floats.astype("f4")):
                for comparison, holds in OPERATORS.items():
                    expected = sum(holds(exact(v), value) for v in x)
                    self.equal(reap.count(x, comparison, value), expected)
                expected = sum(value <= exact(v) <= 2**65 + 1 for v in x)
                self.equal(reap.count(x, between=(value, 2**65 + 1)), expected)

    @seed(SEED)
    @given(arrays_and_axes(minimum_side=1))
    def test_minmax(self, given):
        x, axis = given
        smallest, largest = reap.minmax(x, axis)
        self.assertEqual(smallest.dtype, x.dtype)
        self.equal(smallest, numpy.min(x, axis))
        self.equal(largest, numpy.max(x, axis))

    @seed(SEED)
    @given(masked(minimum_side=1))
    def test_masks(self, given):
        x, axis, where = given
        selected = numpy.broadcast_to(where, x.shape) != 0
        rows, masks = slices(x, axis), slices(selected, axis)
        totals = [reap.sum(numpy.where(mask, row, 0).astype(x.dtype)) for row, mask in zip(rows, masks)]
        self.equal(numpy.ravel(reap.sum(x, axis, where=where)), numpy.array(totals))
        if not masks.any(axis=1).all():
            self.assertRaises(ValueError, reap.min, x, axis, where=where)
            return
        for name in ("min", "max"):
            expected = [getattr(numpy, name)(row[mask]) for row, mask in zip(rows, masks)]
            self.equal(numpy.ravel(getattr(reap, name)(x, axis, where=where)), expected)
        if not isinstance(axis, tuple):
            expected = [numpy.flatnonzero(m)[numpy.argmin(r[m])] for r, m in zip(rows, masks)]
            self.equal(numpy.ravel(reap.argmin(x, axis, where=where)), expected)

    @seed(SEED)
    @given(arrays(), st.data())
    def test_histogram(self, x, data):
        numbers = st.floats(allow_nan=False)
        if x.size:
            finite = [float(v) for v in x.ravel()[:20] if not numpy.isnan(v)]
            numbers |= st.sampled_from(finite) if finite else numbers
        edges = sorted(data.draw(st.lists(numbers, min_size=2, max_size=9)))
        counts, given = reap.histogram(x, edges)
        expected = [
            sum(
                low <= v < high or (i == len(edges) - 2 and v == high)
                for v in map(exact, x.ravel())
            )
            for i, (low, high) in enumerate(zip(edges, edges[1:]))
        ]
        self.equal(given, edges)
        self.equal(counts, expected)

    @seed(SEED)
    @given(st.sampled_from(["f4", "f8", "i4", "u1"]), st.integers(1, 40), st.data())
    def test_even_bins(self, kind, bins, data):
        elements = st.integers(0, 100) if kind[0] != "f" else st.floats(-1e3, 1e3, width=32)
        x = data.draw(arrays_of.arrays(kind, st.integers(0, 50), elements=elements))
        counts, edges = reap.histogram(x, bins)
        expected, expected_edges = numpy.histogram(x, bins)
        self.equal(edges, expected_edges)
        self.assertEqual(counts.sum(), x.size)
        self.equal(counts, numpy.histogram(x.astype("f8"), edges.astype("f8"))[0])

    @seed(SEED)
    @given(st.lists(st.integers(2**52, 2**64 - 1), min_size=2), st.integers(1, 9), st.booleans())
    def test_even_bins_of_large_integers(self, numbers, bins, is_signed):
        x = numpy.array([n // 2 for n in numbers] if is_signed else numbers, "i8" if is_signed else "u8")
        if is_signed:
            x[::2] *= -1
        # Bins without a size: NumPy refuses them, fails, or makes them, by its version.
        try:
            expected, expected_edges = numpy.histogram(x, bins)
            is_refused = (expected_edges[:-1] >= expected_edges[1:]).any()
        except (IndexError, ValueError):
            is_refused = True
        if is_refused:
            self.assertRaisesRegex(ValueError, "too many bins", reap.histogram, x, bins)
            return
        counts, edges = reap.histogram(x, bins)
        self.assertEqual(counts.sum(), x.size)
        numpy.testing.assert_array_max_ulp(edges, expected_edges, 1)
        self.equal(edges[1:-1], expected_edges[1:-1])

    def test_elements_beyond_the_rounded_extremes(self):
        x = numpy.array([2**53 + 3, 2**60 + 1])
        self.equal(reap.histogram(x, 2)[0], [1, 1])
        self.equal(reap.histogram(-x, 2)[0], [1, 1])
        self.assertRaisesRegex(ValueError, "too many bins", reap.histogram, x[1:], 2)
        self.assertRaisesRegex(ValueError, "too many bins", reap.histogram, x, 2, (2**60, 2**60 + 1))

    @seed(SEED)
    @given(st.data())
    def test_bincount(self, data):
        kind = data.draw(st.sampled_from(["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]))
        size = data.draw(st.integers(0, 60))
        most = 1 if kind == "?" else 100
        keys = data.draw(arrays_of.arrays(kind, size, elements=st.integers(0, most)))
        self.equal(reap.bincount(keys), numpy.bincount(keys.astype("i8")))
        self.equal(reap.bincount(keys, length=7), numpy.bincount(keys.astype("i8"), minlength=7)[:7])
        finite = st.floats(-(2.0**100), 2.0**100)
        weights = data.draw(arrays_of.arrays("f8", size, elements=finite))
        sums = reap.bincount(keys, weights, minlength=3)
        expected = [
            float(sum((Fraction(w) for k, w in zip(keys, weights) if k == b), Fraction(0)))
            for b in range(len(sums))
        ]
        self.equal(sums, expected)

    def test_wrong_keys(self):
        self.assertRaises(ValueError, reap.bincount, numpy.array([0, -1]))
        self.assertRaises(TypeError, reap.bincount, numpy.array([0.5]))
        self.equal(reap.bincount(numpy.array([0, -1, 9]), length=2), [1, 0])
        self.assertRaises(ValueError, reap.bincount, numpy.array([1]), minlength=-1)
        self.assertRaises(ValueError, reap.bincount, numpy.array([1]), length=-1)
        self.assertRaises(TypeError, reap.bincount, numpy.array([]))

    def test_no_keys(self):
        for keys in ([], numpy.zeros(0, "i4"), [[], []]):
            self.equal(reap.bincount(keys), numpy.zeros(0, int))
            self.equal(reap.bincount(keys, minlength=2), [0, 0])
            self.equal(reap.bincount(keys, length=2), [0, 0])

    @seed(SEED)
    @given(st.data())
    def test_covariance(self, data):
        size = data.draw(st.integers(0, 60))
        elements = st.floats(-1e6, 1e6, width=32)
        kinds = st.sampled_from(["f4", "f8"])
        x = data.draw(arrays_of.arrays(data.draw(kinds), size, elements=elements))
        y = data.draw(arrays_of.arrays(data.draw(kinds), size, elements=elements))
        if size < 2:
            self.assertTrue(numpy.isnan(reap.cov(x, y)))
            return
        a, b = [Fraction(exact(v)) for v in x], [Fraction(exact(v)) for v in y]
        left, right = sum(a) / size, sum(b) / size
        products = sum((p - left) * (q - right) for p, q in zip(a, b))
        scale = sum(abs((p - left) * (q - right)) for p, q in zip(a, b)) + Fraction(1, 10**9)
        units = max(map(abs, a)) * max(map(abs, b)) * size / 10**15
        error = abs(Fraction(float(reap.cov(x, y, ddof=0)) * size) - products)
        self.assertLessEqual(error, scale / 10**9 + units)
        again = reap.corr(x, y)
        self.assertTrue(numpy.isnan(again) or abs(again) <= 1)

    def near(self, ours, expected, scale):
        error = abs(Fraction(float(ours)) - expected)
        self.assertLessEqual(error, scale / 10**12 + Fraction(1, 10**9))

    @seed(SEED)
    @given(pairs())
    def test_covariance_along_axes(self, given):
        x, y, axis, where = given
        selected = numpy.broadcast_to(where, x.shape) != 0
        ours = reap.cov(x, y, axis, ddof=0, where=where)
        again = reap.corr(x, y, axis, where=where)
        self.assertEqual(numpy.shape(ours), numpy.shape(numpy.sum(x, axis)))
        self.assertEqual(numpy.shape(reap.cov(x, y, axis, keepdims=True)), _kept(x, axis))
        rows = zip(slices(x, axis), slices(y, axis), slices(selected, axis))
        for result, correlation, (a, b, m) in zip(numpy.ravel(ours), numpy.ravel(again), rows):
            self.equal(result, reap.cov(a, b, ddof=0, where=m))
            self.equal(correlation, reap.corr(a, b, where=m))
            a, b = a[m], b[m]
            if a.size == 0:
                self.assertTrue(numpy.isnan(result))
                continue
            left = [Fraction(exact(v)) for v in a]
            right = [Fraction(exact(v)) for v in b]
            products = sum(p * q for p, q in zip(left, right)) - sum(left) * sum(right) / a.size
            scale = sum((abs(p) for p in left), Fraction(1)) * sum((abs(q) for q in right), Fraction(1))
            self.near(result * a.size, products, scale)
            self.assertTrue(numpy.isnan(correlation) or abs(correlation) <= 1)

    @seed(SEED)
    @given(pairs())
    def test_moments_with_masks(self, given):
        x, _, axis, where = given
        selected = numpy.broadcast_to(where, x.shape) != 0
        ours = reap.moments(x, axis, where=where)
        self.equal(ours.count, numpy.sum(selected, axis))
        self.equal(reap.mean(x, axis, where=where), ours.mean)
        variances = numpy.ravel(reap.var(x, axis, ddof=1, where=where))
        rows = zip(*map(numpy.ravel, ours), variances, slices(x, axis), slices(selected, axis))
        for count, mean, squares, cubes, fourths, variance, row, m in rows:
            values = row[m]
            self.assertEqual(numpy.isnan(variance), count < 2)
            if values.size == 0:
                self.assertTrue(numpy.isnan(mean))
                continue
            scale = max(abs(Fraction(exact(v))) for v in values) + 1
            self.near(mean, sum(Fraction(exact(v)) for v in values) / values.size, scale)
            for power, sums in ((2, squares), (3, cubes), (4, fourths)):
                self.near(sums, central(values, power), values.size * scale**power)
            if count > 1:
                self.near(variance, central(values, 2) / (int(count) - 1), values.size * scale**2)

    @seed(SEED)
    @given(masked(), st.data())
    def test_products(self, given, data):
        x, axis, where = given
        y = x[::-1] if x.ndim else x
        kind = accumulator(x.dtype)
        ours = reap.vdot(x, y, axis, where=where)
        self.assertEqual(numpy.asarray(ours).dtype, kind)
        selected = numpy.broadcast_to(where, x.shape) != 0
        rows = zip(slices(x, axis), slices(y, axis), slices(selected, axis))
        expected = [
            shape_sum(numpy.where(m, a.astype(kind) * b.astype(kind), kind.type(0)))
            for a, b, m in rows
        ]
        self.equal(numpy.ravel(ours), numpy.array(expected, kind))

    @seed(SEED)
    @given(masked())
    def test_norms(self, given):
        x, axis, where = given
        selected = numpy.broadcast_to(where, x.shape) != 0
        rows, masks = slices(x, axis), slices(selected, axis)
        norms = numpy.ravel(reap.norm(x, 2, axis, where=where))
        sums = numpy.ravel(reap.norm(x, 1, axis, where=where))
        sums_exact = numpy.ravel(reap.sum(x, axis, exact=True, where=where))
        kind = accumulator(x.dtype)
        for norm, total, whole, row, m in zip(norms, sums, sums_exact, rows, masks):
            chosen = numpy.where(m, row, 0).astype(x.dtype)
            self.equal(norm, reap.norm(chosen))
            magnitudes = abs(chosen.astype(kind))
            self.equal(total, shape_sum(magnitudes.astype(sums.dtype)))
            values = [exact(v) for v in chosen]
            if x.dtype.kind == "f" and all(map(math.isfinite, values)) and numpy.isfinite(whole):
                self.assertTrue(is_nearest(whole, sum(map(Fraction, values), Fraction(0))))

    def test_arguments_of_pairs(self):
        x = numpy.ones((2, 3), "f4")
        self.assertRaises(ValueError, reap.cov, x, x[:1], 1)
        self.assertRaises(TypeError, reap.vdot, x, x.astype("f8"), 1)
        self.assertRaises(numpy.AxisError if hasattr(numpy, "AxisError") else ValueError,
                          reap.vdot, x, x, 2)  # fmt: skip
        self.assertRaises(TypeError, reap.mean, x, where=x)
        self.assertRaises(ValueError, reap.dot, x[0], x[0], where=numpy.ones(4, bool))
        self.assertEqual(reap.dot(x[0], x[0], where=x[0] > 2), 0)

    def test_infinities(self):
        """As NumPy has them, always NaN."""
        random = numpy.random.default_rng(SEED)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for i in range(40):
                x, y = random.standard_normal((2, 4, 50))
                x[:, i] = random.choice([math.inf, -math.inf])
                y[1] = abs(y[1])
                for a, b in ((x, y), (y, x), (x, x), (x, -x)):
                    for function in (reap.cov, reap.corr):
                        self.assertTrue(math.isnan(function(a, b)))
                        self.assertTrue(numpy.isnan(function(a, b, 1)).all())

    def test_correlation(self):
        x = numpy.arange(1000.0)
        self.assertEqual(reap.corr(x, 3 * x + 1e6), 1)
        self.assertEqual(reap.corr(x, -x), -1)
        self.assertTrue(math.isnan(reap.corr(x, numpy.ones(1000))))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertTrue(math.isnan(reap.corr(1e200 * x, numpy.ones(1000))))
        mask = x < 10
        self.assertEqual(reap.cov(x, x, where=mask), numpy.var(x[:10], ddof=1))



if __name__ == "__main__":
    unittest.main()
