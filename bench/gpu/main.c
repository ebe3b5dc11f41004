/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench-gpu [--quick] [--json FILE] [WORD]: measures Reap on a CUDA device beside CUB on the
 * same card, the rows whose names contain WORD, all by default, and prints each ratio with the
 * design's bounds. Exit status 1 when a result is wrong; a slow row is not a failure.
 */
#include "bench/gpu/compile_time.h"
#include "bench/gpu/reference.h"
#include "bench/gpu/report.h"

#include <stdlib.h>
#include <string.h>

/* What the card's bandwidth is measured with, at least: far more than its cache holds. */
#define LEAST_BYTES ((size_t)1 << 30)

#define KMEANS "k-means step, 64 clusters"

enum { KMEANS_POINTS = 10000000 };

/* Rows over one input: for every size from `least` to `most`, in steps, as powers of two. */
struct rows {
    const char *work;
    const char *against;
    enum gpu_work kind;
    enum gpu_input input;
    unsigned least, most, step;
    size_t bins;
    double at_least, aim;
    const char *name, *type, *variant; /* of the points, as on the host */
};

struct settings {
    struct gpu_turns turns;
    unsigned most; /* log2 of the largest size */
    const char *word, *json;
};

static const struct rows all_rows[] = {
    {"sum of floats", "CUB", GPU_SUM_FLOAT, GPU_FLOATS, 10, 30, 1, 0, 0, 0, "sum", "float", ""},
    {"dot of floats", "CUB", GPU_DOT, GPU_FLOATS, 10, 29, 3, 0, 0, 0, "dot", "float", ""},
    {"argmax of floats", "CUB", GPU_ARGMAX, GPU_FLOATS, 10, 28, 3, 0, 0, 0, "argmax", "float", ""},
    {"sum, max, min, squares", "CUB, the sum", GPU_FOUR, GPU_FLOATS, 28, 28, 1, 0, 0.95, 0.99,
     "four", "float", ""},
    {"sum of doubles", "CUB", GPU_SUM_DOUBLE, GPU_DOUBLES, 10, 30, 1, 0, 0, 0, "sum", "double", ""},
    {"sum of ints", "CUB", GPU_SUM_INT, GPU_INTS, 10, 30, 1, 0, 0, 0, "sum", "int", ""},
    {"exact sum of floats", "the plain sum", GPU_EXACT_FLOAT, GPU_FLOATS, 12, 30, 6, 0, 0, 0,
     "exact sum", "float", ""},
    {"exact sum of doubles", "the plain sum", GPU_EXACT_DOUBLE, GPU_DOUBLES, 10, 28, 6, 0, 0, 0,
     "exact sum", "double", ""},
    {"256 bins, 8 bits, uniform", "CUB", GPU_HISTOGRAM_8, GPU_UNIFORM_8, 26, 26, 1, 256, 1, 1.2,
     "histogram", "uint8", "256 bins, uniform"},
    {"256 bins, 8 bits, one hot", "CUB", GPU_HISTOGRAM_8, GPU_HOT_8, 26, 26, 1, 256, 1, 1.2,
     "histogram", "uint8", "256 bins, one"},
    {"8192 bins, 16 bits, uniform", "CUB", GPU_HISTOGRAM_16, GPU_UNIFORM_16, 26, 26, 1, 8192, 1.5,
     2.5, "histogram", "uint16", "8192 bins, uniform"},
    {"8192 bins, 16 bits, one hot", "CUB", GPU_HISTOGRAM_16, GPU_HOT_16, 26, 26, 1, 8192, 1.5, 2.5,
     "histogram", "uint16", "8192 bins, one"},
    {"256 bins, 32 bits, uniform", "CUB", GPU_HISTOGRAM_32, GPU_UNIFORM_32, 26, 26, 1, 256, 1, 1.2,
     "histogram", "uint32", "256 bins, uniform"},
    {"8192 bins, 32 bits, uniform", "CUB", GPU_HISTOGRAM_32, GPU_WIDE_32, 26, 26, 1, 8192, 1.5, 2.5,
     "histogram", "uint32", "8192 bins, uniform"},
    {"256 bins, 32 bits, one hot", "CUB", GPU_HISTOGRAM_32, GPU_HOT_32, 26, 26, 1, 256, 1, 1.2,
     "histogram", "uint32", "256 bins, one"},
    {"8192 bins, 32 bits, one hot", "CUB", GPU_HISTOGRAM_32, GPU_HOT_32, 26, 26, 1, 8192, 1.5, 2.5,
     "histogram", "uint32", "8192 bins, one"},
    {"ints by 64 keys", "CUB or atomicAdd", GPU_KEYS_INT, GPU_NUMBERS_32, 24, 24, 1, 64, 0.8, 1.2,
     "by-key", "uint32", "64 keys"},
    {"ints by 2048 keys", "CUB or atomicAdd", GPU_KEYS_INT, GPU_NUMBERS_32, 24, 24, 1, 2048, 0.8,
     1.2, "by-key", "uint32", "2048 keys"},
    {"ints by 65536 keys", "CUB or atomicAdd", GPU_KEYS_INT, GPU_NUMBERS_32, 24, 24, 1, 65536, 0.8,
     1.2, "by-key", "uint32", "65536 keys"},
    {"ints by 1048576 keys", "CUB or atomicAdd", GPU_KEYS_INT, GPU_NUMBERS_32, 24, 24, 1, 1048576,
     0.8, 1.2, "by-key", "uint32", "1048576 keys"},
    {"ints, one of 65536 keys", "CUB or atomicAdd", GPU_KEYS_INT, GPU_ONE_KEY_32, 24, 24, 1, 65536,
     0, 0, "by-key", "uint32", "one of 65536 keys"},
    {"exact floats by 64 keys", "atomicAdd", GPU_KEYS_FLOAT, GPU_NUMBERS_32, 24, 24, 1, 64, 0.33,
     0.8, "by-key", "float", "64 keys"},
    {"exact floats by 2048 keys", "atomicAdd", GPU_KEYS_FLOAT, GPU_NUMBERS_32, 24, 24, 1, 2048,
     0.33, 0.8, "by-key", "float", "2048 keys"},
    {"exact floats by 65536 keys", "atomicAdd", GPU_KEYS_FLOAT, GPU_NUMBERS_32, 24, 24, 1, 65536,
     0.33, 0.8, "by-key", "float", "65536 keys"},
    {"exact floats by 1048576 keys", "atomicAdd", GPU_KEYS_FLOAT, GPU_NUMBERS_32, 24, 24, 1,
     1048576, 0.33, 0.8, "by-key", "float", "1048576 keys"},
    {"exact floats, one of 65536 keys", "atomicAdd", GPU_KEYS_FLOAT, GPU_ONE_KEY_32, 24, 24, 1,
     65536, 0, 0, "by-key", "float", "one of 65536 keys"},
    {"exact doubles by 64 keys", "atomicAdd", GPU_KEYS_DOUBLE, GPU_NUMBERS_32, 24, 24, 1, 64, 0, 0,
     "by-key", "double", "64 keys"},
    {"exact doubles by 2048 keys", "atomicAdd", GPU_KEYS_DOUBLE, GPU_NUMBERS_32, 24, 24, 1, 2048, 0,
     0, "by-key", "double", "2048 keys"},
    {"exact doubles by 65536 keys", "atomicAdd", GPU_KEYS_DOUBLE, GPU_NUMBERS_32, 24, 24, 1, 65536,
     0, 0, "by-key", "double", "65536 keys"},
    {"exact doubles by 1048576 keys", "atomicAdd", GPU_KEYS_DOUBLE, GPU_NUMBERS_32, 24, 24, 1,
     1048576, 0, 0, "by-key", "double", "1048576 keys"},
    {"exact doubles, one of 65536 keys", "atomicAdd", GPU_KEYS_DOUBLE, GPU_ONE_KEY_32, 24, 24, 1,
     65536, 0, 0, "by-key", "double", "one of 65536 keys"},
    {"ordered floats by 64 keys", "atomicAdd", GPU_KEYS_ORDERED, GPU_NUMBERS_32, 24, 24, 1, 64, 0,
     0, "by key, in order", "float", "64 keys"},
    {"ordered floats by 2048 keys", "atomicAdd", GPU_KEYS_ORDERED, GPU_NUMBERS_32, 24, 24, 1, 2048,
     0, 0, "by key, in order", "float", "2048 keys"},
    {"ordered floats by 65536 keys", "atomicAdd", GPU_KEYS_ORDERED, GPU_NUMBERS_32, 24, 24, 1,
     65536, 0, 0, "by key, in order", "float", "65536 keys"},
    {"ordered floats by 1048576 keys", "atomicAdd", GPU_KEYS_ORDERED, GPU_NUMBERS_32, 24, 24, 1,
     1048576, 0, 0, "by key, in order", "float", "1048576 keys"},
    {"ordered floats, one of 65536 keys", "atomicAdd", GPU_KEYS_ORDERED, GPU_ONE_KEY_32, 24, 24, 1,
     65536, 0, 0, "by key, in order", "float", "one of 65536 keys"},
    {"scan of floats", "CUB, waited for", GPU_SCAN_FLOAT, GPU_FLOATS, 10, 28, 3, 0, 1, 1.2, "scan",
     "float", ""},
    {"scan of doubles", "CUB, waited for", GPU_SCAN_DOUBLE, GPU_DOUBLES, 10, 28, 3, 0, 1, 1.2,
     "scan", "double", ""},
    {"scan of ints", "CUB, waited for", GPU_SCAN_INT, GPU_INTS, 10, 28, 3, 0, 1, 1.2, "scan", "int",
     ""},
    {"segments of 16 floats", "CUB, waited for", GPU_SEGMENTS, GPU_FLOATS, 24, 24, 1, 16, 1, 1.2,
     "segments", "float", "of 16"},
    {"segments of 256 floats", "CUB, waited for", GPU_SEGMENTS, GPU_FLOATS, 24, 24, 1, 256, 1, 1.2,
     "segments", "float", "of 256"},
    {"segments of 4096 floats", "CUB, waited for", GPU_SEGMENTS, GPU_FLOATS, 24, 24, 1, 4096, 1,
     1.2, "segments", "float", "of 4096"},
};

