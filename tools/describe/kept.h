/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the numbers of a small data set while it is described, so that its medians need no further
 * pass, and are exact for a pipe, too. The numbers of a larger data set are dropped. Another
 * counting may run in the same pass.
 */
#ifndef CLI_KEPT_H
#define CLI_KEPT_H

#include "tools/describe/pass.h"
#include "tools/describe/quantiles.h"

#include <stdatomic.h>

/* The most values that are kept: they take 4 MiB, and the medians some milliseconds. */
enum { CLI_MOST_KEPT = 1 << 19 };

struct cli_kept_numbers;

struct cli_kept {
    struct cli_counting counting; /* for the pass */
    struct cli_counting *other;   /* that counts in the same pass; NULL: none */
    size_t series_count;
    atomic_uint_fast64_t values; /* of all threads so far, so that each can stop early; relaxed */
    struct cli_kept_numbers *numbers; /* of all threads */
};

/* False: out of memory. */
bool cli_kept_begin(struct cli_kept *kept, size_t series_count, struct cli_counting *other);
void cli_kept_free(struct cli_kept *kept);

/* After the pass: whether all numbers were kept, and the median of a series; false: out of memory.
 * The numbers are reordered. */
bool cli_kept_is_whole(const struct cli_kept *kept);
bool cli_kept_median(struct cli_kept *kept, size_t series, const struct cli_summary *summary,
                     struct cli_quantile *median);

#endif
