/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of a device's compiler in a kernel's text: which of them get a #define, which an #undef
 * since a file defines them, and where; and every failure of an allocation.
 */
#include "tests/support/check.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"

static const char before[] = "int half;\n";
static const char header[] = "\n#define step reap__step\n";

/* A text of three parts, the second of them the header; `names`: #defines after it. */
static void make(const char *behind, const char *const *names, struct reap__string *text)
{
    struct reap__names state = {.dialect = REAP__DIALECT_OPENCL};
    reap__string_add(text, before);
    reap__names_defined(&state, "half"); /* the header has not come yet */
    reap__string_add(text, header);
    reap__names_set_header(&state, text->length);
    reap__string_add(text, behind);
    reap__names_set_header(&state, text->length); /* the first one counts */
    for (; *names != NULL; names++)
        reap__names_defined(&state, *names);
    reap__names_insert(&state, text);
    reap__string_release(&state.undefined);
}

static bool gives(const char *behind, const char *const *names, const char *lines)
{
    struct reap__string text = {0};
    char expected[400];
    make(behind, names, &text);
    snprintf(expected, sizeof expected, "%s%s%s%s", before, header, lines, behind);
    const bool is_right = !text.failed && strcmp(text.bytes, expected) == 0;
    if (!is_right)
        fprintf(stderr, "the text is:\n%s\nwanted:\n%s\n", text.bytes, expected);
    reap__string_release(&text);
    return is_right;
}

/* Names that a macro may paste together: all are there. */
static void check_pasting(void)
{
    static const char *const none[] = {NULL};
    struct reap__string text = {0};
    make("#define TYPE(t) u##t\n", none, &text);
    CHECK(!text.failed &&
          strstr(text.bytes, "#undef uint\n#define uint reap__name_uint\n") != NULL);
    CHECK(strstr(text.bytes, "#define sqrtf(...) reap__math_sqrtf(__VA_ARGS__)\n") != NULL);
    CHECK(strstr(text.bytes, "#define decltype ") == NULL); /* CUDA's */
    reap__string_release(&text);
}

static void check_failures_of_memory(void)
{
    static const char *const names[] = {"half", "step(x) x", NULL};
    bool failed = true;
    for (unsigned long n = 1; failed && n < 100; n++) {
        struct reap__string text = {0};
        reap__fail_allocation(n);
        make("half, step\n", names, &text);
        reap__fail_allocation(0);
        failed = text.failed;
        CHECK(failed || strstr(text.bytes, "#undef half\n#undef step\n") != NULL);
        reap__string_release(&text);
    }
    CHECK(!failed);
    CHECK_EQ(reap__allocations_alive(), 0);
}

#define NAMED(name) "#undef " name "\n#define " name " reap__name_" name "\n"

int main(void)
{
    CHECK(gives("rest\n", (const char *const[]){NULL}, ""));
    CHECK(gives("int half, halfs, step_1;\n", (const char *const[]){NULL}, NAMED("half")));
    CHECK(gives("new step; half;", (const char *const[]){NULL}, NAMED("half") NAMED("step")));
    CHECK(gives("exp(exp2)", (const char *const[]){NULL},
                "#undef exp\n#define exp(...) reap__math_exp(__VA_ARGS__)\n"
                "#undef exp2\n#define exp2(...) reap__math_exp2(__VA_ARGS__)\n"));
    CHECK(gives("", (const char *const[]){"half 2", NULL}, "#undef half\n"));
    CHECK(gives("half", (const char *const[]){"step(x) x", "half", NULL},
                NAMED("half") "#undef step\n#undef half\n"));
    CHECK(gives("", (const char *const[]){"hal", "halfs", "ste", "", "2", NULL}, ""));
    check_pasting();
    check_failures_of_memory();
    return check_finish();
}
