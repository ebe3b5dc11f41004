/* SPDX-License-Identifier: Apache-2.0
 *
 * That the loops around kernels run as vector instructions: a child runs each kernel step by step,
 * and its parent counts the instructions. One work-item after the other takes more of them than is
 * allowed here, the baseline's four at a time fewer. It is a count and not a time, the same on
 * every machine; a compiler's report on its loops would not say which of them run.
 */
#include "tests/dialect/vectors.kernels.h"

#include "tests/support/check.h"

#include <reap/reap.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 1000, ROWS = 8, ITEMS = ROWS * COLUMNS, MANY = 8 * ITEMS, SHORT = 32 };

static float arrays[8][ITEMS], sum, most, least, squares;
static reap_half halves[ITEMS], half_sum;
static reap_bfloat16 bfloat16s[ITEMS], bfloat16_sum;
static double doubles[ITEMS], double_sum;
static unsigned count;
static uint64_t wide_count;
static box joined;
static span_of_doubles doubles_span;
static int integers[2][ITEMS];
static box_of_integers integers_box;
static mean average_of_all;
static uint64_t where;

static reap_status run_add(reap_queue *queue)
{
    return reap_parallel_for(queue, add, reap_range_1d(ITEMS), .x = arrays[0],
                             .sum = {.variable = &sum});
}

static reap_status run_describe(reap_queue *queue)
{
    return reap_parallel_for(queue, describe, reap_range_1d(ITEMS), .x = arrays[0],
                             .sum = {.variable = &sum}, .most = {.variable = &most},
                             .least = {.variable = &least}, .squares = {.variable = &squares});
}

static reap_status run_add_halves(reap_queue *queue)
{
    return reap_parallel_for(queue, add_halves, reap_range_1d(ITEMS), .x = halves,
                             .sum = {.variable = &half_sum});
}

static reap_status run_add_bfloat16s(reap_queue *queue)
{
    return reap_parallel_for(queue, add_bfloat16s, reap_range_1d(ITEMS), .x = bfloat16s,
                             .sum = {.variable = &bfloat16_sum});
}

static reap_status run_round(reap_queue *queue)
{
    return reap_parallel_for(queue, round_numbers, reap_range_1d(ITEMS), .x = arrays[0],
                             .sum = {.variable = &sum});
}

static reap_status run_help(reap_queue *queue)
{
    return reap_parallel_for(queue, help, reap_range_1d(ITEMS), .x = arrays[0],
                             .sum = {.variable = &sum});
}

static reap_status run_find(reap_queue *queue)
{
    return reap_parallel_for(queue, find, reap_range_1d(ITEMS), .x = arrays[0],
                             .most = {.variable = &most, .location = &where});
}

static reap_status run_find_in_many(reap_queue *queue)
{
    return reap_parallel_for(queue, find, reap_range_1d(MANY), .x = arrays[0],
                             .most = {.variable = &most, .location = &where});
}

static reap_status run_add_rows(reap_queue *queue)
{
    return reap_parallel_for(queue, add_rows, reap_range_2d(ROWS, COLUMNS), .x = arrays[0],
                             .sum = {.variable = &sum});
}

static reap_status run_add_short_rows(reap_queue *queue)
{
    return reap_parallel_for(queue, add_short_rows, reap_range_2d(ITEMS / SHORT, SHORT),
                             .x = arrays[0], .columns = SHORT, .sum = {.variable = &sum});
}

static reap_status run_mix(reap_queue *queue)
{
    return reap_parallel_for(queue, mix, reap_range_1d(ITEMS), .a = arrays[0], .b = arrays[1],
                             .c = arrays[2], .d = arrays[3], .e = arrays[4], .f = arrays[5],
                             .g = arrays[6], .h = arrays[7], .sum = {.variable = &sum});
}

static reap_status run_add_doubles(reap_queue *queue)
{
    return reap_parallel_for(queue, add_doubles, reap_range_1d(ITEMS), .x = doubles,
                             .sum = {.variable = &double_sum});
}

static reap_status run_multiply(reap_queue *queue)
{
    return reap_parallel_for(queue, multiply, reap_range_1d(ITEMS), .x = arrays[0], .y = arrays[1],
                             .sum = {.variable = &sum});
}

static reap_status run_count(reap_queue *queue)
{
    return reap_parallel_for(queue, count_positive, reap_range_1d(ITEMS), .x = arrays[0],
                             .count = {.variable = &count});
}

static reap_status run_count_signs(reap_queue *queue)
{
    return reap_parallel_for(queue, count_signs, reap_range_1d(ITEMS), .bits = integers[0],
                             .count = {.variable = &count});
}

static reap_status run_count_doubles(reap_queue *queue)
{
    return reap_parallel_for(queue, count_positive_doubles, reap_range_1d(ITEMS), .x = doubles,
                             .count = {.variable = &wide_count});
}

static reap_status run_join(reap_queue *queue)
{
    return reap_parallel_for(queue, join_boxes, reap_range_1d(ITEMS), .x = arrays[0],
                             .y = arrays[1], .all = &joined);
}

static reap_status run_span_doubles(reap_queue *queue)
{
    return reap_parallel_for(queue, span_doubles, reap_range_1d(ITEMS), .x = doubles,
                             .all = &doubles_span);
}

static reap_status run_join_points(reap_queue *queue)
{
    return reap_parallel_for(queue, join_points, reap_range_1d(ITEMS), .x = integers[0],
                             .y = integers[1], .all = &integers_box);
}

static reap_status run_average(reap_queue *queue)
{
    return reap_parallel_for(queue, average, reap_range_1d(ITEMS), .x = doubles,
                             .all = &average_of_all);
}

