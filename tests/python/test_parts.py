# SPDX-License-Identifier: Apache-2.0
"""Parts of reductions: cut anywhere, merged in any order, pickled, in several processes."""

import copy
import functools
import math
import multiprocessing
import operator
import pickle
import threading
import unittest
from unittest import mock

import numpy
import reap
from reference import DTYPES, FLOATS, SEED, random_array
from test_kernels import HAS_COMPILER

KINDS = ("sum", "exact_sum", "min", "max", "moments")

KERNEL = """#include <reap/kernel.h>
REAP_KERNEL(find, in(float, x), reduce(plus, double, sum), reduce_location(maximum, float, most),
            reduce_span(plus, uint32_t, signs))
{
    const float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(most, v);
    reap_combine_at(signs, v < 0, 1);
}

REAP_KERNEL(span, in(int, x), reduce_span(maximum, reap_bfloat16, most))
{
    reap_combine_at(most, 1, reap_bfloat16_from_float((float)x[reap_global_id(0)]));
}
"""


def part_of(arguments):
    what, x, first = arguments
    return reap.Part(what, x.dtype).add(x, first)


def pieces(random, x):
    """(first, slice) of an array cut at random places."""
    cuts = sorted(random.integers(0, x.size + 1, 5))
    return [(a, x[a:b]) for a, b in zip([0, *cuts], [*cuts, x.size])]


def whole(what, x):
    if what == "exact_sum":
        return reap.sum(x, exact=True)
    return getattr(reap, what)(x)