/* The design's bounds by the logarithm of a row's size: of sums of floats and doubles, back to
 * back, and of argmax. */
static void find_bounds(const struct rows *rows, unsigned log2, struct gpu_row *row)
{
    row->at_least = rows->at_least;
    row->aim = rows->aim;
    if (rows->kind == GPU_SUM_FLOAT || rows->kind == GPU_SUM_DOUBLE) {
        row->at_least = log2 <= 12 ? 1.0 : log2 <= 20 ? 1.4 : log2 <= 22 ? 1.3 : 0.98;
        row->aim = log2 <= 12 ? 1.2 : log2 <= 20 ? 2.0 : log2 <= 22 ? 1.5 : 1.0;
    } else if (rows->kind == GPU_ARGMAX && log2 >= 16) {
        row->at_least = 1.0;
        row->aim = 1.2;
    } else if (rows->kind == GPU_EXACT_DOUBLE && log2 == 28) {
        row->at_least = 0.5;
        row->aim = 0.95;
    }
}

static bool is_exact(const struct rows *rows)
{
    return rows->kind == GPU_EXACT_FLOAT || rows->kind == GPU_EXACT_DOUBLE;
}

static bool has_keys(const struct rows *rows)
{
    return gpu_has_keys(rows->kind);
}

static bool is_wanted(const struct settings *settings, const char *work)
{
    return settings->word == NULL || strstr(work, settings->word) != NULL;
}

