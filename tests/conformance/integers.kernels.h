/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the integer types, from one template.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef uchar
#undef ushort
#undef uint
#undef ulong

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME char
#define TYPE char
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME schar
#define TYPE signed char
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME uchar
#define TYPE unsigned char
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME short
#define TYPE short
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME int
#define TYPE int
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME uint
#define TYPE unsigned int
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME long
#define TYPE long
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME llong
#define TYPE long long
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#include "tests/conformance/integers.kernels_tmpl.h"
