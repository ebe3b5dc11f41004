#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every public header compiles alone, twice included, as strict C11 and in a later dialect, without
# a warning; reap.h as C++17 too. The dialects of devices are for other compilers, and a template
# is compiled with the header that includes it; tests/mpi compiles mpi.h, which needs MPI.
# Usage: headers.sh COMPILER INCLUDE_DIRECTORY
set -uo pipefail
compiler=$1 include=$2
warnings=(-Wall -Wextra -Wpedantic -pedantic-errors -Wundef -Wshadow -Werror -DREAP_SHOW_HEADERS)
in_c=("${warnings[@]}" -Wvla -Wstrict-prototypes -Wmissing-prototypes)
failed=0

compile() { # compile HEADER OPTION...
    printf '#include <%s>\n#include <%s>\nextern int declaration;\n' "$1" "$1" |
        "$compiler" "${@:2}" -I"$include" -fsyntax-only - || {
        echo "failed: $1 alone with ${*:2}"
        failed=1
    }
}

headers=$(cd "$include" && find reap -name '*.h' | LC_ALL=C sort | grep -vx reap/mpi.h |
    grep -vE '^reap/detail/((kernel_opencl|kernel_cuda)\.h$|(device|opencl|cuda)/)|_tmpl\.h$')
[ -n "$headers" ] || failed=1
for header in $headers; do
    compile "$header" -x c -std=c11 "${in_c[@]}"
    compile "$header" -x c -std=gnu2x "${in_c[@]}"
done
if "$compiler" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
    compile reap/reap.h -x c++ -std=c++17 "${warnings[@]}"
else
    echo "skipped: reap.h as C++17 with $compiler: it compiles no C++ here"
fi
exit $failed
