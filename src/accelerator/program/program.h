/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled programs of a device, by kernel and layout; their cache on disk; dumps of texts and
 * binaries; and diagnostics, which translate a compiler's log.
 */
#ifndef REAP_ACCELERATOR_PROGRAM_PROGRAM_H
#define REAP_ACCELERATOR_PROGRAM_PROGRAM_H

#include "src/accelerator/codegen/layout.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends the complete text for a device's compiler. Fails with REAP_ERROR_COMPILATION_FAILED or
 * REAP_ERROR_OUT_OF_MEMORY. Any thread. */
reap_status reap__program_text(const struct reap__accelerator *accelerator,
                               const struct reap__layout *layout, struct reap__string *text);

/* Sets *program to the program of the layout's kernel in this layout, which is compiled, or loaded
 * from the cache, at its first use, and never freed. Blocks until then. With the accelerator's lock
 * held. Fails with REAP_ERROR_COMPILATION_FAILED, with the user's file and line,
 * REAP_ERROR_OUT_OF_MEMORY or REAP_ERROR_DEVICE_FAILED. */
reap_status reap__program_get(struct reap__accelerator *accelerator,
                              const struct reap__layout *layout, struct reap__program **program);

/* Compiles the text for this layout and discards the binary; calls only the driver's `compile`.
 * Fails with REAP_ERROR_COMPILATION_FAILED, REAP_ERROR_OUT_OF_MEMORY or as the driver. */
reap_status reap__program_check(struct reap__accelerator *accelerator,
                                const struct reap__layout *layout);

/* ---- Cache on disk (cache.c) ------------------------------------------------------------------*/

/* Limits of the cache. */
enum {
    REAP__MOST_CACHE_FILE_BYTES = 64 << 20,
    REAP__MOST_CACHE_FILES = 1024,
    REAP__MOST_CACHE_BYTES = 512 << 20
};

/* Looks up the binary that was stored under a key, which contains all that determines it. Returns
 * whether it was found; the caller then owns *binary (reap__free). Any thread; other processes may
 * use the cache at the same time. */
bool reap__cache_find(const char *key, size_t key_bytes, struct reap__binary *binary);

/* Stores a binary, in place of an earlier one under this key. Then removes the least recently used
 * files until the cache is within its limits. Failures are ignored. */
void reap__cache_store(const char *key, size_t key_bytes, const struct reap__binary *binary);

/* A hash of the bytes; another seed makes another hash. The same on all machines of one byte order.
 * Any thread. */
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

/* Writes KERNEL.DEVICE.HASH.cl (or .cu), .log and .bin (or .ptx) into the folder of the
 * configuration; without a folder, does nothing. HASH is a hash of the text. Fails with
 * REAP_ERROR_INVALID_ARGUMENT, naming the file and the system's reason, or
 * REAP_ERROR_OUT_OF_MEMORY. Any thread. */
reap_status reap__dump(const struct reap__dump *dump);

/* ---- Diagnostics (diagnostics.c) --------------------------------------------------------------*/

/* Appends advice to `line`, which has `size` bytes and describes an error in `text`, if there is
 * any for that error and it fits. */
void reap__diagnostics_add_advice(char *line, size_t size, const char *text);

/* Writes the log's first error to `line` as "FILE:LINE: error: MESSAGE", cut to `size` bytes, which
 * is not 0. If the compiler counts lines itself, FILE and LINE are translated by the #line
 * directives of `text`, which it compiled. If no error has a file and line, the first error is
 * written unchanged; of a log without errors, the first line. Names that preprocess/names.c has
 * changed are as in the kernel file. NULL: an empty log. Any thread. */
void reap__diagnostics_first_error(const char *log, const char *text, char *line, size_t size);

/* Appends all lines of a log of compiling `text`, with lines of errors translated as by
 * reap__diagnostics_first_error. NULL: an empty log. Any thread. */
void reap__diagnostics_add_lines(const char *log, const char *text, struct reap__string *into);

#endif
