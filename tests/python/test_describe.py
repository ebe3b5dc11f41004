# SPDX-License-Identifier: Apache-2.0
"""Descriptions of arrays and files, against NumPy."""

import json
import math
import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy
import reap

try:
    import pandas
except ImportError:
    pandas = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None
from exporters import DLPack
from reference import DTYPES, SEED, random_array

TOOL = Path(reap.__file__).parents[2] / "tools/bin/reap"


class Arrays(unittest.TestCase):
    def setUp(self):
        print(f"SEED={SEED}", flush=True)

    def check(self, x):
        d = reap.describe(x)
        numbers = x[~numpy.isnan(x)] if x.dtype.kind == "f" else x
        wide = numbers.astype("f8")
        self.assertEqual((d["count"], d["nan"], d["shape"]), (x.size, x.size - numbers.size, x.shape))
        self.assertEqual((d["minimum"], d["maximum"]), (numbers.min(), numbers.max()))
        flat = x.astype("f8") if x.dtype.kind == "f" else x
        nan_safe = (numpy.nanargmin, numpy.nanargmax) if x.dtype.kind == "f" else (
            numpy.argmin, numpy.argmax)  # fmt: skip
        self.assertEqual(d["minimum_at"], numpy.unravel_index(nan_safe[0](flat), x.shape))
        self.assertEqual(d["maximum_at"], numpy.unravel_index(nan_safe[1](flat), x.shape))
        if x.dtype.kind == "f":
            self.assertEqual(d["sum"], reap.sum(numbers, exact=True))
        else:
            self.assertEqual(d["sum"], sum(map(int, x.ravel())))
        self.assertAlmostEqual(d["mean"], wide.mean(), delta=1e-9 * (1 + abs(wide).max()))
        self.assertTrue(math.isclose(d["standard_deviation"], wide.std(ddof=1), rel_tol=1e-9))
        self.assertIn("standard_deviation  ", repr(d))
        if pandas:
            series = pandas.Series(wide.ravel())
            self.assertAlmostEqual(d["skewness"], series.skew(), delta=1e-7)
            self.assertAlmostEqual(d["kurtosis"], series.kurt(), delta=1e-7 * (1 + abs(series.kurt())))

    def test_types(self):
        random = numpy.random.default_rng(SEED)
        for dtype in DTYPES:
            x = random_array(random, dtype, (7, 30))
            self.check(x)
            self.check(x[::-2, 1::3])
            if x.dtype.kind == "f":
                x[2, 3] = x[0, 0] = math.nan
                self.check(x)

    def test_sums_of_more_than_64_bits(self):
        random = numpy.random.default_rng(SEED)
        for count in (2, 3, 1000, 100_001):
            for kind, least, most in (("u8", 0, 2**64 - 1), ("i8", -(2**63), 2**63 - 1)):
                for low, high in ((least, most), (most, most), (most - 9, most), (least, least)):
                    x = random.integers(low, high, count, kind, endpoint=True)
                    self.assertEqual(reap.describe(x)["sum"], sum(x.tolist()))
        self.assertEqual(reap.describe(numpy.array([True, True, False]))["sum"], 2)
        self.assertEqual(reap.describe(numpy.zeros(0, "u8"))["sum"], 0)

    @unittest.skipUnless(ml_dtypes, "no ml_dtypes here")
    def test_bfloat16(self):
        x = numpy.array([[1.5, -2, 3], [0.25, math.nan, -9]], ml_dtypes.bfloat16)
        for given in (x, x.T, x[:, ::-1], x[0]):
            ours, wide = reap.describe(given), reap.describe(given.astype("f4"))
            self.assertEqual((ours.pop("type"), wide.pop("type")), ("bfloat16", "float32"))
            self.assertEqual(repr(ours), repr(wide))
            self.assertIs(type(ours["minimum"]), float)

    def test_arrays_of_other_libraries(self):
        """Which may have DLPack alone."""
        x = numpy.arange(12.0).reshape(3, 4)
        for value in (0.0, math.nan, -math.inf):
            x[1, 2] = value
            for like in (x, x.T, x[:, ::2].astype("f4"), x[:0], x.astype("f2")[1:2, 2].reshape(())):
                array = DLPack(like, like.ctypes.data)
                self.assertEqual(repr(reap.describe(array)), repr(reap.describe(like)))
        with_buffer = reap.describe(memoryview(x))
        self.assertEqual(repr(with_buffer), repr(reap.describe(x)))
        self.assertIs(type(with_buffer["minimum"]), float)

    def test_nothing(self):
        d = reap.describe(numpy.ones((0, 3)))
        self.assertEqual((d["count"], d["minimum"], d["maximum_at"], d["sum"]), (0, None, None, 0))
        self.assertTrue(math.isnan(d["mean"]))
        d = reap.describe([math.nan])
        self.assertEqual((d["count"], d["nan"], d["minimum"]), (1, 1, None))
        self.assertTrue(math.isnan(reap.describe([3])["standard_deviation"]))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, *folders):
        return mock.patch.dict(os.environ, {"PATH": os.pathsep.join(map(str, folders))})

    def test_no_tool_and_no_file(self):
        self.assertRaisesRegex(FileNotFoundError, "missing.npy", reap.describe, "missing.npy")
        with self.path(self.folder), self.assertRaisesRegex(FileNotFoundError, "nor on PATH"):
            reap.describe(self.folder)

    def test_columns_of_one_name(self):
        names = ["a", "b", "a", "a.1", "a", None, None]
        series = [{"name": name, "count": i} for i, name in enumerate(names)]
        output = json.dumps({"file": "x.csv", "series": series})
        tool = self.tool("tools", f"echo '{output}'")
        with mock.patch("reap._describe._installed_tool", lambda: tool):
            found = reap.describe(self.folder)
        expected = ["a", "b", "a.2", "a.1", "a.3", "None", "None.1"]
        self.assertEqual([(key, d["count"]) for key, d in found.items()], [*zip(expected, range(7))])

    def test_tool_that_fails(self):
        tool = self.folder / "reap"
        tool.write_text("#!/bin/sh\necho 'reap: bad file' >&2\nexit 1\n")
        tool.chmod(stat.S_IRWXU)
        with self.path(self.folder, "/bin"), self.assertRaisesRegex(reap.Error, "^reap: bad file$"):
            reap.describe(self.folder)

    def tool(self, folder, *lines):
        (self.folder / folder).mkdir()
        tool = self.folder / folder / "reap"
        tool.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        tool.chmod(stat.S_IRWXU)
        return str(tool)

    def test_another_tool_for_what_the_first_cannot_read(self):
        lacks = "echo 'reap: x.npz: is an archive, and this reap was built without libzip' >&2; exit 1"
        wheel = self.tool("wheel", lacks)
        found = self.tool("found", """echo '{"file": "x.npz", "series": [{"count": 3}]}'""")
        poor = self.tool("poor", "echo 'reap: x.npz: no' >&2", "exit 1")
        broken = self.tool("broken", "echo 'reap: x.npz: is cut off' >&2", "exit 1")
        patched = mock.patch("reap._describe._installed_tool", lambda: wheel)
        with patched, self.path(Path(found).parent, "/bin"):
            self.assertEqual(reap.describe(self.folder)["count"], 3)
        with patched, self.path(Path(poor).parent, "/bin"):
            self.assertRaisesRegex(reap.Error, "^reap: x.npz: no$", reap.describe, self.folder)
        with patched, self.path(Path(wheel).parent, "/bin"):
            self.assertRaisesRegex(reap.Error, "without libzip$", reap.describe, self.folder)
        with mock.patch("reap._describe._installed_tool", lambda: broken):
            with self.path(Path(found).parent, "/bin"):
                self.assertRaisesRegex(reap.Error, "is cut off$", reap.describe, self.folder)

    @unittest.skipUnless(TOOL.exists(), "the tool is not beside the package's build")
    def test_files(self):
        x = numpy.random.default_rng(SEED).standard_normal((40, 50))
        numpy.save(self.folder / "x.npy", x)
        numpy.savez(self.folder / "both.npz", a=x, b=numpy.arange(5))
        (self.folder / "table.csv").write_text("time,speed\n1,2.5\n2,3.5\n3,NaN\n")
        with self.path(TOOL.parent, "/usr/bin", "/bin"):
            ours, read = reap.describe(x), reap.describe(self.folder / "x.npy")
            both = reap.describe(str(self.folder / "both.npz"))
            table = reap.describe(self.folder / "table.csv")
        for key in ("count", "nan", "minimum", "maximum"):
            self.assertEqual(read[key], ours[key])
        self.assertEqual(tuple(read["maximum_at"]), ours["maximum_at"])
        for key in ("mean", "standard_deviation", "skewness"):
            self.assertTrue(math.isclose(read[key], ours[key], rel_tol=1e-9, abs_tol=1e-12), key)
        self.assertEqual(sorted(name.partition(".")[0] for name in both), ["a", "b"])
        self.assertEqual(list(table), ["time", "speed"])
        self.assertEqual(table["time"]["mean"], 2)
        self.assertRegex(repr(table), r"(?m)^time +3 .* 2 ")


if __name__ == "__main__":
    unittest.main()
