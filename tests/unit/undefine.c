/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of a dialect's header that a kernel file defines itself: which get an #undef, and where it
 * stands; and every failure of an allocation.
 */
#include "tests/support/check.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "src/core/allocate.h"

static const char before[] = "#define early reap__early\n";
static const char header[] = "\n#define half reap__half\n#define step reap__step\n#define one 1\n";
static const char behind[] = "#define late reap__late\nrest\n";

/* A text of three parts, the second of them the header, followed by #defines of these names. */
static void make(const char *const *names, struct reap__string *text)
{
    struct reap__undefines renames = {0};
    reap__string_add(text, before);
    reap__undefines_add(&renames, text, "half"); /* the header has not come yet */
    const size_t begin = text->length;
    reap__string_add(text, header);
    reap__undefines_set_header(&renames, begin, text->length);
    reap__string_add(text, behind);
    reap__undefines_set_header(&renames, 0, text->length); /* the first one counts */
    for (; *names != NULL; names++)
        reap__undefines_add(&renames, text, *names);
    reap__undefines_insert(&renames, text);
    reap__string_release(&renames.lines);
}

static bool gives(const char *const *names, const char *lines)
{
    struct reap__string text = {0};
    char expected[400];
    make(names, &text);
    snprintf(expected, sizeof expected, "%s%s%s%s", before, header, lines, behind);
    const bool is_right = !text.failed && strcmp(text.bytes, expected) == 0;
    if (!is_right)
        fprintf(stderr, "the text is:\n%s\nwanted:\n%s\n", text.bytes, expected);
    reap__string_release(&text);
    return is_right;
}

static void check_failures_of_memory(void)
{
    static const char *const names[] = {"half", "step(x) x", NULL};
    bool failed = true;
    for (unsigned long n = 1; failed && n < 100; n++) {
        struct reap__string text = {0};
        reap__fail_allocation(n);
        make(names, &text);
        reap__fail_allocation(0);
        failed = text.failed;
        CHECK(failed || strstr(text.bytes, "#undef half\n#undef step\n") != NULL);
        reap__string_release(&text);
    }
    CHECK(!failed);
    CHECK_EQ(reap__allocations_alive(), 0);
}

int main(void)
{
    CHECK(gives((const char *const[]){NULL}, ""));
    CHECK(gives((const char *const[]){"half 2", NULL}, "#undef half\n"));
    CHECK(gives((const char *const[]){"step(x) x", "half", NULL}, "#undef step\n#undef half\n"));
    CHECK(gives((const char *const[]){"hal", "halfs", "ste", "one", "", "2", NULL}, ""));
    CHECK(gives((const char *const[]){"early", "late", NULL}, ""));
    check_failures_of_memory();
    return check_finish();
}
