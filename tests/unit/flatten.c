/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's file and what it includes become one text: which files are meant, what is included
 * once, line numbers, and the macros that a device does not know. Then random files, which must
 * bring nothing down, and every failure of an allocation.
 */
#include "tests/support/check_status.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "tests/unit/source_files.h"

#include <reap/reap.h>
#include <string.h>

static bool gives(const char *expected)
{
    struct reap__string text = {0};
    const reap_status status = reap__flatten_source(&kernel, REAP__DIALECT_OPENCL, &text);
    const bool is_right = status == REAP_OK && strcmp(text.bytes, expected) == 0;
    if (!is_right)
        fprintf(stderr, "%s (%s), and the text is:\n%s\nwanted:\n%s\n", reap_status_name(status),
                reap_last_error(), text.bytes != NULL ? text.bytes : "none", expected);
    reap__string_release(&text);
    return is_right;
}

static bool fails(const char *message)
{
    struct reap__string text = {0};
    const reap_status status = reap__flatten_source(&kernel, REAP__DIALECT_CUDA, &text);
    reap__string_release(&text);
    if (status == REAP_ERROR_COMPILATION_FAILED && strstr(reap_last_error(), message) != NULL)
        return true;
    fprintf(stderr, "%s: %s\n", reap_status_name(status), reap_last_error());
    return false;
}

/* How often a part occurs in the kernel's text. */
static size_t occurrences(enum reap__dialect dialect, const char *part)
{
    struct reap__string text = {0};
    size_t found = 0;
    const reap_status status = reap__flatten_source(&kernel, dialect, &text);
    CHECK_STATUS(status, REAP_OK);
    if (status != REAP_OK)
        fprintf(stderr, "%s\n", reap_last_error());
    for (const char *at = text.bytes; at != NULL && (at = strstr(at, part)) != NULL; at++)
        found++;
    reap__string_release(&text);
    return found;
}

/* Whether the host and devices refuse the text for its arithmetic, with this message. */
static bool is_inexact(const char *message)
{
    static const enum reap__dialect dialects[] = {REAP__DIALECT_NONE, REAP__DIALECT_OPENCL,
                                                  REAP__DIALECT_CUDA};
    size_t refusals = 0;
    for (size_t d = 0; d < 3; d++) {
        struct reap__string text = {0};
        const reap_status status = reap__flatten_source(&kernel, dialects[d], &text);
        reap__string_release(&text);
        refusals +=
            status == REAP_ERROR_INEXACT_BUILD && strstr(reap_last_error(), message) != NULL;
        if (status != REAP_OK && strstr(reap_last_error(), message) == NULL)
            fprintf(stderr, "%s: %s\n", reap_status_name(status), reap_last_error());
    }
    CHECK(refusals == 0 || refusals == 3);
    return refusals == 3;
}

/* ---- Files ------------------------------------------------------------------------------------*/

static void check_lines(void)
{
    begin("d/k.h", "a\nb");
    CHECK(gives("#line 1 \"d/k.h\"\na\nb\n"));
    begin("d\\\"k\".h", "");
    CHECK(gives("#line 1 \"d\\\\\\\"k\\\".h\"\n"));
    begin("k.h", "\xef\xbb\xbfwith a mark\n");
    CHECK(gives("#line 1 \"k.h\"\nwith a mark\n"));
    begin("k.h", "ends in a backslash \\");
    CHECK(gives("#line 1 \"k.h\"\nends in a backslash \\\n\n"));

    begin("d/k.h", "a\n#include \"x.h\"\nb\n");
    put_file("d/x.h", "x\r\ny");
    CHECK(gives("#line 1 \"d/k.h\"\na\n#line 1 \"d/x.h\"\nx\ny\n#line 3 \"d/k.h\"\nb\n"));
    begin("d/k.h", "a /* over\ntwo */\n  /* and\n */ # \\\n include /**/ \\\n \"x.h\" // why\nb\n");
    put_file("d/x.h", "x\n");
    CHECK(gives("#line 1 \"d/k.h\"\na /* over\ntwo */\n#line 1 \"d/x.h\"\nx\n"
                "#line 7 \"d/k.h\"\nb\n"));
    begin("k.h", "#\tinclude\t<math.h>\r\n%:include <stdint.h>\nb\n");
    CHECK(gives("#line 1 \"k.h\"\n\n\nb\n"));
}

