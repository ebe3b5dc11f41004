/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons of devices, in numbers and in sentences.
 */
#include "tools/bench/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_bench_fastest(const struct cli_bench *bench, const struct cli_bench_size *size,
                      enum cli_bench_way way)
{
    int fastest = -1;
    for (size_t d = 0; d < bench->device_count; d++) {
        const struct cli_timing *timing = &size->timings[d][way];
        if (timing->turns > 0 &&
            (fastest < 0 || timing->median < size->timings[fastest][way].median))
            fastest = (int)d;
    }
    return fastest;
}

/* Text that is appended to; what does not fit is truncated. */
struct text {
    char *bytes;
    size_t length;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, CLI_BENCH_SENTENCE_BYTES - text->length, format,
              arguments);
    va_end(arguments);
    text->length += strlen(text->bytes + text->length);
}

/* The comparison of a device with the first one, for one way: the sizes at which both were
 * measured, and those at which the device is faster. */
struct verdict {
    int powers[CLI_BENCH_MOST_SIZES];
    bool is_faster[CLI_BENCH_MOST_SIZES];
    int count, faster;
};

static struct verdict compare(const struct cli_bench *bench, size_t device, int way)
{
    struct verdict verdict = {.count = 0};
    for (size_t s = 0; s < bench->size_count; s++) {
        const struct cli_timing *first = &bench->sizes[s].timings[0][way];
        const struct cli_timing *other = &bench->sizes[s].timings[device][way];
        if (first->turns == 0 || other->turns == 0)
            continue;
        verdict.powers[verdict.count] = bench->sizes[s].power;
        verdict.is_faster[verdict.count] = other->upper < first->lower;
        verdict.faster += verdict.is_faster[verdict.count++];
    }
    return verdict;
}

/* "from 2^20 floats on", "up to 2^8 floats and from 2^20 floats on". */
static void add_ranges(struct text *text, const struct verdict *verdict)
{
    const char *between = "";
    if (verdict->faster > 0 && verdict->faster == verdict->count) {
        add(text, "for every size");
        return;
    }
    for (int s = 0, end; s < verdict->count; s = end) {
        end = s + 1;
        if (!verdict->is_faster[s])
            continue;
        while (end < verdict->count && verdict->is_faster[end])
            end++;
        if (end == verdict->count)
            add(text, "%sfrom 2^%d floats on", between, verdict->powers[s]);
        else if (s == 0)
            add(text, "up to 2^%d floats", verdict->powers[end - 1]);
        else if (end - s == 1)
            add(text, "%sat 2^%d floats", between, verdict->powers[s]);
        else
            add(text, "%sfrom 2^%d to 2^%d floats", between, verdict->powers[s],
                verdict->powers[end - 1]);
        between = " and ";
    }
}

static bool are_equal(const struct verdict *a, const struct verdict *b)
{
    return a->count == b->count &&
           memcmp(a->is_faster, b->is_faster, (size_t)a->count * sizeof *a->is_faster) == 0;
}

void cli_bench_conclude(const struct cli_bench *bench, size_t device,
                        char sentence[CLI_BENCH_SENTENCE_BYTES])
{
    const struct verdict there = compare(bench, device, CLI_BENCH_THERE);
    const struct verdict copied = compare(bench, device, CLI_BENCH_COPIED);
    const char *other = bench->devices[0].info.name;
    struct text text = {.bytes = sentence};
    sentence[0] = '\0';
    if (there.count == 0)
        return;
    add(&text, there.faster > 0 ? "%s is faster than %s " : "%s is never faster than %s",
        bench->devices[device].info.name, other);
    add_ranges(&text, &there);
    if (!are_equal(&there, &copied)) {
        add(&text, " where the data is on the device, and ");
        add(&text, copied.faster == 0 ? "never" : there.faster == 0 ? "faster " : "");
        add_ranges(&text, &copied);
        add(&text, " where it is in host memory");
    }
    add(&text, ".");
}
