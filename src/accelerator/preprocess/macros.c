/* SPDX-License-Identifier: Apache-2.0
 *
 * An answer holds if the current line is compiled. So a macro is defined after its #define inside
 * an #if that is perhaps true; where that branch ends, all macros that it has changed are perhaps
 * defined.
 *
 * Expressions of #if and #elif are parsed by recursive descent. Operands of && and || that are not
 * parsed, such as comparisons, are skipped, and perhaps true.
 */
#include "src/accelerator/preprocess/macros.h"

#include "src/accelerator/preprocess/lexer.h"
#include "src/accelerator/preprocess/preprocess.h"

#include <stdint.h>
#include <string.h>

/* ---- Conditions -------------------------------------------------------------------------------*/

/* The deepest nesting of parentheses that is parsed. */
enum { MOST_DEPTH = 50 };

struct reader {
    const struct reap__macros *macros;
    const char *text;
    char *at;
    unsigned depth;
};

static enum reap__tristate read_or(struct reader *reader);

/* Skips a string or a character constant. */
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

/* Skips the rest of an operand. */
static char *past_operand(char *at)
{
    for (size_t open = 0; *at != '\0' && (open > 0 || !ends_operand(at));) {
        open += *at == '(';
        open -= *at == ')';
        at = *at == '"' || *at == '\'' ? past_literal(at) : at + 1;
    }
    return at;
}

/* Skips parentheses that open here. */
static char *past_parentheses(char *at)
{
    at = past_operand(at + 1);
    while (*at != '\0' && *at != ')')
        at = past_operand(at + 2);
    return *at == ')' ? at + 1 : at;
}

/* Reads NAME or (NAME) after `defined`: sets *name, moves *at past it, and returns the name's
 * length. */
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

static enum reap__tristate read_number(struct reader *reader)
{
    char *begin = reader->at;
    reader->at = past_number(begin);
    const size_t length = (size_t)(reader->at - begin);
    if (strspn(begin, "0123456789") < length)
        return REAP__PERHAPS;
    return strspn(begin, "0") < length ? REAP__YES : REAP__NO;
}

static enum reap__tristate read_primary(struct reader *reader)
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
    const enum reap__tristate answer = read_or(reader);
    reader->depth--;
    reader->at += *reader->at == ')';
    return answer;
}

static enum reap__tristate read_operand(struct reader *reader)
{
    bool is_negated = false;
    for (reader->at = reap__skip_blanks(reader->at); *reader->at == '!' && reader->at[1] != '=';
         reader->at = reap__skip_blanks(reader->at + 1))
        is_negated = !is_negated;
    const enum reap__tristate answer = read_primary(reader);
    reader->at = reap__skip_blanks(reader->at);
    if (!ends_operand(reader->at)) {
        reader->at = past_operand(reader->at);
        return REAP__PERHAPS;
    }
    return is_negated ? (enum reap__tristate)(REAP__YES - answer) : answer;
}

static enum reap__tristate read_and(struct reader *reader)
{
    enum reap__tristate all = read_operand(reader);
    while (strncmp(reader->at, "&&", 2) == 0) {
        reader->at += 2;
        const enum reap__tristate answer = read_operand(reader);
        all = answer < all ? answer : all;
    }
    return all;
}

static enum reap__tristate read_or(struct reader *reader)
{
    enum reap__tristate any = read_and(reader);
    while (strncmp(reader->at, "||", 2) == 0) {
        reader->at += 2;
        const enum reap__tristate answer = read_and(reader);
        any = answer > any ? answer : any;
    }
    return any;
}

static enum reap__tristate evaluate(const struct reap__macros *macros, char *expression,
                                    const char *text)
{
    struct reader reader = {.macros = macros, .text = text, .at = expression};
    const enum reap__tristate answer = read_or(&reader);
    const bool is_whole = *reader.at == '\0' && strpbrk(expression, "?,") == NULL;
    return is_whole ? answer : REAP__PERHAPS;
}

/* ---- Names ------------------------------------------------------------------------------------*/

/* Whether a name consists of one of the types and one of the ends, lists that end with NULL. */
static bool is_of_type(const char *name, size_t length, const char *const *types,
                       const char *const *ends)
{
    for (; *types != NULL; types++) {
        const size_t type = strlen(*types);
        if (type >= length || memcmp(name, *types, type) != 0)
            continue;
        for (const char *const *end = ends; *end != NULL; end++)
            if (is_word(name + type, length - type, *end))
                return true;
    }
    return false;
}

