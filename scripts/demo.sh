#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shows what Reap does, on real input: builds it without the ready algorithms, installs it into
# build/demo, describes the data sets in data/ and a large generated array, the latter with its rate
# beside what this machine's memory can be read at, and runs the first example. Needs what
# `setup.sh build` installs.
set -euo pipefail
cd "$(dirname "$0")/.."
demo=build/demo
large=$demo/large.npy

say() { printf '\n== %s\n' "$*"; }
show() { # show COMMAND...: the command as one would type it, then what it does
    printf '$ %s\n' "$*"
    "$@"
}

# The size of the large array in MiB: 1024, or less where disk or memory would not hold it twice.
large_size() {
    local disk memory size
    disk=$(df -Pm "$demo" | awk 'NR == 2 { print $4 }')
    memory=$(awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    for size in 1024 512 256 128 64; do
        [ "$disk" -lt $((2 * size)) ] || [ "$memory" -lt $((2 * size)) ] || break
    done
    echo "$size"
}

say "building Reap"
cmake --preset release -B "$demo/build" -DREAP_TESTS=OFF -DREAP_ALGORITHMS=OFF >/dev/null
cmake --build "$demo/build" --target reap_product --parallel "$(nproc)"
scripts/install.sh "$demo/build" "$demo"
export PATH=$PWD/$demo/bin:$PATH PKG_CONFIG_PATH=$PWD/$demo/lib/pkgconfig

for data in data/*.npy; do
    say "a data set: $data"
    show reap describe "$data"
done

say "a table: data/sea_temperatures.csv"
show reap describe --columns JAN,JUL data/sea_temperatures.csv

size=$(large_size)
say "a large array: $size MiB of floats"
[ "$size" = 1024 ] || echo "(1024 MiB would not fit twice into the free disk or memory)"
trap 'rm -f "$large"' EXIT
cc -O2 -I. tests/support/make_npy.c -o "$demo/make_npy"
"$demo/make_npy" f32 $((size * 262144)) "$large"
show reap describe --rate "$large"

say "the first example: examples/01_sum_and_max.c"
if command -v pkg-config >/dev/null; then
    show make -C examples --no-print-directory BUILD=../build/demo/examples run-01_sum_and_max
else
    echo "skipped: pkg-config, by which the examples find Reap, is not installed"
fi
