/* SPDX-License-Identifier: Apache-2.0
 *
 * See model.h. The rounds are those of src/mpi/request.h; each is a sweep up the binomial tree of
 * the ranks and one down it.
 */
#include "bench/mpi/model.h"

#include "bench/fail.h"

#include <stdlib.h>

/* ---- Parts ------------------------------------------------------------------------------------*/

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t model_values(uint64_t first, uint64_t end)
{
    const uint64_t begun = first % MODEL_LEAF;
    return begun == 0 ? 0 : smaller(MODEL_LEAF - begun, end - first);
}

/* Complete nodes, each the largest at its place, and the last leaf. */
uint64_t model_rows(uint64_t first, uint64_t end)
{
    first += model_values(first, end);
    uint64_t leaf = first / MODEL_LEAF, rows = 0;
    while (leaf < end / MODEL_LEAF) {
        uint64_t leaves = 1;
        while (leaf % (2 * leaves) == 0 && leaf + 2 * leaves <= end / MODEL_LEAF)
            leaves *= 2;
        leaf += leaves;
        rows++;
    }
    return rows + (first < end && end % MODEL_LEAF != 0);
}

/* A range takes its two ends and how many values it has, or a location; 8 bytes each. */
uint64_t model_encoding(const struct model_run *run, uint64_t first, uint64_t end)
{
    const struct model_reduction *reduction = &run->reduction;
    const uint64_t begin = first * run->items, after = end * run->items;
    const uint64_t row = MODEL_LANES * reduction->value_size, value = 2 + reduction->value_size;
    if (!reduction->is_ordered)
        return reduction->fixed_bytes + reduction->value_size + 24;
    return reduction->fixed_bytes + 24 + model_values(begin, after) * value +
           model_rows(begin, after) * row;
}

/* ---- The tree ---------------------------------------------------------------------------------*/

static uint64_t below(uint64_t rank, uint64_t ranks)
{
    return rank == 0 ? ranks : rank & (0 - rank);
}

uint64_t model_end_of_subtree(uint64_t rank, uint64_t ranks)
{
    return smaller(rank + below(rank, ranks), ranks);
}

/* A message's messages of MPI: the report, and pieces of the bytes. */
static uint64_t pieces(uint64_t bytes)
{
    return 1 + (bytes + MODEL_MESSAGE_BYTES - 1) / MODEL_MESSAGE_BYTES;
}

/* The bytes after the report of what rank `rank` sends up, or rank 0 sends down. */
struct round {
    bool is_of_encodings, has_down;
    uint64_t up, down;
};

enum { MOST_ROUNDS = 4 };

/* Ranges are sent up where ranks agree; they touch, so each message has one, of 16 bytes. */
static size_t list_rounds(const struct model_run *run, struct round *rounds)
{
    const uint64_t words = run->reduction.word_bytes;
    size_t count = 0;
    rounds[count++] = (struct round){false, true, 16, words > 0 ? 16 : 0};
    if (words > MODEL_SCALAR_BYTES)
        rounds[count++] = (struct round){false, true, 0, 0};
    if (words == 0)
        rounds[count++] = (struct round){true, run->to_all, 0, model_encoding(run, 0, run->ranks)};
    rounds[count++] = (struct round){false, true, 0, 0};
    return run->ranks > 1 ? count : 0;
}

static uint64_t bytes_up(const struct model_run *run, const struct round *round, uint64_t rank)
{
    return round->is_of_encodings
               ? model_encoding(run, rank, model_end_of_subtree(rank, run->ranks))
               : round->up;
}

static void count_edge(uint64_t bytes, uint64_t *messages, uint64_t *all_bytes)
{
    *messages += pieces(bytes);
    *all_bytes += MODEL_REPORT_BYTES + bytes;
}

struct model_traffic model_traffic(const struct model_run *run, uint64_t rank)
{
    struct round rounds[MOST_ROUNDS];
    struct model_traffic t = {0};
    const size_t count = list_rounds(run, rounds);
    for (size_t r = 0; r < count; r++) {
        if (rank > 0)
            count_edge(bytes_up(run, &rounds[r], rank), &t.sent, &t.sent_bytes);
        if (rank > 0 && rounds[r].has_down)
            count_edge(rounds[r].down, &t.received, &t.received_bytes);
        for (uint64_t apart = 1; apart < below(rank, run->ranks); apart *= 2) {
            if (rank + apart >= run->ranks)
                continue;
            count_edge(bytes_up(run, &rounds[r], rank + apart), &t.received, &t.received_bytes);
            if (rounds[r].has_down)
                count_edge(rounds[r].down, &t.sent, &t.sent_bytes);
        }
    }
    return t;
}

/* ---- Time -------------------------------------------------------------------------------------*/

