/* SPDX-License-Identifier: Apache-2.0
 *
 * Random graphs of commands: threads launch kernels, copies, fills and accesses on shared buffers,
 * to queues of every kind, on the device and on the host, and the results are those of the same
 * commands one after the other. The order in which launches were made is that of a lock, which is
 * held while they are; all else overlaps as it may. Reduction variables of the program's own are
 * ordered by events. Some commands fail, and so do those after them, as in the serial run. From
 * time to time the failures are reported, and the program begins again.
 */
#include "tests/memory/memory.kernels.h"
#include "tests/support/check_status.h"

#include "src/accelerator/runtime/streams.h"

#include <pthread.h>
#include <reap/reap.h>
#include <stdatomic.h>

enum { THREADS = 8, QUEUES = 4, BUFFERS = 50, MOST_LENGTH = 600, EVENTS = 64, MOST_WAITS = 3 };
enum { COMMANDS_UNTIL_TOLD = 200, FAILING = 20 }; /* one in so many of those that may */

/* REAP_TESTS_MANY, and REAP_TESTS_FEW, ask for more, and fewer. */
#ifdef REAP_TESTS_SMALL
enum { COMMANDS = 5000 };
#else
enum { COMMANDS = 20000 };
#endif
enum { MANY_COMMANDS = 100000, FEW_COMMANDS = 1000 };
#define NONE SIZE_MAX
enum kind { MIX, ADD_TO, FILL_UP, COPY, FILL, ACCESS, TOTAL, OVERWRITE, MARK, COUNT, KINDS };

/* `y` is what is written; of a copy, fill or sum, from `at` on. A mark is at `at` in `x`. */
struct command {
    enum kind kind;
    unsigned thread, queue;
    size_t x, y, at, from, count;
    uint32_t with;
    bool tells;                               /* all failures were reported before it */
    size_t waits[MOST_WAITS + 1], wait_count; /* the numbers of commands */
    reap_event *event;                        /* NULL: not kept */
    reap_status status;                       /* of an access; later as the serial run has it */
};

static struct {
    pthread_mutex_t lock;
    struct command *log;
    size_t count, most;
    uint64_t random;
    size_t events[EVENTS]; /* the numbers of commands that have one, and may have ended; or NONE */
    atomic_ulong failures;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static reap_queue *queues[QUEUES];
static size_t lengths[BUFFERS];
static uint32_t *data[BUFFERS];
static reap_buffer *buffers[BUFFERS];
static uint64_t totals[THREADS];
static uint64_t (*found)[BUFFERS];  /* what was in the buffers, at each time of telling */
static size_t last_totals[THREADS]; /* the numbers of commands; or NONE */
static atomic_ulong failures_heard[QUEUES];

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
    if (draw(2) == 0) /* of copies and fills, too, some are of all */
        command.at = command.from = 0;
    if (command.kind == COPY)
        command.count = least(lengths[command.y] - command.at, lengths[command.x] - command.from);
    else if (command.kind == FILL)
        command.count = lengths[command.y] - command.at;
    else if (command.kind == FILL_UP || command.kind == MARK || command.kind == OVERWRITE)
        command.count = lengths[command.y];
    else
        command.count = command.kind == MIX ? shared : lengths[command.x];
    if (command.kind == MARK)
        command.at = draw(FAILING) == 0 ? lengths[command.x] : command.from;
    return command;
}

static reap_status access_from_host(const struct command *command)
{
    const bool is_whole = command->kind == OVERWRITE;
    void *memory;
    const reap_status status = reap_host_access_begin(
        buffers[command->y], is_whole ? REAP_WRITE : REAP_READ | REAP_WRITE, &memory);
    if (status != REAP_OK)
        return status;
    if (is_whole)
        memset(memory, (int)(command->with % 256), command->count * sizeof(uint32_t));
    else
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
    case MARK:
        return reap_parallel_for(
            queue, fill_and_mark, range, .x = y, .with = command->with, .at = command->at,
            .marks = {.variable = data[command->x], .count = lengths[command->x]},
            .launch = *options);
    case COUNT:
        return reap_parallel_for(queue, count, range, .x = x,
                                 .bins = {.variable = y, .count = lengths[command->y]},
                                 .launch = *options);
    default:
        return access_from_host(command);
    }
}

