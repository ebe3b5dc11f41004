/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets about compressed streams share: the bytes are decompressed in pieces of two
 * sizes, and through both the same must come.
 */
#ifndef TESTS_FUZZ_STREAM_H
#define TESTS_FUZZ_STREAM_H

#include "src/cli/read/decompress.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { STREAM_MOST = 1 << 22 }; /* bytes that are decompressed; small inputs may have many */

struct stream_left {
    const uint8_t *bytes;
    size_t count;
};

static inline void require(bool is_right)
{
    if (!is_right)
        abort();
}

static inline bool stream_give(void *from, void *into, size_t bytes, size_t *count,
                               struct cli_failure *failure)
{
    struct stream_left *left = from;
    (void)failure;
    *count = left->count < bytes ? left->count : bytes;
    if (*count > 0)
        memcpy(into, left->bytes, *count);
    left->bytes += *count;
    left->count -= *count;
    return true;
}

/* Gives a sum over what comes, and what failed. */
static inline uint64_t stream_read(const char *method, const uint8_t *bytes, size_t count,
                                   size_t piece, struct cli_failure *failure)
{
    struct stream_left left = {bytes + CLI_DECOMPRESSOR_MAGIC_BYTES,
                               count - CLI_DECOMPRESSOR_MAGIC_BYTES};
    uint64_t sum = 0, total = 0;
    size_t got = piece;
    unsigned char *into = malloc(piece);
    struct cli_decompressor *decompressor = cli_decompressor_open(
        method, bytes, CLI_DECOMPRESSOR_MAGIC_BYTES, stream_give, &left, failure);
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
