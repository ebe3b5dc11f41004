/* SPDX-License-Identifier: Apache-2.0
 *
 * On x86-64 and aarch64 the control register, elsewhere the C library's default environment, which
 * takes its -lm. (On aarch64 that one would also leave alone what NaNs and half numbers are.)
 */
#include "src/port/fp_environment.h"

#if defined(__x86_64__)

#include <xmmintrin.h>

enum {
    DEFAULT_CONTROL = 0x1f80, /* all exceptions masked, round to nearest, no flushing */
    EXCEPTION_FLAGS = 0x3f,   /* raised by any arithmetic; they add up as they do without us */
};

static uint64_t get_control(void)
{
    return _mm_getcsr();
}

static void set_control(uint64_t control)
{
    _mm_setcsr((unsigned)control);
}

#elif defined(__aarch64__)

enum {
    DEFAULT_CONTROL = 0, /* FPCR: no traps, round to nearest, no flushing, all as in IEEE 754 */
    EXCEPTION_FLAGS = 0, /* they have a register of their own */
};

static uint64_t get_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void set_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

static int is_default(uint64_t control)
{
    return (control & ~(uint64_t)EXCEPTION_FLAGS) == DEFAULT_CONTROL;
}

reap__fp_environment reap__fp_enter(void)
{
    const uint64_t before = get_control();
    if (!is_default(before))
        set_control(DEFAULT_CONTROL);
    return before;
}

void reap__fp_leave(reap__fp_environment before)
{
    if (!is_default(before))
        set_control(before);
}

#else

reap__fp_environment reap__fp_enter(void)
{
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

void reap__fp_leave(reap__fp_environment before)
{
    fesetenv(&before);
}

#endif
