/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel table: the parameters and reductions of a kernel, and the functions that run its
 * work-items on the host, compiled once for each instruction set. The macros of detail/host fill
 * the structs below and the library reads them; programs do not use them. They are an interface
 * between object files: a change raises REAP__KERNEL_FORMAT.
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

#define REAP__KERNEL_FORMAT 22

/* The instruction sets for which a kernel can be compiled; the plain one (that of the compiler's
 * options) is the first. */
enum reap__isa { REAP__ISA_PLAIN, REAP__ISA_V3, REAP__ISA_V4, REAP__ISA_COUNT };

/* The number of lanes of a reduction with this result size, as a power of two
 * (docs/reduction-shape.md). */
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

/* The number of rows of lanes in a leaf, as a power of two (docs/reduction-shape.md). */
#define REAP__ROWS_LOG2 5
#define REAP__ROWS_OF_A_LEAF (1u << REAP__ROWS_LOG2)

/* Lanes of larger types are not kept in local variables. */
#define REAP__MOST_LOCAL_BYTES 16

/* Exact sums (docs/exact-sums.md). The sum's digits: signed numbers of 64 bits, of which number i
 * counts 2^(32 i) of the type's least subnormal numbers; then how many values were NaN, infinite,
 * minus infinite, and other than -0. */
#define REAP__EXACT_DIGITS(value_size) ((value_size) == 8 ? 67 : 10)
#define REAP__EXACT_WORDS(value_size) (REAP__EXACT_DIGITS(value_size) + 4)

/* Takes the values that an item adds after its first one. A value's place holds -0 before. */
struct reap__exact_sink {
    void (*add_)(const struct reap__exact_sink *sink, double value);
    uint64_t *words;
    int is_double;
};

/* The lanes of one scalar reduction: a row for each leaf of a call, or one row for all leaves if it
 * has locations. */
struct reap__lanes {
    void *values_;          /* exact sums: a value for each item of a leaf */
    unsigned char *set_;    /* operators without an identity: whether the lane has a value */
    void *rows_;            /* reductions with a location: the row of the value, as large as it;
                               exact sums: a struct reap__exact_sink */
    const void *reap_start; /* in one dimension: the row that leaves start with; NULL: `values` */
};

/* Sums of floats and doubles in spans are exact (docs/spans.md): an element's values are added as
 * integers, one for each plane that they touch. The lowest bit of an integer is 1 where a value
 * other than -0 was added. The library alone adds to the first and the last plane: zeros, subnormal
 * and infinite numbers, and NaNs; and to the second plane of floats, since no float is what would
 * turn its values into integers.
 * Doubles: integers of 128 bits; plane p takes the values whose exponent field is from 64 p - 33 to
 * 64 p + 30, as multiples of 2^(64 p - 1109).
 * Floats: integers of 64 bits; plane p takes those whose exponent field is from 32 p - 20 to
 * 32 p + 11, as multiples of 2^(32 p - 171). */
enum { REAP__PLANE_LOG2 = 6, REAP__PLANE_BIAS = 33, REAP__PLANES = 33 };
enum { REAP__FLOAT_PLANE_LOG2 = 5, REAP__FLOAT_PLANE_BIAS = 20, REAP__FLOAT_PLANES = 9 };
enum { REAP__FIRST_SCALED_PLANE = 2 }; /* the first of floats to which a kernel's code adds */

/* The planes that a kernel's code adds to: each has a number for each element, or it has none.
 * Doubles: plane p is entry p; the first one never has numbers; the code takes it for the last one.
 * Floats: an entry is for a prefix, the sign and the upper bits of the exponent field, which one
 * shift makes of a float; `scales` is what a float is multiplied by for its term. */
enum { REAP__FLOAT_PREFIX_BITS = 7, REAP__FLOAT_PREFIXES = 1 << REAP__FLOAT_PREFIX_BITS };
struct reap__planes {
    void *numbers[REAP__FLOAT_PREFIXES];
    size_t counts[REAP__FLOAT_PREFIXES];
    float scales[REAP__FLOAT_PREFIXES];
};

