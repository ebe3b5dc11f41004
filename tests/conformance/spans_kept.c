/* SPDX-License-Identifier: Apache-2.0
 *
 * Array reductions into buffers, which stay on a device from launch to launch, and into plain
 * memory, which get their values when a thread waits: launches at random, each after what the one
 * before it has left, against a loop over the items. Some have an index outside of the span; they
 * fail and change nothing, and those that wait for their events do not run.
 */
#include "tests/conformance/spans_kept.kernels.h"

#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

#include <string.h>

#undef reap_launch /* all arrays are in buffers, and only explicit calls wait for launches */

enum { MOST_ITEMS = 300000, MOST_COUNT = 20000, FEW_COUNT = 5000, MOST_TIMES = 3, LAUNCHES = 60 };
enum { MOST_EVENTS = LAUNCHES };

/* What kernels read, and the variables: in buffers, and as they should be. */
struct memory {
    uint8_t bytes[MOST_ITEMS], times[MOST_ITEMS];
    uint16_t shorts[MOST_ITEMS];
    uint32_t words[MOST_ITEMS];
};

struct variables {
    uint32_t counts[MOST_COUNT], parities[MOST_COUNT];
    uint64_t wides[MOST_COUNT];
    int64_t most[MOST_COUNT];
    uint64_t sum;
    uint32_t plain[MOST_COUNT], plain_parities[MOST_COUNT]; /* in no buffer */
    int64_t own[MOST_COUNT];                                /* a copy of the device's */
};

struct state {
    reap_queue *queue;
    uint64_t *random;
    struct memory *memory;
    struct variables *variables, *expected, *before;
    int64_t *own; /* in the device's memory */
    reap_buffer *buffers[9];
    bool fails; /* a launch since the last wait */
    size_t event_count;
    struct {
        reap_event *event;
        reap_status status;
    } events[MOST_EVENTS];
};

/* Of one launch: the items from `first` on, and elements of spans from `begin` on. */
struct draw {
    size_t first, items, begin, count;
    unsigned properties;
    bool is_plain; /* the counts of bytes */
};

static void make_buffers(struct state *state)
{
    struct memory *m = state->memory;
    struct variables *v = state->variables;
    const struct {
        const void *memory;
        size_t bytes;
    } all[9] = {
        {m->bytes, sizeof m->bytes},   {m->times, sizeof m->times},
        {m->shorts, sizeof m->shorts}, {m->words, sizeof m->words},
        {v->counts, sizeof v->counts}, {v->parities, sizeof v->parities},
        {v->wides, sizeof v->wides},   {v->most, sizeof v->most},
        {&v->sum, sizeof v->sum},
    };
    for (size_t b = 0; b < 9; b++)
        CHECK_STATUS(reap_buffer_wrap(all[b].memory, all[b].bytes, &state->buffers[b]), REAP_OK);
}

static void fill(struct state *state, size_t reach)
{
    for (size_t i = 0; i < MOST_ITEMS; i++) {
        const uint64_t random = check_random(state->random);
        state->memory->bytes[i] = (uint8_t)random;
        state->memory->times[i] = (uint8_t)(random >> 8) % (MOST_TIMES + 1);
        state->memory->shorts[i] = (uint16_t)((random >> 16) % (reach < 65536 ? reach : 65536));
        state->memory->words[i] = (uint32_t)((random >> 32) % reach);
    }
}

/* Lengths that have replicas in local memory, or one copy there, or none. */
static struct draw draw(struct state *state)
{
    static const size_t counts[] = {1, 2, 7, 255, 256, 257, 300, 2048, 4096, 9000, 19000};
    uint64_t *random = state->random;
    struct draw draw = {.count = counts[check_random(random) % (sizeof counts / sizeof *counts)]};
    draw.items = check_random(random) % (check_random(random) % 2 ? 1000 : 200000);
    draw.first = check_random(random) % 3 == 0 ? check_random(random) % 50000 : 0;
    draw.begin = check_random(random) % (MOST_COUNT - draw.count + 1);
    draw.properties = check_random(random) % 3 == 0 ? REAP_INITIALIZE_TO_IDENTITY : 0;
    draw.is_plain = check_random(random) % 2 == 0;
    return draw;
}

