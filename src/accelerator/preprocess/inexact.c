/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests for other arithmetic in a line of a kernel's text: pragmas, their operands as macros
 * have them, and gcc's attribute `optimize`. Compilers follow them in a part of the code, so that
 * the check of a kernel's compiled code (src/host/isa.c) does not show all of them. Lines are read
 * without macros expanded. What is not understood is a request.
 */
#include "src/accelerator/preprocess/preprocess.h"

#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

struct word {
    const char *at;
    size_t length; /* 0: the end of the line */
};

/* The first word from here on. */
static struct word word_from(const char *at)
{
    while (*at != '\0' && reap__identifier_length(at) == 0)
        at++;
    return (struct word){at, reap__identifier_length(at)};
}

static struct word word_after(struct word word)
{
    return word_from(word.at + word.length);
}

static bool is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.at, text, word.length) == 0;
}

static bool is_any(struct word word, const char *const *texts)
{
    while (*texts != NULL && !is(word, *texts))
        texts++;
    return *texts != NULL;
}

/* Whether it may be a pragma's word: what precedes it in the line is nothing, a bracket or comma,
 * as in a macro's operands, a quote, or `pragma`. */
static bool may_be_pragma(const char *line, struct word word)
{
    static const char pragma[] = "pragma";
    const char *at = word.at;
    while (at > line && strchr(" \t\v\f\r", at[-1]) != NULL)
        at--;
    if (at == line || strchr("(,\"", at[-1]) != NULL)
        return true;
    return at - line >= (ptrdiff_t)strlen(pragma) &&
           memcmp(at - strlen(pragma), pragma, strlen(pragma)) == 0;
}

static bool is_directive(const char *line)
{
    line += strspn(line, " \t\v\f\r");
    return *line == '#' || *line == '%';
}

/* Whether a macro's operands, which are pragmas' words up to `end`, may go on in the next line. */
static bool goes_on(const char *line, struct word first, const char *end)
{
    size_t opened = 0, closed = 0;
    for (const char *at = first.at; at < end; at++) {
        opened += *at == '(';
        closed += *at == ')';
    }
    return *end == '\0' && !is_directive(line) && closed <= opened;
}

/* Whether the options after `clang fp` turn something on; they end at a quote or a semicolon. */
static bool has_clang_option(const char *line, struct word word)
{
    static const char *const harmless[] = {"contract",   "reassociate", "reciprocal",
                                           "exceptions", "off",         "ignore",
                                           "maytrap",    "strict",      NULL};
    const struct word first = word;
    const char *end = word.at + strcspn(word.at, "\";");
    while (word.length > 0 && word.at < end && is_any(word, harmless))
        word = word_after(word);
    return (word.length > 0 && word.at < end) || goes_on(line, first, end);
}

/* Whether it is in the two brackets of an attribute. */
static bool is_in_attribute(const char *line, struct word word)
{
    const char *at = strstr(line, "__attribute");
    int depth = 0;
    for (; at != NULL && at < word.at; at++)
        depth += *at == '(' ? 1 : *at == ')' && depth > 0 ? -1 : 0;
    return depth >= 2;
}

/* Whether one of gcc's options after the word `optimize` concerns arithmetic. They are strings; at
 * the begin of the next line, or as macros, they are not known. */
static bool has_gcc_option(const char *line, struct word before, struct word word)
{
    static const char *const parts[] = {"math", "fast", "contract", "signed-zeros",
                                        "single-precision"};
    const char *begin = word.at + word.length, *at = begin + strspn(begin, " \t(\\");
    const bool is_open = memchr(begin, '(', (size_t)(at - begin)) != NULL;
    const char *end = at + strcspn(at, ")");
    if (*at != '"')
        return (*at < '0' || *at > '9') && (is(before, "GCC") || is_in_attribute(line, word));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *part = strstr(at, parts[i]);
        if (part != NULL && part < end)
            return true;
    }
    return is_open && *end == '\0';
}

const char *reap__inexact_find(const char *line)
{
    static const char *const languages[] = {"STDC", "OPENCL", NULL};
    static const char *const optimize[] = {"optimize", "__optimize__", NULL};
    struct word before = {line, 0};
    for (struct word word = word_from(line); word.length > 0; word = word_after(word)) {
        const struct word after = word_after(word);
        if (is_any(before, languages) && is(word, "FP_CONTRACT") && !is(after, "OFF"))
            return "FP_CONTRACT";
        if (is(before, "STDC") && is(word, "FENV_ROUND"))
            return "FENV_ROUND";
        if (is(before, "clang") && is(word, "fp") && has_clang_option(line, after))
            return "clang fp";
        const char *next = word.at + word.length + strspn(word.at + word.length, " \t\v\f\r");
        const bool is_cut = *next == '\0' && !is_directive(line);
        if (is(word, "float_control") && (*next == '(' || is_cut) && may_be_pragma(line, word))
            return "float_control";
        if (is_cut && (is_any(word, languages) || is(word, "clang")) && may_be_pragma(line, word))
            return "pragma";
        if (is_any(word, optimize) && !is(before, "clang") && has_gcc_option(line, before, word))
            return "optimize";
        before = word;
    }
    return NULL;
}
