/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators on untyped memory, compiled for each instruction set, so that a kernel
 * need not bring code of its own for what happens outside of its body.
 */
#ifndef REAP_REDUCTION_OPERATORS_H
#define REAP_REDUCTION_OPERATORS_H

#include <reap/detail/kernel_table.h>
#include <stdbool.h>

/* What an operator does to values of a type. */
struct reap__operator_functions {
    /* into[i] = op(into[i], from[i]), for `count` values of two arrays that do not overlap */
    void (*combine)(void *into, const void *from, size_t count);

    /* Rows of REAP__MOST_LANES values: row[j] = op(row[2 * j], row[2 * j + 1]), for `pairs` j. */
    void (*halve)(void *rows, size_t pairs);

    /* Eight such rows become their node of the tree, in a row apart or in the first one. */
    void (*join_eight)(void *into, const void *rows);

    /* A row of as many values, folded by halving into its first one; and so many rows, number j
     * into element j of all. */
    void (*fold)(void *row);
    void (*fold_rows)(void *rows, size_t count);
};

/* Which instruction set's code is used from now on; before the first launch. */
void reap__operator_functions_select(enum reap__isa isa);

/* NULL where the operator does not take the type. */
const struct reap__operator_functions *reap__operator_functions(enum reap__operation operation,
                                                                enum reap__type type);

/* The identity of an operator and a type that it takes. */
void reap__operator_identity(enum reap__operation operation, enum reap__type type, void *into);

/* Minimum and maximum: of floating-point numbers they ignore NaNs, and in spans take -0 as +0. On
 * devices and in kernels' loops detail/device/collectives.h and detail/host/reductions.h say so. */
static inline bool reap__is_extreme(enum reap__operation operation)
{
    return operation == REAP__OPERATION_minimum || operation == REAP__OPERATION_maximum;
}

/* The types that differ in what operators do to them: integers of one size and sign are one. */
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

/* The same functions for each instruction set that this processor's family has. */
typedef const struct reap__operator_functions
    *const reap__operator_table[REAP__OPERATION_COUNT][REAP__OPERAND_COUNT];
extern const reap__operator_table reap__operator_table_plain, reap__operator_table_v3,
    reap__operator_table_v4;

/* Whether the reduction's operator has an identity of its own; and writes it, with its location
 * where there is one. */
static inline bool reap__has_identity(const struct reap__reduction *reduction)
{
    return reduction->has_identity != 0;
}
bool reap__identity_of(const struct reap__reduction *reduction, void *into);

#endif
