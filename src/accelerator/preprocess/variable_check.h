/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds a variable of a kernel file that lives longer than a work-item: outside of functions, or
 * static or extern in one. Devices do not share such a variable with the program: they have a copy,
 * or reject it. CUDA's compiler accepts it without a message.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H
#define REAP_ACCELERATOR_PREPROCESS_VARIABLE_CHECK_H

#include "src/accelerator/preprocess/expand.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets *name to the token of the first such variable that is certainly compiled, whatever the
 * conditions are whose values are not known. Returns false if there is none. */
bool reap__variables_find(const struct reap__tokens *tokens, size_t *name);

#endif
