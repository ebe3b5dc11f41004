#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The shared library exports what symbols.txt lists, which is what the public headers declare, and
# has the right soname; all that the static one defines begins with reap_. Neither is marked as
# fit for a shadow stack, since fibers are not. The libraries beside it export what their headers
# declare, and only that of MPI programs needs MPI.
source "$(dirname "$0")/support.sh"
expected=$SOURCE/tests/install/symbols.txt

declared_in() { # declared_in HEADER...
    awk '/^REAP_API/ { declaration = "" }
        { declaration = declaration $0 }
        declaration ~ /^REAP_API.*;/ {
            sub(/\(.*/, "", declaration)
            sub(/.*[ *]/, "", declaration)
            print declaration
            declaration = ""
        }' "$@" | LC_ALL=C sort
}
exports() { # exports LIBRARY
    nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort
}
mapfile -t headers < <(find "$SOURCE/include/reap" -maxdepth 1 -name '*.h' ! -name mpi.h \
    ! -name algorithms.h)
declared_in "${headers[@]}" >declared
diff "$expected" declared || fail "symbols.txt is not what the public headers declare"

exports "$PREFIX/lib/libreap.so" >exported
diff "$expected" exported || fail "libreap.so does not export what symbols.txt lists"

soname=$(readelf -d "$PREFIX/lib/libreap.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
replaceable=${VERSION%%.*} # by versions that begin so
[ "$replaceable" != 0 ] || replaceable=${VERSION%.*}
[ "$soname" = "libreap.so.$replaceable" ] || fail "the soname is $soname"

nm -g --defined-only "$PREFIX/lib/libreap.a" | awk 'NF == 3 { print $3 }' |
    grep -v '^reap_' >foreign || [ ! -s foreign ] ||
    fail "libreap.a defines names that are not Reap's: $(head -3 foreign)"

# The linker marks what it makes from objects that are all marked.
readelf -n "$PREFIX/lib/libreap.a" |
    awk '/^File:/ { object = $2 } /SHSTK|GCS/ { print object }' >fit_for_shadow_stacks
! grep "fiber_$(uname -m)" fit_for_shadow_stacks ||
    fail "fibers are marked as fit for a shadow stack"


# beside NAME: the library libreap_NAME exports what NAME.h declares.
beside() {
    local library=$PREFIX/lib/libreap_$1
    declared_in "$SOURCE/include/reap/$1.h" >declared
    exports "$library.so" >exported
    diff declared exported || fail "$library.so does not export what $1.h declares"
    readelf -d "$library.so" | grep -q "(SONAME).*\[libreap_$1.so.$replaceable\]" ||
        fail "the soname of $library.so is wrong"
    nm -g --defined-only "$library.a" | awk 'NF == 3 { print $3 }' |
        grep -v '^reap_' >foreign || [ ! -s foreign ] ||
        fail "$library.a defines names that are not Reap's: $(head -3 foreign)"
}
beside algorithms

! readelf -d "$PREFIX/lib/libreap.so" | grep 'NEEDED.*mpi' || fail "libreap.so needs MPI"
[ -e "$PREFIX/lib/libreap_mpi.so" ] || skip "the names of libreap_mpi: it was not built"
beside mpi
