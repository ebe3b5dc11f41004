/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which variables the regions of a kernel share. It depends on what they are computed from.
 * If from ids, sizes and values only, a variable is computed again in each region, which costs less
 * than memory and lets the compiler see that neighbouring work-items access neighbouring elements.
 * If it is the same for all work-items, it is a variable of the group. All work-items execute the
 * nodes of the tree alike, so an assignment there has the same result for all of them if its value
 * is the same.
 */
#include "src/host/compiled/body.h"

/* ---- Segments ---------------------------------------------------------------------------------*/

/* The tokens of a region get one number. The condition of an if belongs to the region before it,
 * unless it is uniform; other conditions have a number of their own. */
static void mark(struct body *body, struct extent extent, size_t segment)
{
    for (size_t t = extent.begin; t < extent.end; t++)
        body->segment[t] = segment;
}

static void mark_alone(struct body *body, struct extent extent)
{
    body->segment_count++;
    mark(body, extent, body->segment_count++);
}

static void mark_declaration(struct body *body, const struct node *node)
{
    struct variable *variable = &body->variables[node->variable];
    const struct extent extent = {variable->declarator.begin, variable->initialiser.end};
    if (variable->class == CLASS_RECOMPUTED)
        return;
    if (node->is_uniform)
        mark_alone(body, extent);
    else
        mark(body, extent, body->segment_count);
    variable->segment = body->segment[variable->name];
}

static void mark_sequence(struct body *body, size_t n);

static void mark_inner(struct body *body, size_t n)
{
    body->segment_count++;
    mark_sequence(body, n);
    body->segment_count++;
}

static void mark_around_barriers(struct body *body, const struct node *node)
{
    if (node->kind == NODE_IF && !node->is_uniform)
        mark(body, node->condition, body->segment_count);
    else
        mark_alone(body, node->condition);
    if (node->kind == NODE_FOR)
        mark_inner(body, node->before);
    mark_inner(body, node->first);
    mark_inner(body, node->other);
    mark_alone(body, node->after);
}

static void mark_sequence(struct body *body, size_t n)
{
    for (; n != NOWHERE; n = body->nodes[n].next) {
        const struct node *node = &body->nodes[n];
        if (node->kind == NODE_DECLARATION)
            mark_declaration(body, node);
        else if (node->kind == NODE_PLAIN && !node->is_uniform)
            mark(body, node->statement, body->segment_count);
        else if (node->kind == NODE_PLAIN)
            mark_alone(body, node->statement);
        else
            mark_around_barriers(body, node);
    }
}

/* Numbers the tokens by regions; other tokens get NOWHERE. Then finds which variables more than one
 * region uses. */
static void find_segments(struct body *body)
{
    body->segment_count = 0;
    for (size_t t = body->range.begin; t < body->range.end; t++)
        body->segment[t] = NOWHERE;
    mark_sequence(body, body->first);
    for (size_t v = 0; v < body->variable_count; v++)
        body->variables[v].has_more_segments = false;
    for (size_t t = body->range.begin; t < body->range.end; t++)
        if (body->variable[t] != NOWHERE && body->segment[t] != NOWHERE) {
            struct variable *variable = &body->variables[body->variable[t]];
            variable->has_more_segments |= body->segment[t] != variable->segment;
        }
}

/* Whether tokens of more than one region are in the scope of the variable. */
static bool outlives_its_region(const struct body *body, const struct variable *variable)
{
    for (size_t t = variable->scope.begin; t < variable->scope.end; t++)
        if (body->segment[t] != NOWHERE && body->segment[t] != variable->segment)
            return true;
    return false;
}

/* ---- Expressions ------------------------------------------------------------------------------*/

static const char item_words[] = "reap_global_id reap_global_linear_id reap_local_id "
                                 "reap_local_linear_id reap_group_leader";
static const char group_words[] =
    "reap_global_range reap_global_linear_range reap_local_range reap_local_linear_range "
    "reap_group_id reap_group_linear_id reap_group_range reap_group_linear_range reap_extent";
