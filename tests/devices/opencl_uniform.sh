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
trap 'rm -r "$work"' EXIT
cd "$work" || exit 1
export REAP_BACKENDS=opencl REAP_CACHE_DIR=none
export LD_LIBRARY_PATH=$fake

# kernel STATEMENTS [DECLARATIONS]: compiles a kernel of them, whose first line is line 5.
kernel() {
    { echo "#include <reap/kernel.h>" && echo "${2:-}" &&
        echo "REAP_ND_KERNEL(k, in(int, x), out(int, y), value(int, n), local(int, s))" &&
        echo "{ const size_t i = reap_global_linear_id(); int v = x[i]; int w = 0;" &&
        echo "$1" && echo "s[0] = v; y[i] = s[0] + w + n; }"; } >k.kernels.h
    count=$((count + 1))
    "$reap" compile --target opencl:0 k.kernels.h >log 2>&1
}

takes() {
    kernel "$@" && return
    failed=1
    printf 'FAILED: refused: %s\n' "$*"
    cat log
}

# refuses WORD STATEMENTS [DECLARATIONS]: names the word and its line, the last of the statements.
refuses() {
    local word=$1 line
    shift
    line=$((4 + $(wc -l <<<"$1")))
    ! kernel "$@" && grep -q "k.kernels.h:$line: .*might not all reach $word, as" log && return
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

echo "$count kernels looked at"
exit $failed
