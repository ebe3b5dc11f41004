/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers that are missing, incomplete, too old or without a device: a sentence says what is wrong,
 * and the host goes on. Compilers that refuse a kernel: the launch says where, and the queue goes
 * on. Each case is a process of its own, since libraries are opened once.
 */
#include "tests/drivers/program.h"
#include "tests/drivers/stand_in.h"
#include "tests/fake/control.h"
#include "tests/fake/drivers.h"
#include "tests/support/check_status.h"

#include "src/cuda/api.h"
#include "src/opencl/api.h"

#include <sys/wait.h>
#include <unistd.h>

static uint32_t y[PROGRAM_ITEMS];

/* ---- No device --------------------------------------------------------------------------------*/

/* Whether the one sentence there is has these words, and the host is the one device. */
static void check_missing(const char *words)
{
    const char *const *sentences = NULL;
    const reap_device *const *devices = NULL;
    reap_queue *queue = NULL;
    size_t missing = 0, count = 0;
    CHECK(reap_device_missing(&sentences, &missing) == REAP_OK && missing == 1);
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count == 1);
    CHECK(reap_queue_create(NULL, NULL, &queue) == REAP_ERROR_NO_DEVICE && queue == NULL);
    CHECK_HAS(reap_last_error(), "REAP_DEVICE");
    if (missing == 1 && strstr(sentences[0], words) == NULL) {
        fprintf(stderr, "\"%s\" is not in: %s\n", words, sentences[0]);
        CHECK(false);
    }
    if (missing == 1)
        CHECK(strchr(sentences[0], '\n') == NULL && strlen(sentences[0]) > 20);
    CHECK(count == 1 && reap_queue_create(devices[0], NULL, &queue) == REAP_OK);
    reap_queue_release(queue);
}

/* ---- No program -------------------------------------------------------------------------------*/

static void check_refusal(reap_queue *queue, const char *device, const char *words)
{
    uint64_t sum = 5, where = 11;
    uint32_t most = 0;
    CHECK_STATUS(program_launch(queue, y, &sum, &most, &where), REAP_ERROR_COMPILATION_FAILED);
    const char *line = reap_last_error();
    if (strstr(line, "kernel 'measure'") == NULL || strstr(line, device) == NULL ||
        strstr(line, words) == NULL || strchr(line, '\n') != NULL) {
        fprintf(stderr, "\"%s\" is not in: %s\n", words, line);
        CHECK(false);
    }
    CHECK(sum == 5 && where == 11 && most == 0);
    CHECK_STATUS(reap_queue_wait(queue), REAP_OK);
}

/* Twice, since a program that was not made is not kept; then it compiles. */
static void check_compiler(const char *name)
{
    const bool is_cuda = strcmp(name, "cuda:0") == 0;
    const char *log = is_cuda ? "dir/user.kernels.h(10): error: no such word\n"
                              : "dir/user.kernels.h:10:3: error: no such word\n";
    const reap_device *device = NULL;
    reap_queue *queue = NULL;
    reap_buffer *buffer = NULL;
    struct program_failure failure;
    CHECK_STATUS(reap_device_default(&device), REAP_OK);
    stand_in_for(device);
    CHECK_STATUS(reap_queue_create(device, NULL, &queue), REAP_OK);
    CHECK_STATUS(reap_buffer_wrap(y, sizeof y, &buffer), REAP_OK);
    fake_set_plan(&(const struct fake_plan){.compiler_log = log});
    check_refusal(queue, name, "dir/user.kernels.h:10: error: no such word");
    check_refusal(queue, name, "dir/user.kernels.h:10: error: no such word");
    fake_set_plan(&(const struct fake_plan){.compiler_log = ""});
    check_refusal(queue, name, "");
    fake_set_plan(NULL);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    CHECK(program_run(queue, PROGRAM_ALL, &failure));
    CHECK(fake_alive(FAKE_COMPILATION) == 0 && fake_misuses() == 0 && program_mistakes() == 0);
    reap_queue_release(queue);
}

