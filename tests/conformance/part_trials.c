/* SPDX-License-Identifier: Apache-2.0
 *
 * See part_trials.h.
 */
#include "tests/conformance/part_trials.h"

#include "src/reduction/part.h"
#include "tests/conformance/bool.kernels.h"
#include "tests/conformance/combines.kernels.h"
#include "tests/conformance/devices.h"
#include "tests/conformance/floating.kernels.h"
#include "tests/conformance/integers.kernels.h"
#include "tests/conformance/locations.kernels.h"
#include "tests/conformance/parts.kernels.h"
#include "tests/conformance/words.kernels.h"
#include "tests/support/check.h"

#include <string.h>

const struct subject part_subjects[] = {
    {&reap_kernel_part_plain_sum, INPUT_FLOAT, 1, 200000, 0, true},
    {&reap_kernel_part_everything, INPUT_BITS_32, 2, 30000, 0, true},
    {&reap_kernel_part_uniform, INPUT_BITS_32, 2, 50000, 0, true},
    {&reap_kernel_part_unordered, INPUT_BITS_32, 2, 50000, 0, true},
    {&reap_kernel_part_groups, INPUT_BITS_32, 2, 30000, 6, true},
    {&reap_kernel_part_phases, INPUT_BITS_32, 2, 40000, 7, true},
    {&reap_kernel_sometimes, INPUT_BITS_32, 2, 30000, 0, true},
    {&reap_kernel_floating_float, INPUT_FLOAT, 1, 100000, 0, true},
    {&reap_kernel_floating_half, INPUT_HALF, 1, 50000, 0, true},
    {&reap_kernel_floating_bfloat16, INPUT_BFLOAT16, 1, 50000, 0, true},
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
    {&reap_kernel_locate_bfloat16, INPUT_BFLOAT16, 2, 50000, 0, false},
    {&reap_kernel_locate_double, INPUT_DOUBLE, 2, 50000, 0, false},
    {&reap_kernel_words_words_2_bytes, INPUT_BITS_16, 1, 30000, 0, false},
    {&reap_kernel_words_words_12_bytes, INPUT_BITS_16, 6, 20000, 0, false},
    {&reap_kernel_words_words_5000_bytes, INPUT_BITS_16, 2500, 200, 0, false},
#endif
};

const size_t part_subject_count = sizeof part_subjects / sizeof *part_subjects;

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

size_t trial_draw(uint64_t *random, size_t most)
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
    const size_t group = trial->subject->group, row = 1 + trial_draw(trial->random, 70);
    const bool is_linear = strncmp(trial->subject->kernel->name, "part_", 5) == 0 &&
                           strcmp(trial->subject->kernel->name, "part_plain_sum") != 0;
    if (group > 0)
        return reap_nd_range_1d(items, group);
    if (!is_linear || test_on_device() || items % row != 0 || trial_draw(trial->random, 1) == 0)
        return reap_range_1d(items);
    return row % 2 == 0 ? reap_range_3d(items / row, 2, row / 2) : reap_range_2d(items / row, row);
}

reap_status trial_launch(const struct trial *trial, const struct piece *piece,
                         struct variable *variables, reap_part *const *parts)
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
    free(arguments);
    return status;
}

/* ---- Parts ------------------------------------------------------------------------------------*/

reap_status trial_create_parts(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++)
        REAP_TRY(reap_part_create(trial->subject->kernel, trial->parameters[r]->name, &parts[r]));
    return REAP_OK;
}

void trial_release_parts(const struct trial *trial, reap_part **parts)
{
    for (size_t r = 0; r < trial->reductions; r++)
        reap_part_release(parts[r]);
}

/* ---- Trials -----------------------------------------------------------------------------------*/

