/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions with a result for each row or column of a range: against the reference, which takes
 * each row or column for a range of its own, and against kernels over one row or column.
 */
#include "tests/conformance/lines.kernels.h"

#include "tests/conformance/exact_data.h"
#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/conformance/reference_exact.h"
#include "tests/conformance/reference_user.h"
#include "tests/support/memory.h"

/* ---- Ranges -----------------------------------------------------------------------------------*/

/* Lines of a range, and where their items are. */
struct lines {
    size_t count, items;
};

struct trial {
    reap_range range;
    bool are_columns, initialize;
    bool is_resident; /* results lie in a buffer, else in plain memory */
    struct lines lines;
};

static size_t size_of(const reap_range *range)
{
    size_t items = 1;
    for (unsigned d = 0; d < range->dimensions; d++)
        items *= range->size[d];
    return items;
}

/* The last index varies fastest. */
static struct trial make_trial(reap_range range, bool are_columns)
{
    struct trial trial = {.range = range, .are_columns = are_columns};
    const size_t *n = range.size;
    const bool is_2d = range.dimensions == 2;
    trial.lines.items = are_columns ? n[0] : is_2d ? n[1] : n[2];
    trial.lines.count = are_columns ? is_2d ? n[1] : n[1] * n[2] : is_2d ? n[0] : n[0] * n[1];
    return trial;
}

/* The number in the range of item i of a line. */
static size_t item_of(const struct trial *trial, size_t line, size_t i)
{
    return trial->are_columns ? i * trial->lines.count + line : line * trial->lines.items + i;
}

#define RANGE_2D(rows, columns)                                                                    \
    {                                                                                              \
        .dimensions = 2, .size = { rows, columns, 1 }                                              \
    }
#define RANGE_3D(planes, rows, columns)                                                            \
    {                                                                                              \
        .dimensions = 3, .size = { planes, rows, columns }                                         \
    }

