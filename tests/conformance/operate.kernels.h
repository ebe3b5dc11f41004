/* SPDX-License-Identifier: Apache-2.0
 *
 * Built-in operators on two values, in kernels of each kind, on every type.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Pasted into names below; a dialect makes other names of OpenCL's types. */
#undef half
#undef uchar
#undef ushort
#undef uint
#undef ulong

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

/* In the order of reference_builtin.h. */
#define FLOATING_OPERATORS(X) X(plus) X(multiplies) X(minimum) X(maximum)
#define INTEGER_OPERATORS(X) FLOATING_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor)
#define BOOL_OPERATORS(X) X(bit_and) X(bit_or) X(bit_xor) X(logical_and) X(logical_or)

#define OPERATORS INTEGER_OPERATORS
#define NAME char
#define TYPE char
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME schar
#define TYPE signed char
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME uchar
#define TYPE unsigned char
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME short
#define TYPE short
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME ushort
#define TYPE unsigned short
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME int
#define TYPE int
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME uint
#define TYPE unsigned
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME long
#define TYPE long
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME ulong
#define TYPE unsigned long
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME llong
#define TYPE long long
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME ullong
#define TYPE unsigned long long
#include "tests/conformance/operate.kernels_tmpl.h"
#undef OPERATORS

#define OPERATORS FLOATING_OPERATORS
#define NAME float
#define TYPE float
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME double
#define TYPE double
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME half
#define TYPE reap_half
#include "tests/conformance/operate.kernels_tmpl.h"
#define NAME bfloat16
#define TYPE reap_bfloat16
#include "tests/conformance/operate.kernels_tmpl.h"
#undef OPERATORS

#define OPERATORS BOOL_OPERATORS
#define NAME truth
#define TYPE bool
#include "tests/conformance/operate.kernels_tmpl.h"
#undef OPERATORS

/* One work-item combines all values, and applies the operators to them in the same order. */
REAP_KERNEL(fold_floats, in(float, x), value(size_t, count), out(float, y),
            reduce(plus, float, sum), reduce(multiplies, float, product),
            reduce(minimum, float, least), reduce(maximum, float, most))
{
    float all[4] = {reap_known_identity(plus, float), reap_known_identity(multiplies, float),
                    reap_known_identity(minimum, float), reap_known_identity(maximum, float)};
    for (size_t i = 0; i < count; i++) {
        reap_combine(sum, x[i]);
        reap_combine(product, x[i]);
        reap_combine(least, x[i]);
        reap_combine(most, x[i]);
        all[0] = reap_operate(plus, all[0], x[i]);
        all[1] = reap_operate(multiplies, all[1], x[i]);
        all[2] = reap_operate(minimum, all[2], x[i]);
        all[3] = reap_operate(maximum, all[3], x[i]);
    }
    for (int op = 0; op < 4; op++)
        y[op] = all[op];
}

/* Conditions, results within each other, and a type that C's arithmetic would widen. */
static bool is_inside(int v, int least, int most)
{
    return reap_operate(minimum, reap_operate(maximum, v, least), most) == v;
}

REAP_ND_KERNEL(nest_in_items, in(int, x), out(int, y), local(int, tile))
{
    const size_t l = reap_local_linear_id(), i = reap_global_linear_id();
    tile[l] = x[i];
    reap_barrier(REAP_LOCAL_SPACE);
    const int other = tile[reap_local_linear_range() - 1 - l];
    const unsigned char low = (unsigned char)x[i], high = (unsigned char)other;
    y[i] = reap_operate(logical_and, is_inside(x[i], -50, 50), other & 2) ? 1000 : 0;
    y[i] += reap_operate(plus, low, high);
}

REAP_GROUP_KERNEL(nest_in_phases, in(int, x), out(int, y), local(int, tile))
{
    reap_for_each_item {
        tile[reap_local_linear_id()] = x[reap_global_linear_id()];
    }
    const size_t last = reap_operate(maximum, reap_local_linear_range(), (size_t)1) - 1;
    reap_for_each_item {
        const size_t l = reap_local_linear_id(), i = reap_global_linear_id();
        const unsigned char low = (unsigned char)x[i], high = (unsigned char)tile[last - l];
        y[i] = reap_operate(logical_and, is_inside(x[i], -50, 50), tile[last - l] & 2) ? 1000 : 0;
        y[i] += reap_operate(plus, low, high);
    }
}
