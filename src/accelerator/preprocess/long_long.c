/* SPDX-License-Identifier: Apache-2.0
 *
 * `long long` for OpenCL C, whose compilers make it 128 bits wide: the text of a kernel is
 * rewritten with `long`, in place, before its macros are expanded. So macros may still make a
 * `long long` of their parts, and rewriting may change what is none; both are found by expanding
 * the text as it was and as it has become.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/lexer.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/status.h"

#include <stdint.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0)
            return true;
    return false;
}

static bool is_long(const char *word, size_t length)
{
    return length == 4 && memcmp(word, "long", 4) == 0;
}

/* Whether a type may have this word between its two longs. */
static bool may_stand_between(const char *word, size_t length)
{
    static const char *const words[] = {
        "unsigned",    "signed",        "__signed__", "int",     "const",      "__const",
        "__const__",   "volatile",      "__volatile", "typedef", "static",     "__volatile__",
        "extern",      "register",      "auto",       "inline",  "__inline",   "__inline__",
        "REAP_GLOBAL", "REAP_LOCAL",    "__global",   "__local", "__constant", "__private",
        "_Noreturn",   "REAP_CONSTANT", NULL};
    return is_one_of(word, length, words);
}

/* ---- Rewriting --------------------------------------------------------------------------------*/

struct rewriter {
    char *at;
    bool has_long;        /* the words so far are of a type that has a long */
    bool begins_line;     /* only blanks precede in the line */
    bool is_in_directive; /* which has words of its own: */
    bool had_long;        /* has_long before it */
    bool is_pasted;       /* after ## */
};

/* The newline that ends the line at `at`, or the end of the text. */
static char *end_of_line(char *at)
{
    char *end = at + strcspn(at, "\n");
    while (*end != '\0') {
        char *last = end;
        while (last > at && strchr(" \t\f\v\r", last[-1]) != NULL)
            last--;
        if (last == at || last[-1] != '\\')
            break;
        end += 1 + strcspn(end + 1, "\n");
    }
    return end;
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
    if (at[1] == '/')
        return end_of_line(at);
    char *end = strstr(at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen(at);
}

/* Removes one of two equal L from the text up to `end`, whose last character becomes a blank. */
static void shorten(char *begin, char *end)
{
    for (char *at = begin; at + 1 < end; at++)
        if ((at[0] == 'L' && at[1] == 'L') || (at[0] == 'l' && at[1] == 'l')) {
            memmove(at + 1, at + 2, (size_t)(end - at - 2));
            end[-1] = ' ';
        }
}

static char *past_number(char *at)
{
    while (is_digit(*at) || *at == '.' || reap__identifier_length(at) > 0 ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]) != NULL))
        at++;
    return at;
}

static bool is_suffix(const char *word, size_t length)
{
    static const char *const suffixes[] = {"LL",  "ll",  "ULL", "uLL", "Ull", "ull",
                                           "LLU", "LLu", "llU", "llu", NULL};
    return is_one_of(word, length, suffixes);
}

static void take_word(struct rewriter *rewriter, size_t length)
{
    char *const at = rewriter->at;
    const bool is_another = is_long(at, length);
    if (is_another && rewriter->has_long)
        memset(at, ' ', length);
    if (rewriter->is_pasted && is_suffix(at, length))
        shorten(at, at + length);
    rewriter->has_long = is_another || (rewriter->has_long && may_stand_between(at, length));
    rewriter->at += length;
}

static void begin_directive(struct rewriter *rewriter)
{
    char *word = reap__skip_blanks(rewriter->at);
    /* What precedes #if, #else and #endif does not always precede what follows them. */
    rewriter->had_long =
        rewriter->has_long && word[0] != 'e' && !(word[0] == 'i' && word[1] == 'f');
    rewriter->has_long = false;
    rewriter->is_in_directive = true;
}

static void end_line(struct rewriter *rewriter)
{
    if (rewriter->is_in_directive)
        rewriter->has_long = rewriter->had_long;
    rewriter->is_in_directive = false;
    rewriter->begins_line = true;
    rewriter->at++;
}

/* Takes a number, a literal or punctuation. */
static void take_other(struct rewriter *rewriter)
{
    char *const at = rewriter->at;
    const size_t pair = at[0] == '%' && at[1] == ':' ? 2 : *at == '#';
    rewriter->has_long = false;
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        rewriter->at = past_number(at);
        shorten(at, rewriter->at);
    } else if (*at == '"' || *at == '\'') {
        rewriter->at = past_literal(at);
    } else {
        rewriter->at += pair > 0 ? pair : 1;
        rewriter->is_pasted = pair > 0 && strncmp(at, at + pair, pair) == 0;
        rewriter->at += rewriter->is_pasted ? pair : 0;
        return;
    }
    rewriter->is_pasted = false;
}

static bool opens_directive(const struct rewriter *rewriter)
{
    return rewriter->begins_line &&
           (*rewriter->at == '#' || (rewriter->at[0] == '%' && rewriter->at[1] == ':'));
}

/* Takes blanks, a line's end or a comment. */
static bool take_space(struct rewriter *rewriter)
{
    char *const at = rewriter->at;
    if (*at == '\\') {
        char *end = end_of_line(at);
        char *blanks = at + 1 + strspn(at + 1, " \t\f\v\r");
        rewriter->at = *blanks == '\n' && end != blanks ? blanks + 1 : at + 1;
    } else if (*at == '\n') {
        end_line(rewriter);
    } else if (strchr(" \t\f\v\r", *at) != NULL) {
        rewriter->at++;
    } else if (*at == '/' && (at[1] == '/' || at[1] == '*')) {
        rewriter->at = past_comment(at);
    } else {
        return false;
    }
    return true;
}

