/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether all work-items of a group reach the same words of sub-groups: what a device needs on
 * which these words are barriers of the group (detail/opencl/sub_groups.h). There a word that only
 * some sub-groups reach would be executed by the others, too, or never end.
 *
 * The control flow of the functions that contain such words is followed over the tokens of the
 * text. A variable, a statement or a loop is varying if it may differ between work-items of a
 * group; what is found to be varying makes others so, until nothing changes. Uniform is only what
 * is known to be: constants, values that the launch gives, sizes of ranges, results of group
 * algorithms, and variables that are computed of these alone. Types are not looked at, nor what a
 * helper function is called with.
 */
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "src/core/status.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A function of the text: tokens. */
struct function {
    size_t name;
    size_t parameters; /* the ( */
    size_t body, end;  /* its {, and after its } */
    bool meets;        /* a word of sub-groups is in it, or in a function that it calls */
    bool is_called;    /* by the kernel, or by what it calls */
};

struct walk {
    const struct reap_kernel *kernel;
    const char *device;
    struct reap__tokens tokens;
    size_t count;
    struct reap__string functions; /* of struct function */
    const struct function *at;     /* the one at hand */
    unsigned char *is_varying;     /* of each token: a variable's name, the word of a loop */
    size_t left;                   /* after this token some work-items may have returned */
    bool has_changed;
    bool complains;
    bool has_failed; /* the message is set */
    char message[REAP__MESSAGE_BYTES];
};

/* Where a statement is. */
struct context {
    bool is_varying;
    size_t nested; /* how many loops and switches enclose it */
    size_t loops[16];
};

static bool is(const struct walk *walk, size_t t, const char *expected)
{
    return reap__token_is(&walk->tokens, t, expected);
}

static bool is_word(const struct walk *walk, size_t t)
{
    return t < walk->count && reap__tokens_list(&walk->tokens)[t].is_word;
}

static bool begins_with(const struct walk *walk, size_t t, const char *prefix)
{
    const struct reap__token *token = &reap__tokens_list(&walk->tokens)[t];
    return t < walk->count && token->length >= strlen(prefix) &&
           memcmp(walk->tokens.characters.bytes + token->begin, prefix, strlen(prefix)) == 0;
}

static bool is_any(const struct walk *walk, size_t t, const char *const *words)
{
    for (; *words != NULL; words++)
        if (is(walk, t, *words))
            return true;
    return false;
}

static bool are_same(const struct walk *walk, size_t a, size_t b)
{
    const struct reap__token *list = reap__tokens_list(&walk->tokens);
    const char *all = walk->tokens.characters.bytes;
    return list[a].length == list[b].length &&
           memcmp(all + list[a].begin, all + list[b].begin, list[a].length) == 0;
}

static size_t past_brackets(const struct walk *walk, size_t t)
{
    return reap__token_past_brackets(&walk->tokens, t);
}

/* ---- Functions --------------------------------------------------------------------------------*/

static struct function *functions(const struct walk *walk)
{
    return (struct function *)(void *)walk->functions.bytes;
}

static size_t function_count(const struct walk *walk)
{
    return walk->functions.length / sizeof(struct function);
}

/* Words that all work-items must reach. */
static bool is_meeting_word(const struct walk *walk, size_t t)
{
    static const char *const places[] = {"reap_sub_group_id",       "reap_sub_group_range",
                                         "reap_sub_group_local_id", "reap_sub_group_local_range",
                                         "reap_sub_group_leader",   NULL};
    return begins_with(walk, t, "reap_sub_group_") && !is_any(walk, t, places);
}

static struct function *find_function(const struct walk *walk, size_t name)
{
    if (!is_word(walk, name) || !is(walk, name + 1, "("))
        return NULL;
    for (size_t f = 0; f < function_count(walk); f++)
        if (are_same(walk, functions(walk)[f].name, name))
            return &functions(walk)[f];
    return NULL;
}

