# SPDX-License-Identifier: Apache-2.0
"""Prints results of arrays without NumPy, which must not be imported."""

import array
import sys

sys.modules["numpy"] = None  # to import it is an error

import reap

x = array.array("d", [1.5, 2, 3])
print(reap.sum(x), reap.min(x), reap.count_nonzero(x), reap.norm(memoryview(bytes([0, 2, 0]))))
reap.moments(x).kurtosis()
try:
    reap.sum([1.0])
except ImportError:
    pass
else:
    raise AssertionError("a list became an array without NumPy")
