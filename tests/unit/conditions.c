/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions of #if: those that every compiler evaluates alike have that value; those that depend
 * on a compiler, the program or the device are read with both values, each combination once.
 */
#include "src/accelerator/preprocess/expand.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <string.h>

/* Whether the text has these tokens in some reading; *readings: how many there are. */
static bool has_reading(const char *text, enum reap__dialect dialect, const char *words,
                        unsigned *readings)
{
    struct reap__choices choices = {.dialect = dialect};
    bool is_found = false;
    *readings = 0;
    do {
        struct reap__tokens tokens = {.is_incomplete = false};
        char line[256] = "";
        reap__tokens_read(text, &choices, &tokens);
        CHECK(!tokens.is_incomplete);
        for (size_t t = 0; t < reap__tokens_count(&tokens); t++) {
            const struct reap__token *token = &reap__tokens_list(&tokens)[t];
            snprintf(line + strlen(line), sizeof line - strlen(line), "%.*s", (int)token->length,
                     tokens.characters.bytes + token->begin);
        }
        is_found |= strcmp(line, words) == 0 && !tokens.has_error;
        reap__tokens_release(&tokens);
        ++*readings;
    } while (reap__choices_next(&choices));
    CHECK(!reap__choices_failed(&choices));
    reap__choices_release(&choices);
    return is_found;
}

static void check_value(const char *expression, const char *words)
{
    char text[512];
    unsigned readings;
    snprintf(text, sizeof text,
             "#define N 3\n#define EMPTY\n#define F(x) (x + 1)\n#define IS_N defined(N)\n"
             "#undef GONE\n#if %s\nyes\n#else\nno\n#endif\n",
             expression);
    const bool is_right = has_reading(text, REAP__DIALECT_NONE, words, &readings);
    if (!is_right || readings != 1)
        fprintf(stderr, "#if %s: wanted %s, %u readings\n", expression, words, readings);
    CHECK(is_right && readings == 1);
}

static void check_known(void)
{
    static const char *const true_ones[] = {
        "1",
        "2u - 3 > 0",
        "-1 > 0u",
        "-1 < 0",
        "2 - 3 < 0",
        "(-1) / 2u > 1",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "(0x7fffffffffffffff + 1u) / 2 > 0",
        "0xffffffffffffffff > 0 && 0xffffffffffffffff == -1",
        "18446744073709551615u == -1",
        "~0u > 0 && ~0 < 0",
        "-1 >> 1 == -1",
        "-1u >> 63 == 1",
        "1 << 63 < 0",
        "1u << 63 > 0",
        "(1 ? -1 : 0u) > 0",
        "(0 ? 1 / 0 : 5) == 5",
        "1 ? 1 : 0 ? 2 : 3",
        "(0 ? 2 : 0 ? 3 : 4) == 4",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "(2 || 3) == 1 && (2 && 3) == 1",
        "(1 | 2) == 3 && (3 & 6) == 2 && (3 ^ 6) == 5",
        "2 + 3 * 4 == 14 && (2 + 3) * 4 == 20 && 10 - 2 - 3 == 5",
        "1 << 2 + 1 == 8",
        "3 > 2 == 1 && 2 >= 2 && 2 <= 2 && 1 != 2",
        "- -1 == 1 && +1 == 1 && !0 && !!5 == 1",
        "0b11 == 3 && 0B101u == 5",
        "077 == 63 && 0x1F == 31 && 0 == 00",
        "10L == 10 && 10ull == 10 && 10llu == 10 && 1lu - 2 > 0",
        "'A' == 65 && '\\x41' == 65 && '\\101' == 65",
        "'\\n' == 10 && '\\t' == 9 && '\\0' == 0 && '\\a' == 7 && '\\v' == 11",
        "'\\'' == 39 && '\\\\' == 92 && '\"' == 34 && '\\?' == 63 && '\\b' == 8",
        "L'A' == 65 && u'A' == 65 && U'\\x7f' == 127",
        "UINT_MAX >= 65535 && UINT_MAX > 0 && -1 > UINT_MAX - 1",
        "INT_MIN < 0 && INT_MAX == 2147483647 && INT_MIN + INT_MAX == -1",
        "defined(INT_MAX) && defined UINT64_MAX && !defined(GONE)",
        "UINT8_MAX == 255 && -1 < UINT8_MAX && -1 > UINT32_MAX",
        "UINT64_MAX == -1 && INT64_MIN < 0 && SIZE_MAX > 0 && CHAR_BIT == 8",
        "LLONG_MAX == INT64_MAX && ULLONG_MAX == UINT64_MAX",
        "INT64_C(5) == 5 && UINT64_C(5) - 6 > 0 && INT32_C(5) - 6 < 0 && UINT8_C(5) - 6 < 0",
        "N == 3 && F(N) == 4 && F(F(1)) == 3",
        "defined N && defined(F) && IS_N",
        "N EMPTY == EMPTY 3",
        "GONE == 0",
    };
    static const char *const false_ones[] = {
        "0",         "2u - 3 < 0", "-1 < 0u",    "'\\x41' != 65", "GONE",
        "EMPTY + 0", "0 && NAME",  "0 && 1 / 0", "defined GONE",  "F",
        "!N",
    };
    for (size_t i = 0; i < sizeof true_ones / sizeof *true_ones; i++)
        check_value(true_ones[i], "yes");
    for (size_t i = 0; i < sizeof false_ones / sizeof *false_ones; i++)
        check_value(false_ones[i], "no");
}

