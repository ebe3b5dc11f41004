#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the house style. Each finding is a line "file:line: what". Without arguments, every part:
#
#   format   clang-format lays the files out (fix-format, when named, does it)
#   limits   lengths, file names, opening lines, includes, what the library must not call
#   words    no expression that docs/words.txt refuses, in the files that it lists as clean
#   reference   Doxygen finds a comment at every public declaration, and what the pages link to
#   tidy     clang-tidy with .clang-tidy: nesting, parameters, and what it finds suspicious; needs
#            a build directory (BUILD=..., default build/debug) that lists the compile commands;
#            in a debug one it sees what is asserted
#   tidy-product   the same, of what is installed alone: no tests or benchmarks; and where SHARE is
#            set, of a sixth of the files, those of this turn (TURN, or the count of revisions),
#            and the paths of one in 4 SHARE are followed, which is most of the work, chosen by SEED
#            if that is set
#
# tests/contract/ is a copy of something published and left as it is.
# Usage: check-style.sh [format|limits|words|reference|tidy|tidy-product|fix-format]...
set -u
cd "$(dirname "$0")/.." || exit 2
build=${BUILD:-build/debug}
found=0

files() { # files PATTERN...: ours, tracked or about to be
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git ls-files -co --exclude-standard -- "$@" | while IFS= read -r file; do
            [ ! -f "$file" ] || printf '%s\n' "$file"
        done
    else
        local pattern
        for pattern in "$@"; do
            find . -path ./build -prune -o -path "./$pattern" -type f -printf '%P\n'
        done
    fi | grep -v '^tests/contract/' | sort -u
}

# has TOOL VERSION CHECK: whether it is there in the version whose judgement counts; others judge
# differently.
has() {
    if ! command -v "$1" >/dev/null; then
        echo "skipped: $3: $1 is not installed"
        return 1
    elif ! "$1" --version | grep -qwF "$2"; then
        echo "skipped: $3: $1 $2 decides, and this is another version"
        return 1
    fi
}

check_format() {
    has clang-format 14 "the check of the layout" || return
    mapfile -t sources < <(files '*.c' '*.h')
    clang-format "${@:---dry-run}" -Werror "${sources[@]}" || found=1
}

# say TEXT: the places on standard input, each with the text.
say() {
    sed "s|\$|: $1|"
}

# matching PATTERN FILE...: the places where an extended regular expression matches.
matching() {
    [ $# = 1 ] || LC_ALL=C.UTF-8 grep -nHE "$@" | cut -d: -f1,2
}

# Functions are found by the layout that clang-format enforces: the braces of a body are alone in
# the first column.
long_functions() {
    awk 'FNR == 1 { start = 0 }
        /^{$/ { start = FNR }
        /^}$/ && start { if (FNR - start > 61) print FILENAME ":" start; start = 0 }' "$@"
}

# A file that has a header of its own includes it first: so no header needs another before it.
late_own_headers() {
    awk 'FNR == 1 { seen = 0 }
        /^#include/ && !seen {
            seen = 1
            own = FILENAME
            sub(/\.c$/, ".h", own)
            if ((getline line < own) >= 0 && $2 != "\"" own "\"") print FILENAME ":" FNR
            close(own)
        }' "$@"
}

# Every file of ours that is written by hand.
text_limits() {
    mapfile -t texts < <(files '*.c' '*.h' '*.cmake' '*.sh' '*CMakeLists.txt' '*Makefile')
    matching '^.{101,}$' "${texts[@]}" | say "more than 100 columns"
    grep -L 'SPDX-License-Identifier: Apache-2.0' "${texts[@]}" | say "no SPDX line"
    printf '%s\n' "${texts[@]}" | grep -E '(^|/)[^/]*(util|common)[^/]*$' |
        say "a name that says nothing"
    mapfile -t texts < <(printf '%s\n' "${texts[@]}" | grep -vx 'scripts/check-style.sh')
    matching '\<(TODO|FIXME|XXX)\>' "${texts[@]}" | say "work left to do belongs in an issue"
    matching 'NOLINT|clang-format off|no_sanitize' "${texts[@]}" | say "a suppression"
}

source_limits() {
    mapfile -t sources < <(files '*.c' '*.h')
    long_functions "${sources[@]}" | say "a function of more than 60 lines"
    mapfile -t sources < <(files 'src/*.c' 'tools/*.c' 'bench/*.c' 'tests/*.c')
    late_own_headers "${sources[@]}" | say "its own header comes first"
    mapfile -t sources < <(files 'src/*.[ch]' 'tools/*.[ch]' 'bench/*.[ch]')
    matching '^#include "(\.|[^/]*")' "${sources[@]}" | say "an include is written from the root"
    mapfile -t sources < <(files 'tools/*.[ch]')
    matching '^#include "(src|algorithms|bench|tests)/|<reap/detail/' "${sources[@]}" |
        say "the tool uses the public interface only"
}

# What the library leaves to one of its files, or to the program.
library_limits() {
    local standard_output='v?f?printf|f?puts|f?putc|putchar|perror'
    local end='abort|_?exit|quick_exit|_Exit|system|popen'
    local memory='malloc|calloc|realloc|aligned_alloc|posix_memalign|strdup|free'
    mapfile -t library < <(files 'src/*.[ch]')
    matching "\\<($standard_output|$end) *\\(" "${library[@]}" |
        say "the library does not print, abort or exit"
    mapfile -t others < <(printf '%s\n' "${library[@]}" | grep -vx 'src/core/config.c')
    matching '\<(secure_)?getenv *\(' "${others[@]}" |
        say "only src/core/config.c reads the environment"
    mapfile -t others < <(printf '%s\n' "${library[@]}" | grep -vx 'src/core/allocate.c')
    matching "\\<($memory) *\\(" "${others[@]}" | say "memory comes from src/core/allocate.h"
}

