/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs cases at a few sizes, odd ones among them, and counts comparisons.
 */
#include "bench/test.h"

#include "bench/data.h"

#include <stdio.h>
#include <string.h>

struct counts {
    size_t right, wrong;
};

static void test_side(const struct side_work *work, const struct peer *peer,
                      const struct side *reference, struct counts *counts)
{
    struct side side;
    side_make(&side, work, peer, 0);
    side_call(&side);
    if (side_agrees(&side, reference)) {
        counts->right++;
        return;
    }
    counts->wrong++;
    printf("WRONG: %s, %s of %s %s, %zu elements, %d threads: %g %g %g %g, not %g %g %g %g\n",
           peer->title, work->work->title, bench_type_name(work->type),
           work->work->variants[work->variant].name, work->count, work->threads,
           side.result.values[0], side.result.values[1], side.result.values[2],
           side.result.values[3], reference->result.values[0], reference->result.values[1],
           reference->result.values[2], reference->result.values[3]);
}

static void test_work(const struct bench_report *report, const struct side_work *work,
                      struct counts *counts)
{
    struct side reference;
    side_make_reference(&reference, work);
    side_call(&reference);
    for (size_t p = 0; p < report->peers->count; p++)
        if (side_is_there(&report->peers->peers[p], work, report->machine.threads))
            test_side(work, &report->peers->peers[p], &reference, counts);
}

static void test_sizes(const struct bench_report *report, struct side_work *work,
                       struct counts *counts)
{
    static const size_t sizes[] = {70001, 33000, 1025, 64, 17, 3, 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (work->work->is_loop && sizes[s] > 4096)
            continue;
        work->count = side_count(work->work, work->variant, sizes[s]);
        for (int all = 0; all < 2 && work->count > 0; all++) {
            work->threads = all ? report->machine.threads : 1;
            if (!all && report->machine.threads == 1)
                continue;
            test_work(report, work, counts);
        }
    }
}

int test_run(const struct bench_report *report, const char *word, uint64_t seed)
{
    struct counts counts = {0, 0};
    for (size_t c = 0; c < bench_number_of_cases; c++) {
        const struct bench_case *work = bench_cases[c];
        if (word != NULL && strstr(work->name, word) == NULL)
            continue;
        for (size_t o = 0; o < work->offer_count; o++)
            for (size_t v = 0; v < work->variant_count; v++)
                test_sizes(report,
                           &(struct side_work){.work = work,
                                               .type = work->offers[o].type,
                                               .variant = (int)v,
                                               .seed = seed},
                           &counts);
    }
    for (size_t p = 0; p < report->peers->count; p++)
        if (report->peers->peers[p].is_there == NULL)
            printf("skipped: benchmarks beside %s: %s\n", report->peers->peers[p].title,
                   report->peers->peers[p].why_not);
    printf("comparisons: %zu\n", counts.right + counts.wrong);
    if (counts.wrong > 0)
        printf("%zu wrong, with --seed %llu\n", counts.wrong, (unsigned long long)seed);
    return counts.wrong == 0 && counts.right > 0 ? 0 : 1;
}
