/* SPDX-License-Identifier: Apache-2.0
 *
 * The one line that a user reads of a compiler's log. The logs are real ones of PoCL 3.1, NVRTC 13
 * and, from reports, of other OpenCL compilers; then logs at random and cut ones.
 */
#include "tests/support/check.h"

#include "src/accelerator/program/program.h"

static const char text[] = "#define N 3\n"
                           "#define M 4\n"
                           "#line 1 \"src/my kernels.h\"\n"
                           "int f(int x);\n"
                           "#line 1 \"/usr/include/lib/tables.h\"\n"
                           "int g;\n"
                           "int h;\n"
                           "#line 3 \"src/my kernels.h\"\n"
                           "kernel\n"
                           "  # line 7 \"not a directive\"\n"
                           "#line 7 \"dir/b\\\"\\\\x\\011.h\"\n"
                           "int i;\n"
                           "#line 1 \"reap: entry functions\"\n"
                           "void entry(void)\n";

static bool is_described(const char *log, const char *expected)
{
    char line[256];
    reap__diagnostics_first_error(log, text, line, sizeof line);
    if (strcmp(line, expected) == 0)
        return true;
    fprintf(stderr, "of the log\n%s\nthe line is\n%s\nand not\n%s\n", log, line, expected);
    return false;
}

static void check_pocl(void)
{
    CHECK(is_described(
        "error: src/my kernels.h:3:60: use of undeclared identifier 'undefined_thing'\n"
        "error: dir/b\"x.h:7:23: expected ';' after return statement\n"
        "Device pthread-haswell-AMD EPYC failed to build the program",
        "src/my kernels.h:3: error: use of undeclared identifier 'undefined_thing'"));
    CHECK(is_described("error: /root/.cache/pocl/kcache/tempfile_LLd0TZ.cl:1:22: use of undeclared "
                       "identifier 'y'\n",
                       "reap: the kernel's macros:1: error: use of undeclared identifier 'y'"));
    CHECK(is_described("warning: src/my kernels.h:1:2: careful error: it is one\n"
                       "error: src/my kernels.h:2:2: Reap: kernel no\n",
                       "src/my kernels.h:2: error: Reap: kernel no"));
    CHECK(is_described("error: src/my kernels.h:11:36 <Spelling=<scratch space>:9:1>: use of "
                       "undeclared identifier 'p_bad'\n",
                       "src/my kernels.h:11: error: use of undeclared identifier 'p_bad'"));
    CHECK(is_described("error: src/my kernels.h:3:5: use of undeclared identifier "
                       "'reap__name_printf'\n",
                       "src/my kernels.h:3: error: use of undeclared identifier 'printf'"));
    CHECK(is_described("Error(s) while linking: \nCannot find symbol helper in kernel library\n"
                       "Device pthread-haswell-AMD EPYC failed to build the program",
                       "Error(s) while linking: Cannot find symbol helper in kernel library"));
}

static void check_clang(void)
{
    CHECK(is_described("In file included from input.cl:57:\n"
                       "src/my kernels.h:3:5: warning: error: none\n"
                       "src/my kernels.h:4:5: error: no such word\n  error: x\n  ^\n",
                       "src/my kernels.h:4: error: no such word"));
    CHECK(is_described("dir/b\"\\x\t.h:9:1: fatal error: 'y.h' file not found\n",
                       "dir/b\"\\x .h:9: error: 'y.h' file not found"));
    CHECK(is_described("src/my kernels.h:12: error: without a column",
                       "src/my kernels.h:12: error: without a column"));
    CHECK(is_described("reap: entry functions:5:9: error: wrong",
                       "reap: entry functions:5: error: wrong"));
    CHECK(is_described("input.cl:6:80: error: use of undeclared identifier 'amd_bfe'\r\n"
                       "input.cl:139:21: note: expanded from macro 'BYTE'\r\n",
                       "/usr/include/lib/tables.h:1: error: use of undeclared identifier "
                       "'amd_bfe'"));
    CHECK(is_described("/tmp/comgr-1/input/CompileSource:99:5: error: after the end",
                       "/tmp/comgr-1/input/CompileSource:99: error: after the end"));
    CHECK(is_described("<built-in>:6:5: error: macro redefined",
                       "<built-in>:6: error: macro redefined"));
    CHECK(is_described("/usr/share/pocl/include/_kernel.h:6:5: error: the compiler's own",
                       "/usr/share/pocl/include/_kernel.h:6: error: the compiler's own"));
    CHECK(is_described("ld.lld: error: undefined hidden symbol: helper\n>>> referenced by a.o\n",
                       "ld.lld: error: undefined hidden symbol: helper"));
}

