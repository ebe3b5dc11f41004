# SPDX-License-Identifier: Apache-2.0
"""Builds the package: CMake compiles the extension and the program `reap`, setuptools makes the wheel
of them.

The extension uses the stable part of Python's interface, so the wheel is for Python 3.11 and later.
The name of the wheel says which Linux systems it is for: those with the C library whose symbols the
extension and the program need (PEP 600, manylinux). The program contains the optional libraries that
it uses (tools/CMakeLists.txt), and the wheel their licenses. What is built is in build/wheel of the
checkout, or in a folder that is configured already, if REAP_BUILD names one.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from distutils.command.build_scripts import build_scripts  # which setuptools provides

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # since setuptools 70.1
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "wheel"
FIRST_PYTHON = "cp311"

# Of these PEP 600 says that every system has them.
SYSTEM_LIBRARIES = re.compile(r"(lib(c|m|dl|rt|pthread|gcc_s)|ld-linux[-\w]*)\.so\.\d")


def version():
    text = (ROOT / "include/reap/version.h").read_text()
    return ".".join(re.findall(r"define REAP_VERSION_[A-Z]+ (\d+)", text))


@functools.cache
def build():
    """The folder in which CMake has built the extension and the program."""
    folder = os.environ.get("REAP_BUILD")
    if not folder:
        folder = BUILD / "cmake"
        options = ["TESTS=OFF", "TOOL=ON", "MPI=OFF", "INSTALL=OFF", "PYTHON=ON"]
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release"]
            + ["-DREAP_" + option for option in options]
            + ["-DPython3_EXECUTABLE=" + sys.executable],
            check=True,
        )
    subprocess.run(
        ["cmake", "--build", folder, "--target", "reap_python", "reap_wheel_tool", "--parallel"]
        + [os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count())],
        check=True,
    )
    return Path(folder)


def extension():
    return build() / "python/reap/_reap.abi3.so"


def program():
    return build() / "tools/wheel/bin/reap"


class BuildExtension(build_ext):
    def build_extension(self, extension_):
        target = Path(self.get_ext_fullpath(extension_.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(extension(), target)
        headers = target.parent / "include/reap"  # which kernels that Python compiles include
        shutil.copytree(ROOT / "include/reap", headers, dirs_exist_ok=True)


class BuildScripts(build_scripts):
    """The program is copied as it is; the base class reads a script as text."""

    def run(self):
        Path(self.build_dir).mkdir(parents=True, exist_ok=True)
        shutil.copy(program(), self.build_dir)

    def get_source_files(self):
        return []


def manylinux(files, platform):
    """The tag of the systems that have what the files need; `platform` where that is unknown."""
    try:
        needs = subprocess.run(
            ["objdump", "-p", *files], check=True, capture_output=True, text=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return platform
    libraries = re.findall(r"^ +NEEDED +(\S+)", needs, re.M)
    versions = [tuple(map(int, found)) for found in re.findall(r"\bGLIBC_(\d+)\.(\d+)", needs)]
    if not versions or not all(map(SYSTEM_LIBRARIES.fullmatch, libraries)):
        return platform
    machine = platform.removeprefix("linux_")
    return "manylinux_{}_{}_{}".format(*max(versions), machine)


class Wheel(bdist_wheel):
    """A wheel with the tags of the stable interface and of manylinux, and with licenses."""

    def get_tag(self):
        platform = super().get_tag()[2]
        if platform.startswith("linux_"):
            platform = manylinux([extension(), program()], platform)
        return FIRST_PYTHON, "abi3", platform

    def write_wheelfile(self, folder, *arguments, **options):
        super().write_wheelfile(folder, *arguments, **options)
        licenses = Path(folder) / "licenses"
        shutil.copytree(build() / "tools/wheel/licenses", licenses, dirs_exist_ok=True)


BUILD.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    long_description=(ROOT / "docs/python.md").read_text(),
    long_description_content_type="text/markdown",
    ext_modules=[Extension("reap._reap", [], py_limited_api=True)],
    scripts=["reap"],
    cmdclass={
        "build_ext": BuildExtension,
        "build_scripts": BuildScripts,
        "bdist_wheel": Wheel,
    },
    options={
        "build": {"build_base": str(BUILD / "python")},
        "egg_info": {"egg_base": str(BUILD)},
    },
)