void reap__rewrite_long_long(char *text)
{
    struct rewriter rewriter = {.at = text, .begins_line = true};
    while (*rewriter.at != '\0') {
        if (take_space(&rewriter))
            continue;
        const size_t length = reap__identifier_length(rewriter.at);
        if (opens_directive(&rewriter)) {
            rewriter.at += *rewriter.at == '#' ? 1 : 2;
            begin_directive(&rewriter);
        } else if (length > 0) {
            take_word(&rewriter, length);
            rewriter.is_pasted = false;
        } else {
            take_other(&rewriter);
        }
        rewriter.begins_line = false;
    }
}

/* ---- Checking ---------------------------------------------------------------------------------*/

static const char *characters(const struct reap__tokens *tokens, size_t t)
{
    return tokens->characters.bytes + reap__tokens_list(tokens)[t].begin;
}

static bool is_number(const struct reap__tokens *tokens, size_t t)
{
    const char *at = characters(tokens, t);
    return is_digit(at[0]) || (at[0] == '.' && is_digit(at[1]));
}

/* The length of a number without an L that `long long` has and `long` has not. */
static size_t suffix_at(const char *at, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if ((at[i] == 'L' && at[i + 1] == 'L') || (at[i] == 'l' && at[i + 1] == 'l'))
            return i;
    return length;
}

/* Whether the token, or what a `long` makes of a number of long long, is the other text's token. */
static bool is_rewritten(const struct reap__tokens *before, size_t b,
                         const struct reap__tokens *after, size_t a)
{
    const char *from = characters(before, b), *to = characters(after, a);
    const size_t length = reap__tokens_list(before)[b].length;
    const size_t got = reap__tokens_list(after)[a].length;
    const size_t cut = is_number(before, b) ? suffix_at(from, length) : length;
    if (cut == length)
        return got == length && memcmp(from, to, length) == 0;
    return got + 1 == length && memcmp(from, to, cut + 1) == 0 &&
           memcmp(from + cut + 2, to + cut + 1, length - cut - 2) == 0;
}

/* Whether the parentheses at t belong to a word that may be between two longs. */
static bool is_attribute(const struct reap__tokens *tokens, size_t t)
{
    static const char *const words[] = {"_Alignas", "alignas", "__attribute__", "__attribute",
                                        NULL};
    return t > 0 && reap__token_is(tokens, t, "(") && reap__token_is_any(tokens, t - 1, words);
}

/* The first token that makes a `long long`, or is a number of that type; the number of tokens:
 * there is none. */
static size_t find_long_long(const struct reap__tokens *tokens)
{
    const size_t count = reap__tokens_count(tokens);
    bool has_long = false;
    for (size_t t = 0; t < count; t++) {
        const size_t length = reap__tokens_list(tokens)[t].length;
        const bool is_another = is_long(characters(tokens, t), length);
        if (is_another && has_long)
            return t;
        if (is_number(tokens, t) && suffix_at(characters(tokens, t), length) < length)
            return t;
        if (is_attribute(tokens, t))
            t = reap__token_past_brackets(tokens, t) - 1;
        else
            has_long = is_another || (has_long && reap__token_is_word(tokens, t));
    }
    return count;
}

/* The first token of which rewriting has made something else than its `long`; the number of tokens:
 * there is none. */
static size_t find_difference(const struct reap__tokens *before, const struct reap__tokens *after)
{
    const size_t count = reap__tokens_count(before), others = reap__tokens_count(after);
    bool has_long = false;
    size_t a = 0;
    for (size_t b = 0; b < count; b++) {
        const char *word = characters(before, b);
        const size_t length = reap__tokens_list(before)[b].length;
        const bool is_another = is_long(word, length);
        if (is_another && has_long)
            continue;
        if (a == others || !is_rewritten(before, b, after, a))
            return b;
        has_long = is_another || (has_long && may_stand_between(word, length));
        a++;
    }
    return a == others ? count : count - (count > 0);
}

static reap_status refuse(const struct reap_kernel *kernel, const struct reap__tokens *tokens,
                          size_t t)
{
    const struct reap__token *token = &reap__tokens_list(tokens)[t];
    return reap__fail(
        REAP_ERROR_COMPILATION_FAILED,
        "kernel '%s': %s:%u: macros put together a `long long`, a number that ends in "
        "LL, or a name that ends so: for OpenCL, where it has 128 bits, write int64_t, "
        "uint64_t, INT64_C(1) or UINT64_C(1) there (docs/kernels.md)",
        kernel->name, tokens->characters.bytes + token->file, token->line);
}

reap_status reap__long_long_check(const struct reap_kernel *kernel, const char *text,
                                  const struct reap__tokens *tokens)
{
    struct reap__string changed = {0};
    struct reap__tokens after = {0};
    reap_status status = REAP_OK;
    reap__string_add(&changed, text);
    if (!changed.failed) {
        reap__rewrite_long_long(changed.bytes);
        reap__tokens_read(changed.bytes, NULL, &after);
    }
    if (changed.failed || after.characters.failed || after.list.failed) {
        status = reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                            kernel->name);
    } else if (!tokens->is_incomplete && !after.is_incomplete) {
        const size_t left = find_long_long(&after);
        const size_t wrong = find_difference(tokens, &after);
        if (left < reap__tokens_count(&after))
            status = refuse(kernel, &after, left);
        else if (wrong < reap__tokens_count(tokens))
            status = refuse(kernel, tokens, wrong);
    }
    reap__tokens_release(&after);
    reap__string_release(&changed);
    return status;
}
