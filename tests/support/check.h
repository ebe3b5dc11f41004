/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of every test. A check that fails prints its file and line, its text and, where it
 * compares, both values; then the test continues. Each returns whether it holds.
 *
 *     CHECK(condition)
 *     CHECK_EQ(got, expected)      also NE LT LE GT GE: numbers, of any types, and pointers
 *     CHECK_STR(got, expected)     strings; NULL is equal to NULL
 *     CHECK_HAS(text, part)        a string that contains another
 *     CHECK_IN(helper(...))        calls a function that checks: if a check in it fails, this line
 *                                  is printed as well
 *
 * check_status.h has CHECK_STATUS. check_finish returns the status of main. A test with random
 * inputs calls check_seed, which prints the seed and takes it from the environment (SEED=...) to
 * repeat a run.
 */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long check_failures;
static unsigned long check_count;
static unsigned long check_comparisons;

/* The calls that CHECK_IN has not returned from, in this thread. */
enum { CHECK_CALLERS = 8, CHECK_PRINTED = 20 };
static _Thread_local struct {
    const char *file;
    int line;
} check_callers[CHECK_CALLERS];
static _Thread_local unsigned check_depth;

static inline void check_enter(const char *file, int line)
{
    if (check_depth < CHECK_CALLERS) {
        check_callers[check_depth].file = file;
        check_callers[check_depth].line = line;
    }
    check_depth++;
}

#define CHECK_IN(call) (check_enter(__FILE__, __LINE__), (call), (void)check_depth--)

/* Counts a check; prints the line of one that failed, with the rest, of the first 20. */
__attribute__((format(printf, 4, 5))) static inline bool
check_report(bool right, const char *file, int line, const char *format, ...)
{
    check_count++;
    if (right || check_failures++ >= CHECK_PRINTED)
        return right;
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s:%d: failed: ", file, line);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    for (unsigned d = check_depth < CHECK_CALLERS ? check_depth : CHECK_CALLERS; d-- > 0;)
        fprintf(stderr, "    called from %s:%d\n", check_callers[d].file, check_callers[d].line);
    return false;
}

#define CHECK(condition) check_report((condition), __FILE__, __LINE__, "%s", #condition)

/* A number or a pointer of any type, to be compared and printed. */
struct check_value {
    enum { CHECK_SIGNED, CHECK_UNSIGNED, CHECK_REAL, CHECK_POINTER } kind;
    union {
        long long integer;
        unsigned long long natural;
        double real;
        const volatile void *pointer;
    } as;
};

static inline struct check_value check_from_signed(long long value)
{
    const bool natural = value >= 0; /* so that equal numbers of all types are equal here */
    return (struct check_value){natural ? CHECK_UNSIGNED : CHECK_SIGNED, {.integer = value}};
}

static inline struct check_value check_from_unsigned(unsigned long long value)
{
    return (struct check_value){CHECK_UNSIGNED, {.natural = value}};
}

static inline struct check_value check_from_real(double value)
{
    return (struct check_value){CHECK_REAL, {.real = value}};
}

static inline struct check_value check_from_float(float value)
{
    return check_from_real((double)value);
}

static inline struct check_value check_from_pointer(const volatile void *value)
{
    return (struct check_value){CHECK_POINTER, {.pointer = value}};
}

#define CHECK__NUMBERS(X)                                                                          \
    X(bool, unsigned)                                                                              \
    X(char, signed)                                                                                \
    X(signed char, signed)                                                                         \
    X(short, signed)                                                                               \
    X(int, signed)                                                                                 \
    X(long, signed)                                                                                \
    X(long long, signed)                                                                           \
    X(unsigned char, unsigned)                                                                     \
    X(unsigned short, unsigned)                                                                    \
    X(unsigned, unsigned)                                                                          \
    X(unsigned long, unsigned)                                                                     \
    X(unsigned long long, unsigned)                                                                \
    X(float, float)                                                                                \
    X(double, real)
#define CHECK__CASE(type, kind)                                                                    \
    type:                                                                                          \
    check_from_##kind,
#define CHECK_VALUE(value)                                                                         \
    _Generic((value), CHECK__NUMBERS(CHECK__CASE) default : check_from_pointer)(value)

static inline double check_as_real(const struct check_value *value)
{
    return value->kind == CHECK_REAL     ? value->as.real
           : value->kind == CHECK_SIGNED ? (double)value->as.integer
                                         : (double)value->as.natural;
}

