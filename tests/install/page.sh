#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program of a page of docs/, to the letter: its blocks of C are saved under the names that
# stand above them, its `cc` or `mpicc` line is run, and the program prints what the page says,
# however it is started there, on every device.
#
# Usage: page.sh NAME
source "$(dirname "$0")/support.sh"
page=$SOURCE/docs/$1.md
command=$(sed -nE 's/^\$ ((mpi)?cc .*)$/\1/p' "$page")
[ -n "$command" ] || fail "docs/$1.md has no cc line"
require pkg-config "the program of docs/$1.md"
require "${command%% *}" "the program of docs/$1.md"
case $command in
*-fopenmp*)
    echo 'int main(void) { return 0; }' >empty.c
    cc -fopenmp empty.c -o empty || skip "the program of docs/$1.md: cc has no OpenMP here"
    ;;
mpicc*) # by whomever, on few cores
    require mpirun "the program of docs/$1.md"
    pkg-config --exists reap_mpi || skip "the program of docs/$1.md: libreap_mpi was not built"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1
    ;;
esac

awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
    /^```c$/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside { print >name }' "$page"
# The prefix has spaces here, which only eval takes right.
strict="-std=c11 -Wall -Wextra -Wpedantic -Werror"
package=reap
[[ ! $command =~ reap_[a-z]+ ]] || package=${BASH_REMATCH[0]}
flags=$(pkg-config --cflags --libs $package)
eval "${command//\$(pkg-config --cflags --libs $package)/$strict $flags}"

# check COMMAND PRINTED: here and on every device.
check() {
    local words device
    read -ra words <<<"$1"
    prints "$2" "${words[@]}"
    for device in $("$PREFIX/bin/reap" devices --names); do
        REAP_DEVICE=$device prints "$2" "${words[@]}"
    done
}

runs=0 program='' printed=''
while IFS= read -r line <&3; do # mpirun reads standard input
    case $line in
    '$ '* | '```')
        [ -z "$program" ] || check "$program" "${printed%$'\n'}"
        program='' printed=''
        [[ $line =~ ^'$ '((mpirun .*)?\./.*)$ ]] && program=${BASH_REMATCH[1]} runs=$((runs + 1))
        ;;
    *) printed+=$line$'\n' ;;
    esac
done 3<"$page"
[ "$runs" -gt 0 ] || fail "docs/$1.md runs no program"
