/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench-mpi [ITEMS [TURNS]]: what merging the parts of all ranks costs (docs/scale.md). Each
 * rank of an MPI program has ITEMS items. Prints messages and bytes, which are compared with those
 * of the model, and times; with two ranks also the figures of the machine that the model needs.
 * Exit status 1 where the model is wrong about a rank.
 */
#include "bench/fail.h"
#include "bench/measure.h"
#include "bench/mpi/model.h"
#include "bench/mpi/ranks.kernels.h"
#include "bench/mpi/traffic.h"

#include <mpi.h>
#include <reap/mpi.h>
#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ranks {
    int rank, count;
    uint64_t items, first; /* of each, and this one's first item */
    int turns;
    reap_queue *queue;
};

static void expect(reap_status status)
{
    if (status != REAP_OK)
        bench_fail(reap_last_error());
}

/* ---- Parts ------------------------------------------------------------------------------------*/

/* A reduction of a kernel of one or two; `keys`: the elements of an array. */
struct subject {
    const char *name;
    void (*launch)(const struct ranks *ranks, uint32_t keys, reap_part *const *parts);
    const struct reap_kernel *kernel;
    const char *reductions[2];
    int wanted;
    bool is_ordered;
    uint32_t keys;
};

static void launch_sum(const struct ranks *ranks, uint32_t keys, reap_part *const *parts)
{
    (void)keys;
    expect(reap_parallel_for(ranks->queue, scale_sum, reap_range_1d(ranks->items),
                             .first = ranks->first, .sum = {.part = parts[0]},
                             .launch.first_item = ranks->first));
}

static void launch_results(const struct ranks *ranks, uint32_t keys, reap_part *const *parts)
{
    (void)keys;
    expect(reap_parallel_for(ranks->queue, scale_results, reap_range_1d(ranks->items),
                             .first = ranks->first, .exact = {.part = parts[0]},
                             .least = {.part = parts[1]}, .launch.first_item = ranks->first));
}

static void launch_spans(const struct ranks *ranks, uint32_t keys, reap_part *const *parts)
{
    expect(reap_parallel_for(
        ranks->queue, scale_spans, reap_range_1d(ranks->items), .first = ranks->first, .keys = keys,
        .counts = {.part = parts[0], .count = keys}, .sums = {.part = parts[1], .count = keys},
        .launch.first_item = ranks->first));
}

#define RESULTS                                                                                    \
    launch_results, &reap_kernel_scale_results,                                                    \
    {                                                                                              \
        "exact", "least"                                                                           \
    }
#define SPANS                                                                                      \
    launch_spans, &reap_kernel_scale_spans,                                                        \
    {                                                                                              \
        "counts", "sums"                                                                           \
    }

static const struct subject subjects[] = {
    {"float sum", launch_sum, &reap_kernel_scale_sum, {"sum", NULL}, 0, true, 0},
    {"float minimum, location", RESULTS, 1, false, 0},
    {"exact double sum", RESULTS, 0, false, 0},
    {"1000 integer sums", SPANS, 0, false, 1000},
    {"100000 integer sums", SPANS, 0, false, 100000},
    {"1000 exact float sums", SPANS, 1, false, 1000},
    {"10000 exact float sums", SPANS, 1, false, 10000},
};

#undef RESULTS
#undef SPANS

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* The subject's part, with the items of this rank; and the size of one without. */
static reap_part *make_part(const struct ranks *ranks, const struct subject *subject,
                            size_t *fixed_bytes)
{
    reap_part *parts[2] = {NULL, NULL};
    for (int p = 0; p < 2 && subject->reductions[p] != NULL; p++)
        expect(reap_part_create(subject->kernel, subject->reductions[p], &parts[p]));
    expect(reap_part_write(parts[subject->wanted], NULL, 0, fixed_bytes));
    (subject->launch)(ranks, subject->keys, parts);
    expect(reap_queue_wait(ranks->queue));
    reap_part_release(parts[1 - subject->wanted]);
    return parts[subject->wanted];
}

static struct model_run describe(const struct ranks *ranks, const struct subject *subject,
                                 const reap_part *part, size_t fixed_bytes)
{
    reap_part_description is;
    expect(reap_part_describe(part, &is));
    return (struct model_run){
        .reduction = {fixed_bytes, is.value_size, subject->is_ordered,
                      is.word_size * is.word_count},
        .ranks = (uint64_t)ranks->count,
        .items = ranks->items,
    };
}

