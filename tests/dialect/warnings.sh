#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels and launches compile without a warning under a long list of them, at every level of
# optimisation; larger tests are built with the list, see CMakeLists.txt. REAP_SHOW_HEADERS has gcc
# warn of what comes from Reap's headers, too. scripts.sh says how this is run. In `make check`
# (SHARE) a sixth of the files and levels.
SHARE=${SHARE:+6}
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1
root=$(cd "$here/../.." && pwd)
mapfile -t warnings < <(grep -h '^-' "$here/warnings.txt")
warnings+=(-Werror -DREAP_SHOW_HEADERS)
if [ $family = gcc ]; then
    mapfile -t -O ${#warnings[@]} warnings < <(grep '^-' "$here/warnings_gcc.txt")
fi

# clean FILE LEVEL OPTION...: the file compiles without a word.
clean() {
    local file=$1 level=$2
    wanted || return
    shift 2
    "$cc" "-I$root" "-I$include" "$level" "${warnings[@]}" "$@" -c "$file" -o file.o >log 2>&1 &&
        [ ! -s log ]
    check $? "$(basename "$file") $level $*"
}

# Kernels that ignore their parameters, kernels that are not launched, an empty one.
cat >ignoring.kernels.h <<'END'
#include <reap/kernel.h>

REAP_OPERATOR(unused_operator, int, 0, a, b)
{
    return a + b;
}

REAP_OPERATOR_NO_IDENTITY(used_operator, int, a, b)
{
    return a + b;
}

REAP_KERNEL(empty)
{
}

REAP_KERNEL(ignoring, in(int, a), out(int, b), inout(int, c), value(int, d), reduce(plus, int, e),
            reduce_with(used_operator, int, f), reduce_span(plus, int, g),
            reduce_span_with(used_operator, int, h), reduce_location(minimum, int, i),
            reduce(plus, float, j), reduce_span(maximum, double, k), reduce(plus, reap_half, l),
            reduce(logical_and, bool, m), reduce(minimum, reap_bfloat16, n),
            identity(int, e))
{
}

REAP_ANY_KERNEL(ignoring_any, in(int, a), out(int, b), value(int, d), reduce(plus, int, e),
                reduce_span(plus, int, g), reduce_location(minimum, int, i),
                reduce(exact_plus, float, j), identity(int, g))
{
}

REAP_KERNEL(ordered, inout(int, x), inout(double, y))
{
    int expected = reap_atomic_load(&x[0], REAP_ORDER_ACQUIRE);
    double limit = reap_atomic_fetch_min(&y[0], 1.5, REAP_ORDER_SEQ_CST, REAP_SCOPE_WORK_GROUP);
    reap_atomic_store(&x[1], reap_atomic_fetch_sub(&x[0], 1), REAP_ORDER_RELEASE);
    while (!reap_atomic_compare_exchange_weak(&x[0], &expected, 3, REAP_ORDER_ACQ_REL)) {
    }
    if (reap_atomic_compare_exchange_strong(&y[0], &limit, 2.5))
        reap_atomic_fence(REAP_ORDER_SEQ_CST, REAP_SCOPE_SYSTEM);
}

REAP_KERNEL(ignoring_location, reduce_location(maximum, unsigned char, a))
{
}
END
cat >ignoring.c <<'END'
#include "ignoring.kernels.h"
END
printf '#include <reap/reap.h>\n#include <reap/kernel.h>\n' >headers.c

# A buffer's memory may be written later.
cat >wrapping.c <<'END'
#include <reap/reap.h>
reap_buffer *wrap(void);
reap_buffer *wrap(void)
{
    static reap_buffer *buffer;
    int table[105];
    return reap_buffer_wrap(table, sizeof table, &buffer) == REAP_OK ? buffer : 0;
}
END

# Results of ready algorithms need no value before.
cat >ready.c <<'END'
#include <reap/algorithms.h>

reap_status ready(reap_queue *queue, const float *x, const double *edges, float *sum);
reap_status ready(reap_queue *queue, const float *x, const double *edges, float *sum)
{
    float smallest, largest, sums[4];
    uint64_t at, bins[2];
    *sum = 0;
    if (reap_minmax(queue, x, 4, &smallest, &largest) != REAP_OK ||
        reap_argmax(queue, x, 4, &at) != REAP_OK ||
        reap_inclusive_scan(queue, REAP_SCAN_SUM, x, 4, sums) != REAP_OK ||
        reap_histogram(queue, x, 4, edges, 2, bins) != REAP_OK)
        return REAP_ERROR_INVALID_ARGUMENT;
    *sum = smallest + largest + x[at] + sums[bins[0] > 4];
    return REAP_OK;
}
END

for level in -O0 -O1 -O2 -O3 -Os; do
    clean ready.c $level -std=c11
    clean headers.c $level -std=c11
    clean wrapping.c $level -std=c11
    clean "$root/tests/contract/01_sum_and_max.c" $level -std=c11
done
for level in -O0 -O3; do
    clean ignoring.c $level -std=gnu17
    for file in contract/02_tree_sum.c contract/03_largest.c contract/04_histogram.c \
        contract/07_same_bits.c contract/08_groups.c; do
        clean "$root/tests/$file" $level -std=c11 -D_POSIX_C_SOURCE=200809L
    done
done
# Their own code converts implicitly, or shadows.
clean "$root/tests/contract/05_properties.c" -O2 -std=c11 -Wno-conversion -Wno-double-promotion
clean "$root/tests/dialect/parameters.c" -O0 -std=c11 -D_POSIX_C_SOURCE=200809L -Wno-conversion
clean "$root/tests/work_groups/ids.c" -O0 -std=c11 -D_POSIX_C_SOURCE=200809L
clean "$root/tests/dialect/ids.c" -O3 -std=c11 -D_POSIX_C_SOURCE=200809L -march=native
clean "$root/tests/dialect/names.c" -O0 -std=c11
if [ $family = clang ]; then
    warnings=(-Weverything -Werror -Wno-declaration-after-statement -Wno-padded -Wno-c++98-compat
        -Wno-unused-macros -Wno-reserved-id-macro -Wno-reserved-identifier
        -Wno-disabled-macro-expansion -Wno-gnu-auto-type -Wno-unsafe-buffer-usage
        -Wno-unknown-warning-option -Wno-pre-c11-compat -Wno-float-equal
        -Wno-used-but-marked-unused)
    clean ignoring.c -O2 -std=c11
fi
finish
