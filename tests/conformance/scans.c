/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_array_scan() against the loop that its description has: arrays of every type, with lengths
 * around the ends of runs, blocks and sections, scanned in every way, in place and not, along an
 * axis of arrays with strides. Floating-point results are compared to the bit.
 */
#include "tests/conformance/numbers.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#ifdef REAP_TESTS_SMALL
enum { TRIALS = 60, MOST_ELEMENTS = 70000 };
#else
enum { TRIALS = 300, MOST_ELEMENTS = 300000 };
#endif
enum { RUN = 16, BLOCK = 256, SECTION = 8192, REGION = 262144, MOST_DIMENSIONS = 3 };
/* Rows of a few regions, and of more than a group of a device looks at. */
enum { LONG_ROW = 3 * REGION + 2049, LONGER_ROW = 33 * REGION + 2049 };

/* ---- The loop ---------------------------------------------------------------------------------*/

struct how {
    reap_scan scan;
    reap_type from, to;
    bool is_exclusive, has_initial, is_in_place;
};

/* A value, or none yet. */
struct partial {
    bool has_value;
    struct number value;
};

static bool is_less(reap_type type, struct number a, struct number b)
{
    if (types[type].is_floating)
        return a.real < b.real;
    return types[type].is_signed ? (int64_t)a.bits < (int64_t)b.bits : a.bits < b.bits;
}

/* Sums and products of two floats are exact in double, or rounded so that a second rounding to
 * float has the same result. */
static struct number operate(const struct how *how, struct number a, struct number b)
{
    struct number result = a;
    if (how->scan == REAP_SCAN_SUM || how->scan == REAP_SCAN_PRODUCT) {
        const bool is_sum = how->scan == REAP_SCAN_SUM;
        result.bits = is_sum ? a.bits + b.bits : a.bits * b.bits;
        result.real = is_sum ? a.real + b.real : a.real * b.real;
        if (how->from != REAP_TYPE_DOUBLE)
            result.real = (double)(float)result.real;
        return result;
    }
    if (types[how->from].is_floating && (isnan(a.real) || isnan(b.real)))
        return isnan(a.real) ? a : b;
    if (how->scan == REAP_SCAN_MINIMUM ? is_less(how->from, b, a) : is_less(how->from, a, b))
        result = b;
    return result;
}

static struct partial combine(const struct how *how, struct partial a, struct partial b)
{
    if (!a.has_value || !b.has_value)
        return a.has_value ? a : b;
    return (struct partial){true, operate(how, a.value, b.value)};
}

/* What an exclusive scan without an initial value begins with. */
static struct number neutral(const struct how *how)
{
    const bool is_minimum = how->scan == REAP_SCAN_MINIMUM;
    const unsigned bits = 8 * (unsigned)types[how->to].size;
    const uint64_t ones = how->to == REAP_TYPE_BOOL ? 1 : UINT64_MAX >> (64 - bits);
    struct number number = {how->scan == REAP_SCAN_PRODUCT, how->scan == REAP_SCAN_PRODUCT};
    if (how->scan == REAP_SCAN_SUM || how->scan == REAP_SCAN_PRODUCT)
        return number;
    number.real = is_minimum ? (double)INFINITY : -(double)INFINITY;
    if (types[how->to].is_signed)
        number.bits = is_minimum ? ones >> 1 : ~(ones >> 1);
    else
        number.bits = is_minimum ? ones : 0;
    return number;
}

static void scan_row(const struct how *how, const struct number *x, size_t count,
                     const struct number *initial, struct number *results)
{
    struct partial elements = {.has_value = false}, runs = elements, blocks = elements;
    struct partial sections = elements;
    struct partial regions = {how->has_initial || how->is_exclusive,
                              how->has_initial ? *initial : neutral(how)};
    for (size_t i = 0; i < count; i++) {
        if (i % RUN == 0) {
            runs = combine(how, runs, elements);
            elements.has_value = false;
        }
        if (i % BLOCK == 0) {
            blocks = combine(how, blocks, runs);
            runs.has_value = false;
        }
        if (i % SECTION == 0) {
            sections = combine(how, sections, blocks);
            blocks.has_value = false;
        }
        if (i % REGION == 0) {
            regions = combine(how, regions, sections);
            sections.has_value = false;
        }
        const struct partial before = elements;
        elements = combine(how, elements, (struct partial){true, x[i]});
        const struct partial own = how->is_exclusive ? before : elements;
        const struct partial in_section = combine(how, blocks, combine(how, runs, own));
        results[i] = combine(how, regions, combine(how, sections, in_section)).value;
    }
}

/* ---- Random arrays ----------------------------------------------------------------------------*/