/* ---- Reductions -------------------------------------------------------------------------------*/

static void check_all_items(const struct ranks *ranks, const reap_part *part)
{
    reap_part_range range;
    expect(reap_part_get_range(part, 0, &range));
    if (range.first != 0 || range.end != ranks->items * (uint64_t)ranks->count)
        bench_fail("a part does not have the items of all ranks");
}

/* The time of the slowest rank. */
static double reduce_once(const struct ranks *ranks, const reap_part *part, bool to_all,
                          struct traffic *traffic)
{
    reap_part *copy;
    double seconds, slowest;
    expect(reap_part_copy(part, &copy));
    MPI_Barrier(MPI_COMM_WORLD);
    traffic_take();
    const double begin = measure_now();
    expect(to_all ? reap_mpi_allreduce(copy, MPI_COMM_WORLD)
                  : reap_mpi_reduce(copy, 0, MPI_COMM_WORLD));
    seconds = measure_now() - begin;
    *traffic = traffic_take();
    if (to_all || ranks->rank == 0)
        check_all_items(ranks, copy);
    reap_part_release(copy);
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* What a rank has sent and received, in bytes; the ranks that sent them say how many. */
static void add_bytes(const struct ranks *ranks, const struct traffic *traffic, uint64_t *sent,
                      uint64_t *received)
{
    static uint64_t all[TRAFFIC_MOST_RANKS];
    *sent = 0;
    for (int r = 0; r < ranks->count; r++)
        *sent += traffic->sent_bytes[r];
    MPI_Allreduce(traffic->sent_bytes, all, ranks->count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    *received = all[ranks->rank];
}

static bool agrees(const struct model_run *run, int rank, const struct traffic *traffic,
                   const struct model_traffic *moved)
{
    const struct model_traffic model = model_traffic(run, (uint64_t)rank);
    if (memcmp(&model, moved, sizeof model) == 0 &&
        traffic->sum_bytes == (model_adds_words(run) ? run->reduction.word_bytes : 0))
        return true;
    static bool is_reported;
    if (is_reported)
        return false;
    is_reported = true;
    fprintf(stderr,
            "rank %d of %d: sent %llu messages, %llu bytes, and received %llu, %llu; the model has "
            "%llu, %llu, and %llu, %llu\n",
            rank, (int)run->ranks, (unsigned long long)moved->sent,
            (unsigned long long)moved->sent_bytes, (unsigned long long)moved->received,
            (unsigned long long)moved->received_bytes, (unsigned long long)model.sent,
            (unsigned long long)model.sent_bytes, (unsigned long long)model.received,
            (unsigned long long)model.received_bytes);
    return false;
}

static void print(const struct model_run *run, const char *name, const uint64_t all[2],
                  const uint64_t most[2], const double *times, const struct measured *measured)
{
    printf("%-23s %-6s %6llu %9llu %5llu %8llu %8llu %10.1f %10.1f\n", name,
           run->to_all ? "all" : "one", (unsigned long long)all[0], (unsigned long long)all[1],
           (unsigned long long)most[0], (unsigned long long)most[1],
           (unsigned long long)(model_adds_words(run) ? run->reduction.word_bytes : 0),
           1e6 * measured->seconds, 1e6 * times[0]);
    fflush(stdout);
}

/* How many ranks differ from the model. */
static int measure(const struct ranks *ranks, const struct subject *subject,
                   const struct model_run *run, const reap_part *part)
{
    double *times = calloc((size_t)ranks->turns, sizeof *times);
    struct traffic traffic;
    int differs, differ;
    if (times == NULL)
        bench_fail("no memory for the times");
    reduce_once(ranks, part, run->to_all, &traffic); /* the first one duplicates the communicator */
    for (int t = 0; t < ranks->turns; t++)
        times[t] = reduce_once(ranks, part, run->to_all, &traffic);
    const struct measured measured = measure_summarize(times, ranks->turns);
    struct model_traffic moved = {.sent = traffic.sent, .received = traffic.received};
    add_bytes(ranks, &traffic, &moved.sent_bytes, &moved.received_bytes);
    const uint64_t sent[2] = {moved.sent, moved.sent_bytes};
    const uint64_t both[2] = {moved.sent + moved.received, moved.sent_bytes + moved.received_bytes};
    uint64_t all[2], most[2];
    MPI_Reduce(sent, all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(both, most, 2, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    differs = !agrees(run, ranks->rank, &traffic, &moved);
    MPI_Allreduce(&differs, &differ, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (ranks->rank == 0)
        print(run, subject->name, all, most, times, &measured);
    free(times);
    return differ;
}

static int measure_subjects(const struct ranks *ranks)
{
    int differ = 0;
    if (ranks->rank == 0)
        printf("%d ranks of %llu items, medians of %d turns\n%-23s %-6s %6s %9s %5s %8s %8s %10s "
               "%10s\n",
               ranks->count, (unsigned long long)ranks->items, ranks->turns, "", "to", "msgs",
               "bytes", "most", "bytes", "words, B", "median us", "least us");
    for (int s = 0; s < SUBJECTS; s++) {
        size_t fixed_bytes;
        reap_part *part = make_part(ranks, &subjects[s], &fixed_bytes);
        struct model_run run = describe(ranks, &subjects[s], part, fixed_bytes);
        for (int a = 0; a < 2; a++) {
            run.to_all = a == 1;
            differ += measure(ranks, &subjects[s], &run, part);
        }
        reap_part_release(part);
    }
    return differ;
}

/* ---- The machine ------------------------------------------------------------------------------*/

enum { MOST_BYTES = 1 << 20, BURST = 500 };

static char bytes[MOST_BYTES];

/* One way, of messages there and back. */
static double ping(int rank, int size)
{
    const double begin = measure_now();
    if (rank == 0)
        MPI_Send(bytes, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(bytes, size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(bytes, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    return (measure_now() - begin) / 2;
}

/* Of one message among many in one direction. */
static double burst(int rank, int size)
{
    const double begin = measure_now();
    for (int i = 0; i < BURST; i++)
        if (rank == 0)
            MPI_Send(bytes, size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(bytes, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (measure_now() - begin) / BURST;
}

static double sum_words(int rank, int size)
{
    const double begin = measure_now();
    (void)rank;
    MPI_Allreduce(MPI_IN_PLACE, bytes, size / 8, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return measure_now() - begin;
}

static void measure_machine(const struct ranks *ranks, const char *name,
                            double (*once)(int rank, int size), int size)
{
    double *times = calloc((size_t)ranks->turns, sizeof *times);
    if (times == NULL)
        bench_fail("no memory for the times");
    for (int t = -1; t < ranks->turns; t++) {
        MPI_Barrier(MPI_COMM_WORLD);
        times[t < 0 ? 0 : t] = once(ranks->rank, size);
    }
    const struct measured measured = measure_summarize(times, ranks->turns);
    if (ranks->rank == 0)
        printf("%-12s %8d bytes: %10.2f us median, %10.2f us least\n", name, size,
               1e6 * measured.seconds, 1e6 * times[0]);
    free(times);
}

static void measure_machines(const struct ranks *ranks)
{
    static const int sizes[] = {8, MODEL_REPORT_BYTES, 16384, MOST_BYTES};
    for (int s = 0; s < 4 && ranks->count == 2; s++) {
        measure_machine(ranks, "one way", ping, sizes[s]);
        measure_machine(ranks, "of a burst", burst, sizes[s]);
    }
    for (int s = 0; s < 4 && ranks->count > 1; s++)
        measure_machine(ranks, "MPI_SUM", sum_words, sizes[s]);
}

/* ---- The program ------------------------------------------------------------------------------*/

static uint64_t number(const char *text, uint64_t least)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < least || value > 1000000000)
        bench_fail("usage: reap-bench-mpi [ITEMS [TURNS]]");
    return value;
}

int main(int argc, char **argv)
{
    struct ranks ranks = {.items = 1000000, .turns = 101};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    if (argc > 1)
        ranks.items = number(argv[1], 1);
    if (argc > 2)
        ranks.turns = (int)number(argv[2], 1);
    if (ranks.count > TRAFFIC_MOST_RANKS)
        bench_fail("more than 1024 ranks");
    ranks.first = ranks.items * (uint64_t)ranks.rank;
    expect(reap_queue_create(NULL, NULL, &ranks.queue));
    measure_machines(&ranks);
    const int differ = measure_subjects(&ranks);
    if (ranks.rank == 0 && differ > 0)
        fprintf(stderr, "bench/mpi/model.c describes other messages than libreap_mpi sends\n");
    reap_queue_release(ranks.queue);
    MPI_Finalize();
    return differ > 0;
}
