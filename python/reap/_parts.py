# SPDX-License-Identifier: Apache-2.0
"""Parts of a reduction: of arrays that arrive in chunks, or are with several processes."""

from __future__ import annotations

import math
import operator
import struct
import sys
import threading
from typing import Any, Optional

from . import _reap
from ._algorithms import Moments
from ._ctypes import NAMES, unpack
from ._elements import Elements
from ._kernels import SEVERAL, Kernel, held
from ._results import bfloat16_of_bits

__all__ = ["Part"]

_WHAT = "sum", "exact_sum", "min", "max", "moments"
_LETTERS = {name: letter for letter, name in NAMES.items()}
_SCALAR, _SPAN = 4, 5  # of enum reap__parameter_kind
_TO_PART = 2
_LONG_ITEMS = 1 << 20


class Part:
    """A part of a reduction, to be continued, sent, merged with others, and finished.

        part = reap.Part("sum", "float32")
        for chunk in chunks:
            part.add(chunk)
        part.result()

    The result has the same bits however the elements were cut into chunks, and on every device.
    That of "sum" and "exact_sum" is that of reap.sum() of all elements.

    what   "sum", "exact_sum", "min", "max" or "moments"; or a reap.Kernel, whose launches
           then add items to the part, given as the argument of the reduction: see `reduction`
    type   of the elements: a dtype or its name; of a kernel the name of its reduction
    count  of a kernel's reduce_span how many elements the array has; others
           do not use it

    Each element has a number, from 0 on; add() continues after the last one unless `first` says where
    its elements are. A part may have any of them, and parts that have no element in common can be
    merged, in any order: merge(), or `a + b`. So where several processes have a slice of an array
    each, add(slice, first=where it begins) and merging give the result of the array.

    Parts can be pickled (multiprocessing, Dask, mpi4py) and copied. Several threads may use a part at
    the same time: each call waits for those of other threads.
    """

    def __init__(self, what: str | Kernel, type: Any, count: int = 0) -> None:
        self._what, self._is_numpy, self._length = what, False, operator.index(count)
        self._lock = threading.RLock()
        if not 0 <= self._length <= sys.maxsize:
            raise ValueError(f"a part of {count} elements")
        if isinstance(what, Kernel):
            self._type = type
            self._description = what._description
            names = [type]
        else:
            self._type = _name_of(what, type)
            self._description = _reap.part_kernel(what, _LETTERS[self._type])
            names = [p[0] for p in self._description[4] if p[2] in (_SCALAR, _SPAN)]
        self._kernel = self._description[0]
        self._parts = {name: _reap.make_part(self._kernel, name) for name in names}
        if not any(p[0] == self._type and p[2] in SEVERAL for p in self._description[4]):
            self._length = 0  # it has one value

    # ---- What it has -----------------------------------------------------------------------------

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """The numbers of the elements that it has: pairs of the first and the one after the last."""
        with self._lock:
            return _reap.part_ranges(next(iter(self._parts.values())))

    @property
    def count(self) -> int:
        """How many elements it has."""
        return sum(end - first for first, end in self.ranges)

    def __repr__(self) -> str:
        what = self._what.__name__ if isinstance(self._what, Kernel) else self._what
        has = ", ".join(f"{first} to {end - 1}" for first, end in self.ranges)
        return f"<reap.Part of {what}, {self._type}: elements {has or 'none'}>"

    # ---- Adding elements -------------------------------------------------------------------------

    def add(self, x: Any, first: Optional[int] = None) -> "Part":
        """Adds the elements of an array, in row-major order.

        x      an array of the part's type, as reap.sum() takes
        first  the number of its first element; None: the one after all that the part has

        Returns the part. ValueError: the part has some of these elements already."""
        if isinstance(self._what, Kernel):
            raise TypeError("a part of a kernel gets its elements by launches of the kernel")
        array, count = self._elements(x)
        with self._lock:
            if first is None:
                ranges = self.ranges
                first = ranges[-1][1] if ranges else 0
            first = operator.index(first)
            if not 0 <= first < 2**64 - count:
                raise ValueError(f"the first element has the number {first}")
            if count:
                arguments = (array, *((_TO_PART, part) for part in self._parts.values()))
                may_be_long = count >= _LONG_ITEMS
                _reap.launch(self._kernel, (count,), None, arguments, first, may_be_long)
        return self

    def _elements(self, x: Any) -> tuple[Any, int]:
        elements = Elements(x)
        if elements.type() != self._type:
            raise TypeError(f"the array is of {elements.type()}, and the part of {self._type}")
        self._is_numpy = self._is_numpy or elements.is_numpy
        if elements.is_foreign:
            return elements.flat().array, elements.size()
        if elements.dtype is not None and not elements.dtype.isnative:
            raise TypeError("the array has another byte order than this machine")
        return _reap.in_order(elements.array), elements.size()

    def _part_of(self, parameter: Any) -> tuple[Any, int]:
        """For launches of a kernel: what the extension takes for a reduction."""
        if parameter.name not in self._parts or parameter.kernel != self._description[1]:
            raise parameter.refuse(f"{self!r} is of another reduction")
        if parameter.kind == _SPAN and not self._length:
            raise parameter.refuse("its part needs a number of elements", ValueError)
        return self._parts[parameter.name], self._length

    # ---- Merging ---------------------------------------------------------------------------------

    def merge(self, other: "Part") -> "Part":
        """Adds the elements of another part, which is not changed. Returns this part.

        ValueError: the parts are of different reductions or types, or have elements in common."""
        if not isinstance(other, Part):
            raise TypeError(f"a reap.Part is merged, not {type(other).__name__}")
        if other._reduction() != self._reduction():
            raise ValueError(f"{self!r} and {other!r} are of different reductions")
        if other._length != self._length:
            raise ValueError(
                f"{self!r} and {other!r} are of arrays of {self._length} and {other._length} elements"
            )
        with held((self, other)):
            merged = self.copy()
            for name, part in merged._parts.items():
                _reap.merge_part(part, other._parts[name])
            self._parts = merged._parts
            self._is_numpy = self._is_numpy or other._is_numpy
        return self

    def _reduction(self) -> Any:
        """What tells reductions apart. The extension compares kernels, which may be compiled twice."""
        return isinstance(self._what, Kernel) or self._what, self._type

    def __add__(self, other: "Part") -> "Part":
        return self.copy().merge(other) if isinstance(other, Part) else NotImplemented

    def copy(self) -> "Part":
        """A part with the same elements."""
        made = Part.__new__(Part)
        with self._lock:
            made.__dict__.update(self.__dict__)
            made._parts = {name: _reap.copy_part(part) for name, part in self._parts.items()}
        made._lock = threading.RLock()
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Part":
        return self.copy()

    def __reduce__(self) -> Any:
        with self._lock:
            octets = {name: _reap.write_part(part) for name, part in self._parts.items()}
            return _read, (self._what, self._type, self._length, self._is_numpy, octets)

    # ---- The result ------------------------------------------------------------------------------

    def result(self) -> Any:
        """The result of the elements: as of reap.sum(), min(), max() or moments().

        The part has all elements from 0 to some number, or it is a ValueError, and so is a minimum
        or maximum of none. The part can take more elements afterwards. Of a kernel's reduction it is
        a number, or bytes of a struct; with a location a pair of it and the location; of
        reduce_span an array."""
        with self._lock:
            return self._result()

    def _result(self) -> Any:
        if isinstance(self._what, Kernel):
            return self._result_of_kernel()
        values = {name: self._finish(name) for name in self._parts}
        if self._what == "moments":
            return self._moments(values["moments"])
        if self._what in ("min", "max"):
            return self._extreme(*values.values())
        letter = _sum_letter(self._type)
        number = unpack(letter, *values.values())
        return self._number(letter, number if self.count else abs(number))  # not -0

    def _finish(self, name: str, location: Any = None) -> bytearray:
        (size,) = (p[3] for p in self._description[4] if p[0] == name)
        memory = bytearray(size)
        _reap.finish_part(self._parts[name], memory, location, 0)
        return memory

    def _number(self, letter: str, number: Any) -> Any:
        if not self._is_numpy or letter == "y":
            return number
        return sys.modules["numpy"].dtype(NAMES[letter]).type(number)

    def _extreme(self, octets: bytes, has_nan: bytes) -> Any:
        if not self.count:
            raise ValueError("the minimum or maximum of no elements is undefined")
        letter = _LETTERS[self._type]
        number = math.nan if any(has_nan) else unpack(letter, octets)
        if number == 0 and letter != "?":
            number = abs(number)  # not -0
        return self._number(letter, number)

    def _moments(self, octets: bytes) -> Moments:
        count, mean, squares, cubes, fourths = struct.unpack("5d", octets)
        mean = mean if count else math.nan
        if math.isnan(fourths) and not math.isnan(squares):  # they overflowed on the way
            fourths = math.inf
        wrap = sys.modules["numpy"].float64 if self._is_numpy else float
        return Moments(int(count), *map(wrap, (mean, squares, cubes, fourths)))

    def _result_of_kernel(self) -> Any:
        (parameter,) = (p for p in self._what._parameters if p.name == self._type)
        if parameter.kind == _SPAN:
            return self._span(parameter.letter, parameter.size)
        location = bytearray(8) if parameter.has_location else None
        value = unpack(parameter.letter, self._finish(self._type, location))
        return value if location is None else (value, unpack("Q", location))

    def _span(self, letter: str, size: int) -> Any:
        import numpy

        names = NAMES | {"s": f"V{size}", "y": "uint16"}
        array = numpy.zeros(self._length, names[letter])
        _reap.finish_part(self._parts[self._type], array, None, self._length)
        return bfloat16_of_bits(array) if letter == "y" else array


def _read(what: Any, type: Any, count: int, is_numpy: bool, octets: dict[str, bytes]) -> Part:
    part = Part(what, type, count)
    part._parts = {name: _reap.read_part(part._kernel, name, octets[name]) for name in octets}
    part._is_numpy = is_numpy
    return part


def _name_of(what: Any, given: Any) -> str:
    """The name of the elements' type of a part."""
    if not isinstance(what, str):
        raise TypeError(f"'what' is a name or a reap.Kernel, not {type(what).__name__}")
    if what not in _WHAT:
        raise ValueError(f"there are parts of {', '.join(_WHAT)}, not of '{what}'")
    if isinstance(given, str) and given in _LETTERS:
        return given
    if given is None:  # of which NumPy makes float64
        raise TypeError("a type is needed, not None")
    import numpy

    name = numpy.dtype(given).name
    if name not in _LETTERS:
        raise TypeError(f"parts are of {', '.join(_LETTERS)}, not {name}")
    return name


def _sum_letter(type: str) -> str:
    letter = _LETTERS[type]
    if letter in "eyf":
        return "f"
    return "d" if letter == "d" else "q" if letter in "bhiq" else "Q"
