/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of every kind, in an object that the test is linked with and reads, too.
 */
#define REAP_LIST_KERNELS
#define FACTOR 3 /* which helper.h declares */
#include "tests/tool/object_unit.h"

#include "examples/tutorial/4_phases.kernels.h"
#include "tests/conformance/locations.kernels.h"
#include "tests/conformance/user.kernels.h"
#include "tests/contract/04_histogram.kernels.h"
#include "tests/contract/08_groups.kernels.h"
#include "tests/tool/object_unit.kernels.h"

#include <reap/compile.h>

const struct reap_kernel *const *object_unit_kernels(size_t *count)
{
    return reap_listed_kernels(count);
}
