/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact sums (docs/exact-sums.md): sums of floats or doubles as integers, which can be added in any
 * order, and are rounded once. reap/detail/kernel_table.h describes the words of a sum. If all are
 * 0, it is the sum of no values.
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

/* Returns -0 of the reduction's type, which leaves any sum unchanged. It is never freed. */
const void *reap__exact_start(const struct reap__reduction *reduction);

/* Adds `count` values of the reduction's type to the words of a sum. The values may be
 * overwritten. */
void reap__exact_add(const struct reap__reduction *reduction, uint64_t *words, void *values,
                     size_t count);

/* Memory that will be read next, to be prefetched: for each value `bytes` bytes of each stream. */
enum { REAP__MOST_STREAMS = 2 };
struct reap__ahead {
    size_t count;
    const char *at[REAP__MOST_STREAMS]; /* may reach beyond its array: it is only prefetched */
    size_t bytes[REAP__MOST_STREAMS];
};

/* What earlier values were like, which the next ones probably are, too: the exponent field of the
 * largest one, as a double; 0: not known; and whether all bits were in one window (exact_tmpl.h).
 */
struct reap__exact_guess {
    int largest;
    bool is_single;
    unsigned right;      /* how often it was right */
    unsigned pause;      /* for how many chunks it is not tried */
    unsigned next_pause; /* and for how many if it is wrong */
};

/* The same; it also prefetches `ahead`. The guess is for the same reduction's next values; the
 * first one is all zeros. */
void reap__exact_add_ahead(const struct reap__reduction *reduction, uint64_t *words, void *values,
                           size_t count, const struct reap__ahead *ahead,
                           struct reap__exact_guess *guess);

/* Adds a sum to another one. */
void reap__exact_merge(const struct reap__reduction *reduction, uint64_t *into,
                       const uint64_t *from);

/* Rounds a sum to nearest, and writes it to a value of the reduction's type. */
void reap__exact_round(const struct reap__reduction *reduction, const uint64_t *words, void *value);

/* variables[i] += the sum of sources[s][i] * scale, for i below REAP__EXACT_BLOCK and all s, if
 * some source's integer is odd: the lowest bits are flags. Returns false and stores nothing if the
 * result would not be exact in double. */
enum { REAP__EXACT_BLOCK = 32 };
bool reap__exact_store_block(double scale, const int64_t *const *sources, size_t source_count,
                             float *variables);

enum { REAP__EXACT_GROUP = REAP__BATCH };

/* Room for a group's integers: of floats one each, and where it goes; of doubles two words each.
 * (It is not on the stack, of which threads may have few KiB.) */
struct reap__exact_room {
    int64_t terms[REAP__EXACT_GROUP];
    int64_t *at[REAP__EXACT_GROUP];
    uint64_t low[REAP__EXACT_GROUP], high[REAP__EXACT_GROUP];
};

/* The integers of one plane of a span of floats or doubles (kernel_table.h), and those of all: of
 * the planes to which a kernel's code adds. */
struct reap__exact_plane {
    void *numbers;
    size_t count;
    unsigned number;
    float scale; /* of floats */
    const struct reap__planes *all;
    struct reap__exact_room *room;
};

/* At most REAP__MOST_BATCHED values, and their elements. */
struct reap__exact_values {
    const size_t *indices;
    const void *values;
    size_t count;
};

/* Adds values, fast if most belong to the given plane. Returns how many it has added: all, or those
 * before one whose sum would overflow, or those before a group of REAP__EXACT_GROUP values, or the
 * last ones, of which one belongs to no such plane or an index is outside. `ahead`: as many indices
 * whose integers will be needed next, or NULL. */
size_t reap__exact_add_to_plane(bool is_wide, const struct reap__exact_plane *plane,
                                const struct reap__exact_values *values, const size_t *ahead);

/* Adds groups of REAP__EXACT_GROUP values, as long as all values of a group belong to the given
 * plane; fewer values after the last group are left. Returns how many it has added. Faster than
 * reap__exact_add_to_plane, so it is called first. */
size_t reap__exact_add_groups(bool is_wide, const struct reap__exact_plane *plane,
                              const size_t *indices, const void *values, size_t count);

/* Returns a sink (kernel_table.h) that adds to the words of a sum. */
struct reap__exact_sink reap__exact_sink_of(const struct reap__reduction *reduction,
                                            uint64_t *words);

/* ---- For the functions of each instruction set ------------------------------------------------*/

/* Adds sum * 2^exponent times the least subnormal double. In a sum of floats it must be a multiple
 * of the least subnormal float. */
void reap__exact_add_window(size_t value_size, uint64_t *words, int64_t sum, int exponent);

/* Adds values one by one, without counting them as values other than -0. */
void reap__exact_add_each(size_t value_size, uint64_t *words, const void *values, size_t count);

/* Functions that process many values at a time, one set for each instruction set.
 * reap__exact_functions_select chooses the set, before the first launch. */
struct reap__exact_functions {
    void (*add_floats)(uint64_t *words, float *values, size_t count,
                       const struct reap__ahead *ahead, struct reap__exact_guess *guess);
    void (*add_doubles)(uint64_t *words, double *values, size_t count,
                        const struct reap__ahead *ahead, struct reap__exact_guess *guess);
    bool (*store_block)(double scale, const int64_t *const *sources, size_t source_count,
                        float *variables);
    size_t (*add_floats_to_plane)(const struct reap__exact_plane *plane,
                                  const struct reap__exact_values *values, const size_t *ahead);
    size_t (*add_doubles_to_plane)(const struct reap__exact_plane *plane,
                                   const struct reap__exact_values *values, const size_t *ahead);
    size_t (*add_groups_of_floats)(const struct reap__exact_plane *plane, const size_t *indices,
                                   const void *values, size_t count);
    size_t (*add_groups_of_doubles)(const struct reap__exact_plane *plane, const size_t *indices,
                                    const void *values, size_t count);
};
extern const struct reap__exact_functions reap__exact_functions_plain, reap__exact_functions_v3,
    reap__exact_functions_v4;
void reap__exact_functions_select(enum reap__isa isa);

#endif
