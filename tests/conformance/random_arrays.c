/* SPDX-License-Identifier: Apache-2.0
 *
 * Random arrays: dimensions in any order in memory, with gaps, turned round, or repeated.
 */
#include "tests/conformance/random_arrays.h"

#include "tests/support/check_status.h"
#include "tests/support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------*/

const struct array_type array_types[REAP_TYPE_DOUBLE + 1] = {
    [REAP_TYPE_BOOL] = {"bool", 1, INPUT_BOOL, false, false},
    [REAP_TYPE_INT8] = {"int8", 1, INPUT_BITS_8, false, true},
    [REAP_TYPE_UINT8] = {"uint8", 1, INPUT_BITS_8, false, false},
    [REAP_TYPE_INT16] = {"int16", 2, INPUT_BITS_16, false, true},
    [REAP_TYPE_UINT16] = {"uint16", 2, INPUT_BITS_16, false, false},
    [REAP_TYPE_INT32] = {"int32", 4, INPUT_BITS_32, false, true},
    [REAP_TYPE_UINT32] = {"uint32", 4, INPUT_BITS_32, false, false},
    [REAP_TYPE_INT64] = {"int64", 8, INPUT_BITS_64, false, true},
    [REAP_TYPE_UINT64] = {"uint64", 8, INPUT_BITS_64, false, false},
    [REAP_TYPE_HALF] = {"half", 2, INPUT_HALF, true, true},
    [REAP_TYPE_BFLOAT16] = {"bfloat16", 2, INPUT_BFLOAT16, true, true},
    [REAP_TYPE_FLOAT] = {"float", 4, INPUT_FLOAT, true, true},
    [REAP_TYPE_DOUBLE] = {"double", 8, INPUT_DOUBLE, true, true}};

struct number number_read(reap_type type, const void *element)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        uint64_t u64;
        reap_half half;
        reap_bfloat16 bfloat16;
        float single;
        double real;
    } raw = {.u64 = 0};
    memcpy(&raw, element, array_types[type].size);
    if (type == REAP_TYPE_DOUBLE)
        return (struct number){raw.u64, raw.real};
    if (type == REAP_TYPE_FLOAT)
        return (struct number){raw.u64, (double)raw.single};
    if (type == REAP_TYPE_HALF)
        return (struct number){raw.u64, (double)reap_half_to_float(raw.half)};
    if (type == REAP_TYPE_BFLOAT16)
        return (struct number){raw.u64, (double)reap_bfloat16_to_float(raw.bfloat16)};
    if (type == REAP_TYPE_INT8)
        return (struct number){(uint64_t)(int64_t)raw.i8, raw.i8};
    if (type == REAP_TYPE_INT16)
        return (struct number){(uint64_t)(int64_t)raw.i16, raw.i16};
    if (type == REAP_TYPE_INT32)
        return (struct number){(uint64_t)(int64_t)raw.i32, raw.i32};
    if (type == REAP_TYPE_INT64)
        return (struct number){raw.u64, (double)(int64_t)raw.u64};
    return (struct number){raw.u64, (double)raw.u64};
}

/* ---- Random arrays ----------------------------------------------------------------------------*/

/* A matrix, and perhaps several, whose columns are added where the elements are. */
static void draw_matrix(struct drawn *drawn, uint64_t *random)
{
    static const size_t rows[] = {1,    2,    63,   64,   65,    127,  2047,
                                  2048, 2049, 4096, 6200, 14336, 30000};
    drawn->array.dimensions = 3;
    drawn->shape[0] = 1 + check_random(random) % 3;
    drawn->shape[1] = rows[check_random(random) % (sizeof rows / sizeof *rows)];
    drawn->shape[2] = 1 + check_random(random) % 40;
    while (drawn->shape[1] * drawn->shape[2] > MOST_ELEMENTS)
        drawn->shape[2] = (drawn->shape[2] + 1) / 2 - (drawn->shape[2] == 1);
    drawn->count = drawn->shape[0] * drawn->shape[1] * drawn->shape[2];
}

static void draw_shape(struct drawn *drawn, uint64_t *random)
{
    static const size_t lengths[] = {1, 2, 3, 5, 7, 64, 65, 1000, 2049, 4096, 30000};
    drawn->array.dimensions = (unsigned)(check_random(random) % (MOST_DIMENSIONS + 1));
    drawn->count = 1;
    for (unsigned d = 0; d < drawn->array.dimensions; d++) {
        size_t length = lengths[check_random(random) % (sizeof lengths / sizeof *lengths)];
        if (check_random(random) % 40 == 0)
            length = 0;
        while (drawn->count * length > MOST_ELEMENTS)
            length /= 2;
        drawn->shape[d] = length > 0 || drawn->count == 0 ? length : 1;
        drawn->count *= drawn->shape[d];
    }
}

/* Dimensions in any order in memory, with gaps, turned round, or repeated. Returns the element with
 * indices 0. */
