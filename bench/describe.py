#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`reap describe` beside NumPy's separate passes and pandas' describe(), in one run.

Files of a given size in a folder that is best in memory; repetitions take turns, and the ratios are
of medians. NumPy maps the file and computes what describe prints, a pass for each: minimum, maximum
and where they are, NaNs, infinities, sum, mean, standard deviation. pandas reads the table and
describes it. Both sides begin with the file and end with the figures; starting Python and importing
is not counted, starting reap is.

Usage: describe.py TOOL [MIB [REPETITIONS [FOLDER]]]
"""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

tool = sys.argv[1]
mib = int(sys.argv[2]) if len(sys.argv) > 2 else 512
repetitions = int(sys.argv[3]) if len(sys.argv) > 3 else 7
place = sys.argv[4] if len(sys.argv) > 4 else "/dev/shm"


def by_reap(path):
    subprocess.run([tool, "describe", path], stdout=subprocess.DEVNULL, check=True)


def by_numpy(path):
    x = np.load(path, mmap_mode="r")
    np.isnan(x).sum(), np.isinf(x).sum()
    np.nanargmin(x), np.nanargmax(x), np.nanmin(x), np.nanmax(x)
    np.nansum(x, dtype="f8"), np.nanmean(x, dtype="f8"), np.nanstd(x, dtype="f8", ddof=1)


def by_pandas(path):
    pd.read_csv(path).describe()


def seconds(function, path):
    begin = time.perf_counter()
    function(path)
    return time.perf_counter() - begin


def compare(name, path, other, count):
    times = [(seconds(by_reap, path), seconds(other, path)) for _ in range(count)]
    ours, theirs = (float(np.median(side)) for side in zip(*times))
    size = os.path.getsize(path)
    print(f"{name:<28} {size / ours / 1e9:7.2f} GB/s {size / theirs / 1e9:7.2f} GB/s"
          f" {theirs / ours:6.1f}", flush=True)


rng = np.random.default_rng(1)
print(f"{'':<28} {'reap':>12} {'other':>12}  ratio")
with tempfile.TemporaryDirectory(dir=place) as folder:
    path = os.path.join(folder, "x")
    for dtype in ("f4", "f8", "i4", "i2"):
        count = mib * 2**20 // np.dtype(dtype).itemsize
        np.save(path + ".npy", (rng.standard_normal(count, dtype="f4") * 1000).astype(dtype))
        compare(f".npy {dtype}, NumPy", path + ".npy", by_numpy, repetitions)
    rows = mib * 2**20 // 1600
    for name, table in (("17 digits", rng.normal(size=(rows, 10))),
                        ("6 digits", np.round(rng.normal(size=(rows, 10)), 5)),
                        ("integers", rng.integers(-10**6, 10**6, (rows, 10)))):
        pd.DataFrame(table, columns=list("abcdefghij")).to_csv(path + ".csv", index=False)
        compare(f".csv {name}, pandas", path + ".csv", by_pandas, max(repetitions // 2, 3))
