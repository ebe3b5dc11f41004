/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans that compute in one type: see scan.kernels.h. On the host a work-item, which is a group,
 * scans a section or a row. On other devices a group scans a tile in local memory.
 */
REAP_KERNEL_FILE

#include "algorithms/numbers.kernels_tmpl.h"

/* ---- On the host ------------------------------------------------------------------------------*/

/* The totals before an element: of the row's regions, the region's sections, the section's blocks,
 * and the block's runs. Without any, a total is the identity. */
typedef struct {
    WORK regions, sections, blocks, runs;
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
    WORK v = NAMED(operate)(operation, sums.regions, sums.sections);
    v = NAMED(operate)(operation, v, NAMED(operate)(operation, sums.blocks, sums.runs));
    for (size_t i = 0; i < runs * SCAN_RUN; i++) {
        const WORK next = NAMED(operate)(operation, v, values[i]);
        results[i] = is_exclusive ? v : next;
        v = next;
    }
    sums.regions = sums.sections = sums.blocks = identity;
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
        const WORK in_region = NAMED(operate)(operation, sums.sections, in_section);
        results[i] = NAMED(operate)(operation, sums.regions, in_region);
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

/* After `done` elements of a row, or of a section: if a block, a section or a region ends here, its
 * total becomes part of the next level. */
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
    if (done % SCAN_REGION == 0) {
        sums.regions = NAMED(operate)(operation, sums.regions, sums.sections);
        sums.sections = NAMED(identity_of)(operation);
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
    totals[2 * reap_global_id(0)] = blocks;
}

/* The total of each section, at twice its number. */
REAP_GROUP_KERNEL(NAMED(scan_totals), in(uint8_t, x), out(WORK, totals), value(scan_work, work))
{
    reap_for_each_item {
        NAMED(add_up_section)(REAP_THIS_ITEM, x, totals, work);
    }
}

/* Replaces the totals of sections, of which `first` is the first one's number in the row, by two
 * values each: the total of the regions before it, and that of the sections before it in its
 * region. Those of the section after them become `carry`. One work-item. */
REAP_KERNEL(NAMED(scan_between), inout(WORK, totals), inout(WORK, carry), value(size_t, first),
            value(size_t, count), value(int32_t, operation), value(WORK, initial))
{
    const WORK identity = NAMED(identity_of)(operation);
    WORK regions = first == 0 ? initial : carry[0], sections = first == 0 ? identity : carry[1];
    for (size_t s = 0; s < count; s++) {
        const WORK total = totals[2 * s];
        totals[2 * s] = regions;
        totals[2 * s + 1] = sections;
        sections = NAMED(operate)(operation, sections, total);
        if ((first + s + 1) % SCAN_SECTIONS == 0) {
            regions = NAMED(operate)(operation, regions, sections);
            sections = identity;
        }
    }
    carry[0] = regions;
    carry[1] = sections;
}

/* Scans `count` elements of a row, a section or the whole row, after `regions` and `sections`. */
static inline void NAMED(scan_part)(const REAP_GLOBAL uint8_t *x, REAP_GLOBAL uint8_t *results,
                                    scan_work work, size_t begin, size_t count, WORK regions,
                                    WORK sections)
{
    const WORK identity = NAMED(identity_of)(work.operation);
    const size_t end = begin + count;
    WORK values[SCAN_HELD], scanned[SCAN_HELD];
    NAMED(scan_sums) sums = {regions, sections, identity, identity};
    for (size_t first = begin; first < end; first += SCAN_HELD) {
        const size_t some = end - first < SCAN_HELD ? end - first : SCAN_HELD;
        const size_t runs = NAMED(read_runs)(x, work.from, first, some, identity, values);
        sums = NAMED(scan_runs_by)(work, sums, values, scanned, runs);
        NAMED(write)(results, work.to, first, some, scanned);
        sums = NAMED(close_levels)(work.operation, sums, first - begin + SCAN_HELD);
    }
}

/* Scans a row, after `initial`; or a section of a row, after the totals before it. */
static inline void NAMED(scan_own)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                   REAP_GLOBAL uint8_t *results, const REAP_GLOBAL WORK *before,
                                   scan_work work, WORK initial)
{
    const bool is_row = work.rows > 0;
    const size_t i = reap_global_id(0), most = is_row ? work.length : SCAN_SECTION;
    const size_t begin = i * most, left = is_row ? most : work.length - begin;
    const size_t count = left < most ? left : most;
    NAMED(scan_part)
    (x, results, work, begin, count, is_row ? initial : before[2 * i],
     is_row ? NAMED(identity_of)(work.operation) : before[2 * i + 1]);
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

/* An item's elements, which are SCAN_TILE_ITEMS apart. */
typedef struct {
    size_t first; /* index in the array */
    size_t left;  /* elements from the first one to the end of the tile */
} NAMED(scan_position);

/* The item's elements of tile `number` of all rows. */
static inline NAMED(scan_position) NAMED(position_of)(REAP_ITEM, scan_work work, size_t number)
{
    const size_t l = reap_local_id(0), begin = number % work.tiles * SCAN_TILE;
    const size_t in_row = work.length - begin;
    const size_t count = in_row < SCAN_TILE ? in_row : SCAN_TILE;
    NAMED(scan_position) position;
    position.first = number / work.tiles * work.length + begin + l;
    position.left = l < count ? count - l : 0;
    return position;
}

/* Copies a tile's elements to local memory. */
static inline void NAMED(load_tile)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                    size_t number, REAP_LOCAL WORK *tile)
{
    const size_t l = reap_local_id(0);
    const NAMED(scan_position) position = NAMED(position_of)(REAP_THIS_ITEM, work, number);
    const WORK identity = NAMED(identity_of)(work.operation);
    for (size_t first = 0; first < SCAN_RUN; first += SCAN_LOADS) {
        WORK values[SCAN_LOADS];
        const size_t done = first * SCAN_TILE_ITEMS,
                     left = position.left > done ? position.left - done : 0;
        for (size_t j = 0; j < SCAN_LOADS; j++)
            values[j] = identity;
        NAMED(read_apart)
        (x, work.from, position.first + done, SCAN_TILE_ITEMS, SCAN_LOADS, left, values);
        for (size_t j = 0; j < SCAN_LOADS; j++)
            tile[SCAN_IN_TILE(WORK, (first + j) * SCAN_TILE_ITEMS + l)] = values[j];
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

/* An exclusive scan of the values, after `first`; returns the total. The count is a multiple of
 * SCAN_AHEAD: the next ones are loaded before the additions of these. */
static inline WORK NAMED(scan_before)(int operation, WORK first, REAP_LOCAL WORK *values,
                                      size_t count)
{
    WORK loaded[SCAN_AHEAD], next[SCAN_AHEAD];
    for (size_t j = 0; j < SCAN_AHEAD; j++)
        next[j] = values[j];
    for (size_t i = 0; i < count; i += SCAN_AHEAD) {
        for (size_t j = 0; j < SCAN_AHEAD; j++)
            loaded[j] = next[j];
        for (size_t j = 0; j < SCAN_AHEAD && i + SCAN_AHEAD < count; j++)
            next[j] = values[i + SCAN_AHEAD + j];
        for (size_t j = 0; j < SCAN_AHEAD; j++) {
            values[i + j] = first;
            first = NAMED(operate)(operation, first, loaded[j]);
        }
    }
    return first;
}

/* Loads a tile and scans each run in it. `runs` become the totals before each run, in its block,
 * `blocks` the totals of blocks. */
static inline void NAMED(scan_runs_of)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                       size_t number, REAP_LOCAL WORK *tile, REAP_LOCAL WORK *runs,
                                       REAP_LOCAL WORK *blocks)
{
    const size_t l = reap_local_id(0);
    NAMED(load_tile)(REAP_THIS_ITEM, x, work, number, tile);
    reap_barrier(REAP_LOCAL_SPACE);
    runs[SCAN_RUN_AT(l)] = NAMED(scan_run)(work, tile + SCAN_IN_TILE(WORK, l * SCAN_RUN));
    reap_barrier(REAP_LOCAL_SPACE);
    if (l < SCAN_TILE_BLOCKS)
        blocks[l] = NAMED(scan_before)(work.operation, NAMED(identity_of)(work.operation),
                                       runs + SCAN_RUN_AT(l * SCAN_RUNS), SCAN_RUNS);
    reap_barrier(REAP_LOCAL_SPACE);
}

/* The total of each block. */
REAP_ND_KERNEL(NAMED(scan_block_totals), in(uint8_t, x), out(WORK, totals), value(scan_work, work),
               local(WORK, tile), local(WORK, runs), local(WORK, blocks))
{
    const size_t l = reap_local_id(0);
    NAMED(scan_runs_of)(REAP_THIS_ITEM, x, work, reap_group_id(0), tile, runs, blocks);
    if (l < SCAN_TILE_BLOCKS)
        totals[reap_group_id(0) * SCAN_TILE_BLOCKS + l] = blocks[l];
}

/* Replaces the totals of blocks, or of sections, by the total before each of them in its section,
 * or region, and writes the totals of these. A work-item for each of these. */
REAP_KERNEL(NAMED(scan_level), inout(WORK, sums), value(scan_level, level),
            value(int32_t, operation))
{
    const size_t row = reap_global_id(0) / level.parents;
    const size_t first = reap_global_id(0) % level.parents * level.each;
    const size_t end = level.parts - first < level.each ? level.parts : first + level.each;
    REAP_GLOBAL WORK *const parts = sums + level.first_part + row * level.parts;
    WORK v = NAMED(identity_of)(operation);
    for (size_t p = first; p < end; p++) {
        const WORK total = parts[p];
        parts[p] = v;
        v = NAMED(operate)(operation, v, total);
    }
    sums[level.first_parent + reap_global_id(0)] = v;
}

/* Replaces the totals of a row's regions by the total before each of them. A group scans a row,
 * and has a multiple of SCAN_AHEAD items. */
REAP_ND_KERNEL(NAMED(scan_rows_of_totals), inout(WORK, totals), value(scan_work, work),
               value(WORK, initial), local(WORK, some))
{
    const size_t l = reap_local_id(0), items = reap_local_range(0);
    REAP_GLOBAL WORK *const own = totals + reap_group_id(0) * work.regions;
    if (l == 0)
        some[items] = initial;
    for (size_t first = 0; first < work.regions; first += items) {
        const bool has_one = l < work.regions - first;
        some[l] = has_one ? own[first + l] : NAMED(identity_of)(work.operation);
        reap_barrier(REAP_LOCAL_SPACE);
        if (l == 0)
            some[items] = NAMED(scan_before)(work.operation, some[items], some, items);
        reap_barrier(REAP_LOCAL_SPACE);
        if (has_one)
            own[first + l] = some[l];
    }
}

/* Writes a tile's results. `tile` has the scanned runs, `runs` the total before each of them in its
 * block, `blocks` that before each block in its section. */
static inline void NAMED(write_tile)(REAP_ITEM, REAP_GLOBAL uint8_t *results, scan_work work,
                                     size_t number, WORK regions, WORK sections,
                                     const REAP_LOCAL WORK *tile, const REAP_LOCAL WORK *runs,
                                     const REAP_LOCAL WORK *blocks)
{
    const size_t l = reap_local_id(0);
    const NAMED(scan_position) position = NAMED(position_of)(REAP_THIS_ITEM, work, number);
    for (size_t first = 0; first < SCAN_RUN; first += SCAN_LOADS) {
        WORK values[SCAN_LOADS];
        const size_t done = first * SCAN_TILE_ITEMS,
                     left = position.left > done ? position.left - done : 0;
        for (size_t j = 0; j < SCAN_LOADS; j++) {
            const size_t i = (first + j) * SCAN_TILE_ITEMS + l;
            const WORK in_block = NAMED(operate)(work.operation, runs[SCAN_RUN_AT(i / SCAN_RUN)],
                                                 tile[SCAN_IN_TILE(WORK, i)]);
            const WORK in_section =
                NAMED(operate)(work.operation, blocks[i / SCAN_BLOCK], in_block);
            const WORK in_region = NAMED(operate)(work.operation, sections, in_section);
            values[j] = NAMED(operate)(work.operation, regions, in_region);
        }
        NAMED(write_apart)
        (results, work.to, position.first + done, SCAN_TILE_ITEMS, SCAN_LOADS, left, values);
    }
}

/* Scans a tile. If a row is one tile, `initial` precedes it. */
static inline void NAMED(scan_tile)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                    REAP_GLOBAL uint8_t *results, const REAP_GLOBAL WORK *sums,
                                    scan_work work, WORK initial, REAP_LOCAL WORK *tile,
                                    REAP_LOCAL WORK *runs, REAP_LOCAL WORK *blocks)
{
    const size_t l = reap_local_id(0), number = reap_group_id(0), row = number / work.tiles;
    const size_t begin = number % work.tiles * SCAN_TILE;
    const size_t tiles = work.rows * work.tiles, sections = work.rows * work.sections;
    WORK before_regions = initial, before_sections = NAMED(identity_of)(work.operation);
    NAMED(scan_runs_of)(REAP_THIS_ITEM, x, work, number, tile, runs, blocks);
    if (work.tiles > 1) {
        const REAP_GLOBAL WORK *const of_sections = sums + tiles * SCAN_TILE_BLOCKS;
        before_sections = of_sections[row * work.sections + begin / SCAN_SECTION];
        before_regions = of_sections[sections + row * work.regions + begin / SCAN_REGION];
        if (l < SCAN_TILE_BLOCKS)
            blocks[l] = sums[number * SCAN_TILE_BLOCKS + l];
    } else if (l == 0) {
        NAMED(scan_before)(work.operation, before_sections, blocks, SCAN_TILE_BLOCKS);
    }
    reap_barrier(REAP_LOCAL_SPACE);
    NAMED(write_tile)
    (REAP_THIS_ITEM, results, work, number, before_regions, before_sections, tile, runs, blocks);
}

