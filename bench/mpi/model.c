/* SPDX-License-Identifier: Apache-2.0
 *
 * See model.h. The rounds are those of src/mpi/request.h: two exchanges, whose steps are those of
 * src/mpi/exchange.c; and for large parts others, each a sweep up the binomial tree of the ranks
 * and one down it.
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

/* A range takes its two ends, and how many values it has or a location: 8 bytes each. Words have a
 * short header and one range before them. */
uint64_t model_encoding(const struct model_run *run, uint64_t first, uint64_t end)
{
    const struct model_reduction *reduction = &run->reduction;
    const uint64_t begin = first * run->items, after = end * run->items;
    const uint64_t row = MODEL_LANES * reduction->value_size, value = 2 + reduction->value_size;
    if (reduction->word_bytes > 0)
        return MODEL_WORDS_HEADER + 16 + reduction->word_bytes;
    if (!reduction->is_ordered)
        return reduction->fixed_bytes + reduction->value_size + 24;
    return reduction->fixed_bytes + 24 + model_values(begin, after) * value +
           model_rows(begin, after) * row;
}

static bool is_small(const struct model_run *run)
{
    return model_encoding(run, 0, run->ranks) <= MODEL_SMALL_BYTES;
}

bool model_adds_words(const struct model_run *run)
{
    return run->ranks > 1 && run->reduction.word_bytes > 0 && !is_small(run);
}

/* ---- Exchanges --------------------------------------------------------------------------------*/

/* What a rank does in a step: its peer, and the ranks whose encodings it sends and receives. */
struct step {
    bool sends, receives, is_last;
    uint64_t peer, sent[2], received[2]; /* the first, and the one after the last */
};

static unsigned log2_of(uint64_t ranks)
{
    unsigned log2 = 0;
    while (ranks >> log2 > 1)
        log2++;
    return log2;
}

/* Without the pairs of ranks that share a place. */
static uint64_t rank_at(uint64_t place, uint64_t pairs)
{
    return place < pairs ? 2 * place : place + pairs;
}

static void set_block(uint64_t place, unsigned log2, uint64_t pairs, uint64_t block[2])
{
    const uint64_t first = place >> log2 << log2;
    block[0] = rank_at(first, pairs);
    block[1] = rank_at(first + ((uint64_t)1 << log2), pairs);
}

/* The step of this number, from 0; false: after the last. */
static bool find_step(uint64_t ranks, uint64_t rank, unsigned number, struct step *step)
{
    const unsigned log2 = log2_of(ranks);
    const uint64_t pairs = ranks - ((uint64_t)1 << log2);
    const bool is_in_pair = rank < 2 * pairs, is_second = is_in_pair && rank % 2 == 1;
    *step = (struct step){.is_last = number > log2};
    if (number > log2 + 1)
        return false;
    if (number == 0 || number > log2) {
        step->peer = rank ^ 1;
        step->sends = is_in_pair && is_second == (number == 0);
        step->receives = is_in_pair && !step->sends;
        step->sent[0] = number == 0 ? rank : 0;
        step->sent[1] = number == 0 ? rank + 1 : ranks;
        step->received[0] = number == 0 ? step->peer : 0;
        step->received[1] = number == 0 ? step->peer + 1 : ranks;
    } else if (!is_second) {
        const uint64_t place = is_in_pair ? rank / 2 : rank - pairs;
        const uint64_t other = place ^ (uint64_t)1 << (number - 1);
        step->sends = step->receives = true;
        step->peer = rank_at(other, pairs);
        set_block(place, number - 1, pairs, step->sent);
        set_block(other, number - 1, pairs, step->received);
    }
    return true;
}

/* How many messages of MPI a packet with so many bytes takes. */
static uint64_t packets(uint64_t bytes)
{
    return 1 + (bytes > MODEL_PACKET_BYTES - MODEL_HEADER_BYTES);
}

/* Encodings are exchanged, and then whether all ranks have merged them. */
static uint64_t bytes_in_step(const struct model_run *run, bool is_first, const uint64_t block[2])
{
    return is_first && is_small(run) ? model_encoding(run, block[0], block[1]) : 0;
}

