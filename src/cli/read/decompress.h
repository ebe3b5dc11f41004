/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompresses a stream, in order, by zlib (gzip, of one member or several) or by libzstd (of one
 * frame or several). A build may lack either library.
 */
#ifndef CLI_DECOMPRESS_H
#define CLI_DECOMPRESS_H

#include "src/cli/read/input.h"

enum { CLI_DECOMPRESSOR_MAGIC_BYTES = 4 };

struct cli_decompressor;

/* By which method a stream with these first bytes is compressed; NULL: by none that is known. */
const char *cli_decompressor_recognise(const unsigned char *bytes, size_t count);

/* Begins with the bytes that have been read already, which are copied; there may be as many as the
 * function above looks at. NULL and a failure where there is no memory or no library. */
struct cli_decompressor *cli_decompressor_open(const char *method, const unsigned char *bytes,
                                               size_t count, cli_input *input, void *from,
                                               struct cli_failure *failure);
void cli_decompressor_close(struct cli_decompressor *decompressor); /* or NULL */

/* Gives the next bytes: as many, fewer only at the end; a stream that is damaged or ends early is a
 * failure (unless an interrupt ended it), which names the place in the decompressed stream. */
bool cli_decompressor_read(struct cli_decompressor *decompressor, void *into, size_t bytes,
                           size_t *count, struct cli_failure *failure);

/* "gzip" or "zstd"; NULL for NULL. */
const char *cli_decompressor_method(const struct cli_decompressor *decompressor);

#endif
