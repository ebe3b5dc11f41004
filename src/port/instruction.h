/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an instruction of x86-64 ends.
 */
#ifndef REAP_PORT_INSTRUCTION_H
#define REAP_PORT_INSTRUCTION_H

#include <stddef.h>

/* The length of the instruction at `begin`, in the code up to `end`; 0 if it is none or unknown,
 * or is cut off. *opcode: the place of its opcode, or of the VEX, EVEX or XOP prefix that contains
 * it, counted from `begin`. */
size_t reap__instruction_length(const unsigned char *begin, const unsigned char *end,
                                size_t *opcode);

#endif
