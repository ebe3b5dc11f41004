/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs are this one again, with a new folder as REAP_CACHE_DIR.
 */
#include "bench/gpu/compile_time.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STARTS = 3, ITEMS = 1024 };

int gpu_print_first_launches(void)
{
    static const double values[ITEMS];
    const struct gpu_task task = {.work = GPU_SUM_DOUBLE, .count = ITEMS};
    gpu_cub_open();
    gpu_reap_open();
    gpu_reap_load(values, sizeof values);
    const double begin = gpu_now();
    gpu_reap_run_to_value(&task, 1);
    const double first = gpu_now();
    gpu_reap_run_to_value(&task, 1);
    printf("%.9f %.9f\n", first - begin, gpu_now() - first);
    gpu_reap_unload();
    return 0;
}

/* Seconds of the first launch in a new program, and of the one after it. */
static void start_program(double *first, double *second)
{
    char path[PATH_MAX] = "", command[PATH_MAX + 32], line[128] = "";
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        gpu_fail("compile time", "this program's own path is not known");
    snprintf(command, sizeof command, "exec '%s' --first-launches", path);
    FILE *program = popen(command, "r");
    if (program == NULL || fgets(line, sizeof line, program) == NULL ||
        sscanf(line, "%lf %lf", first, second) != 2)
        gpu_fail("compile time", "the program that measures it failed");
    pclose(program);
}

/* The cache is files in one folder. */
static void clear(const char *folder)
{
    char path[PATH_MAX];
    DIR *files = opendir(folder);
    if (files == NULL)
        return;
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (file->d_name[0] != '.')
            unlink(path);
    }
    closedir(files);
}

static void report_starts(struct gpu_report *report, const char *folder, const char *work,
                          bool is_cold)
{
    double first[STARTS], second[STARTS];
    for (int s = 0; s < STARTS; s++) {
        if (is_cold)
            clear(folder);
        start_program(&first[s], &second[s]);
    }
    const struct gpu_row row = {.work = work, .against = "-", .reap = gpu_median(first, STARTS)};
    gpu_report_row(report, &row);
}

void gpu_report_compile_time(struct gpu_report *report)
{
    char folder[] = "/tmp/reap-bench-gpu-XXXXXX";
    if (mkdtemp(folder) == NULL || setenv("REAP_CACHE_DIR", folder, 1) != 0)
        gpu_fail("compile time", "no folder for the cache");
    report_starts(report, folder, "first launch, compiled", true);
    report_starts(report, folder, "first launch, from disk", false);
    clear(folder);
    rmdir(folder);
    unsetenv("REAP_CACHE_DIR");
}