/* Whether it is a macro of <limits.h> or <stdint.h>, such as UINT32_MAX, that devices have, too. */
static bool is_limit(const char *name, size_t length)
{
    static const char *const types[] = {
        "CHAR",        "SCHAR",       "UCHAR",        "SHRT",         "USHRT",
        "INT",         "UINT",        "LONG",         "ULONG",        "LLONG",
        "ULLONG",      "INT8",        "INT16",        "INT32",        "INT64",
        "UINT8",       "UINT16",      "UINT32",       "UINT64",       "INTMAX",
        "UINTMAX",     "INTPTR",      "UINTPTR",      "PTRDIFF",      "SIZE",
        "WCHAR",       "WINT",        "SIG_ATOMIC",   "INT_LEAST8",   "INT_LEAST16",
        "INT_LEAST32", "INT_LEAST64", "INT_FAST8",    "INT_FAST16",   "INT_FAST32",
        "INT_FAST64",  "UINT_LEAST8", "UINT_LEAST16", "UINT_LEAST32", "UINT_LEAST64",
        "UINT_FAST8",  "UINT_FAST16", "UINT_FAST32",  "UINT_FAST64",  NULL};
    static const char *const ends[] = {"_MAX", "_MIN", "_C", NULL};
    return is_of_type(name, length, types, ends);
}

/* Whether it is a macro of <float.h>, such as DBL_MAX, that devices have, too. */
static bool is_of_float(const char *name, size_t length)
{
    static const char *const types[] = {"FLT_", "DBL_", NULL};
    static const char *const ends[] = {
        "MANT_DIG", "DIG", "DECIMAL_DIG", "MIN_EXP", "MIN_10_EXP",  "MAX_EXP", "MAX_10_EXP",
        "MAX",      "MIN", "TRUE_MIN",    "EPSILON", "HAS_SUBNORM", NULL};
    return is_of_type(name, length, types, ends) || is_word(name, length, "FLT_RADIX") ||
           is_word(name, length, "FLT_ROUNDS") || is_word(name, length, "FLT_EVAL_METHOD");
}

/* Whether compilers define a name, or C's headers do, on devices as on the host. */
static bool is_everywhere(const char *name, size_t length)
{
    static const char *const words[] = {
        "CHAR_BIT", "MB_LEN_MAX", "INFINITY", "NAN",     "HUGE_VAL", "HUGE_VALF",     "NULL",
        "true",     "false",      "bool",     "and",     "or",       "not",           "xor",
        "bitand",   "bitor",      "compl",    "not_eq",  "and_eq",   "or_eq",         "xor_eq",
        "assert",   "offsetof",   "alignas",  "alignof", "noreturn", "static_assert", "M_E",
        "M_LOG2E",  "M_LOG10E",   "M_LN2",    "M_LN10",  "M_PI",     "M_PI_2",        "M_PI_4",
        "M_1_PI",   "M_2_PI",     "M_SQRT2"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(name, length, words[i]))
            return true;
    return name[0] == '_' ? name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')
                          : is_limit(name, length) || is_of_float(name, length);
}

/* Whether the text contains `define` and this name. */
static bool defines(const char *text, const char *name, size_t length)
{
    static const char word[] = "define";
    while ((text = strstr(text, word)) != NULL) {
        text += sizeof word - 1;
        const char *at = text + strspn(text, " \t");
        if (at > text && strncmp(at, name, length) == 0 && reap__identifier_length(at) == length)
            return true;
    }
    return false;
}

bool reap__macros_are_of_dialect(const char *name, size_t length)
{
    static const char *const headers[] = {"reap/version.h", "reap/detail/device/constants.h",
                                          "reap/detail/device/words.h", "reap/detail/opencl/base.h",
                                          "reap/detail/opencl/standard.h"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        const char *text = reap__dialect_header(headers[i]);
        if (text != NULL && defines(text, name, length))
            return true;
    }
    return false;
}

static void note_condition_name(struct reap__macros *macros, const char *name, size_t length,
                                const struct reap__source_line *origin)
{
    const bool is_wrong = !is_everywhere(name, length) || reap__macros_are_of_dialect(name, length);
    if (length > 0 && origin->is_users && is_wrong)
        reap__macros_use(macros, name, length, origin);
}

/* Notes the identifier here; returns what follows it, and its argument if it is `defined` or
 * __has_include. */
