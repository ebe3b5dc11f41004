#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the conformance tests on every device but the host, and prints a table of devices, tests and
# results. It builds nothing and needs no network. Each test's output is in BUILD/devices/. With
# REAP_TESTS_FEW=1 in the environment they run with few inputs; SECONDS_EACH is a test's limit.
#
# Usage: check-devices.sh [BUILD]        (build/release where none is given)
set -u
build=${1:-build/release}
limit=${SECONDS_EACH:-600}
list=$build/tests/devices/list.txt
out=$build/devices
failed=0
if [ ! -f "$list" ]; then
    echo "check-devices.sh: '$build' is no build with tests" >&2
    exit 2
fi
mkdir -p "$out/pocl"
export POCL_CACHE_DIR=$PWD/$out/pocl REAP_CACHE_DIR=$PWD/$out/reap POCL_WORK_GROUP_SPECIALIZATION=0
case $build in
/*) POCL_CACHE_DIR=$out/pocl REAP_CACHE_DIR=$out/reap ;;
esac
mapfile -t devices < <("$build/src/cli/reap" devices --names | grep -vx host)
if [ ${#devices[@]} = 0 ]; then
    echo "skipped: devices: there is none but the host"
    exit 0
fi

# run DEVICE NAME PROGRAM [ARGUMENT...]: one line of the table.
run() {
    local device=$1 name=$2 log started=$SECONDS result=ok
    log=$out/${device/:/-}.$name.log
    shift 2
    REAP_DEVICE=$device timeout "$limit" "$@" >"$log" 2>&1
    case $? in
    0) ;;
    124) result="STOPPED after $limit s" failed=1 ;;
    *) result=FAILED failed=1 ;;
    esac
    printf '%-10s %-16s %-8s %4d s %10d comparisons\n' "$device" "$name" "$result" \
        $((SECONDS - started)) \
        "$(awk '/^comparisons: / { sum += $2 } END { print sum + 0 }' "$log")"
    grep -h '^skipped: ' "$log" | sed 's/^/           /'
}

for device in "${devices[@]}"; do
    while read -ra words; do
        [ ${#words[@]} = 0 ] || run "$device" "${words[@]}"
    done <"$list"
done
exit $failed