struct drawn {
    reap_array array;
    size_t shape[MOST_DIMENSIONS], count, bytes;
    ptrdiff_t strides[MOST_DIMENSIONS];
    char *memory;
};

/* So many elements are one row; 0: any shape. */
static size_t row_length;

static void draw_shape(struct drawn *drawn, uint64_t *random)
{
    static const size_t lengths[] = {1,      2,      15,     16,     17,     100,   255,
                                     256,    257,    2047,   2048,   2049,   4096,  8191,
                                     8192,   8193,   10300,  32769,  40000,  65536, 70001,
                                     100000, 150000, 262143, 262144, 262145, 300000};
    const unsigned dimensions = 1 + (unsigned)(check_random(random) % MOST_DIMENSIONS);
    if (row_length > 0) {
        drawn->array.dimensions = 1;
        drawn->shape[0] = drawn->count = row_length;
        return;
    }
    drawn->array.dimensions = check_random(random) % 2 ? dimensions : 1;
    drawn->count = 1;
    for (unsigned d = 0; d < drawn->array.dimensions; d++) {
        const size_t few = check_random(random) % 9 + 1;
        size_t length = lengths[check_random(random) % (sizeof lengths / sizeof *lengths)];
        length = d > 0 && check_random(random) % 2 ? few : length;
        if (check_random(random) % 50 == 0)
            length = 0;
        while (drawn->count * length > MOST_ELEMENTS)
            length /= 2;
        drawn->shape[d] = length > 0 || drawn->count == 0 ? length : 1;
        drawn->count *= drawn->shape[d];
    }
}

/* Dimensions in any order in memory, with gaps, or turned round. */
static void draw_strides(struct drawn *drawn, bool is_plain, uint64_t *random)
{
    const unsigned dimensions = drawn->array.dimensions;
    const size_t size = types[drawn->array.type].size;
    size_t step = size, begin = 0;
    unsigned left = (1u << dimensions) - 1;
    for (unsigned n = 0; n < dimensions; n++) {
        unsigned d = is_plain ? dimensions - 1 - n : (unsigned)(check_random(random) % dimensions);
        while ((left >> d & 1) == 0)
            d = (d + 1) % dimensions;
        left &= ~(1u << d);
        const unsigned kind = is_plain ? 9 : (unsigned)(check_random(random) % 5);
        const size_t length = drawn->shape[d] > 0 ? drawn->shape[d] : 1;
        step *= kind == 0 ? 2 : 1;
        drawn->strides[d] = kind == 1 ? -(ptrdiff_t)step : (ptrdiff_t)step;
        if (kind == 1)
            begin += step * (length - 1);
        step *= length;
    }
    drawn->bytes = step;
    drawn->memory = test_allocate(step);
    drawn->array.data = drawn->memory + begin;
    drawn->array.shape = drawn->shape;
    drawn->array.strides = drawn->strides;
}

/* Numbers near 1 or little ones, so that products and sums remain numbers, in half of the trials.
 */
static void tame(const struct drawn *drawn, reap_scan scan, uint64_t *random)
{
    const reap_type type = drawn->array.type;
    for (size_t i = 0; i < drawn->bytes / types[type].size; i++) {
        const double uniform = (double)(check_random(random) >> 11) * 0x1p-53;
        const struct number number = {.real = scan == REAP_SCAN_PRODUCT ? 0.7 + 0.6 * uniform
                                                                        : uniform - 0.4};
        number_write(type, number, drawn->memory + i * types[type].size);
    }
}