/* ---- Threads ----------------------------------------------------------------------------------*/

static void begin_anew(void);

/* After some commands of others; and after this thread's last sum, where this is one. */
static void launch_behind(struct command *command, size_t number)
{
    reap_event *waits[MOST_WAITS + 1];
    reap_launch_options options = {.wait_for = waits};
    const bool is_access = command->kind == ACCESS || command->kind == OVERWRITE;
    for (size_t w = draw(MOST_WAITS + 1); w > 0 && !is_access; w--) {
        const size_t other = all.events[draw(EVENTS)];
        if (other != NONE && draw(4) == 0)
            command->waits[command->wait_count++] = other;
    }
    if (command->kind == TOTAL && last_totals[command->thread] != NONE)
        command->waits[command->wait_count++] = last_totals[command->thread];
    for (size_t w = 0; w < command->wait_count; w++)
        waits[w] = all.log[command->waits[w]].event;
    options.wait_for_count = command->wait_count;
    options.event = draw(2) == 0 || command->kind == TOTAL ? &command->event : NULL;
    command->status = launch(queues[command->queue], command, &options);
    if (command->kind == TOTAL)
        last_totals[command->thread] = number;
    if (command->event != NULL)
        all.events[draw(EVENTS)] = number;
}

/* Whether there is more to do. Sometimes it asks for what others may have under way. */
static bool go_on(unsigned thread)
{
    pthread_mutex_lock(&all.lock);
    const bool is_more = all.count < all.most;
    reap_event *asked = NULL;
    if (is_more) {
        const size_t number = all.count++;
        struct command *command = &all.log[number];
        const bool tells = number % COMMANDS_UNTIL_TOLD == 0;
        if (tells)
            begin_anew();
        *command = draw_command(thread);
        command->tells = tells;
        command->queue = (unsigned)draw(QUEUES);
        launch_behind(command, number);
        asked = draw(50) == 0 ? command->event : NULL;
    }
    pthread_mutex_unlock(&all.lock);
    if (asked != NULL)
        reap_event_wait(asked);
    return is_more;
}

static void *work(void *number)
{
    while (go_on(*(const unsigned *)number))
        continue;
    return NULL;
}

static uint64_t mix_all(const uint32_t *values, size_t count)
{
    uint64_t mixed = 1;
    while (count > 0)
        mixed = mixed * 0x100000001b3u + values[--count];
    return mixed;
}

/* Waits for all, notes what is there, and makes good what has failed. */
static void begin_anew(void)
{
    uint64_t *const now = found[(all.count - 1) / COMMANDS_UNTIL_TOLD];
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_wait(queues[q]);
    for (size_t e = 0; e < EVENTS; e++)
        all.events[e] = NONE;
    for (size_t t = 0; t < THREADS; t++)
        last_totals[t] = NONE;
    for (size_t b = 0; b < BUFFERS; b++) {
        void *memory;
        const reap_status status =
            reap_host_access_begin(buffers[b], REAP_READ | REAP_WRITE, &memory);
        expect(status);
        if (status != REAP_OK)
            return;
        now[b] = mix_all(data[b], lengths[b]);
        memset(memory, 1, lengths[b] * sizeof *data[b]);
        expect(reap_host_access_end(buffers[b]));
    }
}

/* ---- The serial run ---------------------------------------------------------------------------*/

static struct {
    bool array_failed, variable_failed, is_undefined;
} states[BUFFERS];
static uint32_t *arrays[BUFFERS];
static uint64_t sums[THREADS];
enum need { NOTHING, VARIABLES, CONTENTS };

/* What a command needs of the buffer that it writes, and of the other one. */
static enum need need_of_written(const struct command *command)
{
    const bool is_part = command->count < lengths[command->y];
    switch (command->kind) {
    case ADD_TO:
    case COUNT:
        return VARIABLES;
    case COPY:
    case FILL:
    case OVERWRITE:
        return is_part ? CONTENTS : NOTHING;
    default:
        return CONTENTS;
    }
}

