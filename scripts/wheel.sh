#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the Python package's wheel, in build/wheel: a file that `pip install` takes, on machines
# without a compiler too. It uses no package index: what it needs are Debian's packages.
# REAP_BUILD names a folder that CMake has configured with REAP_PYTHON, whose libraries it then
# takes.
#
# Usage: wheel.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/wheel}

status=0
tests/support/python.sh "setuptools wheel pip" -m pip wheel --quiet --no-index --no-deps \
    --no-build-isolation --wheel-dir "$folder" ./python || status=$?
[ "$status" = 0 ] || exit "$status"
printf '%s\n' "$folder"/reap-*.whl
