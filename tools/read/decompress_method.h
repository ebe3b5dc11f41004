/* SPDX-License-Identifier: Apache-2.0
 *
 * A method of compression, for decompress.c: one step of a library.
 */
#ifndef CLI_DECOMPRESS_METHOD_H
#define CLI_DECOMPRESS_METHOD_H

#include <stdbool.h>
#include <stddef.h>

/* The available compressed bytes, and space for decompressed ones. A step advances both. */
struct cli_decompress_step {
    const unsigned char *in;
    size_t in_bytes;
    unsigned char *out;
    size_t out_bytes;
};

struct cli_decompress_method {
    void *(*open)(void); /* NULL: out of memory */
    void (*close)(void *state);

    /* Decompresses until either side is used up, or less. Returns the error of the stream, or NULL.
     */
    const char *(*step)(void *state, struct cli_decompress_step *step);

    /* Whether the stream may end here: everything that was begun is complete. */
    bool (*may_end)(const void *state);
};

extern const struct cli_decompress_method cli_decompress_gzip, cli_decompress_zstd;

#endif
