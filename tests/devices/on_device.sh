#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a test's program where there is the device that REAP_DEVICE names; says so where there is
# none. In `make check` (SHARE) with ONLY_SHARE as ONLY, if that is set.
#
# Usage: on_device.sh REAP PROGRAM [ARGUMENT...]
reap=$1 program=$2
shift
name=$(basename "$program")
if ! REAP_DEVICE='' "$reap" devices --names | grep -qx "$REAP_DEVICE"; then
    echo "skipped: device_${name#test_}: the device $REAP_DEVICE is missing"
    exit 0
fi
[ -z "${SHARE:-}" ] || [ -z "${ONLY_SHARE:-}" ] || export ONLY=$ONLY_SHARE
exec "$@"
