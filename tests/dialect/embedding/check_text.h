/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of embedding.sh check: a kernel's text is its file, byte for byte, and the
 * kernel computes what it should.
 */
#ifndef TESTS_DIALECT_EMBEDDING_CHECK_TEXT_H
#define TESTS_DIALECT_EMBEDDING_CHECK_TEXT_H

#include "tests/support/check.h"

#include <reap/reap.h>
#include <string.h>

enum { VALUE_COUNT = 5000 };

/* The values are 1, 1, ..., 1. */
static inline const int *values_of_one(void)
{
    static int values[VALUE_COUNT];
    for (int i = 0; i < VALUE_COUNT; i++)
        values[i] = 1;
    return values;
}

/* Whether the text is what the file at folder/name holds. */
static inline bool is_text_of(const char *text, const char *folder, const char *name)
{
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || text == NULL)
        return false;
    bool same = true;
    int c;
    while (same && (c = getc(file)) != EOF)
        same = (unsigned char)*text++ == c;
    same = same && strcmp(text, "\n\n\4") == 0;
    fclose(file);
    return same;
}

#endif
