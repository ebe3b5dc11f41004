# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share; they source it. A script is run as
#     SCRIPT TOOL ARGUMENT...
# and works in a folder of its own, $work, that vanishes with it. Each check prints what failed;
# finish prints how many there were.
# shellcheck shell=bash
set -u
tool=${1:?usage: TOOL ARGUMENT...}
unset REAP_NUM_THREADS REAP_DEVICE REAP_BACKENDS REAP_HOST_ISA
export LC_ALL=C
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 checks=0

# holds TEXT COMMAND...: the command succeeds.
holds() {
    checks=$((checks + 1))
    "${@:2}" && return
    failed=$((failed + 1))
    echo "failed: $1"
}

# comes COMMAND...: it succeeds within twenty seconds.
comes() {
    local try
    for ((try = 0; try < 400; try++)); do
        "$@" && return
        sleep 0.05
    done
    return 1
}

# into_closed_pipe COMMAND...: its standard output is a pipe without a reader.
into_closed_pipe() {
    local status
    rm -f unread
    mkfifo unread
    exec 8<>unread 9>unread 8>&-
    "$@" >&9
    status=$?
    exec 9>&-
    return $status
}

# finish LEAST: ends the script, which must have made more checks than this.
finish() {
    echo "$checks checks, $failed failed"
    [ $failed = 0 ] && [ $checks -gt "$1" ]
    exit
}
