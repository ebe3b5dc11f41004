/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds statements and declarations by their first tokens. If the tokens do not determine what a
 * statement is, the kernel stays on fibers.
 */
#include "src/host/compiled/body.h"

#include <string.h>

/* ---- Tokens -----------------------------------------------------------------------------------*/

static const char *text_of(const struct body *body, size_t t)
{
    return body->tokens.characters.bytes + body->list[t].begin;
}

bool reap__is(const struct body *body, size_t t, const char *expected)
{
    return reap__token_is(&body->tokens, t, expected);
}

/* Whether the token at t is one of the words, which are separated by blanks. */
bool reap__is_one_of(const struct body *body, size_t t, const char *words)
{
    while (t < body->count && *words != '\0') {
        const size_t length = strcspn(words, " ");
        if (length == body->list[t].length && memcmp(text_of(body, t), words, length) == 0)
            return true;
        words += length + (words[length] == ' ');
    }
    return false;
}

bool reap__is_word(const struct body *body, size_t t)
{
    return reap__token_is_word(&body->tokens, t);
}

bool reap__are_same_tokens(const struct body *body, size_t a, size_t b)
{
    return reap__tokens_are_same(&body->tokens, a, b);
}

size_t reap__past_brackets(const struct body *body, size_t t)
{
    return reap__token_past_brackets(&body->tokens, t);
}

size_t reap__opening_of(const struct body *body, size_t t)
{
    return reap__token_opening(&body->tokens, t, body->range.begin);
}

static size_t past_semicolon(const struct body *body, size_t t)
{
    while (t < body->range.end && !reap__is(body, t, ";"))
        t = reap__is_one_of(body, t, "( { [") ? reap__past_brackets(body, t) : t + 1;
    return t + 1;
}

static size_t past_label(const struct body *body, size_t t)
{
    while (t < body->range.end && !reap__is(body, t, ":"))
        t++;
    return t + 1;
}

size_t reap__past_statement(const struct body *body, size_t t)
{
    while (t < body->range.end) {
        if (reap__is(body, t, "{"))
            return reap__past_brackets(body, t);
        if (reap__is(body, t, "if")) {
            t = reap__past_statement(body, reap__past_brackets(body, t + 1));
            if (!reap__is(body, t, "else"))
                return t;
            t++;
        } else if (reap__is_one_of(body, t, "for while switch")) {
            t = reap__past_brackets(body, t + 1);
        } else if (reap__is(body, t, "do")) {
            return past_semicolon(body, reap__past_statement(body, t + 1));
        } else if (reap__is_one_of(body, t, "case default")) {
            t = past_label(body, t);
        } else {
            return past_semicolon(body, t);
        }
    }
    return t;
}

void reap__refuse(struct body *body, const char *problem)
{
    if (body->problem == NULL)
        body->problem = problem;
}

/* ---- The kernel -------------------------------------------------------------------------------*/

bool reap__body_find(struct body *body)
{
    for (size_t t = 0; t + 3 < body->count; t++) {
        if (!reap__is_one_of(body, t, "REAP_ND_KERNEL REAP_ANY_KERNEL") ||
            !reap__is(body, t + 1, "(") || !reap__is(body, t + 2, body->kernel_name))
            continue;
        const size_t open = reap__past_brackets(body, t + 1);
        const size_t end = reap__past_brackets(body, open);
        body->parameters = (struct extent){t + 2, open - 1};
        body->range = (struct extent){open + 1, end - 1};
        return reap__is(body, open, "{") && end <= body->count && reap__is(body, end - 1, "}");
    }
    return false;
}

/* ---- Refused words ----------------------------------------------------------------------------*/

static const char refused_words[] =
    "goto static extern typedef _Thread_local _Atomic _Alignas asm "
    "__asm__ __asm setjmp longjmp alloca reap_for_each_item reap_for_first_items "
    "_Pragma __COUNTER__ __extension__ typeof __typeof__ __typeof __auto_type "
    "_Generic __attribute__ __attribute";

