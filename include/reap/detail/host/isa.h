/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction sets for which a kernel's code is compiled: on x86-64 three functions of one
 * source, unless the compiler's options already select a processor. (target_clones would be
 * shorter; under ThreadSanitizer its resolver crashes, and clang does not link it with link-time
 * optimisation.)
 */
#ifndef REAP_DETAIL_HOST_ISA_H
#define REAP_DETAIL_HOST_ISA_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(REAP_SHOW_HEADERS)
#pragma GCC system_header
#endif

#include <reap/detail/kernel_table.h>

/* The loops around a kernel's body must inline all its helper functions: a helper that is called
 * would be compiled for the plain instruction set, and a loop with a call is not vectorised. clang
 * inlines what the body itself calls; gcc inlines all calls below a loop's function, ignores the
 * attribute if a function is always inlined, and would not inline pointers to combine functions if
 * it began there. */
#ifdef __OPTIMIZE__
#define REAP__FLATTEN __attribute__((__flatten__))
#else
#define REAP__FLATTEN
#endif
#define REAP__BODY REAP__INLINE REAP__FLATTEN

/* Code that the library compiles at run time is for one instruction set. clang's vectors have the
 * same length in the last two (see below). */
#if defined(REAP__ONLY_ISA)
#if REAP__ONLY_ISA == 0
#define REAP__EACH_ISA(m, ...) m(plain_, __VA_ARGS__)
#define REAP__ISA_TABLE(prefix, name, several)                                                     \
    {                                                                                              \
        prefix##plain_##name                                                                       \
    }
#elif REAP__ONLY_ISA == 1 || defined(__clang__)
#define REAP__EACH_ISA(m, ...) m(v3_, __VA_ARGS__)
#define REAP__ISA_TABLE(prefix, name, several)                                                     \
    {                                                                                              \
        prefix##v3_##name                                                                          \
    }
#else
#define REAP__EACH_ISA(m, ...) m(v4_, __VA_ARGS__)
#define REAP__ISA_TABLE(prefix, name, several)                                                     \
    {                                                                                              \
        prefix##v4_##name                                                                          \
    }
#endif
#elif defined(__x86_64__) && defined(__k8__) && !defined(__SSE3__) && !defined(__3dNOW__) &&       \
    defined(__OPTIMIZE__) && __GNUC__ + 0 >= (defined(__clang__) ? 4 : 12)
#define REAP__SEVERAL_ISAS 1
#define REAP__EACH_ISA(m, ...) m(plain_, __VA_ARGS__) m(v3_, __VA_ARGS__) m(v4_, __VA_ARGS__)
#define REAP__ISA_TABLE(prefix, name, several)                                                     \
    {                                                                                              \
        prefix##plain_##name, (several) ? prefix##v3_##name : NULL,                                \
            (several) ? prefix##v4_##name : NULL                                                   \
    }
#else
#define REAP__EACH_ISA(m, ...) m(plain_, __VA_ARGS__)
#define REAP__ISA_TABLE(prefix, name, several)                                                     \
    {                                                                                              \
        prefix##plain_##name, NULL, NULL                                                           \
    }
#endif

/* One probe serves the last two, which are compiled with the same options: its code is a tenth of
 * what the compiler does for one of them. */
#ifdef REAP__SEVERAL_ISAS
#define REAP__EACH_PROBED_ISA(m, ...) m(plain_, __VA_ARGS__) m(v3_, __VA_ARGS__)
#define REAP__PROBE_TABLE(k)                                                                       \
    {                                                                                              \
        reap_probe_plain__##k, reap_probe_v3__##k, reap_probe_v3__##k                              \
    }
#else
#define REAP__EACH_PROBED_ISA(m, ...) REAP__EACH_ISA(m, __VA_ARGS__)
#define REAP__PROBE_TABLE(k) REAP__ISA_TABLE(reap_probe_, _##k, 1)
#endif

/* How this file is compiled (kernel_table.h). */
#ifdef __has_feature
#define REAP__HAS_FEATURE(name) __has_feature(name)
#else
#define REAP__HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    REAP__HAS_FEATURE(address_sanitizer) || REAP__HAS_FEATURE(thread_sanitizer) ||                 \
    REAP__HAS_FEATURE(memory_sanitizer) || REAP__HAS_FEATURE(undefined_behavior_sanitizer)
#define REAP__BUILD_WITH_SANITIZER REAP__BUILD_SANITIZED
#else
#define REAP__BUILD_WITH_SANITIZER 0
#endif
#ifdef __OPTIMIZE__
#define REAP__BUILD_WITHOUT_OPTIMISATION 0
#else
#define REAP__BUILD_WITHOUT_OPTIMISATION REAP__BUILD_UNOPTIMISED
#endif
#ifdef __CHAR_UNSIGNED__
#define REAP__BUILD_WITH_CHAR REAP__BUILD_UNSIGNED_CHAR
#else
#define REAP__BUILD_WITH_CHAR 0
#endif
/* These names are read where a kernel is defined, since #pragma GCC target may define them after
 * this header. */
#define REAP__IS_DEFINED_AS_1(name) (sizeof REAP__TEXT(name) == sizeof "1")
#ifndef __x86_64__
#define REAP__BUILD_WITH_FMA 0
#elif defined(REAP__ONLY_ISA) && REAP__ONLY_ISA > 0
#define REAP__BUILD_WITH_FMA REAP__BUILD_FOR_FMA
#else
#define REAP__BUILD_WITH_FMA                                                                       \
    (REAP__IS_DEFINED_AS_1(__FMA__) || REAP__IS_DEFINED_AS_1(__FMA4__) ||                          \
             REAP__IS_DEFINED_AS_1(__AVX512F__)                                                    \
         ? REAP__BUILD_FOR_FMA                                                                     \
         : 0)
