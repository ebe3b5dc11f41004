/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes an array by a pass over it, which makes a part for each task, and merges the parts in
 * their order. Where the extremes lie within their runs is looked up last.
 */
#include "src/cli/describe/summary.h"

#include "src/cli/describe/launch.h"
#include "src/cli/message.h"
#include "src/cli/describe/pass.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

uint64_t cli_pass_elements(const struct cli_pass *pass, uint64_t first_task, uint64_t count)
{
    return at_most(count * pass->task_elements,
                   pass->array->layout.count - first_task * pass->task_elements);
}

void cli_pass_fail(struct cli_pass *pass, const char *failure)
{
    if (pass->failure[0] == '\0')
        snprintf(pass->failure, sizeof pass->failure, "%s", failure);
}

/* On the host, wherever the parts were made. */
static reap_status merge_parts(const struct cli_pass *pass, describe_part *part)
{
    reap_queue *queue;
    reap_status status = reap_queue_create(NULL, NULL, &queue);
    if (status != REAP_OK)
        return status;
    *part = describe_merge_identity();
    status = cli_launch_array(queue, pass->parts, pass->task_count, part);
    reap_queue_release(queue);
    return status;
}

/* Makes the part of the whole array; a failure is left in the pass. */
static void run_pass(struct cli_pass *pass, describe_part *part)
{
    if (pass->task_count > 0 && pass->place->device == NULL)
        cli_pass_on_host(pass);
    else if (pass->task_count > 0)
        cli_pass_on_device(pass);
    if (pass->failure[0] == '\0' && merge_parts(pass, part) != REAP_OK)
        cli_pass_fail(pass, reap_last_error());
}

/* Finds where in its run an extreme is, by its key. Gives NULL, or what went wrong. */
static const char *find_extreme(const struct cli_array *array, uint64_t run, uint64_t key,
                                struct cli_extreme *extreme)
{
    static unsigned char elements[DESCRIBE_RUN_BYTES]; /* much for a stack; one thread calls this */
    const struct cli_element element = array->layout.element;
    const size_t size = cli_element_bytes(element.type), per_run = cli_run_elements(element.type);
    const uint64_t first = run * per_run;
    const size_t count = (size_t)at_most(array->layout.count - first, per_run);
    const char *failure = cli_array_read(array, first * size, count * size, elements);
    uint64_t found;
    if (failure != NULL)
        return failure;
    for (size_t i = 0; i < count; i++)
        if (cli_element_key(element, elements + i * size, &found) && found == key) {
            extreme->index = first + i;
            memcpy(extreme->bytes, elements + i * size, size);
            return NULL;
        }
    return "the file changed while it was read";
}

static const char *find_extremes(const struct cli_array *array, struct cli_summary *summary)
{
    const describe_part *part = &summary->part;
    const char *failure = NULL;
    if (part->numbers > 0)
        failure = find_extreme(array, part->minimum_run, part->minimum, &summary->minimum);
    if (part->numbers > 0 && failure == NULL)
        failure = find_extreme(array, part->maximum_run, part->maximum, &summary->maximum);
    return failure;
}

bool cli_summarize(const struct cli_array *array, const struct cli_place *place,
                   struct cli_summary *summary)
{
    const uint64_t count = array->layout.count;
    const size_t per_run = cli_run_elements(array->layout.element.type);
    struct cli_pass pass = {
        .array = array, .place = place, .task_elements = DESCRIBE_TASK_RUNS * per_run};
    pass.task_count = count / pass.task_elements + (count % pass.task_elements > 0);
    pass.parts = calloc(pass.task_count + 1, sizeof *pass.parts);
    if (pass.parts == NULL)
        cli_pass_fail(&pass, strerror(ENOMEM));
    else
        run_pass(&pass, &summary->part);
    free(pass.parts);
    const char *failure = pass.failure[0] != '\0' ? pass.failure : find_extremes(array, summary);
    if (failure != NULL)
        cli_complain(array->name, "%s", failure);
    return failure == NULL;
}
