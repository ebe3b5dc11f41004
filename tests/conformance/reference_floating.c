/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of float and double, from one template.
 */
#include "tests/conformance/reference_builtin.h"

#include <math.h>
#include <string.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define OPERATOR(name) JOIN(NAME, name)
#define REFERENCE JOIN(reference, NAME)

#define NAME float
#define TYPE float
#define BITS uint32_t
#define CANONICAL_NAN 0x7fc00000u
#include "tests/conformance/reference_floating_tmpl.h"

#define NAME double
#define TYPE double
#define BITS uint64_t
#define CANONICAL_NAN 0x7ff8000000000000u
#include "tests/conformance/reference_floating_tmpl.h"
