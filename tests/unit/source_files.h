/* SPDX-License-Identifier: Apache-2.0
 *
 * A program made by hand: a kernel in a file, and other files and macros that its text may need.
 */
#ifndef TESTS_UNIT_SOURCE_FILES_H
#define TESTS_UNIT_SOURCE_FILES_H

#include "src/accelerator/preprocess/lexer.h"

#include <reap/detail/kernel_table.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 6 };
static const char *texts[MOST_FILES];

static const char *text_0(void)
{
    return texts[0];
}

static const char *text_1(void)
{
    return texts[1];
}

static const char *text_2(void)
{
    return texts[2];
}

static const char *text_3(void)
{
    return texts[3];
}

static const char *text_4(void)
{
    return texts[4];
}

static const char *text_5(void)
{
    return texts[5];
}

static const char *(*const functions[MOST_FILES])(void) = {text_0, text_1, text_2,
                                                           text_3, text_4, text_5};
static struct reap__source sources[MOST_FILES];
static const struct reap__source *entries[MOST_FILES];
static size_t count;
static struct reap_kernel kernel;

/* A copy of a text with what an embedded file ends in. Copies stay, so that no two have the same
 * address. */
static inline const char *end_text(const char *text)
{
    static struct copy {
        struct copy *next;
        char text[];
    } * copies;
    if (text == NULL)
        return NULL;
    const size_t length = strlen(text);
    struct copy *copy = malloc(sizeof *copy + length + sizeof REAP__TEXT_END);
    if (copy == NULL)
        abort();
    memcpy(copy->text, text, length);
    memcpy(copy->text + length, REAP__TEXT_END, sizeof REAP__TEXT_END);
    copy->next = copies;
    copies = copy;
    return copy->text;
}

/* A new program, with a kernel in this file. */
static inline void begin(const char *file, const char *text)
{
    texts[0] = end_text(text);
    count = 1;
    kernel = (struct reap_kernel){
        .name = "k", .file = file, .text = text_0, .sources = entries, .sources_end = entries};
}

static inline void put(const char *name, const char *text, const char *value)
{
    texts[count] = end_text(text);
    sources[count] = (struct reap__source){name, text != NULL ? functions[count] : NULL, value};
    entries[count - 1] = &sources[count];
    kernel.sources_end = entries + count++;
}

static inline void put_file(const char *name, const char *text)
{
    put(name, text, NULL);
}

static inline void put_macro(const char *name, const char *value)
{
    put(name, NULL, value);
}

#endif
