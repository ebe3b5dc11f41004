/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses macros of the program that replace names that a kernel file may use: the host would
 * compile another text than devices, which get the text of the file alone. Included before each
 * kernel file, so it has no guard. Macros of the file itself come later.
 */
#if defined(acos) || defined(acosf) || defined(acosh) || defined(acoshf) || defined(asin) ||       \
    defined(asinf) || defined(asinh) || defined(asinhf) || defined(atan) || defined(atanf) ||      \
    defined(atan2) || defined(atan2f) || defined(atanh) || defined(atanhf) || defined(cbrt) ||     \
    defined(cbrtf) || defined(ceil) || defined(ceilf) || defined(copysign) ||                      \
    defined(copysignf) || defined(cos) || defined(cosf) || defined(cosh) || defined(coshf) ||      \
    defined(erf) || defined(erff) || defined(erfc) || defined(erfcf) || defined(exp) ||            \
    defined(expf) || defined(exp2) || defined(exp2f) || defined(expm1) || defined(expm1f) ||       \
    defined(fabs) || defined(fabsf) || defined(fdim) || defined(fdimf) || defined(floor) ||        \
    defined(floorf) || defined(fma) || defined(fmaf) || defined(fmax) || defined(fmaxf) ||         \
    defined(fmin) || defined(fminf) || defined(fmod) || defined(fmodf) || defined(frexp) ||        \
    defined(frexpf) || defined(hypot) || defined(hypotf) || defined(ilogb) || defined(ilogbf) ||   \
    defined(ldexp) || defined(ldexpf) || defined(lgamma) || defined(lgammaf) || defined(llrint) || \
    defined(llrintf) || defined(llround) || defined(llroundf) || defined(log) || defined(logf) ||  \
    defined(log10) || defined(log10f) || defined(log1p) || defined(log1pf) || defined(log2) ||     \
    defined(log2f) || defined(logb) || defined(logbf) || defined(lrint) || defined(lrintf) ||      \
    defined(lround) || defined(lroundf) || defined(modf) || defined(modff) || defined(nan) ||      \
    defined(nanf) || defined(nearbyint) || defined(nearbyintf) || defined(nextafter) ||            \
    defined(nextafterf) || defined(pow) || defined(powf) || defined(remainder) ||                  \
    defined(remainderf) || defined(remquo) || defined(remquof) || defined(rint) ||                 \
    defined(rintf) || defined(round) || defined(roundf) || defined(scalbln) ||                     \
    defined(scalblnf) || defined(scalbn) || defined(scalbnf) || defined(sin) || defined(sinf) ||   \
    defined(sinh) || defined(sinhf) || defined(sqrt) || defined(sqrtf) || defined(tan) ||          \
    defined(tanf) || defined(tanh) || defined(tanhf) || defined(tgamma) || defined(tgammaf) ||     \
    defined(trunc) || defined(truncf) || defined(abs) || defined(labs) || defined(llabs)
#error                                                                                             \
    "Reap: a macro replaces a function of <math.h>, but not on devices: define it after the kernels"
#endif
#if defined(char) || defined(short) || defined(int) || defined(long) || defined(float) ||          \
    defined(double) || defined(signed) || defined(unsigned)
#error "Reap: a macro replaces a type, but not on devices: define it after the kernels"
#endif
