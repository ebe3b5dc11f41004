/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans that compute in one type: see scan.kernels.h. On the host a work-item, which is a group,
 * scans a section or a row. On other devices a group scans a block in local memory, where runs are
 * SCAN_RUN + 1 apart, so the items of a warp read different banks.
 */
REAP_KERNEL_FILE

#include "algorithms/numbers.kernels_tmpl.h"

/* ---- On the host ------------------------------------------------------------------------------*/

/* The totals before an element: of the row's sections, the section's blocks, and the block's runs.
 * Without any, a total is the identity. */
typedef struct {
    WORK sections, blocks, runs;
} NAMED(scan_sums);

/* Reads elements, and fills their last run with identities. Returns the number of runs. */
static inline size_t NAMED(read_runs)(const REAP_GLOBAL uint8_t *x, int type, size_t first,
                                      size_t count, WORK identity, WORK *values)
{
    const size_t runs = (count + SCAN_RUN - 1) / SCAN_RUN;
    NAMED(read)(x, type, first, count, values);
    for (size_t i = count; i < runs * SCAN_RUN; i++)
        values[i] = identity;
    return runs;
}

/* Combines runs into `total`. */
static inline WORK NAMED(add_up_runs)(int operation, WORK total, const WORK *values, size_t runs)
{
    for (size_t r = 0; r < runs; r++) {
        WORK v = values[r * SCAN_RUN];
        for (size_t j = 1; j < SCAN_RUN; j++)
            v = NAMED(operate)(operation, v, values[r * SCAN_RUN + j]);
        total = NAMED(operate)(operation, total, v);
    }
    return total;
}

#if KIND <= WORK_INTEGER
/* Scans runs, and returns the totals before the next run: all in `runs`, since the order does not
 * matter. */
static inline NAMED(scan_sums)
    NAMED(scan_runs)(int operation, bool is_exclusive, NAMED(scan_sums) sums, WORK *values,
                     WORK *results, size_t runs)
{
    const WORK identity = NAMED(identity_of)(operation);
    WORK v = NAMED(operate)(operation, sums.sections, sums.blocks);
    v = NAMED(operate)(operation, v, sums.runs);
    for (size_t i = 0; i < runs * SCAN_RUN; i++) {
        const WORK next = NAMED(operate)(operation, v, values[i]);
        results[i] = is_exclusive ? v : next;
        v = next;
    }
    sums.sections = sums.blocks = identity;
    sums.runs = v;
    return sums;
}
#else
/* The same, in order. A processor overlaps several runs of the first loop; the last loop is
 * vectorised, for which `values` are replaced by the total before each element's run. */
static inline NAMED(scan_sums)
    NAMED(scan_runs)(int operation, bool is_exclusive, NAMED(scan_sums) sums, WORK *values,
                     WORK *results, size_t runs)
{
    WORK totals[SCAN_HELD / SCAN_RUN];
    for (size_t r = 0; r < runs; r++) {
        WORK v = NAMED(identity_of)(operation);
        for (size_t j = 0; j < SCAN_RUN; j++) {
            const WORK next = NAMED(operate)(operation, v, values[r * SCAN_RUN + j]);
            results[r * SCAN_RUN + j] = is_exclusive ? v : next;
            v = next;
        }
        totals[r] = v;
    }
    for (size_t r = 0; r < runs; r++) {
        for (size_t j = 0; j < SCAN_RUN; j++)
            values[r * SCAN_RUN + j] = sums.runs;
        sums.runs = NAMED(operate)(operation, sums.runs, totals[r]);
    }
    for (size_t i = 0; i < runs * SCAN_RUN; i++) {
        const WORK in_block = NAMED(operate)(operation, values[i], results[i]);
        const WORK in_section = NAMED(operate)(operation, sums.blocks, in_block);
        results[i] = NAMED(operate)(operation, sums.sections, in_section);
    }
    return sums;
}
#endif

/* Compilers specialise the functions above for sums. */
static inline NAMED(scan_sums) NAMED(scan_runs_by)(scan_work work, NAMED(scan_sums) sums,
                                                   WORK *values, WORK *results, size_t runs)
{
    const bool is_exclusive = work.is_exclusive != 0;
    if (work.operation == OPERATION_SUM)
        return NAMED(scan_runs)(OPERATION_SUM, is_exclusive, sums, values, results, runs);
    return NAMED(scan_runs)(work.operation, is_exclusive, sums, values, results, runs);
}

static inline WORK NAMED(add_up_runs_by)(int operation, WORK total, const WORK *values, size_t runs)
{
    if (operation == OPERATION_SUM)
        return NAMED(add_up_runs)(OPERATION_SUM, total, values, runs);
    return NAMED(add_up_runs)(operation, total, values, runs);
}

