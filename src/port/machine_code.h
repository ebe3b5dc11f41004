/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches the machine code of kernels for instructions that change results.
 */
#ifndef REAP_PORT_MACHINE_CODE_H
#define REAP_PORT_MACHINE_CODE_H

#include <stdbool.h>

/* Whether the code from begin to end, without data in it, has an instruction that alternately adds
 * to and subtracts from a product and rounds once (vfmaddsub and vfmsubadd of x86-64, in every
 * form), or multiplies complex numbers of half precision and rounds once. C has no expression for
 * it. True also if the code has the bytes of one and is not all known. False on processors without
 * such instructions, and if begin is NULL. */
bool reap__code_has_fmaddsub(const unsigned char *begin, const unsigned char *end);

/* The same for instructions that round floating-point numbers to integers toward 0. */
bool reap__code_has_truncation(const unsigned char *begin, const unsigned char *end);

#endif
