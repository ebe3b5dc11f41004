/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of two translation units, with second.c: kernels of one name in two files, one file in
 * both units, several files in one, included files and macros, work-items that wait. Its argument
 * is the folder that these files lie in; built with -DFACTOR=3 and -DNAME="\"a, b\"".
 */
#include "tests/dialect/embedding/check_text.h"

#include "both.kernels.h"
#include "groups.kernels.h"
#include "sum.kernels.h"

void check_second(reap_queue *queue, const char *folder);

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The included file and the macros are found by name, with their text and values. */
static void check_sources(const char *folder)
{
    const struct reap__source *const *source = reap_kernel_scaled_sum.sources;
    const struct reap__source *const *const end = reap_kernel_scaled_sum.sources_end;
    int files = 0, factors = 0, names = 0;
    for (; source != end; source++) {
        if ((*source)->text != NULL) {
            CHECK(ends_with((*source)->name, "helper.h"));
            CHECK((*source)->value == NULL);
            CHECK(is_text_of((*source)->text(), folder, "helper.h"));
            files++;
        } else if (strcmp((*source)->name, "FACTOR") == 0) {
            CHECK(strcmp((*source)->value, "3") == 0);
            factors++;
        } else {
            CHECK(strcmp((*source)->name, "NAME") == 0);
            CHECK(strcmp((*source)->value, "\"a, b\"") == 0);
            names++;
        }
    }
    CHECK(files == 2 && factors == 4 && names == 2);
}

static void check_groups(reap_queue *queue)
{
    enum { ITEMS = 64, SIZE = 8 };
    int values[ITEMS], reversed[ITEMS], taken[ITEMS], groups = 0, least[1] = {ITEMS};
    for (int i = 0; i < ITEMS; i++)
        values[i] = i;
    CHECK(reap_parallel_for(queue, reverse, reap_nd_range_1d(ITEMS, SIZE), .values = values,
                            .reversed = reversed, .groups = &groups, .own = SIZE,
                            .least = {.variable = least, .count = 1}) == REAP_OK);
    CHECK(reap_parallel_for(queue, take_least, reap_nd_range_1d(ITEMS, SIZE), .values = values,
                            .taken = taken) == REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK);
    for (int i = 0; i < ITEMS; i++)
        CHECK(reversed[i] == i / SIZE * SIZE + SIZE - 1 - i % SIZE && taken[i] == i / SIZE * SIZE);
    CHECK(groups == ITEMS / SIZE && least[0] == 0);
}

int main(int argc, char **argv)
{
    reap_queue *queue;
    if (argc != 2 || reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    const char *folder = argv[1];
    int total = 5, scaled_total = 0, letters[10] = {0};
    CHECK(reap_parallel_for(queue, sum, reap_range_1d(VALUE_COUNT), .values = values_of_one(),
                            .total = {.variable = &total}) == REAP_OK);
    CHECK(reap_parallel_for(queue, scaled_sum, reap_range_1d(VALUE_COUNT),
                            .values = values_of_one(),
                            .total = {.variable = &scaled_total}) == REAP_OK);
    CHECK(reap_parallel_for(queue, count_letters, reap_range_1d(10), .letters = letters) ==
          REAP_OK);
    CHECK(reap_queue_wait(queue) == REAP_OK);
    CHECK(total == VALUE_COUNT + 5 && scaled_total == 3 * VALUE_COUNT && letters[9] == 4);
    CHECK(is_text_of(reap_kernel_sum.text(), folder, "sum.kernels.h"));
    CHECK(is_text_of(reap_kernel_scaled_sum.text(), folder, "both.kernels.h"));
    CHECK(is_text_of(reap_kernel_count_letters.text(), folder, "both.kernels.h"));
    CHECK(ends_with(reap_kernel_sum.file, "sum.kernels.h") && reap_kernel_sum.line == 7);
    check_sources(folder);
    check_groups(queue);
    check_second(queue, folder);
    reap_queue_release(queue);
    return check_finish();
}
