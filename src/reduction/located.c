/* SPDX-License-Identifier: Apache-2.0
 *
 * Values are compared as what they are; of equal ones the lowest number is the answer's.
 */
#include "src/reduction/located.h"

#include "src/reduction/operators.h"

#include <math.h>
#include <reap/half.h>
#include <stdbool.h>
#include <string.h>

const void *reap__location_start(const struct reap__reduction *reduction, const void *identity)
{
    static const float single = NAN;
    static const double wide = NAN;
    static const reap_half half = {0x7e00};
    switch (reduction->number) {
    case REAP__IS_FLOAT:
        return &single;
    case REAP__IS_DOUBLE:
        return &wide;
    case REAP__IS_HALF:
        return &half;
    default:
        return identity;
    }
}

size_t reap__location_most_rows(const struct reap__reduction *reduction)
{
    switch (reduction->value_size) {
    case 1:
        return UINT8_MAX;
    case 2:
        return UINT16_MAX;
    default:
        return UINT32_MAX;
    }
}

/* How two values compare: a NaN is in no order. */
enum order { LESS, EQUAL, GREATER, UNORDERED };

#define ORDER(x, y) ((x) < (y) ? LESS : (x) == (y) ? EQUAL : (x) > (y) ? GREATER : UNORDERED)
#define COMPARE(name, T, number)                                                                   \
    static enum order compare_##name(const void *a, const void *b)                                 \
    {                                                                                              \
        T x, y;                                                                                    \
        memcpy(&x, a, sizeof x);                                                                   \
        memcpy(&y, b, sizeof y);                                                                   \
        return ORDER(number(x), number(y));                                                        \
    }
COMPARE(u8, uint8_t, )
COMPARE(u16, uint16_t, )
COMPARE(u32, uint32_t, )
COMPARE(u64, uint64_t, )
COMPARE(s8, int8_t, )
COMPARE(s16, int16_t, )
COMPARE(s32, int32_t, )
COMPARE(s64, int64_t, )
COMPARE(float, float, )
COMPARE(double, double, )
COMPARE(half, reap_half, reap_half_to_float)

typedef enum order (*compare_function)(const void *a, const void *b);

static compare_function compare_of(const struct reap__reduction *reduction)
{
    static const compare_function functions[REAP__OPERAND_COUNT] = {
        [REAP__OPERAND_u8] = compare_u8,       [REAP__OPERAND_u16] = compare_u16,
        [REAP__OPERAND_u32] = compare_u32,     [REAP__OPERAND_u64] = compare_u64,
        [REAP__OPERAND_s8] = compare_s8,       [REAP__OPERAND_s16] = compare_s16,
        [REAP__OPERAND_s32] = compare_s32,     [REAP__OPERAND_s64] = compare_s64,
        [REAP__OPERAND_float] = compare_float, [REAP__OPERAND_double] = compare_double,
        [REAP__OPERAND_half] = compare_half};
    return functions[reap__operand(reduction->type)];
}

/* Takes a candidate that is better than the result, or equal and before it. */
static void take(const struct reap__reduction *reduction, compare_function compare, void *result,
                 const void *value, uint64_t location)
{
    unsigned char *const at = (unsigned char *)result + reduction->location_offset;
    const enum order better = reduction->built_in == REAP__OPERATION_maximum ? GREATER : LESS;
    const enum order order = compare(value, result);
    uint64_t present;
    memcpy(&present, at, sizeof present);
    if (order != better && (order != EQUAL || location >= present))
        return;
    memcpy(result, value, reduction->value_size);
    memcpy(at, &location, sizeof location);
}

static uint64_t row_of(const void *rows, size_t lane, size_t size)
{
    uint8_t row8;
    uint16_t row16;
    uint32_t row32;
    uint64_t row64;
    const char *const at = (const char *)rows + lane * size;
    switch (size) {
    case 1:
        memcpy(&row8, at, sizeof row8);
        return row8 == UINT8_MAX ? UINT64_MAX : row8;
    case 2:
        memcpy(&row16, at, sizeof row16);
        return row16 == UINT16_MAX ? UINT64_MAX : row16;
    case 4:
        memcpy(&row32, at, sizeof row32);
        return row32 == UINT32_MAX ? UINT64_MAX : row32;
    default:
        memcpy(&row64, at, sizeof row64);
        return row64;
    }
}

void reap__location_fold(const struct reap__reduction *reduction, const struct reap__lanes *lanes,
                         size_t count, uint64_t first, void *result)
{
    const size_t size = reduction->value_size;
    const compare_function compare = compare_of(reduction);
    for (size_t l = 0; l < count; l++) {
        const uint64_t row = row_of(lanes->rows, l, size);
        if (row != UINT64_MAX)
            take(reduction, compare, result, (const char *)lanes->values + l * size,
                 first + (row << reduction->lanes_log2) + l);
    }
}

void reap__location_combine(const struct reap__reduction *reduction, void *into, const void *from,
                            size_t count)
{
    const size_t size = reduction->result_size;
    const compare_function compare = compare_of(reduction);
    for (size_t i = 0; i < count; i++) {
        const char *const other = (const char *)from + i * size;
        uint64_t location;
        memcpy(&location, other + reduction->location_offset, sizeof location);
        take(reduction, compare, (char *)into + i * size, other, location);
    }
}