/* Whether there are bit-fields: options of the compiler decide whether they are signed. */
static bool has_bit_fields(const struct body *body)
{
    for (size_t t = 0; t < body->count; t++) {
        const size_t open = t + (reap__is_word(body, t + 1) ? 2 : 1);
        if (!reap__is_one_of(body, t, "struct union") || !reap__is(body, open, "{"))
            continue;
        for (size_t end = reap__past_brackets(body, open); t < end; t++)
            if (reap__is(body, t, ":"))
                return true;
    }
    return false;
}

static void look_for_words(struct body *body)
{
    body->last_barrier = NOWHERE;
    if (has_bit_fields(body))
        reap__refuse(body, "its file has bit-fields");
    for (size_t t = body->range.begin; t < body->range.end; t++) {
        if (reap__is_one_of(body, t, refused_words))
            reap__refuse(body, "its body has a keyword that is not supported");
        if (reap__is_one_of(body, t, "struct union enum") &&
            (reap__is(body, t + 1, "{") || reap__is(body, t + 2, "{")))
            reap__refuse(body, "its body defines a type");
        if (reap__is(body, t, "(") && reap__is(body, t + 1, "{"))
            reap__refuse(body, "its body has a statement expression");
        if (reap__is(body, t, "&") && reap__is(body, t + 1, "reap_value"))
            reap__refuse(body, "its body has a compound literal");
        if (reap__is_word(body, t) && reap__is(body, t + 1, ":") &&
            reap__is_one_of(body, t - 1, "; { }") && !reap__is(body, t, "default"))
            reap__refuse(body, "its body has a label");
        if (reap__is(body, t, "reap_barrier"))
            body->last_barrier = t;
    }
}

/* ---- Declarations -----------------------------------------------------------------------------*/

static const char arithmetic_words[] =
    "char short int long float double bool _Bool signed unsigned size_t ptrdiff_t uintptr_t "
    "intptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";
static const char other_type_words[] = "void const volatile register auto restrict __restrict "
                                       "__restrict__ REAP_LOCAL REAP_GLOBAL REAP_CONSTANT";
static const char statement_words[] = "return goto break continue else case default if for while "
                                      "do switch sizeof typedef _Generic _Static_assert";

static bool is_type_word(const struct body *body, size_t t)
{
    return reap__is_one_of(body, t, arithmetic_words) || reap__is_one_of(body, t, other_type_words);
}

static size_t find_variable(const struct body *body, size_t t)
{
    for (size_t v = body->variable_count; v-- > 0;)
        if (t >= body->variables[v].scope.begin && t < body->variables[v].scope.end &&
            reap__are_same_tokens(body, body->variables[v].name, t))
            return v;
    return NOWHERE;
}

static bool is_parameter(const struct body *body, size_t t)
{
    for (size_t p = body->parameters.begin; p + 1 < body->parameters.end; p++)
        if (reap__is(body, p + 1, ")") && reap__are_same_tokens(body, p, t))
            return true;
    return false;
}

/* Returns the token after the asterisks and qualifiers before a declarator's name. */
static size_t past_stars(const struct body *body, size_t t)
{
    while (reap__is_one_of(body, t, "* const restrict volatile __restrict __restrict__"))
        t++;
    return t;
}

static bool begins_declarator(const struct body *body, size_t t)
{
    const size_t name = past_stars(body, t);
    return reap__is_word(body, name) && !is_type_word(body, name) &&
           !reap__is_one_of(body, name, statement_words) &&
           reap__is_one_of(body, name + 1, "= ; , [");
}

/* Returns the end of a declaration's specifiers; 0 if no declaration begins at t. */
static size_t past_specifiers(struct body *body, size_t t)
{
    const size_t begin = t;
    bool has_type = false;
    for (; reap__is_word(body, t) && !reap__is_one_of(body, t, statement_words); t++) {
        if (reap__is_one_of(body, t, "struct union enum")) {
            has_type = true;
            t++;
        } else if (is_type_word(body, t)) {
            has_type |= !reap__is_one_of(body, t, "const volatile register auto");
        } else if (has_type || find_variable(body, t) != NOWHERE || is_parameter(body, t)) {
            break;
        } else {
            has_type = true;
        }
    }
    if (t == begin)
        return 0;
    if (has_type && begins_declarator(body, t))
        return t;
    if (has_type && reap__is(body, t, "(") && reap__is(body, t + 2, ")") &&
        reap__is_one_of(body, t + 3, "= , ["))
        reap__refuse(body, "its body has a declaration that is not supported");
    if (is_type_word(body, begin) || reap__is_one_of(body, begin, "struct union enum"))
        reap__refuse(body, "its body has a declaration that is not supported");
    return 0;
}

