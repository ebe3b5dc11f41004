/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test uses: CHECK says where and what failed and goes on; check_finish gives main's
 * status. A test that draws random inputs calls check_seed, which prints the seed and takes it from
 * the environment (SEED=...) to run the same again.
 */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long check_failures;
static unsigned long check_count;
static unsigned long check_comparisons;

static inline void check_note(bool right, const char *text, const char *file, int line)
{
    check_count++;
    if (right)
        return;
    if (check_failures++ < 20)
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
}

#define CHECK(condition) check_note((condition), #condition, __FILE__, __LINE__)

/* Whether two results have the same bits; counted, and the count printed at the end. */
static inline bool check_same(const void *result, const void *expected, size_t bytes)
{
    check_comparisons++;
    return memcmp(result, expected, bytes) == 0;
}

static inline int check_finish(void)
{
    if (check_comparisons > 0)
        printf("comparisons: %lu\n", check_comparisons);
    printf("%lu checks, %lu failed\n", check_count, check_failures);
    return check_failures == 0 && check_count > 0 ? 0 : 1;
}

/* The seed of this run, printed. */
static inline uint64_t check_seed(void)
{
    const char *given = getenv("SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t seed = given != NULL
                              ? strtoull(given, NULL, 10)
                              : (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    printf("SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

/* splitmix64 (Steele, Lea, Flood 2014): the next random number of a state. */
static inline uint64_t check_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

#endif
