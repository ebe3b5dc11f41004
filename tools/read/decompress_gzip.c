/* SPDX-License-Identifier: Apache-2.0
 *
 * gzip (RFC 1952), by zlib: members one after the other, and zeros after the last one, which pad
 * tapes. Any other bytes after it are an error, as for gzip -t. zlib checks each member's CRC and
 * size at its end.
 */
#include "tools/read/decompress_method.h"

#if CLI_HAVE_ZLIB

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum {
    GZIP_ALONE = 16,   /* of inflateInit2: no other of zlib's formats */
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

static const char *begin(struct gzip *gzip, const struct cli_decompress_step *step)
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

static const char *skip_padding(struct cli_decompress_step *step)
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

static const char *read_member(struct gzip *gzip, struct cli_decompress_step *step)
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

static const char *step_gzip(void *state, struct cli_decompress_step *step)
{
    struct gzip *gzip = state;
    const char *wrong = gzip->where == BETWEEN ? begin(gzip, step) : NULL;
    if (wrong != NULL)
        return wrong;
    if (gzip->where == IN_PADDING)
        return skip_padding(step);
    return gzip->where == IN_MEMBER ? read_member(gzip, step) : NULL;
}

static bool may_end(const void *state)
{
    const struct gzip *gzip = state;
    return gzip->where != IN_MEMBER;
}

const struct cli_decompress_method cli_decompress_gzip = {
    .open = open_gzip, .close = close_gzip, .step = step_gzip, .may_end = may_end};

#endif
