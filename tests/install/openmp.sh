#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenMP that binds the program's first thread to one processor, before Reap is asked for anything,
# leaves Reap all that OpenMP has; taskset and OMP_NUM_THREADS leave it one. Launches from all
# threads of a region make no more threads than are documented.
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
    OMP_NUM_THREADS=1 prints "1 of $all" ./program
done

cp "$SOURCE/tests/install/program/program.kernels.h" .
cat >program.c <<'END'
#include <omp.h>
#include <reap/reap.h>
#include <stdio.h>
#include "program.kernels.h"
enum { ITEMS = 400000, ROUNDS = 50 };
static double a[ITEMS];
static int threads(void)
{
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "Threads: %d", &count);
    return count;
}
int main(int count, char **arguments)
{
    const reap_queue_options options = {.out_of_order = true};
    int wrong = 0;
    double expected = 0;
    reap_queue *shared;
    (void)arguments;
    for (int i = 0; i < ITEMS; i++) {
        a[i] = i % 10;
        expected += a[i] * a[i];
    }
    if (reap_queue_create(NULL, &options, &shared) != REAP_OK)
        return 1;
#pragma omp parallel reduction(+ : wrong)
    {
        reap_queue *own;
        if (reap_queue_create(NULL, NULL, &own) != REAP_OK)
            wrong++;
        for (int i = 0; i < ROUNDS; i++) {
            double product = 0;
            const reap_status status =
                reap_parallel_for(count > 1 ? shared : own, dot, reap_range_1d(ITEMS), .a = a,
                                  .b = a, .product = {.variable = &product});
            wrong += status != REAP_OK || product != expected;
        }
        reap_queue_release(own);
    }
    reap_queue_release(shared);
    /* With REAP_NUM_THREADS=4 there are three helpers. */
    printf("%d wrong, %s\n", wrong, threads() <= omp_get_max_threads() + 3 ? "few" : "many");
    return 0;
}
END
build -L"$PREFIX/lib" -lreap
for threads in 1 4 7; do
    for bind in false close spread; do
        for queue in "" shared; do
            OMP_NUM_THREADS=$threads OMP_PROC_BIND=$bind REAP_NUM_THREADS=4 \
                prints "0 wrong, few" ./program ${queue:+shared}
        done
    done
done
