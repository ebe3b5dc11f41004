/* SPDX-License-Identifier: Apache-2.0
 *
 * The distribution of each series: quantiles and a histogram.
 *
 * While the series are described, their numbers are counted in buckets (sketch.h), if that is
 * needed. For data that can be read again, further passes then find the quantiles and count in the
 * bins of the histogram exactly. For a pipe, both are estimated from the buckets.
 */
#ifndef CLI_DISTRIBUTION_H
#define CLI_DISTRIBUTION_H

#include "tools/describe/bucket_count.h"
#include "tools/describe/dataset_source.h"
#include "tools/describe/further_pass.h"
#include "tools/describe/kept.h"
#include "tools/describe/pass.h"
#include "tools/describe/quantiles.h"

struct cli_distribution_options {
    struct cli_quantile_list quantiles;
    bool has_histogram;
    bool has_median; /* of data sets that are small (kept.h) */
};

/* The distribution of a series. */
struct cli_distribution {
    size_t quantile_count;
    struct cli_quantile *quantiles;
    bool has_median;
    struct cli_quantile median;
    bool has_histogram;
    struct cli_histogram histogram;
};

/* The state of their computation. */
struct cli_distributing {
    const struct cli_distribution_options *options;
    struct cli_subject subject;
    size_t series_count;
    bool can_repeat, has_buckets;
    bool is_cut_short;               /* by an interrupt: a further pass is missing */
    struct cli_bucket_count buckets; /* of the first pass */
    bool is_keeping;
    struct cli_kept kept;           /* of the first pass */
    struct cli_selection selection; /* of further passes */
    struct cli_wanted_bins *bins;   /* of each series */
};

/* Before the first pass. Sets *counting to the counting that the pass must do, or NULL. Returns
 * false if memory runs out. */
bool cli_distributing_begin(struct cli_distributing *distributing, size_t series_count,
                            struct cli_counting **counting);

/* After the first pass: runs further passes, and stores each summary's distribution. With a job it
 * is collective, and only rank 0 stores. */
bool cli_distributing_finish(struct cli_distributing *distributing, struct cli_summary *summaries,
                             struct cli_failure *failure);
void cli_distributing_free(struct cli_distributing *distributing);

void cli_distribution_free(struct cli_distribution *distribution); /* or NULL */

#endif
