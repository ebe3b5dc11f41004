/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles: which are wanted, and what they are once one knows the numbers of the ranks that they
 * lie between. NumPy's definition: quantile q of n numbers is that of rank q (n - 1), from 0, with
 * the numbers of the whole ranks beside it interpolated. NaNs are left out.
 */
#ifndef CLI_QUANTILES_H
#define CLI_QUANTILES_H

#include "src/cli/describe/selection.h"

enum { CLI_MOST_QUANTILES = 64, CLI_QUANTILE_BYTES = 64 };

struct cli_quantile_list {
    size_t count;
    double probabilities[CLI_MOST_QUANTILES]; /* in their order on the command line */
};

struct cli_quantile {
    double probability;
    bool is_there; /* false: there is no number */
    double value;
    double error;                  /* how far from it the quantile may be; 0: it is exact */
    char text[CLI_QUANTILE_BYTES]; /* the value, all digits of an integer; "nan", "inf", "-inf" */
};

/* Reads "0.25,50%". Complains as `called` and gives false where that is no list of quantiles. */
bool cli_quantiles_read(const char *called, const char *text, struct cli_quantile_list *list);

/* The ranks that the quantiles need of a series, in ascending order, each once. */
bool cli_quantiles_rank(const struct cli_quantile_list *list, const struct cli_summary *summary,
                        struct cli_ranks *ranks);

/* Finds a quantile; the type is the series'. */
void cli_quantile_find(double probability, const struct cli_summary *summary,
                       const struct cli_ranks *ranks, struct cli_quantile *quantile);

#endif
