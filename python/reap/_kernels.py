# SPDX-License-Identifier: Apache-2.0
"""Kernels from Python: compile() and the objects that it makes."""

from __future__ import annotations

import collections
import contextlib
import operator
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Sequence, Tuple

from . import _reap
from ._compile import absolute, build
from ._ctypes import NAMES, pack, refusal, unpack
from ._foreign import import_array

__all__ = ["Kernel", "Kernels", "compile"]

# Of enum reap__parameter_kind (reap/detail/kernel_table.h)
_IN, _OUT, _INOUT, _VALUE, _SCALAR, _SPAN, _LOCAL, _LOCAL_2D, _LOCAL_3D, _IDENTITY = range(10)
_ROWS, _COLUMNS = 10, 11
SEVERAL = _SPAN, _ROWS, _COLUMNS
_WORDS = (
    "in out inout value reduce reduce_span local local_2d local_3d identity "
    "reduce_rows reduce_columns"
).split()
_ARRAYS = _IN, _OUT, _INOUT
_LOCALS = {_LOCAL: 1, _LOCAL_2D: 2, _LOCAL_3D: 3}
_TO_VARIABLE, _TO_RESULT, _TO_PART = range(3)

_LARGEST_SIZE = 2 * sys.maxsize + 1  # of size_t
_LONG_SECONDS = 0.002  # from which on a launch may be interrupted
_CALL_SECONDS = 0.00002  # that it takes without any items


class _Parameter(NamedTuple):
    kernel: str
    name: str
    type: str
    kind: int
    size: int
    operation: Optional[str]
    has_location: bool
    letter: str

    def __str__(self) -> str:
        if self.operation is None:
            return f"{_WORDS[self.kind]}({self.type}, {self.name})"
        word = "reduce_location" if self.has_location else _WORDS[self.kind]
        return f"{word}({self.operation}, {self.type}, {self.name})"

    def refuse(self, why: str, kind: type[Exception] = TypeError) -> Exception:
        return kind(f"kernel '{self.kernel}': {self}: {why}")


# ---- Arrays --------------------------------------------------------------------------------------


