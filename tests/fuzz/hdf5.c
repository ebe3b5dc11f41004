/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of HDF5.
 */
#include "tests/fuzz/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    return fuzz_reader(bytes, count);
}
