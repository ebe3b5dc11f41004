/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel leaves in the program for the library: its parameters, its reductions, and the
 * functions that run its work-items on the host, compiled once for each instruction set. The
 * structs below are filled by the macros of kernel_host.h and read by the library; programs do not
 * touch them. They are an interface between object files: a change raises REAP__KERNEL_FORMAT.
 */
#ifndef REAP_DETAIL_KERNEL_TABLE_H
#define REAP_DETAIL_KERNEL_TABLE_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/host/embed.h>
#include <reap/range.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define REAP__KERNEL_FORMAT 6

/* The instruction sets that a kernel may be compiled for, the plain one (whatever the compiler's
 * options say) first. */
enum reap__isa { REAP__ISA_PLAIN, REAP__ISA_V3, REAP__ISA_V4, REAP__ISA_COUNT };

/* The number of lanes of a reduction whose result has this many bytes, as a power of two;
 * docs/reduction-shape.md. */
#define REAP__LANES_LOG2(bytes)                                                                    \
    ((bytes) <= 64     ? 6                                                                         \
     : (bytes) <= 128  ? 5                                                                         \
     : (bytes) <= 256  ? 4                                                                         \
     : (bytes) <= 512  ? 3                                                                         \
     : (bytes) <= 1024 ? 2                                                                         \
     : (bytes) <= 2048 ? 1                                                                         \
                       : 0)
#define REAP__LANES(bytes) (1u << REAP__LANES_LOG2(bytes))
#define REAP__MOST_LANES 64

/* The number of rows of lanes in a leaf; the same place. */
#define REAP__ROWS_LOG2 5
#define REAP__ROWS_OF_A_LEAF (1u << REAP__ROWS_LOG2)

/* Lanes of larger types are not held in local variables. */
#define REAP__MOST_LOCAL_BYTES 16

/* The lanes of one scalar reduction: a row of them for each leaf of a call, or one row for all
 * leaves where it has locations. */
struct reap__lanes {
    void *values;
    unsigned char *set;     /* operators without an identity: whether the lane has a value */
    void *rows;             /* reductions with a location: the row of the value, as large as it */
    const void *reap_start; /* in one dimension: a row that leaves start with; NULL: `values` */
};

/* A private copy of a span, a chunk's or a thread's, in `replica_mask` + 1 replicas,
 * `replica_stride` elements apart; work-item i combines into number i & replica_mask. A dense copy
 * is whole. A paged one has only the pages that were combined into, at places of place_elements
 * elements: table[p] is page p's place; 0 means that there is no such page yet, and place 0 takes
 * what is combined outside the span. */
struct reap__span {
    void *values;
    unsigned char *set; /* as in reap__lanes, an element for each */
    size_t count;
    size_t replica_mask;
    size_t replica_stride;
    int is_dense;
    unsigned page_log2; /* a page is 2^page_log2 elements */
    size_t place_elements;
    uint32_t *table;
    void *owner;
    size_t (*make_page)(void *owner, size_t page); /* gives its place */
    size_t (*outside)(void *owner, size_t index); /* reports it; gives the element to use instead */
};

struct reap__group;

/* Some consecutive work-items. Where all reductions have rows of the same width, the first one has
 * lane 0, and a leaf's rows may be followed by the next leaf's; else, and in strips of lanes, the
 * items are a part of one row, and `lanes` says where its first one combines. */
struct reap__items {
    const void *arguments;
    const reap_range *range;
    const struct reap__lanes *lanes; /* scalar reductions, in the order of the parameters */
    const struct reap__span *spans;  /* array reductions, likewise */
    size_t first;                    /* linear id of the first item */
    size_t id[3];                    /* its id */
    size_t count;
    size_t row;                /* reductions with a location: the number of the first row */
    struct reap__group *group; /* none: where to complain when an item waits for one */
};

/* Runs the items; gives the instruction set that the function was compiled for. */
typedef enum reap__isa (*reap__items_function)(const struct reap__items *items);

/* A type's kind: what its floating-point results are made canonical by. */
enum reap__number { REAP__NO_FLOAT, REAP__IS_FLOAT, REAP__IS_DOUBLE, REAP__IS_HALF };