static const char pure_operators[] = "( ) + - / % << >> < > <= >= == != && || ! ~ | ^ ? : . , * &";

static bool is_number(const struct body *body, size_t t)
{
    const char *text = body->tokens.characters.bytes + body->list[t].begin;
    return (*text >= '0' && *text <= '9') || *text == '\'' ||
           (*text == '.' && body->list[t].length > 1 && text[1] >= '0' && text[1] <= '9');
}

/* Whether the * or & at t has a left operand. After a closing bracket, which may end a cast, it has
 * one if the bracket is that of a call, or what it encloses does not begin with a type. */
static bool is_binary(const struct body *body, size_t t)
{
    if (!reap__is(body, t - 1, ")"))
        return is_number(body, t - 1) ||
               (reap__is_word(body, t - 1) && !reap__is_one_of(body, t - 1, "return sizeof"));
    const size_t open = reap__opening_of(body, t - 1);
    return reap__is_word(body, open - 1) || is_number(body, open + 1) ||
           body->variable[open + 1] != NOWHERE || reap__is(body, open + 1, "(") ||
           reap__token_begins_with(&body->tokens, open + 1, "reap_");
}

/* Whether variable v is assigned to within a scope. */
static bool changes_within(const struct body *body, size_t v, struct extent scope)
{
    for (size_t n = 0; n < body->node_count; n++) {
        const struct node *node = &body->nodes[n];
        const struct extent at = node->kind == NODE_FOR ? node->after : node->statement;
        if (node->variable == v && node->kind != NODE_DECLARATION && at.begin >= scope.begin &&
            at.begin < scope.end)
            return true;
    }
    return false;
}

static bool is_pure_variable(const struct body *body, size_t v, const struct variable *of,
                             bool is_uniform)
{
    const struct variable *variable = &body->variables[v];
    if (variable->class == CLASS_RECOMPUTED)
        return !is_uniform || variable->is_same;
    return variable->class == CLASS_UNIFORM && (of == NULL || !changes_within(body, v, of->scope));
}

static bool is_pure_word(const struct body *body, size_t t, const struct variable *of,
                         bool is_uniform)
{
    if (reap__is(body, t - 1, "."))
        return true;
    if (body->variable[t] != NOWHERE)
        return is_pure_variable(body, body->variable[t], of, is_uniform);
    if (reap__is_one_of(body, t, group_words))
        return true;
    if (reap__is_one_of(body, t, item_words))
        return !is_uniform;
    if (reap__token_begins_with(&body->tokens, t, "reap_") ||
        reap__token_begins_with(&body->tokens, t, "REAP_"))
        return reap__is_one_of(body, t, "REAP_LOCAL REAP_GLOBAL REAP_CONSTANT");
    return reap__is(body, t, "sizeof") || !reap__is(body, t + 1, "(");
}

bool reap__is_pure(const struct body *body, struct extent extent, const struct variable *of,
                   bool is_uniform)
{
    for (size_t t = extent.begin; t < extent.end; t++) {
        if (reap__is_word(body, t)
                ? !is_pure_word(body, t, of, is_uniform)
                : !is_number(body, t) && !reap__is_one_of(body, t, pure_operators))
            return false;
        /* At the begin the left operand is missing, as it is after a cast. */
        if (reap__is_one_of(body, t, "* &") && (t == extent.begin || !is_binary(body, t)) &&
            !reap__is_one_of(body, t + 1, ") *"))
            return false;
    }
    return extent.end > extent.begin;
}

/* ---- Classes ----------------------------------------------------------------------------------*/

/* Whether an expression may divide by zero: then it must stay after the condition that guards
 * it. */
static bool may_trap(const struct body *body, struct extent extent)
{
    for (size_t t = extent.begin; t < extent.end; t++)
        if (reap__is_one_of(body, t, "/ %") &&
            (!is_number(body, t + 1) || reap__is(body, t + 1, "0")))
            return true;
    return false;
}