/* A batch: values of an exact sum, and their indices, in a kernel's own arrays. The library adds
 * many at a time, by vector instructions. At most REAP__BATCHED_OF_ITEM values of an item go there;
 * before each eight items a batch of REAP__BATCH or more values is passed on. (It is on the stack,
 * of which threads may have few KiB, so only kernels with one exact sum in spans have one. Stores
 * to memory of the library did not become vectors: 2^18 floats took 1.3 times as long.) */
enum { REAP__BATCH = 64, REAP__BATCHED_OF_ITEM = 2, REAP__MOST_BATCHED = 80 };
struct reap__batch {
    size_t *indices_;
    void *values_; /* of the sum's type */
    size_t count_;
    unsigned of_item_; /* how many are the item's */
};
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 reap__int128;
__extension__ typedef unsigned __int128 reap__uint128;
#endif

/* A private copy of a span, of a chunk or a thread, in `replica_mask` + 1 replicas,
 * `replica_stride` elements apart; work-item i combines into number i & replica_mask, or into any
 * one where that makes no difference. A dense copy is complete. A paged one has only the pages that
 * were combined into, in slots of slot_elements elements: table[p] is the slot of page p; 0 means
 * that the page does not exist yet, and slot 0 receives values that are combined outside the span.
 */
struct reap__span {
    void *values_;
    unsigned char *set_; /* as in reap__lanes, one for each element */
    size_t count;
    size_t replica_mask;
    size_t replica_stride;
    int is_dense;
    unsigned page_log2; /* a page is 2^page_log2 elements */
    size_t slot_elements;
    uint32_t *table;
    void *owner;
    size_t (*make_page)(void *owner, size_t page); /* returns its slot */
    size_t (*outside)(void *owner, size_t index);  /* reports it; returns an index to use */
    const struct reap__planes *planes; /* exact sums; for values that they do not take: */
    void (*add)(void *owner, size_t index, uint64_t bits); /* of a float or a double */

    /* Exact sums: the batch of a kernel's code (NULL: it adds each value at once); adds the values
     * of a batch. */
    struct reap__batch *batch_;
    void (*add_batch)(void *owner, const size_t *indices, const void *values, size_t count);
};

struct reap__group;

/* Consecutive work-items. If all reductions have rows of the same width, the first item has lane 0,
 * and a leaf's rows may be followed by the next leaf's; otherwise, and in strips of lanes, the
 * items are a part of one row, and `lanes` points to the lane of its first one.
 * With pairs_, the items are complete leaves in one dimension, all reductions have a built-in
 * operator and begin with reap_start, and the code is not that of the plain instruction set. Then
 * each second leaf combines with the one before it, lane by lane, to a row of the lanes. */
struct reap__items {
    const void *arguments_;
    const reap_range *range_;
    const struct reap__lanes *lanes_; /* scalar reductions, in the order of the parameters */
    const struct reap__span *spans_;  /* array reductions, in the same order */
    size_t first_;                    /* linear id of the first item */
    size_t id_[3];                    /* its id */
    size_t count_;
    size_t leaf_;               /* items that a row of lanes is for, if not those of a leaf; or 0 */
    size_t skip_;               /* items of the range between those of two rows of lanes */
    size_t pairs_;              /* 1: two leaves become one row (above) */
    size_t row_;                /* reductions with a location: the number of the first row */
    struct reap__group *group_; /* not a work-group: reports an item that waits */
};

/* Runs the items; returns the instruction set that the function was compiled for. If it is not the
 * baseline's, and there is one of the baseline, ids of the range's last dimension must be less than
 * REAP__MOST_FITTING. */
enum { REAP__MOST_FITTING = 0x7ffe0000 };
typedef enum reap__isa (*reap__items_function)(const struct reap__items *items);