/* What a compiler, the program or the device decides, and what compilers refuse. */
static void check_unknown(void)
{
    static const char *const conditions[] = {
        "defined(__GNUC__)",
        "!defined __AVX2__",
        "__STDC_VERSION__ > 0",
        "CHAR_MIN < 0",
        "'\\xff' < 0",
        "L'\\xff' > 0",
        "'ab' > 200",
        "__has_include(\"x.h\")",
        "!__has_include(<x.h>)",
        "defined(FAST)",
        "INT_FAST32_MAX > INT_MAX",
        "DECIMAL_DIG > 17",
        "1 / 0",
        "1 << 64",
        "(1",
        "1 2",
        "08",
        "0x",
        "1.5 > 1",
        "18446744073709551616",
        "1 ? 2",
        "defined(__GNUC__) && N",
        "0 || __x86_64__",
        "__has_include(<N>) + 1 == 2",
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char text[512];
        unsigned readings, again;
        snprintf(text, sizeof text, "#define N 3\n#if %s\nyes\n#else\nno\n#endif\n", conditions[i]);
        const bool has_yes = has_reading(text, REAP__DIALECT_NONE, "yes", &readings);
        const bool has_no = has_reading(text, REAP__DIALECT_NONE, "no", &again);
        if (!has_yes || !has_no)
            fprintf(stderr, "#if %s: %u readings\n", conditions[i], readings);
        CHECK(has_yes && has_no);
        CHECK(readings >= 2 && readings <= 3);
    }
}

static void check_readings(void)
{
    static const struct {
        const char *text, *words;
        unsigned readings;
        bool is_reading;
    } cases[] = {
        {"#ifdef A\na\n#endif\n#ifdef A\nb\n#endif\n", "ab", 2, true},
        {"#ifdef A\na\n#endif\n#ifdef A\nb\n#endif\n", "a", 2, false},
        {"#ifdef A\na\n#elif defined B\nb\n#else\nc\n#endif\n", "b", 3, true},
        {"#ifdef A\na\n#elif defined B\nb\n#else\nc\n#endif\n", "c", 3, true},
        {"#ifdef A\na\n#elif defined B\nb\n#else\n#error\n#endif\n", "", 3, false},
        {"#if defined A && defined B\na\n#endif\n", "a", 3, true},
        {"#if A > 3\na\n#endif\n#if A > 3\nb\n#endif\n", "ab", 3, true},
        {"#ifdef A\n#define B 1\n#endif\n#if B\nb\n#endif\n", "b", 4, true},
        {"#ifdef A\n#define N 1\n#else\n#define N 2\n#endif\n#if N == 2\nb\n#endif\n", "b", 2,
         true},
        {"#ifdef __OPENCL_VERSION__\na\n#elif defined __CUDACC_RTC__\nb\n#endif\n", "b", 3, true},
        /* Include guards are not defined elsewhere. */
        {"#ifndef G\n#define G\na\n#endif\n", "a", 1, true},
        {"#line 1 \"k.h\"\n#if !defined(G)\n#define G 1\na\n#if 1\n#endif\n#endif\n\n", "a", 1,
         true},
        {"#line 1 \"k.h\"\n#ifndef G\n#define G 1\n#endif\na\n", "a", 2, true},
        {"#line 1 \"a.h\"\n#ifndef G\n#define G 1\na\n#endif\n#line 4 \"a.h\"\n\n#line 2 "
         "\"k.h\"\n#if 0\n#else\nb\n#endif\n",
         "ab", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned readings;
        const bool is_reading =
            has_reading(cases[i].text, REAP__DIALECT_NONE, cases[i].words, &readings);
        if (is_reading != cases[i].is_reading || readings != cases[i].readings)
            fprintf(stderr, "%u readings of:\n%s", readings, cases[i].text);
        CHECK_EQ(is_reading, cases[i].is_reading);
        CHECK_EQ(readings, cases[i].readings);
    }
    unsigned readings;
    CHECK(has_reading("#if defined(__OPENCL_VERSION__) && !defined(__cplusplus)\na\n#endif\n",
                      REAP__DIALECT_OPENCL, "a", &readings));
    CHECK_EQ(readings, 1);
}

/* As many names as no check can combine. */
static void check_limit(void)
{
    char text[2048] = "";
    for (int i = 0; i < 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "#ifdef A%d\na\n#endif\n", i);
    struct reap__choices choices = {.dialect = REAP__DIALECT_NONE};
    do {
        struct reap__tokens tokens = {.is_incomplete = false};
        reap__tokens_read(text, &choices, &tokens);
        reap__tokens_release(&tokens);
    } while (reap__choices_next(&choices));
    CHECK(choices.are_too_many);
    reap__choices_release(&choices);
}

int main(void)
{
    check_known();
    check_unknown();
    check_readings();
    check_limit();
    return check_finish();
}
