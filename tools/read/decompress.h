/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompresses a stream, in order, by zlib (gzip, of one member or several) or by libzstd (of one
 * frame or several). A build may lack either library.
 */
#ifndef CLI_DECOMPRESS_H
#define CLI_DECOMPRESS_H

#include "tools/read/input.h"

enum { CLI_DECOMPRESSOR_MAGIC_BYTES = 4 };

struct cli_decompressor;

/* The name of the method that compresses streams with these first bytes; NULL: unknown. */
const char *cli_decompressor_recognise(const unsigned char *bytes, size_t count);

/* The stream begins with `bytes`, which are copied: at most CLI_DECOMPRESSOR_MAGIC_BYTES. Returns
 * NULL and a failure if memory runs out, or the library is missing. */
struct cli_decompressor *cli_decompressor_open(const char *method, const unsigned char *bytes,
                                               size_t count, cli_input *input, void *from,
                                               struct cli_failure *failure);
void cli_decompressor_close(struct cli_decompressor *decompressor); /* or NULL */

/* Reads the next `bytes` bytes; fewer only at the end. A damaged or truncated stream is a failure
 * (unless an interrupt ended it), which names the position in the decompressed stream. */
bool cli_decompressor_read(struct cli_decompressor *decompressor, void *into, size_t bytes,
                           size_t *count, struct cli_failure *failure);

/* "gzip" or "zstd"; NULL for NULL. */
const char *cli_decompressor_method(const struct cli_decompressor *decompressor);

#endif