/* Counts by key, against the faster of CUB and atomics; and against the slower one, without a
 * bound. */
static void run_counts(struct gpu_report *report, const struct gpu_task *task,
                       const struct settings *settings, struct gpu_row *row)
{
    static const gpu_function sides[] = {gpu_reap_run, gpu_atomic_run, gpu_cub_run};
    struct gpu_time times[3], device;
    gpu_take_turns(sides, 3, task, &settings->turns, times, &device);
    const bool is_cub = times[2].seconds < times[1].seconds;
    row->reap = times[0];
    row->baseline = times[is_cub ? 2 : 1];
    row->device = is_cub ? device : (struct gpu_time){0};
    row->name.is_same_work = is_cub;
    gpu_report_row(report, row);
    row->against = is_cub ? "atomicAdd" : "CUB";
    row->baseline = times[is_cub ? 1 : 2];
    row->device = is_cub ? (struct gpu_time){0} : device;
    row->name.work = NULL;
    row->at_least = row->aim = 0;
    gpu_report_row(report, row);
}

static void run_size(struct gpu_report *report, const struct rows *rows, unsigned log2,
                     const struct settings *settings, const void *memory)
{
    const gpu_function sides[] = {gpu_reap_run, is_exact(rows)   ? gpu_reap_run_plain
                                                : has_keys(rows) ? gpu_atomic_run
                                                                 : gpu_cub_run};
    const struct gpu_task task = {rows->kind, (size_t)1 << log2, rows->bins};
    struct gpu_time times[2];
    struct gpu_row row = {.work = rows->work,
                          .against = rows->against,
                          .name = {rows->name, rows->type, rows->variant,
                                   rows->kind != GPU_FOUR && !is_exact(rows) && !has_keys(rows)},
                          .items = task.count};
    find_bounds(rows, log2, &row);
    row.bytes = (double)(gpu_element_bytes(rows->input) * task.count);
    row.bytes *= rows->kind == GPU_DOT ? 2 : 1;
    row.bytes +=
        (double)(gpu_results(rows->kind, task.count, task.bins) * gpu_result_bytes(rows->kind));
    row.is_wrong = !gpu_check(rows->work, &task, memory);
    if (rows->kind == GPU_KEYS_INT) {
        run_counts(report, &task, settings, &row);
        return;
    }
    gpu_take_turns(sides, 2, &task, &settings->turns, times,
                   is_exact(rows) || has_keys(rows) ? NULL : &row.device);
    row.reap = times[0];
    row.baseline = times[1];
    gpu_report_row(report, &row);
}

