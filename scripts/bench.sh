#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the benchmarks in build/bench and runs them; arguments go to the program, which says what
# it measures, and with which flags. What it measured is left in build/bench/report/host.json, too.
#
# Usage: bench.sh [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."

cmake --preset release -B build/bench -DREAP_BENCH=ON -DREAP_TESTS=OFF >/dev/null
mkdir -p build/bench/report
cmake --build build/bench --parallel "$(nproc)"
case " $* " in
*" --list "* | *" --test "* | *" --help "* | *" --json"*) ;;
*) set -- "$@" --json build/bench/report/host.json ;;
esac
exec build/bench/bench/reap-bench "$@"
