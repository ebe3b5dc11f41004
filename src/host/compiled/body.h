/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a REAP_ND_KERNEL or REAP_ANY_KERNEL as a tree of statements. Barriers, and the
 * statements around them, are nodes; each other statement is one node and stays as it is. The
 * statements between two barriers are a region: a loop over the work-items of a group runs them. A
 * variable belongs to one region, or is stored for each work-item, or is computed again in each
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

/* Tokens from `begin` to before `end`. */
struct extent {
    size_t begin, end;
};

/* Statements that contain a barrier, or a jump out of a loop or of the kernel where a barrier may
 * follow, are nodes with children. A sequence is a list of nodes. After each kind: the members that
 * it uses. */
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
    size_t before;       /* of a for: the first node of its first clause */
    size_t first, other; /* children: the first nodes of their sequences */
    size_t next;         /* the next node of the sequence */
    size_t variable;
    size_t loop;     /* of a break or continue: the node of its loop */
    bool is_uniform; /* a statement that runs once for the group, or a condition that is the same
                        for all items */
};

enum variable_class {
    CLASS_OWN,        /* belongs to one region */
    CLASS_RECOMPUTED, /* computed in each region that uses it */
    CLASS_UNIFORM,    /* one for the group */
    CLASS_STORED      /* one for each work-item */
};

struct variable {
    size_t name; /* token */
    struct extent specifiers, declarator, initialiser;
    struct extent scope;                  /* from the end of the declarator on */
    bool is_pointer, is_array, is_simple; /* is_simple: of an arithmetic type of C, or a pointer */
    bool is_structured; /* declared by a node, or in the first clause of a for that is a node */
    bool is_assigned;   /* after its declaration, or possibly */
    bool is_addressed;
    unsigned assignments, plain_ones; /* plain: the whole of a node's statement */
    bool is_at_end;         /* declared after the last barrier, so only one region can use it */
    size_t segment;         /* the number of the region in which it is declared */
    bool has_more_segments; /* other regions use it */
    bool is_same;           /* recomputed, and the same for all work-items */
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
    size_t *variable; /* for each token the variable that it names, or NOWHERE */
    size_t *segment;  /* for each token the number of its region, or NOWHERE */
    size_t segment_count;
    const char *problem; /* why the kernel stays on fibers; NULL: nothing yet */
    unsigned nesting;
};

/* ---- Tokens -----------------------------------------------------------------------------------*/

bool reap__is(const struct body *body, size_t t, const char *expected);
bool reap__is_one_of(const struct body *body, size_t t, const char *words);
bool reap__is_word(const struct body *body, size_t t);
bool reap__are_same_tokens(const struct body *body, size_t a, size_t b);

/* Returns the token after the bracket that closes the one at t; the number of tokens if there is
 * none. */
size_t reap__past_brackets(const struct body *body, size_t t);
/* Returns the bracket that the one at t closes; not before the body. */
size_t reap__opening_of(const struct body *body, size_t t);
size_t reap__past_statement(const struct body *body, size_t t);

/* Records why the kernel stays on fibers. Only the first reason is kept. */
void reap__refuse(struct body *body, const char *problem);

/* ---- Steps ------------------------------------------------------------------------------------*/

/* Finds the kernel in the tokens. Returns false if it is missing or incomplete. */
bool reap__body_find(struct body *body);

/* Make the tree (parse.c), and decide the classes of variables (variables.c). */
void reap__body_parse(struct body *body);
void reap__body_classify(struct body *body);

/* Whether these tokens, an expression, can be computed again anywhere in the scope of variable `of`
 * (NULL: no matter where); or if is_uniform, whether they are the same for all work-items
 * (variables.c). */
bool reap__is_pure(const struct body *body, struct extent extent, const struct variable *of,
                   bool is_uniform);

/* Appends a token and a blank, or a newline after a semicolon or a brace (write.c). */
void reap__token_write(const struct body *body, size_t t, struct reap__string *into);

/* Appends the file for the compiler, after the dialect's headers (write.c). */
void reap__body_write(struct body *body, struct reap__string *into);

#endif
