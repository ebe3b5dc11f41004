/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that reads a variable of the program, which devices do not have.
 */
#include <reap/kernel.h>

extern int program_factor;

REAP_KERNEL(scale_by_program, inout(int, x))
{
    x[reap_global_id(0)] *= program_factor;
}
