# SPDX-License-Identifier: Apache-2.0
"""One side of a comparison, in a process of its own: sums of arrays of one type, a size after another,
as sum.py asks on standard input. It prints the library's version, and for each size the median
time of a call in seconds, and the result."""

import statistics
import sys
import time

import numpy


def reap_side():
    import reap

    return reap.__version__, lambda x: x, reap.sum


def numpy_side():
    return numpy.__version__, lambda x: x, numpy.sum


def numba_side():
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def add(x):
        total = x.dtype.type(0)
        for i in numba.prange(x.size):
            total += x[i]
        return total

    return numba.__version__, lambda x: x, add


def torch_side():
    import torch

    return torch.__version__, torch.from_numpy, torch.sum


def reap_of_tensors():
    import reap
    import torch

    return reap.__version__, lambda x: torch.from_numpy(x).cuda(), lambda x: float(reap.sum(x))


def reap_of_cupy():
    import cupy
    import reap

    return reap.__version__, cupy.asarray, lambda x: float(reap.sum(x))


def torch_on_card():
    import torch

    return torch.__version__, lambda x: torch.from_numpy(x).cuda(), lambda x: float(torch.sum(x))


def cupy_side():
    import cupy

    return cupy.__version__, cupy.asarray, lambda x: float(cupy.sum(x))


SIDES = {
    "reap": reap_side,
    "numpy": numpy_side,
    "numba": numba_side,
    "torch": torch_side,
    "reap-torch-cuda": reap_of_tensors,
    "reap-cupy": reap_of_cupy,
    "torch-cuda": torch_on_card,
    "cupy": cupy_side,
}
SECONDS = 0.15  # of a turn


def measure(call, x):
    """The median time of a call; calls of little work are timed several at a time."""
    call(x)
    begin = time.perf_counter()
    call(x)
    together = max(1, min(1000, int(20e-6 / (time.perf_counter() - begin))))
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter()
        for _ in range(together):
            result = call(x)
        times.append((time.perf_counter() - begin) / together)
    return statistics.median(times), float(result)


version, take, call = SIDES[sys.argv[1]]()
print(version, flush=True)
for line in sys.stdin:
    dtype, size = line.split()
    x = numpy.random.default_rng(1).random(int(size), dtype)
    print(*measure(call, take(x)), flush=True)
