/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of the types of reap/algorithms.h, for naive loops: each as a number that has it
 * exactly, and back.
 */
#ifndef TESTS_CONFORMANCE_NUMBERS_H
#define TESTS_CONFORMANCE_NUMBERS_H

#include "tests/conformance/inputs.h"

#include <math.h>
#include <reap/algorithms.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    enum input_type input;
    bool is_floating, is_signed;
} types[] = {[REAP_TYPE_BOOL] = {"bool", 1, INPUT_BOOL, false, false},
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

/* An integer in 64 bits, or another number. */
struct number {
    uint64_t bits;
    double real;
};

static inline struct number number_read(reap_type type, const void *element)
{
    struct number number = {.bits = 0};
    uint64_t raw = 0;
    memcpy(&raw, element, types[type].size);
    if (type == REAP_TYPE_DOUBLE) {
        memcpy(&number.real, &raw, sizeof raw);
    } else if (types[type].is_floating) {
        reap_half half;
        reap_bfloat16 bfloat16;
        float single;
        memcpy(&half, &raw, sizeof half);
        memcpy(&bfloat16, &raw, sizeof bfloat16);
        memcpy(&single, &raw, sizeof single);
        number.real = type == REAP_TYPE_HALF       ? (double)reap_half_to_float(half)
                      : type == REAP_TYPE_BFLOAT16 ? (double)reap_bfloat16_to_float(bfloat16)
                                                   : (double)single;
    } else {
        const unsigned unused = 64 - 8 * (unsigned)types[type].size;
        number.bits = raw << unused;
        number.bits = types[type].is_signed ? (uint64_t)((int64_t)number.bits >> unused)
                                            : number.bits >> unused;
    }
    return number;
}

static inline void number_write(reap_type type, struct number number, void *element)
{
    const float single = (float)number.real;
    const reap_half half = reap_half_from_float(single);
    const reap_bfloat16 bfloat16 = reap_bfloat16_from_float(single);
    if (type == REAP_TYPE_DOUBLE)
        memcpy(element, &number.real, sizeof number.real);
    else if (type == REAP_TYPE_FLOAT)
        memcpy(element, &single, sizeof single);
    else if (type == REAP_TYPE_HALF)
        memcpy(element, &half, sizeof half);
    else if (type == REAP_TYPE_BFLOAT16)
        memcpy(element, &bfloat16, sizeof bfloat16);
    else
        memcpy(element, &number.bits, types[type].size); /* of which the first are the least */
}

#endif
