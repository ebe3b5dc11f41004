#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the benchmarks of a revision and those of the working tree as it is, in build/compare, runs
# both in turns, and prints the ratios that moved by more than the spread. The status is 0 whatever
# moved, and 2 where there is nothing to compare: an unknown revision, one that does not build, one
# whose benchmarks write no report. The reports of all rounds are left in build/compare/rounds.
#
# Usage: bench-compare.sh BASE
#
# In the environment:
#   CASE=sum     only cases, and promises, with the word in their names
#   ROUNDS=3     how often each of the two runs
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
out=$PWD/build/compare
rounds=${ROUNDS:-3}

give_up() {
    echo "bench-compare.sh: $1" >&2
    exit 2
}

# build SOURCE NAME: in OUT/NAME.
build() {
    (cd "$1" && cmake --preset release -B "$out/$2" -DREAP_BENCH=ON -DREAP_TESTS=OFF &&
        cmake --build "$out/$2" --parallel "$(nproc)") >"$out/$2.log" 2>&1 ||
        give_up "$2 does not build: see build/compare/$2.log"
}

# Programs of long ago read no options, and begin to measure.
writes_report() { # writes_report NAME
    timeout 10 "$out/$1/bench/reap-bench" --help 2>/dev/null | grep -q -- '--json'
}

measure() { # measure NAME ROUND
    local report=$out/rounds/$1-$2.json
    "$out/$1/bench/reap-bench" --quick ${CASE:+--case "$CASE"} --json "$report" \
        >"$out/rounds/$1-$2.txt" 2>&1 ||
        echo "bench-compare.sh: $1 ends with status $?: see build/compare/rounds/$1-$2.txt" >&2
    [ -s "$report" ] || give_up "$1 leaves no report: $(tail -n 1 "$out/rounds/$1-$2.txt")"
}

drop_source() {
    git worktree remove --force "$out/source" 2>/dev/null
    rm -rf "$out/source"
    git worktree prune
}

if [ $# != 1 ] || [ -z "$1" ]; then
    give_up "say which revision to compare with: bench-compare.sh BASE, make bench-compare BASE=..."
fi
[[ $rounds =~ ^[1-9][0-9]?$ ]] || give_up "ROUNDS: '$rounds' is not a number from 1 to 99"
base=$(git rev-parse --verify --quiet --end-of-options "$1^{commit}" 2>/dev/null) ||
    give_up "unknown revision '$1'"
command -v python3 >/dev/null || give_up "python3 is not installed"

mkdir -p "$out"
drop_source
rm -rf "$out/rounds"
mkdir "$out/rounds"
trap drop_source EXIT
trap 'exit 130' INT TERM
git worktree add --quiet --detach "$out/source" "$base" || give_up "git cannot check out $1"
echo "Building $(git describe --always "$base") and the working tree."
build "$out/source" base
writes_report base || give_up "the benchmarks of $1 are too old to write a report"
build "$PWD" now
writes_report now || give_up "the benchmarks of the working tree write no report"

for ((round = 1; round <= rounds; round++)); do
    echo "Round $round of $rounds."
    # The first side alternates from round to round.
    if ((round % 2)); then
        measure base "$round" && measure now "$round"
    else
        measure now "$round" && measure base "$round"
    fi
done
bench/report/compare.py "$out/rounds" || exit 2
