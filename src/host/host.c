/* SPDX-License-Identifier: Apache-2.0
 *
 * The host device: this machine's processor.
 */
#include "src/core/backend.h"
#include "src/core/config.h"
#include "src/core/status.h"
#include "src/host/group.h"
#include "src/host/isa.h"
#include "src/host/launch.h"
#include "src/host/pool.h"
#include "src/port/affinity.h"
#include "src/port/cpu.h"

/* Local memory: what a core's second-level cache holds, and kernels can expect of other devices.
 * Work-group size: the stacks of more work-items would take long to create. */
enum { LOCAL_MEMORY_BYTES = 1 << 20, MOST_GROUP_ITEMS = 4096 };

static char description[256];
static const struct reap__device_functions functions = {.run = reap__host_run_launch,
                                                        .run_prepared = reap__host_run_prepared,
                                                        .log_items = reap__host_log_items,
                                                        .compile = reap__host_compile,
                                                        .code = reap__host_code};
static reap_device device = {
    .backend = &reap__host_backend,
    .functions = &functions,
    .info = {.name = "host"},
    .aspects = REAP__ASPECT_BIT(REAP_ASPECT_CPU) | REAP__ASPECT_BIT(REAP_ASPECT_FP64) |
               REAP__ASPECT_BIT(REAP_ASPECT_ATOMIC64) |
               REAP__ASPECT_BIT(REAP_ASPECT_FP32_DENORMALS) |
               REAP__ASPECT_BIT(REAP_ASPECT_FP32_CORRECT_DIVISION),
};
static const reap_device *const only = &device;

static reap_status probe(const struct reap_device *const **devices, size_t *count)
{
    const struct reap__config *config;
    struct reap__affinity affinity;
    enum reap__isa isa;
    REAP_TRY(reap__config_get(&config));
    REAP_TRY(reap__isa_choose(config->host_isa, &isa));
    reap__affinity_find(&affinity);
    const size_t processors = reap__cpu_count(reap__affinity_count(&affinity), "");
    const size_t threads = reap__config_threads(config, processors);
    reap__cpu_name(description, sizeof description);
    device.info.description = description;
    device.info.backend = reap__host_backend.name;
    device.info.instruction_set = reap__isa_name(isa);
    device.info.limits = "";
    device.info.compute_units = threads;
    device.info.global_memory_bytes = reap__memory_bytes();
    device.info.local_memory_bytes = LOCAL_MEMORY_BYTES;
    device.info.max_work_group_size = MOST_GROUP_ITEMS;
    reap__pool_configure(threads - 1, threads <= processors, &affinity);
    reap__host_configure(isa, threads, config);
    *devices = &only;
    *count = 1;
    return REAP_OK;
}

const struct reap__backend reap__host_backend = {
    .name = "host",
    .probe = probe,
    .runs_on_threads = true,
};
