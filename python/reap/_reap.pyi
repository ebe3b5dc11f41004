# SPDX-License-Identifier: Apache-2.0
# What python/extension/module.c has. Arrays are objects with a buffer (PEP 3118).
from typing import Any, Final

SUM: Final[int]
EXACT_SUM: Final[int]
MINIMUM: Final[int]
MAXIMUM: Final[int]
ARGMIN: Final[int]
ARGMAX: Final[int]
NORM_1: Final[int]
NORM_2: Final[int]
NORM_INFINITY: Final[int]
COUNT_NONZERO: Final[int]
version: Final[str]

class Error(RuntimeError):
    status: str

def reduce(reduction: int, x: Any, axes: int, result: Any, is_bfloat16: bool, /) -> Any: ...
def result_format(reduction: int, x: Any, is_bfloat16: bool, /) -> str: ...
def dot(x: Any, y: Any, is_bfloat16: bool, /) -> Any: ...
def moments(x: Any, axes: int, result: Any, is_bfloat16: bool, /) -> int: ...
def reduce_where(
    x: Any, axes: int, where: Any, result: Any, narrow: int, reduction: int, /
) -> None: ...
def count(
    x: Any, axes: int, where: Any, result: Any, narrow: int, comparison: int, a: Any, b: Any, /
) -> None: ...
def minmax(x: Any, axes: int, where: Any, smallest: Any, narrow: int, largest: Any, /) -> None: ...
def sum_bins(
    x: Any, edges: Any, weights: Any, where: Any, result: Any, narrow: int, leaves_out: int, /
) -> int: ...
def comoments(
    x: Any, y: Any, where: Any, narrow: int, /
) -> tuple[int, float, float, float, float, float]: ...
def scan(
    scan: int,
    x: Any,
    axis: int,
    is_exclusive: bool,
    initial: Any,
    result: Any,
    is_bfloat16: bool,
    /,
) -> None: ...
def segments(reduction: int, x: Any, offsets: Any, result: Any, is_bfloat16: bool, /) -> None: ...
def devices() -> list[str]: ...

class Foreign:
    shape: tuple[int, ...]
    ndim: int
    format: str  # as in the module struct, or "bfloat16"
    ordinal: int  # of the CUDA device; -1: the elements are in the program's memory
    address: int
    def with_axis(self) -> Foreign: ...
    def flat(self) -> Foreign | None: ...  # None: not in row-major order
    def broadcast_to(self, shape: tuple[int, ...], /) -> Foreign: ...

def from_dlpack(capsule: Any, stream: int, /) -> Foreign: ...
def from_pointer(
    owner: Any,
    type: str,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None,
    address: int,
    is_read_only: bool,
    ordinal: int,
    stream: int,
    /,
) -> Foreign: ...

# Kernels and parts are capsules
def load_kernels(path: Any, /) -> list[tuple[Any, str, bool, bool, list[Any]]]: ...
def load_types(path: Any, /) -> str: ...
def launch(
    kernel: Any,
    sizes: tuple[int, ...],
    groups: tuple[int, ...] | None,
    arguments: tuple[Any, ...],
    first_item: int,
    may_be_long: bool,
    /,
) -> None: ...
def make_part(kernel: Any, reduction: str, /) -> Any: ...
def read_part(kernel: Any, reduction: str, octets: bytes, /) -> Any: ...
def write_part(part: Any, /) -> bytes: ...
def copy_part(part: Any, /) -> Any: ...
def merge_part(into: Any, part: Any, /) -> None: ...
def part_ranges(part: Any, /) -> list[tuple[int, int]]: ...
def finish_part(part: Any, result: Any, location: Any, /) -> None: ...
def part_kernel(kind: str, letter: str, /) -> tuple[Any, str, bool, bool, list[Any]]: ...
