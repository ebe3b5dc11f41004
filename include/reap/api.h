/* SPDX-License-Identifier: Apache-2.0
 *
 * How the library's public functions are declared: C linkage, and visible outside the shared
 * library, where everything else is hidden.
 */
#ifndef REAP_API_H
#define REAP_API_H

#ifdef __cplusplus
#define REAP_API extern "C" __attribute__((visibility("default")))
#else
#define REAP_API extern __attribute__((visibility("default")))
#endif

/* The call does not use what this parameter points to, so that gcc does not ask for values there.
 */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define REAP__NOT_USED_BY_CALL(parameter) __attribute__((access(none, parameter)))
#else
#define REAP__NOT_USED_BY_CALL(parameter)
#endif

#endif
