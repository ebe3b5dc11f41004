/* SPDX-License-Identifier: Apache-2.0
 *
 * Quantiles: which are requested, and their values from the numbers of the neighbouring ranks.
 * NumPy's definition: quantile q of n numbers has rank q (n - 1), from 0, with linear interpolation
 * between the numbers of the whole ranks. NaNs are left out.
 */
#ifndef CLI_QUANTILES_H
#define CLI_QUANTILES_H

#include "tools/describe/selection.h"

enum { CLI_MOST_QUANTILES = 64, CLI_QUANTILE_BYTES = 64 };

struct cli_quantile_list {
    size_t count;
    double probabilities[CLI_MOST_QUANTILES]; /* in their order on the command line */
};

struct cli_quantile {
    double probability;
    bool is_there; /* whether the series has numbers */
    double value;
    double error;                  /* bound of the error; 0: it is exact */
    char text[CLI_QUANTILE_BYTES]; /* the value, all digits of an integer; "nan", "inf", "-inf" */
};

/* Reads "0.25,50%". For anything else complains as `called` and returns false. */
bool cli_quantiles_read(const char *called, const char *text, struct cli_quantile_list *list);

/* Finds the ranks that the quantiles of a series need, in ascending order, each once. */
bool cli_quantiles_rank(const struct cli_quantile_list *list, const struct cli_summary *summary,
                        struct cli_ranks *ranks);

/* Finds a quantile; the type is the series'. */
void cli_quantile_find(double probability, const struct cli_summary *summary,
                       const struct cli_ranks *ranks, struct cli_quantile *quantile);

#endif
