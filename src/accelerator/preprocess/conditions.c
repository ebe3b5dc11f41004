/* SPDX-License-Identifier: Apache-2.0
 *
 * A reader by recursive descent for what it knows; an operand that is more than that, a comparison
 * say, is skipped as a whole and may be anything.
 */
#include "src/accelerator/preprocess/conditions.h"

#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

/* How deep parentheses and ! are followed. */
enum { MOST_DEPTH = 50 };

struct reader {
    const struct reap__macros *macros;
    const char *text;
    char *at;
    unsigned depth;
};

static enum reap__answer read_or(struct reader *reader);

/* Behind the string or character here. */
static char *past_literal(char *at)
{
    const char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static char *past_number(char *at)
{
    while ((*at >= '0' && *at <= '9') || *at == '.' || reap__identifier_length(at) > 0)
        at++;
    return at;
}

static bool is_word(const char *at, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(at, expected, length) == 0;
}

/* Whether an operand of && or || ends here. */
static bool ends_operand(const char *at)
{
    return *at == '\0' || *at == ')' || strncmp(at, "&&", 2) == 0 || strncmp(at, "||", 2) == 0;
}

/* Behind the operand that begins or goes on here. */
static char *past_operand(char *at)
{
    for (size_t open = 0; *at != '\0' && (open > 0 || !ends_operand(at));) {
        open += *at == '(';
        open -= *at == ')';
        at = *at == '"' || *at == '\'' ? past_literal(at) : at + 1;
    }
    return at;
}

/* Behind the parentheses that open here. */
static char *past_parentheses(char *at)
{
    at = past_operand(at + 1);
    while (*at != '\0' && *at != ')')
        at = past_operand(at + 2);
    return *at == ')' ? at + 1 : at;
}

/* What stands behind `defined`: the name's length, and where it ends. */
static size_t read_name(char **at, const char **name)
{
    char *here = reap__skip_blanks(*at);
    const bool is_open = *here == '(';
    here = is_open ? reap__skip_blanks(here + 1) : here;
    const size_t length = reap__identifier_length(here);
    *name = here;
    here += length;
    if (is_open && *reap__skip_blanks(here) == ')')
        here = reap__skip_blanks(here) + 1;
    *at = here;
    return length;
}

static enum reap__answer read_number(struct reader *reader)
{
    char *begin = reader->at;
    reader->at = past_number(begin);
    const size_t length = (size_t)(reader->at - begin);
    if (strspn(begin, "0123456789") < length)
        return REAP__PERHAPS;
    return strspn(begin, "0") < length ? REAP__YES : REAP__NO;
}

static enum reap__answer read_primary(struct reader *reader)
{
    char *at = reader->at;
    const size_t length = reap__identifier_length(at);
    if (*at >= '0' && *at <= '9')
        return read_number(reader);
    if (is_word(at, length, "defined")) {
        const char *name;
        reader->at = at + length;
        const size_t name_length = read_name(&reader->at, &name);
        return name_length > 0 ? reap__macros_has(reader->macros, name, name_length, reader->text)
                               : REAP__PERHAPS;
    }
    if (*at != '(' || reader->depth >= MOST_DEPTH)
        return REAP__PERHAPS;
    reader->at = at + 1;
    reader->depth++;
    const enum reap__answer answer = read_or(reader);
    reader->depth--;
    reader->at += *reader->at == ')';
    return answer;
}

static enum reap__answer read_operand(struct reader *reader)
{
    bool is_negated = false;
    for (reader->at = reap__skip_blanks(reader->at); *reader->at == '!' && reader->at[1] != '=';
         reader->at = reap__skip_blanks(reader->at + 1))
        is_negated = !is_negated;
    const enum reap__answer answer = read_primary(reader);
    reader->at = reap__skip_blanks(reader->at);
    if (!ends_operand(reader->at)) {
        reader->at = past_operand(reader->at);
        return REAP__PERHAPS;
    }
    return is_negated ? (enum reap__answer)(REAP__YES - answer) : answer;
}

static enum reap__answer read_and(struct reader *reader)
{
    enum reap__answer all = read_operand(reader);
    while (strncmp(reader->at, "&&", 2) == 0) {
        reader->at += 2;
        const enum reap__answer answer = read_operand(reader);
        all = answer < all ? answer : all;
    }
    return all;
}

static enum reap__answer read_or(struct reader *reader)
{
    enum reap__answer any = read_and(reader);
    while (strncmp(reader->at, "||", 2) == 0) {
        reader->at += 2;
        const enum reap__answer answer = read_and(reader);
        any = answer > any ? answer : any;
    }
    return any;
}

enum reap__answer reap__condition_evaluate(const struct reap__macros *macros, char *expression,
                                           const char *text)
{
    struct reader reader = {.macros = macros, .text = text, .at = expression};
    const enum reap__answer answer = read_or(&reader);
    const bool is_whole = *reader.at == '\0' && strpbrk(expression, "?,") == NULL;
    return is_whole ? answer : REAP__PERHAPS;
}

/* ---- Names ---- */

/* Whether it is the limit of an integer type, such as UINT32_MAX. */
static bool is_limit(const char *name, size_t length)
{
    static const char *const types[] = {
        "CHAR",        "SCHAR",        "UCHAR",        "SHRT",         "USHRT",      "INT",
        "UINT",        "LONG",         "ULONG",        "LLONG",        "ULLONG",     "INT8",
        "INT16",       "INT32",        "INT64",        "UINT8",        "UINT16",     "UINT32",
        "UINT64",      "INTMAX",       "UINTMAX",      "INTPTR",       "UINTPTR",    "PTRDIFF",
        "SIZE",        "WCHAR",        "WINT",         "SIG_ATOMIC",   "INT_LEAST8", "INT_LEAST16",
        "INT_LEAST32", "INT_LEAST64",  "INT_FAST8",    "INT_FAST16",   "INT_FAST32", "INT_FAST64",
        "UINT_LEAST8", "UINT_LEAST16", "UINT_LEAST32", "UINT_LEAST64", "UINT_FAST8", "UINT_FAST16",
        "UINT_FAST32", "UINT_FAST64"};
    static const char *const ends[] = {"_MAX", "_MIN", "_WIDTH", "_C"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t type = strlen(types[i]);
        if (type >= length || memcmp(name, types[i], type) != 0)
            continue;
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++)
            if (is_word(name + type, length - type, ends[j]))
                return true;
    }
    return false;
}