check_limits() {
    {
        text_limits
        source_limits
        library_limits
    } >"$findings"
    cat "$findings"
    [ ! -s "$findings" ] || found=1
}

# The lines of docs/words.txt of a kind: their expressions.
expressions() { # expressions KIND
    sed -n "s/^$1\t\([^\t]*\).*/\1/p" docs/words.txt
}

check_words() {
    mapfile -t texts < <(
        files '*.c' '*.h' '*.md' '*.sh' '*.1' '*.awk' '*.cmake' '*.py' '*CMakeLists.txt' |
            grep -E -f <(expressions clean) | grep -vE -f <(expressions except)
    )
    LC_ALL=C.UTF-8 grep -onHiE -f <(expressions refuse) "${texts[@]}" |
        sed 's/:\([^:]*\)$/: "\1": docs\/words.txt has a replacement/' >"$findings"
    cat "$findings"
    [ ! -s "$findings" ] || found=1
}

check_reference() {
    has doxygen 1.9 "the check of the reference" || return
    scripts/reference.sh || found=1
}

# The files that a build directory compiles.
sources_of() {
    sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$1/compile_commands.json" | sort -u
}

# A file that is in several programs is looked at once, as in the first one: clang-tidy 14 confuses
# the second look with the first. And it refuses an option of gcc (algorithms/CMakeLists.txt).
commands_once() { # commands_once FOLDER: writes its compile_commands.json
    awk 'NR == 1 { print; next }
        /^\{/ { entry = "" }
        { entry = entry (entry == "" ? "" : "\n") $0 }
        /^ *"file": / { file = $0 }
        /^\}/ && !seen[file]++ {
            sub(/,$/, "", entry)
            sub(/ -mmemset-strategy=[^ ]*/, "", entry)
            printf "%s%s", comma, entry
            comma = ",\n"
        }
        END { print "\n]" }' "$build/compile_commands.json" >"$1/compile_commands.json"
}

# Several files for each process, which takes as long to start as it looks at a small one.
tidy() { # tidy [OPTION...] <FILES
    tr '\n' '\0' | xargs -0 -r -n 8 -P "$(nproc)" clang-tidy --quiet "$@" -p "$once" 2>&1
}

# one_in COUNT TURN [-v] <FILES: one in so many of them, from that on, or the others.
one_in() {
    awk -v count="$1" -v turn="$2" -v others="${3:+1}" '((NR + turn) % count == 0) != (others + 0)'
}

check_tidy() { # check_tidy [product]
    local share=1 part=1 turn=${SEED:-$RANDOM} revision
    local no_paths='--checks=-clang-analyzer-*' left_out="^$PWD/tests/"
    local foreign='/kernels/|\.kernels|/tests/fake/|/bench/mpi/traffic'
    has clang-tidy 14 "the static analysis" || return
    if [ "${1:-}" = product ]; then
        share=$((${SHARE:-0} > 0 ? 4 * SHARE : 1))
        part=$((${SHARE:-0} > 0 ? 6 : 1))
        # It takes half of the time, for kernels' functions, whose loops are the library's.
        [ "$share" = 1 ] || no_paths+=,-bugprone-infinite-loop
        left_out="^$PWD/(tests|bench)/"
    fi
    revision=${TURN:-$(git rev-list --count HEAD 2>/dev/null)}
    revision=${revision:-$turn}
    if [ ! -f "$build/compile_commands.json" ]; then
        echo "no $build/compile_commands.json: build first, or set BUILD" >&2
        found=1
        return
    fi
    commands_once "$once"
    # The functions that the dialect makes of a kernel are as large as its macros, and have their
    # place in the kernel's file; what is written there is under the limits of check_limits. And
    # what the fake drivers' functions take, and MPI's, is not ours to say.
    {
        sources_of "$build" | grep -vE "$left_out" | one_in "$share" "$turn" | tidy
        sources_of "$build" | grep -vE "$left_out" | one_in "$share" "$turn" -v |
            one_in "$part" "$revision" | tidy "$no_paths"
        # All that these do is done under the sanitizers; so their paths are not followed here.
        [ "${1:-}" = product ] ||
            sources_of "$build" | grep "^$PWD/tests/" | grep -v '/tests/contract/' |
            tidy "$no_paths"
    } |
        grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error)' |
        grep -vE "($foreign)[^/]*:.* exceeds recommended size" |
        sort -u >"$findings"
    cat "$findings"
    [ ! -s "$findings" ] || found=1
}

findings=$(mktemp)
once=$(mktemp -d)
trap 'rm -rf "$findings" "$once"' EXIT
[ $# -gt 0 ] || set -- format limits words reference tidy
for part in "$@"; do
    case $part in
    format | limits | words | reference | tidy) "check_$part" ;;
    tidy-product) check_tidy product ;;
    fix-format) check_format -i ;;
    *)
        sed -n 's/^# Usage/usage/p' scripts/check-style.sh >&2
        exit 2
        ;;
    esac
done
exit $found