static void check_nvidia(void)
{
    CHECK(is_described("<kernel>:4:5: error: expected ';' after expression\n    f(x)\n        ^\n",
                       "src/my kernels.h:1: error: expected ';' after expression"));
    CHECK(is_described("<kernel>:2:5: warning: macro redefined\n<kernel>:7:14: error: bad\n",
                       "/usr/include/lib/tables.h:2: error: bad"));
    CHECK(is_described("<kernel>:9:1: error: a", "src/my kernels.h:3: error: a"));
    CHECK(is_described("<kernel>:10:1: error: a", "src/my kernels.h:4: error: a"));
    CHECK(is_described("<kernel>:12:1: error: a", "dir/b\"\\x .h:7: error: a"));
    CHECK(is_described("<kernel>:14:1: error: a", "reap: entry functions:1: error: a"));
    CHECK(is_described("<kernel>:15:1: error: at the end",
                       "reap: entry functions:2: error: at the end"));
    CHECK(is_described("<kernel>:2:9: error: a", "reap: the kernel's macros:2: error: a"));
    CHECK(is_described(":4:3: error: use of undeclared identifier 'cp'\n   PUTSHORT(block)\n",
                       "src/my kernels.h:1: error: use of undeclared identifier 'cp'"));
    CHECK(is_described("<kernel>:99999:5: error: a", "<kernel>:99999: error: a"));
}

static void check_nvrtc(void)
{
    CHECK(is_described("src/my kernels.h(3): warning #177-D: variable \"error\" was declared\n"
                       "  int error : 3;\n\n"
                       "src/my kernels.h(5): error: identifier \"y\" is undefined\n  y\n  ^\n\n"
                       "1 error detected in the compilation of \"kernel\".\n",
                       "src/my kernels.h:5: error: identifier \"y\" is undefined"));
    CHECK(is_described("src/my kernels.h(2): catastrophic error: #error directive: Reap: no\n"
                       "  #error Reap: no\n   ^\n\n1 catastrophic error detected",
                       "src/my kernels.h:2: error: #error directive: Reap: no"));
    CHECK(is_described("src/my kernels.h(5): error #20-D: identifier \"y\" is undefined",
                       "src/my kernels.h:5: error: identifier \"y\" is undefined"));
    CHECK(is_described("kernel(2): error: wrong", "reap: the kernel's macros:2: error: wrong"));
    CHECK(is_described("ptxas application ptx input, line 44; error   : Not a name of any known "
                       "instruction: 'bogus'\nptxas fatal   : Ptx assembly aborted due to errors",
                       "ptxas application ptx input, line 44; error : Not a name of any known "
                       "instruction: 'bogus'"));
    CHECK(is_described("\nptxas error   : Entry function 'k' uses too much shared data (0x3d0900 "
                       "bytes, 0xc000 max)\n",
                       "ptxas error : Entry function 'k' uses too much shared data (0x3d0900 "
                       "bytes, 0xc000 max)"));
    CHECK(is_described("error   : Undefined reference to 'helper' in ''\n",
                       "error : Undefined reference to 'helper' in ''"));
    CHECK(is_described("ptxas info    : 0 bytes gmem\nptxas fatal   : Unresolved extern function "
                       "'helper'\n",
                       "ptxas fatal : Unresolved extern function 'helper'"));
}

