# SPDX-License-Identifier: Apache-2.0
"""Descriptions of arrays and of files."""

from __future__ import annotations

import functools
import json
import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from . import _reap
from ._algorithms import Moments, argmax, argmin, max, min, moments, sum
from ._elements import Elements
from ._results import to_numpy

__all__ = ["Description", "describe"]

_SHOWN = "count", "nan", "minimum", "maximum", "mean", "standard_deviation"


class Description(dict):
    """Figures by name, as a dict; of several series (columns, or data sets of a file) a
    Description of each, by its name. It is shown as a table."""

    def __repr__(self) -> str:
        if any(isinstance(value, Description) for value in self.values()):
            return _table(self)
        width = _longest(self)
        return "\n".join(f"{key:{width}}  {_shown(value)}" for key, value in self.items())


def _longest(texts: Any) -> int:
    return len(sorted(texts, key=len)[-1]) if texts else 0


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.7g}"
    return "none" if value is None else str(value)


def _table(description: Description) -> str:
    flat = {name: d for name, d in description.items() if isinstance(d, Description)}
    if any(isinstance(v, Description) for d in flat.values() for v in d.values()):
        return "\n\n".join(f"{name}:\n{d!r}" for name, d in flat.items())
    rows = [["", *_SHOWN]]
    rows += [[name, *(_shown(d.get(key)) for key in _SHOWN)] for name, d in flat.items()]
    widths = [_longest(column) for column in zip(*rows)]
    lines = []
    for name, *cells in rows:
        shown = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:]))
        lines.append("  ".join([f"{name:{widths[0]}}", *shown]).rstrip())
    return "\n".join(lines)


def describe(x: Any) -> Description:
    """Count, extremes and where they are, sum, mean, standard deviation, skewness and kurtosis.

    x  an array, as reap.sum() takes; or the name (a str or a path) of a file of numbers, which the
       program `reap describe` reads: NumPy's .npy, tables (CSV) and others (docs/describe.md)

    Of an array NaNs are counted and then left out. The sum is exact, as of reap.sum(exact=True).
    minimum_at and maximum_at are the indices of the first of them; they, minimum and maximum are
    None without elements. The standard deviation is that of a sample (ddof=1), and skewness and
    kurtosis are adjusted for its size, as pandas has them. Of a file the figures are those that
    docs/describe.md has for `--json`; columns of one name are a, a.1, a.2.

    The program is the one that was installed with the package, or else the first on PATH. That of the
    wheel does not read .npz, HDF5 and NetCDF; for these the one on PATH is asked as well.

    FileNotFoundError: the file does not exist, or the program is not installed. reap.Error: the program
    has refused the file."""
    if isinstance(x, (str, os.PathLike)):
        return _describe_file(os.fspath(x))
    elements = Elements(x)
    array = x if elements.is_foreign else elements.array
    if elements.is_bfloat16 and not elements.is_foreign:
        array = _wide(array)
    shape = elements.shape()
    is_floating = elements.type().startswith(("float", "bfloat"))
    total = math.prod(shape)
    nans = 0
    whole = array
    if is_floating and total and math.isnan(max(array)):
        if not elements.is_numpy or elements.is_foreign:
            whole = _comparable(x)
        array = whole[whole == whole]
        nans = total - math.prod(array.shape)
    figures = Description(type=elements.type(), shape=shape, count=total, nan=nans)
    figures.update(_extremes(array, whole, shape, nans))
    found = moments(array)
    figures.update(
        sum=_sum(array, found) if not is_floating else _plain(sum(array, exact=True)),
        mean=_plain(found.mean),
        standard_deviation=_plain(found.std(1)),
        skewness=_skewness(found),
        kurtosis=_kurtosis(found),
    )
    return figures


def _comparable(x: Any) -> Any:
    """An array that can be compared and selected from: NumPy's, unless the library is known."""
    return x if type(x).__module__.partition(".")[0] in ("torch", "cupy") else to_numpy(x)


def _wide(bits: Any) -> Any:
    """The numbers of which an array has the bits as bfloat16, as float32."""
    return (bits.astype("uint32") << 16).view("float32")


