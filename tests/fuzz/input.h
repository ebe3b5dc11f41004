/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets share: a target's bytes as an input of the tool, and an assertion.
 */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include "tools/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static inline void require(bool is_right)
{
    if (!is_right)
        abort();
}

/* The bytes that are left. */
struct input_left {
    const uint8_t *bytes;
    size_t count;
};

/* A cli_input of those (tools/read/input.h). */
static inline bool input_give(void *from, void *into, size_t bytes, size_t *count,
                              struct cli_failure *failure)
{
    struct input_left *left = from;
    (void)failure;
    *count = left->count < bytes ? left->count : bytes;
    if (*count > 0)
        memcpy(into, left->bytes, *count);
    left->bytes += *count;
    left->count -= *count;
    return true;
}

#endif
