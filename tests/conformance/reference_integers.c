/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators of every integer type, from one template.
 */
#include "tests/conformance/reference_builtin.h"

#include <limits.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define OPERATOR(name) JOIN(NAME, name)
#define REFERENCE JOIN(reference, NAME)

#define NAME char
#define TYPE char
#define LOWEST CHAR_MIN
#define LARGEST CHAR_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME schar
#define TYPE signed char
#define LOWEST SCHAR_MIN
#define LARGEST SCHAR_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME uchar
#define TYPE unsigned char
#define LOWEST 0
#define LARGEST UCHAR_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME short
#define TYPE short
#define LOWEST SHRT_MIN
#define LARGEST SHRT_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME ushort
#define TYPE unsigned short
#define LOWEST 0
#define LARGEST USHRT_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME int
#define TYPE int
#define LOWEST INT_MIN
#define LARGEST INT_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME uint
#define TYPE unsigned int
#define LOWEST 0
#define LARGEST UINT_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME long
#define TYPE long
#define LOWEST LONG_MIN
#define LARGEST LONG_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#define LOWEST 0
#define LARGEST ULONG_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME llong
#define TYPE long long
#define LOWEST LLONG_MIN
#define LARGEST LLONG_MAX
#include "tests/conformance/reference_integer_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#define LOWEST 0
#define LARGEST ULLONG_MAX
#include "tests/conformance/reference_integer_tmpl.h"
