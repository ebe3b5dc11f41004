#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Misuse of the kernel dialect is a compile error whose first "error:" line says what is wrong.
# scripts.sh says how it is run. In `make check` (SHARE) a twentieth of the errors.
SHARE=${SHARE:+20}
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1

# compile KERNELS STATEMENTS OPTION...: a program whose kernel file has these kernels, and whose
# main has these statements. Its messages, with plain quotes, go to $work/log.
compile() {
    local kernels=$1 statements=$2 status
    shift 2
    cat >misuse.kernels.h <<END
#include <reap/kernel.h>
struct pair { float a, b; };
REAP_OPERATOR(later, int, 0, a, b) { return a > b ? a : b; }
$kernels
END
    cat >misuse.c <<END
#include <reap/reap.h>
#include "misuse.kernels.h"
int use(reap_queue *queue, float *x, const float *read_only, float *y, int *n);
int use(reap_queue *queue, float *x, const float *read_only, float *y, int *n)
{
    (void)queue, (void)x, (void)read_only, (void)y, (void)n;
    $statements
    return 0;
}
END
    "$cc" -std=c11 -O1 "-I$include" "$@" -c misuse.c -o misuse.o >messages 2>&1
    status=$?
    sed "s/\\\\'/'/g" messages >log
    return $status
}

# fine LABEL KERNELS STATEMENTS OPTION...: there is nothing to say.
fine() {
    local label=$1
    shift
    compile "$@" && [ ! -s log ]
    check $? "$label compiles"
}

# error LABEL PATTERN KERNELS [STATEMENTS [OPTION...]]: the first error matches. The others, which
# take a compiler longer, are not waited for.
error() {
    local label=$1 pattern=$2
    wanted || return
    shift 2
    ! compile "$1" "${2-}" -Wfatal-errors "${@:3}" && grep -m1 'error:' log | grep -q -e "$pattern"
    check $? "$label: the first error says '$pattern'"
}

# message LABEL PATTERN KERNELS STATEMENTS OPTION...: the first warning or error matches.
message() {
    local label=$1 pattern=$2
    shift 2
    compile "$@"
    grep -m1 'error:\|warning:' log | grep -q -e "$pattern"
    check $? "$label: the compiler says '$pattern'"
}

kernel='REAP_KERNEL(k, in(float, x), reduce(plus, float, s)) { reap_combine(s, x[0]); }'
launch='(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = x, .s = {.variable = y});'

operators() {
    error "an unknown operator" "kernel 'k': 's' has operator 'sum', which is not a built-in" \
        'REAP_KERNEL(k, reduce(sum, int, s)) { reap_combine(s, 1); }'
    error "an unknown operator of a span" "'s' has operator 'sum', which is not a built-in" \
        'REAP_KERNEL(k, reduce_span(sum, int, s)) { reap_combine_at(s, 0, 1); }'
    error "a user's operator in reduce" "'later', which is not a built-in.*reduce_with" \
        'REAP_KERNEL(k, reduce(later, int, s)) { reap_combine(s, 1); }'
    error "a built-in operator in reduce_with" "'plus', which is built in (use reduce" \
        'REAP_KERNEL(k, reduce_with(plus, int, s)) { reap_combine(s, 1); }'
    error "an operator never declared" "operator_\(has_identity_\)*earlier" \
        'REAP_KERNEL(k, reduce_with(earlier, int, s)) { reap_combine(s, 1); }'
    error "a span's operator never declared" "operator_\(has_identity_\)*earlier" \
        'REAP_KERNEL(k, reduce_span_with(earlier, int, s)) { reap_combine_at(s, 0, 1); }'
    error "an operator of another type" "'later', which was not declared for type 'float'" \
        'REAP_KERNEL(k, reduce_with(later, float, s)) { reap_combine(s, 1); }'
    error "an operator of another type, a struct" "not declared for type 'struct pair'" \
        'REAP_KERNEL(k, reduce_span_with(later, struct pair, s)) {}'
    error "a location of a sum" "'plus', and only minimum and maximum have a location" \
        'REAP_KERNEL(k, reduce_location(plus, int, s)) {}'
    error "a declared operator twice" "redefinition of .*reap_flag_plus" \
        'REAP_OPERATOR(plus, int, 0, a, b) { return a + b; }'
}