/* ---- What launches should do; whether all indices are inside ----------------------------------*/

static bool tally_bytes_naively(struct state *state, const struct draw *draw)
{
    struct variables *expected = state->expected;
    uint32_t *counts = (draw->is_plain ? expected->plain : expected->counts) + draw->begin;
    for (size_t e = 0; e < draw->count && draw->properties != 0; e++)
        counts[e] = 0;
    for (size_t i = draw->first; i < draw->first + draw->items; i++) {
        if (state->memory->bytes[i] >= draw->count)
            return false;
        counts[state->memory->bytes[i]]++;
    }
    return true;
}

static bool tally_shorts_naively(struct state *state, const struct draw *draw)
{
    uint64_t *wides = state->expected->wides + draw->begin;
    for (size_t e = 0; e < draw->count && draw->properties != 0; e++)
        wides[e] = 0;
    for (size_t i = draw->first; i < draw->first + draw->items; i++) {
        const uint16_t at = state->memory->shorts[i];
        if (at >= draw->count)
            return false;
        wides[at] += (uint64_t)at << 30;
    }
    return true;
}

static bool tally_words_naively(struct state *state, const struct draw *draw)
{
    struct variables *expected = state->expected;
    int64_t *most = (draw->is_plain ? expected->own : expected->most) + draw->begin;
    uint32_t *parities =
        (draw->is_plain ? expected->plain_parities : expected->parities) + draw->begin;
    for (size_t e = 0; e < draw->count && draw->properties != 0; e++) {
        most[e] = INT64_MIN;
        parities[e] = 0;
    }
    for (size_t i = 0; i < draw->items; i++) {
        const uint32_t at = state->memory->words[draw->first + i];
        const uint8_t times = state->memory->times[draw->first + i];
        const int64_t value = (int64_t)at - (int64_t)(i % 1000);
        for (int k = 0; k < times; k++) {
            if (at >> k >= draw->count)
                return false;
            if (value > most[at >> k])
                most[at >> k] = value;
        }
        if (times > 1)
            parities[at] ^= 1u << (i % 32);
    }
    return true;
}

/* ---- Launches ---------------------------------------------------------------------------------*/

static reap_status launch_tally(struct state *state, const struct draw *draw, unsigned kind,
                                const reap_launch_options *options)
{
    const reap_range range = reap_range_1d(draw->items);
    const struct memory *m = state->memory;
    struct variables *v = state->variables;
    if (kind == 0)
        return reap_parallel_for(
            state->queue, tally_bytes, range, .at = m->bytes + draw->first,
            .counts = {.variable = (draw->is_plain ? v->plain : v->counts) + draw->begin,
                       .count = draw->count,
                       .properties = draw->properties},
            .launch = *options);
    if (kind == 1)
        return reap_parallel_for(state->queue, tally_shorts, range, .at = m->shorts + draw->first,
                                 .counts = {.variable = v->wides + draw->begin,
                                            .count = draw->count,
                                            .properties = draw->properties},
                                 .launch = *options);
    return reap_parallel_for(
        state->queue, tally_words, range, .at = m->words + draw->first,
        .times = m->times + draw->first,
        .most = {.variable = (draw->is_plain ? state->own : v->most) + draw->begin,
                 .count = draw->count,
                 .properties = draw->properties},
        .parities = {.variable = (draw->is_plain ? v->plain_parities : v->parities) + draw->begin,
                     .count = draw->count,
                     .properties = draw->properties},
        .launch = *options);
}

