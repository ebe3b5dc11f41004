/* SPDX-License-Identifier: Apache-2.0
 *
 * Words that wait in a phase, each of them, and calls of functions that contain one, are refused on
 * every device before anything runs, also where a condition would leave them out: when the kernel
 * is compiled, and at a launch. Kernels that are right are taken.
 */
#define REAP_LIST_KERNELS
#include "tests/work_groups/phase_waits.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <reap/compile.h>

enum { ITEMS = 96, GROUP = 48 };

static int *x, *y;

/* The line of the text in which `words` are at last. */
static unsigned line_of(const char *text, const char *words)
{
    const char *end = text;
    unsigned line = 1;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        end = at;
    CHECK(end > text);
    for (; text < end; text++)
        line += *text == '\n';
    return line;
}

static void check_refusal(reap_status status, const char *name, unsigned line, const char *words)
{
    char place[80];
    const unsigned long failed = check_failures;
    snprintf(place, sizeof place, "kernel '%s': ", name);
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK_HAS(reap_last_error(), place);
    snprintf(place, sizeof place, "phase_waits.kernels.h:%u: ", line);
    CHECK_HAS(reap_last_error(), place);
    CHECK_HAS(reap_last_error(), words);
    CHECK_HAS(reap_last_error(), "REAP_ND_KERNEL");
    if (check_failures > failed)
        fprintf(stderr, "  %s: expected %s%s, got %s: %s\n", name, place, words,
                reap_status_name(status), status == REAP_OK ? "" : reap_last_error());
}

static void check_wrong(reap_queue *queue, const struct reap_kernel *kernel, unsigned line,
                        const char *words)
{
    const struct reap_arguments_in_macro arguments = {reap_nd_range_1d(ITEMS, GROUP), .x = x,
                                                      .y = y, .n = 0};
    memset(y, 0x55, ITEMS * sizeof *y);
    check_refusal(reap_kernel_compile(reap_queue_device(queue), kernel, 1), kernel->name, line,
                  words);
    check_refusal(reap_launch(queue, kernel, &arguments), kernel->name, line, words);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    for (size_t i = 0; i < ITEMS; i++)
        CHECK_EQ(y[i], 0x55555555);
}

/* in_reap_barrier and the others, whose line has the word and a comma. */
static size_t check_words(reap_queue *queue)
{
    const struct reap_kernel *const *kernels;
    size_t count, words = 0;
    kernels = reap_listed_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        char begin[80], message[100];
        if (kernels[k] == NULL || strncmp(kernels[k]->name, "in_reap_", 8) != 0)
            continue;
        words++;
        snprintf(begin, sizeof begin, "(%s,", kernels[k]->name + 3);
        snprintf(message, sizeof message, "a phase contains '%s'", kernels[k]->name + 3);
        check_wrong(queue, kernels[k], line_of(kernels[k]->text(), begin), message);
    }
    return words;
}

static const struct {
    const struct reap_kernel *kernel;
    const char *line, *message;
} calls[] = {
    {&reap_kernel_in_wait_here, "y[AT] = n > 3 ? wait_here",
     "a phase calls 'wait_here', which contains 'reap_barrier'"},
    {&reap_kernel_in_wait_through_two, "const int v = wait_through_two(REAP_THIS_ITEM, x[AT]",
     "a phase calls 'wait_through_two', which contains 'reap_sub_group_reduce'"},
    {&reap_kernel_in_brackets, "IN_BRACKETS(wait_here)(", "a phase calls 'wait_here'"},
    {&reap_kernel_in_macro, "y[AT] = WAIT_BY_MACRO", "a phase calls 'wait_here'"},
    {&reap_kernel_in_statement_of_sub_groups, "sum, wait_here(", "a phase calls 'wait_here'"},
};

static void check_right(reap_queue *queue, uint64_t *random)
{
    const int n = (int)(check_random(random) % 1000) + 1;
    int expected[ITEMS];
    for (size_t i = 0; i < ITEMS; i++)
        x[i] = (int)(check_random(random) % 1000);
    for (size_t i = 0; i < ITEMS; i++)
        expected[i] = x[i] + n * (i % GROUP < 32 ? 32 : GROUP - 32);
    CHECK_LAUNCH(reap_parallel_for(queue, right_in_nd, reap_nd_range_1d(ITEMS, GROUP), .x = x,
                                   .y = y, .n = n),
                 queue);
    CHECK_BITS(y, expected, sizeof expected, "nd_range", ITEMS, 1);
    for (size_t i = 0; i < ITEMS; i++)
        expected[i] += (int)(i / GROUP + i % GROUP + i % GROUP / 32) + (i % GROUP == 0) + 2 +
                       ITEMS / GROUP + 2 * n;
    CHECK_LAUNCH(reap_parallel_for(queue, right_in_phases, reap_nd_range_1d(ITEMS, GROUP), .x = x,
                                   .y = y, .n = n),
                 queue);
    CHECK_BITS(y, expected, sizeof expected, "phases", ITEMS, 1);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    x = test_allocate(ITEMS * sizeof *x);
    y = test_allocate(ITEMS * sizeof *y);
    memset(x, 0, ITEMS * sizeof *x);
    CHECK_EQ(check_words(queues[0]), WORDS);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        check_wrong(queues[0], calls[c].kernel, line_of(calls[c].kernel->text(), calls[c].line),
                    calls[c].message);
    check_right(queues[0], &random);
    free(x);
    free(y);
    queues_close(queues);
    return check_finish();
}
