/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a block that `reap describe` has printed, and holds it against the reference.
 */
#ifndef TESTS_CLI_BLOCK_H
#define TESTS_CLI_BLOCK_H

#include "tests/tool/npy_file.h"
#include "tests/tool/reference.h"

#include <stdbool.h>

/* Whether the block that starts at `text` is right; says which of its lines are not. */
bool block_matches(const char *text, const struct npy_file *file, const struct reference *expected);

#endif
