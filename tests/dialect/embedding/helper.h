/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel file includes: it says so, and declares the macro that it needs.
 */
#ifndef TESTS_DIALECT_EMBEDDING_HELPER_H
#define TESTS_DIALECT_EMBEDDING_HELPER_H

#include <reap/kernel.h>

REAP_KERNEL_FILE
REAP_KERNEL_MACRO(FACTOR)

static int scaled(int value)
{
    return FACTOR * value;
}

#endif
