#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin with kernels, linked with either library, whose program closes it while helpers are
# there, while one of the kernels is compiled, and before the thread that launched ends: nothing
# crashes, and opened again it makes no further helpers.
source "$(dirname "$0")/support.sh"
cp "$SOURCE/tests/install/program/program.kernels.h" .

cat >wait.kernels.h <<'END'
#include <reap/kernel.h>
REAP_ND_KERNEL(pass_on, inout(float, y), value(size_t, rounds), local(float, shared))
{
    const size_t l = reap_local_id(0);
    for (size_t k = 0; k < rounds; k++) {
        shared[l] = y[reap_global_id(0)];
        reap_barrier(REAP_LOCAL_SPACE);
        y[reap_global_id(0)] = shared[(l + 1) % reap_local_range(0)] + 1;
        reap_barrier(REAP_LOCAL_SPACE);
    }
}
END

cat >plugin.c <<'END'
#include <reap/reap.h>
#include "wait.kernels.h"
#include "program.kernels.h"
int plugin(void);
int plugin(void)
{
    static double a[4000000];
    static float y[16384];
    for (int i = 0; i < 16384; i++)
        y[i] = 0;
    double product = 0;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    for (int i = 0; i < 3; i++)
        if (reap_parallel_for(queue, dot, reap_range_1d(4000000), .a = a, .b = a,
                              .product = {.variable = &product}) != REAP_OK)
            return 1;
    for (int i = 0; i < 20; i++) /* a compiler is started */
        if (reap_parallel_for(queue, pass_on, reap_nd_range_1d(16384, 64), .y = y, .rounds = 100,
                              .shared = 64) != REAP_OK)
            return 1;
    reap_queue_release(queue);
    return product != 0 || y[5] != 2000;
}
END

cat >program.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int threads(void)
{
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "Threads: %d", &count);
    return count;
}
static pthread_barrier_t launched, closed;
static void *launch(void *function)
{
    int (*plugin)(void);
    memcpy(&plugin, &function, sizeof plugin);
    if (plugin() != 0)
        puts("the plugin fails");
    pthread_barrier_wait(&launched);
    pthread_barrier_wait(&closed);
    return NULL;
}
int main(int count, char **arguments)
{
    pthread_barrier_init(&launched, NULL, 2);
    pthread_barrier_init(&closed, NULL, 2);
    for (int i = 0; i < 3 && count > 1; i++) {
        void *plugin = dlopen(arguments[1], RTLD_NOW);
        if (plugin == NULL)
            return 1;
        pthread_t thread;
        pthread_create(&thread, NULL, launch, dlsym(plugin, "plugin"));
        pthread_barrier_wait(&launched);
        dlclose(plugin);
        pthread_barrier_wait(&closed);
        pthread_join(thread, NULL);
    }
    sleep(4); /* helpers end */
    printf("%d\n", threads());
    return 0;
}
END

include=-I$PREFIX/include
"$CC" -O2 program.c -o program -ldl -pthread
"$CC" -O2 -fPIC -shared "$include" plugin.c "$PREFIX/lib/libreap.a" -pthread -o static.so
"$CC" -O2 -fPIC -shared "$include" plugin.c -L"$PREFIX/lib" -lreap -o shared.so
export REAP_NUM_THREADS=4
for plugin in static shared; do
    prints 1 ./program "./$plugin.so"
done

# Another plugin whose kernels are where those of the one before were: nothing that was kept of
# these is used.
cat >again.kernels.h <<'END'
#include <reap/kernel.h>
REAP_KERNEL(again, in(ELEMENT, x), reduce(OPERATOR, ELEMENT, result))
{
    reap_combine(result, x[reap_global_linear_id()]);
}
END

cat >again.c <<'END'
#include <reap/reap.h>
#include "again.kernels.h"
const void *kernel_at(void);
double again(void);
const void *kernel_at(void)
{
    return reap_kernel_again.of_1d_;
}
double again(void)
{
    ELEMENT x[100], result = -1;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return -1;
    for (int i = 0; i < 100; i++)
        x[i] = (ELEMENT)i;
    for (int i = 0; i < 100; i++)
        if (reap_parallel_for(queue, again, reap_range_1d(100), .x = x,
                              .result = {.result = &result}) != REAP_OK)
            return -2;
    reap_queue_release(queue);
    return (double)result;
}
END

cat >reload.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments)
{
    const void *before = NULL;
    int same = 0;
    for (int i = 0; i < 2 * (count - 1); i++) {
        void *plugin = dlopen(arguments[1 + i % (count - 1)], RTLD_NOW);
        double (*again)(void);
        const void *(*kernel_at)(void);
        if (plugin == NULL)
            return 1;
        void *const functions[] = {dlsym(plugin, "again"), dlsym(plugin, "kernel_at")};
        memcpy(&again, &functions[0], sizeof again);
        memcpy(&kernel_at, &functions[1], sizeof kernel_at);
        same += kernel_at() == before;
        before = kernel_at();
        printf("%g ", again());
        dlclose(plugin);
    }
    puts(same > 0 ? "some at the same address" : "all elsewhere");
    return 0;
}
END
"$CC" -O2 reload.c -o reload -ldl -Wl,--no-as-needed -L"$PREFIX/lib" -lreap
plugins=()
for kind in "plus float" "maximum double" "plus int" "minimum float"; do
    read -r operator type <<<"$kind"
    "$CC" -O2 -fPIC -shared "$include" -DOPERATOR="$operator" -DELEMENT="$type" again.c \
        -L"$PREFIX/lib" -lreap -o "again_${operator}_$type.so"
    plugins+=("./again_${operator}_$type.so")
done
prints "4950 99 4950 0 4950 99 4950 0 some at the same address" ./reload "${plugins[@]}"