/* The built-in operators, and the types that they take. */
enum reap__operation {
    REAP__OPERATION_none,
    REAP__OPERATION_plus,
    REAP__OPERATION_multiplies,
    REAP__OPERATION_minimum,
    REAP__OPERATION_maximum,
    REAP__OPERATION_bit_and,
    REAP__OPERATION_bit_or,
    REAP__OPERATION_bit_xor,
    REAP__OPERATION_logical_and,
    REAP__OPERATION_logical_or,
    REAP__OPERATION_COUNT
};
enum reap__type {
    REAP__TYPE_char,
    REAP__TYPE_schar,
    REAP__TYPE_uchar,
    REAP__TYPE_short,
    REAP__TYPE_ushort,
    REAP__TYPE_int,
    REAP__TYPE_uint,
    REAP__TYPE_long,
    REAP__TYPE_ulong,
    REAP__TYPE_llong,
    REAP__TYPE_ullong,
    REAP__TYPE_float,
    REAP__TYPE_double,
    REAP__TYPE_half,
    REAP__TYPE_boolean,
    REAP__TYPE_COUNT
};

/* ---- Kernels with work-groups -----------------------------------------------------------------*/

/* What a work-item that meets the others of its group brings, in its own memory: a value, which the
 * algorithm replaces by its result, room for another one (exclusive scans: the identity), and the
 * item that it asks for. */
struct reap__contribution {
    void *value;
    void *spare;
    size_t from;
};

/* What happens to the values once all items of the group have met. */
enum reap__collective_kind {
    REAP__GROUP_REDUCE,
    REAP__GROUP_INCLUSIVE_SCAN,
    REAP__GROUP_EXCLUSIVE_SCAN,
    REAP__GROUP_BROADCAST
};
struct reap__collective {
    enum reap__collective_kind kind;
    size_t size; /* of a value */
    enum reap__number number;
    enum reap__operation operation;                /* a built-in operator */
    enum reap__type type;                          /* of which type */
    void (*combine)(void *into, const void *from); /* a user's: *into = op(*into, *from) */
};

/* Where in a kernel's text the work-items of a group wait for each other, and by which word;
 * `number` keeps a linker from taking two places for one. */
struct reap__call_site {
    const char *word;
    const char *file;
    unsigned line;
    unsigned number;
    const struct reap__collective *collective; /* NULL: a barrier */
};

/* What a work-item's reap_item_private words may take together. */
#define REAP__MOST_PRIVATE_BYTES 1024

/* A word of each work-item's own in a kernel in phases; one declaration is one word. */
struct reap__private_variable {
    size_t size;
    size_t alignment;
    unsigned number;
};

/* A work-group while it runs. */
struct reap__group {
    unsigned dimensions;
    size_t id[3];
    size_t linear_id;
    size_t range[3];       /* groups */
    size_t local_range[3]; /* work-items of a group */
    size_t items;          /* their product */
    size_t first[3];       /* the id of its first work-item */
    size_t global_range[3];
    int is_checked; /* phases run their items in reverse order */

    /* Returns when every work-item of the group has come to this place; never, where they cannot
     * all come. value: a struct reap__contribution, or NULL for a barrier. */
    void (*wait)(struct reap__group *group, const struct reap__call_site *place, void *value);

    /* Where to leap in place of calling that (wait.h); NULL: nowhere. */
    const void *leap;

    /* The memory of a word, for each work-item, until the group ends. */
    void *(*take)(struct reap__group *group, const struct reap__private_variable *word);

    /* A phase was left before its end. */
    void (*leave)(struct reap__group *group, const char *file, unsigned line);
};

/* What a work-item knows of itself. Only in an nd_range it has a group; a helper gets one of a
 * range with all else, and with the group that reports what needs one. */
typedef struct reap_item {
    size_t global_id[3];
    size_t global_linear_id;
    size_t global_range[3];
    size_t local_id[3];
    size_t local_linear_id;
    size_t lane; /* where it combines into, from where its reductions point to */
    struct reap__group *group;
    int is_alone; /* it is of a range: its group is none */
} reap_item;

/* What one of a REAP_KERNEL knows. It lacks what only work-groups have, and a compiler's error
 * names its type. */
