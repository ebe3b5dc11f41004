/* SPDX-License-Identifier: Apache-2.0
 *
 * Two kernels: one is compiled for the compiler's options, the other (by gcc) for fused
 * multiply-add instructions, too.
 */
#include <reap/kernel.h>

#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#define OPTIONS_HAVE_FMA 1
#else
#define OPTIONS_HAVE_FMA 0
#endif

REAP_KERNEL(by_options, out(float, y))
{
    y[reap_global_id(0)] = 1;
}

#if defined(__x86_64__) && !defined(__clang__)
#define PRAGMA_HAS_FMA 1
#pragma GCC push_options
#pragma GCC target("fma")
#else
#define PRAGMA_HAS_FMA OPTIONS_HAVE_FMA
#endif
REAP_KERNEL(by_pragma, out(float, y))
{
    y[reap_global_id(0)] = 1;
}
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC pop_options
#endif