static void draw(struct drawn *drawn, const struct how *how, uint64_t *random)
{
    const enum input_type input = types[how->from].input;
    const unsigned flavour = (unsigned)(check_random(random) % input_flavours(input));
    *drawn = (struct drawn){.array = {.type = how->from}};
    draw_shape(drawn, random);
    draw_strides(drawn, how->is_in_place || check_random(random) % 2, random);
    input_fill(input, flavour, drawn->bytes / types[how->from].size, random, drawn->memory);
    if (types[how->from].is_floating && check_random(random) % 2)
        tame(drawn, how->scan, random);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

/* Where an element of the array is, and its place in a row, for a number in the order of rows. */
static const char *at_place(const struct drawn *drawn, size_t row, unsigned axis, size_t place,
                            size_t *in_result)
{
    const char *at = (const char *)drawn->array.data + (ptrdiff_t)place * drawn->strides[axis];
    size_t step = 1;
    *in_result = 0;
    for (unsigned d = drawn->array.dimensions; d-- > 0;) {
        const size_t index = d == axis ? place : row % drawn->shape[d];
        if (d != axis) {
            row /= drawn->shape[d];
            at += (ptrdiff_t)index * drawn->strides[d];
        }
        *in_result += index * step;
        step *= drawn->shape[d];
    }
    return at;
}

static void expect(const struct drawn *drawn, const struct how *how, unsigned axis,
                   const struct number *initial, unsigned char *expected)
{
    const size_t length = drawn->shape[axis], size = types[how->to].size;
    struct number *x = test_allocate(length * sizeof *x), *y = test_allocate(length * sizeof *y);
    for (size_t row = 0; length > 0 && row < drawn->count / length; row++) {
        size_t at = 0;
        for (size_t i = 0; i < length; i++)
            x[i] = number_read(how->from, at_place(drawn, row, axis, i, &at));
        scan_row(how, x, length, initial, y);
        for (size_t i = 0; i < length; i++) {
            at_place(drawn, row, axis, i, &at);
            number_write(how->to, y[i], expected + at * size);
        }
    }
    free(x);
    free(y);
}

static size_t count_wrong(reap_type type, size_t count, const unsigned char *got,
                          const unsigned char *expected)
{
    const size_t size = types[type].size;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (check_same(got + i * size, expected + i * size, size))
            continue;
        wrong += !types[type].is_floating || !isnan(number_read(type, got + i * size).real) ||
                 !isnan(number_read(type, expected + i * size).real);
    }
    return wrong;
}

static struct how draw_how(uint64_t *random)
{
    struct how how = {.scan = (reap_scan)(check_random(random) % 4),
                      .from =
                          REAP_TYPE_BOOL + (reap_type)(check_random(random) % REAP_TYPE_DOUBLE)};
    const bool is_sum = how.scan == REAP_SCAN_SUM || how.scan == REAP_SCAN_PRODUCT;
    how.to = how.from;
    if (is_sum && (how.from == REAP_TYPE_BOOL || check_random(random) % 2))
        how.to = reap_array_reduce_type(REAP_SUM, how.from);
    how.is_exclusive = check_random(random) % 2;
    how.has_initial = check_random(random) % 2;
    how.is_in_place = how.to == how.from && check_random(random) % 2;
    return how;
}

static void try(reap_queue *queue, size_t threads, uint64_t *random)
{
    const struct how how = draw_how(random);
    struct drawn drawn;
    draw(&drawn, &how, random);
    const unsigned axis = (unsigned)(check_random(random) % drawn.array.dimensions);
    const size_t bytes = drawn.count * types[how.to].size;
    struct number initial = {check_random(random) % 2, 0.75};
    unsigned char first[8] = {0};
    number_write(how.to, initial, first);
    initial = number_read(how.to, first);
    unsigned char *expected = test_allocate(bytes), *own = test_allocate(bytes + 8);
    expect(&drawn, &how, axis, &initial, expected);
    reap_buffer *buffers[2] = {NULL, NULL};
    CHECK_STATUS(reap_buffer_wrap(drawn.memory, drawn.bytes, &buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(own, bytes + 8, &buffers[1]), REAP_OK);
    unsigned char *const to = how.is_in_place ? drawn.array.data : own;
    const reap_array result = {to, how.to, drawn.array.dimensions, drawn.shape, NULL};
    const reap_scan_options options = {axis, how.is_exclusive, how.has_initial ? first : NULL};
    CHECK_STATUS(reap_array_scan(queue, how.scan, &drawn.array, &options, &result), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[0]), REAP_OK);
    CHECK_STATUS(reap_buffer_release(buffers[1]), REAP_OK);
    const size_t wrong = count_wrong(how.to, drawn.count, to, expected);
    if (!check_report(wrong == 0, __FILE__, __LINE__,
                      "scan %d of %s to %s, exclusive %d, initial %d, in place %d, %zu threads, "
                      "axis %u: %zu of %zu results are wrong",
                      (int)how.scan, types[how.from].name, types[how.to].name, how.is_exclusive,
                      how.has_initial, how.is_in_place, threads, axis, wrong, drawn.count))
        for (unsigned d = 0; d < drawn.array.dimensions; d++)
            fprintf(stderr, "  %zu, stride %td\n", drawn.shape[d], drawn.strides[d]);
    free(expected);
    free(own);
    free(drawn.memory);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    const unsigned trials = !test_on_device() ? TRIALS : test_samples() ? TRIALS / 12 : TRIALS / 4;
    for (unsigned trial = 0; trial < trials; trial++)
        try(queues[trial % queue_count], queue_threads[trial % queue_count], &random);
    row_length = test_samples() ? LONG_ROW : LONGER_ROW;
    if (test_on_device())
        try(queues[0], queue_threads[0], &random);
    queues_close(queues);
    return check_finish();
}
