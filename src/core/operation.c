/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each operator and type of the dialect's own lists.
 */
#include "src/core/operation.h"

#include <reap/host/operators.h>
#include <stddef.h>

#define FUNCTION(op, name, T)                                                                      \
    static void op##_##name(void *into, const void *from)                                          \
    {                                                                                              \
        *(T *)into = reap__##op##_##name(*(const T *)into, *(const T *)from);                      \
    }
#define ENTRY(op, name) [REAP__OPERATION_##op][REAP__TYPE_##name] = op##_##name,

/* M(op, ...) for each operator that takes numbers; integers take more. */
#define FOR_NUMBERS(M, ...)                                                                        \
    M(plus, __VA_ARGS__)                                                                           \
    M(multiplies, __VA_ARGS__)                                                                     \
    M(minimum, __VA_ARGS__)                                                                        \
    M(maximum, __VA_ARGS__)
#define FOR_BITS(M, ...)                                                                           \
    M(bit_and, __VA_ARGS__)                                                                        \
    M(bit_or, __VA_ARGS__)                                                                         \
    M(bit_xor, __VA_ARGS__)
#define FOR_CONDITIONS(M, ...)                                                                     \
    M(logical_and, __VA_ARGS__)                                                                    \
    M(logical_or, __VA_ARGS__)

#define INTEGER_FUNCTIONS(name, T, ...) FOR_NUMBERS(FUNCTION, name, T) FOR_BITS(FUNCTION, name, T)
#define FLOAT_FUNCTIONS(name, T) FOR_NUMBERS(FUNCTION, name, T)
REAP__INTEGER_TYPES(INTEGER_FUNCTIONS)
REAP__FLOAT_TYPES(FLOAT_FUNCTIONS)
FOR_NUMBERS(FUNCTION, half, reap_half)
FOR_BITS(FUNCTION, boolean, bool)
FOR_CONDITIONS(FUNCTION, boolean, bool)

#define INTEGER_ENTRIES(name, ...) FOR_NUMBERS(ENTRY, name) FOR_BITS(ENTRY, name)
#define FLOAT_ENTRIES(name, T) FOR_NUMBERS(ENTRY, name)
static const reap__operation_function functions[REAP__OPERATION_COUNT][REAP__TYPE_COUNT] = {
    REAP__INTEGER_TYPES(INTEGER_ENTRIES) /**/
    REAP__FLOAT_TYPES(FLOAT_ENTRIES)     /**/
    FOR_NUMBERS(ENTRY, half)             /**/
    FOR_BITS(ENTRY, boolean)             /**/
    FOR_CONDITIONS(ENTRY, boolean)       /**/
};

reap__operation_function reap__operation(enum reap__operation operation, enum reap__type type)
{
    return functions[operation][type];
}

bool reap__identity_of(const struct reap__reduction *reduction, void *into)
{
    if (reduction->identity == NULL)
        return false;
    reduction->identity(into);
    return true;
}