static enum need need_of_other(const struct command *command)
{
    static const enum need needs[KINDS] = {
        [MIX] = CONTENTS,   [ADD_TO] = CONTENTS, [COPY] = CONTENTS,
        [TOTAL] = CONTENTS, [COUNT] = CONTENTS,  [MARK] = VARIABLES};
    return needs[command->kind];
}

static bool has(size_t buffer, enum need need)
{
    return need == NOTHING ||
           (!states[buffer].array_failed && (need == VARIABLES || !states[buffer].variable_failed));
}

static bool can_run(const struct command *command)
{
    for (size_t w = 0; w < command->wait_count; w++)
        if (all.log[command->waits[w]].status != REAP_OK)
            return false;
    return (command->kind == TOTAL || has(command->y, need_of_written(command))) &&
           has(command->x, need_of_other(command));
}

static bool fails(const struct command *command)
{
    const uint32_t *x = arrays[command->x];
    if (command->kind == MARK)
        return command->at >= lengths[command->x];
    for (size_t i = 0; i < command->count && command->kind == COUNT; i++)
        if (x[i] % 10 >= lengths[command->y])
            return true;
    return false;
}

static void note_failure(const struct command *command, bool has_run)
{
    if (command->kind == ACCESS || command->kind == TOTAL)
        return;
    if (need_of_written(command) == VARIABLES)
        states[command->y].variable_failed = true;
    else
        states[command->y].array_failed = true;
    if (command->kind == MARK) {
        states[command->x].variable_failed = true;
        states[command->y].is_undefined |= has_run;
    }
}

/* On arrays of the program's own. */
static void run_serially(const struct command *command)
{
    uint32_t *x = arrays[command->x], *y = arrays[command->y];
    for (size_t i = 0; i < command->count; i++)
        switch (command->kind) {
        case MIX:
            y[i] = 31 * y[i] + x[i] + command->with;
            break;
        case ADD_TO:
            y[command->at] += x[i];
            break;
        case FILL_UP:
        case MARK:
            y[i] = command->with;
            break;
        case FILL:
            y[command->at + i] = command->with;
            break;
        case COPY:
            y[command->at + i] = x[command->from + i];
            break;
        case TOTAL:
            sums[command->thread] += x[i];
            break;
        case COUNT:
            y[x[i] % 10]++;
            break;
        case OVERWRITE:
            y[i] = 0x01010101u * (command->with % 256);
            break;
        default:
            break;
        }
    if (command->kind == MARK)
        x[command->at] += (uint32_t)command->count;
    if (command->kind == ACCESS)
        y[command->at] ^= command->with;
}

/* Of the commands before this one. */
static void compare_buffers(size_t number)
{
    const uint64_t *there = found[number / COMMANDS_UNTIL_TOLD];
    for (size_t b = 0; b < BUFFERS; b++) {
        CHECK(states[b].is_undefined || there[b] == mix_all(arrays[b], lengths[b]));
        memset(&states[b], 0, sizeof states[b]);
        memset(arrays[b], 1, lengths[b] * sizeof *arrays[b]);
    }
}

/* Returns how the command has to end. */
static reap_status run_or_fail(const struct command *command)
{
    const bool has_run = can_run(command);
    if (!has_run || fails(command)) {
        note_failure(command, has_run);
        return has_run ? REAP_ERROR_INDEX_OUT_OF_RANGE : REAP_ERROR_DEPENDENCY_FAILED;
    }
    run_serially(command);
    if (command->kind != TOTAL && need_of_written(command) == NOTHING)
        memset(&states[command->y], 0, sizeof states[command->y]);
    return REAP_OK;
}

/* ---- The whole --------------------------------------------------------------------------------*/

static void hear(void *heard, reap_status status, const char *line)
{
    (void)status, (void)line;
    atomic_fetch_add((atomic_ulong *)heard, 1);
}

