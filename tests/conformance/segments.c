/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_reduce_segments() against naive loops, with the reference of the reduction shape for
 * sums and 113 bits for exact ones, and against reap_array_reduce() of each segment alone: random
 * arrays of every type, in segments that are empty, short, around a row and a leaf, or nearly all.
 */
#include "tests/conformance/numbers.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

#include <float.h>

#ifdef REAP_TESTS_SMALL
enum { TRIALS = 40, MOST_ELEMENTS = 40000 };
#else
enum { TRIALS = 200, MOST_ELEMENTS = 400000 };
#endif

/* ---- Naive loops ------------------------------------------------------------------------------*/

static size_t next_float(void *context, size_t item, const void **first)
{
    *first = (const float *)context + item;
    return 1;
}

static size_t next_double(void *context, size_t item, const void **first)
{
    *first = (const double *)context + item;
    return 1;
}

static void add_in_shape(reap_type type, const char *x, size_t count, void *sum)
{
    static const struct reference_launch launch = {NULL, true};
    const bool is_double = type == REAP_TYPE_DOUBLE;
    float *singles = test_allocate(count * sizeof *singles);
    double *reals = test_allocate(count * sizeof *reals);
    const struct reference_items items = {count, is_double ? next_double : next_float,
                                          is_double ? (void *)reals : singles};
    for (size_t i = 0; i < count; i++) {
        reals[i] = number_read(type, x + i * types[type].size).real;
        singles[i] = (float)reals[i];
    }
    memset(sum, 0, sizeof(double));
    if (count > 0)
        reference_reduce(is_double ? &reference_double[REFERENCE_PLUS]
                                   : &reference_float[REFERENCE_PLUS],
                         &items, &launch, sum);
    free(singles);
    free(reals);
}

#if LDBL_MANT_DIG >= 113
typedef long double wide;
#else
__extension__ typedef __float128 wide;
#endif

static void add_up(reap_reduction reduction, reap_type type, const char *x, size_t count, void *sum)
{
    wide total = 0;
    uint64_t whole = 0;
    for (size_t i = 0; i < count; i++) {
        const struct number number = number_read(type, x + i * types[type].size);
        total += number.real;
        whole += number.bits;
    }
    if (!types[type].is_floating)
        memcpy(sum, &whole, sizeof whole);
    else if (reduction == REAP_SUM)
        add_in_shape(type, x, count, sum);
    else if (type == REAP_TYPE_DOUBLE)
        memcpy(sum, &(double){(double)total}, sizeof(double));
    else
        memcpy(sum, &(float){(float)total}, sizeof(float));
}

static bool is_less(reap_type type, struct number a, struct number b)
{
    if (types[type].is_floating)
        return a.real < b.real || (isnan(a.real) && !isnan(b.real));
    return types[type].is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
}

static bool is_more(reap_type type, struct number a, struct number b)
{
    if (types[type].is_floating)
        return a.real > b.real || (isnan(a.real) && !isnan(b.real));
    return is_less(type, b, a);
}

static void find(reap_reduction reduction, reap_type type, const char *x, size_t count, void *found)
{
    const size_t size = types[type].size;
    struct number best = number_read(type, x);
    for (size_t i = 1; i < count; i++) {
        const struct number number = number_read(type, x + i * size);
        if ((reduction == REAP_MINIMUM ? is_less : is_more)(type, number, best))
            best = number;
    }
    number_write(type, best, found);
}

static bool are_equal(reap_type type, const void *a, const void *b)
{
    const double x = number_read(type, a).real, y = number_read(type, b).real;
    if (types[type].is_floating)
        return x == y || (isnan(x) && isnan(y));
    return check_same(a, b, types[type].size);
}

/* ---- Random segments --------------------------------------------------------------------------*/

struct drawn {
    reap_type type;
    size_t count, segments;
    uint64_t *offsets; /* one more than there are segments */
    char *memory;
};

enum kind { SHORT, LENGTHS, ONE_LONG, ALL_IN_ONE, EMPTY, KINDS };

static size_t draw_length(enum kind kind, bool has_empty, uint64_t *random)
{
    static const size_t lengths[] = {1,    2,     31,    32,    33,    63,   64,   65,
                                     127,  128,   129,   500,   2047,  2048, 2049, 4096,
                                     6145, 10000, 20000, 32768, 32769, 50000};
    if (kind == LENGTHS)
        return lengths[check_random(random) % (sizeof lengths / sizeof *lengths)];
    return check_random(random) % 9 + (has_empty ? 0 : 1);
}