typedef struct reap__item_of_a_kernel_without_work_groups {
    size_t global_id[3];
    size_t global_linear_id;
    size_t global_range[3];
    size_t lane;
    struct reap__group *no_group; /* where to complain when a helper waits */
} reap__item_of_a_kernel_without_work_groups;

/* A group, with its lanes, one for each item, and local memory. */
struct reap__work {
    struct reap__group *group;
    const void *arguments;
    const struct reap__lanes *lanes;
    const struct reap__span *spans;
    void *const *locals; /* in the order of the parameters */
};

/* Runs one work-item, or a group in phases. */
typedef void (*reap__item_function)(const struct reap__work *work, size_t local_id_0,
                                    size_t local_id_1, size_t local_id_2, size_t local_linear_id);
typedef enum reap__isa (*reap__phases_function)(const struct reap__work *work);

/* ---- Both kinds -------------------------------------------------------------------------------*/

/* Computes 1 where floating-point expressions are contracted or reassociated, divisions become
 * multiplications, or the signs of zeros or NaNs are ignored, else 0; `values` are
 * {1 + 2^-12, -(1 + 2^-11), 2^60}. */
typedef int (*reap__probe_function)(const volatile float *values);

/* What it computes with: without optimisation clang contracts in some functions only, and those
 * that make a vector are among them. */
typedef float reap__floats __attribute__((__vector_size__(16)));

/* The row of a lane that has no location. */
#define REAP__NO_ROW ((uint64_t)-1)

struct reap__reduction {
    const char *operation;         /* the operator's name */
    int is_builtin;                /* it is one of Reap's own: */
    enum reap__operation built_in; /* this one, */
    enum reap__type type;          /* for this type */
    int has_identity;              /* of its own */
    int lanes_log2;                /* REAP__LANES_LOG2 of the result */
    size_t result_size;            /* of the type, or of the type and its location */
    size_t value_size;             /* of the type */
    size_t location_offset;        /* of the location in the result; 0: there is none */
    enum reap__number number;
    void (*identity)(void *into); /* a user's, if it has one */
    void (*combine)(void *into, const void *from,
                    size_t count); /* a user's: into[i] = op(into[i], from[i]) */
};

enum reap__parameter_kind {
    REAP__IN,
    REAP__OUT,
    REAP__INOUT,
    REAP__VALUE,
    REAP__SCALAR_REDUCTION,
    REAP__SPAN_REDUCTION,
    REAP__LOCAL
};

struct reap__parameter {
    const char *name;
    const char *type;
    enum reap__parameter_kind kind;
    size_t offset; /* of the argument in the arguments struct */
    size_t size;   /* of the type */
    size_t alignment;
    const struct reap__reduction *reduction; /* NULL but for reductions */
};

/* What the library learns about a kernel while the program runs. Every member is relaxed: each
 * stands for itself, and a lost update costs a repetition. */
struct reap__kernel_state {
    atomic_uint probed;      /* a bit for each instruction set whose code was found exact */
    atomic_uint unusable;    /* and for each whose code was not */
    atomic_uint short_items; /* launches of fewer items are short; 0: not known yet */
    atomic_uint launches;    /* short and brief ones */
    atomic_uint backoff;     /* launches that run alone, since sharing them has not paid off */
};

struct reap_kernel {
    unsigned format;
    const char *name;
    const char *file;
    unsigned line;
    size_t arguments_size;
    size_t options_offset; /* of the struct reap_launch_options in the arguments */
    const struct reap__parameter *parameters;      /* the first is empty; the kernel's own follow */
    size_t parameter_count;                        /* with the empty one */
    reap__items_function items[REAP__ISA_COUNT];   /* NULL where it was not compiled */
    reap__item_function item;                      /* REAP_ND_KERNEL; else NULL */
    reap__phases_function phases[REAP__ISA_COUNT]; /* REAP_GROUP_KERNEL; else NULL */
    reap__probe_function probe[REAP__ISA_COUNT];
    const unsigned char *code[REAP__ISA_COUNT]; /* its machine code; NULL where that is not known */
    const unsigned char *code_end[REAP__ISA_COUNT];
    struct reap__kernel_state *state;
    const char *(*text)(void);
    const struct reap__source *const *sources; /* other files and macros of this program */
    const struct reap__source *const *sources_end;
};

#endif
