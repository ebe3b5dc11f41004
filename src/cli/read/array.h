/* SPDX-License-Identifier: Apache-2.0
 *
 * An array in a file: its layout, and its elements, which are read in pieces into the reader's own
 * memory, one after the other in the order of the file.
 */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "src/cli/failure.h"
#include "src/cli/read/layout.h"

#include <stddef.h>

struct cli_array {
    struct cli_layout layout;
    /* Elements that stand for a missing one: those equal to this value, as the file has it. */
    bool has_missing_value;
    unsigned char missing_value[16];

    /* Elements can be read at any place, by any thread, and again. Otherwise they are read in
     * order, by one thread at a time, and once. */
    bool is_random;
    void *data; /* of the functions, which only the format's reader knows */

    /* Reads `bytes` bytes from this one of the array on, all of them; fewer only where the stream
     * ends (of an array whose count is unknown) or was interrupted. Where there are fewer
     * for another reason, that is a failure. */
    bool (*read)(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                 size_t *count, struct cli_failure *failure);

    /* Once all was read: whether the file ends as it should. NULL: that is known before. */
    bool (*finish)(const struct cli_array *array, struct cli_failure *failure);
};

#endif
