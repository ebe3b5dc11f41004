/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fake libraries have in common: each of their functions begins with fake_begin, memory is
 * the host's, and what is enqueued on a stream is done, in order, when something waits for it, or
 * much earlier.
 */
#ifndef TESTS_FAKE_WORK_H
#define TESTS_FAKE_WORK_H

#include "tests/fake/control.h"

enum fake_call {
    FAKE_ASKS,     /* does not need the device: never lost */
    FAKE_MAKES,    /* needs it */
    FAKE_ENQUEUES, /* fails later where the device is lost */
    FAKE_WAITS,
    FAKE_REACHES /* waits for some of what was enqueued, which the caller has done */
};

/* At the begin of each function: no other runs at the same time. */
#define FAKE_ALONE                                                                                 \
    const int fake_alone __attribute__((__cleanup__(fake_leave), __unused__)) = fake_enter()
int fake_enter(void);
void fake_leave(const int *unused);

/* Counts a call and says how it must fail. A call that waits does all that was enqueued. */
enum fake_fault fake_begin(const char *name, enum fake_call call);

const struct fake_plan *fake_plan(void);
void fake_count(enum fake_kind kind, long change);
void fake_misuse(const char *what);

unsigned char *fake_memory_make(size_t bytes);
void fake_memory_release(unsigned char *bytes);

/* Whether so many bytes more are too many: the environment's FAKE_MEMORY says how many there may
 * be. */
bool fake_memory_is_short(size_t bytes);

/* Reports a misuse where memory after the end of one was written. */
void fake_memory_check(void);

/* Streams are numbered as they are made. */
enum { FAKE_STREAMS = 8 };

/* How much was enqueued on a stream until now, and on all of them. */
struct fake_mark {
    size_t stream;
    unsigned long count;
    unsigned long time;
};
struct fake_mark fake_mark(size_t stream);

/* Does so much; whether so much is done; has a stream wait for that. */
void fake_work_until(const struct fake_mark *mark);
bool fake_is_reached(const struct fake_mark *mark);
void fake_follow(size_t stream, const struct fake_mark *mark);

/* Does one more piece of work, as time passes. */
void fake_work_on(void);

/* Does nothing of what was enqueued. */
void fake_forget_work(void);

/* Whether these bytes lie in one piece of memory; the second: else it is a misuse. */
bool fake_memory_is(const unsigned char *at, size_t bytes);
bool fake_memory_has(const unsigned char *at, size_t bytes);

/* Each is done later; a launch's text and entry are borrowed, all else is copied, except `from`
 * where it is not staged. Launches are on stream 0. */
void fake_copy(size_t stream, void *to, const void *from, size_t bytes, bool is_staged);
void fake_fill(size_t stream, void *to, unsigned char value, size_t bytes);
void fake_launch(const struct fake_launch *launch);

/* How many words entry functions of a text take by value: their block, or its offset in the first
 * memory, if it is there. How many memories one of them takes; 0 if the function does not exist. */
bool fake_block_is_in_memory(const char *text);
size_t fake_words(const char *text);
size_t fake_memories(const char *text, const char *entry);

/* Whether an entry function has a parameter for local memory (OpenCL). */
bool fake_has_local(const char *text, const char *entry);

#endif