static void draw_offsets(struct drawn *drawn, enum kind kind, bool has_empty, uint64_t *random)
{
    static const size_t counts[] = {1, 2, 3, 7, 64, 1000, 5000};
    const size_t most = counts[check_random(random) % (sizeof counts / sizeof *counts)];
    drawn->segments = 0;
    drawn->offsets = test_allocate((most + 1) * sizeof *drawn->offsets);
    drawn->count = drawn->offsets[0] = check_random(random) % 2 ? check_random(random) % 70 : 0;
    const size_t long_one = check_random(random) % most;
    while (drawn->segments < most) {
        size_t length = kind == EMPTY ? 0 : draw_length(kind, has_empty, random);
        if (kind == ALL_IN_ONE || (kind == ONE_LONG && drawn->segments == long_one))
            length = MOST_ELEMENTS - drawn->count - (kind == ONE_LONG ? 9 * most : 0);
        if (drawn->count + length > MOST_ELEMENTS || (kind == ALL_IN_ONE && drawn->segments > 0)) {
            if (!has_empty)
                break;
            length = 0;
        }
        drawn->count += length;
        drawn->offsets[++drawn->segments] = drawn->count;
    }
    drawn->count += check_random(random) % 2 ? check_random(random) % 70 : 0;
}

/* Numbers whose exact sum has 113 bits. */
static void tame(const struct drawn *drawn, uint64_t *random)
{
    for (size_t i = 0; i < drawn->count; i++) {
        const int digits = drawn->type == REAP_TYPE_DOUBLE ? 0 : 40;
        const int64_t bits = (int64_t)check_random(random) >> digits;
        const struct number number = {
            .real = ldexp((double)bits, (int)(check_random(random) % 30) - 50)};
        number_write(drawn->type, number, drawn->memory + i * types[drawn->type].size);
    }
}

