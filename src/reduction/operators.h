/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators on untyped memory, compiled for each instruction set, so that a kernel
 * does not need code for what happens outside of its body.
 */
#ifndef REAP_REDUCTION_OPERATORS_H
#define REAP_REDUCTION_OPERATORS_H

#include <reap/detail/kernel_table.h>
#include <stdbool.h>

/* The functions of an operator for one type. */
struct reap__operator_functions {
    /* into[i] = op(into[i], from[i]), for `count` values of two arrays that do not overlap */
    void (*combine)(void *into, const void *from, size_t count);

    /* Rows of REAP__MOST_LANES values: row[j] = op(row[2 * j], row[2 * j + 1]), for `pairs` j. */
    void (*halve)(void *rows, size_t pairs);

    /* Combines eight such rows to their node of the tree, in another row or in the first one. */
    void (*join_eight)(void *into, const void *rows);

    /* Fold a row of REAP__MOST_LANES values by halving into its first value; `count` such rows,
     * number j into element j of `rows`. */
    void (*fold)(void *row);
    void (*fold_rows)(void *rows, size_t count);
};

/* Chooses the instruction set whose code is used. Call it before the first launch. */
void reap__operator_functions_select(enum reap__isa isa);

/* Returns the functions; NULL if the operator does not take the type. */
const struct reap__operator_functions *reap__operator_functions(enum reap__operation operation,
                                                                enum reap__type type);

/* Writes the identity of an operator for a type that it takes. */
void reap__operator_identity(enum reap__operation operation, enum reap__type type, void *into);

/* Whether the operator is minimum or maximum: they ignore NaNs, and in spans take -0 as +0.
 * detail/device/collectives.h and detail/host/reductions.h do the same on devices and in kernels'
 * loops. */
static inline bool reap__is_extreme(enum reap__operation operation)
{
    return operation == REAP__OPERATION_minimum || operation == REAP__OPERATION_maximum;
}

/* The types for which operators have different code: integers of one size and sign are one. */
enum reap__operand {
    REAP__OPERAND_u8,
    REAP__OPERAND_u16,
    REAP__OPERAND_u32,
    REAP__OPERAND_u64,
    REAP__OPERAND_s8,
    REAP__OPERAND_s16,
    REAP__OPERAND_s32,
    REAP__OPERAND_s64,
    REAP__OPERAND_float,
    REAP__OPERAND_double,
    REAP__OPERAND_half,
    REAP__OPERAND_bfloat16,
    REAP__OPERAND_COUNT
};
enum reap__operand reap__operand(enum reap__type type);

/* The functions, for each instruction set of this processor's family. */
typedef const struct reap__operator_functions
    *const reap__operator_table[REAP__OPERATION_COUNT][REAP__OPERAND_COUNT];
extern const reap__operator_table reap__operator_table_plain, reap__operator_table_v3,
    reap__operator_table_v4;

/* Whether the reduction's operator has an identity. */
static inline bool reap__has_identity(const struct reap__reduction *reduction)
{
    return reduction->has_identity != 0;
}

/* The same; and writes the identity, as a result: with a location, if the reduction has one. */
bool reap__identity_of(const struct reap__reduction *reduction, void *into);

#endif
