/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing array of bytes: a text, or an array of one type. If memory runs out, `failed` is set
 * and later appends do nothing, so the caller checks once, at the end. All zero is empty; the owner
 * releases it. Not thread-safe.
 */
#ifndef REAP_ACCELERATOR_STRING_BUILDER_H
#define REAP_ACCELERATOR_STRING_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

struct reap__string {
    char *bytes; /* with a zero byte after the last, aligned for any type; NULL while empty */
    size_t length;
    size_t capacity;
    bool failed;
};

void reap__string_append(struct reap__string *text, const void *bytes, size_t length);
void reap__string_add(struct reap__string *text, const char *string);
void reap__string_format(struct reap__string *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes it empty, and keeps its memory. */
void reap__string_clear(struct reap__string *text);
void reap__string_release(struct reap__string *text);

#endif
