/* SPDX-License-Identifier: Apache-2.0
 *
 * A method of compression, for decompress.c: what a library does with bytes that are there.
 */
#ifndef CLI_DECOMPRESS_METHOD_H
#define CLI_DECOMPRESS_METHOD_H

#include <stdbool.h>
#include <stddef.h>

/* Compressed bytes that are there, and room for decompressed ones. A step moves both on. */
struct cli_decompress_step {
    const unsigned char *in;
    size_t in_bytes;
    unsigned char *out;
    size_t out_bytes;
};

struct cli_decompress_method {
    void *(*open)(void); /* NULL: there is no memory */
    void (*close)(void *state);

    /* Decompresses until either side is used up, or less. Gives what is wrong with the stream; NULL
     * for nothing. */
    const char *(*step)(void *state, struct cli_decompress_step *step);

    /* Whether the stream may end here: all that was begun is complete. */
    bool (*may_end)(const void *state);
};

extern const struct cli_decompress_method cli_decompress_gzip, cli_decompress_zstd;

#endif
