/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled programs of a device, by kernel and layout; their cache on disk, dumps for people to
 * read, and what a compiler's log means.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_PROGRAM_H
#define REAP_ACCELERATOR_PROGRAM_PROGRAM_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text that a device's compiler gets. Any thread. Fails with
 * REAP_ERROR_COMPILATION_FAILED or REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__program_text(const struct reap__accelerator *accelerator,
                               const struct reap__layout *layout, struct reap__string *text);

/* The program for a kernel in this layout, compiled at its first use; it lives for ever. With the
 * accelerator's lock held. Fails with REAP_ERROR_COMPILATION_FAILED, with the user's file and line,
 * REAP_ERROR_OUT_OF_MEMORY or REAP_ERROR_DEVICE_FAILED. */
reap_status reap__program_get(struct reap__accelerator *accelerator,
                              const struct reap__layout *layout, struct reap__program **program);

/* Compiles the text for that layout and forgets what came out; the driver's `compile` is all that
 * is called. Fails with REAP_ERROR_COMPILATION_FAILED, REAP_ERROR_OUT_OF_MEMORY or as the driver
 * does. */
reap_status reap__program_check(struct reap__accelerator *accelerator,
                                const struct reap__layout *layout);

/* ---- Cache on disk (cache.c) ------------------------------------------------------------------*/

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

/* Each seed gives another hash. They are the same on all machines of one byte order. Any thread. */
uint64_t reap__hash(uint64_t seed, const void *bytes, size_t size);

/* ---- REAP_DUMP_KERNELS (dump.c) ---------------------------------------------------------------*/

/* One compilation. */
struct reap__dump {
    const struct reap__accelerator *accelerator;
    const char *kernel_name;
    const char *text;
    const char *log;                   /* NULL: none */
    const struct reap__binary *binary; /* NULL: none */
};

/* Writes KERNEL.DEVICE.HASH.cl (or .cu), .log and .bin (or .ptx) into the folder that the
 * configuration names, where there is one; HASH is the text's. Any thread. Fails with
 * REAP_ERROR_INVALID_ARGUMENT, naming the file and the system's reason, or
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__dump(const struct reap__dump *dump);

/* ---- Diagnostics (diagnostics.c) --------------------------------------------------------------*/

/* Appends advice to a line that describes an error about `text`, where there is some, and
 * room for it in `size` bytes. */
void reap__diagnostics_add_advice(char *line, size_t size, const char *text);

/* Writes the log's first error as "FILE:LINE: error: MESSAGE", cut to `size`, which is not 0. Where
 * the compiler has its own count of lines, FILE and LINE are those that the #line directives of
 * `text`, which it compiled, give. Where none has a place the first error is written as it is,
 * and of a log without errors the first line; NULL is a log without words. Any thread. */
void reap__diagnostics_first_error(const char *log, const char *text, char *line, size_t size);

/* Appends the lines of a log about `text`; those of errors begin as reap__diagnostics_first_error
 * says. NULL is a log without words. Any thread. */
void reap__diagnostics_add_lines(const char *log, const char *text, struct reap__string *into);

#endif