/* A step of k-means, the kernels of the example. */
static void run_kmeans(struct gpu_report *report, const struct settings *settings)
{
    static const gpu_function sides[] = {gpu_reap_run_kmeans, gpu_atomic_run_kmeans,
                                         gpu_shared_run_kmeans};
    const struct gpu_task task = {.count = KMEANS_POINTS};
    struct gpu_time times[3];
    struct gpu_row row = {.work = KMEANS,
                          .against = "atomicAdd",
                          .name = {"kmeans", "float", "", false},
                          .bytes = (double)(GPU_DIMENSIONS * sizeof(float) * task.count),
                          .items = task.count,
                          .at_least = 1.0 / 3,
                          .aim = 1};
    if (!is_wanted(settings, KMEANS))
        return;
    row.is_wrong = !gpu_check_kmeans(KMEANS, &task);
    gpu_take_turns(sides, 3, &task, &settings->turns, times, NULL);
    row.reap = times[0];
    row.baseline = times[1];
    gpu_report_row(report, &row);
    row.against = "in shared memory";
    row.name.work = NULL;
    row.baseline = times[2];
    row.at_least = row.aim = 0;
    gpu_report_row(report, &row);
}

/* To a value in a variable of the host: doubles. */
static void run_to_value(struct gpu_report *report, const struct settings *settings)
{
    static const gpu_function sides[] = {gpu_reap_run_to_value, gpu_cub_run_to_value,
                                         gpu_cub_run_to_pinned};
    static const size_t counts[] = {10000, 1 << 10, 1 << 14, 1 << 17, 1 << 20};
    static struct gpu_result reap, host;
    if (!is_wanted(settings, "doubles to a value"))
        return;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const struct gpu_task task = {.work = GPU_SUM_DOUBLE, .count = counts[c]};
        struct gpu_time times[3];
        gpu_take_turns(sides, 3, &task, &settings->turns, times, NULL);
        gpu_reap_value_result(&task, &reap);
        gpu_reap_host_result(&task, &host);
        struct gpu_row row = {.work = "doubles to a value",
                              .against = "CUB and a copy",
                              .name = {"launch", "double", "", true},
                              .bytes = (double)(counts[c] * sizeof(double)),
                              .items = counts[c],
                              .at_least = c == 0 ? 1.0 : 0,
                              .aim = c == 0 ? 1.5 : 0,
                              .reap = times[0],
                              .baseline = times[1],
                              .is_wrong = reap.numbers[0] != host.numbers[0]};
        gpu_report_row(report, &row);
        row.against = "to pinned memory";
        row.name.work = NULL;
        row.baseline = times[2];
        row.at_least = row.aim = 0;
        gpu_report_row(report, &row);
    }
}