static void make_queues(void)
{
    static reap_queue_options options[QUEUES] = {
        {.asynchronous = true},
        {.asynchronous = true, .out_of_order = true},
        {.asynchronous = true, .out_of_order = true, .max_threads = 1},
        {.out_of_order = true},
    };
    const reap_device *const *devices = NULL; /* the host is the first */
    size_t count = 0;
    CHECK(reap_device_list(&devices, &count) == REAP_OK && count > 0);
    for (size_t q = 0; q < QUEUES; q++) {
        options[q].on_error = hear;
        options[q].on_error_context = &failures_heard[q];
        CHECK_STATUS(reap_queue_create(q == 2 ? devices[0] : NULL, &options[q], &queues[q]),
                     REAP_OK);
    }
}

static void make_buffers(void)
{
    for (size_t b = 0; b < BUFFERS; b++) {
        lengths[b] = 1 + draw(MOST_LENGTH);
        data[b] = calloc(lengths[b], sizeof *data[b]);
        arrays[b] = calloc(lengths[b], sizeof *arrays[b]);
        if (data[b] == NULL || arrays[b] == NULL)
            exit(1);
        CHECK_STATUS(reap_buffer_wrap(data[b], lengths[b] * sizeof *data[b], &buffers[b]), REAP_OK);
    }
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    for (unsigned t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, work, memcpy(&numbers[t], &t, sizeof t)) != 0)
            exit(1);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_wait(queues[q]);
}

/* Each command has ended as in the serial run, and has been heard of if that was a failure. */
static void compare_endings(void)
{
    unsigned long failures[QUEUES] = {0}, wrong = 0, of_dependents = 0;
    for (size_t c = 0; c < all.count; c++) {
        struct command *command = &all.log[c];
        const reap_status returned = command->status;
        const bool is_access = command->kind == ACCESS || command->kind == OVERWRITE;
        if (command->tells)
            compare_buffers(c);
        command->status = run_or_fail(command);
        /* A launch without an event may say already how its command has ended. */
        wrong += returned != command->status && (is_access || returned != REAP_OK);
        wrong += command->event != NULL && returned != REAP_OK;
        wrong += command->event != NULL && reap_event_wait(command->event) != command->status;
        failures[command->queue] += !is_access && command->status != REAP_OK;
        of_dependents += command->status == REAP_ERROR_DEPENDENCY_FAILED;
    }
    for (size_t q = 0; q < QUEUES; q++)
        CHECK_EQ(failures[q], atomic_load(&failures_heard[q]));
    CHECK(wrong == 0 && of_dependents > 0 && of_dependents < all.count);
    printf("%lu of %zu commands did not run\n", of_dependents, all.count);
}

static void compare(void)
{
    compare_endings();
    for (size_t b = 0; b < BUFFERS; b++) {
        CHECK_STATUS(reap_buffer_release(buffers[b]), REAP_OK);
        CHECK(states[b].is_undefined ||
              check_same(data[b], arrays[b], lengths[b] * sizeof *data[b]));
        free(data[b]);
        free(arrays[b]);
    }
    CHECK(check_same(totals, sums, sizeof sums));
}

int main(void)
{
    all.random = check_seed();
    all.most = getenv("REAP_TESTS_MANY") != NULL  ? MANY_COMMANDS
               : getenv("REAP_TESTS_FEW") != NULL ? FEW_COMMANDS
                                                  : COMMANDS;
    all.log = malloc(all.most * sizeof *all.log);
    found = malloc((all.most / COMMANDS_UNTIL_TOLD + 1) * sizeof *found);
    if (all.log == NULL || found == NULL)
        return 1;
    reap__least_async_copy_bytes = (size_t)1 << draw(12); /* copies have streams of their own */
    make_queues();
    make_buffers();
    run_threads();
    compare();
    CHECK(all.count == all.most && atomic_load(&all.failures) == 0);
    for (size_t c = 0; c < all.count; c++)
        reap_event_release(all.log[c].event);
    for (size_t q = 0; q < QUEUES; q++)
        reap_queue_release(queues[q]);
    free(all.log);
    free(found);
    return check_finish();
}
