/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of object_unit.c, as a program has them.
 */
#ifndef TESTS_CLI_OBJECT_UNIT_H
#define TESTS_CLI_OBJECT_UNIT_H

#include <stddef.h>

struct reap_kernel;

const struct reap_kernel *const *object_unit_kernels(size_t *count);

#endif
