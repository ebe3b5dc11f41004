/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets about compressed streams share: the bytes are decompressed in pieces of two
 * sizes, and through both the same must come.
 */
#ifndef TESTS_FUZZ_STREAM_H
#define TESTS_FUZZ_STREAM_H

#include "tests/fuzz/input.h"
#include "tools/read/decompress.h"

enum { STREAM_MOST = 1 << 22 }; /* bytes that are decompressed; small inputs may have many */

/* Gives a sum over what comes, and what failed. */
static inline uint64_t stream_read(const char *method, const uint8_t *bytes, size_t count,
                                   size_t piece, struct cli_failure *failure)
{
    struct input_left left = {bytes + CLI_DECOMPRESSOR_MAGIC_BYTES,
                              count - CLI_DECOMPRESSOR_MAGIC_BYTES};
    uint64_t sum = 0, total = 0;
    size_t got = piece;
    unsigned char *into = malloc(piece);
    struct cli_decompressor *decompressor = cli_decompressor_open(
        method, bytes, CLI_DECOMPRESSOR_MAGIC_BYTES, input_give, &left, failure);
    require(into != NULL && decompressor != NULL);
    while (got == piece && total < STREAM_MOST &&
           cli_decompressor_read(decompressor, into, piece, &got, failure)) {
        for (size_t i = 0; i < got; i++)
            sum = (sum ^ into[i]) * 0x100000001b3u;
        total += got;
    }
    if (failure->text[0] != '\0') /* then it fails again */
        require(!cli_decompressor_read(decompressor, into, piece, &got, failure));
    cli_decompressor_close(decompressor);
    free(into);
    return failure->text[0] != '\0' ? 0 : sum ^ total;
}

static inline int stream_check(const char *method, const uint8_t *bytes, size_t count)
{
    const char *recognised = cli_decompressor_recognise(bytes, count);
    struct cli_failure whole = {""}, pieces = {""};
    if (recognised == NULL || strcmp(recognised, method) != 0 ||
        count < CLI_DECOMPRESSOR_MAGIC_BYTES)
        return 0;
    const uint64_t one = stream_read(method, bytes, count, STREAM_MOST, &whole);
    const uint64_t other = stream_read(method, bytes, count, 1 << 12, &pieces);
    /* Where libzstd finds an error depends on how much room it has. */
    require(one == other && (whole.text[0] == '\0') == (pieces.text[0] == '\0'));
    return 0;
}

#endif