/* After `done` elements of a row: if a block, or a section, ends here, its total becomes part of
 * the next level. */
static inline NAMED(scan_sums)
    NAMED(close_levels)(int operation, NAMED(scan_sums) sums, size_t done)
{
    if (done % SCAN_BLOCK == 0) {
        sums.blocks = NAMED(operate)(operation, sums.blocks, sums.runs);
        sums.runs = NAMED(identity_of)(operation);
    }
    if (done % SCAN_SECTION == 0) {
        sums.sections = NAMED(operate)(operation, sums.sections, sums.blocks);
        sums.blocks = NAMED(identity_of)(operation);
    }
    return sums;
}

static inline void NAMED(add_up_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                         REAP_GLOBAL WORK *totals, scan_work work)
{
    const size_t begin = reap_global_id(0) * SCAN_SECTION;
    const size_t end = work.length - begin < SCAN_SECTION ? work.length : begin + SCAN_SECTION;
    const WORK identity = NAMED(identity_of)(work.operation);
    WORK values[SCAN_HELD], blocks = identity, total = identity;
    for (size_t first = begin; first < end; first += SCAN_HELD) {
        const size_t count = end - first < SCAN_HELD ? end - first : SCAN_HELD;
        const size_t runs = NAMED(read_runs)(x, work.from, first, count, identity, values);
        total = NAMED(add_up_runs_by)(work.operation, total, values, runs);
        if ((first - begin + SCAN_HELD) % SCAN_BLOCK == 0 || first + count == end) {
            blocks = NAMED(operate)(work.operation, blocks, total);
            total = identity;
        }
    }
    totals[reap_global_id(0)] = blocks;
}

/* The total of each section. */
REAP_GROUP_KERNEL(NAMED(scan_totals), in(uint8_t, x), out(WORK, totals), value(scan_work, work))
{
    reap_for_each_item {
        NAMED(add_up_section)(REAP_THIS_ITEM, x, totals, work);
    }
}

/* Replaces the totals of sections by the total before each of them, after `carry`, or `initial` at
 * the begin of the row; `carry` becomes the total of all. One work-item. */
REAP_KERNEL(NAMED(scan_between), inout(WORK, totals), inout(WORK, carry), value(size_t, count),
            value(int32_t, operation), value(bool, is_begin), value(WORK, initial))
{
    WORK v = is_begin ? initial : carry[0];
    for (size_t s = 0; s < count; s++) {
        const WORK total = totals[s];
        totals[s] = v;
        v = NAMED(operate)(operation, v, total);
    }
    carry[0] = v;
}

/* Scans `count` elements of a row, a section or the whole row. `section` is the total before them.
 */
static inline void NAMED(scan_part)(const REAP_GLOBAL uint8_t *x, REAP_GLOBAL uint8_t *results,
                                    scan_work work, size_t begin, size_t count, WORK section)
{
    const WORK identity = NAMED(identity_of)(work.operation);
    const size_t end = begin + count;
    WORK values[SCAN_HELD], scanned[SCAN_HELD];
    NAMED(scan_sums) sums = {section, identity, identity};
    for (size_t first = begin; first < end; first += SCAN_HELD) {
        const size_t some = end - first < SCAN_HELD ? end - first : SCAN_HELD;
        const size_t runs = NAMED(read_runs)(x, work.from, first, some, identity, values);
        sums = NAMED(scan_runs_by)(work, sums, values, scanned, runs);
        NAMED(write)(results, work.to, first, some, scanned);
        sums = NAMED(close_levels)(work.operation, sums, first - begin + SCAN_HELD);
    }
}

/* Scans a row, after `initial`; or a section of a row, after the total before it. */
static inline void NAMED(scan_own)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                   REAP_GLOBAL uint8_t *results, const REAP_GLOBAL WORK *before,
                                   scan_work work, WORK initial)
{
    const bool is_row = work.rows > 0;
    const size_t i = reap_global_id(0), most = is_row ? work.length : SCAN_SECTION;
    const size_t begin = i * most, left = is_row ? most : work.length - begin;
    const size_t count = left < most ? left : most;
    NAMED(scan_part)(x, results, work, begin, count, is_row ? initial : before[i]);
}

REAP_GROUP_KERNEL(NAMED(scan_parts), in(uint8_t, x), out(uint8_t, results), in(WORK, before),
                  value(scan_work, work), value(WORK, initial))
{
    reap_for_each_item {
        NAMED(scan_own)(REAP_THIS_ITEM, x, results, before, work, initial);
    }
}

