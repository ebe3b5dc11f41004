/* SPDX-License-Identifier: Apache-2.0
 *
 * Code between phases means the same on every device. It reads what the phases before it
 * have written, and not what those after it write.
 */
#include "tests/work_groups/between.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

struct data {
    size_t size, items;
    int n;
    const int *x;
    int *y;
};

static void first_of_each(const struct data *data)
{
    for (size_t i = 0; i < data->items; i++)
        data->y[i] = data->x[i / data->size * data->size];
}

static void sum_of_first(const struct data *data)
{
    for (size_t i = 0; i < data->items; i++)
        data->y[i] = data->n * data->x[i / data->size * data->size] + data->n * (data->n - 1) / 2;
}

static void remainders(const struct data *data)
{
    for (size_t i = 0; i < data->items; i++)
        data->y[i] = data->x[i] % data->n;
}

static void all_of_group(const struct data *data)
{
    const int n = data->n;
    const bool is_even = (n + 1) % 2 == 0;
    const int table[4] = {4 + n, 2 + n, n, n};
    const int scale = is_even ? 5 : 3, offset = is_even ? 6 : 8;
    for (size_t i = 0; i < data->items; i++) {
        const size_t item = i % data->size;
        const int sum = table[item % 4] + scale * data->x[i] + offset;
        const int shared = item == 0 ? 8 : item >= 2 ? n + n * n : sum;
        data->y[i] += shared + sum + 6 + 1 + n;
    }
}

static const struct {
    const struct reap_kernel *kernel;
    void (*reference)(const struct data *data);
} cases[] = {
    {&reap_kernel_first_of_group, first_of_each},
    {&reap_kernel_first_by_helper, sum_of_first},
    {&reap_kernel_until_done, remainders},
    {&reap_kernel_of_the_group, all_of_group},
};

static void check_case(reap_queue *queue, size_t c, size_t size, int n)
{
    const size_t groups = 9, items = groups * size;
    int *x = test_allocate(items * sizeof *x), *y = test_allocate(items * sizeof *y);
    int *expected = test_allocate(items * sizeof *y);
    for (size_t i = 0; i < items; i++)
        x[i] = (int)(i * i % 97) + 1;
    const struct data data = {size, items, n, x, expected};
    (cases[c].reference)(&data);
    const struct reap_arguments_of_the_group arguments = {reap_nd_range_1d(items, size), .x = x,
                                                          .y = y, .n = n, .m = size + 1};
    CHECK_LAUNCH(reap_launch(queue, cases[c].kernel, &arguments), queue);
    const bool right = check_same(y, expected, items * sizeof *y);
    CHECK(right);
    if (!right)
        fprintf(stderr, "  %s, groups of %zu, n %d\n", cases[c].kernel->name, size, n);
    free(x);
    free(y);
    free(expected);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 33, 64, 256};
    reap_queue *queues[QUEUES];
    queues_open(queues);
    for (size_t q = 0; q < queue_count; q++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                for (int n = 1; n < 9; n += 1 + (int)q)
                    check_case(queues[q], c, sizes[s], n);
    queues_close(queues);
    return check_finish();
}
