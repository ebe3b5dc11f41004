/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for what the functions' names end with, and from there back to where the word begins, in
 * front of which a C++ compiler may have put something.
 */
#include "src/accelerator/preprocess/misplaced.h"

#include <stdio.h>
#include <string.h>

static bool is_of_word(char character)
{
    return character == '_' || (character >= 'a' && character <= 'z');
}

/* Where the word begins that ends here; NULL: it is none of Reap's. */
static const char *find_begin(const char *bytes, const char *end)
{
    static const char prefix[] = "reap_";
    const size_t length = sizeof prefix - 1;
    const char *found = NULL;
    for (const char *at = end; at > bytes && is_of_word(at[-1]);) {
        at--;
        if ((size_t)(end - at) > length && memcmp(at, prefix, length) == 0)
            found = at;
    }
    return found;
}

bool reap__misplaced_find(const char *bytes, size_t count, char *word, size_t room)
{
    static const char suffix[] = "_needs_a_kernel_with_work_groups";
    const size_t length = sizeof suffix - 1;
    const char *const end = bytes + count;
    for (const char *at = bytes; (size_t)(end - at) >= length; at++) {
        at = memchr(at, *suffix, (size_t)(end - at) - length + 1);
        if (at == NULL)
            return false;
        const char *begin = memcmp(at, suffix, length) == 0 ? find_begin(bytes, at) : NULL;
        if (begin == NULL)
            continue;
        snprintf(word, room, "%.*s", (int)(at - begin), begin);
        return true;
    }
    return false;
}
