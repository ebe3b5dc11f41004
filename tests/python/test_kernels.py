# SPDX-License-Identifier: Apache-2.0
"""Kernels from Python: arguments, results, errors, and the compiler."""

import array
import copy
import ctypes
import math
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import numpy
import reap
from reference import SEED, shape_sum

try:
    subprocess.run(["cc", "--version"], stdout=subprocess.DEVNULL, check=True)
    HAS_COMPILER = True
except OSError:
    HAS_COMPILER = False

TEXT = """#include <reap/kernel.h>

typedef float real;
typedef struct point {
    float x, y;
} point;

enum colour { RED, GREEN };

REAP_OPERATOR_NO_IDENTITY(later, int, a, b)
{
    return b > a ? b : a;
}

REAP_KERNEL(saxpy, value(float, a), in(real, x), inout(float, y))
{
    const size_t i = reap_global_id(0);
    y[i] += a * x[i];
}

REAP_KERNEL(statistics, in(float, x), reduce(plus, double, sum), reduce(maximum, float, largest),
            reduce_location(minimum, float, smallest), reduce_span(plus, uint32_t, bins))
{
    const float v = x[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(largest, v);
    reap_combine(smallest, v);
    reap_combine_at(bins, v < 0 ? 0 : 1, 1);
}

REAP_KERNEL(sums_of_rows, in(double, x), reduce_rows(plus, double, rows))
{
    reap_combine(rows, x[reap_global_linear_id()]);
}

REAP_KERNEL(largest_of_columns, in(double, x), reduce_columns(maximum, double, columns))
{
    reap_combine(columns, x[reap_global_linear_id()]);
}

REAP_KERNEL(find_last, in(int, x), reduce_with(later, int, last))
{
    reap_combine(last, x[reap_global_id(0)]);
}

REAP_KERNEL(project, in(point, points), value(point, direction), out(float, result))
{
    const point p = points[reap_global_id(0)];
    result[reap_global_id(0)] = p.x * direction.x + p.y * direction.y;
}

REAP_KERNEL(scale, value(float, first_item), inout(float, x))
{
    x[reap_global_id(0)] *= first_item;
}

REAP_GROUP_KERNEL(reverse, in(float, x), local(float, row), out(float, y))
{
    reap_for_each_item { row[reap_local_id(0)] = x[reap_global_id(0)]; }
    reap_for_each_item { y[reap_global_id(0)] = row[reap_local_range(0) - 1 - reap_local_id(0)]; }
}

REAP_KERNEL(number, out(int64_t, ids))
{
    ids[reap_global_linear_id()] = (int64_t)(100 * reap_global_id(0) + reap_global_id(1));
}

REAP_KERNEL(copy_values, value(bool, a), value(int8_t, b), value(uint16_t, c), value(long, d),
            value(uint64_t, e), value(reap_half, f), value(reap_bfloat16, g), value(double, h),
            value(enum colour, i), out(double, values))
{
    values[0] = a, values[1] = b, values[2] = c, values[3] = (double)d, values[4] = (double)e;
    values[5] = reap_half_to_float(f), values[6] = reap_bfloat16_to_float(g), values[7] = h;
    values[8] = i;
}
"""


