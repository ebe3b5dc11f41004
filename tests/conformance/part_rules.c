/* SPDX-License-Identifier: Apache-2.0
 *
 * What parts refuse, with what message, and that nothing has changed then: launches, merges,
 * results, and encodings that are damaged, truncated or of something else. And what happens to a
 * part whose launch fails.
 */
#include "tests/conformance/part_rules.kernels.h"

#include "src/core/allocate.h"
#include "src/core/backend.h"
#include "tests/conformance/devices.h"
#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#include <reap/reap.h>
#include <string.h>

enum { ITEMS = 10000, BINS = 10 };

static float x[ITEMS], scaled[ITEMS];
static uint32_t keys[ITEMS];
static reap_queue *queue;
static bool has_memory; /* the device, of its own */

static reap_part *create(const struct reap_kernel *kernel, const char *reduction)
{
    reap_part *part = NULL;
    CHECK_STATUS(reap_part_create(kernel, reduction, &part), REAP_OK);
    return part;
}

static reap_status add(reap_part *part, size_t first, size_t items)
{
    return reap_parallel_for(queue, rule_sum, reap_range_1d(items), .x = x + first % ITEMS,
                             .sum = {.part = part}, .launch.first_item = first);
}

#define CHECK_REFUSED(call, text)                                                                  \
    do {                                                                                           \
        CHECK_STATUS(call, REAP_ERROR_INVALID_ARGUMENT);                                           \
        CHECK_HAS(reap_last_error(), text);                                                        \
    } while (0)

/* ---- Objects ----------------------------------------------------------------------------------*/

static void check_creation(void)
{
    reap_part *part = NULL;
    CHECK_REFUSED(reap_part_create(NULL, "sum", &part), "the kernel is NULL");
    CHECK_REFUSED(reap_part_create(&reap_kernel_rule_sum, NULL, &part), "name is NULL");
    CHECK_REFUSED(reap_part_create(&reap_kernel_rule_sum, "sum", NULL), "NULL");
    CHECK_REFUSED(reap_part_create(&reap_kernel_rule_sum, "x", &part),
                  "kernel 'rule_sum' has no reduction 'x'");
    CHECK(part == NULL);
    CHECK_REFUSED(reap_part_copy(NULL, &part), "NULL");
    reap_part_release(NULL);
    CHECK_EQ(reap_part_range_count(NULL), 0);
}

static void check_ranges(void)
{
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    reap_part_range range = {7, 7};
    CHECK_EQ(reap_part_range_count(part), 0);
    CHECK_REFUSED(reap_part_get_range(part, 0, &range), "no range number 0");
    CHECK_STATUS(add(part, 5000, 1000), REAP_OK);
    CHECK_STATUS(add(part, 0, 10), REAP_OK);
    CHECK_STATUS(add(part, 10, 0), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 2);
    CHECK_STATUS(reap_part_get_range(part, 1, &range), REAP_OK);
    CHECK(range.first == 5000 && range.end == 6000);
    CHECK_STATUS(add(part, 10, 4990), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 1);
    CHECK_STATUS(reap_part_get_range(part, 0, &range), REAP_OK);
    CHECK(range.first == 0 && range.end == 6000);
    CHECK_REFUSED(reap_part_get_range(part, 1, &range), "no range number 1");
    CHECK_REFUSED(reap_part_get_range(NULL, 0, &range), "the part is NULL");
    CHECK_REFUSED(reap_part_get_range(part, 0, NULL), "NULL");
    reap_part_release(part);
}

/* ---- Words ------------------------------------------------------------------------------------*/

static void check_descriptions(void)
{
    reap_part_description is;
    const float identity = 1;
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    CHECK_REFUSED(reap_part_describe(NULL, &is), "the part is NULL");
    CHECK_REFUSED(reap_part_describe(part, NULL), "NULL");
    CHECK_STATUS(reap_parallel_for(queue, rule_sum, reap_range_1d(10), .x = x,
                                   .sum = {.part = part, .identity = &identity}),
                 REAP_OK);
    CHECK_STATUS(reap_part_describe(part, &is), REAP_OK);
    CHECK(is.kernel == &reap_kernel_rule_sum);
    CHECK_STR(is.kernel_name, "rule_sum");
    CHECK_STR(is.reduction, "sum");
    CHECK_STR(is.operation, "plus");
    CHECK_STR(is.type, "float");
    CHECK(is.value_size == sizeof(float) && is.group_items == 1 && is.count == 0);
    CHECK(is.identity != NULL && *(const float *)is.identity == identity);
    CHECK(is.word_size == 0 && is.word_count == 0);
    reap_part_release(part);
    part = create(&reap_kernel_rule_bins, "bins");
    CHECK_STATUS(reap_part_describe(part, &is), REAP_OK);
    CHECK(is.word_size == 4 && is.words_of_value == 1 && is.word_count == 0);
    CHECK_STATUS(reap_parallel_for(queue, rule_bins, reap_range_1d(10), .x = keys,
                                   .bins = {.part = part, .count = BINS}),
                 REAP_OK);
    CHECK_STATUS(reap_part_describe(part, &is), REAP_OK);
    CHECK(is.count == BINS && is.word_count == BINS && is.identity == NULL);
    reap_part_release(part);
}

