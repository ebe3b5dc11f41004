# SPDX-License-Identifier: Apache-2.0
"""NumPy's side of the benchmark: does the cases on request, in a process of its own.

Requests are lines on standard input, answers lines on standard output. "array NAME TYPE OFFSET
BYTES" is followed by so many bytes, which go into the array from that offset on; "run CASE COUNT
EXTENT CALLS" does a case so often and is answered by the seconds and four values, which the bins
follow where the case has them, as bytes. The first line out is NumPy's version.
"""
import sys
import time

import numpy as np

TYPES = {"float": "f4", "double": "f8", "int": "i4", "half": "f2", "uint32": "u4"}
buffers = {"x": np.empty(0, "u1"), "y": np.empty(0, "u1")}
arrays = {}


def values_of_four(x):
    return [x.sum(), x.max(), x.min(), np.dot(x, x)]


def argmax(x):
    at = x.argmax()
    return [x[at], at]


def box(x):
    """By columns: points.min(axis=0) takes twenty times as long."""
    a, b = x[::2], x[1::2]
    return [a.min(), b.min(), a.max(), b.max()]


def small(x, n, extent):
    return [sum(float(x[i * n:(i + 1) * n].sum()) for i in range(extent))]


# CASE: what it does with x, y, the number of elements and the extent.
CASES = {
    "sum": lambda x, y, n, e: [x[:n].sum()],
    "dot": lambda x, y, n, e: [np.dot(x[:n], y[:n])],
    "norm": lambda x, y, n, e: [np.linalg.norm(x[:n])],
    "minmax": lambda x, y, n, e: [x[:n].min(), x[:n].max()],
    "argmax": lambda x, y, n, e: argmax(x[:n]),
    "moments": lambda x, y, n, e: [x[:n].mean(dtype="f8"), x[:n].var(dtype="f8")],
    "four": lambda x, y, n, e: values_of_four(x[:n]),
    "sum-max": lambda x, y, n, e: [x[:n].sum(), x[:n].max()],
    "count": lambda x, y, n, e: [np.count_nonzero(x[:n] > 0)],
    "histogram": lambda x, y, n, e: np.bincount(x[:n], minlength=e),
    "struct": lambda x, y, n, e: box(x[:2 * n]),
    "rows": lambda x, y, n, e: [x[:n].reshape(-1, e).sum()],
    "launch": lambda x, y, n, e: [x[:n].sum()],
    "small": lambda x, y, n, e: small(x, n, e),
}


def take(name, dtype, offset, count):
    if buffers[name].size < offset + count:
        longer = np.empty(offset + count, "u1")
        longer[:offset] = buffers[name][:offset]
        buffers[name] = longer
    view = memoryview(buffers[name])[offset:offset + count]
    while len(view) > 0:
        got = sys.stdin.buffer.readinto(view)
        if got == 0:
            sys.exit()  # the other process has gone
        view = view[got:]
    whole = buffers[name][:buffers[name].size // 8 * 8] if count % 8 == 0 else buffers[name]
    arrays[name] = whole.view(TYPES[dtype])


def run(case, count, extent, calls):
    function, x, y = CASES[case], arrays["x"], arrays.get("y")
    begin = time.perf_counter()
    for _ in range(calls):
        values = function(x, y, count, extent)
    seconds = time.perf_counter() - begin
    bins = values.astype("u4").tobytes() if case == "histogram" else b""
    numbers = [] if case == "histogram" else [float(v) for v in values]
    numbers += [0.0] * (4 - len(numbers))
    sys.stdout.buffer.write((" ".join(repr(v) for v in [seconds, *numbers]) + "\n").encode() + bins)
    sys.stdout.buffer.flush()


print(np.__version__, flush=True)
for line in iter(sys.stdin.buffer.readline, b""):
    words = line.decode().split()
    if words[0] == "array":
        take(words[1], words[2], int(words[3]), int(words[4]))
    else:
        run(words[1], int(words[2]), int(words[3]), int(words[4]))