@unittest.skipUnless(HAS_COMPILER, "no C compiler here")
class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.k = reap.compile(TEXT)
        cls.x = numpy.random.default_rng(SEED).standard_normal(5000).astype("f4")

    def test_arrays_and_values(self):
        x, y = self.x, numpy.ones_like(self.x)
        self.assertIsNone(self.k.saxpy(x.size, a=2, x=x, y=y))
        self.assertEqual(y.tobytes(), (1 + numpy.float32(2) * x).tobytes())
        self.k.saxpy(10, a=numpy.float64(0.5), x=x.reshape(50, 100), y=y)
        buffers = array.array("f", [1, 2]), array.array("f", [3, 4])
        self.k.saxpy(2, a=1, x=buffers[0], y=buffers[1])
        self.assertEqual(buffers[1].tolist(), [4, 6])

    def test_ranges(self):
        ids = numpy.zeros((3, 7), "i8")
        self.k.number(ids.shape, ids=ids)
        self.assertEqual(ids.tolist(), [[100 * i + j for j in range(7)] for i in range(3)])
        x, y = self.x[:12], numpy.zeros(12, "f4")
        self.k.reverse(12, 4, x=x, row=4, y=y)
        self.assertEqual(y.tolist(), x.reshape(3, 4)[:, ::-1].ravel().tolist())
        self.k.number(0, ids=ids)

    def test_values_of_every_type(self):
        values = numpy.zeros(9)
        given = dict(a=True, b=-7, c=65535, d=-(2**40), e=2**63, f=1.5, g=3.1415926, h=0.1, i=1)
        self.k.copy_values(1, values=values, **given)
        self.assertEqual(values.tolist(), [*given.values()][:6] + [3.140625, 0.1, 1.0])
        for name, value in (("b", 128), ("c", -1), ("e", -1), ("f", 1e6), ("d", 2**63),
                            ("g", 3.4e38), ("h", 10**400)):  # fmt: skip
            with self.subTest(name):
                with self.assertRaisesRegex(OverflowError, rf"value\(.*, {name}\)"):
                    self.k.copy_values(1, values=values, **(given | {name: value}))
        for name, value in (("b", 1.5), ("h", "1"), ("h", 1j), ("i", None), ("f", [1])):
            with self.subTest(name), self.assertRaises(TypeError):
                self.k.copy_values(1, values=values, **(given | {name: value}))

    def test_floats_that_do_not_fit(self):
        x, y = self.x[:1], numpy.ones(1, "f4")
        for a in (1e39, -1e39, 10**400):
            self.assertRaisesRegex(OverflowError, "float32", self.k.saxpy, 1, a=a, x=x, y=y)
        self.assertEqual(y[0], 1)
        self.k.saxpy(1, a=-math.inf, x=abs(x), y=y)
        self.assertEqual(y[0], -math.inf)

    def test_structs(self):
        points = self.x[:100].reshape(50, 2)
        record = numpy.dtype([("x", "f4"), ("y", "f4")])
        result = numpy.zeros((2, 50), "f4")
        direction = numpy.array([2, -3], "f4")
        self.k.project(50, points=points, direction=direction, result=result[0])
        self.k.project(
            50, points=points.view(record), direction=direction.view(record)[0], result=result[1]
        )
        self.assertEqual(result[0].tolist(), (2 * points[:, 0] - 3 * points[:, 1]).tolist())
        self.assertEqual(result[1].tolist(), result[0].tolist())
        with self.assertRaisesRegex(TypeError, "8 bytes"):
            self.k.project(1, points=points.ravel(), direction=direction, result=result[0])
        with self.assertRaisesRegex(TypeError, "12 bytes, where the type has 8"):
            self.k.project(1, points=points, direction=bytes(12), result=result[0])
        other = numpy.dtype("f4").newbyteorder()
        for words, dtype in (
            ("byte order", [("x", other), ("y", "f4")]),
            ("byte order", [("both", [("x", "f4"), ("y", other)])]),
            ("byte order", [("both", other, 2)]),
            ("byte order", [("both", [("inner", other, (2, 1))])]),
            ("objects", [("x", "O")]),
            ("objects", [("both", [("x", "O", 1)])]),
        ):
            value = numpy.zeros(1, dtype)
            for given in (value, value[0], memoryview(value)):
                with self.subTest(dtype, given=type(given)):
                    with self.assertRaisesRegex(TypeError, rf"value\(.* direction\).*{words}"):
                        self.k.project(1, points=points, direction=given, result=result)
                    with self.assertRaisesRegex(TypeError, rf"in\(.* points\).*{words}"):
                        self.k.project(1, points=value, direction=direction, result=result)

    def test_masked_arrays(self):
        x, y = numpy.ma.array([1, 2], mask=[0, 1], dtype="f4"), numpy.zeros(2, "f4")
        record = numpy.ma.array([(1, 2)], mask=[(0, 1)], dtype=[("x", "f4"), ("y", "f4")])
        points = numpy.ones((2, 2), "f4")
        for call in (
            lambda: self.k.saxpy(2, a=1, x=x, y=y),
            lambda: self.k.saxpy(2, a=1, x=y, y=x),
            lambda: self.k.saxpy(2, a=x[1], x=y, y=y),
            lambda: self.k.saxpy(2, a=x[:1], x=y, y=y),
            lambda: self.k.statistics(2, x=y, bins=x.astype("u4")),
            lambda: self.k.statistics(2, x=y, bins=2, sum=numpy.ma.array([0.0])),
            lambda: self.k.project(1, points=record, direction=points[0], result=y),
            lambda: self.k.project(1, points=points, direction=record[0], result=y),
            lambda: self.k.project(1, points=points, direction=x, result=y),
        ):
            self.assertRaisesRegex(TypeError, r"\(.*\): masked arrays", call)

    def test_results(self):
        x = self.x
        found = self.k.statistics(x.size, x=x, bins=2)
        self.assertEqual(found.sum.tobytes(), shape_sum(x.astype("f8")).tobytes())
        self.assertEqual((found.largest, found.smallest), (x.max(), (x.min(), x.argmin())))
        self.assertEqual(found.bins.tolist(), [(x < 0).sum(), (x >= 0).sum()])
        self.assertIs(type(found.largest), numpy.float32)
        bins, sum, least = numpy.ones(2, "u4"), numpy.array(5.0), numpy.array(-99, "f4")
        where = numpy.array(7, "u8")
        largest = self.k.statistics(x.size, x=x, bins=bins, sum=sum, smallest=(least, where))
        self.assertEqual(largest, x.max())
        self.assertEqual(bins.tolist(), (found.bins + 1).tolist())
        self.assertEqual(sum, 5.0 + found.sum)
        self.assertEqual((least, where), (-99, 7))
        count = numpy.int64(2)
        self.assertEqual(self.k.statistics(x.size, x=x, bins=count).bins.tolist(), found.bins.tolist())
        of_buffer = self.k.statistics(3, x=array.array("f", [1, 2, 3.5]), bins=numpy.zeros(2, "u4"))
        self.assertIs(type(of_buffer.sum), numpy.float64)

    def test_rows_and_columns(self):
        x = numpy.random.default_rng(SEED).integers(-99, 99, (70, 130)).astype(float)
        rows = numpy.full(70, 1.0)
        self.k.sums_of_rows(x.shape, x=x, rows=rows)
        columns = self.k.largest_of_columns(x.shape, x=x, columns=130)
        numpy.testing.assert_array_equal(rows, x.sum(axis=1) + 1)
        numpy.testing.assert_array_equal(columns, x.max(axis=0))

    def test_results_without_numpy(self):
        bins = array.array("I", [0, 0])
        found = self.k.statistics(3, x=array.array("f", [1, 2, 3.5]), bins=bins)
        self.assertEqual(found, (6.5, 3.5, (1.0, 0)))
        self.assertIs(type(found.sum), float)
        self.assertEqual(bins.tolist(), [0, 3])

    def test_operator_without_identity(self):
        x, last = numpy.array([3, 9, 4], "i4"), numpy.array(-5, "i4")
        self.assertIsNone(self.k.find_last(3, x=x, last=last))
        self.assertEqual(last, 9)
        self.assertRaisesRegex(ValueError, "no identity", self.k.find_last, 3, x=x)

    def test_errors_before_anything_runs(self):
        x, y = self.x, numpy.ones_like(self.x)
        read_only = y.copy()
        read_only.flags.writeable = False
        k, n = self.k, x.size
        swapped = y.astype(y.dtype.newbyteorder())
        for error, words, call in (
            (TypeError, r"inout\(float, y\) is missing", lambda: k.saxpy(n, a=2, x=x)),
            (TypeError, "no parameter 'z'", lambda: k.saxpy(n, a=2, x=x, y=y, z=1)),
            (TypeError, r"float64: pass x.astype", lambda: k.saxpy(n, a=2, x=x.astype("f8"), y=y)),
            (TypeError, "byte order", lambda: k.saxpy(n, a=2, x=swapped, y=y)),
            (TypeError, "of int32", lambda: k.saxpy(n, a=2, x=array.array("i", [1]), y=y)),
            (TypeError, "not list", lambda: k.saxpy(n, a=2, x=[1.0], y=y)),
            (ValueError, "read-only", lambda: k.saxpy(n, a=2, x=x, y=read_only)),
            (ValueError, "read-only", lambda: k.saxpy(n, a=2, x=x, y=memoryview(bytes(8)).cast("f"))),
            (ValueError, "row-major", lambda: k.saxpy(n, a=2, x=x[::2], y=y)),
            (ValueError, "row-major", lambda: k.saxpy(n, a=2, x=x, y=y[::-1])),
            (ValueError, "'saxpy': .* 0 or more", lambda: k.saxpy(-1, a=2, x=x, y=y)),
            (ValueError, "'saxpy': .* 1, 2 or 3", lambda: k.saxpy((1, 1, 1, 1), a=2, x=x, y=y)),
            (ValueError, "'saxpy': .* 1, 2 or 3", lambda: k.saxpy((), a=2, x=x, y=y)),
            (TypeError, "'saxpy': .* integer", lambda: k.saxpy(1.5, a=2, x=x, y=y)),
            (OverflowError, "'saxpy': .* or less", lambda: k.saxpy(2**64, a=2, x=x, y=y)),
            (OverflowError, "'reverse': .* or less", lambda: k.reverse(8, 2**64, x=x, row=8, y=y)),
            (ValueError, "'saxpy': first_item", lambda: k.saxpy(1, a=2, x=x, y=y, first_item=-1)),
            (TypeError, "no work-groups", lambda: k.saxpy(n, 2, a=2, x=x, y=y)),
            (TypeError, "needs work-groups", lambda: k.reverse(8, x=x, row=8, y=y)),
            (ValueError, "multiple", lambda: k.reverse(9, 4, x=x, row=4, y=y)),
            (ValueError, "dimensions", lambda: k.reverse(8, (4, 1), x=x, row=4, y=y)),
            (TypeError, "number of elements", lambda: k.statistics(1, x=x)),
            (TypeError, "pair", lambda: k.statistics(1, x=x, bins=1, smallest=y)),
            (ValueError, "'statistics': .*'largest': .* 5000 elements",
             lambda: k.statistics(1, x=x, bins=1, largest=y)),
            (ValueError, "'statistics': .*'bins': .* 0 bytes",
             lambda: k.statistics(1, x=x, bins=numpy.zeros(0, "u4"))),
            *((ValueError, rf"'statistics': .* bins\): {count} elements",
               lambda count=count: k.statistics(1, x=x, bins=count)) for count in (0, -1, -(2**70))),
        ):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()
        self.assertTrue((y == 1).all())
        with self.assertRaisesRegex(AttributeError, "no kernel is called 'missing'; the text has"):
            k.missing

    def test_arrays_of_other_types(self):
        """Which are as large as those of the parameter."""
        y, result = numpy.ones(8, "f4"), numpy.zeros(8, "f4")
        swapped = y.astype(y.dtype.newbyteorder())
        records = numpy.zeros(8, [("a", swapped.dtype), ("O", "f4")])
        big_endian = (ctypes.c_float.__ctype_be__ if sys.byteorder == "little" else
                      ctypes.c_float.__ctype_le__)  # fmt: skip
        for words, x in (
            ("byte order", memoryview(swapped)),
            ("byte order", (big_endian * 8)()),
            ("of Zf, not float32", memoryview(numpy.zeros(8, "c8"))),
            ("of complex64, not float32", numpy.zeros(8, "c8")),
            ("objects", memoryview(numpy.zeros(8, "O"))),
            ("objects", numpy.zeros(8, "O")),
            ("of datetime64", numpy.zeros(8, "M8[s]")),
            ("not float32", numpy.zeros(8, "S4")),
        ):
            with self.subTest(words, x=x), self.assertRaisesRegex(TypeError, words):
                self.k.saxpy(1, a=1, x=x, y=y)
        point = numpy.ones(2, "f4")
        objects = numpy.zeros(8, "O"), numpy.zeros(8, [("a", "O")])
        for words, x in (
            *(("objects", x) for x in objects),
            *(("objects", memoryview(x)) for x in objects),
            ("byte order", records),
            ("byte order", memoryview(records)),
            ("byte order", memoryview(swapped.reshape(4, 2))),
        ):
            with self.subTest(words, x=x), self.assertRaisesRegex(TypeError, words):
                self.k.project(1, points=x, direction=point, result=result)
        self.k.saxpy(8, a=1, x=(ctypes.c_float * 8)(*range(8)), y=y)
        self.assertEqual(y.tolist(), [*range(1, 9)])
        members = numpy.zeros(8, [("O", "f4"), (">", "f4")])
        for x in (members, memoryview(members)):
            self.k.project(8, points=x, direction=point, result=result)

    def test_an_error_is_of_its_call_alone(self):
        x, y = numpy.array([-1, 1], "f4"), numpy.zeros(2, "f4")
        for n in range(1, 4):
            with self.assertRaisesRegex(reap.Error, "outside span 'bins'"):
                self.k.statistics(2, x=x, bins=1)
            self.k.saxpy(2, a=1, x=abs(x), y=y)
            self.assertEqual(y.tolist(), [n, n])
            self.assertEqual(reap.Part("sum", "float32").add(x).result(), 0)
            self.assertEqual(reap.sum(x), 0)

    def test_names(self):
        self.assertIn("saxpy", dir(self.k))
        self.assertIs(self.k["saxpy"], self.k.saxpy)
        self.assertEqual(len(list(self.k)), 10)
        text = "REAP_KERNEL(saxpy, value(float, a), in(real, x), inout(float, y))"
        self.assertEqual(repr(self.k.saxpy), text)
        self.assertTrue(self.k.saxpy.__doc__.startswith(text))
        self.assertIs(reap.compile(TEXT), self.k)

    def test_parameter_with_the_name_of_the_option(self):
        x = numpy.array([2, 3], "f4")
        self.assertIsNone(self.k.scale(2, x=x, first_item=5))
        self.assertEqual(x.tolist(), [10, 15])
        self.assertRaisesRegex(TypeError, "first_item.* is missing", self.k.scale, 2, x=x)

    def test_pickle(self):
        again = pickle.loads(pickle.dumps(self.k.find_last))
        self.assertIs(again, self.k.find_last)
        found = self.k.statistics(3, x=self.x, bins=numpy.zeros(2, "u4"))
        for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
            self.assertEqual((other, repr(other)), (found, repr(found)))
            self.assertEqual((type(other), other._fields), (type(found), found._fields))

    def test_threads(self):
        x, results = self.x, []

        def work():
            results.extend(self.k.statistics(x.size, x=x, bins=2).sum for _ in range(50))

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({r.tobytes() for r in results}, {shape_sum(x.astype("f8")).tobytes()})
        self.assertEqual(len(results), 300)


