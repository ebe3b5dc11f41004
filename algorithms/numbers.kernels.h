/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of the types of elements, as arguments of kernels that work on arrays of several types:
 * those of reap_type, and one more. numbers.kernels_tmpl.h converts elements.
 */
#ifndef REAP_ALGORITHMS_NUMBERS_KERNELS_H
#define REAP_ALGORITHMS_NUMBERS_KERNELS_H

#include <reap/kernel.h>

#include <math.h>

REAP_KERNEL_FILE

enum {
    NUMBER_BOOL = 1,
    NUMBER_INT8,
    NUMBER_UINT8,
    NUMBER_INT16,
    NUMBER_UINT16,
    NUMBER_INT32,
    NUMBER_UINT32,
    NUMBER_INT64,
    NUMBER_UINT64,
    NUMBER_HALF,
    NUMBER_BFLOAT16,
    NUMBER_FLOAT,
    NUMBER_DOUBLE,
    NUMBER_ORDERED /* uint64_t, read as an int64_t in the same order */
};

enum { OPERATION_SUM, OPERATION_PRODUCT, OPERATION_MINIMUM, OPERATION_MAXIMUM };

/* KIND, the kind of the type WORK, in templates: integers of 32 and of 64 bits, floats, doubles. */
#define WORK_INTEGER_32 0
#define WORK_INTEGER 1
#define WORK_SINGLE 2
#define WORK_DOUBLE 3

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#endif