/* Receives the values that a work-item combines, one by one, in place of lanes and spans. Scalar
 * reductions and array reductions are counted separately, each in the order of the parameters. */
struct reap__value_log {
    void (*add_)(struct reap__value_log *log, unsigned scalar, const void *value);
    void (*add_at_)(struct reap__value_log *log, unsigned span, size_t index, const void *value);
};

/* Runs one work-item, the first of `items`, for a launch into parts. */
typedef void (*reap__log_function)(const struct reap__items *items, struct reap__value_log *log);

/* The kind of a type, which determines its canonical NaN. */
enum reap__number {
    REAP__NO_FLOAT,
    REAP__IS_FLOAT,
    REAP__IS_DOUBLE,
    REAP__IS_HALF,
    REAP__IS_BFLOAT16
};

/* The built-in operators, and the types of their operands. */
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
    REAP__OPERATION_exact_plus,
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
    REAP__TYPE_bfloat16,
    REAP__TYPE_COUNT
};

/* ---- Kernels with work-groups -----------------------------------------------------------------*/

/* A work-item's contribution to a group algorithm, in its own memory: a value, which the algorithm
 * replaces by its result, memory for another one (exclusive scans: the identity), and the item that
 * it asks for, counted from the first of the group or sub-group. */
struct reap__contribution {
    void *value;
    void *spare;
    size_t from;
};

/* The work-items of a sub-group: those whose local linear ids have the same quotient by it. */
#define REAP__SUB_GROUP_ITEMS 32

/* The algorithm that combines the values once all items of the group, or of the sub-group, have
 * arrived. REAP__GROUP_BARRIER has no values: it is a sub-group's barrier. */
enum reap__collective_kind {
    REAP__GROUP_REDUCE,
    REAP__GROUP_INCLUSIVE_SCAN,
    REAP__GROUP_EXCLUSIVE_SCAN,
    REAP__GROUP_BROADCAST,
    REAP__GROUP_SHUFFLE,
    REAP__GROUP_BARRIER
};
enum reap__collective_scope { REAP__OF_GROUP, REAP__OF_SUB_GROUP };
struct reap__collective {
    enum reap__collective_scope scope;
    enum reap__collective_kind kind;
    size_t size; /* of a value */
    enum reap__number number;
    enum reap__operation operation;                /* a built-in operator */
    enum reap__type type;                          /* its type */
    void (*combine)(void *into, const void *from); /* a user's: *into = op(*into, *from) */
};

/* A barrier's call site in a kernel's text, and its keyword; `number` keeps a linker from merging
 * two call sites. */
struct reap__call_site {
    const char *word;
    const char *file;
    unsigned line;
    unsigned number;
    const struct reap__collective *collective; /* NULL: a group's barrier */
};

/* The limit of a work-item's reap_item_private variables together. */
#define REAP__MOST_PRIVATE_BYTES 1024

/* A private variable of a kernel in phases; one declaration is one variable. */
struct reap__private_variable {
    size_t size;
    size_t alignment;
    unsigned number;
};

/* A work-group while it runs. */
struct reap__group {
    unsigned dimensions_;
    size_t id_[3];
    size_t linear_id_;
    size_t range_[3];       /* groups */
    size_t local_range_[3]; /* work-items of a group */
    size_t items_;          /* their product */
    size_t first_[3];       /* the id of its first work-item */
    size_t global_range_[3];
    int is_checked_; /* phases run their items in reverse order */

    /* Returns when every work-item of the group has reached this call site; never, if they cannot.
     * value: a struct reap__contribution, or NULL for a barrier. */
    void (*wait)(struct reap__group *group, const struct reap__call_site *site, void *value);

    /* The address to jump to instead of calling that (wait.h); NULL: none. */
    const void *leap;

    /* The memory of a private variable, for each work-item, until the group ends. */
    void *(*take_)(struct reap__group *group, const struct reap__private_variable *word);

    /* Reports that a phase was left before its end. */
    void (*leave)(struct reap__group *group, const char *file, unsigned line);
};

