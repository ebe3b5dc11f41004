/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of operators.h, for the instruction set that the including file is compiled for.
 * That file defines OPERATIONS, the name of their table.
 */
#include "src/reduction/operators.h"

#include <reap/detail/host/operators.h>
#include <stdint.h>

/* The first elements of rows. */
enum { LANES = REAP__MOST_LANES, ROW_2 = 2 * LANES, ROW_3 = 3 * LANES, ROW_4 = 4 * LANES };

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitizers prevent it */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* In a loop over rows: makes the compiler vectorise the lanes of a row, not one lane of many rows,
 * which is not contiguous. (Otherwise gcc 12 made 7 times the code for AVX-512, in 13 times the
 * time, and a row of bytes took 19 ns instead of 1.4.) */
#define ONE_BY_ONE __asm__ volatile("")

/* `expression` is the operator applied to a and b. */
#define FUNCTIONS(op, name, T, expression)                                                         \
    static inline T op##_##name##_one(T a, T b)                                                    \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    static inline T op##_##name##_four(const T *lane)                                              \
    {                                                                                              \
        return op##_##name##_one(op##_##name##_one(lane[0], lane[LANES]),                          \
                                 op##_##name##_one(lane[ROW_2], lane[ROW_3]));                     \
    }                                                                                              \
    static void op##_##name##_combine(void *into, const void *from, size_t count)                  \
    {                                                                                              \
        T *restrict to = into;                                                                     \
        const T *restrict other = from;                                                            \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] = op##_##name##_one(to[i], other[i]);                                            \
    }                                                                                              \
    static void op##_##name##_halve(void *rows, size_t pairs)                                      \
    {                                                                                              \
        for (size_t j = 0; j < pairs; j++) {                                                       \
            T *to = (T *)rows + j * LANES;                                                         \
            const T *from = (const T *)rows + j * 2 * LANES;                                       \
            INDEPENDENT                                                                            \
            for (size_t l = 0; l < LANES; l++)                                                     \
                to[l] = op##_##name##_one(from[l], from[LANES + l]);                               \
        }                                                                                          \
    }                                                                                              \
    static void op##_##name##_join_eight(void *into, const void *rows)                             \
    {                                                                                              \
        T *const to = into;                                                                        \
        const T *const row = rows;                                                                 \
        INDEPENDENT                                                                                \
        for (size_t l = 0; l < LANES; l++)                                                         \
            to[l] = op##_##name##_one(op##_##name##_four(row + l),                                 \
                                      op##_##name##_four(row + ROW_4 + l));                        \
    }                                                                                              \
    static void op##_##name##_fold(void *row)                                                      \
    {                                                                                              \
        T *const lanes = row;                                                                      \
        T v[16];                                                                                   \
        for (size_t l = 0; l < 16; l++)                                                            \
            v[l] = op##_##name##_one(op##_##name##_one(lanes[l], lanes[l + 32]),                   \
                                     op##_##name##_one(lanes[l + 16], lanes[l + 48]));             \
        for (size_t l = 0; l < 8; l++)                                                             \
            v[l] = op##_##name##_one(v[l], v[l + 8]);                                              \
        for (size_t l = 0; l < 4; l++)                                                             \
            v[l] = op##_##name##_one(v[l], v[l + 4]);                                              \
        v[0] = op##_##name##_one(v[0], v[2]);                                                      \
        v[1] = op##_##name##_one(v[1], v[3]);                                                      \
        lanes[0] = op##_##name##_one(v[0], v[1]);                                                  \
    }                                                                                              \
    static void op##_##name##_fold_rows(void *rows, size_t count)                                  \
    {                                                                                              \
        T *const all = rows, *const end = all + count * LANES;                                     \
        for (T *v = all; v < end; v += LANES) {                                                    \
            ONE_BY_ONE;                                                                            \
            INDEPENDENT                                                                            \
            for (size_t l = 0; l < 16; l++)                                                        \
                v[l] = op##_##name##_one(op##_##name##_one(v[l], v[l + 32]),                       \
                                         op##_##name##_one(v[l + 16], v[l + 48]));                 \
        }                                                                                          \
        for (T *v = all; v < end; v += LANES) {                                                    \
            ONE_BY_ONE;                                                                            \
            INDEPENDENT                                                                            \
            for (size_t l = 0; l < 8; l++)                                                         \
                v[l] = op##_##name##_one(v[l], v[l + 8]);                                          \
        }                                                                                          \
        for (size_t j = 0; j < count; j++) {                                                       \
            const T *const v = all + j * LANES;                                                    \
            ONE_BY_ONE;                                                                            \
            all[j] = op##_##name##_one(                                                            \
                op##_##name##_one(op##_##name##_one(v[0], v[4]), op##_##name##_one(v[2], v[6])),   \
                op##_##name##_one(op##_##name##_one(v[1], v[5]), op##_##name##_one(v[3], v[7])));  \
        }                                                                                          \
    }                                                                                              \
    static const struct reap__operator_functions op##_##name = {                                   \
        op##_##name##_combine, op##_##name##_halve, op##_##name##_join_eight, op##_##name##_fold,  \
        op##_##name##_fold_rows};

