/* SPDX-License-Identifier: Apache-2.0
 *
 * The promises. Most are judged by the points of the series, whose sides took turns: a row of many
 * sizes has the ratio of the size where it is least. The others are two sides measured here.
 */
#define _GNU_SOURCE /* asprintf */
#include "bench/rows.h"

#include "bench/data.h"
#include "bench/fail.h"
#include "bench/series.h"
#include "bench/table.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 1, ALL = 0, MANY_THREADS = 16, MOST_BASELINES = 5 };

/* A machine that was busy with something else tells nothing. */
#define MOST_SPREAD 0.5

/* A baseline from memory that reads slower than this part of what the read loop does is weak. */
#define LEAST_OF_BANDWIDTH 0.8

#define READ_LOOP "read"
#define GCC "openmp-gcc"
#define CLANG "openmp-clang"
#define PLAIN "openmp-gcc-O2"
#define ATOMIC "openmp-atomic"

static const char *format(const char *pattern, const char *a, const char *b, const char *c)
{
    char *text;
    if (asprintf(&text, pattern, a, b, c) < 0)
        bench_fail("not enough memory");
    return text;
}

static void add_row(struct bench_report *report, const struct report_row *row)
{
    if (report->row_count == 0)
        table_rows_begin();
    report_add_row(report, row);
    table_row(row);
}

static struct report_row make_row(const struct bench_report *report, const char *work,
                                  const char *against, double at_least, double aim)
{
    return (struct report_row){.work = work,
                               .against = against,
                               .at_least = at_least,
                               .aim = aim,
                               .verdict = "skipped",
                               .reap_flags = report->peers->peers[PEER_REAP].facts.flags,
                               .baseline_flags = ""};
}

static void judge(struct report_row *row)
{
    const double ratio = row->baseline.seconds / row->reap.seconds;
    row->verdict = ratio >= row->aim ? "aim" : ratio >= row->at_least ? "holds" : "below";
}

/* ---- Rows of the series' points ---------------------------------------------------------------*/

/* The points that a row is about: those of a case and type, its baseline the fastest of some
 * peers. */
struct band {
    const char *name, *against;
    double at_least, aim;
    const char *baselines[MOST_BASELINES];
    int threads;          /* ALL: as many as there are */
    unsigned least, most; /* log2 of the elements; 0: any */
    bool is_of_largest;   /* of the series' largest size alone, where that is in memory */
    bool is_bounded;      /* void where the baseline is weak */
    bool is_in_caches;    /* of sizes that are not in memory */
};

static const struct band owed_bands[] = {
    {.name = "from 2^12",
     .against = "the fastest peer",
     .at_least = 0.9,
     .aim = 1.2,
     .baselines = {GCC, CLANG, "tbb", "numpy"},
     .least = 12,
     .is_bounded = true},
    {.name = "from memory",
     .against = "read bandwidth",
     .at_least = 0.95,
     .aim = 1,
     .baselines = {READ_LOOP},
     .is_of_largest = true},
    {.name = "in caches",
     .against = "OpenMP, one thread",
     .at_least = 0.9,
     .aim = 1,
     .baselines = {GCC, CLANG},
     .threads = 1,
     .is_in_caches = true},
};

static const struct band many_threads_band = {.name = "2^16 to 2^22",
                                              .against = "OpenMP, 16 threads",
                                              .at_least = 0.9,
                                              .aim = 1.3,
                                              .baselines = {GCC, CLANG},
                                              .least = 16,
                                              .most = 22};

static const struct band narrow_band = {.name = "from memory",
                                        .against = "read bandwidth",
                                        .at_least = 0.7,
                                        .aim = 0.95,
                                        .baselines = {READ_LOOP},
                                        .is_of_largest = true};

static const struct band histogram_band = {.name = "from memory",
                                           .against = "OpenMP",
                                           .at_least = 0.9,
                                           .aim = 1.2,
                                           .baselines = {GCC, CLANG},
                                           .is_of_largest = true};

