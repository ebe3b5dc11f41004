/* SPDX-License-Identifier: Apache-2.0
 *
 * The program in steps, each of which finds y as `scale` has left it, or would have.
 */
#include "tests/drivers/program.h"

#include "tests/drivers/program.kernels.h"
#include "tests/support/check_status.h"

enum { N = PROGRAM_ITEMS, BINS = 100, WEIGHTS = 1000, GROUP = 100, FACTOR = 3 };

/* What y adds up to after `scale`. */
static const uint64_t whole = (uint64_t)N * (N - 1) / 2 * FACTOR;

struct program {
    reap_queue *queue;
    const char *device;
    struct program_failure *failure;
    reap_buffer *y_buffer, *z_buffer, *kept_buffer;
};

static uint32_t y[N];

/* Variables that lie in a buffer. */
static struct {
    uint64_t sum, where;
    uint32_t most;
    uint32_t bins[BINS];
} kept;

/* Whether a call went well; the first that did not is kept. */
static bool ok(struct program *program, reap_status status)
{
    struct program_failure *failure = program->failure;
    const char *line = reap_last_error();
    if (status == REAP_OK)
        return true;
    CHECK(line[0] != '\0' && strchr(line, '\n') == NULL);
    CHECK_NE(status, REAP_ERROR_INVALID_ARGUMENT);
    if (status != REAP_ERROR_OUT_OF_MEMORY && strstr(line, program->device) == NULL) {
        fprintf(stderr, "%s: which device? %s\n", reap_status_name(status), line);
        CHECK(false);
    }
    if (failure->status != REAP_OK)
        return false;
    failure->status = status;
    snprintf(failure->line, sizeof failure->line, "%s", line);
    return false;
}

/* Whether a launch, and the wait for it, went well. */
static bool wait_after(struct program *program, reap_status launched)
{
    const bool is_launched = ok(program, launched);
    return ok(program, reap_queue_wait(program->queue)) && is_launched;
}

reap_status program_launch(reap_queue *queue, const uint32_t *from, uint64_t *sum, uint32_t *most,
                           uint64_t *where)
{
    return program_launch_with(&(const reap_launch_options){.event = NULL}, queue, from, sum, most,
                               where);
}

reap_status program_launch_with(const reap_launch_options *options, reap_queue *queue,
                                const uint32_t *from, uint64_t *sum, uint32_t *most,
                                uint64_t *where)
{
    return reap_parallel_for(queue, measure, reap_range_1d(N), .y = from, .sum = {.variable = sum},
                             .most = {.variable = most, .location = where}, .launch = *options);
}

reap_status program_add_rows(const reap_launch_options *options, reap_queue *queue,
                             const uint32_t *from, uint64_t *sums, size_t rows)
{
    return reap_parallel_for(queue, add_rows, reap_range_2d(rows, N / rows), .y = from,
                             .sums = {.result = sums, .count = rows}, .launch = *options);
}

reap_status program_step(reap_queue *queue, uint32_t *items, size_t group)
{
    return reap_parallel_for(queue, step, reap_nd_range_1d(N, group), .z = items);
}

static bool make_buffers(struct program *program, bool is_scaled)
{
    for (uint32_t i = 0; i < N; i++)
        y[i] = is_scaled ? FACTOR * i : 0;
    memset(&kept, 0, sizeof kept);
    kept.sum = 5, kept.where = 11;
    return ok(program, reap_buffer_wrap(y, sizeof y, &program->y_buffer)) &&
           ok(program, reap_buffer_create(sizeof y, &program->z_buffer)) &&
           ok(program, reap_buffer_wrap(&kept, sizeof kept, &program->kept_buffer));
}

/* Two launches before the first wait. Where the first is found to have failed, the second has made
 * something of what it found. */
