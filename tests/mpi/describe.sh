#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `reap describe` by several ranks: standard output, the lines of the tool on standard error, and
# the exit status are those of one process, for files of all formats.
#
# Usage: describe.sh TOOL MPIRUN RANKS MAKE_NPY SOURCE, of TOOL the copy for this MPI
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/../tool/scripts.sh"
mpirun=$2 ranks=$3 make_npy=$4 source=$5
export REAP_NUM_THREADS=${THREADS:-1}

# ---- Files -----------------------------------------------------------------------------------

# A block of an array has about a mebibyte, one of a table half of it.
"$make_npy" f64 1500,1200 f64.npy
"$make_npy" f32 700001 f32.npy 2
"$make_npy" f16 900000 f16.npy 3
"$make_npy" '>f64' 500000 big-endian.npy 4
"$make_npy" i64 400000 i64.npy 5
"$make_npy" u64 400000 u64.npy 6
"$make_npy" u8 2500000 u8.npy 7
"$make_npy" bool 300000 bool.npy 8
"$make_npy" f64 7 few.npy 9
tail -c +129 u64.npy >bits # all kinds of numbers, read as f64
head -c 2000000 /dev/zero | tr '\0' '\377' >nans
{
    printf '\223NUMPY\1\0v\0'
    printf "%-117s\n" "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }"
} >empty.npy
head -c -5 f32.npy >short.npy
{ cat f32.npy; echo; } >long.npy
: >empty

# Integers that are reals, of 64 bits, and rounded ones, further below; and missing ones.
awk 'BEGIN {
    print "name,small,late,wide,missing,nan"
    for (i = 0; i < 90000; i++)
        printf "\"x, %d\",%d,%s,%s,%s,%s\n", i % 7, i * 7 % 1001, i < 60000 ? i : i / 8,
            i < 70000 ? -i : "9300000000000000000", i % 13 == 0 ? "" : i * 3 % 997,
            i % 101 == 0 ? "nan" : i / 3
}' >table.csv
awk 'BEGIN {
    for (i = 0; i < 1500; i++)
        for (c = 0; c < 200; c++)
            printf "%d%s", i * c % 97, c < 199 ? ";" : "\n"
}' >wide.csv
awk 'BEGIN {
    print "# odd cells, -999 and comments in some blocks\na;b;c;when"
    for (i = 0; i < 90000; i++) {
        if (i % 20011 == 7) print "# note \"" i
        print (i % 30011 == 5 ? "n.d." : i / 7) ";" (i % 29989 == 1 ? -999 : i % 97) ";" \
            (i == 88888 ? "x" : i) ";t" i
    }
}' >odd.csv
awk 'BEGIN { print "a b"; for (i = 0; i < 150000; i++) print i == 120001 ? i : i " " i }' >bad.csv
printf 'missing,x,y\n1,2,3\n1,3,4\n,5,6\n' >few.csv
printf 'a,b\n' >header.csv
gzip -k table.csv

# A classic NetCDF file with a variable of 500000 doubles.
number() {
    local hex
    hex=$(printf '%08x' "$1")
    printf '%b' "\\x${hex:0:2}\\x${hex:2:2}\\x${hex:4:2}\\x${hex:6:2}"
}
{
    printf 'CDF\1'
    for word in 0 10 1 1; do number "$word"; done
    printf 'x\0\0\0'
    for word in 500000 0 0 11 1 1; do number "$word"; done
    printf 'v\0\0\0'
    for word in 1 0 0 0 6 4000000 80; do number "$word"; done
    tail -c +129 big-endian.npy
} >classic.nc

wrong=(short.npy long.npy empty bad.csv header.csv missing.npy)
files=(f64.npy f32.npy f16.npy big-endian.npy i64.npy u64.npy u8.npy bool.npy few.npy empty.npy
    table.csv table.csv.gz odd.csv wide.csv classic.nc "$source"/data/*.npy "$source"/data/*.csv)
if "$source/tests/support/python.sh" "numpy h5py" "$(dirname "$0")/describe.py"; then
    files+=(stored.npz deflated.npz file.h5)
    wrong+=(damaged.npz)
else
    echo "skipped: .npz and HDF5"
fi

# ---- Comparisons -----------------------------------------------------------------------------

# same ARGUMENT...: the ranks print what one process prints. In `make check` (SHARE) every other
# case.
turn=${SEED:-0}
same() {
    local status
    turn=$((turn + 1))
    [ -z "${SHARE:-}" ] || [ $((turn % 2)) = 0 ] || return
    "$tool" describe "$@" >expected 2>expected_errors </dev/null
    status=$?
    timeout 60 "$(dirname "$0")/run.sh" "$mpirun" "$ranks" "$tool" describe "$@" >output 2>errors
    holds "the exit status of describe $1 $2" [ $? = $status ]
    holds "the output of describe $1 $2" cmp expected output
    holds "the complaints of describe $1 $2" diff expected_errors <(grep '^reap' errors)
}

same "${files[@]}"
same --histogram --quantiles 5%,50%,0.731,1 "${files[@]}"
same --quantiles 0.5 "${wrong[@]}" few.npy
same --axis 0 --quantiles 0.5 f64.npy f32.npy "$source"/data/sea_temperatures.npy
same --axis -1 f64.npy
same --type f64 --histogram --quantiles 0.1,0.5 bits nans
same --type c128 --offset 16 bits
same --csv odd.csv table.csv f64.npy
same --transpose --digits 4 --missing=-999,n.d. odd.csv
same --by small --columns wide,nan --quantiles 0.3 table.csv
same --by missing few.csv table.csv.gz
same --distinct few.csv odd.csv table.csv
same --columns late,6 --histogram table.csv
finish "$([ -n "${SHARE:-}" ] && echo 15 || echo 20)"
