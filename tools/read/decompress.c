/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompression: a buffer of compressed bytes between an input and a method, which decompresses
 * into the caller's memory. Each method has its own file and library.
 */
#include "tools/read/decompress.h"

#include "tools/interrupt.h"
#include "tools/read/decompress_method.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#if CLI_HAVE_ZLIB
#define GZIP &cli_decompress_gzip
#else
#define GZIP NULL
#endif
#if CLI_HAVE_ZSTD
#define ZSTD &cli_decompress_zstd
#else
#define ZSTD NULL
#endif

struct row {
    const char *name, *library;
    size_t magic_bytes;
    unsigned char magic[CLI_DECOMPRESSOR_MAGIC_BYTES];
    unsigned char mask; /* of the first one: these bits count */
    const struct cli_decompress_method *method;
};

static const struct row rows[] = {
    {"gzip", "zlib", 3, {0x1f, 0x8b, 0x08}, 0xff, GZIP},
    {"zstd", "libzstd", 4, {0x28, 0xb5, 0x2f, 0xfd}, 0xff, ZSTD},
    {"zstd", "libzstd", 4, {0x50, 0x2a, 0x4d, 0x18}, 0xf0, ZSTD}, /* begins with one to skip */
};

enum { ROW_COUNT = sizeof rows / sizeof *rows, BUFFER_BYTES = 1 << 18 };

struct cli_decompressor {
    const struct row *row;
    void *state; /* the method's */
    cli_input *input;
    void *from;
    bool has_all;   /* the input is at its end */
    size_t at, end; /* of the buffer: not used by the method yet */
    uint64_t given; /* bytes of the decompressed stream */
    struct cli_failure failure;
    unsigned char buffer[BUFFER_BYTES];
};

static bool matches(const struct row *row, const unsigned char *bytes, size_t count)
{
    return count >= row->magic_bytes && (bytes[0] & row->mask) == row->magic[0] &&
           memcmp(bytes + 1, row->magic + 1, row->magic_bytes - 1) == 0;
}

const char *cli_decompressor_recognise(const unsigned char *bytes, size_t count)
{
    for (int r = 0; r < ROW_COUNT; r++)
        if (matches(&rows[r], bytes, count))
            return rows[r].name;
    return NULL;
}

/* ---- Opening ----------------------------------------------------------------------------------*/

static const struct row *find_row(const char *name)
{
    int r = 0;
    while (strcmp(rows[r].name, name) != 0)
        r++;
    return &rows[r];
}

struct cli_decompressor *cli_decompressor_open(const char *method, const unsigned char *bytes,
                                               size_t count, cli_input *input, void *from,
                                               struct cli_failure *failure)
{
    const struct row *row = find_row(method);
    if (row->method == NULL) {
        cli_fail(failure, "is compressed by %s, and this reap was built without %s", row->name,
                 row->library);
        return NULL;
    }
    struct cli_decompressor *decompressor = calloc(1, sizeof *decompressor);
    if (decompressor == NULL || (decompressor->state = row->method->open()) == NULL) {
        free(decompressor);
        cli_fail(failure, "%s", strerror(ENOMEM));
        return NULL;
    }
    decompressor->row = row;
    decompressor->input = input;
    decompressor->from = from;
    memcpy(decompressor->buffer, bytes, count);
    decompressor->end = count;
    return decompressor;
}

void cli_decompressor_close(struct cli_decompressor *decompressor)
{
    if (decompressor == NULL)
        return;
    decompressor->row->method->close(decompressor->state);
    free(decompressor);
}

const char *cli_decompressor_method(const struct cli_decompressor *decompressor)
{
    return decompressor == NULL ? NULL : decompressor->row->name;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

static bool fail_at(struct cli_decompressor *decompressor, const char *what)
{
    return cli_fail(&decompressor->failure, "byte %" PRIu64 " of the decompressed stream: %s: %s",
                    decompressor->given, decompressor->row->name, what);
}

static bool fill_buffer(struct cli_decompressor *decompressor)
{
    size_t got;
    if (decompressor->at < decompressor->end || decompressor->has_all)
        return true;
    if (!decompressor->input(decompressor->from, decompressor->buffer, BUFFER_BYTES, &got,
                             &decompressor->failure))
        return false;
    decompressor->at = 0;
    decompressor->end = got;
    decompressor->has_all = got < BUFFER_BYTES;
    return true;
}

/* Decompresses more bytes; none at the end. */
static bool read_some(struct cli_decompressor *decompressor, unsigned char *into, size_t bytes,
                      size_t *count)
{
    const struct cli_decompress_method *method = decompressor->row->method;
    do {
        if (!fill_buffer(decompressor))
            return false;
        struct cli_decompress_step step = {decompressor->buffer + decompressor->at,
                                           decompressor->end - decompressor->at, into, bytes};
        const char *wrong = method->step(decompressor->state, &step);
        decompressor->at = decompressor->end - step.in_bytes;
        *count = bytes - step.out_bytes;
        decompressor->given += *count;
        if (wrong != NULL)
            return fail_at(decompressor, wrong);
        if (*count > 0 || cli_is_interrupted())
            return true;
    } while (decompressor->at < decompressor->end || !decompressor->has_all);
    return method->may_end(decompressor->state) || fail_at(decompressor, "the stream ends early");
}

bool cli_decompressor_read(struct cli_decompressor *decompressor, void *into, size_t bytes,
                           size_t *count, struct cli_failure *failure)
{
    bool is_fine = decompressor->failure.text[0] == '\0';
    size_t more = 1;
    for (*count = 0; is_fine && *count < bytes && more > 0; *count += is_fine ? more : 0)
        is_fine = read_some(decompressor, (unsigned char *)into + *count, bytes - *count, &more);
    return is_fine || cli_fail(failure, "%s", decompressor->failure.text);
}