#endif
#ifndef REAP__BUILD_FOLDING
#define REAP__BUILD_FOLDING 0
#endif
#define REAP__BUILD                                                                                \
    (REAP__BUILD_WITH_SANITIZER | REAP__BUILD_WITHOUT_OPTIMISATION | REAP__BUILD_WITH_CHAR |       \
     REAP__BUILD_WITH_FMA | REAP__BUILD_FOLDING)

/* How a function of kernel k is compiled: all code of a kernel for one instruction set is in a
 * section of its own. gcc before 14 contracts alternating sums and differences of products
 * (vfmaddsub) with any options, and gcc truncates where two conversions should (kernel_host.h); so
 * the library searches for such instructions in this code. */
#ifdef __x86_64__
#define REAP__SECTION(isa, k) __section__("reap_" #isa "_" #k),
#else
#define REAP__SECTION(isa, k)
#endif
#if defined(__x86_64__) && !defined(__clang__)
#define REAP__BOUNDS(isa, k)                                                                       \
    extern const unsigned char __start_reap_##isa##_##k[]                                          \
        __attribute__((__weak__, __visibility__("hidden")));                                       \
    extern const unsigned char __stop_reap_##isa##_##k[]                                           \
        __attribute__((__weak__, __visibility__("hidden")));
#define REAP__BOUNDS_TABLE(end, k) REAP__ISA_TABLE(__##end##_reap_, _##k, 1)
#else
#define REAP__BOUNDS(isa, k)
#define REAP__BOUNDS_TABLE(end, k)                                                                 \
    {                                                                                              \
        NULL                                                                                       \
    }
#endif
#define REAP__COMPILED_plain_(k) __attribute__((REAP__SECTION(plain_, k) __unused__))
#define REAP__COMPILED_v3_(k)                                                                      \
    __attribute__((REAP__SECTION(v3_, k) __unused__, __target__("arch=x86-64-v3")))
#ifdef __clang__
#define REAP__COMPILED_v4_(k)                                                                      \
    __attribute__((REAP__SECTION(v4_, k) __unused__, __target__("arch=x86-64-v4")))
#else
#define REAP__COMPILED_v4_(k)                                                                      \
    __attribute__((REAP__SECTION(v4_, k) __unused__,                                               \
                   __target__("arch=x86-64-v4,prefer-vector-width=512")))
#endif

/* Before code for the first processors: each of its instructions on vector registers would wait for
 * the one before while their upper halves are not 0. gcc sees to that before a function ends, but
 * not before it calls a function whose use of registers it knows. */
#define REAP__CLEAR_UPPER_plain_ ((void)0)
#define REAP__CLEAR_UPPER_v3_ __builtin_ia32_vzeroupper()
#define REAP__CLEAR_UPPER_v4_ __builtin_ia32_vzeroupper()

#define REAP__RAN_plain_ REAP__ISA_PLAIN
#define REAP__RAN_v3_ REAP__ISA_V3
#define REAP__RAN_v4_ REAP__ISA_V4

/* The instruction sets of kernels in phases. clang uses gathers for their strided loops if AVX-512
 * has them, at twice the cost of AVX2's code; its vectors have the same length in both. */
#if defined(__clang__) && defined(REAP__SEVERAL_ISAS)
#define REAP__EACH_PHASES_ISA(m, ...) m(plain_, __VA_ARGS__) m(v3_, __VA_ARGS__)
#define REAP__PHASES_TABLE(prefix, k)                                                              \
    {                                                                                              \
        prefix##plain__##k, prefix##v3__##k, NULL                                                  \
    }
#else
#define REAP__EACH_PHASES_ISA(m, ...) REAP__EACH_ISA(m, __VA_ARGS__)
#define REAP__PHASES_TABLE(prefix, k) REAP__ISA_TABLE(prefix, _##k, 1)
#endif

/* Options for loops. Pointers (loops.h) state that items are independent, and compilers vectorise
 * the loops if that is faster. clang does not interleave them, which would leave more items to the
 * scalar loop at the end: without it, in the caches of a Zen 5 sums are 1.2 times as fast, sums of
 * rows of 17 twice (clang 14). This applies to phases, too; there gcc is faster with a step of
 * several items even without vectors. Loops that the compiler cannot vectorise need no warning;
 * within a macro the pragma would be too late for a file's first kernel. gcc would unroll a loop
 * over part of a row before it makes vectors. clang replaces macros of the program within the
 * pragmas' parentheses, so no word is there. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define REAP__ITEM_LOOP _Pragma("clang loop interleave_count(1)")
#define REAP__UNROLL _Pragma("unroll")
#define REAP__PHASE_LOOP REAP__ITEM_LOOP
#define REAP__LANE_LOOP _Pragma("clang loop interleave_count(1)")
#define REAP__SCALAR_LOOP                                                                          \
    _Pragma("clang loop vectorize_width(1) interleave_count(1)") _Pragma("nounroll")
#define REAP__NO_VECTORS ((void)0)
#define REAP__PART_LOOP
#else
#define REAP__ITEM_LOOP
#define REAP__UNROLL _Pragma("GCC unroll 8")
#define REAP__PHASE_LOOP _Pragma("GCC unroll 4")
#define REAP__LANE_LOOP
#define REAP__SCALAR_LOOP _Pragma("GCC unroll 1")
#define REAP__NO_VECTORS __asm__ volatile("")
#define REAP__PART_LOOP _Pragma("GCC unroll 1")
#endif
#endif