/* Words of two parts that are added are those of both. */
static void check_words(void)
{
    uint32_t words[2][BINS], bins[BINS] = {0}, expected[BINS] = {0};
    const reap_part_range whole = {0, ITEMS};
    reap_part *part = create(&reap_kernel_rule_bins, "bins");
    for (size_t half = 0; half < 2; half++) {
        reap_part *share = create(&reap_kernel_rule_bins, "bins");
        const size_t first = half * ITEMS / 2;
        CHECK_STATUS(reap_parallel_for(queue, rule_bins, reap_range_1d(ITEMS / 2),
                                       .x = keys + first, .bins = {.part = share, .count = BINS},
                                       .launch.first_item = first),
                     REAP_OK);
        CHECK_REFUSED(reap_part_get_words(share, words[half], sizeof words[half] - 1),
                      "the part has 10 words of 4 bytes, but the memory has 39 bytes");
        CHECK_STATUS(reap_part_get_words(share, words[half], sizeof words[half]), REAP_OK);
        reap_part_release(share);
    }
    for (size_t b = 0; b < BINS; b++)
        words[0][b] += words[1][b];
    const reap_part_contents contents = {
        .ranges = &whole, .range_count = 1, .count = BINS, .words = words[0]};
    CHECK_STATUS(reap_part_set_words(part, &contents), REAP_OK);
    CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, rule_bins, reap_range_1d(ITEMS), .x = keys,
                                   .bins = {expected, .count = BINS}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
    reap_part_release(part);
}

static void check_wrong_words(void)
{
    const uint32_t words[BINS] = {1};
    const reap_part_range ranges[] = {{0, 5}, {4, 9}}, none = {3, 3};
    reap_part *sum = create(&reap_kernel_rule_sum, "sum");
    reap_part *bins = create(&reap_kernel_rule_bins, "bins");
    reap_part_contents contents = {
        .ranges = ranges, .range_count = 1, .count = BINS, .words = words};
    CHECK_REFUSED(reap_part_get_words(sum, (void *)ranges, 16), "cannot be written as words");
    CHECK_REFUSED(reap_part_set_words(sum, &contents), "cannot be written as words");
    CHECK_REFUSED(reap_part_get_words(bins, NULL, 0), "NULL");
    CHECK_REFUSED(reap_part_set_words(bins, NULL), "NULL");
    CHECK_STATUS(reap_part_set_words(bins, &contents), REAP_OK);
    contents.range_count = 2;
    CHECK_REFUSED(reap_part_set_words(bins, &contents), "overlap");
    contents =
        (reap_part_contents){.ranges = &none, .range_count = 1, .count = BINS, .words = words};
    CHECK_REFUSED(reap_part_set_words(bins, &contents), "empty");
    contents.ranges = ranges;
    contents.group_items = 2;
    CHECK_REFUSED(reap_part_set_words(bins, &contents), "do not consist of whole work-groups");
    contents.group_items = 0;
    contents.count = 0;
    CHECK_REFUSED(reap_part_set_words(bins, &contents), ".count is 0");
    contents.words = NULL;
    CHECK_REFUSED(reap_part_set_words(bins, &contents), "NULL");
    CHECK_EQ(reap_part_range_count(bins), 1);
    CHECK_STATUS(reap_part_set_words(bins, &(const reap_part_contents){.range_count = 0}), REAP_OK);
    CHECK_EQ(reap_part_range_count(bins), 0);
    reap_part_release(bins);
    reap_part_release(sum);
}

/* A part stays as it is where memory runs out. */
static void check_memory_of_words(void)
{
    const uint32_t words[BINS] = {1}, more[BINS] = {2};
    const reap_part_range ranges[] = {{5, 9000}, {9001, 9002}};
    reap_part *bins = create(&reap_kernel_rule_bins, "bins");
    reap_part_contents contents = {
        .ranges = ranges, .range_count = 1, .count = BINS, .words = words};
    uint32_t found[BINS];
    unsigned long number = 0;
    reap_status status = REAP_ERROR_OUT_OF_MEMORY;
    CHECK_STATUS(reap_part_set_words(bins, &contents), REAP_OK);
    contents.words = more;
    contents.range_count = 2;
    for (const long alive = reap__allocations_alive(); status == REAP_ERROR_OUT_OF_MEMORY;) {
        reap__fail_allocation(++number);
        status = reap_part_set_words(bins, &contents);
        reap__fail_allocation(0);
        CHECK_STATUS(reap_part_get_words(bins, found, sizeof found), REAP_OK);
        CHECK_EQ(found[0], status == REAP_OK ? 2 : 1);
        CHECK_EQ(reap__allocations_alive(), alive + (status == REAP_OK));
    }
    CHECK_STATUS(status, REAP_OK);
    CHECK_EQ(number, 5); /* a part, two ranges, an array; and none fails */
    reap_part_release(bins);
}

static void check_swapping(void)
{
    const float identity = 2;
    float sum = 0, other_sum = 0;
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    reap_part *other = create(&reap_kernel_rule_sum, "sum");
    reap_part *wrong = create(&reap_kernel_rule_other, "sum");
    CHECK_STATUS(reap_parallel_for(queue, rule_sum, reap_range_1d(1), .x = x + 7,
                                   .sum = {.part = part, .identity = &identity}),
                 REAP_OK);
    CHECK_REFUSED(reap_part_swap(part, wrong), "cannot use a part of kernel 'rule_other'");
    CHECK_REFUSED(reap_part_swap(part, NULL), "NULL");
    CHECK_STATUS(reap_part_swap(part, part), REAP_OK);
    CHECK_STATUS(reap_part_swap(part, other), REAP_OK);
    CHECK_EQ(reap_part_range_count(part), 0);
    CHECK_STATUS(add(part, 7, 1), REAP_OK); /* without an identity */
    CHECK_STATUS(reap_part_swap(other, part), REAP_OK);
    CHECK_REFUSED(reap_part_finish(other, &other_sum, NULL), "begins with work-items 7 to 7");
    CHECK_STATUS(reap_part_finish(part, &sum, NULL), REAP_OK);
    CHECK_EQ(sum, x[7] + identity);
    reap_part_release(part);
    reap_part_release(other);
    reap_part_release(wrong);
}

