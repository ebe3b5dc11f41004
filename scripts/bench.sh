#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the benchmarks in build/bench and runs them; arguments go to the program, which says what
# it measures, and with which flags. What it measured is left in build/bench/report/host.json, and
# drawn and as tables in build/bench/report/host, too. Last comes what a kernel costs to compile.
#
# Usage: bench.sh [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset release -B build/bench -DREAP_BENCH=ON -DREAP_TESTS=OFF >/dev/null
mkdir -p build/bench/report
cmake --build build/bench --parallel "$(nproc)"
case " $* " in
*" --list "* | *" --test "* | *" --help "* | *" --json"*) ;;
*) report=build/bench/report/host.json ;;
esac
if [ -z "${report:-}" ]; then
    exec build/bench/bench/reap-bench "$@"
fi
status=0
rm -f "$report"
build/bench/bench/reap-bench "$@" --json "$report" || status=$?
if [ -f "$report" ]; then
    bench/report/show.py "$report" "${report%.json}" || echo "The pictures are missing." >&2
fi
[[ " $* " == *" --case "* ]] || scripts/bench-compile.sh || status=$?
exit "$status"