def _sum(array: Any, found: Moments) -> int:
    """The sum of integers of any size, whose last 64 bits sum() has; the others are those of the mean,
    which is exact to far less than 2**63 / count."""
    last = int(sum(array))
    if not found.count:
        return last
    turns = int(found.mean) * found.count - last + 2**63 >> 64
    return last + (turns << 64)


def _skewness(found: Moments) -> float:
    n = found.count
    return math.sqrt(n * (n - 1)) / (n - 2) * _plain(found.skew()) if n > 2 else math.nan


def _kurtosis(found: Moments) -> float:
    n = found.count
    if n < 4:
        return math.nan
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * _plain(found.kurtosis()) + 6)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _extremes(array: Any, whole: Any, shape: tuple[int, ...], nans: int) -> dict[str, Any]:
    """`array` is `whole` without NaNs."""
    names = "minimum", "minimum_at", "maximum", "maximum_at"
    if math.prod(shape) == nans:
        return dict.fromkeys(names)
    found = []
    for extreme, argument in ((min, argmin), (max, argmax)):
        value = extreme(array)
        flat = _plain(argument(array))
        if nans:  # the first that equals it, among all
            flat = _plain(argmax(whole == _plain(value)))
        found += [_plain(value), _indices(flat, shape)]
    return dict(zip(names, found))


def _indices(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    indices = []
    for length in reversed(shape):
        indices.append(flat % length)
        flat //= length
    return tuple(reversed(indices))


# ---- Files ---------------------------------------------------------------------------------------


@functools.cache
def _installed_tool() -> str | None:
    """The program that was installed with this package, from the same wheel."""
    from importlib import metadata  # which takes a third of the time of `import reap`

    try:
        installed = metadata.distribution("reap")
    except metadata.PackageNotFoundError:
        return None
    folder = Path(__file__).resolve().parent
    if Path(installed.locate_file("reap")).resolve() != folder:
        return None  # another installation of the package
    for file in installed.files or ():
        # After `pip install --target` the program is not where the list of files has it
        for tool in (file.locate(), folder.parent / "bin/reap") if file.name == "reap" else ():
            if os.access(tool, os.X_OK) and not os.path.isdir(tool):
                return os.path.normpath(tool)
    return None


def _run(tool: str, name: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [tool, "describe", "--json", "--", name], capture_output=True, encoding="utf-8", errors="replace"
    )


def _describe_file(name: str) -> Description:
    if not os.path.exists(name):
        raise FileNotFoundError(f"no file is called {name}")
    installed, on_path = _installed_tool(), shutil.which("reap")
    tool = installed or on_path
    if tool is None:
        raise FileNotFoundError(
            "files are described by the program `reap`, which is neither in this installation of the "
            "package nor on PATH: install it, or describe an array, as by "
            "reap.describe(numpy.load(name))"
        )
    process = _run(tool, name)
    if process.returncode and on_path not in (None, tool) and "was built without" in process.stderr:
        other = _run(on_path, name)
        process = process if "was built without" in other.stderr else other
    if process.returncode:
        error = _reap.Error(process.stderr.strip() or f"{tool} ended with {process.returncode}")
        error.status = "REAP_ERROR_INVALID_ARGUMENT"
        raise error
    sets = [json.loads(line) for line in process.stdout.splitlines()]
    described = [_described(one) for one in sets]
    if len(sets) == 1:
        return described[0]
    names = _distinct([one["dataset"] or one["file"] for one in sets])
    return Description(zip(names, described))


def _described(data: dict[str, Any]) -> Description:
    series = data.pop("series")
    if len(series) == 1 and series[0].get("name") is None:
        return Description({**data, **series[0]})
    names = _distinct([str(one.get("name")) for one in series])
    return Description({name: Description(one) for name, one in zip(names, series)})


def _distinct(names: list[str]) -> list[str]:
    """The names, each after the first of a name with a number: a, a.1, a.2."""
    taken, found = set(names), []
    for i, name in enumerate(names):
        number = 0
        while number or name in found[:i]:
            number += 1
            numbered = f"{name}.{number}"
            if numbered not in taken:
                name, number = numbered, 0
                taken.add(name)
        found.append(name)
    return found
