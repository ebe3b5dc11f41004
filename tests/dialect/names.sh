#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A kernel's code meets no name of the user's: every word of the dialect's headers that is not
# documented as taken is made a macro, then a type, of the kernel file. scripts.sh says how it is
# run.
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1

keywords="asm auto break case char const continue default defined define do double elif else endif
    enum error extern false float for goto if ifdef ifndef include inline int long pragma pure
    register restrict return short signed sizeof static struct switch true typedef undef union
    unsigned void volatile while bool true false offsetof memcpy size_t NULL INFINITY NAN
    signbit interleave_count vectorize_width"

# The words of the headers, except one that names macros without using them, without comments,
# texts except pragmas, keywords, the standard's types, constants and macros, and Reap's own, which
# begin with reap_ or end in an underscore.
set +f
words=$(find "$include"/reap/kernel_words.h "$include"/reap/detail/kernel_host.h \
    "$include"/reap/detail/kernel_table.h "$include"/reap/detail/list.h \
    "$include"/reap/detail/atomic_arguments.h "$include"/reap/detail/host "$include"/reap/half.h\
    "$include"/reap/bfloat16.h "$include"/reap/detail/narrow_types.h \
    "$include"/reap/launch.h "$include"/reap/range.h \
    -name '*.h' ! -name replaced_names.h -exec cat {} + |
    sed 's,/\*.*\*/,,; /\/\*/,/\*\//d; /_Pragma("/!s/"\([^"\\]\|\\.\)*"//g' |
    grep -o '\b[a-zA-Z][a-zA-Z0-9_]*' | sort -u |
    grep -v '^[Rr][Ee][Aa][Pp]_\|_$\|^[A-Z0-9]*_M[AI][XN]$\|int[0-9]*_t$')
set -f
taken=$(sed -n '/^<!-- taken -->/,/^<!-- end -->/p' "$here/../../docs/kernels.md" |
    grep -o '[a-z_][a-z0-9_]*')
for word in $keywords $taken taken end; do
    words=$(grep -vx -e "$word" <<<"$words")
done
[ "$(wc -l <<<"$words")" -gt 50 ]
check $? "the headers have words: $(wc -l <<<"$words")"

