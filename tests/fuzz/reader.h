/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of the format that a reader is for.
 */
#ifndef TESTS_FUZZ_READER_H
#define TESTS_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

/* As LLVMFuzzerTestOneInput. */
int fuzz_reader(const uint8_t *bytes, size_t count);

#endif
