/* SPDX-License-Identifier: Apache-2.0
 *
 * Decompression.
 */
#include "src/cli/read/decompress.h"

struct cli_decompressor {
    const char *method;
};

const char *cli_decompressor_recognise(const unsigned char *bytes, size_t count)
{
    (void)bytes;
    (void)count;
    return NULL;
}

struct cli_decompressor *cli_decompressor_open(const char *method, const unsigned char *bytes,
                                               size_t count, cli_decompressor_input *input,
                                               void *from, struct cli_failure *failure)
{
    (void)bytes;
    (void)count;
    (void)input;
    (void)from;
    cli_fail(failure, "this reap was built without %s", method);
    return NULL;
}

void cli_decompressor_close(struct cli_decompressor *decompressor)
{
    (void)decompressor;
}

bool cli_decompressor_read(struct cli_decompressor *decompressor, void *into, size_t bytes,
                           size_t *count, struct cli_failure *failure)
{
    (void)decompressor;
    (void)into;
    (void)bytes;
    *count = 0;
    return cli_fail(failure, "this reap was built without decompression");
}

const char *cli_decompressor_method(const struct cli_decompressor *decompressor)
{
    return decompressor == NULL ? NULL : decompressor->method;
}
