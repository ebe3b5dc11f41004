/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels with locations of several types, from one template.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef ushort
#undef half

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME schar
#define TYPE signed char
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME int
#define TYPE int
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME half
#define TYPE reap_half
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME bfloat16
#define TYPE reap_bfloat16
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME float
#define TYPE float
#include "tests/conformance/locations.kernels_tmpl.h"

#define NAME double
#define TYPE double
#include "tests/conformance/locations.kernels_tmpl.h"
