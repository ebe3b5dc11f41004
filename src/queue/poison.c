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
    reap_event *event; /* held, as the next: of the command that writes the buffer */
    reap_event *root;  /* of the one that failed at first, for which this one did not run */
    bool is_variable;  /* it only reduces into the buffer */
    char name[];       /* of the root's command */
};

/* Represents origins that could not be noted for lack of memory. */
static const struct reap__poison lost;

/* NULL: unified shared memory. */
static reap_buffer *buffer_of(const struct reap__wait_entry *entry)
{
    reap_buffer *buffer;
    memcpy(&buffer, &entry->resource, sizeof buffer);
    return buffer->device == NULL ? buffer : NULL;
}

static bool has_failed(const struct reap__poison *origin)
{
    return reap__event_has_ended(origin->event) && origin->event->status != REAP_OK;
}

static bool is_told(const struct reap__poison *origin, size_t reports)
{
    return has_failed(origin) && reap__error_report_precedes(origin->event->report, reports);
}

/* ---- Before a command -------------------------------------------------------------------------*/

/* Reductions go on where others may fail, or have, in a way that leaves variables as they were. */
static bool matters(const struct reap__poison *origin, enum reap__need need)
{
    return need == REAP__NEEDS_CONTENTS || !origin->is_variable ||
           (has_failed(origin) && origin->event->status == REAP_ERROR_DEVICE_FAILED);
}

static bool fails(const struct reap__poison *origin, size_t reports, bool beside)
{
    const reap_status status = beside ? reap__event_poll_result(origin->event, false)
                                      : reap__event_wait_result(origin->event, false);
    return status != REAP_OK && !is_told(origin, reports);
}

const struct reap__poison *reap__poison_settle(const struct reap__accessed *accessed, bool beside)
{
    for (size_t p = 0; p < accessed->count; p++) {
        const enum reap__need need = accessed->entries[p].need;
        const reap_buffer *buffer =
            need != REAP__NEEDS_NOTHING ? buffer_of(&accessed->entries[p]) : NULL;
        if (buffer == NULL)
            continue;
        for (const struct reap__poison *origin = buffer->poison; origin != NULL;
             origin = origin->next)
            if (matters(origin, need) && fails(origin, accessed->reports, beside))
                return origin;
        if (buffer->has_lost_poison)
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

static void release(struct reap__poison *origin)
{
    reap_event_release(origin->event);
    reap_event_release(origin->root);
    reap__free(origin);
}

/* Drops origins that no longer matter. Later commands of the wait list were launched after the
 * program received their errors. */
static void sweep(reap_buffer *buffer, size_t reports)
{
    for (struct reap__poison **at = &buffer->poison, *origin; (origin = *at) != NULL;) {
        const bool is_done = reap__event_has_ended(origin->event) && !has_failed(origin);
        if (is_done || is_told(origin, reports)) {
            *at = origin->next;
            release(origin);
        } else {
            at = &origin->next;
        }
    }
}

void reap__poison_clear(reap_buffer *buffer)
{
    for (struct reap__poison *origin; (origin = buffer->poison) != NULL;) {
        buffer->poison = origin->next;
        release(origin);
    }
    buffer->has_lost_poison = false;
}

/* Whether the buffer has an origin with the same error report, which makes another one redundant.
 */
static bool is_noted(const reap_buffer *buffer, const reap_event *event, bool is_variable)
{
    for (const struct reap__poison *origin = buffer->poison; origin != NULL; origin = origin->next)
        if (has_failed(origin) && origin->event->report == event->report &&
            (!origin->is_variable || is_variable) &&
            (origin->event->status == REAP_ERROR_DEVICE_FAILED ||
             event->status != REAP_ERROR_DEVICE_FAILED))
            return true;
    return false;
}

static void wait_if_many(const reap_buffer *buffer)
{
    size_t uncertain = 0;
    for (const struct reap__poison *origin = buffer->poison; origin != NULL; origin = origin->next)
        uncertain += !reap__event_has_ended(origin->event);
    for (const struct reap__poison *origin = buffer->poison;
         origin != NULL && uncertain >= MOST_UNCERTAIN; origin = origin->next)
        reap__event_wait_end(origin->event);
}

/* Without memory: what may fail is waited for. */
static void note_loss(reap_buffer *buffer, const struct reap__failed_command *outcome)
{
    if (outcome->status != REAP_OK || reap__event_wait_end(outcome->event) != REAP_OK)
        buffer->has_lost_poison = true;
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
        note_loss(buffer, outcome);
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
        if (buffer == NULL || (buffer->poison == NULL && !buffer->has_lost_poison))
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