/* ---- Arrays on devices ------------------------------------------------------------------------*/

enum { LONG = 20000 }; /* elements, which take more than 64 KiB */

static reap_status add_bins(reap_part *bins, size_t first, size_t items, size_t count)
{
    return reap_parallel_for(queue, rule_bins, reap_range_1d(items), .x = keys + first,
                             .bins = {.part = bins, .count = count}, .launch.first_item = first);
}

static bool is_on_device(const reap_part *part, const void **words)
{
    const reap_device *device = NULL;
    CHECK_STATUS(reap_part_get_device_words(part, &device, words), REAP_OK);
    CHECK((device == NULL) == (*words == NULL));
    CHECK(device == NULL || device == reap_queue_device(queue));
    return device != NULL;
}

/* A launch whose only index outside is at key 3500. */
static void add_badly(reap_part *part, size_t count)
{
    const uint32_t key = keys[3500];
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    keys[3500] = (uint32_t)count;
    const reap_status status = add_bins(part, 3010, 1000, count);
    CHECK(status == (has_memory ? REAP_OK : REAP_ERROR_INDEX_OUT_OF_RANGE));
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    keys[3500] = key;
}

/* Launches leave it where they run, until the host needs it; a failed one leaves it as it was. */
static void check_array_on_device(void)
{
    const void *words = NULL, *same = NULL;
    static uint32_t bins[LONG], expected[LONG];
    reap_part *part = create(&reap_kernel_rule_bins, "bins");
    CHECK_REFUSED(reap_part_get_device_words(NULL, NULL, NULL), "NULL");
    CHECK(!is_on_device(part, &words));
    CHECK_STATUS(add_bins(part, 0, 10, LONG), REAP_OK);
    CHECK_EQ(is_on_device(part, &words), has_memory);
    CHECK_STATUS(add_bins(part, 10, 3000, LONG), REAP_OK);
    CHECK_EQ(is_on_device(part, &same), has_memory);
    CHECK(same == words);
    add_badly(part, LONG);
    CHECK_EQ(reap_part_range_count(part), 1);
    CHECK_EQ(is_on_device(part, &same), has_memory);
    CHECK(same == words);
    CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK); /* of the first 3010 */
    CHECK(!is_on_device(part, &same));
    CHECK_STATUS(add_bins(part, 3010, ITEMS - 3010, LONG), REAP_OK);
    CHECK(!is_on_device(part, &same)); /* nor is all of it on the host */
    for (size_t i = 0; i < ITEMS; i++)
        expected[keys[i]] += i < 3010 ? 2 : 1;
    CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK);
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
    reap_part_release(part);
}

/* As long as a part has no items, launches may say other lengths. */
static void check_other_length(void)
{
    static uint32_t bins[2 * LONG], expected[2 * LONG];
    const void *words;
    reap_part *part = create(&reap_kernel_rule_bins, "bins");
    add_badly(part, LONG);
    CHECK_EQ(reap_part_range_count(part), 0);
    CHECK(!is_on_device(part, &words));
    CHECK_STATUS(add_bins(part, 0, ITEMS, 2 * LONG), REAP_OK);
    for (size_t i = 0; i < ITEMS; i++)
        expected[keys[i]]++;
    CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK);
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
    reap_part_release(part);
}

/* Words that a program has put there, and then launches. */
static void check_words_on_device(void)
{
    static uint32_t words[LONG], bins[LONG], expected[LONG];
    const reap_part_range range = {ITEMS, 2 * ITEMS};
    void *memory = NULL;
    const void *found = NULL;
    reap_part *part = create(&reap_kernel_rule_bins, "bins");
    for (size_t b = 0; b < LONG; b++)
        words[b] = expected[b] = (uint32_t)b * 300000u;
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), sizeof words, &memory), REAP_OK);
    CHECK_STATUS(reap_copy(queue, memory, words, sizeof words, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    const reap_part_contents contents = {
        .ranges = &range, .range_count = 1, .count = LONG, .words = memory};
    const reap_part_contents longer = {
        .ranges = &range, .range_count = 1, .count = LONG + 1, .words = memory};
    CHECK_REFUSED(reap_part_set_words(part, &longer), "the words do not fit in their memory");
    CHECK_STATUS(reap_part_set_words(part, &contents), REAP_OK);
    CHECK_STATUS(reap_free(memory), REAP_OK);
    CHECK_EQ(is_on_device(part, &found), has_memory);
    CHECK_STATUS(add_bins(part, 0, ITEMS, LONG), REAP_OK);
    for (size_t i = 0; i < ITEMS; i++)
        expected[keys[i]]++;
    CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK);
    CHECK(memcmp(bins, expected, sizeof bins) == 0);
    reap_part_release(part);
}

/* Sums whose digits carry from launch to launch, by numbers of very different sizes. */
static void check_sums_on_device(void)
{
    enum { PIECE = 999, SUMS = 900 }; /* a multiple of 3: items have the same sum in each launch */
    static float sums[SUMS], expected[SUMS];
    reap_part *part = create(&reap_kernel_rule_sums, "sums");
    const void *words;
    for (size_t i = 0; i < ITEMS; i++)
        scaled[i] = (i / PIECE % 2 == 0 ? -x[i] : x[i]) * (i / PIECE % 3 == 0 ? 0x1p40f : 0x1p-40f);
    for (size_t first = 0; first < ITEMS; first += PIECE) {
        const size_t items = ITEMS - first < PIECE ? ITEMS - first : PIECE;
        CHECK_STATUS(reap_parallel_for(queue, rule_sums, reap_range_1d(items), .x = scaled + first,
                                       .sums = {.part = part, .count = SUMS},
                                       .launch.first_item = first),
                     REAP_OK);
        CHECK_EQ(is_on_device(part, &words), has_memory);
    }
    CHECK_STATUS(reap_part_finish(part, sums, NULL), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue, rule_sums, reap_range_1d(ITEMS), .x = scaled,
                                   .sums = {expected, .count = SUMS}),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(memcmp(sums, expected, sizeof sums) == 0);
    reap_part_release(part);
}

