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