static bool scale_and_measure(struct program *program)
{
    uint64_t sum = 5, where = 11;
    uint32_t most = 0;
    reap_status status =
        reap_parallel_for(program->queue, scale, reap_range_1d(N), .factor = FACTOR, .y = y);
    if (status == REAP_OK)
        status = program_launch(program->queue, y, &sum, &most, &where);
    if (!wait_after(program, status)) {
        CHECK(status == REAP_OK || (sum == 5 && where == 11 && most == 0));
        return false;
    }
    CHECK(sum == 5 + whole && where == N - 1 && most == FACTOR * (N - 1));
    return true;
}

/* Whether the command of a launch may have run, although something failed: its own error, or one
 * that the launch returned because the device, or its driver's memory, failed. */
static bool may_have_run(reap_status launched)
{
    return launched == REAP_OK || launched == REAP_ERROR_DEVICE_FAILED ||
           launched == REAP_ERROR_OUT_OF_MEMORY;
}

/* The variables are the device's until the host asks for them: a launch that was refused has not
 * touched them; where the device failed it may have. */
static bool measure_on_device(struct program *program)
{
    void *data;
    const reap_status launched =
        program_launch(program->queue, y, &kept.sum, &kept.most, &kept.where);
    const bool is_fine = wait_after(program, launched);
    if (!ok(program, reap_host_access_begin(program->kept_buffer, REAP_READ, &data)))
        return false;
    const bool is_changed =
        kept.sum == 5 + whole && kept.where == N - 1 && kept.most == FACTOR * (N - 1);
    const bool is_as_it_was = kept.sum == 5 && kept.where == 11 && kept.most == 0;
    CHECK(is_fine ? is_changed : is_as_it_was || (is_changed && may_have_run(launched)));
    return ok(program, reap_host_access_end(program->kept_buffer)) && is_fine;
}

/* The same of an array reduction. */
static bool count_on_device(struct program *program)
{
    void *data;
    const reap_status launched = reap_parallel_for(program->queue, count, reap_range_1d(N), .y = y,
                                                   .bins = {.variable = kept.bins, .count = BINS});
    const bool is_fine = wait_after(program, launched);
    if (!ok(program, reap_host_access_begin(program->kept_buffer, REAP_READ, &data)))
        return false;
    for (int b = 0; b < BINS; b++)
        CHECK(is_fine ? kept.bins[b] == N / BINS
                      : kept.bins[b] == 0 || (kept.bins[b] == N / BINS && may_have_run(launched)));
    return ok(program, reap_host_access_end(program->kept_buffer)) && is_fine;
}

/* A buffer that has been on the device goes while a command on other buffers is under way. */
static bool measure_and_release(struct program *program)
{
    uint64_t sum = 5, where = 11;
    uint32_t most = 0;
    const bool is_scaled =
        wait_after(program, reap_parallel_for(program->queue, scale, reap_range_1d(N), .factor = 1,
                                              .y = reap_buffer_data(program->z_buffer)));
    const reap_status status = program_launch(program->queue, y, &sum, &most, &where);
    const bool is_released = ok(program, reap_buffer_release(program->z_buffer));
    program->z_buffer = NULL;
    const bool is_measured = wait_after(program, status);
    if (is_measured)
        CHECK(sum == 5 + whole + y[0] && where == N - 1 && most == FACTOR * (N - 1));
    else
        CHECK(sum == 5 && where == 11 && most == 0);
    return is_scaled && is_released && is_measured;
}

static bool count_bins(struct program *program)
{
    uint32_t bins[BINS] = {0};
    const bool is_fine =
        wait_after(program, reap_parallel_for(program->queue, count, reap_range_1d(N), .y = y,
                                              .bins = {.variable = bins, .count = BINS}));
    for (int b = 0; b < BINS; b++)
        CHECK_EQ(bins[b], (is_fine ? N / BINS : 0));
    return is_fine;
}

static bool spread_over(struct program *program, uint32_t kinds)
{
    float weights[WEIGHTS] = {0};
    uint64_t sum = 5;
    const bool is_fine = wait_after(
        program, reap_parallel_for(program->queue, spread, reap_range_1d(N), .y = y, .kinds = kinds,
                                   .weights = {.variable = weights, .count = kinds},
                                   .sum = {.variable = &sum}));
    for (uint32_t w = 0; w < kinds; w++)
        CHECK_EQ(weights[w], (float)(is_fine ? N / kinds : 0));
    CHECK_EQ(sum, (is_fine ? 5 + whole : 5));
    return is_fine;
}