REAP_ND_KERNEL(NAMED(scan_tiles), in(uint8_t, x), out(uint8_t, results), in(WORK, sums),
               value(scan_work, work), value(WORK, initial), local(WORK, tile), local(WORK, runs),
               local(WORK, blocks))
{
    NAMED(scan_tile)(REAP_THIS_ITEM, x, results, sums, work, initial, tile, runs, blocks);
}

REAP_ND_KERNEL(NAMED(scan_tiles_in_place), inout(uint8_t, results), in(WORK, sums),
               value(scan_work, work), value(WORK, initial), local(WORK, tile), local(WORK, runs),
               local(WORK, blocks))
{
    NAMED(scan_tile)(REAP_THIS_ITEM, results, results, sums, work, initial, tile, runs, blocks);
}

/* ---- In one pass ------------------------------------------------------------------------------*/

/* On CUDA devices, where a group that has begun makes progress while others wait for it. A group
 * takes the next section that no group has taken, so it waits only for groups that have begun. It
 * publishes the section's total; that of a region's last section also the region's total, and later
 * its inclusive prefix, the sum up to its end. What precedes a section are the totals of the
 * sections before it in its region, and the inclusive prefix of the nearest preceding region that
 * has published one, plus the totals of the regions in between, one after the other. So the
 * additions are the same, whatever is published at that time; in the look-back of Merrill and
 * Garland ("Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016) their order varies.
 *
 * `published` begins with the number of tickets taken. The totals of sections, and the totals and
 * the inclusive prefixes of regions follow: a word for each 32 bits of a value, whose upper half is
 * the turn once the value is published. So one access reads a value with its flag, and relaxed
 * order suffices.
 */
