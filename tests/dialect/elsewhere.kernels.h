/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that calls a function of a C file, and so runs on the host alone.
 */
#include <reap/kernel.h>

int called_elsewhere(int value);

REAP_KERNEL(calls_elsewhere, reduce(plus, int, called))
{
    reap_combine(called, called_elsewhere((int)reap_global_id(0)));
}
