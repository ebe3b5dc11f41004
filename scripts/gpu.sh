#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that needs a card, on a machine that has one, without a network: builds Reap, runs the
# contract programs and the conformance suite (check-devices.sh) on every device that `reap devices`
# lists, and the benchmark beside CUB; prints one table at the end. What was printed, and the
# benchmark's JSON file, is left in OUTDIR, build/gpu/report by default. Needs a C compiler (CC,
# default gcc), CMake and nvcc; what is missing is said.
#
# Usage: gpu.sh [OUTDIR]    BENCH_OPTIONS=--quick: options of the benchmark
# shellcheck disable=SC2317 # functions are called by step
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
build=build/gpu
out=${1:-$build/report}
mkdir -p "$build" "$out" || exit 2
out=$(cd "$out" && pwd)
prefix=$PWD/$build/installed
export COMPILERS=${CC:-gcc}
unset REAP_NUM_THREADS REAP_DEVICE REAP_BACKENDS REAP_HOST_ISA REAP_CACHE_DIR DESTDIR
unset OMP_NUM_THREADS
table=() failed=0

# step NAME COMMAND...: runs it into OUTDIR/NAME.log, and notes how it went.
step() {
    local name=$1 started=$SECONDS result=ok
    shift
    echo "== $name"
    if ! "$@" >"$out/$name.log" 2>&1; then
        result=FAILED
        failed=1
        tail -n 40 "$out/$name.log"
    fi
    table+=("$(printf '%-12s %-6s %4d s   %s' "$name" "$result" $((SECONDS - started)) \
        "$(tail -n 1 "$out/$name.log" | cut -c 1-100)")")
    [ $result = ok ]
}

note() { # note NAME TEXT: a step that was left out
    table+=("$(printf '%-12s %-6s        %s' "$1" "-" "$2")")
}

# NVIDIA's OpenCL is found by a file that names its library; where the file is missing and the
# library is not, a folder of our own has one, beside the files that are there.
find_opencl() {
    local vendors=/etc/OpenCL/vendors folder=$PWD/$build/vendors
    if [ -n "${OCL_ICD_VENDORS:-}" ] || ! ldconfig -p | grep -q 'libnvidia-opencl\.so\.1' ||
        grep -qs nvidia "$vendors"/*.icd; then
        return
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$vendors"/*.icd "$folder" 2>/dev/null
    echo libnvidia-opencl.so.1 >"$folder/nvidia.icd"
    export OCL_ICD_VENDORS=$folder
}

# The contract's script asks pkg-config; where there is none, a stand-in knows this one package.
find_pkg_config() {
    ! command -v pkg-config >/dev/null || return 0
    mkdir -p "$build/bin"
    printf '#!/bin/sh\necho "-I%s/include -L%s/lib -lreap"\n' "$prefix" "$prefix" \
        >"$build/bin/pkg-config"
    chmod +x "$build/bin/pkg-config"
    PATH=$PWD/$build/bin:$PATH
}

build_all() {
    cmake --preset release -B "$build" -DCMAKE_C_COMPILER="$COMPILERS" -DREAP_TESTS=OFF \
        -DREAP_BENCH_GPU=ON -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib &&
        cmake --build "$build" --parallel "$(nproc)" &&
        cmake --install "$build" >/dev/null &&
        echo "$("$COMPILERS" --version | head -n 1); $(cmake --version | head -n 1)"
}

build_tests() {
    cmake -DREAP_TESTS=ON "$build" && cmake --build "$build" --parallel "$(nproc)"
}

list_devices() {
    "$prefix/bin/reap" devices &&
        echo "devices: $("$prefix/bin/reap" devices --names | tr '\n' ' ')"
}

benchmark() {
    # shellcheck disable=SC2086
    "$build/bench/gpu/reap-bench-gpu" --json "$out/benchmark.json" ${BENCH_OPTIONS:-}
}

find_opencl
find_pkg_config
if step build build_all; then
    step devices list_devices
    cat "$out/devices.log"
    "$prefix/bin/reap" devices --names | grep -q '^cuda:' ||
        note cuda "no CUDA device is listed: see $out/devices.log"
    step contract tests/contract/check "$prefix"
    ! step tests build_tests || step conformance scripts/check-devices.sh "$build"
    if [ -x "$build/bench/gpu/reap-bench-gpu" ]; then
        step benchmark benchmark
        cat "$out/benchmark.log"
    else
        note benchmark "not built: $(grep -o 'The GPU benchmark is left out.*' "$out/build.log")"
    fi
fi
printf '\n== gpu.sh\n' | tee "$out/table.txt"
printf '%s\n' "${table[@]}" | tee -a "$out/table.txt"
exit $failed
