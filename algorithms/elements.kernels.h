/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of reap/algorithms.h, for each type of elements.
 *
 * ELEMENT is the type, NAME what kernels' names end in, SUM the type of sums, VALUE(x) an element
 * in arithmetic, of the type OPERAND.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define SIGNED 1
#define UNSIGNED 2
#define FLOATING 3

#define NAME int8
#define ELEMENT int8_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME uint8
#define ELEMENT uint8_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME int16
#define ELEMENT int16_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME uint16
#define ELEMENT uint16_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME int32
#define ELEMENT int32_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME uint32
#define ELEMENT uint32_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME int64
#define ELEMENT int64_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME uint64
#define ELEMENT uint64_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME float16
#define ELEMENT reap_half
#define KIND FLOATING
#define SUM float
#define VALUE(x) reap_half_to_float(x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME bfloat16
#define ELEMENT reap_bfloat16
#define KIND FLOATING
#define SUM float
#define VALUE(x) reap_bfloat16_to_float(x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME float32
#define ELEMENT float
#define KIND FLOATING
#define SUM float
#define VALUE(x) (x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME float64
#define ELEMENT double
#define KIND FLOATING
#define SUM double
#define VALUE(x) (x)
#define IS_DOUBLE
#include "algorithms/elements.kernels_tmpl.h"
#undef IS_DOUBLE
