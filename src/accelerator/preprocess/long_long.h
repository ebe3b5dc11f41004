/* SPDX-License-Identifier: Apache-2.0
 *
 * `long long` in OpenCL C.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_LONG_LONG_H
#define REAP_ACCELERATOR_PREPROCESS_LONG_LONG_H

/* In the C text, `long long` becomes `long` and the suffixes LL, ULL and their like become those of
 * long, each with a blank for what is missing, so that everything stays where it is. */
void reap__rewrite_long_long(char *text);

#endif
