/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of work-items worth trying: the edges of the reduction shape, small primes, and random
 * ones of every magnitude.
 */
#ifndef TESTS_CONFORMANCE_COUNTS_H
#define TESTS_CONFORMANCE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* Writes `wanted` counts from 0 to largest for a type of that many bytes, largest among them. */
void counts_draw(size_t bytes, size_t largest, size_t wanted, uint64_t *random, size_t *counts);

#endif
