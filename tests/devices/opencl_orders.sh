#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Has clang look at what OpenCL compilers of several versions and features get for atomic
# operations, devices that are not there: all is compiled where they have everything, and what they
# lack is refused with a message that names the word and says what to use. Reap finds a driver's
# library without devices (tests/fake), which takes any text, and writes it to a folder.
#
# Usage: opencl_orders.sh REAP FAKE
set -u
reap=$1 fake=$2 failed=0 count=0
if ! command -v clang >/dev/null; then
    echo "skipped: opencl_orders: clang is not installed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work" || exit 1
export REAP_BACKENDS=opencl REAP_CACHE_DIR=none REAP_DUMP_KERNELS=$work
export LD_LIBRARY_PATH=$fake

# text STATEMENTS: the text of a kernel of them, text.cl.
text() {
    cat >k.kernels.h <<END
#include <reap/kernel.h>
REAP_ND_KERNEL(k, inout(int, x), inout(float, f), inout(int64_t, w), local(uint32_t, s))
{
    int e = 3;
    float o = 3;
    (void)e, (void)o;
    $1
}
END
    rm -f ./*.cl
    "$reap" compile --target opencl:0 k.kernels.h >log || cat log
    { echo '#define REAP__HAS_ORDERS 1' && grep -hv 'define REAP__HAS_ORDERS' k.*.cl; } >text.cl
}

compile() { # compile VERSION OPTION...
    local version=$1
    shift
    clang -x cl "-cl-std=$version" -fsyntax-only -Xclang -finclude-default-header \
        --target=spir64 -w "$@" text.cl >log 2>&1
}

# check STATUS WHAT: counts, and says what failed.
check() {
    count=$((count + 1))
    [ "$1" = 0 ] && return
    failed=1
    echo "FAILED: $2"
    cat log
}

# without FEATURE PATTERN: a compiler for OpenCL C 3.0 that lacks the feature complains so. clang's
# own header defines some features for every device.
without() {
    sed -i "1i #undef $1" text.cl
    refuses "$2" CL3.0
    sed -i 1d text.cl
}

# takes VERSION OPTION...: such a compiler takes the text.
takes() {
    compile "$@"
    check $? "$*"
}

# refuses PATTERN VERSION OPTION...: it complains so.
refuses() {
    local pattern=$1
    shift
    ! compile "$@" && grep -m1 'error:' log | grep -q -e "Reap: $pattern"
    check $? "'$pattern': $*"
}

text 'x[1] = reap_atomic_load(&x[0]) + reap_atomic_fetch_sub(&s[0], 1, REAP_ORDER_RELAXED);
    reap_atomic_store(&f[0], reap_atomic_fetch_min(&f[1], o));
    if (reap_atomic_compare_exchange_strong(&x[0], &e, 4) ||
        reap_atomic_compare_exchange_weak(&f[0], &o, 4, REAP_ORDER_RELAXED, REAP_SCOPE_WORK_GROUP))
        reap_atomic_fence(REAP_ORDER_RELAXED);
    w[1] = reap_atomic_fetch_xor(&w[0], 4) + reap_atomic_fetch_sub(&w[2], 1);'
takes CL1.2
takes CL2.0
takes CL3.0
refuses 'reap_atomic_fetch_xor takes 32 bits on this device.*use int32_t' CL1.2 \
    -Xclang -cl-ext=-cl_khr_int64_base_atomics

text 'x[1] = reap_atomic_load(&x[0], REAP_ORDER_SEQ_CST);
    f[1] = reap_atomic_fetch_max(&f[0], o, REAP_ORDER_ACQ_REL, REAP_SCOPE_WORK_GROUP);
    s[0] = reap_atomic_fetch_or(&s[1], 1u, REAP_ORDER_RELEASE, REAP_SCOPE_SUB_GROUP);
    w[1] = reap_atomic_exchange(&w[0], 1, REAP_ORDER_SEQ_CST, REAP_SCOPE_SYSTEM);
    reap_atomic_fence(REAP_ORDER_ACQUIRE);'
takes CL2.0
takes CL3.0
refuses 'reap_atomic_load takes REAP_ORDER_RELAXED only on this device.*use reap_barrier' CL1.2
without __opencl_c_atomic_order_acq_rel \
    'reap_atomic_load takes REAP_ORDER_RELAXED only .*__opencl_c_atomic_order_acq_rel'
without __opencl_c_atomic_order_seq_cst \
    'reap_atomic_load does not take REAP_ORDER_SEQ_CST on .*use REAP_ORDER_ACQ_REL'
without __opencl_c_atomic_scope_device \
    'reap_atomic_load does not take REAP_SCOPE_DEVICE on .*use REAP_SCOPE_WORK_GROUP'
without __opencl_c_atomic_scope_all_devices \
    'reap_atomic_exchange does not take REAP_SCOPE_SYSTEM on .*use REAP_SCOPE_DEVICE'

text 'reap_atomic_fence(REAP_ORDER_SEQ_CST, REAP_SCOPE_WORK_GROUP);'
refuses 'reap_atomic_fence takes REAP_ORDER_RELAXED only on this device' CL1.2
takes CL3.0

echo "$count texts looked at"
exit $failed