static void check_what_is_none(void)
{
    static const char *const lines[] = {
        "/* #include \"x.h\" */\n",
        "/*\n#include \"x.h\"\n*/\n",
        "// #include \"x.h\"\n",
        "// \\\n#include \"x.h\"\n",
        "s = \"\\\n#include <x.h>\";\n",
        "c = '\"'; /*\n#include \"x.h\" */ d = '\\\\';\n",
        "s = \"/*\";\n",
        "s = \"\\\"/*\";\n",
        "enum x; /*\n*/ #include \"x.h\"\n",
        "#includes \"x.h\"\n",
        "#define X #include \"x.h\"\n",
        "a * b / c\n",
        "/*/\n#include \"x.h\"\n/*/\n",
        "/\\\n*\n#include \"x.h\"\n*\\\n/\n",
    };
    char expected[200];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        begin("k.h", lines[i]);
        put_file("x.h", "wrong\n");
        snprintf(expected, sizeof expected, "#line 1 \"k.h\"\n%s", lines[i]);
        CHECK(gives(expected));
    }
}

static void check_which_file(void)
{
    static const struct {
        const char *from, *spelled, *right, *wrong;
    } cases[] = {
        {"d/k.h", "x.h", "d/x.h", "e/x.h"},
        {"d/k.h", "../e/x.h", "e/x.h", "d/x.h"},
        {"/p/d/k.h", "./../e//x.h", "/p/d/../e/x.h", "/q/e/x.h"},
        {"d/../f/k.h", "x.h", "f/./x.h", "d/x.h"},
        {"k.h", "x.h", "x.h", "/x.h"},
        {"k.h", "x.h", "./x.h", "../x.h"},
        {"../k.h", "x.h", "../x.h", "x.h"},
        {"k.h", "../x.h", "../x.h", "x.h"},
        {"/p/src/k.h", "lib/x.h", "/p/include/lib/x.h", "/p/include/other/x.h"},
        {"/p/a/k.h", "x.h", "/q/a/x.h", "/q/b/x.h"},
        {"/k.h", "../x.h", "/x.h", "/y/x.h"},
        {"/k.h", "/abs/x.h", "/abs/x.h", "/abs/abs/x.h"},
        {"d/k.h", "x.h", "x.h", "e/xx.h"},
    };
    char text[200], expected[200];
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        const bool is_first = i % 2 == 0;
        snprintf(text, sizeof text, "#include \"%s\"\n", cases[i / 2].spelled);
        begin(cases[i / 2].from, text);
        put_file(is_first ? cases[i / 2].right : cases[i / 2].wrong, is_first ? "r\n" : "w\n");
        put_file(is_first ? cases[i / 2].wrong : cases[i / 2].right, is_first ? "w\n" : "r\n");
        snprintf(expected, sizeof expected, "#line 1 \"%s\"\n#line 1 \"%s\"\nr\n#line 2 \"%s\"\n",
                 cases[i / 2].from, cases[i / 2].right, cases[i / 2].from);
        CHECK(gives(expected));
    }
}

static void check_nested_files(void)
{
    begin("/p/k.h", "#include \"a/one.h\"\n#include \"b/one.h\"\n");
    put_file("/p/a/one.h", "#include \"two.h\"\n");
    put_file("/p/b/one.h", "#include \"two.h\"\n#include \"../a/two.h\"\n");
    put_file("/p/a/two.h", "a\n");
    put_file("/p/b/two.h", "b\n");
    CHECK(gives("#line 1 \"/p/k.h\"\n#line 1 \"/p/a/one.h\"\n#line 1 \"/p/a/two.h\"\na\n"
                "#line 2 \"/p/a/one.h\"\n#line 2 \"/p/k.h\"\n#line 1 \"/p/b/one.h\"\n"
                "#line 1 \"/p/b/two.h\"\nb\n#line 2 \"/p/b/one.h\"\n#line 1 \"/p/a/two.h\"\na\n"
                "#line 3 \"/p/b/one.h\"\n#line 3 \"/p/k.h\"\n"));
    begin("/p/k.h", "#include <lib/x.h>\n");
    put_file("/p/include/lib/x.h", "x\n");
    put_file("/p/include/lib/x.h", "x\n"); /* once for each C file */
    CHECK(gives("#line 1 \"/p/k.h\"\n#line 1 \"/p/include/lib/x.h\"\nx\n#line 2 \"/p/k.h\"\n"));
}

