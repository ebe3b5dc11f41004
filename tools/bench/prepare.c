/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds devices, and the largest size of each. A device that fails is reported in a line, and the
 * others are measured.
 */
#include "tools/bench/prepare.h"

#include "tools/interrupt.h"
#include "tools/kernels/bench.kernels.h"
#include "tools/rate.h"
#include "tools/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    USUAL_POWER = 28,
    GPU_POWER = 30,
    SHARES = 4, /* the floats take at most 1 / SHARES of the device's memory */
    ALIGNMENT = 4096,
};

void cli_bench_fail(struct cli_bench_device *device)
{
    cli_terminal_clear();
    cli_complain(device->info.name, "%s", reap_last_error());
    device->has_failed = true;
}

/* ---- The choice -------------------------------------------------------------------------------*/

static enum cli_status add_device(const reap_device *device, struct cli_bench *bench)
{
    struct cli_bench_device *added = &bench->devices[bench->device_count];
    if (bench->device_count == CLI_MOST_TARGETS)
        return CLI_FINE;
    added->device = device;
    if (reap_device_get_info(device, &added->info) != REAP_OK) {
        cli_complain(NULL, "%s", reap_last_error());
        return CLI_BAD_INPUT;
    }
    added->is_host = strcmp(added->info.backend, "host") == 0;
    bench->device_count++;
    return CLI_FINE;
}

static const reap_device *find_host(const reap_device *const *devices, size_t count)
{
    reap_device_info info;
    for (size_t d = 0; d < count; d++)
        if (reap_device_get_info(devices[d], &info) == REAP_OK && strcmp(info.backend, "host") == 0)
            return devices[d];
    return NULL;
}

enum cli_status cli_bench_choose(const char *called, const char *list, struct cli_bench *bench)
{
    static struct cli_targets targets; /* too large for a stack */
    const reap_device *const *devices;
    size_t count;
    enum cli_status status = CLI_FINE;
    if (list != NULL && !cli_targets_are_right(list)) {
        cli_complain_usage(
            called, "--device: '%s' is not a list of devices; 'reap devices' lists them", list);
        return CLI_USAGE;
    }
    if (reap_device_list(&devices, &count) != REAP_OK) {
        cli_complain(NULL, "%s", reap_last_error());
        return CLI_BAD_INPUT;
    }
    for (size_t d = 0; list == NULL && d < count && status == CLI_FINE; d++)
        status = add_device(devices[d], bench);
    if (list == NULL || !cli_targets_find(list, &targets))
        return list == NULL ? status : CLI_BAD_INPUT;
    if (targets.reason_count > 0) {
        cli_complain_usage(called, "--device: %s", targets.reasons[0]);
        return CLI_USAGE;
    }
    for (size_t t = 0; t < targets.count && status == CLI_FINE; t++) {
        const struct cli_target *target = &targets.list[t];
        const reap_device *device = target->is_host ? find_host(devices, count) : target->device;
        if (device == NULL) {
            cli_complain_usage(called, "--device: %s: unknown device; 'reap devices' lists them",
                               target->name);
            return CLI_USAGE;
        }
        status = add_device(device, bench);
    }
    return status;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

static size_t bytes_of(int power)
{
    return sizeof(float) << power;
}

static bool is_gpu(const struct cli_bench_device *device)
{
    return strcmp(device->info.backend, "cuda") == 0;
}

/* Limits the largest size. By default the host has the sizes of the other devices, for comparison.
 */
static int bound_power(const struct cli_bench *bench, const struct cli_bench_device *device,
                       int wish)
{
    const uint64_t memory = device->info.global_memory_bytes;
    int power = wish > 0 ? wish : is_gpu(device) ? GPU_POWER : USUAL_POWER;
    for (size_t d = 0; d < bench->device_count && wish == 0 && device->is_host; d++)
        if (is_gpu(&bench->devices[d]))
            power = GPU_POWER;
    power -= (power - CLI_BENCH_FIRST_POWER) % CLI_BENCH_POWER_STEP;
    while (power > CLI_BENCH_FIRST_POWER && memory > 0 && bytes_of(power) > memory / SHARES)
        power -= CLI_BENCH_POWER_STEP;
    return power;
}

/* Allocates a device's memory; reduces its largest size as needed. */
static reap_status allocate(struct cli_bench_device *device)
{
    void *memory = NULL;
    reap_status status = reap_malloc_device(device->device, bytes_of(device->most_power), &memory);
    while (status == REAP_ERROR_OUT_OF_MEMORY && device->most_power > CLI_BENCH_FIRST_POWER) {
        device->most_power -= CLI_BENCH_POWER_STEP;
        status = reap_malloc_device(device->device, bytes_of(device->most_power), &memory);
    }
    device->memory = memory;
    return status;
}

static void prepare_device(struct cli_bench_device *device)
{
    cli_terminal_tell("reap bench: %s: its read bandwidth", device->info.name);
    device->reading = cli_reading_open(device->device);
    if (device->reading == NULL) {
        device->has_failed = true;
        return;
    }
    reap_status status = reap_queue_create(device->device, NULL, &device->queue);
    if (status == REAP_OK)
        status = reap_kernel_compile(device->device, &reap_kernel_bench_sum_and_most, 1);
    if (status == REAP_OK && !device->is_host)
        status = allocate(device);
    if (status != REAP_OK)
        cli_bench_fail(device);
}

/* Allocates host memory for the largest size of all devices, or as much as possible, which then
 * limits all devices. The host is measured in this memory. */
static float *allocate_data(struct cli_bench *bench)
{
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    float *data = NULL;
    int power = 0;
    for (size_t d = 0; d < bench->device_count; d++)
        if (!bench->devices[d].has_failed && bench->devices[d].most_power > power)
            power = bench->devices[d].most_power;
    while (power > CLI_BENCH_FIRST_POWER && bytes_of(power) > memory / 2)
        power -= CLI_BENCH_POWER_STEP;
    for (; data == NULL && power >= CLI_BENCH_FIRST_POWER; power -= CLI_BENCH_POWER_STEP)
        data = aligned_alloc(ALIGNMENT, bytes_of(power) < ALIGNMENT ? ALIGNMENT : bytes_of(power));
    power += CLI_BENCH_POWER_STEP; /* the loop's last step was one too many */
    for (size_t d = 0; d < bench->device_count; d++) {
        struct cli_bench_device *device = &bench->devices[d];
        device->most_power = device->most_power < power ? device->most_power : power;
        device->memory = device->is_host ? data : device->memory;
    }
    return data;
}

float *cli_bench_prepare(struct cli_bench *bench, int most_power)
{
    size_t failed = 0;
    for (size_t d = 0; d < bench->device_count && !cli_is_interrupted(); d++) {
        bench->devices[d].most_power = bound_power(bench, &bench->devices[d], most_power);
        prepare_device(&bench->devices[d]);
        failed += bench->devices[d].has_failed;
    }
    bench->is_interrupted = cli_is_interrupted();
    if (bench->is_interrupted || failed == bench->device_count)
        return NULL;
    float *data = allocate_data(bench);
    if (data == NULL) {
        cli_terminal_clear();
        cli_complain(NULL, "%s", strerror(ENOMEM));
    }
    return data;
}

void cli_bench_release(struct cli_bench *bench, float *data)
{
    for (size_t d = 0; d < bench->device_count; d++) {
        cli_reading_close(bench->devices[d].reading);
        reap_queue_release(bench->devices[d].queue);
        if (!bench->devices[d].is_host)
            reap_free(bench->devices[d].memory);
    }
    free(data);
}
