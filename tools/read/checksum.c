/* SPDX-License-Identifier: Apache-2.0
 *
 * The CRC of all bytes is the exclusive or of the CRCs of blocks, each shifted by the number of
 * bytes that follow (crc32_combine). So the order of blocks does not matter, and each thread
 * computes the CRC of the block that it has just read, which is still in its cache.
 */
#include "tools/read/checksum.h"

#if CLI_HAVE_ZLIB

#include "tools/interrupt.h"

#include <limits.h>
#include <zlib.h>

/* The CRC of the block, shifted to its position. */
static uint32_t compute(const struct cli_checksum *checksum, uint64_t first, const void *bytes,
                        size_t count)
{
    uint32_t crc = (uint32_t)crc32_z(0, bytes, count);
    for (uint64_t behind = checksum->bytes - first - count; behind > 0;) {
        const z_off_t step = behind < INT_MAX ? (z_off_t)behind : INT_MAX;
        crc = (uint32_t)crc32_combine(crc, 0, step);
        behind -= (uint64_t)step;
    }
    return crc;
}

static void add(struct cli_checksum *checksum, uint64_t first, const void *bytes, size_t count)
{
    if (atomic_fetch_add(&checksum->counted, count) < checksum->bytes)
        atomic_fetch_xor(&checksum->found, compute(checksum, first, bytes, count));
}

static bool read_and_add(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                         size_t *count, struct cli_failure *failure)
{
    struct cli_checksum *checksum = array->data;
    if (!checksum->inner.read(&checksum->inner, first, into, bytes, count, failure))
        return false;
    add(checksum, checksum->plain->offset + first, into, *count);
    return true;
}

/* Reads the bytes before `end`, and adds their CRC. */
static bool add_part(struct cli_checksum *checksum, uint64_t end, struct cli_failure *failure)
{
    unsigned char bytes[1 << 14];
    uint64_t first = 0;
    while (first < end && !cli_is_interrupted()) {
        const uint64_t left = end - first;
        const size_t count = left < sizeof bytes ? (size_t)left : sizeof bytes;
        if (!cli_source_read_at(checksum->plain->source, first, bytes, count, failure))
            return false;
        add(checksum, first, bytes, count);
        first += count;
    }
    return true;
}

/* Compares the CRC. If blocks were read several times, or not at all, all bytes are read again. */
static bool finish(const struct cli_array *array, struct cli_failure *failure)
{
    struct cli_checksum *checksum = array->data;
    const uint64_t counted = atomic_load(&checksum->counted);
    if (checksum->is_checked || cli_is_interrupted())
        return true;
    if (counted != checksum->bytes) {
        atomic_store(&checksum->counted, 0);
        atomic_store(&checksum->found, 0);
        if (!add_part(checksum, checksum->bytes, failure))
            return false;
        if (cli_is_interrupted())
            return true;
    }
    checksum->is_checked = atomic_load(&checksum->found) == checksum->expected;
    return checksum->is_checked ||
           cli_fail(failure, "the CRC is wrong: some of the data are damaged");
}

/* Without the header, which every process has added. */
static void get_share(const struct cli_array *array, uint64_t share[2])
{
    const struct cli_checksum *checksum = array->data;
    share[0] = atomic_load(&checksum->counted) - checksum->plain->offset;
    share[1] = atomic_load(&checksum->found) ^ checksum->header;
}

static void add_share(const struct cli_array *array, const uint64_t share[2])
{
    struct cli_checksum *checksum = array->data;
    atomic_fetch_add(&checksum->counted, share[0]);
    atomic_fetch_xor(&checksum->found, (uint32_t)share[1]);
}

bool cli_checksum_open(struct cli_checksum *checksum, const struct cli_plain *plain,
                       uint32_t expected, struct cli_array *array, struct cli_failure *failure)
{
    checksum->inner = *array;
    checksum->plain = plain;
    checksum->expected = expected;
    checksum->bytes = cli_source_bytes(plain->source);
    checksum->is_checked = false;
    atomic_store(&checksum->found, 0);
    atomic_store(&checksum->counted, 0);
    array->data = checksum;
    array->read = read_and_add;
    array->map = NULL;
    array->finish = finish;
    array->get_share = get_share;
    array->add_share = add_share;
    const bool is_fine = add_part(checksum, plain->offset, failure); /* the header */
    checksum->header = atomic_load(&checksum->found);
    return is_fine;
}

#endif
