/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels are compiled ahead of their launches, and for hardware that is not here: what a first
 * launch needs is there then, what does not compile is reported with file, line and log.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#define REAP_LIST_KERNELS
#include "tests/support/check_status.h"
#include "tests/support/folder.h"
#include "tests/unit/compile_ahead.kernels.h"

#define nowhere_else 0 /* no REAP_KERNEL_MACRO takes it to devices */
#include "tests/unit/compile_host.kernels.h"

#include "src/core/status.h"

#include <dirent.h>
#include <reap/reap.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *folder; /* where REAP_DUMP_KERNELS writes what is compiled */

static int count_texts(void)
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        const char *extension = strrchr(entry->d_name, '.');
        count += strcmp(extension, ".cl") == 0 || strcmp(extension, ".cu") == 0;
    }
    if (stream != NULL)
        closedir(stream);
    return count;
}

static void check_arguments(const reap_device *device)
{
    const struct reap_kernel *kernel = &reap_kernel_sum_rows;
    CHECK_STATUS(reap_kernel_compile(NULL, kernel, 1), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_compile(device, NULL, 1), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_compile(device, kernel, 0), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_compile(device, kernel, 4), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_check(NULL, "cuda:sm_90"), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_check(kernel, NULL), REAP_ERROR_INVALID_ARGUMENT);
    static const char *const wrong[] = {"",         "sm_90", "host",   "host:x86-64",
                                        "opencl:0", "gpu:1", ":sm_90", "cuda"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_STATUS(reap_kernel_check(kernel, wrong[i]), REAP_ERROR_INVALID_ARGUMENT);
        CHECK_HAS(reap_last_error(), "' is not a target; \"cuda:sm_90\" is one");
    }
    static const char *const wrong_cards[] = {"cuda:", "cuda:90", "cuda:sm_", "cuda:sm_9x"};
    for (size_t i = 0; i < sizeof wrong_cards / sizeof *wrong_cards; i++)
        CHECK_NE(reap_kernel_check(kernel, wrong_cards[i]), REAP_OK);
}

/* Where REAP_BACKENDS hides them, in a process of its own, for it is read once. */
static void check_hidden(void)
{
    const struct reap_kernel *kernel = &reap_kernel_sum_rows;
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        setenv("REAP_BACKENDS", "host", 1);
        _exit(reap_kernel_check(kernel, "opencl:0") == REAP_ERROR_INVALID_ARGUMENT &&
                      reap_kernel_check(kernel, "cuda:sm_90") == REAP_ERROR_NO_DEVICE &&
                      strstr(reap_last_error(), "REAP_BACKENDS") != NULL
                  ? 0
                  : 2);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
}

static void check_list(void)
{
    size_t count;
    bool found[2] = {false};
    const struct reap_kernel *const *kernels = reap_listed_kernels(&count);
    for (size_t k = 0; k < count; k++) {
        found[0] |= kernels[k] == &reap_kernel_sum_rows;
        found[1] |= kernels[k] == &reap_kernel_host_alone;
    }
    CHECK(found[0] && found[1]);
}

static reap_status launch_sum(reap_queue *queue, reap_range range, float *x, double *sum)
{
    REAP_TRY(reap_parallel_for(queue, sum_rows, range, .x = x, .sum = {.variable = sum}));
    return reap_queue_wait(queue);
}

/* The launches find what was compiled: nothing more is. */
static void check_launches(const reap_device *device)
{
    static float x[64] __attribute__((__aligned__(64)));
    float bins[8] = {0};
    double sum = 0;
    reap_queue *queue = NULL;
    reap_buffer *buffer = NULL;
    for (int i = 0; i < 64; i++)
        x[i] = (float)i;
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(x, sizeof x, &buffer), REAP_OK);
    CHECK_STATUS(reap_kernel_compile(device, &reap_kernel_sum_rows, 1), REAP_OK);
    CHECK_STATUS(reap_kernel_compile(device, &reap_kernel_sum_rows, 2), REAP_OK);
    CHECK_STATUS(reap_kernel_compile(device, &reap_kernel_add_to_bins, 1), REAP_OK);
    const int compiled = count_texts();
    CHECK_STATUS(reap_kernel_compile(device, &reap_kernel_sum_rows, 1), REAP_OK);
    CHECK_STATUS(launch_sum(queue, reap_range_1d(64), x, &sum), REAP_OK);
    CHECK_STATUS(launch_sum(queue, reap_range_2d(8, 8), x, &sum), REAP_OK);
    CHECK(reap_parallel_for(queue, add_to_bins, reap_range_1d(64), .x = x,
                            .bins = {.variable = bins, .count = 8}) == REAP_OK);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
    CHECK(sum == 2 * 2016.0 && bins[7] == 7 + 15 + 23 + 31 + 39 + 47 + 55 + 63);
    CHECK_EQ(count_texts(), compiled);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    reap_queue_release(queue);
}