/* The second needs more memory on the device. */
static bool spread_weights(struct program *program)
{
    return spread_over(program, WEIGHTS / 100) && spread_over(program, WEIGHTS);
}

/* Other steps may have changed an item's bin. */
static bool halve_bins(struct program *program)
{
    double halves[BINS], all = 0;
    for (int b = 0; b < BINS; b++)
        halves[b] = 5;
    const bool is_fine =
        wait_after(program, reap_parallel_for(program->queue, halve, reap_range_1d(N), .y = y,
                                              .halves = {.variable = halves, .count = BINS}));
    for (int b = 0; b < BINS; b++) {
        CHECK(is_fine || halves[b] == 5);
        all += halves[b];
    }
    CHECK_EQ(all, 5 * BINS + (is_fine ? 0.5 * N : 0));
    return is_fine;
}

static bool turn_groups(struct program *program)
{
    uint64_t sum = 5;
    void *data;
    uint32_t *z = reap_buffer_data(program->z_buffer);
    const bool is_fine = wait_after(
        program, reap_parallel_for(program->queue, turn, reap_nd_range_1d(N, GROUP), .y = y, .z = z,
                                   .sum = {.variable = &sum}, .shared = GROUP));
    CHECK_EQ(sum, (is_fine ? 5 + whole : 5));
    if (!ok(program, reap_host_access_begin(program->z_buffer, REAP_READ, &data)))
        return false;
    CHECK_EQ(data, z);
    if (is_fine)
        CHECK(z[0] == FACTOR * (GROUP - 1) && z[N - 1] == FACTOR * (N - GROUP));
    return ok(program, reap_host_access_end(program->z_buffer)) && is_fine;
}

static bool clear(struct program *program)
{
    void *z;
    if (!ok(program, reap_host_access_begin(program->z_buffer, REAP_WRITE, &z)))
        return false;
    memset(z, 0, N * sizeof(uint32_t));
    return ok(program, reap_host_access_end(program->z_buffer));
}

static reap_status launch_pick(struct program *program, struct table *table, uint32_t first,
                               uint32_t *into)
{
    for (uint32_t i = 0; i < 1024; i++)
        table->at[i] = first + i;
    return reap_parallel_for(program->queue, pick, reap_range_1d(N / 2), .table = *table,
                             .y = into);
}

/* Two launches before the first wait, each of which has its own values. */
static bool pick_into(struct program *program, uint32_t *into)
{
    struct table table;
    reap_status status = launch_pick(program, &table, 5, into);
    if (status == REAP_OK)
        status = launch_pick(program, &table, 7000, into + N / 2);
    return wait_after(program, status);
}

static bool pick_values(struct program *program)
{
    reap_buffer *buffer = NULL;
    void *data;
    if (!ok(program, reap_buffer_create(N * sizeof(uint32_t), &buffer)))
        return false;
    const uint32_t *picked = reap_buffer_data(buffer);
    bool is_fine = pick_into(program, reap_buffer_data(buffer));
    if (ok(program, reap_host_access_begin(buffer, REAP_READ, &data))) {
        for (uint32_t i = 0; i < N / 2 && is_fine; i++)
            CHECK(picked[i] == 5 + i % 1024 && picked[N / 2 + i] == 7000 + i % 1024);
        is_fine = ok(program, reap_host_access_end(buffer)) && is_fine;
    } else {
        is_fine = false;
    }
    return ok(program, reap_buffer_release(buffer)) && is_fine;
}

