/* SPDX-License-Identifier: Apache-2.0
 *
 * C's mathematical functions that devices' compilers do not have in C's form. The library adds a
 * macro for each other one that a kernel's text calls (src/accelerator/preprocess/names.c).
 */
#ifndef REAP_DETAIL_DEVICE_MATH_NAMES_H
#define REAP_DETAIL_DEVICE_MATH_NAMES_H

#undef nan
#define nan(...) reap__math_nan()
#undef nanf
#define nanf(...) reap__math_nanf()

/* For any floating type. */
#undef isgreater
#define isgreater(x, y) ((x) > (y))
#undef isgreaterequal
#define isgreaterequal(x, y) ((x) >= (y))
#undef isless
#define isless(x, y) ((x) < (y))
#undef islessequal
#define islessequal(x, y) ((x) <= (y))
#undef isunordered
#define isunordered(x, y) (reap__math_isnan(x) || reap__math_isnan(y))

#endif
