/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer's list of events of commands that have failed or may fail; almost always empty. It stays
 * short: failures of one queue that the program receives together are noted once, and when there
 * are many commands that may fail, the library waits for them.
 *
 * A kernel does not declare which elements it leaves unwritten. So only a command that overwrites
 * the whole buffer restores it after a failure; or the program does, once it has received the
 * error.
 */
#include "src/queue/poison.h"

#include "src/core/allocate.h"
#include "src/queue/event.h"

#include <stdio.h>
#include <string.h>

enum { MOST_UNCERTAIN = 64 };

struct reap__poison {
    struct reap__poison *next;
    const reap_buffer *buffer;
    reap_event *event; /* retained: of the command that writes the buffer */
    reap_event
        *root; /* retained: of the first command that failed, for which this one did not run */
    bool is_variable; /* the command only reduces into the buffer */
    char name[];      /* of the root's command */
};

/* Represents poison that was not noted for lack of memory. A buffer has a place for one
 * failure, which is enough for all those of a queue. With another queue's, the buffer stays failed
 * until it is overwritten. */
static const struct reap__poison lost;

/* NULL: unified shared memory. */
static reap_buffer *buffer_of(const struct reap__wait_entry *entry)
{
    reap_buffer *buffer;
    memcpy(&buffer, &entry->resource, sizeof buffer);
    return buffer->device == NULL ? buffer : NULL;
}

static bool has_failed(const struct reap__poison *poison)
{
    return reap__event_has_ended(poison->event) && poison->event->status != REAP_OK;
}

static bool is_reported(const struct reap__poison *poison, size_t reports)
{
    return has_failed(poison) && reap__error_notice_precedes(&poison->event->notice, reports);
}

static bool is_lost_reported(const struct reap__lost_poison *it, size_t reports)
{
    return reap__error_notice_precedes(&(struct reap__error_notice){it->report, it->delivery},
                                       reports);
}

/* ---- Before a command -------------------------------------------------------------------------*/

/* A reduction into a variable need not wait for others that leave it unchanged if they fail. */
static bool matters(const struct reap__poison *poison, enum reap__need need)
{
    return need == REAP__NEEDS_CONTENTS || !poison->is_variable ||
           (has_failed(poison) && poison->event->status == REAP_ERROR_DEVICE_FAILED);
}

static bool fails(const struct reap__poison *poison, size_t reports, bool beside)
{
    const reap_status status = beside ? reap__event_poll_result(poison->event, false)
                                      : reap__event_wait_result(poison->event, false);
    return status != REAP_OK && !is_reported(poison, reports);
}

const struct reap__poison *reap__poison_settle(const struct reap__accessed *accessed, bool beside)
{
    for (size_t p = 0; p < accessed->count; p++) {
        const enum reap__need need = accessed->entries[p].need;
        const reap_buffer *buffer =
            need != REAP__NEEDS_NOTHING ? buffer_of(&accessed->entries[p]) : NULL;
        if (buffer == NULL)
            continue;
        for (const struct reap__poison *poison = buffer->poison; poison != NULL;
             poison = poison->next)
            if (matters(poison, need) && fails(poison, accessed->reports, beside))
                return poison;
        const struct reap__lost_poison *const it = &buffer->lost_poison;
        if (it->exists && (need == REAP__NEEDS_CONTENTS || it->concerns_variables) &&
            !is_lost_reported(it, accessed->reports))
            return &lost;
    }
    return NULL;
}

reap_status reap__poison_fail(const char *what, const struct reap__poison *cause)
{
    if (cause == &lost)
        return reap__fail(REAP_ERROR_DEPENDENCY_FAILED,
                          "%s, since a command on which the contents of a buffer depend failed, "
                          "and there was no memory to note which",
                          what);
    const struct reap__extent extent = cause->buffer->extent;
    return reap__fail(
        REAP_ERROR_DEPENDENCY_FAILED,
        "%s, since %s, on which the contents of the buffer of %zu bytes at %p depend, "
        "failed: %.500s",
        what, cause->name, (size_t)(extent.end - extent.begin), (const void *)extent.begin,
        reap__event_message(cause->root));
}

/* ---- After it ---------------------------------------------------------------------------------*/

static void release(struct reap__poison *poison)
{
    reap_event_release(poison->event);
    reap_event_release(poison->root);
    reap__free(poison);
}

static void drop_lost(reap_buffer *buffer)
{
    reap__error_report_release(buffer->lost_poison.report);
    buffer->lost_poison = (struct reap__lost_poison){.exists = false};
}

/* Drops poison that no longer matters. Later commands of the wait list were launched after the
 * program received their errors. */
static void sweep(reap_buffer *buffer, size_t reports)
{
    for (struct reap__poison **at = &buffer->poison, *poison; (poison = *at) != NULL;) {
        const bool is_done = reap__event_has_ended(poison->event) && !has_failed(poison);
        if (is_done || is_reported(poison, reports)) {
            *at = poison->next;
            release(poison);
        } else {
            at = &poison->next;
        }
    }
    if (is_lost_reported(&buffer->lost_poison, reports))
        drop_lost(buffer);
}