/* The context of a work-item. It has a group only in an nd_range. A helper function gets the
 * context of a REAP_KERNEL's item with all other members, and with the group that reports keywords
 * that need one. */
typedef struct reap_item {
    size_t global_id_[3];
    size_t global_linear_id_;
    size_t global_range_[3];
    size_t local_id_[3];
    size_t local_linear_id_;
    size_t lane_; /* the lane that it combines into, as an index of its reductions' pointers */
    struct reap__group *group_;
    int is_alone; /* it is an item of a REAP_KERNEL: its group only reports */
} reap_item;

/* The context of a work-item of a REAP_KERNEL. It lacks the members for work-groups, and a
 * compiler's error names its type. */
typedef struct reap__item_of_a_kernel_without_work_groups {
    size_t global_id_[3];
    size_t global_linear_id_;
    size_t global_range_[3];
    size_t lane_;
    struct reap__group *no_group; /* reports a helper function that waits */
} reap__item_of_a_kernel_without_work_groups;

/* A group, with its lanes, one for each item, and local memory. */
struct reap__work {
    struct reap__group *group_;
    const void *arguments_;
    const struct reap__lanes *lanes_;
    const struct reap__span *spans_;
    void *const *locals_; /* in the order of the parameters */
};

/* The sizes of local memory of two or three dimensions, by which reap_at() finds an element. Their
 * members' names keep a word from the other's. */
struct reap__extents_2d {
    size_t of_two_dimensions_[3]; /* the last is 1 */
};
struct reap__extents_3d {
    size_t of_three_dimensions_[3];
};

/* Runs one work-item, or a group in phases. */
typedef void (*reap__item_function)(const struct reap__work *work, size_t local_id_0,
                                    size_t local_id_1, size_t local_id_2, size_t local_linear_id);
typedef enum reap__isa (*reap__phases_function)(const struct reap__work *work);

/* ---- Both kinds -------------------------------------------------------------------------------*/

/* Returns 1 if floating-point expressions are contracted or reassociated, divisions become
 * multiplications, or the signs of zeros or NaNs are ignored, else 0; `values` are
 * {1 + 2^-12, -(1 + 2^-11), 2^60}. */
typedef int (*reap__probe_function)(const volatile float *values);

/* The type that it computes with: without optimisation clang contracts only in some functions,
 * including those that make a vector. */
typedef float reap__floats __attribute__((__vector_size__(16)));

/* The row of a lane without a location. */
#define REAP__NO_ROW ((uint64_t)-1)

/* This struct and struct reap_kernel are filled in the order of their members, whose names macros
 * of the program may have. */
struct reap__reduction {
    const char *operation;         /* the operator's name */
    int lanes_log2;                /* REAP__LANES_LOG2 of the result */
    size_t result_size;            /* of the type, or of the type and its location */
    size_t value_size;             /* of the type */
    size_t location_offset;        /* of the location in the result; 0: no location */
    int is_builtin;                /* the operator is a built-in one: */
    enum reap__operation built_in; /* this one, */
    enum reap__type type;          /* for this type */
    enum reap__number number;
    int has_identity;             /* of its own */
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
    REAP__LOCAL,
    REAP__LOCAL_2D, /* whose argument is the size of each dimension */
    REAP__LOCAL_3D,
    REAP__IDENTITY_VALUE,  /* by value: the identity of the reduction, which the library puts there
                            */
    REAP__ROW_REDUCTION,   /* as a scalar one, with a result for each row of the range, */
    REAP__COLUMN_REDUCTION /* or for each column */
};

struct reap__parameter {
    const char *name;
    const char *type;
    enum reap__parameter_kind kind;
    size_t offset; /* of the argument in the arguments struct */
    size_t size;   /* of the type */
    size_t alignment;
    const struct reap__reduction *reduction; /* NULL except for reductions, and identities of one */
};

/* What the library records about a kernel at run time. Every member but the first two and
 * `compiled` is relaxed: each is independent of the others, and a lost update costs a repetition.
 * All are zero in a library that has just been loaded. */
