#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program with the thread sanitizer and an ordinary library, which tells the sanitizer what it
# orders: nothing is reported but the race that was put there. tests/dialect/scripts.sh says how it
# is run.
. "$(dirname "$0")/../dialect/scripts.sh"
cd "$work" || exit 1
root=$(cd "$here/../.." && pwd)
export REAP_NUM_THREADS=4 TSAN_OPTIONS=history_size=7
baseline=()
[ "$(uname -m)" != x86_64 ] || baseline=(-msse3)
if ! compiles -fsanitize=thread; then
    skip "threads: $cc has no thread sanitizer here"
    finish
fi
under=()
./empty 2>/dev/null || under=(setarch -R) # some kernels lay out memory as the sanitizer cannot
"$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 -fsanitize=thread "${baseline[@]}" "-I$root" \
    "-I$include" "$root/tests/sanitizers/threads.c" "$static" -lm -pthread -o threads >log 2>&1
check $? "the program compiles"
for _ in 1 2; do
    "${under[@]}" ./threads >log 2>&1 && [ ! -s log ]
    check $? "nothing is reported of correct launches"
done
line=$(grep -n "/\* bug race \*/" "$root/tests/sanitizers/threads.kernels.h" | cut -d: -f1)
for _ in {1..40}; do # on busy processors the launching thread may be alone
    "${under[@]}" ./threads race >log 2>&1
    ! grep -q "ThreadSanitizer: data race" log || break
done
grep -q "threads.kernels.h:$line\b" log || { head -n 30 log && false; }
check $? "the race is reported, with its line"
finish
