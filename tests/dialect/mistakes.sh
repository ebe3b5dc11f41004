#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mistakes that users make: the first error says what to do, and the compiler says little else. From
# the first error on (the files that include each other precede it) there are at most ten
# lines. scripts.sh says how this is run. In `make check` (SHARE) a third of them.
SHARE=${SHARE:+3}
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1

# mistake LABEL PATTERN KERNELS [STATEMENTS [LINES]]: a program whose kernel file has these kernels,
# and whose main has these statements.
mistake() {
    local label=$1 pattern=$2 kernels=$3 statements=${4-} most=${5-10} first lines
    wanted || return
    printf '#include <reap/kernel.h>\nstruct pair { float a, b; };\n%s\n' "$kernels" \
        >mistake.kernels.h
    cat >mistake.c <<END
#include <reap/reap.h>
#include "mistake.kernels.h"
reap_status use(reap_queue *queue, float *x, float *y, int *n);
reap_status use(reap_queue *queue, float *x, float *y, int *n)
{
    (void)queue, (void)x, (void)y, (void)n;
    $statements
    return REAP_OK;
}
END
    "$cc" -std=c11 -O2 "-I$include" -c mistake.c -o mistake.o 2>&1 | sed "s/\\\\'/'/g" >log
    first=$(grep -n -m1 'error:' log)
    lines=$(($(wc -l <log) + 1 - ${first%%:*}))
    [[ -n $first && $first =~ $pattern ]]
    check $? "$label: the first error says '$pattern'"
    [ "$lines" -le "$most" ]
    check $? "$label: $lines lines, and $most are enough"
}

body='{ reap_combine(sum, x[0]); }'
launched='REAP_KERNEL(k, in(float, x), value(int, v), reduce(plus, float, s))
{ reap_combine(s, x[v]); }'
range='(void)reap_parallel_for(queue, k, reap_range_1d(4)'
launch="$range, .x = x, .sum = y);"
count_in_groups='REAP_GROUP_KERNEL(k, in(float, x), out(int, y), reduce(plus, float, sum))'

mistake "a wrong operator" "'sum' has operator 'add', which is not a built-in operator" \
    "REAP_KERNEL(k, in(float, x), reduce(add, double, sum)) $body" "$launch"
mistake "an operator that does not fit the type" \
    "'sum' has operator 'bit_or', which does not fit type 'float'" \
    "REAP_KERNEL(k, in(float, x), reduce(bit_or, float, sum)) $body" "$launch"
mistake "an operator of numbers for a struct" \
    "'sum' has operator 'plus', which does not fit type 'struct pair'" \
    "REAP_KERNEL(k, in(struct pair, x), reduce(plus, struct pair, sum)) $body" \
    "$range, .x = (void *)x, .sum = (void *)y);"
mistake "a misspelt parameter word" "'input\(float, x\)' is not a kind of parameter \(in, out" \
    "REAP_KERNEL(k, input(float, x), reduce(plus, float, sum)) $body" "$launch"
mistake "type and name swapped" \
    "'float' is a type, where the parameter's name is expected: the type comes first" \
    "REAP_KERNEL(k, in(x, float), reduce(plus, float, sum)) $body" "$launch"
mistake "a missing comma" \
    "'in\(float, x\) reduce\(plus, float, sum\)' is more than one parameter; a comma seems" \
    "REAP_KERNEL(k, in(float, x) reduce(plus, float, sum)) $body" "$launch"
mistake "a parameter as C writes it" "'const float [*]x' is not a kind of parameter \(in, out" \
    "REAP_KERNEL(k, const float *x, reduce(plus, float, sum)) $body" "$launch"
mistake "a reduction without its operator" "'reduce\(float, sum\)' has too few .* an operator" \
    "REAP_KERNEL(k, in(float, x), reduce(float, sum)) $body" "$launch"
mistake "no name" "'in\(float, x\)' is a parameter; the kernel's name comes first" \
    "REAP_KERNEL(in(float, x), reduce(plus, float, sum)) $body" "$launch"
mistake "too many parameters" "'k' has too many parameters \(at most 63\)" \
    "REAP_KERNEL(k$(printf ', value(int, p%d)' {1..70})) { (void)p1; }"
mistake "an unknown type" "unknown type name 'flaot'" \
    "REAP_KERNEL(k, in(flaot, x), reduce(plus, float, sum)) $body"
mistake "+= of a reduction" "reap__reduction_takes_values_by_reap_combine" \
    "REAP_KERNEL(k, in(float, x), reduce(plus, float, sum)) { sum += x[0]; }"
