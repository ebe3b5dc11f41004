# SPDX-License-Identifier: Apache-2.0
"""Reductions of arrays, with the same bits for any number of threads and on every device.

    >>> import numpy, reap
    >>> x = numpy.ones((3, 4), numpy.float32)
    >>> print(reap.sum(x), reap.sum(x, axis=0, exact=True))
    12.0 [3. 3. 3. 3.]

Arrays are NumPy's, of any shape and strides and without a copy; objects with a buffer, such as
`array.array` and `memoryview`, whose results are Python's numbers; and what `numpy.asarray`
converts, such as lists. Their elements are bool, integers of 8 to 64 bits, float16, bfloat16 (of
ml_dtypes), float32 and float64, in the byte order of the machine. Elements at addresses that are
not multiples of their size are copied, and so are those whose strides are not, as of members of
structured arrays. Arrays of other types raise TypeError.

Functions run on the device that the environment variable REAP_DEVICE names, without the global
interpreter lock; any thread may call them. A failure is ValueError for a wrong argument,
MemoryError, or reap.Error.
"""

from . import _reap
from ._algorithms import (
    Moments,
    argmax,
    argmin,
    count_nonzero,
    dot,
    kurtosis,
    max,
    mean,
    min,
    moments,
    norm,
    skew,
    std,
    sum,
    var,
    vdot,
)
from ._compile import CompileError
from ._describe import Description, describe
from ._kernels import Kernel, Kernels, compile
from ._parts import Part
from ._reap import Error, devices
from ._scans import (
    cummax,
    cummin,
    cumprod,
    cumsum,
    segmented_max,
    segmented_min,
    segmented_sum,
)
from ._statistics import bincount, corr, count, cov, histogram, minmax

__version__: str = _reap.version

__all__ = [
    "CompileError",
    "Description",
    "Error",
    "Kernel",
    "Kernels",
    "Moments",
    "Part",
    "argmax",
    "argmin",
    "bincount",
    "compile",
    "corr",
    "count",
    "count_nonzero",
    "cov",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "describe",
    "devices",
    "dot",
    "histogram",
    "kurtosis",
    "max",
    "mean",
    "min",
    "minmax",
    "moments",
    "norm",
    "segmented_max",
    "segmented_min",
    "segmented_sum",
    "skew",
    "std",
    "sum",
    "var",
    "vdot",
]