/* Every other launch has an event, and some wait for an earlier one's. */
static void launch_with_events(struct state *state, const struct draw *draw, unsigned kind)
{
    const bool has_event = check_random(state->random) % 2 == 0;
    const bool waits = state->event_count > 0 && check_random(state->random) % 3 == 0;
    const size_t for_which = waits ? check_random(state->random) % state->event_count : 0;
    reap_event *event = NULL;
    const reap_launch_options options = {.wait_for = &state->events[for_which].event,
                                         .wait_for_count = waits,
                                         .event = has_event ? &event : NULL};
    reap_status status = REAP_ERROR_DEPENDENCY_FAILED;
    *state->before = *state->expected;
    const reap_status launched = launch_tally(state, draw, kind, &options);
    if (!waits || state->events[for_which].status == REAP_OK) {
        const bool is_inside = kind == 0   ? tally_bytes_naively(state, draw)
                               : kind == 1 ? tally_shorts_naively(state, draw)
                                           : tally_words_naively(state, draw);
        status = is_inside ? REAP_OK : REAP_ERROR_INDEX_OUT_OF_RANGE;
    }
    CHECK(launched == REAP_OK || (launched == status && !has_event));
    if (status != REAP_OK)
        *state->expected = *state->before;
    state->fails = state->fails || status != REAP_OK;
    if (has_event) {
        state->events[state->event_count].event = event;
        state->events[state->event_count++].status = status;
    }
}

static void launch(struct state *state)
{
    const struct draw drawn = draw(state);
    const unsigned kind = (unsigned)(check_random(state->random) % 7);
    if (kind == 6) {
        CHECK(reap_parallel_for(state->queue, sum_of_words, reap_range_1d(drawn.items),
                                .at = state->memory->words,
                                .sum = {.variable = &state->variables->sum}) == REAP_OK);
        for (size_t i = 0; i < drawn.items; i++)
            state->expected->sum += state->memory->words[i];
        return;
    }
    launch_with_events(state, &drawn, kind % 3);
}

static void copy_own(struct state *state)
{
    CHECK_STATUS(reap_copy(state->queue, state->variables->own, state->own,
                           sizeof state->variables->own, NULL),
                 REAP_OK);
    CHECK_STATUS(reap_queue_wait(state->queue), REAP_OK);
}

static void wait_for_all(struct state *state)
{
    const reap_status status = reap_queue_wait(state->queue);
    CHECK(state->fails
              ? status == REAP_ERROR_INDEX_OUT_OF_RANGE || status == REAP_ERROR_DEPENDENCY_FAILED
              : status == REAP_OK);
    state->fails = false;
    CHECK_BITS(state->variables->plain, state->expected->plain, sizeof state->expected->plain,
               "plain memory", 0, 0);
    CHECK_BITS(state->variables->plain_parities, state->expected->plain_parities,
               sizeof state->expected->plain_parities, "plain parities", 0, 0);
    copy_own(state);
    CHECK_BITS(state->variables->own, state->expected->own, sizeof state->expected->own,
               "the device's memory", 0, 0);
}

static void compare(struct state *state)
{
    const struct variables *v = state->variables, *expected = state->expected;
    void *data;
    if (state->fails) /* before the failure is reported, the buffers cannot be read */
        wait_for_all(state);
    for (size_t b = 4; b < 9; b++)
        CHECK_STATUS(reap_host_access_begin(state->buffers[b], REAP_READ, &data), REAP_OK);
    CHECK_BITS(v->counts, expected->counts, sizeof v->counts, "counts", 0, 0);
    CHECK_BITS(v->parities, expected->parities, sizeof v->parities, "parities", 0, 0);
    CHECK_BITS(v->wides, expected->wides, sizeof v->wides, "wides", 0, 0);
    CHECK_BITS(v->most, expected->most, sizeof v->most, "most", 0, 0);
    CHECK_BITS(&v->sum, &expected->sum, sizeof v->sum, "sum", 0, 0);
    for (size_t b = 4; b < 9; b++)
        CHECK_STATUS(reap_host_access_end(state->buffers[b]), REAP_OK);
}

/* A launch that fails, and before that is reported one whose spans lie in the device's
 * memory and in plain memory, and are short: the failure is not its own. */
