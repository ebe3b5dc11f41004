/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the kernel's body as two functions. The first runs a group: a loop over the work-items for
 * each region. At a condition around a barrier, which must be the same for all work-items, it
 * counts the items for which it is true; if they differ, the function returns the number of that
 * condition's node. From there the second function continues one work-item, up to the barrier at
 * which it waits next: it is the kernel's statements in a switch, with a case for each such
 * condition and each barrier.
 */
#include "src/host/compiled/body.h"

#include <stdint.h>
#include <string.h>

struct writer {
    struct body *body;
    struct reap__string *into;
    bool is_item;  /* the second function */
    size_t label;  /* where a work-item goes that returns in the region */
    size_t labels; /* how many labels there are */
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

void reap__token_write(const struct body *body, size_t t, struct reap__string *into)
{
    const struct reap__token *token = &body->list[t];
    reap__string_append(into, body->tokens.characters.bytes + token->begin, token->length);
    reap__string_append(into, reap__is_one_of(body, t, "; { }") ? "\n" : " ", 1);
}

static void write_token(const struct writer *writer, size_t t)
{
    reap__token_write(writer->body, t, writer->into);
}

/* Whether a region uses a local copy of a stored variable, so that its inner loops do not access
 * memory for it. */
static bool is_copied(const struct writer *writer, size_t v)
{
    const struct variable *variable = &writer->body->variables[v];
    return !writer->is_item && variable->class == CLASS_STORED && variable->is_simple &&
           !variable->is_addressed;
}

static void write_variable(const struct writer *writer, size_t v, size_t t)
{
    switch (writer->body->variables[v].class) {
    case CLASS_RECOMPUTED:
        reap__string_format(writer->into, "reap_r_%zu ", v);
        return;
    case CLASS_UNIFORM:
        if (!writer->is_item) {
            reap__string_format(writer->into, "reap_u_%zu ", v);
            return;
        }
        /* fall through */
    case CLASS_STORED:
        reap__string_format(
            writer->into, is_copied(writer, v) ? "reap_l_%zu " : "(reap_v_%zu[reap_item_.lane_]) ",
            v);
        return;
    default:
        write_token(writer, t);
    }
}

static void write_tokens(const struct writer *writer, struct extent extent)
{
    for (size_t t = extent.begin; t < extent.end; t++) {
        const size_t v = writer->body->variable[t];
        if (reap__is(writer->body, t, "return"))
            reap__string_format(writer->into, "goto reap_label_%zu ", writer->label);
        else if (v != NOWHERE)
            write_variable(writer, v, t);
        else
            write_token(writer, t);
    }
}

/* Writes a declarator with its specifiers and another name. Variables of C's types are written
 * without const, since they are assigned to. */
static void write_declaration(const struct writer *writer, size_t v, const char *prefix)
{
    const struct variable *variable = &writer->body->variables[v];
    size_t last_star = 0;
    for (size_t t = variable->declarator.begin; t < variable->name; t++)
        last_star = reap__is(writer->body, t, "*") ? t : last_star;
    for (size_t t = variable->specifiers.begin; t < variable->specifiers.end; t++)
        if (!reap__is(writer->body, t, "const") || variable->is_pointer || !variable->is_simple)
            write_token(writer, t);
    for (size_t t = variable->declarator.begin; t < variable->name; t++)
        if (!reap__is(writer->body, t, "const") || t < last_star || !variable->is_simple)
            write_token(writer, t);
    reap__string_format(writer->into, "%s%zu ", prefix, v);
    write_tokens(writer, (struct extent){variable->name + 1, variable->declarator.end});
}

/* ---- Regions ----------------------------------------------------------------------------------*/

/* Consecutive nodes, from `first` to before `end`, and a condition after them. */
struct region {
    size_t first, end;
    struct extent condition;
};

/* Adds the variables in these tokens. */
static void add_used(const struct body *body, struct extent extent, bool *used)
{
    for (size_t t = extent.begin; t < extent.end; t++)
        if (body->variable[t] != NOWHERE)
            used[body->variable[t]] = true;
}

static void find_used(const struct body *body, const struct region *region, bool *used)
{
    memset(used, 0, MOST_VARIABLES * sizeof *used);
    add_used(body, region->condition, used);
    for (size_t n = region->first; n != region->end; n = body->nodes[n].next) {
        const struct node *node = &body->nodes[n];
        if (node->kind != NODE_DECLARATION)
            add_used(body, node->statement, used);
        else if (body->variables[node->variable].class != CLASS_RECOMPUTED)
            add_used(body,
                     (struct extent){body->variables[node->variable].declarator.begin,
                                     body->variables[node->variable].initialiser.end},
                     used);
    }
    for (size_t v = body->variable_count; v-- > 0;)
        if (used[v] && body->variables[v].class == CLASS_RECOMPUTED)
            add_used(body, body->variables[v].initialiser, used);
}

/* Begins a region: computes variables again, and copies stored ones. */
static void write_begin(const struct writer *writer, const bool *used)
{
    for (size_t v = 0; v < writer->body->variable_count; v++) {
        if (used[v] && writer->body->variables[v].class == CLASS_RECOMPUTED) {
            write_declaration(writer, v, "reap_r_");
            reap__string_add(writer->into, "= ");
            write_tokens(writer, writer->body->variables[v].initialiser);
            reap__string_add(writer->into, ";\n");
        } else if (used[v] && is_copied(writer, v)) {
            reap__string_format(writer->into,
                                "reap_t_%zu reap_l_%zu = reap_v_%zu[reap_item_.lane_];\n", v, v, v);
        }
    }
}

static void write_end(const struct writer *writer, const bool *used)
{
    for (size_t v = 0; v < writer->body->variable_count; v++)
        if (used[v] && is_copied(writer, v))
            reap__string_format(writer->into, "reap_v_%zu[reap_item_.lane_] = reap_l_%zu;\n", v, v);
}

/* Initialises a variable that is declared elsewhere. If it is not of one of C's types, its
 * initialiser may be possible in declarations only. */
static void write_initialisation(const struct writer *writer, size_t v)
{
    const struct variable *variable = &writer->body->variables[v];
    if (variable->initialiser.begin == variable->initialiser.end)
        return;
    if (variable->is_simple) {
        write_variable(writer, v, variable->name);
        reap__string_add(writer->into, "= ");
        write_tokens(writer, variable->initialiser);
        reap__string_add(writer->into, ";\n");
        return;
    }
    reap__string_add(writer->into, "{\n");
    write_declaration(writer, v, "reap_i_");
    reap__string_add(writer->into, "= ");
    write_tokens(writer, variable->initialiser);
    reap__string_format(writer->into, ";\n__builtin_memcpy((void *)(uintptr_t)&");
    write_variable(writer, v, variable->name);
    reap__string_format(writer->into, ", &reap_i_%zu, sizeof reap_i_%zu);\n}\n", v, v);
}

static void write_statement(const struct writer *writer, const struct node *node)
{
    if (node->kind != NODE_DECLARATION) {
        write_tokens(writer, node->statement);
        return;
    }
    const struct variable *variable = &writer->body->variables[node->variable];
    if (variable->class == CLASS_STORED || variable->class == CLASS_UNIFORM) {
        write_initialisation(writer, node->variable);
    } else if (variable->class == CLASS_OWN) {
        write_tokens(writer, variable->specifiers);
        write_tokens(writer,
                     (struct extent){variable->declarator.begin, variable->initialiser.end});
        reap__string_add(writer->into, ";\n");
    }
}

static bool has_return(const struct writer *writer, const struct region *region)
{
    for (size_t n = region->first; n != region->end; n = writer->body->nodes[n].next)
        for (size_t t = writer->body->nodes[n].statement.begin;
             t < writer->body->nodes[n].statement.end; t++)
            if (reap__is(writer->body, t, "return"))
                return true;
    return false;
}

/* Whether the region has no code: only declarations without initialisers, or of recomputed
 * variables. */
static bool is_empty(const struct writer *writer, const struct region *region)
{
    for (size_t n = region->first; n != region->end; n = writer->body->nodes[n].next) {
        const struct node *node = &writer->body->nodes[n];
        if (node->kind != NODE_DECLARATION ? node->statement.end > node->statement.begin + 1
            : writer->body->variables[node->variable].class == CLASS_RECOMPUTED
                ? false
                : writer->body->variables[node->variable].initialiser.end >
                      writer->body->variables[node->variable].initialiser.begin)
            return false;
    }
    return region->condition.end == region->condition.begin;
}

static void write_votes(const struct writer *writer, struct extent condition, bool is_uniform)
{
    if (condition.end == condition.begin)
        return;
    reap__string_add(writer->into, writer->is_item ? "reap_vote_[reap_item_.lane_] = ("
                                   : is_uniform
                                       ? "reap_votes_ = ("
                                       : "reap_votes_ += reap_vote_[reap_item_.lane_] = (");
    write_tokens(writer, condition);
    reap__string_add(writer->into, ") != 0;\n");
}

/* Writes a region: a loop over the work-items, or if is_uniform, code that runs once. */
static void write_region(struct writer *writer, const struct region *region, bool is_uniform)
{
    const bool is_left = !writer->is_item && has_return(writer, region);
    bool used[MOST_VARIABLES];
    if (is_empty(writer, region))
        return;
    find_used(writer->body, region, used);
    writer->label = is_left ? ++writer->labels : 0;
    if (!writer->is_item && !is_uniform && region->condition.end > region->condition.begin)
        reap__string_add(writer->into, "reap_votes_ = 0;\n");
    reap__string_add(writer->into, writer->is_item || is_uniform ? "{\n" : "REAP__REGION {\n");
    write_begin(writer, used);
    for (size_t n = region->first; n != region->end; n = writer->body->nodes[n].next)
        write_statement(writer, &writer->body->nodes[n]);
    write_votes(writer, region->condition, is_uniform);
    if (is_left)
        reap__string_format(writer->into, "reap_label_%zu: ;\n", writer->label);
    if (!is_uniform)
        write_end(writer, used);
    reap__string_add(writer->into, "}\n");
}

/* ---- The tree ---------------------------------------------------------------------------------*/

/* After a condition: the group function returns if the items differ, and the item function has its
 * case. */
static void write_point(const struct writer *writer, size_t n)
{
    if (writer->body->nodes[n].is_uniform)
        return;
    if (writer->is_item)
        reap__string_format(writer->into, "case %zu: ;\n", n + 1);
    else
        reap__string_format(writer->into,
                            "if (reap_votes_ != 0 && reap_votes_ != reap_items_) {\n"
                            "reap_resume_ = %zu;\ngoto reap_diverged_;\n}\n",
                            n + 1);
}

static const char *vote(const struct writer *writer)
{
    return writer->is_item ? "reap_vote_[reap_item_.lane_]" : "reap_votes_";
}

static void write_condition(struct writer *writer, size_t n)
{
    const struct node *node = &writer->body->nodes[n];
    const struct region region = {NOWHERE, NOWHERE, node->condition};
    write_region(writer, &region, node->is_uniform);
    write_point(writer, n);
}

static void write_sequence(struct writer *writer, size_t n);

static void write_end_of_loop(struct writer *writer, size_t n)
{
    write_condition(writer, n);
    reap__string_format(writer->into, "if (!%s) break;\n", vote(writer));
}

/* Writes the last clause of a for, an expression. */
static void write_after(struct writer *writer, const struct node *node)
{
    const struct region region = {NOWHERE, NOWHERE, node->after};
    const bool is_uniform =
        node->variable != NOWHERE && writer->body->variables[node->variable].class == CLASS_UNIFORM;
    bool used[MOST_VARIABLES];
    if (node->after.end == node->after.begin)
        return;
    find_used(writer->body, &region, used);
    writer->label = 0;
    reap__string_add(writer->into, writer->is_item || is_uniform ? "{\n" : "REAP__REGION {\n");
    write_begin(writer, used);
    write_tokens(writer, node->after);
    reap__string_add(writer->into, ";\n");
    if (!is_uniform)
        write_end(writer, used);
    reap__string_add(writer->into, "}\n");
}

static void write_loop(struct writer *writer, size_t n)
{
    const struct node *node = &writer->body->nodes[n];
    const bool has_condition = node->condition.end > node->condition.begin;
    write_sequence(writer, node->before);
    reap__string_add(writer->into, "for (;;) {\n");
    if (has_condition && node->kind != NODE_DO_WHILE)
        write_end_of_loop(writer, n);
    reap__string_add(writer->into, "{\n");
    write_sequence(writer, node->first);
    reap__string_format(writer->into, "}\nreap_next_%zu: ;\n", n);
    write_after(writer, node);
    if (node->kind == NODE_DO_WHILE)
        write_end_of_loop(writer, n);
    reap__string_format(writer->into, "}\nreap_end_%zu: ;\n", n);
}

static void write_branches(struct writer *writer, const struct node *node)
{
    reap__string_format(writer->into, "if (%s) {\n", vote(writer));
    write_sequence(writer, node->first);
    reap__string_add(writer->into, "} else {\n");
    write_sequence(writer, node->other);
    reap__string_add(writer->into, "}\n");
}

static void write_barrier(const struct writer *writer, size_t n)
{
    if (writer->is_item)
        reap__string_format(writer->into,
                            "*reap_state_ = %zu;\nreturn &reap_site_%zu;\ncase %zu: ;\n", n + 1, n,
                            n + 1);
}

static void write_around_barriers(struct writer *writer, size_t n)
{
    const struct node *node = &writer->body->nodes[n];
    switch (node->kind) {
    case NODE_BARRIER:
        write_barrier(writer, n);
        break;
    case NODE_BLOCK:
        reap__string_add(writer->into, "{\n");
        write_sequence(writer, node->first);
        reap__string_add(writer->into, "}\n");
        break;
    case NODE_IF:
        write_branches(writer, node);
        break;
    case NODE_BREAK:
        reap__string_format(writer->into, "goto reap_end_%zu;\n", node->loop);
        break;
    case NODE_CONTINUE:
        reap__string_format(writer->into, "goto reap_next_%zu;\n", node->loop);
        break;
    case NODE_RETURN:
        reap__string_add(writer->into, writer->is_item ? "goto reap_label_0;\n" : "return 0;\n");
        break;
    default:
        write_loop(writer, n);
    }
}

static void write_sequence(struct writer *writer, size_t n)
{
    const struct node *nodes = writer->body->nodes;
    size_t first = n;
    for (; n != NOWHERE; n = nodes[n].next) {
        const bool is_plain = nodes[n].kind == NODE_PLAIN || nodes[n].kind == NODE_DECLARATION;
        if (is_plain && !nodes[n].is_uniform)
            continue;
        const bool ends_in_condition = nodes[n].kind == NODE_IF && !nodes[n].is_uniform;
        struct region region = {first, n, {0, 0}};
        if (ends_in_condition)
            region.condition = nodes[n].condition;
        write_region(writer, &region, false);
        if (ends_in_condition)
            write_point(writer, n);
        else if (nodes[n].kind == NODE_IF)
            write_condition(writer, n);
        first = nodes[n].next;
        if (is_plain)
            write_region(writer, &(const struct region){n, nodes[n].next, {0, 0}}, true);
        else
            write_around_barriers(writer, n);
    }
    write_region(writer, &(const struct region){first, NOWHERE, {0, 0}}, false);
}

/* ---- Declarations for both functions ----------------------------------------------------------*/

static bool is_kept(const struct variable *variable)
{
    return variable->class == CLASS_STORED || variable->class == CLASS_UNIFORM;
}

static void write_types(const struct writer *writer)
{
    for (size_t v = 0; v < writer->body->variable_count; v++)
        if (is_kept(&writer->body->variables[v])) {
            reap__string_add(writer->into, "typedef ");
            write_declaration(writer, v, "reap_t_");
            reap__string_add(writer->into, ";\n");
        }
}

static void write_places(const struct writer *writer)
{
    const struct body *body = writer->body;
    for (size_t n = 0; n < body->node_count; n++)
        if (body->nodes[n].kind == NODE_BARRIER) {
            const struct reap__token *token = &body->list[body->nodes[n].statement.begin];
            reap__string_format(writer->into,
                                "static const struct reap__call_site reap_site_%zu = "
                                "{\"reap_barrier\", \"%s\", %u, %zu, 0};\n",
                                n, body->tokens.characters.bytes + token->file, token->line, n);
        }
}

static void write_each(const struct writer *writer, const char *macro, const char *format)
{
    reap__string_format(writer->into, "#define %s ", macro);
    for (size_t v = 0; v < writer->body->variable_count; v++)
        if (is_kept(&writer->body->variables[v])) {
            /* each # in the format becomes the number */
            for (const char *at = format; *at != '\0'; at++)
                if (*at == '#')
                    reap__string_format(writer->into, "%zu", v);
                else
                    reap__string_append(writer->into, at, 1);
        }
    reap__string_add(writer->into, "\n");
}

static void write_macro(const struct writer *writer, const char *macro)
{
    const struct extent parameters = writer->body->parameters;
    reap__string_format(writer->into, "%s(", macro);
    write_token(writer, parameters.begin);
    reap__string_add(writer->into, ", reap_c, reap_c ");
    for (size_t t = parameters.begin + 1; t < parameters.end; t++)
        write_token(writer, t);
    reap__string_add(writer->into, ")\n");
}

static bool has_points(const struct body *body)
{
    for (size_t n = 0; n < body->node_count; n++)
        if (!body->nodes[n].is_uniform && body->nodes[n].condition.end > 0)
            return true;
    return false;
}

static void write_group(struct writer *writer)
{
    const struct body *body = writer->body;
    write_macro(writer, "REAP__COMPILED_GROUP");
    reap__string_add(writer->into, "{\nREAP__GROUP_BEGIN\n");
    for (size_t v = 0; v < body->variable_count; v++)
        if (body->variables[v].class == CLASS_UNIFORM)
            reap__string_format(writer->into, "reap_t_%zu reap_u_%zu = 0;\n", v, v);
    write_sequence(writer, body->first);
    reap__string_add(writer->into, "return 0;\n");
    if (has_points(body)) {
        reap__string_add(writer->into,
                         "reap_diverged_: for (size_t i = 0; i < reap_items_; i++) {\n");
        for (size_t v = 0; v < body->variable_count; v++)
            if (body->variables[v].class == CLASS_UNIFORM)
                reap__string_format(writer->into, "reap_v_%zu[i] = reap_u_%zu;\n", v, v);
        reap__string_add(writer->into, "}\nreturn reap_resume_;\n");
    }
    reap__string_add(writer->into, "}\n");
}

static void write_item(struct writer *writer)
{
    writer->is_item = true;
    write_macro(writer, "REAP__COMPILED_ITEM");
    reap__string_add(writer->into, "{\nswitch (*reap_state_) {\ncase 0: ;\n");
    if (has_points(writer->body))
        write_sequence(writer, writer->body->first);
    reap__string_add(writer->into, "}\nreap_label_0: return 0;\n}\n");
}

void reap__body_write(struct body *body, struct reap__string *into)
{
    struct writer writer = {.body = body, .into = into};
    write_types(&writer);
    write_places(&writer);
    write_each(&writer, "REAP__STORED_FORMALS", ", reap_t_# *restrict reap_v_#");
    write_each(&writer, "REAP__STORED_ACTUALS", ", reap_v_#");
    write_each(
        &writer, "REAP__STORED_TAKE",
        "reap_t_# *const reap_v_# = reap__compiled_take(&memory_, sizeof(reap_t_#), items_);");
    write_macro(&writer, "REAP__COMPILED_HEAD");
    write_group(&writer);
    write_item(&writer);
    reap__string_format(into, "#define REAP__HAS_ITEM %d\n", has_points(body));
    write_macro(&writer, "REAP__COMPILED_END");
}
