/* SPDX-License-Identifier: Apache-2.0
 *
 * What compilers are told about functions, in their own words.
 */
#ifndef REAP_PORT_COMPILER_H
#define REAP_PORT_COMPILER_H

/* It is called in rare cases: it stays out of its callers, which are laid out, and spare registers,
 * as if it were not there. */
#define REAP__RARE __attribute__((noinline, cold))

/* A condition that seldom holds. */
#define REAP__SELDOM(condition) __builtin_expect((condition), 0)

/* It may be called often, but not where its caller is in a hurry. */
#define REAP__APART __attribute__((noinline))

#endif
