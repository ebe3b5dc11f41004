/* SPDX-License-Identifier: Apache-2.0
 *
 * How the library's public functions are declared: C linkage, and visible outside the shared
 * library, where everything else is hidden; and what is said of their parameters.
 */
#ifndef REAP_API_H
#define REAP_API_H

/* Nothing that follows would be understood: the second line stops the compiler. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#error "Reap: its headers are C11; compile this file with -std=c11 or later"
#include <reap/needs_c11.h>
#endif

/* The library was compiled for structs in their usual layout, and reads the program's. */
#define REAP__PACKED                                                                               \
    "stands under #pragma pack or -fpack-struct, which change the structs that the library reads"
struct reap__padded {
    char first;
    void *second;
};
#ifdef __cplusplus
static_assert(sizeof(reap__padded) == 2 * sizeof(void *), "Reap: this header " REAP__PACKED);
#else
_Static_assert(sizeof(struct reap__padded) == 2 * sizeof(void *),
               "Reap: this header " REAP__PACKED);
#endif

#ifdef __cplusplus
#define REAP_API extern "C" __attribute__((visibility("default")))
#else
/* Before the declaration of a function of the library. */
#define REAP_API extern __attribute__((visibility("default")))
#endif

/* Behind a declaration: the function does not look at the memory that its nth argument points to,
 * which may hold nothing yet. gcc from 11 on would warn of that, and knows the word. */
#define REAP__UNREAD(n)
#if defined(__has_attribute) && !defined(__clang__) && __GNUC__ + 0 >= 11
#if __has_attribute(__access__)
#undef REAP__UNREAD
#define REAP__UNREAD(n) __attribute__((__access__(__none__, n)))
#endif
#endif

#endif