static bool is_meeting(const struct walk *walk, size_t t)
{
    const struct function *called = find_function(walk, t);
    return is_meeting_word(walk, t) || (called != NULL && called->meets);
}

/* NAME ( ... ) { ... } outside of functions, and the kernel, whose name is its first argument. */
static void find_functions(struct walk *walk)
{
    for (size_t t = 0; t + 1 < walk->count; t++) {
        if (is(walk, t, "{")) {
            t = past_brackets(walk, t) - 1;
            continue;
        }
        if (!is_word(walk, t) || !is(walk, t + 1, "("))
            continue;
        const size_t body = past_brackets(walk, t + 1);
        const bool is_kernel = is(walk, t, "REAP_ND_KERNEL");
        if (!is(walk, body, "{") || (begins_with(walk, t, "REAP_") && !is_kernel))
            continue;
        const struct function found = {.name = is_kernel ? t + 2 : t,
                                       .parameters = t + 1,
                                       .body = body,
                                       .end = past_brackets(walk, body)};
        reap__string_append(&walk->functions, &found, sizeof found);
        t = found.end - 1;
    }
}

static bool has_meeting(const struct walk *walk, const struct function *function)
{
    for (size_t t = function->body; t < function->end; t++)
        if (is_meeting(walk, t))
            return true;
    return false;
}

/* Which functions have words of sub-groups, by themselves or by what they call. */
static void find_meetings(const struct walk *walk)
{
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t f = 0; f < function_count(walk); f++) {
            struct function *function = &functions(walk)[f];
            if (function->meets || !has_meeting(walk, function))
                continue;
            function->meets = has_changed = true;
        }
    }
}

static void find_called(const struct walk *walk, struct function *function)
{
    function->is_called = true;
    for (size_t t = function->body; t < function->end; t++) {
        struct function *called = find_function(walk, t);
        if (called != NULL && called->meets && !called->is_called)
            find_called(walk, called);
    }
}

/* ---- Variables --------------------------------------------------------------------------------*/

static void mark(struct walk *walk, size_t t)
{
    walk->has_changed |= walk->is_varying[t] == 0;
    walk->is_varying[t] = 1;
}

/* All mentions of a name in the function, whichever of its variables has it. */
static void mark_variable(struct walk *walk, size_t name)
{
    for (size_t t = walk->at->parameters; t < walk->at->end; t++)
        if (is_word(walk, t) && are_same(walk, t, name))
            mark(walk, t);
}

/* Parameters differ between work-items, except values of a launch. */
static void mark_parameters(struct walk *walk)
{
    const bool is_kernel = walk->at->name > walk->at->parameters;
    for (size_t t = walk->at->parameters + 1; t < walk->at->body; t++) {
        if (is_kernel && is(walk, t, "value"))
            t = past_brackets(walk, t + 1) - 1;
        else if (is_word(walk, t) && (is(walk, t + 1, ")") || (!is_kernel && is(walk, t + 1, ","))))
            mark_variable(walk, t);
    }
}

/* Words of the dialect that are the same for all work-items of a group. */
static const char *const uniform_words[] = {"reap_global_range",
                                            "reap_global_linear_range",
                                            "reap_local_range",
                                            "reap_local_linear_range",
                                            "reap_group_range",
                                            "reap_group_linear_range",
                                            "reap_group_id",
                                            "reap_group_linear_id",
                                            "reap_sub_group_range",
                                            "reap_extent",
                                            "reap_value",
                                            "reap_operate",
                                            "reap_known_identity",
                                            "REAP_SUB_GROUP_SIZE",
                                            NULL};
static const char *const uniform_algorithms[] = {"reap_group_reduce",
                                                 "reap_group_reduce_from",
                                                 "reap_group_any",
                                                 "reap_group_all",
                                                 "reap_group_none",
                                                 "reap_group_broadcast",
                                                 "reap_group_joint_any",
                                                 "reap_group_broadcast_id",
                                                 "reap_group_joint_all",
                                                 "reap_group_joint_none",
                                                 "reap_group_joint_reduce",
                                                 "reap_group_joint_reduce_from",
                                                 NULL};

