#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzz targets (tests/fuzz) with clang in build/fuzz, and runs them, as many at a time as
# there are processors. An input that fails is left in build/fuzz/failed;
# `build/fuzz/tests/fuzz/fuzz_TARGET FILE` runs it again.
#
# With SECONDS, each target runs that long, with other inputs each time: it starts with its corpus
# in tests/fuzz/corpus and with the inputs that earlier runs found, which are in build/fuzz/found.
# With `fixed`, each target runs a fixed number of inputs, always the same: they come from its
# corpus alone and from a fixed seed.
#
# Usage: fuzz.sh SECONDS|fixed [TARGET...]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
seconds=${1:?usage: fuzz.sh SECONDS|fixed [TARGET...]}
shift
build=build/fuzz
programs=$build/tests/fuzz

# How many inputs a target runs with `fixed`: about two seconds of processor time.
count_inputs() { # count_inputs TARGET
    case $1 in
    npy | part) echo 80000 ;;
    netcdf) echo 24000 ;;
    csv) echo 20000 ;;
    npz) echo 8000 ;;
    gzip) echo 3200 ;;
    hdf5) echo 2400 ;;
    *) echo 1200 ;;
    esac
}

# fuzz TARGET: its log is shown if it fails.
fuzz() {
    local log=$build/$1.log started=$SECONDS inputs files placed=()
    mkdir -p "$build/found/$1" "$build/failed"
    inputs=(-max_total_time="$seconds" "$build/found/$1" "tests/fuzz/corpus/$1")
    if [ "$seconds" = fixed ]; then
        # As a list of files, whose order is the same on every file system; without a folder
        # libFuzzer writes no inputs.
        files=$(find "tests/fuzz/corpus/$1" -type f | LC_ALL=C sort | paste -sd ,)
        # Mutations take values from comparisons, addresses among them.
        ! setarch -R true 2>/dev/null || placed=(setarch -R)
        inputs=(-timeout=120 -seed=1 -runs="$(count_inputs "$1")" -seed_inputs="$files")
    fi
    if ! "${placed[@]}" "$programs/fuzz_$1" -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
        -max_len=4096 -print_final_stats=1 -artifact_prefix="$build/failed/$1-" "${inputs[@]}" \
        >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz: $1: FAILED"
        return 1
    fi
    echo "fuzz: $1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs," \
        "$((SECONDS - started)) s"
}

mkdir -p "$build"
generator=()
if command -v ninja >/dev/null && [ ! -f "$build/CMakeCache.txt" ]; then
    generator=(-G Ninja)
fi
cmake "${generator[@]}" --preset release -B "$build" -DCMAKE_C_COMPILER=clang -DREAP_FUZZ=ON \
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON >"$build/build.log" 2>&1 &&
    cmake --build "$build" --parallel "$(nproc)" --target reap_fuzz_tests \
        >>"$build/build.log" 2>&1 || {
    tail -n 40 "$build/build.log"
    exit 1
}
if [ $# = 0 ]; then
    mapfile -t targets < <(find "$programs" -maxdepth 1 -name 'fuzz_*' -type f -printf '%f\n' |
        sed 's/^fuzz_//' | sort)
    set -- "${targets[@]}"
fi
export -f fuzz count_inputs
export build programs seconds
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz "$1"' fuzz
