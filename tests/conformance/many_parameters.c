/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with many reductions and large values, whose parameters are larger than devices take by
 * value (1024 bytes on some OpenCL devices, 4096 on CUDA devices): each kind of entry functions,
 * several launches before the first wait, which have other arguments each, and the limit.
 */
#include "tests/conformance/many_parameters.kernels.h"
#include "tests/conformance/many_reductions.kernels.h"

#include "tests/conformance/devices.h"
#include "tests/support/check_status.h"

#include <reap/reap.h>
#include <string.h>

enum { ITEMS = 5000, TABLE = 1100, GROUP = 50, ROWS = 20 };

static uint32_t x[ITEMS];

/* ---- Many reductions --------------------------------------------------------------------------*/

struct reductions {
    uint64_t a[16], at[16];
    uint32_t b[16], c[16];
};

static void expect_reductions(size_t items, struct reductions *expected)
{
    memset(expected, 0, sizeof *expected);
    for (uint32_t r = 0; r < 16; r++) {
        expected->c[r] = UINT32_MAX;
        for (size_t i = 0; i < items; i++) {
            const uint32_t b = x[i] % (1000 + r), c = (x[i] + r) % (5000 + r);
            expected->a[r] += (uint64_t)x[i] * (r + 1);
            expected->b[r] = b > expected->b[r] ? b : expected->b[r];
            if (c < expected->c[r]) {
                expected->c[r] = c;
                expected->at[r] = i;
            }
        }
    }
}

static reap_status launch_reductions(reap_queue *queue, size_t items, struct reductions *found)
{
    return reap_parallel_for(queue, many_reductions, reap_range_1d(items), .x = x,
                             .a0 = {.result = &found->a[0]}, .a1 = {.result = &found->a[1]},
                             .a2 = {.result = &found->a[2]}, .a3 = {.result = &found->a[3]},
                             .a4 = {.result = &found->a[4]}, .a5 = {.result = &found->a[5]},
                             .a6 = {.result = &found->a[6]}, .a7 = {.result = &found->a[7]},
                             .a8 = {.result = &found->a[8]}, .a9 = {.result = &found->a[9]},
                             .a10 = {.result = &found->a[10]}, .a11 = {.result = &found->a[11]},
                             .a12 = {.result = &found->a[12]}, .a13 = {.result = &found->a[13]},
                             .a14 = {.result = &found->a[14]}, .a15 = {.result = &found->a[15]},
                             .b0 = {.result = &found->b[0]}, .b1 = {.result = &found->b[1]},
                             .b2 = {.result = &found->b[2]}, .b3 = {.result = &found->b[3]},
                             .b4 = {.result = &found->b[4]}, .b5 = {.result = &found->b[5]},
                             .b6 = {.result = &found->b[6]}, .b7 = {.result = &found->b[7]},
                             .b8 = {.result = &found->b[8]}, .b9 = {.result = &found->b[9]},
                             .b10 = {.result = &found->b[10]}, .b11 = {.result = &found->b[11]},
                             .b12 = {.result = &found->b[12]}, .b13 = {.result = &found->b[13]},
                             .b14 = {.result = &found->b[14]}, .b15 = {.result = &found->b[15]},
                             .c0 = {.result = &found->c[0], .location = &found->at[0]},
                             .c1 = {.result = &found->c[1], .location = &found->at[1]},
                             .c2 = {.result = &found->c[2], .location = &found->at[2]},
                             .c3 = {.result = &found->c[3], .location = &found->at[3]},
                             .c4 = {.result = &found->c[4], .location = &found->at[4]},
                             .c5 = {.result = &found->c[5], .location = &found->at[5]},
                             .c6 = {.result = &found->c[6], .location = &found->at[6]},
                             .c7 = {.result = &found->c[7], .location = &found->at[7]},
                             .c8 = {.result = &found->c[8], .location = &found->at[8]},
                             .c9 = {.result = &found->c[9], .location = &found->at[9]},
                             .c10 = {.result = &found->c[10], .location = &found->at[10]},
                             .c11 = {.result = &found->c[11], .location = &found->at[11]},
                             .c12 = {.result = &found->c[12], .location = &found->at[12]},
                             .c13 = {.result = &found->c[13], .location = &found->at[13]},
                             .c14 = {.result = &found->c[14], .location = &found->at[14]},
                             .c15 = {.result = &found->c[15], .location = &found->at[15]});
}

