#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a command, which must succeed and print what the file has.
# Usage: prints.sh EXPECTED COMMAND...
set -uo pipefail
"${@:2}" | diff - "$1"
