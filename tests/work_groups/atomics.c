/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations of many work-items, groups and threads on the same few places.
 */
#include "tests/work_groups/atomics.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#ifdef REAP_TESTS_FEW_ITEMS
static const size_t sizes[] = {1, 7, 60};
enum { GROUPS = 15 };
#else
static const size_t sizes[] = {1, 7, 100, 1000};
enum { GROUPS = 150 };
#endif

/* Takes a macro's value for the kernel's name, where reap_parallel_for takes the name as it stands.
 */
#define PARALLEL_FOR(queue, kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

#define NAME int
#define NAME_TEXT "int"
#define TYPE int
#define UNSIGNED unsigned
#include "tests/work_groups/atomics_tmpl.h"

#define NAME uint
#define NAME_TEXT "uint"
#define TYPE unsigned
#define UNSIGNED unsigned
#include "tests/work_groups/atomics_tmpl.h"

#define NAME long
#define NAME_TEXT "long"
#define TYPE long
#define UNSIGNED unsigned long
#include "tests/work_groups/atomics_tmpl.h"

#define NAME ulong
#define NAME_TEXT "ulong"
#define TYPE unsigned long
#define UNSIGNED unsigned long
#include "tests/work_groups/atomics_tmpl.h"

#define NAME llong
#define NAME_TEXT "llong"
#define TYPE long long
#define UNSIGNED unsigned long long
#include "tests/work_groups/atomics_tmpl.h"

#define NAME ullong
#define NAME_TEXT "ullong"
#define TYPE unsigned long long
#define UNSIGNED unsigned long long
#include "tests/work_groups/atomics_tmpl.h"

static void check_floating(reap_queue *queue, size_t groups, size_t size, uint64_t *random)
{
    const size_t items = groups * size;
    float *x = test_allocate(items * sizeof *x), single[2] = {1, 0};
    double wide[2] = {0.5, 0}, sum = 0;
    TEST_SHARE(single);
    TEST_SHARE(wide);
    for (size_t i = 0; i < items; i++) {
        x[i] = (float)(check_random(random) % 9) - 4;
        sum += (double)x[i];
    }
    CHECK_LAUNCH(reap_parallel_for(queue, add_floating, reap_nd_range_1d(items, size), .x = x,
                                   .single = single, .wide = wide, .own_single = 1, .own_wide = 1),
                 queue);
    CHECK((double)single[0] == sum + 1 && wide[0] == sum + 0.5);
    CHECK((double)single[1] == sum && wide[1] == sum);
    CHECK_LAUNCH(reap_parallel_for(queue, add_floating_in_range, reap_range_1d(items), .x = x,
                                   .single = single, .wide = wide),
                 queue);
    CHECK((double)single[0] == 2 * sum + 1 && wide[0] == 2 * sum + 0.5);
    check_comparisons += 3;
    free(x);
}

static void check_all(reap_queue *queue, size_t groups, size_t size, uint64_t *random)
{
    if (test_wants("int"))
        check_int(queue, groups, size, random);
    if (test_wants("uint"))
        check_uint(queue, groups, size, random);
    if (test_wants("long"))
        check_long(queue, groups, size, random);
    if (test_wants("ulong"))
        check_ulong(queue, groups, size, random);
    if (test_wants("llong"))
        check_llong(queue, groups, size, random);
    if (test_wants("ullong"))
        check_ullong(queue, groups, size, random);
    if (test_wants("floating"))
        check_floating(queue, groups, size, random);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            check_all(queues[q], 1, sizes[s], &random);
            check_all(queues[q], GROUPS, sizes[s], &random);
        }
    queues_close(queues);
    return check_finish();
}
