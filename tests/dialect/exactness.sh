#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whatever options and pragmas ask for, a kernel computes the same bits or its launch is refused
# with REAP_ERROR_INEXACT_BUILD, for each instruction set of this machine. (What leaves a macro is
# a compile error: misuse.sh.) scripts.sh says how it is run.
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1

# build OPTION...: the program.
build() {
    "$cc" "$@" -w "-I$include" "$here/exactness/exact.c" -o exact "$static" -lpthread -lm >log 2>&1
}

build -std=c11 -O0 && mapfile -t reference < <(REAP_HOST_ISA=baseline ./exact)
check $? "the reference"
case ${reference[*]-} in
*refused*) check 1 "the reference is not refused" ;;
*' '*' '*' '*' '*) check 0 "" ;;
*) check 1 "the reference has bits, not '${reference[*]-}'" ;;
esac

# Those that this machine has.
sets=()
for set in baseline x86-64-v3 x86-64-v4; do
    if REAP_HOST_ISA=$set ./exact >/dev/null 2>&1; then
        sets+=("$set")
    else
        skip "$set: this processor does not have it"
    fi
done

# expect WHAT OPTION...: each kernel's line is the reference's, or "refused". WHAT is what holds for
# the first: "same", "refused" (in the best instruction set; where a lesser one has no such
# operation it may run), or "either".
expect() {
    local what=$1 set kernel printed
    shift
    if ! build "$@"; then
        if compiles "$@"; then
            check 1 "$* compiles"
        else
            skip "$cc does not take $*"
        fi
        return
    fi
    for set in "${sets[@]}"; do
        mapfile -t printed < <(REAP_HOST_ISA=$set ./exact)
        for kernel in 0 1 2; do
            [ "${printed[kernel]-}" = "${reference[kernel]}" ] ||
                { [ "${printed[kernel]-}" = refused ] && [ $kernel$what != 0same ]; }
            check $? "$*, $set, kernel $kernel: ${printed[kernel]-}, not ${reference[kernel]}"
        done
    done
    [ "$what" != refused ] || [ "${printed[0]}" = refused ]
    check $? "$*: refused in $set"
}

# expect_often ARGUMENT...: what is expected of every compiler; of the second one a share of it.
expect_often() {
    ! wanted || expect "$@"
}

for level in -O0 -O1 -O2 -O3 -Os; do
    expect_often same $level -std=gnu17
    expect_often same $level -std=gnu17 -march=native
done
expect_often same -O2 -std=c11
expect_often same -O2 -std=gnu17 -mfma
expect_often same -O2 -std=gnu17 -flto -march=native
expect_often same -O2 -frounding-math
expect_often same -O2 -fno-trapping-math -fno-math-errno
expect_often same -O2 -mrecip=all
expect_often same -O2 -ffp-contract=on -mfma

if [ $family = gcc ]; then
    expect same -O2 -ffp-contract=fast
    expect same -O2 -ffp-contract=fast -mfma
    expect_often same -O3 -ffp-contract=fast -march=native -flto
    expect same -O2 -mfma '-DEARLY="GCC optimize(\"fp-contract=fast\")"'
    expect either -O0 -mfma '-DLATE="GCC optimize(\"fp-contract=fast\")"'
    for pragma in fp-contract=fast fast-math associative-math reciprocal-math; do
        expect refused -O2 -mfma "-DLATE=\"GCC optimize(\\\"$pragma\\\",\\\"no-signed-zeros\\\")\""
        expect_often refused -O3 -march=native \
            "-DLATE=\"GCC optimize(\\\"$pragma\\\",\\\"no-signed-zeros\\\")\""
    done
else
    expect refused -O2 -ffp-contract=fast -march=native
    expect either -O2 -ffp-contract=fast
    expect either -O0 -ffp-contract=fast -march=native
    expect same -O2 -march=native '-DEARLY="STDC FP_CONTRACT ON"'
    for pragma in "STDC FP_CONTRACT ON" "clang fp contract(fast)"; do
        expect refused -O2 -march=native "-DLATE=\"$pragma\""
        expect either -O0 -march=native "-DLATE=\"$pragma\""
        expect either -O2 "-DLATE=\"$pragma\""
    done
    expect either -O2 '-DLATE="clang fp reassociate(on)"'
    for options in "-fassociative-math -fno-signed-zeros -fno-trapping-math" \
        -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros -fno-honor-nans; do
        # shellcheck disable=SC2086
        {
            expect refused -O2 $options
            expect refused -O3 $options -march=native
            expect either -O0 $options
        }
    done
fi
finish
