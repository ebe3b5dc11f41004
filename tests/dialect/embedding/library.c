/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared library, and also a plugin: its kernels, files and macros are its own, and those of the
 * program that loads it are not among them.
 */
#include "tests/dialect/embedding/library.h"

#include "tests/dialect/embedding/check_text.h"

#include "both.kernels.h"
#include "other/sum.kernels.h"

static void check_sources(const char *folder)
{
    const struct reap__source *const *source = reap_kernel_sum.sources;
    int files = 0, macros = 0;
    for (; source != reap_kernel_sum.sources_end; source++) {
        files += (*source)->text != NULL && is_text_of((*source)->text(), folder, "helper.h");
        macros += (*source)->text == NULL;
        if (strcmp((*source)->name, "FACTOR") == 0)
            CHECK(atoi((*source)->value) == FACTOR);
    }
    CHECK(files == 1 && macros == 3);
}

int check_library(const char *folder)
{
    reap_queue *queue;
    int total = 0, scaled_total = 0;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    CHECK(reap_parallel_for(queue, sum, reap_range_1d(VALUE_COUNT), .values = values_of_one(),
                            .total = {.variable = &total}) == REAP_OK);
    CHECK(reap_parallel_for(queue, scaled_sum, reap_range_1d(VALUE_COUNT),
                            .values = values_of_one(),
                            .total = {.variable = &scaled_total}) == REAP_OK);
    CHECK(total == 10 * VALUE_COUNT && scaled_total == FACTOR * VALUE_COUNT);
    CHECK(is_text_of(reap_kernel_sum.text(), folder, "other/sum.kernels.h"));
    CHECK(is_text_of(reap_kernel_scaled_sum.text(), folder, "both.kernels.h"));
    check_sources(folder);
    reap_queue_release(queue);
    return (int)check_failures;
}
