/* SPDX-License-Identifier: Apache-2.0
 *
 * Compilers of OpenCL C that are made of clang have `long long`, of 128 bits. Comments, strings and
 * characters are left as they are; a suffix that a macro pastes to its digits is not seen.
 */
#include "src/accelerator/preprocess/long_long.h"

#include "src/accelerator/preprocess/lexer.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char *past_literal(char *at)
{
    const char quote = *at++;
    while (*at != '\0' && *at != '\n' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return at + (*at == quote);
}

static char *past_comment(char *at)
{
    char *end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
    if (end == NULL)
        return at + strlen(at);
    return at[1] == '/' ? end : end + 2;
}

/* Behind a number, whose suffix becomes a shorter one. */
static char *take_number(char *at)
{
    char *const begin = at;
    while (is_digit(*at) || *at == '.' || reap__identifier_length(at) > 0 ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]) != NULL))
        at++;
    for (char *suffix = begin; suffix + 1 < at; suffix++)
        if ((suffix[0] == 'L' && suffix[1] == 'L') || (suffix[0] == 'l' && suffix[1] == 'l')) {
            memmove(suffix + 1, suffix + 2, (size_t)(at - suffix - 2));
            at[-1] = ' ';
        }
    return at;
}

/* Whether a type may have this word between its two longs. */
static bool may_stand_between(const char *word, size_t length)
{
    static const char *const words[] = {"unsigned", "signed", "int", "const"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

/* Behind a word; `*is_long`: whether a type is open that has a long. */
static char *take_word(char *at, size_t length, bool *is_long)
{
    const bool is_another = length == 4 && memcmp(at, "long", 4) == 0;
    if (is_another && *is_long)
        memset(at, ' ', 4);
    *is_long = is_another || (*is_long && may_stand_between(at, length));
    return at + length;
}

void reap__rewrite_long_long(char *text)
{
    bool is_long = false;
    for (char *at = text; *at != '\0';) {
        const size_t length = reap__identifier_length(at);
        if (length > 0) {
            at = take_word(at, length, &is_long);
        } else if (strchr(" \t\n\f\v\r\\", *at) != NULL) {
            at++;
        } else if (*at == '/' && (at[1] == '/' || at[1] == '*')) {
            at = past_comment(at);
        } else {
            is_long = false;
            if (is_digit(*at) || (*at == '.' && is_digit(at[1])))
                at = take_number(at);
            else
                at = *at == '"' || *at == '\'' ? past_literal(at) : at + 1;
        }
    }
}