static void check_arrays_on_devices(void)
{
    has_memory = reap_queue_device(queue)->functions->allocate != NULL;
    for (size_t i = 0; i < ITEMS; i++)
        keys[i] = (uint32_t)(i * 7919 % LONG);
    check_array_on_device();
    check_other_length();
    check_words_on_device();
    check_sums_on_device();
    memset(keys, 0, sizeof keys);
}

/* ---- Launches ---------------------------------------------------------------------------------*/

static void check_arguments(void)
{
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    reap_part *other = create(&reap_kernel_rule_other, "sum");
    float sum = 3, identity = 1;
    const reap_range range = reap_range_1d(10);
    CHECK_REFUSED(
        reap_parallel_for(queue, rule_sum, range, .x = x, .sum = {.variable = &sum, .part = part}),
        "has .part and a variable");
    CHECK_REFUSED(
        reap_parallel_for(queue, rule_sum, range, .x = x, .sum = {.result = &sum, .part = part}),
        "has .part and a variable");
    CHECK_REFUSED(
        reap_parallel_for(queue, rule_sum, range, .x = x,
                          .sum = {.part = part, .properties = REAP_INITIALIZE_TO_IDENTITY}),
        "reap_part_finish");
    CHECK_REFUSED(reap_parallel_for(queue, rule_sum, range, .x = x, .sum = {.part = other}),
                  "cannot use a part of kernel 'rule_other', reduction 'sum' (plus of float)");
    CHECK_REFUSED(
        reap_parallel_for(queue, rule_sum, range, .x = x, .sum = &sum, .launch.first_item = 5),
        ".launch.first_item is 5");
    CHECK_REFUSED(reap_parallel_for(queue, rule_none, range, .x = x, .launch.first_item = 6),
                  ".launch.first_item is 6");
    CHECK_EQ(sum, 3);
    CHECK_EQ(reap_part_range_count(part), 0);
    CHECK_STATUS(add(part, 0, 10), REAP_OK);
    CHECK_REFUSED(reap_parallel_for(queue, rule_sum, range, .x = x,
                                    .sum = {.part = part, .identity = &identity},
                                    .launch.first_item = 10),
                  "has items with another .identity");
    CHECK_REFUSED(add(part, 3, 20), "work-items 3 to 22 overlap work-items 0 to 9");
    CHECK_REFUSED(add(part, 9, 1), "work-items 9 to 9 overlap work-items 0 to 9");
    CHECK_REFUSED(reap_parallel_for(queue, rule_sum, range, .x = x, .sum = {.part = part},
                                    .launch.first_item = UINT64_MAX - 5),
                  "go beyond 2^64");
    CHECK_EQ(reap_part_range_count(part), 1);
    reap_part_release(part);
    reap_part_release(other);
}

static void check_several(void)
{
    reap_part *sum = create(&reap_kernel_rule_two, "sum");
    reap_part *most = create(&reap_kernel_rule_two, "most");
    float variable = 3;
    const reap_range range = reap_range_1d(10);
    CHECK_REFUSED(
        reap_parallel_for(queue, rule_two, range, .x = x, .sum = {.part = sum}, .most = &variable),
        "argument 'most' has no .part");
    CHECK_REFUSED(reap_parallel_for(queue, rule_two, range, .x = x, .sum = {.part = sum},
                                    .most = {.part = sum}),
                  "cannot use a part");
    CHECK_STATUS(reap_parallel_for(queue, rule_two, range, .x = x, .sum = {.part = sum},
                                   .most = {.part = most}),
                 REAP_OK);
    CHECK_EQ(reap_part_range_count(most), 1);
    reap_part_release(sum);
    reap_part_release(most);
}

static void check_groups(void)
{
    reap_part *part = create(&reap_kernel_rule_groups, "sum");
    float sum = 0;
    CHECK_STATUS(reap_parallel_for(queue, rule_groups, reap_nd_range_1d(100, 10), .x = x,
                                   .sum = {.part = part}),
                 REAP_OK);
    CHECK_REFUSED(reap_parallel_for(queue, rule_groups, reap_nd_range_1d(100, 10), .x = x,
                                    .sum = {.part = part}, .launch.first_item = 105),
                  "105, not a multiple of the work-group's 10");
    CHECK_REFUSED(reap_parallel_for(queue, rule_groups, reap_nd_range_1d(100, 20), .x = x,
                                    .sum = {.part = part}, .launch.first_item = 100),
                  "work-groups of 10 work-items, and these are of 20");
    CHECK_REFUSED(reap_parallel_for(queue, rule_groups, reap_nd_range_1d(100, 10), .x = x,
                                    .sum = {.part = part}, .launch.first_item = 90),
                  "work-items 90 to 189 overlap work-items 0 to 99");
    CHECK_STATUS(reap_part_finish(part, &sum, NULL), REAP_OK);
    reap_part_release(part);
}

