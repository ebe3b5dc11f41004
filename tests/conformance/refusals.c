/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that a launch refuses: it says so with INVALID_ARGUMENT and a line that names the
 * kernel and the argument, and nothing has run or changed.
 */
#include "tests/conformance/refusals.kernels.h"

#include "tests/conformance/queues.h"

#include <stdalign.h>

enum { ITEMS = 8, BINS = 4 };

/* All memory that a launch of `strict` uses, so that it can be compared as a whole. */
struct memory {
    uint32_t x[ITEMS], z[ITEMS], y[ITEMS];
    uint32_t bins[BINS], latest[BINS];
    uint32_t sum, last, peak, unused;
    uint64_t peak_at;
};

static struct memory fresh_memory(void)
{
    struct memory memory;
    memset(&memory, 0, sizeof memory);
    for (uint32_t i = 0; i < ITEMS; i++) {
        memory.x[i] = i * 3 + 1;
        memory.z[i] = 100 + i;
    }
    memory.peak_at = UINT64_MAX;
    return memory;
}

/* The arguments of a launch that is right; each case spoils one. */
static struct reap_arguments_strict good_arguments(struct memory *m)
{
    const struct reap_arguments_strict arguments = {
        .reap_range_ = reap_range_1d(ITEMS),
        .x = m->x,
        .z = m->z,
        .y = m->y,
        .sum = {.variable = &m->sum},
        .last = {.variable = &m->last},
        .peak = {.variable = &m->peak, .location = &m->peak_at},
        .bins = {.variable = m->bins, .count = BINS},
        .latest = {.variable = m->latest, .count = BINS},
    };
    return arguments;
}

typedef void spoil(struct reap_arguments_strict *arguments, struct memory *m);

static void no_input(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->x = NULL;
}

static void no_output(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->y = NULL;
}

static void no_inout(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->z = NULL;
}

static void misaligned_input(struct reap_arguments_strict *a, struct memory *m)
{
    a->x = (const void *)((const char *)m->x + 1);
}

static void misaligned_output(struct reap_arguments_strict *a, struct memory *m)
{
    a->y = (void *)((char *)m->y + 2);
}

static void no_variable(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->sum.variable = NULL;
}

static void variable_and_result(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.result = &m->unused;
}

static void misaligned_result(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = NULL;
    a->sum.result = (void *)((char *)&m->unused + 1);
}

static void result_is_input(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = NULL;
    a->sum.result = m->x;
}

static void result_without_identity(struct reap_arguments_strict *a, struct memory *m)
{
    a->last.variable = NULL;
    a->last.result = &m->unused;
}

static void span_result_without_identity(struct reap_arguments_strict *a, struct memory *m)
{
    a->latest.variable = NULL;
    a->latest.result = m->latest;
}

static void misaligned_variable(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = (void *)((char *)&m->sum + 1);
}

static void misaligned_identity(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.identity = (void *)((char *)&m->unused + 1);
}

static void no_location(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->peak.location = NULL;
}

static void misaligned_location(struct reap_arguments_strict *a, struct memory *m)
{
    a->peak.location = (void *)((char *)&m->peak_at + 4);
}

static void no_span(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->bins.variable = NULL;
}

static void endless_span(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->bins.count = SIZE_MAX / 2;
}

static void unknown_property(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->sum.properties = 64;
}

static void no_identity(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->last.properties = REAP_INITIALIZE_TO_IDENTITY;
}

static void no_span_identity(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->latest.properties = REAP_INITIALIZE_TO_IDENTITY;
}

static void one_variable_twice(struct reap_arguments_strict *a, struct memory *m)
{
    a->last.variable = &m->sum;
}

static void spans_overlap(struct reap_arguments_strict *a, struct memory *m)
{
    uint32_t *const latest = m->latest;
    a->bins.variable = latest - 3;
}

static void variable_in_span(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = &m->bins[3];
}

static void variable_in_location(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = (uint32_t *)(void *)&m->peak_at + 1;
}

static void variable_is_location(struct reap_arguments_strict *a, struct memory *m)
{
    a->peak.variable = (uint32_t *)(void *)&m->peak_at;
}