#define WORDS (sizeof(WORK) / sizeof(uint32_t))

/* The section that a group has taken. */
typedef struct {
    size_t total;      /* where its total is published, after those of the sections before it */
    size_t region;     /* where its region's total is published, and then the inclusive prefix */
    uint32_t sections; /* in its region before it */
    uint32_t regions;  /* in its row before its own */
    size_t first;      /* its first element */
    uint32_t count;    /* of its elements */
} NAMED(scan_taken);

static inline NAMED(scan_taken) NAMED(taken_of)(scan_work work, uint32_t number)
{
    const uint32_t sections = (uint32_t)work.sections, row = number / sections;
    const uint32_t section = number - row * sections;
    const size_t begin = (size_t)section * SCAN_SECTION, left = work.length - begin;
    NAMED(scan_taken) own;
    own.total = number;
    own.region = work.rows * work.sections + 2 * (row * work.regions + section / SCAN_SECTIONS);
    own.sections = section % SCAN_SECTIONS;
    own.regions = section / SCAN_SECTIONS;
    own.first = row * work.length + begin;
    own.count = left < SCAN_SECTION ? (uint32_t)left : SCAN_SECTION;
    return own;
}

/* Whether it is its region's last section. The last region of a row may have none, and has no
 * region after it. */
static inline bool NAMED(is_last)(NAMED(scan_taken) own)
{
    return own.sections == SCAN_SECTIONS - 1;
}

