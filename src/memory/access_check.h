/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_CHECK=1: finds a program that uses a buffer's memory outside of its host accesses, on every
 * device. What the buffer holds is in memory of the library's; the program's pointer leads to it
 * during accesses alone. Between them the memory of a created buffer is watched, and that of a
 * wrapped one must stay as it is; once a command has written the buffer, it holds a pattern.
 */
#ifndef REAP_MEMORY_ACCESS_CHECK_H
#define REAP_MEMORY_ACCESS_CHECK_H

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__access_check;

/* For memory that the program wraps, and reads as it is now; or, where `wrapped` is NULL, with
 * memory of its own. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__access_check_make(unsigned char *wrapped, size_t bytes,
                                    struct reap__access_check **check);
void reap__access_check_release(struct reap__access_check *check);

/* The memory that the program knows, and that which holds the buffer's contents. */
unsigned char *reap__access_check_visible(const struct reap__access_check *check);
unsigned char *reap__access_check_contents(const struct reap__access_check *check);

/* Before a command, an access or the release of the buffer, `what`, uses it. Fails with
 * REAP_ERROR_INVALID_ARGUMENT where the program has used it outside of an access, which is
 * forgotten then; or where an access has not ended. The buffer's contents are as they were. */
reap_status reap__access_check_verify(struct reap__access_check *check, const char *what);

/* An access begins, once the contents are in the host's memory; fails as reap__access_check_verify
 * does, but accesses may overlap. And one ends. */
reap_status reap__access_check_begin(struct reap__access_check *check, bool writes);
void reap__access_check_end(struct reap__access_check *check);

/* A command has written the buffer. */
void reap__access_check_note_written(struct reap__access_check *check);

#endif
