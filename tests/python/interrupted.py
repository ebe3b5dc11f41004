# SPDX-License-Identifier: Apache-2.0
"""Is interrupted during a call of a kernel that counts to a power of ten, and prints what follows."""

import gc
import os
import signal
import sys
import threading
import time
import weakref

import numpy
import reap

KERNEL = """#include <reap/kernel.h>
REAP_KERNEL(count, in(uint64_t, until), out(uint64_t, x))
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < until[0]; i++)
        n ^= i * i ^ n << 7;
    x[reap_global_id(0)] = n;
}
"""


class Memory(bytearray):
    """Of an array. It can be watched, which NumPy's own cannot."""


count = reap.compile(KERNEL).count
until = numpy.array([10 ** float(sys.argv[1])], "u8")
memory = Memory(8)
result = numpy.frombuffer(memory, "u8")

watched = weakref.ref(memory)
caught = []
signal.signal(signal.SIGUSR1, lambda *_: caught.append("another signal"))
for after, number in ((0.2, signal.SIGUSR1), (0.4, signal.SIGINT)):
    threading.Timer(after, os.kill, (os.getpid(), number)).start()
begin = time.monotonic()
try:
    count(1, until=until, x=result)
    print("it was not interrupted")
except KeyboardInterrupt:
    print("interrupted:", *caught)
assert time.monotonic() - begin < 30
print(reap.sum(numpy.arange(5.0)))

# Its memory is kept as long as the work goes on, and released by a call after that.
del memory, result
gc.collect()
print("kept:", watched() is not None)
if len(sys.argv) > 2:
    end = time.monotonic() + 60
    while watched() is not None and time.monotonic() < end:
        time.sleep(0.1)
        reap.sum([1.0])
        gc.collect()
    print("kept afterwards:", watched() is not None)
