#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Has clang look at what OpenCL compilers of cards get, which are not there: the kernels of the
# folders' kernel files, with the entry functions of a launch in one dimension. Reap finds a
# driver's library without devices (tests/fake), which takes any text, and writes it to a folder.
# Prints the errors.
#
# Usage: opencl_text.sh REAP FAKE ROOT FOLDER...    VENDOR=NVIDIA: the device's vendor
#                                                   SHARE=3: of each three files one,
#                                                   chosen by SEED if that is set
set -u
reap=$1 fake=$2 root=$3 failed=0 count=0
shift 3
cd "$root" || exit 2
# shellcheck source=tests/devices/kernel_files.sh
. tests/devices/kernel_files.sh
if ! command -v clang >/dev/null; then
    echo "skipped: opencl_text: clang is not installed"
    exit 0
fi
texts=$(mktemp -d)
trap 'rm -r "$texts"' EXIT
export REAP_BACKENDS=opencl REAP_CACHE_DIR=none REAP_DUMP_KERNELS=$texts
export LD_LIBRARY_PATH=$fake FAKE_VENDOR=${VENDOR:-}
export CC=tests/devices/cc_unoptimised.sh

# NVIDIA's compiler gets no version option (src/opencl/opencl.c).
version=CL1.2
[ "$FAKE_VENDOR" != NVIDIA ] || version=CL3.0

# They have kernels for structures of many sizes, and a kernel of 48 reductions.
too_many='tests/conformance/(words|many_reductions)[.]kernels[.]h'

mapfile -t files < <(kernel_files "$@" | grep -vxE "$too_many")
number=${SEED:-$RANDOM}
for file in "${files[@]}"; do
    number=$((number + 1))
    [ $((number % ${SHARE:-1})) = 0 ] || continue
    "$reap" compile -I . --target opencl:0 "$file" >/dev/null || failed=1
done
for text in "$texts"/*.cl; do
    count=$((count + 1))
    clang -x cl -cl-std=$version -fsyntax-only -Xclang -finclude-default-header --target=spir64 \
        -w "$text" || failed=1
done
echo "$count texts looked at"
[ $count -gt 0 ] && exit $failed
exit 1
