/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the floating-point types, from one template.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef half

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME float
#define TYPE float
#include "tests/conformance/floating.kernels_tmpl.h"

#define NAME double
#define TYPE double
#include "tests/conformance/floating.kernels_tmpl.h"

#define NAME half
#define TYPE reap_half
#include "tests/conformance/floating.kernels_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#include "tests/conformance/floating.kernels_tmpl.h"
