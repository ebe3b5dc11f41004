/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in a file: its layout, and its elements, which are read in blocks into the reader's own
 * memory, in the order of the file.
 */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "src/cli/failure.h"
#include "src/cli/read/layout.h"

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

    /* After all was read: whether the file ends correctly. NULL: that is known before. */
    bool (*finish)(const struct cli_array *array, struct cli_failure *failure);
};

#endif
