/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompression: a buffer of compressed bytes between an input and a method, which decompresses to
 * the caller's memory. A method calls a library, which a build may lack.
 */
#include "tools/read/decompress.h"

#include "tools/interrupt.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The available compressed bytes, and space for decompressed ones. A step advances both. */
struct step {
    const unsigned char *in;
    size_t in_bytes;
    unsigned char *out;
    size_t out_bytes;
};

struct method {
    void *(*open)(void); /* NULL: out of memory */
    void (*close)(void *state);

    /* Decompresses, at most until the input or the space is used up. Returns the stream's error, or
     * NULL.
     */
    const char *(*step)(void *state, struct step *step);

    /* Whether the stream may end here: no member or frame is incomplete. */
    bool (*may_end)(const void *state);
};

/* ---- gzip -------------------------------------------------------------------------------------*/

/* gzip (RFC 1952), by zlib: consecutive members, and zeros after the last one, which some programs
 * write as padding. Other bytes after it are an error, as for gzip -t. zlib checks each member's
 * CRC and size. */
#if CLI_HAVE_ZLIB
#include <zlib.h>

enum {
    GZIP_ALONE = 16,   /* of inflateInit2: only this format */
    FIRST_BYTE = 0x1f, /* of a member */
};

struct gzip {
    z_stream stream;
    enum { BETWEEN, IN_MEMBER, IN_PADDING } where;
};

static void *open_gzip(void)
{
    struct gzip *gzip = calloc(1, sizeof *gzip);
    if (gzip != NULL && inflateInit2(&gzip->stream, MAX_WBITS + GZIP_ALONE) != Z_OK) {
        free(gzip);
        return NULL;
    }
    return gzip;
}

static void close_gzip(void *state)
{
    struct gzip *gzip = state;
    inflateEnd(&gzip->stream);
    free(gzip);
}

static const char *begin(struct gzip *gzip, const struct step *step)
{
    if (step->in_bytes == 0)
        return NULL;
    if (*step->in == 0)
        gzip->where = IN_PADDING;
    else if (*step->in == FIRST_BYTE && inflateReset(&gzip->stream) == Z_OK)
        gzip->where = IN_MEMBER;
    else
        return "the stream is followed by something else";
    return NULL;
}

static const char *skip_padding(struct step *step)
{
    for (; step->in_bytes > 0; step->in++, step->in_bytes--)
        if (*step->in != 0)
            return "the stream is followed by something else";
    return NULL;
}

