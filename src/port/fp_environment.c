/* SPDX-License-Identifier: Apache-2.0
 *
 * On x86-64 the SSE control register, elsewhere the C library's default environment (which on
 * aarch64 keeps denormals).
 */
#include "src/port/fp_environment.h"

#if defined(__x86_64__)

#include <xmmintrin.h>

enum {
    DEFAULT_CONTROL = 0x1f80, /* all exceptions masked, round to nearest, no flushing */
    EXCEPTION_FLAGS = 0x3f,   /* raised by any arithmetic; they add up as they do without us */
};

static int is_default(unsigned control)
{
    return (control & ~(unsigned)EXCEPTION_FLAGS) == DEFAULT_CONTROL;
}

reap__fp_environment reap__fp_enter(void)
{
    const unsigned before = _mm_getcsr();
    if (!is_default(before))
        _mm_setcsr(DEFAULT_CONTROL);
    return before;
}

void reap__fp_leave(reap__fp_environment before)
{
    if (!is_default(before))
        _mm_setcsr(before);
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
