#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every public name of the headers has a manual page in section 3, with a line that sums it up and a
# description, and `man` finds it; and a place in the quick reference, which names no others.
source "$(dirname "$0")/support.sh"
pages=$PREFIX/share/man/man3
guide=$PREFIX/share/doc/reap/docs/quick-reference.md

# What a compiler sees: the headers' macros, functions, types and constants. A type that is none of
# the program's business begins as those of a kernel do.
cat >all.c <<'END'
#include <reap/reap.h>
#include <reap/kernel.h>
#include <reap/algorithms.h>
#include <reap/mpi.h>
END
echo 'typedef int MPI_Comm;' >mpi.h
includes=("-I$PREFIX/include" "-I$SOURCE/include" -I.)
{
    "$CC" -E -dM all.c "${includes[@]}" | awk '{ sub(/\(.*/, "", $2); print $2 }'
    "$CC" -E -P all.c "${includes[@]}" | tee text | grep -oE '\bREAP_[A-Z0-9_]+\b'
    grep -oE '\breap_[a-z0-9_]+ *\(|^} reap_[a-z0-9_]+;|(struct|enum) reap_[a-z_]+ (\{|reap_)' text
} | grep -oE '\b(reap|REAP)_[A-Za-z0-9_]+' |
    grep -vE '__|_H$|_$|^reap_flag_|^reap_location_m|^reap_item$|^REAP_API$' |
    LC_ALL=C sort -u >names
[ "$(wc -l <names)" -gt 120 ] || fail "the headers have $(wc -l <names) names"

grep -oE '\b(reap|REAP)_[A-Za-z0-9_]+' "$guide" | LC_ALL=C sort -u >named
lacking=$(LC_ALL=C comm -23 names named)
[ -z "$lacking" ] || fail "the quick reference does not name $lacking"
# What it names beside the interface: its example's kernel and the environment.
more=$(LC_ALL=C comm -13 names named | grep -vx reap_kernel_NAME || true)
for name in $more; do
    grep -q "^| .$name. |" "$SOURCE/docs/devices.md" ||
        fail "the quick reference names $name, which does not exist"
done
# And the words that parameters are written with, and operators.
cd "$PREFIX/include/reap"
words=$(sed -nE 's/^#define REAP__PARAMETER_([a-z_]+)\(.*/\1(/p' detail/host/parameters.h
    sed -nE 's/^ *REAP__OPERATION_([a-z_]+),$/\1`/p' detail/kernel_table.h | grep -v '^none')
cd "$work"
[ "$(wc -l <<<"$words")" -ge 20 ] || fail "the dialect's words are $words"
for word in $words; do
    grep -qF "\`$word" "$guide" || fail "the quick reference does not name $word"
done

if ! command -v awk >/dev/null; then
    skip "manual pages: awk, which makes them, is not installed"
fi
# Those of MPI programs are installed with their library.
while read -r name; do
    page=$pages/$name.3
    case $name in
    reap_mpi_*) [ -e "$PREFIX/lib/libreap_mpi.so" ] || continue ;;
    esac
    [ -f "$page" ] || fail "$name has no manual page"
    if [[ $(<"$page") =~ ^'.so man3/'(.*)$ ]]; then
        page=$pages/${BASH_REMATCH[1]}
        grep -q "$name" "$page" || fail "$name has the page ${page##*/}, which does not name it"
    fi
    grep -A1 '^\.SH NAME' "$page" | grep -qE '[a-zA-Z0-9_]+ \\- .{6}' || fail "$page has no summary"
    [ "$(sed -n '/^\.SH DESCRIPTION/,/^\.SH SEE/p' "$page" | wc -w)" -gt 6 ] ||
        fail "$page says nothing"
done <names

require man "whether man finds the manual pages"
for name in reap_parallel_for REAP_KERNEL REAP_WRITE reap_malloc_shared reap_buffer.h; do
    MANPATH=$PREFIX/share/man MANWIDTH=80 man 3 "$name" >page 2>errors || fail "man 3 $name"
    grep -q "${name%.h}" page || fail "man 3 $name shows something else"
    [ ! -s errors ] || fail "man 3 $name says '$(head -3 errors)'"
done
require groff "whether the manual pages are well-formed"
cd "$PREFIX/share/man"
pages=(man3/*.3)
if [ -n "${SHARE:-}" ]; then # in `make check`, one in four
    mapfile -t pages < <(printf '%s\n' "${pages[@]}" |
        awk -v turn="${SEED:-1}" '(NR + turn) % 4 == 0')
fi
[ "${#pages[@]}" -gt 20 ] || fail "there are only the pages ${pages[*]}"
for page in "${pages[@]}"; do
    said=$(groff -man -ww -Tascii -z "$page" 2>&1)
    [ -z "$said" ] || fail "$page: $said"
done
