/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that a device's language reads otherwise than C are refused, with the line; similar ones
 * are not. And every failure of an allocation. And in which texts work-items may exchange values.
 */
#include "tests/support/check_status.h"

#include "src/accelerator/codegen/codegen.h"
#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"
#include "tests/unit/source_files.h"

#include <reap/reap.h>
#include <string.h>

static unsigned build; /* how the program was compiled */

static reap_status check_text(enum reap__dialect dialect, const char *text)
{
    begin("k.h", text);
    kernel.build = build;
    return reap__meaning_check(&kernel, dialect);
}

static bool passes(enum reap__dialect dialect, const char *text)
{
    const reap_status status = check_text(dialect, text);
    if (status != REAP_OK)
        fprintf(stderr, "%s: %s\n", text, reap_last_error());
    return status == REAP_OK;
}

/* `message` begins after "kernel 'k': k.h:". */
static bool fails(enum reap__dialect dialect, const char *text, const char *message)
{
    static const char begin[] = "kernel 'k': k.h:";
    const size_t length = strlen(begin);
    if (check_text(dialect, text) == REAP_ERROR_COMPILATION_FAILED &&
        strncmp(reap_last_error(), begin, length) == 0 &&
        strncmp(reap_last_error() + length, message, strlen(message)) == 0)
        return true;
    fprintf(stderr, "%s: %s\n", text, reap_last_error());
    return false;
}

static bool all_take(const char *text)
{
    return passes(REAP__DIALECT_OPENCL, text) && passes(REAP__DIALECT_CUDA, text);
}

static bool opencl_refuses(const char *text, const char *message)
{
    return fails(REAP__DIALECT_OPENCL, text, message) && passes(REAP__DIALECT_CUDA, text);
}

static bool cuda_takes(const char *text)
{
    return passes(REAP__DIALECT_CUDA, text);
}

static bool cuda_refuses(const char *text, const char *message)
{
    return fails(REAP__DIALECT_CUDA, text, message) && passes(REAP__DIALECT_OPENCL, text);
}

/* ---- long long --------------------------------------------------------------------------------*/

static void check_long_long(void)
{
    CHECK(all_take("long long a = 1LL; unsigned long long int b = 0x1fULL;"));
    CHECK(all_take("#define W long\nunsigned W a;\nlong b; long long c;"));
    CHECK(all_take("#define W long long\nunsigned W a = (W)3;"));
    CHECK(all_take("#define C(x) x##LL + x##ull\nint a = C(1) + C(0xf);"));
    CHECK(all_take("#ifdef __OPENCL_VERSION__\n#define W int64_t\n#else\n#define W long\n"
                   "#endif\nW W a;"));
    CHECK(all_take("#define W long\n/* W W 1##LL */ char *a = \"W W\"; int l = sizeof(W) + "
                   "sizeof(W);"));
    CHECK(all_take("long f(long a, long b); long LL, ll, xLL;"));

    CHECK(opencl_refuses("#define W long\nW W a;", "2: macros put together a `long long`"));
    CHECK(opencl_refuses("#define W long\n\nunsigned W long a;", "3: macros put together"));
    CHECK(opencl_refuses("#define L(x) x long\nL(unsigned long) a;", "2: macros"));
    CHECK(opencl_refuses("#define J(a, b) a##b\nint a = J(1, ULL);", "2: macros"));
    CHECK(opencl_refuses("#define J(a, b) a##b\nlong J(lo, ng) a;", "2: macros"));
    CHECK(opencl_refuses("#define N(x) x##LL\nint N(a) = 3;", "2: macros"));
    CHECK(opencl_refuses("lo\\\nng long a;", "1: macros"));
    CHECK(opencl_refuses("long _Alignas(8) long a;", "1: macros"));
    CHECK(opencl_refuses("#ifdef __OPENCL_VERSION__\n#define W long\n#endif\nW W a;", "4: macros"));
}

/* ---- Recursion --------------------------------------------------------------------------------*/