/* Local memory of a group for each of the one or two sections that it holds: see scan.kernels.h. */
typedef struct {
    REAP_LOCAL WORK *tile, *runs, *some;
} NAMED(scan_slot);

static inline NAMED(scan_slot)
    NAMED(slot_of)(uint32_t s, REAP_LOCAL WORK *tile, REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some)
{
    NAMED(scan_slot) slot;
    slot.tile = tile + s * SCAN_IN_TILE(WORK, SCAN_SECTION);
    slot.runs = runs + s * SCAN_SECTION_RUNS;
    slot.some = some + s * SCAN_SUMS;
    return slot;
}

/* The item's elements are SCAN_GROUP apart, in local memory so many places: */
#define NEXT_IN_TILE SCAN_IN_TILE(WORK, SCAN_GROUP)

/* Copies the section's elements to local memory. Two calls, so that compilers make one without
 * comparisons. */
static inline void NAMED(load_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                       NAMED(scan_taken) own, REAP_LOCAL WORK *tile)
{
    for (uint32_t at = (uint32_t)reap_local_id(0); at < SCAN_SECTION;
         at += SCAN_BATCH * SCAN_GROUP) {
        WORK values[SCAN_BATCH];
        REAP_LOCAL WORK *const to = tile + SCAN_IN_TILE(WORK, at);
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

/* Writes the section's results. The item's next element is in the next block, at the same place. */
static inline void NAMED(write_section)(REAP_ITEM, REAP_GLOBAL uint8_t *results, scan_work work,
                                        NAMED(scan_taken) own, NAMED(scan_slot) slot)
{
    const WORK regions = slot.some[SCAN_BEFORE_REGION], sections = slot.some[SCAN_BEFORE_SECTION];
    for (uint32_t at = (uint32_t)reap_local_id(0); at < SCAN_SECTION;
         at += SCAN_BATCH * SCAN_GROUP) {
        WORK values[SCAN_BATCH];
        const REAP_LOCAL WORK *const from = slot.tile + SCAN_IN_TILE(WORK, at);
        const REAP_LOCAL WORK *const runs = slot.runs + SCAN_RUN_AT(at / SCAN_RUN);
        const REAP_LOCAL WORK *const blocks = slot.some + SCAN_BEFORE_BLOCKS + at / SCAN_BLOCK;
        const uint32_t left = at < own.count ? own.count - at : 0;
        for (uint32_t j = 0; j < SCAN_BATCH; j++) {
            const WORK in_block = NAMED(operate)(work.operation, runs[j * SCAN_RUN_AT(SCAN_RUNS)],
                                                 from[j * NEXT_IN_TILE]);
            const WORK in_section = NAMED(operate)(work.operation, blocks[j], in_block);
            const WORK in_region = NAMED(operate)(work.operation, sections, in_section);
            values[j] = NAMED(operate)(work.operation, regions, in_region);
        }
        const size_t first = own.first + at;
        const int type = work.to;
        if (own.count == SCAN_SECTION)
            NAMED(write_apart)(results, type, first, SCAN_GROUP, SCAN_BATCH, SCAN_SECTION, values);
        else
            NAMED(write_apart)(results, type, first, SCAN_GROUP, SCAN_BATCH, left, values);
    }
}
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

/* Combines the sections before the section in its region. Waits until all of them have published
 * their totals. By a sub-group. */
static inline void NAMED(combine_sections)(REAP_ITEM, REAP_GLOBAL uint64_t *published,
                                           scan_work work, NAMED(scan_taken) own,
                                           REAP_LOCAL WORK *some)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    const WORK identity = NAMED(identity_of)(work.operation);
    const size_t i = own.total - own.sections + lane;
    WORK v = identity;
    bool is_there = lane >= own.sections;
    do {
        if (!is_there)
            is_there = NAMED(is_published)(published, work.turn, i, &v);
    } while (reap_sub_group_reduce(minimum, uint32_t, is_there) == 0);
    some[SCAN_SECTION_TOTALS + lane] = v;
    reap_sub_group_barrier(REAP_LOCAL_SPACE);
    if (lane == 0)
        some[SCAN_BEFORE_SECTION] = NAMED(scan_before)(
            work.operation, identity, some + SCAN_SECTION_TOTALS, SCAN_ROUND_UP(own.sections));
}

/* Combines the regions before the section's; an item looks at one of them, the last one at the
 * nearest. Waits until one has published its inclusive prefix, and all after that one their totals.
 * Before the first region is the initial value. By a sub-group. */
static inline void NAMED(combine_regions)(REAP_ITEM, REAP_GLOBAL uint64_t *published,
                                          scan_work work, NAMED(scan_taken) own, WORK initial,
                                          REAP_LOCAL WORK *some)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    const uint32_t distance = SCAN_SUB_GROUP - 1 - lane;
    WORK v = initial;
    uint32_t nearest; /* twice the distance of a prefix, or one more: of what is not published */
    do {
        nearest = distance == own.regions ? 2 * distance : 2 * SCAN_SUB_GROUP + 1;
        if (distance < own.regions) {
            const size_t i = own.region - 2 * (distance + 1);
            if (NAMED(is_published)(published, work.turn, i + 1, &v))
                nearest = 2 * distance;
            else if (!NAMED(is_published)(published, work.turn, i, &v))
                nearest = 2 * distance + 1;
        }
        nearest = reap_sub_group_reduce(minimum, uint32_t, nearest);
    } while (nearest % 2 == 1);
    const WORK identity = NAMED(identity_of)(work.operation);
    some[SCAN_REGION_TOTALS + lane] = 2 * distance <= nearest ? v : identity;
    reap_sub_group_barrier(REAP_LOCAL_SPACE);
    if (lane == 0) {
        const uint32_t first = (SCAN_SUB_GROUP - 1 - nearest / 2) / SCAN_AHEAD * SCAN_AHEAD;
        some[SCAN_BEFORE_REGION] = NAMED(scan_before)(
            work.operation, identity, some + SCAN_REGION_TOTALS + first, SCAN_SUB_GROUP - first);
    }
}