static size_t draw_strides(struct drawn *drawn, size_t size, bool is_plain, uint64_t *random)
{
    const unsigned dimensions = drawn->array.dimensions;
    ptrdiff_t step = 1, begin = 0;
    unsigned left = (1u << dimensions) - 1;
    for (unsigned n = 0; n < dimensions; n++) {
        unsigned d = is_plain ? dimensions - 1 - n : (unsigned)(check_random(random) % dimensions);
        while ((left >> d & 1) == 0)
            d = (d + 1) % dimensions;
        left &= ~(1u << d);
        const unsigned kind = is_plain ? 9 : (unsigned)(check_random(random) % 10);
        const ptrdiff_t length = (ptrdiff_t)drawn->shape[d], gap = kind == 0 ? 2 : 1;
        drawn->strides[d] = kind == 1 ? 0 : kind == 2 ? -step * gap : step * gap;
        if (drawn->strides[d] < 0 && length > 1)
            begin += step * gap * (length - 1);
        if (kind != 1)
            step *= gap * (length > 0 ? length : 1);
    }
    for (unsigned d = 0; d < dimensions; d++)
        drawn->strides[d] *= (ptrdiff_t)size;
    drawn->bytes = (size_t)step * size;
    return (size_t)begin * size;
}

void drawn_close_memory(struct drawn *drawn)
{
    CHECK_STATUS(reap_buffer_release(drawn->buffer), REAP_OK);
}

void drawn_open_memory(struct drawn *drawn)
{
    CHECK_STATUS(reap_buffer_wrap(drawn->memory, drawn->bytes, &drawn->buffer), REAP_OK);
}

/* Numbers whose exact sum has 113 bits. */
static void tame(const struct drawn *drawn, uint64_t *random)
{
    const size_t size = array_types[drawn->array.type].size;
    for (size_t i = 0; i < drawn->bytes / size; i++) {
        const float v =
            ldexpf((float)(int32_t)check_random(random), (int)(check_random(random) % 40) - 50);
        const double large =
            ldexp((double)(int64_t)check_random(random), (int)(check_random(random) % 30) - 80);
        if (drawn->array.type == REAP_TYPE_FLOAT)
            ((float *)drawn->memory)[i] = v;
        else if (drawn->array.type == REAP_TYPE_DOUBLE)
            ((double *)drawn->memory)[i] = large;
        else if (drawn->array.type == REAP_TYPE_HALF)
            ((reap_half *)drawn->memory)[i] = reap_half_from_float(v);
        else
            ((reap_bfloat16 *)drawn->memory)[i] = reap_bfloat16_from_float(v);
    }
}

/* Memory, and the strides of an array whose type and shape have been drawn. */
static void fill(struct drawn *drawn, bool is_plain, uint64_t *random)
{
    const reap_type type = drawn->array.type;
    const enum input_type input = array_types[type].input;
    const size_t begin = draw_strides(drawn, array_types[type].size, is_plain, random);
    drawn->memory = test_allocate(drawn->bytes);
    input_fill(input, (unsigned)(check_random(random) % input_flavours(input)),
               drawn->bytes / array_types[type].size, random, drawn->memory);
    drawn->array.data = (char *)drawn->memory + begin;
    drawn->array.shape = drawn->shape;
    drawn->array.strides = drawn->strides;
    drawn_open_memory(drawn);
}

void drawn_tame(struct drawn *drawn, uint64_t *random)
{
    if (!array_types[drawn->array.type].is_floating)
        return;
    drawn_close_memory(drawn);
    tame(drawn, random);
    drawn_open_memory(drawn);
}

void drawn_open(struct drawn *drawn, reap_type type, enum drawn_kind kind, uint64_t *random)
{
    *drawn = (struct drawn){.array = {.type = type}};
    if (kind == MATRIX)
        draw_matrix(drawn, random);
    else
        draw_shape(drawn, random);
    fill(drawn, kind == MATRIX || check_random(random) % 3 == 0, random);
    if (kind == TAME)
        drawn_tame(drawn, random);
}

void drawn_open_like(struct drawn *drawn, const struct drawn *other, reap_type type,
                     uint64_t *random)
{
    *drawn = *other;
    drawn->array.type = type;
    fill(drawn, check_random(random) % 3 == 0, random);
}

void drawn_release(struct drawn *drawn)
{
    CHECK_STATUS(reap_buffer_release(drawn->buffer), REAP_OK);
    free(drawn->memory);
}

/* ---- Elements ---------------------------------------------------------------------------------*/

void drawn_set_indices(const struct drawn *drawn, uint64_t axes, bool among, size_t number,
                       size_t *indices)
{
    for (unsigned d = drawn->array.dimensions; d-- > 0;)
        if ((axes >> d & 1) == (among ? 1 : 0)) {
            indices[d] = number % drawn->shape[d];
            number /= drawn->shape[d];
        }
}

const void *drawn_at(const struct drawn *drawn, const size_t *indices)
{
    const char *at = (const char *)drawn->array.data;
    for (unsigned d = 0; d < drawn->array.dimensions; d++)
        at += (ptrdiff_t)indices[d] * drawn->strides[d];
    return at;
}

struct number drawn_element(const struct drawn *drawn, const size_t *indices)
{
    return number_read(drawn->array.type, drawn_at(drawn, indices));
}
