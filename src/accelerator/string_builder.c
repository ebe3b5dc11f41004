/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing by doubling, so that appending costs the same on average however long a text becomes.
 */
#include "src/accelerator/string_builder.h"

#include "src/core/allocate.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

/* Grows the memory for `length` more bytes and a zero byte. */
static bool grow(struct reap__string *text, size_t length)
{
    if (text->failed || length >= SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
    while (capacity < text->length + length + 1)
        capacity *= 2;
    if (capacity == text->capacity)
        return true;
    char *bytes = (char *)reap__allocate(capacity);
    text->failed = bytes == NULL;
    if (text->failed)
        return false;
    if (text->length > 0)
        memcpy(bytes, text->bytes, text->length);
    bytes[text->length] = '\0';
    reap__free(text->bytes);
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void reap__string_append(struct reap__string *text, const void *bytes, size_t length)
{
    if (!grow(text, length))
        return;
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void reap__string_add(struct reap__string *text, const char *string)
{
    reap__string_append(text, string, strlen(string));
}

void reap__string_format(struct reap__string *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !grow(text, (size_t)length)) {
        text->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void reap__string_clear(struct reap__string *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

void reap__string_release(struct reap__string *text)
{
    reap__free(text->bytes);
    *text = (struct reap__string){0};
}
