/* SPDX-License-Identifier: Apache-2.0
 *
 * reap_known_identity and reap_has_known_identity are constants, right for each operator and type,
 * and of the type itself. A program may use them without a kernel.
 */
#include <reap/kernel.h>

#include "tests/support/check.h"

#include <float.h>
#include <limits.h>

struct pair {
    int a, b;
};
enum colour { RED };

/* In static assertions, however a type is spelt. */
_Static_assert(reap_known_identity(plus, int) == 0, "");
_Static_assert(reap_known_identity(multiplies, unsigned long long int) == 1, "");
_Static_assert(reap_known_identity(minimum, signed) == INT_MAX, "");
_Static_assert(reap_known_identity(maximum, long int) == LONG_MIN, "");
_Static_assert(reap_known_identity(minimum, char) == CHAR_MAX, "");
_Static_assert(reap_known_identity(maximum, signed char) == SCHAR_MIN, "");
_Static_assert(reap_known_identity(minimum, unsigned short) == USHRT_MAX, "");
_Static_assert(reap_known_identity(maximum, size_t) == 0, "");
_Static_assert(reap_known_identity(bit_and, uint8_t) == 255, "");
_Static_assert(reap_known_identity(bit_and, int64_t) == -1, "");
_Static_assert(reap_known_identity(bit_or, unsigned) == 0, "");
_Static_assert(reap_known_identity(bit_xor, bool) == 0, "");
_Static_assert(reap_known_identity(bit_and, bool) == 1, "");
_Static_assert(reap_known_identity(logical_and, bool) == 1, "");
_Static_assert(reap_known_identity(logical_or, _Bool) == 0, "");
_Static_assert(reap_known_identity(plus, enum colour) == 0, "");
_Static_assert(reap_known_identity(plus, const int) == 0, "");

_Static_assert(reap_has_known_identity(plus, float) == 1, "");
_Static_assert(reap_has_known_identity(plus, reap_half) == 1, "");
_Static_assert(reap_has_known_identity(plus, reap_bfloat16) == 1, "");
_Static_assert(reap_has_known_identity(multiplies, unsigned char) == 1, "");
_Static_assert(reap_has_known_identity(exact_plus, float) == 1, "");
_Static_assert(reap_has_known_identity(exact_plus, reap_half) == 0, "");
_Static_assert(reap_has_known_identity(exact_plus, int) == 0, "");
_Static_assert(reap_has_known_identity(minimum, double) == 1, "");
_Static_assert(reap_has_known_identity(bit_and, unsigned long) == 1, "");
_Static_assert(reap_has_known_identity(bit_and, float) == 0, "");
_Static_assert(reap_has_known_identity(bit_or, reap_half) == 0, "");
_Static_assert(reap_has_known_identity(plus, bool) == 0, "");
_Static_assert(reap_has_known_identity(logical_and, bool) == 1, "");
_Static_assert(reap_has_known_identity(logical_and, int) == 0, "");
_Static_assert(reap_has_known_identity(plus, struct pair) == 0, "");
_Static_assert(reap_has_known_identity(plus, int *) == 0, "");
_Static_assert(reap_has_known_identity(plus, long double) == 0, "");
_Static_assert(reap_has_known_identity(not_declared, int) == 0, "");

REAP_OPERATOR(farthest, int, 0, a, b)
{
    return (b < 0 ? -b : b) > (a < 0 ? -a : a) ? b : a;
}
_Static_assert(reap_has_known_identity(farthest, int) == 0,
               "SYCL knows those of its own operators");

/* In initialisers of static objects, array bounds, enumerations and bit-fields' widths. */
#ifdef __clang__ /* for which the C library calls a function */
enum { sign_of_constant = 1 };
#else
static const int sign_of_constant = signbit(-2.0) != 0;
#endif
static const float lowest_float = reap_known_identity(maximum, float);
static const double highest[2] = {reap_known_identity(minimum, double), 0};
static const double exact_zero = reap_known_identity(exact_plus, double);
static const struct {
    unsigned char ones;
    bool all;
    long long most;
} of_all = {
    .ones = reap_known_identity(bit_and, unsigned char),
    .all = reap_known_identity(logical_and, bool),
    .most = reap_known_identity(minimum, long long),
};
enum { ZERO = reap_known_identity(plus, int), KNOWN = reap_has_known_identity(plus, int) };
typedef char of_size[reap_known_identity(multiplies, int)];
struct flags {
    unsigned known : reap_has_known_identity(plus, int);
};

#define IS_OF(type, value) _Generic((value), type : true, default : false)

static void check_types(void)
{
    CHECK(IS_OF(unsigned char, reap_known_identity(bit_and, unsigned char)));
    CHECK(IS_OF(short, reap_known_identity(minimum, short)));
    CHECK(IS_OF(float, reap_known_identity(minimum, float)));
    CHECK(IS_OF(double, reap_known_identity(maximum, double)));
    CHECK(IS_OF(reap_half, reap_known_identity(plus, reap_half)));
    CHECK(IS_OF(reap_bfloat16, reap_known_identity(plus, reap_bfloat16)));
    CHECK(IS_OF(bool, reap_known_identity(logical_or, bool)));
    CHECK(IS_OF(unsigned long, reap_known_identity(plus, unsigned long)));
    CHECK(IS_OF(long long, reap_known_identity(plus, long long)));
    CHECK(IS_OF(float, reap_known_identity(exact_plus, float)));
    CHECK(IS_OF(double, reap_known_identity(exact_plus, const double)));
}

static bool is_even(int value)
{
    switch (value % 2) {
    case reap_known_identity(plus, int):
        return true;
    default:
        return false;
    }
}

int main(void)
{
    struct flags flags = {1};
    CHECK(lowest_float < -FLT_MAX && highest[0] > DBL_MAX && highest[1] == 0);
    CHECK(of_all.ones == 255 && of_all.all && of_all.most == LLONG_MAX);
    CHECK(ZERO == 0 && KNOWN == 1 && sizeof(of_size) == 1 && flags.known == 1 && is_even(4));
    CHECK(reap_known_identity(plus, double) == 0 && !signbit(reap_known_identity(plus, double)));
    CHECK(exact_zero == 0 && signbit(exact_zero) && sign_of_constant == 1);
    CHECK(reap_known_identity(exact_plus, float) == 0 &&
          signbit(reap_known_identity(exact_plus, float)));
    CHECK_EQ(reap_half_to_float(reap_known_identity(multiplies, reap_half)), 1);
    CHECK(isinf(reap_half_to_float(reap_known_identity(maximum, reap_half))));
    CHECK_EQ(reap_known_identity(maximum, reap_half).bits, 0xfc00);
    CHECK_EQ(reap_bfloat16_to_float(reap_known_identity(multiplies, reap_bfloat16)), 1);
    CHECK_EQ(reap_known_identity(minimum, reap_bfloat16).bits, 0x7f80);
    CHECK(farthest_identity() == 0 && reap_operate(farthest, 2, -3) == -3);
    check_types();
    return check_finish();
}
