# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries: in the program's memory, and on CUDA devices. Those of a card's driver
are tested on the emulated card, too; CuPy's and PyTorch's where they are installed."""

import gc
import itertools
import os
import subprocess
import sys
import types
import unittest
from unittest import mock

import numpy
import reap
from exporters import CPU, CUDA, ROCM, Card, DLPack, Interface
from reference import DTYPES, SEED, random_array
from test_kernels import HAS_COMPILER, TEXT

try:
    import cupy

    cupy.zeros(1)
except Exception:
    cupy = None
try:
    import torch
except ImportError:
    torch = None

HAS_CARD = "cuda:0" in reap.devices()
IS_FEW = os.environ.get("FOREIGN_TESTS") == "few"  # where each kernel takes seconds to compile


def bits(x):
    x = numpy.asarray(x)
    return x.dtype, x.shape, x.tobytes()


VIEWS = {
    "row-major": lambda x: x,
    "transposed": lambda x: x.transpose(2, 0, 1) if isinstance(x, numpy.ndarray) else x.permute(2, 0, 1),
    "every second": lambda x: x[:, 1::2, ::2],
    "no rows": lambda x: x[:0],
}


class InProgram(unittest.TestCase):
    """DLPack of the processor's memory."""

    def export(self, x, **given):
        return DLPack(x, x.ctypes.data, **given)

    def test_types_and_strides(self):
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            base = random_array(random, dtype, (4, 6, 8))
            for name, view in (*VIEWS.items(), ("reversed", lambda x: x[::-1, :, ::-3])):
                for version in (0, 1):
                    with self.subTest(dtype=dtype, view=name, version=version):
                        like = view(base)
                        x = self.export(like, version=version)
                        self.assertEqual(bits(reap.sum(x)), bits(reap.sum(like)))
                        for axis in (0, (1, 2), ()):
                            self.assertEqual(bits(reap.sum(x, axis)), bits(reap.sum(like, axis)))
                        self.assertEqual(bits(reap.mean(x, 1)), bits(reap.mean(like, 1)))
                        self.assertEqual(bits(reap.vdot(x, like)), bits(reap.vdot(like, like)))
                        self.assertEqual(x.deleted, x.exported)
                        self.assertEqual(set(x.streams), {None})

    def test_statistics(self):
        """They have NumPy's results."""
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            like = random_array(random, dtype, (4, 6, 8))[:, ::-1, 1::2]
            mask = random.integers(0, 2, like.shape).astype(bool)
            x, where = self.export(like), self.export(mask)
            for ours, expected in (
                (reap.count(x, "<", 3, 1, where=where), reap.count(like, "<", 3, 1, where=mask)),
                (reap.minmax(x, (0, 2))[1], reap.minmax(like, (0, 2))[1]),
                (reap.histogram(x, 5)[0], reap.histogram(like, 5)[0]),
                (reap.sum(x, where=where), reap.sum(like, where=mask)),
                (reap.norm(x, 1, 0, where=where), reap.norm(like, 1, 0, where=mask)),
                (reap.mean(x, 2, where=where), reap.mean(like, 2, where=mask)),
                (reap.cov(x, like, ()), reap.cov(like, like, ())),
                (reap.vdot(like, x, 1), reap.vdot(like, like, 1)),
                (reap.cumsum(x, 1), reap.cumsum(like, 1)),
                (reap.cummin(self.export(like.copy())), reap.cummin(like)),
            ):
                with self.subTest(dtype=dtype):
                    self.assertEqual(bits(ours), bits(expected))
            self.assertRaisesRegex(ValueError, "row-major order", reap.cumsum, x)
            gc.collect()
            self.assertEqual((x.deleted, where.deleted), (x.exported, where.exported))
        keys, edges = numpy.array([1, 0, 3], "u2"), numpy.array([0, 0.5, 2])
        places = numpy.array([0, 2, 3], "i8")
        counts, given = reap.histogram(keys, self.export(edges))
        self.assertEqual((counts.tolist(), given.tolist()), ([1, 1], edges.tolist()))
        self.assertEqual(reap.bincount(self.export(keys), self.export(edges)).tolist(), [0.5, 0, 0, 2])
        self.assertEqual(reap.segmented_sum(self.export(edges), self.export(places)).tolist(), [0.5, 2])

    def test_one_element(self):
        x = numpy.array(2.5, "f4")
        self.assertEqual(reap.sum(self.export(x)), 2.5)

    def test_deleter_after_errors(self):
        for like, given in (
            (numpy.ones(3, "c8"), {}),
            (numpy.ones(3, "f4"), {"bits": 12}),
            (numpy.ones(3, "f4"), {"device": (ROCM, 0)}),
            (numpy.ones((1,) * 32, "f4"), {"bits": 24}),
        ):
            for version in (0, 1):
                x = self.export(like, version=version, **given)
                self.assertRaisesRegex(TypeError, "DLPack's type", reap.sum, x)
                gc.collect()
                self.assertEqual((x.exported, x.deleted), (1, 1))
        x = self.export(numpy.ones(3))
        x.major = 2
        self.assertRaisesRegex(BufferError, "DLPack version 2", reap.sum, x)
        self.assertEqual((x.exported, x.deleted), (1, 1))
        x = self.export(numpy.ones(3))
        self.assertRaises(ValueError, reap.sum, x, (0, 0))
        self.assertEqual((x.exported, x.deleted), (1, 1))

    def test_array_lives_as_long_as_it_is_used(self):
        x = self.export(numpy.ones(3))
        kept = reap._foreign.import_array(x)
        other = kept.with_axis()
        del kept
        self.assertEqual((x.exported, x.deleted), (1, 0))
        self.assertEqual(other.shape, (3, 1))
        del other
        self.assertEqual(x.deleted, 1)

    def test_number_of_the_device(self):
        x = numpy.ones(3)
        for number in (-1, -(2**31), 2**31, 2**32, 2**64):
            array = Interface(x, x.ctypes.data)
            array.device = types.SimpleNamespace(id=number)
            self.assertRaisesRegex(ValueError, "CUDA device is not", reap.sum, array)
            if number < 0:
                array = DLPack(x, x.ctypes.data, (CUDA, number))
                self.assertRaisesRegex(ValueError, "CUDA device is not", reap.sum, array)
                self.assertEqual((array.exported, array.deleted), (1, 1))

    def test_unaligned(self):
        octets = numpy.zeros(40, numpy.uint8)
        x = DLPack(numpy.ones(3), octets.ctypes.data + 1)
        self.assertRaisesRegex(ValueError, "not aligned", reap.sum, x)
        self.assertEqual(x.deleted, 1)

    def test_capsules_that_are_none(self):
        self.assertRaises(ValueError, reap._reap.from_dlpack, 5, 0)
        x = self.export(numpy.ones(3))
        capsule = x.__dlpack__(max_version=(1, 0))
        array = reap._reap.from_dlpack(capsule, 0)
        self.assertRaises(ValueError, reap._reap.from_dlpack, capsule, 0)
        del array, capsule
        self.assertEqual(x.deleted, 1)

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_kernels(self):
        k = reap.compile(TEXT)
        x, y = numpy.arange(5, dtype="f4"), numpy.ones(5, "f4")
        k.saxpy(5, a=2, x=self.export(x), y=self.export(y))
        self.assertEqual(y.tolist(), [1, 3, 5, 7, 9])
        for error, words, given in (
            (ValueError, "'saxpy': .*'y': .* read-only", self.export(y, read_only=True)),
            (TypeError, "'saxpy': .* y\\): .* float64", self.export(y.astype("f8"))),
            (ValueError, "'saxpy': .*'y': .* row-major", self.export(y[::2])),
        ):
            with self.assertRaisesRegex(error, words):
                k.saxpy(2, a=2, x=x, y=given)

    def test_parts(self):
        x = numpy.arange(50, dtype="f4").reshape(5, 10)
        self.assertEqual(reap.Part("sum", "float32").add(self.export(x)).result(), x.sum())
        array = self.export(x.T)
        self.assertRaisesRegex(ValueError, "^the array is not in", reap.Part("sum", "float32").add, array)

    @unittest.skipUnless(torch, "no PyTorch here")
    def test_pytorch(self):
        x = torch.arange(24.0).reshape(4, 6)
        self.assertEqual(reap.sum(x.T, 0).tolist(), x.sum(1).tolist())
        narrow = x.to(torch.bfloat16)
        self.assertEqual(reap.sum(narrow), x.sum())
        self.assertEqual(reap.max(narrow), 23)


