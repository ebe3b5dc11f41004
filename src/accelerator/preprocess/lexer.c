/* SPDX-License-Identifier: Apache-2.0
 *
 * C's translation phases 2 and 3, as far as directives need them: lines are spliced, each comment
 * becomes a space, and literals are recognised. A literal that is not closed ends with its line, as
 * compilers read it in text that they skip.
 */
#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

/* Skips backslashes that end their lines. */
static const char *past_splices(const char *at)
{
    while (*at == '\\') {
        const char *end = at + 1;
        while (is_blank(*end))
            end++;
        if (*end != '\n')
            break;
        at = end + 1;
    }
    return at;
}

static const char *past_comment(const char *at)
{
    for (; *at != '\0'; at++)
        if (*at == '*' && *past_splices(at + 1) == '/')
            return past_splices(at + 1) + 1;
    return at;
}

static const char *past_line_comment(const char *at)
{
    for (at = past_splices(at); *at != '\0' && *at != '\n'; at = past_splices(at + 1))
        continue;
    return at;
}

/* Appends the literal that begins here with a quote; returns what follows it. */
static const char *past_literal(const char *at, struct reap__string *clean)
{
    const char quote = *at;
    reap__string_append(clean, at, 1);
    for (at = past_splices(at + 1); *at != '\0' && *at != '\n'; at = past_splices(at + 1)) {
        reap__string_append(clean, at, 1);
        if (*at == quote)
            return at + 1;
        const char *next = past_splices(at + 1);
        if (*at == '\\' && *next != '\0' && *next != '\n') {
            reap__string_append(clean, next, 1);
            at = next;
        }
    }
    return at;
}

/* Appends the token or character here, unless it is a newline; returns what follows. */
static const char *take(const char *at, struct reap__string *clean)
{
    const char *next = past_splices(at + 1);
    if (*at == '/' && (*next == '*' || *next == '/')) {
        reap__string_append(clean, " ", 1);
        return *next == '*' ? past_comment(next + 1) : past_line_comment(next + 1);
    }
    if (*at == '"' || *at == '\'')
        return past_literal(at, clean);
    reap__string_append(clean, at, 1);
    return at + 1;
}

static unsigned count_newlines(const char *begin, const char *end)
{
    unsigned count = 0;
    for (; begin < end; begin++)
        count += *begin == '\n';
    return count;
}

struct reap__lexer reap__lexer_start(const char *text, struct reap__string *scratch)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark, which may begin a file */
        text += 3;
    return (struct reap__lexer){.at = text, .line = 1, .scratch = scratch};
}

/* Whether a text ends here: REAP__TEXT_END, of which lines may have taken newlines, is left. */
static bool is_end(const char *at)
{
    for (size_t taken = 0; *at != '\0' && taken < sizeof REAP__TEXT_END - 1; taken++)
        if (strcmp(at, &REAP__TEXT_END[taken]) == 0)
            return true;
    return *at == '\0';
}

bool reap__lexer_next_line(struct reap__lexer *scanner, struct reap__line *line)
{
    if (is_end(scanner->at))
        return false;
    struct reap__string *clean = scanner->scratch;
    reap__string_clear(clean);
    const char *first = NULL; /* the first character that is neither blank nor in a comment */
    const char *at = past_splices(scanner->at);
    while (*at != '\0' && *at != '\n') {
        const char *next = take(at, clean);
        const bool is_space = clean->length > 0 && is_blank(clean->bytes[clean->length - 1]);
        if (first == NULL && !is_space)
            first = at;
        at = past_splices(next);
    }
    at += *at == '\n';

    *line = (struct reap__line){.begin = scanner->at, .end = at, .number = scanner->line};
    line->count = count_newlines(scanner->at, at);
    scanner->at = at;
    scanner->line += line->count;
    if (clean->failed || first == NULL)
        return true;
    char *text = reap__skip_blanks(clean->bytes);
    if (*text == '#')
        line->directive = text + 1;
    else if (text[0] == '%' && text[1] == ':')
        line->directive = text + 2;
    line->directive_number = line->number + count_newlines(line->begin, first);
    return true;
}

/* The first trigraph in [at, end); end: there is none. */
static const char *find_trigraph(const char *at, const char *end)
{
    while (at < end && (end - at < 3 || at[0] != '?' || at[1] != '?' || at[2] == '\0' ||
                        strchr("=/'()!<>-", at[2]) == NULL))
        at++;
    return at;
}

bool reap__line_has_trigraph(const struct reap__lexer *scanner, const struct reap__line *line)
{
    const struct reap__string *clean = scanner->scratch;
    if (clean->length > 0 &&
        find_trigraph(clean->bytes, clean->bytes + clean->length) < clean->bytes + clean->length)
        return true;
    for (const char *at = line->begin; (at = find_trigraph(at, line->end)) < line->end; at += 3) {
        const char *end = at + 3;
        while (end < line->end && is_blank(*end))
            end++;
        if (at[2] == '/' && end < line->end && *end == '\n')
            return true;
    }
    return false;
}

char *reap__skip_blanks(char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

size_t reap__identifier_length(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length]) || (length > 0 && is_digit(at[length])))
        length++;
    return length;
}
