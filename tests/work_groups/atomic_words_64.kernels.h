/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic word on types of 64 bits, in global and in local memory, and many work-items on one
 * word.
 */
#include <reap/kernel.h>

#include "tests/work_groups/atomic_words_steps.h"

REAP_KERNEL_FILE

#define NAME long
#define TYPE long
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME ulong
#define TYPE unsigned long
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME double
#define TYPE double
#define IS_INTEGER 0
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME llong
#define TYPE long long
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"

#define NAME ullong
#define TYPE unsigned long long
#define IS_INTEGER 1
#include "tests/work_groups/atomic_words.kernels_tmpl.h"
