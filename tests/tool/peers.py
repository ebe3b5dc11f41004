#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `reap describe --json` says of random files, beside NumPy and pandas.

Arrays of every type, order and byte order, whole and along each axis; tables with every separator,
with missing cells, quotes and text between the numbers. Each also through a pipe, and with another
number of threads, which must say the same.

Usage: peers.py TOOL; SEED=... of the environment repeats a run
"""
import io
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

import checks
from checks import check, rng

tool = sys.argv[1]

def describe(*arguments, stdin=None, threads=None):
    environment = dict(os.environ)
    if threads:
        environment["REAP_NUM_THREADS"] = str(threads)
    run = subprocess.run([tool, "describe", "--json", *arguments], input=stdin, env=environment,
                         capture_output=True, check=False)
    check(run.returncode == 0, arguments, run.stderr.decode())
    return [json.loads(line) for line in run.stdout.decode().splitlines()]


def agree(ours, theirs, scale, *what):
    """null means an infinity or a NaN; the scale bounds the rounding error."""
    if theirs is None or not np.isfinite(theirs):
        check(ours is None, *what, ours, theirs)
    else:
        check(ours is not None and abs(ours - theirs) <= 1e-11 * scale, *what, ours, theirs)


def check_distribution(series, numbers, *what):
    """The quantiles of all kinds of numbers; the histogram's bins, as it has them."""
    wide = numbers.astype(np.longdouble)
    scale = float(np.abs(wide).max()) + 1e-300
    for quantile in series["quantiles"]:
        check(quantile["error"] == 0, *what, "a file's quantiles are exact")
        exact = float(np.quantile(wide, quantile["probability"]))
        digits = 1e-11 if numbers.dtype.kind != "f" else float(np.finfo(numbers.dtype).eps)
        check(abs(quantile["value"] - exact) <= max(digits, 1e-11) * scale,
              *what, "quantile", quantile["probability"], quantile["value"], exact)
    histogram = series["histogram"]
    if numbers.dtype.kind == "f":
        counts, edges = np.histogram(numbers.astype(float), bins=20)
        check(sum(histogram["counts"]) == numbers.size, *what, "every number has a bin")
        if edges[-1] - edges[0] > 1e-6 * scale:
            slack = max(5, numbers.size // 1000)  # numbers at an edge, which is rounded
            check(all(abs(a - b) <= slack for a, b in zip(counts, histogram["counts"])),
                  *what, "histogram", counts, histogram["counts"])


def check_series(series, values, *what):
    """The values are a flat array without the missing ones."""
    kind = values.dtype.kind
    numbers = values[~np.isnan(values)] if kind == "f" else values
    wide = numbers.astype(np.longdouble)
    is_finite = bool(np.isfinite(wide).all())
    check(series["nan"] == values.size - numbers.size, *what, "NaN")
    if numbers.size == 0:
        check(series["minimum"] is None and series["mean"] is None, *what, "no numbers")
        return
    if kind in "iub":
        total = sum(int(value) for value in numbers)
        check(series["sum"] == total, *what, "sum", series["sum"], total)
    elif is_finite:
        agree(series["sum"], float(wide.sum()), float(np.abs(wide).sum()) + 1e-300, *what, "sum")
    scale = float(np.abs(wide).max()) if is_finite else 1.0
    mean = float(wide.mean()) if is_finite else None
    agree(series["mean"], mean, scale + 1e-300, *what, "mean")
    for name, value in (("minimum", numbers.min()), ("maximum", numbers.max())):
        if np.isfinite(float(value)):
            exact = int(value) if kind in "iub" else float(value)
            ours = series[name]
            check((ours if kind in "iub" else float(values.dtype.type(ours))) == exact,
                  *what, name, ours, exact)
    if is_finite and "median" in series:
        exact = float(np.median(wide))
        digits = float(np.finfo(numbers.dtype).eps) if kind == "f" else 1e-11
        check(abs(series["median"] - exact) <= max(digits, 1e-11) * scale, *what, "median",
              series["median"], exact)
    if is_finite and numbers.size > 1:
        if "quantiles" in series:
            check_distribution(series, numbers, *what)
        deviation = float(wide.std(ddof=1))
        agree(series["standard_deviation"], deviation, deviation + 1e-3 * scale, *what, "deviation")
        if numbers.size > 2 and deviation > 1e-9 * scale:
            skewness = pd.Series(np.asarray((wide - wide.mean()) / wide.std(), dtype=float)).skew()
            ours = series["skewness"]
            check(ours is not None and abs(ours - skewness) <= 1e-8 * (1 + abs(skewness)),
                  *what, "skewness", ours, skewness)


# ---- Arrays -------------------------------------------------------------------------------------

TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def draw_array(dtype, shape):
    size = int(np.prod(shape))
    kind, item = dtype.kind, dtype.itemsize
    if kind == "b":
        flat = rng.integers(0, 2, size).astype(bool)
    elif kind in "iu":
        flat = np.frombuffer(rng.bytes(size * item), dtype=dtype.newbyteorder("="))
    else:
        flat = rng.normal(10, 3, size)
        if kind == "c":
            flat = flat + 1j * rng.normal(-5, 100, size)
        flat = flat.astype(dtype.newbyteorder("="))
        if random.random() < 0.5 and size > 0:
            flat[rng.integers(0, size, size // 7 + 1)] = np.nan
    return flat.reshape(shape).astype(dtype, order=random.choice("CF"))


def draw_shape():
    return random.choice([(), (0,), (1,), (5,), (1000, 3), (3, 4, 5), (40, 41, 42), (70001,),
                          (2, 300, 11)])


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


def check_positions(series, array, *what):
    for name, find in (("minimum", np.nanmin), ("maximum", np.nanmax)):
        at = series[name + "_at"]
        if at is not None:
            check(array[tuple(at)] == find(array), *what, name, "at", at)


def check_array(directory, number):
    dtype = np.dtype(random.choice("<>") + TYPES[number % len(TYPES)])
    array = draw_array(dtype, draw_shape())
    what = (dtype.str, array.shape, "F" if array.flags.f_contiguous else "C")
    path = os.path.join(directory, "x.npy")
    np.save(path, array)
    found, = describe("--histogram", "--quantiles=0,10%,0.5,0.9,1", path)
    check(found["shape"] == list(array.shape), *what, found["shape"])
    parts = native(array)
    parts = [parts.real, parts.imag] if dtype.kind == "c" else [parts]
    check(len(found["series"]) == len(parts), *what, "series")
    for part, series in zip(parts, found["series"]):
        check_series(series, part.reshape(-1), *what)
        if part.size > 0 and not np.isnan(part.astype(float)).all():
            check_positions(series, part, *what)
    with open(path, "rb") as file:
        piped, = describe("-", stdin=file.read(), threads=random.choice([1, 2, 5]))
    found, = describe(path)
    check(piped["series"] == found["series"], *what, "through a pipe")
    if dtype.kind == "c" or array.ndim == 0 or array.size == 0:
        return
    axis = random.randrange(-array.ndim, array.ndim)
    found, = describe(f"--axis={axis}", path)
    columns = np.moveaxis(native(array), axis, -1)
    for series in found["series"]:
        index = tuple(int(word) for word in series["name"][1:-1].split(", ") if word != ":")
        check(series["count"] == array.shape[axis], *what, axis, "count")
        check_series(series, columns[index], *what, "axis", axis, series["name"])


# ---- Tables -------------------------------------------------------------------------------------

def draw_column(rows):
    """Values, and the marker of a missing one among them."""
    kind = random.choice(["int", "wide", "float", "short", "text", "bool", "missing"])
    if kind == "int":
        return pd.Series(rng.integers(-1000, 1000, rows))
    if kind == "wide":
        return pd.Series(rng.integers(-2**63, 2**63 - 1, rows))
    if kind == "float":
        return pd.Series(rng.normal(0, 10.0 ** rng.integers(-30, 30), rows))
    if kind == "short":
        return pd.Series(np.round(rng.normal(0, 100, rows), 2))
    if kind == "bool":
        return pd.Series(rng.integers(0, 2, rows).astype(bool))
    if kind == "text":
        words = ["a b", 'say "x"', "x,y;z|w", "two\nlines", "1-2", "7 km"]
        return pd.Series([random.choice(words) for _ in range(rows)])
    values = pd.Series(rng.normal(0, 1, rows))
    values[rng.random(rows) < 0.3] = np.nan
    return values


def check_table(directory, number):
    rows = random.choice([2, 3, 50, 1000, 30000])
    names = [f"column, {c}" if random.random() < 0.3 else f"c{c}" for c in range(
        random.randrange(1, 9))]
    table = pd.DataFrame({name: draw_column(rows) for name in names})
    if all(table[name].dtype == object or table[name].isna().all() for name in names):
        table["number"] = pd.Series(rng.normal(0, 1, rows))
    separator = random.choice(",;\t|")
    text = table.to_csv(index=False, sep=separator, na_rep=random.choice(["", "NA", "null"]),
                        lineterminator=random.choice(["\n", "\r\n"]))
    what = ("table", number, repr(separator), rows, list(table.dtypes.astype(str)))
    path = os.path.join(directory, "t.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    # With few cells a separator within a name may fit as well.
    say = ["--separator", "tab" if separator == "\t" else separator]
    say = say if rows < 50 or len(names) < 3 or random.random() < 0.3 else []
    found = describe(*say, path)
    check(len(found) == 1, *what, text[:300])
    if len(found) != 1:
        return
    found = found[0]
    theirs = pd.read_csv(io.StringIO(text), sep=separator, float_precision="round_trip")
    check(found["rows"] == len(theirs), *what, "rows", found["rows"])
    numeric = [name for name in theirs.columns if theirs[name].dtype != object]
    check([series["name"] for series in found["series"]] == numeric, *what, "columns",
          [series["name"] for series in found["series"]])
    for series in found["series"]:
        values = theirs[series["name"]]
        check(series["missing"] == values.isna().sum(), *what, series["name"], "missing")
        check_series(series, values.dropna().to_numpy(), *what, series["name"])
        at = series["minimum_at"]
        if at is not None:
            check(values[at - 1] == values.min(), *what, series["name"], "minimum at", at)
    piped, = describe(*say, "-", stdin=text.encode(), threads=random.choice([1, 2, 5]))
    check(piped["series"] == found["series"], *what, "through a pipe")


def check_text_in_archives(directory):
    """Arrays of text and structures in .npz archives are skipped, unless they are named."""
    path = os.path.join(directory, "text.npz")
    text, pairs = np.array(["x", "two"]), np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])
    for save in (np.savez, np.savez_compressed):
        save(path, a=np.arange(5), text=text, pairs=pairs, b=np.ones(2), raw=np.array([b"ab"]))
        check([found["dataset"] for found in describe(path)] == ["a", "b"], "text in .npz")
        for name, error in ((":text", "text or bytes, not numbers"), (":pairs", "not supported")):
            run = subprocess.run([tool, "describe", path + name], capture_output=True, check=False)
            check(run.returncode == 1 and error in run.stderr.decode(), "named", run.stderr)
        save(path, text=text)
        run = subprocess.run([tool, "describe", path], capture_output=True, check=False)
        check(run.returncode == 1 and b"its arrays are text: it has no numbers" in run.stderr,
              "only text", run.stderr)


with tempfile.TemporaryDirectory() as folder:
    np.save(os.path.join(folder, "x.npy"), np.zeros(1))
    if b"without" in subprocess.run([tool, "describe", "--json", os.path.join(folder, "x.npy")],
                                    capture_output=True, check=False).stderr:
        print("skipped: beside NumPy and pandas: the tool was built without json-c")
        sys.exit(77)
    for n in range(2 * len(TYPES)):
        check_array(folder, n)
    for n in range(20):
        check_table(folder, n)
    check_text_in_archives(folder)
print(checks.made, "checks,", checks.failed, "failed")
sys.exit(0 if checks.failed == 0 and checks.made > 500 else 1)
