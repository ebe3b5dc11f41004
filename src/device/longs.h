/* SPDX-License-Identifier: Apache-2.0
 *
 * `long long` in OpenCL C.
 */
#ifndef REAP_DEVICE_LONGS_H
#define REAP_DEVICE_LONGS_H

/* In the C text, `long long` becomes `long` and the suffixes LL, ULL and their like become those of
 * long, each with a blank for what is missing, so that everything stays where it is. */
void reap__longs_shorten(char *text);

#endif
