/* SPDX-License-Identifier: Apache-2.0
 *
 * C's names of the mathematical functions, for devices' compilers: the functions reap__math_NAME of
 * opencl/math.h and cuda/math.h. They are macros with arguments, so variables, parameters and
 * kernels of these names are not affected.
 */
#ifndef REAP_DETAIL_DEVICE_MATH_NAMES_H
#define REAP_DETAIL_DEVICE_MATH_NAMES_H

#undef acos
#define acos(...) reap__math_acos(__VA_ARGS__)
#undef acosf
#define acosf(...) reap__math_acosf(__VA_ARGS__)
#undef acosh
#define acosh(...) reap__math_acosh(__VA_ARGS__)
#undef acoshf
#define acoshf(...) reap__math_acoshf(__VA_ARGS__)
#undef asin
#define asin(...) reap__math_asin(__VA_ARGS__)
#undef asinf
#define asinf(...) reap__math_asinf(__VA_ARGS__)
#undef asinh
#define asinh(...) reap__math_asinh(__VA_ARGS__)
#undef asinhf
#define asinhf(...) reap__math_asinhf(__VA_ARGS__)
#undef atan
#define atan(...) reap__math_atan(__VA_ARGS__)
#undef atanf
#define atanf(...) reap__math_atanf(__VA_ARGS__)
#undef atan2
#define atan2(...) reap__math_atan2(__VA_ARGS__)
#undef atan2f
#define atan2f(...) reap__math_atan2f(__VA_ARGS__)
#undef atanh
#define atanh(...) reap__math_atanh(__VA_ARGS__)
#undef atanhf
#define atanhf(...) reap__math_atanhf(__VA_ARGS__)
#undef cbrt
#define cbrt(...) reap__math_cbrt(__VA_ARGS__)
#undef cbrtf
#define cbrtf(...) reap__math_cbrtf(__VA_ARGS__)
#undef ceil
#define ceil(...) reap__math_ceil(__VA_ARGS__)
#undef ceilf
#define ceilf(...) reap__math_ceilf(__VA_ARGS__)
#undef copysign
#define copysign(...) reap__math_copysign(__VA_ARGS__)
#undef copysignf
#define copysignf(...) reap__math_copysignf(__VA_ARGS__)
#undef cos
#define cos(...) reap__math_cos(__VA_ARGS__)
#undef cosf
#define cosf(...) reap__math_cosf(__VA_ARGS__)
#undef cosh
#define cosh(...) reap__math_cosh(__VA_ARGS__)
#undef coshf
#define coshf(...) reap__math_coshf(__VA_ARGS__)
#undef erf
#define erf(...) reap__math_erf(__VA_ARGS__)
#undef erff
#define erff(...) reap__math_erff(__VA_ARGS__)
#undef erfc
#define erfc(...) reap__math_erfc(__VA_ARGS__)
#undef erfcf
#define erfcf(...) reap__math_erfcf(__VA_ARGS__)
#undef exp
#define exp(...) reap__math_exp(__VA_ARGS__)
#undef expf
#define expf(...) reap__math_expf(__VA_ARGS__)
#undef exp2
#define exp2(...) reap__math_exp2(__VA_ARGS__)
#undef exp2f
#define exp2f(...) reap__math_exp2f(__VA_ARGS__)
#undef expm1
#define expm1(...) reap__math_expm1(__VA_ARGS__)
#undef expm1f
#define expm1f(...) reap__math_expm1f(__VA_ARGS__)
#undef fabs
#define fabs(...) reap__math_fabs(__VA_ARGS__)
#undef fabsf
#define fabsf(...) reap__math_fabsf(__VA_ARGS__)
#undef fdim
#define fdim(...) reap__math_fdim(__VA_ARGS__)
#undef fdimf
#define fdimf(...) reap__math_fdimf(__VA_ARGS__)
#undef floor
#define floor(...) reap__math_floor(__VA_ARGS__)
#undef floorf
#define floorf(...) reap__math_floorf(__VA_ARGS__)
#undef fma
#define fma(...) reap__math_fma(__VA_ARGS__)
#undef fmaf
#define fmaf(...) reap__math_fmaf(__VA_ARGS__)
#undef fmax
#define fmax(...) reap__math_fmax(__VA_ARGS__)
#undef fmaxf
#define fmaxf(...) reap__math_fmaxf(__VA_ARGS__)
#undef fmin
#define fmin(...) reap__math_fmin(__VA_ARGS__)
#undef fminf
#define fminf(...) reap__math_fminf(__VA_ARGS__)
#undef fmod
#define fmod(...) reap__math_fmod(__VA_ARGS__)
#undef fmodf
#define fmodf(...) reap__math_fmodf(__VA_ARGS__)
#undef frexp
#define frexp(...) reap__math_frexp(__VA_ARGS__)
#undef frexpf
#define frexpf(...) reap__math_frexpf(__VA_ARGS__)
#undef hypot
#define hypot(...) reap__math_hypot(__VA_ARGS__)
#undef hypotf
#define hypotf(...) reap__math_hypotf(__VA_ARGS__)
#undef ilogb
#define ilogb(...) reap__math_ilogb(__VA_ARGS__)
#undef ilogbf
#define ilogbf(...) reap__math_ilogbf(__VA_ARGS__)
#undef ldexp
#define ldexp(...) reap__math_ldexp(__VA_ARGS__)
#undef ldexpf
#define ldexpf(...) reap__math_ldexpf(__VA_ARGS__)
#undef lgamma
#define lgamma(...) reap__math_lgamma(__VA_ARGS__)
#undef lgammaf
#define lgammaf(...) reap__math_lgammaf(__VA_ARGS__)
#undef llrint
#define llrint(...) reap__math_llrint(__VA_ARGS__)
#undef llrintf
#define llrintf(...) reap__math_llrintf(__VA_ARGS__)
#undef llround
#define llround(...) reap__math_llround(__VA_ARGS__)
#undef llroundf
#define llroundf(...) reap__math_llroundf(__VA_ARGS__)
#undef log
#define log(...) reap__math_log(__VA_ARGS__)
#undef logf
#define logf(...) reap__math_logf(__VA_ARGS__)
#undef log10
#define log10(...) reap__math_log10(__VA_ARGS__)
#undef log10f
#define log10f(...) reap__math_log10f(__VA_ARGS__)
#undef log1p
#define log1p(...) reap__math_log1p(__VA_ARGS__)
#undef log1pf
#define log1pf(...) reap__math_log1pf(__VA_ARGS__)
#undef log2
#define log2(...) reap__math_log2(__VA_ARGS__)
#undef log2f
#define log2f(...) reap__math_log2f(__VA_ARGS__)
#undef logb
#define logb(...) reap__math_logb(__VA_ARGS__)
#undef logbf
#define logbf(...) reap__math_logbf(__VA_ARGS__)
#undef lrint
#define lrint(...) reap__math_lrint(__VA_ARGS__)
#undef lrintf
#define lrintf(...) reap__math_lrintf(__VA_ARGS__)
#undef lround
#define lround(...) reap__math_lround(__VA_ARGS__)
#undef lroundf
#define lroundf(...) reap__math_lroundf(__VA_ARGS__)
#undef modf
#define modf(...) reap__math_modf(__VA_ARGS__)
#undef modff
#define modff(...) reap__math_modff(__VA_ARGS__)
#undef nan
#define nan(...) reap__math_nan()
#undef nanf
#define nanf(...) reap__math_nanf()
#undef nearbyint
#define nearbyint(...) reap__math_nearbyint(__VA_ARGS__)
#undef nearbyintf
#define nearbyintf(...) reap__math_nearbyintf(__VA_ARGS__)
#undef nextafter
#define nextafter(...) reap__math_nextafter(__VA_ARGS__)
#undef nextafterf
#define nextafterf(...) reap__math_nextafterf(__VA_ARGS__)
#undef pow
#define pow(...) reap__math_pow(__VA_ARGS__)
#undef powf
#define powf(...) reap__math_powf(__VA_ARGS__)
#undef remainder
#define remainder(...) reap__math_remainder(__VA_ARGS__)
#undef remainderf
#define remainderf(...) reap__math_remainderf(__VA_ARGS__)
#undef remquo
#define remquo(...) reap__math_remquo(__VA_ARGS__)
#undef remquof
#define remquof(...) reap__math_remquof(__VA_ARGS__)
#undef rint
#define rint(...) reap__math_rint(__VA_ARGS__)
#undef rintf
#define rintf(...) reap__math_rintf(__VA_ARGS__)
#undef round
#define round(...) reap__math_round(__VA_ARGS__)
#undef roundf
#define roundf(...) reap__math_roundf(__VA_ARGS__)
#undef scalbln
#define scalbln(...) reap__math_scalbln(__VA_ARGS__)
#undef scalblnf
#define scalblnf(...) reap__math_scalblnf(__VA_ARGS__)
#undef scalbn
#define scalbn(...) reap__math_scalbn(__VA_ARGS__)
#undef scalbnf
#define scalbnf(...) reap__math_scalbnf(__VA_ARGS__)
#undef sin
#define sin(...) reap__math_sin(__VA_ARGS__)
#undef sinf
#define sinf(...) reap__math_sinf(__VA_ARGS__)
#undef sinh
#define sinh(...) reap__math_sinh(__VA_ARGS__)
#undef sinhf
#define sinhf(...) reap__math_sinhf(__VA_ARGS__)
#undef sqrt
#define sqrt(...) reap__math_sqrt(__VA_ARGS__)
#undef sqrtf
#define sqrtf(...) reap__math_sqrtf(__VA_ARGS__)
#undef tan
#define tan(...) reap__math_tan(__VA_ARGS__)
#undef tanf
#define tanf(...) reap__math_tanf(__VA_ARGS__)
#undef tanh
#define tanh(...) reap__math_tanh(__VA_ARGS__)
#undef tanhf
#define tanhf(...) reap__math_tanhf(__VA_ARGS__)
#undef tgamma
#define tgamma(...) reap__math_tgamma(__VA_ARGS__)
#undef tgammaf
#define tgammaf(...) reap__math_tgammaf(__VA_ARGS__)
#undef trunc
#define trunc(...) reap__math_trunc(__VA_ARGS__)
#undef truncf
#define truncf(...) reap__math_truncf(__VA_ARGS__)

/* For any floating type. */
#undef fpclassify
#define fpclassify(...) reap__math_fpclassify(__VA_ARGS__)
#undef isfinite
#define isfinite(...) reap__math_isfinite(__VA_ARGS__)
#undef isinf
#define isinf(...) reap__math_isinf(__VA_ARGS__)
#undef islessgreater
#define islessgreater(...) reap__math_islessgreater(__VA_ARGS__)
#undef isnan
#define isnan(...) reap__math_isnan(__VA_ARGS__)
#undef isnormal
#define isnormal(...) reap__math_isnormal(__VA_ARGS__)
#undef signbit
#define signbit(...) reap__math_signbit(__VA_ARGS__)
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

/* <stdlib.h> */
#undef abs
#define abs(...) reap__math_abs(__VA_ARGS__)
#undef labs
#define labs(...) reap__math_labs(__VA_ARGS__)
#undef llabs
#define llabs(...) reap__math_llabs(__VA_ARGS__)

#endif
