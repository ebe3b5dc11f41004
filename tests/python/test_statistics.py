# SPDX-License-Identifier: Apache-2.0
"""Counts, masks, histograms, sums by key and covariance of arrays that Hypothesis thinks of, against
NumPy and exact fractions."""

import math
import unittest
import warnings
from fractions import Fraction

import numpy
import reap
from hypothesis import given, seed
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from reference import SEED
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


@st.composite
def masked(draw, minimum_side=0):
    x, axis = draw(arrays_and_axes(minimum_side))
    return x, axis, mask_of(draw, x)


class Random(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)
        warnings.simplefilter("ignore")

    def equal(self, ours, theirs):
        self.assertEqual(numpy.shape(ours), numpy.shape(theirs))
        self.assertTrue(numpy.array_equal(ours, theirs, equal_nan=True), (ours, theirs))

    @seed(SEED)
    @given(masked(), st.sampled_from(sorted(OPERATORS)), st.data())
    def test_count(self, given, comparison, data):
        x, axis, where = given
        numbers = st.integers(-(2**63), 2**64 - 1) | st.floats() | st.sampled_from([0, 1, -1, 0.5])
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
    @given(arrays(), st.tuples(st.floats(), st.floats()))
    def test_between(self, x, between):
        a, b = between
        expected = sum(a <= exact(v) <= b for v in x.ravel())
        self.equal(reap.count(x, between=between), expected)

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

    def test_correlation(self):
        x = numpy.arange(1000.0)
        self.assertEqual(reap.corr(x, 3 * x + 1e6), 1)
        self.assertEqual(reap.corr(x, -x), -1)
        self.assertTrue(math.isnan(reap.corr(x, numpy.ones(1000))))
        mask = x < 10
        self.assertEqual(reap.cov(x, x, where=mask), numpy.var(x[:10], ddof=1))



if __name__ == "__main__":
    unittest.main()
