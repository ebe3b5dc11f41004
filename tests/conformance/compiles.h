/* SPDX-License-Identifier: Apache-2.0
 *
 * Without a card: with REAP_TESTS_COMPILE in the environment, which names sm_80, sm_90 or both,
 * each launch of a test, which the host runs, is compiled by NVRTC as well for such cards (with
 * SHARE, for the first one), with the entry function that the launch would have there, once for
 * each text. Nothing of that is run. A text that does not compile ends the test, and its log is
 * printed.
 */
#ifndef TESTS_CONFORMANCE_COMPILES_H
#define TESTS_CONFORMANCE_COMPILES_H

#include <reap/launch.h>
#include <stdbool.h>

bool test_compiles(void);

/* Compiles what would be launched. Where NVRTC is missing it prints `skipped: nvrtc: reason` and
 * ends the test. What a card would refuse is left out. Any thread. */
void test_compile(const struct reap_kernel *kernel, const void *arguments);

#endif
