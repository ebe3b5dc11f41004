/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel dialects for devices: the headers below include/reap that device compilers read, whose
 * texts travel in the library.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_DIALECT_H
#define REAP_ACCELERATOR_PREPROCESS_DIALECT_H

/* The text of a header, "reap/half.h"; NULL where there is none of that name. Lives for ever. */
const char *reap__dialect_header(const char *name);

/* Its name, as a string that lives for ever; NULL likewise. */
const char *reap__dialect_header_name(const char *name);

#endif