static void draw(struct drawn *drawn, reap_reduction reduction, uint64_t *random)
{
    const bool has_empty = reduction == REAP_SUM || reduction == REAP_EXACT_SUM;
    const enum kind kind = (enum kind)(check_random(random) % (has_empty ? KINDS : EMPTY));
    *drawn = (struct drawn){.type = REAP_TYPE_BOOL +
                                    (reap_type)(check_random(random) % REAP_TYPE_DOUBLE)};
    const enum input_type input = types[drawn->type].input;
    draw_offsets(drawn, kind, has_empty, random);
    drawn->memory = test_allocate(drawn->count * types[drawn->type].size);
    input_fill(input, (unsigned)(check_random(random) % input_flavours(input)), drawn->count,
               random, drawn->memory);
    if (reduction == REAP_EXACT_SUM && types[drawn->type].is_floating)
        tame(drawn, random);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

static bool is_right(const struct drawn *drawn, reap_reduction reduction, size_t s,
                     const unsigned char *value)
{
    const size_t first = drawn->offsets[s], count = drawn->offsets[s + 1] - first;
    const char *const x = drawn->memory + first * types[drawn->type].size;
    const reap_type type = reap_array_reduce_type(reduction, drawn->type);
    unsigned char expected[8] = {0};
    if (reduction == REAP_MINIMUM || reduction == REAP_MAXIMUM)
        find(reduction, drawn->type, x, count, expected);
    else
        add_up(reduction, drawn->type, x, count, expected);
    return reduction == REAP_SUM ? check_same(value, expected, types[type].size)
                                 : are_equal(type, value, expected);
}

/* The segment reduced alone, which is in the same buffer. */
static bool is_same_alone(reap_queue *queue, const struct drawn *drawn, reap_reduction reduction,
                          size_t s, const unsigned char *value)
{
    const size_t first = drawn->offsets[s], count = drawn->offsets[s + 1] - first;
    const reap_type type = reap_array_reduce_type(reduction, drawn->type);
    unsigned char alone[8];
    const reap_array row = {drawn->memory + first * types[drawn->type].size, drawn->type, 1, &count,
                            NULL};
    const reap_array one = {alone, type, 0, NULL, NULL};
    CHECK_STATUS(reap_array_reduce(queue, reduction, &row, NULL, &one), REAP_OK);
    return check_same(value, alone, types[type].size);
}

static void check_values(reap_queue *queue, const struct drawn *drawn, reap_reduction reduction,
                         size_t threads, const unsigned char *values)
{
    const size_t size = types[reap_array_reduce_type(reduction, drawn->type)].size;
    const size_t step = test_on_device() ? drawn->segments / 20 + 1 : drawn->segments / 200 + 1;
    size_t wrong = 0, unlike = 0;
    for (size_t s = 0; s < drawn->segments; s++) {
        wrong += !is_right(drawn, reduction, s, values + s * size);
        if (s % step == 0)
            unlike += !is_same_alone(queue, drawn, reduction, s, values + s * size);
    }
    check_report(wrong == 0 && unlike == 0, __FILE__, __LINE__,
                 "reduction %d of %s, %zu elements, %zu threads: of %zu segments %zu are wrong, "
                 "and %zu unlike those alone",
                 (int)reduction, types[drawn->type].name, drawn->count, threads, drawn->segments,
                 wrong, unlike);
}

static void *draw_places(const struct drawn *drawn, bool is_wide)
{
    int64_t *long_ones = test_allocate((drawn->segments + 1) * sizeof *long_ones);
    int32_t *short_ones = test_allocate((drawn->segments + 1) * sizeof *short_ones);
    for (size_t s = 0; s <= drawn->segments; s++) {
        long_ones[s] = (int64_t)drawn->offsets[s];
        short_ones[s] = (int32_t)drawn->offsets[s];
    }
    free(is_wide ? (void *)short_ones : long_ones);
    return is_wide ? (void *)long_ones : short_ones;
}

/* Copies to memory of the device, or from there. */
static void copy(reap_queue *queue, void *to, const void *from, size_t bytes)
{
    CHECK_STATUS(reap_copy(queue, to, from, bytes, NULL), REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

static void try(reap_queue *queue, size_t threads, uint64_t *random)
{
    static const reap_reduction reductions[] = {REAP_SUM, REAP_SUM, REAP_EXACT_SUM, REAP_MINIMUM,
                                                REAP_MAXIMUM};
    const reap_reduction reduction = reductions[check_random(random) % 5];
    const bool is_wide = check_random(random) % 2;
    struct drawn drawn;
    draw(&drawn, reduction, random);
    const size_t size = types[drawn.type].size, places = drawn.segments + 1;
    const reap_type type = reap_array_reduce_type(reduction, drawn.type);
    void *const offsets = draw_places(&drawn, is_wide);
    unsigned char *const values = test_allocate((drawn.segments + 1) * 8);
    memset(values, 0x5a, (drawn.segments + 1) * 8);
    reap_buffer *buffers[3] = {NULL, NULL, NULL};
    if (drawn.count > 0)
        CHECK_STATUS(reap_buffer_wrap(drawn.memory, drawn.count * size, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(offsets, places * (is_wide ? 8 : 4), &buffers[1]), REAP_OK);
    void *there = values;
    const bool is_buffer = !test_on_device() || check_random(random) % 2;
    if (is_buffer)
        CHECK_STATUS(reap_buffer_wrap(values, places * 8, &buffers[2]), REAP_OK);
    else if (CHECK_STATUS(reap_malloc_device(reap_queue_device(queue), places * 8, &there),
                          REAP_OK))
        copy(queue, there, values, places * 8);
    const reap_array x = {drawn.memory, drawn.type, 1, &drawn.count, NULL};
    const reap_array at = {offsets, is_wide ? REAP_TYPE_INT64 : REAP_TYPE_INT32, 1, &places, NULL};
    const reap_array result = {there, type, 1, &drawn.segments, NULL};
    const reap_status status = reap_array_reduce_segments(queue, reduction, &x, &at, &result);
    if (!is_buffer) {
        copy(queue, values, there, places * 8);
        CHECK_STATUS(reap_free(there), REAP_OK);
    }
    CHECK_STATUS(reap_buffer_release(buffers[2]), REAP_OK);
    if (CHECK_STATUS(status, REAP_OK))
        check_values(queue, &drawn, reduction, threads, values);
    CHECK_STATUS(reap_buffer_release(buffers[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[0]), REAP_OK);
    free(values);
    free(offsets);
    free(drawn.offsets);
    free(drawn.memory);
}

enum { WRONG_SEGMENTS = 200, WRONG_LENGTH = 100 };

/* The first segment that a reduction must refuse; WRONG_SEGMENTS: none. */
static size_t first_refused(const int64_t *offsets, bool takes_empty)
{
    const int64_t count = (int64_t)WRONG_SEGMENTS * WRONG_LENGTH;
    size_t empty = WRONG_SEGMENTS;
    for (size_t s = WRONG_SEGMENTS; s-- > 0;)
        empty = offsets[s + 1] == offsets[s] && !takes_empty ? s : empty;
    for (size_t s = 0; s < WRONG_SEGMENTS; s++)
        if (offsets[s] < 0 || offsets[s + 1] > count || offsets[s + 1] < offsets[s])
            return s;
    return empty;
}

/* One offset or two are drawn again. After an error the results are as they were, and the message
 * names the segment. Segments are so long that a device reduces each by a group. */
static void try_wrong_offsets(reap_queue *queue, uint64_t *random)
{
    const size_t count = (size_t)WRONG_SEGMENTS * WRONG_LENGTH, segments = WRONG_SEGMENTS;
    const size_t places = segments + 1;
    const bool is_sum = check_random(random) % 2;
    float *const x = test_allocate(count * sizeof *x), results[WRONG_SEGMENTS];
    int64_t offsets[WRONG_SEGMENTS + 1];
    char name[64];
    for (size_t i = 0; i < count; i++)
        x[i] = 1;
    for (size_t s = 0; s < places; s++)
        offsets[s] = (int64_t)s * WRONG_LENGTH;
    for (size_t i = 0; i < 1 + check_random(random) % 2; i++) {
        const size_t s = check_random(random) % segments;
        offsets[s] = check_random(random) % 4 == 0
                         ? offsets[s + 1]
                         : (int64_t)(check_random(random) % (2 * count)) - (int64_t)count / 2;
    }
    for (size_t s = 0; s < segments; s++)
        results[s] = -(float)s;
    const size_t refused = first_refused(offsets, is_sum);
    reap_buffer *buffers[3];
    CHECK_STATUS(reap_buffer_wrap(x, count * sizeof *x, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(offsets, sizeof offsets, &buffers[1]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(results, sizeof results, &buffers[2]), REAP_OK);
    const reap_array array = {x, REAP_TYPE_FLOAT, 1, &count, NULL};
    const reap_array at = {offsets, REAP_TYPE_INT64, 1, &places, NULL};
    const reap_array result = {results, REAP_TYPE_FLOAT, 1, &segments, NULL};
    const reap_status status =
        reap_array_reduce_segments(queue, is_sum ? REAP_SUM : REAP_MINIMUM, &array, &at, &result);
    CHECK_STATUS(status, refused == segments ? REAP_OK : REAP_ERROR_INVALID_ARGUMENT);
    snprintf(name, sizeof name, "segment %zu", refused);
    CHECK(status == REAP_OK || strstr(reap_last_error(), name) != NULL);
    for (unsigned b = 0; b < 3; b++)
        CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
    size_t changed = 0;
    for (size_t s = 0; s < segments; s++)
        changed += results[s] != -(float)s;
    CHECK(status == REAP_OK || changed == 0);
    free(x);
}

/* When a call returns, all of its results are there, though the launches of short and of longer
 * segments are not ordered on the queue. Arrays that are copied to the device again each time delay
 * one of them. */
static void check_that_all_are_there(void)
{
    enum { SEGMENTS = 5000, LONG = 7, ELEMENTS = 2 * SEGMENTS + 98, CALLS = 500 };
    const reap_queue_options options = {.out_of_order = true, .asynchronous = true};
    static int32_t offsets[SEGMENTS + 1];
    static float x[ELEMENTS], sums[SEGMENTS];
    const float none = -1;
    reap_queue *queue, *other;
    reap_buffer *buffer, *places;
    float *results;
    void *data;
    for (int32_t s = 0; s < SEGMENTS; s++)
        offsets[s + 1] = offsets[s] + (s == LONG ? 100 : 2);
    for (size_t i = 0; i < ELEMENTS; i++)
        x[i] = 1;
    CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
    CHECK_STATUS(reap_queue_create(NULL, NULL, &other), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(offsets, sizeof offsets, &places), REAP_OK);
    CHECK_STATUS(
        reap_malloc_device(reap_queue_device(queue), sizeof sums, (void **)(void *)&results),
        REAP_OK);
    for (int call = 0; call < CALLS; call++) {
        size_t missing = 0;
        CHECK_STATUS(reap_host_access_begin(buffer, REAP_READ | REAP_WRITE, &data), REAP_OK);
        CHECK_STATUS(reap_host_access_end(buffer), REAP_OK);
        CHECK_STATUS(reap_fill(other, results, &none, sizeof none, SEGMENTS, NULL), REAP_OK);
        CHECK_STATUS(
            reap_segmented_reduce(queue, REAP_SUM, x, ELEMENTS, offsets, SEGMENTS, results),
            REAP_OK);
        CHECK_STATUS(reap_copy(other, sums, results, sizeof sums, NULL), REAP_OK);
        for (size_t s = 0; s < SEGMENTS; s++)
            missing += sums[s] != (s == LONG ? 100 : 2);
        CHECK_EQ(missing, 0);
    }
    CHECK_STATUS(reap_free(results), REAP_OK);
    CHECK_STATUS(reap_buffer_release(places), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(other);
    reap_queue_release(queue);
}

int main(void)
{
    uint64_t random = check_seed();
    check_that_all_are_there();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = test_on_device() ? TRIALS / 4 : TRIALS;
    for (unsigned trial = 0; trial < trials; trial++)
        try(queues[trial % queue_count], queue_threads[trial % queue_count], &random);
    for (unsigned trial = 0; trial < 20; trial++)
        try_wrong_offsets(queues[trial % queue_count], &random);
    queues_close(queues);
    return check_finish();
}
