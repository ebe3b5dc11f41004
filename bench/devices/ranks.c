/* SPDX-License-Identifier: Apache-2.0
 *
 * mpirun -n RANKS reap-bench-device-ranks LOG2 [DEVICE...]: what reductions over ranks cost where
 * each rank has a device (rank r the r-th that is named, from the first again after the last).
 * First the sum of 2^LOG2 floats a rank, from a buffer that is there, to the value on all ranks,
 * beside one rank's alone; then reductions of arrays in the devices' memory: where they are,
 * however reap_mpi_get_transport() says that was, and after they have come to the host, by MPI.
 * Exit status 1 where ranks have different bits.
 */
#include "bench/devices/ranks.kernels.h"
#include "bench/fail.h"
#include "bench/measure.h"

#include <mpi.h>
#include <reap/mpi.h>
#include <reap/reap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM = 3, TURNS = 31, MOST_LOG2 = 36, ARRAY_ITEMS = 1 << 20 };

static int rank, ranks;
static reap_queue *queue;
static const float *x;
static bool is_wrong;

static void expect(reap_status status)
{
    if (status == REAP_OK)
        return;
    fprintf(stderr, "rank %d: %s\n", rank, reap_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The slowest rank's time. */
static double slowest(double seconds)
{
    double most = 0;
    MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void compare_bits(const void *bytes, size_t count)
{
    unsigned char *first = malloc(count);
    if (first == NULL)
        bench_fail("not enough memory");
    memcpy(first, bytes, count);
    MPI_Bcast(first, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
    is_wrong |= memcmp(first, bytes, count) != 0;
    free(first);
}

/* ---- A sum ------------------------------------------------------------------------------------*/

static float sum_alone(size_t items)
{
    float sum = 0;
    expect(reap_parallel_for(queue, ranks_sum, reap_range_1d(items), .x = x, .sum = &sum));
    expect(reap_queue_wait(queue));
    return sum;
}

static float sum_of_all(size_t items)
{
    reap_part *part;
    float sum = 0;
    expect(reap_part_create(&reap_kernel_ranks_sum, "sum", &part));
    expect(reap_parallel_for(queue, ranks_sum, reap_range_1d(items), .x = x, .sum = {.part = part},
                             .launch.first_item = (uint64_t)rank * items));
    expect(reap_mpi_allreduce(part, MPI_COMM_WORLD));
    expect(reap_part_finish(part, &sum, NULL));
    reap_part_release(part);
    return sum;
}

/* Of rank 0 alone, the others' devices do nothing. */
static double time_sum(float (*take)(size_t items), size_t items, bool is_alone)
{
    double times[TURNS];
    float sum = 0;
    for (int turn = -WARM; turn < TURNS; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = measure_now();
        if (!is_alone || rank == 0)
            sum = (take)(items);
        const double seconds = slowest(measure_now() - begin);
        if (turn >= 0)
            times[turn] = seconds;
    }
    if (!is_alone)
        compare_bits(&sum, sizeof sum);
    return measure_summarize(times, TURNS).seconds;
}

static void measure_sums(size_t items)
{
    const double alone = time_sum(sum_alone, items, true), all = time_sum(sum_of_all, items, false);
    if (rank == 0)
        printf("%zu floats a rank: one rank %.1f us, %d ranks %.1f us, %.3f of %d times the "
               "speed\n",
               items, alone * 1e6, ranks, all * 1e6, alone / all, ranks);
}

/* ---- Arrays -----------------------------------------------------------------------------------*/

static reap_part *launch(bool is_exact, size_t keys)
{
    reap_part *part;
    const reap_range range = reap_range_1d(ARRAY_ITEMS);
    const uint64_t first = (uint64_t)rank * ARRAY_ITEMS;
    if (is_exact) {
        expect(reap_part_create(&reap_kernel_ranks_sums, "sums", &part));
        expect(reap_parallel_for(queue, ranks_sums, range, .x = x, .keys = keys,
                                 .sums = {.part = part, .count = keys},
                                 .launch.first_item = first));
    } else {
        expect(reap_part_create(&reap_kernel_ranks_counts, "counts", &part));
        expect(reap_parallel_for(queue, ranks_counts, range, .x = x, .keys = keys,
                                 .counts = {.part = part, .count = keys},
                                 .launch.first_item = first));
    }
    expect(reap_queue_wait(queue));
    return part;
}

/* A copy makes it come to the host, which is timed as well. */
static double reduce(reap_part *part, bool by_host)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = measure_now();
    if (by_host) {
        reap_part *copy;
        expect(reap_part_copy(part, &copy));
        reap_part_release(copy);
    }
    expect(reap_mpi_allreduce(part, MPI_COMM_WORLD));
    return slowest(measure_now() - begin);
}

static void measure_array(bool is_exact, size_t keys)
{
    static double times[2][TURNS];
    char transport[320] = "";
    double *totals = calloc(keys, sizeof *totals);
    if (totals == NULL)
        bench_fail("not enough memory");
    for (int turn = -WARM; turn < TURNS; turn++)
        for (int by_host = 0; by_host < 2; by_host++) {
            reap_part *part = launch(is_exact, keys);
            const double seconds = reduce(part, by_host != 0);
            if (turn >= 0)
                times[by_host][turn] = seconds;
            if (by_host == 0)
                expect(reap_mpi_get_transport(MPI_COMM_WORLD, transport, sizeof transport));
            if (turn == 0)
                expect(reap_part_finish(part, totals,
                                        &(const reap_part_finish_options){.count = keys}));
            reap_part_release(part);
        }
    compare_bits(totals, keys * sizeof *totals);
    if (rank == 0)
        printf("%-7s %9zu keys %9.2f MB: %8.0f us, by the host %8.0f us   %s\n",
               is_exact ? "exact" : "counts", keys,
               (double)(keys * (is_exact ? 71 : 1) * sizeof(uint64_t)) * 1e-6,
               measure_summarize(times[0], TURNS).seconds * 1e6,
               measure_summarize(times[1], TURNS).seconds * 1e6, transport);
    free(totals);
}

/* ---- Data -------------------------------------------------------------------------------------*/

static reap_buffer *make_data(size_t items)
{
    reap_buffer *buffer;
    void *data;
    expect(reap_buffer_create(items * sizeof(float), &buffer));
    expect(reap_host_access_begin(buffer, REAP_WRITE, &data));
    float *values = data;
    for (size_t i = 0; i < items; i++)
        values[i] = (float)((i + (size_t)rank * items) * 2654435761u % 1000003u) * 1e-3f;
    expect(reap_host_access_end(buffer));
    x = values;
    return buffer;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const unsigned long log2 = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    const reap_device *device = NULL;
    if (log2 == 0 || log2 > MOST_LOG2) {
        fputs("usage: reap-bench-device-ranks LOG2 [DEVICE...]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (argc > 2)
        expect(reap_device_find(argv[2 + rank % (argc - 2)], &device));
    expect(reap_queue_create(device, NULL, &queue));
    const size_t items = (size_t)1 << log2;
    reap_buffer *buffer = make_data(items > ARRAY_ITEMS ? items : ARRAY_ITEMS);
    measure_sums(items);
    for (size_t keys = 1 << 10; keys <= 1 << 24; keys *= 8)
        measure_array(false, keys);
    for (size_t keys = 1 << 8; keys <= 1 << 16; keys *= 16)
        measure_array(true, keys);
    expect(reap_buffer_release(buffer));
    reap_queue_release(queue);
    MPI_Finalize();
    return is_wrong;
}