struct reap__kernel_state {
    atomic_uint probed;      /* a bit for each instruction set whose code was found exact */
    atomic_uint unusable;    /* and for each whose code was not */
    atomic_uint short_items; /* times 1024: launches of fewer items are short; 0: unknown */
    atomic_uint launches;    /* short and brief ones */
    atomic_uint backoff;     /* launches that run alone, since sharing them has not paid off */

    /* REAP_ND_KERNEL: what its work-items have cost on fibers, and for each number of dimensions
     * what the library has compiled (src/host/compiled). That is stored with release and loaded
     * with acquire. */
    atomic_uint fiber_microseconds;
    _Atomic(const void *) compiled[3];

    _Atomic(uint64_t) number; /* identifies the kernel (src/core/kernel.h); 0: not used yet */
};

/* How the program was compiled, as far as code that is compiled at run time must be alike. */
enum reap__build {
    REAP__BUILD_UNOPTIMISED = 1, /* for debuggers, for example */
    REAP__BUILD_SANITIZED = 2,
    REAP__BUILD_UNSIGNED_CHAR = 4,
    REAP__BUILD_FOR_FMA = 8, /* the baseline's code may have instructions of a product and a sum */
    REAP__BUILD_FOLDS = 16,  /* code truncates only where it should convert (host/rounding.h) */

    /* These need not be alike. */
    REAP__BUILD_INSTRUCTIONS = REAP__BUILD_FOR_FMA | REAP__BUILD_FOLDS
};

struct reap_kernel {
    unsigned format;
    const char *name;
    const char *file;
    unsigned line;
    size_t arguments_size;
    size_t options_offset; /* of the struct reap_launch_options in the arguments */
    const struct reap__parameter *parameters; /* the first is empty; the kernel's own follow */
    size_t parameter_count;                   /* with the empty one */
    reap__probe_function probe[REAP__ISA_COUNT];
    const unsigned char *code[REAP__ISA_COUNT]; /* its machine code; NULL if unknown */
    const unsigned char *code_end[REAP__ISA_COUNT];
    struct reap__kernel_state *state;
    const char *(*text)(void);
    const struct reap__source *const *sources; /* other files and macros of this program */
    const struct reap__source *const *sources_end;
    unsigned build;                                /* of enum reap__build */
    reap__items_function items[REAP__ISA_COUNT];   /* NULL if it was not compiled */
    reap__item_function item;                      /* for nd_ranges, of one work-item; else NULL */
    reap__phases_function phases[REAP__ISA_COUNT]; /* REAP_GROUP_KERNEL; else NULL */
    reap__phases_function checked_phases;          /* of checked launches, for any range */
    reap__log_function log_item;                   /* REAP_KERNEL with reductions; else NULL */
    /* What launches on ranges of one and of two dimensions take: objects of the same kernel for
     * such ranges alone, in which both are NULL; or this one. */
    const struct reap_kernel *of_1d_, *of_2d_;
    const struct reap_kernel *of_groups_; /* REAP_ANY_KERNEL: of nd_ranges; else NULL */
};

/* A REAP_ND_KERNEL as the library has compiled it at run time (reap/detail/host/compiled.h). Memory
 * for the variables of all work-items is at a multiple of 64. */
struct reap__compiled {
    const struct reap_kernel *kernel; /* a table without functions */
    size_t (*bytes)(size_t items);    /* of that memory */

    /* Runs a group. Returns 0, or the state of all of its work-items where they do not go the same
     * way. */
    unsigned (*group)(const struct reap__work *work, unsigned char *memory);

    /* Continues a work-item, and sets its state. Returns where it waits; NULL: it is done. The
     * function is NULL where work-items always go the same way. */
    const struct reap__call_site *(*item)(const struct reap__work *work, const size_t *local_id,
                                          size_t local_linear_id, unsigned char *memory,
                                          unsigned *state);
};

#endif
