#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the checks, those of `all`, or the parts that are named: builds Reap in each configuration
# with warnings as errors and runs its tests, and checks the style. Of the slower configurations the
# checks take what is most likely to find something there; `all` takes more tests, and inputs.
# What this machine cannot do is left out, and said at the end, with what ran, what the tests
# skipped, how many results they compared with the serial reference, and, last, what failed. A part
# logs into build/check/PART.log; its tests run side by side, and so do two lanes of parts. Random
# inputs come from one seed: SEED of the environment, or 1, so that the checks are the same each
# time; `all` draws a new one and prints it.
#
# The checks take turns, so that they end within ten minutes: a revision has every quick test, a
# sixth of the slow ones, of those with the address sanitizer and of the files for static
# analysis, and one of clang-some, tsan-some and aarch64-some. The turn is the count of revisions,
# or TURN of the environment: six numbers in a row have everything. `all` has no turns.
#
# Usage: check.sh [all | PART...]   check.sh help names the parts
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
out=build/check
reports=$out/reports
jobs=$(nproc)
unset REAP_NUM_THREADS REAP_DEVICE REAP_BACKENDS REAP_HOST_ISA DESTDIR OMP_NUM_THREADS
# The thread sanitizer says nothing of a race whose other side it no longer remembers.
export TSAN_OPTIONS=history_size=7

each_turn=(style release-gcc tidy-some asan-ubsan-some)
by_turns=(clang-some tsan-some aarch64-some)
parts=("${each_turn[@]}" "${by_turns[@]}")
# With debug-gcc, asan-ubsan is the debug build with clang.
all_parts=(style release-gcc host-only tidy release-clang debug-gcc asan-ubsan tsan ucontext
    aarch64 fuzz)

# settings PART: its compiler, its preset and options of CMake, where it is built, its sanitizers.
settings() {
    directory=$out/$1 compiler=gcc preset=release options=() sanitizers=
    case $1 in
    quick | host-only | release-gcc)
        local few=ON
        [ -z "${REAP_TESTS_MANY:-}" ] || few=OFF # in `all`
        directory=$out/release-gcc
        # gcc compiles kernels in 7 % less time if its messages do not follow each macro.
        options=(-DREAP_TESTS_DEVICES=ON -DREAP_TESTS_QUICK_TO_COMPILE=$few
            -DCMAKE_C_FLAGS=-ftrack-macro-expansion=1)
        ;;
    tidy) settings debug-gcc ;;
    clang-some)
        settings release-clang
        options=(-DREAP_TESTS_SMALL=ON -DREAP_TESTS_EVERY_INSTRUCTION_SET=OFF
            -DREAP_TESTS_FLOATING_GROUPS=ON "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG"
            -DREAP_TESTS_OPTIONS=-O2) # kernels are in the tests
        ;;
    asan-ubsan-some)
        settings asan-ubsan
        options=(-DREAP_SANITIZE_TESTS_WHOLLY=OFF -DREAP_TESTS_QUICK_TO_COMPILE=ON
            "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -g1")
        ;;
    tsan-some)
        settings tsan
        # Enough for it, and for the lines of its reports. With less, copies of structures would be
        # calls of memcpy, which it looks at also in the files that it has to leave out (src).
        options=(-DREAP_TESTS_QUICK_TO_COMPILE=ON "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1")
        ;;
    aarch64-some)
        settings aarch64
        options=(-DREAP_TESTS_QUICK_TO_COMPILE=ON)
        ;;
    *-some) settings "${1%-some}" ;;
    release-clang)
        compiler=clang
        options=(-DREAP_TESTS_SMALL=ON -DREAP_TESTS_EVERY_INSTRUCTION_SET=ON
            -DREAP_TESTS_FLOATING_GROUPS=OFF)
        ;;
    debug-gcc)
        preset=debug
        # As gcc compiles for x86-64 by default on other systems, Ubuntu for one.
        [ "$(uname -m)" != x86_64 ] || options=(-DCMAKE_C_FLAGS=-fcf-protection=full)
        ;;
    asan-ubsan)
        preset=asan-ubsan sanitizers=address,undefined
        options=(-DREAP_SANITIZE_TESTS_WHOLLY=ON -DREAP_TESTS_QUICK_TO_COMPILE=OFF)
        # clang is stricter, and several times faster.
        ! sanitizes clang || compiler=clang
        ;;
    tsan)
        compiler=clang preset=tsan sanitizers=thread
        options=(-DREAP_TESTS_QUICK_TO_COMPILE=OFF
            "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g -DNDEBUG")
        ;;
    fuzz) compiler=clang sanitizers=address,undefined ;;
    ucontext) options=(-DREAP_FIBERS_ON_UCONTEXT=ON) ;;
    aarch64)
        compiler=aarch64-linux-gnu-gcc preset=aarch64
        options=(-DREAP_TESTS_QUICK_TO_COMPILE=OFF)
        ;;
    esac
}

