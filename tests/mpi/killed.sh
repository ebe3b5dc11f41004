#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Whether all ranks end with an error, and soon, when one of them is killed.
#
# Usage: killed.sh MPIRUN RANKS PROGRAM
set -u
for moment in "before 1048576" "begun 1048576" "between 1048576" "before 100" "begun 100"; do
    started=$SECONDS
    # shellcheck disable=SC2086 # two words
    timeout 40 "$(dirname "$0")/run.sh" "$@" $moment >/dev/null 2>&1
    status=$?
    case $status in
    0 | 124)
        echo "failed: a rank that is killed ($moment): the exit status is $status"
        exit 1
        ;;
    esac
    echo "$moment: exit status $status after $((SECONDS - started)) s"
done