/* A launch that fails adds nothing, and can be repeated. */
static void check_failed_launches(void)
{
    reap_part *sums = create(&reap_kernel_rule_both, "sum");
    reap_part *bins = create(&reap_kernel_rule_both, "bins");
    for (size_t first = 0; first < 3; first++) {
        keys[first == 0 ? 5 : first == 1 ? 4000 : 9990] = BINS;
        const reap_status status = reap_parallel_for(
            queue, rule_both, reap_range_1d(ITEMS), .x = keys, .sum = {.part = sums},
            .bins = {.part = bins, .count = BINS}, .launch.first_item = 11);
        CHECK_STATUS(status == REAP_OK ? reap_queue_wait(queue) : status,
                     REAP_ERROR_INDEX_OUT_OF_RANGE);
        reap_queue_wait(queue);
        CHECK_HAS(reap_last_error(), "index 10 is outside span 'bins', which has 10 elements");
        CHECK_EQ(reap_part_range_count(sums), 0);
        CHECK_EQ(reap_part_range_count(bins), 0);
        keys[first == 0 ? 5 : first == 1 ? 4000 : 9990] = 0;
    }
    CHECK_STATUS(reap_parallel_for(queue, rule_both, reap_range_1d(ITEMS), .x = keys,
                                   .sum = {.part = sums}, .bins = {.part = bins, .count = BINS},
                                   .launch.first_item = 11),
                 REAP_OK);
    CHECK_EQ(reap_part_range_count(sums), 1);
    reap_part_release(sums);
    reap_part_release(bins);
}

/* Two launches in one queue that claim the same parts, of which at least the second fails. */
static void fail_twice(reap_part *sums, reap_part *bins)
{
    const float identity = 1000;
    keys[5] = BINS;
    for (size_t first = 0; first < 2 * ITEMS; first += ITEMS) {
        const reap_status status =
            reap_parallel_for(queue, rule_both, reap_range_1d(ITEMS), .x = keys,
                              .sum = {.part = sums, .identity = &identity},
                              .bins = {.part = bins, .count = BINS}, .launch.first_item = first);
        CHECK(status == REAP_OK || status == REAP_ERROR_INDEX_OUT_OF_RANGE);
    }
    CHECK_STATUS(reap_queue_wait(queue), REAP_ERROR_INDEX_OUT_OF_RANGE);
    keys[5] = 0;
}

/* A part that has no items after a failed launch is as it was before it: the .identity and the
 * .count of that launch have no effect on results. */
static void check_empty_after_failure(void)
{
    const reap_part_finish_options initialize = {.properties = REAP_INITIALIZE_TO_IDENTITY};
    uint32_t counts[BINS + 2] = {0};
    float sum = 7;
    size_t size;
    char bytes[1000];
    reap_part_description is;
    reap_part *sums = create(&reap_kernel_rule_both, "sum"), *same = NULL;
    reap_part *bins = create(&reap_kernel_rule_both, "bins");
    fail_twice(sums, bins);
    CHECK_EQ(reap_part_range_count(sums), 0);
    CHECK_STATUS(reap_part_finish(sums, &sum, NULL), REAP_OK);
    CHECK_EQ(sum, 7);
    CHECK_STATUS(reap_part_write(sums, bytes, sizeof bytes, &size), REAP_OK);
    CHECK_STATUS(reap_part_read(&reap_kernel_rule_both, "sum", bytes, size, &same), REAP_OK);
    CHECK_STATUS(reap_part_finish(same, &sum, NULL), REAP_OK);
    CHECK_EQ(sum, 7);
    CHECK_STATUS(reap_part_finish(sums, &sum, &initialize), REAP_OK);
    CHECK_EQ(sum, 0);
    CHECK_REFUSED(reap_part_finish(bins, counts, NULL), "give .count");
    CHECK_STATUS(reap_part_finish(bins, counts, &(reap_part_finish_options){.count = BINS + 2}),
                 REAP_OK);
    CHECK_STATUS(reap_part_set_words(bins, &(reap_part_contents){.count = BINS + 2}), REAP_OK);
    fail_twice(sums, bins);
    CHECK_STATUS(reap_part_describe(bins, &is), REAP_OK);
    CHECK_EQ(is.count, BINS + 2);
    reap_part_release(same);
    reap_part_release(sums);
    reap_part_release(bins);
}

static void check_spans(void)
{
    reap_part *bins = create(&reap_kernel_rule_bins, "bins");
    reap_part *products = create(&reap_kernel_rule_products, "products");
    uint32_t counts[BINS] = {0}, identity = 1;
    const reap_range range = reap_range_1d(10);
    CHECK_REFUSED(reap_parallel_for(queue, rule_products, range, .x = keys,
                                    .products = {.part = products, .count = BINS}),
                  "is a span whose values are combined in an order");
    CHECK_REFUSED(reap_parallel_for(queue, rule_bins, range, .x = keys,
                                    .bins = {.part = bins, .count = BINS, .identity = &identity}),
                  "is a span whose values are combined in an order");
    CHECK_REFUSED(reap_parallel_for(queue, rule_bins, range, .x = keys, .bins = {.part = bins}),
                  "has no .count");
    CHECK_REFUSED(reap_part_finish(bins, counts, NULL), "give .count");
    CHECK_STATUS(reap_parallel_for(queue, rule_bins, range, .x = keys,
                                   .bins = {.part = bins, .count = BINS}),
                 REAP_OK);
    CHECK_REFUSED(reap_parallel_for(queue, rule_bins, range, .x = keys,
                                    .bins = {.part = bins, .count = BINS + 1},
                                    .launch.first_item = 10),
                  "has 10 elements, and .count is 11");
    CHECK_REFUSED(
        reap_part_finish(bins, counts, &(const reap_part_finish_options){.count = BINS + 1}),
        "it has 10 elements, and .count is 11");
    CHECK_STATUS(reap_part_finish(bins, counts, &(const reap_part_finish_options){.count = BINS}),
                 REAP_OK);
    CHECK_EQ(counts[0], 10);
    reap_part_release(bins);
    reap_part_release(products);
}

/* ---- Merging and finishing --------------------------------------------------------------------*/