static reap_status run_double_by_int(reap_queue *queue)
{
    return reap_parallel_for(queue, double_by_int, reap_range_1d(ITEMS), .x = arrays[0],
                             .y = arrays[1]);
}

static reap_status run_double_rows_by_int(reap_queue *queue)
{
    return reap_parallel_for(queue, double_rows_by_int, reap_range_2d(ROWS, COLUMNS),
                             .x = arrays[0], .y = arrays[1]);
}

static reap_status run_add_by_int(reap_queue *queue)
{
    return reap_parallel_for(queue, add_by_int, reap_range_1d(ITEMS), .x = arrays[0],
                             .sum = {.variable = &sum});
}

static reap_status run_number_items(reap_queue *queue)
{
    return reap_parallel_for(queue, number_items, reap_range_1d(ITEMS), .y = arrays[1]);
}

/* clang converts numbers of 64 bits one by one without AVX-512. */
#ifdef __clang__
enum { MOST_FOR_NUMBERS = 9 };
#else
enum { MOST_FOR_NUMBERS = 3 };
#endif

static const struct {
    const char *name;
    reap_status (*run)(reap_queue *queue);
    double most[2]; /* instructions of an item: by the baseline, and with AVX2 or more */
    size_t items;   /* of a launch */
} cases[] = {
    {"a sum", run_add, {1.5, 0.9}, ITEMS},
    {"four reductions", run_describe, {5.5, 3}, ITEMS},
    {"a location", run_find, {8, 2.2}, ITEMS},
    {"a location of many", run_find_in_many, {8, 0.9}, MANY},
    {"rows of a matrix", run_add_rows, {2.2, 1.3}, ITEMS},
    {"rows of 32", run_add_short_rows, {9, 1.3}, ITEMS},
    {"eight arrays", run_mix, {7, 3.2}, ITEMS},
    {"halves", run_add_halves, {32, 1.9}, ITEMS},
    {"bfloat16s", run_add_bfloat16s, {4, 1.9}, ITEMS},
    {"rounded numbers", run_round, {150, 4.5}, ITEMS},
    {"helpers", run_help, {110, 50}, ITEMS},
    {"doubles", run_add_doubles, {4.6, 1.3}, ITEMS},
    {"a product", run_multiply, {2.2, 1.3}, ITEMS},
    {"a condition", run_count, {3.6, 1.3}, ITEMS},
    {"signs", run_count_signs, {3.6, 1.3}, ITEMS},
    {"a condition of doubles", run_count_doubles, {9, 1.4}, ITEMS},
    {"a struct", run_join, {6.5, 3.8}, ITEMS},
    {"a struct of doubles", run_span_doubles, {12, 4.8}, ITEMS},
    {"a struct of integers", run_join_points, {14, 4.6}, ITEMS},
    {"a struct of unequal members", run_average, {5, 4}, ITEMS},
    {"ids as int", run_double_by_int, {9, 1.3}, ITEMS},
    {"ids as int in rows", run_double_rows_by_int, {9, 1.3}, ITEMS},
    {"a sum by ids as int", run_add_by_int, {9, 1.6}, ITEMS},
    {"ids as numbers", run_number_items, {15, MOST_FOR_NUMBERS}, ITEMS},
};

/* How the child ends that cannot be stepped. */
enum { CANNOT = 77 };

/* The child's part: what it does between two stops is counted, with everything warm. */
static void run_stopping(size_t c)
{
    const reap_queue_options one_thread = {.max_threads = 1};
    reap_queue *queue;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(CANNOT);
    if (reap_queue_create(NULL, &one_thread, &queue) != REAP_OK ||
        (cases[c].run)(queue) != REAP_OK || reap_queue_wait(queue) != REAP_OK)
        _exit(1);
    raise(SIGSTOP);
    if ((cases[c].run)(queue) != REAP_OK || reap_queue_wait(queue) != REAP_OK)
        _exit(1);
    raise(SIGSTOP);
    _exit(0);
}

/* How many steps the child takes between its stops; 0: it cannot be stepped; -1: it fails. */
static long count_steps(pid_t child)
{
    long steps = 0;
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 0;
    if (!WIFSTOPPED(status))
        return WIFEXITED(status) && WEXITSTATUS(status) == CANNOT ? 0 : -1;
    do {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 ||
            waitpid(child, &status, 0) != child)
            steps = 0;
        else
            steps++;
    } while (steps > 0 && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    if (!WIFSTOPPED(status))
        return -1;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

static bool has_avx2(void)
{
    const reap_device *device;
    reap_device_info info;
    return reap_device_default(&device) == REAP_OK &&
           reap_device_get_info(device, &info) == REAP_OK &&
           strncmp(info.instruction_set, "x86-64-v", 8) == 0;
}

/* Whether the child can be stepped. */
static bool check_case(size_t c)
{
    const double limit = cases[c].most[has_avx2() ? 1 : 0];
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        run_stopping(c);
    const long steps = count_steps(child);
    const double of_item = (double)steps / (double)cases[c].items;
    if (steps == 0) {
        printf("skipped: counting a kernel's instructions: processes cannot be stepped here\n");
        return false;
    }
    printf("%s: %.2f instructions of an item, of at most %.1f\n", cases[c].name, of_item, limit);
    CHECK_GT(steps, 0);
    CHECK_LT(of_item, limit);
    return true;
}

int main(void)
{
#ifndef __x86_64__
    printf("skipped: counting a kernel's instructions: not everything can be stepped through here, "
           "such as atomic operations by exclusive loads and stores\n");
    return 0;
#endif
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        if (!check_case(c))
            return 0;
    return check_finish();
}
