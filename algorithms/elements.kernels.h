/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of reap/algorithms.h: sums of elements and of functions of them, for each type of
 * elements.
 *
 * All types are in one file, since a device's kernel comes from one file. ELEMENT is the type, NAME
 * the suffix of kernels' names (OpenCL C has names such as int8 and dot of its own), SUM the type
 * of sums, VALUE(x) an element as a number. Extremes, locations and counts are in keys.kernels.h,
 * except some for types with IS_WIDE 1 (run.h).
 */
#include <reap/kernel.h>

#include <math.h>

REAP_KERNEL_FILE

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

/* docs/reduction-shape.md */
#define LANES 64
#define LEAF_ROWS 2048
/* The columns that a work-item sums: 256 bytes of each row. */
#define COLUMNS (256 / sizeof(SUM))

#define SIGNED 1
#define UNSIGNED 2
#define SINGLE 3
#define DOUBLE 4

#define NAME i8
#define IS_WIDE 0
#define ELEMENT int8_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME u8
#define IS_WIDE 0
#define ELEMENT uint8_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME i16
#define IS_WIDE 0
#define ELEMENT int16_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME u16
#define IS_WIDE 0
#define ELEMENT uint16_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME i32
#define IS_WIDE 1
#define ELEMENT int32_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME u32
#define IS_WIDE 0
#define ELEMENT uint32_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME i64
#define IS_WIDE 1
#define ELEMENT int64_t
#define KIND SIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME u64
#define IS_WIDE 0
#define ELEMENT uint64_t
#define KIND UNSIGNED
#include "algorithms/elements.kernels_tmpl.h"

#define NAME f16
#define IS_WIDE 0
#define ELEMENT reap_half
#define KIND SINGLE
#define SUM float
#define VALUE(x) reap_half_to_float(x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME bf16
#define IS_WIDE 0
#define ELEMENT reap_bfloat16
#define KIND SINGLE
#define SUM float
#define VALUE(x) reap_bfloat16_to_float(x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME f32
#define IS_WIDE 1
#define ELEMENT float
#define KIND SINGLE
#define SUM float
#define VALUE(x) (x)
#include "algorithms/elements.kernels_tmpl.h"

#define NAME f64
#define IS_WIDE 1
#define ELEMENT double
#define KIND DOUBLE
#define SUM double
#define VALUE(x) (x)
#include "algorithms/elements.kernels_tmpl.h"
