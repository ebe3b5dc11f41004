/* SPDX-License-Identifier: Apache-2.0
 *
 * Tellings are numbered, so that a command that was launched before one does not count as told,
 * though it runs after it.
 */
#include "src/queue/error_report.h"

#include "src/core/allocate.h"

/* Who has returned from a wait sees its number (release, acquire), and so does whoever that thread
 * has let know. */
static atomic_size_t reports;

size_t reap__error_report_count(void)
{
    return atomic_load_explicit(&reports, memory_order_acquire);
}

struct reap__error_report *reap__error_report_create(void)
{
    struct reap__error_report *made = reap__allocate(sizeof *made);
    if (made == NULL)
        return NULL;
    atomic_init(&made->references, 1);
    atomic_init(&made->number, 0);
    return made;
}

struct reap__error_report *reap__error_report_retain(struct reap__error_report *report)
{
    if (report != NULL)
        atomic_fetch_add_explicit(&report->references, 1, memory_order_relaxed);
    return report;
}

void reap__error_report_deliver(struct reap__error_report *report)
{
    const size_t number = atomic_fetch_add_explicit(&reports, 1, memory_order_acq_rel) + 1;
    atomic_store_explicit(&report->number, number, memory_order_release);
}

bool reap__error_report_precedes(const struct reap__error_report *report, size_t count)
{
    const size_t number =
        report != NULL ? atomic_load_explicit(&report->number, memory_order_acquire) : 0;
    return number != 0 && number <= count;
}

void reap__error_report_release(struct reap__error_report *report)
{
    if (report != NULL &&
        atomic_fetch_sub_explicit(&report->references, 1, memory_order_acq_rel) == 1)
        reap__free(report);
}