static void check_missing_files(void)
{
    begin("d/k.h", "\n\n#include \\\n\"x.h\"\nb\n");
    put_file("e/y.h", "wrong\n");
    CHECK(gives("#line 1 \"d/k.h\"\n\n\n#error Reap: kernel 'k': d/k.h:3 includes \"x.h\", but "
                "devices do not have its text: that file has no line REAP_KERNEL_FILE "
                "(docs/kernels.md)\n\nb\n"));
    begin("it's//*k.h", "#include <stdio.h>\n#include NAME\n#include \"\"\n#include \"..\"\n");
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA,
                         "#error Reap: kernel 'k': it_s/_k.h:1 includes <stdio.h>,"
                         " but devices do not have its text"),
             1);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "2 includes NAME, but on devices the name must be in"),
             1);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#error"), 4);
    begin("d/k.h", "#include \"x.h\"\n");
    put_file("a/x.h", "a\n");
    put_file("b/x.h", "b\n");
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "but several files of the program have that name"), 1);
    begin("d/k.h", "#include \"math.h\"\n");
    CHECK(gives("#line 1 \"d/k.h\"\n\n"));
    begin("d/k.h", "");
    texts[0] = NULL;
    CHECK(fails("kernel 'k': its source text is not in the program"));
    kernel.text = NULL;
    CHECK(fails("kernel 'k': its source text is not in the program"));
}

/* ---- Bytes at which a compiler's text ends ----------------------------------------------------*/

static void check_ends(void)
{
    begin("k.h", "a\nb");
    texts[0] = "a\nb"; /* the rest of the file is after a zero byte */
    CHECK(fails("kernel 'k': k.h:2: the line has a zero byte"));
    begin("k.h", "#include \"x.h\"\n");
    put_file("x.h", "");
    texts[1] = "a\n\n\n";
    CHECK(fails("kernel 'k': x.h:4: the line has a zero byte"));
    texts[1] = REAP__TEXT_END;
    CHECK(gives("#line 1 \"k.h\"\n#line 1 \"x.h\"\n#line 2 \"k.h\"\n"));
    begin("k.h", "/* \xff */ a // \xff\xff\r\n#if 0\nisn't \xff\n#endif\n");
    CHECK(gives("#line 1 \"k.h\"\n/* _ */ a // __\n#if 0\nisn't _\n#endif\n"));
    begin("k.h", "a // \xff\xff/\nb // ?\xff/\nc\n"); /* not made a trigraph for a backslash */
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "?\?/"), 0);
    begin("k.h", "a\n\"\xff\"\n");
    CHECK(fails("kernel 'k': k.h:2: for some devices' compilers the byte 0xff ends the text"));
    begin("\xff.h", "#include \"y.h\"\n");
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "\xff"), 0);
}

/* ---- Once, and many times ---------------------------------------------------------------------*/

static void check_dialects(void)
{
    CHECK(reap__dialect_header("reap/half.h") != NULL);
    CHECK(strstr(reap__dialect_header("reap/half.h"), "SPDX-License-Identifier") != NULL);
    CHECK(reap__dialect_header("reap/reap.h") == NULL);
    CHECK(reap__dialect_header("") == NULL);

    begin("k.h", "#include <reap/kernel.h>\n#include <reap/half.h>\n#include <reap/kernel.h>\nb\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#ifndef REAP_DETAIL_KERNEL_OPENCL_H"), 1);
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#ifndef REAP_DETAIL_KERNEL_CUDA_H"), 0);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#ifndef REAP_DETAIL_KERNEL_CUDA_H"), 1);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#ifndef REAP_DETAIL_KERNEL_OPENCL_H"), 0);
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#ifndef REAP_HALF_H"), 1);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#error Reap: kernel 'k'"), 0);
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#error Reap: kernel 'k'"), 0);
    CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#line 4 \"k.h\"\nb\n"), 0); /* it was left out */
    CHECK_LE(occurrences(REAP__DIALECT_CUDA, "\n#line 3 \"k.h\"\n"), 1);
    begin("k.h",
          "#if __HERE\n#include <reap/half.h>\n#endif\n#include <reap/half.h>\n#define __HERE\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#ifndef REAP_HALF_H"), 2);
}

static void check_guards(void)
{
    begin("k.h", "#include \"a.h\"\n#include \"a.h\"\n");
    put_file("a.h", "#ifndef A_H\n#define A_H\n#include \"b.h\"\nA\n#endif\n");
    put_file("b.h", "#ifndef B_H\n#define B_H\n#include \"a.h\"\nB\n#endif\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#line 1 \"a.h\"\n"), 3);
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#line 1 \"b.h\"\n"), 1);

    begin("k.h", "#include \"a.h\"\n#include \"a.h\"\nK\n");
    put_file("a.h", "// once\n # pragma once // please\n#include \"a.h\"\nA\n");
    CHECK(gives("#line 1 \"k.h\"\n#line 1 \"a.h\"\n// once\n#ifndef REAP__ONCE_0\n"
                "#define REAP__ONCE_0\n#line 3 \"a.h\"\n\nA\n#endif\n#line 2 \"k.h\"\n\nK\n"));
    begin("k.h", "#ifdef __X\n#include \"a.h\"\n#endif\n#include \"a.h\"\n#include \"a.h\"\n");
    put_file("a.h", "#pragma once\nA\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "\nA\n#endif\n"), 2);
}