static void check_others(void)
{
    CHECK(is_described(NULL, "the compiler wrote no message"));
    CHECK(is_described("", "the compiler wrote no message"));
    CHECK(is_described(" \n\t\r\n", "the compiler wrote no message"));
    CHECK(is_described("\n\n  something\t\x1b else  \nmore\n", "something else"));
    CHECK(is_described("hello\nan error happened\n", "an error happened"));
    CHECK(is_described("errors.h:1:2: warning: x\nsee errors\n", "see errors"));
    CHECK(is_described("one:", "one:"));
    CHECK(is_described("failed\nerror in it\nerror: this one\n", "error: this one"));
    CHECK(is_described("error", "error"));
    CHECK(is_described("error:", "error:"));
    CHECK(is_described("error #", "error #"));
    CHECK(is_described("x(: error:", "x(: error:"));
}

/* Short lines keep what they have room for. */
static void check_sizes(void)
{
    static const char whole[] = "reap: entry functions:5: error: wrong";
    for (size_t size = 1; size <= sizeof whole; size++) {
        char line[sizeof whole + 1];
        memset(line, '#', sizeof line);
        reap__diagnostics_first_error("reap: entry functions:5:9: error: wrong", text, line, size);
        CHECK(strlen(line) == size - 1 && memcmp(line, whole, size - 1) == 0);
        CHECK_EQ(line[size], '#');
    }
}

/* The advice after an error. */
static void check_advice(void)
{
    static const struct {
        const char *error, *advice;
    } cases[] = {
        {"used type 'float' where floating point type is not allowed",
         " (the condition of ?: is an integer in OpenCL, such as x != 0: docs/kernels.md)"},
        {"transfer of control bypasses initialization of:", " (CUDA's language has no jump past"},
        {"use of undeclared identifier 'max_align_t'", " (devices do not have max_align_t:"},
        {"identifier \"max_align_t\" is undefined", " (devices do not have max_align_t:"},
        {"use of undeclared identifier 'TAPS'", " (a macro of the program needs "},
        {"expected ';'", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line, "k.h:3: error: %s", cases[i].error);
        const size_t length = strlen(line);
        reap__diagnostics_add_advice(line, sizeof line, text);
        CHECK(strncmp(line + length, cases[i].advice, strlen(cases[i].advice)) == 0);
        CHECK((line[length] == '\0') == (cases[i].advice[0] == '\0'));
    }
}

/* Only that it ends, within its memory (which the sanitizers check), and in one line. */
static void check_random_logs(void)
{
    static const char *const words[] = {
        "error", ":",    ": ",      "#line ", "12",    "3",
        "(",     ")",    "\n",      "\"",     "fatal", " ",
        "\\",    "x.h",  "warning", "<",      ">",     "<kernel>",
        ": ",    "note", "error:",  "\\01",   "#20",   "99999999999999999999"};
    const size_t word_count = sizeof words / sizeof *words;
    uint64_t seed = check_seed();
    for (int i = 0; i < 20000; i++) {
        char made[2][400] = {"", ""};
        for (int t = 0; t < 2; t++)
            for (uint64_t w = check_random(&seed) % 20, at = 0; w > 0; w--)
                at += (uint64_t)snprintf(made[t] + at, sizeof *made - at, "%s",
                                         words[check_random(&seed) % word_count]);
        const size_t size = 1 + check_random(&seed) % 60;
        char *line = malloc(size);
        if (line == NULL)
            exit(2);
        reap__diagnostics_first_error(made[0], made[1], line, size);
        CHECK(memchr(line, '\0', size) != NULL && strchr(line, '\n') == NULL);
        free(line);
    }
}

int main(void)
{
    check_pocl();
    check_clang();
    check_nvidia();
    check_nvrtc();
    check_others();
    check_sizes();
    check_advice();
    check_random_logs();
    return check_finish();
}