#define UNSIGNED(name, T, wide)                                                                    \
    FUNCTIONS(plus, name, T, (T)((wide)a + (wide)b))                                               \
    FUNCTIONS(multiplies, name, T, (T)((wide)a * (wide)b))                                         \
    FUNCTIONS(bit_and, name, T, (T)(a & b))                                                        \
    FUNCTIONS(bit_or, name, T, (T)(a | b))                                                         \
    FUNCTIONS(bit_xor, name, T, (T)(a ^ b))
#define ORDER(name, T)                                                                             \
    FUNCTIONS(minimum, name, T, b < a ? b : a)                                                     \
    FUNCTIONS(maximum, name, T, a < b ? b : a)
UNSIGNED(u8, uint8_t, unsigned)
UNSIGNED(u16, uint16_t, unsigned)
UNSIGNED(u32, uint32_t, uint32_t)
UNSIGNED(u64, uint64_t, uint64_t)
ORDER(u8, uint8_t)
ORDER(u16, uint16_t)
ORDER(u32, uint32_t)
ORDER(u64, uint64_t)
ORDER(s8, int8_t)
ORDER(s16, int16_t)
ORDER(s32, int32_t)
ORDER(s64, int64_t)
ORDER(float, float)
ORDER(double, double)
FUNCTIONS(plus, float, float, a + b)
FUNCTIONS(plus, double, double, a + b)
FUNCTIONS(multiplies, float, float, a *b)
FUNCTIONS(multiplies, double, double, a *b)
#define NARROW(name, T, ...)                                                                       \
    FUNCTIONS(plus, name, T, reap__plus_##name(a, b))                                              \
    FUNCTIONS(multiplies, name, T, reap__multiplies_##name(a, b))                                  \
    FUNCTIONS(minimum, name, T, reap__minimum_##name(a, b))                                        \
    FUNCTIONS(maximum, name, T, reap__maximum_##name(a, b))
REAP__NARROW_TYPES(NARROW)

#define ENTRY(op, name) [REAP__OPERAND_##name] = &op##_##name
#define UNSIGNED_ENTRIES(op) ENTRY(op, u8), ENTRY(op, u16), ENTRY(op, u32), ENTRY(op, u64)
#define SIGNED_ENTRIES(op) ENTRY(op, s8), ENTRY(op, s16), ENTRY(op, s32), ENTRY(op, s64)
#define FLOAT_ENTRIES(op) ENTRY(op, float), ENTRY(op, double), ENTRY(op, half), ENTRY(op, bfloat16)

/* Operators for which the sign does not matter. */
#define WRAPPED_ENTRIES(op)                                                                        \
    UNSIGNED_ENTRIES(op), [REAP__OPERAND_s8] = &op##_u8, [REAP__OPERAND_s16] = &op##_u16,          \
                          [REAP__OPERAND_s32] = &op##_u32, [REAP__OPERAND_s64] = &op##_u64

const reap__operator_table OPERATIONS = {
    [REAP__OPERATION_plus] = {WRAPPED_ENTRIES(plus), FLOAT_ENTRIES(plus)},
    [REAP__OPERATION_multiplies] = {WRAPPED_ENTRIES(multiplies), FLOAT_ENTRIES(multiplies)},
    [REAP__OPERATION_minimum] = {UNSIGNED_ENTRIES(minimum), SIGNED_ENTRIES(minimum),
                                 FLOAT_ENTRIES(minimum)},
    [REAP__OPERATION_maximum] = {UNSIGNED_ENTRIES(maximum), SIGNED_ENTRIES(maximum),
                                 FLOAT_ENTRIES(maximum)},
    [REAP__OPERATION_bit_and] = {WRAPPED_ENTRIES(bit_and)},
    [REAP__OPERATION_bit_or] = {WRAPPED_ENTRIES(bit_or)},
    [REAP__OPERATION_bit_xor] = {WRAPPED_ENTRIES(bit_xor)},
    [REAP__OPERATION_logical_and] = {ENTRY(bit_and, u8)}, /* a bool is 0 or 1 */
    [REAP__OPERATION_logical_or] = {ENTRY(bit_or, u8)},
};
