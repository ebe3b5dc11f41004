# SPDX-License-Identifier: Apache-2.0
"""C's types and Python's values.

A type is a letter: that of the module struct, 'y' for bfloat16, or 's' for a struct and all else.
"""

from __future__ import annotations

import math
import operator
import struct
from typing import Any

_SIZED = {f"{sign}int{bits}_t": letter for sign, letters in (("", "bhiq"), ("u", "BHIQ"))
          for bits, letter in zip((8, 16, 32, 64), letters)}  # fmt: skip
_LONG = "q" if struct.calcsize("l") == 8 else "i"

# C's names of types
KNOWN = {
    **_SIZED,
    "bool": "?", "_Bool": "?", "signed char": "b", "unsigned char": "B", "short": "h",
    "unsigned short": "H", "int": "i", "unsigned": "I", "unsigned int": "I", "long": _LONG,
    "unsigned long": _LONG.upper(), "long long": "q", "unsigned long long": "Q",
    "size_t": "Q" if struct.calcsize("P") == 8 else "I", "float": "f", "double": "d",
    "reap_half": "e", "reap_bfloat16": "y",
}  # fmt: skip

NAMES = {
    "?": "bool", "b": "int8", "B": "uint8", "h": "int16", "H": "uint16", "i": "int32",
    "I": "uint32", "q": "int64", "Q": "uint64", "e": "float16", "y": "bfloat16", "f": "float32",
    "d": "float64",
}  # fmt: skip

INTEGERS = "bBhHiIqQ"


def pack(letter: str, size: int, value: Any) -> bytes:
    """The bytes of a value of a type. TypeError and OverflowError say what is wrong with it."""
    if letter == "s":
        return _pack_struct(size, value)
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"a number is needed, not {type(value).__name__}")
    if letter == "y":
        return _pack_bfloat16(value)
    try:
        if letter in INTEGERS:
            return struct.pack(letter, operator.index(value))
        number = float(value)
        # "=": of native floats struct.pack makes infinity of a number that is too large
        return struct.pack("=" + letter, bool(number) if letter == "?" else number)
    except (struct.error, OverflowError):
        raise OverflowError(f"{value} does not fit {NAMES[letter]}") from None


def _pack_struct(size: int, value: Any) -> bytes:
    octets = value.tobytes() if hasattr(value, "tobytes") else bytes(memoryview(value))
    if len(octets) != size:
        raise TypeError(f"a value of {len(octets)} bytes, where the type has {size}")
    return octets


def _pack_bfloat16(value: Any) -> bytes:
    """Rounded to the nearest, ties to even."""
    (bits,) = struct.unpack("I", pack("f", 4, value))
    if value != value:
        return struct.pack("H", bits >> 16 | 0x40)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    if rounded & 0x7FFF == 0x7F80 and not math.isinf(value):
        raise OverflowError(f"{value} does not fit bfloat16")
    return struct.pack("H", rounded)


def unpack(letter: str, octets: bytes) -> Any:
    """Python's value of the bytes of a type; bytes of a struct."""
    if letter == "s":
        return bytes(octets)
    if letter == "y":
        return struct.unpack("f", b"\0\0" + octets if _IS_LITTLE else octets + b"\0\0")[0]
    return struct.unpack(letter, octets)[0]


_IS_LITTLE = struct.pack("=H", 1) == b"\1\0"
