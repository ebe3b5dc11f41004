/* SPDX-License-Identifier: Apache-2.0
 *
 * A file as libzip reads it: through the source that has it open, not by its name a second time.
 * What is read last tells where a member's bytes lie, which libzip does not tell.
 */
#ifndef CLI_ZIP_INPUT_H
#define CLI_ZIP_INPUT_H

#include "src/cli/read/source.h"

#if CLI_HAVE_ZIP

#include <zip.h>

struct cli_zip_input {
    const struct cli_source *source; /* a file that is not compressed */
    uint64_t at;                     /* of the file: where libzip reads next */
    uint64_t last_first, last_bytes; /* what it has read last */
    bool has_opened;                 /* it has read something since this was false: */
    uint64_t opened_first;           /* from here on first */
    struct cli_failure failure;      /* why it could not */
    zip_error_t error;               /* the same, as libzip has it */
};

/* Opens the archive, which borrows the input; input->source is set, the rest is zero. NULL and
 * libzip's error where that is impossible. */
zip_t *cli_zip_open(struct cli_zip_input *input, zip_error_t *error);

#endif
#endif
