/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel whose bits show what a compiler does to floating-point arithmetic. EARLY and LATE are
 * pragmas, before and after Reap's own.
 */
#ifdef EARLY
_Pragma(EARLY)
#endif

#include <reap/kernel.h>

#ifdef LATE
    _Pragma(LATE)
#endif

        static float product_minus_one(float x)
{
    return x * x - 1.0f;
}

REAP_KERNEL(arithmetic, in(float, x), value(float, c), out(float, quotients), out(float, zeros),
            reduce(plus, float, products), reduce(plus, float, helped),
            reduce(minimum, float, least))
{
    const size_t i = reap_global_id(0);
    reap_combine(products, x[i] * x[i] + c);
    reap_combine(helped, product_minus_one(x[i]));
    reap_combine(least, i % 7 == 0 ? NAN : x[i]);
    quotients[i] = x[i] / 3.0f + x[i] / c;
    zeros[i] = (x[i] - x[i]) * -1.0f + 0.0f;
}

/* Complex products, by a helper that is not inlined and by one that the compiler may inline. */
typedef struct {
    double re, im;
} complex_number;

static complex_number product(complex_number a, complex_number b)
{
    return reap_value(complex_number, a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

__attribute__((noinline)) static complex_number product_elsewhere(complex_number a,
                                                                  complex_number b)
{
    return reap_value(complex_number, a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

REAP_KERNEL(products, in(complex_number, z), out(complex_number, squares))
{
    const size_t i = reap_global_id(0);
    squares[i] = product(z[i], z[i]);
}

REAP_KERNEL(products_elsewhere, in(complex_number, z), out(complex_number, squares))
{
    const size_t i = reap_global_id(0);
    squares[i] = product_elsewhere(z[i], z[i]);
}
