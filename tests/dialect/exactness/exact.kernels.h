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