static const struct band key_bands[] = {{.name = "int",
                                         .against = "OpenMP",
                                         .at_least = 0.9,
                                         .aim = 1.2,
                                         .baselines = {GCC, CLANG, ATOMIC},
                                         .least = 22},
                                        {.name = "exact float",
                                         .against = "OpenMP, unordered",
                                         .at_least = 0.4,
                                         .aim = 1,
                                         .baselines = {GCC, CLANG, ATOMIC},
                                         .least = 22}};

static const struct band ready_band = {.name = "from 2^10",
                                       .against = "NumPy, OpenBLAS",
                                       .at_least = 1,
                                       .aim = 1.2,
                                       .baselines = {"numpy", "openblas"},
                                       .least = 10};

static const struct band tree_bands[] = {{.name = "2^26",
                                          .against = "OpenCL",
                                          .at_least = 0.3,
                                          .aim = 0.5,
                                          .baselines = {"opencl"},
                                          .least = 26,
                                          .most = 26},
                                         {.name = "2^26",
                                          .against = "OpenCL",
                                          .at_least = 2.5,
                                          .aim = 5,
                                          .baselines = {"opencl"},
                                          .least = 26,
                                          .most = 26}};

static bool is_of_band(const struct bench_report *report, const struct band *band,
                       const struct side_work *work)
{
    const int threads = band->threads == ALL ? report->machine.threads : band->threads;
    const double least = (double)((size_t)1 << band->least);
    const double most = band->most > 0 ? (double)((size_t)1 << band->most) : 0x1p60;
    return work->threads == threads && (double)work->count >= least && (double)work->count <= most;
}

/* The fastest of the baselines at a piece of work; NULL: none was measured. */
static const struct report_point *find_fastest(const struct bench_report *report,
                                               const struct band *band,
                                               const struct side_work *work)
{
    const struct report_point *fastest = NULL;
    for (int b = 0; b < MOST_BASELINES && band->baselines[b] != NULL; b++) {
        const struct report_point *point = report_find_point(report, work, band->baselines[b]);
        if (point != NULL && (fastest == NULL || point->time.seconds < fastest->time.seconds))
            fastest = point;
    }
    return fastest;
}

/* Why the comparison tells nothing; NULL: it does. */
static const char *why_void(const struct bench_report *report, const struct band *band,
                            const struct side_work *work, const struct report_point *reap,
                            const struct report_point *baseline)
{
    const struct report_point *read =
        band->is_bounded ? report_find_point(report, work, READ_LOOP) : NULL;
    if (reap->time.spread > MOST_SPREAD || baseline->time.spread > MOST_SPREAD)
        return "a spread is over half of the time";
    if (read != NULL && baseline->time.seconds * LEAST_OF_BANDWIDTH > read->time.seconds)
        return "the baseline has less than 0.8 of the read bandwidth";
    return NULL;
}

/* Takes the size into the row where the ratio is less than at those before. */
static void take_size(const struct bench_report *report, const struct band *band,
                      const struct side_work *work, const struct report_point *reap,
                      struct report_row *row)
{
    const struct report_point *baseline = find_fastest(report, band, work);
    if (baseline == NULL)
        return;
    const char *why = why_void(report, band, work, reap, baseline);
    if (why != NULL) {
        if (row->reap.seconds <= 0) {
            row->verdict = "void";
            row->why = why;
        }
        return;
    }
    if (row->reap.seconds > 0 &&
        baseline->time.seconds / reap->time.seconds >= row->baseline.seconds / row->reap.seconds)
        return;
    const struct peer *peer = peers_find(report->peers, baseline->peer);
    row->why = NULL;
    row->reap = reap->time;
    row->baseline = baseline->time;
    row->elements = reap->elements;
    row->baseline_peer = peer->title;
    row->baseline_flags = peer->facts.flags;
    judge(row);
}

