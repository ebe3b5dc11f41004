/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads declarations as identifiers, keywords and nested brackets, without types. It reports no
 * variable where a macro or parentheses could mean something else.
 */
#include "src/accelerator/preprocess/variable_check.h"

#include "src/accelerator/preprocess/lexer.h"

#include <stdio.h>
#include <string.h>

/* The line that is being read. */
struct position {
    const struct reap__macros *macros;
    const char *file;
    unsigned line;
};

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(*words, word, length) == 0)
            return true;
    return false;
}

/* Ends a declarator: sets the variable found, if it is the first one that lives longer than a
 * work-item. */
static void end_declarator(struct reap__variables *variables, const struct position *at)
{
    const struct reap__declaration *declaration = &variables->declaration;
    if (variables->is_found || declaration->words < 2 || declaration->is_constant ||
        declaration->is_function || declaration->is_named ||
        (variables->is_in_function && !declaration->is_static))
        return;
    variables->is_found = true;
    variables->file = at->file;
    variables->line = at->line;
    memcpy(variables->name, declaration->name, sizeof variables->name);
}

static void restart(struct reap__variables *variables)
{
    variables->declaration = (struct reap__declaration){.words = 0};
}

static void take_word(struct reap__variables *variables, const struct position *at,
                      const char *word, size_t length)
{
    static const char *const constant[] = {"const", "REAP_CONSTANT", "typedef", "return", NULL};
    static const char *const tags[] = {"struct", "union", "enum", NULL};
    static const char *const others[] = {"extern",   "volatile",         "inline", "register",
                                         "restrict", "REAP_KERNEL_FILE", NULL};
    struct reap__declaration *declaration = &variables->declaration;
    if (variables->groups > 0 || declaration->is_named || is_one_of(word, length, others))
        return;
    if (is_one_of(word, length, (const char *const[]){"REAP_KERNEL_MACRO", NULL})) {
        declaration->is_skipped = true;
    } else if (is_one_of(word, length, (const char *const[]){"static", NULL})) {
        declaration->is_static = true;
    } else if (is_one_of(word, length, constant)) {
        declaration->is_constant = true;
    } else if (declaration->awaits_tag) {
        declaration->awaits_tag = false;
    } else {
        declaration->awaits_tag = is_one_of(word, length, tags);
        declaration->has_tag |= declaration->awaits_tag;
        declaration->words++;
        declaration->is_constant |= reap__macros_is_users(at->macros, word, length);
        snprintf(declaration->name, sizeof declaration->name, "%.*s", (int)length, word);
    }
}

static void open_brace(struct reap__variables *variables)
{
    struct reap__declaration *declaration = &variables->declaration;
    const bool is_body = declaration->has_tag && !declaration->is_function;
    if (variables->braces++ == 0)
        variables->is_in_function = !declaration->is_named && !is_body;
    declaration->awaits_tag = false;
    if (variables->is_in_function)
        restart(variables);
}

static void close_brace(struct reap__variables *variables)
{
    variables->braces -= variables->braces > 0;
    if (variables->is_in_function) {
        restart(variables);
        variables->is_in_function = variables->braces > 0;
    }
}

/* Whether tokens are read: not between the braces of a type or an initialiser. */
static bool is_looked_at(const struct reap__variables *variables)
{
    return variables->braces == 0 || variables->is_in_function;
}

static void take_mark(struct reap__variables *variables, const struct position *at, char mark)
{
    struct reap__declaration *declaration = &variables->declaration;
    if (mark == '(' || mark == '[') {
        declaration->is_function |= mark == '(' && !declaration->is_skipped &&
                                    !declaration->is_named && variables->groups == 0;
        variables->groups++;
    } else if (mark == ')' || mark == ']') {
        variables->groups -= variables->groups > 0;
        declaration->is_skipped &= variables->groups > 0;
    } else if (variables->groups > 0) {
        return;
    } else if (mark == '=' || mark == ',') {
        end_declarator(variables, at);
        declaration->is_named = true;
    } else if (mark == ';' || mark == ':') {
        end_declarator(variables, at);
        restart(variables);
    }
}

static const char *past_literal(const char *at)
{
    const char quote = *at++;
    while (*at != '\0' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

void reap__variables_read(struct reap__variables *variables, const struct reap__macros *macros,
                          const char *line, const char *file, unsigned number)
{
    const struct position at = {macros, file, number};
    while (*line != '\0') {
        const size_t length = reap__identifier_length(line);
        if (length > 0 && is_looked_at(variables))
            take_word(variables, &at, line, length);
        else if (*line == '{')
            open_brace(variables);
        else if (*line == '}')
            close_brace(variables);
        else if (length == 0 && is_looked_at(variables))
            take_mark(variables, &at, *line);
        if (*line == '"' || *line == '\'')
            line = past_literal(line);
        else if (*line >= '0' && *line <= '9')
            line += 1 + reap__identifier_length(line + 1);
        else
            line += length > 0 ? length : 1;
    }
}
