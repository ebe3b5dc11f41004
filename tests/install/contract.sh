#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the contract's own check on programs of tests/contract, with the compilers that are there; in
# `make check` (SHARE) each with one of them, chosen by the seed, and only 07, same bits, with all.
# Usage: contract.sh NAME...
source "$(dirname "$0")/support.sh"

# The check wants a prefix without spaces, and pkg-config for two flags only.
ln -s "$PREFIX" prefix
unset PKG_CONFIG_PATH LD_LIBRARY_PATH
if ! command -v pkg-config >/dev/null; then
    mkdir bin
    printf '#!/bin/sh\necho -I%s/include -L%s/lib -lreap\n' "$work/prefix" "$work/prefix" \
        >bin/pkg-config
    chmod +x bin/pkg-config
    PATH=$work/bin:$PATH
fi
[ -x prefix/bin/reap ] || skip "the contract programs: the tool is not built"

compilers=()
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null; then
        compilers+=("$compiler")
    else
        echo "skipped: contract programs with $compiler: it is not installed"
    fi
done
if [ -n "${SHARE:-}" ] && [ "$1" != 07 ]; then
    turn=$(((10#$1 + ${SEED:-1}) % ${#compilers[@]}))
    compilers=("${compilers[turn]}")
fi
COMPILERS="${compilers[*]}" "$SOURCE/tests/contract/check" "$work/prefix" "$@"
