/* SPDX-License-Identifier: Apache-2.0
 *
 * reap-bench-overlap [MIB [TURNS]]: how much of the time copies and kernels of independent commands
 * take side by side, of what they take one after the other, on the default device. Parts of MIB
 * mebibytes go to the device, are worked on, and come back. Exit status 1 when a result is wrong.
 */
#include "bench/measure.h"
#include "bench/overlap.kernels.h"

#include <reap/reap.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 8, SETS = 3, SIDES = 4, TURNS = 9, CALIBRATIONS = 4 };

/* Parts take turns with `SETS` pieces of the device's memory. */
struct bench_data {
    reap_queue *queue;
    size_t count; /* floats of a part */
    uint32_t rounds;
    float *x[PARTS], *y[PARTS];           /* the host's */
    float *x_there[SETS], *y_there[SETS]; /* the device's */
    reap_event *in[PARTS], *done[PARTS], *out[PARTS];
};

static void expect(reap_status status)
{
    if (status == REAP_OK)
        return;
    fprintf(stderr, "%s\n", reap_last_error());
    exit(1);
}

/* ---- Commands ---------------------------------------------------------------------------------*/

/* A part comes after what its set was used for before, and each command after its input. */
static void copy_in(struct bench_data *data, size_t p)
{
    const reap_launch_options options = {.wait_for = p >= SETS ? &data->done[p - SETS] : NULL,
                                         .wait_for_count =
                                             p >= SETS && data->done[p - SETS] != NULL,
                                         .event = &data->in[p]};
    expect(reap_copy(data->queue, data->x_there[p % SETS], data->x[p], data->count * sizeof(float),
                     &options));
}

static void compute(struct bench_data *data, size_t p)
{
    reap_event *before[2];
    reap_launch_options options = {.wait_for = before, .event = &data->done[p]};
    if (data->in[p] != NULL)
        before[options.wait_for_count++] = data->in[p];
    if (p >= SETS && data->out[p - SETS] != NULL)
        before[options.wait_for_count++] = data->out[p - SETS];
    expect(reap_parallel_for(data->queue, work_on, reap_range_1d(data->count),
                             .x = data->x_there[p % SETS], .y = data->y_there[p % SETS],
                             .rounds = data->rounds, .launch = options));
}

static void copy_out(struct bench_data *data, size_t p)
{
    const reap_launch_options options = {.wait_for = &data->done[p],
                                         .wait_for_count = data->done[p] != NULL,
                                         .event = &data->out[p]};
    expect(reap_copy(data->queue, data->y[p], data->y_there[p % SETS], data->count * sizeof(float),
                     &options));
}

static void finish(struct bench_data *data)
{
    expect(reap_queue_wait(data->queue));
    for (size_t p = 0; p < PARTS; p++) {
        reap_event_release(data->in[p]);
        reap_event_release(data->done[p]);
        reap_event_release(data->out[p]);
        data->in[p] = data->done[p] = data->out[p] = NULL;
    }
}

static void all_in(struct bench_data *data)
{
    for (size_t p = 0; p < PARTS; p++)
        copy_in(data, p);
    finish(data);
}

static void all_kernels(struct bench_data *data)
{
    for (size_t p = 0; p < PARTS; p++)
        compute(data, p);
    finish(data);
}

static void all_out(struct bench_data *data)
{
    for (size_t p = 0; p < PARTS; p++)
        copy_out(data, p);
    finish(data);
}

/* A part's kernel is launched before the next one is copied, and a result is fetched after that. */
static void all_beside(struct bench_data *data)
{
    for (size_t p = 0; p < PARTS + 1; p++) {
        if (p < PARTS) {
            copy_in(data, p);
            compute(data, p);
        }
        if (p > 0)
            copy_out(data, p - 1);
    }
    finish(data);
}

/* ---- Rows -------------------------------------------------------------------------------------*/

/* One of the four, for measure_in_turns. */
struct side {
    void (*run)(struct bench_data *data);
    struct bench_data *data;
};

static double take_turn(void *context)
{
    const struct side *side = context;
    const double begin = measure_now();
    side->run(side->data);
    return measure_now() - begin;
}

/* After one turn of each that is not counted. */
static void time_all(struct bench_data *data, int turns, struct measured *times)
{
    struct side sides[SIDES] = {
        {all_in, data}, {all_kernels, data}, {all_out, data}, {all_beside, data}};
    struct measured_side measured[SIDES];
    const struct measure_settings settings = {.turns = turns};
    for (int s = 0; s < SIDES; s++) {
        measured[s] = (struct measured_side){take_turn, &sides[s]};
        take_turn(&sides[s]);
    }
    measure_in_turns(measured, SIDES, &settings, times);
}

