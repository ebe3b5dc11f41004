/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics of an array in a file, in one pass over it.
 */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "kernels/describe_part.h"
#include "src/cli/read/array.h"
#include "src/cli/place.h"

#include <stdbool.h>
#include <stdint.h>

/* An extreme of the array: where it is, in the order of the file, and the bytes of the element. */
struct cli_extreme {
    uint64_t index;
    unsigned char bytes[sizeof(uint64_t)];
};

struct cli_summary {
    describe_part part;
    struct cli_extreme minimum, maximum; /* where part.numbers > 0 */
};

/* Reads the array and describes it there. The bits of the result depend on the array alone.
 * Complains and gives false where reading or a launch fails. */
bool cli_summarize(const struct cli_array *array, const struct cli_place *place,
                   struct cli_summary *summary);

#endif
