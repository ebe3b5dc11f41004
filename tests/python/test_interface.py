# SPDX-License-Identifier: Apache-2.0
"""Arguments, errors, threads, memory, and the devices that results have the same bits on."""

import array
import concurrent.futures
import ctypes
import gc
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import numpy
import reap
from reference import SEED
from test_kernels import HAS_COMPILER

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

HERE = Path(__file__).resolve().parent


def python(script, *arguments, **environment):
    """What another process prints, in which no variable but these configures Reap."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REAP_")}
    process = subprocess.run(
        [sys.executable, script, *arguments],
        env=kept | environment | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))},
        capture_output=True,
        text=True,
    )
    if process.returncode:
        raise AssertionError(process.stderr)
    return process.stdout


def most_dimensions():
    """How many an array of NumPy has at most."""
    return 64 if int(numpy.__version__.split(".")[0]) >= 2 else 32


class Arguments(unittest.TestCase):
    def test_types_that_are_not_supported(self):
        records = numpy.zeros(2, [("a", "i4"), ("b", "f4")])
        for x in (
            numpy.array([1j]),
            numpy.array([None]),
            numpy.array(["text"]),
            numpy.array(["2020"], "M8[D]"),
            numpy.array([1], "m8[s]"),
            numpy.array([1], numpy.longdouble),
            numpy.array([1], ">i4" if sys.byteorder == "little" else "<i4"),
            numpy.array([1], ">f8" if sys.byteorder == "little" else "<f8"),
            records,
            numpy.ma.array([1.0, 2.0], mask=[0, 1]),
            "text",
            object(),
            [1, "a"],
            memoryview(b"abc").cast("c"),
        ):
            for function in (reap.sum, reap.argmax, reap.mean):
                with self.subTest(x=repr(x), function=function.__name__):
                    self.assertRaises(TypeError, function, x)
        self.assertRaisesRegex(TypeError, "byte order", reap.sum, numpy.array([1], ">i4"))
        self.assertRaisesRegex(TypeError, "'Zd'", reap.sum, numpy.array([1j]))
        self.assertRaisesRegex(TypeError, "masked", reap.sum, numpy.ma.array([1.0]))

    def test_masked_arrays(self):
        x, masked = numpy.ones(2), numpy.ma.array([1.0, 2.0], mask=[0, 1])
        keys, mask = masked.astype(int), masked.astype(bool)
        for function, arguments, options in (
            *((getattr(reap, name), (masked,), {}) for name in (
                "sum", "min", "max", "argmin", "argmax", "count_nonzero", "norm", "mean", "var",
                "std", "skew", "kurtosis", "moments", "minmax", "count", "cumsum", "cumprod", "cummin",
                "cummax", "histogram", "describe",
            )),
            *((getattr(reap, name), arguments, {})
              for name in ("dot", "vdot", "cov", "corr", "histogram")
              for arguments in ((masked, x), (x, masked))),
            *((getattr(reap, name), arguments, {})
              for name in ("segmented_sum", "segmented_min", "segmented_max")
              for arguments in ((masked, [0, 2]), (x, keys))),
            (reap.sum, (x,), {"where": mask}),
            (reap.mean, (x,), {"where": mask}),
            (reap.histogram, (x,), {"where": mask}),
            (reap.histogram, (x,), {"weights": masked}),
            (reap.bincount, (keys,), {}),
            (reap.bincount, ([0, 1],), {"weights": masked}),
            (reap.count, (x, ">", masked[1]), {}),
            (reap.count, (x,), {"between": (0, masked[1])}),
            (reap.cumsum, (x,), {"initial": masked[1]}),
            (reap.Part("sum", "float64").add, (masked,), {}),
        ):  # fmt: skip
            with self.subTest(function.__name__, arguments=arguments, options=options):
                self.assertRaisesRegex(TypeError, "masked", function, *arguments, **options)

    def test_one_byte_has_no_byte_order(self):
        self.assertEqual(reap.sum(numpy.array([1, 2], ">i1")), 3)

    def test_axes(self):
        x = numpy.ones((2, 3))
        error = getattr(numpy, "exceptions", numpy).AxisError
        for axis in (2, -3, (0, 5)):
            self.assertRaises(error, reap.sum, x, axis)
            self.assertRaises(error, reap.mean, x, axis)
        self.assertRaises(ValueError, reap.sum, x, (0, 0))
        self.assertRaises(ValueError, reap.sum, x, (0, -2))
        self.assertRaises(TypeError, reap.sum, x, 1.0)
        self.assertRaises(TypeError, reap.argmin, x, (0, 1))
        self.assertEqual(reap.sum(x, numpy.int8(1)).shape, (2,))

    def test_64_dimensions(self):
        if int(numpy.__version__.split(".")[0]) >= 2:
            x = numpy.arange(6.0).reshape((2, 3) + (1,) * 62)
            self.assertEqual(reap.sum(x, 0).shape, x.shape[1:])
            self.assertEqual(reap.mean(x), 2.5)

    def test_no_axis(self):
        """Each element is reduced alone."""
        for shape in ((4,), (2, 3), (3, 1, 2), (), (0,), (0, 1)):
            x = numpy.arange(math.prod(shape), dtype="f8").reshape(shape)
            for keepdims in (False, True):
                moments = reap.moments(x, (), keepdims=keepdims)
                self.assertEqual(moments.count, 1)
                for ours in (moments.mean, reap.sum(x, (), keepdims=keepdims)):
                    numpy.testing.assert_array_equal(ours, x, strict=True)
                numpy.testing.assert_array_equal(moments.squares, 0 * x, strict=True)
            numpy.testing.assert_array_equal(reap.var(x, ()), 0 * x)
            self.assertTrue(numpy.isnan(reap.skew(x, ())).all())
            numpy.testing.assert_array_equal(reap.vdot(x, x, ()), x * x)
            mask = x % 2 == 0
            numpy.testing.assert_array_equal(reap.sum(x, (), where=mask), x * mask)
            numpy.testing.assert_array_equal(reap.moments(x, (), where=mask).count, mask)
        x = numpy.ones((1,) * most_dimensions())
        self.assertEqual(reap.sum(x, ()).shape, x.shape)
        self.assertEqual(reap.mean(x, (), where=x > 0).shape, x.shape)

    def test_values(self):
        for name in ("min", "max", "argmin", "argmax"):
            self.assertRaisesRegex(ValueError, "no elements", getattr(reap, name), [])
            self.assertRaises(ValueError, getattr(reap, name), numpy.ones((3, 0)), 1)
            self.assertEqual(getattr(reap, name)(numpy.ones((3, 0)), 0).shape, (0,))
        self.assertRaises(ValueError, reap.norm, [1.0], 3)
        self.assertRaises(ValueError, reap.dot, numpy.ones((2, 2)), numpy.ones((2, 2)))
        self.assertRaises(ValueError, reap.dot, [[1, 2], [3, 4]], [[1, 2], [3, 4]])
        self.assertRaises(ValueError, reap.dot, 2.0, 3.0)
        self.assertRaises(ValueError, reap.dot, [1.0], [1.0, 2.0])
        self.assertRaises(TypeError, reap.dot, [1], [1.0])
        self.assertRaises(TypeError, reap.dot, array.array("i", [1]), [1.0])

    def test_extension_checks_its_arguments(self):
        x = numpy.ones(4)
        extension = reap._reap
        for arguments in ((), (0, x, 0, None), (0, x, -1, None, False), ("a", x, 0, None, False)):
            self.assertRaises((TypeError, OverflowError), extension.reduce, *arguments)
        self.assertRaises(ValueError, extension.reduce, 99, x, 0, None, False)
        self.assertRaises(ValueError, extension.result_format, 99, x, False)
        self.assertRaises(ValueError, extension.reduce, 0, x, 2, None, False)
        self.assertRaises(ValueError, extension.reduce, 0, x, 1, numpy.zeros(2), False)
        self.assertRaises(ValueError, extension.reduce, 0, x, 1, numpy.zeros((), "f4"), False)
        self.assertRaises(TypeError, extension.reduce, 0, x, 1, b"12345678", False)
        self.assertRaises(ValueError, extension.moments, x, 1, None, numpy.zeros(3), False)
        self.assertRaises(TypeError, extension.moments, x, 1, None, bytes(40), False)
        self.assertRaises(TypeError, extension.moments, x, 1, x, numpy.zeros(5), None, 0)
        self.assertRaises(ValueError, extension.moments, x, 1, x, numpy.zeros(5), False)
        self.assertRaises(ValueError, extension.comoments, x, x, 1, None, numpy.zeros(5), 0)
        self.assertRaises(ValueError, extension.comoments, x, x, 1, None, numpy.zeros(6, "f4"), 0)
        self.assertRaises(ValueError, extension.comoments, x, x, 2, None, numpy.zeros(6), 0)
        self.assertRaises(ValueError, extension.dot_along, x, x, 1, None, numpy.zeros((), "f4"), 0)
        self.assertRaises(TypeError, extension.dot_along, x, x, 1, None, b"12345678", 0)

    def test_ddof_of_numpy(self):
        x = numpy.array([[1.0, 2.0, 6.0], [1.0, 1.0, 1.0]])
        for ddof in (numpy.int64(1), numpy.float32(1), numpy.array(1), 1):
            self.assertIs(type(reap.var(x, ddof=ddof)), numpy.float64)
            self.assertIs(type(reap.std(x, ddof=ddof)), numpy.float64)
            self.assertEqual(reap.var(x[0], ddof=ddof), 7)
            self.assertEqual(reap.var(x, 1, ddof=ddof).tolist(), [7, 0])
            self.assertEqual(reap.var(x, 1, ddof=ddof, where=x > 0).tolist(), [7, 0])
            self.assertTrue(math.isnan(reap.var(x[0, :1], ddof=ddof)))

    def test_types_of_results(self):
        x = numpy.array([3, 1, 2], "int16")
        self.assertIs(type(reap.sum(x)), numpy.int64)
        self.assertIs(type(reap.min(x)), numpy.int16)
        self.assertIs(type(reap.argmin(x)), numpy.int64)
        self.assertIs(type(reap.norm(x)), numpy.float64)
        self.assertIs(type(reap.norm(x, math.inf)), numpy.uint64)
        self.assertIs(type(reap.mean(x)), numpy.float64)
        self.assertIs(type(reap.sum(x.astype("float16"))), numpy.float32)
        self.assertIs(type(reap.min(x.astype(bool))), numpy.bool_)
        self.assertIs(type(reap.sum([1.5, 2])), numpy.float64)
        self.assertIs(type(reap.sum(numpy.float32(2))), numpy.float32)
        self.assertIs(type(reap.sum(array.array("f", [1.5, 2]))), float)
        self.assertIs(type(reap.sum(b"abc")), int)
        self.assertIs(type(reap.sum(array.array("d", [1, 2]), 0)), numpy.float64)
        self.assertEqual(reap.argmax(array.array("H", [1, 3, 2])), 1)
        x, where = array.array("f", [1.5, 2]), numpy.ones(2, bool)
        for function, options, kind in (
            (reap.sum, {"where": where}, float), (reap.mean, {"where": where}, float),
            (reap.count, {}, int), (reap.count, {"where": [True, False]}, int),
        ):  # fmt: skip
            self.assertIs(type(function(x, **options)), kind)
            self.assertEqual(function(x, **options), function(numpy.array(x), **options))
        self.assertIs(type(reap.minmax(x)[1]), float)
        self.assertIs(type(reap.cov(x, [1.0, 3.0])), float)
        self.assertEqual(reap.cov(x, [1.0, 3.0]), 0.5)
        self.assertIs(type(reap.corr(numpy.array(x), x)), numpy.float64)
        self.assertIs(type(reap.count(x, keepdims=True)), numpy.ndarray)
        self.assertEqual(reap.max(memoryview(b"\0\1").cast("?")), True)
        self.assertEqual(reap.dot(array.array("q", [1, 2]), array.array("q", [3, 4])), 11)

    def test_arrays_of_ctypes(self):
        x = (ctypes.c_int * 3 * 2)((1, 2, 3), (4, 5, 6))
        self.assertEqual(reap.sum(x), 21)
        self.assertEqual(reap.sum((ctypes.c_double * 3)(1, 2, 3.5)), 6.5)
        self.assertEqual(reap.max(x, 1).tolist(), [3, 6])
        self.assertEqual(reap.mean((ctypes.c_int * 0)(), 0).shape, ())
        self.assertEqual(reap.count_nonzero(ctypes.c_int16(5)), 1)
        self.assertRaises(TypeError, reap.sum, (ctypes.c_int.__ctype_be__ * 3)(1, 2, 3))

    def test_bytes(self):
        for x in (b"\1\2\0\5", bytearray(b"\1\2\0\5")):
            self.assertEqual(reap.sum(x, 0), 8)
            self.assertEqual(reap.sum(x, exact=True, keepdims=True).tolist(), [8])
            self.assertEqual(reap.mean(x, 0), 2)
            self.assertEqual(reap.count(x, ">", 1), 2)
            self.assertEqual(reap.minmax(x), (0, 5))
            self.assertEqual(reap.sum(x, where=b"\1\0\1\1"), 6)
            self.assertEqual(reap.bincount(x).tolist(), [1, 1, 1, 0, 0, 1])
            self.assertEqual(reap.cumsum(x).tolist(), [1, 3, 3, 8])
            self.assertEqual(reap.segmented_sum(x, b"\0\2\4").tolist(), [3, 5])
            self.assertEqual(reap.histogram(x, b"\0\3\5")[0].tolist(), [3, 1])
            self.assertEqual(reap.describe(x)["maximum_at"], (3,))
            self.assertEqual(reap.vdot(x, x), 30)
            self.assertEqual(reap.Part("sum", "uint8").add(x).result(), 8)
        self.assertEqual(reap.sum(b"", 0), 0)
        self.assertEqual(reap.cumsum(b"").tolist(), [])

    def test_moments_are_a_tuple(self):
        moments = reap.moments([1.0, 2.0, 6.0])
        self.assertEqual(moments[:3], (3, 3.0, 14.0))
        self.assertEqual(pickle.loads(pickle.dumps(moments)), moments)

    @unittest.skipUnless(ml_dtypes, "no ml_dtypes here")
    def test_bfloat16(self):
        x = numpy.array([[1.5, -2, 3], [0.25, 7, -9]], ml_dtypes.bfloat16)
        wide = x.astype("float32")
        self.assertEqual(reap.sum(x), wide.sum())
        self.assertIs(type(reap.sum(x)), numpy.float32)
        self.assertEqual(reap.max(x, 0).dtype, x.dtype)
        self.assertEqual(reap.max(x, 0).tolist(), x.max(0).tolist())
        self.assertIs(type(reap.min(x)), ml_dtypes.bfloat16)
        self.assertEqual(reap.argmin(x.T), wide.T.argmin())
        self.assertEqual(reap.mean(x), wide.mean())
        self.assertEqual(reap.vdot(x, x), (wide * wide).sum())
        for edges in (wide[0, [1, 0, 2]], numpy.array([-9, 0.25, 7], "f4")):
            counts, found = reap.histogram(x, edges.astype(x.dtype))
            self.assertEqual(counts.tolist(), numpy.histogram(wide, edges)[0].tolist())
            self.assertEqual(found.tolist(), edges.tolist())

    def test_version_and_devices(self):
        self.assertRegex(reap.__version__, r"^\d+\.\d+\.\d+$")
        self.assertIn("host", reap.devices())
        missing = [name for name in reap.__all__ if not getattr(reap, name).__doc__]
        self.assertEqual(missing, [])


class Failures(unittest.TestCase):
    def test_no_such_device(self):
        script = HERE / "no_device.py"
        self.assertEqual(python(script, REAP_DEVICE="cuda:99"), "REAP_ERROR_NO_DEVICE\n")

    def test_message_that_is_not_text(self):
        script = "import reap\ntry: reap.sum(b'a')\nexcept reap.Error as error: print(error.status)"
        self.assertEqual(python("-c", script, REAP_DEVICE="\udcff"), "REAP_ERROR_NO_DEVICE\n")

    def test_little_memory(self):
        self.assertEqual(python(HERE / "little_memory.py"), "2 4000000\n")

    def test_without_numpy(self):
        self.assertEqual(python(HERE / "without_numpy.py"), "6.5 1.5 3 2.0\n")


class Memory(unittest.TestCase):
    def test_references(self):
        x = numpy.ones((3, 4))
        unaligned = numpy.zeros(3, [("a", "i1"), ("b", "f8")])["b"]
        wrong = numpy.ones(3, "complex")
        calls = [
            lambda: reap.sum(x),
            lambda: reap.sum(x, 0),
            lambda: reap.argmin(x, 1, keepdims=True),
            lambda: reap.sum(unaligned),
            lambda: reap.moments(x, 1),
            lambda: reap.vdot(x, x),
            lambda: self.assertRaises(TypeError, reap.sum, wrong),
            lambda: self.assertRaises(ValueError, reap.min, x[:0]),
            lambda: self.assertRaises(ValueError, reap.vdot, x, x[:1]),
            lambda: self.assertRaises(TypeError, reap._reap.reduce, 0, x, 1, b"", False),
            reap.devices,
        ]
        objects = (x, unaligned, wrong)
        for call in calls:
            for _ in range(100):
                call()
            gc.collect()
            before, blocks = [sys.getrefcount(o) for o in objects], sys.getallocatedblocks()
            for _ in range(1000):
                call()
            gc.collect()
            self.assertEqual([sys.getrefcount(o) for o in objects], before)
            # Python's own caches grow by some; a call that kept an object would keep a thousand.
            self.assertLess(sys.getallocatedblocks() - blocks, 500)

    def test_buffers_are_given_back(self):
        octets = bytearray(range(100))
        self.assertEqual(reap.sum(octets), 4950)
        self.assertRaises(ValueError, reap.dot, octets, octets[:1])
        octets.append(1)  # BufferError while its memory is in use
        self.assertEqual(reap.sum(octets), 4951)

    def test_arrays_are_not_changed(self):
        x = numpy.random.default_rng(SEED).standard_normal((40, 50))[:, ::-2]
        copy = x.copy()
        reap.sum(x, 0), reap.sum(x, exact=True), reap.moments(x), reap.norm(x), reap.dot(x[0], x[1])
        self.assertEqual(x.tobytes(), copy.tobytes())


class Threads(unittest.TestCase):
    def test_many_threads(self):
        x = numpy.random.default_rng(SEED).standard_normal((200, 500))
        calls = [
            lambda: reap.sum(x).tobytes(),
            lambda: reap.sum(x, 0).tobytes(),
            lambda: reap.argmax(x).tobytes(),
            lambda: reap.sum(x.T, exact=True).tobytes(),
            lambda: reap.mean(x).tobytes(),
        ]
        expected = [call() for call in calls]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            results = list(pool.map(lambda i: calls[i % 5](), range(600)))
        self.assertEqual(results, expected * 120)

    def order_of_a_call(self, x):
        """What runs when, if a thread runs only once another one lets go of the lock."""
        order, go = [], threading.Event()
        thread = threading.Thread(target=lambda: go.wait() and order.append("other"))
        thread.start()
        switch = sys.getswitchinterval()
        sys.setswitchinterval(100)
        try:
            go.set()
            order.append("before")
            reap.sum(x)
            order.append("after")
        finally:
            sys.setswitchinterval(switch)
        thread.join()
        return order

    def test_other_threads_run_during_a_call(self):
        x = numpy.ones(1 << 21)
        during = ["before", "other", "after"]
        self.assertTrue(any(self.order_of_a_call(x) == during for _ in range(100)))

    def test_forked_child(self):
        x = numpy.arange(100_000.0)
        expected = reap.sum(x)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(reap.sum, [x, x, x]), [expected] * 3)


class Interrupts(unittest.TestCase):
    """Ctrl-C during a call."""

    expected = "interrupted: another signal\n10.0\nkept: True\n"

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_array_is_released(self):
        output = python(HERE / "interrupted.py", "9.2", "wait")
        self.assertEqual(output, self.expected + "kept afterwards: False\n")

    @unittest.skipUnless(HAS_COMPILER, "no C compiler here")
    def test_process_ends_while_a_kernel_runs(self):
        output = python(HERE / "interrupted.py", "15")
        self.assertEqual(output, self.expected)

    def test_other_threads_run_meanwhile(self):
        x = numpy.broadcast_to(numpy.ones(1 << 20), (40, 1 << 20))
        ticks, stop = [], threading.Event()

        def tick():
            while not stop.wait(0.001):
                ticks.append(1)

        thread = threading.Thread(target=tick)
        thread.start()
        self.assertEqual(reap.sum(x), x.size)
        before = len(ticks)
        stop.set()
        thread.join()
        self.assertGreater(before, 5)


class Devices(unittest.TestCase):
    def same(self, *arguments, **environment):
        script = HERE / "bits.py"
        host = python(script, *arguments, REAP_NUM_THREADS="1", REAP_BACKENDS="host")
        self.assertGreater(len(host.splitlines()), 3)
        self.assertEqual(python(script, *arguments, **environment), host)

    def test_number_of_threads(self):
        for count in ("2", "16"):
            self.same("all", REAP_NUM_THREADS=count, REAP_BACKENDS="host")

    @unittest.skipUnless("opencl:0" in reap.devices(), "no OpenCL device here")
    def test_opencl(self):
        self.same("few", REAP_DEVICE="opencl:0")


if __name__ == "__main__":
    unittest.main()
