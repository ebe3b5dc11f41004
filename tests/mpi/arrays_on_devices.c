/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays in the memory of each rank's device, which NCCL adds, or MPI where it cannot: all ranks
 * have the bits of one launch, and know which it was. The argument is what reap_mpi_get_transport()
 * is to say.
 */
#include "tests/mpi/arrays_on_devices.kernels.h"

#include "tests/mpi/ranks.h"
#include "tests/support/memory.h"

#include <reap/mpi.h>
#include <reap/reap.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 40000, MOST = 70001 * 8 };

static uint32_t x[ITEMS];
static int rank, ranks;
static reap_queue *queue;
static const char *transport; /* expected */

#define CREATE(kernel, name, part)                                                                 \
    CHECK_STATUS(reap_part_create(&reap_kernel_##kernel, #name, part), REAP_OK)

/* ---- Kernels ----------------------------------------------------------------------------------*/

enum subject { BINS, LONG, SUMS, DOUBLES, LARGEST, SUBJECTS };

static const size_t bytes_of[SUBJECTS] = {70001 * sizeof(uint32_t), 40000 * sizeof(uint64_t),
                                          4000 * sizeof(float), 600 * sizeof(double),
                                          70001 * sizeof(uint32_t)};

static reap_part *create(enum subject subject)
{
    reap_part *part = NULL;
    switch (subject) {
    case BINS:
        CREATE(device_bins, bins, &part);
        break;
    case LONG:
        CREATE(device_long, bins, &part);
        break;
    case SUMS:
        CREATE(device_sums, sums, &part);
        break;
    case DOUBLES:
        CREATE(device_doubles, sums, &part);
        break;
    default:
        CREATE(device_most, most, &part);
    }
    return part;
}

/* Into the part; NULL: into the variable. */
static void launch(enum subject subject, size_t first, size_t items, reap_part *part,
                   void *variable)
{
    const reap_range range = reap_range_1d(items);
    const size_t at = part != NULL ? first : 0;
    reap_status status;
    switch (subject) {
    case BINS:
        status = reap_parallel_for(queue, device_bins, range, .x = x + first,
                                   .bins = {.variable = variable, .part = part, .count = 70001},
                                   .launch.first_item = at);
        break;
    case LONG:
        status = reap_parallel_for(queue, device_long, range, .x = x + first,
                                   .bins = {.variable = variable, .part = part, .count = 40000},
                                   .launch.first_item = at);
        break;
    case SUMS:
        status = reap_parallel_for(queue, device_sums, range, .x = x + first,
                                   .sums = {.variable = variable, .part = part, .count = 4000},
                                   .launch.first_item = at);
        break;
    case DOUBLES:
        status = reap_parallel_for(queue, device_doubles, range, .x = x + first,
                                   .sums = {.variable = variable, .part = part, .count = 600},
                                   .launch.first_item = at);
        break;
    default:
        status = reap_parallel_for(queue, device_most, range, .x = x + first,
                                   .most = {.variable = variable, .part = part, .count = 70001},
                                   .launch.first_item = at);
    }
    CHECK_STATUS(status, REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

/* ---- Checks -----------------------------------------------------------------------------------*/

static void check_transport(const char *expected)
{
    char text[320];
    CHECK_STATUS(reap_mpi_get_transport(MPI_COMM_WORLD, text, sizeof text), REAP_OK);
    CHECK_STR(text, expected);
}

static bool is_on_device(const reap_part *part)
{
    const reap_device *device;
    const void *words;
    CHECK_STATUS(reap_part_get_device_words(part, &device, &words), REAP_OK);
    return device != NULL;
}

/* A launch adds the last item to the others. */
static void check_result(enum subject subject, reap_part *part)
{
    static unsigned char found[MOST], expected[MOST];
    memset(found, 0, sizeof found);
    memset(expected, 0, sizeof expected);
    launch(subject, ITEMS - 1, 1, part, NULL);
    launch(subject, 0, ITEMS, NULL, expected);
    CHECK_STATUS(reap_part_finish(part, found, NULL), REAP_OK);
    CHECK(memcmp(found, expected, bytes_of[subject]) == 0);
}

/* Each rank has two pieces, of which the second one follows the next rank's first. */
static reap_part *create_share(enum subject subject)
{
    const size_t half = (ITEMS - 1) / 2, share = half / (size_t)ranks, at = (size_t)rank * share;
    const size_t end = rank + 1 == ranks ? half : at + share;
    reap_part *part = create(subject);
    launch(subject, at, end - at, part, NULL);
    launch(subject, half + at, end - at + (rank + 1 == ranks ? (ITEMS - 1) % 2 : 0), part, NULL);
    return part;
}

static void check_subject(enum subject subject)
{
    reap_part *part = create_share(subject);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    check_transport(transport);
    CHECK_EQ(reap_part_range_count(part), 1);
    check_result(subject, part);
    reap_part_release(part);
}

/* The root's part gets all, and the others stay as they are. */
static void check_root(enum subject subject, int root)
{
    reap_part *part = create_share(subject);
    CHECK_STATUS(reap_mpi_reduce(part, root, MPI_COMM_WORLD), REAP_OK);
    check_transport(transport);
    CHECK_EQ(reap_part_range_count(part), rank == root || ranks == 1 ? 1 : 2);
    if (rank == root)
        check_result(subject, part);
    reap_part_release(part);
}

/* Three requests, which the ranks advance in their own ways. */
static void check_in_flight(void)
{
    reap_part *parts[3] = {create_share(BINS), create_share(DOUBLES), create_share(LONG)};
    reap_mpi_request *requests[3];
    bool is_done = false;
    for (size_t r = 0; r < 3; r++)
        CHECK_STATUS(reap_mpi_allreduce_begin(parts[r], MPI_COMM_WORLD, &requests[r]), REAP_OK);
    for (int polls = 0; polls < rank * 7; polls++)
        CHECK_STATUS(reap_mpi_test(requests[rank % 3], &is_done), REAP_OK);
    for (size_t r = 3; r-- > 0;)
        CHECK_STATUS(reap_mpi_wait(&requests[r]), REAP_OK);
    check_result(BINS, parts[0]);
    check_result(DOUBLES, parts[1]);
    check_result(LONG, parts[2]);
    for (size_t r = 0; r < 3; r++)
        reap_part_release(parts[r]);
}

static void check_without_items(void)
{
    reap_part *part = create(BINS);
    if (rank == 0)
        launch(BINS, 0, ITEMS - 1, part, NULL);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    check_result(BINS, part);
    if (strncmp(transport, "NCCL", 4) == 0)
        check_transport("MPI (not NCCL: rank 1: its part has no items)");
    reap_part_release(part);
}

static void check_others(void)
{
    reap_part *part = create(LARGEST);
    if (rank == 0)
        launch(LARGEST, 0, ITEMS - 1, part, NULL);
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    check_result(LARGEST, part);
    check_transport("MPI");
    reap_part_release(part);
}

int main(int argc, char **argv)
{
    reap_part *part;
    ranks_begin(&argc, &argv, &rank, &ranks);
    uint64_t random = ranks_seed(rank);
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (uint32_t)check_random(&random);
    reap_buffer *buffer = NULL;
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    check_transport("");
    transport = argc > 1 ? argv[1] : "";
    part = create_share(SUMS);
    CHECK(is_on_device(part));
    CHECK_STATUS(reap_mpi_allreduce(part, MPI_COMM_WORLD), REAP_OK);
    CHECK(is_on_device(part) == (strncmp(transport, "NCCL", 4) == 0));
    reap_part_release(part);
    for (enum subject s = BINS; s < LARGEST; s++)
        check_subject(s);
    check_root(BINS, 0);
    check_root(SUMS, ranks - 1);
    check_in_flight();
    check_others();
    check_without_items();
    check_subject(DOUBLES);
    reap_queue_release(queue);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    return ranks_finish(rank);
}