# sanitizes COMPILER: whether programs that it builds with the sanitizers run here. Under some
# kernels they must be asked to stand where the thread sanitizer can work.
sanitizes() {
    local empty=$out/empty-$BASHPID
    under=()
    printf 'int main(void) { return 0; }\n' |
        "$1" -fsanitize="$sanitizers" -x c - -o "$empty" 2>/dev/null || return
    "$empty" 2>/dev/null && return
    under=(setarch -R)
    "${under[@]}" "$empty" 2>/dev/null
}

# emulates COMPILER: whether programs that it builds for aarch64 run here.
emulates() {
    local empty=$out/empty-$BASHPID
    printf 'int main(void) { return 0; }\n' | "$1" -x c - -o "$empty" 2>/dev/null &&
        qemu-aarch64 -L /usr/aarch64-linux-gnu "$empty" 2>/dev/null
}

# Why this machine cannot run the part, if it cannot.
find_obstacle() {
    obstacle= under=()
    if ! command -v "$compiler" >/dev/null; then
        obstacle="$compiler is not installed"
    elif [ "$preset" = aarch64 ] && [ "$(uname -m)" = aarch64 ]; then
        obstacle="this machine is one, and the other parts are about it"
    elif [ "$preset" = aarch64 ] && ! emulates "$compiler"; then
        obstacle="qemu-aarch64, or the C library for it, is not installed"
    elif [ -n "$sanitizers" ] && ! sanitizes "$compiler"; then
        obstacle="$compiler's sanitizers ($sanitizers) do not work here"
    fi
}

# With ninja, which keeps every processor busy; a folder that was built otherwise stays as it is.
without= # programs that `all` does not build
configure() {
    local generator=()
    if command -v ninja >/dev/null && [ ! -f "$directory/CMakeCache.txt" ]; then
        generator=(-G Ninja)
    fi
    cmake "${generator[@]}" --preset "$preset" -B "$directory" -DCMAKE_C_COMPILER="$compiler" \
        -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "-DREAP_TESTS_WITHOUT=${without//$'\n'/;}" \
        "${options[@]}"
}

compile() { # compile [TARGET...]
    cmake --build "$directory" --parallel "$jobs" ${1:+--target "$@"}
}

built= # the folder in which everything has been built
build() { # build [TARGET...]
    configure && compile "$@" || return
    [ "${1:-all}" != all ] || built=$directory
}

run_tests() { # run_tests [OPTION OF CTEST...]
    rm -f "$directory/Testing/Temporary/LastTest.log"
    "${under[@]}" ctest --test-dir "$directory" --parallel "$jobs" --output-on-failure "$@"
}

# The labels of tests are explained in tests/CMakeLists.txt. none_of LABEL...: for -LE of ctest.
none_of() {
    local IFS='|'
    echo "^($*)\$"
}

names_of_tests() { # names_of_tests OPTION OF CTEST...
    ctest --test-dir "$directory" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'
}

