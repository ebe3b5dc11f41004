/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of all groups. Builds for few tests leave out some of the users' types.
 */
#include "tests/conformance/group.h"

#ifndef REAP_TESTS_MORE_WORDS
#define MORE_WORDS(X)
#else
#define MORE_WORDS(X)                                                                              \
    X(words_16_bytes)                                                                              \
    X(words_40_bytes)                                                                              \
    X(words_100_bytes)                                                                             \
    X(words_200_bytes)                                                                             \
    X(words_1000_bytes)                                                                            \
    X(words_2000_bytes)                                                                            \
    X(words_4000_bytes)
#endif

/* In tests of these alone. */
#define FLOATING_GROUPS(X)                                                                         \
    X(float)                                                                                       \
    X(double)                                                                                      \
    X(half)                                                                                        \
    X(bfloat16)                                                                                    \
    X(bool)

#ifdef REAP_TESTS_FLOATING_GROUPS
#define ALL_GROUPS(X) FLOATING_GROUPS(X)
#else
#define ALL_GROUPS(X)                                                                              \
    X(char)                                                                                        \
    X(schar)                                                                                       \
    X(uchar)                                                                                       \
    X(short)                                                                                       \
    X(ushort)                                                                                      \
    X(int)                                                                                         \
    X(uint)                                                                                        \
    X(long)                                                                                        \
    X(ulong)                                                                                       \
    X(llong)                                                                                       \
    X(ullong)                                                                                      \
    FLOATING_GROUPS(X)                                                                             \
    X(user)                                                                                        \
    X(words_2_bytes)                                                                               \
    X(words_12_bytes)                                                                              \
    X(words_24_bytes)                                                                              \
    X(words_512_bytes)                                                                             \
    X(words_5000_bytes)                                                                            \
    X(words_20000_bytes)                                                                           \
    MORE_WORDS(X)
#endif

#define DECLARE(name) extern const struct group group_##name;
ALL_GROUPS(DECLARE)
#undef DECLARE

#define ADDRESS(name) &group_##name,
const struct group *const groups[] = {ALL_GROUPS(ADDRESS)};
#undef ADDRESS

const size_t group_count = sizeof groups / sizeof *groups;