static char *note_name(struct reap__macros *macros, char *at,
                       const struct reap__source_line *origin)
{
    const size_t length = reap__identifier_length(at);
    char *after = at + length;
    if (is_word(at, length, "defined")) {
        const char *name;
        const size_t name_length = read_name(&after, &name);
        note_condition_name(macros, name, name_length, origin);
        return after;
    }
    if (*after == '\'') /* u'x' */
        return past_literal(after);
    if (strncmp(at, "__", 2) == 0 && *reap__skip_blanks(after) == '(') /* __has_include(...) */
        return past_parentheses(reap__skip_blanks(after));
    note_condition_name(macros, at, length, origin);
    return after;
}

static void note_condition(struct reap__macros *macros, char *expression,
                           const struct reap__source_line *origin)
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

/* ---- Macros -----------------------------------------------------------------------------------*/

enum state { UNTOLD, NOT_DEFINED, PERHAPS_DEFINED, DEFINED };

struct macro {
    size_t name; /* where its name begins in `names` */
    size_t length;
    size_t changed; /* the clock when its state last changed */
    enum state state;
    bool is_declared; /* by a REAP_KERNEL_MACRO */
};

struct group {
    enum reap__tristate branch; /* whether the current branch is compiled */
    enum reap__tristate taken;  /* whether it or a branch before it is */
    size_t begun;               /* the clock when the branch began */
    size_t guard; /* in an #ifndef's first branch the macro's index; otherwise SIZE_MAX */
};

static struct macro *macros_of(const struct reap__macros *macros)
{
    return (struct macro *)(void *)macros->table.bytes;
}

static size_t count_macros(const struct reap__macros *macros)
{
    return macros->table.length / sizeof(struct macro);
}

static struct group *groups_of(const struct reap__macros *macros)
{
    return (struct group *)(void *)macros->groups.bytes;
}

static size_t count_groups(const struct reap__macros *macros)
{
    return macros->groups.length / sizeof(struct group);
}

static struct macro *find(const struct reap__macros *macros, const char *name, size_t length)
{
    struct macro *all = macros_of(macros);
    for (size_t i = 0; i < count_macros(macros); i++)
        if (all[i].length == length && memcmp(macros->names.bytes + all[i].name, name, length) == 0)
            return &all[i];
    return NULL;
}

/* The macro of this name, which is added if it is new; NULL: no memory. */
static struct macro *take(struct reap__macros *macros, const char *name, size_t length)
{
    struct macro *macro = find(macros, name, length);
    if (macro != NULL)
        return macro;
    const struct macro made = {.name = macros->names.length, .length = length};
    reap__string_append(&macros->names, name, length);
    reap__string_append(&macros->names, "", 1);
    if (!macros->names.failed)
        reap__string_append(&macros->table, &made, sizeof made);
    return macros->names.failed || macros->table.failed
               ? NULL
               : &macros_of(macros)[count_macros(macros) - 1];
}

static void set(struct reap__macros *macros, const char *name, size_t length, enum state state)
{
    struct macro *macro = reap__macros_here(macros) != REAP__NO ? take(macros, name, length) : NULL;
    if (macro == NULL)
        return;
    macro->state = state;
    macro->changed = ++macros->changes;
}

/* Whether compilers may predefine such a name. */
static bool is_reserved(const char *name)
{
    return name[0] == '_' || strncmp(name, "cl_", 3) == 0;
}

/* ---- Groups -----------------------------------------------------------------------------------*/

static void push_group(struct reap__macros *macros, enum reap__tristate answer)
{
    const struct group group = {
        .branch = answer, .taken = answer, .begun = macros->changes, .guard = SIZE_MAX};
    reap__string_append(&macros->groups, &group, sizeof group);
}

/* Ends the current branch. */
static void end_branch(struct reap__macros *macros, struct group *group)
{
    struct macro *all = macros_of(macros);
    for (size_t i = 0; group->branch == REAP__PERHAPS && i < count_macros(macros); i++)
        if (all[i].changed > group->begun)
            all[i].state = PERHAPS_DEFINED;
    group->begun = macros->changes;
}

static void next_branch(struct reap__macros *macros, enum reap__tristate answer)
{
    if (!reap__macros_in_group(macros))
        return;
    struct group *group = &groups_of(macros)[count_groups(macros) - 1];
    end_branch(macros, group);
    group->guard = SIZE_MAX;
    if (group->taken == REAP__YES || answer == REAP__NO)
        group->branch = REAP__NO;
    else
        group->branch = group->taken == REAP__NO ? answer : REAP__PERHAPS;
    group->taken = answer > group->taken ? answer : group->taken;
}

