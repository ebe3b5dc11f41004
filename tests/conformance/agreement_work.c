/* SPDX-License-Identifier: Apache-2.0
 *
 * See agreement_work.h.
 */
#include "tests/conformance/agreement_work.h"

#include "tests/conformance/devices.h"
#include "tests/support/check.h"

enum { PLACES = 16 }; /* where the inputs may begin, in items */

void workspace_open(const struct group *group, const struct trial *trials, size_t count,
                    struct workspace *work)
{
    size_t most = 1, bytes = 1;
    for (size_t t = 0; t < count; t++)
        most = trials[t].count > most ? trials[t].count : most;
    for (size_t r = 0; r < group->reduction_count; r++)
        bytes = group->reductions[r].op->bytes > bytes ? group->reductions[r].op->bytes : bytes;
    work->group = group;
    work->trial = NULL;
    work->slot_bytes = (bytes + 15) / 16 * 16;
    work->memory = test_allocate((most + PLACES) * group_item_bytes(group));
    work->inputs = work->memory;
    work->start = test_allocate(workspace_row_bytes(work));
    work->identity = test_allocate(workspace_row_bytes(work));
    work->result = test_allocate(workspace_row_bytes(work));
}

void workspace_close(struct workspace *work)
{
    free(work->memory);
    free(work->start);
    free(work->identity);
    free(work->result);
}

size_t workspace_row_bytes(const struct workspace *work)
{
    return work->group->reduction_count * work->slot_bytes;
}

/* A value that an item might combine. */
static void draw_value(const struct workspace *work, size_t r, uint64_t *random, void *value)
{
    const struct group *group = work->group;
    void *input = test_allocate(group_item_bytes(group));
    input_fill(group->input, work->trial->flavour, group->elements, random, input);
    if (group->reductions[r].value != NULL)
        group->reductions[r].value(input, (size_t)check_random(random), value);
    else
        memcpy(value, input, group->reductions[r].op->bytes);
    free(input);
}

void workspace_prepare(struct workspace *work, const struct trial *trial)
{
    const struct group *group = work->group;
    uint64_t random = trial->seed;
    work->trial = trial;
    work->inputs = work->memory;
    if (!test_few() || group->input == INPUT_FLOAT)
        work->inputs += trial->seed % PLACES * group_item_bytes(group);
    input_fill(group->input, trial->flavour, trial->count * group->elements, &random, work->inputs);
    for (size_t r = 0; r < group->reduction_count; r++) {
        unsigned char *identity = work->identity + r * work->slot_bytes;
        struct reference_launch *launch = &work->launch[r];
        draw_value(work, r, &random, work->start + r * work->slot_bytes);
        draw_value(work, r, &random, identity);
        const bool given = check_random(&random) % 4 == 0;
        launch->identity = given ? identity : NULL;
        launch->initialize =
            check_random(&random) % 4 == 0 && (given || group->reductions[r].op->identity != NULL);
    }
}

/* How the reference gets at the items of one reduction. */
struct item_source {
    const struct workspace *work;
    size_t reduction;
    unsigned char *value;
};

static size_t item_values(void *context, size_t item, const void **first)
{
    const struct item_source *source = context;
    const struct group *group = source->work->group;
    const unsigned char *input = source->work->inputs + item * group_item_bytes(group);
    *first = input;
    if (group->reductions[source->reduction].value != NULL) {
        group->reductions[source->reduction].value(input, item, source->value);
        *first = source->value;
    }
    return 1;
}

void workspace_expect(struct workspace *work, unsigned char *row)
{
    struct item_source source = {work, 0, test_allocate(work->slot_bytes)};
    const struct reference_items items = {work->trial->count, item_values, &source};
    memcpy(row, work->start, workspace_row_bytes(work));
    for (size_t r = 0; r < work->group->reduction_count; r++) {
        source.reduction = r;
        reference_reduce(work->group->reductions[r].op, &items, &work->launch[r],
                         row + r * work->slot_bytes);
    }
    free(source.value);
}

reap_status workspace_launch(struct workspace *work, reap_queue *queue)
{
    struct group_argument arguments[GROUP_REDUCTIONS_MOST];
    memcpy(work->result, work->start, workspace_row_bytes(work));
    for (size_t r = 0; r < work->group->reduction_count; r++) {
        const unsigned properties = work->launch[r].initialize ? REAP_INITIALIZE_TO_IDENTITY : 0;
        const struct group_argument argument = {work->result + r * work->slot_bytes,
                                                work->launch[r].identity, properties};
        arguments[r] = argument;
    }
    const reap_status status =
        work->group->launch(queue, work->trial->count, work->inputs, arguments);
    return status == REAP_OK ? reap_queue_wait(queue) : status;
}

static void print_bits(const char *name, const unsigned char *value, size_t bytes)
{
    fprintf(stderr, "    %s ", name);
    for (size_t i = bytes < 24 ? bytes : 24; i > 0; i--)
        fprintf(stderr, "%02x", value[i - 1]);
    fprintf(stderr, "\n");
}

unsigned workspace_compare(const struct workspace *work, const unsigned char *row)
{
    unsigned wrong = 0;
    for (size_t r = 0; r < work->group->reduction_count; r++) {
        const struct reference_operator *op = work->group->reductions[r].op;
        const unsigned char *result = work->result + r * work->slot_bytes;
        const unsigned char *expected = row + r * work->slot_bytes;
        if (memcmp(result, expected, op->bytes) == 0 || ++wrong > 20)
            continue;
        fprintf(stderr, "  %s%s%s:\n", op->name, work->launch[r].identity ? ", identity given" : "",
                work->launch[r].initialize ? ", initialized to it" : "");
        print_bits("Reap:     ", result, op->bytes);
        print_bits("reference:", expected, op->bytes);
    }
    return wrong;
}
