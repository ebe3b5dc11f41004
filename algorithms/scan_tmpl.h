/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of scans that compute in one type: included by scan.c with NAME and WORK as in
 * scan.kernels.h.
 */
#define LAUNCH(kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

/* Converts the initial value from the result's type to the type in which the scan computes. */
static void NAMED(set_initial)(struct scan *scan, const void *initial)
{
    const WORK v = initial != NULL ? NAMED(number)(initial, scan->work.to, 0)
                                   : NAMED(identity_of)(scan->work.operation);
    memcpy(&scan->initial, &v, sizeof v);
}

static WORK NAMED(initial_of)(const struct scan *scan)
{
    WORK v;
    memcpy(&v, &scan->initial, sizeof v);
    return v;
}

/* Launches a scan of rows, or of sections of a row, on the host. */
static reap_status NAMED(scan_parts)(reap_queue *queue, const struct scan *scan, scan_work work,
                                     const struct arrays *arrays, reap_event **event)
{
    const reap_range parts = reap_nd_range_1d(work.rows > 0 ? work.rows : work.sections, 1);
    const WORK initial = NAMED(initial_of)(scan);
    if (arrays->x == arrays->results)
        return LAUNCH(NAMED(scan_parts_in_place), parts, .results = arrays->results,
                      .before = arrays->scratch, .work = work, .initial = initial,
                      .launch = {.event = reap__event_for(queue, event)});
    return LAUNCH(NAMED(scan_parts), parts, .x = arrays->x, .results = arrays->results,
                  .before = arrays->scratch, .work = work, .initial = initial,
                  .launch = {.event = reap__event_for(queue, event)});
}

/* Scans a row on the host, some sections at a time (a share), which stay in caches from the launch
 * that sums them to the one that scans them. */
static reap_status NAMED(scan_row)(reap_queue *queue, const struct scan *scan,
                                   const struct arrays *row, reap_event **event)
{
    WORK *const totals = row->scratch;
    scan_work work = scan->work;
    work.rows = 0;
    for (size_t first = 0; first < scan->work.sections; first += scan->share) {
        const size_t left = scan->work.sections - first, begin = first * SCAN_SECTION;
        const bool is_last = left <= scan->share;
        const struct arrays share = {row->x + begin * scan->element_bytes,
                                     row->results + begin * scan->result_bytes, totals};
        work.sections = is_last ? left : scan->share;
        work.length = is_last ? scan->work.length - begin : work.sections * SCAN_SECTION;
        REAP_TRY(LAUNCH(NAMED(scan_totals), reap_nd_range_1d(work.sections, 1), .x = share.x,
                        .totals = totals, .work = work));
        REAP_TRY(LAUNCH(NAMED(scan_between), reap_range_1d(1), .totals = totals,
                        .carry = totals + 2 * scan->share, .first = first, .count = work.sections,
                        .operation = work.operation, .initial = NAMED(initial_of)(scan)));
        REAP_TRY(NAMED(scan_parts)(queue, scan, work, &share, is_last ? event : NULL));
    }
    return REAP_OK;
}

static reap_status NAMED(scan_on_host)(reap_queue *queue, const struct scan *scan,
                                       const struct arrays *arrays, reap_event **event)
{
    if (scan->share == 0)
        return NAMED(scan_parts)(queue, scan, scan->work, arrays, event);
    for (size_t r = 0; r < scan->work.rows; r++) {
        const size_t begin = r * scan->work.length;
        const struct arrays row = {arrays->x + begin * scan->element_bytes,
                                   arrays->results + begin * scan->result_bytes, arrays->scratch};
        REAP_TRY(NAMED(scan_row)(queue, scan, &row, r + 1 == scan->work.rows ? event : NULL));
    }
    return REAP_OK;
}

/* For rows of several tiles, on CUDA devices. A group scans one section; or, with few groups, one
 * section after another, and holds two at a time. */