/* Of a region's last section: publishes the region's total. By a sub-group. */
static inline void NAMED(combine_region)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                         NAMED(scan_taken) own, REAP_LOCAL WORK *some)
{
    NAMED(combine_sections)(REAP_THIS_ITEM, published, work, own, some);
    if (reap_sub_group_local_id() > 0)
        return;
    const WORK region = NAMED(operate)(work.operation, some[SCAN_BEFORE_SECTION], some[SCAN_TOTAL]);
    NAMED(publish)(published, work.turn, own.region, region);
}

/* Scans the totals of runs, an item those of a block, and then the first one those of blocks; and
 * publishes the section's total. By a sub-group. */
static inline void NAMED(combine_runs)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                       NAMED(scan_taken) own, NAMED(scan_slot) slot)
{
    const uint32_t lane = (uint32_t)reap_sub_group_local_id();
    const WORK identity = NAMED(identity_of)(work.operation);
    REAP_LOCAL WORK *const blocks = slot.some + SCAN_BEFORE_BLOCKS;
    blocks[lane] = NAMED(scan_before)(work.operation, identity,
                                      slot.runs + SCAN_RUN_AT(lane * SCAN_RUNS), SCAN_RUNS);
    reap_sub_group_barrier(REAP_LOCAL_SPACE);
    if (lane == 0) {
        const WORK total = NAMED(scan_before)(work.operation, identity, blocks, SCAN_BLOCKS);
        NAMED(publish)(published, work.turn, own.total, total);
        slot.some[SCAN_TOTAL] = total;
    }
    if (NAMED(is_last)(own))
        NAMED(combine_region)(REAP_THIS_ITEM, published, work, own, slot.some);
}

