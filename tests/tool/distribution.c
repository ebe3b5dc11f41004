/* SPDX-License-Identifier: Apache-2.0
 *
 * `reap describe --quantiles --histogram` on random arrays of every type and on a table, against
 * sorted numbers and a loop over the bins: a file's figures are exact, a pipe's within the error
 * that they state, and the text is the same for every number of threads.
 *
 * Usage: distribution TOOL DIRECTORY
 */
#include "tests/support/check.h"
#include "tests/tool/npy_file.h"
#include "tests/tool/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct type {
    char kind;
    unsigned bytes;
} types[] = {{'b', 1}, {'i', 1}, {'i', 2}, {'i', 4}, {'i', 8}, {'u', 1},
             {'u', 2}, {'u', 4}, {'u', 8}, {'f', 2}, {'f', 4}, {'f', 8}};

static const double probabilities[] = {0, 1, 0.5, 0.25, 0.75, 0.015625, 0.9990234375};
#define LIST "0,1,0.5,25%%,75%%,0.015625,0.9990234375"

enum {
    TYPE_COUNT = sizeof types / sizeof *types,
    QUANTILE_COUNT = sizeof probabilities / sizeof *probabilities,
    BINS = 20,
    TABLE_ROWS = 40000,
#ifdef REAP_TESTS_SMALL
    MANY = 300000,
#else
    MANY = 600000, /* more in a bucket than are gathered */
#endif
};

enum content { ANY, TIES, FEW, CLOSE, SKEWED, SPECIAL, CONSTANT, CONTENT_COUNT };

static long double values[MANY], sorted[MANY];
static size_t value_count, number_count; /* the numbers: all except NaNs, sorted */

/* ---- Values -----------------------------------------------------------------------------------*/

static long double uniform(uint64_t *state)
{
    return (long double)(check_random(state) >> 11) * 0x1p-53L;
}

static long double draw_integer(struct type type, enum content content, uint64_t *state)
{
    const unsigned bits = 8 * type.bytes - (type.kind == 'i');
    const uint64_t any = check_random(state) >> (64 - bits);
    const long double greatest = (long double)((uint64_t)-1 >> (64 - bits));
    if (content == CLOSE)
        return greatest - (long double)(any % 100);
    if (content == SKEWED)
        return floorl(expl(uniform(state) * logl(greatest)));
    return type.kind == 'i' && check_random(state) % 2 == 0 ? -(long double)any : (long double)any;
}

static long double draw(struct type type, enum content content, uint64_t *state)
{
    const unsigned chance = (unsigned)(check_random(state) % 10);
    if (type.kind == 'b')
        return (long double)(content == CONSTANT || check_random(state) % 3 == 0);
    if (content == CONSTANT)
        return 100;
    if (content == TIES)
        return (long double)(check_random(state) % 5);
    if (content == FEW) /* of floating-point numbers those at the bins' edges */
        return type.kind == 'f' ? (double)(check_random(state) % 21) * 0.1
                                : (long double)(check_random(state) % 100);
    if (type.kind != 'f')
        return draw_integer(type, content, state);
    if (content == SPECIAL && chance < 4)
        return chance == 0 ? NAN : chance == 1 ? INFINITY : chance == 2 ? -INFINITY : 0;
    if (content == CLOSE)
        return 1000 + uniform(state);
    if (content == SKEWED)
        return expl(20 * uniform(state) - 10);
    return (uniform(state) - 0.5L) * 2000;
}