/* Around the sizes of lanes (64), of leaves (2048, of 512 bytes 256) and of calls (16384). */
static const reap_range few_ranges[] = {
    RANGE_2D(0, 5),    RANGE_2D(5, 0),    RANGE_2D(1, 1),      RANGE_2D(3, 63),
    RANGE_2D(64, 3),   RANGE_2D(65, 65),  RANGE_2D(7, 1000),   RANGE_2D(2049, 3),
    RANGE_2D(2, 4100), RANGE_2D(1, 2048), RANGE_3D(3, 5, 70),  RANGE_3D(0, 3, 4),
    RANGE_3D(2, 3, 0), RANGE_2D(300, 33), RANGE_3D(130, 2, 2),
};
static const reap_range more_ranges[] = {
    RANGE_2D(5, 64),      RANGE_2D(1000, 32), RANGE_2D(3, 20000), RANGE_2D(20000, 3),
    RANGE_2D(2, 70001),   RANGE_2D(70001, 1), RANGE_2D(1, 70001), RANGE_2D(5000, 200),
    RANGE_3D(20, 30, 40), RANGE_2D(128, 129), RANGE_2D(40000, 2),
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool has_few_inputs(void)
{
#ifdef REAP_TESTS_SMALL
    return true;
#else
    return test_few();
#endif
}

/* ---- Launches of each type --------------------------------------------------------------------*/

/* This takes a macro's value for a name where Reap's takes the name as it is written. */
#define LAUNCH(queue, kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)
#define RESULTS(op)                                                                                \
    {                                                                                              \
        .variable = r + (op)*count, .count = count, .properties = properties                       \
    }

#define NAME schar
#define TYPE signed char
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME uchar
#define TYPE unsigned char
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME ushort
#define TYPE unsigned short
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME int
#define TYPE int
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME ullong
#define TYPE unsigned long long
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME float
#define TYPE float
#define IS_INTEGER 0
#include "tests/conformance/lines_tmpl.h"
#define NAME double
#define TYPE double
#define IS_INTEGER 0
#include "tests/conformance/lines_tmpl.h"
#define NAME half
#define TYPE reap_half
#define IS_INTEGER 0
#include "tests/conformance/lines_tmpl.h"
#define NAME bfloat16
#define TYPE reap_bfloat16
#define IS_INTEGER 0
#include "tests/conformance/lines_tmpl.h"
#ifndef REAP_TESTS_FEW_TYPES /* one or two of each size are above */
#define NAME char
#define TYPE char
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME short
#define TYPE short
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME uint
#define TYPE unsigned
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME long
#define TYPE long
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME ulong
#define TYPE unsigned long
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#define NAME llong
#define TYPE long long
#define IS_INTEGER 1
#include "tests/conformance/lines_tmpl.h"
#endif

static reap_status launch_bool(reap_queue *queue, const struct trial *trial, const void *x,
                               void *results)
{
    const bool *const in = x;
    bool *const r = results;
    const size_t count = trial->lines.count;
    const unsigned properties = trial->initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    if (trial->are_columns)
        return reap_parallel_for(queue, columns_truth, trial->range, .x = in, .every = RESULTS(0),
                                 .some = RESULTS(1), .odd = RESULTS(2), .all = RESULTS(3),
                                 .any = RESULTS(4));
    return reap_parallel_for(queue, rows_truth, trial->range, .x = in, .every = RESULTS(0),
                             .some = RESULTS(1), .odd = RESULTS(2), .all = RESULTS(3),
                             .any = RESULTS(4));
}

static const struct type {
    const char *name;
    enum input_type input;
    const struct reference_operator *operators;
    size_t count;
    reap_status (*launch)(reap_queue *queue, const struct trial *trial, const void *x,
                          void *results);
} types[] = {
    {"float", INPUT_FLOAT, reference_float, REFERENCE_FLOATING_OPERATORS, launch_float},
    {"double", INPUT_DOUBLE, reference_double, REFERENCE_FLOATING_OPERATORS, launch_double},
    {"half", INPUT_HALF, reference_half, REFERENCE_FLOATING_OPERATORS, launch_half},
    {"bfloat16", INPUT_BFLOAT16, reference_bfloat16, REFERENCE_FLOATING_OPERATORS, launch_bfloat16},
    {"bool", INPUT_BOOL, reference_bool, REFERENCE_BOOL_OPERATORS, launch_bool},
    {"schar", INPUT_BITS_8, reference_schar, REFERENCE_INTEGER_OPERATORS, launch_schar},
    {"uchar", INPUT_BITS_8, reference_uchar, REFERENCE_INTEGER_OPERATORS, launch_uchar},
    {"ushort", INPUT_BITS_16, reference_ushort, REFERENCE_INTEGER_OPERATORS, launch_ushort},
    {"int", INPUT_BITS_32, reference_int, REFERENCE_INTEGER_OPERATORS, launch_int},
    {"ullong", INPUT_BITS_64, reference_ullong, REFERENCE_INTEGER_OPERATORS, launch_ullong},
#ifndef REAP_TESTS_FEW_TYPES
    {"char", INPUT_BITS_8, reference_char, REFERENCE_INTEGER_OPERATORS, launch_char},
    {"short", INPUT_BITS_16, reference_short, REFERENCE_INTEGER_OPERATORS, launch_short},
    {"uint", INPUT_BITS_32, reference_uint, REFERENCE_INTEGER_OPERATORS, launch_uint},
    {"long", INPUT_BITS_64, reference_long, REFERENCE_INTEGER_OPERATORS, launch_long},
    {"ulong", INPUT_BITS_64, reference_ulong, REFERENCE_INTEGER_OPERATORS, launch_ulong},
    {"llong", INPUT_BITS_64, reference_llong, REFERENCE_INTEGER_OPERATORS, launch_llong},
#endif
};

/* ---- The reference ----------------------------------------------------------------------------*/

struct source {
    const struct trial *trial;
    const unsigned char *x;
    size_t bytes, line;
};

static size_t value_of(void *context, size_t item, const void **first)
{
    const struct source *source = context;
    *first = source->x + item_of(source->trial, source->line, item) * source->bytes;
    return 1;
}

static void expect(const struct type *type, const struct trial *trial, const void *x, void *results)
{
    const size_t bytes = type->operators[0].bytes;
    const struct reference_launch launch = {.initialize = trial->initialize};
    for (size_t op = 0; op < type->count; op++)
        for (size_t line = 0; line < trial->lines.count; line++) {
            struct source source = {trial, x, bytes, line};
            const struct reference_items items = {trial->lines.items, value_of, &source};
            reference_reduce(&type->operators[op], &items, &launch,
                             (unsigned char *)results + (op * trial->lines.count + line) * bytes);
        }
}

/* ---- Types ------------------------------------------------------------------------------------*/

/* Results in a buffer, while a launch writes them. */
static reap_buffer *lend(const struct trial *trial, void *results, size_t bytes)
{
    reap_buffer *buffer = NULL;
    if (trial->is_resident && bytes > 0)
        CHECK_STATUS(reap_buffer_wrap(results, bytes, &buffer), REAP_OK);
    return buffer;
}

static void check_trial(const struct type *type, reap_queue *const *queues,
                        const struct trial *trial, uint64_t *random)
{
    const size_t items = size_of(&trial->range), bytes = type->operators[0].bytes;
    const size_t count = type->count * trial->lines.count;
    const unsigned flavour = (unsigned)(check_random(random) % input_flavours(type->input));
    unsigned char *x = test_allocate(items * bytes), *start = test_allocate(count * bytes);
    unsigned char *expected = test_allocate(count * bytes), *results = test_allocate(count * bytes);
    input_fill(type->input, flavour, items, random, x);
    input_fill(type->input, flavour, count, random, start);
    memcpy(expected, start, count * bytes);
    expect(type, trial, x, expected);
    for (size_t q = 0; q < queue_count; q++) {
        memcpy(results, start, count * bytes);
        reap_buffer *buffer = lend(trial, results, count * bytes);
        CHECK_LAUNCH(type->launch(queues[q], trial, x, results), queues[q]);
        reap_buffer_release(buffer);
        if (!CHECK_BITS(results, expected, count * bytes, type->name, items, queue_threads[q]))
            fprintf(stderr, "    %zu %s of %zu items, flavour %s\n", trial->lines.count,
                    trial->are_columns ? "columns" : "rows", trial->lines.items,
                    input_flavour_name(type->input, flavour));
    }
    free(x);
    free(start);
    free(expected);
    free(results);
}

static void check_ranges(const struct type *type, reap_queue *const *queues,
                         const reap_range *ranges, size_t count, uint64_t *random)
{
    for (size_t r = 0; r < count; r++)
        for (unsigned are_columns = 0; are_columns < 2; are_columns++) {
            struct trial trial = make_trial(ranges[r], are_columns != 0);
            trial.initialize = check_random(random) % 2 != 0;
            trial.is_resident = check_random(random) % 2 != 0;
            check_trial(type, queues, &trial, random);
        }
}

static void check_types(reap_queue *const *queues, uint64_t *random)
{
    for (size_t t = 0; t < COUNT(types); t++) {
        if (!test_wants(types[t].name))
            continue;
        check_ranges(&types[t], queues, few_ranges, COUNT(few_ranges), random);
        if (!has_few_inputs())
            check_ranges(&types[t], queues, more_ranges, COUNT(more_ranges), random);
    }
}

/* ---- Several operators, some of users, and items that combine never or twice ------------------*/

static void chain_reference(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = 31 * *a + *b;
}

static void word_value(uint32_t x, void *value)
{
    memcpy(value, &x, sizeof x);
}

static void float_value(uint32_t x, void *value)
{
    const float made = (float)(int32_t)x * 0x1p-20f;
    memcpy(value, &made, sizeof made);
}

static void long_value(uint32_t x, void *value)
{
    const int64_t made = (int64_t)x * 3;
    memcpy(value, &made, sizeof made);
}

static void byte_value(uint32_t x, void *value)
{
    *(unsigned char *)value = (unsigned char)(x | 1);
}

static void large_value(uint32_t x, void *value)
{
    const large made = make_large(x);
    memcpy(value, &made, sizeof made);
}

static const uint32_t chain_identity_value = 7;
static const struct reference_operator chain_operator = {
    "chain", sizeof(uint32_t), chain_reference, &chain_identity_value, NULL, NULL};
static const struct reference_operator large_operator = {
    "mix of 512 bytes", sizeof(large), reference_mix_words, NULL, NULL, NULL};

/* In the order of the kernels' parameters; the last two are of large_rows. */
enum { SOMETIMES = 6, SOMETIMES_LARGE, REDUCTIONS = 8 };
static const struct {
    const struct reference_operator *op;
    void (*value)(uint32_t x, void *value);
} reductions[REDUCTIONS] = {
    {&chain_operator, word_value},
    {&reference_user[REFERENCE_LAST], word_value},
    {&reference_float[REFERENCE_PLUS], float_value},
    {&reference_user[REFERENCE_AVERAGE], float_value},
    {&reference_long[REFERENCE_MINIMUM], long_value},
    {&reference_uchar[REFERENCE_MULTIPLIES], byte_value},
    {&large_operator, large_value},
    {&reference_float[REFERENCE_PLUS], float_value},
};

struct inputs {
    const struct trial *trial;
    unsigned char *times;
    uint32_t *x; /* two for each item */
    bool gives_identities;
};

struct sometimes_source {
    const struct inputs *inputs;
    size_t reduction, line;
    uint64_t values[2][sizeof(large) / 8];
};

static size_t sometimes_values(void *context, size_t item, const void **first)
{
    struct sometimes_source *source = context;
    const size_t i = item_of(source->inputs->trial, source->line, item);
    const unsigned times = source->inputs->times[i];
    for (unsigned k = 0; k < times; k++)
        reductions[source->reduction].value(source->inputs->x[2 * i + k],
                                            (unsigned char *)source->values +
                                                k * reductions[source->reduction].op->bytes);
    *first = source->values;
    return times;
}

static void identity_of(size_t r, void *value)
{
    reductions[r].value(0x00345678, value);
}

static void expect_sometimes(const struct inputs *inputs, size_t r, unsigned char *results)
{
    uint64_t identity[sizeof(large) / 8];
    identity_of(r, identity);
    const struct reference_launch launch = {.identity = inputs->gives_identities ? identity : NULL};
    for (size_t line = 0; line < inputs->trial->lines.count; line++) {
        struct sometimes_source source = {inputs, r, line, {{0}}};
        const struct reference_items items = {inputs->trial->lines.items, sometimes_values,
                                              &source};
        reference_reduce(reductions[r].op, &items, &launch,
                         results + line * reductions[r].op->bytes);
    }
}

#define ALL(r)                                                                                     \
    {                                                                                              \
        .variable = results[r], .identity = identities[r], .count = inputs->trial->lines.count     \
    }

static reap_status launch_sometimes(reap_queue *queue, const struct inputs *inputs, uint32_t *seen,
                                    void *const *results)
{
    static uint64_t rooms[REDUCTIONS][sizeof(large) / 8];
    void *identities[REDUCTIONS];
    for (size_t r = 0; r < REDUCTIONS; r++) {
        identity_of(r, rooms[r]);
        identities[r] = inputs->gives_identities ? rooms[r] : NULL;
    }
    if (inputs->trial->are_columns) {
        CHECK_LAUNCH(reap_parallel_for(queue, large_columns, inputs->trial->range,
                                       .times = inputs->times, .x = inputs->x, .mixed = ALL(6),
                                       .sum = ALL(7)),
                     queue);
        return reap_parallel_for(queue, sometimes_columns, inputs->trial->range,
                                 .times = inputs->times, .x = inputs->x, .seen = seen,
                                 .chained = ALL(0), .last = ALL(1), .sum = ALL(2), .middle = ALL(3),
                                 .least = ALL(4), .product = ALL(5));
    }
    CHECK_LAUNCH(reap_parallel_for(queue, large_rows, inputs->trial->range, .times = inputs->times,
                                   .x = inputs->x, .mixed = ALL(6), .sum = ALL(7)),
                 queue);
    return reap_parallel_for(queue, sometimes_rows, inputs->trial->range, .times = inputs->times,
                             .x = inputs->x, .seen = seen, .chained = ALL(0), .last = ALL(1),
                             .sum = ALL(2), .middle = ALL(3), .least = ALL(4), .product = ALL(5));
}

static void check_sometimes_on(reap_queue *const *queues, const struct inputs *inputs, size_t items)
{
    const size_t lines = inputs->trial->lines.count;
    void *starts[REDUCTIONS], *expected[REDUCTIONS], *results[REDUCTIONS];
    for (size_t r = 0; r < REDUCTIONS; r++) {
        const size_t size = reductions[r].op->bytes;
        starts[r] = test_allocate(lines * size);
        expected[r] = test_allocate(lines * size);
        results[r] = test_allocate(lines * size);
        for (size_t line = 0; line < lines; line++)
            reductions[r].value((uint32_t)(0x9e3779b9 * (line + 1)),
                                (unsigned char *)starts[r] + line * size);
        memcpy(expected[r], starts[r], lines * size);
        expect_sometimes(inputs, r, expected[r]);
    }
    uint32_t *seen = test_allocate(items * sizeof *seen);
    for (size_t q = 0; q < queue_count; q++) {
        memset(seen, 0, items * sizeof *seen);
        for (size_t r = 0; r < REDUCTIONS; r++)
            memcpy(results[r], starts[r], lines * reductions[r].op->bytes);
        CHECK_LAUNCH(launch_sometimes(queues[q], inputs, seen, results), queues[q]);
        for (size_t r = 0; r < REDUCTIONS; r++)
            if (!CHECK_BITS(results[r], expected[r], lines * reductions[r].op->bytes,
                            reductions[r].op->name, items, queue_threads[q]))
                fprintf(stderr, "    reduction %zu of %zu %s of %zu items\n", r, lines,
                        inputs->trial->are_columns ? "columns" : "rows",
                        inputs->trial->lines.items);
        size_t once = 0;
        for (size_t i = 0; i < items; i++)
            once += seen[i] == 1;
        CHECK_EQ(once, items);
    }
    free(seen);
    for (size_t r = 0; r < REDUCTIONS; r++) {
        free(starts[r]);
        free(expected[r]);
        free(results[r]);
    }
}

/* How often items combine: never in some lines, in others rarely, or up to twice. */
static void draw_times(const struct trial *trial, uint64_t *random, unsigned char *times)
{
    for (size_t line = 0; line < trial->lines.count; line++) {
        const uint64_t kind = check_random(random) % 4;
        for (size_t i = 0; i < trial->lines.items; i++) {
            const uint64_t drawn = check_random(random);
            times[item_of(trial, line, i)] = kind == 0   ? 0
                                             : kind == 1 ? drawn % 300 == 0
                                                         : (unsigned char)(drawn % 3);
        }
    }
}

static void check_sometimes(reap_queue *const *queues, const reap_range *ranges, size_t count,
                            uint64_t *random)
{
    for (size_t r = 0; r < count; r++)
        for (unsigned are_columns = 0; are_columns < 2; are_columns++) {
            const struct trial trial = make_trial(ranges[r], are_columns != 0);
            const size_t items = size_of(&trial.range);
            struct inputs inputs = {&trial, test_allocate(items), test_allocate(2 * items * 4),
                                    check_random(random) % 2 != 0};
            input_fill(INPUT_BITS_32, 0, 2 * items, random, inputs.x);
            draw_times(&trial, random, inputs.times);
            check_sometimes_on(queues, &inputs, items);
            free(inputs.times);
            free(inputs.x);
        }
}

/* ---- Exact sums -------------------------------------------------------------------------------*/

struct exact_inputs {
    unsigned char *times;
    double *x;
    float *y;
};

static void expect_exact(const struct trial *trial, const struct exact_inputs *inputs, double *sum,
                         float *narrow)
{
    for (size_t line = 0; line < trial->lines.count; line++) {
        struct reference_sum all = {.has_others = false}, all_narrow = {.has_others = false};
        if (!trial->initialize) {
            reference_sum_add(&all, sum[line]);
            reference_sum_add(&all_narrow, (double)narrow[line]);
        }
        for (size_t i = 0; i < trial->lines.items; i++) {
            const size_t item = item_of(trial, line, i);
            for (unsigned k = 0; k < inputs->times[item]; k++) {
                reference_sum_add(&all, inputs->x[2 * item + k]);
                reference_sum_add(&all_narrow, (double)inputs->y[2 * item + k]);
            }
        }
        const uint64_t bits = reference_sum_bits(&all, true);
        const uint32_t narrow_bits = (uint32_t)reference_sum_bits(&all_narrow, false);
        memcpy(&sum[line], &bits, sizeof bits);
        memcpy(&narrow[line], &narrow_bits, sizeof narrow_bits);
    }
}

static reap_status launch_exact(reap_queue *queue, const struct trial *trial,
                                const struct exact_inputs *inputs, double *sum, float *narrow,
                                double *ordered)
{
    const size_t count = trial->lines.count;
    const unsigned properties = trial->initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
    if (trial->are_columns)
        return reap_parallel_for(
            queue, exact_columns, trial->range, .times = inputs->times, .x = inputs->x,
            .y = inputs->y, .sum = {.variable = sum, .count = count, .properties = properties},
            .narrow = {.variable = narrow, .count = count, .properties = properties},
            .ordered = {.result = ordered, .count = count});
    return reap_parallel_for(
        queue, exact_rows, trial->range, .times = inputs->times, .x = inputs->x, .y = inputs->y,
        .sum = {.variable = sum, .count = count, .properties = properties},
        .narrow = {.variable = narrow, .count = count, .properties = properties},
        .ordered = {.result = ordered, .count = count});
}

static void check_exact_data(reap_queue *const *queues, const struct trial *trial,
                             enum exact_data data, uint64_t *random)
{
    const size_t items = size_of(&trial->range), lines = trial->lines.count;
    struct exact_source source = {check_random(random), true};
    struct exact_inputs inputs = {test_allocate(items), test_allocate(2 * items * sizeof(double)),
                                  test_allocate(2 * items * sizeof(float))};
    double *sum = test_allocate(lines * sizeof *sum), *got = test_allocate(lines * sizeof *got);
    float *narrow = test_allocate(lines * sizeof *narrow),
          *narrow_got = test_allocate(lines * sizeof *narrow_got);
    double *ordered = test_allocate(lines * sizeof *ordered);
    exact_fill(&source, data, inputs.x, inputs.y, 2 * items);
    draw_times(trial, random, inputs.times);
    for (size_t q = 0; q < queue_count; q++) {
        for (size_t line = 0; line < lines; line++) {
            sum[line] = got[line] = line % 3 == 0 ? -0.0 : (double)line * 0x1p-40;
            narrow[line] = narrow_got[line] = line % 3 == 0 ? -0.0f : (float)line * 0x1p-20f;
        }
        expect_exact(trial, &inputs, sum, narrow);
        reap_buffer *buffer = lend(trial, got, lines * sizeof *got);
        CHECK_LAUNCH(launch_exact(queues[q], trial, &inputs, got, narrow_got, ordered), queues[q]);
        reap_buffer_release(buffer);
        CHECK_BITS(got, sum, lines * sizeof *got, "exact sums of double", items, queue_threads[q]);
        CHECK_BITS(narrow_got, narrow, lines * sizeof *narrow, "exact sums of float", items,
                   queue_threads[q]);
    }
    free(inputs.times);
    free(inputs.x);
    free(inputs.y);
    free(sum);
    free(got);
    free(narrow);
    free(narrow_got);
    free(ordered);
}

static void check_exact(reap_queue *const *queues, const reap_range *ranges, size_t count,
                        uint64_t *random)
{
    for (size_t r = 0; r < count; r++)
        for (unsigned are_columns = 0; are_columns < 2; are_columns++) {
            struct trial trial = make_trial(ranges[r], are_columns != 0);
            if (size_of(&trial.range) > 10000)
                continue; /* the reference is slow */
            trial.initialize = check_random(random) % 2 != 0;
            trial.is_resident = check_random(random) % 2 != 0;
            check_exact_data(queues, &trial, (enum exact_data)(check_random(random) % DATA),
                             random);
        }
}

/* ---- A kernel over one line -------------------------------------------------------------------*/

static void check_alone_on(reap_queue *queue, size_t threads, const struct trial *trial,
                           const float *x)
{
    const size_t count = trial->lines.count;
    double *sums = test_allocate(count * sizeof *sums);
    float *most = test_allocate(count * sizeof *most);
    for (size_t line = 0; line < count; line++) {
        sums[line] = 0.5;
        most[line] = 0;
    }
    CHECK_LAUNCH(trial->are_columns
                     ? reap_parallel_for(queue, sums_of_columns, trial->range, .x = x,
                                         .sum = {.variable = sums, .count = count},
                                         .most = {.variable = most, .count = count})
                     : reap_parallel_for(queue, sums_of_rows, trial->range, .x = x,
                                         .sum = {.variable = sums, .count = count},
                                         .most = {.variable = most, .count = count}),
                 queue);
    for (size_t line = 0; line < count; line++) {
        double sum = 0.5;
        float largest = 0;
        CHECK_LAUNCH(reap_parallel_for(queue, sum_of_one, reap_range_1d(trial->lines.items), .x = x,
                                       .first = item_of(trial, line, 0),
                                       .step = item_of(trial, line, 1) - item_of(trial, line, 0),
                                       .sum = &sum, .most = &largest),
                     queue);
        CHECK_BITS(&sums[line], &sum, sizeof sum, "a sum", trial->lines.items, threads);
        CHECK_BITS(&most[line], &largest, sizeof largest, "a maximum", trial->lines.items, threads);
    }
    free(sums);
    free(most);
}

static void check_alone(reap_queue *const *queues, uint64_t *random)
{
    static const reap_range ranges[] = {RANGE_2D(2, 300000), RANGE_2D(300000, 2),
                                        RANGE_2D(50000, 5),  RANGE_2D(70, 3000),
                                        RANGE_2D(4, 100000), RANGE_2D(3, 1000000)};
    const size_t count = has_few_inputs() ? 3 : COUNT(ranges);
    for (size_t r = 0; r < count; r++) {
        const size_t items = size_of(&ranges[r]);
        float *x = test_allocate(items * sizeof *x);
        input_fill(INPUT_FLOAT, 0, items, random, x);
        for (unsigned are_columns = 0; are_columns < 2; are_columns++) {
            const struct trial trial = make_trial(ranges[r], are_columns != 0);
            for (size_t q = 0; q < queue_count && trial.lines.count < 100; q++)
                check_alone_on(queues[q], queue_threads[q], &trial, x);
        }
        free(x);
    }
}

/* Rows that are many and short: integers, whose sums need no order. */
static void check_many(reap_queue *const *queues, uint64_t *random)
{
    const size_t rows = has_few_inputs() ? 100000 : 3000000, columns = 3;
    int *x = test_allocate(rows * columns * sizeof *x),
        *results = test_allocate(7 * rows * sizeof *x);
    struct trial trial = make_trial(reap_range_2d(rows, columns), false);
    trial.initialize = true;
    for (size_t i = 0; i < rows * columns; i++)
        x[i] = (int)(check_random(random) % 1000);
    for (size_t q = 0; q < queue_count; q++) {
        size_t right = 0;
        CHECK_LAUNCH(launch_int(queues[q], &trial, x, results), queues[q]);
        for (size_t row = 0; row < rows; row++)
            right += results[row] == x[3 * row] + x[3 * row + 1] + x[3 * row + 2];
        CHECK_EQ(right, rows);
    }
    free(x);
    free(results);
}

/* ---- What a launch refuses --------------------------------------------------------------------*/

enum { REFUSED_ROWS = 3, REFUSED_COLUMNS = 5 };

/* The launch is refused with a message that has these words, and changes nothing. */
static void check_refused(reap_queue *queue, struct reap_arguments_sums_of_rows arguments,
                          const char *word, const char *other)
{
    double sums[8] = {0};
    float most[8] = {0};
    arguments.sum.variable = arguments.sum.result == NULL ? sums : NULL;
    if (arguments.most.result == NULL && arguments.most.count != 77)
        arguments.most.variable = most;
    CHECK_STATUS(reap_launch(queue, &reap_kernel_sums_of_rows, &arguments),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "kernel 'sums_of_rows'");
    CHECK_HAS(reap_last_error(), word);
    CHECK_HAS(reap_last_error(), other);
    for (size_t i = 0; i < 8; i++)
        CHECK(sums[i] == 0 && most[i] == 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static void check_refusals(reap_queue *queue)
{
    static const float x[REFUSED_ROWS * REFUSED_COLUMNS] = {1};
    double sums[8] = {0};
    reap_part *part;
    const struct reap_arguments_sums_of_rows good = {
        .reap_range_ = reap_range_2d(REFUSED_ROWS, REFUSED_COLUMNS),
        .x = x,
        .sum = {.count = REFUSED_ROWS},
        .most = {.count = REFUSED_ROWS}};
    struct reap_arguments_sums_of_rows bad = good;
    bad.sum.count = REFUSED_COLUMNS;
    check_refused(queue, bad, "'sum' has .count = 5", "the range has 3 rows");
    bad.sum.count = 0;
    check_refused(queue, bad, "'sum' has .count = 0", "the range has 3 rows");
    bad = good;
    bad.most.count = 4;
    check_refused(queue, bad, "'most' has .count = 4", "the range has 3 rows");
    bad = good;
    bad.reap_range_ = reap_range_1d(REFUSED_ROWS);
    check_refused(queue, bad, "'sum'", "the range has one dimension");
    bad = good;
    bad.reap_range_ = reap_range_3d(2, REFUSED_ROWS, REFUSED_COLUMNS);
    check_refused(queue, bad, "'sum' has .count = 3", "the range has 6 rows");
    bad = good;
    bad.reap_range_ = reap_range_3d(SIZE_MAX / 3 + 2, 3, 0); /* 3 rows, modulo 2^64 */
    check_refused(queue, bad, "'sum'", "too many for memory");
    bad = good;
    bad.sum.properties = 8;
    check_refused(queue, bad, "'sum'", ".properties");
    bad = good;
    bad.sum.result = (double *)(void *)((char *)sums + 1);
    check_refused(queue, bad, "'sum'", "not aligned");
    CHECK_STATUS(reap_part_create(&reap_kernel_sum_of_one, "sum", &part), REAP_OK);
    bad = good;
    bad.sum.part = part;
    check_refused(queue, bad, "'sum'", ".part");
    reap_part_release(part);
    CHECK_STATUS(reap_part_create(&reap_kernel_sums_of_rows, "sum", &part),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "'sum' of kernel 'sums_of_rows' is of rows or columns");
    CHECK_STATUS(reap_parallel_for(queue, sums_of_columns, reap_range_2d(2, 3), .x = x,
                                   .sum = {.variable = sums, .count = 2},
                                   .most = {.result = (float *)sums, .count = 3}),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "'sum' has .count = 2, and the range has 3 columns");
    CHECK_STATUS(reap_parallel_for(queue, sums_of_columns, reap_range_2d(2, 3), .x = x,
                                   .sum = {.variable = sums, .count = 3},
                                   .most = {.result = (float *)sums, .count = 3}),
                 REAP_ERROR_INVALID_ARGUMENT);
    CHECK_HAS(reap_last_error(), "'sum' and 'most' overlap");
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    check_types(queues, &random);
    if (test_wants("sometimes")) {
        check_sometimes(queues, few_ranges, COUNT(few_ranges), &random);
        if (!has_few_inputs())
            check_sometimes(queues, more_ranges, 4, &random);
    }
    if (test_wants("exact")) {
        check_exact(queues, few_ranges, COUNT(few_ranges), &random);
        if (!has_few_inputs())
            check_exact(queues, more_ranges, COUNT(more_ranges), &random);
    }
    if (test_wants("alone"))
        check_alone(queues, &random);
    if (test_wants("many"))
        check_many(queues, &random);
    if (test_wants("refusals"))
        check_refusals(queues[0]);
    queues_close(queues);
    return check_finish();
}