static void check_repetition(void)
{
    begin("k.h", "#define X a\n#include \"x.h\"\n#undef X\n#define X b\n#include \"x.h\"\n");
    put_file("x.h", "X\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#line 1 \"x.h\"\nX\n#line"), 2);
    begin("k.h", "#ifndef T\n#define T int\n#include \"k.h\"\n#undef T\n#define T float\n"
                 "#include \"k.h\"\n#else\nT\n#endif\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#line 1 \"k.h\""), 3);
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "#line 4 \"k.h\""), 1);
    begin("k.h", "#if !defined(PASS)\n#define PASS 1\n#include \"k.h\"\n"
                 "#elif PASS == 1\n#undef PASS\n#define PASS 2\n#if 0 || (!defined PASS && 1)\n"
                 "#include \"k.h\"\n#endif\n#endif\n");
    CHECK_EQ(occurrences(REAP__DIALECT_OPENCL, "\n#error Reap"), 3);

    begin("k.h", "#include \"k.h\"\n");
    CHECK(fails("kernel 'k': k.h:1: files include each other more than 64 deep"));
    begin("k.h", "#if 0\n#include \"k.h\"\n#endif\n#include \"k.h\"\n");
    CHECK(fails("kernel 'k': k.h:4: files include each other more than 64 deep"));
}

#define SIX_TIMES(line) line line line line line line

static void check_size(void)
{
    static char blanks[20000];
    memset(blanks, ' ', sizeof blanks - 1);
    begin("k.h", SIX_TIMES("#include \"1.h\"\n"));
    put_file("1.h", SIX_TIMES("#include \"2.h\"\n"));
    put_file("2.h", SIX_TIMES("#include \"3.h\"\n"));
    put_file("3.h", SIX_TIMES("#include \"4.h\"\n"));
    put_file("4.h", blanks);
    CHECK(fails("kernel 'k': its text has more than"));
}

/* ---- Lines that compilers read differently ---------------------------------------------------*/

static void check_trigraphs(void)
{
    static const char *const refused[] = {
        "a ?\?= b\n",       "\"?\?(\"\n",
        "#define X ?\?!\n", "#if 0\n?\?=endif\n#endif\n",
        "// a?\?/\nb\n",    "/* a?\?/ \t\nb */\n",
        "?\?\?>\n",         "// ?\?/", /* other lines follow it on devices */
    };
    static const char *const harmless[] = {"// ?\?=\n", "/* ?\?/ ?\?'\n*/ b\n", "a ?\? b\n",
                                           "a ? ?= b\n"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        begin("k.h", refused[i]);
        CHECK(fails("some compilers take a trigraph"));
        CHECK(occurrences(REAP__DIALECT_NONE, "?\?") > 0);
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        begin("k.h", harmless[i]);
        CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "k.h"), 1);
    }
    begin("k.h", "a\n#include \"x.h\"\n");
    put_file("x.h", "\n\nb // ?\?/\nc\n");
    CHECK(fails("kernel 'k': x.h:3: some compilers"));
}

static const char *const other_arithmetic[] = {
    "#pragma STDC FP_CONTRACT ON\n",
    "#pragma STDC FP_CONTRACT DEFAULT\n",
    "%: /**/ pragma STDC \\\nFP_CONTRACT SWITCH\n",
    "#pragma OPENCL FP_CONTRACT ON\n",
    "f() { _Pragma(\"STDC FP_CONTRACT ON\") return a * b + c; }\n",
    "#define P(x) _Pragma(#x)\nP(OPENCL FP_CONTRACT DEFAULT)\n",
    "#pragma STDC FENV_ROUND FE_UPWARD\n",
    "#pragma clang fp contract(on)\n",
    "#pragma clang fp contract(off) reassociate(on)\n",
    "_Pragma(\"clang fp reciprocal(on)\")\n",
    "#pragma float_control(precise, off)\n",
    "#pragma float_control\t(precise, off)\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(float_control\n(precise, off))\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(\nfloat_control(precise, off))\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(clang fp\nreassociate(on))\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(clang fp contract(off)\nreassociate(on))\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(clang\nfp reassociate(on))\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(STDC\nFP_CONTRACT ON)\n",
    "#ifdef __clang__\n#pragma clang fp contract(fast)\n#endif\n",
    "__attribute__((optimize(\"fast-math\"))) int f() { }\n",
    "__attribute__((noinline, __optimize__ (\"O3\", \"no-signed-zeros\"))) int f() { }\n",
    "#define FAST __attribute__((optimize(OPTIONS)))\n",
    "__attribute__((optimize(\n\"fast-math\")))\n",
    "__attribute__((optimize(\"O3\",\n\"fast-math\")))\n",
    "#pragma GCC optimize(\"Ofast\")\n",
    "#pragma GCC optimize \"associative-math\"\n",
    "_Pragma(\"GCC optimize(\\\"fp-contract=fast\\\")\")\n",
};

