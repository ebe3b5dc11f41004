/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums against MPFR: millions of sums of hard data (exact_data.h), each as a reduction and as
 * an element of a span. MPFR adds with so many bits that nothing is rounded, and rounds once. Not a
 * part of make check, which has the same data against a reference of the tests' own.
 *
 *     SEED=1 test_exact_mpfr float|double [SUMS]      10^7 sums by default
 */
#include "tests/conformance/exact_spans.kernels.h"
#include "tests/conformance/exact_sums.kernels.h"

#include "tests/conformance/exact_data.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <math.h>
#include <mpfr.h>

enum { LENGTH = 100000, MOST_VALUES = 5000, ITEMS = LENGTH * 48, BITS = 2300 };

/* The sums of one launch over a span. The values of a sum are next to each other in `x`; in
 * `mixed`, of the sums' type, those of all sums are mixed. */
struct sums {
    size_t first[LENGTH + 1];
    double x[ITEMS];
    float narrow[ITEMS];
    union {
        double wide[ITEMS];
        float narrow[ITEMS];
    } mixed;
    uint32_t key[ITEMS], at[ITEMS];
    double wide_sums[LENGTH];
    float narrow_sums[LENGTH];
};
static struct sums *sums;

static size_t wrong, special;

/* ---- Data -------------------------------------------------------------------------------------*/

static size_t some_count(struct exact_source *source)
{
    const uint64_t drawn = check_random(&source->state);
    return drawn % 2048 == 0 ? drawn / 2048 % MOST_VALUES
           : drawn % 64 == 0 ? drawn / 64 % 600
                             : drawn / 64 % 41;
}

/* Infinities and NaN are in a sixteenth of the sums, for they decide most that they are in. */
static enum exact_data some_data(struct exact_source *source)
{
    const uint64_t drawn = check_random(&source->state);
    if (drawn % 16 == 0)
        return SPECIAL;
    const enum exact_data data = (enum exact_data)(drawn / 16 % DATA);
    return data == SPECIAL ? HUGE_RANGE : data;
}

/* Returns how many values there are. */
static size_t draw_sums(struct exact_source *source)
{
    size_t items = 0;
    for (uint32_t s = 0; s < LENGTH; s++) {
        const enum exact_data data = some_data(source);
        size_t count = some_count(source);
        count = count > ITEMS - items ? ITEMS - items : count;
        sums->first[s] = items;
        exact_fill(source, data, sums->x + items, sums->narrow + items, count);
        for (size_t i = 0; i < count; i++)
            sums->key[items + i] = s;
        items += count;
        special += data == SPECIAL;
    }
    sums->first[LENGTH] = items;
    return items;
}

/* By a step that has no factor in common with the number of items. */
static void mix(bool is_double, size_t items)
{
    const size_t step = 2654435761u; /* a prime */
    for (size_t i = 0, from = 0; i < items; i++, from = (from + step) % items) {
        sums->at[i] = sums->key[from];
        if (is_double)
            sums->mixed.wide[i] = sums->x[from];
        else
            sums->mixed.narrow[i] = sums->narrow[from];
    }
}

/* ---- Checks -----------------------------------------------------------------------------------*/

/* The sum of -0, as the variables are, and of the values; by MPFR. */
static double right_sum(mpfr_t all, size_t sum, bool is_double)
{
    int rounded = 0;
    mpfr_set_zero(all, -1);
    for (size_t i = sums->first[sum]; i < sums->first[sum + 1]; i++)
        rounded |= mpfr_add_d(all, all, sums->x[i], MPFR_RNDN);
    CHECK(!rounded);
    return is_double ? mpfr_get_d(all, MPFR_RNDN) : (double)mpfr_get_flt(all, MPFR_RNDN);
}

static void check_sum(const char *how, size_t sum, double found, double right)
{
    check_comparisons++;
    if (isnan(right) ? isnan(found) : found == right && !signbit(found) == !signbit(right))
        return;
    wrong++;
    if (!CHECK(found == right))
        fprintf(stderr, "  %s of %zu values: %a, expected %a\n", how,
                sums->first[sum + 1] - sums->first[sum], found, right);
}

static double reduced(reap_queue *queue, size_t sum, bool is_double)
{
    const size_t first = sums->first[sum];
    const reap_range range = reap_range_1d(sums->first[sum + 1] - first);
    double wide = -0.0;
    float narrow = -0.0f;
    if (is_double)
        CHECK_LAUNCH(
            reap_parallel_for(queue, exact_double, range, .x = sums->x + first, .sum = &wide),
            queue);
    else
        CHECK_LAUNCH(
            reap_parallel_for(queue, exact_float, range, .x = sums->narrow + first, .sum = &narrow),
            queue);
    return is_double ? wide : (double)narrow;
}

static void launch_span(reap_queue *queue, bool is_double, size_t items)
{
    const reap_range range = reap_range_1d(items);
    for (size_t s = 0; s < LENGTH; s++)
        sums->narrow_sums[s] = (float)(sums->wide_sums[s] = -0.0);
    if (is_double)
        CHECK_LAUNCH(reap_parallel_for(queue, exact_span_double, range, .at = sums->at,
                                       .x = sums->mixed.wide,
                                       .sums = {.variable = sums->wide_sums, .count = LENGTH}),
                     queue);
    else
        CHECK_LAUNCH(reap_parallel_for(queue, exact_span_float, range, .at = sums->at,
                                       .x = sums->mixed.narrow,
                                       .sums = {.variable = sums->narrow_sums, .count = LENGTH}),
                     queue);
}

static void check_round(struct exact_source *source, reap_queue *queue, mpfr_t all)
{
    const bool is_double = source->is_double;
    const size_t items = draw_sums(source);
    mix(is_double, items);
    launch_span(queue, is_double, items);
    for (size_t s = 0; s < LENGTH; s++) {
        const double right = right_sum(all, s, is_double);
        const double element = is_double ? sums->wide_sums[s] : (double)sums->narrow_sums[s];
        check_sum("a span's sum", s, element, right);
        check_sum("a sum", s, reduced(queue, s, is_double), right);
    }
}

int main(int argc, char **argv)
{
    const bool is_double = argc > 1 && strcmp(argv[1], "double") == 0;
    const size_t wanted = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000;
    if (!is_double && (argc < 2 || strcmp(argv[1], "float") != 0)) {
        fprintf(stderr, "usage: test_exact_mpfr float|double [SUMS]\n");
        return 2;
    }
    struct exact_source source = {.state = check_seed(), .is_double = is_double};
    reap_queue *queues[QUEUES];
    size_t done = 0;
    mpfr_t all;
    mpfr_init2(all, BITS);
    sums = test_allocate(sizeof *sums);
    queues_open(queues);
    TEST_SHARE(sums->x);
    TEST_SHARE(sums->narrow);
    TEST_SHARE(sums->mixed.wide);
    TEST_SHARE(sums->at);
    for (; done < wanted; done += LENGTH)
        check_round(&source, queues[done / LENGTH % queue_count], all);
    printf("%zu sums of %ss, %zu of them with infinities and NaN, as reductions and in spans: %zu "
           "differ from MPFR %s\n",
           done, argv[1], special, wrong, mpfr_get_version());
    queues_close(queues);
    mpfr_clear(all);
    mpfr_free_cache();
    free(sums);
    return check_finish();
}