static void count_exchange(const struct model_run *run, uint64_t rank, bool is_first,
                           struct model_traffic *traffic)
{
    struct step step;
    for (unsigned s = 0; find_step(run->ranks, rank, s, &step); s++) {
        const uint64_t out = bytes_in_step(run, is_first, step.sent);
        const uint64_t in = bytes_in_step(run, is_first, step.received);
        traffic->sent += step.sends ? packets(out) : 0;
        traffic->sent_bytes += step.sends ? MODEL_HEADER_BYTES + out : 0;
        traffic->received += step.receives ? packets(in) : 0;
        traffic->received_bytes += step.receives ? MODEL_HEADER_BYTES + in : 0;
    }
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
    if (run->ranks == 1 || is_small(run))
        return 0;
    rounds[count++] = (struct round){false, true, 16, words > 0 ? 16 : 0};
    if (words > 0)
        rounds[count++] = (struct round){false, true, 0, 0};
    if (words == 0)
        rounds[count++] = (struct round){true, run->to_all, 0, model_encoding(run, 0, run->ranks)};
    rounds[count++] = (struct round){false, true, 0, 0};
    return count;
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
    count_exchange(run, rank, true, &t);
    if (is_small(run))
        count_exchange(run, rank, false, &t);
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

static double later(double a, double b)
{
    return a > b ? a : b;
}

static double send_packet(const struct model_costs *costs, uint64_t bytes)
{
    return (double)packets(bytes) * costs->message +
           (double)(MODEL_HEADER_BYTES + bytes) * costs->byte;
}

/* All ranks work at a time. Words are added; encodings are written, read and merged. */
static void exchange_step(const struct model_run *run, const struct model_costs *costs,
                          bool is_first, unsigned number, struct clocks *clocks)
{
    const bool has_words = run->reduction.word_bytes > 0;
    const double slower = slowdown(costs, run->ranks);
    const double write = slower * (has_words ? 0 : costs->write);
    const double merge = slower * (has_words ? costs->sum_byte : costs->merge);
    struct step step;
    for (uint64_t rank = 0; rank < run->ranks; rank++) {
        find_step(run->ranks, rank, number, &step);
        const uint64_t out = bytes_in_step(run, is_first, step.sent);
        if (step.sends)
            clocks->ready[rank] += write * (double)out + send_packet(costs, out);
        clocks->arrival[rank] = clocks->ready[rank] + costs->latency;
    }
    for (uint64_t rank = 0; rank < run->ranks; rank++) {
        find_step(run->ranks, rank, number, &step);
        const uint64_t in = bytes_in_step(run, is_first, step.received);
        if (step.receives)
            clocks->ready[rank] = later(clocks->ready[rank], clocks->arrival[step.peer]) +
                                  (double)packets(in) * costs->message + merge * (double)in;
    }
}

static void exchange(const struct model_run *run, const struct model_costs *costs, bool is_first,
                     struct clocks *clocks)
{
    struct step step;
    for (unsigned s = 0; find_step(run->ranks, 0, s, &step); s++)
        exchange_step(run, costs, is_first, s, clocks);
}

/* Children have greater numbers than their parents. */
static void sweep_up(const struct model_run *run, const struct round *round,
                     const struct model_costs *costs, struct clocks *clocks)
{
    for (uint64_t rank = run->ranks; rank-- > 0;) {
        double now = clocks->ready[rank];
        for (uint64_t apart = 1; apart < below(rank, run->ranks); apart *= 2) {
            const uint64_t child = rank + apart;
            if (child >= run->ranks)
                continue;
            const uint64_t bytes = bytes_up(run, round, child);
            now = later(now, clocks->arrival[child]);
            now += (double)pieces(bytes) * costs->message;
            if (round->is_of_encodings)
                now += costs->merge * (double)bytes * slowdown(costs, run->ranks / (2 * apart));
        }
        const uint64_t own = bytes_up(run, round, rank);
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
        time = later(time, clocks->ready[rank]);
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

double model_time(const struct model_run *run, const struct model_costs *costs)
{
    struct round rounds[MOST_ROUNDS];
    struct clocks clocks = {calloc(run->ranks, sizeof(double)), calloc(run->ranks, sizeof(double))};
    const size_t count = list_rounds(run, rounds);
    if (clocks.ready == NULL || clocks.arrival == NULL)
        bench_fail("no memory for the ranks' clocks");
    exchange(run, costs, true, &clocks);
    if (is_small(run))
        exchange(run, costs, false, &clocks);
    for (size_t r = 0; r < count; r++) {
        if (r + 1 == count && model_adds_words(run))
            add_sum(run, costs, &clocks);
        sweep_up(run, &rounds[r], costs, &clocks);
        if (rounds[r].has_down)
            sweep_down(run, &rounds[r], costs, &clocks);
    }
    const double time = latest(&clocks, run->ranks);
    free(clocks.ready);
    free(clocks.arrival);
    return time;
}