static uInt most(size_t bytes)
{
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

static const char *read_member(struct gzip *gzip, struct step *step)
{
    z_stream *stream = &gzip->stream;
    const uInt in = most(step->in_bytes), out = most(step->out_bytes);
    stream->next_in = (Bytef *)step->in; /* zlib does not write to it */
    stream->avail_in = in;
    stream->next_out = step->out;
    stream->avail_out = out;
    const int result = inflate(stream, Z_NO_FLUSH);
    step->in += in - stream->avail_in;
    step->in_bytes -= in - stream->avail_in;
    step->out += out - stream->avail_out;
    step->out_bytes -= out - stream->avail_out;
    if (result == Z_STREAM_END)
        gzip->where = BETWEEN;
    if (result == Z_OK || result == Z_STREAM_END ||
        result == Z_BUF_ERROR) /* no progress possible */
        return NULL;
    if (result == Z_MEM_ERROR)
        return "there is not enough memory";
    return stream->msg != NULL ? stream->msg : "the data are damaged";
}

static const char *step_gzip(void *state, struct step *step)
{
    struct gzip *gzip = state;
    const char *wrong = gzip->where == BETWEEN ? begin(gzip, step) : NULL;
    if (wrong != NULL)
        return wrong;
    if (gzip->where == IN_PADDING)
        return skip_padding(step);
    return gzip->where == IN_MEMBER ? read_member(gzip, step) : NULL;
}

static bool may_end_gzip(const void *state)
{
    const struct gzip *gzip = state;
    return gzip->where != IN_MEMBER;
}

static const struct method gzip_method = {
    .open = open_gzip, .close = close_gzip, .step = step_gzip, .may_end = may_end_gzip};

#define GZIP &gzip_method
#else
#define GZIP NULL
#endif

/* ---- Zstandard --------------------------------------------------------------------------------*/

/* Zstandard (RFC 8878), by libzstd: consecutive frames, also skippable ones. The window is limited:
 * a frame states its size, and libzstd allocates that much memory. */
#if CLI_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

/* The limit that zstd's manual recommends for every decoder; zstd needs an option for more, too. */
enum { MOST_WINDOW_LOG = 27 };

struct zstd {
    ZSTD_DStream *stream;
    bool is_in_frame;
};

static void close_zstd(void *state)
{
    struct zstd *zstd = state;
    ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

static void *open_zstd(void)
{
    struct zstd *zstd = calloc(1, sizeof *zstd);
    if (zstd == NULL)
        return NULL;
    zstd->stream = ZSTD_createDStream();
    if (zstd->stream != NULL &&
        !ZSTD_isError(ZSTD_DCtx_setParameter(zstd->stream, ZSTD_d_windowLogMax, MOST_WINDOW_LOG)))
        return zstd;
    close_zstd(zstd);
    return NULL;
}

static const char *step_zstd(void *state, struct step *step)
{
    struct zstd *zstd = state;
    ZSTD_inBuffer in = {step->in, step->in_bytes, 0};
    ZSTD_outBuffer out = {step->out, step->out_bytes, 0};
    if (!zstd->is_in_frame && step->in_bytes == 0)
        return NULL;
    const size_t result = ZSTD_decompressStream(zstd->stream, &out, &in);
    step->in += in.pos;
    step->in_bytes -= in.pos;
    step->out += out.pos;
    step->out_bytes -= out.pos;
    zstd->is_in_frame = result != 0;
    if (!ZSTD_isError(result))
        return NULL;
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
        return "a window of more than 128 MiB is needed, which is not supported (zstd --long=27 is "
               "the largest that is)";
    if (ZSTD_getErrorCode(result) == ZSTD_error_prefix_unknown)
        return "the stream is followed by something else";
    return ZSTD_getErrorName(result);
}

static bool may_end_zstd(const void *state)
{
    const struct zstd *zstd = state;
    return !zstd->is_in_frame;
}

static const struct method zstd_method = {
    .open = open_zstd, .close = close_zstd, .step = step_zstd, .may_end = may_end_zstd};

#define ZSTD &zstd_method
#else
#define ZSTD NULL
#endif

/* ---- Methods ----------------------------------------------------------------------------------*/

struct row {
    const char *name, *library;
    size_t magic_bytes;
    unsigned char magic[CLI_DECOMPRESSOR_MAGIC_BYTES];
    unsigned char mask; /* of the first byte: the bits that are compared */
    const struct method *method;
};

static const struct row rows[] = {
    {"gzip", "zlib", 3, {0x1f, 0x8b, 0x08}, 0xff, GZIP},
    {"zstd", "libzstd", 4, {0x28, 0xb5, 0x2f, 0xfd}, 0xff, ZSTD},
    {"zstd", "libzstd", 4, {0x50, 0x2a, 0x4d, 0x18}, 0xf0, ZSTD}, /* begins with a skippable frame
                                                                   */
};

enum { ROW_COUNT = sizeof rows / sizeof *rows, BUFFER_BYTES = 1 << 18 };

struct cli_decompressor {
    const struct row *row;
    void *state; /* the method's */
    cli_input *input;
    void *from;
    bool has_all;   /* the input is at its end */
    size_t at, end; /* of the buffer: the bytes that the method has not used */
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
    const struct method *method = decompressor->row->method;
    do {
        if (!fill_buffer(decompressor))
            return false;
        struct step step = {decompressor->buffer + decompressor->at,
                            decompressor->end - decompressor->at, into, bytes};
        const char *wrong = method->step(decompressor->state, &step);
        decompressor->at = decompressor->end - step.in_bytes;
        *count = bytes - step.out_bytes;
        decompressor->given += *count;
        if (wrong != NULL)
            return fail_at(decompressor, wrong);
        if (*count > 0)
            return true;
    } while (decompressor->at < decompressor->end || !decompressor->has_all);
    return cli_is_interrupted() || method->may_end(decompressor->state) ||
           fail_at(decompressor, "the stream ends early");
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
