/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether reductions that are cut into parts have the bits of one launch: kernels of every type and
 * operator, cut anywhere, launched in any order into one part or several, merged in any order, some
 * after they were written and read. That one launch has the right bits is for test_agreement.
 */
#include "tests/conformance/bool.kernels.h"
#include "tests/conformance/combines.kernels.h"
#include "tests/conformance/devices.h"
#include "tests/conformance/floating.kernels.h"
#include "tests/conformance/inputs.h"
#include "tests/conformance/integers.kernels.h"
#include "tests/conformance/locations.kernels.h"
#include "tests/conformance/parts.kernels.h"
#include "tests/conformance/words.kernels.h"
#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#include <reap/reap.h>
#include <string.h>

#ifdef REAP_TESTS_SMALL
enum { ROUNDS = 3 };
#else
enum { ROUNDS = 12 };
#endif
enum { MOST_REDUCTIONS = 8, MOST_PIECES = 24, ELEMENTS = 61, MOST_BYTES = 32768 };

/* A kernel; of its arrays, which has inputs of a type and which says how often items combine; how
 * many inputs an item has. */
struct subject {
    const struct reap_kernel *kernel;
    enum input_type input;
    unsigned each;
    size_t largest;
    size_t group; /* work-items of a group; 0: none */
    bool is_quick;
};

static const struct subject subjects[] = {
    {&reap_kernel_part_plain_sum, INPUT_FLOAT, 1, 200000, 0, true},
    {&reap_kernel_part_everything, INPUT_BITS_32, 2, 30000, 0, true},
    {&reap_kernel_part_uniform, INPUT_BITS_32, 2, 50000, 0, true},
    {&reap_kernel_part_unordered, INPUT_BITS_32, 2, 50000, 0, true},
    {&reap_kernel_part_groups, INPUT_BITS_32, 2, 30000, 6, true},
    {&reap_kernel_part_phases, INPUT_BITS_32, 2, 40000, 7, true},
    {&reap_kernel_sometimes, INPUT_BITS_32, 2, 30000, 0, true},
    {&reap_kernel_floating_float, INPUT_FLOAT, 1, 100000, 0, true},
    {&reap_kernel_floating_half, INPUT_HALF, 1, 50000, 0, true},
    {&reap_kernel_integers_int, INPUT_BITS_32, 1, 50000, 0, true},
    {&reap_kernel_locate_float, INPUT_FLOAT, 2, 50000, 0, true},
    {&reap_kernel_words_words_512_bytes, INPUT_BITS_16, 256, 2000, 0, true},
#ifndef REAP_TESTS_FEW_PARTS
    {&reap_kernel_floating_double, INPUT_DOUBLE, 1, 100000, 0, false},
    {&reap_kernel_integers_char, INPUT_BITS_8, 1, 50000, 0, false},
    {&reap_kernel_integers_schar, INPUT_BITS_8, 1, 50000, 0, false},
    {&reap_kernel_integers_uchar, INPUT_BITS_8, 1, 50000, 0, false},
    {&reap_kernel_integers_short, INPUT_BITS_16, 1, 50000, 0, false},
    {&reap_kernel_integers_ushort, INPUT_BITS_16, 1, 50000, 0, false},
    {&reap_kernel_integers_uint, INPUT_BITS_32, 1, 50000, 0, false},
    {&reap_kernel_integers_long, INPUT_BITS_64, 1, 50000, 0, false},
    {&reap_kernel_integers_ulong, INPUT_BITS_64, 1, 50000, 0, false},
    {&reap_kernel_integers_llong, INPUT_BITS_64, 1, 50000, 0, false},
    {&reap_kernel_integers_ullong, INPUT_BITS_64, 1, 50000, 0, false},
    {&reap_kernel_truths, INPUT_BOOL, 1, 50000, 0, false},
    {&reap_kernel_locate_schar, INPUT_BITS_8, 2, 50000, 0, false},
    {&reap_kernel_locate_ushort, INPUT_BITS_16, 2, 50000, 0, false},
    {&reap_kernel_locate_int, INPUT_BITS_32, 2, 50000, 0, false},
    {&reap_kernel_locate_ullong, INPUT_BITS_64, 2, 50000, 0, false},
    {&reap_kernel_locate_half, INPUT_HALF, 2, 50000, 0, false},
    {&reap_kernel_locate_double, INPUT_DOUBLE, 2, 50000, 0, false},
    {&reap_kernel_words_words_2_bytes, INPUT_BITS_16, 1, 30000, 0, false},
    {&reap_kernel_words_words_12_bytes, INPUT_BITS_16, 6, 20000, 0, false},
    {&reap_kernel_words_words_5000_bytes, INPUT_BITS_16, 2500, 200, 0, false},
#endif
};