class OnCard(unittest.TestCase):
    """Arrays on a CUDA device; a subclass has libraries to export them."""

    def setUp(self):
        print(f"SEED={SEED}", flush=True)
        self.random = numpy.random.default_rng(SEED)

    def arrays(self, base, view):
        """(name, array on the card)"""
        raise NotImplementedError

    def to_numpy(self, x):
        return x

    def check_results(self, dtypes, views):
        for dtype in dtypes:
            base = random_array(self.random, dtype, (5, 6, 70))
            for view_name in views:
                like = VIEWS[view_name](base)
                for name, x in self.arrays(base, VIEWS[view_name]):
                    with self.subTest(dtype=dtype, view=view_name, array=name):
                        self.check(like, x)

    def check(self, like, x):
        self.assertEqual(reap.sum(x), reap.sum(like).item())
        self.assertEqual(bits(self.to_numpy(reap.sum(x, 0))), bits(reap.sum(like, 0)))
        if IS_FEW or not like.size:
            return
        self.assertEqual(reap.sum(x, exact=True), reap.sum(like, exact=True).item())
        self.assertEqual(reap.argmax(x), reap.argmax(like))
        self.assertEqual(reap.norm(x), reap.norm(like).item())
        self.assertEqual(reap.var(x), reap.var(like))
        self.assertEqual(reap.vdot(x, x), reap.vdot(like, like).item())
        for axis in (1, (0, 2), (0, 1, 2), ()):
            self.assertEqual(bits(self.to_numpy(reap.min(x, axis))), bits(reap.min(like, axis)))
            self.assertEqual(bits(reap.moments(x, axis).mean), bits(reap.mean(like, axis)))

    def same(self, ours, expected):
        """Numbers are Python's here, arrays of the library."""
        if isinstance(ours, (bool, int, float)):
            self.assertEqual(bits(type(expected)(ours)), bits(expected))
        else:
            self.assertEqual(bits(self.to_numpy(ours)), bits(expected))

    def on_card(self, *arrays):
        """Tuples of NumPy arrays and their copies there, in each way."""
        copies = [self.arrays(x, VIEWS["row-major"]) for x in arrays]
        for there in zip(*copies):
            yield [(x, copy) for x, (_, copy) in zip(arrays, there)]

    def check_statistics(self, dtype):
        base = random_array(self.random, dtype, (6, 5, 30))
        mask = self.random.integers(0, 2, (5, 30)).astype(bool)
        mask[0] = True
        for (like, x), (where, selected) in self.on_card(base, mask):
            self.same(reap.count(x, ">", 0), reap.count(like, ">", 0))
            self.same(reap.count(x, ">", 0, 1), reap.count(like, ">", 0, 1))
            self.same(reap.sum(x, where=selected), reap.sum(like, where=where))
            for ours, expected in zip(reap.histogram(x, 7), reap.histogram(like, 7)):
                self.same(ours, expected)
            if IS_FEW:
                return
            for axis in (None, 0, (1, 2), ()):
                for ours, expected in zip(reap.minmax(x, axis), reap.minmax(like, axis)):
                    self.same(ours, expected)
                self.same(
                    reap.sum(x, axis, where=selected, keepdims=True),
                    reap.sum(like, axis, where=where, keepdims=True),
                )
            self.same(reap.max(x, 1, where=where[:, :1]), reap.max(like, 1, where=where[:, :1]))
            self.assertEqual(bits(reap.sum(like, where=selected)), bits(reap.sum(like, where=where)))
            self.same(reap.cumsum(x), reap.cumsum(like))
            self.same(reap.cumsum(x, 1, exclusive=True), reap.cumsum(like, 1, exclusive=True))
            self.same(reap.cummax(x, 0), reap.cummax(like, 0))
            self.same(reap.cov(x, x), reap.cov(like, like))
            self.assertEqual(bits(reap.cov(x, like, 1)), bits(reap.cov(like, like, 1)))
            for axis in (None, 1):
                for name in ("norm", "mean", "skew"):
                    ours = getattr(reap, name)(x, axis=axis, where=selected)
                    expected = getattr(reap, name)(like, axis=axis, where=where)
                    if axis is None or name == "norm":
                        self.same(ours, expected)
                    else:
                        self.assertEqual(bits(ours), bits(expected))
                self.same(
                    reap.vdot(x, x, axis, where=selected), reap.vdot(like, like, axis, where=where)
                )
            self.same(reap.corr(x, x, where=selected), reap.corr(like, like, where=where))

    def check_keys(self):
        keys = self.random.integers(0, 9, 500).astype("i4")
        weights = random_array(self.random, "f4", 500)
        offsets = numpy.array([0, 10, 10, 500], "i4")
        edges = numpy.array([-3.0, 0, 0.5, 10])
        given = keys, weights, offsets, edges, offsets[3:]
        for (_, k), (_, w), (_, o), (_, e), (_, end) in self.on_card(*given):
            self.same(reap.bincount(k), reap.bincount(keys))
            self.same(reap.bincount(k, w), reap.bincount(keys, weights))
            self.same(reap.bincount(k, weights, length=4), reap.bincount(keys, weights, length=4))
            self.same(reap.segmented_sum(w, o), reap.segmented_sum(weights, offsets))
            self.same(reap.segmented_min(w, [0, 9]), reap.segmented_min(weights, [0, 9]))
            expected = reap.segmented_sum(weights, offsets)
            self.assertEqual(bits(reap.segmented_sum(weights, o)), bits(expected))
            self.same(reap.histogram(w, e)[0], reap.histogram(weights, edges)[0])
            self.same(reap.histogram(w, e)[1], edges)
            self.assertRaises(ValueError, reap.segmented_sum, w, [0, 501])
            self.assertEqual(tuple(reap.segmented_sum(w, end).shape), (0,))
            self.assertRaisesRegex(ValueError, "offset 500 is outside", reap.segmented_sum, e, end)
            self.assertRaises(TypeError, reap.bincount, w)
            self.assertRaisesRegex(TypeError, "float32: it must be of bool", reap.sum, k, where=w)
            if IS_FEW:
                return

    def check_kernels(self):
        k = reap.compile(TEXT)
        x, y = random_array(self.random, "f4", 1000), numpy.ones(1000, "f4")
        row_major = VIEWS["row-major"]
        for i, (_, there) in enumerate(self.arrays(x, row_major)):
            _, into = list(self.arrays(y, row_major))[i]
            k.saxpy(1000, a=2, x=there, y=into)
            self.assertEqual(reap.sum(into), reap.sum(y + numpy.float32(2) * x).item())
            part = reap.Part("sum", "float32").add(there)
            self.assertEqual(part.result(), reap.sum(x).item())


