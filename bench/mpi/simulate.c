/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench-mpi-simulate [ITEMS [MOST [LATENCY MESSAGE RATE [CORES POLL]]]]: reductions over up to
 * MOST ranks of ITEMS items, in one process (docs/scale.md). Each rank's part of a sum is made by a
 * launch, encoded, read and merged with those of the ranks beside it, as libreap_mpi does; the
 * sizes of the encodings are compared with those of the model, which has the times. Exit status 1
 * where they differ.
 *
 * Times are for two assumed networks; and for one with this latency (us), time of the processor for
 * a message (us) and rate (10^9 bytes/s). There, if ranks share so many cores, a message waits
 * until each of the other ranks of its receiver's core has polled once, for POLL us.
 */
#include "bench/fail.h"
#include "bench/measure.h"
#include "bench/mpi/model.h"
#include "bench/mpi/ranks.kernels.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(reap_status status)
{
    if (status != REAP_OK)
        bench_fail(reap_last_error());
}

/* ---- Parts, merged up the tree ----------------------------------------------------------------*/

struct simulation {
    struct model_run run;
    reap_queue *queue;
    uint64_t *encodings;     /* the size of what each rank sends */
    double *merges, *writes; /* seconds for each byte */
    size_t merge_count, write_count;
    struct model_costs merging;
    unsigned char *bytes;
    size_t capacity;
};

static reap_part *launch(const struct simulation *simulation, uint64_t rank)
{
    const uint64_t items = simulation->run.items, first = rank * items;
    reap_part *part;
    expect(reap_part_create(&reap_kernel_scale_sum, "sum", &part));
    expect(reap_parallel_for(simulation->queue, scale_sum, reap_range_1d(items), .first = first,
                             .sum = {.part = part}, .launch.first_item = first));
    expect(reap_queue_wait(simulation->queue));
    return part;
}

/* A rank's message; its size. */
static size_t encode(struct simulation *simulation, const reap_part *part)
{
    size_t size;
    expect(reap_part_write(part, NULL, 0, &size));
    if (size > simulation->capacity) {
        simulation->capacity = 2 * size;
        free(simulation->bytes);
        simulation->bytes = malloc(simulation->capacity);
        if (simulation->bytes == NULL)
            bench_fail("no memory for an encoding");
    }
    const double begin = measure_now();
    expect(reap_part_write(part, simulation->bytes, size, &size));
    simulation->writes[simulation->write_count++] = (measure_now() - begin) / (double)size;
    return size;
}

static void merge(struct simulation *simulation, reap_part *part, size_t size)
{
    reap_part *other;
    const double begin = measure_now();
    expect(reap_part_read(&reap_kernel_scale_sum, "sum", simulation->bytes, size, &other));
    expect(reap_part_merge(part, other));
    reap_part_release(other);
    simulation->merges[simulation->merge_count++] = (measure_now() - begin) / (double)size;
}