static void check_merging(void)
{
    reap_part *a = create(&reap_kernel_rule_sum, "sum"), *b = create(&reap_kernel_rule_sum, "sum");
    reap_part *other = create(&reap_kernel_rule_other, "sum");
    CHECK_REFUSED(reap_part_merge(NULL, b), "NULL");
    CHECK_REFUSED(reap_part_merge(a, NULL), "NULL");
    CHECK_REFUSED(reap_part_merge(a, a), "itself");
    CHECK_REFUSED(reap_part_merge(a, other), "cannot use a part of kernel 'rule_other'");
    CHECK_STATUS(add(a, 100, 100), REAP_OK);
    CHECK_STATUS(add(b, 199, 100), REAP_OK);
    CHECK_REFUSED(reap_part_merge(a, b), "work-items 199 to 298 overlap work-items 100 to 199");
    CHECK_EQ(reap_part_range_count(a), 1);
    reap_part_release(a);
    reap_part_release(b);
    reap_part_release(other);
}

static void check_finishing(void)
{
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    reap_part *last = create(&reap_kernel_rule_last_of, "last");
    float sum = 3;
    uint32_t value = 5;
    const reap_part_finish_options initialize = {.properties = REAP_INITIALIZE_TO_IDENTITY};
    uint64_t location = 0;
    CHECK_STATUS(add(part, 100, 100), REAP_OK);
    CHECK_REFUSED(reap_part_finish(part, &sum, NULL),
                  "the part begins with work-items 100 to 199, and work-items 0 to 99 are missing");
    CHECK_STATUS(add(part, 0, 50), REAP_OK);
    CHECK_REFUSED(reap_part_finish(part, &sum, NULL),
                  "has work-items 0 to 49 and 100 to 199, and those between are missing");
    CHECK_STATUS(add(part, 50, 50), REAP_OK);
    CHECK_REFUSED(reap_part_finish(NULL, &sum, NULL), "NULL");
    CHECK_REFUSED(reap_part_finish(part, NULL, NULL), "NULL");
    CHECK_REFUSED(reap_part_finish(part, (char *)&sum + 1, NULL), "not aligned");
    CHECK_REFUSED(reap_part_finish(part, &sum, &(const reap_part_finish_options){.properties = 2}),
                  ".properties");
    CHECK_REFUSED(
        reap_part_finish(part, &sum, &(const reap_part_finish_options){.location = &location}),
        "has no location");
    CHECK_REFUSED(reap_part_finish(part, &sum, &(const reap_part_finish_options){.count = 1}),
                  "is not a span");
    CHECK_EQ(sum, 3);
    CHECK_STATUS(reap_part_finish(part, &sum, &initialize), REAP_OK);
    CHECK_STATUS(reap_part_finish(part, &sum, &initialize), REAP_OK);
    CHECK_REFUSED(reap_part_finish(last, &value, &initialize), "its operator has none");
    CHECK_STATUS(reap_part_finish(last, &value, NULL), REAP_OK);
    CHECK_EQ(value, 5);
    reap_part_release(last);
    last = create(&reap_kernel_rule_least, "least");
    CHECK_REFUSED(reap_part_finish(last, &sum, NULL), "the reduction has a location");
    reap_part_release(last);
    reap_part_release(part);
}

/* A launch that has not completed, or has in the meantime. */
static void check_pending(void)
{
    const reap_queue_options options = {.asynchronous = true, .out_of_order = true};
    reap_queue *slow = NULL, *const before = queue;
    reap_part *part = create(&reap_kernel_rule_sum, "sum"), *other = NULL;
    reap_event *event = NULL;
    float sum = 3;
    size_t size;
    if (test_on_device()) {
        reap_part_release(part);
        return;
    }
    CHECK_STATUS(reap_queue_create(NULL, &options, &slow), REAP_OK);
    queue = slow;
    CHECK_STATUS(
        reap_parallel_for(slow, rule_none, reap_range_1d(1), .x = x, .launch.event = &event),
        REAP_OK);
    CHECK_STATUS(reap_parallel_for(slow, rule_sum, reap_range_1d(100), .x = x,
                                   .sum = {.part = part}, .launch.wait_for = &event,
                                   .launch.wait_for_count = 1),
                 REAP_OK);
    /* It may have completed already; if not, all of these say so. */
    const reap_status status = reap_part_finish(part, &sum, NULL);
    if (status != REAP_OK)
        CHECK_HAS(reap_last_error(), "work-items 0 to 99 into the part of 'sum' has not completed");
    CHECK_STATUS(reap_queue_wait(slow), REAP_OK);
    CHECK_STATUS(reap_part_write(part, NULL, 0, &size), REAP_OK);
    CHECK_STATUS(reap_part_copy(part, &other), REAP_OK);
    reap_event_release(event);
    reap_part_release(other);
    /* Released while it may be in use. */
    CHECK_STATUS(reap_parallel_for(slow, rule_sum, reap_range_1d(100), .x = x,
                                   .sum = {.part = part}, .launch.first_item = 100),
                 REAP_OK);
    reap_part_release(part);
    CHECK_STATUS(reap_queue_wait(slow), REAP_OK);
    reap_queue_release(slow);
    queue = before;
}

/* Returns the event's status. */
static reap_status add_and_wait(reap_queue *other, reap_part *part, const uint32_t *of)
{
    reap_event *event = NULL;
    CHECK_STATUS(reap_parallel_for(other, rule_bins, reap_range_1d(64), .x = of,
                                   .bins = {.part = part, .count = BINS}, .launch.event = &event),
                 REAP_OK);
    const reap_status status = event != NULL ? reap_event_wait(event) : REAP_OK;
    reap_event_release(event);
    return status;
}

/* A launch whose event has been waited for has no part any more: it is finished at once, and a
 * launch that has failed is repeated. */
