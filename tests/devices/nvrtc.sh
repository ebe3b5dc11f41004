#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Has the kernels of every kernel file of some folders compiled for cards, which need not be there,
# with the entry functions of a launch in one dimension. Prints the errors. With SHARE=n of the
# environment: one file in n, chosen by SEED if that is set, and of the targets `cuda` one for each
# file, in turns.
#
# Usage: nvrtc.sh REAP ROOT TARGET,... FOLDER...   cuda:sm_90 for one; cuda is sm_80 and sm_90
set -u
reap=$1 root=$2 targets=$3 failed=0 count=0
shift 3
cd "$root" || exit 2
unset REAP_BACKENDS
export CC=tests/devices/cc_unoptimised.sh
# shellcheck source=tests/devices/kernel_files.sh
. tests/devices/kernel_files.sh

# These take minutes: they have kernels for structures of many sizes, some of which the launches of
# test_agreement compile, and a kernel of 48 reductions.
too_many='tests/conformance/(words|many_reductions)[.]kernels[.]h'

mapfile -t files < <(kernel_files "$@" | grep -vxE "$too_many")
share=${SHARE:-1} turn=${SEED:-$RANDOM}
[ "$share" -le ${#files[@]} ] || share=${#files[@]}
for f in "${!files[@]}"; do
    file=${files[f]}
    [ $(((f + turn) % share)) = 0 ] || continue
    target=$targets
    [ -z "${SHARE:-}" ] || [ "$targets" != cuda ] || target=cuda:sm_$((count % 2 ? 80 : 90))
    # The macros are what tests/dialect/embedding.sh gives both.kernels.h.
    said=$("$reap" compile -I . -D FACTOR=3 -D 'NAME="reap"' --target "$target" "$file" 2>&1)
    status=$?
    if [ $status != 0 ] && [[ $said == *"libnvrtc.so, which compiles"* && $count = 0 ]]; then
        echo "skipped: nvrtc: ${said##*reap: }"
        exit 0
    fi
    count=$((count + 1))
    [ $status != 0 ] || continue
    failed=1
    printf '%s\n' "$said"
done
echo "$count kernel files compiled for cards"
[ $count -gt 0 ] && exit $failed
exit 1
