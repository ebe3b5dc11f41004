/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets and restores the thread's floating-point control: one library that was linked with
 * -ffast-math makes every thread of the process flush denormals, and a caller may have changed the
 * rounding. On x86-64 and aarch64 this is the control register, which is written only if it
 * differs; on others the C library's default environment, which needs -lm. (On aarch64 that would
 * not reset the treatment of NaNs and of halves.) A compiler may move arithmetic across these
 * calls, so the arithmetic is in functions that are called by pointers.
 */
#ifndef REAP_PORT_FP_ENVIRONMENT_H
#define REAP_PORT_FP_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

enum {
    REAP__FP_DEFAULT = 0x1f80, /* all exceptions masked, round to nearest, no flushing */
    REAP__FP_FLAGS = 0x3f,     /* raised by any arithmetic; not cleared */
};

/* Reading takes a Zen 3 some 20 cycles, in parallel with other instructions: so call it early. */
static inline uint64_t reap__fp_get(void)
{
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    return control;
}

static inline void reap__fp_set(uint64_t control)
{
    const unsigned low = (unsigned)control;
    __asm__ volatile("ldmxcsr %0" : : "m"(low) : "memory");
}

#elif defined(__aarch64__)

enum {
    REAP__FP_DEFAULT = 0, /* FPCR: no traps, round to nearest, no flushing, all as in IEEE 754 */
    REAP__FP_FLAGS = 0,   /* in another register */
};

static inline uint64_t reap__fp_get(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static inline void reap__fp_set(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

#else

#include <fenv.h>

#endif

#if defined(__x86_64__) || defined(__aarch64__)

typedef uint64_t reap__fp_environment;

/* Returns the current control. */
static inline reap__fp_environment reap__fp_ask(void)
{
    return reap__fp_get();
}

static inline bool reap__fp_is_default(reap__fp_environment control)
{
    return (control & ~(uint64_t)REAP__FP_FLAGS) == REAP__FP_DEFAULT;
}

/* Sets round to nearest, denormals kept, no traps; `before` is the result of reap__fp_ask. */
static inline void reap__fp_enter_from(reap__fp_environment before)
{
    if (!reap__fp_is_default(before))
        reap__fp_set(REAP__FP_DEFAULT);
}

/* Restores the previous control. */
static inline void reap__fp_leave(reap__fp_environment before)
{
    if (!reap__fp_is_default(before))
        reap__fp_set(before);
}

#else

typedef fenv_t reap__fp_environment;

static inline reap__fp_environment reap__fp_ask(void)
{
    fenv_t now;
    fegetenv(&now);
    return now;
}

static inline void reap__fp_enter_from(reap__fp_environment before)
{
    (void)before;
    fesetenv(FE_DFL_ENV);
}

static inline void reap__fp_leave(reap__fp_environment before)
{
    fesetenv(&before);
}

#endif

/* Both of the above; returns the previous control. */
static inline reap__fp_environment reap__fp_enter(void)
{
    const reap__fp_environment before = reap__fp_ask();
    reap__fp_enter_from(before);
    return before;
}

#endif