size_t trial_draw_cut(const struct trial *trial)
{
    const size_t group = trial->subject->group > 0 ? trial->subject->group : 1;
    const size_t leaf = 2048 * group, at = trial_draw(trial->random, trial->items);
    size_t cut = at;
    if (trial_draw(trial->random, 3) == 0)
        cut = at / leaf * leaf;
    else if (trial_draw(trial->random, 3) == 0)
        cut = at / leaf * leaf + trial_draw(trial->random, 2);
    cut = cut / group * group;
    return cut < trial->items ? cut : trial->items;
}

void trial_fill(const struct trial *trial, struct variable *expected, struct variable *found)
{
    for (size_t r = 0; r < trial->reductions; r++) {
        memcpy(expected[r].bytes, trial->inputs, variable_bytes(trial->parameters[r]));
        if (strcmp(trial->parameters[r]->type, "bool") == 0)
            expected[r].bytes[0] &= 1;
        expected[r].location = trial_draw(trial->random, 100);
        found[r] = expected[r];
    }
}

static bool is_same(const struct trial *trial, size_t r, const struct variable *found,
                    const struct variable *expected)
{
    const struct reap__parameter *parameter = trial->parameters[r];
    const bool is = memcmp(found->bytes, expected->bytes, variable_bytes(parameter)) == 0 &&
                    (!has_location(parameter) || found->location == expected->location);
    if (!is)
        fprintf(stderr, "  kernel %s, reduction %s, %zu items%s\n", trial->subject->kernel->name,
                parameter->name, trial->items, trial->has_identity[r] ? ", with an identity" : "");
    return is;
}

bool trial_compare(const struct trial *trial, reap_part *const *parts, struct variable *found,
                   const struct variable *expected)
{
    bool are_same = true;
    for (size_t r = 0; r < trial->reductions; r++) {
        const bool is_located = has_location(trial->parameters[r]);
        const reap_part_finish_options options = {
            .location = is_located ? &found[r].location : NULL,
            .count = is_span(trial->parameters[r]) ? (size_t)ELEMENTS : 0};
        const reap_status status = reap_part_finish(parts[r], found[r].bytes, &options);
        if (status != REAP_OK)
            fprintf(stderr, "%s\n", reap_last_error());
        are_same = is_same(trial, r, &found[r], &expected[r]) && status == REAP_OK && are_same;
    }
    return are_same;
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
            strcmp(trial->parameters[r]->type, "bool") != 0 && trial_draw(trial->random, 4) == 0;
    }
}

struct trial *trial_create(const struct subject *subject, reap_queue *queue, uint64_t *random)
{
    struct trial *trial = test_allocate(sizeof *trial);
    const struct reap_kernel *kernel = subject->kernel;
    *trial = (struct trial){.subject = subject, .queue = queue, .random = random};
    trial->items =
        trial_draw(random, trial_draw(random, 2) == 0 ? subject->largest / 16 : subject->largest);
    if (subject->group > 0)
        trial->items = trial->items / subject->group * subject->group;
    trial->input_bytes = subject->each * input_bytes(subject->input);
    const size_t inputs = trial->items * subject->each + MOST_BYTES;
    trial->inputs = test_allocate(inputs * input_bytes(subject->input));
    trial->times = test_allocate(trial->items + 1);
    input_fill(subject->input, (unsigned)trial_draw(random, input_flavours(subject->input) - 1),
               inputs, random, trial->inputs);
    for (size_t i = 0; i < trial->items; i++)
        trial->times[i] = (unsigned char)trial_draw(random, 2);
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (kernel->parameters[p].reduction != NULL)
            trial->parameters[trial->reductions++] = &kernel->parameters[p];
    if (trial->items > 0) /* a launch of none says nothing of a part's */
        draw_identities(trial);
    reap__part_least_bytes = trial_draw(random, 1) == 0 ? 0 : REAP__PART_LEAST_BYTES;
    return trial;
}

void trial_release(struct trial *trial)
{
    free(trial->inputs);
    free(trial->times);
    free(trial);
}