static void check_refusal(const char *name, reap_status status)
{
    static const char place[] = "tests/unit/compile_host.kernels.h:9: error: ";
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK(strstr(reap_last_error(), name) != NULL && strstr(reap_last_error(), place) != NULL);
    CHECK(strchr(reap_last_error(), '\n') == NULL);
    CHECK_HAS(reap_last_log(), place);
    CHECK(reap_last_log()[0] != '\0' && reap_last_log()[strlen(reap_last_log()) - 1] == '\n');
}

static void check_device(const reap_device *device)
{
    reap_device_info info;
    CHECK_STATUS(reap_device_get_info(device, &info), REAP_OK);
    check_launches(device);
    const reap_status status = reap_kernel_compile(device, &reap_kernel_host_alone, 1);
    if (strcmp(info.backend, "host") == 0)
        CHECK(status == REAP_OK && count_texts() == 0);
    else
        check_refusal(info.name, status);
}

/* An architecture that NVRTC does not know is refused, unless it is newer than all. */
static void check_names(void)
{
    const struct reap_kernel *kernel = &reap_kernel_sum_rows;
    char checked[REAP_TARGET_BYTES];
    CHECK_STATUS(reap_kernel_check_target("cuda:sm_90", checked), REAP_OK);
    CHECK_STR(checked, "cuda:sm_90");
    CHECK_STATUS(reap_kernel_check_target("cuda:sm_85", checked), REAP_ERROR_NO_DEVICE);
    CHECK_HAS(reap_last_error(), "does not know the architecture sm_85; sm_80 is the next older");
    CHECK_STR(checked, "cuda:sm_90");
    CHECK_STATUS(reap_kernel_check(kernel, "cuda:sm_85"), REAP_ERROR_NO_DEVICE);
    CHECK_STATUS(reap_kernel_check(kernel, "cuda:sm_10"), REAP_ERROR_NO_DEVICE);
    CHECK_STATUS(reap_kernel_check(kernel, "cuda:sm_999"), REAP_OK);
    CHECK_STATUS(reap_kernel_check_target("cuda:sm_999", checked), REAP_OK);
    CHECK(strcmp(checked, "cuda:sm_90") >= 0 || strlen(checked) > strlen("cuda:sm_90"));
    CHECK(strcmp(checked, "cuda:sm_999") != 0);
    CHECK_STATUS(reap_kernel_check_target("cuda:sm_9x", checked), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_check_target(NULL, checked), REAP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(reap_kernel_check_target("cuda:sm_90", NULL), REAP_ERROR_INVALID_ARGUMENT);
}

static void check_cards(void)
{
    const int compiled = count_texts();
    const reap_status status = reap_kernel_check(&reap_kernel_sum_rows, "cuda:sm_90");
    if (status == REAP_ERROR_NO_DEVICE) {
        printf("skipped: kernels for cards that are not here: %s\n", reap_last_error());
        return;
    }
    CHECK(status == REAP_OK && count_texts() == compiled + 1);
    CHECK_STATUS(reap_kernel_check(&reap_kernel_add_to_bins, "cuda:sm_80"), REAP_OK);
    check_refusal("cuda:sm_90", reap_kernel_check(&reap_kernel_host_alone, "cuda:sm_90"));
    check_names();
}

int main(void)
{
    const reap_device *const *devices;
    size_t count;
    folder = test_make_folder();
    setenv("REAP_DUMP_KERNELS", folder, 1);
    setenv("REAP_CACHE_DIR", "none", 1);
    check_hidden();
    CHECK_EQ(reap_last_log()[0], '\0');
    check_list();
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    check_arguments(devices[0]);
    for (size_t d = 0; d < count; d++)
        check_device(devices[d]);
    check_cards();
    test_remove_folder(folder);
    return check_finish();
}