/* In memory of the program's, and in a buffer, where the device stores them itself. */
static void check_reductions(reap_queue *queue)
{
    struct reductions expected[2], found[2];
    reap_buffer *buffer;
    void *memory;
    for (size_t l = 0; l < 2; l++) {
        expect_reductions(ITEMS - 7 * l, &expected[l]);
        CHECK_STATUS(launch_reductions(queue, ITEMS - 7 * l, &found[l]), REAP_OK);
    }
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(found, expected, sizeof expected) == 0);
    CHECK_STATUS(reap_buffer_create(sizeof *expected, &buffer), REAP_OK);
    CHECK_STATUS(launch_reductions(queue, ITEMS, reap_buffer_data(buffer)), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &memory), REAP_OK);
    CHECK(memcmp(memory, expected, sizeof *expected) == 0);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* ---- Many array reductions --------------------------------------------------------------------*/

struct spans {
    double c[4][4];
    uint32_t a[8][8], b[8][8];
};

static void expect_spans(struct spans *expected)
{
    memset(expected, 0, sizeof *expected);
    for (uint32_t s = 0; s < 8; s++)
        for (size_t i = 0; i < ITEMS; i++) {
            uint32_t *const b = &expected->b[s][x[i] % (s + 1)];
            expected->a[s][x[i] % (s + 1)] += x[i];
            *b = x[i] % (1000 + s) > *b ? x[i] % (1000 + s) : *b;
            if (s < 4)
                expected->c[s][x[i] % (s + 1)] += 0.5 * x[i];
        }
}

static reap_status launch_spans(reap_queue *queue, struct spans *found)
{
    return reap_parallel_for(
        queue, many_spans, reap_range_1d(ITEMS), .x = x, .a0 = {.result = found->a[0], .count = 8},
        .a1 = {.result = found->a[1], .count = 8}, .a2 = {.result = found->a[2], .count = 8},
        .a3 = {.result = found->a[3], .count = 8}, .a4 = {.result = found->a[4], .count = 8},
        .a5 = {.result = found->a[5], .count = 8}, .a6 = {.result = found->a[6], .count = 8},
        .a7 = {.result = found->a[7], .count = 8}, .b0 = {.result = found->b[0], .count = 8},
        .b1 = {.result = found->b[1], .count = 8}, .b2 = {.result = found->b[2], .count = 8},
        .b3 = {.result = found->b[3], .count = 8}, .b4 = {.result = found->b[4], .count = 8},
        .b5 = {.result = found->b[5], .count = 8}, .b6 = {.result = found->b[6], .count = 8},
        .b7 = {.result = found->b[7], .count = 8}, .c0 = {.result = found->c[0], .count = 4},
        .c1 = {.result = found->c[1], .count = 4}, .c2 = {.result = found->c[2], .count = 4},
        .c3 = {.result = found->c[3], .count = 4});
}

static void check_spans(reap_queue *queue)
{
    struct spans expected, found;
    reap_buffer *buffer;
    void *memory;
    expect_spans(&expected);
    CHECK_STATUS(launch_spans(queue, &found), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(&found, &expected, sizeof expected) == 0);
    CHECK_STATUS(reap_buffer_create(sizeof expected, &buffer), REAP_OK);
    CHECK_STATUS(launch_spans(queue, reap_buffer_data(buffer)), REAP_OK);
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &memory), REAP_OK);
    CHECK(memcmp(memory, &expected, sizeof expected) == 0);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* ---- Large values -----------------------------------------------------------------------------*/

static void check_values(reap_queue *queue)
{
    static uint32_t y[2 * ITEMS];
    uint64_t sums[2], expected[2] = {0};
    struct words_of_64 v[8];
    reap_buffer *buffer;
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    for (uint32_t l = 0; l < 2; l++) {
        for (uint32_t k = 0; k < 8 * 64; k++)
            v[k / 64].at[k % 64] = (k + 1) * (l + 3);
        CHECK_STATUS(reap_parallel_for(queue, many_values, reap_range_1d(ITEMS), .x = x, .v0 = v[0],
                                       .v1 = v[1], .v2 = v[2], .v3 = v[3], .v4 = v[4], .v5 = v[5],
                                       .v6 = v[6], .v7 = v[7], .y = y + l * ITEMS,
                                       .sum = {.result = &sums[l]}),
                     REAP_OK);
    }
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    for (uint32_t i = 0; i < 2 * ITEMS; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < 8; k++)
            sum += (64 * k + x[i % ITEMS] % 64 + 1) * (i / ITEMS + 3);
        CHECK_EQ(y[i], sum);
        expected[i / ITEMS] += sum;
    }
    CHECK(sums[0] == expected[0] && sums[1] == expected[1]);
}

static struct table make_table(uint32_t factor)
{
    struct table table;
    for (uint32_t t = 0; t < TABLE; t++)
        table.at[t] = (t + 1) * factor;
    return table;
}

