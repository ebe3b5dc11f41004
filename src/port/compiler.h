/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of functions, and hints for branches, for the optimiser.
 */
#ifndef REAP_PORT_COMPILER_H
#define REAP_PORT_COMPILER_H

/* A function that is called rarely: it is not inlined, and its callers are optimised for the case
 * that they do not call it. */
#define REAP__RARE __attribute__((noinline, cold))

/* A condition that is seldom true. */
#define REAP__SELDOM(condition) __builtin_expect((condition), 0)

/* A function that is not inlined. It may be called often, but not on its caller's hot path. */
#define REAP__APART __attribute__((noinline))

#endif
