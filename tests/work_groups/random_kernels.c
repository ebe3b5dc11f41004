/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the kernels that random_kernels.py has written: on fibers, then as the library compiles them
 * at run time, and compares both with the serial reference. Prints why a kernel is not compiled.
 */
#include "random.kernels.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 };
static uint64_t sum;
#include "reference.h"

static const struct {
    unsigned dimensions;
    size_t size[3], group[3];
} shapes[] = {{1, {48, 1, 1}, {16, 1, 1}},  {1, {7, 1, 1}, {1, 1, 1}},
              {1, {396, 1, 1}, {99, 1, 1}}, {2, {8, 36, 1}, {4, 12, 1}},
              {2, {15, 14, 1}, {5, 7, 1}},  {3, {4, 6, 10}, {2, 3, 5}}};
enum { SHAPES = sizeof shapes / sizeof *shapes, ITEMS = 396 };

typedef void (*reference)(const uint32_t *x, uint32_t *y, size_t n, size_t group, size_t size,
                          const size_t *ids);

static reap_range range_of(size_t s)
{
    const size_t *n = shapes[s].size, *g = shapes[s].group;
    return shapes[s].dimensions == 1   ? reap_nd_range_1d(n[0], g[0])
           : shapes[s].dimensions == 2 ? reap_nd_range_2d(n[0], n[1], g[0], g[1])
                                       : reap_nd_range_3d(n[0], n[1], n[2], g[0], g[1], g[2]);
}

/* The global linear ids of a group's work-items. */
static size_t find_ids(size_t s, size_t group, size_t *ids)
{
    const size_t *n = shapes[s].size, *g = shapes[s].group;
    const size_t c1 = n[1] / g[1], c2 = n[2] / g[2];
    const size_t at[3] = {group / (c1 * c2), group / c2 % c1, group % c2};
    size_t count = 0;
    for (size_t i = 0; i < g[0]; i++)
        for (size_t j = 0; j < g[1]; j++)
            for (size_t k = 0; k < g[2]; k++)
                ids[count++] =
                    ((at[0] * g[0] + i) * n[1] + at[1] * g[1] + j) * n[2] + at[2] * g[2] + k;
    return count;
}

static size_t items_of(size_t s)
{
    return shapes[s].size[0] * shapes[s].size[1] * shapes[s].size[2];
}

static void refer(reference function, size_t s, const uint32_t *x, uint32_t *y, size_t n)
{
    size_t ids[MOST], size = 1;
    sum = 0;
    for (size_t group = 0; group < items_of(s) / size; group++) {
        size = find_ids(s, group, ids);
        function(x, y, n, group, size, ids);
    }
}

static int failures;
static void check(const char *kernel, size_t s, size_t n, const char *how, reap_status status,
                  const uint32_t *y, uint64_t found, const uint32_t *expected)
{
    size_t i = 0;
    while (status == REAP_OK && i < items_of(s) && y[i] == expected[i])
        i++;
    if (status == REAP_OK && i == items_of(s) && found == sum)
        return;
    printf("%s, shape %zu, n %zu, %s: ", kernel, s, n, how);
    if (status != REAP_OK)
        printf("%s\n", reap_last_error());
    else
        printf("item %zu: %u, not %u; sum %llu, not %llu\n", i, y[i < ITEMS ? i : 0],
               expected[i < ITEMS ? i : 0], (unsigned long long)found, (unsigned long long)sum);
    failures++;
}

static uint32_t x[ITEMS], y[ITEMS], expected[ITEMS];
static reap_queue *queue;
static const reap_device *host;
static unsigned compiled;

#define RUN(k)                                                                                     \
    static void run_##k(const char *how)                                                           \
    {                                                                                              \
        for (size_t s = 0; s < SHAPES; s++)                                                        \
            for (size_t n = 1; n < 4; n++) {                                                       \
                uint64_t found = 0;                                                                \
                memset(y, 0, sizeof y);                                                            \
                memset(expected, 0, sizeof expected);                                              \
                refer(reference_##k, s, x, expected, n);                                           \
                const reap_range range = range_of(s);                                              \
                const size_t items = range.group[0] * range.group[1] * range.group[2];             \
                const reap_status status =                                                         \
                    reap_parallel_for(queue, random_##k, range, .x = x, .y = y, .n = n,            \
                                      .shared = items, .sum = {.variable = &found});               \
                check("random_" #k, s, n, how, status, y, found, expected);                        \
            }                                                                                      \
    }                                                                                              \
    static void test_##k(void)                                                                     \
    {                                                                                              \
        run_##k("fibers");                                                                         \
        for (unsigned d = 1; d <= 3; d++) {                                                        \
            if (reap_kernel_compile(host, &reap_kernel_random_##k, d) != REAP_OK)                  \
                failures++;                                                                        \
            const char *code = reap_kernel_code(host, &reap_kernel_random_##k, d);                 \
            if (strncmp(code, "compiled", 8) == 0)                                                 \
                compiled++;                                                                        \
            else                                                                                   \
                printf("random_" #k ", %u dimensions: %s\n", d, code);                             \
        }                                                                                          \
        run_##k("compiled");                                                                       \
    }
KERNELS(RUN)

int main(void)
{
    if (reap_device_find("host", &host) != REAP_OK ||
        reap_queue_create(host, NULL, &queue) != REAP_OK) {
        puts(reap_last_error());
        return 1;
    }
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (uint32_t)(i * 2654435761u) ^ (uint32_t)(i >> 3);
#define TEST(k) test_##k();
    KERNELS(TEST)
    reap_queue_release(queue);
    printf("%u compiled, %d failures\n", compiled, failures);
    return failures != 0;
}