/* Whether a variable can be computed again. One that is declared after the last barrier need not
 * be, since one region uses it. */
static bool is_recomputed(const struct body *body, const struct variable *variable)
{
    return variable->is_structured && variable->is_simple && !variable->is_assigned &&
           !variable->is_addressed && !variable->is_at_end &&
           !may_trap(body, variable->initialiser) &&
           reap__is_pure(body, variable->initialiser, variable, false);
}

/* Finds the variables to recompute, in the order of their declarations, since one can depend on
 * those before it. */
static void find_recomputed(struct body *body)
{
    for (size_t v = 0; v < body->variable_count; v++) {
        struct variable *variable = &body->variables[v];
        if (variable->class == CLASS_UNIFORM && variable->is_assigned)
            continue;
        if (is_recomputed(body, variable)) {
            variable->class = CLASS_RECOMPUTED;
            variable->is_same = reap__is_pure(body, variable->initialiser, variable, true);
        } else if (variable->class == CLASS_RECOMPUTED) {
            variable->class = CLASS_OWN;
        }
    }
}

static bool may_be_uniform(const struct variable *variable)
{
    return variable->is_structured && variable->is_simple && !variable->is_addressed &&
           !variable->is_at_end && variable->has_more_segments &&
           variable->assignments == variable->plain_ones;
}

/* Returns the right-hand side of an assignment; empty for ++ and --. */
static struct extent value_of(const struct node *node)
{
    struct extent extent = node->kind == NODE_FOR ? node->after : node->statement;
    extent.end -= node->kind == NODE_PLAIN;
    if (extent.end - extent.begin <= 2)
        return (struct extent){0, 0};
    extent.begin += 2;
    return extent;
}

static bool stays_uniform(const struct body *body, size_t v)
{
    const struct variable *variable = &body->variables[v];
    if (variable->initialiser.end > variable->initialiser.begin &&
        !reap__is_pure(body, variable->initialiser, NULL, true))
        return false;
    for (size_t n = 0; n < body->node_count; n++) {
        const struct node *node = &body->nodes[n];
        if (node->variable != v || node->kind == NODE_DECLARATION)
            continue;
        const struct extent value = value_of(node);
        if (value.end > value.begin && !reap__is_pure(body, value, NULL, true))
            return false;
    }
    return true;
}

/* Finds the uniform variables: assumes that all candidates are uniform, and removes those that
 * depend on others which are not, until none is left to remove. */
static void find_uniform(struct body *body)
{
    for (size_t v = 0; v < body->variable_count; v++)
        if (may_be_uniform(&body->variables[v]))
            body->variables[v].class = CLASS_UNIFORM;
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        find_recomputed(body);
        for (size_t v = 0; v < body->variable_count; v++)
            if (body->variables[v].class == CLASS_UNIFORM && !stays_uniform(body, v)) {
                body->variables[v].class = CLASS_OWN;
                has_changed = true;
            }
    }
}

static void mark_uniform_nodes(struct body *body)
{
    for (size_t n = 0; n < body->node_count; n++) {
        struct node *node = &body->nodes[n];
        if (node->kind == NODE_DECLARATION || node->kind == NODE_PLAIN)
            node->is_uniform =
                node->variable != NOWHERE && body->variables[node->variable].class == CLASS_UNIFORM;
        else if (node->condition.end > node->condition.begin)
            node->is_uniform = reap__is_pure(body, node->condition, NULL, true);
        else
            node->is_uniform = true;
    }
}

void reap__body_classify(struct body *body)
{
    find_segments(body);
    find_uniform(body);
    mark_uniform_nodes(body);
    find_segments(body);
    for (size_t v = 0; v < body->variable_count; v++) {
        struct variable *variable = &body->variables[v];
        if (!variable->is_structured || variable->class != CLASS_OWN)
            continue;
        if (variable->has_more_segments || ((variable->is_addressed || !variable->is_simple) &&
                                            outlives_its_region(body, variable)))
            variable->class = CLASS_STORED;
    }
}