/* An array that is changed is changed once, and not at all where memory was short. */
static bool weigh_groups(struct program *program)
{
    float weights[WEIGHTS] = {0};
    uint64_t sum = 5;
    void *data;
    const uint32_t *z = reap_buffer_data(program->z_buffer);
    if (!clear(program))
        return false;
    const bool is_fine =
        wait_after(program, reap_parallel_for(program->queue, weigh, reap_nd_range_1d(N, GROUP),
                                              .y = y, .z = reap_buffer_data(program->z_buffer),
                                              .weights = {.variable = weights, .count = WEIGHTS},
                                              .sum = {.variable = &sum}));
    for (int w = 0; w < WEIGHTS; w++)
        CHECK_EQ(weights[w], (float)(is_fine ? 3 * N / WEIGHTS : 0));
    CHECK_EQ(sum, (is_fine ? 5 + whole : 5));
    const bool is_undefined = !is_fine && program->failure->status != REAP_ERROR_OUT_OF_MEMORY;
    if (!ok(program, reap_host_access_begin(program->z_buffer, REAP_READ, &data)))
        return false;
    for (int i = 0; i < N && !is_undefined; i++)
        CHECK_EQ(z[i], (is_fine ? 1 : 0));
    return ok(program, reap_host_access_end(program->z_buffer)) && is_fine;
}

/* The host writes in between, and an event is waited for. */
static bool measure_with_event(struct program *program)
{
    uint64_t sum = 5, where = 11;
    uint32_t most = 0;
    void *data;
    reap_event *event = NULL;
    if (!ok(program, reap_host_access_begin(program->y_buffer, REAP_READ | REAP_WRITE, &data)))
        return false;
    CHECK(y[0] == 0 && y[N - 1] == FACTOR * (N - 1));
    y[0] = 7;
    ok(program, reap_host_access_end(program->y_buffer));
    bool is_fine = ok(program, reap_parallel_for(program->queue, measure, reap_range_1d(N), .y = y,
                                                 .sum = {.variable = &sum},
                                                 .most = {.variable = &most, .location = &where},
                                                 .launch = {.event = &event}));
    CHECK_EQ(is_fine, (event != NULL));
    if (event != NULL)
        is_fine = ok(program, reap_event_wait(event));
    CHECK(sum == (is_fine ? 5 + whole + 7 : 5) && most == (is_fine ? FACTOR * (N - 1) : 0) &&
          where == (is_fine ? N - 1 : 11));
    reap_event_release(event);
    return ok(program, reap_queue_wait(program->queue)) && is_fine;
}

/* ---- Unified shared memory --------------------------------------------------------------------*/

struct variables {
    uint64_t sum, where;
    uint32_t most;
    float weights[BINS];
};

struct allocations {
    uint32_t *on_device, *of_host, *shared;
    struct variables *variables; /* on the device */
};

static bool allocate(struct program *program, struct allocations *made)
{
    const reap_device *device = reap_queue_device(program->queue);
    void *memory[4] = {NULL};
    const bool is_fine =
        ok(program, reap_malloc_device(device, sizeof y, &memory[0])) &&
        ok(program, reap_malloc_host(device, sizeof y, &memory[1])) &&
        ok(program, reap_malloc_shared(device, sizeof y, &memory[2])) &&
        ok(program, reap_malloc_device(device, sizeof(struct variables), &memory[3]));
    *made = (struct allocations){memory[0], memory[1], memory[2], (struct variables *)memory[3]};
    return is_fine;
}

/* Kernels on device memory, and what reductions make there: finished on the device and, the last,
 * by the host. */
static bool compute(struct program *program, const struct allocations *made)
{
    reap_queue *queue = program->queue;
    struct variables *variables = made->variables;
    uint64_t sum = 5;
    const uint32_t three = 3;
    const bool is_launched =
        ok(program, reap_fill(queue, variables, "", 1, sizeof *variables, NULL)) &&
        ok(program, reap_fill(queue, made->on_device, &three, sizeof three, N, NULL)) &&
        ok(program, reap_parallel_for(queue, scale, reap_range_1d(N), .factor = FACTOR,
                                      .y = made->on_device)) &&
        ok(program, program_launch(queue, made->on_device, &variables->sum, &variables->most,
                                   &variables->where)) &&
        ok(program,
           reap_parallel_for(queue, spread, reap_range_1d(N), .y = made->on_device, .kinds = BINS,
                             .weights = {.variable = variables->weights, .count = BINS},
                             .sum = {.variable = &sum}));
    const bool is_fine = wait_after(program, REAP_OK) && is_launched;
    CHECK(sum == 5 + whole || !is_fine);
    return is_fine;
}

