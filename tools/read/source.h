/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, of standard input or of a pipe, in order, as they are once a compressed
 * stream is decompressed. A regular file that is not compressed can also be read at any position,
 * by any thread, or mapped.
 *
 * A file that becomes shorter while it is read is a failure, also if it is compressed or standard
 * input. One that becomes longer is not: in order it is read to its new end.
 *
 * An interrupt (tools/interrupt.h) ends a stream early, as if there were no more bytes.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "tools/read/input.h"
#include "tools/read/mapping.h"

#include <stdint.h>

struct cli_source;

/* Opens a file, or standard input, whose name is "-". NULL and a failure if that fails, or if it is
 * a folder. */
struct cli_source *cli_source_open(const char *name, struct cli_failure *failure);

/* The bytes that a function returns, as a source: a stream, which is not decompressed further. NULL
 * and a failure: out of memory. */
struct cli_source *cli_source_from_input(cli_input *input, void *from, struct cli_failure *failure);

/* A part of a file that is not compressed, as a source of the same kind. The bytes exist. It reads
 * from `whole`, which must remain open. NULL and a failure: out of memory. */
struct cli_source *cli_source_part(const struct cli_source *whole, uint64_t first, uint64_t bytes,
                                   struct cli_failure *failure);
void cli_source_close(struct cli_source *source); /* or NULL */

/* Sets *bytes to the next bytes, without taking them: `most`, for which memory is allocated; fewer
 * only at the end. They are valid until the next call. */
bool cli_source_peek(struct cli_source *source, size_t most, const unsigned char **bytes,
                     size_t *count, struct cli_failure *failure);

/* Reads the next `bytes` bytes; fewer only at the end. */
bool cli_source_read(struct cli_source *source, void *into, size_t bytes, size_t *count,
                     struct cli_failure *failure);

/* Takes bytes that cli_source_peek has returned. */
void cli_source_skip(struct cli_source *source, size_t bytes);

/* Whether it is a regular file that is not compressed. Then its size, and bytes at any position,
 * which must exist. Any thread may call these functions; they do not move the position of the
 * functions above. */
bool cli_source_is_file(const struct cli_source *source);
uint64_t cli_source_bytes(const struct cli_source *source);
bool cli_source_read_at(const struct cli_source *source, uint64_t first, void *into, size_t bytes,
                        struct cli_failure *failure);

/* The same bytes in memory; NULL: they cannot be mapped. */
const void *cli_source_map(const struct cli_source *source, uint64_t first, uint64_t bytes,
                           struct cli_mapping *mapping);

/* The file's name that it was opened with, for libraries that open files themselves. NULL for a
 * source that was made of an input or a part. */
const char *cli_source_name(const struct cli_source *source);

/* The method of compression: "gzip", "zstd"; NULL: not compressed. */
const char *cli_source_compression(const struct cli_source *source);

/* How many bytes of the file itself have been read in order, and its size; 0 if unknown. Any
 * thread. */
void cli_source_progress(const struct cli_source *source, uint64_t *taken, uint64_t *all);

#endif