static void check_events(void)
{
    const reap_queue_options options = {.asynchronous = true};
    reap_queue *other = NULL;
    uint32_t outside[64], inside[64], bins[BINS];
    for (int i = 0; i < 64; i++) {
        outside[i] = BINS;
        inside[i] = 3;
    }
    CHECK_STATUS(reap_queue_create(NULL, &options, &other), REAP_OK);
    for (int k = 0; k < 1000 && !test_on_device(); k++) {
        reap_part *part = create(&reap_kernel_rule_bins, "bins");
        memset(bins, 0, sizeof bins);
        CHECK_STATUS(add_and_wait(other, part, outside), REAP_ERROR_INDEX_OUT_OF_RANGE);
        CHECK_STATUS(add_and_wait(other, part, inside), REAP_OK);
        CHECK_STATUS(reap_part_finish(part, bins, NULL), REAP_OK);
        CHECK_EQ(bins[3], 64);
        reap_part_release(part);
    }
    CHECK_STATUS(reap_queue_wait(other),
                 test_on_device() ? REAP_OK : REAP_ERROR_INDEX_OUT_OF_RANGE);
    reap_queue_release(other);
}

/* ---- Encodings --------------------------------------------------------------------------------*/

static reap_status read_again(const struct reap_kernel *kernel, const unsigned char *bytes,
                              size_t size)
{
    reap_part *part = NULL;
    const char *reduction = kernel->parameters[2].name;
    const reap_status status = reap_part_read(kernel, reduction, bytes, size, &part);
    CHECK((status == REAP_OK) == (part != NULL));
    reap_part_release(part);
    return status;
}

static unsigned char *write_part(const reap_part *part, size_t *size)
{
    CHECK_STATUS(reap_part_write(part, NULL, 0, size), REAP_OK);
    unsigned char *bytes = test_allocate(*size + 1);
    CHECK_REFUSED(reap_part_write(part, bytes, *size - 1, size), "bytes, but");
    CHECK_STATUS(reap_part_write(part, bytes, *size, size), REAP_OK);
    return bytes;
}

/* Every byte that is changed, and every length, is noticed. */
static void check_damage(const struct reap_kernel *kernel, const reap_part *part)
{
    size_t size;
    unsigned char *bytes = write_part(part, &size);
    CHECK_STATUS(read_again(kernel, bytes, size), REAP_OK);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        CHECK_STATUS(read_again(kernel, bytes, size), REAP_ERROR_INVALID_ARGUMENT);
        bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    for (size_t length = 0; length < size; length += length < 200 || length + 20 > size ? 1 : 97)
        CHECK_STATUS(read_again(kernel, bytes, length), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(read_again(kernel, bytes, size + 1), REAP_ERROR_INVALID_ARGUMENT);
    bytes[3] ^= 1;
    CHECK_REFUSED(read_again(kernel, bytes, size), "are not the encoding of a part");
    bytes[3] ^= 1;
    bytes[8] = 9;
    CHECK_REFUSED(read_again(kernel, bytes, size), "was written in version 9");
    bytes[8] = 1;
    bytes[size - 20] ^= 1;
    CHECK_REFUSED(read_again(kernel, bytes, size), "its checksum is wrong");
    free(bytes);
}

static void check_others(const reap_part *part)
{
    size_t size;
    unsigned char *bytes = write_part(part, &size);
    reap_part *read = NULL;
    CHECK_REFUSED(reap_part_read(&reap_kernel_rule_other, "sum", bytes, size, &read),
                  "is of kernel 'rule_sum', reduction 'sum' (plus of float), and not of kernel "
                  "'rule_other', reduction 'sum' (plus of float)");
    CHECK_REFUSED(reap_part_read(&reap_kernel_rule_bins, "bins", bytes, size, &read),
                  "is of kernel 'rule_sum'");
    CHECK_REFUSED(reap_part_read(&reap_kernel_rule_sum, "x", bytes, size, &read),
                  "has no reduction 'x'");
    CHECK_REFUSED(reap_part_read(&reap_kernel_rule_sum, "sum", NULL, size, &read), "NULL");
    CHECK_REFUSED(reap_part_read(&reap_kernel_rule_sum, "sum", bytes, size, NULL), "NULL");
    CHECK(read == NULL);
    free(bytes);
}

static void put_number(unsigned char *bytes, uint64_t number)
{
    for (size_t i = 0; i < sizeof number; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
}

/* An encoding without items that was given another number of elements, and its checksum: .count
 * keeps it within the variable. */
static void check_forged(void)
{
    enum { COUNT_AT = 40 };
    size_t size;
    uint32_t bins[BINS];
    reap_part *part = create(&reap_kernel_rule_bins, "bins"), *read = NULL;
    unsigned char *bytes = write_part(part, &size);
    uint64_t sum = 0xcbf29ce484222325u;
    put_number(bytes + COUNT_AT, 1000);
    for (size_t i = 0; i < size - sizeof sum; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    put_number(bytes + size - sizeof sum, sum);
    CHECK_STATUS(reap_part_read(&reap_kernel_rule_bins, "bins", bytes, size, &read), REAP_OK);
    CHECK_REFUSED(reap_part_finish(read, bins, &(const reap_part_finish_options){.count = BINS}),
                  "it has 1000 elements, and .count is 10");
    reap_part_release(read);
    reap_part_release(part);
    free(bytes);
}

static void check_encodings(void)
{
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    CHECK_IN(check_damage(&reap_kernel_rule_sum, part));
    CHECK_STATUS(add(part, 2048, 5000), REAP_OK);
    CHECK_STATUS(add(part, 9000, 700), REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_sum, part));
    CHECK_IN(check_others(part));
    CHECK_IN(check_forged());
    reap_part_release(part);
    part = create(&reap_kernel_rule_last_of, "last");
    CHECK_STATUS(reap_parallel_for(queue, rule_last_of, reap_range_1d(3000), .x = keys,
                                   .last = {.part = part}),
                 REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_last_of, part));
    reap_part_release(part);
    part = create(&reap_kernel_rule_least, "least");
    CHECK_STATUS(
        reap_parallel_for(queue, rule_least, reap_range_1d(3000), .x = x, .least = {.part = part}),
        REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_least, part));
    reap_part_release(part);
    part = create(&reap_kernel_rule_exact, "sum");
    CHECK_STATUS(
        reap_parallel_for(queue, rule_exact, reap_range_1d(3000), .x = x, .sum = {.part = part}),
        REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_exact, part));
    reap_part_release(part);
    part = create(&reap_kernel_rule_bins, "bins");
    CHECK_STATUS(reap_parallel_for(queue, rule_bins, reap_range_1d(3000), .x = keys,
                                   .bins = {.part = part, .count = BINS}),
                 REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_bins, part));
    reap_part_release(part);
    part = create(&reap_kernel_rule_sums, "sums");
    CHECK_STATUS(reap_parallel_for(queue, rule_sums, reap_range_1d(3000), .x = x,
                                   .sums = {.part = part, .count = 3}),
                 REAP_OK);
    CHECK_IN(check_damage(&reap_kernel_rule_sums, part));
    reap_part_release(part);
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* All that needs memory, with a part of items 0 to 4999 and another one. */
static reap_status use_all(reap_part *part, const reap_part *other, const unsigned char *bytes,
                           size_t size, float *sum)
{
    reap_part *made = NULL, *copy = NULL;
    reap_status status = reap_part_create(&reap_kernel_rule_sum, "sum", &made);
    if (status == REAP_OK)
        status = add(made, 1000, 5000);
    if (status == REAP_OK)
        status = reap_part_read(&reap_kernel_rule_sum, "sum", bytes, size, &copy);
    reap_part_release(copy);
    copy = NULL;
    if (status == REAP_OK)
        status = reap_part_copy(part, &copy);
    if (status == REAP_OK)
        status = reap_part_merge(copy, other);
    if (status == REAP_OK)
        status = reap_part_finish(part, sum, NULL);
    reap_part_release(made);
    reap_part_release(copy);
    return status;
}

