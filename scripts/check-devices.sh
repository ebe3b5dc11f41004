#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the conformance tests on every device but the host, and prints a table of devices, tests and
# results. It builds nothing and needs no network. Each test's output is in BUILD/devices/.
#
# Usage: check-devices.sh [BUILD]        (build/release where none is given)
#
# In the environment:
#   DEVICES="cuda:0"       the devices; all of them otherwise. REAP_BACKENDS is not passed on
#   TESTS="golden* ranges" the tests, as patterns; all of them otherwise
#   JOBS=4                 how many run side by side; as many as there are processors otherwise
#   SECONDS_EACH=600       a test's limit
#   PREFIX_COMMAND="compute-sanitizer --tool memcheck --error-exitcode 9"
#                          what each test's program is run by
#   REAP_TESTS_FEW=1       with few inputs
set -uf
build=${1:-build/release}
limit=${SECONDS_EACH:-600}
jobs=${JOBS:-$(nproc)}
read -ra prefix <<<"${PREFIX_COMMAND:-}"
list=$build/tests/devices/list.txt
if [ ! -f "$list" ]; then
    echo "check-devices.sh: '$build' is not a build with tests" >&2
    exit 2
fi
out=$(cd "$build" && pwd)/devices
export REAP_CACHE_DIR=$out/reap POCL_WORK_GROUP_SPECIALIZATION=0
unset REAP_DEVICE REAP_BACKENDS ONLY PART
mapfile -t devices < <("$build/tools/bin/reap" devices --names | grep -vx host)
if [ ${#devices[@]} = 0 ]; then
    echo "skipped: devices: only the host is available"
    exit 0
fi

# chosen NAME PATTERN...: whether one of them matches, or there is none.
chosen() {
    local name=$1 pattern
    shift
    [ $# -gt 0 ] || return 0
    for pattern in "$@"; do
        # shellcheck disable=SC2053
        [[ $name != $pattern ]] || return 0
    done
    return 1
}

log_of() { # log_of DEVICE NAME
    log=$out/${1/:/-}.$2.log
}

# run DEVICE NAME [VARIABLE=VALUE...] PROGRAM [ARGUMENT...]: the test; its result, and the seconds
# that it took, in LOG.result. Two processes cannot share PoCL's cache.
run() {
    local log child device=$1 variables=() result=ok started=$SECONDS
    log_of "$1" "$2"
    shift 2
    while [[ $1 =~ ^[A-Z_]+= ]]; do
        variables+=("$1")
        shift
    done
    mkdir -p "$log.pocl"
    env REAP_DEVICE="$device" POCL_CACHE_DIR="$log.pocl" "${variables[@]}" \
        timeout -k 10 "$limit" "${prefix[@]}" "$@" >"$log" 2>&1 </dev/null &
    child=$!
    trap 'kill $child' TERM
    wait $child
    case $? in
    0) ;;
    124 | 137) result=STOPPED ;;
    *) result=FAILED ;;
    esac
    echo "$result $((SECONDS - started))" >"$log.new" && mv "$log.new" "$log.result"
}

# show DEVICE NAME: a test's line of the table, and what it skipped.
show() {
    local log result seconds
    log_of "$1" "$2"
    read -r result seconds <"$log.result"
    printf '%-10s %-18s %-8s %4d s %10d comparisons\n' "$1" "$2" "$result" "$seconds" \
        "$(awk '/^comparisons: / { sum += $2 } END { print sum + 0 }' "$log")"
    grep -h '^skipped: ' "$log" | sed 's/^/           /'
    [ "$result" = ok ]
}

# Those of one device, side by side, and their lines in the list's order, each as soon as it can.
run_all() { # run_all DEVICE
    local log line words started=0 shown=0 tests=()
    while read -r line; do
        if [ -n "$line" ] && chosen "${line%% *}" "${patterns[@]}"; then
            tests+=("$line")
            log_of "$1" "${line%% *}"
            rm -f "$log.result"
        fi
    done <"$list"
    count=$((count + ${#tests[@]}))
    while [ $shown -lt ${#tests[@]} ]; do
        while [ $started -lt ${#tests[@]} ] && [ "$(jobs -rp | wc -l)" -lt "$jobs" ]; do
            read -ra words <<<"${tests[started]}"
            run "$1" "${words[@]}" &
            started=$((started + 1))
        done
        log_of "$1" "${tests[shown]%% *}"
        if [ -f "$log.result" ]; then
            show "$1" "${tests[shown]%% *}" || failed=1
            shown=$((shown + 1))
        else
            wait -n
        fi
    done
    wait
}

trap 'kill $(jobs -p); exit 130' INT TERM
read -ra patterns <<<"${TESTS:-}"
read -ra chosen_devices <<<"${DEVICES:-}"
mkdir -p "$out"
count=0 failed=0
for device in "${devices[@]}"; do
    ! chosen "$device" "${chosen_devices[@]}" || run_all "$device"
done
if [ $count = 0 ]; then
    echo "check-devices.sh: unknown test, or unknown device (there are ${devices[*]})" >&2
    exit 2
fi
echo "$count tests in $SECONDS s: $([ $failed = 0 ] && echo "all passed" || echo "some FAILED")"
exit $failed
