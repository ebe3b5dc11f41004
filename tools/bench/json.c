/* SPDX-License-Identifier: Apache-2.0
 *
 * The results as JSON; docs/bench.md has the keys.
 */
#include "tools/bench/print.h"

#include "tools/bench/compare.h"
#include "tools/json.h"
#include "tools/rate.h"

#include <sys/utsname.h>

static void put_machine(struct cli_json *json)
{
    struct utsname names = {.machine = ""};
    uname(&names);
    cli_json_open_object(json, "machine");
    cli_json_put_text(json, "name", names.nodename);
    cli_json_put_text(json, "system", names.sysname);
    cli_json_put_text(json, "release", names.release);
    cli_json_put_text(json, "architecture", names.machine);
    cli_json_put_unsigned(json, "last_caches_bytes", cli_last_caches_bytes());
    cli_json_close(json);
}

static void put_devices(struct cli_json *json, const struct cli_bench *bench)
{
    cli_json_open_array(json, "devices");
    for (size_t d = 0; d < bench->device_count; d++) {
        const struct cli_bench_device *device = &bench->devices[d];
        cli_json_open_object(json, NULL);
        cli_json_put_text(json, "name", device->info.name);
        cli_json_put_text(json, "description", device->info.description);
        cli_json_put_text(json, "instruction_set", device->info.instruction_set);
        cli_json_put_unsigned(json, "compute_units", device->info.compute_units);
        cli_json_put_unsigned(json, "memory_bytes", device->info.global_memory_bytes);
        if (device->bandwidth > 0)
            cli_json_put_double(json, "read_bytes_per_second", device->bandwidth);
        else
            cli_json_put_null(json, "read_bytes_per_second");
        cli_json_put_bool(json, "failed", device->has_failed);
        cli_json_close(json);
    }
    cli_json_close(json);
}

static void put_timing(struct cli_json *json, const char *key, const struct cli_bench_size *size,
                       const struct cli_bench_device *device, const struct cli_timing *timing)
{
    const double speed = cli_bench_bytes(size) / timing->median;
    cli_json_open_object(json, key);
    cli_json_put_double(json, "seconds", timing->median);
    cli_json_put_double(json, "lower_quartile", timing->lower);
    cli_json_put_double(json, "upper_quartile", timing->upper);
    cli_json_put_unsigned(json, "turns", timing->turns);
    cli_json_put_unsigned(json, "launches_per_turn", timing->calls);
    cli_json_put_double(json, "bytes_per_second", speed);
    cli_json_put_double(json, "share_of_read_bandwidth", speed / device->bandwidth);
    cli_json_close(json);
}

static void put_fastest(struct cli_json *json, const char *key, const struct cli_bench *bench,
                        const struct cli_bench_size *size, enum cli_bench_way way)
{
    const int fastest = cli_bench_fastest(bench, size, way);
    if (fastest >= 0)
        cli_json_put_text(json, key, bench->devices[fastest].info.name);
    else
        cli_json_put_null(json, key);
}

static void put_size(struct cli_json *json, const struct cli_bench *bench,
                     const struct cli_bench_size *size)
{
    cli_json_open_object(json, NULL);
    cli_json_put_unsigned(json, "floats", (uint64_t)1 << size->power);
    cli_json_put_double(json, "bytes", cli_bench_bytes(size));
    put_fastest(json, "fastest_there", bench, size, CLI_BENCH_THERE);
    put_fastest(json, "fastest_copied", bench, size, CLI_BENCH_COPIED);
    cli_json_open_array(json, "results");
    for (size_t d = 0; d < bench->device_count; d++) {
        const struct cli_timing *timings = size->timings[d];
        if (timings[CLI_BENCH_THERE].turns == 0)
            continue;
        cli_json_open_object(json, NULL);
        cli_json_put_text(json, "device", bench->devices[d].info.name);
        put_timing(json, "there", size, &bench->devices[d], &timings[CLI_BENCH_THERE]);
        put_timing(json, "copied", size, &bench->devices[d], &timings[CLI_BENCH_COPIED]);
        cli_json_close(json);
    }
    cli_json_close(json);
    cli_json_close(json);
}

bool cli_bench_print_json(const struct cli_bench *bench)
{
    struct cli_json json = {.document = NULL};
    char sentence[CLI_BENCH_SENTENCE_BYTES];
    cli_json_open_object(&json, NULL);
    cli_json_put_text(&json, "reap", reap_version());
    put_machine(&json);
    put_devices(&json, bench);
    cli_json_put_bool(&json, "interrupted", bench->is_interrupted);
    cli_json_open_array(&json, "sizes");
    for (size_t s = 0; s < bench->size_count; s++)
        put_size(&json, bench, &bench->sizes[s]);
    cli_json_close(&json);
    cli_json_open_array(&json, "conclusions");
    for (size_t d = 1; d < bench->device_count; d++) {
        cli_bench_conclude(bench, d, sentence);
        if (sentence[0] != '\0')
            cli_json_put_text(&json, NULL, sentence);
    }
    cli_json_close(&json);
    cli_json_close(&json);
    return cli_json_print(&json);
}
