#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# That the code of a kernel for an instruction set is of that instruction set: the other half of the
# proof in agreement.c, which relies on what the code reports. The kernel has minima of 64-bit
# integers, for which only AVX-512 has an instruction.
# Usage: instruction_sets.sh PROGRAM
set -u
if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
    echo "skipped: no objdump, or not an x86-64 machine"
    exit 0
fi
failed=0

# expect SET [!]PATTERN: whether the code of that set has an instruction. A kernel's section has a
# number behind its name.
expect() {
    local found section wanted=1
    section=$(objdump -h "$program" | grep -o "reap_$1__integers_long_[0-9]*" | head -1)
    found=$(objdump -d --no-show-raw-insn -j "$section" "$program" | grep -cE "${2#!}")
    [ "${2#!}" = "$2" ] || wanted=0
    echo "$1: $found lines with ${2#!}"
    if [ $((found > 0)) != $wanted ]; then
        echo "$1: unexpected" >&2
        failed=1
    fi
}

program=$1
expect plain '%xmm|%r[a-d]x'
expect plain '!%[yz]mm'
expect v3 '%ymm'
expect v3 '!%zmm|vpminsq|vpmaxsq'
expect v4 'vpminsq|vpmaxsq'
exit $failed