# Built-in operators on two values.
operands() {
    fine "operators on two values" 'REAP_KERNEL(k, in(float, x), out(float, y), value(char, c)) {
        y[0] = reap_operate(plus, reap_operate(maximum, x[0], 0.0f), x[1]);
        if (reap_operate(logical_or, c, reap_operate(bit_and, c, c) > 3)) y[1] = 1; }' '' \
        -Wall -Wextra -Wpedantic
    error "operands of different types" "reap_operate(maximum, a, b) has operands of different" \
        'REAP_KERNEL(k, inout(float, x)) { x[0] = reap_operate(maximum, x[0], 0); }'
    error "an operator that does not fit its operands" \
        "reap_operate(bit_and, a, b): the operator does not fit" \
        'REAP_KERNEL(k, inout(float, x)) { x[0] = reap_operate(bit_and, x[0], x[1]); }'
    error "a sum of structs" "reap_operate(plus, a, b): the operator does not fit" \
        'REAP_KERNEL(k, inout(struct pair, x)) { x[0] = reap_operate(plus, x[0], x[1]); }'
    error "an exact sum of two values" "reap_operate does not take operator 'exact_plus'" \
        'REAP_KERNEL(k, inout(float, x)) { x[0] = reap_operate(exact_plus, x[0], x[1]); }'
    error "an unknown operator on two values" "reap_operator_.*sum" \
        'REAP_KERNEL(k, inout(float, x)) { x[0] = reap_operate(sum, x[0], x[1]); }'
}

types() {
    local case
    for case in "bit_and float" "bit_xor double" "bit_or reap_half" "bit_and reap_bfloat16" \
        "plus struct pair" "plus bool" "plus int *" "plus long double" "minimum bool" \
        "maximum struct pair" "multiplies float *" "logical_and int" "logical_or float" \
        "logical_and struct pair"; do
        local operator=${case%% *} type=${case#* } shown
        shown=${type/\*/.} shown=${shown/bool/_*[Bb]ool}
        error "$case" "'s' has operator '$operator', which does not fit type '$shown'" \
            "REAP_KERNEL(k, reduce($operator, $type, s)) {}"
        error "$case in a span" "'$operator', which does not fit type" \
            "REAP_KERNEL(k, reduce_span($operator, $type, s)) {}"
    done
    error "the location of a struct" "'minimum', which does not fit type 'struct pair'" \
        'REAP_KERNEL(k, reduce_location(minimum, struct pair, s)) {}'
    error "the identity of a struct" "struct pair" "" \
        'float z = reap_known_identity(plus, struct pair); (void)z;'
    for case in reduce_with reduce_span_with; do
        error "$case of a type of size 0" "'s' has type 'empty', whose size is 0\|no elements" \
            "typedef struct {} empty; REAP_OPERATOR_NO_IDENTITY(first, empty, a, b)
             { return (void)b, a; }
             REAP_KERNEL(k, $case(first, empty, s)) {}"
    done
    error "an unknown type" "flaot" 'REAP_KERNEL(k, in(flaot, x)) {}'
}

parameters() {
    local case
    for case in 'input(float, x)' 'reduction(plus, float, s)' 'float x' 'const float *x' ''; do
        error "parameter '$case'" "kernel 'k': '${case/\*/.}' is not a kind of parameter (in, out" \
            "REAP_KERNEL(k, $case) {}"
        error "parameter '$case' behind others" \
            "'${case/\*/.}' is not a kind of parameter (in, out" \
            "REAP_KERNEL(k, in(float, first), $case) {}"
    done
    error "a parameter without a name" "'in(float)' has too few or too many entries" \
        'REAP_KERNEL(k, in(float)) {}'
    error "a reduction without an operator" "'reduce(float, s)' has too few or too many" \
        'REAP_KERNEL(k, reduce(float, s)) {}'
    error "a parameter with too much" "'in(float, x, 3)' has too few or too many entries" \
        'REAP_KERNEL(k, in(float, x, 3)) {}'
    error "one name twice" "duplicate member 'x'" 'REAP_KERNEL(k, in(float, x), out(float, x)) {}'
    error "the name launch" "duplicate member 'launch'" 'REAP_KERNEL(k, value(int, launch)) {}'
    error "one kernel twice" "redefinition of .*reap_arguments_k\|two.kernels.are.called" \
        "$kernel $kernel"
    error "no name" "Reap kernel '' needs a name" 'REAP_KERNEL() {}'
}

# parameters N: a list of so many.
many() {
    local i
    for ((i = 0; i < $1; i++)); do
        printf ', value(int, p%d)' "$i"
    done
}
too_many() {
    local count
    fine "63 parameters" "REAP_KERNEL(k$(many 63)) {}" ''
    for count in 64 65 100 126 127; do
        error "$count parameters" "kernel 'k' has too many parameters (at most 63)" \
            "REAP_KERNEL(k$(many $count)) {}"
    done
}

launches() {
    error "a misspelt argument" "'xs'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .xs = x);'
    error "a misspelt member" "'varaible'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .s = {.varaible = y});'
    error "a kernel that does not exist" "reap_\(_launched_\|_there_is_no_\)*kernel_kk" "$kernel" \
        '(void)reap_parallel_for(queue, kk, reap_range_1d(4), .x = x);'
    error "no range" "expected expression" "$kernel" '(void)reap_parallel_for(queue, k, .x = x);'
    error "an argument of another type" "'const float \*'.*'int \*'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = n);'
    error "a variable of another type" "'float \*'.*'int \*'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .s = {.variable = n});'
    error "a variable of another type, without braces" "'float \*'.*'int \*'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .s = n);'
    error "an identity of another type" "'const float \*'.*'int \*'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .s = {.identity = n});'
    error "an argument of another sign" "sign" 'REAP_KERNEL(k, in(unsigned, x)) {}' \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = n);'
    error "a number for an array" "'const float \*'.*'int'" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = 5);'
    error "a read-only output" "const\|discards" 'REAP_KERNEL(k, out(float, x)) {}' \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = read_only);'
    error "a bool for a char" "'\(const \)*_*[Bb]*ool \*'" 'REAP_KERNEL(k, in(bool, x)) {}' \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = (char *)x);'
    fine "what has no type, or the enumeration's" 'enum colour { RED };
        REAP_KERNEL(k, in(float, x), in(enum colour, c)) {}' \
        'enum colour c[4]; void *memory = x;
        (void)reap_parallel_for(queue, k, reap_range_1d(4), .x = memory, .c = c);' -Wall -Wextra
    fine "a reduction without braces" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .x = x, .s = y);
        float sum[1]; (void)reap_parallel_for(queue, k, reap_range_1d(4), .s = sum, .x = x);
        (void)reap_parallel_for(queue, k, reap_range_1d(4), .s = &sum[0], .launch = {0});' \
        -Wall -Wextra -Wpedantic -Wmissing-braces -Wmissing-field-initializers -Wshadow
    error "a location that the reduction lacks" "location" "$kernel" \
        '(void)reap_parallel_for(queue, k, reap_range_1d(4), .s = {.location = n});'
}

