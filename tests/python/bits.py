# SPDX-License-Identifier: Apache-2.0
"""Prints results to the bit, of the default device. "few": of few kernels, for devices whose
compilers take long."""

import sys

import numpy
import reap
from reference import DTYPES, SEED, random_array, views


def show(*words):
    result = numpy.asarray(words[-1])
    print(*words[:-1], result.dtype, result.shape, result.tobytes().hex())


def show_few(random):
    x = random_array(random, "float32", (30, 40, 50))
    for name, view in views(x):
        show(name, "sum", reap.sum(view))
        show(name, "sum", 0, reap.sum(view[:5] if view.ndim else view, 0 if view.ndim else None))
    show("vdot", reap.vdot(x, x))
    show("vdot of overlapping", reap.vdot(x[1:], x[:-1]))
    show("vdot of two", reap.vdot(x, x.copy()))
    show("argmax", reap.argmax(x[:, 1:]))
    show("exact", reap.sum(x, exact=True))


def show_all(random):
    for dtype in DTYPES:
        x = random_array(random, dtype, (30, 80, 90))
        for axis in (None, 1):
            for name in ("sum", "min", "argmax", "norm", "mean", "var", "kurtosis"):
                show(dtype, axis, name, getattr(reap, name)(x[:, ::-7], axis=axis))
            show(dtype, axis, "exact", reap.sum(x[:, ::-7], axis, exact=True))


{"few": show_few, "all": show_all}[sys.argv[1]](numpy.random.default_rng(SEED))
