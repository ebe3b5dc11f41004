/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread of the group that runs is a fiber; one that waits draws
 * whose turn it is: by chance each time, or always the first one that can go on, from one that is
 * drawn for the group, so that some warps run far ahead of others. Atomics are places where others
 * may come in between; all else is one piece up to the next wait. Local memory begins with
 * indeterminate values.
 *
 * A warp's threads meet where all of them wait that have not ended, in one place of the text. What
 * groups do at the same time is not emulated, nor is the order in which writes are seen.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* whose longjmp takes another fiber's stack for a mistake */
#include "tests/fake/emulated/card.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { WARP = 32, MOST_WARPS = 32, MOST_THREADS = WARP * MOST_WARPS };
enum { STACK_BYTES = 1 << 20, MOST_DYNAMIC_BYTES = 1 << 18, GUARD_BYTES = 1 << 16 };
/* Stacks begin in different sets of the processor's caches: in one set there is room for a few. */
enum { STACK_STEP = 5 * 64, STACK_STARTS = 256 };

/* As shim.h declares them. */
struct fake_index {
    unsigned x, y, z;
};
struct fake_index threadIdx, blockIdx, blockDim, gridDim;
void fake_card_sync_group(void);
void fake_card_sync_warp(unsigned mask);
unsigned fake_card_shuffle(unsigned mask, unsigned value, unsigned lane);
unsigned fake_card_ballot(unsigned mask, bool is_true);
void fake_card_pause(void);
void *fake_card_dynamic_memory(void);

/* Runs threads one after the other, as long as there are some. What each turn needs comes first. */
struct fiber {
    jmp_buf context;
    struct fiber *next; /* of those that have no thread */
    bool has_started;
    ucontext_t start;
};

struct thread {
    struct fiber *fiber; /* NULL: it has not begun, or has ended */
    const void *place;   /* where it waits for its warp */
    unsigned value;      /* what it brought there, and then what it gets */
    unsigned from;       /* whose value it wants; WARP: a bit of each, whether it is not 0 */
};

/* A bit for each thread: it is in one of these states. */
struct warp {
    uint32_t is_there; /* in the group, in whatever state */
    uint32_t can_go_on;
    uint32_t at_exchange;
    uint32_t at_barrier;
    uint32_t has_ended;
};

static const struct card_launch *launch;
static struct thread threads[MOST_THREADS];
static struct warp warps[MOST_WARPS];
static uint32_t warps_that_can;
static struct fiber *idle;
static size_t running;
static jmp_buf group_waits;
static unsigned char *dynamic_end;
static struct {
    bool draws_warps, draws_lanes;
    unsigned first_warp, first_lane;
} order;

/* ---- Chance -----------------------------------------------------------------------------------*/

static uint64_t seed, state;

static uint32_t draw(void)
{
    if (seed == 0) {
        const char *given = getenv("FAKE_SEED");
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)now.tv_nsec + 1;
        state = seed * 0x9e3779b97f4a7c15u + 1;
        fprintf(stderr, "FAKE_SEED=%llu\n", (unsigned long long)seed);
    }
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)(state * 0x2545f4914f6cdd1du >> 32);
}

uint32_t card_random(uint32_t bound)
{
    return (uint32_t)((uint64_t)draw() * bound >> 32);
}

static void misuse(const char *what)
{
    fprintf(stderr,
            "emulated card: %s: %s, group %u of %u of %u threads, thread %zu (FAKE_SEED=%llu)\n",
            launch->entry, what, blockIdx.x, gridDim.x, blockDim.x, running,
            (unsigned long long)seed);
    for (size_t w = 0; w * WARP < launch->threads; w++)
        fprintf(stderr, "  warp %2zu: at an exchange %08x, at a barrier %08x, ended %08x\n", w,
                warps[w].at_exchange, warps[w].at_barrier, warps[w].has_ended);
    abort();
}

/* ---- Fibers -----------------------------------------------------------------------------------*/

static void end_thread(void);

static unsigned char *map(size_t bytes)
{
    unsigned char *memory = mmap(NULL, bytes + (size_t)2 * GUARD_BYTES, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + GUARD_BYTES, bytes, PROT_READ | PROT_WRITE) != 0)
        abort();
    return memory + GUARD_BYTES;
}