static void pop_group(struct reap__macros *macros)
{
    if (!reap__macros_in_group(macros))
        return;
    struct group *group = &groups_of(macros)[count_groups(macros) - 1];
    const size_t guard = group->guard;
    const bool is_guarded = guard != SIZE_MAX && macros_of(macros)[guard].state == DEFINED;
    end_branch(macros, group);
    if (is_guarded && group->branch != REAP__NO)
        macros_of(macros)[guard].state = DEFINED;
    macros->groups.length -= sizeof(struct group);
}

bool reap__macros_in_group(const struct reap__macros *macros)
{
    return count_groups(macros) > macros->base;
}

enum reap__tristate reap__macros_here(const struct reap__macros *macros)
{
    enum reap__tristate answer = REAP__YES;
    const struct group *groups = groups_of(macros);
    for (size_t i = 0; i < count_groups(macros); i++)
        answer = groups[i].branch < answer ? groups[i].branch : answer;
    return answer;
}

size_t reap__macros_enter(struct reap__macros *macros)
{
    const size_t base = macros->base;
    macros->base = count_groups(macros);
    return base;
}

void reap__macros_leave(struct reap__macros *macros, size_t base)
{
    while (reap__macros_in_group(macros))
        pop_group(macros);
    macros->base = base;
}

/* ---- Directives -------------------------------------------------------------------------------*/

/* Reads #if and #elif. */
static void take_condition(struct reap__macros *macros, char *expression, bool is_first,
                           const struct reap__source_line *origin)
{
    bool is_evaluated = reap__macros_here(macros) != REAP__NO;
    if (!is_first && reap__macros_in_group(macros)) {
        struct group *group = &groups_of(macros)[count_groups(macros) - 1];
        const enum reap__tristate branch = group->branch;
        group->branch = REAP__YES; /* the state of what encloses the group */
        is_evaluated = group->taken != REAP__YES && reap__macros_here(macros) != REAP__NO;
        group->branch = branch;
        end_branch(macros, group);
    }
    if (is_evaluated)
        note_condition(macros, expression, origin);
    const enum reap__tristate answer = evaluate(macros, expression, origin->text);
    if (is_first)
        push_group(macros, answer);
    else
        next_branch(macros, answer);
}

/* Reads #ifdef and #ifndef. After an #ifndef that defines its macro, as guards do, the macro is
 * defined. */
static void take_ifdef(struct reap__macros *macros, const char *rest, bool is_negated,
                       const struct reap__source_line *origin)
{
    const size_t length = reap__identifier_length(rest);
    const enum reap__tristate answer = reap__macros_has(macros, rest, length, origin->text);
    if (reap__macros_here(macros) != REAP__NO)
        note_condition_name(macros, rest, length, origin);
    push_group(macros, is_negated ? (enum reap__tristate)(REAP__YES - answer) : answer);
    const struct macro *macro = find(macros, rest, length);
    if (is_negated && macro != NULL && !macros->groups.failed)
        groups_of(macros)[count_groups(macros) - 1].guard = (size_t)(macro - macros_of(macros));
}

/* By how much a directive changes the number of #ifs around the lines that follow. */
static int nesting(char *directive)
{
    const char *word = reap__skip_blanks(directive);
    const size_t length = reap__identifier_length(word);
    if (is_word(word, length, "endif"))
        return -1;
    return is_word(word, length, "if") || is_word(word, length, "ifdef") ||
           is_word(word, length, "ifndef");
}

/* Whether the #if in line `number` encloses the whole text of the file. */
static bool is_around_file(const struct reap__source_line *origin, unsigned number)
{
    struct reap__string scratch = {0};
    struct reap__lexer scanner = reap__lexer_start(origin->text, &scratch);
    struct reap__line line;
    int depth = 0;
    bool is_begun = false, is_around = true;
    while (is_around && reap__lexer_next_line(&scanner, &line) && !scratch.failed) {
        if (scratch.length == 0 || *reap__skip_blanks(scratch.bytes) == '\0')
            continue;
        is_around = is_begun ? depth > 0 : line.directive_number == number;
        is_begun = true;
        depth += line.directive != NULL ? nesting(line.directive) : 0;
    }
    is_around = is_around && is_begun && !scratch.failed;
    reap__string_release(&scratch);
    return is_around;
}

/* Reads a #define. If the directive before it tested this macro only, that is a guard if the macro
 * has no value or the directive encloses the whole file. The program does not define the macro of a
 * guard, so the use is not noted. */