/* Of a region's last section, by an item: publishes the inclusive prefix. */
static inline void NAMED(publish_prefix)(REAP_GLOBAL uint64_t *published, scan_work work,
                                         NAMED(scan_taken) own, const REAP_LOCAL WORK *some)
{
    const WORK region = NAMED(operate)(work.operation, some[SCAN_BEFORE_SECTION], some[SCAN_TOTAL]);
    const WORK prefix = NAMED(operate)(work.operation, some[SCAN_BEFORE_REGION], region);
    NAMED(publish)(published, work.turn, own.region + 1, prefix);
}

static inline void NAMED(take_ticket)(REAP_GLOBAL uint64_t *published, scan_work work,
                                      REAP_LOCAL uint32_t *ticket)
{
    ticket[0] = (uint32_t)(reap_atomic_fetch_add(&published[0], 1) - work.first_ticket);
}

/* Loads a section, and scans its runs. */
static inline void NAMED(begin_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x, scan_work work,
                                        uint32_t number, NAMED(scan_slot) slot)
{
    NAMED(load_section)(REAP_THIS_ITEM, x, work, NAMED(taken_of)(work, number), slot.tile);
    reap_barrier(REAP_LOCAL_SPACE);
    for (uint32_t r = (uint32_t)reap_local_id(0); r < SCAN_SECTION / SCAN_RUN; r += SCAN_GROUP)
        slot.runs[SCAN_RUN_AT(r)] =
            NAMED(scan_run)(work, slot.tile + SCAN_IN_TILE(WORK, r * SCAN_RUN));
    reap_barrier(REAP_LOCAL_SPACE);
}

