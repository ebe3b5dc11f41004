#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the fuzz targets (tests/fuzz) with clang in build/fuzz and runs each for so many seconds,
# as many at a time as there are processors. A target begins with its corpus in tests/fuzz/corpus
# and with what earlier runs found, which is kept in build/fuzz/found. An input that fails is left
# in build/fuzz/failed; `build/fuzz/tests/fuzz/fuzz_TARGET FILE` runs it again.
#
# Usage: fuzz.sh SECONDS [TARGET...]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
build=build/fuzz
programs=$build/tests/fuzz

# fuzz TARGET: its log is shown where it fails.
fuzz() {
    local log=$build/$1.log started=$SECONDS
    mkdir -p "$build/found/$1" "$build/failed"
    if ! "$programs/fuzz_$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -malloc_limit_mb=1024 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$build/failed/$1-" "$build/found/$1" "tests/fuzz/corpus/$1" \
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
export -f fuzz
export build programs seconds
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz "$1"' fuzz