class Parts(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)
        self.random = numpy.random.default_rng(SEED)

    def same(self, what, ours, theirs):
        if what == "moments":
            self.assertEqual(ours.count, theirs.count)
            numpy.testing.assert_allclose(ours.mean, theirs.mean, rtol=1e-12, atol=1e-12)
            numpy.testing.assert_allclose(ours[2:], theirs[2:], rtol=1e-9)
        else:
            self.assertEqual(numpy.asarray(ours).dtype, numpy.asarray(theirs).dtype)
            self.assertEqual(numpy.asarray(ours).tobytes(), numpy.asarray(theirs).tobytes())

    def test_chunks(self):
        for dtype in DTYPES:
            x = random_array(self.random, dtype, 20_000)
            for what in KINDS:
                if dtype == "float16" and what == "moments":
                    x = x[:9000]
                with self.subTest(dtype=dtype, what=what):
                    part = reap.Part(what, dtype)
                    for _, piece in pieces(self.random, x):
                        part.add(piece)
                    self.assertEqual(part.ranges, [(0, x.size)])
                    self.same(what, part.result(), whole(what, x))

    def test_same_bits_in_any_order(self):
        x = random_array(self.random, "float32", 50_000)
        for what in KINDS:
            expected = reap.Part(what, "float32").add(x).result()
            for _ in range(5):
                parts = [part_of((what, piece, first)) for first, piece in pieces(self.random, x)]
                self.random.shuffle(parts)
                merged = functools.reduce(operator.add, parts)
                self.assertEqual(merged.count, x.size)
                result = merged.result()
                self.assertEqual(numpy.array(result).tobytes(), numpy.array(expected).tobytes())

    def test_add_takes_any_array(self):
        x = random_array(self.random, "float64", (30, 40))
        part = reap.Part("sum", "float64").add(x.T).add(memoryview(x)).add(x[::2, ::-3])
        every = numpy.concatenate([x.T.ravel(), x.ravel(), x[::2, ::-3].ravel()])
        self.assertEqual(part.result(), reap.sum(every))
        self.assertEqual(part.add([]).count, every.size)
        octets = numpy.zeros(x.nbytes + 1, numpy.uint8)
        unaligned = octets[1:].view(x.dtype)
        unaligned[:] = x.ravel()
        same = reap.Part("sum", "float64").add(x)
        self.assertEqual(reap.Part("sum", "float64").add(unaligned).result(), same.result())

    def test_pickle_and_copy(self):
        for dtype in DTYPES:
            x = random_array(self.random, dtype, 5000)
            for what in KINDS:
                part = reap.Part(what, dtype).add(x[100:4000], first=100)
                for other in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part), part.copy()):
                    self.assertEqual(other.ranges, [(100, 4000)])
                    self.assertRaisesRegex(ValueError, "0 to 99 are missing", other.result)
                    other.add(x[:100], first=0).add(x[4000:])
                    self.same(what, other.result(), reap.Part(what, dtype).add(x).result())
                self.assertEqual(part.ranges, [(100, 4000)])

    def test_processes(self):
        x = random_array(self.random, "float32", 100_000)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                for what in KINDS:
                    work = [(what, piece, first) for first, piece in pieces(self.random, x)]
                    merged = functools.reduce(reap.Part.merge, pool.map(part_of, work))
                    self.same(what, merged.result(), reap.Part(what, "float32").add(x).result())

    def test_exact_sum(self):
        for dtype in FLOATS:
            x = random_array(self.random, dtype, 3000).astype("f8") * (1 if dtype == "float16" else 1e9)
            x = x.astype(dtype)
            part = reap.Part("exact_sum", dtype).add(x[1000:], first=1000).add(x[:1000], first=0)
            kind = "f8" if dtype == "float64" else "f4"
            self.assertEqual(part.result(), numpy.dtype(kind).type(math.fsum(x.astype("f8"))))

    def test_moments_of_large_numbers(self):
        x = 1e9 + self.random.standard_normal(100_000)
        part = reap.Part("moments", "float64").add(x[:777]).add(x[777:])
        exact = numpy.array(x, numpy.longdouble)
        deviations = exact - exact.mean()
        found = part.result()
        self.assertAlmostEqual(found.var(), float((deviations**2).mean()), delta=1e-7)
        skew = (deviations**3).mean() / (deviations**2).mean() ** 1.5
        self.assertAlmostEqual(found.skew(), float(skew), delta=1e-6)

    def test_moments_that_overflow(self):
        """As reap.moments() has them, however the elements are cut."""
        for values in (
            (1, math.inf, 2), (-math.inf, 3), (math.inf, -math.inf), (math.inf, math.inf), (1, math.nan),
            (1e308, -1e308), (1.7e308, 1.7e308, -1.7e308, -1.7e308), (-1.7e308, 1e308, 1.7e308),
            (2.0**700, -(2.0**700), 3 * 2.0**700), (1e160,), (1e160, 1e160), (1e110, -1e110, 2e110), (1e308,),
        ):  # fmt: skip
            x = numpy.array(values)
            expected = reap.moments(x)
            for cut in range(len(x) + 1):
                part = part_of(("moments", x[cut:], cut)) + part_of(("moments", x[:cut], 0))
                found = part.result()
                with self.subTest(values=values, cut=cut):
                    numpy.testing.assert_allclose(found.mean, expected.mean, 1e-15)
                    numpy.testing.assert_allclose(found.squares, expected.squares, 1e-14)
                    numpy.testing.assert_allclose(found.fourths, expected.fourths, 1e-13)
                    if found.squares == 0:
                        self.assertEqual((found.cubes, found.fourths), (0, 0))
        found = reap.Part("moments", "float64").add([1.7e308] * 1000).result()
        self.assertEqual(found[1:], (1.7e308, 0, 0, 0))

    def test_nothing_and_nan(self):
        self.assertEqual(reap.Part("sum", "int8").result(), 0)
        self.assertRaisesRegex(ValueError, "no elements", reap.Part("min", "int8").result)
        empty = reap.Part("moments", "float32").result()
        self.assertEqual((empty.count, empty.squares), (0, 0))
        self.assertTrue(math.isnan(empty.mean))
        x = numpy.array([1, math.nan, 3], "f4")
        for what in KINDS:
            result = reap.Part(what, "float32").add(x).result()
            self.assertTrue(math.isnan(result.mean if what == "moments" else result), what)

    def test_zeros(self):
        for dtype in FLOATS:
            zeros = numpy.array([-0.0, -0.0, 0.0], dtype)
            for x in (zeros, zeros[:2], zeros[1:], zeros[2:], zeros[:0]):
                for what in ("sum", "exact_sum") if not x.size else KINDS[:4]:
                    for cut in {0, x.size}:
                        part = part_of((what, x[cut:], cut)) + part_of((what, x[:cut], 0))
                        with self.subTest(x=x, what=what):
                            self.same(what, part.result(), whole(what, x))
        self.assertEqual(str(reap.Part("exact_sum", "float32").result()), "0.0")

    def work(self, *functions):
        """Runs functions in a thread each."""
        errors = []

        def run(function):
            try:
                function()
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=run, args=(f,), daemon=True) for f in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertFalse(errors or any(thread.is_alive() for thread in threads), errors)

    def test_threads(self):
        x = random_array(self.random, "float32", 40_000)
        for what in ("exact_sum", "min"):
            part, length = reap.Part(what, "float32"), 100
            starts = range(0, x.size, length)

            def add(starts):
                for first in starts:
                    part.add(x[first : first + length], first)

            def merge(starts):
                for first in starts:
                    part.merge(part_of((what, x[first : first + length], first)))

            def ask():
                while part.count < x.size:
                    try:
                        pickle.loads(pickle.dumps(part)).copy().result()
                    except ValueError as error:
                        self.assertRegex(str(error), "missing|begins|no elements")

            self.work(
                lambda: add(starts[::4]), lambda: merge(starts[1::4]), lambda: add(starts[2::4]),
                lambda: merge(starts[3::4]), ask,
            )  # fmt: skip
            self.assertEqual(part.ranges, [(0, x.size)])
            self.same(what, part.result(), whole(what, x))

    def test_threads_that_merge_each_other(self):
        x = random_array(self.random, "float64", 1000)
        for _ in range(50):
            a, b = part_of(("sum", x[:400], 0)), part_of(("sum", x[400:], 400))
            refused = []

            def merge(into, part):
                try:
                    into.merge(part)
                except ValueError:  # the other thread was first
                    refused.append(into)

            self.work(*(functools.partial(merge, *pair) for pair in ((a, b), (b, a)) * 2))
            self.assertEqual(len(refused), 3)
            self.assertEqual({a.count, b.count} - {400, 600}, {1000})

    def test_errors(self):
        x = numpy.ones(10, "f4")
        part = reap.Part("sum", "float32").add(x)
        self.assertRaisesRegex(ValueError, "overlap|already", part.add, x, 5)
        self.assertRaisesRegex(TypeError, "of float64, and the part of float32", part.add, [1.0])
        swapped = x.astype(x.dtype.newbyteorder())
        for array in (swapped, memoryview(swapped)):
            self.assertRaisesRegex(TypeError, "byte order", part.add, array)
        self.assertRaises(TypeError, part.add, numpy.ones(1, "c8"))
        self.assertRaises(ValueError, part.merge, reap.Part("sum", "float32").add(x))
        self.assertRaises(ValueError, part.merge, reap.Part("sum", "float64").add(x.astype("f8"), 10))
        self.assertRaises(ValueError, part.merge, reap.Part("min", "float32"))
        self.assertRaises(ValueError, part.merge, part)
        self.assertRaisesRegex(TypeError, "reap.Part .* not int", part.merge, 3)
        for what in ("sum", "min", "max", "moments"):  # bool has the kernels of uint8
            octets = reap.Part(what, "bool"), reap.Part(what, "uint8").add(b"ab")
            for into, other in (octets, octets[::-1]):
                self.assertRaisesRegex(ValueError, "different reductions", into.merge, other)
        self.assertEqual((part.result(), part.ranges), (10, [(0, 10)]))
        self.assertRaisesRegex(ValueError, "not of 'mean'", reap.Part, "mean", "float32")
        self.assertRaisesRegex(TypeError, "'what' is .* not int", reap.Part, 3, "int32")
        self.assertRaisesRegex(TypeError, "not None", reap.Part, "sum", None)
        self.assertRaises(TypeError, reap.Part, "sum", "complex128")
        self.assertRaises(TypeError, operator.add, part, 1)
        octets = bytearray(reap._reap.write_part(part._parts["sum"]))
        octets[-3] ^= 1
        with self.assertRaises(ValueError):
            reap._reap.read_part(part._kernel, "sum", bytes(octets))

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_parts_of_kernels(self):
        k = reap.compile(KERNEL)
        x = random_array(self.random, "float32", 10_000)
        expected = k.find(x.size, x=x, signs=2)
        names = "sum", "most", "signs"
        parts = []
        for first, piece in pieces(self.random, x):
            given = {name: reap.Part(k.find, name, 2) for name in names}
            k.find(piece.size, x=piece if piece.size else x, first_item=first, **given)
            parts.append(pickle.loads(pickle.dumps(given)))
        merged = [functools.reduce(operator.add, (p[name] for p in parts)) for name in names]
        self.assertEqual(merged[0].result(), expected.sum)
        self.assertEqual(merged[1].result(), expected.most)
        self.assertEqual(merged[2].result().tolist(), expected.signs.tolist())
        self.assertRaises(TypeError, merged[0].add, x)

        empty = reap.Part(k.find, "signs", 3)
        self.assertEqual(empty.result().tolist(), [0, 0, 0])
        for read in (empty, pickle.loads(pickle.dumps(empty))):
            self.assertRaisesRegex(ValueError, "of 3 and 2 elements", read.merge, merged[2])
            self.assertRaisesRegex(ValueError, "of 2 and 3 elements", merged[2].merge, read)
        self.assertEqual((merged[2] + reap.Part(k.find, "signs", 2)).result().tolist(), expected.signs.tolist())
        self.assertRaisesRegex(ValueError, "different reductions", merged[0].merge, merged[1])
        self.assertEqual((merged[0] + reap.Part(k.find, "sum", 3)).result(), expected.sum)

        part = reap.Part(k.span, "most", 2)
        k.span(2, x=numpy.array([-3, 7], "i4"), most=part)
        self.assertEqual(part.result().tolist(), [-math.inf, 7])
        with mock.patch.dict("sys.modules", {"ml_dtypes": None}):
            self.assertEqual((part.result().dtype, part.result()[1]), (numpy.float32, 7))
        self.assertRaises(ValueError, reap.Part, k.span, "most", -1)
        with self.assertRaisesRegex(ValueError, r"'span': .* most\): .* number of elements"):
            k.span(2, x=numpy.zeros(2, "i4"), most=reap.Part(k.span, "most"))
        for first in (-1, 2**64):
            with self.assertRaisesRegex(ValueError, f"number {first}"):
                reap.Part("sum", "int8").add(numpy.zeros(1, "i1"), first)

        given = {name: reap.Part(k.find, name, 2) for name in names}

        def launch(starts):
            for first in starts:
                k.find(500, x=x[first : first + 500], first_item=first, **given)

        def merge(starts):
            for first in starts:
                found = {name: reap.Part(k.find, name, 2) for name in names}
                k.find(500, x=x[first : first + 500], first_item=first, **found)
                for name in reversed(names):
                    given[name].merge(found[name])

        starts = range(0, x.size, 500)
        self.work(
            lambda: launch(starts[::3]), lambda: launch(starts[1::3]), lambda: merge(starts[2::3])
        )
        self.assertEqual(given["most"].result(), expected.most)
        with self.assertRaisesRegex(TypeError, "another reduction"):
            k.find(1, x=x, sum=merged[1], most=merged[1], signs=merged[2])


if __name__ == "__main__":
    unittest.main()