bodies() {
    error "an input is written" "read-only" 'REAP_KERNEL(k, in(float, x)) { x[0] = 1; }'
    error "an array is combined into" "x_reap_\|reduction_takes_values_by_reap_combine" \
        'REAP_KERNEL(k, in(float, x)) { reap_combine(x, 1); }'
    error "an unknown reduction" "'sum'\|sum_reap" \
        'REAP_KERNEL(k, in(float, x)) { reap_combine(sum, 1); }'
    local by_at=span_takes_values_by_reap_combine_at by_value=reduction_takes_values_by_reap_combine
    error "a span without an index" "'s' is a span: reap_combine_at(s, index, value)\|$by_at" \
        'REAP_KERNEL(k, reduce_span(plus, int, s)) { reap_combine(s, 1); }'
    error "an index into a scalar" "'s' is not a span: reap_combine(s, value)\|$by_value" \
        'REAP_KERNEL(k, reduce(plus, int, s)) { reap_combine_at(s, 0, 1); }'
    error "a value of another type" "incompatible type" \
        'REAP_KERNEL(k, in(struct pair, x), reduce(plus, float, s)) { reap_combine(s, x[0]); }'
    echo '#define fmaxf(a, b) (a)' >fmaxf.h
    echo '#define long int' >long.h
    error "a macro of the program for a function" "replaces a function of <math.h>" \
        'REAP_KERNEL(k, out(float, x)) { x[0] = fmaxf(1, 2); }' '' \
        -include math.h -include reap/reap.h -include fmaxf.h
    error "a macro of the program for a type" "replaces a type" \
        'REAP_KERNEL(k, out(float, x)) { x[0] = 1; }' '' -include reap/kernel.h -include long.h
    fine "a macro of the kernel file for a function" \
        '#define fmaxf(a, b) ((a) > (b) ? (a) : (b))
        REAP_KERNEL(k, out(float, x)) { x[0] = fmaxf(1, 2); }' ''
    error "tgmath.h before the kernel file" "replaces a function of <math.h>" \
        'REAP_KERNEL(k, out(float, x)) { x[0] = 1; }' '' -include tgmath.h
    local word needs="must have REAP_ITEM as its first parameter, and is called with REAP_THIS_ITEM"
    for word in 'reap_global_id(0)' 'reap_global_linear_range()' 'reap_local_id(0)' \
        'reap_group_linear_id()' 'reap_group_reduce(plus, size_t, 1)' \
        'reap_group_broadcast(size_t, 1, 0)' 'reap_sub_group_id()' 'reap_sub_group_leader()' \
        'reap_sub_group_reduce(plus, size_t, 1)' 'reap_sub_group_shuffle(size_t, 1, 0)'; do
        error "$word in a function without REAP_ITEM" "$needs" \
            "static size_t f(void) { return $word; } REAP_ND_KERNEL(k) { (void)f(); }"
    done
    error "a barrier in a function without REAP_ITEM" "$needs\|reap_barrier needs a work-item" \
        'static void f(void) { reap_barrier(REAP_LOCAL_SPACE); } REAP_ND_KERNEL(k) { f(); }'
    error "a combination in a function without REAP_ITEM" "$needs" \
        'static void f(reap_reducer(plus, int, s)) { reap_combine(s, 1); }
        REAP_KERNEL(k, reduce(plus, int, s)) { f(reap_pass(s)); }'
    error "a helper's span without an index" "is a span: reap_combine_at(s, index\|$by_at" \
        'static void f(REAP_ITEM, reap_span_reducer(plus, int, s)) { reap_combine(s, 1); }
        REAP_KERNEL(k, reduce_span(plus, int, s)) { f(REAP_THIS_ITEM, reap_pass_span(s)); }'
    error "an index into a location" "'s' is not a span: reap_combine(s, value)\|$by_value" \
        'REAP_KERNEL(k, reduce_location(minimum, int, s)) { reap_combine_at(s, 0, 1); }'
    message "a value is returned" "return" 'REAP_KERNEL(k) { return 1; }' ''
}