REAP_GROUP_KERNEL(NAMED(scan_parts_in_place), inout(uint8_t, results), in(WORK, before),
                  value(scan_work, work), value(WORK, initial))
{
    reap_for_each_item {
        NAMED(scan_own)(REAP_THIS_ITEM, results, results, before, work, initial);
    }
}

/* ---- On other devices -------------------------------------------------------------------------*/

/* An item's elements, which are SCAN_RUNS apart. */
typedef struct {
    size_t first; /* index in the array */
    size_t left;  /* elements from the first one to the end of the block */
} NAMED(scan_position);

/* The item's elements of block `number` of all rows. */
static inline NAMED(scan_position) NAMED(position_of)(REAP_ITEM, scan_work work, size_t number)
{
    const size_t l = reap_local_id(0), begin = number % work.blocks * SCAN_BLOCK;
    const size_t in_row = work.length - begin;
    const size_t count = in_row < SCAN_BLOCK ? in_row : SCAN_BLOCK;
    NAMED(scan_position) position;
    position.first = number / work.blocks * work.length + begin + l;
    position.left = l < count ? count - l : 0;
    return position;
}

/* Copies a block's elements to local memory. */
static inline void NAMED(load_block)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                     size_t number, REAP_LOCAL WORK *tile)
{
    const size_t l = reap_local_id(0);
    const NAMED(scan_position) position = NAMED(position_of)(REAP_THIS_ITEM, work, number);
    const WORK identity = NAMED(identity_of)(work.operation);
    for (size_t first = 0; first < SCAN_RUN; first += SCAN_LOADS) {
        WORK values[SCAN_LOADS];
        const size_t done = first * SCAN_RUNS,
                     left = position.left > done ? position.left - done : 0;
        for (size_t j = 0; j < SCAN_LOADS; j++)
            values[j] = identity;
        NAMED(read_apart)(x, work.from, position.first + done, SCAN_RUNS, SCAN_LOADS, left, values);
        for (size_t j = 0; j < SCAN_LOADS; j++) {
            const size_t i = (first + j) * SCAN_RUNS + l;
            tile[i / SCAN_RUN * (SCAN_RUN + 1) + i % SCAN_RUN] = values[j];
        }
    }
}

/* Scans a run in local memory, and returns its total. */
static inline WORK NAMED(scan_run)(scan_work work, REAP_LOCAL WORK *run)
{
    WORK v = NAMED(identity_of)(work.operation);
    for (size_t j = 0; j < SCAN_RUN; j++) {
        const WORK next = NAMED(operate)(work.operation, v, run[j]);
        run[j] = work.is_exclusive ? v : next;
        v = next;
    }
    return v;
}

/* Loads a block, and scans each run in it; returns the total of the item's run. */
static inline WORK NAMED(scan_runs_of)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                       size_t number, REAP_LOCAL WORK *tile)
{
    NAMED(load_block)(REAP_THIS_ITEM, x, work, number, tile);
    reap_barrier(REAP_LOCAL_SPACE);
    return NAMED(scan_run)(work, tile + reap_local_id(0) * (SCAN_RUN + 1));
}

/* An exclusive scan of the values, after `first`; returns the total. The count is a multiple of 8:
 * the next 8 values are loaded before the additions of these. */
static inline WORK NAMED(scan_before)(int operation, WORK first, REAP_LOCAL WORK *values,
                                      size_t count)
{
    WORK loaded[8], next[8];
    for (size_t j = 0; j < 8; j++)
        next[j] = values[j];
    for (size_t i = 0; i < count; i += 8) {
        for (size_t j = 0; j < 8; j++)
            loaded[j] = next[j];
        for (size_t j = 0; j < 8 && i + 8 < count; j++)
            next[j] = values[i + 8 + j];
        for (size_t j = 0; j < 8; j++) {
            values[i + j] = first;
            first = NAMED(operate)(operation, first, loaded[j]);
        }
    }
    return first;
}

/* The total of each block. */
REAP_ND_KERNEL(NAMED(scan_block_totals), in(uint8_t, x), out(WORK, totals), value(scan_work, work),
               local(WORK, tile), local(WORK, runs))
{
    const size_t l = reap_local_id(0);
    runs[l] = NAMED(scan_runs_of)(REAP_THIS_ITEM, x, work, reap_group_id(0), tile);
    reap_barrier(REAP_LOCAL_SPACE);
    if (l == 0)
        totals[reap_group_id(0)] =
            NAMED(scan_before)(work.operation, NAMED(identity_of)(work.operation), runs, SCAN_RUNS);
}

/* Replaces the totals of a section's blocks by the total before each of them in the section. The
 * section's total follows those of all blocks. */
