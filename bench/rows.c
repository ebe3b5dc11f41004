/* SPDX-License-Identifier: Apache-2.0
 *
 * The promises, each as Reap's work and a baseline's: cases, of some size and threads, by a peer.
 * Both, and what tells whether the baseline is weak, take turns.
 */
#include "bench/rows.h"

#include "bench/data.h"
#include "bench/fail.h"
#include "bench/side.h"
#include "bench/table.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 1, ALL = 0 };

#define SMALL ((size_t)1 << 16) /* numbers: in the second-level cache */
#define LARGE ((size_t)1 << 26) /* and, some of them, far beyond caches */

/* One side of a row. */
struct row_side {
    const char *work;
    enum bench_type type;
    const char *variant;
    size_t count;
    int threads; /* ALL: as many as there are */
};

/* The ratio is the baseline's time over Reap's. */
struct row {
    const char *name, *against;
    double at_least, aim;
    struct row_side reap;
    const char *peer; /* the baseline's; "read": the loop that reads what Reap's side does */
    struct row_side baseline; /* where its work is NULL, Reap's */
    bool is_bounded; /* void when the baseline takes more than 1/0.8 of the read loop's time */
};

#define FLOATS(work, count)                                                                        \
    {                                                                                              \
        work, BENCH_FLOAT, "", count, ALL                                                          \
    }
#define DOUBLES(work, count)                                                                       \
    {                                                                                              \
        work, BENCH_DOUBLE, "", count, ALL                                                         \
    }
#define INTS(work, count)                                                                          \
    {                                                                                              \
        work, BENCH_INT, "", count, ALL                                                            \
    }
#define ONE_THREAD(work, count)                                                                    \
    {                                                                                              \
        work, BENCH_FLOAT, "", count, 1                                                            \
    }
#define NUMBERS(work, variant, count)                                                              \
    {                                                                                              \
        work, BENCH_UINT32, variant, count, ALL                                                    \
    }
#define GCC "openmp-gcc"
#define PLAIN "openmp-gcc-O2"

static const struct row rows[] = {
    {"sum of floats", "read bandwidth", 0.95, 1, FLOATS("sum", 4 * LARGE), .peer = "read"},
    {"sum of doubles", "read bandwidth", 0.95, 1, DOUBLES("sum", 2 * LARGE), .peer = "read"},
    {"sum of ints", "read bandwidth", 0.95, 1, INTS("sum", 4 * LARGE), .peer = "read"},
    {"dot of floats", "read bandwidth", 0.95, 1, FLOATS("dot", 2 * LARGE), .peer = "read"},
    {"sum, max, min, squares", "read bandwidth", 0.95, 1, FLOATS("four", 4 * LARGE),
     .peer = "read"},
    {"sum of floats", "OpenMP", 1, 1.1, FLOATS("sum", 4 * LARGE), .peer = GCC, .is_bounded = true},
    {"sum of doubles", "OpenMP", 1, 1.1, DOUBLES("sum", 2 * LARGE), .peer = GCC,
     .is_bounded = true},
    {"sum of ints", "OpenMP", 1, 1.1, INTS("sum", 4 * LARGE), .peer = GCC, .is_bounded = true},
    {"dot of floats", "OpenMP", 1, 1.1, FLOATS("dot", 2 * LARGE), .peer = GCC, .is_bounded = true},
    {"sum, max, min, squares", "OpenMP", 1, 1.1, FLOATS("four", 4 * LARGE), .peer = GCC,
     .is_bounded = true},
    {"sum and max in cache", "OpenMP", 0.9, 1.2, ONE_THREAD("sum-max", SMALL), .peer = GCC},
    {"sum and max in cache", "OpenMP at -O2", 2, 4, ONE_THREAD("sum-max", SMALL), .peer = PLAIN},
    {"dot in cache", "OpenBLAS", 0.5, 0.8, ONE_THREAD("dot", SMALL), .peer = "openblas"},
    {"64 items to a value", "OpenMP, all threads", 5, 20, FLOATS("launch", 64), .peer = PLAIN},
    {"64 items to a value", "OpenMP, one thread", 1, 2, FLOATS("launch", 64), .peer = PLAIN,
     .baseline = ONE_THREAD("launch", 64)},
    {"chain of 1000 launches", "1000 calls, atomics", 0.2, 0.2, NUMBERS("chain", "launches", 1),
     .peer = "reap", .baseline = NUMBERS("chain", "calls, atomics", 1)},
    {"rows of 1000, 2-D",
     "the same in 1-D",
     0.7,
     0.9,
     {"rows", BENCH_FLOAT, "rows of 1000", SMALL, 1},
     .peer = "reap",
     .baseline = ONE_THREAD("sum", 65000)},
    {"argmax in cache", "sum in cache", 0.3, 0.6, ONE_THREAD("argmax", SMALL), .peer = "reap",
     .baseline = ONE_THREAD("sum", SMALL)},
    {"256 bins, one of them hit", "256 bins, all alike", 0.5, 1,
     NUMBERS("histogram", "256 bins, one", LARGE), .peer = "reap",
     .baseline = NUMBERS("histogram", "256 bins, uniform", LARGE)},
    {"tree kernel, barriers", "OpenCL", 0.2, 0.33, NUMBERS("tree", "barriers", LARGE),
     .peer = "opencl"},
    {"tree kernel, phases", "OpenCL", 2.5, 5, NUMBERS("tree", "phases", LARGE), .peer = "opencl"},
};