/* Whether an expression may differ between work-items. An element of an array may. */
static bool varies(const struct walk *walk, size_t begin, size_t end)
{
    for (size_t t = begin; t < end; t++) {
        if (is(walk, t, "[") || is(walk, t, "{") || is(walk, t, "->"))
            return true;
        if (!is_word(walk, t) || is(walk, t - 1, "."))
            continue;
        if (is_any(walk, t, uniform_algorithms) || is(walk, t, "sizeof")) {
            t = is(walk, t + 1, "(") ? past_brackets(walk, t + 1) - 1 : t + 1;
            continue;
        }
        const bool is_of_dialect = begins_with(walk, t, "reap_") || begins_with(walk, t, "REAP_");
        if (walk->is_varying[t] != 0 || (is_of_dialect && !is_any(walk, t, uniform_words)) ||
            find_function(walk, t) != NULL)
            return true;
    }
    return false;
}

/* ---- Expressions ------------------------------------------------------------------------------*/

static void complain(struct walk *walk, size_t t)
{
    const struct reap__token *token = &reap__tokens_list(&walk->tokens)[t];
    const char *all = walk->tokens.characters.bytes;
    if (!walk->complains || walk->has_failed)
        return;
    walk->has_failed = true;
    snprintf(walk->message, sizeof walk->message,
             "kernel '%s': %s:%u: work-items of a group might not all reach %.*s, as device '%s' "
             "needs, which has no sub-groups of 32 work-items of its own: put it outside of "
             "conditions that may differ between work-items (docs/groups.md)",
             walk->kernel->name, all + token->file, token->line,
             (int)(token->length < 60 ? token->length : 60), all + token->begin, walk->device);
}

static bool is_varying_at(const struct walk *walk, const struct context *context, size_t t)
{
    return context->is_varying || t > walk->left;
}

/* The word that an assignment before this token is to: x, x.m, x[i]. */
static size_t find_target(const struct walk *walk, size_t t)
{
    size_t open = 0;
    for (t--; t > walk->at->body; t--) {
        open += is(walk, t, "]") || is(walk, t, ")");
        if (open == 0 && is_word(walk, t) && !is(walk, t - 1, ".") && !is(walk, t - 1, "->"))
            break;
        open -= is(walk, t, "[") || is(walk, t, "(");
    }
    return t;
}

static bool is_binary(const struct walk *walk, size_t t)
{
    const char before =
        walk->tokens.characters.bytes[reap__tokens_list(&walk->tokens)[t - 1].begin];
    return (is_word(walk, t - 1) && !is(walk, t - 1, "return")) || is(walk, t - 1, ")") ||
           is(walk, t - 1, "]") || (before >= '0' && before <= '9');
}