@unittest.skipUnless(HAS_COMPILER, "no C compiler here")
class Compiler(unittest.TestCase):
    def test_error(self):
        with self.assertRaises(reap.CompileError) as context:
            reap.compile("#include <reap/kernel.h>\nREAP_KERNEL(a, in(float, x))\n{\n    y = x;\n}\n")
        error = context.exception
        self.assertIsInstance(error, reap.Error)
        self.assertEqual(error.status, "REAP_ERROR_COMPILATION_FAILED")
        self.assertRegex(str(error), r"^the kernel file does not compile: kernels.h:4:5: error: ")
        self.assertIn("undeclared", error.log)

    def test_without_kernels(self):
        self.assertRaisesRegex(ValueError, "no kernel", reap.compile, "#include <reap/kernel.h>\n")

    def test_options_and_files(self):
        text = "#include <reap/kernel.h>\nREAP_KERNEL_MACRO(N)\nREAP_KERNEL(k, out(int, x)) { x[0] = N; }"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "with space.kernels.h")
            path.write_text(text)
            for given, n in ((text, 3), (text, 4), (path, 5)):
                x = numpy.zeros(1, "i4")
                reap.compile(given, options=[f"-DN={n}"]).k(1, x=x)
                self.assertEqual(x[0], n)

    def test_relative_paths(self):
        text = '#include <reap/kernel.h>\n#include "taps.h"\nREAP_KERNEL(k, out(int, x)) { x[0] = TAPS; }'
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.chdir(folder)
                for n, name in enumerate(("one", "two")):
                    path = Path(name, "include")
                    path.mkdir(parents=True)
                    path.joinpath("taps.h").write_text(f"#define TAPS {n}\n")
                    os.chdir(name)  # the same options are another folder
                    for options in (["-Iinclude"], ["-I", "include"], ["-isystem", "./include"]):
                        x = numpy.full(1, -1, "i4")
                        k = reap.compile(text, options=options)
                        k.k(1, x=x)
                        self.assertEqual(x[0], n)
                    os.chdir(folder)
                self.assertIs(pickle.loads(pickle.dumps(k)).k, k.k)
            finally:
                os.chdir(here)

    def test_pickle_of_a_file(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.chdir(folder)
                Path("k.h").write_text("#include <reap/kernel.h>\nREAP_KERNEL(k, out(int, x)) { x[0] = 7; }\n")
                pickled = pickle.dumps(reap.compile(Path("k.h"), options=["-I."]))
                os.chdir(here)
                x = numpy.zeros(1, "i4")
                pickle.loads(pickled).k(1, x=x)
                self.assertEqual(x[0], 7)
            finally:
                os.chdir(here)

    def test_functions_that_are_not_there(self):
        for declared in ("", "int missing(int n);\n"):
            text = f"#include <reap/kernel.h>\n{declared}REAP_KERNEL(k, out(int, x)) {{ x[0] = missing(1); }}"
            with self.assertRaisesRegex(reap.CompileError, "missing") as context:
                reap.compile(text)
            self.assertEqual("implicit" in context.exception.log, not declared)

    def test_compiler_of_the_environment(self):
        text = "#include <reap/kernel.h>\nREAP_KERNEL_MACRO(OF_CC)\nREAP_KERNEL(k, out(int, x)) { x[0] = OF_CC; }"
        with mock.patch.dict(os.environ, {"CC": "cc -DOF_CC=7"}):
            x = numpy.zeros(1, "i4")
            reap.compile(text).k(1, x=x)
            self.assertEqual(x[0], 7)


    def test_once_with_threads(self):
        text, made = TEXT + "/* of threads */", []
        threads = [threading.Thread(target=lambda: made.append(reap.compile(text))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([k is made[0] for k in made], [True] * 4)

    def test_other_encodings(self):
        """A locale that cannot write what the text has."""
        text = "#include <reap/kernel.h>\n/* \u1e9e\xe9 */ REAP_KERNEL(k, out(int, x)) { x[0] = 7; }"
        script = (
            f"import array, reap; x = array.array('i', [0]); reap.compile({ascii(text)}).k(1, x=x); print(x[0])"
        )
        environment = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr), ("7\n", ""))

    def test_options_that_are_no_list(self):
        self.assertRaisesRegex(TypeError, "options are a list", reap.compile, TEXT, options="-DX")


class NoCompiler(unittest.TestCase):
    def test_sentence(self):
        with mock.patch.dict(os.environ, {"CC": "/missing/cc"}):
            with self.assertRaisesRegex(reap.CompileError, "'/missing/cc' cannot be run .*CC$"):
                reap.compile(TEXT + "/* again */")
        for given, words in (("'", "variable CC .*quotation"), ("false", "'false' ended with the status 1")):
            with mock.patch.dict(os.environ, {"CC": given}):
                with self.assertRaisesRegex(reap.CompileError, words):
                    reap.compile(TEXT + "/* again */")


if __name__ == "__main__":
    unittest.main()