# The tests, and the program that each runs of those that are built for tests; -: it runs none.
# ctest itself names no program that is not built yet.
tests_and_programs() { # tests_and_programs OPTION OF CTEST...
    find "$directory" -name CTestTestfile.cmake -exec grep -h '^add_test(' {} + | awk '
        NR == FNR {
            gsub(/^add_test\(|[][=]/, "", $1)
            program[$1] = "-"
            if (match($0, /\/test_[a-z0-9_]+"/))
                program[$1] = substr($0, RSTART + 1, RLENGTH - 2)
            next
        }
        { print $1, program[$1] }' - <(names_of_tests "$@")
}

programs_of_tests() { # programs_of_tests OPTION OF CTEST...
    tests_and_programs "$@" | cut -d ' ' -f 2 | sort -u
}

# of_other_turns WHAT OPTION OF CTEST...: for -E of ctest, five of six of these tests; all that
# run one program have the same turn. None in `all`, or where the revision is not known.
of_other_turns() {
    local names=none what=$1
    shift
    if [ -n "$TURN" ]; then
        echo "$part: five sixths of $what: other revisions'" >>"$reports/$part.left_out"
        names=$(tests_and_programs "$@" | awk -v turn="$TURN" '
            { key = $2 == "-" ? $1 : $2 }
            !(key in turns) { turns[key] = count++ }
            (turns[key] + turn) % 6 { print $1 }' | paste -s -d '|')
    fi
    echo "^(${names:-none})\$"
}

# build_and_run OPTION OF CTEST...: builds the programs of those quick tests alone, and what several
# tests run (none does in tsan and aarch64, not the tool either), and runs them.
build_and_run() {
    local names targets
    configure || return
    [ "$part" != asan-ubsan-some ] ||
        set -- "$@" -E "$(of_other_turns 'the tests' -L quick "$@")"
    names=$(names_of_tests -L quick "$@" | sed 's/^/test_/' | tr . _)
    mapfile -t targets < <(cmake --build "$directory" --target help |
        grep -oE '\btest_[a-z0-9_]+' | sort -u | grep -xF "$names")
    case $preset in
    tsan | aarch64) ;;
    *) targets+=(reap_product test_faults make_npy) ;;
    esac
    compile "${targets[@]}" && run_tests -L quick "$@"
}

run() { # run PART
    case $1 in
    style) scripts/check-style.sh format limits words reference ;;
    tidy) configure && BUILD=$directory scripts/check-style.sh tidy ;;
    tidy-some) configure && BUILD=$directory scripts/check-style.sh tidy-product ;;
    quick | aarch64 | debug-gcc) build reap_product reap_quick_tests && run_tests -L quick ;;
    ucontext) build reap_group_tests && run_tests -L quick -L groups ;;
    # Arithmetic and loops alone: no tool, so nothing is installed.
    clang-some)
        build reap_static reap_shared test_agreement test_combines test_work_groups_phases &&
            run_tests -L compiler -LE "$(none_of check-all)" -E '^(dialect_|install)'
        ;;
    asan-ubsan-some)
        build_and_run -LE "$(none_of values plain repeat sample)"
        ;;
    fuzz) "${under[@]}" scripts/fuzz.sh 10 ;;
    tsan-some) build_and_run -L threads ;;
    # What differs among processors: arithmetic, atomics, threads, how work-items wait.
    aarch64-some) build_and_run -L processor ;;
    # Sums on the host and the tool are as they were in release-gcc, of which these are the
    # programs.
    host-only)
        [ "$built" = "$directory" ] || build || return
        REAP_BACKENDS=host run_tests -L 'quick|devices' \
            -LE "$(none_of tool values repeat sample groups)"
        ;;
    # For the compiler's sake; what else there is runs with gcc, and with this one's sanitizers.
    release-clang)
        build reap_product reap_quick_tests reap_compiler_tests && run_tests -L 'quick|compiler'
        ;;
    # It does not know vendors' compilers, and checked execution orders nothing otherwise.
    tsan) build && run_tests -LE "$(none_of repeat sample vendor)" ;;
    *)
        local targets=(all) others
        [ -n "${SHARE:-}" ] || targets+=(reap_check_all_tests)
        configure || return
        # -FA: ctest adds what sets fixtures up to each selection, but runs none that -E excludes.
        others=$(of_other_turns 'the slow tests' -L slow -LE "$(none_of sample check-all)" -FA .)
        set -- -LE "$(none_of sample ${SHARE:+check-all})"
        without=$(comm -13 <(programs_of_tests "$@" -E "$others") <(programs_of_tests "$@"))
        build "${targets[@]}" && run_tests "$@" -E "$others"
        ;;
    esac
}

# A part's report are files in build/check/reports: PART.ran has a line about what was run,
# PART.left_out what was left out, PART.comparisons numbers, and PART.failed exists if it failed.

# note PART LOG: adds to the report what a part's tests said in their log.
note() {
    local line
    while IFS= read -r line; do
        case $line in
        skipped:*) echo "$1: ${line#skipped: }" >>"$reports/$1.left_out" ;;
        comparisons:*) echo "${line#comparisons: }" >>"$reports/$1.comparisons" ;;
        esac
    done < <(grep -hE '^(skipped: .|comparisons: [0-9]+$)' "$2" 2>/dev/null | sort)
}

check_part() { # check_part PART
    local log=$out/$1.log started=$SECONDS result=ok tests
    settings "$1"
    find_obstacle
    if [ -n "$obstacle" ]; then
        echo "$1: $obstacle" >"$reports/$1.left_out"
        return
    fi
    if ! run "$1" >"$log" 2>&1; then
        result=FAILED
        touch "$reports/$1.failed"
    fi
    tests=$(sed -n 's/.*tests passed, \([0-9]* tests failed out of [0-9]*\)$/, \1/p' "$log")
    printf '%-14s %s\n' "$1" "$result, $((SECONDS - started)) s$tests" | tee "$reports/$1.ran"
    case $1 in
    style | tidy*) note "$1" "$log" ;;
    *) note "$1" "$directory/Testing/Temporary/LastTest.log" ;;
    esac
    [ "$result" = ok ] || tail -n 40 "$log"
}

