/* SPDX-License-Identifier: Apache-2.0
 *
 * From a reduction's result to the caller's variable.
 */
#ifndef REAP_REDUCTION_STORE_H
#define REAP_REDUCTION_STORE_H

#include "src/core/checked_launch.h"
#include "src/reduction/tree.h"

/* Makes every NaN among the values of a built-in floating-point reduction the canonical one:
 * machines differ in the sign and payload of a NaN that they make. */
void reap__canonicalise(enum reap__number number, void *values, size_t count);

/* Writes op(variable, result), or with the property the result, into a scalar target; leaves it
 * alone where the result is not there. `room` holds one result. */
void reap__store_scalar(const struct reap__target *target, const struct reap__results *result,
                        void *temporary);

/* The same where a command's reductions are of rows or columns that have no items: for each of
 * them. Fails with REAP_ERROR_OUT_OF_MEMORY, and the variables are unchanged. */
reap_status reap__store_empty_lines(const struct reap__launch *command);

/* A -0 of that type, which is a floating-point one; lives forever. */
const void *reap__minus_zero(enum reap__number number);

/* What elements of a span start from, where there is an identity, the operator's or the launch's:
 * the identity, but -0 for a built-in floating-point sum without an identity of the launch's own,
 * since that leaves every value as it is. Both pointers: one value, or NULL. */
void reap__span_start(const struct reap__target *target, void *identity, void *start);

/* Whether a span's values come to the same bits in any order: those of exact sums; integers,
 * minimum and maximum, with a built-in operator and its own identity. */
bool reap__span_has_any_order(const struct reap__target *target);

/* Combines totals, which began as `start`, with elements `first` to `first` + `count` of a span's
 * variable; elements that no work-item combined into do not change. */
void reap__store_span(const struct reap__target *target, const void *start,
                      const struct reap__results *total, size_t first, size_t count);

#endif
