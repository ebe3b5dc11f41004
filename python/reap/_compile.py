# SPDX-License-Identifier: Apache-2.0
"""The system's C compiler, which makes the host's side of a kernel file. Devices compile the file's
text, which the result contains, when a kernel is launched there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Sequence

from . import _reap
from ._ctypes import KNOWN

_HEADERS = Path(__file__).resolve().parent / "include"

_KERNELS = """#define REAP_LIST_KERNELS
#include "{file}"
#include <reap/compile.h>
extern const struct reap_kernel *const *reap_python_kernels(size_t *count);
const struct reap_kernel *const *reap_python_kernels(size_t *count)
{{
    return reap_listed_kernels(count);
}}
"""

# The letters of the module struct; 'y' is bfloat16, 's' any other type.
_TYPES = """#include "{file}"
#define LETTER(x) _Generic((x), bool: '?', char: (char)-1 < 0 ? 'b' : 'B', signed char: 'b', \\
    unsigned char: 'B', short: 'h', unsigned short: 'H', int: 'i', unsigned: 'I', \\
    long: sizeof(long) == 8 ? 'q' : 'i', unsigned long: sizeof(long) == 8 ? 'Q' : 'I', \\
    long long: 'q', unsigned long long: 'Q', reap_half: 'e', reap_bfloat16: 'y', float: 'f', \\
    double: 'd', default: 's')
extern const char reap_python_types[];
const char reap_python_types[] = {{{letters}, 0}};
"""


class CompileError(_reap.Error):
    """A kernel file that the C compiler refuses, or no C compiler.

    `log` is what the compiler said."""

    log = ""
    status = "REAP_ERROR_COMPILATION_FAILED"


def _compiler() -> list[str]:
    given = os.environ.get("CC", "")
    try:
        return shlex.split(given) or ["cc"]
    except ValueError as error:
        raise CompileError(
            f"the environment variable CC does not name a compiler: {given} ({error})"
        ) from None


_FOLDERS = "-I", "-L", "-iquote", "-isystem", "-idirafter"
_FILES = "-include", "-imacros"


def absolute(options: Sequence[str]) -> tuple[str, ...]:
    """Options whose relative paths are made absolute, since the compiler runs in another folder."""
    if isinstance(options, (str, bytes)):
        raise TypeError(f"options are a list, such as [{options!r}], and not {options!r}")
    found: list[str] = []
    before = ""
    for option in options:
        if before in _FOLDERS or (before in _FILES and os.path.exists(option)):
            option, before = _absolute(option), ""
        else:
            before = option
            name = next((name for name in _FOLDERS if option.startswith(name)), option)
            if len(option) > len(name):
                option = name + _absolute(option[len(name) :])
        found.append(option)
    return tuple(found)


def _absolute(path: str) -> str:
    """A path that begins with "=" is in the root of the compiler's headers."""
    return path if path.startswith("=") else os.path.abspath(path)


def _source(form: str, file: Path, **given: str) -> bytes:
    """A text for the compiler in UTF-8, with the file's name as the system has it."""
    return form.format(file="\0", **given).encode().replace(b"\0", os.fsencode(file))


def _run(text: bytes, output: Path, options: Sequence[str]) -> str:
    """Makes a shared library of a text. Returns what the compiler said."""
    words = _compiler()
    command = [*words, "-x", "c", "-fPIC", "-shared", "-fno-lto", *options, "-I", str(_HEADERS)]
    try:
        process = subprocess.run(
            [*command, "-o", str(output), "-"],
            input=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=output.parent,
        )
    except OSError as error:
        raise CompileError(
            f"kernels are compiled by the system's C compiler, and '{words[0]}' cannot be run "
            f"({error.strerror}): install gcc or clang, or name a compiler by the environment "
            "variable CC"
        ) from None
    log = process.stdout.decode(errors="replace")
    if process.returncode and log.strip():
        raise _refused(log)
    if process.returncode:
        raise _refused(log, f"'{words[0]}' ended with the status {process.returncode}")
    return log


def _refused(log: str, line: str = "") -> CompileError:
    """The first line of the log that has an error, unless another is given, and the whole log."""
    found = re.search(r"^.*\berror: .*$", log, re.M)
    line = line or (found[0] if found else log.strip().partition("\n")[0])
    error = CompileError(f"the kernel file does not compile: {line}\n{log}".rstrip())
    error.log = log
    return error


def build(text: str | None, file: Path, options: Sequence[str]) -> list[Any]:
    """Descriptions of a file's kernels; `text` is its text, or None: the file has it."""
    with tempfile.TemporaryDirectory(prefix="reap-") as name:
        folder = Path(name)
        if text is not None:
            (folder / file).write_bytes(text.encode())
        given = ["-O2", "-Werror=implicit-function-declaration", *options]
        log = _run(_source(_KERNELS, file), folder / "kernels.so", given)
        try:
            kernels = _reap.load_kernels(folder / "kernels.so")
        except ImportError as error:  # a function is declared, and not defined
            raise _refused(log, str(error)) from None
        return [*zip(kernels, _letters(kernels, file, folder, options))]


def _letters(kernels: Any, file: Path, folder: Path, options: Sequence[str]) -> list[dict[str, str]]:
    """For each kernel the letters of its parameters' types, by the names of the parameters."""
    unknown = []
    for _, kernel, _, _, parameters in kernels:
        for name, type_name, kind, _, operation, _ in parameters:
            if KNOWN.get(type_name) is None:
                how = "[0]" if kind < 3 else ".variable[0]" if operation else ""
                unknown.append((kernel, name, how))
    found = dict(zip([name[:2] for name in unknown], _ask(unknown, kernels, file, folder, options)))
    return [
        {p[0]: KNOWN.get(p[1]) or found[kernel, p[0]] for p in parameters}
        for _, kernel, _, _, parameters in kernels
    ]


def _ask(
    unknown: list[tuple[str, str, str]], kernels: Any, file: Path, folder: Path, options: Sequence[str]
) -> str:
    """The letters of types with names that are the file's own."""
    if not unknown:
        return ""
    letters = ", ".join(f"LETTER(((struct reap_arguments_{k} *)0)->{name}{how})" for k, name, how in unknown)
    text = _source(_TYPES, file, letters=letters)
    _run(text, folder / "types.so", ["-O0", "-w", *options])
    return _reap.load_types(folder / "types.so")
