/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators, type by type, as docs/reduction-shape.md says what they compute. Like the
 * rest of the reference it includes nothing of the library; a half or a
 * bfloat16 is the uint16_t of its bits.
 */
#ifndef TESTS_CONFORMANCE_REFERENCE_BUILTIN_H
#define TESTS_CONFORMANCE_REFERENCE_BUILTIN_H

#include "tests/conformance/reference.h"

#include <stdint.h>

/* The order of the operators in each array. */
enum reference_builtin {
    REFERENCE_PLUS,
    REFERENCE_MULTIPLIES,
    REFERENCE_MINIMUM,
    REFERENCE_MAXIMUM,
    REFERENCE_FLOATING_OPERATORS,
    REFERENCE_BIT_AND = REFERENCE_FLOATING_OPERATORS,
    REFERENCE_BIT_OR,
    REFERENCE_BIT_XOR,
    REFERENCE_INTEGER_OPERATORS
};

/* And in that of bool. */
enum reference_bool_builtin {
    REFERENCE_BOOL_BIT_AND,
    REFERENCE_BOOL_BIT_OR,
    REFERENCE_BOOL_BIT_XOR,
    REFERENCE_BOOL_LOGICAL_AND,
    REFERENCE_BOOL_LOGICAL_OR,
    REFERENCE_BOOL_OPERATORS
};

/* Every integer type, and its name here. */
#define REFERENCE_INTEGER_TYPES(X)                                                                 \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(uchar, unsigned char)                                                                        \
    X(short, short)                                                                                \
    X(ushort, unsigned short)                                                                      \
    X(int, int)                                                                                    \
    X(uint, unsigned int)                                                                          \
    X(long, long)                                                                                  \
    X(ulong, unsigned long)                                                                        \
    X(llong, long long)                                                                            \
    X(ullong, unsigned long long)

#define REFERENCE_DECLARE(name, type)                                                              \
    extern const struct reference_operator reference_##name[REFERENCE_INTEGER_OPERATORS];
REFERENCE_INTEGER_TYPES(REFERENCE_DECLARE)
#undef REFERENCE_DECLARE

extern const struct reference_operator reference_float[REFERENCE_FLOATING_OPERATORS];
extern const struct reference_operator reference_double[REFERENCE_FLOATING_OPERATORS];
extern const struct reference_operator reference_half[REFERENCE_FLOATING_OPERATORS];
extern const struct reference_operator reference_bfloat16[REFERENCE_FLOATING_OPERATORS];
extern const struct reference_operator reference_bool[REFERENCE_BOOL_OPERATORS];

/* Conversions by the definition of binary16 and of bfloat16; from a float they round to nearest,
 * ties to even. */
float reference_half_to_float(uint16_t bits);
uint16_t reference_half_from_float(float value);
float reference_bfloat16_to_float(uint16_t bits);
uint16_t reference_bfloat16_from_float(float value);

#endif