static reap_status NAMED(scan_in_one_pass)(reap_queue *queue, const struct scan *scan,
                                           const struct arrays *arrays, reap_event **event)
{
    const size_t held = scan->is_by_few ? 2 : 1;
    const reap_range range = reap_nd_range_1d(scan->groups * SCAN_GROUP, SCAN_GROUP);
    const bool is_in_place = arrays->x == arrays->results;
#define IN_ONE_PASS(kernel, ...)                                                                   \
    LAUNCH(kernel, range, __VA_ARGS__, .results = arrays->results, .published = arrays->scratch,   \
           .work = scan->work, .initial = NAMED(initial_of)(scan),                                 \
           .tile = held * SCAN_IN_TILE(WORK, (size_t)SCAN_SECTION),                                \
           .runs = held * SCAN_SECTION_RUNS, .some = held * SCAN_SUMS + scan->unused,              \
           .launch = {.event = reap__event_for(queue, event)})
    if (scan->is_by_few && is_in_place)
        return IN_ONE_PASS(NAMED(scan_by_few_in_place), .ticket = 1);
    if (scan->is_by_few)
        return IN_ONE_PASS(NAMED(scan_by_few), .ticket = 1, .x = arrays->x);
    if (is_in_place)
        return IN_ONE_PASS(NAMED(scan_in_one_pass_in_place), .ticket = 1);
    return IN_ONE_PASS(NAMED(scan_in_one_pass), .ticket = 1, .x = arrays->x);
#undef IN_ONE_PASS
}

/* The totals before each block, section and region of rows of several tiles. */
static reap_status NAMED(scan_totals_of_tiles)(reap_queue *queue, const struct scan *scan,
                                               const struct arrays *arrays)
{
    const scan_work work = scan->work;
    const size_t tiles = work.rows * work.tiles, blocks = tiles * SCAN_TILE_BLOCKS;
    const size_t sections = work.rows * work.sections, regions = work.rows * work.regions;
    const scan_level of_blocks = {work.tiles * SCAN_TILE_BLOCKS, work.sections, SCAN_BLOCKS, 0,
                                  blocks};
    const scan_level of_sections = {work.sections, work.regions, SCAN_SECTIONS, blocks,
                                    blocks + sections};
    WORK *const sums = arrays->scratch;
    REAP_TRY(LAUNCH(NAMED(scan_block_totals),
                    reap_nd_range_1d(tiles * SCAN_TILE_ITEMS, SCAN_TILE_ITEMS), .x = arrays->x,
                    .totals = sums, .work = work, .tile = SCAN_IN_TILE(WORK, (size_t)SCAN_TILE),
                    .runs = SCAN_TILE_RUNS, .blocks = SCAN_TILE_BLOCKS));
    REAP_TRY(LAUNCH(NAMED(scan_level), reap_range_1d(sections), .sums = sums, .level = of_blocks,
                    .operation = work.operation));
    REAP_TRY(LAUNCH(NAMED(scan_level), reap_range_1d(regions), .sums = sums, .level = of_sections,
                    .operation = work.operation));
    return LAUNCH(NAMED(scan_rows_of_totals), reap_nd_range_1d(work.rows * SCAN_ITEMS, SCAN_ITEMS),
                  .totals = sums + blocks + sections, .work = work,
                  .initial = NAMED(initial_of)(scan), .some = SCAN_ITEMS + 1);
}

static reap_status NAMED(scan_on_device)(reap_queue *queue, const struct scan *scan,
                                         const struct arrays *arrays, reap_event **event)
{
    const scan_work work = scan->work;
    const reap_range tiles =
        reap_nd_range_1d(work.rows * work.tiles * SCAN_TILE_ITEMS, SCAN_TILE_ITEMS);
    const WORK initial = NAMED(initial_of)(scan);
    WORK *const sums = arrays->scratch;
    if (scan->work.turn > 0)
        return NAMED(scan_in_one_pass)(queue, scan, arrays, event);
    if (work.tiles > 1)
        REAP_TRY(NAMED(scan_totals_of_tiles)(queue, scan, arrays));
    if (arrays->x == arrays->results)
        return LAUNCH(NAMED(scan_tiles_in_place), tiles, .results = arrays->results, .sums = sums,
                      .work = work, .initial = initial,
                      .tile = SCAN_IN_TILE(WORK, (size_t)SCAN_TILE), .runs = SCAN_TILE_RUNS,
                      .blocks = SCAN_TILE_BLOCKS,
                      .launch = {.event = reap__event_for(queue, event)});
    return LAUNCH(NAMED(scan_tiles), tiles, .x = arrays->x, .results = arrays->results,
                  .sums = sums, .work = work, .initial = initial,
                  .tile = SCAN_IN_TILE(WORK, (size_t)SCAN_TILE), .runs = SCAN_TILE_RUNS,
                  .blocks = SCAN_TILE_BLOCKS, .launch = {.event = reap__event_for(queue, event)});
}

#undef LAUNCH
#undef NAME
#undef WORK
