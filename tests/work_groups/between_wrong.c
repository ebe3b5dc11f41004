/* SPDX-License-Identifier: Apache-2.0
 *
 * What would depend on the device between phases, or in one, is refused on every device: when it is
 * compiled, and at a launch. The message names the line and what is wrong there.
 */
#define REAP_LIST_KERNELS
#include "tests/work_groups/between_wrong.kernels.h"

#include "tests/conformance/queues.h"

#include <reap/compile.h>

/* The line of a kernel's text that has "wrong:", and what follows it. */
static unsigned expected_line(const struct reap_kernel *kernel, char *words, size_t bytes)
{
    char head[128];
    const char *text = kernel->text(), *at, *end;
    unsigned line = 1;
    snprintf(head, sizeof head, "REAP_GROUP_KERNEL(%s,", kernel->name);
    at = strstr(text, head);
    at = at != NULL ? strstr(at, "/* wrong: ") : NULL;
    end = at != NULL ? strstr(at, " */") : NULL;
    CHECK(end != NULL);
    if (end == NULL)
        return 0;
    at += strlen("/* wrong: ");
    snprintf(words, bytes, "%.*s", (int)(end - at), at);
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static void check_refusal(reap_status status, const struct reap_kernel *kernel)
{
    char words[128] = "", place[64];
    const unsigned line = expected_line(kernel, words, sizeof words);
    snprintf(place, sizeof place, "between_wrong.kernels.h:%u: ", line);
    const unsigned long failed = check_failures;
    CHECK_STATUS(status, REAP_ERROR_COMPILATION_FAILED);
    CHECK_HAS(reap_last_error(), kernel->name);
    CHECK_HAS(reap_last_error(), place);
    CHECK_HAS(reap_last_error(), words);
    if (check_failures > failed)
        fprintf(stderr, "  %s: expected %s%s, got %s: %s\n", kernel->name, place, words,
                reap_status_name(status), status == REAP_OK ? "" : reap_last_error());
}

int main(void)
{
    static const struct reap_arguments_wrong_store arguments;
    reap_queue *queues[QUEUES];
    size_t count, wrong = 0;
    const struct reap_kernel *const *kernels = reap_listed_kernels(&count);
    queues_open(queues);
    for (size_t k = 0; k < count; k++) {
        if (kernels[k] == NULL)
            continue;
        wrong++;
        check_refusal(reap_kernel_compile(reap_queue_device(queues[0]), kernels[k], 1), kernels[k]);
        check_refusal(reap_launch(queues[0], kernels[k], &arguments), kernels[k]);
        CHECK_STATUS(reap_queue_wait(queues[0]), REAP_OK);
    }
    CHECK_EQ(wrong, 46);
    queues_close(queues);
    return check_finish();
}
