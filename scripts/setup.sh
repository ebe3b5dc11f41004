#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that a purpose needs and this machine lacks. It looks for what it
# needs first, and calls no package manager when nothing is missing. Where it cannot install (no
# apt-get, no network, no way to become root) it says what is missing and what is left out for it,
# and goes on; it fails only where Reap cannot be built at all.
#
# Usage: setup.sh build|check|bench|reference|wheel
set -u

purpose=${1:?usage: setup.sh build|check|bench|reference|wheel}
missing=() left_out=()

# need PACKAGE WHAT_IS_LEFT_OUT TEST [ARGUMENT...]: notes the package where the test fails.
need() {
    "${@:3}" >/dev/null 2>&1 && return
    missing+=("$1")
    left_out+=("$2")
}
on_path() { command -v "$1"; }
compiler() { command -v cc || command -v gcc || command -v clang; }
links() { # links COMPILER OPTION...: whether it makes a program
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' |
        "$1" -x c - -o /dev/null "${@:2}"
}
has_header() { printf '#include <%s>\n' "$1" | "$(compiler)" -E -x c - -o /dev/null; }
has_tbb() { printf '#include <tbb/version.h>\n' | c++ -E -x c++ - -o /dev/null; }
has_python() { "$(dirname "$0")/../tests/support/python.sh" "$1" -c ""; }
has_library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -qF "$1 "; }
compiler_links() { links "$(compiler)"; }
# The first Python 3 of PATH that has its headers is the one that CMake finds.
has_python_headers() {
    python3 -c 'import os, sysconfig
open(os.path.join(sysconfig.get_path("include"), "Python.h"))'
}
need_python() {
    need python3-dev "the Python package" has_python_headers
    need python3-setuptools "the wheel of the Python package" has_python setuptools
    need python3-wheel "the wheel of the Python package" has_python "setuptools wheel"
    need python3-pip "the wheel of the Python package" has_python "setuptools wheel pip"
    need python3-venv "the test of the wheel" has_python "venv ensurepip"
}

look() {
    missing=() left_out=()
    if [ "$purpose" = reference ]; then
        need doxygen "the reference" on_path doxygen
        return
    fi
    need gcc "nothing can be built" compiler
    need libc6-dev "nothing can be built" compiler_links
    need cmake "nothing can be built" on_path cmake
    need make "nothing can be built" on_path make
    need pkg-config "the examples and the tests that find Reap through it" on_path pkg-config
    need zlib1g-dev "files compressed by gzip, for reap describe" has_header zlib.h
    need libzstd-dev "files compressed by zstd, for reap describe" has_header zstd.h
    need libzip-dev ".npz archives, for reap describe" has_header zip.h
    need libhdf5-dev "HDF5 files, for reap describe" ls /usr/include/hdf5/serial/hdf5.h
    need libnetcdf-dev "NetCDF files, for reap describe" has_header netcdf.h
    need libjson-c-dev "reap describe --json, reap bench --json" has_header json-c/json.h
    case $purpose in
    wheel) need_python ;;
    check)
        need gcc "the builds with gcc" on_path gcc
        need g++ "the headers as C++ (with gcc)" on_path g++
        need clang "the builds with clang, the thread sanitizer, fuzzing" on_path clang
        need libclang-rt-dev "the thread sanitizer, fuzzing" links clang -fsanitize=thread
        need clang-format "the check of the layout" on_path clang-format
        need clang-tidy "the static analysis" on_path clang-tidy
        need doxygen "the check of the reference" on_path doxygen
        need valgrind "kernels with work-groups under Valgrind" on_path valgrind
        need python3-numpy "reap describe beside NumPy, the Python package" has_python numpy
        need python3-hypothesis "the Python package beside NumPy" has_python hypothesis
        need_python
        need python3-pandas "reap describe beside pandas" has_python pandas
        need python3-h5py "HDF5 files for reap describe" has_python h5py
        need python3-netcdf4 "NetCDF files for reap describe" has_python netCDF4
        need gnuplot-nox "reap bench --svg" on_path gnuplot
        need zstd "files compressed by zstd" on_path zstd
        need ocl-icd-libopencl1 "kernels on an OpenCL device" has_library libOpenCL.so.1
        need pocl-opencl-icd "kernels on an OpenCL device" ls /etc/OpenCL/vendors/pocl.icd
        need ninja-build "nothing, but the checks take longer" on_path ninja
        need openmpi-bin "reductions over ranks of Open MPI" on_path mpirun.openmpi
        need libopenmpi-dev "reductions over ranks of Open MPI" on_path mpicc.openmpi
        need mpich "reductions over ranks of MPICH" on_path mpirun.mpich
        need libmpich-dev "reductions over ranks of MPICH" on_path mpicc.mpich
        need meson "the use of an installed Reap with Meson" on_path meson
        if [ "$(uname -m)" != aarch64 ]; then
            need gcc-aarch64-linux-gnu "the build for aarch64" on_path aarch64-linux-gnu-gcc
            need libc6-dev-arm64-cross "the build for aarch64" links aarch64-linux-gnu-gcc
            need qemu-user "the tests on aarch64" on_path qemu-aarch64
        fi
        ;;
    bench)
        need gcc "the comparison with OpenMP" links gcc -fopenmp
        need opencl-c-headers "the comparison with OpenCL" has_header CL/cl.h
        need ocl-icd-libopencl1 "the comparison with OpenCL" has_library libOpenCL.so.1
        need pocl-opencl-icd "the comparison with OpenCL" ls /etc/OpenCL/vendors/pocl.icd
        need libopenblas0-pthread "the comparison with OpenBLAS" has_library libopenblas.so.0
        need clang "the comparison with OpenMP as clang compiles it" on_path clang
        need libomp-dev "the comparison with OpenMP as clang compiles it" links clang -fopenmp
        need g++ "the comparison with TBB" on_path c++
        need libtbb-dev "the comparison with TBB" has_tbb
        need python3-numpy "the comparison with NumPy" has_python numpy
        need gnuplot-nox "pictures of what was measured" on_path gnuplot
        ;;
    esac
}

# as_root COMMAND...: runs it as root, quietly; where that fails, says so with its last words.
as_root() {
    local words
    if [ "$(id -u)" != 0 ] && [ -t 0 ]; then
        set -- sudo "$@"
    elif [ "$(id -u)" != 0 ]; then
        set -- sudo -n "$@"
    fi
    words=$("$@" 2>&1) || echo "setup: '$*' fails: $(tail -n 1 <<<"$words")" >&2
}

install_missing() {
    local packages apt
    mapfile -t packages < <(printf '%s\n' "${missing[@]}" | sort -u)
    if ! command -v apt-get >/dev/null; then
        echo "setup: no apt-get here; these packages of Debian are missing: ${packages[*]}" >&2
        return
    fi
    echo "setup: installing ${packages[*]}"
    apt=(apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=1)
    as_root timeout 300 "${apt[@]}" update
    as_root env DEBIAN_FRONTEND=noninteractive "${apt[@]}" -y --no-install-recommends \
        install "${packages[@]}"
}

case $purpose in
build | check | bench | reference | wheel) ;;
*)
    echo "usage: setup.sh build|check|bench|reference|wheel" >&2
    exit 2
    ;;
esac

look
[ ${#missing[@]} = 0 ] && exit 0
install_missing
look
for i in "${!missing[@]}"; do
    echo "setup: ${missing[i]} is missing: left out: ${left_out[i]}" >&2
done
case " ${left_out[*]} " in
*"nothing can be built"*) exit 1 ;;
esac
exit 0
