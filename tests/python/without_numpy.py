# SPDX-License-Identifier: Apache-2.0
"""Prints results of arrays without NumPy, which must not be imported."""

import array
import math
import sys

sys.modules["numpy"] = None  # to import it is an error

import reap

x = array.array("d", [1.5, 2, 3])
print(reap.sum(x), reap.min(x), reap.count_nonzero(x), reap.norm(memoryview(bytes([0, 2, 0]))))
reap.moments(x).kurtosis()

y, where = array.array("f", [3, 1, 4]), b"\0\1\1"
for got, expected in (
    (reap.count(x), 3),
    (reap.count(x, ">", 1.5, where=where), 2),
    (reap.minmax(x), (1.5, 3.0)),
    (reap.minmax(y, where=memoryview(where).cast("?")), (1.0, 4.0)),
    (reap.sum(x, where=where), 5.0),
    (reap.argmax(x, where=where), 2),
    (reap.mean(x, where=where), 2.5),
    (reap.moments(x, where=where).count, 2),
    (reap.dot(x, x, where=where), 13.0),
    (reap.cov(x, y, where=where), 1.5),
    (reap.corr(x, x), 1.0),
    (math.isnan(reap.corr(x, array.array("d", [7, 7, 7]))), True),
    (reap.Part("sum", "float64").add(x).add(memoryview(x)[::-2]).result(), 11.0),
    (reap.Part("min", "uint8").add(b"cab").result(), ord("a")),
    (reap.Part("min", "bool").add(memoryview(where).cast("?")).result(), False),
    (reap.Part("max", "bool").add(memoryview(where).cast("?")).result(), True),
    (reap.Part("moments", "float32").add(y).result().count, 3),
    (reap.describe(x)["standard_deviation"], reap.std(x, ddof=1)),
    (reap.describe(where)["maximum_at"], (1,)),
):
    assert (type(got), got) == (type(expected), expected), (got, expected)
for error, call in (
    (ImportError, lambda: reap.sum(x, where=b"\1")),  # which it would have to repeat
    (ValueError, lambda: reap.cov(x, b"\1")),
    (ValueError, lambda: reap.min(x, where=bytes(3))),
    (TypeError, lambda: reap.sum(x, where=x)),
    (TypeError, lambda: reap.dot(x, y, where=where)),
    (TypeError, lambda: reap.dot(x, y)),
    (TypeError, lambda: reap.vdot(y, x)),
    (TypeError, lambda: reap.Part("sum", "int32").add(x)),
    (TypeError, lambda: reap.Part("sum", "uint8").add(memoryview(b"abc").cast("c"))),
):
    try:
        call()
    except error:
        continue
    raise AssertionError(error)
try:
    reap.sum([1.0])
except ImportError:
    pass
else:
    raise AssertionError("a list became an array without NumPy")
