/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that grow: a text that is put together piece by piece, or an array of any one type. Where
 * memory runs out, `failed` stays set and later pieces are left out, so that the caller checks
 * once, at the end. All zero is empty; its owner releases it.
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

/* Empty again, with the memory that it has. */
void reap__string_clear(struct reap__string *text);
void reap__string_release(struct reap__string *text);

#endif
