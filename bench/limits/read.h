/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain vectorised read loop.
 */
#ifndef BENCH_LIMITS_READ_H
#define BENCH_LIMITS_READ_H

#include <stddef.h>
#include <stdint.h>

/* All bits of the words that are set in some of them. */
uint64_t limits_read(const uint64_t *words, size_t count);

#endif