REAP_KERNEL(NAMED(scan_section_totals), inout(WORK, sums), value(scan_work, work))
{
    const size_t row = reap_global_id(0) / work.sections;
    const size_t first = reap_global_id(0) % work.sections * SCAN_BLOCKS;
    const size_t end = work.blocks - first < SCAN_BLOCKS ? work.blocks : first + SCAN_BLOCKS;
    WORK v = NAMED(identity_of)(work.operation);
    for (size_t b = row * work.blocks + first; b < row * work.blocks + end; b++) {
        const WORK total = sums[b];
        sums[b] = v;
        v = NAMED(operate)(work.operation, v, total);
    }
    sums[work.rows * work.blocks + reap_global_id(0)] = v;
}

/* Replaces the totals of a row's sections by the total before each of them. A group scans a row,
 * and has a multiple of 8 items. */
REAP_ND_KERNEL(NAMED(scan_rows_of_totals), inout(WORK, totals), value(scan_work, work),
               value(WORK, initial), local(WORK, some))
{
    const size_t l = reap_local_id(0), items = reap_local_range(0);
    REAP_GLOBAL WORK *const own = totals + reap_group_id(0) * work.sections;
    if (l == 0)
        some[items] = initial;
    for (size_t first = 0; first < work.sections; first += items) {
        const bool has_one = l < work.sections - first;
        some[l] = has_one ? own[first + l] : NAMED(identity_of)(work.operation);
        reap_barrier(REAP_LOCAL_SPACE);
        if (l == 0)
            some[items] = NAMED(scan_before)(work.operation, some[items], some, items);
        reap_barrier(REAP_LOCAL_SPACE);
        if (has_one)
            own[first + l] = some[l];
    }
}

/* Writes a block's results. `tile` has the scanned runs, `runs` the total before each of them. */
static inline void NAMED(write_block)(REAP_ITEM, REAP_GLOBAL uint8_t *results, scan_work work,
                                      size_t number, WORK section, WORK before,
                                      const REAP_LOCAL WORK *tile, const REAP_LOCAL WORK *runs)
{
    const size_t l = reap_local_id(0);
    const NAMED(scan_position) position = NAMED(position_of)(REAP_THIS_ITEM, work, number);
    for (size_t first = 0; first < SCAN_RUN; first += SCAN_LOADS) {
        WORK values[SCAN_LOADS];
        const size_t done = first * SCAN_RUNS,
                     left = position.left > done ? position.left - done : 0;
        for (size_t j = 0; j < SCAN_LOADS; j++) {
            const size_t i = (first + j) * SCAN_RUNS + l, run = i / SCAN_RUN;
            const WORK in_block = NAMED(operate)(work.operation, runs[run],
                                                 tile[run * (SCAN_RUN + 1) + i % SCAN_RUN]);
            const WORK in_section = NAMED(operate)(work.operation, before, in_block);
            values[j] = NAMED(operate)(work.operation, section, in_section);
        }
        NAMED(write_apart)
        (results, work.to, position.first + done, SCAN_RUNS, SCAN_LOADS, left, values);
    }
}

/* Scans a block. If a row is one block, `initial` precedes it. */
static inline void NAMED(scan_tile)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                    REAP_GLOBAL uint8_t *results, const REAP_GLOBAL WORK *sums,
                                    scan_work work, WORK initial, REAP_LOCAL WORK *tile,
                                    REAP_LOCAL WORK *runs)
{
    const size_t l = reap_local_id(0), group = reap_group_id(0), row = group / work.blocks;
    const WORK identity = NAMED(identity_of)(work.operation);
    const size_t section =
        work.rows * work.blocks + row * work.sections + group % work.blocks / SCAN_BLOCKS;
    runs[l] = NAMED(scan_runs_of)(REAP_THIS_ITEM, x, work, group, tile);
    reap_barrier(REAP_LOCAL_SPACE);
    if (l == 0)
        NAMED(scan_before)(work.operation, identity, runs, SCAN_RUNS);
    reap_barrier(REAP_LOCAL_SPACE);
    NAMED(write_block)
    (REAP_THIS_ITEM, results, work, group, work.blocks > 1 ? sums[section] : initial,
     work.blocks > 1 ? sums[group] : identity, tile, runs);
}

REAP_ND_KERNEL(NAMED(scan_blocks), in(uint8_t, x), out(uint8_t, results), in(WORK, sums),
               value(scan_work, work), value(WORK, initial), local(WORK, tile), local(WORK, runs))
{
    NAMED(scan_tile)(REAP_THIS_ITEM, x, results, sums, work, initial, tile, runs);
}