/* Assignments, and pointers to variables, through which they may be assigned to. */
static void follow_assignments(struct walk *walk, const struct context *context, size_t begin,
                               size_t end)
{
    static const char *const assignments[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    for (size_t t = begin; t < end; t++) {
        const bool is_step = is(walk, t, "++") || is(walk, t, "--");
        if (is_any(walk, t, assignments) &&
            (is_varying_at(walk, context, t) || varies(walk, t + 1, end)))
            mark_variable(walk, find_target(walk, t));
        if (is_step && is_varying_at(walk, context, t))
            mark_variable(walk, is_word(walk, t + 1) ? t + 1 : find_target(walk, t));
        if (is(walk, t, "&") && is_word(walk, t + 1) && !is_binary(walk, t))
            mark_variable(walk, t + 1);
    }
}

/* Whether what is evaluated before this token, in the same expression, may leave it out. */
static bool is_left_out(const struct walk *walk, size_t begin, size_t t)
{
    static const char *const choices[] = {"?",     "&&", "||",     "if", "for",
                                          "while", "do", "switch", NULL};
    size_t open = 0;
    while (t-- > begin) {
        open += is(walk, t, ")") || is(walk, t, "]") || is(walk, t, "}");
        if (open == 0 && is_any(walk, t, choices))
            return true;
        if (open > 0)
            open -= is(walk, t, "(") || is(walk, t, "[") || is(walk, t, "{");
    }
    return false;
}

static void follow_expression(struct walk *walk, const struct context *context, size_t begin,
                              size_t end)
{
    follow_assignments(walk, context, begin, end);
    for (size_t t = begin; t < end; t++)
        if (is_meeting(walk, t) && (is_varying_at(walk, context, t) || is_left_out(walk, begin, t)))
            complain(walk, t);
}

/* ---- Statements -------------------------------------------------------------------------------*/

/* Returns what follows the statement that begins here. */
static size_t follow_statement(struct walk *walk, const struct context *context, size_t t);

static size_t end_of_expression(const struct walk *walk, size_t t, size_t end, const char *mark)
{
    while (t < end && !is(walk, t, mark))
        t = is(walk, t, "(") || is(walk, t, "[") || is(walk, t, "{") ? past_brackets(walk, t)
                                                                     : t + 1;
    return t < end ? t : end;
}

static struct context within_loop(const struct context *context, size_t loop)
{
    struct context inner = *context;
    const size_t most = sizeof inner.loops / sizeof *inner.loops;
    inner.is_varying |= inner.nested == most; /* deeper than is followed */
    if (inner.nested < most)
        inner.loops[inner.nested++] = loop;
    return inner;
}

static size_t follow_if(struct walk *walk, const struct context *context, size_t t)
{
    const size_t end = past_brackets(walk, t + 1);
    struct context inner = *context;
    follow_expression(walk, context, t + 2, end - 1);
    inner.is_varying |= varies(walk, t + 2, end - 1);
    t = follow_statement(walk, &inner, end);
    return is(walk, t, "else") ? follow_statement(walk, &inner, t + 1) : t;
}

/* for, while and switch. */
static size_t follow_loop(struct walk *walk, const struct context *context, size_t t)
{
    const size_t end = past_brackets(walk, t + 1);
    size_t first = t + 2, last = end - 1;
    struct context inner = within_loop(context, t);
    if (is(walk, t, "for")) {
        first = end_of_expression(walk, t + 2, end - 1, ";");
        last = end_of_expression(walk, first + 1, end - 1, ";");
        follow_expression(walk, context, t + 2, first);
        first++;
    }
    inner.is_varying |= walk->is_varying[t] != 0 || varies(walk, first, last);
    follow_expression(walk, &inner, first, last);
    t = follow_statement(walk, &inner, end);
    if (last + 1 < end)
        follow_expression(walk, &inner, last + 1, end - 1);
    return t;
}

static size_t follow_do(struct walk *walk, const struct context *context, size_t t)
{
    struct context inner = within_loop(context, t);
    const size_t head = reap__token_past_statement(&walk->tokens, t + 1);
    const size_t end = past_brackets(walk, head + 1);
    inner.is_varying |= walk->is_varying[t] != 0 || varies(walk, head + 2, end - 1);
    follow_statement(walk, &inner, t + 1);
    follow_expression(walk, &inner, head + 2, end - 1);
    return end + 1;
}

/* return, break and continue: what some work-items leave becomes varying. A continue in a switch
 * belongs to the loop around it. */
static void follow_jump(struct walk *walk, const struct context *context, size_t t)
{
    if (!is_varying_at(walk, context, t))
        return;
    const bool is_return = is(walk, t, "return");
    walk->has_changed |= is_return && t < walk->left;
    walk->left = is_return && t < walk->left ? t : walk->left;
    for (size_t l = context->nested; l-- > 0;) {
        mark(walk, context->loops[l]);
        if (!is_return && !is(walk, context->loops[l], "switch"))
            break;
    }
}

static size_t follow_statement(struct walk *walk, const struct context *context, size_t t)
{
    static const char *const loops[] = {"for", "while", "switch", NULL};
    static const char *const jumps[] = {"return", "break", "continue", NULL};
    if (is(walk, t, "{")) {
        const size_t end = past_brackets(walk, t);
        for (t++; t + 1 < end;)
            t = follow_statement(walk, context, t);
        return end;
    }
    if (is(walk, t, "if"))
        return follow_if(walk, context, t);
    if (is_any(walk, t, loops))
        return follow_loop(walk, context, t);
    if (is(walk, t, "do"))
        return follow_do(walk, context, t);
    if (is(walk, t, "case") || is(walk, t, "default") || (is_word(walk, t) && is(walk, t + 1, ":")))
        return follow_statement(walk, context, end_of_expression(walk, t, walk->at->end, ":") + 1);
    const size_t end = end_of_expression(walk, t, walk->at->end, ";");
    follow_expression(walk, context, t, end);
    if (is_any(walk, t, jumps))
        follow_jump(walk, context, t);
    return end + 1;
}

/* ---- All of it --------------------------------------------------------------------------------*/

static void follow_function(struct walk *walk, const struct function *function)
{
    const struct context context = {.is_varying = false};
    walk->at = function;
    walk->left = SIZE_MAX;
    for (size_t t = function->body; t < function->end; t++)
        if (is(walk, t, "goto"))
            walk->left = function->body; /* it is not followed */
    walk->complains = false;
    mark_parameters(walk);
    do {
        walk->has_changed = false;
        follow_statement(walk, &context, function->body);
    } while (walk->has_changed);
    walk->complains = true;
    follow_statement(walk, &context, function->body);
}

static void follow_kernel(struct walk *walk)
{
    find_functions(walk);
    find_meetings(walk);
    for (size_t f = 0; f < function_count(walk); f++) {
        struct function *function = &functions(walk)[f];
        if (is(walk, function->parameters - 1, "REAP_ND_KERNEL") &&
            is(walk, function->name, walk->kernel->name) && function->meets)
            find_called(walk, function);
    }
    for (size_t f = 0; f < function_count(walk); f++)
        if (functions(walk)[f].is_called)
            follow_function(walk, &functions(walk)[f]);
}

static reap_status lack_memory(const struct reap_kernel *kernel)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "kernel '%s': no memory for its text",
                      kernel->name);
}