kernels() {
    cat <<'END'
REAP_OPERATOR_NO_IDENTITY(my_later, int, x1, y1) { return x1 > y1 ? x1 : y1; }
REAP_OPERATOR(my_latest, int, 0, x1, y1) { return x1 > y1 ? x1 : y1; }
static void my_waiting_helper(REAP_ITEM, REAP_LOCAL int *my_words)
{
    my_words[reap_local_id(0)] = (int)reap_group_id(0);
    reap_barrier(REAP_LOCAL_SPACE);
}
static void my_helper(REAP_ITEM, reap_reducer(plus, int, my_r), reap_span_reducer(plus, int, my_s),
                      reap_location_reducer(maximum, int, my_l))
{
    reap_combine(my_r, (int)reap_global_linear_id());
    reap_combine_at(my_s, reap_global_id(0), 1);
    reap_combine(my_l, 1);
}
REAP_KERNEL(my_kernel, in(int, p1), out(int, p2), inout(int, p3), value(int, p4),
            reduce(plus, int, p5), reduce(minimum, unsigned char, p6),
            reduce_with(my_later, int, p7), reduce_with(my_latest, int, p8),
            reduce_span(plus, int, p9),
            reduce_span_with(my_later, int, p10), reduce_location(maximum, int, p11),
            reduce(plus, reap_half, p12), reduce(logical_and, bool, p13),
            reduce_location(minimum, float, p14), reduce(exact_plus, double, p15),
            reduce(maximum, reap_bfloat16, p16), identity(int, p5), identity(double, p15))
{
    my_helper(REAP_THIS_ITEM, reap_pass(p5), reap_pass_span(p9), reap_pass(p11));
    p2[reap_global_id(0)] = p1[reap_global_id(1)] + p4 + p3[reap_global_range(0) - 1];
    reap_combine(p6, 7);
    reap_combine(p7, p4);
    reap_combine(p8, reap_operate(my_later, reap_operate(plus, 1, p4), 2));
    reap_combine(p8, reap_operate(logical_and, p4, reap_operate(minimum, p4, 7) > 3));
    reap_combine_at(p10, 0, p4);
    reap_combine(p12, reap_value(reap_half, 0));
    reap_combine(p13, p4 > 0);
    reap_combine(p14, 1.0f);
    reap_combine(p15, 1.0 + reap_identity(p15));
    reap_combine(p5, reap_identity(p5));
    reap_combine(p16, reap_bfloat16_from_float(1.0f));
}
REAP_ANY_KERNEL(my_any_kernel, in(int, p1), out(int, p2), value(int, p4), reduce(plus, int, p5),
                reduce_location(maximum, int, p6), reduce_span(plus, int, p7), identity(int, p5))
{
    my_helper(REAP_THIS_ITEM, reap_pass(p5), reap_pass_span(p7), reap_pass(p6));
    p2[reap_global_id(0)] = p1[reap_global_id(0)] + p4 + reap_identity(p5);
}
REAP_ND_KERNEL(my_nd_kernel, in(int, p1), out(int, p2), inout(double, p3), local(int, p4),
               local_2d(int, p9), local_3d(int, p10),
               reduce(plus, int, p5), reduce_location(maximum, int, p6),
               reduce_span(plus, int, p7), reduce_with(my_later, int, p8))
{
    my_waiting_helper(REAP_THIS_ITEM, p4);
    my_helper(REAP_THIS_ITEM, reap_pass(p5), reap_pass_span(p7), reap_pass(p6));
    size_t v1 = reap_local_linear_id() + reap_local_range(0) + reap_group_linear_id();
    v1 += reap_group_range(0) + reap_global_linear_range() + reap_local_linear_range();
    v1 += reap_group_linear_range() + reap_group_leader();
    reap_at(p9, 0, 1) = reap_at(p10, 0, 1, 2) + (int)reap_extent(p9, 0);
    int v2 = reap_group_reduce(plus, int, (int)v1);
    v2 += reap_group_reduce(my_later, int, v2);
    v2 += reap_group_inclusive_scan(maximum, int, v2);
    v2 += reap_group_exclusive_scan(my_latest, int, v2);
    v2 += reap_group_broadcast(int, v2, 0);
    v2 += reap_group_any(v2) + reap_group_all(v2) + reap_group_none(v2);
    v2 += reap_group_joint_reduce(plus, int, p1, 5);
    reap_group_joint_inclusive_scan(plus, int, p1, p2, 5);
    reap_group_joint_exclusive_scan(my_latest, int, p1, p2, 5);
    v2 += reap_group_reduce_from(plus, int, v2, 3);
    v2 += reap_group_inclusive_scan_from(my_later, int, v2, 3);
    v2 += reap_group_exclusive_scan_from(my_later, int, v2, 3);
    v2 += reap_group_broadcast_id(int, v2, 0) + reap_group_broadcast_id(int, v2, 0, 0, 0);
    v2 += reap_group_joint_reduce_from(plus, int, p1, 5, 3);
    reap_group_joint_inclusive_scan_from(plus, int, p1, p2, 5, 3);
    reap_group_joint_exclusive_scan_from(my_latest, int, p1, p2, 5, 3);
    v2 += reap_group_joint_any(int, v3, p1, 5, v3 > 0) + reap_group_joint_all(int, v3, p1, 5, v3);
    v2 += reap_group_joint_none(int, v3, p1, 5, v3 == v2);
    reap_barrier(REAP_GLOBAL_SPACE);
    v2 += reap_atomic_fetch_add(p2, 1) + reap_atomic_fetch_min(p2, 1);
    v2 += reap_atomic_fetch_max(p2, 1) + reap_atomic_fetch_and(p2, 1);
    v2 += reap_atomic_fetch_or(p2, 1) + reap_atomic_fetch_xor(p2, 1);
    v2 += reap_atomic_exchange(p2, 1) + reap_atomic_compare_exchange(p2, 1, 2);
    reap_atomic_fetch_add(p3, 0.5);
    reap_atomic_store(p2, reap_atomic_load(p2, REAP_ORDER_ACQUIRE), REAP_ORDER_RELEASE);
    v2 += reap_atomic_fetch_sub(p2, 1, REAP_ORDER_ACQ_REL, REAP_SCOPE_WORK_GROUP);
    if (reap_atomic_compare_exchange_weak(p2, &v2, 1, REAP_ORDER_SEQ_CST) ||
        reap_atomic_compare_exchange_strong(p2, &v2, 1))
        reap_atomic_fence(REAP_ORDER_SEQ_CST, REAP_SCOPE_SUB_GROUP);
    reap_combine(p8, v2);
}
REAP_GROUP_KERNEL(my_group_kernel, in(int, p1), out(int, p2), local(int, p3),
                  reduce(plus, int, p4), reduce_location(maximum, int, p5),
                  reduce_span(plus, int, p6), reduce_with(my_later, int, p7))
{
    reap_item_private(int, v1);
    reap_for_each_item {
        reap_private(v1) = p1[reap_global_id(0)];
        p3[reap_local_linear_id()] = reap_private(v1);
    }
    if (reap_group_linear_id() < reap_group_range(1))
        reap_for_each_item {
            my_helper(REAP_THIS_ITEM, reap_pass(p4), reap_pass_span(p6), reap_pass(p5));
            p2[reap_global_linear_id()] = p3[0] + reap_private(v1);
            reap_combine(p7, p3[0]);
        }
}
END
}
cat >names.c <<'END'
#include <reap/launch.h>

