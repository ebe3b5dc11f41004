/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that the library must not turn into loops, or only with care: they compute what is
 * expected where their first launch waits for the compiler, and it is known which of them stay on
 * fibers, and why.
 */
#include "compiled_bits.kernels.h"
#include "compiled_unlike.kernels.h"
#include "tests/support/check.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, GROUP = 32 };

static const reap_device *host;
static reap_queue *queue;
static uint32_t x[ITEMS], y[ITEMS];

/* Of item i, the opposite one of its group. */
static size_t opposite(size_t i)
{
    return i / GROUP * GROUP + GROUP - 1 - i % GROUP;
}

/* `code`: why it is on fibers; NULL: it is compiled. */
static void check_code(const struct reap_kernel *kernel, const char *code)
{
    const char *name = getenv("REAP_HOST_COMPILER"), *check = getenv("REAP_CHECK");
    if ((kernel->build & ~(unsigned)REAP__BUILD_INSTRUCTIONS) != 0 ||
        (name != NULL && strcmp(name, "none") == 0) || (check != NULL && *check == '1') ||
        system("echo 'int x;' | cc -shared -fPIC -x c - -o /dev/null 2>/dev/null") != 0)
        return;
    const char *got = reap_kernel_code(host, kernel, 1);
    if (!CHECK(strcmp(got, code != NULL ? code : "compiled at run time") == 0))
        printf("  %s: %s\n", kernel->name, got);
}

#define RUN(kernel, value, code, expression)                                                       \
    do {                                                                                           \
        memset(y, 0xee, sizeof y);                                                                 \
        CHECK_STATUS(reap_parallel_for(queue, kernel, reap_nd_range_1d(ITEMS, GROUP), .x = x,      \
                                       .y = y, .by = value, .shared = GROUP),                      \
                     REAP_OK);                                                                     \
        size_t right = 0;                                                                          \
        for (size_t i = 0; i < ITEMS; i++) {                                                       \
            const size_t other = opposite(i);                                                      \
            (void)other;                                                                           \
            right += y[i] == (uint32_t)(expression);                                               \
        }                                                                                          \
        CHECK_EQ(right, ITEMS);                                                                    \
        check_code(&reap_kernel_##kernel, code);                                                   \
    } while (0)

static const char not_supported[] = "fibers: its body has a keyword that is not supported";

static void check_divisions(void)
{
    RUN(divided, 0, NULL, x[other]);
    RUN(divided, 7, NULL, 14);
    RUN(divided_before, 0, NULL, x[i]);
    RUN(divided_before, 3, NULL, x[other] + (other % GROUP + 100) / 3 + (i % GROUP + 100) / 3);
}

static void check_assignments(void)
{
    RUN(assigned_in_brackets, 5, NULL,
        5 + x[i] % 2 + 7 * (5 + x[i] % 5) + 11 * 4 + 5 + x[other] % 2 + 3 * (5 + x[other] % 5));
}

static void check_waits(void)
{
    RUN(waits_below, 5, "fibers: work-items wait in a helper function", x[other] + 5);
    RUN(places_in_sub_groups, 5, NULL,
        2 * x[other] + (other % GROUP == 0 ? 1 + GROUP : 0) + 5 * (i % GROUP));
}

static void check_refused(void)
{
    const pair two = {{1, 2}};
    RUN(literals, 5, "fibers: its body has a compound literal",
        x[i] + 3 * (i % GROUP + x[other]) + 5);
    RUN(member_of_value, two, "fibers: its body changes a parameter", 2 + x[i] + 2 + x[other]);
    RUN(pointer_to_value, two, "fibers: the compiler failed", 2 + x[i] + 2 + x[other]);
    RUN(cast_pointer_to_value, two, "fibers: the compiler failed", 2 + x[i] + 2 + x[other]);
    RUN(in_brackets, 5, "fibers: its body has a declaration that is not supported",
        x[i] + 5 + x[other] + 5);
    RUN(declared_in_brackets, 5, "fibers: its body has a declaration that is not supported",
        x[i] + 5 + x[other] + 5);
    RUN(of_same_type, 5, not_supported, x[i] + 5 + x[other] + 5);
    RUN(by_type, 5, not_supported, x[i] + 5 + x[other] + 5 + 1);
    RUN(of_bits, 5, "fibers: its file has bit-fields", 5 + x[other] + 3);
}

int main(void)
{
    uint64_t random = check_seed();
    setenv("REAP_HOST_COMPILER_AFTER", "0", 1);
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (uint32_t)check_random(&random);
    CHECK_STATUS(reap_device_find("host", &host), REAP_OK);
    CHECK_STATUS(reap_queue_create(host, NULL, &queue), REAP_OK);
    check_divisions();
    check_assignments();
    check_waits();
    check_refused();
    reap_queue_release(queue);
    return check_finish();
}