REAP_ND_KERNEL(NAMED(scan_blocks_in_place), inout(uint8_t, results), in(WORK, sums),
               value(scan_work, work), value(WORK, initial), local(WORK, tile), local(WORK, runs))
{
    NAMED(scan_tile)(REAP_THIS_ITEM, results, results, sums, work, initial, tile, runs);
}

/* ---- In one pass ------------------------------------------------------------------------------*/

/* On CUDA devices, where a group that has begun makes progress while others wait for it. A group
 * takes the next section that no group has taken, so it waits only for groups that have begun. It
 * publishes the section's total, and later its inclusive prefix, the sum up to its end. The prefix
 * before a section is the inclusive prefix of the nearest preceding section that has published one,
 * plus the totals of the sections in between, one after the other. So the additions are the same,
 * whatever is published at that time; in the look-back of Merrill and Garland ("Single-pass
 * Parallel Prefix Scan with Decoupled Look-back", 2016) their order varies.
 *
 * `published` begins with the number of tickets taken. The totals and the inclusive prefixes of
 * sections follow: a word for each 32 bits of a value, whose upper half is the turn once the value
 * is published. So one access reads a value with its flag, and relaxed order suffices.
 */
#define WORDS (sizeof(WORK) / sizeof(uint32_t))
#define TOTAL_OF(section) (2 * (section))
#define PREFIX_OF(section) (2 * (section) + 1)

/* The section that a group has taken. */
typedef struct {
    uint32_t section; /* in its row */
    size_t number;    /* in all rows */
    size_t first;     /* its first element */
    uint32_t count;   /* of its elements */
} NAMED(scan_taken);

static inline NAMED(scan_taken) NAMED(taken_of)(scan_work work, uint32_t number)
{
    const uint32_t sections = (uint32_t)work.sections, row = number / sections;
    const uint32_t section = number - row * sections;
    const size_t begin = (size_t)section * SCAN_SECTION, left = work.length - begin;
    NAMED(scan_taken) own;
    own.section = section;
    own.number = number;
    own.first = row * work.length + begin;
    own.count = left < SCAN_SECTION ? (uint32_t)left : SCAN_SECTION;
    return own;
}

/* The item's elements are SCAN_GROUP apart. Those from `at` on in local memory: */
#define IN_TILE(at) ((at) / SCAN_RUN * (SCAN_RUN + 1) + (at) % SCAN_RUN)
#define NEXT_IN_TILE (SCAN_GROUP / SCAN_RUN * (SCAN_RUN + 1))

/* Copies the section's elements to local memory. Two calls, so that compilers make one without
 * comparisons. */
static inline void NAMED(load_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                       NAMED(scan_taken) own, REAP_LOCAL WORK *tile)
{
    for (uint32_t at = (uint32_t)reap_local_id(0); at < SCAN_SECTION;
         at += SCAN_BATCH * SCAN_GROUP) {
        WORK values[SCAN_BATCH];
        REAP_LOCAL WORK *const to = tile + IN_TILE(at);
        const uint32_t left = at < own.count ? own.count - at : 0;
        for (uint32_t j = 0; j < SCAN_BATCH; j++)
            values[j] = NAMED(identity_of)(work.operation);
        const size_t first = own.first + at;
        if (own.count == SCAN_SECTION)
            NAMED(read_apart)(x, work.from, first, SCAN_GROUP, SCAN_BATCH, SCAN_SECTION, values);
        else
            NAMED(read_apart)(x, work.from, first, SCAN_GROUP, SCAN_BATCH, left, values);
        for (uint32_t j = 0; j < SCAN_BATCH; j++)
            to[j * NEXT_IN_TILE] = values[j];
    }
}

/* Writes the section's results. */
static inline void NAMED(write_section)(REAP_ITEM, REAP_GLOBAL uint8_t *results, scan_work work,
                                        NAMED(scan_taken) own, const REAP_LOCAL WORK *tile,
                                        const REAP_LOCAL WORK *runs, const REAP_LOCAL WORK *some)
{
    const WORK before_section = some[SCAN_BEFORE_SECTION];
    for (uint32_t at = (uint32_t)reap_local_id(0); at < SCAN_SECTION;
         at += SCAN_BATCH * SCAN_GROUP) {
        WORK values[SCAN_BATCH];
        const REAP_LOCAL WORK *const from = tile + IN_TILE(at);
        const uint32_t left = at < own.count ? own.count - at : 0;
        for (uint32_t j = 0; j < SCAN_BATCH; j++) {
            const uint32_t run = at / SCAN_RUN + j * (SCAN_GROUP / SCAN_RUN);
            const WORK in_block =
                NAMED(operate)(work.operation, runs[SCAN_RUN_AT(run)], from[j * NEXT_IN_TILE]);
            const WORK in_section = NAMED(operate)(
                work.operation, some[SCAN_BEFORE_BLOCKS + run / SCAN_RUNS], in_block);
            values[j] = NAMED(operate)(work.operation, before_section, in_section);
        }
        const size_t first = own.first + at;
        const int type = work.to;
        if (own.count == SCAN_SECTION)
            NAMED(write_apart)(results, type, first, SCAN_GROUP, SCAN_BATCH, SCAN_SECTION, values);
        else
            NAMED(write_apart)(results, type, first, SCAN_GROUP, SCAN_BATCH, left, values);
    }
}
#undef IN_TILE
#undef NEXT_IN_TILE