static bool are_simple(const struct body *body, struct extent specifiers)
{
    for (size_t t = specifiers.begin; t < specifiers.end; t++)
        if (!reap__is_one_of(body, t, arithmetic_words) && !reap__is(body, t, "const"))
            return false;
    return true;
}

static size_t past_initialiser(const struct body *body, size_t t)
{
    while (t < body->range.end && !reap__is_one_of(body, t, ", ;"))
        t = reap__is_one_of(body, t, "( { [") ? reap__past_brackets(body, t) : t + 1;
    return t;
}

/* Adds the variable of a declarator. Returns the token after it. */
static size_t take_declarator(struct body *body, struct extent specifiers, size_t t,
                              size_t scope_end)
{
    struct variable variable = {.specifiers = specifiers, .declarator = {t, 0}};
    variable.name = past_stars(body, t);
    for (size_t i = t; i < variable.name; i++)
        variable.is_pointer |= reap__is(body, i, "*");
    for (t = variable.name + 1; reap__is(body, t, "["); t = reap__past_brackets(body, t)) {
        variable.is_array = true;
        if (reap__is(body, t + 1, "]"))
            reap__refuse(body, "its body has an array without a size");
    }
    variable.declarator.end = t;
    variable.is_simple =
        !variable.is_array && (variable.is_pointer || are_simple(body, specifiers));
    variable.initialiser = (struct extent){t, t};
    variable.scope = (struct extent){variable.declarator.end, scope_end};
    if (reap__is(body, t, "=")) {
        t = past_initialiser(body, t + 1);
        variable.initialiser = (struct extent){variable.declarator.end + 1, t};
    }
    if (body->variable_count == MOST_VARIABLES)
        reap__refuse(body, "it has too many variables");
    else
        body->variables[body->variable_count++] = variable;
    return t;
}

/* Adds the variables of a declaration at t. Returns its end, or t if there is none. */
static size_t take_declaration(struct body *body, size_t t, size_t scope_end)
{
    const size_t end = past_specifiers(body, t);
    if (end == 0)
        return t;
    const struct extent specifiers = {t, end};
    t = take_declarator(body, specifiers, end, scope_end);
    while (reap__is(body, t, ",") && body->problem == NULL) {
        if (!begins_declarator(body, t + 1))
            reap__refuse(body, "its body has a declarator that is not supported");
        else
            t = take_declarator(body, specifiers, t + 1, scope_end);
    }
    if (!reap__is(body, t, ";"))
        reap__refuse(body, "its body has a declaration that is not supported");
    return t + 1;
}

/* Whether the { at t begins a block; else it begins the list of an initialiser. */
static bool begins_block(const struct body *body, size_t t)
{
    if (!reap__is(body, t - 1, ")"))
        return t == body->range.begin || reap__is_one_of(body, t - 1, "; { } : else do");
    return reap__is_one_of(body, reap__opening_of(body, t - 1) - 1, "if for while switch");
}

