# SPDX-License-Identifier: Apache-2.0
"""Writes docs/python-tour.md: the text below, whose code is run, with what the code prints and the
plots that it draws, in docs/python-tour. It needs the package, NumPy and Matplotlib.

usage: python-tour.py [FOLDER]        (docs where none is given)
"""

import contextlib
import io
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

TEXT = '''# A tour of the Python package

The code of this page is run by scripts/python-tour.py, which writes the page: what the code prints follows it, and the plots are
those that it draws. [python.md](python.md) describes the functions.

## Sums that do not depend on the order

Floating-point numbers that are added in another order have another sum. NumPy's sum of an array and of its transpose differ,
and so do sums of several threads. Reap's order depends on the shape alone, and an exact sum on the numbers alone.

```python
import numpy, reap

x = numpy.random.default_rng(1).standard_normal((1000, 2000)).astype("float32") * 1e4
shuffled = numpy.random.default_rng(2).permutation(x.ravel())
print(reap.sum(x), reap.sum(x.T.copy().T), reap.sum(shuffled))
print(reap.sum(x, exact=True), reap.sum(shuffled, exact=True))
```

How large is the error of a plain sum of float32? Here are sums of more and more numbers, beside the exact one.

```python
counts = 2 ** numpy.arange(4, 22)
x = numpy.random.default_rng(3).random(counts[-1], "float32")
errors = {"reap.sum": reap.sum, "numpy.sum": numpy.sum, "one after another": lambda v: numpy.cumsum(v)[-1]}
for name, function in errors.items():
    relative = [abs(function(x[:n]) / float(reap.sum(x[:n].astype("float64"), exact=True)) - 1) for n in counts]
    plt.loglog(counts, numpy.maximum(relative, 1e-9), "o-", label=name)
plt.xlabel("numbers"), plt.ylabel("relative error"), plt.legend()
show("errors")
```

## Statistics in one pass

```python
temperatures = 15 + 8 * numpy.sin(numpy.arange(8760) / 8760 * 2 * numpy.pi) + numpy.random.default_rng(4).normal(0, 3, 8760)
print(reap.describe(temperatures))
```

Along an axis there is a result for each row:

```python
days = temperatures.reshape(365, 24)
plt.fill_between(range(365), reap.min(days, 1), reap.max(days, 1), alpha=0.3, label="minimum to maximum")
plt.plot(reap.mean(days, 1), label="mean")
plt.xlabel("day"), plt.legend()
show("days")
```

## A kernel of one's own

A kernel is a C function of one element, which runs for all elements on all cores and vector units, or on another device. This one
counts how often the map z*z + c is applied until a point leaves the circle, and sums that up.

```python
k = reap.compile("""
#include <reap/kernel.h>

REAP_KERNEL(escape, value(float, left), value(float, low), value(float, step), out(int, steps),
            reduce(plus, int64_t, all), reduce(maximum, int, most))
{
    const float a = left + step * reap_global_id(1), b = low + step * reap_global_id(0);
    float x = 0, y = 0;
    int n = 0;
    for (; n < 60 && x * x + y * y < 4; n++) {
        const float next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
    }
    steps[reap_global_linear_id()] = n;
    reap_combine(all, n);
    reap_combine(most, n);
}
""")
steps = numpy.empty((120, 180), "int32")
print(k.escape(steps.shape, left=-2.1, low=-1.0, step=1 / 60, steps=steps))
plt.imshow(steps, origin="lower", extent=(-2.1, 0.9, -1, 1), cmap="magma")
show("escape")
```

## Parts: chunks and processes

A part has what some elements come to. Parts are merged in any order, and the result has the bits of the whole array's.

```python
import functools, operator

x = numpy.random.default_rng(5).standard_normal(1_000_000)
cuts = [0, 17, 250_000, 777_777, x.size]
parts = [reap.Part("sum", "float64").add(x[a:b], first=a) for a, b in zip(cuts, cuts[1:])]
merged = functools.reduce(operator.add, reversed(parts))
print(merged, merged.result() == reap.sum(x))
```
'''


def run(code, variables):
    """What the code prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(code, variables)
    return output.getvalue()


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    plots = folder / "python-tour"
    plots.mkdir(exist_ok=True)
    drawn = []

    def show(name):
        plt.gcf().set_size_inches(5.4, 3)
        # Always the same bytes for the same plot
        plt.savefig(plots / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
        plt.close()
        drawn.append(name)

    matplotlib.rcParams["svg.hashsalt"] = "reap"
    matplotlib.rcParams["svg.fonttype"] = "none"
    variables = {"plt": plt, "show": show}

    def with_results(found):
        drawn.clear()
        printed = run(found[1], variables)
        result = f"{found[0]}\n"
        if printed:
            result += f"\n```\n{printed}```\n"
        return result + "".join(f"\n![{name}](python-tour/{name}.svg)\n" for name in drawn)

    page = re.sub(r"```python\n(.*?)```\n", with_results_of(with_results), TEXT, flags=re.S)
    (folder / "python-tour.md").write_text(page)


def with_results_of(function):
    """`function` with a match whose text has no newline at its end."""
    return lambda found: function((found[0].rstrip("\n"), found[1]))


main()
