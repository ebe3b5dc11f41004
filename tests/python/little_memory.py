# SPDX-License-Identifier: Apache-2.0
"""Prints sums of many columns of two rows, computed in little more memory than the result's."""

import resource
from pathlib import Path

import numpy
import reap

x = numpy.ones((2, 4_000_000), numpy.uint8)
reap.sum(x[:, :1000], 0)  # starts threads
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + (1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
sums = reap.sum(x, 0)
print(sums.max(), sums.size)
