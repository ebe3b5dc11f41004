/* SPDX-License-Identifier: Apache-2.0
 *
 * How launches are divided: in proportion to the devices' speeds, which the program gives, or which
 * are measured for each kernel. The first launch of a kernel is not measured, since it may compile
 * and copy. Later ones change the shares only if that saves a tenth of the time, since slices of
 * arrays stay on the devices as long as the shares are the same.
 */
#include "src/combined/combined.h"

#include "src/core/kernel.h"

#include <string.h>

/* A launch is divided into units of a power of two of items, at least a leaf of the reduction
 * shape, so that shares consist of few nodes of its tree. Values of work-groups are added one by
 * one, and need no leaves. */
enum { LEAF_LOG2 = 11, UNITS_LOG2 = 6, FEW_UNITS = 4 };

/* A shorter launch runs on one device; if its kernel is not measured, one with fewer items. On a
 * device with memory of its own each node of a share is a run that is waited for, which takes so
 * long besides its items. */
enum { LEAST_NANOSECONDS = 60000, LEAST_ITEMS = 1 << 18, NODE_NANOSECONDS = 12000 };

static const double worth_changing = 1.1, newest_part = 0.5;

static struct reap__kernel_speeds *find(struct reap__combined *combined,
                                        const struct reap_kernel *kernel)
{
    const uint64_t number = reap__kernel_number(kernel);
    for (size_t k = 0; k < REAP__MEASURED_KERNELS; k++)
        if (combined->kernels[k].kernel == number)
            return &combined->kernels[k];
    struct reap__kernel_speeds *made = &combined->kernels[combined->next_kernel];
    combined->next_kernel = (combined->next_kernel + 1) % REAP__MEASURED_KERNELS;
    *made = (struct reap__kernel_speeds){.kernel = number};
    memcpy(made->weights, combined->weights, sizeof made->weights);
    return made;
}

static unsigned unit_log2(size_t items, bool has_groups)
{
    unsigned log2 = has_groups ? 0 : LEAF_LOG2;
    while (items >> (log2 + 1) >> UNITS_LOG2 > 0)
        log2++;
    return log2;
}

static size_t fastest(const struct reap__combined *combined,
                      const struct reap__kernel_speeds *speeds)
{
    size_t best = 0;
    for (size_t d = 1; d < combined->count; d++)
        if (speeds->weights[d] > speeds->weights[best])
            best = d;
    return best;
}

size_t reap__shares_fastest(struct reap__combined *combined, const struct reap_kernel *kernel)
{
    return fastest(combined, find(combined, kernel));
}

static bool is_worth_dividing(const struct reap__combined *combined,
                              const struct reap__kernel_speeds *speeds, size_t items,
                              size_t group_items)
{
    const double speed = speeds->speeds[fastest(combined, speeds)];
    if (combined->has_fixed_weights)
        return true;
    return speed > 0 ? (double)items * (double)group_items / speed >= LEAST_NANOSECONDS
                     : items >= LEAST_ITEMS / group_items;
}

/* Returns the units of a device that is not the fastest. A few units are rounded down, since a
 * whole unit could take longer than the rest of the launch. */
static size_t units_of(double share, size_t units)
{
    const double exact = share * (double)units;
    return (size_t)(exact < FEW_UNITS ? exact : exact + 0.5);
}

/* Returns the time that the runs of a share's nodes take besides their items. */
static double cost_of_nodes(const struct reap__combined *combined, const struct reap_kernel *kernel,
                            size_t d, size_t begin, size_t count)
{
    size_t nodes = 0;
    if (combined->devices[d]->functions->allocate == NULL || reap__has_groups(kernel))
        return 0;
    for (size_t at = begin, left = count, node; left > 0; at += node, left -= node, nodes++) {
        node = (size_t)1 << LEAF_LOG2;
        if (node > left)
            node = left;
        while (node <= left / 2 && (at & (2 * node - 1)) == 0)
            node *= 2;
    }
    return (double)nodes * NODE_NANOSECONDS;
}

/* Whether the fastest device alone would take about as long. */
static bool is_no_faster(const struct reap__combined *combined, const struct reap_kernel *kernel,
                         const struct reap__kernel_speeds *speeds, size_t items,
                         const size_t *counts)
{
    const double alone = speeds->speeds[fastest(combined, speeds)];
    double longest = 0;
    size_t begin = 0;
    for (size_t d = 0; d < combined->count; d++) {
        if (counts[d] > 0 && speeds->speeds[d] <= 0)
            return false; /* it is to be measured */
        const double time = counts[d] > 0 ? (double)counts[d] / speeds->speeds[d] +
                                                cost_of_nodes(combined, kernel, d, begin, counts[d])
                                          : 0;
        longest = time > longest ? time : longest;
        begin += counts[d];
    }
    return !combined->has_fixed_weights && alone > 0 &&
           longest * worth_changing > (double)items / alone;
}

void reap__shares_plan(struct reap__combined *combined, const struct reap_kernel *kernel,
                       size_t items, size_t group_items, size_t *counts)
{
    const struct reap__kernel_speeds *speeds = find(combined, kernel);
    const unsigned log2 = unit_log2(items, reap__has_groups(kernel));
    const size_t units = items >> log2, best = fastest(combined, speeds);
    double whole = 0;
    size_t left = units, last = best;
    memset(counts, 0, combined->count * sizeof *counts);
    for (size_t d = 0; d < combined->count; d++)
        whole += speeds->weights[d];
    const bool divides = units >= 2 && is_worth_dividing(combined, speeds, items, group_items);
    for (size_t d = 0; d < combined->count && divides; d++) {
        const size_t own = d == best ? 0 : units_of(speeds->weights[d] / whole, units);
        counts[d] = (own < left ? own : left) << log2;
        left -= counts[d] >> log2;
        if (counts[d] > 0 && d > last)
            last = d;
    }
    counts[best] = left << log2;
    counts[last] += items - (units << log2);
    if (divides && is_no_faster(combined, kernel, speeds, items, counts)) {
        memset(counts, 0, combined->count * sizeof *counts);
        counts[best] = items;
    }
}

void reap__shares_note(struct reap__combined *combined, const struct reap_kernel *kernel,
                       const size_t *counts, const uint64_t *nanoseconds)
{
    struct reap__kernel_speeds *speeds = find(combined, kernel);
    double items = 0, whole = 0, longest = 0;
    size_t begin = 0;
    if (speeds->launches++ == 0)
        return;
    for (size_t d = 0; d < combined->count; d++) {
        const double taken = (double)nanoseconds[d];
        const double nodes = cost_of_nodes(combined, kernel, d, begin, counts[d]);
        begin += counts[d];
        if (counts[d] == 0)
            continue;
        const double own = taken - nodes > taken / 4 ? taken - nodes : taken / 4;
        const double measured = (double)counts[d] / (own > 0 ? own : 1), old = speeds->speeds[d];
        speeds->speeds[d] = old > 0 ? old + newest_part * (measured - old) : measured;
        items += (double)counts[d];
        whole += speeds->speeds[d];
        longest = own > longest ? own : longest;
    }
    if (!combined->has_fixed_weights && longest > worth_changing * items / whole)
        memcpy(speeds->weights, speeds->speeds, sizeof speeds->weights);
}