# A helper is given the reducer of another operator or type.
helpers() {
    local helper='static void add(REAP_ITEM, reap_reducer(plus, float, s)) { reap_combine(s, 1); }'
    local span='static void add(REAP_ITEM, reap_span_reducer(plus, int, s))
        { reap_combine_at(s, 0, 1); }'
    local place='static void add(REAP_ITEM, reap_location_reducer(minimum, int, s))
        { reap_combine(s, 1); }'
    message "another operator's reducer" "add\|reap_flag_plus" \
        "$helper REAP_KERNEL(k, reduce(maximum, float, s))
        { add(REAP_THIS_ITEM, reap_pass(s)); }" ''
    message "another type's reducer" "add\|double" \
        "$helper REAP_KERNEL(k, reduce(plus, double, s)) { add(REAP_THIS_ITEM, reap_pass(s)); }" ''
    message "a span's reducer, another operator" "add\|reap_flag_plus" \
        "$span REAP_KERNEL(k, reduce_span(bit_or, int, s))
        { add(REAP_THIS_ITEM, reap_pass_span(s)); }" ''
    message "a location's reducer, another operator" "add\|reap_location_minimum" \
        "$place REAP_KERNEL(k, reduce_location(maximum, int, s))
        { add(REAP_THIS_ITEM, reap_pass(s)); }" ''
    error "a scalar's reducer for a span" "too few\|incompatible type" \
        "$span REAP_KERNEL(k, reduce(plus, int, s)) { add(REAP_THIS_ITEM, reap_pass(s)); }"
    error "the reducer is not passed on" "too few" \
        "$helper REAP_KERNEL(k, reduce(plus, float, s)) { add(REAP_THIS_ITEM, s); }"
}

macros() {
    fine "a macro" "REAP_KERNEL_MACRO(TAPS)" "" -DTAPS=3 -Wall -Wextra -Wpedantic
    fine "a macro without a value" "REAP_KERNEL_MACRO(TAPS)" "" -DTAPS= -Wall -Wextra -Wpedantic
    error "a macro that is not defined" "REAP_KERNEL_MACRO(TAPS): the macro is not defined" \
        "REAP_KERNEL_MACRO(TAPS)"
}