static void follow_failure(struct state *state, size_t count)
{
    const struct draw outside = {.items = 1000, .count = 1};
    const struct draw inside = {.items = 1000, .count = count, .is_plain = true};
    reap_event *events[2];
    CHECK(launch_tally(state, &outside, 0, &(reap_launch_options){.event = &events[0]}) == REAP_OK);
    CHECK(launch_tally(state, &inside, 2, &(reap_launch_options){.event = &events[1]}) == REAP_OK);
    CHECK(tally_words_naively(state, &inside));
    CHECK_STATUS(reap_event_wait(events[1]), REAP_OK);
    reap_event_release(events[0]);
    reap_event_release(events[1]);
    state->fails = true;
    wait_for_all(state);
}

/* Indices reach so far that about half of the spans hold all of them, or few do. */
static void run(struct state *state, size_t reach)
{
    fill(state, reach);
    for (size_t e = 0; e < MOST_COUNT; e++) {
        state->variables->counts[e] = state->variables->parities[e] = (uint32_t)e;
        state->variables->plain[e] = state->variables->plain_parities[e] = (uint32_t)e + 1;
        state->variables->own[e] = (int64_t)(e % 5) * 1000;
        state->variables->wides[e] = e;
        state->variables->most[e] = (int64_t)(e % 3) * 100 - 150;
    }
    state->variables->sum = 5;
    CHECK_STATUS(reap_copy(state->queue, state->own, state->variables->own,
                           sizeof state->variables->own, NULL),
                 REAP_OK);
    *state->expected = *state->variables;
    make_buffers(state);
    state->event_count = 0;
    if (reach <= FEW_COUNT)
        follow_failure(state, FEW_COUNT);
    for (int n = 0; n < LAUNCHES; n++) {
        launch(state);
        if (state->event_count > 0 && check_random(state->random) % 5 == 0) {
            const size_t e = check_random(state->random) % state->event_count;
            bool is_complete = false;
            CHECK_STATUS(reap_event_query(state->events[e].event, &is_complete), REAP_OK);
            CHECK_EQ(reap_event_wait(state->events[e].event), state->events[e].status);
        }
        if (check_random(state->random) % 3 == 0)
            wait_for_all(state);
        if (check_random(state->random) % 8 == 0)
            compare(state);
    }
    for (size_t e = 0; e < state->event_count; e++) {
        if (e % 2 == 0)
            CHECK_EQ(reap_event_wait(state->events[e].event), state->events[e].status);
        reap_event_release(state->events[e].event);
    }
    compare(state);
    wait_for_all(state);
    for (size_t b = 0; b < 9; b++)
        CHECK_STATUS(reap_buffer_release(state->buffers[b]), REAP_OK);
    copy_own(state);
    CHECK_BITS(state->variables, state->expected, sizeof *state->variables, "all", 0, 0);
}

int main(void)
{
    static const size_t reaches[] = {7, 256, 2000, 9000};
    uint64_t random = check_seed();
    const size_t drawn = 1 + (size_t)(check_random(&random) % 3);
    reap_queue *queues[QUEUES];
    struct state state = {.random = &random,
                          .memory = test_allocate(sizeof *state.memory),
                          .variables = test_allocate(sizeof *state.variables),
                          .expected = test_allocate(sizeof *state.expected),
                          .before = test_allocate(sizeof *state.before)};
    void *own;
    setenv("REAP_NUM_THREADS", "17", 1);
    queues_open(queues);
    CHECK_STATUS(reap_malloc_device(reap_queue_device(queues[0]), sizeof state.expected->own, &own),
                 REAP_OK);
    state.own = own;
    for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++) {
        state.queue = queues[r % queue_count];
        if (r == 0 || r == drawn || !test_draws_large())
            run(&state, reaches[r]);
    }
    queues_close(queues);
    CHECK_STATUS(reap_free(own), REAP_OK);
    free(state.memory);
    free(state.variables);
    free(state.expected);
    free(state.before);
    return check_finish();
}