static const char *const same_arithmetic[] = {
    "#pragma STDC FP_CONTRACT OFF\n",
    "_Pragma(\"STDC FP_CONTRACT OFF\") float f(float x);\n",
    "#pragma OPENCL FP_CONTRACT OFF\n#pragma STDC FENV_ACCESS OFF\n",
    "#pragma clang fp contract(off) exceptions(ignore)\n",
    "_Pragma(\"clang fp contract(off)\") f();\n",
    "#define P(...) _Pragma(#__VA_ARGS__)\nP(clang fp contract(off))\n",
    "__attribute__((always_inline)) float step(float x, int optimize, int __optimize__);\n",
    "static float float_control(float x);\nfloat y = float_control\n(1);\n",
    "float clang,\nSTDC;\nfloat b = clang\n+ STDC\n;",
    "#pragma clang optimize off\n",
    "#pragma GCC optimize(\"O2\", \"unroll-loops\")\n",
    "__attribute__((optimize(\"O3\"))) float fast_math(float x);\n",
    "__attribute__((optimize(3))) int f();\n",
    "float optimize(float fast), float_control; int FP_CONTRACT = optimize(math);\n",
    "#if 0\n#pragma STDC FP_CONTRACT ON\n#endif\n",
    "// #pragma STDC FP_CONTRACT ON\n",
};

static void check_arithmetic(void)
{
    for (size_t i = 0; i < sizeof other_arithmetic / sizeof *other_arithmetic; i++) {
        begin("k.h", other_arithmetic[i]);
        if (!is_inexact("' asks for other arithmetic"))
            CHECK_EQ(other_arithmetic[i], NULL);
    }
    for (size_t i = 0; i < sizeof same_arithmetic / sizeof *same_arithmetic; i++) {
        begin("k.h", same_arithmetic[i]);
        if (is_inexact(""))
            CHECK_EQ(same_arithmetic[i], NULL);
    }
    begin("k.h", "a\n#include \"x.h\"\n");
    put_file("x.h", "\n#pragma STDC FP_CONTRACT ON\n");
    CHECK(is_inexact("kernel 'k': x.h:2: 'FP_CONTRACT' asks"));
    begin("k.h", "REAP_KERNEL_MACRO(FAST)\nFAST int f();\n");
    put_macro("FAST", "__attribute__((optimize(\"fast-math\")))");
    put_macro("OTHER", "_Pragma(\"STDC FP_CONTRACT ON\")");
    CHECK(is_inexact("macro 'FAST' has 'optimize', which asks"));
    begin("k.h", "int f();\n");
    put_macro("OTHER", "_Pragma(\"STDC FP_CONTRACT ON\")");
    CHECK(!is_inexact(""));
}

/* ---- Macros -----------------------------------------------------------------------------------*/

static void check_declared_macros(void)
{
    begin("k.h", "N\n");
    put_macro("N", "(1 + 2)");
    put_macro("EMPTY", "");
    put_macro("N", "(1 + 2)");
    CHECK(gives("#define N (1 + 2)\n#define EMPTY \n#line 1 \"k.h\"\nN\n"));
    begin("k.h", "enum { NN, xN };\n");
    put_macro("N", "3");
    put_macro("N", "5");
    CHECK(gives("#line 1 \"k.h\"\nenum { NN, xN };\n"));
    begin("k.h", "enum { x = N };\n");
    put_macro("N", "3");
    put_macro("N", "5");
    CHECK(fails("kernel 'k': macro 'N' has the value '3' in one source file of the program and '5' "
                "in another"));
}

/* Names that look like those of headers, and those of headers that come later. */
static void check_names_of_headers(void)
{
    static const char *const others[] = {"FLT_FAST",  "DBL_FAST",    "LDBL_FAST",   "LDBL_DIG",
                                         "RAND_MAX",  "INT_WIDTH",   "DECIMAL_DIG", "cl_khr_fast",
                                         "REAP_FAST", "INT_MAXIMUM", "_fast"};
    static const char *const later[] = {"INT_MAX",
                                        "FLT_RADIX",
                                        "UINT64_C",
                                        "INFINITY",
                                        "REAP_VERSION_MINOR",
                                        "REAP_SUB_GROUP_SIZE",
                                        "CHAR_BIT",
                                        "NULL"};
    char text[128], message[128];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(text, sizeof text, "#include <reap/kernel.h>\n#ifdef %s", others[i]);
        snprintf(message, sizeof message,
                 "k.h:2: macro '%s' is not defined on devices: add REAP_KE", others[i]);
        begin("k.h", text);
        CHECK(fails(message));
    }
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        snprintf(text, sizeof text, "#if defined %s\n#endif\n#include <reap/kernel.h>\n", later[i]);
        snprintf(message, sizeof message,
                 "k.h:1: macro '%s' is defined on devices by <reap/kernel.h>: include", later[i]);
        begin("k.h", text);
        CHECK(fails(message));
    }
}