static inline void NAMED(publish)(REAP_GLOBAL uint64_t *published, uint64_t turn, size_t i, WORK v)
{
    union {
        WORK value;
        uint32_t words[WORDS];
    } bits;
    bits.value = v;
    for (size_t w = 0; w < WORDS; w++)
        reap_atomic_store(&published[1 + i * WORDS + w], turn << 32 | bits.words[w]);
}

/* Returns whether value i is published, and sets *v to it. */
static inline bool NAMED(is_published)(REAP_GLOBAL uint64_t *published, uint64_t turn, size_t i,
                                       WORK *v)
{
    union {
        WORK value;
        uint32_t words[WORDS];
    } bits;
    bool is_there = true;
    for (size_t w = 0; w < WORDS; w++) {
        const uint64_t word = reap_atomic_load(&published[1 + i * WORDS + w]);
        is_there = is_there && word >> 32 == turn;
        bits.words[w] = (uint32_t)word;
    }
    *v = bits.value;
    return is_there;
}

#if KIND <= WORK_INTEGER
/* Scans the totals of runs, and publishes that of the section. The order of additions does not
 * matter: a sub-group combines its items' totals by shuffles, and each item those of the sub-groups
 * before its own. */
static inline void NAMED(combine_runs)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                       NAMED(scan_taken) own, WORK first, WORK second,
                                       REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some)
{
    const uint32_t l = (uint32_t)reap_local_id(0), lane = l % SCAN_SUB_GROUP;
    const uint32_t sub_group = l / SCAN_SUB_GROUP, sub_groups = SCAN_GROUP / SCAN_SUB_GROUP;
    REAP_LOCAL WORK *const totals = some + SCAN_SUB_GROUP_TOTALS;
    const WORK identity = NAMED(identity_of)(work.operation);
    WORK before_first = identity, before_second = identity, total = identity;
    for (uint32_t by = 1; by < SCAN_SUB_GROUP; by *= 2) {
        const WORK of_first = reap_sub_group_shuffle_up(WORK, first, by);
        const WORK of_second = reap_sub_group_shuffle_up(WORK, second, by);
        first = lane >= by ? NAMED(operate)(work.operation, of_first, first) : first;
        second = lane >= by ? NAMED(operate)(work.operation, of_second, second) : second;
    }
    const WORK previous_first = reap_sub_group_shuffle_up(WORK, first, 1);
    const WORK previous_second = reap_sub_group_shuffle_up(WORK, second, 1);
    if (lane == SCAN_SUB_GROUP - 1) {
        totals[sub_group] = first;
        totals[sub_groups + sub_group] = second;
    }
    if (l < SCAN_BLOCKS)
        some[SCAN_BEFORE_BLOCKS + l] = identity;
    reap_barrier(REAP_LOCAL_SPACE);
    for (uint32_t g = 0; g < 2 * sub_groups; g++) {
        before_first = g == sub_group ? total : before_first;
        before_second = g == sub_groups + sub_group ? total : before_second;
        total = NAMED(operate)(work.operation, total, totals[g]);
    }
    if (l == 0) {
        some[SCAN_TOTAL] = total;
        NAMED(publish)(published, work.turn, TOTAL_OF(own.number), total);
    }
    runs[SCAN_RUN_AT(l)] =
        lane > 0 ? NAMED(operate)(work.operation, before_first, previous_first) : before_first;
    runs[SCAN_RUN_AT(l + SCAN_GROUP)] =
        lane > 0 ? NAMED(operate)(work.operation, before_second, previous_second) : before_second;
}
#else
/* The same in order: an item combines the runs of a block, and one of them the blocks. */
static inline void NAMED(combine_runs)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                       NAMED(scan_taken) own, WORK first, WORK second,
                                       REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some)
{
    const uint32_t l = (uint32_t)reap_local_id(0);
    WORK total = NAMED(identity_of)(work.operation);
    runs[SCAN_RUN_AT(l)] = first;
    runs[SCAN_RUN_AT(l + SCAN_GROUP)] = second;
    reap_barrier(REAP_LOCAL_SPACE);
    if (l >= SCAN_SUB_GROUP)
        return;
    if (l < SCAN_BLOCKS)
        some[SCAN_BEFORE_BLOCKS + l] =
            NAMED(scan_before)(work.operation, total, runs + l * (SCAN_RUNS + 1), SCAN_RUNS);
    reap_sub_group_barrier(REAP_LOCAL_SPACE);
    if (l > 0)
        return;
    for (uint32_t b = 0; b < SCAN_BLOCKS; b++) {
        const WORK of_block = some[SCAN_BEFORE_BLOCKS + b];
        some[SCAN_BEFORE_BLOCKS + b] = total;
        total = NAMED(operate)(work.operation, total, of_block);
    }
    some[SCAN_TOTAL] = total;
    NAMED(publish)(published, work.turn, TOTAL_OF(own.number), total);
}
#endif

