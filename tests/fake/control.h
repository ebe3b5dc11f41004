/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test tells the fake drivers' libraries (cuda.c, nvrtc.c, opencl.c) and learns from them:
 * which call fails, what the driver says of itself, how often each function was called, what is
 * still alive. All of it is one plan for all libraries of a process, to be made and asked by one
 * thread at a time.
 * The libraries run no kernel: a launch calls the test's stand-in, on memory that is the host's.
 * The environment configures other programs than tests: FAKE_LOST_AT is the call at which the
 * device is lost, FAKE_MEMORY how many bytes a card may give, FAKE_SHARED_MEMORY how many bytes of
 * local memory a group may have.
 */
#ifndef TESTS_FAKE_CONTROL_H
#define TESTS_FAKE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

/* How a call fails. */
enum fake_fault {
    FAKE_FINE,
    FAKE_REFUSES,   /* this once, with an error that says little */
    FAKE_NO_MEMORY, /* this once */
    FAKE_LOST, /* the device is lost: all that was enqueued, and every later call that needs it */
    FAKE_LOST_LATER /* the same, but enqueuing goes on until something waits */
};

struct fake_plan {
    unsigned long failing_call; /* counted from 1 on in all libraries; 0: none */
    enum fake_fault fault;
    int cuda_version;           /* 0: 13000 */
    int nvrtc_major;            /* 0: 13 */
    const char *opencl_version; /* NULL: "OpenCL 3.0 Fake" */
    bool has_no_platform;
    bool has_no_device;
    const char *compiler_log; /* not NULL: nothing compiles, and this is why */
};

/* From here on. Counting starts again; NULL: nothing fails. The strings are borrowed. */
void fake_set_plan(const struct fake_plan *next);

/* How often any function was called since then, or the one of this name ("cuMemAlloc"); how often
 * one that waits for the device. */
unsigned long fake_calls(void);
unsigned long fake_calls_of(const char *name);
unsigned long fake_waits(void);

/* The name of the first call that failed; NULL: none has. */
const char *fake_failed_call(void);

/* What was made and not yet released. */
enum fake_kind {
    FAKE_MEMORY,
    FAKE_MODULE,
    FAKE_COMPILATION,
    FAKE_CONTEXT,
    FAKE_STREAM,
    FAKE_EVENT,
    FAKE_KINDS
};
long fake_alive(enum fake_kind kind);

/* What was done that no driver forgives: memory beyond its end, an unknown handle, a call without
 * a current context. Each says on stderr what it was. */
unsigned long fake_misuses(void);

/* A launch of a program that was "compiled" from that text; an emulated card has its code. */
struct fake_launch {
    const char *text;
    const void *code;
    const char *entry; /* the function's name */
    size_t groups;
    size_t threads;
    size_t local_bytes;
    const void *block;
    size_t block_bytes;
    unsigned char *const *memories;
    size_t memory_count;
};
void fake_set_stand_in(void (*next)(const struct fake_launch *launch));

#endif
