#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a kernel of one sum adds to a file of a user's: seconds of `cc -O2 -c`, and bytes of code.
# Two files are compiled in turns, five times each: one includes Reap, the other one has a kernel
# and its launch, too. The figures are the differences of the medians; what they must be at most,
# and what they are aimed at, stands beside them. CC: the compiler, cc by default.
#
# Usage: bench-compile.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=${CC:-cc}
turns=5

cat >"$folder/without.c" <<'END'
#include <reap/kernel.h>
#include <reap/reap.h>

float add(reap_queue *queue, const float *x, size_t count)
{
    return count > 0 && reap_queue_wait(queue) == REAP_OK ? x[0] : 0;
}
END
cat >"$folder/with.c" <<'END'
#include "bench/cases/launch.kernels.h"
#include <reap/reap.h>

float add(reap_queue *queue, const float *x, size_t count)
{
    float sum = 0;
    reap_parallel_for(queue, add_few, reap_range_1d(count), .x = x, .sum = {.variable = &sum});
    return reap_queue_wait(queue) == REAP_OK ? sum : 0;
}
END

# Microseconds.
compile() { # compile NAME
    local begin=${EPOCHREALTIME/[.,]/}
    "$compiler" -O2 -I. -Iinclude -c "$folder/$1.c" -o "$folder/$1.o"
    echo $((${EPOCHREALTIME/[.,]/} - begin))
}

median() { # median FILE
    sort -n "$1" | sed -n "$(((turns + 1) / 2))p"
}

code_bytes() { # code_bytes NAME
    size "$folder/$1.o" | awk 'NR == 2 { print $1 }'
}

compile with >/dev/null
for ((turn = 0; turn < turns; turn++)); do
    for name in without with; do
        compile "$name" >>"$folder/$name"
    done
done
without=$(median "$folder/without") with=$(median "$folder/with")
awk -v compiler="$("$compiler" --version | head -n 1)" -v without="$without" -v with="$with" \
    -v bytes="$(($(code_bytes with) - $(code_bytes without)))" 'BEGIN {
    printf "\nWhat a kernel of one sum adds to cc -O2 -c, with %s\n", compiler
    seconds = (with - without) / 1e6
    printf "  %-6s %8.3f s    at most 0.2 s, aim 0.1 s  %s\n", "time", seconds,
        seconds <= 0.1 ? "aim" : seconds <= 0.2 ? "holds" : "below"
    printf "  %-6s %8.1f KiB  at most 6 KiB, aim 4 KiB  %s\n", "code", bytes / 1024,
        bytes <= 4096 ? "aim" : bytes <= 6144 ? "holds" : "below"
}'