/* Combines the runs of section `next`, and what precedes section `current`, which may be the same:
 * a sub-group for the runs, the preceding sections and the preceding regions. A number that no
 * section has is left out. */
static inline void NAMED(combine)(REAP_ITEM, REAP_GLOBAL uint64_t *published, scan_work work,
                                  uint32_t next, uint32_t current, WORK initial,
                                  NAMED(scan_slot) of_next, NAMED(scan_slot) of_current)
{
    const uint32_t sub_group = (uint32_t)reap_local_id(0) / SCAN_SUB_GROUP;
    const uint32_t sections = (uint32_t)(work.rows * work.sections);
    const NAMED(scan_taken) own = NAMED(taken_of)(work, current);
    if (sub_group == 0 && next < sections)
        NAMED(combine_runs)
    (REAP_THIS_ITEM, published, work, NAMED(taken_of)(work, next), of_next);
    else if (sub_group == 1 && current < sections && !NAMED(is_last)(own))
        NAMED(combine_sections)(REAP_THIS_ITEM, published, work, own, of_current.some);
    else if (sub_group == 2 && current < sections)
        NAMED(combine_regions)(REAP_THIS_ITEM, published, work, own, initial, of_current.some);
}

/* Writes a section's results, after its region's inclusive prefix if it is the last one. */
static inline void NAMED(end_section)(REAP_ITEM, REAP_GLOBAL uint8_t *results,
                                      REAP_GLOBAL uint64_t *published, scan_work work,
                                      uint32_t number, NAMED(scan_slot) slot)
{
    const NAMED(scan_taken) own = NAMED(taken_of)(work, number);
    if (reap_local_id(0) == 0 && NAMED(is_last)(own))
        NAMED(publish_prefix)(published, work, own, slot.some);
    NAMED(write_section)(REAP_THIS_ITEM, results, work, own, slot);
}

static inline void NAMED(scan_section)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                       REAP_GLOBAL uint8_t *results,
                                       REAP_GLOBAL uint64_t *published, scan_work work,
                                       WORK initial, REAP_LOCAL WORK *tile, REAP_LOCAL WORK *runs,
                                       REAP_LOCAL WORK *some, REAP_LOCAL uint32_t *ticket)
{
    const NAMED(scan_slot) slot = NAMED(slot_of)(0, tile, runs, some);
    if (reap_local_id(0) == 0)
        NAMED(take_ticket)(published, work, ticket);
    reap_barrier(REAP_LOCAL_SPACE);
    NAMED(begin_section)(REAP_THIS_ITEM, x, work, ticket[0], slot);
    NAMED(combine)
    (REAP_THIS_ITEM, published, work, ticket[0], ticket[0], initial, slot, slot);
    reap_barrier(REAP_LOCAL_SPACE);
    /* The number is read again rather than kept: with 48 registers an item, a multiprocessor holds
     * five groups. */
    NAMED(end_section)(REAP_THIS_ITEM, results, published, work, ticket[0], slot);
}

/* Scans sections until none is left. A group begins the next section before it ends the current
 * one: other groups have published by then what precedes that one. */