void reap__poison_clear(reap_buffer *buffer)
{
    for (struct reap__poison *poison; (poison = buffer->poison) != NULL;) {
        buffer->poison = poison->next;
        release(poison);
    }
    drop_lost(buffer);
}

static bool is_same(const struct reap__error_notice *a, const struct reap__error_notice *b)
{
    return a->report != NULL && a->report == b->report && a->delivery == b->delivery;
}

/* Whether the buffer has poison whose error the program receives at the same time, which makes
 * another one redundant. */
static bool is_noted(const reap_buffer *buffer, const reap_event *event, bool is_variable)
{
    for (const struct reap__poison *poison = buffer->poison; poison != NULL; poison = poison->next)
        if (has_failed(poison) && is_same(&poison->event->notice, &event->notice) &&
            (!poison->is_variable || is_variable) &&
            (poison->event->status == REAP_ERROR_DEVICE_FAILED ||
             event->status != REAP_ERROR_DEVICE_FAILED))
            return true;
    return false;
}

static void wait_if_many(const reap_buffer *buffer)
{
    size_t uncertain = 0;
    for (const struct reap__poison *poison = buffer->poison; poison != NULL; poison = poison->next)
        uncertain += !reap__event_has_ended(poison->event);
    for (const struct reap__poison *poison = buffer->poison;
         poison != NULL && uncertain >= MOST_UNCERTAIN; poison = poison->next)
        reap__event_wait_end(poison->event);
}

/* Without memory: what may fail is waited for. */
static void note_loss(reap_buffer *buffer, bool is_variable,
                      const struct reap__failed_command *outcome)
{
    struct reap__lost_poison *const it = &buffer->lost_poison;
    struct reap__error_notice notice = outcome->notice;
    reap_status status = outcome->status;
    if (status == REAP_OK && outcome->event != NULL) {
        status = reap__event_wait_end(outcome->event);
        notice = outcome->event->notice;
    }
    if (status == REAP_OK)
        return;
    it->concerns_variables |= !is_variable || status == REAP_ERROR_DEVICE_FAILED;
    if (!it->exists) {
        it->report = reap__error_report_retain(notice.report);
    } else if (it->report != notice.report) {
        reap__error_report_release(it->report);
        it->report = NULL;
    }
    if (!it->exists || it->delivery < notice.delivery)
        it->delivery = notice.delivery;
    it->exists = true;
}

static void add(reap_buffer *buffer, bool is_variable, const struct reap__failed_command *outcome)
{
    const struct reap__poison *cause = outcome->cause != &lost ? outcome->cause : NULL;
    const char *name = cause != NULL ? cause->name : outcome->command;
    reap_event *const event = outcome->event;
    if (event != NULL && outcome->status != REAP_OK && is_noted(buffer, event, is_variable))
        return;
    const size_t name_bytes = strlen(name) + 1;
    struct reap__poison *made = event != NULL ? reap__allocate(sizeof *made + name_bytes) : NULL;
    if (made == NULL) {
        note_loss(buffer, is_variable, outcome);
        return;
    }
    *made = (struct reap__poison){
        .next = buffer->poison,
        .buffer = buffer,
        .event = event,
        .root = cause != NULL ? cause->root : event,
        .is_variable = is_variable,
    };
    memcpy(made->name, name, name_bytes);
    reap__event_retain(made->event);
    reap__event_retain(made->root);
    buffer->poison = made;
}

/* The entry's buffer, if the command writes it; otherwise NULL. */
static reap_buffer *written(const struct reap__wait_entry *entry)
{
    return entry->writes ? buffer_of(entry) : NULL;
}

bool reap__poison_concerns(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++)
        if (written(&accessed->entries[p]) != NULL)
            return true;
    return false;
}

void reap__poison_sweep(const struct reap__accessed *accessed)
{
    for (size_t p = 0; p < accessed->count; p++) {
        reap_buffer *buffer = written(&accessed->entries[p]);
        if (buffer == NULL || (buffer->poison == NULL && !buffer->lost_poison.exists))
            continue;
        if (accessed->entries[p].need == REAP__NEEDS_NOTHING)
            reap__poison_clear(buffer);
        sweep(buffer, accessed->reports);
    }
}

void reap__poison_add(const struct reap__accessed *accessed,
                      const struct reap__failed_command *outcome)
{
    for (size_t p = 0; p < accessed->count; p++) {
        reap_buffer *buffer = written(&accessed->entries[p]);
        if (buffer == NULL)
            continue;
        wait_if_many(buffer);
        sweep(buffer, accessed->reports);
        add(buffer, accessed->entries[p].need == REAP__NEEDS_VARIABLES, outcome);
    }
}
