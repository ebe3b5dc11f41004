/* SPDX-License-Identifier: Apache-2.0
 *
 * Not-a-numbers, infinities and zeros of both signs, in every position of short arrays and on the
 * edges of longer ones, through every operator on floating-point types. The longer ones have more
 * than 16 leaves, which the host's code takes in pairs.
 */
#include "tests/conformance/agreement_work.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

#include <float.h>
#include <math.h>

/* A value that every format has; NaNs come with the sign and payload that make bits differ. */
enum special {
    MINUS_ZERO,
    PLUS_ZERO,
    PLUS_INFINITY,
    MINUS_INFINITY,
    QUIET_NAN,
    NEGATIVE_NAN,
    LARGEST,
    LOWEST,
    SMALLEST,
    ORDINARY,
    SPECIALS
};

static const uint16_t halves[SPECIALS] = {0x8000, 0,      0x7c00, 0xfc00, 0x7e01,
                                          0xfe23, 0x7bff, 0xfbff, 1,      0xbe00};
static const uint16_t bfloat16s[SPECIALS] = {0x8000, 0,      0x7f80, 0xff80, 0x7fc1,
                                             0xffe3, 0x7f7f, 0xff7f, 1,      0xbfc0};
static const uint32_t floats[SPECIALS] = {0x80000000, 0,          0x7f800000, 0xff800000,
                                          0x7fc00001, 0xffc12345, 0x7f7fffff, 0xff7fffff,
                                          1,          0xbfc00000};
static const uint64_t doubles[SPECIALS] = {0x8000000000000000,
                                           0,
                                           0x7ff0000000000000,
                                           0xfff0000000000000,
                                           0x7ff8000000000001,
                                           0xfff8000012345678,
                                           0x7fefffffffffffff,
                                           0xffefffffffffffff,
                                           1,
                                           0xbff8000000000000};

static void put(const struct workspace *work, size_t item, enum special special)
{
    const size_t bytes = group_item_bytes(work->group);
    unsigned char *input = work->inputs + item * bytes;
    if (work->group->input == INPUT_BFLOAT16)
        memcpy(input, &bfloat16s[special], bytes);
    else if (bytes == sizeof *halves)
        memcpy(input, &halves[special], bytes);
    else if (bytes == sizeof *floats)
        memcpy(input, &floats[special], bytes);
    else
        memcpy(input, &doubles[special], bytes);
}

/* The inputs of a workspace, with variables that hold a special value too. */
static void check_inputs(struct workspace *work, reap_queue *const *queues, enum special variable,
                         bool initialize)
{
    unsigned char *expected = test_allocate(workspace_row_bytes(work));
    const size_t bytes = group_item_bytes(work->group), count = work->trial->count;
    unsigned char kept[sizeof(double)];
    memcpy(kept, work->inputs, bytes);
    put(work, 0, variable);
    for (size_t r = 0; r < work->group->reduction_count; r++) {
        memcpy(work->start + r * work->slot_bytes, work->inputs, bytes);
        work->launch[r] = (struct reference_launch){NULL, initialize};
    }
    memcpy(work->inputs, kept, bytes);
    workspace_expect(work, expected);
    for (size_t q = 0; q < (count < 1000 ? 1 : queue_count); q++) {
        CHECK_LAUNCH(workspace_launch(work, queues[q]), queues[q]);
        const unsigned wrong = workspace_compare(work, expected);
        check_comparisons += (unsigned long)work->group->reduction_count;
        CHECK_EQ(wrong, 0);
        if (wrong > 0)
            fprintf(stderr, "  %s, %zu items, variable %d\n", work->group->name, count, variable);
    }
    free(expected);
}

static void check_variables(struct workspace *work, reap_queue *const *queues)
{
    static const enum special variables[] = {ORDINARY, MINUS_ZERO, NEGATIVE_NAN, PLUS_INFINITY};
    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++)
        check_inputs(work, queues, variables[v], false);
    check_inputs(work, queues, ORDINARY, true);
}

/* All items the same; then the first half one and the rest another, which overflows and cancels. */
static void check_uniform(struct workspace *work, reap_queue *const *queues)
{
    const size_t count = work->trial->count;
    for (enum special all = 0; all < SPECIALS; all++) {
        for (size_t i = 0; i < count; i++)
            put(work, i, all);
        check_variables(work, queues);
    }
    for (enum special left = PLUS_INFINITY; left < SPECIALS; left++) {
        for (size_t i = 0; i < count; i++)
            put(work, i, i < count / 2 ? left : left == LARGEST ? LOWEST : MINUS_INFINITY);
        check_variables(work, queues);
    }
}

static void check_position(struct workspace *work, reap_queue *const *queues, size_t position,
                           enum special among)
{
    for (enum special special = 0; special < SPECIALS; special++) {
        put(work, position, special);
        check_inputs(work, queues, ORDINARY, false);
        check_inputs(work, queues, MINUS_ZERO, true);
    }
    put(work, position, among);
}

static void check_positions(struct workspace *work, reap_queue *const *queues, size_t step)
{
    static const enum special among[] = {ORDINARY, MINUS_ZERO};
    const size_t count = work->trial->count;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < count; i++)
            put(work, i, among[a]);
        for (size_t position = 0; position < count; position += step)
            check_position(work, queues, position, among[a]);
        if (count > 0)
            check_position(work, queues, count - 1, among[a]);
    }
}

static void check_group(const struct group *group, reap_queue *const *queues)
{
    static const struct {
        size_t count, step;
    } cases[] = {
#ifdef REAP_TESTS_FEW_ITEMS
        {0, 1}, {1, 1}, {33, 7}, {1030, 341}, {40000, 32768}
#else
        {0, 1},      {1, 1},         {2, 1},        {3, 1}, {33, 1},
        {1030, 341}, {33000, 16384}, {70000, 32768}
#endif
    };
    const size_t most = getenv("REAP_TESTS_MANY") != NULL ? SIZE_MAX : 40000;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (cases[c].count > most)
            continue;
        const struct trial trial = {cases[c].count, 0, 1};
        struct workspace work;
        workspace_open(group, &trial, 1, &work);
        workspace_prepare(&work, &trial);
        check_uniform(&work, queues);
        const bool is_sampled = test_samples() && cases[c].count == 33;
        check_positions(&work, queues, is_sampled ? 5 : cases[c].step);
        workspace_close(&work);
    }
}

static int body(unsigned set, const void *context)
{
    reap_queue *queues[QUEUES];
    (void)context;
    printf("%s\n", instruction_sets[set]);
    queues_open(queues);
    for (size_t g = 0; g < group_count; g++)
        if (groups[g]->input == INPUT_HALF || groups[g]->input == INPUT_BFLOAT16 ||
            groups[g]->input == INPUT_FLOAT || groups[g]->input == INPUT_DOUBLE)
            check_group(groups[g], queues);
    queues_close(queues);
    return check_finish();
}

int main(void)
{
    CHECK_EQ(in_each_instruction_set(body, NULL), 0);
    return check_finish();
}
