/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash of bytes, against accidents and not against forgery.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_HASH_H
#define REAP_ACCELERATOR_PROGRAM_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Each seed gives another hash. They are the same on all machines of one byte order. Any thread. */
uint64_t reap__hash(uint64_t seed, const void *bytes, size_t size);

#endif