def _array(parameter: _Parameter, x: Any, is_written: bool) -> Any:
    """What the extension takes for an array; an exception if it is not one for the parameter."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        return _numpy_array(parameter, x, is_written)
    try:
        view = memoryview(x)
    except TypeError:
        return _foreign_array(parameter, x)
    if is_written and view.readonly:
        raise parameter.refuse("the kernel writes it, and the array is read-only", ValueError)
    _check_bytes(parameter, view)
    _check_format(parameter, view.format, view.itemsize, view.shape)
    _check_order(parameter, view.c_contiguous)
    return x


def _numpy_array(parameter: _Parameter, x: Any, is_written: bool) -> Any:
    import numpy

    if is_written and not x.flags.writeable:
        raise parameter.refuse("the kernel writes it, and the array is read-only", ValueError)
    fits = parameter.letter not in "sy" and x.dtype == NAMES[parameter.letter]
    if not fits or type(x) is not numpy.ndarray:
        _check_bytes(parameter, x)
    if parameter.letter == "s":
        _check_size(parameter, x.itemsize, x.shape)
    elif parameter.letter == "y":
        if x.dtype.name != "bfloat16":
            raise parameter.refuse(f"the array is of {x.dtype}, not bfloat16")
        x = x.view(numpy.uint16)
    elif not fits:
        name = NAMES[parameter.letter]
        how = f": pass x.astype('{name}')" if x.dtype.kind in "biuf" else f", not {name}"
        raise parameter.refuse(f"the array is of {x.dtype}{how}")
    _check_order(parameter, x.flags.c_contiguous)
    return x


def _foreign_array(parameter: _Parameter, x: Any) -> Any:
    array = import_array(x)
    if array is None:
        raise parameter.refuse(f"an array is needed, not {type(x).__name__}")
    letter = "y" if array.format == "bfloat16" else array.format
    size = {"?": 1, "b": 1, "h": 2, "e": 2, "y": 2, "i": 4, "f": 4}.get(letter.lower(), 8)
    _check_format(parameter, letter, size, array.shape)
    return array


def _check_bytes(parameter: _Parameter, x: Any) -> None:
    why = refusal(x)
    if why:
        raise parameter.refuse(why)


def _check_format(parameter: _Parameter, format: str, size: int, shape: Any) -> None:
    """The format of a buffer: a letter of the module struct, perhaps after one for the byte order, or
    more, for what is taken for structs alone."""
    if parameter.letter == "s":
        _check_size(parameter, size, shape)
        return
    letter = format[1:] if format[:1] in ("@", "=", "<", ">", "!") else format
    if letter in ("l", "L", "n", "N"):  # the same as one of the others
        letter = ("q" if size == 8 else "i") if letter in "ln" else ("Q" if size == 8 else "I")
    if letter != parameter.letter and not (parameter.letter in "bB" and letter == "c"):
        raise parameter.refuse(
            f"the array is of {NAMES.get(letter, format)}, not {NAMES[parameter.letter]}"
        )


def _check_size(parameter: _Parameter, size: int, shape: Any) -> None:
    """A struct is an element of its size, or a row of numbers that together have it."""
    if size != parameter.size and not (shape and size * shape[-1] == parameter.size):
        raise parameter.refuse(
            f"the type has {parameter.size} bytes, and the array's elements have {size}"
        )


def _check_order(parameter: _Parameter, is_contiguous: bool) -> None:
    if not is_contiguous:
        raise parameter.refuse(
            "the array is not in row-major order: pass numpy.ascontiguousarray(x)", ValueError
        )


# ---- Reductions ----------------------------------------------------------------------------------


class _Result:
    """A reduction whose result the call returns."""

    def __init__(self, parameter: _Parameter, count: Optional[int]) -> None:
        self.parameter = parameter
        self.count = count
        self.location = bytearray(8) if parameter.has_location else None
        if count is None:
            self.memory: Any = bytearray(parameter.size)
        else:
            import numpy

            if count < 1:
                raise parameter.refuse(f"{count} elements: one or more are needed", ValueError)
            if parameter.letter in "sy":
                raise parameter.refuse("pass an array of the results")
            self.memory = numpy.zeros(count, NAMES[parameter.letter])

    def argument(self) -> Any:
        if self.location is not None:
            return _TO_RESULT, self.memory, self.location
        return _TO_RESULT, self.memory

    def value(self, is_numpy: bool) -> Any:
        if self.count is not None:
            return self.memory
        letter = self.parameter.letter
        number = unpack(letter, self.memory)
        if is_numpy and letter not in "sy":
            number = sys.modules["numpy"].dtype(NAMES[letter]).type(number)
        return number if self.location is None else (number, unpack("Q", self.location))


def _reduction(parameter: _Parameter, given: Any) -> Any:
    """What the extension takes for a reduction: a pair, or a _Result."""
    part = getattr(given, "_part_of", None)
    if part is not None:
        return _TO_PART, *part(parameter)
    if given is None:
        if parameter.kind in SEVERAL:
            raise parameter.refuse("an array, or its number of elements, is needed")
        return _Result(parameter, None)
    if parameter.kind in SEVERAL and _is_integer(given):
        return _Result(parameter, int(given))
    if parameter.has_location:
        if not isinstance(given, tuple) or len(given) != 2:
            raise parameter.refuse("a pair is needed: an array, and one of uint64 for the location")
        where = parameter._replace(letter="Q", size=8)
        return _TO_VARIABLE, _array(parameter, given[0], True), _array(where, given[1], True)
    return _TO_VARIABLE, _array(parameter, given, True)


def _is_integer(given: Any) -> bool:
    """Whether it is a number and no array, which may have __index__ and no dimensions."""
    numpy = sys.modules.get("numpy")
    if hasattr(given, "shape"):
        return numpy is not None and isinstance(given, numpy.integer)
    return hasattr(given, "__index__")


@contextlib.contextmanager
def held(parts: Iterable[Any]) -> Iterator[None]:
    """Keeps other threads from using these reap.Parts. All threads lock them in the same order."""
    with contextlib.ExitStack() as locks:
        for part in sorted(parts, key=id):
            locks.enter_context(part._lock)
        yield


# ---- Kernels -------------------------------------------------------------------------------------


class Kernel:
    """A kernel, which is called with a range and arguments by name:

        k.saxpy(n, a=2.0, x=x, y=y)          n work-items
        k.blur((rows, columns), x=x, y=y)    rows * columns work-items
        k.tree(n, 256, x=x, sum=sum)         n work-items in work-groups of 256

    Arguments are named as the kernel's parameters, and have their types:

    in, out, inout  an array in row-major order; one that is written must be writable
    value           a number; a struct's bytes, such as numpy.void or bytes
    local           how many elements; a tuple of them for local_2d and local_3d
    reductions      an array of one element, of several for reduce_span, reduce_rows and
                    reduce_columns, whose value is included;
                    for reduce_location a pair of such arrays; or a reap.Part. Those that are
                    omitted are returned, without any previous value: one result alone, several as a
                    named tuple, (value, location) for reduce_location. For reduce_span, reduce_rows and
                    reduce_columns a number of elements in place of an array makes one.

    All are checked before the kernel runs, but not how many elements the arrays have. TypeError,
    ValueError and OverflowError name the kernel and the parameter. Work-items are numbered from
    `first_item` on where a reduction goes to a part; where a parameter has that name, it is the
    parameter's argument, and they are numbered from 0 on.
    """

    def __init__(self, description: Any, letters: dict[str, str], owner: "Kernels") -> None:
        self._description = description
        self._capsule, self.__name__, takes_ranges, takes_groups, parameters = description
        self._owner = owner
        self._takes_ranges, self._takes_groups = takes_ranges, takes_groups
        self._parameters = [
            _Parameter(self.__name__, *p, letters[p[0]]) for p in parameters if p[2] != _IDENTITY
        ]
        self._order = [p[0] if p[2] != _IDENTITY else None for p in parameters]
        self._names = {p.name for p in self._parameters}
        self._reductions = [p.name for p in self._parameters if p.operation is not None]
        self._seconds_of_item: Optional[float] = None
        self.__doc__ = f"{self!r}\n\n{Kernel.__doc__}"

    def __repr__(self) -> str:
        listed = "".join(f", {p}" for p in self._parameters)
        kind = "KERNEL" if not self._takes_groups else "ANY_KERNEL" if self._takes_ranges else (
            "ND_KERNEL")  # fmt: skip
        return f"REAP_{kind}({self.__name__}{listed})"

    def __reduce__(self) -> Any:
        return getattr, (self._owner, self.__name__)

    def __call__(
        self, range: Any, group: Any = None, /, *, first_item: Any = None, **arguments: Any
    ) -> Any:
        if "first_item" in self._names:
            arguments["first_item"], first_item = first_item, None
        self._check_names(arguments)
        given = map(arguments.get, self._reductions)
        parts = [part for part in given if hasattr(part, "_part_of")]
        if not parts:
            return self._call(range, group, first_item, arguments)
        with held(parts):
            return self._call(range, group, first_item, arguments)

    def _call(self, range: Any, group: Any, first_item: Any, arguments: dict[str, Any]) -> Any:
        sizes, groups = self._range(range, group)
        first = 0 if first_item is None else self._sizes("first_item", (first_item,))[0]
        given = {p.name: _argument(p, arguments.get(p.name)) for p in self._parameters}
        results = [g for g in given.values() if isinstance(g, _Result)]
        for result in results:
            given[result.parameter.name] = result.argument()
        self._launch(sizes, groups, tuple(map(given.get, self._order)), first)
        return self._results(results, arguments)

    def _check_names(self, arguments: dict[str, Any]) -> None:
        for name in arguments:
            if name not in self._names:
                raise TypeError(f"kernel '{self.__name__}' has no parameter '{name}': it is {self}")
        for p in self._parameters:
            if p.operation is None and arguments.get(p.name) is None:
                raise TypeError(f"kernel '{self.__name__}': the argument of {p} is missing")

    def _range(self, range: Any, group: Any) -> tuple[Any, Any]:
        sizes = self._sizes("the range", range)
        if group is None:
            if not self._takes_ranges:
                raise TypeError(
                    f"kernel '{self.__name__}' needs work-groups: give their size after the range"
                )
            return sizes, None
        if not self._takes_groups:
            raise TypeError(f"kernel '{self.__name__}' takes no work-groups: give the range alone")
        return sizes, self._sizes("the work-group size", group)

    def _sizes(self, what: str, given: Any) -> tuple[int, ...]:
        kind: type[Exception] = ValueError
        try:
            sizes = tuple(map(operator.index, given if isinstance(given, tuple) else (given,)))
            if not 1 <= len(sizes) <= 3:
                why = "it has 1, 2 or 3 sizes"
            elif min(sizes) < 0:
                why = "sizes are 0 or more"
            elif max(sizes) > _LARGEST_SIZE:
                kind, why = OverflowError, f"sizes are {_LARGEST_SIZE} or less"
            else:
                return sizes
        except TypeError as error:
            kind, why = TypeError, str(error)
        raise kind(f"kernel '{self.__name__}': {what} {given}: {why}")

    def _launch(self, sizes: Any, groups: Any, arguments: Any, first_item: int) -> None:
        items = 1
        for size in sizes:
            items *= size
        known = self._seconds_of_item
        may_be_long = known is None or items * known > _LONG_SECONDS
        before = time.perf_counter()
        _reap.launch(self._capsule, sizes, groups, arguments, first_item, may_be_long)
        seconds = time.perf_counter() - before - _CALL_SECONDS
        self._seconds_of_item = max(seconds, 0) / (items or 1)

    def _results(self, results: list[_Result], arguments: dict[str, Any]) -> Any:
        if not results:
            return None
        numpy = sys.modules.get("numpy")
        is_numpy = numpy is not None and any(
            isinstance(a, numpy.ndarray) for a in arguments.values()
        )
        values = [result.value(is_numpy) for result in results]
        if len(values) == 1:
            return values[0]
        names = [result.parameter.name for result in results]
        return _tuple_of(self.__name__, tuple(names), values)


def _argument(parameter: _Parameter, given: Any) -> Any:
    if parameter.kind in _ARRAYS:
        return _array(parameter, given, parameter.kind != _IN)
    if parameter.operation is not None:
        return _reduction(parameter, given)
    try:
        if parameter.kind == _VALUE:
            return pack(parameter.letter, parameter.size, given)
        sizes = given if isinstance(given, tuple) else (given,)
        if len(sizes) != _LOCALS[parameter.kind]:
            raise TypeError(f"{_LOCALS[parameter.kind]} sizes are needed")
        return b"".join(pack("Q", 8, size) for size in sizes)
    except (TypeError, ValueError, OverflowError) as error:
        raise parameter.refuse(str(error), type(error)) from None


_tuples: dict[tuple[str, tuple[str, ...]], Any] = {}


def _tuple_of(kernel: str, names: tuple[str, ...], values: Any) -> Any:
    """A named tuple. A class of its own can be pickled by the arguments of this function alone."""
    key = kernel, names
    if key not in _tuples:
        base = collections.namedtuple(kernel + "_results", names, rename=True)
        how = {
            "__slots__": (),
            "__reduce__": lambda self: (_tuple_of, (kernel, names, tuple(self))),
        }
        _tuples[key] = type(kernel + "_results", (base,), how)
    return _tuples[key](*values)


class Kernels:
    """The kernels of a file, as attributes, or by k['name']. It can be pickled: where it is read,
    it is compiled again."""

    def __init__(self, given: Any, options: tuple[str, ...]) -> None:
        is_file = isinstance(given, os.PathLike)
        file = Path(given).resolve() if is_file else Path("kernels.h")
        self._given = file if is_file else given, options
        described = build(None if is_file else given, file, options)
        self._kernels = {d[1]: Kernel(d, letters, self) for d, letters in described}
        if not self._kernels:
            raise ValueError("the text has no kernel")

    def __getattr__(self, name: str) -> Kernel:
        kernels = self.__dict__.get("_kernels", {})
        if name not in kernels:
            raise AttributeError(f"no kernel is called '{name}'; the text has {', '.join(kernels)}")
        return kernels[name]

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __iter__(self) -> Any:
        return iter(self._kernels.values())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._kernels.values()))

    def __reduce__(self) -> Any:
        return _compile_again, self._given


def _compile_again(given: Any, options: tuple[str, ...]) -> Kernels:
    return compile(given, options=options)


_Key = Tuple[str, Tuple[str, ...], Optional[str]]
_compiled: dict[_Key, Kernels] = {}
_locks: dict[_Key, Any] = {}  # of texts that are compiled, so that other threads wait
os.register_at_fork(after_in_child=_locks.clear)  # a thread that the child has not may hold some


def compile(text: str | os.PathLike[str], *, options: Sequence[str] = ()) -> Kernels:
    """Compiles a kernel file for every device.

    text     the text of a kernel file (docs/kernels.md); or a path (pathlib.Path) of one
    options  for the C compiler, such as ["-DTAPS=3", "-Iinclude"], whose relative paths are of the
             working directory; devices get a macro by REAP_KERNEL_MACRO

    The result has the file's kernels as attributes: reap.compile(text).saxpy is a reap.Kernel.

    The host's code is made by the system's C compiler, gcc or clang: `cc`, or what the environment
    variable CC names. Other devices compile the text when a kernel is first launched there. The same
    text is compiled once in a process.

    CompileError: the compiler refuses the text, or there is none. Its attribute `log` has all that
    the compiler said."""
    given = absolute(options)
    if isinstance(text, os.PathLike):
        return Kernels(text, given)
    key = text, given, os.environ.get("CC")
    if key not in _compiled:
        with _locks.setdefault(key, threading.Lock()):
            if key not in _compiled:
                _compiled[key] = Kernels(text, given)
    return _compiled[key]
