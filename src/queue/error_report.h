/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program has been told that commands failed: one object for all failures of a queue
 * from one error that reap_queue_wait has returned to the next.
 */
#ifndef REAP_QUEUE_ERROR_REPORT_H
#define REAP_QUEUE_ERROR_REPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__error_report {
    atomic_uint references;
    atomic_size_t number; /* of all tellings; 0: it has not happened */
};

/* How many have happened. A command notes it when it takes its place in the order. */
size_t reap__error_report_count(void);

/* NULL: no memory, and nobody will be told. To be given back by reap__error_report_release. */
struct reap__error_report *reap__error_report_create(void);
struct reap__error_report *reap__error_report_retain(struct reap__error_report *report);

/* It happens now. */
void reap__error_report_deliver(struct reap__error_report *report);

/* Whether it was one of the first `count`. NULL: no. */
bool reap__error_report_precedes(const struct reap__error_report *report, size_t count);

/* NULL is fine. */
void reap__error_report_release(struct reap__error_report *report);

#endif