static void run_chain(struct gpu_report *report, const struct settings *settings)
{
    enum { STEPS = 1000 };
    static const gpu_function sides[] = {gpu_reap_run_chain, gpu_cub_run_chain};
    struct gpu_row row = {.work = "chain of launches",
                          .against = "CUDA's stream",
                          .items = 1,
                          .at_least = 1 / 1.3,
                          .aim = 1.0};
    struct gpu_time times[2];
    uint32_t expected = 1;
    if (!is_wanted(settings, row.work))
        return;
    gpu_take_turns(sides, 2, &(const struct gpu_task){.count = 1}, &settings->turns, times, NULL);
    for (int step = 0; step < STEPS; step++)
        expected = 31 * expected + 7;
    row.reap = times[0];
    row.baseline = times[1];
    row.is_wrong = gpu_reap_chain_result(STEPS) != expected;
    gpu_report_row(report, &row);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void run_input(struct gpu_report *report, enum gpu_input input, void *memory,
                      const struct settings *settings)
{
    unsigned most = 0;
    for (size_t r = 0; r < sizeof all_rows / sizeof *all_rows; r++)
        if (all_rows[r].input == input && is_wanted(settings, all_rows[r].work))
            most = all_rows[r].most > most ? all_rows[r].most : most;
    if (input == GPU_DOUBLES && is_wanted(settings, "doubles to a value"))
        most = most > 20 ? most : 20;
    if (input == GPU_FLOATS && is_wanted(settings, KMEANS))
        most = most > 25 ? most : 25;
    if (most == 0)
        return;
    most = least(most, settings->most);
    const size_t bytes = gpu_element_bytes(input) << most;
    gpu_fill(input, memory, (size_t)1 << most);
    gpu_cub_load(memory, bytes);
    gpu_reap_load(memory, bytes);
    if (report->bandwidth <= 0 && bytes >= LEAST_BYTES) {
        report->bandwidth = gpu_cub_read_bandwidth();
        report->bandwidth_bytes = (double)bytes;
    }
    for (size_t r = 0; r < sizeof all_rows / sizeof *all_rows; r++) {
        const struct rows *rows = &all_rows[r];
        if (rows->input != input || !is_wanted(settings, rows->work))
            continue;
        for (unsigned log2 = rows->least; log2 + (rows->kind == GPU_DOT) <= most;
             log2 += rows->step)
            if (log2 <= rows->most)
                run_size(report, rows, log2, settings, memory);
    }
    if (input == GPU_DOUBLES)
        run_to_value(report, settings);
    if (input == GPU_FLOATS)
        run_kmeans(report, settings);
    gpu_reap_unload();
    gpu_cub_unload();
}

static void read_options(int argc, char **argv, struct settings *settings)
{
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--quick") == 0) {
            settings->turns = (struct gpu_turns){7, 0.002};
            settings->most = 28;
        } else if (strcmp(argv[a], "--json") == 0 && a + 1 < argc) {
            settings->json = argv[++a];
        } else {
            settings->word = argv[a];
        }
    }
}

/* The program's name and its arguments. */
static const char *join(int argc, char **argv)
{
    static char command[1024] = "reap-bench-gpu";
    for (int a = 1; a < argc; a++) {
        const size_t length = strlen(command);
        snprintf(command + length, sizeof command - length, " %s", argv[a]);
    }
    return command;
}

int main(int argc, char **argv)
{
    struct settings settings = {.turns = {15, 0.005}, .most = 30};
    static struct gpu_report report;
    if (argc == 2 && strcmp(argv[1], "--first-launches") == 0)
        return gpu_print_first_launches();
    read_options(argc, argv, &settings);
    void *memory = aligned_alloc(4096, sizeof(double) << settings.most);
    if (memory == NULL)
        gpu_fail("inputs", "not enough memory");
    gpu_cub_open();
    gpu_reap_open();
    report.command = join(argc, argv);
    report.turns = settings.turns;
    gpu_report_begin(&report, settings.json);
    for (int input = GPU_FLOATS; input <= GPU_ONE_KEY_32; input++)
        run_input(&report, (enum gpu_input)input, memory, &settings);
    run_chain(&report, &settings);
    if (is_wanted(&settings, "first launch"))
        gpu_report_compile_time(&report);
    gpu_report_end(&report);
    free(memory);
    return report.wrong > 0;
}
