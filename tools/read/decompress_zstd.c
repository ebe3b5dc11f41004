/* SPDX-License-Identifier: Apache-2.0
 *
 * Zstandard (RFC 8878), by libzstd: frames one after the other, also skippable ones. A frame says
 * how large a window it needs, and libzstd allocates as much memory, so there is a limit.
 */
#include "tools/read/decompress_method.h"

#if CLI_HAVE_ZSTD

#include <stdlib.h>
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

static const char *step_zstd(void *state, struct cli_decompress_step *step)
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
        return "a window of more than 128 MiB is needed, which is too much (zstd --long=27 makes "
               "the largest that is taken)";
    if (ZSTD_getErrorCode(result) == ZSTD_error_prefix_unknown)
        return "the stream is followed by something else";
    return ZSTD_getErrorName(result);
}

static bool may_end(const void *state)
{
    const struct zstd *zstd = state;
    return !zstd->is_in_frame;
}

const struct cli_decompress_method cli_decompress_zstd = {
    .open = open_zstd, .close = close_zstd, .step = step_zstd, .may_end = may_end};

#endif
