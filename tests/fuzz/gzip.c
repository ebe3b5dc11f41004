/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a stream that is compressed by gzip.
 */
#include "tests/fuzz/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    return stream_check("gzip", bytes, count);
}