/* The distance of the nearest section that has published its prefix, and of the nearest one that
 * has published nothing; at most SCAN_WINDOW. */
typedef struct {
    uint32_t prefix, missing;
} NAMED(scan_nearest);

/* Looks at the item's preceding sections: SCAN_SUB_GROUP + behind, and so on. Before the first
 * section is the initial value. All loads are in flight at once. */
static inline NAMED(scan_nearest)
    NAMED(look_at_sections)(REAP_GLOBAL uint64_t *published, uint64_t turn, NAMED(scan_taken) own,
                            uint32_t behind, WORK initial, WORK *values)
{
    NAMED(scan_nearest) nearest = {SCAN_WINDOW, SCAN_WINDOW};
    for (uint32_t k = SCAN_LOOKS; k-- > 0;) {
        const uint32_t distance = k * SCAN_SUB_GROUP + behind;
        WORK prefix = initial, total = initial;
        bool is_prefix = distance == own.section, is_total = true;
        if (distance < own.section) {
            const size_t number = own.number - 1 - distance;
            is_prefix = NAMED(is_published)(published, turn, PREFIX_OF(number), &prefix);
            is_total = NAMED(is_published)(published, turn, TOTAL_OF(number), &total);
        }
        values[k] = is_prefix ? prefix : total;
        nearest.prefix = is_prefix ? distance : nearest.prefix;
        nearest.missing = is_prefix || is_total ? nearest.missing : distance;
    }
    return nearest;
}

/* Returns in the first item the values up to the nearest prefix, combined: the prefix, and the
 * totals of the sections after it. */
#if KIND <= WORK_INTEGER
static inline WORK NAMED(combine_sections)(REAP_ITEM, int operation, uint32_t nearest,
                                           const WORK *values, REAP_LOCAL WORK *window)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    WORK v = NAMED(identity_of)(operation);
    (void)window;
    for (uint32_t k = 0; k < SCAN_LOOKS; k++)
        if (k * SCAN_SUB_GROUP + lane <= nearest)
            v = NAMED(operate)(operation, v, values[k]);
    for (uint32_t by = SCAN_SUB_GROUP / 2; by > 0; by /= 2) {
        const WORK other = reap_sub_group_shuffle_down(WORK, v, by);
        v = NAMED(operate)(operation, v, other);
    }
    return v;
}
#else
/* In order, by one item. The next 8 values are loaded before the additions of these; values before
 * the prefix become identities. */
static inline WORK NAMED(combine_sections)(REAP_ITEM, int operation, uint32_t nearest,
                                           const WORK *values, REAP_LOCAL WORK *window)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    const WORK identity = NAMED(identity_of)(operation);
    WORK loaded[8], next[8], v = identity;
    for (uint32_t k = 0; k < SCAN_LOOKS; k++) {
        const uint32_t distance = k * SCAN_SUB_GROUP + lane;
        window[SCAN_WINDOW - 1 - distance] = distance <= nearest ? values[k] : identity;
    }
    reap_sub_group_barrier(REAP_LOCAL_SPACE);
    if (lane > 0)
        return v;
    const uint32_t first = (SCAN_WINDOW - 1 - nearest) / 8 * 8;
    for (uint32_t j = 0; j < 8; j++)
        next[j] = window[first + j];
    for (uint32_t i = first; i < SCAN_WINDOW; i += 8) {
        for (uint32_t j = 0; j < 8; j++)
            loaded[j] = next[j];
        for (uint32_t j = 0; j < 8 && i + 8 < SCAN_WINDOW; j++)
            next[j] = window[i + 8 + j];
        for (uint32_t j = 0; j < 8; j++)
            v = NAMED(operate)(operation, v, loaded[j]);
    }
    return v;
}
#endif