/* Finds all declarations of the body and their scopes. */
static void take_declarations(struct body *body)
{
    size_t ends[MOST_NESTING] = {body->range.end}, count = 1, header_end = 0;
    for (size_t t = body->range.begin; t < body->range.end && body->problem == NULL;) {
        while (count > 1 && t >= ends[count - 1])
            count--;
        const bool is_header = reap__is(body, t - 1, "(") && reap__is(body, t - 2, "for");
        if (is_header || (t >= header_end &&
                          (t == body->range.begin || reap__is_one_of(body, t - 1, "; { }")))) {
            const size_t end = take_declaration(body, t, ends[count - 1]);
            if (end > t) {
                t = end;
                continue;
            }
        }
        const bool opens = reap__is(body, t, "{"), is_for = reap__is(body, t, "for");
        if (opens && !begins_block(body, t)) {
            t = reap__past_brackets(body, t);
            continue;
        }
        if ((opens || is_for) && count == MOST_NESTING)
            reap__refuse(body, "its statements are nested too deeply");
        else if (opens)
            ends[count++] = reap__past_brackets(body, t) - 1;
        else if (is_for)
            ends[count++] = reap__past_statement(body, t);
        if (is_for)
            header_end = reap__past_brackets(body, t + 1);
        t += is_for ? 2 : 1;
    }
}

/* Whether there may be a declaration at t that has not been found: two words in a row belong to a
 * declaration or to a type. Names would then mean something else than is assumed. */
static bool is_unknown_declaration(const struct body *body, size_t t)
{
    const bool is_label = reap__is(body, t, ":") && is_type_word(body, t + 1);
    return is_label ||
           (reap__is_word(body, t) && reap__is_word(body, t + 1) && body->segment[t] == NOWHERE &&
            !reap__is_one_of(body, t, "return else do case goto sizeof struct union enum const") &&
            !is_type_word(body, t) && !reap__is(body, t + 1, "const"));
}

static void check_words(struct body *body)
{
    for (size_t v = 0; v < body->variable_count; v++)
        for (size_t t = body->variables[v].specifiers.begin; t < body->variables[v].name; t++)
            body->segment[t] = v;
    for (size_t t = body->range.begin; t + 1 < body->range.end; t++)
        if (reap__is(body, t, ")") && reap__is(body, t + 1, "{") && !begins_block(body, t + 1))
            reap__refuse(body, "its body has a compound literal");
        else if (is_unknown_declaration(body, t))
            reap__refuse(body, "its body has a declaration that is not supported");
}

/* ---- Uses of variables ------------------------------------------------------------------------*/

static const char assignments[] = "= += -= *= /= %= &= |= ^= <<= >>= ++ --";

static bool is_operand(const struct body *body, size_t t)
{
    const char first = *text_of(body, t);
    return (reap__is_word(body, t) && !reap__is_one_of(body, t, statement_words)) ||
           (first >= '0' && first <= '9') || reap__is_one_of(body, t, "] )") || first == '\'' ||
           first == '"';
}

struct use {
    bool is_assigned, is_addressed;
};

/* Whether the bracket at `open` may be around an operand. After another bracket it can be that of a
 * call, as in (f)(v), or not, as in if (c) (v)++. */
static bool may_enclose(const struct body *body, size_t open)
{
    return reap__is(body, open, "(") && !reap__is_one_of(body, open - 1, "if for while switch") &&
           (!is_operand(body, open - 1) || reap__is(body, open - 1, ")"));
}

/* Returns whether the object of a name is assigned to, or its address taken. Brackets around the
 * name are skipped. What a pointer points to is another object. */
static struct use use_of(const struct body *body, size_t name, bool is_pointer)
{
    size_t before = name - 1, after = name + 1;
    bool is_through = false;
    while (may_enclose(body, before) && reap__is(body, after, ")")) {
        before--;
        after++;
    }
    bool is_member = false;
    while (reap__is_one_of(body, after, "[ . ->")) {
        is_member |= reap__is(body, after, ".");
        is_through |=
            reap__is(body, after, "->") || (is_pointer && !is_member && reap__is(body, after, "["));
        after = reap__is(body, after, "[") ? reap__past_brackets(body, after) : after + 2;
    }
    const bool is_stepped = reap__is_one_of(body, after, "++ --");
    is_through |= is_pointer && !is_stepped && reap__is(body, before, "*");
    return (struct use){!is_through && (reap__is_one_of(body, after, assignments) ||
                                        reap__is_one_of(body, before, "++ --")),
                        !is_through && reap__is(body, before, "&") &&
                            (!is_operand(body, before - 1) || reap__is(body, before - 1, ")"))};
}

