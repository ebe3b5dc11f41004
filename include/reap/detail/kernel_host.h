/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialect for the host's C compiler. For each kernel it generates
 * - a struct of arguments,
 * - an always-inline function that is the body,
 * - loops that run the body over rows of work-items, for each instruction set, and
 * - a table that describes all of this to the library.
 */
#ifndef REAP_DETAIL_KERNEL_HOST_H
#define REAP_DETAIL_KERNEL_HOST_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error                                                                                             \
    "Reap: -ffast-math (or a part of it) changes what kernels compute; compile this file without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error                                                                                             \
    "Reap: kernels need float arithmetic in float precision; on 32-bit x86 add -msse2 -mfpmath=sse"
#endif

/* gcc parses the options below once more for each function that is declared after them, also for
 * its own: those of an instruction set, once a function is compiled for it. So most declarations
 * come first, which saves a quarter of the time that a file with a kernel of one sum takes. (With
 * "arch=" instead of these names, gcc inlines no function of one unit that is compiled with -march
 * for a processor.) */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <reap/launch.h>
#include <reap/version.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__) && !defined(__clang__) && __GNUC__ + 0 >= 12
void reap__declare_builtins(void) __attribute__((
    __target__("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,f16c,fma,lzcnt,movbe")));
#endif

/* No contraction: a multiply and an add must not become one operation, since devices must agree
 * (docs/reduction-shape.md). This applies to all code that follows, including the operators: gcc
 * does not inline functions into functions that have other options. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
/* Without traps, arithmetic under a condition may be done for all items, and floor() is an
 * instruction on vectors. But gcc then also takes (float)(int)x for truncf(x), which is -0 where
 * the conversions are +0, if the processor has an instruction for it. Where only code for other
 * instruction sets than the baseline may have it, the library searches for it in that (isa.c). */
#if defined(__x86_64__) && !defined(__SSE4_1__)
#pragma GCC optimize("no-trapping-math")
#define REAP__BUILD_FOLDING REAP__BUILD_FOLDS
#else
#pragma GCC optimize("trapping-math")
#endif
/* gcc's -O3, except what makes loops over rows of lanes slower: two rows at a time are two streams
 * of reads (a dot product in the cache took 1.7 times as long with AVX-512), and one loop for each
 * member of a lane is one pass for each. Set here so that it applies to helper functions too. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("O3", "no-loop-unroll-and-jam", "no-tree-loop-distribution",                  \
                     "no-tree-loop-distribute-patterns")
#endif
#if __GNUC__ + 0 < 14 && (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__))
/* With vectorisation of straight-line code, gcc before 14 contracts a * b - c * d next to
 * a * d + b * c in spite of fp-contract=off. The library detects that in a kernel's own code, but
 * not in helper functions that were not inlined. */
#pragma GCC optimize("no-tree-slp-vectorize")
#endif
#endif

#include <reap/bfloat16.h>
#include <reap/detail/host/operators.h>
#include <reap/detail/host/planes.h>
#ifdef REAP__BUILD_FOLDING
#include <reap/detail/host/rounding.h>
#endif
#include <reap/detail/kernel_table.h>
#include <reap/detail/list.h>
#include <reap/half.h>
#include <reap/kernel_words.h>

#if defined(__x86_64__) && !defined(__clang__)
/* gcc 12 fails on its own signbit of vectors of floats that it made of integers, for AVX-512. */
static inline __attribute__((__always_inline__)) int reap__signbit_float(float reap_x)
{
    uint32_t reap_bits;
    memcpy(&reap_bits, &reap_x, sizeof reap_bits);
    return (int)(reap_bits >> 31);
}
static inline __attribute__((__always_inline__)) int reap__signbit_double(double reap_x)
{
    uint64_t reap_bits;
    memcpy(&reap_bits, &reap_x, sizeof reap_bits);
    return (int)(reap_bits >> 63);
}
static inline __attribute__((__always_inline__)) int reap__signbit_long_double(long double reap_x)
{
    return __builtin_signbit(reap_x) != 0;
}
#undef signbit
#define signbit(x)                                                                                 \
    __builtin_choose_expr(__builtin_constant_p((double)(x)), __builtin_signbit((double)(x)),       \
                          _Generic((x), float                                                      \
                                   : reap__signbit_float, double                                   \
                                   : reap__signbit_double, long double                             \
                                   : reap__signbit_long_double)(x))
#endif

_Static_assert(sizeof 1.0 == sizeof(double), "Reap: -fsingle-precision-constant changes constants; "
                                             "compile this file without it");

#include <reap/detail/host/atomics.h>
#include <reap/detail/host/checks.h>
#include <reap/detail/host/collectives.h>
#include <reap/detail/host/groups.h>
#include <reap/detail/host/loops.h>
#include <reap/detail/host/phases.h>
#include <reap/detail/host/sub_group_phases.h>
#include <reap/detail/host/sub_groups.h>

#endif
