/* SPDX-License-Identifier: Apache-2.0
 *
 * Which file a kernel is compiled from: its own, or the one that includes it as a template; where
 * that cannot be determined; and every failure of an allocation.
 */
#include "tests/support/check.h"

#include "src/accelerator/preprocess/lookup.h"
#include "src/core/allocate.h"
#include "tests/unit/source_files.h"

#include <reap/reap.h>

#define KERNEL "#include <reap/kernel.h>\n"

static bool finds(const char *name)
{
    struct reap__file root = {NULL, NULL};
    const reap_status status = reap__find_root(&kernel, &root);
    if (status == REAP_OK && strcmp(root.name, name) == 0)
        return true;
    fprintf(stderr, "%s, %s: %s\n", reap_status_name(status), root.name != NULL ? root.name : "-",
            status != REAP_OK ? reap_last_error() : "");
    return false;
}

static bool fails(const char *line)
{
    struct reap__file root;
    const reap_status status = reap__find_root(&kernel, &root);
    return status == REAP_ERROR_COMPILATION_FAILED && strcmp(reap_last_error(), line) == 0;
}

static void check_own_file(void)
{
    begin("d/k.h", KERNEL "k");
    put_file("d/other.h", KERNEL "#include \"k.h\"\n");
    CHECK(finds("d/k.h"));
    begin("k.h", "/* x */ # \\\n include /**/ <reap/kernel.h> // y\n");
    put_file("other.h", KERNEL "#include \"k.h\"\n");
    CHECK(finds("k.h"));
    begin("k.h", "not included");
    CHECK(finds("k.h"));
    put_file("other.h", KERNEL "// #include \"k.h\"\n#include \"x.h\"\n#includes \"k.h\"\n");
    CHECK(finds("k.h"));
    begin("k.h", "#include \"k.h\"\n");
    CHECK(finds("k.h"));
}

static void check_templates(void)
{
    begin("d/tmpl.h", "/* #include <reap/kernel.h> */ T");
    put_file("d/other.h", KERNEL "no include");
    put_macro("N", "1");
    put_file("d/root.h", KERNEL "#define T\n#include \"tmpl.h\"\n#include \"tmpl.h\"\n");
    CHECK(finds("d/root.h"));
    begin("d/tmpl.h", "T");
    put_file("d/middle.h", "#include \"tmpl.h\"\n");
    put_file("e/root.h", KERNEL "#include \"../d/middle.h\"\n");
    CHECK(finds("e/root.h"));
    begin("a.h", "#include \"b.h\"\n"); /* two that include each other come to an end */
    put_file("b.h", "#include \"a.h\"\n");
    CHECK(finds("a.h") || finds("b.h"));
}

static void check_refusals(void)
{
    struct reap__file root;
    begin("tmpl.h", "T");
    put_file("one.h", KERNEL "#include \"tmpl.h\"\n");
    put_file("one.h", KERNEL "#include \"tmpl.h\"\n"); /* once for each C file */
    CHECK(finds("one.h"));
    put_file("two.h", KERNEL "#include \"tmpl.h\"\n//\n");
    CHECK(fails("kernel 'k': 'tmpl.h' is included by 'one.h' and by 'two.h': for devices "
                "only one file may include it (docs/kernels.md)"));
    begin("k.h", NULL);
    CHECK(
        fails("kernel 'k': its source text is not in the program, so it can run on the host only"));
    kernel.text = NULL;
    CHECK(
        fails("kernel 'k': its source text is not in the program, so it can run on the host only"));

    bool failed = true;
    begin("tmpl.h", "T");
    put_file("one.h", KERNEL "#include \"tmpl.h\"\n");
    for (unsigned long n = 1; failed && n < 100; n++) {
        reap__fail_allocation(n);
        const reap_status status = reap__find_root(&kernel, &root);
        reap__fail_allocation(0);
        failed = status != REAP_OK;
        CHECK(!failed || status == REAP_ERROR_OUT_OF_MEMORY);
    }
    CHECK(!failed && strcmp(root.name, "one.h") == 0);
    CHECK_EQ(reap__allocations_alive(), 0);
}

int main(void)
{
    check_own_file();
    check_templates();
    check_refusals();
    return check_finish();
}