static void be_fiber(void)
{
    for (;;) {
        launch->call(launch->parameters);
        end_thread();
    }
}

static struct fiber *make_fiber(void)
{
    static size_t made;
    struct fiber *fiber = calloc(1, sizeof *fiber);
    if (fiber == NULL || getcontext(&fiber->start) != 0)
        abort();
    fiber->start.uc_stack.ss_sp = map(STACK_BYTES);
    fiber->start.uc_stack.ss_size = STACK_BYTES - made++ % STACK_STARTS * STACK_STEP;
    makecontext(&fiber->start, be_fiber, 0);
    return fiber;
}

static struct fiber *take_fiber(void)
{
    struct fiber *fiber = idle;
    if (fiber == NULL)
        return make_fiber();
    idle = fiber->next;
    return fiber;
}

/* ---- Whose turn it is -------------------------------------------------------------------------*/

static void let_go_on(struct warp *warp, uint32_t bits)
{
    const uint32_t bit = 1u << (warp - warps);
    warp->can_go_on = bits;
    warps_that_can = bits != 0 ? warps_that_can | bit : warps_that_can & ~bit;
}

/* The first bit that is set, from that one on. */
static unsigned first_from(uint32_t bits, unsigned from)
{
    const uint32_t turned = bits >> from | bits << (32 - from) % 32;
    return ((unsigned)__builtin_ctz(turned) + from) % 32;
}

/* Whether there is a thread that can go on. */
static bool find_next(size_t *thread)
{
    if (warps_that_can == 0)
        return false;
    const unsigned w =
        first_from(warps_that_can, order.draws_warps ? card_random(MOST_WARPS) : order.first_warp);
    *thread =
        (size_t)w * WARP +
        first_from(warps[w].can_go_on, order.draws_lanes ? card_random(WARP) : order.first_lane);
    return true;
}

/* The next thread, or the group where there is none; does not return. */
static void go_on(void)
{
    size_t next;
    if (!find_next(&next))
        _longjmp(group_waits, 1);
    running = next;
    threadIdx.x = (unsigned)next;
    if (threads[next].fiber == NULL)
        threads[next].fiber = take_fiber();
    struct fiber *fiber = threads[next].fiber;
    if (fiber->has_started)
        _longjmp(fiber->context, 1);
    fiber->has_started = true;
    setcontext(&fiber->start);
}

static void leave(void)
{
    if (_setjmp(threads[running].fiber->context) == 0)
        go_on();
}

static uint32_t bit_of_running(void)
{
    return 1u << running % WARP;
}

static struct warp *stop_running(void)
{
    struct warp *warp = &warps[running / WARP];
    let_go_on(warp, warp->can_go_on & ~bit_of_running());
    return warp;
}

/* Returns where the fiber begins another thread. */
static void end_thread(void)
{
    struct fiber *fiber = threads[running].fiber;
    struct warp *warp = stop_running();
    warp->has_ended |= bit_of_running();
    if (warp->at_exchange != 0)
        misuse("a thread has ended where others of its warp wait for it");
    fiber->next = idle;
    idle = fiber;
    threads[running].fiber = NULL;
    if (_setjmp(fiber->context) == 0)
        go_on();
}

/* ---- What threads call ------------------------------------------------------------------------*/

/* All that are left of the warp are there. */
static void run_exchange(struct warp *warp)
{
    struct thread *const first = &threads[(size_t)(warp - warps) * WARP];
    unsigned values[WARP + 1] = {0};
    for (unsigned l = 0; l < WARP; l++) {
        const bool is_there = (warp->is_there >> l & 1) != 0;
        values[l] = is_there ? first[l].value : draw();
        values[WARP] |= is_there && first[l].value != 0 ? 1u << l : 0;
    }
    for (unsigned l = 0; l < WARP; l++) {
        if ((warp->is_there >> l & 1) == 0)
            continue;
        if (first[l].place != first[0].place)
            misuse("the threads of a warp wait for each other in different places");
        first[l].value = values[first[l].from];
    }
    let_go_on(warp, warp->at_exchange);
    warp->at_exchange = 0;
}

