#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `reap describe` by ranks that differ, or that MPI does not connect: one line on standard error,
# exit status 1, and no rank that waits. And what ends all ranks.
#
# Usage: describe_errors.sh TOOL MPIRUN MAKE_NPY, of TOOL the copy for this MPI
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/../tool/scripts.sh"
mpirun=$2 make_npy=$3
here=$(cd "$(dirname "$0")" && pwd)
export REAP_NUM_THREADS=1
"$make_npy" f64 600000 x.npy
mkdir elsewhere
"$make_npy" f64 599999 elsewhere/x.npy 2
printf 'a\n1\n' >table.csv

# ranks PROGRAM ARGUMENT...: by three of them.
ranks() {
    timeout 30 "$here/run.sh" "$mpirun" 3 "$@" >output 2>errors
    status=$?
}

# differs SCRIPT ARGUMENT...: the script begins each rank, whose number is $rank; then it describes.
differs() {
    # shellcheck disable=SC2016
    ranks sh -c 'rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; '"$1"'; exec "$@"' sh "$tool" describe \
        "${@:2}"
}

# complains TEXT: this line alone, status 1, and no output.
complains() {
    holds "the status of '$1' is 1, not $status" [ "$status" = 1 ]
    holds "'$1' is printed, not '$(grep '^reap' errors)'" \
        grep -qx "reap: $1" <(grep '^reap' errors | tail -1)
    holds "nothing else is printed with '$1'" [ "$(grep -c '^reap' errors)" = 1 ]
    holds "output is printed with '$1'" [ ! -s output ]
}

# shellcheck disable=SC2016
{
    differs '[ $rank != 1 ] || cd /' x.npy
    complains "x.npy: rank 1 (.*): No such file or directory"
    differs '[ $rank != 2 ] || cd elsewhere' x.npy
    complains "x.npy: rank 2 (.*): it is not the file that rank 0 reads"
    differs '[ $rank != 0 ] || cd elsewhere' --quantiles 0.5 x.npy
    complains "x.npy: rank 1 (.*): it is not the file that rank 0 reads"
    differs '[ $rank != 0 ] || cd /' x.npy
    complains "x.npy: No such file or directory"
    differs 'set -- "$@" $rank' x.npy
    complains "rank 1 (.*): its command line is not that of rank 0; with --no-mpi .*"
    differs '[ $rank != 2 ] || export REAP_DEVICE=nonsense' x.npy
    complains "rank 2 (.*): 'nonsense' is not a device; .*"
}

# The others are described.
differs '[ "$rank" != 1 ] || cd elsewhere' x.npy "$work/table.csv"
holds "a file after one that differs is described" grep -q '^  sum *1$' output

ranks "$tool" describe --type nonsense x.npy
holds "the status of a wrong command line is 2" [ "$status" = 2 ]
holds "one line says so" [ "$(grep -c '^reap describe' errors)" = 1 ]

# Each process alone.
ranks "$tool" describe --no-mpi table.csv
holds "--no-mpi prints three descriptions" [ "$(grep -c '^table.csv' output)" = 3 ]
holds "its status is 0" [ "$status" = 0 ]

# A tool without the library for MPI.
mkdir -p bare/bin
cp "$tool" bare/bin/reap
ranks bare/bin/reap describe x.npy
complains "started as an MPI rank of 3: this reap was built without MPI; .*"

# Standard input is rank 0's alone.
options=()
[[ $mpirun != *openmpi* ]] || options=(--oversubscribe --bind-to none)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$mpirun" "${options[@]}" -n 3 "$tool" describe - <table.csv >output 2>errors
holds "standard input is described once" [ "$(grep -c '^-: 1 row' output)" = 1 ]

# An interrupt ends a tool that waits for more, and a tool that is killed ends the others.
for signal in INT KILL; do
    mkfifo pipe
    "$mpirun" "${options[@]}" -n 3 "$tool" describe pipe <> /dev/null >output 2>errors &
    mpirun_process=$!
    exec 7>pipe # waits until rank 0 has opened it
    sleep 0.3
    if [ $signal = INT ]; then
        kill -INT $mpirun_process
    else
        parents=$mpirun_process,$(pgrep -d, -P $mpirun_process)
        holds "a rank is found" pkill -KILL -o -P "$parents" reap
    fi
    SECONDS=0
    comes eval "! kill -0 $mpirun_process 2>/dev/null"
    holds "SIG$signal ends the job" [ $SECONDS -lt 10 ]
    exec 7>&-
    wait $mpirun_process
    rm pipe
done
finish 30
