/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs of commands: threads launch kernels, copies, fills and accesses on shared buffers,
 * to queues of every kind, on the device and on the host, and the results are those of the same
 * commands one after the other. The order in which launches were made is that of a lock, which is
 * held while they are; all else overlaps as it may. Reduction variables of the program's own are
 * ordered by events.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check.h"

#include "src/device/streams.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdatomic.h>

enum { THREADS = 8, QUEUES = 4, BUFFERS = 50, MOST_LENGTH = 600, EVENTS = 64, MOST_WAITS = 3 };

/* REAP_TESTS_MANY, and REAP_TESTS_FEW, ask for more, and fewer. */
#ifdef REAP_TESTS_SMALL
enum { COMMANDS = 5000 };
#else
enum { COMMANDS = 20000 };
#endif
enum { MANY_COMMANDS = 100000, FEW_COMMANDS = 1000 };

enum kind { MIX, ADD_TO, FILL_UP, COPY, FILL, ACCESS, TOTAL, KINDS };

/* `y` is what is written; of a copy, fill or sum, from `at` on. */
struct command {
    enum kind kind;
    unsigned thread;
    size_t x, y;
    size_t at, from, count;
    uint32_t with;
};

static struct {
    pthread_mutex_t lock;
    struct command *log;
    size_t count, most;
    uint64_t random;
    reap_event *events[EVENTS]; /* of commands, some of which have ended */
    atomic_ulong failures;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static reap_queue *queues[QUEUES];
static size_t lengths[BUFFERS];
static uint32_t *data[BUFFERS];
static reap_buffer *buffers[BUFFERS];
static uint64_t totals[THREADS];
static reap_event *total_events[THREADS];

static void expect(reap_status status)
{
    if (status != REAP_OK && atomic_fetch_add(&all.failures, 1) < 10)
        fprintf(stderr, "%s\n", reap_last_error());
}

static size_t draw(size_t count)
{
    return check_random(&all.random) % count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Commands ---------------------------------------------------------------------------------*/

static struct command draw_command(unsigned thread)
{
    struct command command = {.kind = (enum kind)draw(KINDS),
                              .thread = thread,
                              .x = draw(BUFFERS),
                              .y = draw(BUFFERS - 1)};
    command.y += command.y >= command.x;
    const size_t shared = least(lengths[command.x], lengths[command.y]);
    command.at = draw(lengths[command.y]);
    command.from = draw(lengths[command.x]);
    command.with = (uint32_t)check_random(&all.random);
    if (command.kind == COPY)
        command.count = least(lengths[command.y] - command.at, lengths[command.x] - command.from);
    else if (command.kind == FILL)
        command.count = lengths[command.y] - command.at;
    else if (command.kind == FILL_UP)
        command.count = lengths[command.y];
    else
        command.count = command.kind == MIX ? shared : lengths[command.x];
    return command;
}

static reap_status access_from_host(const struct command *command)
{
    void *memory;
    const reap_status status =
        reap_host_access_begin(buffers[command->y], REAP_READ | REAP_WRITE, &memory);
    if (status != REAP_OK)
        return status;
    ((uint32_t *)memory)[command->at] ^= command->with;
    return reap_host_access_end(buffers[command->y]);
}

static reap_status launch(reap_queue *queue, const struct command *command,
                          const reap_launch_options *options)
{
    const uint32_t *x = data[command->x];
    uint32_t *y = data[command->y];
    const reap_range range = reap_range_1d(command->count);
    switch (command->kind) {
    case MIX:
        return reap_parallel_for(queue, mix, range, .x = x, .y = y, .with = command->with,
                                 .launch = *options);
    case ADD_TO:
        return reap_parallel_for(queue, add_to, range, .x = x, .sum = {.variable = &y[command->at]},
                                 .launch = *options);
    case FILL_UP:
        return reap_parallel_for(queue, fill_up, range, .x = y, .with = command->with,
                                 .launch = *options);
    case COPY:
        return reap_copy(queue, y + command->at, x + command->from, command->count * sizeof *y,
                         options);
    case FILL:
        return reap_fill(queue, y + command->at, &command->with, sizeof *y, command->count,
                         options);
    case TOTAL:
        return reap_parallel_for(queue, add_up, range, .x = x,
                                 .sum = {.variable = &totals[command->thread]}, .launch = *options);
    default:
        return access_from_host(command);
    }
}

/* The same at once, on arrays of the program's own. */
static void run_serially(const struct command *command, uint32_t *const *arrays, uint64_t *sums)
{
    const uint32_t *x = arrays[command->x];
    uint32_t *y = arrays[command->y];
    switch (command->kind) {
    case MIX:
        for (size_t i = 0; i < command->count; i++)
            y[i] = 31 * y[i] + x[i] + command->with;
        break;
    case ADD_TO:
        for (size_t i = 0; i < command->count; i++)
            y[command->at] += x[i];
        break;
    case FILL_UP:
    case FILL:
        for (size_t i = 0; i < command->count; i++)
            y[(command->kind == FILL ? command->at : 0) + i] = command->with;
        break;
    case COPY:
        memcpy(y + command->at, x + command->from, command->count * sizeof *y);
        break;
    case TOTAL:
        for (size_t i = 0; i < command->count; i++)
            sums[command->thread] += x[i];
        break;
    default:
        y[command->at] ^= command->with;
    }
}

/* ---- Threads ----------------------------------------------------------------------------------*/

/* Behind some commands of others; and behind this thread's last sum, where this is one. */
static void launch_behind(const struct command *command)
{
    reap_event *waits[MOST_WAITS + 1], *event = NULL, **last = &total_events[command->thread];
    reap_launch_options options = {.wait_for = waits, .event = &event};
    for (size_t w = draw(MOST_WAITS + 1); w > 0; w--) {
        reap_event *other = all.events[draw(EVENTS)];
        if (other != NULL)
            waits[options.wait_for_count++] = other;
    }
    if (command->kind == TOTAL && *last != NULL)
        waits[options.wait_for_count++] = *last;
    if (draw(4) != 0 && command->kind != TOTAL)
        options.event = NULL;
    expect(launch(queues[draw(QUEUES)], command, &options));
    if (command->kind == TOTAL) {
        reap_event_release(*last);
        *last = event;
    } else if (event != NULL) {
        reap_event **place = &all.events[draw(EVENTS)];
        reap_event_release(*place);
        *place = event;
    }
}

/* Whether there is more to do. Sometimes it asks, or waits for, what others may have under way. */
static bool go_on(unsigned thread)
{
    pthread_mutex_lock(&all.lock);
    const bool is_more = all.count < all.most;
    const size_t pause = draw(200);
    reap_queue *queue = queues[draw(QUEUES)];
    if (is_more) {
        struct command *command = &all.log[all.count++];
        *command = draw_command(thread);
        launch_behind(command);
    }
    pthread_mutex_unlock(&all.lock);
    if (pause == 0)
        expect(reap_queue_wait(queue));
    return is_more;
}

static void *work(void *number)
{
    while (go_on((unsigned)(uintptr_t)number))
        continue;
    return NULL;
}

/* ---- The whole --------------------------------------------------------------------------------*/

static void make_queues(void)
{
    static const reap_queue_options options[QUEUES] = {
        {.asynchronous = true},
        {.asynchronous = true, .out_of_order = true},
        {.asynchronous = true, .out_of_order = true, .max_threads = 1},
        {.out_of_order = true},
    };
    const reap_device *const *devices = NULL; /* the host is the first */
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    for (size_t q = 0; q < QUEUES; q++)
        CHECK(reap_queue_create(q == 2 ? devices[0] : NULL, &options[q], &queues[q]) == REAP_OK);
}

static void make_buffers(uint32_t **arrays)
{
    for (size_t b = 0; b < BUFFERS; b++) {
        lengths[b] = 1 + draw(MOST_LENGTH);
        data[b] = calloc(lengths[b], sizeof *data[b]);
        arrays[b] = calloc(lengths[b], sizeof *arrays[b]);
        if (data[b] == NULL || arrays[b] == NULL)
            exit(1);
        CHECK(reap_buffer_wrap(data[b], lengths[b] * sizeof *data[b], &buffers[b]) == REAP_OK);
    }
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, work, (void *)t) != 0)
            exit(1);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (size_t q = 0; q < QUEUES; q++)
        expect(reap_queue_wait(queues[q]));
}