# Kernels with work-groups. A phase that is left is found by an optimising compiler alone.
groups() {
    local word arguments
    fine "barriers and local memory" 'REAP_ND_KERNEL(k, out(int, x), local(int, s))
        { s[0] = 1; reap_barrier(REAP_LOCAL_SPACE | REAP_GLOBAL_SPACE); x[0] = s[0]; }' \
        '(void)reap_parallel_for(queue, k, reap_nd_range_1d(4, 2), .x = n, .s = 2);'
    error "local memory without groups" "kernel 'k' has local memory, which needs work-groups" \
        'REAP_KERNEL(k, local(int, s)) { s[0] = 1; }'
    error "local memory of two dimensions without groups" \
        "has local memory, which needs work-groups" \
        'REAP_KERNEL(k, local_2d(int, s)) { s[0] = 1; }'
    error "local memory in a kernel for any range" "has local memory, which needs work-groups" \
        'REAP_ANY_KERNEL(k, local(int, s)) { s[0] = 1; }'
    error "one index into two dimensions" "reap_at_takes_an_index_for_each_dimension" \
        'REAP_ND_KERNEL(k, local_2d(int, s)) { reap_at(s, 0) = 1; }'
    error "three indices into two dimensions" "no member named 'of_three_dimensions_'" \
        'REAP_ND_KERNEL(k, local_2d(int, s)) { reap_at(s, 0, 0, 0) = 1; }'
    error "two indices into three dimensions" "no member named 'of_two_dimensions_'" \
        'REAP_ND_KERNEL(k, local_3d(int, s)) { reap_at(s, 0, 0) = 1; }'
    error "an identity that is not a parameter" "s_reap_identity_needs_the_parameter_identity" \
        'REAP_KERNEL(k, reduce(plus, int, s)) { reap_combine(s, reap_identity(s)); }'
    error "the identity of an array" "identity_needs_a_reduction_s_of_kernel_k" \
        'REAP_KERNEL(k, in(int, s), identity(int, s)) {}'
    error "the identity in another type" "has another type than the reduction 's'" \
        'REAP_KERNEL(k, reduce(plus, int, s), identity(float, s)) {}'
    error "an identity without a type" "too few or too many entries" \
        'REAP_KERNEL(k, reduce(plus, int, s), identity(s)) {}'
    error "two indices into one dimension" "s_reap_extents" \
        'REAP_ND_KERNEL(k, local(int, s)) { reap_at(s, 0, 0) = 1; }'
    error "a barrier of no memory" "a barrier orders REAP_LOCAL_SPACE, REAP_GLOBAL_SPACE or both" \
        'REAP_ND_KERNEL(k) { reap_barrier(0); }'
    error "a barrier of unknown memory" "a barrier orders REAP_LOCAL_SPACE" \
        'REAP_ND_KERNEL(k) { reap_barrier(4); }'
    error "a sub-group's barrier of no memory" "a barrier orders REAP_LOCAL_SPACE" \
        'REAP_ND_KERNEL(k) { reap_sub_group_barrier(0); }'
    error "a word of sub-groups in a REAP_KERNEL" "reap_sub_group_shuffle_up is for work-items" \
        'REAP_KERNEL(k, out(int, x)) { x[0] = reap_sub_group_shuffle_up(int, 1, 1); }'
    error "an exact sum in a sub-group" "group algorithms do not take operator 'exact_plus'" \
        'REAP_ND_KERNEL(k, in(double, x))
        { (void)reap_sub_group_reduce(exact_plus, double, x[0]); }'
    error "a sub-group's exclusive scan, no identity" "'least' has no identity, which reap_sub" \
        'REAP_OPERATOR_NO_IDENTITY(least, int, a, b) { return a < b ? a : b; }
        REAP_ND_KERNEL(k, in(int, x)) { (void)reap_sub_group_exclusive_scan(least, int, x[0]); }'
    error "an operator of another type in a group" "'plus' does not fit type 'struct pair'" \
        'REAP_ND_KERNEL(k, in(struct pair, x))
        { (void)reap_group_reduce(plus, struct pair, x[0]); }'
    error "an exact sum in a group" "group algorithms do not take operator 'exact_plus'" \
        'REAP_ND_KERNEL(k, in(double, x))
        { (void)reap_group_reduce(exact_plus, double, x[0]); }'
    error "an exact sum in a span" "'exact_plus', which array reductions do not have" \
        'REAP_KERNEL(k, reduce_span(exact_plus, double, s)) { reap_combine_at(s, 0, 1); }'
    error "rows in work-groups" "'reduce_rows(plus, int, s)' reduces the rows or columns" \
        'REAP_ND_KERNEL(k, reduce_rows(plus, int, s)) { reap_combine(s, 1); }'
    error "columns in phases" "'reduce_columns(plus, int, s)' reduces the rows or columns" \
        'REAP_GROUP_KERNEL(k, reduce_columns(plus, int, s)) { reap_for_each_item { } }'
    error "rows in any range" "'reduce_rows_with(later, int, s)' reduces the rows or columns" \
        'REAP_ANY_KERNEL(k, reduce_rows_with(later, int, s)) { reap_combine(s, 1); }'
    error "rows beside columns" "reductions of rows, reductions of columns and other reductions" \
        'REAP_KERNEL(k, reduce_rows(plus, int, r), reduce_columns(plus, int, c))
        { reap_combine(r, 1); reap_combine(c, 1); }'
    error "rows beside a span" "reductions of rows, reductions of columns and other reductions" \
        'REAP_KERNEL(k, reduce_rows(plus, int, r), reduce_span(plus, int, s))
        { reap_combine(r, 1); reap_combine_at(s, 0, 1); }'
    error "reap_combine_at of rows" "'s' is not a span\|reduction_takes_values" \
        'REAP_KERNEL(k, reduce_rows(plus, int, s)) { reap_combine_at(s, 0, 1); }'
    error "an operator that does not fit rows" "'s' has operator 'bit_and', which does not fit" \
        'REAP_KERNEL(k, reduce_rows(bit_and, float, s)) { reap_combine(s, 1); }'
    error "a user's operator in a group" "'later' was not declared for type 'float'" \
        'REAP_ND_KERNEL(k) { (void)reap_group_inclusive_scan(later, float, 1); }'
    for word in exclusive_scan joint_reduce joint_inclusive_scan; do
        case $word in
        exclusive_scan) arguments=1 ;;
        joint_reduce) arguments='x, 3' ;;
        *) arguments='x, x, 3' ;;
        esac
        error "$word without an identity" "'any_one' has no identity, which .*$word.* needs" \
            "REAP_OPERATOR_NO_IDENTITY(any_one, int, a, b) { return a ? a : b; }
            REAP_ND_KERNEL(k, inout(int, x))
            { (void)x; reap_group_$word(any_one, int, $arguments); }"
    done
    error "joint_reduce_from without an identity" \
        "'any_one' has no identity, which reap_group_joint_reduce_from needs" \
        'REAP_OPERATOR_NO_IDENTITY(any_one, int, a, b) { return a ? a : b; }
        REAP_ND_KERNEL(k, in(int, x))
        { (void)reap_group_joint_reduce_from(any_one, int, x, 3, 1); }'
    fine "exclusive_scan_from without an identity" \
        'REAP_OPERATOR_NO_IDENTITY(any_one, int, a, b) { return a ? a : b; }
        REAP_ND_KERNEL(k, out(int, x))
        { x[0] = reap_group_exclusive_scan_from(any_one, int, 1, 2); }' ''
    error "an initial value of another type" "incompatible type\|initializ.*'struct pair'" \
        'REAP_ND_KERNEL(k, in(struct pair, x), out(float, y))
        { y[0] = reap_group_reduce_from(plus, float, 1, x[0]); }'
    for word in any all none; do
        error "joint_$word without groups" \
            "item_of_a_kernel_without_work_groups\|needs a work-item" \
            "REAP_KERNEL(k, in(int, x), out(int, y))
            { y[0] = reap_group_joint_$word(int, e, x, 3, e > 1); }"
    done
}

