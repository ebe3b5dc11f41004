/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets about arrays share: an array is read to its end in pieces.
 */
#ifndef TESTS_FUZZ_ARRAY_H
#define TESTS_FUZZ_ARRAY_H

#include "tests/fuzz/input.h"
#include "tools/read/array.h"

enum { ARRAY_PIECE = 1 << 12, ARRAY_MOST = 1 << 24 }; /* bytes that are read of it */

/* Gives a sum over the elements; true where all were read and the file ends as it should. */
static inline bool array_read(const struct cli_array *array, uint64_t *sum,
                              struct cli_failure *failure)
{
    const uint64_t all = cli_layout_bytes(&array->layout);
    unsigned char *into = malloc(ARRAY_PIECE);
    bool is_fine = into != NULL;
    *sum = 14695981039346656037u;
    require(array->layout.dimensions <= CLI_MOST_DIMENSIONS && all >> 63 == 0);
    for (uint64_t first = 0; first < all && first < ARRAY_MOST && is_fine;) {
        const size_t bytes = all - first < ARRAY_PIECE ? (size_t)(all - first) : ARRAY_PIECE;
        size_t count;
        is_fine = array->read(array, first, into, bytes, &count, failure);
        for (size_t i = 0; i < bytes && is_fine; i++)
            *sum = (*sum ^ into[i]) * 0x100000001b3u;
        require(!is_fine || count == bytes);
        first += bytes;
    }
    if (is_fine && all <= ARRAY_MOST && array->finish != NULL)
        is_fine = array->finish(array, failure);
    free(into);
    require(is_fine == (failure->text[0] == '\0'));
    return is_fine && all <= ARRAY_MOST;
}

#endif