static void compare(uint32_t *const *arrays)
{
    uint64_t sums[THREADS] = {0};
    for (size_t c = 0; c < all.count; c++)
        run_serially(&all.log[c], arrays, sums);
    for (size_t b = 0; b < BUFFERS; b++) {
        CHECK(reap_buffer_release(buffers[b]) == REAP_OK);
        CHECK(check_same(data[b], arrays[b], lengths[b] * sizeof *data[b]));
        free(data[b]);
        free(arrays[b]);
    }
    CHECK(check_same(totals, sums, sizeof sums));
}

int main(void)
{
    uint32_t *arrays[BUFFERS];
    all.random = check_seed();
    all.most = getenv("REAP_TESTS_MANY") != NULL  ? MANY_COMMANDS
               : getenv("REAP_TESTS_FEW") != NULL ? FEW_COMMANDS
                                                  : COMMANDS;
    all.log = malloc(all.most * sizeof *all.log);
    if (all.log == NULL)
        return 1;
    reap__least_bytes_beside = (size_t)1 << draw(12); /* copies have streams of their own */
    make_queues();
    make_buffers(arrays);
    run_threads();
    compare(arrays);
    CHECK(all.count == all.most && atomic_load(&all.failures) == 0);
    for (size_t e = 0; e < EVENTS; e++)
        reap_event_release(all.events[e]);
    for (size_t t = 0; t < THREADS; t++)
        reap_event_release(total_events[t]);
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_release(queues[q]);
    free(all.log);
    return check_finish();
}