/* The part of a rank and of those below it. */
static reap_part *gather(struct simulation *simulation, uint64_t rank)
{
    const uint64_t ranks = simulation->run.ranks, end = model_end_of_subtree(rank, ranks);
    reap_part *part = launch(simulation, rank);
    for (uint64_t apart = 1; rank + apart < end; apart *= 2) {
        reap_part *child = gather(simulation, rank + apart);
        const size_t size = encode(simulation, child);
        simulation->encodings[rank + apart] = size;
        reap_part_release(child);
        merge(simulation, part, size);
    }
    return part;
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* The first two are assumptions: a fast network with one rank a node, and Ethernet. */
struct network {
    const char *name;
    double latency, message, byte;
    double cores, poll; /* 0: each rank has a core */
};

enum { MOST_NETWORKS = 3 };
static struct network networks[MOST_NETWORKS] = {
    {"1.5us,25GB/s", 1.1e-6, 0.2e-6, 1 / 25e9, 0, 0},
    {"20us,1.2GB/s", 16e-6, 2e-6, 1 / 1.2e9, 0, 0},
};
static int network_count = 2;

static struct model_costs costs_on(const struct network *network, const struct model_costs *merging,
                                   uint64_t ranks)
{
    struct model_costs costs = *merging;
    costs.latency = network->latency;
    costs.message = network->message;
    costs.byte = network->byte;
    costs.cores = network->cores;
    if (network->cores > 0 && (double)ranks > network->cores)
        costs.latency += ((double)ranks / network->cores - 1) * network->poll;
    return costs;
}

static double median(double *values, size_t count)
{
    return count > 0 ? measure_summarize(values, (int)count).seconds : 0;
}

static uint64_t count_differences(const struct simulation *simulation)
{
    uint64_t differ = 0;
    for (uint64_t rank = 1; rank < simulation->run.ranks; rank++)
        differ += simulation->encodings[rank] !=
                  model_encoding(&simulation->run, rank,
                                 model_end_of_subtree(rank, simulation->run.ranks));
    return differ;
}

/* Of one rank: the largest number of messages and of bytes that it sends and receives. */
static void find_most(const struct model_run *run, uint64_t *messages, uint64_t *bytes)
{
    *messages = *bytes = 0;
    for (uint64_t rank = 0; rank < run->ranks; rank++) {
        const struct model_traffic t = model_traffic(run, rank);
        if (t.sent + t.received > *messages)
            *messages = t.sent + t.received;
        if (t.sent_bytes + t.received_bytes > *bytes)
            *bytes = t.sent_bytes + t.received_bytes;
    }
}

static uint64_t add_bytes(const struct model_run *run)
{
    uint64_t bytes = 0;
    for (uint64_t rank = 0; rank < run->ranks; rank++)
        bytes += model_traffic(run, rank).sent_bytes;
    return bytes;
}

static void print_row(const struct simulation *simulation, struct model_run *run, const char *name)
{
    for (int a = 0; a < 2; a++) {
        uint64_t messages, bytes;
        run->to_all = a == 1;
        find_most(run, &messages, &bytes);
        printf("%-20s %-4s %7llu %6llu %10llu %10.0f", name, run->to_all ? "all" : "one",
               (unsigned long long)run->ranks, (unsigned long long)messages,
               (unsigned long long)bytes, (double)add_bytes(run) / (double)run->ranks);
        for (int n = 0; n < network_count; n++) {
            const struct model_costs costs =
                costs_on(&networks[n], &simulation->merging, run->ranks);
            printf(" %12.1f", 1e6 * model_time(run, &costs));
        }
        printf("\n");
    }
    fflush(stdout);
}

/* What needs no parts: their sizes are constant. */
static void print_others(const struct simulation *simulation)
{
    static const struct {
        const char *name;
        struct model_reduction reduction;
    } others[] = {
        {"minimum, location", {136, 4, false, 0}},
        {"exact double sum", {0, 8, false, 568}},
        {"1000 integer sums", {0, 8, false, 8000}},
        {"100000 integer sums", {0, 8, false, 800000}},
    };
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        struct model_run run = simulation->run;
        run.reduction = others[o].reduction;
        print_row(simulation, &run, others[o].name);
    }
}

static void merge_all(struct simulation *simulation)
{
    simulation->merge_count = simulation->write_count = 0;
    reap_part_release(gather(simulation, 0));
}

/* The least of several medians: other programs only add to it. */
static void measure_merging(struct simulation *simulation, uint64_t ranks)
{
    const double end = measure_now() + 2;
    simulation->run.ranks = ranks;
    for (int t = 0; t < 200 && (t == 0 || measure_now() < end); t++) {
        struct model_costs *costs = &simulation->merging;
        merge_all(simulation);
        const double merges = median(simulation->merges, simulation->merge_count);
        const double writes = median(simulation->writes, simulation->write_count);
        costs->merge = t == 0 || merges < costs->merge ? merges : costs->merge;
        costs->write = t == 0 || writes < costs->write ? writes : costs->write;
    }
    simulation->merging.sum_byte = 0.1e-9;
    printf("merging takes %.2f ns a byte, encoding %.2f\n", 1e9 * simulation->merging.merge,
           1e9 * simulation->merging.write);
}

