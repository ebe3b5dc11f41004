#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The compiler that kernels with barriers are compiled with at run time: missing, failing, writing
# nonsense, hanging; folders for the cache that cannot be used; several processes at once. Kernels
# stay with fibers, or are compiled, and always compute the same.
# Usage: host_compiler.sh PROGRAM [hangs]; PROGRAM is the test "compiled". With `hangs` only the
# compiler that does so, which takes the library's limit of half a minute. In `make check` (SHARE)
# one kernel each, in three numbers of dimensions, instead of two or three.
set -u
program=$1 only=${2:-} few=2 many=3
[ -z "${SHARE:-}" ] || few=1 many=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
if ! echo 'int x;' | cc -shared -fPIC -x c - -o /dev/null 2>/dev/null; then
    echo "skipped: this machine has no cc"
    exit 77
fi

# expect WHAT CODE VARIABLE=VALUE...: the first kernels' code is CODE.
expect() {
    local what=$1 code=$2
    shift 2
    if ! env CODE="$code" FEW=$few REAP_CACHE_DIR=none "$@" "$program" >"$work/log" 2>&1; then
        echo "FAILED: $what"
        cat "$work/log"
        failed=1
    fi
}

# compiler NAME: a compiler with a version, and the rest of its script from the standard input.
compiler() {
    { echo '#!/bin/sh'; echo '[ "$1" != --version ] || { echo fake; exit 0; }'; cat; } >"$work/$1"
    chmod +x "$work/$1"
}

if [ "$only" = hangs ]; then
    compiler hangs <<<"sleep 1000 & echo \$! \$\$ >>$work/processes; wait"
    expect "it hangs" "fibers: the compiler took too long" REAP_HOST_COMPILER="$work/hangs"
    read -r child parent <"$work/processes" || { echo "FAILED: it was not started"; failed=1; }
    # A zombie has ended, though its parent has not asked for its status. What is killed ends when
    # the system comes to it.
    lives() { grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"; }
    for process in "$child" "$parent"; do
        for ((i = 0; i < 50; i++)); do lives "$process" && sleep 0.1; done
        lives "$process" && { echo "FAILED: process $process lives"; failed=1; }
    done
    exit $failed
fi
expect "no compiler" "fibers: no compiler is configured" REAP_HOST_COMPILER=none
expect "a missing compiler" "fibers: the compiler cannot be run" REAP_HOST_COMPILER="$work/missing"
expect "a folder" "fibers: the compiler cannot be run" REAP_HOST_COMPILER="$work"
expect "a compiler's arguments" "fibers: the compiler cannot be run" REAP_HOST_COMPILER="cc -O2"
compiler fails <<<'cat >/dev/null; exit 1'
expect "it fails" "fibers: the compiler failed" REAP_HOST_COMPILER="$work/fails"
compiler stops <<<'exit 1'
expect "it does not read" "fibers: the compiler failed" REAP_HOST_COMPILER="$work/stops"
compiler writes_nothing <<<'cat >/dev/null'
expect "it writes nothing" "fibers: the compiler wrote no file" \
    REAP_HOST_COMPILER="$work/writes_nothing"
compiler writes_text <<<'cat >/proc/self/fd/3'
expect "it writes text" "fibers: the compiled code cannot be loaded" \
    REAP_HOST_COMPILER="$work/writes_text"
compiler other <<<'echo "int x;" | exec cc -shared -fPIC -x c - -o /proc/self/fd/3'
expect "it compiles something else" "fibers: the compiled code cannot be loaded" \
    REAP_HOST_COMPILER="$work/other"
compiler crashes <<<'kill -SEGV $$'
expect "it crashes" "fibers: the compiler failed" REAP_HOST_COMPILER="$work/crashes"
compiler contracts <<<'sed "s/contract=off/contract=fast/; s/CONTRACT OFF/CONTRACT ON/" |
    exec cc -O2 -w -ffp-contract=fast -ffast-math -U__FAST_MATH__ -U__ASSOCIATIVE_MATH__ \
        -U__RECIPROCAL_MATH__ -U__NO_SIGNED_ZEROS__ -U__FINITE_MATH_ONLY__ -shared -fPIC -x c - \
        -o /proc/self/fd/3'
expect "it changes arithmetic" "fibers: the compiler changes floating-point results" \
    REAP_HOST_COMPILER="$work/contracts"

# Caches.
compiled="compiled at run time"
expect "a full disk" "$compiled" REAP_CACHE_DIR=/dev/full/cache
expect "a file in place of the folder" "$compiled" REAP_CACHE_DIR=/dev/null
mkdir "$work/cache" "$work/shared"
expect "a cache" "$compiled" REAP_CACHE_DIR="$work/cache"
[ "$(find "$work/cache" -name '*.reap' | wc -l)" = $((3 * few)) ] ||
    { echo "FAILED: not in the cache"; failed=1; }
compiler counts <<<"echo x >>$work/count; exec cc \"\$@\""
for i in 1 2; do
    expect "a cache, time $i" "$compiled" REAP_CACHE_DIR="$work/shared" \
        REAP_HOST_COMPILER="$work/counts"
done
[ "$(wc -l <"$work/count")" = $((3 * few)) ] || { echo "FAILED: compiled again"; failed=1; }
for file in "$work"/cache/*.reap; do
    printf 'nonsense' | dd of="$file" bs=1 seek=3000 conv=notrunc 2>/dev/null
done
expect "a corrupt cache" "$compiled" REAP_CACHE_DIR="$work/cache"
chmod 777 "$work/cache"
expect "a folder that all may write to" "$compiled" REAP_CACHE_DIR="$work/cache"

# Processes at once.
mkdir "$work/many"
for i in 1 2 3 4; do
    CODE=$compiled FEW=$many REAP_CACHE_DIR="$work/many" "$program" >"$work/log$i" 2>&1 &
    processes[i]=$!
done
for i in 1 2 3 4; do
    wait "${processes[i]}" || { echo "FAILED: process $i"; cat "$work/log$i"; failed=1; }
done
exit $failed