@unittest.skipUnless(HAS_CARD, "no CUDA device here")
class Driver(OnCard):
    """Through the card's driver alone."""

    @classmethod
    def setUpClass(cls):
        cls.card = Card()

    def arrays(self, base, view):
        return self.card.exporters(base, view)

    def test_results(self):
        self.check_results(["float32"] if IS_FEW else DTYPES, VIEWS)

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_kernels(self):
        self.check_kernels()

    def test_statistics(self):
        for dtype in ["float32"] if IS_FEW else DTYPES:
            self.check_statistics(dtype)

    def test_keys(self):
        self.check_keys()

    def test_flat(self):
        """Elements that do not follow each other, of a library that cannot copy them."""
        base = numpy.arange(24, dtype="f4").reshape(4, 6)
        for _, x in self.card.exporters(base, lambda x: x.T):
            self.assertRaisesRegex(ValueError, "row-major order", reap.cumsum, x)
        row = DLPack(base, self.card.copy(base), (CUDA, 0))
        self.card.read(row.address, base)
        self.assertEqual(bits(reap.cumsum(row)), bits(reap.cumsum(base)))
        mask = numpy.ones(5, bool)
        there = DLPack(mask, self.card.copy(mask), (CUDA, 0))
        self.assertRaisesRegex(ValueError, "broadcast", reap.count, row, where=there)
        self.assertRaisesRegex(ValueError, "broadcast", reap.count, row, where=mask)

    def test_reversed(self):
        base = random_array(self.random, "f4", (5, 6, 7))
        for _, x in self.card.exporters(base, lambda x: x[::-1, :, ::-2]):
            self.assertEqual(reap.sum(x), reap.sum(base[::-1, :, ::-2]).item())

    def test_order_on_the_stream(self):
        x = numpy.ones(1000, "f4")
        address = self.card.copy(x)
        for i in range(20):
            array = Interface(x, address, self.card.stream)
            x = numpy.full(1000, i, "f4")
            self.card.write(address, x, self.card.stream)
            self.assertEqual(reap.sum(array), 1000 * i)

    def streams(self):
        """Pairs of streams, of which None is the default one."""
        one, two = self.card.stream, self.card.make_stream()
        return (one, two), (two, one), (one, None), (None, one)

    def written(self, base, stream, kind):
        """(address, array) of a copy whose last write the stream has not yet run, perhaps."""
        zeros = numpy.zeros_like(base)
        address = self.card.copy(zeros, stream)
        self.card.read(address, zeros, stream)
        self.card.write(address, base, stream)
        if kind == "interface":
            return address, Interface(base, address, stream)
        array = DLPack(base, address, (CUDA, 0))
        array.__cuda_array_interface__ = {"stream": stream}
        return address, array

    def test_order_of_streams(self):
        """Arrays of one call, each with a stream of its own."""
        x = numpy.ones(1000, "f4")
        mask = x > 0
        for streams, kind, _ in itertools.product(self.streams(), ("interface", "DLPack"), range(3)):
            with self.subTest(streams=streams, kind=kind):
                (_, one), (_, two) = (self.written(x, stream, kind) for stream in streams)
                self.assertEqual(reap.vdot(one, two), 1000)
                (_, one), (_, two) = self.written(x, streams[0], kind), self.written(mask, streams[1], kind)
                self.assertEqual(reap.sum(one, where=two), 1000)

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_order_of_streams_of_kernels(self):
        k = reap.compile(TEXT)
        x, y = numpy.ones(1000, "f4"), numpy.full(1000, 3, "f4")
        for streams, kind in itertools.product(self.streams(), ("interface", "DLPack")):
            with self.subTest(streams=streams, kind=kind):
                (_, one), (address, two) = self.written(x, streams[0], kind), self.written(y, streams[1], kind)
                k.saxpy(1000, a=2, x=one, y=two)
                self.assertEqual(self.card.read(address, y, streams[1]).tolist(), [5] * 1000)

    def test_streams_and_deleters(self):
        x = numpy.ones(10, "f4")
        address = self.card.copy(x)
        self.card.read(address, x)
        for stream, asked in ((None, 1), (1, 1), (2, 1), (self.card.stream, self.card.stream)):
            array = DLPack(x, address, (CUDA, 0))
            array.__cuda_array_interface__ = {"stream": stream}
            self.assertEqual(reap.sum(array), 10.0)
            self.assertEqual(array.streams, [asked])
            self.assertEqual((array.exported, array.deleted), (1, 1))
            self.assertEqual(reap.sum(Interface(x, address, stream)), 10.0)

    def test_tensors(self):
        """Those of PyTorch, without DLPack: a module that has only what is asked of it."""
        x = random_array(self.random, "f4", (5, 6))
        address = self.card.copy(x)
        self.card.read(address, x)

        class Tensor:
            is_cuda, requires_grad, layout, dtype = True, False, "strided", "torch.float32"

            def __init__(self, view):
                self.view, self.shape = view, view.shape
                self.is_contiguous = lambda: view.flags.c_contiguous
                self.element_size = lambda: view.itemsize
                self.stride = lambda: tuple(s // view.itemsize for s in view.strides)
                self.data_ptr = lambda: address + view.ctypes.data - x.ctypes.data
                self.get_device, self.is_neg = lambda: 0, lambda: False

        raw = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda ordinal: self.card.stream)
        version = types.SimpleNamespace(cuda="13.0")
        stand_in = types.SimpleNamespace(Tensor=Tensor, strided="strided", version=version, _C=raw)
        with mock.patch.dict(sys.modules, torch=stand_in):
            for view in (x, x.T, x[1::2, ::3], x[:, :0], x[2]):
                self.assertEqual(reap.sum(Tensor(view)), reap.sum(view).item())
            for name, value in (("requires_grad", True), ("dtype", "torch.complex64"), ("layout", "coo")):
                other = Tensor(x)
                setattr(other, name, value)  # it has no other protocol here
                self.assertIsNone(reap._foreign.import_array(other))
            version.cuda = None  # PyTorch of another vendor's cards
            self.assertIsNone(reap._foreign.import_array(Tensor(x)))

    def test_errors(self):
        x = numpy.ones(10, "f4")
        address = self.card.copy(x)
        self.card.read(address, x)
        array = DLPack(x, address, (CUDA, 0), read_only=True)
        if HAS_COMPILER:
            k = reap.compile(TEXT)
            with self.assertRaisesRegex(ValueError, "read-only"):
                k.saxpy(10, a=1, x=x, y=array)
        with self.assertRaisesRegex(ValueError, "different devices, cuda:0 and cuda:99"):
            reap.vdot(array, DLPack(x, address, (CUDA, 99)))
        with self.assertRaisesRegex(reap.Error, "cuda:99") as context:
            reap.sum(DLPack(x, address, (CUDA, 99)))
        self.assertEqual(context.exception.status, "REAP_ERROR_NO_DEVICE")
        self.assertRaisesRegex(ValueError, "memory", reap.sum, DLPack(x, x.ctypes.data, (CUDA, 0)))
        self.assertRaisesRegex(TypeError, "different types", reap.vdot, array, x.astype("f8"))
        self.assertRaises(TypeError, reap.sum, Interface(numpy.ones(3, "c8"), address))
        self.assertRaisesRegex(TypeError, "byte order", reap.sum, Interface(numpy.ones(3, ">f4"), address))
        for name in ("<f8x", "<f8 ", "<f 8", "<f", "<f9", "<f16", "<", ""):
            other = Interface(x, address)
            other.__cuda_array_interface__["typestr"] = name
            self.assertRaisesRegex(TypeError, "elements of the type", reap.sum, other)
        masked = Interface(x, address)
        masked.__cuda_array_interface__["mask"] = masked
        self.assertRaisesRegex(TypeError, "masked", reap.sum, masked)
        self.assertEqual(reap.vdot(array, x), 10.0)  # the processor's array is copied there