mistake "a reduction that is read" "reap__reduction_takes_values_by_reap_combine" \
    "REAP_KERNEL(k, out(int, x), reduce(plus, int, sum)) { x[0] = sum; }"
mistake "+= of an element of a span" "reap__span_takes_values_by_reap_combine_at" \
    "REAP_KERNEL(k, in(float, x), reduce_span(plus, float, sum)) { sum[2] += x[0]; }"
mistake "a local id without groups" "reap__item_of_a_kernel_without_work_groups" \
    "REAP_KERNEL(k, out(int, x)) { x[0] = (int)reap_local_id(0); }"
mistake "a barrier without groups" \
    "reap_barrier is for work-items that wait for each other, in a REAP_ND_" \
    "REAP_KERNEL(k, out(int, x)) { x[0] = 1; reap_barrier(REAP_LOCAL_SPACE); }"
mistake "local memory without groups" "'k' has local memory, which needs work-groups" \
    "REAP_KERNEL(k, local(int, m)) { m[0] = 1; }"
mistake "an id between phases" "outside_of_a_phase" \
    "$count_in_groups { y[0] = (int)reap_local_id(0); (void)x; }"
mistake "an input that is written" "read-only" "REAP_KERNEL(k, in(float, x)) { x[0] = 1; }"
mistake "a launch with a misspelt argument" "'xs'" "$launched" "$range, .xs = x, .s = y);"
mistake "a launch with another type" "float \*.*int \*" "$launched" "$range, .x = n, .s = y);"
mistake "a reduction of another type" "float \*.*int \*" "$launched" "$range, .x = x, .s = n);"
mistake "a launch without a range" "expected expression" "$launched" \
    '(void)reap_parallel_for(queue, k, .x = x, .s = y);'
# gcc has two messages, with the place of the first kernel for each.
[ $family = gcc ] && most=12 || most=10
mistake "two kernels of one name" "two_kernels_are_called_k|redefinition of 'struct reap_arg" \
    "REAP_KERNEL(k, in(float, x)) { (void)x; }
REAP_KERNEL(k, in(int, x), reduce(plus, float, sum)) { reap_combine(sum, (float)x[0]); }" '' $most
mistake "a launch of a kernel that does not exist" "reap_kernel_kk|there_is_no_kernel_kk" \
    "$launched" '(void)reap_parallel_for(queue, kk, reap_range_1d(4), .x = x, .s = y);'
mistake "a launch without the kernel file" "reap_kernel_kk|there_is_no_kernel_kk" "" \
    '(void)reap_parallel_for(queue, kk, reap_range_1d(4), .x = x, .s = y);'
for reduction in reduce_with reduce_span_with; do
    mistake "an operator that does not exist" "operator_(has_identity_)?better" \
        "REAP_KERNEL(k, in(float, x), $reduction(better, float, sum)) { (void)x; }" "$launch"
done
mistake "reap_combine with its arguments swapped" "pasting|reduction_takes_values_by_reap_combine" \
    "REAP_KERNEL(k, in(float, x), reduce(plus, float, sum)) { reap_combine(x[0], sum); }"
mistake "reap_combine into an array" "x_reap_set|reduction_takes_values_by_reap_combine" \
    "REAP_KERNEL(k, in(float, x), reduce(plus, float, sum)) { reap_combine(x, 1.0f); }"
[ $family = gcc ] ||
    mistake "reap_combine into a span" "span_takes_values_by_reap_combine_at" \
    "REAP_KERNEL(k, in(float, x), reduce_span(plus, float, sum)) { reap_combine(sum, x[0]); }"
# gcc has two more messages, for what a scalar reduction lacks.
[ $family = gcc ] && most=11 || most=10
mistake "reap_combine_at of a scalar" \
    "'sum' is not a span: reap_combine\(sum, value\)|reduction_takes_values_by_reap_combine" \
    "REAP_KERNEL(k, in(float, x), reduce(plus, float, sum)) { reap_combine_at(sum, 0, x[0]); }" \
    '' $most
if [ $family = gcc ] || "$cc" --version | grep -q 'version 1[4-9]\|version [2-9][0-9]'; then
    mistake "a phase that is left" "a phase is left by return or goto" \
        "$count_in_groups { reap_for_each_item { if (x[0] > 1) return; y[0] = 1; } }" \
        '(void)reap_parallel_for(queue, k, reap_nd_range_1d(4, 2), .x = x, .y = n, .sum = y);'
fi
finish