static reap_status follow_text(struct walk *walk, const char *text)
{
    reap__tokens_read(text, &walk->tokens);
    walk->count = reap__tokens_count(&walk->tokens);
    walk->is_varying = reap__allocate(walk->count + 1);
    if (walk->is_varying == NULL || walk->tokens.list.failed || walk->tokens.characters.failed)
        return lack_memory(walk->kernel);
    memset(walk->is_varying, 0, walk->count + 1);
    if (walk->tokens.is_incomplete)
        return reap__fail(REAP_ERROR_COMPILATION_FAILED,
                          "kernel '%s': its text cannot be followed as far as device '%s' needs, "
                          "which has no sub-groups of 32 work-items of its own (docs/groups.md)",
                          walk->kernel->name, walk->device);
    follow_kernel(walk);
    if (walk->functions.failed)
        return lack_memory(walk->kernel);
    return walk->has_failed ? reap__fail(REAP_ERROR_COMPILATION_FAILED, "%s", walk->message)
                            : REAP_OK;
}

reap_status reap__uniformity_check(const struct reap_kernel *kernel, const char *device)
{
    struct reap__string text = {0};
    struct walk *walk = reap__allocate(sizeof *walk);
    if (walk == NULL)
        return lack_memory(kernel);
    memset(walk, 0, sizeof *walk);
    walk->kernel = kernel;
    walk->device = device;
    reap_status status = reap__flatten_source(kernel, REAP__DIALECT_NONE, &text);
    if (status == REAP_OK && text.failed)
        status = lack_memory(kernel);
    if (status == REAP_OK)
        status = follow_text(walk, text.bytes);
    reap__string_release(&text);
    reap__string_release(&walk->functions);
    reap__tokens_release(&walk->tokens);
    reap__free(walk->is_varying);
    reap__free(walk);
    return status;
}