static int find_variant(const struct bench_case *work, const char *name)
{
    for (size_t v = 0; v < work->variant_count; v++)
        if (strcmp(work->variants[v].name, name) == 0)
            return (int)v;
    bench_fail("a row names a variant that its case does not have");
}

/* Large arrays are a quarter as large in quick runs, and where memory holds no more. */
static struct side_work find_work(const struct bench_report *report, const struct row_side *side,
                                  bool is_quick)
{
    const struct bench_case *work = bench_case_find(side->work);
    struct side_work found = {.work = work,
                              .type = side->type,
                              .variant = find_variant(work, side->variant),
                              .threads =
                                  side->threads == ALL ? report->machine.threads : side->threads,
                              .seed = SEED};
    size_t count = side->count;
    if (is_quick && count >= LARGE)
        count /= 4;
    while (count > data_most_count(work, side->type, 2))
        count /= 2;
    found.count = side_count(work, found.variant, count);
    return found;
}

/* Makes a side and compares what it comes to with the naive loop. */
static bool make_side(struct side *side, const struct side_work *work, const struct peer *peer,
                      int slot)
{
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    side_make(side, work, peer, slot);
    side_call(side);
    return side_agrees(side, &reference);
}

/* A machine that was busy with something else tells nothing. */
#define MOST_SPREAD 0.5

static const char *judge(const struct row *row, const struct measured times[3])
{
    const double ratio = times[1].seconds / times[0].seconds;
    if (row->is_bounded && times[1].seconds > times[2].seconds / 0.8)
        return "void";
    if (times[0].spread > MOST_SPREAD || times[1].spread > MOST_SPREAD)
        return "void";
    return ratio >= row->aim ? "aim" : ratio >= row->at_least ? "holds" : "below";
}

/* Fills in what was measured. */
static void measure(struct bench_report *report, const struct row *row,
                    const struct rows_settings *settings, struct report_row *measured)
{
    static struct side sides[3];
    const struct peer *reap = report->peers->peers, *peer = peers_find(report->peers, row->peer);
    const bool is_read = strcmp(row->peer, "read") == 0;
    const struct side_work work = find_work(report, &row->reap, settings->is_quick);
    const struct side_work other =
        row->baseline.work == NULL ? work : find_work(report, &row->baseline, settings->is_quick);
    struct measured_side timed[3];
    struct measured times[3];
    bool is_right = make_side(&sides[0], &work, reap, 0);
    if (is_read)
        side_make_read_loop(&sides[1], &work);
    else
        is_right &= make_side(&sides[1], &other, peer, 1);
    side_make_read_loop(&sides[2], &work);
    measured->verdict = "wrong";
    report->is_wrong |= !is_right;
    if (!is_right)
        return;
    for (int s = 0; s < 3; s++)
        timed[s] = side_measured(&sides[s]);
    measure_in_turns(timed, row->is_bounded ? 3 : 2, &settings->turns, times);
    measured->reap = times[0];
    measured->baseline = times[1];
    measured->verdict = judge(row, times);
}

static void run_row(struct bench_report *report, const struct row *row,
                    const struct rows_settings *settings)
{
    const struct peer *peer = peers_find(report->peers, row->peer);
    const bool is_read = strcmp(row->peer, "read") == 0;
    struct report_row measured = {.work = row->name,
                                  .against = row->against,
                                  .at_least = row->at_least,
                                  .aim = row->aim,
                                  .verdict = "skipped",
                                  .reap_flags = report->peers->peers->is_there->flags,
                                  .baseline_flags = is_read ? BENCH_READ_FLAGS : ""};
    if (peer != NULL && peer->is_there != NULL)
        measured.baseline_flags = peer->is_there->flags;
    if (is_read || (peer != NULL && peer->is_there != NULL))
        measure(report, row, settings, &measured);
    report_add_row(report, &measured);
    table_row(&measured);
}

static bool is_wanted(const struct row *row, const char *word)
{
    return word == NULL || strstr(row->name, word) != NULL || strstr(row->against, word) != NULL ||
           strstr(row->reap.work, word) != NULL;
}

size_t rows_run(struct bench_report *report, const struct rows_settings *settings)
{
    size_t wanted = 0;
    data_hold(2);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (is_wanted(&rows[r], settings->word)) {
            if (wanted++ == 0)
                table_rows_begin();
            run_row(report, &rows[r], settings);
        }
    return wanted;
}