static void variable_is_input(struct reap_arguments_strict *a, struct memory *m)
{
    a->sum.variable = m->x;
}

static void span_is_output(struct reap_arguments_strict *a, struct memory *m)
{
    a->bins.variable = m->y;
}

static void output_is_input(struct reap_arguments_strict *a, struct memory *m)
{
    a->y = m->x;
}

static void inout_is_input(struct reap_arguments_strict *a, struct memory *m)
{
    a->z = m->x;
}

static void inout_is_output(struct reap_arguments_strict *a, struct memory *m)
{
    a->z = m->y;
}

static void no_dimensions(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->reap_range_.dimensions = 0;
}

static void four_dimensions(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->reap_range_.dimensions = 4;
}

static void too_many_items(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->reap_range_ = reap_range_3d((size_t)1 << 31, (size_t)1 << 31, 8);
}

static void exactly_too_many_items(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->reap_range_ = reap_range_2d((size_t)1 << 32, (size_t)1 << 32);
}

static void wrapped_to_few_items(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m; /* 3 * that is 1, modulo 2^64 */
    a->reap_range_ = reap_range_2d(3, 0xaaaaaaaaaaaaaaab);
}

static void no_wait_list(struct reap_arguments_strict *a, struct memory *m)
{
    (void)m;
    a->launch.wait_for_count = 2;
}

static void no_event_in_list(struct reap_arguments_strict *a, struct memory *m)
{
    static reap_event *const events[] = {NULL};
    (void)m;
    a->launch.wait_for = events;
    a->launch.wait_for_count = 1;
}

/* Each with what the message has to name beside the kernel. */
static const struct {
    const char *name, *named, *named_too;
    spoil *spoil;
} cases[] = {
    {"no input", "x", NULL, no_input},
    {"no output", "y", NULL, no_output},
    {"no inout", "z", NULL, no_inout},
    {"misaligned input", "x", NULL, misaligned_input},
    {"misaligned output", "y", NULL, misaligned_output},
    {"no variable", "sum", NULL, no_variable},
    {"variable and result", "sum", NULL, variable_and_result},
    {"misaligned result", "sum", NULL, misaligned_result},
    {"result is an input", "sum", "x", result_is_input},
    {"result without identity", "last", NULL, result_without_identity},
    {"span's result without identity", "latest", NULL, span_result_without_identity},
    {"misaligned variable", "sum", NULL, misaligned_variable},
    {"misaligned identity", "sum", NULL, misaligned_identity},
    {"no location", "peak", NULL, no_location},
    {"misaligned location", "peak", NULL, misaligned_location},
    {"no span", "bins", NULL, no_span},
    {"endless span", "bins", NULL, endless_span},
    {"unknown property", "sum", NULL, unknown_property},
    {"no identity", "last", NULL, no_identity},
    {"no identity of a span", "latest", NULL, no_span_identity},
    {"one variable twice", "sum", "last", one_variable_twice},
    {"spans overlap", "bins", "latest", spans_overlap},
    {"variable in a span", "sum", "bins", variable_in_span},
    {"variable in a location", "sum", "peak", variable_in_location},
    {"variable is its location", "peak", NULL, variable_is_location},
    {"variable is an input", "sum", "x", variable_is_input},
    {"span is an output", "bins", "y", span_is_output},
    {"output is an input", "y", "x", output_is_input},
    {"inout is an input", "z", "x", inout_is_input},
    {"inout is an output", "z", "y", inout_is_output},
    {"no dimensions", "dimensions", NULL, no_dimensions},
    {"four dimensions", "dimensions", NULL, four_dimensions},
    {"too many items", "work-items", NULL, too_many_items},
    {"2^64 items", "work-items", NULL, exactly_too_many_items},
    {"too many items, modulo 2^64 one", "work-items", NULL, wrapped_to_few_items},
    {"no wait list", "wait_for", NULL, no_wait_list},
    {"no event in the wait list", "wait_for", NULL, no_event_in_list},
};

/* Whether the message has the word, alone or in quotes. */
static bool names(const char *message, const char *word)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return strstr(message, strlen(word) < 7 ? quoted : word) != NULL;
}

