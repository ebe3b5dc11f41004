#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reap describe on an emulated card that has little memory, and on one that is lost, at one call
# after the other: it keeps to --device-memory; and it prints what it prints on the host, or one
# line about the file and nothing else. Usage: describe_limits.sh REAP MAKE_NPY
set -u
reap=$1 make_npy=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 lost=0

# describe STATUSES [VARIABLE=VALUE] ARGUMENT...: how it ends, and that it says no more than it may.
describe() {
    local status=$1 variables=()
    shift
    while [[ $1 == FAKE_* ]]; do
        variables+=("$1")
        shift
    done
    env "${variables[@]}" "$reap" describe --device cuda:0 "$@" 2>errors >output </dev/null
    local got=$?
    sed -i '/^FAKE_SEED=/d' errors
    if [ $got = 0 ]; then
        cmp -s output expected && [ ! -s errors ]
    else
        [ $got = 1 ] && [ ! -s output ] && [ "$(wc -l <errors)" = 1 ]
    fi && [[ $status == *$got* ]] && return
    failed=$((failed + 1))
    echo "failed: ${variables[*]} $*: status $got, $(head -n 3 errors)"
}

says() { # says TEXT: on standard error
    grep -qF "$1" errors && return
    failed=$((failed + 1))
    echo "failed: '$(cat errors)' says nothing of '$1'"
}

"$make_npy" '>f32' 3000001 x.npy 7
"$reap" describe --device host x.npy >expected || exit 1
mib=1048576
for allowed in $((4 * mib)) $((6 * 1055856)) $((8 * 1055856)); do # the last ones all used up
    describe 0 FAKE_MEMORY=$((allowed + mib / 2)) --device-memory $allowed x.npy
done
describe 1 FAKE_MEMORY=$((6 * mib)) --device-memory 16M x.npy
says "reap: x.npy: device 'cuda:0': no memory for"

step=5
[ -z "${SHARE:-}" ] || step=15 # in `make check`
call=1
while [ $call -lt 2000 ]; do
    describe "0 1" FAKE_LOST_AT=$call --device-memory 4M x.npy
    [ -s errors ] || break
    grep -q '^reap: x.npy: ' errors && lost=$((lost + 1))
    call=$((call + step))
done
echo "lost $lost times, up to call $call; $failed failed"
[ $failed = 0 ] && [ $lost -gt 5 ] && [ $call -lt 2000 ]