static void take_define(struct reap__macros *macros, char *name, size_t length, size_t before,
                        const struct reap__source_line *origin)
{
    const struct reap__macro_use *uses =
        (const struct reap__macro_use *)(const void *)macros->uses.bytes;
    const struct macro *macro = find(macros, name, length);
    if (macro != NULL && macros->uses.length == before + sizeof *uses) {
        const struct reap__macro_use *use = &uses[before / sizeof *uses];
        if (&macros_of(macros)[use->macro] == macro &&
            (*reap__skip_blanks(name + length) == '\0' || is_around_file(origin, use->line)))
            macros->uses.length = before;
    }
    set(macros, name, length, DEFINED);
}

void reap__macros_directive(struct reap__macros *macros, char *directive,
                            const struct reap__source_line *origin)
{
    char *word = reap__skip_blanks(directive);
    const size_t length = reap__identifier_length(word);
    char *rest = reap__skip_blanks(word + length);
    const size_t name = reap__identifier_length(rest);
    const size_t before = macros->last;
    macros->last = macros->uses.length;
    if (is_word(word, length, "define") && name > 0) {
        take_define(macros, rest, name, before, origin);
    } else if (is_word(word, length, "undef") && name > 0) {
        set(macros, rest, name, NOT_DEFINED);
    } else if (is_word(word, length, "if") || is_word(word, length, "elif")) {
        take_condition(macros, rest, length == 2, origin);
    } else if (is_word(word, length, "ifdef") || is_word(word, length, "ifndef")) {
        take_ifdef(macros, rest, length == 6, origin);
    } else if (is_word(word, length, "elifdef") || is_word(word, length, "elifndef")) {
        if (name > 0) /* C23 */
            note_condition_name(macros, rest, name, origin);
        next_branch(macros, REAP__PERHAPS);
    } else if (is_word(word, length, "else")) {
        next_branch(macros, REAP__YES);
    } else if (is_word(word, length, "endif")) {
        pop_group(macros);
    }
}

/* ---- Names ------------------------------------------------------------------------------------*/

void reap__macros_define(struct reap__macros *macros, const char *name, size_t length,
                         enum reap__tristate answer)
{
    static const enum state states[] = {NOT_DEFINED, PERHAPS_DEFINED, DEFINED};
    set(macros, name, length, states[answer]);
}

enum reap__tristate reap__macros_has(const struct reap__macros *macros, const char *name,
                                     size_t length, const char *text)
{
    const struct macro *macro = find(macros, name, length);
    if (macro != NULL && macro->state != UNTOLD)
        return (enum reap__tristate)(macro->state - NOT_DEFINED);
    const bool is_own = text != NULL && !is_reserved(name) && defines(text, name, length);
    return is_own ? REAP__NO : REAP__PERHAPS;
}

void reap__macros_use(struct reap__macros *macros, const char *name, size_t length,
                      const struct reap__source_line *origin)
{
    const struct macro *macro = take(macros, name, length);
    if (macro == NULL || macro->state != UNTOLD)
        return;
    const struct reap__macro_use use = {(size_t)(macro - macros_of(macros)), origin->file,
                                        origin->line};
    reap__string_append(&macros->uses, &use, sizeof use);
}

void reap__macros_declare(struct reap__macros *macros, const char *line)
{
    static const char word[] = "REAP_KERNEL_MACRO";
    if (reap__macros_here(macros) == REAP__NO)
        return;
    while ((line = strstr(line, word)) != NULL) {
        line += sizeof word - 1;
        const char *name = line + strspn(line, " \t");
        name += *name == '(' ? 1 + strspn(name + 1, " \t") : 0;
        const size_t length = reap__identifier_length(name);
        struct macro *macro = length > 0 ? take(macros, name, length) : NULL;
        if (macro != NULL)
            macro->is_declared = true;
    }
}

const struct reap__macro_use *reap__macros_unknown(const struct reap__macros *macros,
                                                   const char **name)
{
    const struct reap__macro_use *uses =
        (const struct reap__macro_use *)(const void *)macros->uses.bytes;
    for (size_t i = 0; i < macros->uses.length / sizeof *uses; i++) {
        const struct macro *macro = &macros_of(macros)[uses[i].macro];
        *name = macros->names.bytes + macro->name;
        if (!macro->is_declared)
            return &uses[i];
    }
    return NULL;
}

bool reap__macros_failed(const struct reap__macros *macros)
{
    return macros->names.failed || macros->table.failed || macros->groups.failed ||
           macros->uses.failed;
}

void reap__macros_release(struct reap__macros *macros)
{
    reap__string_release(&macros->names);
    reap__string_release(&macros->table);
    reap__string_release(&macros->groups);
    reap__string_release(&macros->uses);
}