# Atomic operations: what they take, their orders and scopes.
atomics() {
    local case word
    fine "orders and scopes" 'REAP_KERNEL(k, inout(int, x), inout(double, d)) { int e = 3;
        x[1] = reap_atomic_load(&x[0], REAP_ORDER_ACQUIRE, REAP_SCOPE_WORK_GROUP);
        reap_atomic_store(&x[0], x[1], REAP_ORDER_RELEASE);
        while (!reap_atomic_compare_exchange_weak(&x[0], &e, 5, REAP_ORDER_ACQ_REL)) ;
        if (reap_atomic_compare_exchange_strong(&x[0], &e, 5, REAP_ORDER_SEQ_CST,
                                                REAP_ORDER_RELAXED, REAP_SCOPE_SYSTEM))
            reap_atomic_fence(REAP_ORDER_SEQ_CST);
        d[1] = reap_atomic_fetch_sub(&d[0], 1.5, REAP_ORDER_RELEASE); }' '' \
        -Wall -Wextra -Wpedantic
    for word in load store fetch_add fetch_sub fetch_min exchange compare_exchange \
        compare_exchange_strong; do
        case=', 1'
        [ $word != load ] || case=
        [[ $word != compare* ]] || case=', (void *)&x[1], 1'
        error "reap_atomic_$word on a short" \
            "Reap: reap_atomic_$word takes a pointer to an integer of 32 or 64 bits, a float" \
            "REAP_KERNEL(k, inout(int16_t, x)) { (void)reap_atomic_$word(&x[0]$case); }"
        error "reap_atomic_$word on an input" "reap_atomic_$word takes .* in an inout or out" \
            "REAP_KERNEL(k, in(int, x)) { (void)reap_atomic_$word(&x[0]$case); }"
    done
    fine "atomics on pointers" 'struct node { int v; };
        REAP_KERNEL(k, inout(struct node, x), inout(struct node *, p), inout(const int *, c)) {
        struct node *e = reap_atomic_load(&p[0]);
        while (!reap_atomic_compare_exchange_weak(&p[0], &e, &x[1], REAP_ORDER_ACQ_REL)) ;
        reap_atomic_store(&p[1], NULL, REAP_ORDER_RELEASE);
        x[0].v = reap_atomic_exchange(&p[2], &x[2])->v + *reap_atomic_fetch_add(&c[0], 3); }' '' \
        -Wall -Wextra -Wpedantic
    error "an atomic on a const pointer" "reap_atomic_exchange takes .* that is not const" \
        "REAP_KERNEL(k, in(int *, p)) { (void)reap_atomic_exchange(&p[0], p[1]); }"
    for word in min max and or xor; do
        error "reap_atomic_fetch_$word of pointers" \
            "reap_atomic_fetch_$word takes a pointer to an integer of 32 or 64 bits" \
            "REAP_KERNEL(k, inout(int *, p)) { (void)reap_atomic_fetch_$word(&p[0], 0); }"
    done
    for word in and or xor; do
        error "reap_atomic_fetch_$word of floats" \
            "reap_atomic_fetch_$word takes a pointer to an integer of 32 or 64 bits that is not" \
            "REAP_KERNEL(k, inout(float, x)) { (void)reap_atomic_fetch_$word(&x[0], 1.0f); }"
    done
    for case in RELEASE ACQ_REL; do
        wrong "a load with order $case" "reap_atomic_load takes order REAP_ORDER_RELAXED, REAP_.*" \
            "reap_atomic_load(&x[0], REAP_ORDER_$case)"
    done
    for case in ACQUIRE ACQ_REL; do
        wrong "a store with order $case" "reap_atomic_store takes order .*reap_atomic_fence" \
            "reap_atomic_store(&x[0], 1, REAP_ORDER_$case)"
    done
    wrong "a scope as the order" "reap_atomic_fetch_add takes order REAP_ORDER_RELAXED" \
        'reap_atomic_fetch_add(&x[0], 1, REAP_SCOPE_DEVICE)'
    wrong "an order as the scope" "reap_atomic_fetch_add takes scope REAP_SCOPE_SUB_GROUP" \
        'reap_atomic_fetch_add(&x[0], 1, REAP_ORDER_RELAXED, REAP_ORDER_RELAXED)'
    wrong "an order that is a variable" "reap_atomic_fetch_add takes a constant for its order" \
        'reap_atomic_fetch_add(&x[0], 1, x[1])'
    wrong "a scope that is a variable" "reap_atomic_fence takes a constant for its scope" \
        'reap_atomic_fence(REAP_ORDER_ACQ_REL, x[1])'
    wrong "a fence with an unknown order" "reap_atomic_fence takes order REAP_ORDER_RELAXED" \
        'reap_atomic_fence(1)'
    wrong "a second order that releases" "reap_atomic_compare_exchange takes, as the order of a" \
        'reap_atomic_compare_exchange(&x[0], 1, 2, REAP_ORDER_ACQ_REL, REAP_ORDER_RELEASE,
                                      REAP_SCOPE_DEVICE)'
    wrong "a stronger second order" "reap_atomic_compare_exchange takes an order of .*: omit it" \
        'reap_atomic_compare_exchange(&x[0], 1, 2, REAP_ORDER_RELEASE, REAP_ORDER_ACQUIRE,
                                      REAP_SCOPE_DEVICE)'
    wrong "too many arguments" "reap_atomic_load takes the arguments (object, order, scope)" \
        'reap_atomic_load(&x[0], REAP_ORDER_RELAXED, REAP_SCOPE_DEVICE, 1)'
    wrong "too few arguments" "reap_atomic_fetch_add takes the arguments (object, v, order" \
        'reap_atomic_fetch_add(&x[0])'
}