/* Whether compilers know such a name without being told: those of C's headers, compilers' own,
 * Reap's. */
static bool is_everywhere(const char *name, size_t length)
{
    static const char *const words[] = {
        "CHAR_BIT", "MB_LEN_MAX", "RAND_MAX", "INFINITY", "NAN",     "HUGE_VAL", "HUGE_VALF",
        "NULL",     "true",       "false",    "bool",     "and",     "or",       "not",
        "xor",      "bitand",     "bitor",    "compl",    "not_eq",  "and_eq",   "or_eq",
        "xor_eq",   "assert",     "offsetof", "alignas",  "alignof", "noreturn", "static_assert",
        "M_E",      "M_LOG2E",    "M_LOG10E", "M_LN2",    "M_LN10",  "M_PI",     "M_PI_2",
        "M_PI_4",   "M_1_PI",     "M_2_PI",   "M_SQRT2"};
    static const char *const begins[] = {"__", "REAP_", "FLT_", "DBL_", "LDBL_", "cl_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(name, length, words[i]))
            return true;
    return (name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z') || is_limit(name, length);
}

void reap__condition_note_name(struct reap__macros *macros, const char *name, size_t length,
                               const struct reap__origin *origin)
{
    if (length > 0 && origin->is_users && !is_everywhere(name, length))
        reap__macros_use(macros, name, length, origin);
}

/* Notes the identifier here; gives what follows it and what belongs to it. */
static char *note_name(struct reap__macros *macros, char *at, const struct reap__origin *origin)
{
    const size_t length = reap__identifier_length(at);
    char *after = at + length;
    if (is_word(at, length, "defined")) {
        const char *name;
        const size_t name_length = read_name(&after, &name);
        reap__condition_note_name(macros, name, name_length, origin);
        return after;
    }
    if (*after == '\'') /* u'x' */
        return past_literal(after);
    if (strncmp(at, "__", 2) == 0 && *reap__skip_blanks(after) == '(') /* __has_include(...) */
        return past_parentheses(reap__skip_blanks(after));
    reap__condition_note_name(macros, at, length, origin);
    return after;
}

void reap__condition_note(struct reap__macros *macros, char *expression,
                          const struct reap__origin *origin)
{
    for (char *at = expression; *at != '\0';) {
        if (*at >= '0' && *at <= '9')
            at = past_number(at);
        else if (*at == '"' || *at == '\'')
            at = past_literal(at);
        else if (reap__identifier_length(at) > 0)
            at = note_name(macros, at, origin);
        else
            at++;
    }
}