static bool is_name(const struct body *body, size_t t)
{
    return reap__is_word(body, t) && !reap__is_one_of(body, t - 1, ". -> struct union enum");
}

/* Checks a name that is not that of a known variable. A kernel file has no other objects that
 * change, so if it is assigned to, it is declared in a way that has not been found, such as word
 * (v); */
static void check_other_name(struct body *body, size_t t)
{
    const struct use use = use_of(body, t, true);
    const bool is_of_kernel = is_parameter(body, t);
    if (!is_of_kernel && use.is_assigned)
        reap__refuse(body, "its body has a declaration that is not supported");
    else if (is_of_kernel && (use.is_assigned || (use.is_addressed && !reap__is(body, t + 1, "["))))
        reap__refuse(body, "its body changes a parameter");
}

static void find_uses(struct body *body)
{
    for (size_t v = 0; v < body->variable_count; v++)
        body->variable[body->variables[v].name] = v;
    for (size_t t = body->range.begin; t < body->range.end; t++) {
        if (body->variable[t] != NOWHERE)
            continue; /* set above: its declaration */
        body->variable[t] = is_name(body, t) ? find_variable(body, t) : NOWHERE;
        if (body->variable[t] == NOWHERE) {
            if (is_name(body, t))
                check_other_name(body, t);
            continue;
        }
        struct variable *variable = &body->variables[body->variable[t]];
        const struct use use = use_of(body, t, variable->is_pointer && !variable->is_array);
        variable->is_assigned |= use.is_assigned;
        variable->assignments += use.is_assigned;
        variable->is_addressed |= use.is_addressed;
    }
}

/* ---- The tree ---------------------------------------------------------------------------------*/

static size_t make_node(struct body *body, enum node_kind kind, size_t begin, size_t end)
{
    if (body->node_count == MOST_NODES) {
        reap__refuse(body, "it has too many statements");
        return 0;
    }
    body->nodes[body->node_count] = (struct node){.kind = kind,
                                                  .statement = {begin, end},
                                                  .before = NOWHERE,
                                                  .first = NOWHERE,
                                                  .other = NOWHERE,
                                                  .next = NOWHERE,
                                                  .variable = NOWHERE,
                                                  .loop = NOWHERE};
    return body->node_count++;
}

/* Whether a statement in these tokens jumps out of them. */
static bool escapes(const struct body *body, struct extent extent, bool has_loop, bool has_switch,
                    bool counts_returns)
{
    for (size_t t = extent.begin; t < extent.end;) {
        const bool is_loop = reap__is_one_of(body, t, "for while do");
        if (is_loop || reap__is(body, t, "switch")) {
            const size_t end = reap__past_statement(body, t);
            if (escapes(body, (struct extent){t + 1, end}, has_loop || is_loop,
                        has_switch || !is_loop, counts_returns))
                return true;
            t = end;
            continue;
        }
        if ((reap__is(body, t, "break") && !has_loop && !has_switch) ||
            (reap__is(body, t, "continue") && !has_loop) ||
            (reap__is(body, t, "return") && counts_returns))
            return true;
        t++;
    }
    return false;
}

static bool has_barrier(const struct body *body, struct extent extent)
{
    for (size_t t = extent.begin; t < extent.end; t++)
        if (reap__is(body, t, "reap_barrier"))
            return true;
    return false;
}

/* Where a statement is. In the outermost sequence after the last barrier a return needs no node,
 * since no region follows. */
struct context {
    size_t loop;
    bool is_outermost;
};

static size_t parse_sequence(struct body *body, struct extent extent, struct context context);

/* Parses the statement of an if or of a loop. Returns the first node of its sequence. */
static size_t parse_inner(struct body *body, size_t begin, size_t end, size_t loop)
{
    const bool is_block = reap__is(body, begin, "{");
    return parse_sequence(
        body, is_block ? (struct extent){begin + 1, end - 1} : (struct extent){begin, end},
        (struct context){loop, false});
}