# wrong LABEL PATTERN EXPRESSION: in a kernel with an inout array of integers.
wrong() {
    error "$1" "Reap: $2" "REAP_KERNEL(k, inout(int, x)) { (void)$3; }"
}

# between STATEMENT: a kernel with it between two phases.
between() {
    printf 'REAP_GROUP_KERNEL(k, out(int, x), reduce(plus, int, sum)) { (void)x;
        reap_for_each_item { reap_combine(sum, 1); } %s; reap_for_each_item { x[0] = 1; } }' "$1"
}

# inside STATEMENT: one with it in a phase.
inside() {
    printf 'REAP_GROUP_KERNEL(k, out(int, x), value(int, v)) {
        reap_for_each_item { x[reap_global_id(0)] = v; if (x[0] == 7) { %s; } x[1] = 1; } }' "$1"
}

phases() {
    local case level
    fine "a group's own ids between phases" \
        "$(between 'if (reap_group_id(0) + reap_local_range(0) > reap_global_range(0)) return')" ''
    for case in 'x[0] = (int)reap_local_id(0)' 'x[0] = (int)reap_global_id(0)' \
        'x[0] = (int)reap_global_linear_id()' 'x[0] = (int)reap_local_linear_id()' \
        'x[0] = (int)reap_group_leader()' \
        'reap_barrier(REAP_LOCAL_SPACE)' 'reap_combine(sum, 1)' \
        'x[0] = reap_group_reduce(plus, int, 1)' 'x[0] = reap_group_broadcast(int, 1, 0)' \
        'x[0] = reap_group_any(1)' 'x[0] = reap_group_broadcast_id(int, 1, 0)' \
        'x[0] = reap_group_reduce_from(plus, int, 1, 2)' \
        'x[0] = reap_group_joint_any(int, e, x, 2, e > 1)' \
        'x[0] = (int)reap_sub_group_id()' 'x[0] = reap_sub_group_reduce(plus, int, 1)' \
        'x[0] = reap_sub_group_shuffle(int, 1, 0)' 'reap_sub_group_barrier(REAP_LOCAL_SPACE)'; do
        error "between phases: $case" "outside_of_a_phase\|waits between phases" \
            "$(between "$case")"
    done
    error "a phase in a phase" "phases_do_not_nest" \
        "$(inside 'reap_for_each_item { x[2] = 1; }')"
    error "words within a phase" "phases_do_not_nest" \
        "$(inside 'reap_item_private(int, w); reap_private(w) = 1')"
    error "sub-groups within a phase" "phases_do_not_nest" \
        "$(inside 'reap_sub_groups_reduce(plus, int, w, 1)')"
    error "a word that is too large" "'w' is too large for a private variable of a work-item" \
        "$(between 'reap_item_private(struct { char c[1025]; }, w); (void)w')"
    error "a phase in a REAP_ND_KERNEL" "need_a_REAP_GROUP_KERNEL" \
        'REAP_ND_KERNEL(k, out(int, x)) { reap_for_each_item { x[0] = 1; } }'
    fine "continue and break in a phase" "$(inside 'if (v) continue; else break')" '' -O2
    if [ $family = clang ] && ! "$cc" --version | grep -q 'version 1[4-9]\|version [2-9][0-9]'; then
        skip "return from a phase: this clang has no attribute error"
        return
    fi
    for case in return 'goto out'; do
        for level in -O1 -O2 -O3 -Os; do
            error "$case from a phase at $level" "a phase is left by return or goto" \
                "$(inside "$case" | sed 's/ }$/ out: (void)x; }/')" \
                '(void)reap_parallel_for(queue, k, reap_nd_range_1d(4, 2), .x = n);' $level
        done
    done
}

