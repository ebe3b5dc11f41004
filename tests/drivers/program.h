/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that uses a device in every way, and checks all results: each call
 * returns the right answer, or fails with a line that can be read and has changed no variable.
 */
#ifndef TESTS_DRIVERS_PROGRAM_H
#define TESTS_DRIVERS_PROGRAM_H

#include <reap/reap.h>
#include <stdbool.h>

/* Its steps, which need not all be there. */
enum program_step {
    PROGRAM_SCALES = 1,
    PROGRAM_KEEPS = 2,
    PROGRAM_COUNTS = 4,
    PROGRAM_COMMITS = 8,
    PROGRAM_SPREADS = 16,
    PROGRAM_TURNS = 32,
    PROGRAM_WEIGHS = 64,
    PROGRAM_ASKS = 128,
    PROGRAM_RELEASES = 256,
    PROGRAM_SHARES = 512,
    PROGRAM_HALVES = 1024,
    PROGRAM_PICKS = 2048,
    PROGRAM_ALL = 4095
};

/* Whether everything went well. Where it did not, it ends early, with all that it made released;
 * *status is the first failure, and `line` what was said of it. */
struct program_failure {
    reap_status status;
    char line[1024];
};
bool program_run(reap_queue *queue, unsigned steps, struct program_failure *failure);

/* How many checks of the program have failed, which are not among the test's own. */
unsigned long program_mistakes(void);

/* One launch, that waits for nothing; its buffer, which must be there, and its variable. */
enum { PROGRAM_ITEMS = 70000 };
reap_status program_launch(reap_queue *queue, const uint32_t *from, uint64_t *sum, uint32_t *most,
                           uint64_t *where);
reap_status program_launch_with(const reap_launch_options *options, reap_queue *queue,
                                const uint32_t *from, uint64_t *sum, uint32_t *most,
                                uint64_t *where);

/* A launch that adds up so many rows of equal lengths. */
reap_status program_add_rows(const reap_launch_options *options, reap_queue *queue,
                             const uint32_t *from, uint64_t *sums, size_t rows);

/* Another launch: y[i]++ for each item, in groups of so many. */
reap_status program_step(reap_queue *queue, uint32_t *items, size_t group);

#endif
