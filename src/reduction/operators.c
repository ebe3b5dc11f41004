/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators compiled for the baseline, the choice of an instruction set, and
 * identities.
 */
#include "src/reduction/operators.h"

#include "src/reduction/exact.h"

#define OPERATIONS reap__operator_table_plain
#include "src/reduction/operators_tmpl.h"

#include <limits.h>
#include <string.h>

_Static_assert(sizeof(bool) == 1, "operators of truth values are those of bytes");

/* Written before the first launch, constant afterwards. */
static const reap__operator_table *used = &reap__operator_table_plain;

void reap__operator_functions_select(enum reap__isa isa)
{
    used = &reap__operator_table_plain;
#if defined(__x86_64__)
    if (isa == REAP__ISA_V3)
        used = &reap__operator_table_v3;
    else if (isa == REAP__ISA_V4)
        used = &reap__operator_table_v4;
#else
    (void)isa;
#endif
}

#define INTEGER(name, T, U, lowest, highest)                                                       \
    [REAP__TYPE_##name] = (sizeof(T) == 1   ? REAP__OPERAND_u8                                     \
                           : sizeof(T) == 2 ? REAP__OPERAND_u16                                    \
                           : sizeof(T) == 4 ? REAP__OPERAND_u32                                    \
                                            : REAP__OPERAND_u64) +                                 \
                          ((lowest) == 0 ? 0 : REAP__OPERAND_s8),
static const unsigned char operands[REAP__TYPE_COUNT] = {
    REAP__INTEGER_TYPES(INTEGER)[REAP__TYPE_float] = REAP__OPERAND_float,
    [REAP__TYPE_double] = REAP__OPERAND_double,
    [REAP__TYPE_half] = REAP__OPERAND_half,
    [REAP__TYPE_boolean] = REAP__OPERAND_u8,
    [REAP__TYPE_bfloat16] = REAP__OPERAND_bfloat16,
};

enum reap__operand reap__operand(enum reap__type type)
{
    return (enum reap__operand)operands[type];
}

const struct reap__operator_functions *reap__operator_functions(enum reap__operation operation,
                                                                enum reap__type type)
{
    return (*used)[operation][reap__operand(type)];
}

/* ---- Identities -------------------------------------------------------------------------------*/

#define PUT(op, name, T)                                                                           \
    case REAP__OPERATION_##op: {                                                                   \
        const T identity = REAP__IDENTITY_##op(_##name);                                           \
        memcpy(into, &identity, sizeof identity);                                                  \
        break;                                                                                     \
    }
#define NUMBERS(name, T)                                                                           \
    PUT(plus, name, T) PUT(multiplies, name, T) PUT(minimum, name, T) PUT(maximum, name, T)
#define BITS(name, T) PUT(bit_and, name, T) PUT(bit_or, name, T) PUT(bit_xor, name, T)
#define TRUTHS(name, T) PUT(logical_and, name, T) PUT(logical_or, name, T)

#define INTEGER_IDENTITIES(name, T, ...)                                                           \
    case REAP__TYPE_##name:                                                                        \
        switch (operation) {                                                                       \
            NUMBERS(name, T)                                                                       \
            BITS(name, T)                                                                          \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        break;
#define FLOAT_IDENTITIES(name, T)                                                                  \
    case REAP__TYPE_##name:                                                                        \
        switch (operation) {                                                                       \
            NUMBERS(name, T)                                                                       \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        break;
#define NARROW_IDENTITIES(name, T, ...) FLOAT_IDENTITIES(name, T)
void reap__operator_identity(enum reap__operation operation, enum reap__type type, void *into)
{
    switch (type) {
        REAP__INTEGER_TYPES(INTEGER_IDENTITIES)
        REAP__FLOAT_TYPES(FLOAT_IDENTITIES)
        REAP__NARROW_TYPES(NARROW_IDENTITIES)
    case REAP__TYPE_boolean:
        switch (operation) {
            BITS(boolean, bool)
            TRUTHS(boolean, bool)
        default:
            break;
        }
        break;
    case REAP__TYPE_COUNT:
        break;
    }
}

bool reap__identity_of(const struct reap__reduction *reduction, void *into)
{
    if (reap__is_exact(reduction)) {
        memset(into, 0, reduction->result_size);
    } else if (reduction->is_builtin) {
        reap__operator_identity(reduction->built_in, reduction->type, into);
        if (reduction->location_offset > 0) {
            const uint64_t nowhere = UINT64_MAX;
            memcpy((char *)into + reduction->location_offset, &nowhere, sizeof nowhere);
        }
    } else if (reduction->has_identity) {
        (reduction->identity)(into);
    }
    return reduction->has_identity;
}