static void parse_if(struct body *body, size_t n, size_t loop)
{
    const struct extent whole = body->nodes[n].statement;
    const size_t then = reap__past_brackets(body, whole.begin + 1);
    const size_t end = reap__past_statement(body, then);
    body->nodes[n].condition = (struct extent){whole.begin + 2, then - 1};
    const size_t first = parse_inner(body, then, end, loop);
    body->nodes[n].first = first;
    if (reap__is(body, end, "else")) {
        const size_t other = parse_inner(body, end + 1, whole.end, loop);
        body->nodes[n].other = other;
    }
}

/* Returns the variable to which a statement, or the last clause of a for, assigns, if it does only
 * that; else NOWHERE. */
static size_t target_of(const struct body *body, struct extent extent)
{
    const size_t first = extent.begin, second = first + 1;
    const bool is_prefix = reap__is_one_of(body, first, "++ --");
    const size_t name = is_prefix ? second : first;
    if (name >= extent.end || body->variable[name] == NOWHERE)
        return NOWHERE;
    const bool is_step =
        (is_prefix || reap__is_one_of(body, second, "++ --")) && extent.end == first + 2;
    if (!is_step && (is_prefix || !reap__is_one_of(body, second, assignments) ||
                     reap__is_one_of(body, second, "++ --")))
        return NOWHERE;
    for (size_t t = second; t < extent.end && !is_step; t++)
        if (reap__is(body, t, ",") || (t > second && reap__is_one_of(body, t, assignments)))
            return NOWHERE;
    return body->variable[name];
}

static void note_target(struct body *body, size_t n, struct extent extent)
{
    const size_t v = target_of(body, extent);
    body->nodes[n].variable = v;
    if (v != NOWHERE)
        body->variables[v].plain_ones++;
}

static void parse_for(struct body *body, size_t n)
{
    const struct extent whole = body->nodes[n].statement;
    const size_t inner = reap__past_brackets(body, whole.begin + 1);
    const size_t before = past_semicolon(body, whole.begin + 2);
    const size_t condition = past_semicolon(body, before);
    body->nodes[n].condition = (struct extent){before, condition - 1};
    body->nodes[n].after = (struct extent){condition, inner - 1};
    size_t first = parse_sequence(body, (struct extent){whole.begin + 2, before},
                                  (struct context){NOWHERE, false});
    body->nodes[n].before = first;
    first = parse_inner(body, inner, whole.end, n);
    body->nodes[n].first = first;
    note_target(body, n, body->nodes[n].after);
}

static void parse_while(struct body *body, size_t n)
{
    const struct extent whole = body->nodes[n].statement;
    const size_t inner = reap__past_brackets(body, whole.begin + 1);
    body->nodes[n].condition = (struct extent){whole.begin + 2, inner - 1};
    const size_t first = parse_inner(body, inner, whole.end, n);
    body->nodes[n].first = first;
}

static void parse_do(struct body *body, size_t n)
{
    const struct extent whole = body->nodes[n].statement;
    const size_t end = reap__past_statement(body, whole.begin + 1);
    body->nodes[n].condition = (struct extent){end + 2, reap__past_brackets(body, end + 1) - 1};
    const size_t first = parse_inner(body, whole.begin + 1, end, n);
    body->nodes[n].first = first;
}

/* A statement that is only reap_barrier(...); */
static size_t parse_barrier(struct body *body, size_t begin, size_t end)
{
    const size_t n = make_node(body, NODE_BARRIER, begin, end);
    if (reap__past_brackets(body, begin + 1) + 1 != end)
        reap__refuse(body, "a barrier is part of an expression");
    return n;
}

static size_t parse_jump(struct body *body, size_t begin, size_t end, size_t loop)
{
    const bool is_return = reap__is(body, begin, "return");
    const size_t n = make_node(body,
                               is_return                        ? NODE_RETURN
                               : reap__is(body, begin, "break") ? NODE_BREAK
                                                                : NODE_CONTINUE,
                               begin, end);
    body->nodes[n].loop = loop;
    if (end != begin + 2 || (loop == NOWHERE && !is_return))
        reap__refuse(body, "its body has a jump that is not supported");
    return n;
}