static void check_refused(reap_queue *queue, size_t c)
{
    struct memory memory = fresh_memory(), before;
    struct reap_arguments_strict arguments = good_arguments(&memory);
    reap_event *untouched = (reap_event *)(void *)&memory, *event = untouched;
    const unsigned long failed = check_failures;
    cases[c].spoil(&arguments, &memory);
    arguments.launch.event = &event;
    memcpy(&before, &memory, sizeof before);
    CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(memcmp(&before, &memory, sizeof before) == 0);
    CHECK_EQ(event, untouched);
    CHECK(names(reap_last_error(), "strict"));
    CHECK(names(reap_last_error(), cases[c].named));
    CHECK(cases[c].named_too == NULL || names(reap_last_error(), cases[c].named_too));
    CHECK(strchr(reap_last_error(), '\n') == NULL);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    if (check_failures > failed)
        fprintf(stderr, "  %s: \"%s\"\n", cases[c].name, reap_last_error());
}

/* A variable anywhere in a buffer that the launch uses as an array, and the same without a buffer,
 * where nothing is known of the array but its address. */
static void check_buffer(reap_queue *queue)
{
    struct memory memory = fresh_memory(), before = memory;
    struct reap_arguments_strict arguments = good_arguments(&memory);
    reap_buffer *buffer;
    CHECK_STATUS(reap_buffer_wrap(&memory, sizeof memory, &buffer), REAP_OK);
    CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK(names(reap_last_error(), "strict"));
    CHECK(memcmp(&before, &memory, sizeof before) == 0);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);

    arguments.sum.variable = &memory.x[ITEMS - 1];
    arguments.reap_range_ = reap_range_1d(ITEMS - 1);
    CHECK_LAUNCH(reap_launch(queue, &reap_kernel_strict, &arguments), queue);
    CHECK_NE(memory.x[ITEMS - 1], before.x[ITEMS - 1]);
}

/* Each array and each variable alone in a buffer. */
static void check_buffers(reap_queue *queue)
{
    struct memory memory = fresh_memory(), before = memory;
    struct reap_arguments_strict arguments = good_arguments(&memory);
    uint32_t *const arrays[] = {memory.x, memory.y, memory.z};
    for (size_t a = 0; a < 3; a++) {
        reap_buffer *buffer;
        CHECK_STATUS(reap_buffer_wrap(arrays[a], ITEMS * sizeof(uint32_t), &buffer), REAP_OK);
        arguments.sum.variable = arrays[a] + 5;
        CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, &arguments),
                     REAP_ERROR_INVALID_ARGUMENT);
        CHECK(names(reap_last_error(), "sum"));
        CHECK(memcmp(&before, &memory, sizeof before) == 0);
        CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    }
    reap_buffer *own;
    arguments = good_arguments(&memory);
    CHECK_STATUS(reap_buffer_wrap(&memory.sum, sizeof memory.sum, &own), REAP_OK);
    CHECK_LAUNCH(reap_launch(queue, &reap_kernel_strict, &arguments), queue);
    CHECK_EQ(memory.sum, 92);
    CHECK_STATUS(reap_buffer_release(own), REAP_OK);
}

/* Spans of `count` words from `first` in 100 words, where two buffers have words 20 to 29 and 30 to
 * 69 and an array begins at word 50. Refused ones have the figures that the message must have. */
static const struct {
    size_t first, count;
    const char *figures[2];
} spans[] = {
    {20, 10, {NULL}}, /* a whole buffer */
    {24, 6, {NULL}},  /* its end */
    {10, 10, {NULL}}, /* up to it */
    {70, 10, {NULL}}, /* beside the other */
    {20, 20, {"80 bytes", "only 40 of them lie in the buffer of 40 bytes"}},
    {25, 20, {"80 bytes", "only 20 of them lie in the buffer of 40 bytes"}},
    {15, 6, {"24 bytes", "only 4 of them lie in the buffer of 40 bytes"}},
    {10, 80, {"320 bytes", "only 40 of them lie in the buffer of 40 bytes"}},
    {29, 80, {"320 bytes", "only 4 of them lie in the buffer of 40 bytes"}},
    {65, 6, {"24 bytes", "only 20 of them lie in the buffer of 160 bytes"}},
};

