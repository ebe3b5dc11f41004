/* SPDX-License-Identifier: Apache-2.0
 *
 * Group algorithms done the naive way, on values in the order of local linear ids: serial, written
 * from what kernel_words.h and DESIGN say of their order, and including nothing of the library.
 */
#ifndef TESTS_WORK_GROUPS_REFERENCE_GROUPS_H
#define TESTS_WORK_GROUPS_REFERENCE_GROUPS_H

#include "tests/conformance/reference.h"

/* Folds the values of `size` items by halving. */
void reference_group_reduce(const struct reference_operator *op, const void *values, size_t size,
                            void *result);

/* Scans them by doubling; the exclusive scan is the inclusive one moved by one item, and the first
 * gets the identity. */
void reference_group_scan(const struct reference_operator *op, const void *values, size_t size,
                          bool is_exclusive, void *results);

/* The same of `count` elements of an array, by a group of `size` items: item l combines elements l,
 * l + size, ... from the identity on, and the items' values fold. */
void reference_joint_reduce(const struct reference_operator *op, const void *values, size_t count,
                            size_t size, void *result);

/* Rows of `size` elements are scanned, each after what the rows before it come to. */
void reference_joint_scan(const struct reference_operator *op, const void *values, size_t count,
                          size_t size, bool is_exclusive, void *results);

#endif