double model_sum_time(uint64_t bytes, uint64_t ranks, bool to_all, const struct model_costs *costs)
{
    const double step = costs->latency + 2 * costs->message, size = (double)bytes;
    unsigned steps = 0;
    while ((uint64_t)1 << steps < ranks)
        steps++;
    const double part = size * (1 - 1 / (double)ranks);
    const double whole = steps * (step + size * (costs->byte + costs->sum_byte));
    const double cut =
        (to_all ? 2 : 1.5) * steps * step + part * (2 * costs->byte + costs->sum_byte);
    return whole < cut ? whole : cut;
}

/* The times at which ranks are ready for what comes next, and at which their messages arrive. */
struct clocks {
    double *ready, *arrival;
};

static double transfer(const struct model_costs *costs, uint64_t bytes)
{
    return (double)pieces(bytes) * costs->message +
           (double)(MODEL_REPORT_BYTES + bytes) * costs->byte;
}

/* How many times as long a rank works if so many ranks work at a time. */
static double slowdown(const struct model_costs *costs, uint64_t ranks)
{
    const double each = costs->cores > 0 ? (double)ranks / costs->cores : 1;
    return each > 1 ? each : 1;
}

/* Children have greater numbers than their parents. */
static void sweep_up(const struct model_run *run, const struct round *round,
                     const struct model_costs *costs, const uint64_t *encodings,
                     struct clocks *clocks)
{
    for (uint64_t rank = run->ranks; rank-- > 0;) {
        double now = clocks->ready[rank];
        for (uint64_t apart = 1; apart < below(rank, run->ranks); apart *= 2) {
            const uint64_t child = rank + apart;
            if (child >= run->ranks)
                continue;
            const uint64_t bytes = round->is_of_encodings && encodings != NULL
                                       ? encodings[child]
                                       : bytes_up(run, round, child);
            now = now > clocks->arrival[child] ? now : clocks->arrival[child];
            now += (double)pieces(bytes) * costs->message;
            if (round->is_of_encodings)
                now += costs->merge * (double)bytes * slowdown(costs, run->ranks / (2 * apart));
        }
        const uint64_t own = round->is_of_encodings && encodings != NULL
                                 ? encodings[rank]
                                 : bytes_up(run, round, rank);
        if (round->is_of_encodings && (rank > 0 || run->to_all))
            now += costs->write * (double)own *
                   slowdown(costs, run->ranks / (2 * below(rank, run->ranks)));
        if (rank > 0)
            now += transfer(costs, own);
        clocks->arrival[rank] = now + costs->latency;
        clocks->ready[rank] = now;
    }
}

/* The largest subtree is sent to first. A rank sends on, and then reads what has come. */
static void sweep_down(const struct model_run *run, const struct round *round,
                       const struct model_costs *costs, struct clocks *clocks)
{
    uint64_t most = 1;
    while (most < run->ranks)
        most *= 2;
    for (uint64_t rank = 0; rank < run->ranks; rank++) {
        double now = clocks->ready[rank];
        if (rank > 0 && now < clocks->arrival[rank])
            now = clocks->arrival[rank];
        if (rank > 0)
            now += (double)pieces(round->down) * costs->message;
        for (uint64_t apart = (rank > 0 ? rank & (0 - rank) : most) / 2; apart > 0; apart /= 2) {
            if (rank + apart >= run->ranks)
                continue;
            now += transfer(costs, round->down);
            clocks->arrival[rank + apart] = now + costs->latency;
        }
        if (round->is_of_encodings && rank > 0)
            now += costs->merge * (double)round->down * slowdown(costs, run->ranks);
        clocks->ready[rank] = now;
    }
}

static double latest(const struct clocks *clocks, uint64_t ranks)
{
    double time = 0;
    for (uint64_t rank = 0; rank < ranks; rank++)
        time = clocks->ready[rank] > time ? clocks->ready[rank] : time;
    return time;
}

/* All ranks have the words when MPI's reduction ends. */
static void add_sum(const struct model_run *run, const struct model_costs *costs,
                    struct clocks *clocks)
{
    const double time = latest(clocks, run->ranks) +
                        model_sum_time(run->reduction.word_bytes, run->ranks, run->to_all, costs);
    for (uint64_t rank = 0; rank < run->ranks; rank++)
        clocks->ready[rank] = time;
}

double model_time(const struct model_run *run, const struct model_costs *costs,
                  const uint64_t *encodings)
{
    struct round rounds[MOST_ROUNDS];
    struct clocks clocks = {calloc(run->ranks, sizeof(double)), calloc(run->ranks, sizeof(double))};
    const size_t count = list_rounds(run, rounds);
    if (clocks.ready == NULL || clocks.arrival == NULL)
        bench_fail("no memory for the ranks' clocks");
    for (size_t r = 0; r < count; r++) {
        if (r + 1 == count && run->reduction.word_bytes > 0)
            add_sum(run, costs, &clocks);
        sweep_up(run, &rounds[r], costs, encodings, &clocks);
        if (rounds[r].has_down)
            sweep_down(run, &rounds[r], costs, &clocks);
    }
    const double time = latest(&clocks, run->ranks);
    free(clocks.ready);
    free(clocks.arrival);
    return time;
}