/* From kind to kind. The program reads what the host reaches once it has waited: for an event, and
 * for the queue. */
static bool bring_back(struct program *program, const struct allocations *made)
{
    reap_queue *queue = program->queue;
    static uint32_t plain[N];
    struct variables found;
    uint32_t ends[2] = {0};
    reap_event *event = NULL;
    const reap_launch_options options = {.event = &event};
    bool is_fine = ok(program, reap_copy(queue, made->shared, made->on_device, sizeof y, NULL)) &&
                   ok(program, reap_prefetch(queue, made->shared, sizeof y, NULL)) &&
                   ok(program, reap_copy(queue, made->of_host, made->shared, sizeof y, &options));
    CHECK(event != NULL || !is_fine);
    is_fine = is_fine && ok(program, reap_event_wait(event));
    reap_event_release(event);
    if (is_fine)
        ends[0] = made->of_host[1], ends[1] = made->of_host[N - 1];
    is_fine = is_fine && ok(program, reap_copy(queue, plain, made->on_device, sizeof y, NULL)) &&
              ok(program, reap_copy(queue, &found, made->variables, sizeof found, NULL));
    if (!wait_after(program, REAP_OK) || !is_fine)
        return false;
    CHECK(ends[0] == FACTOR && ends[1] == FACTOR * (N - 1));
    CHECK(memcmp(plain, made->of_host, sizeof plain) == 0);
    CHECK(memcmp(plain, made->shared, sizeof plain) == 0);
    CHECK(found.sum == whole && found.where == N - 1 && found.most == FACTOR * (N - 1));
    for (int b = 0; b < BINS; b++)
        CHECK_EQ(BINS * found.weights[b], (float)N);
    return true;
}

static bool share_memory(struct program *program)
{
    struct allocations made;
    const bool is_fine =
        allocate(program, &made) && compute(program, &made) && bring_back(program, &made);
    CHECK(reap_free(made.on_device) == REAP_OK && reap_free(made.of_host) == REAP_OK);
    CHECK(reap_free(made.shared) == REAP_OK && reap_free(made.variables) == REAP_OK);
    return is_fine;
}

unsigned long program_mistakes(void)
{
    return check_failures;
}

static bool run_steps(struct program *program, unsigned steps)
{
    static bool (*const functions[])(struct program *) = {
        scale_and_measure,   measure_on_device, count_bins,   count_on_device,
        spread_weights,      turn_groups,       weigh_groups, measure_with_event,
        measure_and_release, share_memory,      halve_bins,   pick_values,
    };
    for (size_t s = 0; s < sizeof functions / sizeof *functions; s++)
        if ((steps >> s & 1) != 0 && !functions[s](program))
            return false;
    return true;
}

bool program_run(reap_queue *queue, unsigned steps, struct program_failure *failure)
{
    reap_device_info info;
    struct program program = {.queue = queue, .failure = failure};
    *failure = (struct program_failure){.status = REAP_OK};
    CHECK_STATUS(reap_device_get_info(reap_queue_device(queue), &info), REAP_OK);
    program.device = info.name;
    const bool is_fine =
        make_buffers(&program, (steps & PROGRAM_SCALES) == 0) && run_steps(&program, steps);
    const bool y_is_fine = ok(&program, reap_buffer_release(program.y_buffer));
    const bool z_is_fine = ok(&program, reap_buffer_release(program.z_buffer));
    const bool kept_is_fine = ok(&program, reap_buffer_release(program.kept_buffer));
    if (is_fine && y_is_fine)
        CHECK(y[0] == ((steps & PROGRAM_ASKS) != 0 ? 7 : 0) && y[1] == FACTOR &&
              y[N - 1] == FACTOR * (N - 1));
    return is_fine && y_is_fine && z_is_fine && kept_is_fine;
}
