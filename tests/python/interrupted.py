# SPDX-License-Identifier: Apache-2.0
"""Is interrupted during a call that would take very long, and prints what follows. "sum": of an
array whose elements are the same memory again and again; "kernel": one that counts up."""

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


class Watched(numpy.ndarray):
    """An array that can be watched: NumPy's own cannot."""


x = numpy.ones((1000, 1000)).view(Watched)
if sys.argv[1] == "kernel":
    count = reap.compile(KERNEL).count
    until = numpy.array([10**int(sys.argv[2])], "u8")
    result = numpy.zeros(1, "u8").view(Watched)
    watched = weakref.ref(result)
    call, used = (lambda: count(1, until=until, x=result)), result
else:
    many = numpy.broadcast_to(x, (int(sys.argv[2]), *x.shape), subok=True)
    watched = weakref.ref(many)
    call, used = (lambda: reap.sum(many, exact=True)), many

caught = []
signal.signal(signal.SIGUSR1, lambda *_: caught.append("another signal"))
for after, number in ((0.2, signal.SIGUSR1), (0.4, signal.SIGINT)):
    threading.Timer(after, os.kill, (os.getpid(), number)).start()
begin = time.monotonic()
try:
    call()
    print("it was not interrupted")
except KeyboardInterrupt:
    print("interrupted:", *caught)
assert time.monotonic() - begin < 30
print(reap.sum(numpy.arange(5.0)))

# The array is kept as long as the work goes on, and released by a call after that.
del call, used
if sys.argv[1] == "kernel":
    del result
else:
    del many
gc.collect()
print("kept:", watched() is not None)
if len(sys.argv) > 3:
    end = time.monotonic() + 60
    while watched() is not None and time.monotonic() < end:
        time.sleep(0.1)
        reap.sum([1.0])
    print("kept afterwards:", watched() is not None)
