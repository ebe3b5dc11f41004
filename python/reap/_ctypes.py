# SPDX-License-Identifier: Apache-2.0
"""C's types and Python's values.

A type is a letter: that of the module struct, 'y' for bfloat16, or 's' for a struct and all else.
"""

from __future__ import annotations

import math
import operator
import re
import struct
import sys
from typing import Any, Optional

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


_HAS_OBJECTS = "the elements have objects of Python"
_OTHER_ORDER = "the elements have another byte order than this machine"
_OTHER_ORDERS = ">!" if sys.byteorder == "little" else "<"
MASKED = "masked arrays are not supported: pass x.compressed(), for example"


def is_masked(x: Any) -> bool:
    """Whether it is a masked array of NumPy."""
    numpy = sys.modules.get("numpy")
    return (
        numpy is not None
        and isinstance(x, numpy.ndarray)
        and isinstance(x, numpy.ma.MaskedArray)
    )


def refusal(x: Any) -> Optional[str]:
    """Why the bytes of a NumPy array or scalar, or of a memoryview, are not those of C's types; None:
    they are."""
    if isinstance(x, memoryview):
        return _refusal_of_format(x.format, x.itemsize)
    if is_masked(x):
        return MASKED
    if x.dtype.hasobject:
        return _HAS_OBJECTS
    return None if _is_native(x.dtype) else _OTHER_ORDER


def _is_native(dtype: Any) -> bool:
    """Whether the byte order is the machine's, of all members of a struct, too."""
    if dtype.subdtype is not None:
        return _is_native(dtype.subdtype[0])
    if dtype.fields is not None:
        return all(_is_native(member[0]) for member in dtype.fields.values())
    return dtype.isnative


def _refusal_of_format(format: str, size: int) -> Optional[str]:
    letters = re.sub(":[^:]*:", "", format)  # without the names of members
    if "O" in letters:
        return _HAS_OBJECTS
    return _OTHER_ORDER if size > 1 and any(o in letters for o in _OTHER_ORDERS) else None


def pack(letter: str, size: int, value: Any) -> bytes:
    """The bytes of a value of a type. TypeError and OverflowError say what is wrong with it."""
    if letter == "s":
        return _pack_struct(size, value)
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"a number is needed, not {type(value).__name__}")
    if type(value) not in (int, float) and is_masked(value):
        raise TypeError(MASKED)
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
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, (numpy.ndarray, numpy.generic)):
        value = memoryview(value)
    why = refusal(value)
    if why:
        raise TypeError(why)
    octets = value.tobytes()
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