static unsigned exchange(unsigned value, unsigned from, const void *place)
{
    struct warp *warp = stop_running();
    struct thread *thread = &threads[running];
    thread->value = value;
    thread->from = from;
    thread->place = place;
    warp->at_exchange |= bit_of_running();
    if (warp->has_ended != 0)
        misuse("a thread waits for its warp, of which others have ended");
    if (warp->at_exchange == warp->is_there)
        run_exchange(warp);
    leave();
    return thread->value;
}

/* All threads of the warp, or all of its 32. */
static void check_mask(unsigned mask)
{
    if (mask != ~0u && mask != warps[running / WARP].is_there)
        misuse("a part of a warp, or more than there are");
}

void fake_card_sync_warp(unsigned mask)
{
    check_mask(mask);
    exchange(0, 0, __builtin_return_address(0));
}

unsigned fake_card_shuffle(unsigned mask, unsigned value, unsigned lane)
{
    check_mask(mask);
    return exchange(value, lane, __builtin_return_address(0));
}

unsigned fake_card_ballot(unsigned mask, bool is_true)
{
    check_mask(mask);
    return exchange(is_true, WARP, __builtin_return_address(0));
}

void fake_card_sync_group(void)
{
    stop_running()->at_barrier |= bit_of_running();
    leave();
}

void fake_card_pause(void)
{
    if (card_random(4) == 0)
        leave();
}

void *fake_card_dynamic_memory(void)
{
    return dynamic_end - (launch->dynamic_bytes + 63) / 64 * 64;
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static void begin_group(size_t group)
{
    const int pattern = (int)card_random(256);
    unsigned char *const dynamic = fake_card_dynamic_memory();
    memset(dynamic, pattern, (size_t)(dynamic_end - dynamic));
    memset(launch->shared_begin, pattern, (size_t)(launch->shared_end - launch->shared_begin));
    blockIdx.x = (unsigned)group;
    order.draws_warps = card_random(2) == 0;
    order.draws_lanes = card_random(2) == 0;
    order.first_warp = card_random(MOST_WARPS);
    order.first_lane = card_random(WARP);
    memset(warps, 0, sizeof warps);
    for (size_t t = 0; t < launch->threads; t++)
        warps[t / WARP].is_there |= 1u << t % WARP;
    for (size_t w = 0; w < MOST_WARPS; w++)
        let_go_on(&warps[w], warps[w].is_there);
}

/* Where no thread can go on: whether all were at the barrier, and now can. */
static bool pass_barrier(void)
{
    bool has_waiting = false, has_others = false;
    for (size_t w = 0; w < MOST_WARPS; w++) {
        has_waiting |= warps[w].at_barrier != 0 || warps[w].at_exchange != 0;
        has_others |= warps[w].at_barrier != warps[w].is_there;
    }
    if (has_waiting && has_others)
        misuse("threads wait for others that do not come");
    for (size_t w = 0; w < MOST_WARPS && has_waiting; w++) {
        let_go_on(&warps[w], warps[w].at_barrier);
        warps[w].at_barrier = 0;
    }
    return has_waiting;
}

static void run_group(size_t group)
{
    begin_group(group);
    do
        if (_setjmp(group_waits) == 0)
            go_on();
    while (pass_barrier());
}

void card_run(const struct card_launch *begun)
{
    size_t *groups = calloc(begun->groups, sizeof *groups);
    fenv_t before; /* a card's does not depend on a thread's of the host */
    if (groups == NULL)
        abort();
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    if (dynamic_end == NULL)
        dynamic_end = map(MOST_DYNAMIC_BYTES) + MOST_DYNAMIC_BYTES;
    launch = begun;
    blockDim = (struct fake_index){(unsigned)begun->threads, 1, 1};
    gridDim = (struct fake_index){(unsigned)begun->groups, 1, 1};
    for (size_t g = 0; g < begun->groups; g++) {
        const size_t at = card_random((uint32_t)g + 1);
        groups[g] = groups[at];
        groups[at] = g;
    }
    for (size_t g = 0; g < begun->groups; g++)
        run_group(groups[g]);
    fesetenv(&before);
    free(groups);
}
