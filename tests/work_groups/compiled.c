/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with barriers that the library compiles at run time compute the same bits as on fibers,
 * and fail with the same messages. Where the machine has no compiler, or the program is compiled in
 * a way that keeps kernels on fibers, both are fibers, and only the reason is tested.
 */
#include "compiled.kernels.h"
#include "tests/support/check.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 1024 };

struct outcome {
    reap_status status;
    char message[512];
    uint32_t y[MOST_ITEMS];
    float sum;
};

static uint32_t x[MOST_ITEMS];
static reap_queue *queue;
static const reap_device *host;
static const char *expected_code;

typedef reap_status (*launch)(reap_range range, size_t n, struct outcome *outcome);

#define KERNELS(X)                                                                                 \
    X(keep_pointed_to)                                                                             \
    X(keep_structures)                                                                             \
    X(change_counters) X(mix_statements) X(agree_by_memory) X(part_and_meet) X(part)
#define ON_FIBERS(X) X(wait_in_switch) X(wait_after_goto) X(wait_in_helper) X(change_parameter)

#define LAUNCH(k)                                                                                  \
    static reap_status launch_##k(reap_range range, size_t n, struct outcome *outcome)             \
    {                                                                                              \
        return reap_parallel_for(queue, k, range, .x = x, .y = outcome->y, .n = n,                 \
                                 .shared = range.group[0] * range.group[1] * range.group[2],       \
                                 .sum = {.variable = &outcome->sum});                              \
    }
KERNELS(LAUNCH)
ON_FIBERS(LAUNCH)

static const struct kernel {
    const char *name;
    const struct reap_kernel *kernel;
    launch launch;
    bool is_compiled;
} kernels[] = {
#define COMPILED(k) {#k, &reap_kernel_##k, launch_##k, true},
#define REFUSED(k) {#k, &reap_kernel_##k, launch_##k, false},
    KERNELS(COMPILED) ON_FIBERS(REFUSED)};
enum { COUNT = sizeof kernels / sizeof *kernels };

static const reap_range ranges[] = {{{64, 1, 1}, {16, 1, 1}, 1},   {{5, 1, 1}, {1, 1, 1}, 1},
                                    {{999, 1, 1}, {333, 1, 1}, 1}, {{12, 20, 1}, {4, 5, 1}, 2},
                                    {{3, 64, 1}, {1, 64, 1}, 2},   {{4, 6, 10}, {2, 3, 5}, 3}};
enum { RANGES = sizeof ranges / sizeof *ranges, MOST_N = 6, PART = 6 };
static struct outcome before[COUNT][RANGES][MOST_N];

static void run(const struct kernel *kernel, size_t r, size_t n, struct outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->status = (kernel->launch)(ranges[r], n, outcome);
    if (outcome->status != REAP_OK)
        snprintf(outcome->message, sizeof outcome->message, "%s", reap_last_error());
}

/* The elements of arrays are not specified after a failure. */
static void compare(const struct outcome *outcome, const struct outcome *expected)
{
    CHECK_EQ(outcome->status, expected->status);
    CHECK_STR(outcome->message, expected->message);
    CHECK(memcmp(&outcome->sum, &expected->sum, sizeof expected->sum) == 0);
    if (expected->status == REAP_OK)
        CHECK(memcmp(outcome->y, expected->y, sizeof expected->y) == 0);
}

static void check_code(const struct kernel *kernel, unsigned dimensions)
{
    const char *code = reap_kernel_code(host, kernel->kernel, dimensions);
    const char *expected = kernel->is_compiled ? expected_code : "fibers: ";
    if (strncmp(code, expected, strlen(expected)) != 0)
        printf("%s: %s\n", kernel->name, code);
    CHECK(strncmp(code, expected, strlen(expected)) == 0);
}

static void check_kernel(size_t k)
{
    struct outcome outcome;
    for (unsigned d = 1; d <= 3; d++) {
        CHECK_STATUS(reap_kernel_compile(host, kernels[k].kernel, d), REAP_OK);
        check_code(&kernels[k], d);
    }
    for (size_t r = 0; r < RANGES; r++)
        for (size_t n = 0; n < MOST_N; n++) {
            run(&kernels[k], r, n, &outcome);
            if (outcome.status != before[k][r][n].status)
                printf("%s, range %zu, n %zu\n", kernels[k].name, r, n);
            CHECK_IN(compare(&outcome, &before[k][r][n]));
        }
}

/* The test's own failures are not those of kernels that are not compiled. */
static void check_parted(void)
{
    size_t failures = 0;
    for (size_t r = 0; r < RANGES; r++)
        for (size_t n = 0; n < MOST_N; n++)
            failures += before[PART][r][n].status == REAP_ERROR_DIVERGENT_BARRIER;
    CHECK_STR(kernels[PART].name, "part");
    CHECK(failures >= 20);
}

/* CODE, which scripts set; else compiled, if the program and the machine allow it. */
static const char *find_code(void)
{
    const char *name = getenv("REAP_HOST_COMPILER"), *check = getenv("REAP_CHECK");
    const char *code = getenv("CODE");
    const unsigned unlike = kernels[0].kernel->build & ~(unsigned)REAP__BUILD_INSTRUCTIONS;
    const bool may_compile = unlike == 0 && (name == NULL || strcmp(name, "none") != 0) &&
                             (check == NULL || *check != '1');
    if (code != NULL)
        return code;
    return may_compile &&
                   system("echo 'int x;' | cc -shared -fPIC -x c - -o /dev/null 2>/dev/null") == 0
               ? "compiled at run time"
               : "fibers: ";
}

/* What a compiler has made and the library has rejected does not stay loaded. */
static void check_rejected(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        CHECK(strstr(line, "memfd:reap") == NULL);
    if (maps != NULL)
        fclose(maps);
}

int main(void)
{
    setenv("REAP_HOST_COMPILER_AFTER", "1000000", 1); /* fibers first */
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    const reap_queue_options alone = {.max_threads = 1}; /* the first group that parts is named */
    CHECK_STATUS(reap_queue_create(host, &alone, &queue), REAP_OK);
    for (size_t i = 0; i < MOST_ITEMS; i++)
        x[i] = (uint32_t)i * 2654435761u >> 7;
    for (size_t k = 0; k < COUNT; k++)
        for (size_t r = 0; r < RANGES; r++)
            for (size_t n = 0; n < MOST_N; n++)
                run(&kernels[k], r, n, &before[k][r][n]);
    check_parted();
    for (size_t k = 0; k < COUNT; k++) {
        const char *code = reap_kernel_code(host, kernels[k].kernel, 1);
        CHECK(strncmp(code, "fibers: ", 8) == 0);
    }
    expected_code = find_code();
    const char *few = getenv("FEW"); /* kernels */
    for (size_t k = 0; k < (few != NULL ? (size_t)atoi(few) : COUNT); k++)
        check_kernel(k);
    if (strncmp(expected_code, "fibers: ", 8) == 0)
        check_rejected();
    reap_queue_release(queue);
    return check_finish();
}
