/* SPDX-License-Identifier: Apache-2.0
 *
 * `long long` becomes `long` for OpenCL, with everything in its place: which words and suffixes
 * that are, and which are none. (meaning.c has what macros make of them.) Then random texts, whose
 * length and lines must not change.
 */
#include "tests/support/check.h"

#include "src/accelerator/preprocess/preprocess.h"

static bool becomes(const char *text, const char *expected)
{
    char changed[200];
    snprintf(changed, sizeof changed, "%s", text);
    reap__rewrite_long_long(changed);
    if (strcmp(changed, expected) == 0)
        return true;
    fprintf(stderr, "'%s' becomes '%s', not '%s'\n", text, changed, expected);
    return false;
}

static bool stays(const char *text)
{
    return becomes(text, text);
}

static void check_types(void)
{
    CHECK(becomes("long long x;", "long      x;"));
    CHECK(becomes("unsigned long long int x", "unsigned long      int x"));
    CHECK(becomes("long unsigned int long x", "long unsigned int      x"));
    CHECK(becomes("long const long x", "long const      x"));
    CHECK(becomes("long /* a */ long // b\n long x", "long /* a */      // b\n      x"));
    CHECK(becomes("long\\\nlong", "long\\\n    "));
    CHECK(becomes("f(long long, long long)", "f(long     , long     )"));
    CHECK(becomes("sizeof(long long)", "sizeof(long     )"));
    CHECK(becomes("long volatile long x", "long volatile      x"));
    CHECK(becomes("long static __const long x", "long static __const      x"));
    CHECK(becomes("unsigned\n long\n#pragma x\n long v", "unsigned\n long\n#pragma x\n      v"));
    CHECK(stays("long x, long y"));
    CHECK(stays("long; long"));
    CHECK(stays("long x long"));
    CHECK(stays("longer long_long along long"));
    CHECK(stays(""));
}

static void check_numbers(void)
{
    CHECK(becomes("1LL + 2ll", "1L  + 2l "));
    CHECK(becomes("0x1fULL,5llu;", "0x1fUL ,5lu ;"));
    CHECK(becomes("07LLU", "07LU "));
    CHECK(stays("1L 2l 3u 1.5f .5 1e+5L 0x1p-3"));
    CHECK(stays("LL ll x1LL _9ll"));
}

/* A directive is apart from the lines around it. */
static void check_directives(void)
{
    CHECK(stays("#define WORD long\nunsigned long x;"));
    CHECK(stays("# /**/ define A unsigned \\\n long\nlong x;"));
    CHECK(stays("%:define WORD long\nlong x;"));
    CHECK(stays("#if A\nlong\n#else\nlong\n#endif\nx;"));
    CHECK(stays("x; /* #define */ long\nx // #define \\\n long\nlong"));
    CHECK(becomes("#define W long long\nlong long x", "#define W long     \nlong      x"));
    CHECK(becomes("a # long\nlong x", "a # long\n     x"));
    CHECK(becomes("#define C(x) x##ULL + x## ll", "#define C(x) x##UL  + x## l "));
    CHECK(becomes("%:define C(x) x%:%:LLU", "%:define C(x) x%:%:LU "));
    CHECK(stays("#define C(x) #x ULL x##ULLS LL##x x%:ULL"));
}

static void check_what_is_none(void)
{
    CHECK(stays("\"long long 1LL\""));
    CHECK(stays("\"\\\"long long\" 'x'"));
    CHECK(stays("'\\'' '1LL'"));
    CHECK(stays("/* long long 1LL */"));
    CHECK(stays("// long long 1LL"));
    CHECK(stays("/* long long 1LL"));
    CHECK(becomes("\"no end\nlong long", "\"no end\nlong     "));
    CHECK(becomes("// a\n1LL", "// a\n1L "));
    CHECK(becomes("a / b; 1LL", "a / b; 1L "));
}

static const char *const pieces[] = {
    "long", "unsigned", "1", "LL", "ULL", "x",  "\"", "'", "\\", "/*",   "*/", "//",
    "\n",   "\t",       " ", "#",  ".5",  "e+", "(",  ",", "/",  "\xff", "##", "%:",
};

static void check_random_texts(void)
{
    uint64_t state = check_seed();
    for (int trial = 0; trial < 20000; trial++) {
        char text[200] = "", changed[200];
        for (uint64_t i = check_random(&state) % 30; i > 0; i--)
            strcat(text, pieces[check_random(&state) % (sizeof pieces / sizeof *pieces)]);
        memcpy(changed, text, sizeof changed);
        reap__rewrite_long_long(changed);
        bool is_right = strlen(changed) == strlen(text);
        for (size_t i = 0; is_right && text[i] != '\0'; i++)
            is_right = (text[i] == '\n') == (changed[i] == '\n');
        CHECK(is_right);
        if (!is_right)
            fprintf(stderr, "trial %d: %s\n", trial, text);
        char again[200];
        memcpy(again, changed, sizeof again);
        reap__rewrite_long_long(again);
        CHECK_EQ(strlen(again), strlen(changed));
    }
}

int main(void)
{
    check_types();
    check_numbers();
    check_directives();
    check_what_is_none();
    check_random_texts();
    return check_finish();
}