static const char *const undeclared[] = {
    "#if N > 3",
    "#if 1 + N",
    "#  if /* N */ \\\n 0x1F == 3u && (!N)",
    "#if defined(M) || N",
    "#if 1\n#elif 0\n#endif\n#if 0\n#elif N",
    "#if defined(__x86_64__)\n#if N\n#endif",
    "#if __has_include(<a.h>) + N",
    "#include <reap/kernel.h>\n#if INT_MAX - N",
    "#if defined N",
    "#if defined ( N ) && N > 3",
    "#ifdef N\n#endif\n#if N",
    "#ifndef N\n#error\n#endif\n#if N",
    "#ifndef N\n#define N 1\n#endif\nenum x;",
    "#ifndef N\n#define N 1\n#endif\nenum x; // REAP_KERNEL_MACRO(N)",
    "#ifndef N\n#define N 1\n#endif\nREAP_KERNEL_MACRO(NN)",
    "enum x;\n#if !defined(N)\n#define N 1\n#endif",
    "#ifndef N\n#define P\n#define N\n#endif",
    "#if N\n#endif\n#define N",
    "#if N\n#endif\n#include \"right.h\"",
    "#if 0\n#define N\n#endif\n#ifdef N",
    "#if 0\n#elifdef N",
    "#include \"guarded.h\"\n#ifdef N",
    "#include \"wrong.h\"",
};

static const char *const declared[] = {
    "#if M > 3",
    "#if __has_include(<N/N.h>) && __N && _OPENMP",
    "#if 'N' == u'N' || 1N",
    "#include <reap/kernel.h>\n#if INT_MAX > CHAR_BIT && UINT32_MAX && SIZE_MAX && FLT_RADIX",
    "#include <reap/kernel.h>\n#if true && INT64_C(1)",
    "#include <reap/kernel.h>\n#if MB_LEN_MAX && true",
    "#include <reap/kernel.h>\n#if REAP_VERSION_MINOR >= 1 || defined(REAP_GLOBAL)",
    "#ifdef REAP_FAST\nREAP_KERNEL_MACRO(REAP_FAST)\n#endif",
    "#define N\n#if N\n#endif",
    "#include \"right.h\"\n#if N\n#endif\n#ifdef N",
    "#ifdef N\n REAP_KERNEL_MACRO ( N )\n#endif",
    "#ifndef N\n#define N 1\n#endif\nREAP_KERNEL_MACRO(N)",
    "#ifndef N\n#define N // guards\n#endif",
    "#if !defined N\n#define N\nenum x;\n#endif\n#if N\n#endif",
    "#include \"guarded.h\"\n#include \"guarded.h\"",
    "#if 0\n#if N\n#endif\n#endif",
    "#if 1\n#elif N\n#endif",
    "// #if N\n#define M #if N",
    "#undef N\n#if N",
};

static void check_undeclared_macros(void)
{
    for (size_t i = 0; i < sizeof undeclared / sizeof *undeclared; i++) {
        begin("k.h", undeclared[i]);
        put_file("wrong.h", "\n#if N\n#endif");
        put_file("right.h", "#define N 3\n");
        put_file("guarded.h", "#ifndef N\n#define N 1\n#endif\nenum not_guarded;\n");
        put_macro("M", "1");
        CHECK(fails("macro 'N' is not defined on devices: add REAP_KERNEL_MACRO(N)"));
    }
    CHECK_HAS(reap_last_error(), "kernel 'k': wrong.h:2: macro");
    check_names_of_headers();
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        begin("k.h", declared[i]);
        put_file("right.h", "#define N 3\n");
        put_file("guarded.h", "/* P */\n#ifndef P\n#define P 1\nenum guarded;\n#endif /* P */\n\n");
        put_macro("M", "1");
        CHECK_EQ(occurrences(REAP__DIALECT_CUDA, "#define M 1\n"), 1);
    }
}

