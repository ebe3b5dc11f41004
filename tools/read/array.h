/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in a file: its layout, and its elements, which are read in blocks into the reader's own
 * memory, in the order of the file.
 */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "tools/failure.h"
#include "tools/read/layout.h"
#include "tools/read/mapping.h"

#include <stddef.h>

struct cli_array {
    struct cli_layout layout;
    /* Marks missing elements: those equal to this value, as it is in the file. */
    bool has_missing_value;
    unsigned char missing_value[16];

    /* Elements can be read at any position, by any thread, repeatedly. Otherwise they are read in
     * order, by one thread at a time, and once. */
    bool is_random;
    void *data; /* of the functions; only the format's reader knows it */

    /* Reads `bytes` bytes from this byte of the array on, all of them; fewer only if the stream
     * ends (of an array whose count is unknown) or was interrupted. Fewer for another reason are a
     * failure. */
    bool (*read)(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                 size_t *count, struct cli_failure *failure);

    /* Returns the address of such bytes in memory (mapping.h) instead; NULL: impossible. */
    const void *(*map)(const struct cli_array *array, uint64_t first, uint64_t bytes,
                       struct cli_mapping *mapping);

    /* Of an array that is read in order: goes on after these bytes as if they had been read,
     * without reading them, except with bytes of the same slab that are wanted. NULL: impossible.
     */
    void (*skip)(const struct cli_array *array, size_t bytes);
    size_t slab_bytes; /* that are read at once, if skip is set */

    /* After all was read: whether the file ends correctly. NULL: that is known before. */
    bool (*finish)(const struct cli_array *array, struct cli_failure *failure);

    /* If several processes have read a share of it each: what finish needs to know of that, which
     * is added to the shares of others. NULL: nothing. */
    void (*get_share)(const struct cli_array *array, uint64_t share[2]);
    void (*add_share)(const struct cli_array *array, const uint64_t share[2]);
};

#endif
