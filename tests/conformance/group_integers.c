/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of the integer types, a kernel for each from one template.
 */
#include "tests/conformance/group.h"
#include "tests/conformance/reference_builtin.h"

#include <reap/kernel.h>

#define NAME char
#define TYPE char
#define INPUT INPUT_BITS_8
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME schar
#define TYPE signed char
#define INPUT INPUT_BITS_8
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME uchar
#define TYPE unsigned char
#define INPUT INPUT_BITS_8
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME short
#define TYPE short
#define INPUT INPUT_BITS_16
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#define INPUT INPUT_BITS_16
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME int
#define TYPE int
#define INPUT INPUT_BITS_32
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME uint
#define TYPE unsigned int
#define INPUT INPUT_BITS_32
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME long
#define TYPE long
#define INPUT INPUT_BITS_64
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#define INPUT INPUT_BITS_64
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME llong
#define TYPE long long
#define INPUT INPUT_BITS_64
#include "tests/conformance/integers.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#define INPUT INPUT_BITS_64
#include "tests/conformance/integers.kernels_tmpl.h"
