/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the fake drivers, which their libraries share: the plan, the counters, the list of
 * memory, the lists of what was enqueued.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "tests/fake/control.h"

#include "tests/fake/work.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_NAMES = 128, MOST_MEMORIES = 128 };
enum { PAGE = 1 << 16, ALIGNMENT = 256, UNWRITTEN = 0xa5 };

struct memory {
    struct memory *next;
    unsigned char *bytes;
    size_t size;
    void *mapped; /* between two inaccessible pages */
    size_t mapped_bytes;
};

/* A copy (from is not NULL), a launch (it has an entry), a wait, or else a fill. */
struct work {
    struct work *next;
    bool is_wait;
    struct fake_mark waits_for;
    unsigned char *to;
    const unsigned char *from;
    unsigned char *staged; /* owned: what `from` held */
    size_t bytes;
    unsigned char value;
    struct fake_launch launch;
    unsigned char *memories[MOST_MEMORIES];
};

static struct fake_plan plan;
static bool is_lost, is_known_to_be;
static const char *failed_call;
static unsigned long calls, waits, misuses;
static struct {
    const char *name;
    unsigned long calls;
} names[MOST_NAMES];
static long alive[FAKE_KINDS];
static struct memory *memories;
static struct stream {
    struct work *first, *last;
    unsigned long enqueued, taken;
} streams[FAKE_STREAMS];
static unsigned long enqueued;
static void (*stand_in)(const struct fake_launch *launch);

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL)
        abort();
    return memory;
}

/* ---- Work -------------------------------------------------------------------------------------*/

static struct work *enqueue(size_t stream, void *to, const void *from, size_t bytes)
{
    struct work *work = allocate(sizeof *work);
    *work = (struct work){.to = to, .from = from, .bytes = bytes};
    if (streams[stream].first == NULL)
        streams[stream].first = work;
    else
        streams[stream].last->next = work;
    streams[stream].last = work;
    streams[stream].enqueued++;
    enqueued++;
    return work;
}

static void do_work(const struct work *work)
{
    if (work->is_wait)
        fake_work_until(&work->waits_for);
    else if (work->launch.entry != NULL)
        stand_in(&work->launch);
    else if (work->staged != NULL || work->from != NULL)
        memcpy(work->to, work->staged != NULL ? work->staged : work->from, work->bytes);
    else
        memset(work->to, work->value, work->bytes);
}

static void take_until(size_t number, unsigned long count, bool is_done)
{
    struct stream *stream = &streams[number];
    while (stream->first != NULL && stream->taken < count) {
        struct work *work = stream->first;
        if (is_done)
            do_work(work);
        stream->first = work->next;
        stream->taken++;
        free(work->staged);
        free(work);
    }
}

static void take_all(bool is_done)
{
    for (size_t s = 0; s < FAKE_STREAMS; s++)
        take_until(s, streams[s].enqueued, is_done);
}

/* Other streams than that of kernels are now and then done at once, and otherwise only when
 * a thread waits, so that only waiting orders them. */
static void hurry(size_t stream)
{
    if (stream > 0 && (enqueued * 2654435761u >> 7) % 2 == 0)
        take_until(stream, streams[stream].enqueued, true);
}

struct fake_mark fake_mark(size_t stream)
{
    return (struct fake_mark){stream, streams[stream].enqueued, enqueued};
}

void fake_work_until(const struct fake_mark *mark)
{
    take_until(mark->stream, mark->count, true);
}

bool fake_is_reached(const struct fake_mark *mark)
{
    return streams[mark->stream].taken >= mark->count;
}

void fake_follow(size_t stream, const struct fake_mark *mark)
{
    struct work *work = enqueue(stream, NULL, NULL, 0);
    work->is_wait = true;
    work->waits_for = *mark;
}

void fake_work_on(void)
{
    for (size_t s = 0; s < FAKE_STREAMS; s++)
        take_until(s, streams[s].taken + 1, true);
}

void fake_forget_work(void)
{
    take_all(false);
}

void fake_copy(size_t stream, void *to, const void *from, size_t bytes, bool is_staged)
{
    struct work *work = enqueue(stream, to, from, bytes);
    if (is_staged) {
        work->staged = allocate(bytes);
        memcpy(work->staged, from, bytes);
    }
    hurry(stream);
}

