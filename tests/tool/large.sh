#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A file larger than the memory that the tool may have: 1 GiB of zeros that take no place on the
# disk (in `make check` half of it), in 256 MiB of address space. Streams and a table that are
# larger than that, too. Quantiles of very many series.
# Usage: large.sh TOOL MAKE_NPY
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/scripts.sh"
make_npy=$2
export REAP_NUM_THREADS=2

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

elements=268435456
[ -z "${SHARE:-}" ] || elements=134217728
truncate -s $((4 * elements)) zeros
describes $elements --type f32 zeros
truncate -s 300M zeros
describes 314572800 --type u8 - <zeros
describes 78643200 --type f32 <(cat zeros) # a pipe
yes 0 | head -n 8000000 >column
describes 8000000 --no-header column

# 60000 series, by four threads in 640 MiB, without memory that malloc sets aside for each thread;
# in `make check` (SHARE) 20000 series in 240 MiB.
series=60000 kibibytes=655360
[ -z "${SHARE:-}" ] || series=20000 kibibytes=245760
"$make_npy" f64 40,$series wide.npy 1
checks=$((checks + 1))
if ! (ulimit -v $kibibytes && MALLOC_ARENA_MAX=1 REAP_NUM_THREADS=4 exec "$tool" describe --axis 0 \
    --quantiles 0.5,0.9 wide.npy) >output 2>errors || ! grep -q '  q 0.9  ' output; then
    failed=$((failed + 1))
    echo "failed: quantiles of $series series: $(head -c 300 errors)"
fi

# A row may have 64 MiB, the first one and others.
refuses() { # refuses COMPLAINT
    checks=$((checks + 1))
    if "$tool" describe long.csv >output 2>errors || [ -s output ] ||
        [ "$(cat errors)" != "reap: long.csv: $1" ]; then
        failed=$((failed + 1))
        echo "failed: $1: $(head -c 300 errors output)"
    fi
}
long=$((64 << 20))
cells() { # cells CELL BYTES: a row of a cell and a long one, of so many bytes with its newline
    printf '%s,' "$1"
    head -c $(($2 - ${#1} - 2)) /dev/zero | tr '\0' y
    echo
}
{ cells x $long; echo 1,2; cells 3 $long; } >long.csv
checks=$((checks + 1))
[ "$("$tool" describe long.csv 2>&1 | sed -n 1p)" = "long.csv: 2 rows, 2 columns, 1 of text" ] || {
    failed=$((failed + 1))
    echo "failed: rows of 64 MiB: $("$tool" describe long.csv 2>&1 | head -c 300)"
}
{ cells x $((long + 1)); echo 1,2; } >long.csv
refuses "line 1: the row is longer than 64 MiB"
{ echo a,b; echo 1,2; cells 3 $((long + 1)); } >long.csv
refuses "line 3: the row is longer than 64 MiB"
{ printf 'x,"'; cells y $((long + 1)); } >long.csv
refuses "line 1: the quote is not closed within 64 MiB"
{ echo a,b; echo 1,2; printf '1,"'; yes | head -n $((long / 2)); } >long.csv
refuses "line 3: column 2: the quote is not closed within 64 MiB"
{ echo a,b; echo 1,2; yes , | head -n $((long / 2 + 1)) | tr -d '\n'; } >long.csv
refuses "line 3: the row has more than 2 cells"

# The different values of a column may have 256 MiB.
{ echo a,b; for row in 1 2 3 4 5; do cells $row $((60000000 + row)); done; } >long.csv
checks=$((checks + 1))
"$tool" describe --distinct long.csv | grep -q '^  b  *0  *>4  yyy' || {
    failed=$((failed + 1))
    echo "failed: distinct values of 286 MiB"
}
checks=$((checks + 1))
[ "$("$tool" describe --by b long.csv 2>&1)" = \
    "reap: long.csv: the different values of column 'b' have more than 256 MiB" ] || {
    failed=$((failed + 1))
    echo "failed: groups of 286 MiB: $("$tool" describe --by b long.csv 2>&1 | head -c 300)"
}
seq -f x%.0f 1000002 >words.csv
checks=$((checks + 1))
[ "$("$tool" describe --no-header --distinct words.csv |
    grep -c -e ': 1000002 rows' -e '^  column 1  *0  *>1000000  ')" = 2 ] || {
    failed=$((failed + 1))
    echo "failed: more than a million values: $("$tool" describe --distinct words.csv | head -n 5)"
}
finish 12
