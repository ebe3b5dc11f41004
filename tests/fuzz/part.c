/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the encoding of a part. The first one chooses the kernel; magic, version, size and
 * checksum are made right, since no input would pass them otherwise. A part that is read can be
 * finished, copied and merged; what is written of it is read again, and is then the same.
 */
#include "tests/conformance/part_rules.kernels.h"
#include "tests/fuzz/input.h"

#include <reap/reap.h>

enum { HEADER = 24, CHECKSUM = 8, MOST_BINS = 4096 };

static const struct reap_kernel *const kernels[] = {
    &reap_kernel_rule_sum,   &reap_kernel_rule_last_of, &reap_kernel_rule_least,
    &reap_kernel_rule_exact, &reap_kernel_rule_bins,    &reap_kernel_rule_sums};

static void put(uint8_t *bytes, uint64_t number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
}

static void seal(uint8_t *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    memcpy(bytes, "reappart", 8);
    put(bytes + 8, 1, 4);
    put(bytes + 16, size, 8);
    for (size_t i = 0; i < size - CHECKSUM; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    put(bytes + size - CHECKSUM, sum, CHECKSUM);
}

static uint8_t *write_part(const reap_part *part, size_t *size)
{
    require(reap_part_write(part, NULL, 0, size) == REAP_OK);
    uint8_t *bytes = malloc(*size);
    require(bytes != NULL && reap_part_write(part, bytes, *size, size) == REAP_OK);
    return bytes;
}

static void use(const struct reap_kernel *kernel, const char *reduction, reap_part *part)
{
    static uint64_t variables[MOST_BINS], location;
    const bool has_array = kernel == &reap_kernel_rule_bins || kernel == &reap_kernel_rule_sums;
    reap_part_description is;
    reap_part_finish_options options = {.location =
                                            kernel == &reap_kernel_rule_least ? &location : NULL};
    reap_part *copy, *again;
    size_t size, size_again;
    reap_part_range range;
    for (size_t r = 0; r < reap_part_range_count(part); r++)
        require(reap_part_get_range(part, r, &range) == REAP_OK && range.first < range.end);
    require(reap_part_copy(part, &copy) == REAP_OK);
    require((reap_part_merge(copy, part) == REAP_OK) == (reap_part_range_count(part) == 0));
    uint8_t *bytes = write_part(part, &size);
    require(reap_part_read(kernel, reduction, bytes, size, &again) == REAP_OK);
    uint8_t *bytes_again = write_part(again, &size_again);
    require(size == size_again && memcmp(bytes, bytes_again, size) == 0);
    require(reap_part_describe(part, &is) == REAP_OK);
    if (has_array) /* the encoding may have any number of elements */
        options.count = is.count > 0 && is.count < MOST_BINS ? is.count : (size_t)MOST_BINS;
    const reap_status status = reap_part_finish(part, variables, &options);
    require(is.count <= MOST_BINS || status == REAP_ERROR_INVALID_ARGUMENT);
    free(bytes);
    free(bytes_again);
    reap_part_release(copy);
    reap_part_release(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    reap_part *part = NULL;
    if (count < 1 + HEADER + CHECKSUM)
        return 0;
    const struct reap_kernel *kernel = kernels[bytes[0] % (sizeof kernels / sizeof *kernels)];
    const char *reduction = kernel->parameters[2].name;
    const size_t size = count - 1;
    uint8_t *copy = malloc(size); /* of its size, so that a read beyond it is found */
    require(copy != NULL);
    memcpy(copy, bytes + 1, size);
    seal(copy, size);
    if (reap_part_read(kernel, reduction, copy, size, &part) == REAP_OK)
        use(kernel, reduction, part);
    else
        require(part == NULL);
    reap_part_release(part);
    free(copy);
    return 0;
}