static bool is_in_memory(const struct report_point *point)
{
    return point->limit != NULL && strcmp(point->limit, "DRAM") == 0;
}

/* The elements of the largest size in memory; 0: there is none. */
static double find_largest(const struct bench_report *report, struct side_work work)
{
    double largest = 0;
    for (size_t p = 0; p < report->point_count; p++) {
        work.count = (size_t)report->points[p].elements;
        const struct report_point *reap = report_find_point(report, &work, "reap");
        if (reap != NULL && reap->elements > largest && is_in_memory(reap))
            largest = reap->elements;
    }
    return largest;
}

/* The work's elements do not matter. */
static void run_band(struct bench_report *report, const struct band *band, struct side_work work)
{
    const char *variant = work.work->variants[work.variant].name;
    work.threads = band->threads == ALL ? report->machine.threads : band->threads;
    const double largest = find_largest(report, work);
    const char *type = bench_type_name(work.type);
    struct report_row row = make_row(
        report,
        format("%s, %s: %s", work.work->title, variant[0] != '\0' ? variant : type, band->name),
        band->against, band->at_least, band->aim);
    row.why = "not measured";
    for (size_t p = 0; p < report->point_count; p++) {
        const struct report_point *point = &report->points[p];
        work.count = (size_t)point->elements;
        if (strcmp(point->peer, "reap") == 0 && report_find_point(report, &work, "reap") == point &&
            is_of_band(report, band, &work) && !(band->is_in_caches && is_in_memory(point)) &&
            (!band->is_of_largest || point->elements == largest))
            take_size(report, band, &work, point, &row);
    }
    add_row(report, &row);
}

/* ---- Rows that are measured here --------------------------------------------------------------*/

struct pair_side {
    const char *work, *variant;
    int threads; /* ALL: as many as there are */
};

/* Both sides have the same elements. */
struct pair {
    const char *name, *against;
    double at_least, aim;
    size_t count;
    struct pair_side reap;
    const char *peer; /* the baseline's */
    struct pair_side baseline;
    enum bench_type type;
};

#define SMALL ((size_t)1 << 16)  /* numbers: in the second-level cache */
#define MATRIX ((size_t)1 << 18) /* a matrix of 512 rows */
#define LARGE ((size_t)1 << 26)  /* far beyond caches */

static const struct pair pairs[] = {
    {"rows of 32: in cache",
     "the same in 1-D",
     0.6,
     0.8,
     SMALL,
     {"rows", "rows of 32", 1},
     "reap",
     {"sum", "", 1},
     BENCH_FLOAT},
    {"rows of 32: from memory",
     "the same in 1-D",
     0.6,
     0.8,
     LARGE,
     {"rows", "rows of 32", ALL},
     "reap",
     {"sum", "", ALL},
     BENCH_FLOAT},
    {"rows of 1000: in cache",
     "the same in 1-D",
     0.85,
     0.95,
     SMALL,
     {"rows", "rows of 1000", 1},
     "reap",
     {"sum", "", 1},
     BENCH_FLOAT},
    {"rows of 1000: from memory",
     "the same in 1-D",
     0.85,
     0.95,
     LARGE,
     {"rows", "rows of 1000", ALL},
     "reap",
     {"sum", "", ALL},
     BENCH_FLOAT},
    {"matrix product in tiles, with barriers",
     "the same in phases",
     0.5,
     0.8,
     MATRIX,
     {"matrix", "barriers", ALL},
     "reap",
     {"matrix", "phases", ALL},
     BENCH_FLOAT},
    {"64 items to a value",
     "OpenMP, all threads",
     5,
     20,
     64,
     {"launch", "", ALL},
     PLAIN,
     {"launch", "", ALL},
     BENCH_FLOAT},
    {"64 items to a value",
     "OpenMP, one thread",
     1.5,
     3,
     64,
     {"launch", "", ALL},
     PLAIN,
     {"launch", "", 1},
     BENCH_FLOAT},
    {"exact sum, double: from memory",
     "the plain sum",
     0.6,
     1,
     LARGE,
     {"exact-sum", "", ALL},
     "reap",
     {"sum", "", ALL},
     BENCH_DOUBLE},
    {"k-means, 10^7 points, 64 clusters",
     "OpenMP, gcc",
     1,
     2,
     10000000,
     {"kmeans", "", ALL},
     GCC,
     {"kmeans", "", ALL},
     BENCH_FLOAT},
    {"k-means, 10^7 points, 64 clusters",
     "OpenMP, clang",
     1,
     2,
     10000000,
     {"kmeans", "", ALL},
     CLANG,
     {"kmeans", "", ALL},
     BENCH_FLOAT},
};