/* -1, 0 or 1: less, equal, greater; 2: not ordered. Numbers, not their types, are compared. */
static inline int check_ordering(const struct check_value *a, const struct check_value *b)
{
    if (a->kind == CHECK_REAL || b->kind == CHECK_REAL) {
        const double x = check_as_real(a), y = check_as_real(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    if (a->kind == CHECK_POINTER || b->kind == CHECK_POINTER) {
        const uintptr_t x = (uintptr_t)a->as.pointer, y = (uintptr_t)b->as.pointer;
        return x < y ? -1 : x > y;
    }
    if (a->kind == CHECK_SIGNED && b->kind == CHECK_SIGNED)
        return a->as.integer < b->as.integer ? -1 : a->as.integer > b->as.integer;
    if (a->kind != b->kind)
        return a->kind == CHECK_SIGNED ? -1 : 1;
    return a->as.natural < b->as.natural ? -1 : a->as.natural > b->as.natural;
}

static inline const char *check_print(const struct check_value *value, char text[40])
{
    switch (value->kind) {
    case CHECK_SIGNED:
        snprintf(text, 40, "%lld", value->as.integer);
        break;
    case CHECK_UNSIGNED:
        snprintf(text, 40, "%llu", value->as.natural);
        break;
    case CHECK_REAL:
        snprintf(text, 40, "%.17g", value->as.real);
        break;
    case CHECK_POINTER:
        snprintf(text, 40, "0x%llx", (unsigned long long)(uintptr_t)value->as.pointer);
        break;
    }
    return text;
}

/* The orders for which a comparison holds, as bits: of -1, 0, 1 and 2. */
enum {
    CHECK_IF_LESS = 1,
    CHECK_IF_EQUAL = 2,
    CHECK_IF_GREATER = 4,
    CHECK_IF_NOT_ORDERED = 8,
};

static inline bool check_compare(struct check_value a, struct check_value b, unsigned orders,
                                 const char *text, const char *file, int line)
{
    char one[40], other[40];
    const bool right = (orders >> (check_ordering(&a, &b) + 1) & 1) != 0;
    return check_report(right, file, line, "%s: %s and %s", text, check_print(&a, one),
                        check_print(&b, other));
}

#define CHECK__COMPARE(a, b, text, orders)                                                         \
    check_compare(CHECK_VALUE(a), CHECK_VALUE(b), orders, text, __FILE__, __LINE__)
#define CHECK_EQ(got, expected) CHECK__COMPARE(got, expected, #got " == " #expected, CHECK_IF_EQUAL)
#define CHECK_NE(got, other)                                                                       \
    CHECK__COMPARE(got, other, #got " != " #other,                                                 \
                   CHECK_IF_LESS | CHECK_IF_GREATER | CHECK_IF_NOT_ORDERED)
#define CHECK_LT(got, limit) CHECK__COMPARE(got, limit, #got " < " #limit, CHECK_IF_LESS)
#define CHECK_LE(got, limit)                                                                       \
    CHECK__COMPARE(got, limit, #got " <= " #limit, CHECK_IF_LESS | CHECK_IF_EQUAL)
#define CHECK_GT(got, limit) CHECK__COMPARE(got, limit, #got " > " #limit, CHECK_IF_GREATER)
#define CHECK_GE(got, limit)                                                                       \
    CHECK__COMPARE(got, limit, #got " >= " #limit, CHECK_IF_GREATER | CHECK_IF_EQUAL)

static inline bool check_strings(const char *got, const char *expected, const char *text,
                                 const char *file, int line)
{
    const bool same =
        got == NULL || expected == NULL ? got == expected : strcmp(got, expected) == 0;
    return check_report(same, file, line, "%s: \"%s\" and \"%s\"", text, got ? got : "(NULL)",
                        expected ? expected : "(NULL)");
}

static inline bool check_contains(const char *got, const char *part, const char *text,
                                  const char *file, int line)
{
    const bool right = got != NULL && strstr(got, part) != NULL;
    return check_report(right, file, line, "%s: \"%s\" lacks \"%s\"", text, got ? got : "(NULL)",
                        part);
}

#define CHECK_STR(got, expected)                                                                   \
    check_strings(got, expected, #got " is " #expected, __FILE__, __LINE__)
#define CHECK_HAS(got, part) check_contains(got, part, #got " has " #part, __FILE__, __LINE__)

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
