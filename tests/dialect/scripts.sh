# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share; they source it. A script is run as
#     SCRIPT COMPILER INCLUDE STATIC_LIBRARY SHARED_LIBRARY
# and works in a folder of its own, $work, that vanishes with it. Each check prints a line if it
# fails; finish prints how many there were.
set -uf
export LC_ALL=C
cc=${1:?usage: COMPILER INCLUDE STATIC_LIBRARY SHARED_LIBRARY}
include=$(realpath "$2")
static=$(realpath "$3")
shared=$(realpath "$4")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
work=$(realpath "$work")
checks=0 failures=0 skips=0

case $("$cc" --version 2>&1) in
*clang*) family=clang ;;
*) family=gcc ;;
esac

# check STATUS TEXT: counts, and says what failed, with what $work/log holds.
check() {
    checks=$((checks + 1))
    [ "$1" = 0 ] && return
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$2"
    [ ! -s "$work/log" ] || sed 's/^/    /' "$work/log" | head -20
}

skip() {
    skips=$((skips + 1))
    printf 'skipped: %s\n' "$1"
}

# wanted: whether this case of many is to run: all of them, or one of SHARE, chosen by SEED if that
# is set.
turn=${FIRST:-$((${SEED:-$RANDOM} % ${SHARE:-1}))}
[ "${SHARE:-1}" = 1 ] || echo "SHARE=$SHARE FIRST=$turn: of many cases these alone"
wanted() {
    turn=$(((turn + 1) % ${SHARE:-1}))
    [ $turn = 0 ]
}

# compiles OPTION...: whether the compiler takes the options and links an empty program with them.
compiles() {
    echo 'int main(void) { return 0; }' >"$work/empty.c"
    "$cc" "$@" "$work/empty.c" -o "$work/empty" >/dev/null 2>&1
}

finish() {
    printf '%s: %d checks, %d failed, %d skipped\n' "$cc" "$checks" "$failures" "$skips"
    [ "$failures" = 0 ] && [ $((checks + skips)) -gt 0 ]
    exit
}
