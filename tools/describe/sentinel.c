/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds sentinels.
 */
#include "tools/describe/sentinel.h"

#include "tools/describe/numbers.h"

#include <math.h>
#include <stdint.h>

/* Whether a number is 99, 999, 9999, 999.9 and so on: at least two nines, at most three of them
 * after the point. */
static bool is_all_nines(double magnitude)
{
    for (uint64_t nines = 99; nines < 10000000000; nines = nines * 10 + 9)
        for (unsigned scale = 1; scale <= 1000; scale *= 10)
            if (fabs(magnitude * scale - (double)nines) <= 1e-6 * scale)
                return true;
    return false;
}

/* Whether programs use such a number as a sentinel: nines, limits of integer types, large powers of
 * ten, and NetCDF's fill value of floats. */
static bool is_candidate(double value)
{
    static const double others[] = {32767, 32768, 65535, 2147483647, 2147483648, 4294967295,
                                    1e20,  1e30,  1e35,  1e36,       1e37};
    const double magnitude = fabs(value), netcdf = 9.969209968386869e36;
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        if (magnitude == others[o])
            return true;
    return fabs(magnitude - netcdf) < 1e-5 * netcdf || is_all_nines(magnitude);
}

/* Counts the numbers equal to an extreme, and finds the number next to it. */
static void find_next(const struct cli_values *values, struct cli_edge *edge, bool is_minimum)
{
    double doubles[CLI_CHUNK];
    edge->count = 0;
    edge->next = is_minimum ? INFINITY : -INFINITY;
    for (size_t first = 0; first < values->count; first += CLI_CHUNK) {
        const size_t count = cli_values_read_doubles(values, first, doubles);
        for (size_t i = 0; i < count; i++)
            if (doubles[i] == edge->value)
                edge->count++;
            else
                edge->next =
                    is_minimum ? fmin(edge->next, doubles[i]) : fmax(edge->next, doubles[i]);
    }
}

void cli_edges_find(const struct cli_values *values, double minimum, double maximum,
                    struct cli_edges *edges)
{
    const double extremes[] = {minimum, maximum};
    for (int e = 0; e < 2; e++) {
        edges->edges[e] = (struct cli_edge){.value = extremes[e], .next = extremes[e], .count = 1};
        if (is_candidate(extremes[e]))
            find_next(values, &edges->edges[e], e == 0);
    }
}

void cli_edges_add(struct cli_edges *edges, const struct cli_edges *other)
{
    for (int e = 0; e < 2; e++) {
        struct cli_edge *all = &edges->edges[e], more = other->edges[e];
        const double sign = e == 0 ? 1 : -1;
        if (all->count == 0 || more.count == 0) {
            *all = all->count == 0 ? more : *all;
            continue;
        }
        if (sign * more.value < sign * all->value) {
            const struct cli_edge less = *all;
            *all = more;
            more = less;
        }
        const double next = more.value == all->value ? more.next : more.value;
        all->count += more.value == all->value ? more.count : 0;
        all->next = sign * next < sign * all->next ? next : all->next;
    }
}

bool cli_edges_has_sentinel(const struct cli_edges *edges, int extreme)
{
    const struct cli_edge *edge = &edges->edges[extreme], *other = &edges->edges[1 - extreme];
    if (edge->count == 0 || !is_candidate(edge->value) || !isfinite(edge->next))
        return false;
    const double end =
        is_candidate(other->value) && isfinite(other->next) &&
                (extreme == 0 ? other->next >= edge->next : other->next <= edge->next)
            ? other->next
            : other->value;
    const bool is_only_negative = edge->value < 0 && edge->next >= 0;
    return is_only_negative || fabs(edge->next - edge->value) > fabs(end - edge->next);
}
