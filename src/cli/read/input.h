/* SPDX-License-Identifier: Apache-2.0
 *
 * Where bytes come from, for those who read them in order: a file, or what another one makes of it.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "src/cli/failure.h"

#include <stddef.h>

/* Gives the next bytes: as many, fewer only where no more are left, or after an interrupt
 * (src/cli/interrupt.h). */
typedef bool cli_input(void *from, void *into, size_t bytes, size_t *count,
                       struct cli_failure *failure);

#endif