static void check_span_extent(reap_queue *queue, size_t s)
{
    uint32_t words[110] = {0}, before[110] = {0};
    struct memory memory = fresh_memory();
    struct reap_arguments_strict arguments = good_arguments(&memory);
    reap_buffer *buffers[2];
    const unsigned long failed = check_failures;
    CHECK_STATUS(reap_buffer_wrap(words + 20, 10 * sizeof *words, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(words + 30, 40 * sizeof *words, &buffers[1]), REAP_OK);
    arguments.x = words + 50;
    arguments.bins.variable = words + spans[s].first;
    arguments.bins.count = spans[s].count;
    const reap_status status = reap_launch(queue, &reap_kernel_strict, &arguments);
    if (spans[s].figures[0] == NULL) {
        CHECK_LAUNCH(status, queue);
        CHECK_EQ(words[spans[s].first], ITEMS);
    } else {
        CHECK_STATUS(status, REAP_ERROR_INVALID_ARGUMENT);
        CHECK(names(reap_last_error(), "strict") && names(reap_last_error(), "bins"));
        CHECK_HAS(reap_last_error(), spans[s].figures[0]);
        CHECK_HAS(reap_last_error(), spans[s].figures[1]);
        CHECK(memcmp(words, before, sizeof words) == 0);
    }
    CHECK_STATUS(reap_buffer_release(buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[1]), REAP_OK);
    if (check_failures > failed)
        fprintf(stderr, "  span of %zu words from %zu: \"%s\"\n", spans[s].count, spans[s].first,
                reap_last_error());
}

/* A variable and a location of which a buffer has a half. */
static void check_extents(reap_queue *queue)
{
    struct memory memory = fresh_memory(), before = memory;
    struct reap_arguments_strict arguments = good_arguments(&memory);
    reap_buffer *buffer;
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++)
        check_span_extent(queue, s);
    CHECK_STATUS(reap_buffer_wrap((char *)&memory.sum + 2, 2, &buffer), REAP_OK);
    CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "the variable of reduction 'sum' has 4 bytes at");
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(&memory.peak_at, 4, &buffer), REAP_OK);
    CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "the location of reduction 'peak' has 8 bytes at");
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(memcmp(&before, &memory, sizeof before) == 0);
}

static void check_allowed(reap_queue *queue)
{
    static const point points[2] = {{1, 2}, {3, 4}};
    double sum = 0;
    CHECK_LAUNCH(reap_parallel_for(queue, two_inputs, reap_range_1d(2), .a = points, .b = points,
                                   .sum = {.variable = &sum}),
                 queue);
    CHECK_EQ(sum, 14);

    /* No dimension may make the product overflow, but an empty one makes it 0. */
    CHECK_LAUNCH(reap_parallel_for(queue, two_inputs, reap_range_3d(SIZE_MAX, 0, SIZE_MAX),
                                   .a = points, .b = points, .sum = {.variable = &sum}),
                 queue);
    CHECK_EQ(sum, 14);
}

static void check_null(reap_queue *queue)
{
    struct memory memory = fresh_memory();
    struct reap_arguments_strict arguments = good_arguments(&memory);
    CHECK_STATUS(reap_launch(NULL, &reap_kernel_strict, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_launch(queue, NULL, &arguments), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_launch(queue, &reap_kernel_strict, NULL), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(memory.sum, 0);
}

int main(void)
{
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_refused(queue, c);
    check_null(queue);
    if (test_skips("reductions into memory of buffers",
                   "a device's arrays are buffers of their own")) {
        reap_queue_release(queue);
        return check_finish();
    }
    check_buffer(queue);
    check_buffers(queue);
    check_extents(queue);
    check_allowed(queue);

    struct memory memory = fresh_memory();
    const struct reap_arguments_strict arguments = good_arguments(&memory);
    CHECK_LAUNCH(reap_launch(queue, &reap_kernel_strict, &arguments), queue);
    CHECK(memory.sum == 92 && memory.last == 22 && memory.peak == 22 && memory.peak_at == 7);
    reap_queue_release(queue);
    return check_finish();
}