void fake_fill(size_t stream, void *to, unsigned char value, size_t bytes)
{
    enqueue(stream, to, NULL, bytes)->value = value;
    hurry(stream);
}

void fake_launch(const struct fake_launch *launch)
{
    struct work *work = enqueue(0, NULL, NULL, 0);
    if (launch->memory_count > MOST_MEMORIES)
        abort();
    work->staged = allocate(launch->block_bytes);
    memcpy(work->staged, launch->block, launch->block_bytes);
    memcpy(work->memories, launch->memories, launch->memory_count * sizeof *work->memories);
    work->launch = *launch;
    work->launch.block = work->staged;
    work->launch.memories = work->memories;
}

/* ---- Calls ------------------------------------------------------------------------------------*/

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int fake_enter(void)
{
    return pthread_mutex_lock(&lock);
}

void fake_leave(const int *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void count_call(const char *name)
{
    size_t n = 0;
    while (n < MOST_NAMES - 1 && names[n].name != NULL && strcmp(names[n].name, name) != 0)
        n++;
    names[n].name = name;
    names[n].calls++;
    calls++;
}

static enum fake_fault find_fault(enum fake_call call)
{
    const bool can_be_lost = plan.fault == FAKE_LOST || plan.fault == FAKE_LOST_LATER;
    if (!can_be_lost)
        return calls == plan.failing_call ? plan.fault : FAKE_FINE;
    if (plan.failing_call == 0 || calls < plan.failing_call)
        return FAKE_FINE;
    is_lost = true;
    if (call == FAKE_ASKS ||
        (call == FAKE_ENQUEUES && plan.fault == FAKE_LOST_LATER && !is_known_to_be))
        return FAKE_FINE;
    is_known_to_be = true;
    return FAKE_LOST;
}

enum fake_fault fake_begin(const char *name, enum fake_call call)
{
    count_call(name);
    waits += call == FAKE_WAITS || call == FAKE_REACHES;
    const enum fake_fault fault = find_fault(call);
    if (fault != FAKE_FINE && failed_call == NULL)
        failed_call = name;
    if ((call == FAKE_WAITS && (fault == FAKE_FINE || is_lost)) ||
        (call == FAKE_REACHES && is_lost))
        take_all(!is_lost);
    return fault;
}

void fake_set_plan(const struct fake_plan *next)
{
    plan = next != NULL ? *next : (struct fake_plan){0};
    is_lost = is_known_to_be = false;
    failed_call = NULL;
    calls = waits = 0;
    memset(names, 0, sizeof names);
}

/* For a program that has no plan of its own. */
__attribute__((constructor)) static void read_environment(void)
{
    const char *call = getenv("FAKE_LOST_AT");
    if (call != NULL)
        plan = (struct fake_plan){.failing_call = strtoul(call, NULL, 10), .fault = FAKE_LOST};
}

const struct fake_plan *fake_plan(void)
{
    return &plan;
}

unsigned long fake_calls(void)
{
    return calls;
}

unsigned long fake_calls_of(const char *name)
{
    for (size_t n = 0; n < MOST_NAMES && names[n].name != NULL; n++)
        if (strcmp(names[n].name, name) == 0)
            return names[n].calls;
    return 0;
}

const char *fake_failed_call(void)
{
    return failed_call;
}

unsigned long fake_waits(void)
{
    return waits;
}

void fake_count(enum fake_kind kind, long change)
{
    alive[kind] += change;
    if (alive[kind] < 0)
        fake_misuse("released more than was made");
}

long fake_alive(enum fake_kind kind)
{
    return alive[kind];
}

void fake_misuse(const char *what)
{
    misuses++;
    fprintf(stderr, "fake driver, call %lu: %s\n", calls, what);
}

unsigned long fake_misuses(void)
{
    return misuses;
}

void fake_set_stand_in(void (*next)(const struct fake_launch *launch))
{
    stand_in = next;
}

/* ---- Memory -----------------------------------------------------------------------------------*/

/* Where the next page begins, which is inaccessible. */
static unsigned char *end_of(const struct memory *memory)
{
    return memory->bytes + (memory->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

unsigned char *fake_memory_make(size_t bytes)
{
    struct memory *memory = allocate(sizeof *memory);
    const size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    unsigned char *mapped =
        mmap(NULL, pages + (size_t)2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED || mprotect(mapped + PAGE, pages, PROT_READ | PROT_WRITE) != 0)
        abort();
    *memory = (struct memory){memories, NULL, bytes, mapped, pages + (size_t)2 * PAGE};
    memory->bytes = mapped + PAGE + pages - (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(memory->bytes, UNWRITTEN, (size_t)(end_of(memory) - memory->bytes));
    memories = memory;
    fake_count(FAKE_MEMORY, 1);
    return memory->bytes;
}

static void check_end(const struct memory *memory)
{
    for (const unsigned char *at = memory->bytes + memory->size; at < end_of(memory); at++)
        if (*at != UNWRITTEN) {
            fake_misuse("memory was written beyond its end");
            return;
        }
}

void fake_memory_check(void)
{
    for (const struct memory *m = memories; m != NULL; m = m->next)
        check_end(m);
}

void fake_memory_release(unsigned char *bytes)
{
    for (struct memory **at = &memories; *at != NULL; at = &(*at)->next) {
        struct memory *found = *at;
        if (found->bytes != bytes)
            continue;
        *at = found->next;
        check_end(found);
        munmap(found->mapped, found->mapped_bytes);
        free(found);
        fake_count(FAKE_MEMORY, -1);
        return;
    }
    fake_misuse("released memory that there is not");
}

bool fake_memory_is_short(size_t bytes)
{
    const char *limit = getenv("FAKE_MEMORY");
    for (const struct memory *m = memories; m != NULL; m = m->next)
        bytes += m->size;
    return limit != NULL && bytes > strtoull(limit, NULL, 10);
}

bool fake_memory_is(const unsigned char *at, size_t bytes)
{
    for (const struct memory *m = memories; m != NULL; m = m->next)
        if ((uintptr_t)at >= (uintptr_t)m->bytes &&
            (uintptr_t)at - (uintptr_t)m->bytes <= m->size &&
            bytes <= m->size - ((uintptr_t)at - (uintptr_t)m->bytes))
            return true;
    return false;
}

bool fake_memory_has(const unsigned char *at, size_t bytes)
{
    if (fake_memory_is(at, bytes))
        return true;
    fake_misuse("memory beyond its end, or none at all");
    return false;
}

/* ---- Texts ------------------------------------------------------------------------------------*/

bool fake_block_is_in_memory(const char *text)
{
    return strstr(text, "struct reap_block_words {") != NULL;
}

size_t fake_words(const char *text)
{
    static const char before[] = "struct reap_block {\n    reap__ulong w[";
    const char *found = strstr(text, before);
    if (fake_block_is_in_memory(text))
        return 1;
    return found != NULL ? strtoul(found + sizeof before - 1, NULL, 10) : 0;
}

/* Its definition is REAP__ENTRY(name, threads), or a macro that is called otherwise, and then the
 * parameters. */
static const char *find_entry(const char *text, const char *entry)
{
    char name[80];
    snprintf(name, sizeof name, "ENTRY_BESIDE(%s,", entry);
    const char *at = strstr(text, name);
    snprintf(name, sizeof name, "_ENTRY(%s", entry);
    return at != NULL ? at : strstr(text, name);
}

size_t fake_memories(const char *text, const char *entry)
{
    size_t count = 0;
    const char *at = find_entry(text, entry);
    const char *end = at != NULL ? strchr(at, '{') : NULL;
    while (end != NULL && (at = strstr(at, "REAP__MEMORY(")) != NULL && at < end) {
        at++;
        count++;
    }
    return count;
}

bool fake_has_local(const char *text, const char *entry)
{
    const char *at = find_entry(text, entry);
    const char *end = at != NULL ? strchr(at, '{') : NULL;
    const char *local = end != NULL ? strstr(at, "REAP__DYNAMIC_PARAMETER(") : NULL;
    return local != NULL && local < end;
}
