/* SPDX-License-Identifier: Apache-2.0
 *
 * The check of phases knows which of several variables of a name a statement changes. (In text: a
 * compiler would warn of such a kernel.)
 */
#include "tests/support/check_status.h"

#include "src/accelerator/preprocess/preprocess.h"
#include "tests/unit/source_files.h"

#include <reap/reap.h>
#include <string.h>

static enum reap__isa run_phases(const struct reap__work *work)
{
    (void)work;
    return REAP__ISA_PLAIN;
}

/* `body` is that of a kernel with a phase. */
static reap_status check_body(const char *body)
{
    static struct reap__kernel_state state;
    char text[512];
    snprintf(text, sizeof text, "REAP_GROUP_KERNEL(k, in(int, x), out(int, y))\n{\n%s\n}\n", body);
    begin("k.h", text);
    memset(&state, 0, sizeof state);
    kernel.state = &state;
    kernel.phases[REAP__ISA_PLAIN] = run_phases;
    return reap__phases_check(&kernel);
}

static bool takes(const char *body)
{
    const reap_status status = check_body(body);
    if (status != REAP_OK)
        fprintf(stderr, "%s\n%s\n", body, reap_last_error());
    return status == REAP_OK;
}

static bool refuses(const char *body, const char *what)
{
    const reap_status status = check_body(body);
    if (status == REAP_ERROR_COMPILATION_FAILED && strstr(reap_last_error(), what) != NULL)
        return true;
    fprintf(stderr, "%s\n%d: %s\n", body, (int)status, reap_last_error());
    return false;
}

int main(void)
{
    CHECK(refuses("int s = 0;\nreap_for_each_item {\ns += x[0];\n}", "k.h:5"));
    CHECK(refuses("int s = 0;\nreap_for_each_item {\nfor (int s = 0; s < 2; s++)\n;\ns += x[0];\n}",
                  "k.h:7"));
    CHECK(
        refuses("int s = 0;\nreap_for_each_item {\nfor (int s = 0; s < 2; s++) {\n}\ns += x[0];\n}",
                "k.h:7"));
    CHECK(refuses(
        "int s = 0;\nreap_for_each_item {\nfor (int s = 0; s < 2; s++)\nfor (;;) if (s) break; "
        "else s++;\ns += x[0];\n}",
        "k.h:7"));
    CHECK(refuses("int s = 0;\nreap_for_each_item {\n{ int s = 0; s++; }\ns += x[0];\n}", "k.h:6"));
    CHECK(takes(
        "int s = 0;\nreap_for_each_item {\nfor (int s = 0; s < 2; s++)\ns += x[0];\ny[0] = s;\n}"));
    CHECK(takes(
        "int s = 0;\nreap_for_each_item {\nint s = 0;\nfor (s = 0; s < 2; s++)\ns += x[0];\n}"));
    return check_finish();
}
