#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A file larger than the memory that the tool may have: 2 GiB of zeros that take no place on the
# disk, in 256 MiB of address space. Streams and a table that are larger than that, too.
# Usage: large.sh TOOL
set -u
tool=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export REAP_NUM_THREADS=2
failed=0 checks=0

# describes COUNT ARGUMENT...: that many numbers, the sum of which is 0, in little memory.
describes() {
    local count=$1
    shift
    checks=$((checks + 1))
    (ulimit -v 262144 && exec "$tool" describe "$@") >output 2>errors
    if [ $? != 0 ] || ! grep -q "^  count  *$count\$" output || ! grep -q '^  sum  *0$' output; then
        failed=$((failed + 1))
        echo "failed: $*: $(head -c 300 errors output)"
    fi
}

truncate -s 2G zeros
describes 536870912 --type f32 zeros
truncate -s 300M zeros
describes 314572800 --type u8 - <zeros
describes 78643200 --type f32 <(cat zeros) # a pipe
yes 0 | head -n 8000000 >column
describes 8000000 --no-header column
echo "$checks checks, $failed failed"
[ $failed = 0 ]
