/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of reap/algorithms.h in buffers, and the values that its functions read themselves
 * (edges, an initial value): in a created buffer to which nothing has been written, in buffers last
 * written on the device, and in an allocation. Expected are the bytes in variables of the program.
 */
#include "tests/conformance/queues.h"

#include <reap/algorithms.h>

enum { ROWS = 6, COLUMNS = 4, COUNT = ROWS * COLUMNS, BYTES = 512, FILL = 0x5a };

static float x[COUNT];
static const size_t cube[] = {2, ROWS / 2, COLUMNS}, planes[] = {2, COLUMNS}, one_row[] = {COLUMNS};
static const reap_array all = {x, REAP_TYPE_FLOAT, 3, cube, NULL};

/* Where edges and initial values are: in a variable, or in a buffer. */
static float numbers[COLUMNS + 1] = {-2, 0, 0.5f, 3, 4};
static float *edges = numbers;

/* ---- Calls ------------------------------------------------------------------------------------*/

/* Each stores its results from `to` on. */

static reap_status sum(reap_queue *queue, void *to)
{
    return reap_sum(queue, x, COUNT, (float *)to);
}

static reap_status sum_of_none(reap_queue *queue, void *to)
{
    return reap_sum(queue, x, 0, (float *)to);
}

static reap_status norm(reap_queue *queue, void *to)
{
    const reap_array_options options = {.axes = 7};
    return reap_array_reduce(queue, REAP_NORM_2, &all, &options,
                             &(reap_array){to, REAP_TYPE_FLOAT, 0, NULL, NULL});
}

static reap_status largest_of_columns(reap_queue *queue, void *to)
{
    const reap_array_options options = {.axes = 1 << 1};
    return reap_array_reduce(queue, REAP_MAXIMUM, &all, &options,
                             &(reap_array){to, REAP_TYPE_FLOAT, 2, planes, NULL});
}

static reap_status place(reap_queue *queue, void *to)
{
    return reap_argmax(queue, x, COUNT, (uint64_t *)to);
}

static reap_status extremes(reap_queue *queue, void *to)
{
    return reap_minmax(queue, x, COUNT, (float *)to, (float *)to + 1);
}

static reap_status products(reap_queue *queue, void *to)
{
    return reap_dot(queue, x, x, COUNT, (float *)to);
}

static reap_status few(reap_queue *queue, void *to)
{
    return reap_count(queue, x, COUNT, REAP_LESS, 1, (uint64_t *)to);
}

static reap_status statistics(reap_queue *queue, void *to)
{
    return reap_statistics(queue, x, COUNT, (reap_moments *)to);
}

static reap_status statistics_of_columns(reap_queue *queue, void *to)
{
    const reap_array_options options = {.axes = 1 << 0 | 1 << 1};
    return reap_array_moments_along(queue, &all, &options, (reap_moments *)to);
}

static reap_status pairs(reap_queue *queue, void *to)
{
    return reap_costatistics(queue, x, x, COUNT, (reap_comoments *)to);
}

static reap_status bins(reap_queue *queue, void *to)
{
    const size_t edge_count[] = {COLUMNS + 1};
    const reap_bin_options options = {.outside = (uint64_t *)to + COLUMNS};
    return reap_array_histogram(queue, &all,
                                &(reap_array){edges, REAP_TYPE_FLOAT, 1, edge_count, NULL},
                                &options, &(reap_array){to, REAP_TYPE_UINT64, 1, one_row, NULL});
}

/* Every second edge. */
static reap_status wide_bins(reap_queue *queue, void *to)
{
    const size_t edge_count[] = {3}, bin_count[] = {2};
    const ptrdiff_t strides[] = {2 * sizeof *edges};
    return reap_array_histogram(queue, &all,
                                &(reap_array){edges, REAP_TYPE_FLOAT, 1, edge_count, strides}, NULL,
                                &(reap_array){to, REAP_TYPE_UINT64, 1, bin_count, NULL});
}

static reap_status bins_of_none(reap_queue *queue, void *to)
{
    const size_t none[] = {0}, edge_count[] = {COLUMNS + 1};
    const reap_bin_options options = {.outside = (uint64_t *)to + COLUMNS};
    return reap_array_histogram(queue, &(reap_array){x, REAP_TYPE_FLOAT, 1, none, NULL},
                                &(reap_array){edges, REAP_TYPE_FLOAT, 1, edge_count, NULL},
                                &options, &(reap_array){to, REAP_TYPE_UINT64, 1, one_row, NULL});
}

static reap_status scan(reap_queue *queue, void *to)
{
    return reap_exclusive_scan(queue, REAP_SCAN_SUM, x, COUNT, edges + 3, (float *)to);
}