static struct side_work find_work(const struct bench_report *report, const struct pair_side *side,
                                  enum bench_type type, size_t count)
{
    const struct bench_case *work = bench_case_find(side->work);
    int variant = 0;
    while (strcmp(work->variants[variant].name, side->variant) != 0)
        variant++;
    return (struct side_work){.work = work,
                              .type = type,
                              .variant = variant,
                              .count = side_count(work, variant, count),
                              .threads =
                                  side->threads == ALL ? report->machine.threads : side->threads,
                              .seed = SEED};
}

/* Starts a process for the side and looks at its result. The data is prepared first, so that both
 * sides' processes share it. */
static bool start(struct bench_report *report, struct worker *worker, const struct peer *peer,
                  const struct side_work *work)
{
    struct peer_facts facts;
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    worker_start(worker, peer->name, &facts);
    return report_check(report, worker, peer, work, &reference.result);
}

static void measure_pair(struct bench_report *report, const struct pair *pair,
                         const struct peer *peer, struct report_row *row)
{
    const struct peer *peers[] = {&report->peers->peers[PEER_REAP], peer};
    const struct side_work reap = find_work(report, &pair->reap, pair->type, pair->count);
    const struct side_work works[] = {reap,
                                      find_work(report, &pair->baseline, pair->type, reap.count)};
    struct worker workers[2];
    struct worker_side sides[2];
    struct measured_side measured[2];
    struct measured times[2];
    bool is_right = true;
    for (int s = 0; s < 2; s++) {
        is_right &= start(report, &workers[s], peers[s], &works[s]);
        sides[s] = (struct worker_side){&workers[s], &works[s], &report->settings};
        measured[s] = worker_measured(&sides[s]);
    }
    row->verdict = "wrong";
    if (is_right) {
        measure_in_turns(measured, 2, &report->settings, times);
        row->reap = times[0];
        row->baseline = times[1];
        row->elements = (double)reap.count;
        row->baseline_peer = peer->title;
        judge(row);
        if (times[0].spread > MOST_SPREAD || times[1].spread > MOST_SPREAD) {
            row->verdict = "void";
            row->why = "a spread is over half of the time";
        }
    }
    for (int s = 0; s < 2; s++)
        worker_end(&workers[s]);
}

static void run_pair(struct bench_report *report, const struct pair *pair)
{
    const struct peer *peer = peers_find(report->peers, pair->peer);
    struct report_row row = make_row(report, pair->name, pair->against, pair->at_least, pair->aim);
    if (peer == NULL) {
        row.why = "the baseline is not there";
    } else {
        row.baseline_flags = peer->facts.flags;
        measure_pair(report, pair, peer, &row);
    }
    add_row(report, &row);
}

