#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which kernels with words of sub-groups a device without sub-groups of its own takes: those in
# which the text shows that all work-items of a group reach the same words. Reap finds a driver's
# library without devices (tests/fake), which takes any text.
#
# Usage: opencl_uniform.sh REAP FAKE
set -u
reap=$1 fake=$2 failed=0 count=0
work=$(mktemp -d)
cp "$(dirname "$0")/cc_unoptimised.sh" "$work"
trap 'rm -r "$work"' EXIT
cd "$work" || exit 1
export REAP_BACKENDS=opencl REAP_CACHE_DIR=none
export LD_LIBRARY_PATH=$fake CC=./cc_unoptimised.sh

# kernel STATEMENTS [DECLARATIONS]: compiles a kernel of them, whose first line is line 6.
kind=REAP_ND_KERNEL
locals="local(int, s), local_2d(int, rows),"
turn=${SEED:-0}
kernel() {
    { echo "#include <reap/kernel.h>" && echo "${2:-}" &&
        echo "$kind(k, in(int, x), out(int, y), value(int, n), $locals" &&
        echo "  reduce(plus, int, r), identity(int, r))" &&
        echo "{ const size_t i = reap_global_linear_id(); int v = x[i]; int w = 0;" &&
        echo "$1" && echo "y[i] = v + w + n; }"; } >k.kernels.h
    count=$((count + 1))
    "$reap" compile --target opencl:0 k.kernels.h >log 2>&1
}

# In `make check` (SHARE) one kernel in three.
is_left_out() {
    turn=$((turn + 1))
    [ -n "${SHARE:-}" ] && [ $((turn % 3)) != 0 ]
}

takes() {
    is_left_out && return
    kernel "$@" && return
    failed=1
    printf 'FAILED: refused: %s\n' "$*"
    cat log
}

# refuses WORD STATEMENTS [DECLARATIONS [LINE]]: names the word and its line, the last of the
# statements.
refuses() {
    local word=$1 line
    shift
    is_left_out && return
    line=${3:-$((5 + $(wc -l <<<"$1")))}
    ! kernel "$@" && grep -q "k.kernels.h:$line: .*must reach $word on" log && return
    failed=1
    printf 'FAILED: %s: not refused in line %s: %s\n' "$word" "$line" "$*"
    cat log
}

sum='w += reap_sub_group_reduce(plus, int, v);'
takes "$sum"
takes "for (int d = 16; d > 0; d /= 2) v += reap_sub_group_shuffle_xor(int, v, d);"
takes "for (size_t d = 1; d < REAP_SUB_GROUP_SIZE; d *= 2) {
    int u = reap_sub_group_shuffle_up(int, v, d);
    if (reap_sub_group_local_id() >= d) v += u; }"
takes "if (n > 3 && n < 100) { $sum } else if (n == 2) { w = reap_sub_group_ballot(v > 0); }"
takes "if (i < 100) v = 0; $sum"
takes "int turns = n * 2; while (turns > 0) { turns--; if (v > 3) v--; $sum }"
takes "if (reap_group_any(v > 3)) { $sum }"
takes "if (reap_local_range(0) > 32 && reap_group_id(0) == 0) $sum"
takes "if (n == 1) return; $sum"
takes "for (int a = 0; a < n; a++) { if (n > a) continue; $sum }"
takes "int m = n; do { $sum m--; } while (m > 0);"
takes "switch (n) { case 1: $sum break; default: break; } $sum"
takes "w = help(REAP_THIS_ITEM, v);" \
    "static int help(REAP_ITEM, int v) { return reap_sub_group_shuffle_down(int, v, 1); }"
takes "if (v > 3) w = plain(v); $sum" "static int plain(int v) { return v + 1; }"
takes "const int limit = most; if (limit > 2) { $sum }" "enum { most = 4 };"

reduce=reap_sub_group_reduce
refuses $reduce "if (v > 3) $sum"
refuses $reduce "if (n > 3) { w++; } else if (reap_sub_group_id() == 0)
    $sum"
