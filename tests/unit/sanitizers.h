/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether this is a build for ThreadSanitizer or AddressSanitizer, under which some things cannot
 * be tested.
 */
#ifndef TESTS_UNIT_SANITIZERS_H
#define TESTS_UNIT_SANITIZERS_H

#ifdef __SANITIZE_THREAD__
#define UNDER_THREAD_SANITIZER 1
#elif defined(__SANITIZE_ADDRESS__)
#define UNDER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#elif __has_feature(address_sanitizer)
#define UNDER_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef UNDER_THREAD_SANITIZER
#define UNDER_THREAD_SANITIZER 0
#endif
#ifndef UNDER_ADDRESS_SANITIZER
#define UNDER_ADDRESS_SANITIZER 0
#endif

#endif
