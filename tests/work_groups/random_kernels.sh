#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random kernels with barriers, on fibers and compiled at run time, against a serial reference.
# Usage: random_kernels.sh CC INCLUDE LIBRARY. SEED is the first of COUNT seeds, one in `make check`
# (SHARE), and with half of the kernels; each in three numbers of dimensions.
set -u
cc=$1 include=$2 library=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v cc >/dev/null || { echo "skipped: this machine has no cc"; exit 77; }
export REAP_CACHE_DIR=none REAP_DEVICE=host REAP_BACKENDS=host
count=2 kernels=6
[ -z "${SHARE:-}" ] || count=1 kernels=2
for ((i = 0; i < ${COUNT:-$count}; i++)); do
    seed=$((${SEED:-1} + i))
    python3 "$here/random_kernels.py" $seed $kernels "$work" &&
        "$cc" -O2 -w "-I$include" "-I$work" "$here/random_kernels.c" -o "$work/kernels" "$library" \
            -lpthread -ldl -lm && "$work/kernels" >"$work/log" ||
        { cat "$work/log"; echo "SEED=$seed COUNT=1 fails"; exit 1; }
    tail -1 "$work/log"
    grep -q "^$((3 * (kernels + 1))) compiled" "$work/log" ||
        { cat "$work/log"; echo "SEED=$seed: not all"; exit 1; }
done