refuses $reduce "if (i > 100) return;
$sum"
refuses $reduce "int turns = v; while (turns > 0) { turns--;
$sum }"
refuses $reduce "int turns = 3; if (v > 3) turns = 4; for (int a = 0; a < turns; a++)
$sum"
refuses $reduce "for (int a = 0; a < n; a++) { if (v > a) break;
$sum }"
refuses $reduce "for (int a = 0; a < n; a++) {
$sum if (v > a) continue; }"
refuses $reduce "while (n > 0) { for (int a = 0; a < 3; a++) { if (v > a) return; }
$sum }"
refuses $reduce "switch (v) { case 1:
$sum break; }"
refuses $reduce "switch (v) { case 1: return; }
$sum"
refuses $reduce "w = v > 3 ? reap_sub_group_reduce(plus, int, v) : 0;"
refuses reap_sub_group_any "w = n > 3 && reap_sub_group_any(v > 3);"
refuses $reduce "if (reap_sub_group_any(v > 3))
$sum"
refuses $reduce "int turns = 3; int *p = &turns; *p = v; if (turns > 3)
$sum"
refuses $reduce "if (s[0] > 3)
$sum"
refuses $reduce "again: if (v-- > 3) goto again;
$sum"
refuses help "if (v > 3) w = help(REAP_THIS_ITEM, v);" \
    "static int help(REAP_ITEM, int v) { return reap_sub_group_shuffle_down(int, v, 1); }"
refuses $reduce "if (other(v))
$sum" "static int other(int v) { return v > 3; }"
refuses $reduce "WHEN(v > 3) $sum" "#define WHEN(c) if (c)"

# Kernels of both kinds of ranges.
kind=REAP_ANY_KERNEL locals=
takes "$sum"
refuses $reduce "if (v > 3) $sum"
kind=REAP_ND_KERNEL locals="local(int, s), local_2d(int, rows),"

# Brackets around what is assigned to.
set="#define SET(a, b) ((a) = (b))"
refuses $reduce "int turns = 3; SET(turns, v); if (turns > 3)
$sum" "$set"
refuses $reduce "int turns = 3; if (v > 3) (turns) = 1; if (turns > 3)
$sum"
refuses $reduce "int turns = 3; if (v > 3) ++(turns); if (turns > 3)
$sum"
refuses $reduce "int turns = 3; if (v > 3) (turns)--; if (turns > 3)
$sum"
refuses $reduce "struct { int m; } t = {3}; if (v > 3) ((t)).m = 1; if (t.m > 3)
$sum"
takes "for (int a = 0; a < n; a++) { SET(s[a], v); $sum }" "$set"
takes "for (int a = 0; a < n; a++) { *(y + a) = v; $sum }"
takes "for (int a = 0; a < n; a++) { reap_at(rows, a, 0) = v; $sum }"
takes "int turns = n; SET(turns, n + 1); if (turns > 3) { $sum }" "$set"

# Assignments that the rest of their expression may leave out.
refuses $reduce "int turns = 3; (void)(reap_sub_group_id() > 0 && turns++ < 5); if (turns > 3)
$sum"
refuses $reduce "int turns = 3; (void)(v > 3 || (turns = 4)); if (turns > 3)
$sum"
refuses $reduce "int turns = 3; v > 3 ? turns++ : 0; if (turns > 3)
$sum"
refuses $reduce "int turns = 3; if (v > 3 && turns++ < 5) w++; if (turns > 3)
$sum"
refuses $reduce "int turns = 3; w = ({ int u = 0; do u++, turns++; while (u < v); u; });
if (turns > 3)
$sum"
refuses $reduce "w = ({ if (v > 3) return; 1; });
$sum"
refuses $reduce "while (n > 0) { w = ({ if (v > 3) break; 1; });
$sum }"
takes "int turns = 3; (void)(n > 3 && turns++ < 5); if (turns > 3) { $sum }"
takes "bool is_one = v > 3 && n > 2, is_done = false;
    while (!is_done) { is_done = n > 1; $sum } w = is_one;"

# Pointers.
refuses $reduce "int turns = 3; *(int *)&turns = v; if (turns > 3)
$sum"
refuses $reduce "int turns = 3; set((int *)&turns, v); if (turns > 3)
$sum" "static void set(int *a, int v) { *a = v; }"
refuses $reduce "int turns = 3; set(&(turns), v); if (turns > 3)
$sum" "static void set(int *a, int v) { *a = v; }"
refuses $reduce "int turns = 3; set((pointer)&turns, v); if (turns > 3)
$sum" "typedef int *pointer; static void set(pointer a, int v) { *a = v; }"
refuses $reduce "int turns = 3; int *p = (int (*))&turns; *p = v; if (turns > 3)
$sum"
refuses $reduce "int a[1]; a[0] = n; set(a, v); if (*a > 3)
$sum" "static void set(int *a, int v) { *a = v; }"
refuses $reduce "int a[1]; a[0] = n; int *p = a; *p = v; if ((int)*a > 3)
$sum"
refuses $reduce "int a[1]; a[0] = n; set(a, v); if (sum_of(a) > 3)
$sum" "static void set(int *a, int v) { *a = v; } int sum_of(const int *);"
takes "int m = 4; if (((n) & (m)) > 2 && (n >> 1 & m) > 0 && (n) * m > 3 && n * 2 > 1) { $sum }"

