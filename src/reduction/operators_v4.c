/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled for x86-64-v4.
 */
#define OPERATIONS reap__operator_table_v4
#include "src/reduction/operators_tmpl.h"

#define EXACT_FUNCTIONS reap__exact_functions_v4
#include "src/reduction/exact_plane_tmpl.h"
#include "src/reduction/exact_store_tmpl.h"
#include "src/reduction/exact_tmpl.h"