/* ---- Cases ------------------------------------------------------------------------------------*/

static void run(const char *backend, void (*test)(const char *), const char *argument)
{
    char device[16];
    char backends[16];
    int status = 1;
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        check_failures = 0;
        snprintf(device, sizeof device, "%s:0", backend);
        snprintf(backends, sizeof backends, "host,%s", backend);
        setenv("REAP_DEVICE", device, 1);
        setenv("REAP_BACKENDS", backends, 1);
        test(argument);
        fflush(NULL);
        _exit(check_failures > 0);
    }
    CHECK(process > 0 && waitpid(process, &status, 0) == process);
    if (status != 0)
        fprintf(stderr, "so much for %s, %s\n", backend, argument);
    CHECK_EQ(status, 0);
}

static void check_libraries(void)
{
    static const struct {
        const char *backend, *library, *if_hidden, *if_broken;
    } all[] = {
        {"cuda", "libcuda", "cuda: the NVIDIA driver cannot be loaded", "invalid ELF header"},
        {"cuda", "libnvrtc", "cuda: libnvrtc.so, which compiles",
         "cuda: libnvrtc.so cannot be used: "},
        {"opencl", "libOpenCL", "opencl: libOpenCL.so.1 is not installed",
         "opencl: libOpenCL.so.1 cannot be used: "},
    };
    for (size_t l = 0; l < sizeof all / sizeof *all; l++) {
        drivers_hide(all[l].library);
        run(all[l].backend, check_missing, all[l].if_hidden);
        drivers_hide(NULL);
        drivers_break(all[l].library);
        run(all[l].backend, check_missing, all[l].if_broken);
        drivers_break(NULL);
    }
}

/* A function is not there; of those whose names begin alike none is, and any is the one named. */
static void check_functions(void)
{
    static const char *const cuda[] = {
#define NAME(name, symbol, parameters) symbol,
        REAP__CUDA_FUNCTIONS(NAME)
#undef NAME
#define NAME(result, name, parameters) #name,
            REAP__NVRTC_FUNCTIONS(NAME)
#undef NAME
    };
    static const char *const opencl[] = {
#define NAME(name, result, parameters) #name,
        REAP__OPENCL_FUNCTIONS(NAME)
#undef NAME
    };
    for (size_t f = 0; f < sizeof cuda / sizeof *cuda; f++) {
        drivers_hide(cuda[f]);
        run("cuda", check_missing, cuda[f]);
    }
    for (size_t f = 0; f < sizeof opencl / sizeof *opencl; f++) {
        drivers_hide(opencl[f]);
        run("opencl", check_missing, opencl[f]);
    }
    drivers_hide(NULL);
}

static void check_with(const struct fake_plan *plan, const char *backend, const char *words)
{
    fake_set_plan(plan);
    run(backend, check_missing, words);
    fake_set_plan(NULL);
}

int main(void)
{
    setenv("REAP_CACHE_DIR", "none", 1);
    unsetenv("REAP_DUMP_KERNELS");
    check_libraries();
    check_functions();
    check_with(&(const struct fake_plan){.cuda_version = 11010}, "cuda",
               "the driver supports CUDA 11.1: 11.8 or newer is needed");
    check_with(&(const struct fake_plan){.cuda_version = 12040}, "cuda",
               "the driver supports CUDA 12.4 and cannot load the code of NVRTC 13.0");
    check_with(&(const struct fake_plan){.has_no_device = true}, "cuda", "no NVIDIA card");
    check_with(&(const struct fake_plan){.opencl_version = "OpenCL 1.1 old"}, "opencl",
               "'Fake device' is older than OpenCL 1.2");
    check_with(&(const struct fake_plan){.has_no_device = true}, "opencl",
               "the platforms here have no device");
    check_with(&(const struct fake_plan){.has_no_platform = true}, "opencl",
               "no platform is installed");
    run("cuda", check_compiler, "cuda:0");
    run("opencl", check_compiler, "opencl:0");
    return check_finish();
}