/* Variables that a device would have of its own, and texts without. */
static const char *const with_variable[] = {
    "int v;",
    "static float v = 1;",
    "static unsigned v[3] = {1, 2, 3};",
    "extern struct pair v;",
    "struct pair { float a, b; } v;",
    "enum { A, B } v = A;",
    "static bool v;",
    "double *v;",
    "static float f(float x) { static int v; return x + v++; }",
    "static float f(float x)\n{ for (;;) { x++; } if (x) { static int v = 3; } return x; }",
    "REAP_KERNEL(k) {} size_t v;",
    "REAP_KERNEL_MACRO(M)\nint v;",
    "REAP_KERNEL_FILE\nint v;",
    "typedef int whole; whole v;",
    "const char *const text = \"{;\"; int v;",
    "static int (v) = 5;",
    "static const int *v;",
    "static const int *const *v[2];",
    "static int (*v)(int) = 0;",
    "static int (*(*v)(void))[3];",
    "#define VAR(T, n) static T n\nVAR(int, v);",
    "static int f(void) { static int (v) = 3; return v; }",
    "static int f(void) { static const int *v; return *v; }",
    "static int f(void) { int static v = 3; return v; }",
    "static int f(void) { for (;;) { extern int v; return v; } }",
    "static struct { int a[3]; } (*v), q = {{1, 2, 3}};",
    "static const struct { int a; } c = {1}, *v;",
    "static int *f(void), v;",
    "static const int a[2] = {1, 2}; const static unsigned long *v = a;",
    "__attribute__((unused)) static int v __attribute__((aligned(8))) = 3;",
    "static __typeof__(1 + 1) v = 2;",
    "#if UINT_MAX > 3\nint v;\n#endif",
    "#define ON 1\n#if ON\nint v;\n#endif",
    "REAP_KERNEL(k, in(int, x)) { static int v; v = x[0]; }",
    "#include \"v.h\"",
};

static const char *const without_variable[] = {
    "static REAP_CONSTANT const float w[3] = {1, 2, 3};",
    "static const int n = 3, m = 4;",
    "typedef struct { int a; } a;\nstruct b { int c; };\nstruct b;\nunion d { int e; };",
    "enum { A = 3, B };\nenum c { D };",
    "static float f(float x);\nstatic float f(float x) { float y = x; int z; return y; }",
    "REAP_KERNEL(k, in(float, x), value(int, n))\n{\n    int v = 3, w[2] = {1, 2};\n}",
    "REAP_OPERATOR(o, int, 0, a, b)\n{\n    return a + b;\n}",
    "#define TABLE static REAP_CONSTANT const\nTABLE float w[] = {1};",
    "#define EACH(x) int x;\nstruct e { EACH(a) int b; };",
    "_Static_assert(sizeof(int) == 4, \"int v;\");",
    "/* int v; */ // int v;",
    "#ifndef __OPENCL_VERSION__\nint v;\n#endif",
    "#if 0\nint v;\n#endif",
    "static float f(void) { static const float v = 1; goto l; l: return v; }",
    "static int (f)(int a, int b);\nstatic int *g(void), h(int (*)(int));",
    "static int *const w = 0; static const char *const names[2] = {0, 0};",
    "static int (*const w)(int) = 0;",
    "typedef int (*function)(int); typedef struct p { int a; } *p;",
    "static inline __attribute__((always_inline)) struct p f(int a[static 3]) { return *a; }",
    "#ifdef __CUDACC__\n#define ON 0\n#else\n#define ON 1\n#endif\n#if ON\nstatic int v;\n#endif",
    "#ifndef __CUDACC__\n#define HOST(x) x\n#else\n#define HOST(x)\n#endif\nHOST(int v;)",
    "static REAP_CONSTANT const int (w)[2] = {1, 2}; REAP_KERNEL_MACRO(N) REAP_KERNEL_FILE",
};

static void check_variables(void)
{
    for (size_t i = 0; i < sizeof with_variable / sizeof *with_variable; i++) {
        begin("k.h", with_variable[i]);
        put_file("v.h", "\nREAP_KERNEL_FILE\nint v;\n");
        if (!fails("devices cannot access variable 'v' of the program: make it a parameter"))
            fprintf(stderr, "in: %s\n", with_variable[i]);
        CHECK(fails("devices cannot access variable 'v' of the program: make it a parameter"));
    }
    CHECK_HAS(reap_last_error(), "kernel 'k': v.h:3: devices");
    for (size_t i = 0; i < sizeof without_variable / sizeof *without_variable; i++) {
        begin("k.h", without_variable[i]);
        const size_t found = occurrences(REAP__DIALECT_CUDA, "k.h");
        if (found == 0)
            fprintf(stderr, "in: %s\n", without_variable[i]);
        CHECK_GT(found, 0);
    }
}

/* ---- Whatever comes ---------------------------------------------------------------------------*/

