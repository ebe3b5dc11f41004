/* SPDX-License-Identifier: Apache-2.0
 *
 * The thread's floating-point control: one library that was linked with -ffast-math makes every
 * thread of the process flush denormals, and a caller may have changed the rounding.
 */
#ifndef REAP_PORT_FP_ENVIRONMENT_H
#define REAP_PORT_FP_ENVIRONMENT_H

#include <fenv.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__aarch64__)
typedef uint64_t reap__fp_environment;
#else
typedef fenv_t reap__fp_environment;
#endif

/* Sets round to nearest, denormals kept, no traps; gives what was set before. */
reap__fp_environment reap__fp_enter(void);

/* Sets what was set before. */
void reap__fp_leave(reap__fp_environment before);

#endif