# Compiler options must not change results from those of devices.
arithmetic() {
    local options
    for options in -ffast-math -Ofast -ffinite-math-only; do
        error "$options" "Reap: -ffast-math (or a part of it)" "$kernel" "$launch" "$options"
    done
    if [ $family = clang ]; then
        return # its other options leave no macro; the probe finds them, see exactness.sh
    fi
    for options in -funsafe-math-optimizations -freciprocal-math -fno-signed-zeros \
        "-fassociative-math -fno-signed-zeros -fno-trapping-math"; do
        # shellcheck disable=SC2086
        error "$options" "Reap: -ffast-math (or a part of it)" "$kernel" "$launch" $options
    done
    error "-fsingle-precision-constant" "Reap: .*-fsingle-precision-constant" "$kernel" "$launch" \
        -fsingle-precision-constant
    if compiles -mfpmath=387; then
        error "-mfpmath=387" "Reap: kernels need float arithmetic" "$kernel" "$launch" -mfpmath=387
    fi
}

# Numbers that elements are compared with. They have no sentence of their own: both compilers say
# that the type is none of those that the macro takes, or has no arithmetic.
numbers() {
    local number
    error "the number 10.5L" "not compatible with any" "#include <reap/algorithms.h>" \
        "uint64_t count; return (int)reap_count(queue, x, 5, REAP_LESS, 10.5L, &count);"
    for number in 'reap_half_from_float(1)' '"1"'; do
        error "the number $number" "to unary" "#include <reap/algorithms.h>" \
            "uint64_t count; return (int)reap_count(queue, x, 5, REAP_LESS, $number, &count);"
    done
    error "the bound 0.9L" "not compatible with any" "#include <reap/algorithms.h>" \
        "uint64_t count; return (int)reap_count_between(queue, x, 5, 0.5, 0.9L, &count);"
    fine "numbers of other types" "#include <reap/algorithms.h>" \
        "uint64_t count; const unsigned char byte = 'a'; const float limit = 2.5f;
         return reap_count_between(queue, x, 5, byte, limit, &count) != REAP_OK ||
                reap_count(queue, x, 5, REAP_LESS, 7uLL, &count) != REAP_OK;" \
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
}

# The language that the headers need, and the layout of structs that the library reads.
languages() {
    local standard
    for standard in -std=c90 -std=gnu89 '-std=c99 -pedantic' -std=gnu99; do
        # shellcheck disable=SC2086
        error "$standard" 'Reap: its headers are C11; compile this file with -std=c11' "$kernel" \
            "$launch" $standard
    done
    error "-fpack-struct" "Reap: this header is compiled under #pragma pack or -fpack-struct" \
        "$kernel" "$launch" -fpack-struct
    error "-fshort-enums" "Reap: this header is compiled with -fshort-enums" \
        "$kernel" "$launch" -fshort-enums
    error "#pragma pack(1) before a kernel" "Reap kernel 'k' is compiled under #pragma pack" \
        "
#pragma pack(1)
$kernel"
    error "#pragma pack(2) before a kernel" "Reap kernel 'k' is compiled under #pragma pack" \
        "
#pragma pack(2)
$kernel"
    fine "#pragma pack(1) around another struct" "
#pragma pack(push, 1)
struct packed { char c; int i; };
#pragma pack(pop)
$kernel" "$launch"
}

# A kernel in a C file would embed main for the device's compiler.
c_files() {
    printf '#include <reap/kernel.h>\n%s\nint main(void) { return 0; }\n' "$kernel" >in_c.c
    ! "$cc" -std=c11 "-I$include" -c in_c.c -o in_c.o 2>log &&
        grep -m1 'error:' log | sed "s/\\\\'/'/g" |
        grep -q "kernel 'k' must be in a file of its own, which the C file includes"
    check $? "a kernel in a C file"
}

# C++ has neither designated initialisers out of order nor compound literals.
c_plus_plus() {
    printf '#include <reap/reap.h>\n#include "misuse.kernels.h"\n' >misuse.cpp
    if ! "$cc" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
        skip "a kernel file in C++: $cc compiles none here"
        return
    fi
    ! "$cc" -std=c++17 "-I$include" -c misuse.cpp -o misuse.o 2>log &&
        grep -m1 'error:' log | grep -q "Reap: kernel files are C; compile the file that includes"
    check $? "a kernel file in C++"
}

fine "the kernel that the others vary" "$kernel" "$launch" -Wall -Wextra -Wpedantic
operators
operands
types
parameters
too_many
launches
bodies
helpers
groups
atomics
phases
macros
arithmetic
numbers
languages
c_files
c_plus_plus
finish