static const char *const pieces[] = {
    "#include", "#",       "include",
    "\"a.h\"",  "\"b.h\"", "<reap/half.h>",
    "<math.h>", "\"k.h\"", "#if",
    "#ifdef",   "#ifndef", "#elif",
    "#else",    "#endif",  "#define",
    "#undef",   "A",       "B",
    "C",        "defined", "(",
    ")",        "!",       "&&",
    "||",       "0",       "1",
    "#pragma",  "once",    "/*",
    "*/",       "//",      "\\\n",
    "\\",       "\n",      "\n",
    "\n",       "\r\n",    "\"",
    "'",        "<",       ">",
    "?",        "\xff",    " ",
    "\t",       "..",      "/",
    "*",        "%:",      "\xef\xbb\xbf",
    "x",        "1e+",     "((((((((",
    "!!!!!!!!", "__x(",
};

static void draw(uint64_t *state, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint64_t i = check_random(state) % 40; i > 0; i--) {
        const char *piece = pieces[check_random(state) % (sizeof pieces / sizeof *pieces)];
        if (length + strlen(piece) + 3 > size)
            break;
        length += (size_t)snprintf(text + length, size - length, "%s%s", piece,
                                   check_random(state) % 2 ? " " : "");
        if (check_random(state) % 4 == 0)
            length += (size_t)snprintf(text + length, size - length, "\n");
    }
}

static void check_random_files(void)
{
#ifdef REAP_TESTS_SMALL
    const size_t repetitions = 2000;
#else
    const size_t repetitions = 20000;
#endif
    uint64_t state = check_seed();
    for (size_t i = 0; i < repetitions; i++) {
        char drawn[3][300];
        char *exact[3]; /* so that a sanitizer sees their ends */
        for (size_t j = 0; j < 3; j++) {
            draw(&state, drawn[j], sizeof drawn[j]);
            exact[j] = (char *)malloc(strlen(drawn[j]) + 1);
            if (exact[j] != NULL)
                memcpy(exact[j], drawn[j], strlen(drawn[j]) + 1);
        }
        begin("d/k.h", exact[0]);
        put_file("d/a.h", exact[1]);
        put_file("b.h", exact[2]);
        put_macro("A", "1");
        struct reap__string text = {0};
        const reap_status status = reap__flatten_source(&kernel, REAP__DIALECT_OPENCL, &text);
        CHECK(status == REAP_OK || status == REAP_ERROR_COMPILATION_FAILED);
        CHECK_EQ(text.length, (text.bytes != NULL ? strlen(text.bytes) : 0));
        reap__string_release(&text);
        for (size_t j = 0; j < 3; j++)
            free(exact[j]);
    }
}

static void check_allocation_failures(void)
{
    begin("k.h", "#include <reap/kernel.h>\n#include \"a.h\"\n#if M && defined(__N)\n#endif\n");
    put_file("a.h", "#pragma once\n#include \"a.h\"\n");
    put_macro("M", "1");
    const long alive = reap__allocations_alive();
    unsigned long number = 0;
    reap_status status = REAP_ERROR_OUT_OF_MEMORY;
    while (status == REAP_ERROR_OUT_OF_MEMORY && number < 10000) {
        struct reap__string text = {0};
        reap__fail_allocation(++number);
        status = reap__flatten_source(&kernel, REAP__DIALECT_CUDA, &text);
        reap__string_release(&text);
        CHECK_EQ(reap__allocations_alive(), alive);
    }
    CHECK(status == REAP_OK && number > 10);
    reap__fail_allocation(0);
}

static void check_texts(void)
{
    struct reap__string text = {0};
    reap__string_append(&text, "", 0);
    CHECK(text.length == 0 && strcmp(text.bytes, "") == 0);
    for (int i = 0; i < 1000; i++)
        reap__string_format(&text, "%03d,", i);
    CHECK(text.length == 4000 && strncmp(text.bytes + 3996, "999,", 5) == 0 && !text.failed);
    reap__string_append(&text, text.bytes, SIZE_MAX - 100);
    CHECK(text.failed && text.length == 4000);
    reap__string_add(&text, "more");
    CHECK_EQ(text.length, 4000);
    reap__string_clear(&text);
    CHECK(text.length == 0 && text.bytes[0] == '\0');
    reap__string_release(&text);
    CHECK(text.bytes == NULL && !text.failed);
}

int main(void)
{
    check_texts();
    check_lines();
    check_what_is_none();
    check_which_file();
    check_nested_files();
    check_missing_files();
    check_ends();
    check_dialects();
    check_guards();
    check_repetition();
    check_size();
    check_trigraphs();
    check_arithmetic();
    check_declared_macros();
    check_undeclared_macros();
    check_variables();
    check_random_files();
    check_allocation_failures();
    return check_finish();
}
