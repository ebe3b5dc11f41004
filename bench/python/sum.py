# SPDX-License-Identifier: Apache-2.0
"""Times reap.sum() beside numpy.sum(), a loop that Numba compiles for all cores with fastmath, and
torch.sum() on the processor, and writes a table; with --cuda arrays are on the first CUDA device, of
PyTorch and of CuPy, and a time lasts until the sum is a Python float.

Each side is a process of its own, warm, and they take turns: in a turn a side sums one array again and
again, for 0.15 seconds, the others sleep. A time is the median of the medians of its turns.

usage: sum.py [--cuda] [--turns N] [--python PROGRAM] [--output FILE]

PROGRAM is a Python with the packages; sum.sh makes one in a temporary environment. The array is
of random numbers from 0 to 1, in the cache or in memory as its size has it. A side whose package
is missing is left out, and the table says so.
"""

import argparse
import datetime
import math
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
SIDES = {"reap": "reap.sum", "numpy": "numpy.sum", "numba": "numba", "torch": "torch.sum"}
ON_CARD = {
    "reap-torch-cuda": "reap.sum, tensor",
    "torch-cuda": "torch.sum",
    "reap-cupy": "reap.sum, CuPy",
    "cupy": "cupy.sum",
}
SIZES = [2**10, 2**16, 2**20, 2**26]
DTYPES = ["float32", "float64"]


class Side:
    def __init__(self, python, name):
        self.name = name
        self.process = subprocess.Popen(
            [python, HERE / "side.py", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.version = self.process.stdout.readline().strip()
        self.times = {}
        self.results = {}

    def turn(self, dtype, size):
        print(dtype, size, file=self.process.stdin, flush=True)
        seconds, result = map(float, self.process.stdout.readline().split())
        self.times.setdefault((dtype, size), []).append(seconds)
        self.results[dtype, size] = result

    def time(self, *case):
        return statistics.median(self.times[case])


def shown(seconds):
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000 or unit == "ms":
            return f"{seconds * scale:.3g} {unit}"


def errors(sides):
    """A sentence for each sum whose relative error is more than 10^-4. A loop in float32 that adds
    one number after another has such errors; more than 0.05 is another sum."""
    for case in sides[0].results:
        dtype, size = case
        exact = math.fsum(numpy.random.default_rng(1).random(size, dtype))
        for side in sides:
            error = abs(side.results[case] / exact - 1)
            if error > (1e-6 if is_reap(side) else 0.05):
                raise SystemExit(f"{side.name}: {case}: {side.results[case]}, not {exact}")
            if error > 1e-4:
                yield f"The relative error of {side.name} is {error:.1g} for {dtype}, 2^{power(size)}."


def is_reap(side):
    return side.name.startswith("reap")


def power(size):
    return size.bit_length() - 1


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def card():
    """The name of the first CUDA device, and its driver, as NVIDIA's program prints them."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    return subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def ratio(sides, times):
    """Of the fastest other one to Reap."""
    ours = min(time for side, time in zip(sides, times) if is_reap(side))
    return min(time for side, time in zip(sides, times) if not is_reap(side)) / ours


def table(sides, named, turns, load):
    """Lines of Markdown."""
    names = " | ".join(named[side.name] for side in sides)
    yield f"| elements | {names} | fastest other / reap |"
    yield "|---" * (len(sides) + 2) + "|"
    for dtype in DTYPES:
        for size in SIZES:
            times = [side.time(dtype, size) for side in sides]
            cells = " | ".join(map(shown, times))
            yield f"| {dtype}, 2^{power(size)} | {cells} | {ratio(sides, times):.2f} |"
    versions = ", ".join(f"{side.name} {side.version}" for side in sides)
    left_out = ", ".join(name for name in named if name not in [side.name for side in sides])
    yield ""
    yield (
        f"{datetime.date.today()}, {card() + ', ' if named is ON_CARD else ''}{processor()}, {len(os.sched_getaffinity(0))} processors, load "
        f"average {load:.1f} at the beginning; Python {platform.python_version()}, {versions}"
        f"{'; not installed: ' + left_out if left_out else ''}. Medians of {turns} turns."
    )
    yield from errors(sides)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    named = ON_CARD if given.cuda else SIDES
    sides = [side for side in (Side(given.python, name) for name in named) if side.version]
    if len(sides) < 2 or not is_reap(sides[0]):
        raise SystemExit("sum.py: needs reap and another package")
    for dtype in DTYPES:
        for size in SIZES:
            for _ in range(given.turns):
                for side in sides:
                    side.turn(dtype, size)
    text = "\n".join(table(sides, named, given.turns, load)) + "\n"
    print(text, end="")
    if given.output:
        given.output.write_text(text)


main()