static void check_recursion(void)
{
    CHECK(all_take("int g(int a) { return a; } int f(int a) { return g(g(a)); } "
                   "REAP_KERNEL(k, in(int, x)) { f(1); }"));
    CHECK(all_take("int f(int a) { return f(a); } REAP_KERNEL(k, in(int, x)) { }"));
    CHECK(all_take("int f(int a) { return f(a); } REAP_KERNEL(other, in(int, x)) { f(1); }"));
    CHECK(all_take("int f(int a) { return s.f(a) + f; } REAP_KERNEL(k, in(int, x)) { f(1); }"));

    CHECK(opencl_refuses("int f(int a) {\nreturn f(a); } REAP_KERNEL(k, in(int, x)) { f(1); }",
                         "1: 'f' calls itself, perhaps"));
    CHECK(opencl_refuses("int h(int);\nint f(int a) { return h(a); }\nint g(int a)\n"
                         "{ return f(a); }\nint h(int a) { return g(a); }\n"
                         "REAP_GROUP_KERNEL(k, in(int, x)) { g(1); }",
                         "5: 'h' calls itself, perhaps"));
    CHECK(opencl_refuses("#define CALL(f) (f)(a)\nint f(int a) { return CALL(f); }\n"
                         "REAP_OPERATOR(o, int, 0, a, b) { return f(a); }",
                         "2: 'f' calls itself, perhaps"));
}

/* ---- true and false ---------------------------------------------------------------------------*/

static void check_truth_values(void)
{
    static const enum reap__dialect dialects[] = {REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA};
    CHECK(
        all_take("bool a = true; int b = sizeof(a) + sizeof(true + 1), c = sizeof(bool) == true;"));
    for (size_t d = 0; d < 2; d++) {
        CHECK(fails(dialects[d], "int a =\nsizeof(true);", "2: 'true' has the size of an int"));
        CHECK(fails(dialects[d], "int a = sizeof((false));", "1: 'false' has"));
        CHECK(fails(dialects[d], "int a = sizeof false;", "1: 'false' has"));
    }
}

/* ---- char -------------------------------------------------------------------------------------*/

static void check_char(void)
{
    static const enum reap__dialect dialects[] = {REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA};
    CHECK(all_take("char a; int b(char *c);"));
    build = REAP__BUILD_UNSIGNED_CHAR;
    CHECK(all_take("signed char a; char unsigned b; unsigned const char c; int chars; char const "
                   "signed d; int e = 'a'; uint8_t f;"));
    for (size_t d = 0; d < 2; d++) {
        CHECK(fails(dialects[d], "signed char a;\nchar b;", "2: 'char' is unsigned where"));
        CHECK(fails(dialects[d], "#define C char\nunsigned C a;\nconst C *b;",
                    "3: 'char' is unsigned where"));
    }
    build = 0;
}

/* ---- C++ --------------------------------------------------------------------------------------*/

static void check_cplusplus(void)
{
    CHECK(cuda_takes("struct s { int a; } b; struct s c; union u *d; int e = sizeof(struct s);"));
    CHECK(cuda_takes("int a = sizeof(b[c == d]) + sizeof(f(a, !b)) + sizeof b == c;"));
    CHECK(cuda_takes("int a = sizeof((a == b) + 1) + sizeof(x) / sizeof((x)[0]) + sizeof(int);"));
    CHECK(cuda_takes("int a = sizeof(L'a') + sizeof(char[1 + 2 * !!(b)]) + (sizeof(a) < 3);"));
    CHECK(cuda_takes("#ifndef __cplusplus\nstruct { } a;\n#endif\n"));

    CHECK(cuda_refuses("int a;\nstruct { } b;", "2: 'struct' without members"));
    CHECK(cuda_refuses("struct b {\nunion __attribute__((packed)) u { } b; };",
                       "2: 'union' without members"));
    CHECK(cuda_refuses("int a = sizeof(b == c);", "1: 'sizeof' of a comparison"));
    CHECK(cuda_refuses("int a = sizeof((b && c));", "1: 'sizeof'"));
    CHECK(cuda_refuses("int a = sizeof !b;", "1: 'sizeof'"));
    CHECK(cuda_refuses("int a = sizeof(!b);", "1: 'sizeof'"));
    CHECK(cuda_refuses("int a = sizeof 'a';", "1: 'sizeof'"));
    CHECK(cuda_refuses("#define A 'a'\nint a = sizeof(A);", "2: 'sizeof'"));
    CHECK(cuda_refuses("int a = sizeof((0, b));", "1: 'sizeof'"));
    CHECK(cuda_refuses("int a = sizeof(b ? c : c);", "1: 'sizeof'"));
}

