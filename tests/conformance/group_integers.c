/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of the integer types, from one template.
 */
#include "tests/conformance/integers.kernels.h"

#include "tests/conformance/group.h"
#include "tests/conformance/reference_builtin.h"

#define NAME char
#define INPUT INPUT_BITS_8
#include "tests/conformance/group_integers_tmpl.h"

#define NAME schar
#define INPUT INPUT_BITS_8
#include "tests/conformance/group_integers_tmpl.h"

#define NAME uchar
#define INPUT INPUT_BITS_8
#include "tests/conformance/group_integers_tmpl.h"

#define NAME short
#define INPUT INPUT_BITS_16
#include "tests/conformance/group_integers_tmpl.h"

#define NAME ushort
#define INPUT INPUT_BITS_16
#include "tests/conformance/group_integers_tmpl.h"

#define NAME int
#define INPUT INPUT_BITS_32
#include "tests/conformance/group_integers_tmpl.h"

#define NAME uint
#define INPUT INPUT_BITS_32
#include "tests/conformance/group_integers_tmpl.h"

#define NAME long
#define INPUT INPUT_BITS_64
#include "tests/conformance/group_integers_tmpl.h"

#define NAME ulong
#define INPUT INPUT_BITS_64
#include "tests/conformance/group_integers_tmpl.h"

#define NAME llong
#define INPUT INPUT_BITS_64
#include "tests/conformance/group_integers_tmpl.h"

#define NAME ullong
#define INPUT INPUT_BITS_64
#include "tests/conformance/group_integers_tmpl.h"
