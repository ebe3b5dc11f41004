/* SPDX-License-Identifier: Apache-2.0
 *
 * REAP_CHECK=1: finds programs that use a buffer's memory outside of host accesses, on every
 * device. The buffer's contents are in memory of the library. The memory that the program knows has
 * the contents only during host accesses. Between them, that of a created buffer is protected pages
 * (port/watch.h); that of a wrapped one must not change, and has a pattern once a command has
 * written the buffer.
 */
#ifndef REAP_MEMORY_ACCESS_CHECK_H
#define REAP_MEMORY_ACCESS_CHECK_H

#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__access_check;

/* `wrapped`: memory that the program wraps, whose contents become the buffer's; NULL: allocates
 * memory. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__access_check_make(unsigned char *wrapped, size_t bytes,
                                    struct reap__access_check **check);
void reap__access_check_release(struct reap__access_check *check);

/* The memory that the program knows, and the memory with the buffer's contents. */
unsigned char *reap__access_check_visible(const struct reap__access_check *check);
unsigned char *reap__access_check_contents(const struct reap__access_check *check);

/* Called before a command or the release, which messages call `what` and which may write the
 * buffer, uses it. Fails with REAP_ERROR_INVALID_ARGUMENT if the program has used the memory
 * outside of an access, which is reported once; and during an access, unless both only read. The
 * buffer's contents do not change. */
reap_status reap__access_check_verify(struct reap__access_check *check, const char *what,
                                      bool writes);

/* Called when a command is launched: fails with REAP_ERROR_INVALID_ARGUMENT if an access has not
 * ended. (A command that was launched before an access may run during it if both only read.) */
reap_status reap__access_check_ended(struct reap__access_check *check, const char *what);

/* `begin`: an access begins, once the contents are in host memory. Fails if the
 * program has used the memory outside of an access. `end`: an access ends. Accesses may overlap. */
reap_status reap__access_check_begin(struct reap__access_check *check, bool writes);
void reap__access_check_end(struct reap__access_check *check);

/* A command has written the buffer. */
void reap__access_check_note_written(struct reap__access_check *check);

#endif