static int compare(const void *a, const void *b)
{
    const long double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void sort_values(void)
{
    number_count = 0;
    for (size_t i = 0; i < value_count; i++)
        if (!isnan(values[i]))
            sorted[number_count++] = values[i];
    qsort(sorted, number_count, sizeof *sorted, compare);
}

/* ---- Quantiles --------------------------------------------------------------------------------*/

static long double find_quantile(double probability)
{
    const long double at = (long double)probability * (long double)(number_count - 1);
    const size_t rank = (size_t)floorl(at);
    const long double share = at - floorl(at);
    if (share == 0 || sorted[rank] == sorted[rank + 1])
        return sorted[rank];
    return sorted[rank] * (1 - share) + sorted[rank + 1] * share;
}

/* Whether the figures are the quantiles, exact or within the error that they state. */
static bool check_quantiles(const char *text, struct type type, bool is_exact)
{
    const long double single = type.bytes == 2 ? 1e-3L : type.bytes == 4 ? 1e-6L : 1e-14L;
    bool is_right = true;
    for (size_t q = 0; q < QUANTILE_COUNT && is_right; q++) {
        char *end;
        const char *row = text = strstr(text, "\n  quantile ");
        if (text == NULL)
            return false;
        text += strlen("\n  quantile ");
        if (!(fabs(strtod(text, &end) - probabilities[q]) < 1e-6))
            return false;
        while (*end == ' ')
            end++;
        if (number_count == 0) {
            is_right = strncmp(end, "none\n", 5) == 0;
            continue;
        }
        const long double expected = find_quantile(probabilities[q]), found = strtold(end, &end);
        const long double ends = fmaxl(fabsl(sorted[0]), fabsl(sorted[number_count - 1]));
        long double error = type.kind == 'f' ? fabsl(expected) * single : ends * 0x1p-52L;
        if (type.kind != 'f' && ends < 0x1p50L && expected == floorl(expected))
            error = 0;
        if (strncmp(end, " (within ", 9) == 0)
            error += strtold(end + 9, &end) * (1 + 1e-9L);
        if (is_exact && *end != '\n')
            is_right = false;
        if (found != expected && !(isnan(found) && isnan(expected)) &&
            !(fabsl(found - expected) <= error))
            is_right = false;
        if (!is_right)
            fprintf(stderr, "expected %.21Lg:%.*s\n", expected, (int)strcspn(row + 1, "\n") + 1,
                    row);
    }
    return is_right;
}

/* ---- Histograms -------------------------------------------------------------------------------*/

/* Sets the edges; returns the number of bins. */
static size_t find_edges(struct type type, long double least, long double greatest,
                         long double edges[BINS + 1])
{
    const long double width = floorl((greatest - least) / BINS) + 1;
    const size_t bins = type.kind != 'f'    ? (size_t)floorl((greatest - least) / width) + 1
                        : least == greatest ? 1
                                            : BINS;
    for (size_t b = 0; b <= bins; b++) {
        const double from = (double)least, step = ((double)greatest - from) / BINS;
        edges[b] = type.kind != 'f' ? least + (long double)b * width : from + (double)b * step;
    }
    if (type.kind == 'f')
        edges[bins] = greatest;
    return bins;
}

static size_t count_bins(struct type type, uint64_t counts[BINS])
{
    long double edges[BINS + 1];
    size_t first = 0, end = number_count, b = 0;
    while (first < end && isinf(sorted[first]))
        first++;
    while (end > first && isinf(sorted[end - 1]))
        end--;
    memset(counts, 0, BINS * sizeof *counts);
    if (first == end)
        return 0;
    const size_t bins = find_edges(type, sorted[first], sorted[end - 1], edges);
    for (size_t i = first; i < end; i++) {
        while (b + 1 < bins && sorted[i] >= edges[b + 1])
            b++;
        counts[b]++;
    }
    return bins;
}

/* Whether the bars have these counts, or, about, as many in all, and most of them where they should
 * be. */
static bool check_histogram(const char *text, struct type type, bool is_exact)
{
    uint64_t expected[BINS], all = 0, off = 0;
    const size_t bins = count_bins(type, expected);
    text = strstr(text, "\n  histogram");
    if (text == NULL || bins == 0)
        return text != NULL && strstr(text, "none\n") != NULL;
    if ((strncmp(text, "\n  histogram\n", 13) == 0) != is_exact)
        return false;
    text = strchr(text + 1, '\n') + 1;
    for (size_t b = 0; b < bins; b++) {
        const char *end = strchr(text, '\n'), *at = end;
        if (end == NULL || strncmp(end - 2, " %", 2) != 0)
            return false;
        for (at = end - 3; *at != ' '; at--) /* the share */
            ;
        while (*at == ' ')
            at--;
        while (*at >= '0' && *at <= '9')
            at--;
        const uint64_t found = strtoull(at, NULL, 10);
        all += expected[b] - found;
        off += found > expected[b] ? found - expected[b] : expected[b] - found;
        text = end + 1;
    }
    return all == 0 && (is_exact ? off == 0 : off <= number_count / 50 + 4);
}

/* ---- Runs -------------------------------------------------------------------------------------*/

static void run_shell(const char *tool, const char *input, const char *threads,
                      const char *arguments, struct tool_run *run)
{
    static char line[1024];
    snprintf(line, sizeof line,
             "%s '%s' | REAP_NUM_THREADS=%s LC_ALL=C '%s' describe --histogram "
             "--quantiles " LIST " %s",
             input[0] == '-' ? "echo" : "cat", input[0] == '-' ? "" : input, threads, tool,
             arguments);
    const char *const words[] = {"-c", line, NULL};
    tool_run("/bin/sh", words, run);
}

/* The file and the same as a pipe. Of that the histogram may be far off where many numbers are at
 * the edges of bins, or are integers that a double cannot hold. */
static void check_input(const char *tool, const char *file, const char *options, struct type type,
                        bool has_good_buckets)
{
    static struct tool_run run, again;
    static const char *const threads[] = {"2", "7"};
    char arguments[256];
    sort_values();
    for (int is_pipe = 0; is_pipe < 2; is_pipe++) {
        snprintf(arguments, sizeof arguments, "%s %s", options, is_pipe ? "-" : file);
        run_shell(tool, is_pipe ? file : "-", "1", arguments, &run);
        CHECK(run.status == 0 && run.errors[0] == '\0');
        CHECK(check_quantiles(run.output, type, !is_pipe));
        CHECK((is_pipe && !has_good_buckets) || check_histogram(run.output, type, !is_pipe));
        if (value_count < 10000) /* one block */
            continue;
        const char *other = threads[value_count % 2];
        run_shell(tool, is_pipe ? file : "-", other, arguments, &again);
        CHECK(strcmp(run.output, again.output) == 0);
    }
}

static void check_array(const char *tool, struct type type, enum content content, uint64_t *state)
{
    const size_t whole = 1048576 / (type.bytes == 2 && type.kind == 'f' ? 4 : type.bytes);
    const size_t block = whole < MANY ? whole : MANY - 1;
    const size_t sizes[] = {0, 1, 2, 3 + check_random(state) % 1000, block - 1, block, block + 1};
    const unsigned long failures = check_failures;
    struct npy_file file = {.name = "array.npy",
                            .kind = type.kind,
                            .bytes = type.bytes,
                            .is_big_endian = check_random(state) % 2 == 0,
                            .version = 1,
                            .dimensions = 1};
    value_count = sizes[check_random(state) % (sizeof sizes / sizeof *sizes)];
    file.shape[0] = value_count;
    for (size_t i = 0; i < value_count; i++)
        values[i] = npy_file_round(type.kind, type.bytes, draw(type, content, state));
    npy_file_write(&file, values);
    check_input(tool, "array.npy", "", type, type.kind == 'f' ? content != FEW : type.bytes < 8);
    if (check_failures > failures)
        fprintf(stderr, "with %zu of %c%u, content %d\n", value_count, type.kind, type.bytes,
                (int)content);
}

/* So many numbers in a bucket that they are not gathered at once. The median is between the halves
 * of the bucket. */
static void check_many(const char *tool, uint64_t *state)
{
    const struct type type = {'i', 8};
    const struct npy_file file = {.name = "many.npy",
                                  .kind = 'i',
                                  .bytes = 8,
                                  .version = 1,
                                  .dimensions = 1,
                                  .shape = {MANY}};
    value_count = MANY;
    for (size_t i = 0; i < MANY; i++)
        values[i] = i < 40000      ? (long double)(check_random(state) >> 26)
                    : i < MANY / 2 ? 0x1p40L + (long double)(check_random(state) >> 37)
                    : i % 8 == 0   ? 0x1p40L + 0x1p27L
                                   : 0x1p40L + 0x1p27L + (long double)(check_random(state) >> 37);
    npy_file_write(&file, values);
    check_input(tool, "many.npy", "", type, false);
}

/* Columns of integers, of both kinds of numbers, and with cells that are missing. */
static void check_table(const char *tool, uint64_t *state)
{
    static long double columns[3][TABLE_ROWS];
    FILE *file = fopen("table.csv", "w");
    if (file == NULL) {
        perror("table.csv");
        exit(1);
    }
    fprintf(file, "whole,mixed,gaps\n");
    for (size_t r = 0; r < TABLE_ROWS; r++) {
        const int64_t whole = (int64_t)(check_random(state) >> 34);
        const int64_t mixed = (int64_t)(check_random(state) % 2000) - 1000;
        const bool is_there = check_random(state) % 4 != 0;
        columns[0][r] = (long double)whole;
        columns[1][r] = (long double)mixed / (r < TABLE_ROWS - 1000 ? 1 : 8);
        columns[2][r] = is_there ? (long double)(mixed + 1000) : NAN;
        fprintf(file, "%lld,%.10Lg,", (long long)whole, columns[1][r]);
        if (is_there)
            fprintf(file, "%lld", (long long)mixed + 1000);
        putc('\n', file);
    }
    fclose(file);
    for (int c = 0; c < 3; c++) {
        static const char *const options[] = {"--columns whole", "--columns mixed",
                                              "--columns gaps"};
        value_count = TABLE_ROWS;
        memcpy(values, columns[c], sizeof columns[c]);
        check_input(tool, "table.csv", options[c], (struct type){c == 1 ? 'f' : 'i', 8}, true);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 || chdir(argv[2]) != 0) {
        fprintf(stderr, "usage: distribution TOOL DIRECTORY\n");
        return 2;
    }
    uint64_t state = check_seed();
    const size_t every = getenv("SHARE") != NULL ? 3 : 1; /* in `make check` a third of them */
    size_t turn = check_random(&state) % every;
    for (size_t t = 0; t < TYPE_COUNT; t++)
        for (int content = 0; content < CONTENT_COUNT; content++, turn++)
            if (turn % every == 0 && (content != SPECIAL || types[t].kind == 'f'))
                check_array(argv[1], types[t], (enum content)content, &state);
    check_many(argv[1], &state);
    check_table(argv[1], &state);
    return check_finish();
}
