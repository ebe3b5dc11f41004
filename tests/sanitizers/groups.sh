#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What sanitizers and Valgrind find in kernels with work-groups: bugs that were put there, with
# their lines, and nothing in programs of the contract. The library is compiled with the sanitizer,
# or without. tests/dialect/scripts.sh says how it is run; then follow sanitizers, as for
# -fsanitize=, or valgrind.
. "$(dirname "$0")/../dialect/scripts.sh"
cd "$work" || exit 1
root=$(cd "$here/../.." && pwd)
tests=$root/tests/sanitizers contract=$root/tests/contract
export REAP_NUM_THREADS=4
export TSAN_OPTIONS=halt_on_error=1:history_size=7 ASAN_OPTIONS=detect_leaks=0

# Kernels have one instruction set, as what is looked at here is the same in each.
baseline=()
[ "$(uname -m)" != x86_64 ] || baseline=(-msse3)
build() { # build SOURCE OPTION...: the program ./NAME
    local name
    name=$(basename "$1" .c)
    "$cc" -std=c11 -g -O1 "${baseline[@]}" "-I$root" "-I$include" "-I$contract" "${@:2}" "$1" \
        "$static" -lm -pthread -o "./$name" >log 2>&1
    check $? "$name compiles with ${*:2}"
}

# fine LABEL PROGRAM EXPECTED: it prints what it should, and no tool complains.
fine() {
    "${under[@]}" $2 >out 2>log && cmp -s out "$3" && [ ! -s log ]
    check $? "$1 has nothing to report"
}

# marked BUG: the lines of the kernels that are marked with it.
marked() {
    grep -n "/\* bug $1 \*/" "$tests/groups.kernels.h" | cut -d: -f1
}

# reported BUG WORDS: the report has the words, and the lines that are marked with the bug.
reported() {
    local line missed=0
    "${under[@]}" ./groups "$1" >log 2>&1
    grep -q "$2" log
    check $? "$1 is reported: $2"
    for line in $(marked "$1"); do
        grep -q "groups.kernels.h:$line\b" log || missed=1
    done
    [ "$missed" = 0 ] && [ -n "$(marked "$1")" ]
    check $? "$1 is reported with its lines"
}

# Programs with the thread sanitizer run under some kernels only where they are asked to stand.
find_wrapper() {
    under=()
    "./empty" 2>/dev/null || under=(setarch -R)
}

# Lengths that take a sanitizer a second or two.
shorter() { # shorter LENGTH
    sed "s/65537, 1000003/$1/" "$contract/02_tree_sum.c" >02_tree_sum.c
    grep -v '65537\|1000003' "$contract/02_tree_sum.expected" >02.expected
    echo "$1 items: $2 right" >>02.expected
}

contract_programs() { # contract_programs OPTION...
    build 02_tree_sum.c "$@"
    build "$contract/08_groups.c" "$@"
    fine "the tree kernel" ./02_tree_sum 02.expected
    fine "the group algorithms" ./08_groups "$contract/08_groups.expected"
}

with_sanitizers() { # with_sanitizers NAMES
    if ! compiles "-fsanitize=$1"; then
        skip "work-groups with sanitizers ($1): $cc has none here"
        return 1
    fi
    find_wrapper
    build "$tests/groups.c" "-fsanitize=$1"
    shorter 4099 12291
    contract_programs "-fsanitize=$1"
}

races() { # races NAMES
    export REAP_CHECK=1
    fine "the tree kernel, checked" ./02_tree_sum 02.expected
    fine "the group algorithms, checked" ./08_groups "$contract/08_groups.expected"
    reported in_place "ThreadSanitizer: data race"
    unset REAP_CHECK
    reported missing_barrier "ThreadSanitizer: data race"
    reported in_place "ThreadSanitizer: data race"
    reported in_place_in_phases "ThreadSanitizer: data race"
    export REAP_NUM_THREADS=1 # groups that run one after the other are unordered as well
    reported in_place "ThreadSanitizer: data race"
    reported in_place_in_phases "ThreadSanitizer: data race"
    echo "orderly_phases: status REAP_OK" >orderly.expected
    fine "a group's own memory, used again" "./groups orderly_phases" orderly.expected
    build "$tests/groups.c" "-fsanitize=$1" -O0
    fine "a group's own memory, used again, -O0" "./groups orderly_phases" orderly.expected
}

# Valgrind knows the lines of .text alone, where kernels do not stand; addr2line knows the others.
valgrind_lines() {
    local address
    address=$(sed -n 's/.* at 0x\([0-9A-F]*\): reap_item_function_unwritten.*/\1/p' log | head -1)
    addr2line -e ./groups "0x${address:-0}" | grep -q "groups.kernels.h:$(marked unwritten)\b"
    check $? "addr2line finds the line of unwritten"
}

with_valgrind() {
    if ! command -v valgrind >/dev/null ||
        ! "$cc" -E -include valgrind/memcheck.h -x c /dev/null >/dev/null 2>&1; then
        skip "work-groups under Valgrind: valgrind is not installed"
        return
    fi
    under=(valgrind -q)
    shorter 1009 3024
    build "$tests/groups.c" -gdwarf-4 -no-pie
    contract_programs -gdwarf-4
    "${under[@]}" ./groups unwritten >log 2>&1
    grep -q "Conditional jump or move depends on uninitialised value" log
    check $? "a read before a write of local memory is reported"
    valgrind_lines
    "${under[@]}" ./groups local_overrun >log 2>&1
    grep -q "Invalid write of size 4" log
    check $? "an index outside local memory is reported"
}

case ${5:-} in
*thread*) ! with_sanitizers "$5" || races "$5" ;;
*address*)
    if with_sanitizers "$5"; then
        reported stack_overrun "AddressSanitizer: stack-buffer-overflow"
        reported local_overrun "AddressSanitizer: use-after-poison"
    fi
    ;;
valgrind) with_valgrind ;;
*) check 1 "unknown part '${5:-}'" ;;
esac
finish
