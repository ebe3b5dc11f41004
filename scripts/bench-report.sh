#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Draws every report in docs/performance/*/report.json and writes its tables, then fills in
# docs/performance/README.md. Given a report and a name, takes the report in as that name first.
# Needs python3 and gnuplot. RESULTS: another folder than docs/performance.
#
# Usage: bench-report.sh [REPORT.json NAME]
set -euo pipefail
results=$(realpath -m "${RESULTS:-$(dirname "$0")/../docs/performance}")
show() { "${0%/*}/../bench/report/$1.py" "${@:2}"; }

case $# in
0) ;;
2)
    if ! [[ $2 =~ ^[a-z0-9][a-z0-9-]*$ ]]; then
        echo "bench-report.sh: '$2' is not a name of lower-case letters, digits and dashes" >&2
        exit 2
    fi
    # Drawn elsewhere first: a report that is none changes nothing.
    draft=$(mktemp -d)
    trap 'rm -rf "$draft"' EXIT
    show show "$1" "$draft" >/dev/null
    mkdir -p "$results/$2"
    [ "$1" -ef "$results/$2/report.json" ] || cp "$1" "$results/$2/report.json"
    ;;
*)
    echo "usage: bench-report.sh [REPORT.json NAME]" >&2
    exit 2
    ;;
esac
for report in "$results"/*/report.json; do
    [ -f "$report" ] || continue
    rm -f "${report%/*}"/{time-*,roofline,threads}.{svg,png}
    show show "$report"
done
show page "$results"
