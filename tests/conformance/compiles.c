/* SPDX-License-Identifier: Apache-2.0
 *
 * The cards are CUDA's, except for opening and loading: layouts, texts and programs are found as at
 * any launch, by the library.
 */
#include "tests/conformance/compiles.h"

#include "src/accelerator/program/program.h"
#include "src/accelerator/runtime/launch.h"
#include "src/core/arguments.h"
#include "src/cuda/compile.h"
#include "src/cuda/driver.h"
#include "src/memory/buffer.h"
#include "tests/conformance/devices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 2, LOCAL_BYTES = 146 << 10 }; /* as both have */

static struct reap__cuda_device cards[CARDS];
static size_t card_count;
static struct reap__driver driver;
static unsigned long compiled; /* as the programs guarded by `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

bool test_compiles(void)
{
    return getenv("REAP_TESTS_COMPILE") != NULL;
}

static reap_status load(struct reap__accelerator *accelerator, const struct reap__binary *binary,
                        const char *const *names, struct reap__program *program)
{
    (void)accelerator, (void)binary, (void)names;
    *program = (struct reap__program){0};
    compiled++;
    return REAP_OK;
}

static void print_count(void)
{
    printf("compiled: %lu texts for cards\n", compiled);
}

static void make_cards(void)
{
    static const char *const architectures[CARDS] = {"sm_80", "sm_90"};
    int major = 0, minor = 0;
    driver = reap__cuda_driver;
    driver.load = load;
    for (size_t c = 0; c < CARDS; c++) {
        const bool is_enough = card_count == 1 && test_samples();
        if (is_enough || strstr(getenv("REAP_TESTS_COMPILE"), architectures[c]) == NULL)
            continue;
        struct reap__cuda_device *card = &cards[card_count++];
        if (reap__cuda_describe(architectures[c], card) != REAP_OK ||
            reap__nvrtc_version(&major, &minor) != REAP_OK) {
            const bool is_missing =
                strstr(reap_last_error(), "libnvrtc.so, which compiles") != NULL;
            printf("%s: nvrtc: %s\n", is_missing ? "skipped" : "failed", reap_last_error());
            exit(!is_missing);
        }
        snprintf(card->identity, sizeof card->identity, "%s, NVRTC %d.%d, to be checked",
                 architectures[c], major, minor);
        card->accelerator.driver = &driver;
        card->accelerator.device.info.local_memory_bytes = LOCAL_BYTES;
    }
    if (card_count == 0) {
        fprintf(stderr, "REAP_TESTS_COMPILE names no card: sm_80 or sm_90\n");
        exit(2);
    }
    atexit(print_count);
}

/* An array lies in the test's memory, of which a launch on a device makes a buffer, or in a buffer
 * of the test's own. */
static bool is_aligned(const void *array)
{
    struct reap__extent extent;
    const unsigned char *begin = test_find(array);
    if (reap__buffer_find(array, 1, &extent))
        begin = extent.begin;
    return ((const unsigned char *)array - begin) % 16 == 0;
}

static void compile_for(struct reap__accelerator *accelerator, const struct reap__launch *command)
{
    struct reap__device_launch launch;
    const struct reap_kernel *kernel = command->kernel;
    launch.accelerator = accelerator;
    launch.command = command;
    reap__device_launch_lay_out(&launch);
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            launch.layout.is_aligned[p] = is_aligned(reap__array(command, &kernel->parameters[p]));
    if (command->items == 0)
        return;
    if (reap__program_get(accelerator, &launch.layout, &launch.program) == REAP_OK)
        return;
    fprintf(stderr, "failed: %s\n%s\n", reap_last_error(), reap_last_log());
    exit(1);
}

void test_compile(const struct reap_kernel *kernel, const void *arguments)
{
    struct reap__targets targets;
    struct reap__launch command = {.scalars = targets.scalars, .spans = targets.spans};
    pthread_once(&once, make_cards);
    pthread_mutex_lock(&lock);
    for (size_t c = 0; c < card_count; c++) {
        struct reap__accelerator *accelerator = &cards[c].accelerator;
        if (reap__arguments_check(&accelerator->device, kernel, arguments, &command) == REAP_OK)
            compile_for(accelerator, &command);
    }
    pthread_mutex_unlock(&lock);
}
