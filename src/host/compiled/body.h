/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a REAP_ND_KERNEL or REAP_ANY_KERNEL as a tree of statements, in which barriers, and
 * the statements around them, are nodes of their own, and all other statements stay as they are.
 * Statements between two barriers are a region: one loop over the work-items of a group runs them.
 * A variable is a region's own, or is stored for each work-item, or is computed again in each
 * region, or is the same for all work-items.
 */
#ifndef REAP_HOST_COMPILED_BODY_H
#define REAP_HOST_COMPILED_BODY_H

#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_NODES = 4096, MOST_VARIABLES = 512, MOST_NESTING = 48 };
#define NOWHERE ((size_t)-1)

/* Tokens, from the first to before the last. */
struct extent {
    size_t begin, end;
};

/* Statements that hold a barrier, or that leave a loop or the kernel where a barrier may follow,
 * are nodes with children; a sequence is a list of nodes. */
enum node_kind {
    NODE_PLAIN,       /* statement */
    NODE_DECLARATION, /* of `variable` */
    NODE_BARRIER,
    NODE_BLOCK,    /* first */
    NODE_IF,       /* condition, first, other */
    NODE_FOR,      /* before, condition, after, first */
    NODE_WHILE,    /* condition, first */
    NODE_DO_WHILE, /* first, condition */
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_RETURN
};

struct node {
    enum node_kind kind;
    struct extent statement;
    struct extent condition, after;
    size_t before;       /* of a for: the first node of what it begins with */
    size_t first, other; /* children: the first node of a sequence */
    size_t next;         /* in its sequence */
    size_t variable;
    size_t loop;     /* of a break or continue: the node that it leaves */
    bool is_uniform; /* a statement that runs once for the group; a condition that is the same */
};

enum variable_class {
    CLASS_OWN,        /* of a region */
    CLASS_RECOMPUTED, /* in each region that uses it */
    CLASS_UNIFORM,    /* one for the group */
    CLASS_STORED      /* one for each work-item */
};

struct variable {
    size_t name; /* token */
    struct extent specifiers, declarator, initialiser;
    struct extent scope;                  /* from the end of the declarator on */
    bool is_pointer, is_array, is_simple; /* of one of C's arithmetic types, or a pointer */
    bool is_structured; /* declared by a node, or at the begin of a for that is one */
    bool is_assigned;   /* after its declaration, or where this cannot be excluded */
    bool is_addressed;
    unsigned assignments, plain_ones; /* plain: a statement of the tree that does no more */
    bool is_at_end;         /* declared after the last barrier, where items end by themselves */
    size_t segment;         /* in which it is declared */
    bool has_more_segments; /* it is used in others */
    bool is_same;           /* recomputed from what is the same for all work-items */
    enum variable_class class;
};

struct body {
    struct reap__tokens tokens;
    const struct reap__token *list;
    size_t count;
    const char *kernel_name;
    struct extent parameters; /* of the kernel, with its name, between the brackets */
    struct extent range;      /* of the body, without its braces */
    size_t last_barrier;      /* token */
    struct node nodes[MOST_NODES];
    size_t node_count;
    struct variable variables[MOST_VARIABLES];
    size_t variable_count;
    size_t first;     /* node */
    size_t *variable; /* of each token that names one; NOWHERE */
    size_t *segment;  /* of each token of the body */
    size_t segment_count;
    const char *problem; /* why the kernel stays with fibers; NULL: none */
    unsigned nesting;
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

bool reap__is(const struct body *body, size_t t, const char *expected);
bool reap__is_one_of(const struct body *body, size_t t, const char *words);
bool reap__is_word(const struct body *body, size_t t);
bool reap__are_same_tokens(const struct body *body, size_t a, size_t b);

/* After the bracket that closes the one here; the tokens' end if there is none. */
size_t reap__past_brackets(const struct body *body, size_t t);
/* What opens the bracket that closes here; not before the body. */
size_t reap__opening_of(const struct body *body, size_t t);
size_t reap__past_statement(const struct body *body, size_t t);

/* Says why the kernel stays with fibers; the first reason counts. */
void reap__refuse(struct body *body, const char *problem);

/* ---- Steps ------------------------------------------------------------------------------------*/

/* Finds the kernel in the tokens; false: it is not there as it should be. */
bool reap__body_find(struct body *body);

/* Makes the tree (parse.c), and decides about variables (variables.c). */
void reap__body_parse(struct body *body);
void reap__body_classify(struct body *body);

/* Whether all of these tokens may be computed again at any place, for the variable's scope; or,
 * with is_uniform, are the same for all work-items (variables.c). */
bool reap__is_pure(const struct body *body, struct extent extent, const struct variable *of,
                   bool is_uniform);

/* Appends a token, and a blank or the end of a line (write.c). */
void reap__token_write(const struct body *body, size_t t, struct reap__string *into);

/* Appends the file for the compiler, after the dialect's headers (write.c). */
void reap__body_write(struct body *body, struct reap__string *into);

#endif
