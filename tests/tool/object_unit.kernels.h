/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that needs another file and a macro.
 */
#include <reap/kernel.h>

#include "tests/dialect/embedding/helper.h"

REAP_KERNEL(scales, inout(int, x))
{
    x[reap_global_id(0)] = scaled(x[reap_global_id(0)]);
}
