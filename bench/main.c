/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench [--quick] [WORD]: measures the rows whose names contain WORD, all by default, and
 * prints each ratio with both sides' flags. Exit status 1 when a result is wrong; a slow row is no
 * failure.
 */
#include "bench/rows.h"

#include "bench/openblas.h"
#include "bench/opencl.h"
#include "bench/openmp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int turns;
    double turn_seconds;
    size_t large;
    const char *word;
};

static void fail(const char *what)
{
    fprintf(stderr, "reap-bench: %s\n", what);
    exit(1);
}

/* SplitMix64 (Steele, Lea and Flood 2014): any bits of it are good. */
static uint64_t draw(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

/* -1, 0 and 1, but beyond the first `dense` mostly 0: even the sum of all squares is less than
 * 2^24, so that floats hold all partial sums and every order of additions gives the same. So it is
 * where two of them are read as a double: +-2^-7 or nearly, in multiples of 2^-36, or next to
 * nothing. */
static void fill_floats(float *x, size_t count, size_t dense, uint64_t state)
{
    for (size_t i = 0; i < count; i++) {
        const bool may_be_one = i < dense || draw(&state) % 32 == 0;
        x[i] = may_be_one ? (float)(draw(&state) % 3) - 1.0f : 0.0f;
    }
}

static void make_data(struct bench_data *data, const struct settings *settings)
{
    const reap_queue_options one_thread = {.max_threads = 1};
    const size_t numbers = settings->large / sizeof(float) / 4;
    if (reap_queue_create(NULL, NULL, &data->queue) != REAP_OK ||
        reap_queue_create(NULL, &one_thread, &data->one) != REAP_OK)
        fail(reap_last_error());
    data->large = settings->large;
    data->small = (size_t)1 << 16;
    data->x = aligned_alloc(4096, data->large);
    data->y = aligned_alloc(4096, data->large);
    data->uniform = malloc(numbers * sizeof *data->uniform);
    data->zeros = calloc(numbers, sizeof *data->zeros);
    for (int i = 0; i < 2; i++)
        data->partial[i] = malloc((numbers / 256 + 1) * sizeof *data->partial[i]);
    if (data->x == NULL || data->y == NULL || data->uniform == NULL || data->zeros == NULL ||
        data->partial[0] == NULL || data->partial[1] == NULL)
        fail("not enough memory");
    fill_floats(data->x, data->large / sizeof(float), data->small, 1);
    fill_floats(data->y, data->large / sizeof(float), data->small, 2);
    uint64_t state = 3;
    for (size_t i = 0; i < numbers; i++) {
        data->uniform[i] = draw(&state) % 256;
        data->zeros[i] = 0;
    }
}

static void set_threads(int threads)
{
#if BENCH_HAS_OPENMP
    tuned_set_threads(threads > 0 ? threads : tuned_thread_count());
    plain_set_threads(threads > 0 ? threads : plain_thread_count());
#else
    (void)threads;
#endif
}

static bool is_right(const struct bench_row *row, struct bench_data *data)
{
    row->reap(data);
    const double ours = data->value;
    row->baseline(data);
    const double theirs = data->value;
    if (row->result == RESULT_DIFFERS)
        return isfinite(ours) && isfinite(theirs);
    return ours == theirs;
}

static bool run_row(const struct bench_row *row, struct bench_data *data,
                    const struct settings *settings)
{
    const measured_function sides[] = {row->reap, row->baseline, row->limit};
    const size_t count = row->limit != NULL ? 3 : 2;
    struct measured times[3];
    char name[128];
    snprintf(name, sizeof name, "%s / %s", row->work, row->against);
    if (row->is_there != NULL && !row->is_there()) {
        printf("%-48s skipped: the baseline is not installed\n", name);
        return true;
    }
    set_threads(row->threads);
    if (!is_right(row, data)) {
        printf("%-48s WRONG RESULT\n", name);
        return false;
    }
    measure_in_turns(sides, count, data, settings->turns, settings->turn_seconds, times);
    const double ratio = times[1].seconds / times[0].seconds;
    const bool is_void = count > 2 && times[1].seconds > times[2].seconds / 0.8;
    printf("%-48s %6.2f  %5.2f  %5.2f  %-6s %9.4g us  %9.4g us  %3.0f %%  %3.0f %%  [%s | %s]\n",
           name, ratio, row->at_least, row->aim,
           is_void                  ? "void"
           : ratio >= row->aim      ? "aim"
           : ratio >= row->at_least ? "holds"
                                    : "BELOW",
           times[0].seconds * 1e6, times[1].seconds * 1e6, times[0].spread * 100,
           times[1].spread * 100, row->reap_flags, row->baseline_flags);
    fflush(stdout);
    return true;
}

static void print_head(const struct settings *settings)
{
    const reap_device *device;
    reap_device_info info;
    if (reap_device_default(&device) != REAP_OK || reap_device_get_info(device, &info) != REAP_OK)
        fail(reap_last_error());
    printf("Reap %s on %s, %zu threads, %s; compiled by %s; %zu MiB arrays; medians of %d turns\n",
           reap_version(), info.description, info.compute_units, info.instruction_set,
           BENCH_COMPILER, settings->large >> 20, settings->turns);
    if (openblas_open())
        printf("%s\n", openblas_configuration());
    if (opencl_open())
        printf("%s\n", opencl_description());
    printf("%-48s %6s  %5s  %5s  %-6s %12s  %12s  %5s  %5s  %s\n", "work / against", "ratio",
           "least", "aim", "", "Reap", "baseline", "sprd", "sprd", "flags");
}

int main(int argc, char **argv)
{
    static struct bench_data data;
    struct settings settings = {.turns = 21, .turn_seconds = 0.01, .large = (size_t)1 << 30};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            settings = (struct settings){7, 0.005, (size_t)1 << 28, settings.word};
        else
            settings.word = argv[i];
    }
    bool right = true;
    make_data(&data, &settings);
    print_head(&settings);
    for (size_t r = 0; r < bench_row_count; r++)
        if (settings.word == NULL || strstr(bench_rows[r].work, settings.word) != NULL ||
            strstr(bench_rows[r].against, settings.word) != NULL)
            right &= run_row(&bench_rows[r], &data, &settings);
    return right ? 0 : 1;
}