/* A reduction's variable as the tests have it: the value or the array, and a location. */
struct variable {
    _Alignas(64) unsigned char bytes[MOST_BYTES];
    uint64_t location;
};

struct trial {
    const struct subject *subject;
    size_t items;
    unsigned char *inputs, *times;
    size_t input_bytes; /* of an item */
    size_t reductions;
    const struct reap__parameter *parameters[MOST_REDUCTIONS];
    bool has_identity[MOST_REDUCTIONS]; /* the launches' own */
    struct variable identity;
    reap_queue *queue;
    uint64_t *random;
};

struct piece {
    size_t first, items;
};

/* What every reduction's member begins with; a location or a count follows, then the part. */
struct argument {
    void *variable, *result;
    const void *identity;
    unsigned properties;
};

static bool is_span(const struct reap__parameter *parameter)
{
    return parameter->kind == REAP__SPAN_REDUCTION;
}

static bool has_location(const struct reap__parameter *parameter)
{
    return parameter->reduction->location_offset > 0;
}

static size_t variable_bytes(const struct reap__parameter *parameter)
{
    return parameter->size * (is_span(parameter) ? ELEMENTS : 1);
}

static size_t draw(uint64_t *random, size_t most)
{
    return (size_t)(check_random(random) % (most + 1));
}

/* ---- Launches ---------------------------------------------------------------------------------*/

static void set_array(const struct trial *trial, const struct reap__parameter *parameter,
                      const struct piece *piece, unsigned char *at)
{
    const bool is_times = strcmp(parameter->name, "times") == 0;
    const void *array =
        is_times ? trial->times + piece->first : trial->inputs + piece->first * trial->input_bytes;
    memcpy(at, &array, sizeof array);
}

static void set_reduction(const struct trial *trial, size_t r, struct variable *variable,
                          reap_part *part, unsigned char *at)
{
    const struct reap__parameter *parameter = trial->parameters[r];
    struct argument argument = {.variable = variable != NULL ? variable->bytes : NULL};
    const size_t count = ELEMENTS;
    if (trial->has_identity[r])
        argument.identity = trial->identity.bytes;
    memcpy(at, &argument, sizeof argument);
    at += sizeof argument;
    if (is_span(parameter))
        memcpy(at, &count, sizeof count);
    if (has_location(parameter) && variable != NULL) {
        const uint64_t *location = &variable->location;
        memcpy(at, &location, sizeof location);
    }
    if (is_span(parameter) || has_location(parameter))
        at += sizeof count;
    memcpy(at, &part, sizeof part);
}

/* Of kernels that use linear ids, launches may have rows and planes, too. */
static reap_range range_of(const struct trial *trial, size_t items)
{
    const size_t group = trial->subject->group, row = 1 + draw(trial->random, 70);
    const bool is_linear = strncmp(trial->subject->kernel->name, "part_", 5) == 0 &&
                           strcmp(trial->subject->kernel->name, "part_plain_sum") != 0;
    if (group > 0)
        return reap_nd_range_1d(items, group);
    if (!is_linear || test_on_device() || items % row != 0 || draw(trial->random, 1) == 0)
        return reap_range_1d(items);
    return row % 2 == 0 ? reap_range_3d(items / row, 2, row / 2) : reap_range_2d(items / row, row);
}

/* Into variables or parts. */
static void launch(const struct trial *trial, const struct piece *piece, struct variable *variables,
                   reap_part *const *parts)
{
    const struct reap_kernel *kernel = trial->subject->kernel;
    unsigned char *arguments = test_allocate(kernel->arguments_size);
    const reap_range range = range_of(trial, piece->items);
    const reap_launch_options options = {.first_item = parts != NULL ? piece->first : 0};
    memcpy(arguments, &range, sizeof range);
    memcpy(arguments + kernel->options_offset, &options, sizeof options);
    size_t r = 0;
    for (size_t p = 1; p < kernel->parameter_count; p++) {
        const struct reap__parameter *parameter = &kernel->parameters[p];
        unsigned char *at = arguments + parameter->offset;
        const size_t local = trial->subject->group;
        if (parameter->reduction != NULL) {
            set_reduction(trial, r, variables != NULL ? &variables[r] : NULL,
                          parts != NULL ? parts[r] : NULL, at);
            r++;
        } else if (parameter->kind == REAP__LOCAL) {
            memcpy(at, &local, sizeof local);
        } else {
            set_array(trial, parameter, piece, at);
        }
    }
    const reap_status status = reap_launch(trial->queue, kernel, arguments);
    CHECK_STATUS(status, REAP_OK);
    if (status != REAP_OK)
        fprintf(stderr, "%s\n", reap_last_error());
    free(arguments);
}