# Parameters of helper functions.
helper="{ if (v[0] > 3) return reap_sub_group_any(1); return 0; }"
refuses reap_sub_group_any "w = help(REAP_THIS_ITEM, s);" \
    "static int help(REAP_ITEM, REAP_LOCAL int v[1]) $helper" 2
refuses reap_sub_group_any "w = help(REAP_THIS_ITEM, v);" \
    "static int help(REAP_ITEM, int v __attribute__((unused))) ${helper/\[0]/}" 2
takes "w = help(REAP_THIS_ITEM, v);" "static int help(REAP_ITEM, int v) {
    if ((int)reap_local_range(0) > 3) return reap_sub_group_any(v); return 0; }"

# Parameters that the launch gives.
takes "for (size_t a = 0; a < reap_extent(rows, 1); a++) { if (reap_identity(r) == n) $sum }"
refuses $reduce "for (size_t a = 0; a < reap_extent(rows, v); a++)
$sum"

# Results of group algorithms, and what they compute for elements of each item's own.
takes "if (reap_group_reduce_from(plus, int, v, n) > 3) { $sum }"
refuses $reduce "if (reap_group_reduce_from(plus, int, n, v) > 3)
$sum"
refuses $reduce "int turns = 3; w = reap_group_joint_any(int, e, x, 5, e > turns++); if (turns > 5)
$sum"
refuses reap_sub_group_any "w = reap_group_joint_any(int, e, x, 5, reap_sub_group_any(e > 3));"

# Functions that are not found by their names, or called by other means.
attribute="__attribute__((noinline)) static int help(REAP_ITEM, int v)"
refuses help "if (v > 3) w = help(REAP_THIS_ITEM, v);" \
    "$attribute { return reap_sub_group_any(v); }"
refuses help "if (v > 3) w = (help)(REAP_THIS_ITEM, v);" \
    "static int help(REAP_ITEM, int v) { return reap_sub_group_any(v); }"
refuses help "int (*f)(REAP_ITEM, int) = help; if (v > 3) w = f(REAP_THIS_ITEM, v);" \
    "static int help(REAP_ITEM, int v) { return reap_sub_group_any(v); }"

# What the text alone does not tell.
takes "const int m = (int)fmin(n, 4.0f); for (int a = 0; a < (m + most) * 2; a++) { $sum }" \
    "enum { most = 4 };"
refuses $reduce "union { int a[1]; int m; } u; u.m = n; int *p = u.a; *p = v; if (u.m > 3)
$sum"
refuses $reduce "int *(p) = v > 3 ? &w : 0; if (p)
$sum"
refuses $reduce "vector a; set(a, n); set(a, v); if (first(a) > 3)
$sum" "typedef int vector[1]; static void set(int *a, int v) { *a = v; } int first(const int *);"
refuses $reduce "int turns = n; __asm__(\"\" : \"+r\"(turns));
$sum"
unreadable() {
    ! kernel "$@" && grep -q "its control flow is too complex" log && return
    failed=1
    printf 'FAILED: not refused as a whole: %s\n' "$*"
    cat log
}
# Conditions: those of C have their values, and where one is not known, each branch is looked at.
under() { printf 'int turns = n;\n#if %s\nturns = v;\n#endif\nif (turns > 3)\n%s' "$1" "$sum"; }
refuses $reduce "$(under 'UINT_MAX >= 65535')"
refuses $reduce "$(under '2u - 3 > 0 && defined(INT_MAX)')"
refuses $reduce "$(under 'defined(__OPENCL_VERSION__)')"
refuses $reduce "$(under '__has_include("x.h") || defined(__x86_64__)')"
takes "$(under 'UINT_MAX < 65535')"
takes "$(under 'defined(__CUDACC_RTC__) || defined(__cplusplus)')"
takes "$(under '!defined(__OPENCL_VERSION__)')"

unreadable "if (v > 3) <% $sum %>"
unreadable "int é = v; if (é > 3) { $sum }"

echo "$count kernels looked at"
exit $failed
