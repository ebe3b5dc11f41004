/* SPDX-License-Identifier: Apache-2.0
 *
 * A further pass over a data set, in which numbers are counted and not described: numbers of
 * requested ranks (selection.h), and numbers in the bins of histograms. It also finds the finite
 * extremes, between which bins are made.
 */
#ifndef CLI_FURTHER_PASS_H
#define CLI_FURTHER_PASS_H

#include "tools/describe/dataset_source.h"
#include "tools/describe/histogram.h"
#include "tools/describe/selection.h"

/* The request for a series' histogram. */
struct cli_wanted_bins {
    enum { CLI_BINS_NOTHING, CLI_BINS_EXTREMES, CLI_BINS_COUNTS } wanted;
    struct cli_bins bins;   /* counts are added to its histogram */
    uint64_t numbers;       /* the expected number of finite numbers */
    double least, greatest; /* set to the finite extremes */
};

struct cli_further_pass {
    const struct cli_subject *subject;
    uint64_t rows;
    size_t series_count;
    struct cli_selection *selection; /* planned with cli_selection_plan */
    struct cli_wanted_bins *bins;    /* of each series */
    bool lacks_memory;               /* for the requests of rank 0 */
};

/* Also fails if the file has changed. After an interrupt, the results are not usable. With a job it
 * is collective: rank 0 has the results. */
bool cli_further_pass_run(struct cli_further_pass *further, struct cli_failure *failure);

/* Sends rank 0's requests to the other ranks; returns false if there are none. Collective. Without
 * a job returns is_wanted. */
bool cli_further_pass_share(struct cli_further_pass *further, bool is_wanted);

#endif
