#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenMP that binds the program's first thread to one processor, before Reap is asked for anything,
# leaves Reap all that OpenMP has; taskset leaves it one.
source "$(dirname "$0")/support.sh"
require taskset "Reap beside OpenMP's binding"
export OMP_PROC_BIND=true
unset REAP_NUM_THREADS OMP_PLACES OMP_NUM_THREADS

cat >program.c <<'END'
#include <omp.h>
#include <reap/reap.h>
#include <stdio.h>
int main(int count, char **arguments)
{
    const reap_device *device;
    reap_device_info info;
    int threads = 0;
    (void)arguments;
    if (count > 1)
#pragma omp parallel reduction(+ : threads)
        threads++;
    if (reap_device_default(&device) != REAP_OK || reap_device_get_info(device, &info) != REAP_OK)
        return 1;
    printf("%zu of %d\n", info.compute_units, omp_get_num_procs());
    return 0;
}
END

build() { "$CC" -O2 -fopenmp -I"$PREFIX/include" program.c "$@" -o program 2>errors; }
build -L"$PREFIX/lib" -lreap || skip "Reap beside OpenMP: $CC has no OpenMP here"
all=$(nproc)
for library in -lreap "$PREFIX/lib/libreap.a"; do
    build -L"$PREFIX/lib" "$library" -pthread
    prints "$all of $all" ./program
    prints "$all of $all" ./program parallel
    first=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
    prints "1 of 1" taskset -c "$first" ./program
done
