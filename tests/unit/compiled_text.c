/* SPDX-License-Identifier: Apache-2.0
 *
 * Barrier kernels as text for the host's compiler: what stays with fibers, and why; and texts in
 * which words are missing, repeated or exchanged, which are refused or written, and never crash.
 */
#include "compiled_text.kernels.h"
#include "src/accelerator/preprocess/lexer.h"
#include "src/host/compiled/text.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

static char *mangled; /* what the kernel's file holds */

static const char *text_of_mangled(void)
{
    return mangled;
}

/* A kernel whose file holds a text, and its reason; NULL: it is written. */
static const char *try_text(const char *name, const char *text)
{
    struct reap_kernel kernel = reap_kernel_scan_group;
    struct reap__string into = {0};
    kernel.name = name;
    kernel.text = text_of_mangled;
    kernel.sources = kernel.sources_end = NULL;
    const size_t bytes = strlen(text) + sizeof REAP__TEXT_END;
    mangled = malloc(bytes);
    if (mangled == NULL)
        exit(1);
    snprintf(mangled, bytes, "%s%s", text, REAP__TEXT_END);
    const char *problem = reap__compiled_text(&kernel, 1, REAP__ISA_PLAIN, &into);
    CHECK(problem != NULL || strstr(into.bytes, "REAP__COMPILED_END") != NULL);
    reap__string_release(&into);
    free(mangled);
    return problem;
}

static const char head[] = "#include <reap/kernel.h>\n";
static const char kernel[] = "REAP_ND_KERNEL(k, inout(int, y), value(int, n), local(int, s)) {\n";

/* A kernel with that body, in a file with that beginning. */
static const char *try_body(const char *beginning, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s%s}\n", head, beginning, kernel, body);
    return try_text("k", text);
}

static void check_refused(const char *beginning, const char *body, const char *reason)
{
    const char *problem = try_body(beginning, body);
    if (problem == NULL || strstr(problem, reason) == NULL)
        printf("%s: %s\n", body, problem != NULL ? problem : "written");
    CHECK(problem != NULL && strstr(problem, reason) != NULL);
}

static void check_written(const char *beginning, const char *body)
{
    const char *problem = try_body(beginning, body);
    if (problem != NULL)
        printf("%s: %s\n", body, problem);
    CHECK(problem == NULL);
}

#define WAIT "reap_barrier(REAP_LOCAL_SPACE);"

static void check_words(void)
{
    check_refused("", "if (n) goto end; " WAIT " end: ;", "not supported");
    check_refused("", "static int v;" WAIT, "not supported");
    check_refused("", "typedef int t;" WAIT, "not supported");
    check_refused("", "struct { int a; } v;" WAIT, "defines a type");
    check_refused("", "n = 3;" WAIT, "changes a parameter");
    check_refused("", "int *p = &n;" WAIT, "changes a parameter");
    check_refused("", "switch (n) { case 1: " WAIT " }", "statement that is not supported");
    check_refused("", "int (*f)(void) = 0;" WAIT, "declaration that is not supported");
    check_refused("", "y[0] = reap_group_reduce(plus, int, n);", "group algorithms");
    check_refused("", "int v = ({ 3; });" WAIT, "statement expression");
    check_refused("", "switch (n) { case 1: int v = 2; y[0] = v; }" WAIT, "declaration");
    check_refused("", "y[0] = __LINE__;" WAIT, "uses __LINE__");
    check_refused("#pragma pack(1)\n", WAIT, "macros of a compiler");
    check_refused("// ?\?/\n", WAIT, "has a trigraph");
    check_refused("#ifdef __AVX2__\n#endif\n", WAIT, "macros of a compiler");
    check_refused("#if __GNUC__ > 3\n#endif\n", WAIT, "macros of a compiler");
    check_refused("#define V __GNUC__\n#if V\n#endif\n", WAIT, "macros of a compiler");
    check_refused("#if 0\n#elif CHAR_MAX > 5\n#endif\n", WAIT, "macros of a compiler");
    check_refused("#ifndef T\n#define T 3\n#endif\n", WAIT, "macros of a compiler");
    check_refused("static void f(REAP_ITEM) { " WAIT " }\n"
                  "static void g(REAP_ITEM) { f(REAP_THIS_ITEM); }\n",
                  "g(REAP_THIS_ITEM);", "helper");
}

