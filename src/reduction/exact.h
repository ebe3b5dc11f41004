/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums (docs/exact-sums.md): sums of floats or doubles as integers, which are added in any
 * order, and rounded once. The words of a sum are described in reap/detail/kernel_table.h. All of
 * them 0 is the sum of no values.
 */
#ifndef REAP_REDUCTION_EXACT_H
#define REAP_REDUCTION_EXACT_H

#include <reap/detail/kernel_table.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool reap__is_exact(const struct reap__reduction *reduction)
{
    return reduction->is_builtin && reduction->built_in == REAP__OPERATION_exact_plus;
}

/* The value that leaves any sum as it is, -0, of the reduction's type; lives forever. */
const void *reap__exact_start(const struct reap__reduction *reduction);

/* Adds `count` values of the reduction's type to the words of a sum. They may change. */
void reap__exact_add(const struct reap__reduction *reduction, uint64_t *words, void *values,
                     size_t count);

/* Memory that is read next, in streams side by side: so many bytes for each value. */
enum { REAP__MOST_STREAMS = 2 };
struct reap__ahead {
    size_t count;
    const char *at[REAP__MOST_STREAMS]; /* may end beyond its array: it is fetched, and not read */
    size_t bytes[REAP__MOST_STREAMS];
};

/* The same, and meanwhile the processor fetches what comes next. */
void reap__exact_add_ahead(const struct reap__reduction *reduction, uint64_t *words, void *values,
                           size_t count, const struct reap__ahead *ahead);

/* into[i] += from[i], for the words of two sums. */
void reap__exact_merge(const struct reap__reduction *reduction, uint64_t *into,
                       const uint64_t *from);

/* Writes the sum, rounded to nearest, to a value of the reduction's type. */
void reap__exact_round(const struct reap__reduction *reduction, const uint64_t *words, void *value);

/* variables[i] += the sum of sources[s][i] * scale, for i below REAP__EXACT_BLOCK, where one of the
 * sources' integers is not even: their lowest bits are flags. False: it is not computed exactly in
 * double, and nothing is stored. */
enum { REAP__EXACT_BLOCK = 32 };
bool reap__exact_store_block(double scale, const int64_t *const *sources, size_t source_count,
                             float *variables);

/* A sink (kernel_table.h) for a sum of the reduction's type. */
struct reap__exact_sink reap__exact_sink_of(const struct reap__reduction *reduction,
                                            uint64_t *words);

/* ---- For the functions of each instruction set ------------------------------------------------*/

/* Adds sum * 2^place least subnormal doubles, which for a sum of floats is a multiple of the least
 * subnormal float. */
void reap__exact_add_window(size_t value_size, uint64_t *words, int64_t sum, int place);

/* Adds values one by one, and does not count them. */
void reap__exact_add_each(size_t value_size, uint64_t *words, const void *values, size_t count);

/* Adds values to a sum, many at a time; selected as the operators' functions are. */
struct reap__exact_functions {
    void (*add_floats)(uint64_t *words, float *values, size_t count,
                       const struct reap__ahead *ahead);
    void (*add_doubles)(uint64_t *words, double *values, size_t count,
                        const struct reap__ahead *ahead);
    bool (*store_block)(double scale, const int64_t *const *sources, size_t source_count,
                        float *variables);
};
extern const struct reap__exact_functions reap__exact_functions_plain, reap__exact_functions_v3,
    reap__exact_functions_v4;
void reap__exact_functions_select(enum reap__isa isa);

#endif
