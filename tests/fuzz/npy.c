/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a .npy file: what is taken takes up all of them, and its elements are its last ones.
 */
#include "tests/fuzz/array.h"
#include "tools/read/npy_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct input_left left = {bytes, count};
    struct cli_failure failure = {""};
    struct cli_array array = {.data = NULL};
    struct cli_plain plain = {.source = cli_source_from_input(input_give, &left, &failure)};
    uint64_t sum, expected = 14695981039346656037u;
    require(plain.source != NULL);
    if (cli_npy_open(&plain, &array, &failure) && array_read(&array, &sum, &failure)) {
        require(plain.offset + cli_layout_bytes(&array.layout) == count);
        for (size_t i = (size_t)plain.offset; i < count; i++)
            expected = (expected ^ bytes[i]) * 0x100000001b3u;
        require(sum == expected);
    }
    cli_source_close(plain.source);
    return 0;
}
