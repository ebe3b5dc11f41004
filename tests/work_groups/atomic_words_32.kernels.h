/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic word on types of 32 bits, in global and in local memory, and many work-items on one
 * word.
 */
#include <reap/kernel.h>

#include "tests/work_groups/atomic_words_steps.h"

REAP_KERNEL_FILE

#define NAME int
#define TYPE int
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME uint
#define TYPE unsigned
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME float
#define TYPE float
#define IS_INTEGER 0
#include "tests/work_groups/atomic_words.kernels_tmpl.h"
