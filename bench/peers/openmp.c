/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops that people write with OpenMP instead of a Reap kernel. Each set of flags makes a
 * module of its own.
 */
#include "bench/peers/peer.h"

#include <omp.h>

#define T float
#define NAME(name) name##_float
#include "bench/peers/openmp_tmpl.h"

#define T double
#define NAME(name) name##_double
#include "bench/peers/openmp_tmpl.h"

static const struct bench_offer offers[] = {
    {"sum", BENCH_FLOAT, sum_float},
    {"sum", BENCH_DOUBLE, sum_double},
    {"dot", BENCH_FLOAT, dot_float},
    {"dot", BENCH_DOUBLE, dot_double},
};

static const struct bench_peer peer = {.version = BENCH_VERSION,
                                       .flags = BENCH_FLAGS,
                                       .offers = offers,
                                       .offer_count = sizeof offers / sizeof *offers};

const struct bench_peer *bench_peer_open(const char **why_not)
{
    (void)why_not;
    return &peer;
}