@unittest.skipUnless(HAS_CARD and cupy, "no CUDA device, or no CuPy, here")
class CuPy(OnCard):
    def arrays(self, base, view):
        yield "CuPy", view(cupy.asarray(base)) if view is not VIEWS["transposed"] else (
            cupy.asarray(base).transpose(2, 0, 1))  # fmt: skip
        with cupy.cuda.Stream(non_blocking=True):
            yield "CuPy on a stream", cupy.asarray(base).transpose(2, 0, 1) if (
                view is VIEWS["transposed"]) else view(cupy.asarray(base))  # fmt: skip

    def to_numpy(self, x):
        self.assertIsInstance(x, cupy.ndarray)
        return cupy.asnumpy(x)

    def test_results(self):
        self.check_results(DTYPES, VIEWS)

    def test_statistics(self):
        for dtype in DTYPES:
            self.check_statistics(dtype)

    def test_keys(self):
        self.check_keys()

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_kernels(self):
        self.check_kernels()


@unittest.skipUnless(HAS_CARD and torch and torch.cuda.is_available(), "no PyTorch with CUDA here")
class PyTorch(OnCard):
    def arrays(self, base, view):
        yield "PyTorch", view(torch.from_numpy(base).cuda())
        with torch.cuda.stream(torch.cuda.Stream()):
            yield "PyTorch on a stream", view(torch.from_numpy(base).cuda())

    def to_numpy(self, x):
        self.assertIsInstance(x, torch.Tensor)
        return x.cpu().numpy()

    def test_results(self):
        names = "uint8 int8 int16 int32 int64 float16 float32 float64".split()
        self.check_results(names, VIEWS)

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_kernels(self):
        self.check_kernels()

    def test_bfloat16(self):
        x = torch.arange(256.0).cuda().to(torch.bfloat16).reshape(2, 128)
        self.assertEqual(reap.sum(x), 32640.0)
        self.assertEqual(reap.max(x, 1).dtype, torch.bfloat16)
        self.assertEqual(reap.max(x, 1).tolist(), [127.0, 255.0])


if __name__ == "__main__":
    unittest.main()