static void check_tags(void)
{
    CHECK(cuda_takes("typedef struct t { int a; } t; int f(t *a) { return sizeof(t); }"));
    CHECK(cuda_takes("int f(void) { struct t { int a; } t = {1}; return t.a + sizeof(t); }"));
    CHECK(cuda_takes("int f(void) { typedef struct t { struct t *a; } t; return sizeof(t); }"));
    CHECK(cuda_takes("int f(int i) { struct i { int a; } b; struct i *i = &b; return i->a; }"));
    CHECK(
        cuda_takes("int f(void) { int t = 3; struct t { int a; } *b; return sizeof(t) + b->t; }"));
    CHECK(cuda_takes("void f(int t) { { struct t { int t; } a; a.t = 1; } t = 2; }"));
    CHECK(cuda_takes("void f(int t) { enum t { A }; for (int t = 0; t < 3; t++) g(t); { float *t = "
                     "h(); t++; } }"));
    CHECK(cuda_takes("struct a { struct t { int b; } c; }; void f(struct u *t) { t++; }"));
    CHECK(cuda_takes("void f(void) { struct t { int a; }; struct t b = {2}; float u = g(b.a, 1), "
                     "t = b.a; t++; }"));
    CHECK(cuda_takes("void f(void) { struct t { int a; } b; uint32_t u = b.a, t = u; t++; }"));
    CHECK(cuda_takes("void f(void) { struct t { int a; } b; for (const int i = 0, t = 4; i < t;) "
                     "b.a++; }"));
    CHECK(cuda_takes("int f(void) { struct t { int a; } b = {1}; if (b.a) goto t; b.a = 2;\n"
                     "t: return b.a; }"));
    CHECK(cuda_takes("void f(void) { struct a { struct t { int b; } c; }; }\nvoid g(struct t *);"));

    CHECK(cuda_refuses("typedef char t;\nint f(void) { struct t { int a; } b;\nreturn sizeof(t); }",
                       "3: 't' is hidden by the struct, union or enumeration of that name"));
    CHECK(cuda_refuses("int f(int t) { union t { int a; } b; return sizeof t; }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("int f(int t) { enum __attribute__((packed)) t { A }; return t; }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("int f(int t) { struct t { int a; } b; { int t; }\nreturn b.a * t; }",
                       "2: 't' is hidden"));
    CHECK(cuda_refuses("int f(int t) { struct t { int a; } b; return g(b.a, t); }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("int f(int t) { struct t { int a; } b; int c = 1, d = (c, t); return d; }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("int f(int t) { struct t { int a; } b; return b.a ? t : 0; }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("typedef char t; struct a { struct t { int b; } c; t d; };",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("REAP_KERNEL(k, in(int, t)) { struct t { int a; }; const t *b; }",
                       "1: 't' is hidden"));
    CHECK(cuda_refuses("struct t { char a; };\nint f(void) { struct a { struct t { int b; } c; };\n"
                       "return sizeof(struct t); }",
                       "3: 't' is declared within another struct or union"));
}

/* ---- Names of functions -----------------------------------------------------------------------*/

static void check_function_names(void)
{
    static const enum reap__dialect dialects[] = {REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA};
    CHECK(all_take("int func, __function__; // __func__\n#if 0\n__func__\n#endif\n"));
    for (size_t d = 0; d < 2; d++) {
        CHECK(fails(dialects[d], "int a =\nsizeof(__func__);", "2: '__func__' is not the same on"));
        CHECK(fails(dialects[d], "#define F __FUNCTION__\nint a = F[0];", "2: '__FUNCTION__' is"));
        CHECK(fails(dialects[d], "f(__PRETTY_FUNCTION__);", "1: '__PRETTY_FUNCTION__' is"));
    }
}

/* ---- Memory -----------------------------------------------------------------------------------*/

static void check_memory(void)
{
    static const char text[] = "#define C(x) x##LL\nlong long f(int a) { return C(1); }\n"
                               "REAP_KERNEL(k, in(int, x)) { f(1); }\n";
    static const enum reap__dialect dialects[] = {REAP__DIALECT_OPENCL, REAP__DIALECT_CUDA};
    for (size_t d = 0; d < 2; d++) {
        unsigned long failing = 0;
        reap_status status;
        do {
            reap__fail_allocation(++failing);
            status = check_text(dialects[d], text);
            CHECK(status == REAP_OK || status == REAP_ERROR_OUT_OF_MEMORY);
        } while (status == REAP_ERROR_OUT_OF_MEMORY && failing < 1000);
        reap__fail_allocation(0);
        CHECK(failing > 10 && failing < 1000);
    }
}

/* ---- Exchange ---------------------------------------------------------------------------------*/

/* Looks at the text that the kernel has, as a new kernel's. */
static bool may_exchange_with(bool has_warps)
{
    struct reap__kernel_state state = {.probed = 1};
    kernel.state = &state;
    const bool may = reap__may_exchange(&kernel, has_warps);
    CHECK_EQ(reap__may_exchange(&kernel, has_warps), may);
    CHECK((state.probed & 0xff) == 1);
    kernel.state = NULL;
    return may;
}

static bool may_exchange(const char *text)
{
    begin("k.h", text);
    return may_exchange_with(false);
}

static void check_exchange(void)
{
    CHECK(!may_exchange("int f(void) { return reap_group_id(0); }\n"));
    CHECK(!may_exchange("#define A(x) \\\n    (x) + '\\n'\n#define B \\ \r\n\t3\n"));
    CHECK(may_exchange("v = reap_group_reduce(plus, int, v);\n"));
    CHECK(may_exchange("REAP_KERNEL_MACRO(REDUCE)\nv = REDUCE(plus, int, v);\n"));
    CHECK(may_exchange("v = reap_sub_group_any(v);\n"));
    CHECK(!may_exchange_with(true));
    CHECK(may_exchange("#define A(x) reap_group_##x\n"));
    CHECK(may_exchange_with(true));
    CHECK(may_exchange(
        "#define A(x, y) x ## y\nv = A(reap_group_id, x) + A(reap_group_r, educe)(0);"));
    CHECK(may_exchange("#define A(x, y) x %:%: y\nv = A(re, A(ap_, group_reduce))(0);"));
    CHECK(may_exchange("#define A(x, y) x ## y\nv = A(re, ap_sub_group_any)(0);"));
    CHECK(!may_exchange_with(true));
    CHECK(!may_exchange("#define A(x) x##_f\nint A(r) = reap_group_id(0), re, rea, reap;\n"));
    CHECK(
        !may_exchange("# include \"reap/x\" /* a reap */\n#define A(x) _##x // reap\nint group;"));
    CHECK(may_exchange("#define A(x) x##_/**/##group_##\nint A(reap);"));
    begin("k.h", "#define A(x) re##x\n#include \"words.h\"\n");
    put_file("words.h", "v = A(ap_group_any)(1);\n");
    CHECK(may_exchange_with(true));
    begin("k.h", "v = OP(plus, int, v);\n");
    put_macro("OP", "reap_group_reduce"); /* that another kernel file of the program declares */
    CHECK(may_exchange_with(true));
    CHECK(may_exchange("#define Q R\"(\" /* )\"\n#define U reap_g ## x\n#define Z R\"(\" */)\"\n"));
    CHECK(may_exchange("v = REAP__PASTE(reap_g, roup_reduce)(plus, int, v);\n"));
    CHECK(may_exchange("v = reap_group_re\\\nduce(plus, int, v);\n"));
    CHECK(may_exchange("v = reap_group_re\\ \t\r\n\\\nduce(plus, int, v);\n"));
    CHECK(may_exchange("#define A(x) reap_group_#\\\n#x\n"));
    begin("k.h", "#include \"words.h\"\nv = sum(v);\n");
    put_file("words.h", "#define sum(v) reap_group_\\\nreduce(plus, int, v)\n");
    CHECK(may_exchange_with(false));
}

int main(void)
{
    check_long_long();
    check_recursion();
    check_truth_values();
    check_char();
    check_cplusplus();
    check_tags();
    check_function_names();
    check_memory();
    check_exchange();
    return check_finish();
}
