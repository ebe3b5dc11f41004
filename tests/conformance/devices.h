/* SPDX-License-Identifier: Apache-2.0
 *
 * The same tests on the device that REAP_DEVICE names. On a device with memory of its own an array
 * must lie in a buffer, so a launch here lends it the memory that the test has the array in: what
 * test_allocate gave, or what TEST_SHARE names. Which results the host alone can give, or what it
 * alone refuses, a test leaves out there, and says so. Nothing of this is at work on the host.
 */
#ifndef TESTS_CONFORMANCE_DEVICES_H
#define TESTS_CONFORMANCE_DEVICES_H

#include "tests/support/memory.h"

#include <reap/reap.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the device is another than the host. */
bool test_on_device(void);

/* Whether this is `make check` (SHARE), where tests take some of many cases. */
bool test_samples(void);

/* Whether REAP_TESTS_FEW asks for few inputs; and whether of the largest of these some are to run,
 * which the seed chooses: on a device in `make check` (SHARE). */
bool test_few(void);
bool test_draws_large(void);

/* Whether a test's part of that name is to run: the variable ONLY has names with commas between
 * them, PART (2/4) asks for the second of every four in the order in which they come here; without
 * these everything runs. */
bool test_wants(const char *name);

/* On a device: prints `skipped: NAME: reason`, and true. */
bool test_skips(const char *name, const char *reason);

/* Makes memory known, until other memory replaces it; returns it. */
void *test_note(void *memory, size_t bytes);

/* Where the memory begins that a test has noted; where it has not, the array itself. */
const void *test_find(const void *array);

/* reap_launch; on a device with the arrays' memory in buffers, which end with the command. */
reap_status test_launch(reap_queue *queue, const struct reap_kernel *kernel, const void *arguments);

#define reap_launch(...) test_launch(__VA_ARGS__)
#define test_allocate(bytes) test_note(test_allocate(bytes), bytes)
#define TEST_SHARE(array) ((void)test_note((void *)(array), sizeof(array)))

#endif