/* ---- Parts ------------------------------------------------------------------------------------*/

static void create(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++)
        CHECK_STATUS(
            reap_part_create(trial->subject->kernel, trial->parameters[r]->name, &parts[r]),
            REAP_OK);
}

static void release(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++)
        reap_part_release(parts[r]);
}

/* As a program does that stores a part and is started again. */
static void write_and_read(const struct trial *trial, size_t r, reap_part **part)
{
    size_t size = 0, written = 0;
    reap_part *read = NULL;
    CHECK_STATUS(reap_part_write(*part, NULL, 0, &size), REAP_OK);
    unsigned char *bytes = test_allocate(size);
    CHECK_STATUS(reap_part_write(*part, bytes, size, &written), REAP_OK);
    CHECK_EQ(written, size);
    const reap_status status =
        reap_part_read(trial->subject->kernel, trial->parameters[r]->name, bytes, size, &read);
    CHECK_STATUS(status, REAP_OK);
    if (status == REAP_OK) {
        reap_part_release(*part);
        *part = read;
    } else {
        fprintf(stderr, "%s\n", reap_last_error());
    }
    free(bytes);
}

static void copy_over(reap_part **part)
{
    reap_part *copy = NULL;
    CHECK_STATUS(reap_part_copy(*part, &copy), REAP_OK);
    reap_part_release(*part);
    *part = copy;
}

static void disturb(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++) {
        if (draw(trial->random, 3) == 0)
            write_and_read(trial, r, &parts[r]);
        if (draw(trial->random, 7) == 0)
            copy_over(&parts[r]);
    }
}

static void merge(const struct trial *trial, reap_part **into, reap_part **from)
{
    for (size_t r = 0; r < trial->reductions; r++) {
        const reap_status status = reap_part_merge(into[r], from[r]);
        CHECK_STATUS(status, REAP_OK);
        if (status != REAP_OK)
            fprintf(stderr, "%s\n", reap_last_error());
    }
}

/* ---- Cuts -------------------------------------------------------------------------------------*/