static float *allocate(reap_status (*call)(const reap_device *, size_t, void **), size_t count)
{
    void *memory = NULL;
    if (call != NULL)
        expect(call(NULL, count * sizeof(float), &memory));
    else
        memory = malloc(count * sizeof(float));
    if (memory == NULL)
        exit(1);
    return memory;
}

static void make(struct bench_data *data, bool is_pinned)
{
    for (size_t p = 0; p < PARTS; p++) {
        data->x[p] = allocate(is_pinned ? reap_malloc_host : NULL, data->count);
        data->y[p] = allocate(is_pinned ? reap_malloc_host : NULL, data->count);
        for (size_t i = 0; i < data->count; i++) {
            data->x[p][i] = (float)((i + p) % 1000);
            data->y[p][i] = 0;
        }
    }
}

static void unmake(struct bench_data *data, bool is_pinned)
{
    for (size_t p = 0; p < PARTS; p++)
        if (is_pinned) {
            expect(reap_free(data->x[p]));
            expect(reap_free(data->y[p]));
        } else {
            free(data->x[p]);
            free(data->y[p]);
        }
}

static bool is_right(const struct bench_data *data)
{
    for (size_t p = 0; p < PARTS; p++)
        for (size_t i = 0; i < data->count; i += 997) {
            float v = (float)((i + p) % 1000);
            for (uint32_t r = 0; r < data->rounds; r++)
                v = v * 0.5f + 1.0f;
            if (data->y[p][i] != v)
                return false;
        }
    return true;
}

/* So many rounds that kernels take as long as the copies to the device. */
static void calibrate(struct bench_data *data)
{
    struct measured times[SIDES];
    data->rounds = 64;
    for (int c = 0; c < CALIBRATIONS; c++) {
        time_all(data, 1, times);
        const double wanted = (double)data->rounds * times[0].seconds / times[1].seconds;
        data->rounds = (uint32_t)(wanted < 1 ? 1 : wanted > 1e6 ? 1e6 : wanted);
    }
}

static bool run_row(struct bench_data *data, bool is_pinned, bool is_asynchronous, int turns)
{
    struct measured t[SIDES];
    const reap_queue_options options = {.out_of_order = true, .asynchronous = is_asynchronous};
    expect(reap_queue_create(NULL, &options, &data->queue));
    make(data, is_pinned);
    calibrate(data);
    time_all(data, turns, t);
    all_beside(data);
    const bool is_fine = is_right(data);
    const double sum = t[0].seconds + t[1].seconds + t[2].seconds;
    printf("%-9s %-12s  %8.2f  %8.2f  %8.2f  %8.2f    %.2f (0.7)%s\n",
           is_pinned ? "host kind" : "malloc", is_asynchronous ? "asynchronous" : "at once",
           t[0].seconds * 1e3, t[1].seconds * 1e3, t[2].seconds * 1e3, t[3].seconds * 1e3,
           t[3].seconds / sum, is_fine ? "" : "  WRONG");
    unmake(data, is_pinned);
    reap_queue_release(data->queue);
    return is_fine;
}

int main(int count, char **arguments)
{
    static struct bench_data data;
    const size_t mebibytes = count > 1 ? strtoul(arguments[1], NULL, 10) : 32;
    const int turns = count > 2 ? atoi(arguments[2]) : TURNS;
    const reap_device *device;
    reap_device_info info;
    bool is_fine = true;
    data.count = mebibytes * 1024 * 1024 / sizeof(float);
    if (data.count == 0 || turns < 1) {
        fprintf(stderr, "usage: reap-bench-overlap [MIB [TURNS]]\n");
        return 2;
    }
    expect(reap_device_default(&device));
    expect(reap_device_get_info(device, &info));
    for (size_t s = 0; s < SETS; s++) {
        data.x_there[s] = allocate(reap_malloc_device, data.count);
        data.y_there[s] = allocate(reap_malloc_device, data.count);
    }
    printf("%s: %d parts of %zu MiB; medians of %d turns, ms\n", info.name, PARTS, mebibytes,
           turns);
    printf("%-9s %-12s  %8s  %8s  %8s  %8s    %s\n", "memory", "queue", "in", "kernels", "out",
           "together", "of the sum (bound)");
    for (int pinned = 1; pinned >= 0; pinned--)
        for (int asynchronous = 0; asynchronous < 2; asynchronous++)
            is_fine &= run_row(&data, pinned != 0, asynchronous != 0, turns);
    for (size_t s = 0; s < SETS; s++) {
        expect(reap_free(data.x_there[s]));
        expect(reap_free(data.y_there[s]));
    }
    return is_fine ? 0 : 1;
}
