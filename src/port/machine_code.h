/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks into the machine code of kernels for what a compiler must not have made of them.
 */
#ifndef REAP_PORT_MACHINE_CODE_H
#define REAP_PORT_MACHINE_CODE_H

#include <stdbool.h>

/* Whether the code from begin to end may have an instruction that alternately adds to and subtracts
 * from a product and rounds once (vfmaddsub and vfmsubadd of x86-64, in every form). No C
 * expression means that instruction. Where the processor has none, or begin is NULL: false. */
bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end);

#endif