# Two lanes of parts run side by side: where a part has one processor busy, configuring or with its
# last test, the others work for the other lane. Parts that share a build folder are in one lane.
in_first_lane() {
    case $1 in
    quick | release-gcc | host-only) ;;
    *) false ;;
    esac
}

run_lane() { # run_lane PART...
    local part
    for part in "$@"; do
        check_part "$part"
    done
}

# report KIND: what the reports of all parts that were run have of it, in the parts' order.
report() {
    local part
    for part in "${chosen[@]}"; do
        cat "$reports/$part.$1" 2>/dev/null
    done
}

# failed_tests PART: the names of its tests that failed, each with how.
failed_tests() {
    sed -n '/^The following tests FAILED:/,$ s/^[\t ]*[0-9]* - //p' "$out/$1.log"
}

# last_words PART: the last lines that each of its failed tests printed; or those of the part, if
# none failed.
last_words() {
    if [ -z "$(failed_tests "$1")" ]; then
        tail -n 10 "$out/$1.log" | cut -c 1-200 | sed 's/^/    /'
        return
    fi
    awk -v most=6 'function show(    i) {
            if (test != "") print test
            for (i = lines > most ? lines - most : 0; i < lines; i++) print "    " line[i % most]
            test = ""
            lines = 0
        }
        / Test +#[0-9]+: / || /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { show() }
        / Test +#[0-9]+: .*\*\*\*/ && !/\*\*\*Skipped/ { test = $0; next }
        test != "" && NF { line[lines++ % most] = substr($0, 1, 200) }' "$out/$1.log"
}

# What failed, as the last lines of all: those who see no more of the output know it from them.
print_failures() {
    local part
    for part in "${failed[@]}"; do
        printf '\n== what failed in %s\n' "$part"
        last_words "$part"
    done
    printf '\n== failed\n'
    for part in "${failed[@]}"; do
        echo "$part"
        failed_tests "$part" | sed "s/^/$part: /"
    done
}

case ${1:-} in
'')
    export SHARE=10 # of what is many cases: one in so many, chosen by the seed
    export TURN=${TURN-$(git rev-list --count HEAD 2>/dev/null)}
    set -- "${parts[@]}"
    if [ -n "$TURN" ]; then
        set -- "${each_turn[@]}" "${by_turns[TURN % ${#by_turns[@]}]}"
    fi
    ;;
all)
    unset TURN
    export REAP_TESTS_MANY=1
    : "${SEED:=$(od -A n -N 4 -t u4 /dev/urandom | tr -d ' ')}"
    set -- "${all_parts[@]}"
    ;;
help)
    echo "parts: ${parts[*]}"
    echo "all: ${all_parts[*]}"
    echo "and quick, of release-gcc"
    exit 0
    ;;
esac
# Every test draws its inputs, and which cases of many it runs, from this seed.
export SEED=${SEED:-1}
export FAKE_SEED=${FAKE_SEED:-$SEED}
TURN=${TURN:-}
echo "SEED=$SEED${TURN:+ TURN=$TURN}"
chosen=("$@") first=() second=() failed=()
for part in "${chosen[@]}"; do
    case " ${parts[*]} ${all_parts[*]} quick " in
    *" $part "*) ;;
    *)
        echo "check.sh: unknown part '$part' (check.sh help)" >&2
        exit 2
        ;;
    esac
    if in_first_lane "$part"; then
        first+=("$part")
    else
        second+=("$part")
    fi
done
mkdir -p "$out"
rm -rf "$reports"
mkdir "$reports"
set -m # a lane is a process group, which an interrupt ends whole
run_lane "${first[@]}" </dev/null &
lanes=(-$!)
run_lane "${second[@]}" </dev/null &
lanes+=(-$!)
set +m
trap 'kill -- "${lanes[@]}" 2>/dev/null; exit 130' INT TERM
wait
rm -f "$out"/empty-*

printf '\n== ran\n'
report ran
if [ -n "$(report left_out)" ]; then
    printf '\n== left out\n'
    report left_out | awk '!said[$0]++'
fi
for part in "${chosen[@]}"; do
    [ ! -e "$reports/$part.failed" ] || failed+=("$part")
done
printf '\n%d comparisons with the serial reference; %d s in all: %s\n' \
    "$(report comparisons | awk '{ n += $1 } END { printf "%.0f", n }')" "$SECONDS" \
    "$([ ${#failed[@]} = 0 ] && echo "everything passed" || echo "there were FAILURES")"
[ ${#failed[@]} -gt 0 ] || exit 0
print_failures
exit 1
