/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled programs on disk, in the folder that the configuration names. It only ever saves time:
 * what cannot be written is not kept, and what cannot be read, or is not what was written, is as if
 * it were not there.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_CACHE_H
#define REAP_ACCELERATOR_PROGRAM_CACHE_H

#include "src/accelerator/driver.h"

#include <stdbool.h>
#include <stddef.h>

/* The most that is kept: bytes of one file, files, and bytes of all of them. */
enum {
    REAP__MOST_CACHE_FILE_BYTES = 64 << 20,
    REAP__MOST_CACHE_FILES = 1024,
    REAP__MOST_CACHE_BYTES = 512 << 20
};

/* The key is all that determines the binary. Any thread, any process. The binary that is found is
 * the caller's (reap__free). */
bool reap__cache_find(const char *key, size_t key_bytes, struct reap__binary *binary);

/* Takes the place of what was stored under this key. Where there is more then than is kept, the
 * files go that were not used for the longest time. */
void reap__cache_store(const char *key, size_t key_bytes, const struct reap__binary *binary);

#endif
