#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a program, which must succeed and print what it prints on the host.
#
# Usage: prints_as_on_host.sh PROGRAM
set -uo pipefail
"$1" | diff - <(REAP_DEVICE=host "$1")
