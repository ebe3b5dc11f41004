/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the result of a reduction in the caller's variable.
 */
#ifndef REAP_REDUCTION_STORE_H
#define REAP_REDUCTION_STORE_H

#include "src/core/checked_launch.h"
#include "src/reduction/tree.h"

/* Replaces every NaN among the values of a built-in floating-point reduction by the canonical one,
 * since machines make NaNs of different signs and payloads. */
void reap__canonicalise(enum reap__number number, void *values, size_t count);

/* Writes op(variable, result) to a scalar target, or with REAP_INITIALIZE_TO_IDENTITY the result;
 * writes nothing if the result has no value. `temporary` is memory for one result. */
void reap__store_scalar(const struct reap__target *target, const struct reap__results *result,
                        void *temporary);

/* The same for each row or column of a command whose rows or columns have no items. Fails with
 * REAP_ERROR_OUT_OF_MEMORY, and then changes no variable. */
reap_status reap__store_empty_lines(const struct reap__launch *command);

/* Returns -0 of a floating-point type. It is never freed. */
const void *reap__minus_zero(enum reap__number number);

/* Computes the value that the elements of a span start with, if there is an identity, the
 * operator's or the launch's: the identity; but -0 for a built-in floating-point sum without an
 * identity of the launch, since -0 leaves every value unchanged. `identity` and `start`: one value
 * each, or both NULL. */
void reap__span_start(const struct reap__target *target, void *identity, void *start);

/* Whether the result of a span has the same bits in any order: exact sums; integers, minimum and
 * maximum, with a built-in operator and its own identity. */
bool reap__span_has_any_order(const struct reap__target *target);

/* Combines `count` totals, which began as `start`, with the elements of a span's variable from
 * `first` on. Elements that no work-item combined into do not change. */
void reap__store_span(const struct reap__target *target, const void *start,
                      const struct reap__results *total, size_t first, size_t count);

#endif