static size_t parse_around_barriers(struct body *body, size_t begin, size_t end, size_t loop)
{
    static const struct {
        const char *word;
        enum node_kind kind;
        void (*parse)(struct body *body, size_t n);
    } loops[] = {{"for", NODE_FOR, parse_for},
                 {"while", NODE_WHILE, parse_while},
                 {"do", NODE_DO_WHILE, parse_do}};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (reap__is(body, begin, loops[i].word)) {
            const size_t n = make_node(body, loops[i].kind, begin, end);
            (loops[i].parse)(body, n);
            return n;
        }
    if (reap__is(body, begin, "reap_barrier"))
        return parse_barrier(body, begin, end);
    if (reap__is_one_of(body, begin, "break continue return"))
        return parse_jump(body, begin, end, loop);
    const size_t n =
        make_node(body, reap__is(body, begin, "if") ? NODE_IF : NODE_BLOCK, begin, end);
    if (reap__is(body, begin, "if")) {
        parse_if(body, n, loop);
    } else if (reap__is(body, begin, "{")) {
        const size_t first = parse_inner(body, begin, end, loop);
        body->nodes[n].first = first;
    } else {
        reap__refuse(body, "a barrier is in a statement that is not supported");
    }
    return n;
}

static size_t parse_plain(struct body *body, size_t begin, size_t end, bool is_last)
{
    const size_t n = make_node(body, NODE_PLAIN, begin, end);
    if (!is_last)
        note_target(body, n, (struct extent){begin, end - 1});
    return n;
}

/* Appends a node for each declarator. The variables of the declarators have consecutive numbers,
 * from v on. */
static void parse_declaration(struct body *body, size_t v, size_t end, bool is_last, size_t **link)
{
    for (; v < body->variable_count && body->variables[v].name < end; v++) {
        const size_t n =
            make_node(body, NODE_DECLARATION, body->variables[v].specifiers.begin, end);
        body->variables[v].is_structured = true;
        body->variables[v].is_at_end = is_last;
        body->nodes[n].variable = v;
        **link = n;
        *link = &body->nodes[n].next;
    }
}

static size_t find_declaration(const struct body *body, size_t begin)
{
    size_t v = 0;
    while (v < body->variable_count && body->variables[v].specifiers.begin != begin)
        v++;
    return v;
}

static size_t parse_sequence(struct body *body, struct extent extent, struct context context)
{
    size_t first = NOWHERE, *link = &first;
    if (++body->nesting > MOST_NESTING)
        reap__refuse(body, "its statements are nested too deeply");
    for (size_t t = extent.begin, end; t < extent.end && body->problem == NULL; t = end) {
        end = reap__past_statement(body, t);
        if (end > extent.end) {
            reap__refuse(body, "its body has a statement that is not supported");
            break;
        }
        const bool is_last =
            context.is_outermost && (body->last_barrier == NOWHERE || t > body->last_barrier);
        const size_t v = find_declaration(body, t);
        if (v < body->variable_count) {
            parse_declaration(body, v, end, is_last, &link);
            continue;
        }
        const struct extent statement = {t, end};
        const size_t n =
            has_barrier(body, statement) || escapes(body, statement, false, false, !is_last)
                ? parse_around_barriers(body, t, end, context.loop)
                : parse_plain(body, t, end, is_last);
        *link = n;
        link = &body->nodes[n].next;
    }
    body->nesting--;
    return first;
}

void reap__body_parse(struct body *body)
{
    look_for_words(body);
    if (body->problem == NULL)
        take_declarations(body);
    if (body->problem == NULL)
        check_words(body);
    if (body->problem == NULL)
        find_uses(body);
    if (body->problem == NULL)
        body->first = parse_sequence(body, body->range, (struct context){NOWHERE, true});
    size_t barriers = 0;
    for (size_t n = 0; n < body->node_count; n++)
        barriers += body->nodes[n].kind == NODE_BARRIER;
    for (size_t t = body->range.begin; t < body->range.end; t++)
        barriers -= reap__is(body, t, "reap_barrier");
    if (barriers != 0)
        reap__refuse(body, "a barrier is in a statement that is not supported");
}
