/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices, and the two ways on each, take turns, so that other work of the machine affects all
 * of them. A turn is long compared to the clock's resolution, and begins with a launch that is not
 * timed, which fills the caches; a launch longer than a turn reads more than the caches hold. Such
 * turns, for which bandwidth matters, end with a pass that measures it.
 */
#include "tools/bench/measure.h"

#include "tools/bench/compare.h"
#include "tools/bench/prepare.h"
#include "tools/interrupt.h"
#include "tools/kernels/bench.kernels.h"
#include "tools/rate.h"
#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_TURNS = 3, MOST_TURNS = 101 };

static const double turn_seconds = 1e-3, tell_seconds = 0.1;

/* A device in one of the two ways. */
struct lane {
    struct cli_bench_device *device;
    enum cli_bench_way way;
    struct cli_timing *timing;
    double times[MOST_TURNS];
};

/* The floats that are written so far, and the expected results of a launch. */
struct floats {
    float *data;
    size_t count;
    float sum, most;
};

/* The current size. */
struct work {
    const struct cli_bench *bench;
    const struct floats *floats;
    struct lane lanes[CLI_MOST_TARGETS * CLI_BENCH_WAYS];
    size_t lane_count;
    int power;
    double shown; /* when the line of progress was last written */
};

/* ---- Launches ---------------------------------------------------------------------------------*/

static reap_status find_sum_and_most(const struct lane *lane, const struct floats *floats,
                                     float *sum, float *most)
{
    reap_queue *queue = lane->device->queue;
    reap_status status = REAP_OK;
    if (lane->way == CLI_BENCH_COPIED)
        status = reap_copy(queue, lane->device->memory, floats->data, floats->count * sizeof(float),
                           NULL);
    if (status == REAP_OK)
        status = reap_parallel_for(
            queue, bench_sum_and_most, reap_range_1d(floats->count), .x = lane->device->memory,
            .sum = {.variable = sum, .properties = REAP_INITIALIZE_TO_IDENTITY},
            .most = {.variable = most, .properties = REAP_INITIALIZE_TO_IDENTITY});
    return status == REAP_OK ? reap_queue_wait(queue) : status;
}

/* Launches once; false: the device has failed. */
static bool launch(const struct lane *lane, const struct floats *floats)
{
    float sum = NAN, most = NAN;
    if (find_sum_and_most(lane, floats, &sum, &most) != REAP_OK) {
        cli_bench_fail(lane->device);
        return false;
    }
    if (sum == floats->sum && most == floats->most)
        return true;
    cli_terminal_clear();
    cli_complain(
        lane->device->info.name,
        "wrong results for %zu floats: the sum is %.9g and the maximum %.9g, not %.9g and %.9g",
        floats->count, (double)sum, (double)most, (double)floats->sum, (double)floats->most);
    lane->device->has_failed = true;
    return false;
}

/* Overwrites the device's memory with NaNs, so that a missing copy is detected. */
static bool spoil(struct cli_bench_device *device, const struct floats *floats)
{
    const float wrong = NAN;
    if (reap_fill(device->queue, device->memory, &wrong, sizeof wrong, floats->count, NULL) ==
            REAP_OK &&
        reap_queue_wait(device->queue) == REAP_OK)
        return true;
    cli_bench_fail(device);
    return false;
}

/* The first launches, which take longer than others, until one takes longer than a turn; sets the
 * number of launches of a turn. */
static void start(const struct lane *lane, const struct floats *floats)
{
    const int first_ones = 3;
    double seconds = 0;
    if (lane->way == CLI_BENCH_COPIED && !spoil(lane->device, floats))
        return;
    for (int i = 0; i < first_ones && seconds < turn_seconds; i++) {
        const double begin = cli_now();
        if (!launch(lane, floats))
            return;
        seconds = cli_now() - begin;
    }
    lane->timing->calls = (size_t)(turn_seconds / fmax(seconds, 1e-8)) + 1;
}

/* ---- Turns ------------------------------------------------------------------------------------*/

