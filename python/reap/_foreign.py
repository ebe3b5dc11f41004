# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries: CuPy, PyTorch, Numba and all that have DLPack or
__cuda_array_interface__. None of them is imported here."""

from __future__ import annotations

import sys
from typing import Any, Optional

from . import _reap

_CUDA = 2, 13  # of DLPack's numbers of devices: its own memory, and managed memory
_DEFAULT_STREAM, _DEFAULT_STREAM_OF_THREAD = 1, 2  # as DLPack and the interface number them


# PyTorch's types as the interface names them
_TENSOR_TYPES = {
    "torch.bool": "b1", "torch.int8": "i1", "torch.int16": "i2", "torch.int32": "i4", "torch.int64": "i8",
    "torch.uint8": "u1", "torch.uint16": "u2", "torch.uint32": "u4", "torch.uint64": "u8",
    "torch.float16": "f2", "torch.float32": "f4", "torch.float64": "f8",
}  # fmt: skip


def import_array(x: Any) -> Optional[_reap.Foreign]:
    """The elements of `x` where they are; None if it has neither of the protocols. DLPack takes some
    ten microseconds for the arrays of PyTorch and CuPy, so it is for those that need it."""
    array = _from_known_library(x)
    if array is not None:
        return array
    if hasattr(x, "__dlpack__"):
        return _from_dlpack(x)
    interface = getattr(x, "__cuda_array_interface__", None)
    return None if interface is None else _from_interface(x, interface)


def _from_known_library(x: Any) -> Optional[_reap.Foreign]:
    """An array of PyTorch or CuPy on a CUDA device; None if DLPack has to take it, or to refuse it."""
    torch = sys.modules.get("torch")
    if torch is not None and type(x) is torch.Tensor:
        return _from_tensor(torch, x) if x.is_cuda and torch.version.cuda is not None else None
    if type(x).__module__.partition(".")[0] != "cupy":
        return None
    interface = getattr(x, "__cuda_array_interface__", None)
    # Without the stream only DLPack has the default stream wait for CuPy's
    if interface is None or interface.get("stream") is None or interface["typestr"][1:2] not in ("i", "u", "f", "b"):
        return None
    return _from_interface(x, interface)


def _from_tensor(torch: Any, x: Any) -> Optional[_reap.Foreign]:
    name = _TENSOR_TYPES.get(str(x.dtype))
    if name is None or x.requires_grad or x.layout is not torch.strided or x.is_neg():
        return None
    strides = None
    if not x.is_contiguous():
        size = x.element_size()
        strides = tuple(size * stride for stride in x.stride())
    ordinal = x.get_device()
    return _reap.from_pointer(
        x, name, x.shape, strides, x.data_ptr(), False, ordinal, _handle(_stream_of(x, ordinal))
    )


def _from_dlpack(x: Any) -> _reap.Foreign:
    device, ordinal = x.__dlpack_device__()
    if device not in _CUDA:
        capsule = _capsule(x)  # whose destructor must not run while an exception is raised
        return _reap.from_dlpack(capsule, 0)
    stream = _stream_of(x, ordinal)
    # The library has the stream wait for what makes the elements
    capsule = _capsule(x, stream=stream)
    return _reap.from_dlpack(capsule, _handle(stream))


def _capsule(x: Any, **stream: int) -> Any:
    try:
        return x.__dlpack__(max_version=(1, 0), **stream)
    except TypeError:  # it is from before DLPack 1.0
        return x.__dlpack__(**stream)


def _stream_of(x: Any, ordinal: int) -> int:
    """The stream on which the library of `x` is at work, as a number of the protocols."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # without a Stream around it
        stream = raw(ordinal) if raw else torch.cuda.current_stream(ordinal).cuda_stream
    else:
        stream = getattr(x, "__cuda_array_interface__", {}).get("stream")
    # A thread's own default stream is another one in another thread; the default stream waits for it
    return stream if stream not in (None, 0, _DEFAULT_STREAM_OF_THREAD) else _DEFAULT_STREAM


def _handle(stream: int) -> int:
    """The CUstream of a protocol's number."""
    return 0 if stream == _DEFAULT_STREAM else stream


def _from_interface(x: Any, interface: dict[str, Any]) -> _reap.Foreign:
    if interface.get("mask") is not None:
        raise TypeError("masked arrays are not supported")
    order, kind = interface["typestr"][:1], interface["typestr"][1:]
    if order == (">" if sys.byteorder == "little" else "<") and kind[1:] != "1":
        raise TypeError(f"elements of the type '{order}{kind}' have another byte order")
    address, is_read_only = interface["data"]
    ordinal = _ordinal_of(x)
    return _reap.from_pointer(
        x, kind, tuple(interface["shape"]), interface.get("strides"), address, is_read_only,
        ordinal, _handle(_stream_of(x, ordinal)),
    )  # fmt: skip


def _ordinal_of(x: Any) -> int:
    """The number of the card, which the interface does not tell."""
    device = getattr(x, "device", None)
    for name in ("id", "index"):
        number = getattr(device, name, None)
        if isinstance(number, int):
            return number
    return 0


def empty_like(x: Any, shape: tuple[int, ...], name: str) -> Any:
    """An array without values where `x` is, of the library of `x`, with a type of NumPy's name; or
    None, if that library is not known."""
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        torch = sys.modules["torch"]
        # PyTorch before 2.3 has no uint64, whose bits are those of int64
        kind = getattr(torch, name, torch.int64)
        return torch.empty(shape, dtype=kind, device=x.device)
    if library == "cupy":
        with x.device:
            return sys.modules["cupy"].empty(shape, dtype=name)
    return None


def array_like(x: Any, array: Any) -> Any:
    """A copy of a NumPy array where `x` is, of the library of `x`; or None, as empty_like()."""
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].tensor(array, device=x.device)
    if library == "cupy":
        with x.device:
            return sys.modules["cupy"].asarray(array)
    return None