static uint64_t simulate(struct simulation *simulation, uint64_t ranks)
{
    simulation->run.ranks = ranks;
    merge_all(simulation);
    const uint64_t differ = count_differences(simulation);
    struct model_run run = simulation->run;
    print_row(simulation, &run, "float sum");
    print_others(simulation);
    if (differ > 0)
        fprintf(stderr, "%llu of %llu encodings have another size than in the model\n",
                (unsigned long long)differ, (unsigned long long)ranks);
    return differ;
}

static void print_head(void)
{
    printf("%-20s %-4s %7s %6s %10s %10s", "", "to", "ranks", "msgs", "bytes", "mean bytes");
    for (int n = 0; n < network_count; n++)
        printf(" %12s", networks[n].name);
    printf("\n");
}

/* ---- The program ------------------------------------------------------------------------------*/

static double number(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value >= 0 && value <= 1e9))
        bench_fail("usage: reap-bench-mpi-simulate [ITEMS [MOST [LATENCY MESSAGE RATE [CORES "
                   "POLL]]]]");
    return value;
}

static void read_network(int argc, char **argv)
{
    if (argc < 6)
        return;
    networks[network_count++] = (struct network){
        .name = "given",
        .latency = 1e-6 * number(argv[3]),
        .message = 1e-6 * number(argv[4]),
        .byte = 1e-9 / number(argv[5]),
        .cores = argc > 7 ? number(argv[6]) : 0,
        .poll = argc > 7 ? 1e-6 * number(argv[7]) : 0,
    };
}

static void prepare(struct simulation *simulation, uint64_t most)
{
    reap_part *empty;
    expect(reap_queue_create(NULL, NULL, &simulation->queue));
    expect(reap_part_create(&reap_kernel_scale_sum, "sum", &empty));
    expect(reap_part_write(empty, NULL, 0, &simulation->run.reduction.fixed_bytes));
    reap_part_release(empty);
    simulation->encodings = calloc(most, sizeof *simulation->encodings);
    simulation->merges = calloc(most, sizeof *simulation->merges);
    simulation->writes = calloc(most, sizeof *simulation->writes);
    if (simulation->encodings == NULL || simulation->merges == NULL || simulation->writes == NULL)
        bench_fail("no memory for the ranks");
}

static void release(struct simulation *simulation)
{
    free(simulation->encodings);
    free(simulation->merges);
    free(simulation->writes);
    free(simulation->bytes);
    reap_queue_release(simulation->queue);
}

/* 1, 2, 4, ... 64, 1000, 10000, ... */
static uint64_t next(uint64_t ranks)
{
    return ranks < 64 ? 2 * ranks : ranks == 64 ? 1000 : 10 * ranks;
}

int main(int argc, char **argv)
{
    const uint64_t items = argc > 1 ? (uint64_t)number(argv[1]) : 1000000;
    const uint64_t most = argc > 2 ? (uint64_t)number(argv[2]) : 100000;
    struct simulation simulation = {
        .run = {.reduction = {0, sizeof(float), true, 0}, .items = items}};
    uint64_t differ = 0;
    if (items == 0 || most == 0)
        bench_fail("ITEMS and MOST are at least 1");
    read_network(argc, argv);
    prepare(&simulation, most);
    measure_merging(&simulation, most < 64 ? most : 64);
    print_head();
    for (uint64_t ranks = 1; ranks <= most; ranks = next(ranks))
        differ += simulate(&simulation, ranks);
    release(&simulation);
    return differ > 0;
}
