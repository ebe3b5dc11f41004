/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, or of a decompressor, in order.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "tools/failure.h"

#include <stddef.h>

/* Reads the next `bytes` bytes; fewer only at the end, or after an interrupt (tools/interrupt.h).
 */
typedef bool cli_input(void *from, void *into, size_t bytes, size_t *count,
                       struct cli_failure *failure);

#endif