static void check_conditions(void)
{
    check_written("#ifndef G_H\n#define G_H\n#endif\n", WAIT);
    check_written("#if !defined(G_H)\n#define G_H\n#endif\n", WAIT);
    check_written("#ifdef __OPENCL_VERSION__\n#pragma x\n#endif\n", WAIT);
    check_written("#if defined(__CUDACC_RTC__) || defined(__OPENCL_VERSION__)\n#endif\n", WAIT);
    check_written("#if INT_MAX > 5 && defined(UINT8_MAX)\n#endif\n", WAIT);
    check_written("#if 1\n#elif __GNUC__\n#endif\n", WAIT);
    check_written("#ifdef T\nREAP_KERNEL_MACRO(T)\n#endif\n", WAIT);
}

static void check_statements(void)
{
    check_written("", "");
    check_written("", WAIT);
    check_written("", "{ { " WAIT " } }" WAIT);
    check_written("", "for (;;) { " WAIT " break; }");
    check_written("", "for (int i = 0, j = 1; i < j; i++, j--) { " WAIT " if (j) continue; }");
    check_written("", "if (n) " WAIT " else if (y[0]) { " WAIT " } else return;" WAIT);
    check_written("", "do " WAIT " while (s[0]);");
    check_written("", "int v = n, *p = &v, a[2] = {1, 2};" WAIT " *p = a[1] + v; y[0] = v;");
}

/* ---- Mangled texts ----------------------------------------------------------------------------*/

static size_t token_length(const char *at)
{
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return length > 0 ? length : 1;
}

/* Copies the text, with some of its tokens left out, repeated, or replaced by another's. */
static void mangle(const char *text, uint64_t *state, char *into, size_t size)
{
    static const char *const others[] = {"{",  "}",     "(",   ")",      ";",  "if",    "else ",
                                         "do", "while", "for", "break;", "&",  "int ",  "*",
                                         "=",  "++",    "[",   "]",      "->", WAIT,    "return;",
                                         ":",  "#if\n", ",",   "\"",     "'",  "case ", "struct "};
    size_t length = 0;
    while (*text != '\0' && length + 128 < size) {
        const size_t token = token_length(text);
        *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const unsigned draw = (unsigned)(*state >> 40) % 400;
        const char *other = others[(*state >> 20) % (sizeof others / sizeof *others)];
        for (unsigned copies = draw == 0 ? 0 : draw == 1 ? 2 : 1; copies > 0; copies--) {
            memcpy(into + length, text, token);
            length += token;
        }
        if (draw == 2) {
            memcpy(into + length, other, strlen(other));
            length += strlen(other);
        }
        text += token;
    }
    into[length] = '\0';
}

static void check_mangled(void)
{
    static char text[65536];
    uint64_t state = check_seed();
    size_t written = 0;
    const size_t trials = getenv("SHARE") != NULL ? 500 : 1500; /* in `make check` a third */
    char *original = strdup(reap_kernel_scan_group.text());
    if (original == NULL)
        exit(1);
    original[strlen(original) - strlen(REAP__TEXT_END)] = '\0';
    CHECK(try_text("scan_group", original) == NULL);
    for (size_t i = 0; i < trials; i++) {
        mangle(original, &state, text, sizeof text);
        written += try_text("scan_group", text) == NULL;
    }
    CHECK(written > 0 && written < trials);
    free(original);
}

int main(void)
{
    check_words();
    check_conditions();
    check_statements();
    check_mangled();
    return check_finish();
}