/* The prefix before the section, by a sub-group: waits until a preceding section has published its
 * prefix, and all sections after that one their totals. */
static inline void NAMED(look_back)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                    NAMED(scan_taken) own, WORK initial, REAP_LOCAL WORK *some)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    WORK values[SCAN_LOOKS];
    uint32_t prefix, missing;
    do {
        const NAMED(scan_nearest) nearest =
            NAMED(look_at_sections)(published, work.turn, own, lane, initial, values);
        prefix = reap_sub_group_reduce(minimum, uint32_t, nearest.prefix);
        missing = reap_sub_group_reduce(minimum, uint32_t, nearest.missing);
    } while (prefix == SCAN_WINDOW || missing < prefix);
    const WORK before =
        NAMED(combine_sections)(REAP_THIS_ITEM, work.operation, prefix, values, some);
    if (lane == 0)
        some[SCAN_BEFORE_SECTION] = before;
}

static inline void NAMED(scan_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                       REAP_GLOBAL uint8_t *results,
                                       REAP_GLOBAL uint64_t *published, scan_work work,
                                       WORK initial, REAP_LOCAL WORK *tile, REAP_LOCAL WORK *runs,
                                       REAP_LOCAL WORK *some, REAP_LOCAL uint32_t *ticket)
{
    const uint32_t l = (uint32_t)reap_local_id(0);
    if (l == 0)
        ticket[0] = (uint32_t)(reap_atomic_fetch_add(&published[0], 1) - work.first_ticket);
    reap_barrier(REAP_LOCAL_SPACE);
    const NAMED(scan_taken) own = NAMED(taken_of)(work, ticket[0]);
    NAMED(load_section)(REAP_THIS_ITEM, x, work, own, tile);
    reap_barrier(REAP_LOCAL_SPACE);
    const WORK first = NAMED(scan_run)(work, tile + l * (SCAN_RUN + 1));
    const WORK second = NAMED(scan_run)(work, tile + (l + SCAN_GROUP) * (SCAN_RUN + 1));
    NAMED(combine_runs)(REAP_THIS_ITEM, published, work, own, first, second, runs, some);
    if (l / SCAN_SUB_GROUP == 1)
        NAMED(look_back)(REAP_THIS_ITEM, published, work, own, initial, some);
    reap_barrier(REAP_LOCAL_SPACE);
    if (l == 0) {
        const WORK before = some[SCAN_BEFORE_SECTION], total = some[SCAN_TOTAL];
        const WORK prefix = NAMED(operate)(work.operation, before, total);
        NAMED(publish)(published, work.turn, PREFIX_OF(own.number), prefix);
    }
    /* Found again rather than kept: with 48 registers an item, a multiprocessor holds five groups.
     */
    NAMED(write_section)
    (REAP_THIS_ITEM, results, work, NAMED(taken_of)(work, ticket[0]), tile, runs, some);
}

/* Two calls, so compilers specialise one for sums. */
static inline void NAMED(scan_section_by)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                          REAP_GLOBAL uint8_t *results,
                                          REAP_GLOBAL uint64_t *published, scan_work work,
                                          WORK initial, REAP_LOCAL WORK *tile,
                                          REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some,
                                          REAP_LOCAL uint32_t *ticket)
{
    if (work.operation == OPERATION_SUM) {
        work.operation = OPERATION_SUM;
        NAMED(scan_section)
        (REAP_THIS_ITEM, x, results, published, work, initial, tile, runs, some, ticket);
    } else {
        NAMED(scan_section)
        (REAP_THIS_ITEM, x, results, published, work, initial, tile, runs, some, ticket);
    }
}

REAP_ND_KERNEL(NAMED(scan_in_one_pass), in(uint8_t, x), out(uint8_t, results),
               inout(uint64_t, published), value(scan_work, work), value(WORK, initial),
               local(WORK, tile), local(WORK, runs), local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_section_by)
    (REAP_THIS_ITEM, x, results, published, work, initial, tile, runs, some, ticket);
}

REAP_ND_KERNEL(NAMED(scan_in_one_pass_in_place), inout(uint8_t, results),
               inout(uint64_t, published), value(scan_work, work), value(WORK, initial),
               local(WORK, tile), local(WORK, runs), local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_section_by)
    (REAP_THIS_ITEM, results, results, published, work, initial, tile, runs, some, ticket);
}

#undef WORDS
#undef TOTAL_OF
#undef PREFIX_OF
#undef NAME
#undef WORK
#undef KIND