static void take_turn(struct lane *lane, const struct floats *floats)
{
    struct cli_timing *timing = lane->timing;
    if (timing->calls > 1 && !launch(lane, floats))
        return;
    const double begin = cli_now();
    for (size_t c = 0; c < timing->calls; c++)
        if (!launch(lane, floats))
            return;
    lane->times[timing->turns++] = (cli_now() - begin) / (double)timing->calls;
    if (timing->calls == 1 && lane->way == CLI_BENCH_THERE &&
        !cli_reading_pass(lane->device->reading))
        lane->device->has_failed = true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(struct lane *lane)
{
    struct cli_timing *timing = lane->timing;
    const size_t turns = timing->turns;
    if (lane->device->has_failed || turns == 0) {
        *timing = (struct cli_timing){.turns = 0};
        return;
    }
    qsort(lane->times, turns, sizeof *lane->times, compare);
    timing->lower = lane->times[turns / 4];
    timing->median = lane->times[turns / 2];
    timing->upper = lane->times[turns * 3 / 4];
}

static void tell(struct work *work, const char *name)
{
    const double now = cli_now(), share = (now - work->bench->begin) / work->bench->seconds;
    if (now - work->shown < tell_seconds)
        return;
    cli_terminal_tell("reap bench: 2^%d floats on %s, %.0f %% of the time", work->power, name,
                      share < 1 ? 100 * share : 100);
    work->shown = now;
}

/* Returns false if an interrupt came. */
static bool take_turns(struct work *work, double until)
{
    for (size_t l = 0; l < work->lane_count; l++) {
        tell(work, work->lanes[l].device->info.name);
        if (cli_is_interrupted())
            return false;
        if (!work->lanes[l].device->has_failed)
            start(&work->lanes[l], work->floats);
    }
    for (int turn = 0; turn < MOST_TURNS && (turn < LEAST_TURNS || cli_now() < until); turn++)
        for (size_t l = 0; l < work->lane_count; l++) {
            tell(work, work->lanes[l].device->info.name);
            if (cli_is_interrupted())
                return false;
            if (!work->lanes[l].device->has_failed)
                take_turn(&work->lanes[l], work->floats);
        }
    return true;
}

/* ---- Sizes ------------------------------------------------------------------------------------*/

static reap_queue *find_host_queue(const struct cli_bench *bench)
{
    for (size_t d = 0; d < bench->device_count; d++)
        if (bench->devices[d].is_host && !bench->devices[d].has_failed)
            return bench->devices[d].queue;
    return NULL;
}

/* Writes the floats up to the new count. If the host is measured, the threads that will read them
 * write them, since memory is allocated near the first writer. The last float is the largest so
 * far, so that a launch which omits it is detected. Plain loops compute the expected values. */
static bool extend(const struct cli_bench *bench, struct floats *floats, int power)
{
    const size_t first = floats->count, count = (size_t)1 << power;
    reap_queue *host = find_host_queue(bench);
    double sum = 0;
    if (host != NULL && (reap_parallel_for(host, bench_fill, reap_range_1d(count - first),
                                           .x = floats->data + first, .first = first) != REAP_OK ||
                         reap_queue_wait(host) != REAP_OK)) {
        cli_complain(NULL, "%s", reap_last_error());
        return false;
    }
    for (size_t i = first; i < count; i++) {
        const float number = i == count - 1 ? (float)power : bench_number(i);
        floats->data[i] = number;
        sum += (double)number;
    }
    floats->count = count;
    floats->sum += (float)sum;
    floats->most = (float)power;
    return true;
}

/* Lists the devices and ways to measure. The copying way of a device comes first, since it copies
 * the floats to the device. */
static void find_lanes(struct cli_bench *bench, struct cli_bench_size *size, struct work *work)
{
    work->lane_count = 0;
    for (size_t d = 0; d < bench->device_count; d++)
        for (int way = CLI_BENCH_WAYS - 1; way >= 0; way--) {
            struct cli_bench_device *device = &bench->devices[d];
            if (device->has_failed || device->most_power < size->power ||
                (device->is_host && way == CLI_BENCH_COPIED))
                continue;
            struct lane *lane = &work->lanes[work->lane_count++];
            lane->device = device;
            lane->way = (enum cli_bench_way)way;
            lane->timing = &size->timings[d][way];
        }
}

static void summarize_size(const struct cli_bench *bench, struct cli_bench_size *size,
                           struct work *work)
{
    for (size_t l = 0; l < work->lane_count; l++)
        summarize(&work->lanes[l]);
    for (size_t d = 0; d < bench->device_count; d++)
        if (bench->devices[d].is_host)
            size->timings[d][CLI_BENCH_COPIED] = size->timings[d][CLI_BENCH_THERE];
}

void cli_bench_measure(struct cli_bench *bench, float *data)
{
    static struct work work; /* too large for a stack */
    struct floats floats = {.data = data};
    int last = 0;
    for (size_t d = 0; d < bench->device_count; d++)
        if (!bench->devices[d].has_failed && bench->devices[d].most_power > last)
            last = bench->devices[d].most_power;
    work.bench = bench;
    work.floats = &floats;
    for (int power = CLI_BENCH_FIRST_POWER; power <= last; power += CLI_BENCH_POWER_STEP) {
        struct cli_bench_size *size = &bench->sizes[bench->size_count];
        size->power = work.power = power;
        if (!extend(bench, &floats, power))
            break;
        find_lanes(bench, size, &work);
        if (work.lane_count == 0)
            break;
        const double now = cli_now(), left = bench->begin + bench->seconds - now;
        const int sizes_left = (last - power) / CLI_BENCH_POWER_STEP + 1;
        if (!take_turns(&work, now + left / sizes_left))
            break;
        summarize_size(bench, size, &work);
        bench->size_count += cli_bench_fastest(bench, size, CLI_BENCH_THERE) >= 0;
    }
    work.floats = NULL;
    for (size_t d = 0; d < bench->device_count; d++)
        if (bench->devices[d].reading != NULL)
            bench->devices[d].bandwidth = cli_reading_bandwidth(bench->devices[d].reading);
    bench->is_interrupted = cli_is_interrupted();
    cli_terminal_clear();
}