/* Each allocation fails in its turn; nothing has changed then, and nothing stays allocated. */
static void check_memory(void)
{
    reap_part *part = create(&reap_kernel_rule_sum, "sum");
    reap_part *other = create(&reap_kernel_rule_sum, "sum");
    size_t size;
    float sum = 3, expected = 3;
    if (test_on_device()) {
        reap_part_release(part);
        reap_part_release(other);
        return;
    }
    CHECK_STATUS(add(part, 0, 5000), REAP_OK);
    CHECK_STATUS(add(other, 5000, 3000), REAP_OK);
    unsigned char *bytes = write_part(part, &size);
    CHECK_STATUS(reap_part_finish(part, &expected, NULL), REAP_OK);
    CHECK_STATUS(use_all(part, other, bytes, size, &(float){0}), REAP_OK);
    const long alive = reap__allocations_alive();
    unsigned long failing = 1;
    for (reap_status status = REAP_ERROR_OUT_OF_MEMORY; status != REAP_OK && failing < 1000;
         failing++) {
        reap__fail_allocation(failing);
        status = use_all(part, other, bytes, size, &sum);
        reap__fail_allocation(0);
        if (status != REAP_OK) {
            CHECK_STATUS(status, REAP_ERROR_OUT_OF_MEMORY);
            CHECK_EQ(sum, 3);
        }
        CHECK_EQ(reap__allocations_alive(), alive);
        CHECK_EQ(reap_part_range_count(part), 1);
        reap_queue_wait(queue);
    }
    CHECK_GT(failing, 20);
    CHECK_LT(failing, 1000);
    CHECK_EQ(sum, expected);
    free(bytes);
    reap_part_release(part);
    reap_part_release(other);
}

/* Of one that is as the queue's, but cannot hand items' values to a log. */
static void check_other_device(void)
{
    struct reap_device other = *reap_queue_device(queue);
    struct reap__device_functions functions = *other.functions;
    reap_queue *queue_of_it;
    reap_part *part;
    functions.log_items = NULL;
    other.functions = &functions;
    if (test_on_device())
        return;
    CHECK_STATUS(reap_queue_create(&other, NULL, &queue_of_it), REAP_OK);
    CHECK_STATUS(reap_part_create(&reap_kernel_rule_sum, "sum", &part), REAP_OK);
    CHECK_STATUS(reap_parallel_for(queue_of_it, rule_sum, reap_range_1d(100), .x = x + 1,
                                   .sum = {.part = part}, .launch.first_item = 1),
                 REAP_ERROR_NO_DEVICE);
    CHECK(strstr(reap_last_error(), "must begin and end at multiples") != NULL);
    reap_part_release(part);
    reap_queue_release(queue_of_it);
}

int main(void)
{
    TEST_SHARE(x);
    TEST_SHARE(keys);
    TEST_SHARE(scaled);
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (float)i * 0.1f;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    check_creation();
    check_ranges();
    check_descriptions();
    check_words();
    check_wrong_words();
    check_memory_of_words();
    check_swapping();
    check_arrays_on_devices();
    check_arguments();
    check_other_device();
    check_several();
    check_groups();
    check_failed_launches();
    check_empty_after_failure();
    check_spans();
    check_merging();
    check_finishing();
    check_pending();
    check_events();
    check_encodings();
    check_memory();
    reap_queue_release(queue);
    return check_finish();
}
