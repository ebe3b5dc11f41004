/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with a kernel, linked with a library that has one of the same name, which loads a
 * plugin that has one too. Its arguments are the folder of the files and the plugin's path.
 */
#include "tests/dialect/embedding/check_text.h"
#include "tests/dialect/embedding/library.h"

#include "sum.kernels.h"

#include <dlfcn.h>

static void check_plugin(const char *path, const char *folder)
{
    int (*check)(const char *) = NULL;
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(plugin != NULL);
    if (plugin == NULL)
        return;
    *(void **)&check = dlsym(plugin, "check_library");
    CHECK(check != NULL && check != check_library && check(folder) == 0);
    dlclose(plugin);
}

int main(int argc, char **argv)
{
    reap_queue *queue;
    int total = 0;
    if (argc != 3 || reap_queue_create(NULL, NULL, &queue) != REAP_OK)
        return 1;
    check_plugin(argv[2], argv[1]);
    CHECK(check_library(argv[1]) == 0);
    check_plugin(argv[2], argv[1]);
    CHECK(reap_parallel_for(queue, sum, reap_range_1d(VALUE_COUNT), .values = values_of_one(),
                            .total = {.variable = &total}) == REAP_OK);
    CHECK(total == VALUE_COUNT);
    CHECK(is_text_of(reap_kernel_sum.text(), argv[1], "sum.kernels.h"));
    CHECK(reap_kernel_sum.sources == reap_kernel_sum.sources_end);
    reap_queue_release(queue);
    return check_finish();
}