#include "names.kernels.h"

reap_status my_launches(reap_queue *my_queue, int *p1, double *p3, reap_range my_range)
{
    reap_status my_status = 0;
    my_status |= reap_parallel_for(my_queue, my_kernel, reap_range_1d(4), .p1 = p1, .p5 = p1);
    my_status |= reap_parallel_for(my_queue, my_kernel, reap_range_2d(4, 1),
                                   .p5 = {.variable = p1});
    my_status |= reap_parallel_for(my_queue, my_kernel, reap_range_3d(4, 1, 1),
                                   .p8 = {.result = p1}, .p11 = {.variable = p1});
    my_status |= reap_parallel_for(my_queue, my_kernel, my_range, .p9 = {.part = NULL, .count = 1});
    my_status |= reap_parallel_for(my_queue, my_any_kernel, my_range, .p1 = p1,
                                   .p5 = {.properties = 0});
    my_status |= reap_parallel_for(my_queue, my_nd_kernel, reap_nd_range_1d(4, 2), .p3 = p3);
    my_status |= reap_parallel_for(my_queue, my_nd_kernel, reap_nd_range_2d(4, 1, 2, 1), .p4 = 1);
    my_status |= reap_parallel_for(my_queue, my_group_kernel, reap_nd_range_3d(4, 1, 1, 2, 1, 1),
                                   .p3 = 1);
    return my_status;
}
END

with() { # with LABEL [OPTION...] <LINES: the kernels compile behind these lines, without a warning
    (echo '#include <reap/kernel.h>' && cat && kernels) >names.kernels.h
    "$cc" -std=c11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wno-unused-function -Werror \
        "-I$include" "${@:2}" -c names.c -o names.o >log 2>&1
    check $? "$1"
}
with "nothing" </dev/null
sed 's/.*/#define & 33 + -/' <<<"$words" >macros
with "every word a macro" <macros
# These went through the assembler too; for the others what names mean is enough.
functions=$(grep -vx 'in\|out\|inout\|value\|reduce\|local' <<<"$words")
sed 's/.*/#define &(...) 33 + -/' <<<"$functions" >macros
with "every word a macro with arguments" -fsyntax-only <macros

# What the standard headers declare cannot be a type here: the lines of which the compiler
# complains.
printf '#include <reap/kernel.h>\n#include <string.h>\n' >words.c
sed 's/.*/typedef int &;/' <<<"$words" >>words.c
every=-fmax-errors=0
[ $family = gcc ] || every=-ferror-limit=0
"$cc" -std=c11 -fsyntax-only $every "-I$include" words.c >log 2>&1
sed -n 's/^words\.c:\([0-9]*\):.*error: .*/\1d/p' log | sort -u >complaints
sed -f complaints words.c | grep '^typedef' >types
: >log
[ "$(wc -l <types)" -gt 40 ]
check $? "words can be types: $(wc -l <types)"
with "every word a type" -fsyntax-only <types
sed 's/typedef int/extern int/' types >objects
with "every word an object" -fsyntax-only <objects
finish