/* Processor time that helpers take once nothing is launched, against a bound that is a time. */
static void run_idle(struct bench_report *report, const struct bench_case *work)
{
    enum { TURNS = 5 };
    static const struct measure_settings settings = {.turns = TURNS};
    const struct peer *reap = &report->peers->peers[PEER_REAP];
    const struct side_work idle = {.work = work,
                                   .type = BENCH_FLOAT,
                                   .count = SMALL,
                                   .threads = report->machine.threads,
                                   .seed = SEED};
    struct report_row row = make_row(report, "a helper's time after launches", "2 ms", 1, 10);
    struct worker worker;
    struct worker_side side = {&worker, &idle, NULL};
    const struct measured_side measured = worker_measured(&side);
    row.why = "the machine has one thread, so no helpers";
    if (idle.threads > 1 && start(report, &worker, reap, &idle)) {
        measure_in_turns(&measured, 1, &settings, &row.reap);
        row.baseline.seconds = 2e-3;
        row.elements = (double)idle.count;
        row.why = NULL;
        judge(&row);
        worker_end(&worker);
    }
    add_row(report, &row);
}

/* ---- All rows ---------------------------------------------------------------------------------*/

static const enum bench_type owed_types[] = {BENCH_FLOAT, BENCH_DOUBLE, BENCH_INT};

enum { OWED_TYPES = sizeof owed_types / sizeof *owed_types };

static void run_owed(struct bench_report *report, const struct band *band, const char *words)
{
    for (size_t c = 0; c < bench_number_of_cases; c++)
        for (int t = 0; t < OWED_TYPES; t++)
            if (bench_cases[c]->is_owed && series_is_wanted(bench_cases[c]->name, words))
                run_band(report, band,
                         (struct side_work){.work = bench_cases[c], .type = owed_types[t]});
}

/* Libraries' functions against those of algorithms.h. */
static void run_ready(struct bench_report *report, const char *words)
{
    for (size_t c = 0; c < bench_number_of_cases; c++)
        for (size_t o = 0; o < bench_cases[c]->offer_count; o++)
            if (bench_cases[c]->library_name != NULL &&
                series_is_wanted(bench_cases[c]->name, words))
                run_band(report, &ready_band,
                         (struct side_work){.work = bench_cases[c],
                                            .type = bench_cases[c]->offers[o].type});
}

static void run_many_threads(struct bench_report *report, const char *words)
{
    struct report_row row =
        make_row(report, "all of these, 2^16 to 2^22", many_threads_band.against,
                 many_threads_band.at_least, many_threads_band.aim);
    if (report->machine.threads >= MANY_THREADS) {
        run_owed(report, &many_threads_band, words);
        return;
    }
    row.why = "the machine has fewer than 16 threads";
    add_row(report, &row);
}

/* A row for each variant of the case; the last of the bands is that of all further ones. */
static void run_variants(struct bench_report *report, const char *name, enum bench_type type,
                         const struct band *bands, size_t band_count)
{
    const struct bench_case *work = bench_case_find(name);
    for (size_t v = 0; v < work->variant_count; v++)
        run_band(report, &bands[v < band_count ? v : band_count - 1],
                 (struct side_work){.work = work, .type = type, .variant = (int)v});
}

void rows_run(struct bench_report *report, const char *words)
{
    workers_end(&report->workers);
    for (size_t b = 0; b < sizeof owed_bands / sizeof *owed_bands; b++)
        run_owed(report, &owed_bands[b], words);
    run_many_threads(report, words);
    if (series_is_wanted("sum", words)) {
        run_variants(report, "sum", BENCH_HALF, &narrow_band, 1);
        run_variants(report, "sum", BENCH_BFLOAT16, &narrow_band, 1);
    }
    if (series_is_wanted("histogram", words))
        run_variants(report, "histogram", BENCH_UINT32, &histogram_band, 1);
    if (series_is_wanted("by-key", words)) {
        run_variants(report, "by-key", BENCH_INT, &key_bands[0], 1);
        run_variants(report, "by-key", BENCH_FLOAT, &key_bands[1], 1);
    }
    run_ready(report, words);
    if (series_is_wanted("tree", words))
        run_variants(report, "tree", BENCH_UINT32, tree_bands, 2);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        if (series_is_wanted(pairs[p].reap.work, words))
            run_pair(report, &pairs[p]);
    if (series_is_wanted("launch", words))
        run_idle(report, bench_case_find("sum"));
}