static void check_log(reap_queue *queue)
{
    uint32_t products[5], expected[5] = {1, 1, 1, 1, 1};
    uint64_t sum, expected_sum = 0;
    const struct table table = make_table(7);
    for (size_t i = 0; i < ITEMS; i++) {
        const uint32_t v = table.at[x[i] % TABLE];
        expected[v % 5] *= 2 * v + 1;
        expected_sum += v;
    }
    CHECK_STATUS(reap_parallel_for(queue, table_in_order, reap_range_1d(ITEMS), .x = x,
                                   .table = table, .products = {.result = products, .count = 5},
                                   .sum = {.result = &sum}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(sum, expected_sum);
    CHECK(memcmp(products, expected, sizeof products) == 0);
}

static void check_groups(reap_queue *queue)
{
    static uint32_t y[2 * ITEMS];
    uint64_t sums[2], expected[2] = {0};
    reap_buffer *buffer;
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    for (uint32_t l = 0; l < 2; l++)
        CHECK_STATUS(reap_parallel_for(queue, table_in_groups, reap_nd_range_1d(ITEMS, GROUP),
                                       .x = x, .table = make_table(l + 3), .y = y + l * ITEMS,
                                       .shared = GROUP, .sum = {.result = &sums[l]}),
                     REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    for (uint32_t i = 0; i < 2 * ITEMS; i++) {
        const uint32_t item = i % ITEMS, from = item / GROUP * GROUP + GROUP - 1 - item % GROUP;
        const uint32_t v = (x[from] % TABLE + 1) * (i / ITEMS + 3);
        CHECK_EQ(y[i], v);
        expected[i / ITEMS] += v;
    }
    CHECK(sums[0] == expected[0] && sums[1] == expected[1]);
}

static void check_rows(reap_queue *queue)
{
    uint64_t sums[ROWS], expected[ROWS] = {0};
    for (size_t i = 0; i < ITEMS; i++)
        expected[i / (ITEMS / ROWS)] += (x[i] % TABLE + 1) * 9;
    CHECK_STATUS(reap_parallel_for(queue, table_in_rows, reap_range_2d(ROWS, ITEMS / ROWS), .x = x,
                                   .table = make_table(9), .sums = {.result = sums, .count = ROWS}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(sums, expected, sizeof sums) == 0);
}

/* Items that are not a whole leaf are logged one by one. */
static void check_part(reap_queue *queue)
{
    const struct table table = make_table(11);
    reap_part *part = NULL;
    uint64_t sum = 0, expected = 0;
    for (size_t i = 0; i < ITEMS; i++)
        expected += table.at[x[i] % TABLE];
    if (!CHECK_STATUS(reap_part_create(&reap_kernel_table_in_a_part, "sum", &part), REAP_OK))
        return;
    CHECK_STATUS(reap_parallel_for(queue, table_in_a_part, reap_range_1d(1003), .x = x,
                                   .table = table, .sum = {.part = part}),
                 REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, table_in_a_part, reap_range_1d(ITEMS - 1003),
                                   .x = x + 1003, .table = table, .sum = {.part = part},
                                   .launch.first_item = 1003),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_STATUS(reap_part_finish(part, &sum, NULL), REAP_OK);
    CHECK_EQ(sum, expected);
    reap_part_release(part);
}

static void check_limit(reap_queue *queue)
{
    struct large_table table;
    uint64_t sum = 77;
    for (uint32_t t = 0; t < 2100; t++)
        table.at[t] = t;
    const reap_status status = reap_parallel_for(queue, too_large_a_table, reap_range_1d(2100),
                                                 .table = table, .sum = {.result = &sum});
    if (test_on_device()) {
        CHECK_EQ(status, REAP_ERROR_INVALID_ARGUMENT);
        CHECK(strstr(reap_last_error(), "takes at most 8192: pass large values as arrays") != NULL);
        CHECK_EQ(sum, 77);
        return;
    }
    CHECK_STATUS(status, REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK_EQ(sum, 2100 * 2099 / 2);
}

int main(void)
{
    reap_queue *queue = NULL;
    reap_buffer *buffer;
    for (uint32_t i = 0; i < ITEMS; i++)
        x[i] = i * 7919 % 5003 + 3;
    if (!CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK))
        return check_finish();
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    if (test_wants("reductions"))
        check_reductions(queue);
    if (test_wants("spans"))
        check_spans(queue);
    if (test_wants("values"))
        check_values(queue);
    if (test_wants("log"))
        check_log(queue);
    if (test_wants("groups"))
        check_groups(queue);
    if (test_wants("rows"))
        check_rows(queue);
    if (test_wants("part"))
        check_part(queue);
    check_limit(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
    return check_finish();
}
