#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every example builds from the installed Reap without a warning, and finds its result right on
# every device. The pages about examples show them as they are. In `make check` (SHARE) each example
# runs on the host, without optimisation, and one in three on the other devices, which compile their
# kernels.
#
# Usage: examples.sh [FOLDER...]: those of folders of examples; without, the others
source "$(dirname "$0")/support.sh"
require pkg-config "the examples"
cp -r "$SOURCE/examples" "the examples"
devices=$("$PREFIX/bin/reap" devices --names)
mapfile -t programs < <(cd "the examples" && find "${@:-.}" -maxdepth 1 -name '*.c' |
    sed -E 's,^(\./)?(.*)\.c$,run-\2,' | sort)
# That of MPI programs where there is MPI. The Makefile has it run by whomever, on few cores, too.
if ! pkg-config --exists reap_mpi || ! command -v mpirun >/dev/null; then
    echo "skipped: the example 09_ranks: libreap_mpi was not built, or mpirun is not installed"
    mapfile -t programs < <(printf '%s\n' "${programs[@]}" | grep -vx run-09_ranks)
fi
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
[ "${#programs[@]}" -gt 4 ] || fail "there are only the examples ${programs[*]}"
some=("${programs[@]}") level=-O2
if [ -n "${SHARE:-}" ]; then
    level=-O0
    mapfile -t some < <(printf '%s\n' "${programs[@]}" |
        awk -v turn="${SEED:-1}" '(NR + turn) % 3 == 0')
fi
for device in $devices; do
    [ "$device" = host ] || programs=("${some[@]}")
    REAP_DEVICE=$device make -C "the examples" CC="$CC" BUILD=built \
        CFLAGS="-std=c11 $level -Wall -Wextra -Wpedantic -Werror" "${programs[@]}" ||
        fail "an example on $device"
done
[ $# = 0 ] || exit 0

# shows PAGE FILE...: the page has each file's text below its name.
shows() {
    local file page=$1
    awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
        /^```c$/ { inside = name != ""; next }
        /^```/ { inside = 0; name = "" }
        inside { print >name }' "$SOURCE/docs/$page"
    for file in "${@:2}"; do
        diff "$(basename "$file")" <(grep -v '^/\* SPDX' "$file") ||
            fail "docs/$page does not show ${file##*/} as it is"
    done
}
shows tutorial.md "$SOURCE"/examples/tutorial/[0-9]*
shows recipes.md "$SOURCE"/examples/recipes/*
shows quick-reference.md
"$CC" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror "-I$PREFIX/include" -c program.c ||
    fail "the program of docs/quick-reference.md does not compile"

for device in $devices; do
    for bytes in 266240 1000000; do
        REAP_DEVICE=$device "the examples/built/06_in_chunks" $bytes 100001 ||
            fail "06_in_chunks with $bytes bytes on $device"
    done
done
# The program contains each piece of C on the page.
awk -v RS='```' 'NR % 2 == 0 && sub(/^c\n/, "") { printf "%s", $0 >("piece." ++pieces) }' \
    "$SOURCE/docs/chunks.md"
program=$(cat "$SOURCE"/examples/{06_in_chunks,08_resume}.{kernels.h,c})
for piece in piece.*; do
    [[ $program == *"$(cat "$piece")"* ]] || fail "docs/chunks.md shows another $piece"
done
