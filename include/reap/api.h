/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * How public functions are declared.
 *
 * They have C linkage and are visible outside the shared library; all other symbols are hidden.
 */
#ifndef REAP_API_H
#define REAP_API_H

/* An older compiler reports many errors in what follows; the missing header ends them: its #include
 * is a fatal error. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#error "Reap: its headers are C11; compile this file with -std=c11 or later"
#include <reap/needs_c11.h>
#endif

/* The library reads structs of the program, so both need the same layout. */
#define REAP__PACKED                                                                               \
    "is compiled under #pragma pack or -fpack-struct, which change the structs of the library"
#define REAP__SHORT_ENUMS                                                                          \
    "Reap: this header is compiled with -fshort-enums, which changes the structs of the library"
struct reap__padded {
    char first;
    void *second;
};
enum reap__small { REAP__SMALL_0, REAP__SMALL_1 };
#ifdef __cplusplus
static_assert(sizeof(reap__padded) == 2 * sizeof(void *), "Reap: this header " REAP__PACKED);
static_assert(sizeof(reap__small) == sizeof(int), REAP__SHORT_ENUMS);
#else
_Static_assert(sizeof(struct reap__padded) == 2 * sizeof(void *),
               "Reap: this header " REAP__PACKED);
_Static_assert(sizeof(enum reap__small) == sizeof(int), REAP__SHORT_ENUMS);
#endif

#ifdef __cplusplus
#define REAP_API extern "C" __attribute__((visibility("default")))
#else
/** Precedes the declaration of each function of the library. */
#define REAP_API extern __attribute__((visibility("default")))
#endif

/* Follows a declaration: the function does not read the memory that its nth argument points to.
 * Without it gcc 11 and later warn if that memory is not initialised. */
#define REAP__UNREAD(n)
#if defined(__has_attribute) && !defined(__clang__) && __GNUC__ + 0 >= 11
#if __has_attribute(__access__)
#undef REAP__UNREAD
#define REAP__UNREAD(n) __attribute__((__access__(__none__, n)))
#endif
#endif

#endif