static size_t draw_cut(const struct trial *trial)
{
    const size_t group = trial->subject->group > 0 ? trial->subject->group : 1;
    const size_t leaf = 2048 * group, at = draw(trial->random, trial->items);
    size_t cut = at;
    if (draw(trial->random, 3) == 0)
        cut = at / leaf * leaf;
    else if (draw(trial->random, 3) == 0)
        cut = at / leaf * leaf + draw(trial->random, 2);
    cut = cut / group * group;
    return cut < trial->items ? cut : trial->items;
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Pieces that make up all items, in a random order. */
static size_t draw_pieces(const struct trial *trial, struct piece *pieces)
{
    size_t cuts[MOST_PIECES + 1], count = 1 + draw(trial->random, MOST_PIECES - 1);
    cuts[0] = 0;
    for (size_t c = 1; c < count; c++)
        cuts[c] = draw_cut(trial);
    cuts[count] = trial->items;
    qsort(cuts, count + 1, sizeof *cuts, compare_sizes);
    for (size_t c = 0; c < count; c++)
        pieces[c] = (struct piece){cuts[c], cuts[c + 1] - cuts[c]};
    for (size_t c = count; c > 1; c--) {
        const size_t other = draw(trial->random, c - 1);
        const struct piece last = pieces[c - 1];
        pieces[c - 1] = pieces[other];
        pieces[other] = last;
    }
    return count;
}

/* ---- Trials -----------------------------------------------------------------------------------*/

/* All pieces into few parts, which then merge in a random order; the last one is the result. */
static void reduce_in_parts(const struct trial *trial, reap_part **whole)
{
    struct piece pieces[MOST_PIECES];
    reap_part *parts[MOST_PIECES][MOST_REDUCTIONS] = {{NULL}};
    const size_t count = draw_pieces(trial, pieces);
    size_t left = 1 + draw(trial->random, count - 1);
    for (size_t p = 0; p < left; p++)
        create(trial, parts[p]);
    for (size_t p = 0; p < count; p++)
        launch(trial, &pieces[p], NULL, parts[draw(trial->random, left - 1)]);
    CHECK_STATUS(reap_queue_wait(trial->queue), REAP_OK);
    for (; left > 1; left--) {
        const size_t into = draw(trial->random, left - 2), from = left - 1;
        disturb(trial, parts[draw(trial->random, left - 1)]);
        merge(trial, parts[into], parts[from]);
        release(trial, parts[from]);
    }
    disturb(trial, parts[0]);
    memcpy(whole, parts[0], sizeof parts[0]);
}

static void compare(const struct trial *trial, size_t r, const struct variable *found,
                    const struct variable *expected)
{
    const struct reap__parameter *parameter = trial->parameters[r];
    const bool is_same = memcmp(found->bytes, expected->bytes, variable_bytes(parameter)) == 0 &&
                         (!has_location(parameter) || found->location == expected->location);
    check_comparisons++;
    if (!CHECK(is_same))
        fprintf(stderr, "  kernel %s, reduction %s, %zu items%s\n", trial->subject->kernel->name,
                parameter->name, trial->items, trial->has_identity[r] ? ", with an identity" : "");
}

static void compare_all(const struct trial *trial)
{
    struct variable *expected = test_allocate(MOST_REDUCTIONS * sizeof *expected);
    struct variable *found = test_allocate(MOST_REDUCTIONS * sizeof *found);
    reap_part *whole[MOST_REDUCTIONS];
    for (size_t r = 0; r < trial->reductions; r++) {
        memcpy(expected[r].bytes, trial->inputs, variable_bytes(trial->parameters[r]));
        if (strcmp(trial->parameters[r]->type, "bool") == 0)
            expected[r].bytes[0] &= 1;
        expected[r].location = draw(trial->random, 100);
        found[r] = expected[r];
    }
    launch(trial, &(const struct piece){0, trial->items}, expected, NULL);
    reduce_in_parts(trial, whole);
    for (size_t r = 0; r < trial->reductions; r++) {
        const bool is_located = has_location(trial->parameters[r]);
        const reap_part_finish_options options = {
            .location = is_located ? &found[r].location : NULL,
            .count = is_span(trial->parameters[r]) ? (size_t)ELEMENTS : 0};
        const reap_status status = reap_part_finish(whole[r], found[r].bytes, &options);
        CHECK_STATUS(status, REAP_OK);
        if (status != REAP_OK)
            fprintf(stderr, "%s\n", reap_last_error());
        compare(trial, r, &found[r], &expected[r]);
    }
    release(trial, whole);
    free(found);
    free(expected);
}

/* Of the launches' own identities there is one for all, of 8 bytes at most. */
static void draw_identities(struct trial *trial)
{
    for (size_t i = 0; i < 8; i++)
        trial->identity.bytes[i] = i % 4 == 3 ? 0x40 : 0;
    for (size_t r = 0; r < trial->reductions; r++) {
        const struct reap__reduction *reduction = trial->parameters[r]->reduction;
        const bool is_exact = strcmp(reduction->operation, "exact_plus") == 0;
        trial->has_identity[r] =
            !is_exact && !is_span(trial->parameters[r]) && trial->parameters[r]->size <= 8 &&
            strcmp(trial->parameters[r]->type, "bool") != 0 && draw(trial->random, 4) == 0;
    }
}

static void run_trial(const struct subject *subject, reap_queue *queue, uint64_t *random)
{
    struct trial *trial = test_allocate(sizeof *trial);
    const struct reap_kernel *kernel = subject->kernel;
    *trial = (struct trial){.subject = subject, .queue = queue, .random = random};
    trial->items = draw(random, draw(random, 2) == 0 ? subject->largest / 16 : subject->largest);
    if (subject->group > 0)
        trial->items = trial->items / subject->group * subject->group;
    trial->input_bytes = subject->each * input_bytes(subject->input);
    const size_t inputs = trial->items * subject->each + MOST_BYTES;
    trial->inputs = test_allocate(inputs * input_bytes(subject->input));
    trial->times = test_allocate(trial->items + 1);
    input_fill(subject->input, (unsigned)draw(random, input_flavours(subject->input) - 1), inputs,
               random, trial->inputs);
    for (size_t i = 0; i < trial->items; i++)
        trial->times[i] = (unsigned char)draw(random, 2);
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].reduction != NULL)
            trial->parameters[trial->reductions++] = &kernel->parameters[p];
    draw_identities(trial);
    compare_all(trial);
    free(trial->inputs);
    free(trial->times);
    free(trial);
}

int main(void)
{
    uint64_t random = check_seed();
    const unsigned rounds = test_few() ? 2 : ROUNDS;
    for (unsigned q = test_few() ? 1 : 0; q < 2; q++) {
        const reap_queue_options options = {.asynchronous = q != 0, .out_of_order = q != 0};
        reap_queue *queue = NULL;
        CHECK_STATUS(reap_queue_create(NULL, &options, &queue), REAP_OK);
        if (queue == NULL)
            break;
        for (size_t s = 0; s < sizeof subjects / sizeof *subjects && check_failures < 20; s++) {
            if (test_on_device() && !subjects[s].is_quick)
                continue;
            if (test_draws_large() && draw(&random, 2) != 0)
                continue;
            for (unsigned round = 0; round < rounds && check_failures < 20; round++)
                run_trial(&subjects[s], queue, &random);
        }
        reap_queue_release(queue);
    }
    return check_finish();
}
