/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the numbers of each series in buckets (sketch.h) while they are described.
 */
#ifndef CLI_BUCKET_COUNT_H
#define CLI_BUCKET_COUNT_H

#include "tools/describe/pass.h"
#include "tools/describe/sketch.h"

#include <pthread.h>

/* The begin of a sketch, determined by the first block. */
struct cli_bucket_start {
    enum cli_element_type type;
    double pivot;
};

enum { CLI_BUCKET_LOCKS = 256 };

struct cli_bucket_count {
    struct cli_counting counting; /* for the pass */
    size_t series_count;
    struct cli_bucket_start *starts;         /* of each series */
    struct cli_sketch *sketches;             /* of each series, after the pass */
    bool is_shared;                          /* all threads count in `sketches` */
    pthread_mutex_t locks[CLI_BUCKET_LOCKS]; /* if is_shared: the lock of a series' sketch is that
                                                of its number */
};

/* False: out of memory. */
bool cli_bucket_count_begin(struct cli_bucket_count *count, size_t series_count);
void cli_bucket_count_free(struct cli_bucket_count *count);

#endif
