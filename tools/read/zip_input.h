/* SPDX-License-Identifier: Apache-2.0
 *
 * A file as libzip reads it: through the source that has it open, not by its name a second time.
 * The last position that is read shows where a member's bytes are, which libzip does not return.
 */
#ifndef CLI_ZIP_INPUT_H
#define CLI_ZIP_INPUT_H

#include "tools/read/source.h"

#if CLI_HAVE_ZIP

#include <zip.h>

struct cli_zip_input {
    const struct cli_source *source; /* a file that is not compressed */
    uint64_t at;                     /* of the file: libzip's next position */
    uint64_t last_first, last_bytes; /* its last read */
    bool has_opened;                 /* it has read since this was set to false: */
    uint64_t opened_first;           /* first from this position */
    struct cli_failure failure;      /* why it failed */
    zip_error_t error;               /* the same, for libzip */
};

/* Opens the archive, which borrows the input; input->source is set, the rest is zero. NULL and
 * libzip's error if that fails. */
zip_t *cli_zip_open(struct cli_zip_input *input, zip_error_t *error);

#endif
#endif