static const struct call {
    const char *name;
    size_t bytes;
    reap_status (*run)(reap_queue *queue, void *to);
} calls[] = {
    {"sum", sizeof(float), sum},
    {"sum of none", sizeof(float), sum_of_none},
    {"norm", sizeof(float), norm},
    {"largest of columns", 2 * COLUMNS * sizeof(float), largest_of_columns},
    {"place", sizeof(uint64_t), place},
    {"extremes", 2 * sizeof(float), extremes},
    {"products", sizeof(float), products},
    {"few", sizeof(uint64_t), few},
    {"statistics", sizeof(reap_moments), statistics},
    {"statistics of columns", COLUMNS * sizeof(reap_moments), statistics_of_columns},
    {"pairs", sizeof(reap_comoments), pairs},
    {"bins", (COLUMNS + 1) * sizeof(uint64_t), bins},
    {"wide bins", 2 * sizeof(uint64_t), wide_bins},
    {"bins of none", (COLUMNS + 1) * sizeof(uint64_t), bins_of_none},
    {"scan", COUNT * sizeof(float), scan},
};

/* ---- Memory -----------------------------------------------------------------------------------*/

enum kind { CREATED, FILLED, WRAPPED, KINDS };

static reap_queue *device_queue, *host_queue;

static void fill(reap_queue *queue, void *memory, size_t bytes)
{
    const uint8_t byte = FILL;
    CHECK_LAUNCH(reap_fill(queue, memory, &byte, sizeof byte, bytes, NULL), queue);
}

/* The result, and the bytes after it, which are as they were. */
static void check_bytes(const struct call *call, const unsigned char *memory, bool is_filled)
{
    _Alignas(uint64_t) unsigned char expected[BYTES];
    memset(expected, FILL, sizeof expected);
    CHECK_STATUS((call->run)(host_queue, expected), REAP_OK);
    CHECK_BITS(memory, expected, is_filled ? BYTES : call->bytes, call->name, (size_t)COUNT,
               (size_t)1);
}

static void try_buffer(const struct call *call, enum kind kind, reap_queue *queue)
{
    static _Alignas(uint64_t) unsigned char wrapped[BYTES];
    static const float *const variables = numbers;
    reap_buffer *buffer = NULL, *of_edges = NULL;
    void *memory = NULL;
    if (kind == WRAPPED)
        CHECK_STATUS(reap_buffer_wrap(wrapped, BYTES, &buffer), REAP_OK);
    else
        CHECK_STATUS(reap_buffer_create(BYTES, &buffer), REAP_OK);
    if (kind != CREATED)
        fill(device_queue, reap_buffer_data(buffer), BYTES);
    CHECK_STATUS(reap_buffer_create(sizeof numbers, &of_edges), REAP_OK);
    edges = reap_buffer_data(of_edges);
    CHECK_LAUNCH(reap_copy(device_queue, edges, variables, sizeof numbers, NULL), device_queue);
    CHECK_STATUS((call->run)(queue, reap_buffer_data(buffer)), REAP_OK);
    edges = numbers;
    CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ, &memory), REAP_OK);
    if (memory != NULL)
        check_bytes(call, memory, kind != CREATED);
    CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_release(of_edges), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* A copy out of a created buffer into which a result has been stored is not refused. */
static void try_copy(const struct call *call)
{
    unsigned char copy[BYTES];
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_create(call->bytes, &buffer), REAP_OK);
    CHECK_STATUS((call->run)(host_queue, reap_buffer_data(buffer)), REAP_OK);
    CHECK_LAUNCH(reap_copy(host_queue, copy, reap_buffer_data(buffer), call->bytes, NULL),
                 host_queue);
    check_bytes(call, copy, false);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

/* Memory of the queue's device, which the program's own code cannot read everywhere. */
static void try_allocation(const struct call *call, reap_queue *queue)
{
    unsigned char copy[BYTES];
    void *memory = NULL;
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), BYTES, &memory), REAP_OK);
    fill(queue, memory, BYTES);
    CHECK_STATUS((call->run)(queue, memory), REAP_OK);
    CHECK_LAUNCH(reap_copy(queue, copy, memory, BYTES, NULL), queue);
    check_bytes(call, copy, true);
    CHECK_STATUS(reap_free(memory), REAP_OK);
}

int main(void)
{
    reap_buffer *buffer = NULL;
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i * 7 % 11) - 2.5f;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &device_queue), REAP_OK);
    host_queue = queue_of_the_host();
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        for (int kind = 0; kind < KINDS; kind++) {
            try_buffer(&calls[c], (enum kind)kind, host_queue);
            try_buffer(&calls[c], (enum kind)kind, device_queue);
        }
        try_copy(&calls[c]);
        try_allocation(&calls[c], host_queue);
        try_allocation(&calls[c], device_queue);
    }
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(host_queue);
    reap_queue_release(device_queue);
    return check_finish();
}
