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
    /* Elements equal to this value, in the file's form, are missing. */
    bool has_missing_value;
    unsigned char missing_value[16];

    /* Elements can be read at any position, by any thread, repeatedly. Otherwise they are read in
     * order, by one thread at a time, and once. */
    bool is_random;
    void *data; /* the functions' data, of a type private to the format's reader */

    /* Reads `bytes` bytes from byte `first` of the array on. Reads fewer only after an interrupt,
     * or at the end of a stream whose count is unknown; in other cases fewer bytes are a failure.
     */
    bool (*read)(const struct cli_array *array, uint64_t first, void *into, size_t bytes,
                 size_t *count, struct cli_failure *failure);

    /* Returns the address of these bytes in a mapping (mapping.h). NULL: not possible. */
    const void *(*map)(const struct cli_array *array, uint64_t first, uint64_t bytes,
                       struct cli_mapping *mapping);

    /* For an array that is read in order: continues after these bytes. They are not read, except if
     * other bytes of their slab are. NULL: not possible.
     */
    void (*skip)(const struct cli_array *array, size_t bytes);
    size_t slab_bytes; /* of a slab, which is read at once; if skip is set */

    /* After the last byte: returns whether the file ends correctly. NULL: no check is needed. */
    bool (*finish)(const struct cli_array *array, struct cli_failure *failure);

    /* If several processes have each read a share of the array: the data of a share that finish
     * needs, and the addition of another process's. NULL: none. */
    void (*get_share)(const struct cli_array *array, uint64_t share[2]);
    void (*add_share)(const struct cli_array *array, const uint64_t share[2]);
};

#endif