static inline void NAMED(scan_sections)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                        REAP_GLOBAL uint8_t *results,
                                        REAP_GLOBAL uint64_t *published, scan_work work,
                                        WORK initial, REAP_LOCAL WORK *tile, REAP_LOCAL WORK *runs,
                                        REAP_LOCAL WORK *some, REAP_LOCAL uint32_t *ticket)
{
    const uint32_t sections = (uint32_t)(work.rows * work.sections);
    uint32_t current = sections, next;
    if (reap_local_id(0) == 0)
        NAMED(take_ticket)(published, work, ticket);
    reap_barrier(REAP_LOCAL_SPACE);
    next = ticket[0];
    for (uint32_t i = 0; next < sections || current < sections; i++) {
        const NAMED(scan_slot) of_next = NAMED(slot_of)(i % 2, tile, runs, some);
        const NAMED(scan_slot) of_current = NAMED(slot_of)((i + 1) % 2, tile, runs, some);
        if (next < sections)
            NAMED(begin_section)(REAP_THIS_ITEM, x, work, next, of_next);
        NAMED(combine)
        (REAP_THIS_ITEM, published, work, next, current, initial, of_next, of_current);
        reap_barrier(REAP_LOCAL_SPACE);
        if (reap_local_id(0) == 0 && next < sections)
            NAMED(take_ticket)(published, work, ticket);
        if (current < sections)
            NAMED(end_section)(REAP_THIS_ITEM, results, published, work, current, of_current);
        reap_barrier(REAP_LOCAL_SPACE);
        current = next;
        next = next < sections ? ticket[0] : sections;
    }
}

static inline void NAMED(scan_by_groups)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                         REAP_GLOBAL uint8_t *results,
                                         REAP_GLOBAL uint64_t *published, scan_work work,
                                         WORK initial, bool is_by_few, REAP_LOCAL WORK *tile,
                                         REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some,
                                         REAP_LOCAL uint32_t *ticket)
{
    if (is_by_few)
        NAMED(scan_sections)
    (REAP_THIS_ITEM, x, results, published, work, initial, tile, runs, some, ticket);
    else NAMED(scan_section)(REAP_THIS_ITEM, x, results, published, work, initial, tile, runs, some,
                             ticket);
}

/* Two calls, so that compilers specialise one for sums. */
static inline void NAMED(scan_operation)(REAP_ITEM, const REAP_GLOBAL uint8_t *x,
                                         REAP_GLOBAL uint8_t *results,
                                         REAP_GLOBAL uint64_t *published, scan_work work,
                                         WORK initial, bool is_by_few, REAP_LOCAL WORK *tile,
                                         REAP_LOCAL WORK *runs, REAP_LOCAL WORK *some,
                                         REAP_LOCAL uint32_t *ticket)
{
    if (work.operation == OPERATION_SUM) {
        work.operation = OPERATION_SUM;
        NAMED(scan_by_groups)
        (REAP_THIS_ITEM, x, results, published, work, initial, is_by_few, tile, runs, some, ticket);
    } else {
        NAMED(scan_by_groups)
        (REAP_THIS_ITEM, x, results, published, work, initial, is_by_few, tile, runs, some, ticket);
    }
}

REAP_ND_KERNEL(NAMED(scan_in_one_pass), in(uint8_t, x), out(uint8_t, results),
               inout(uint64_t, published), value(scan_work, work), value(WORK, initial),
               local(WORK, tile), local(WORK, runs), local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_operation)
    (REAP_THIS_ITEM, x, results, published, work, initial, false, tile, runs, some, ticket);
}

REAP_ND_KERNEL(NAMED(scan_in_one_pass_in_place), inout(uint8_t, results),
               inout(uint64_t, published), value(scan_work, work), value(WORK, initial),
               local(WORK, tile), local(WORK, runs), local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_operation)
    (REAP_THIS_ITEM, results, results, published, work, initial, false, tile, runs, some, ticket);
}

REAP_ND_KERNEL(NAMED(scan_by_few), in(uint8_t, x), out(uint8_t, results),
               inout(uint64_t, published), value(scan_work, work), value(WORK, initial),
               local(WORK, tile), local(WORK, runs), local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_operation)
    (REAP_THIS_ITEM, x, results, published, work, initial, true, tile, runs, some, ticket);
}

REAP_ND_KERNEL(NAMED(scan_by_few_in_place), inout(uint8_t, results), inout(uint64_t, published),
               value(scan_work, work), value(WORK, initial), local(WORK, tile), local(WORK, runs),
               local(WORK, some), local(uint32_t, ticket))
{
    NAMED(scan_operation)
    (REAP_THIS_ITEM, results, results, published, work, initial, true, tile, runs, some, ticket);
}

#undef WORDS
#undef NAME
#undef WORK
#undef KIND
