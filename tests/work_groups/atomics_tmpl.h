/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of one integer type's atomic operations: included once per type by atomics.c with
 * NAME, TYPE, and UNSIGNED, its unsigned type. A serial loop over the items says what the cells
 * hold; of those whose value depends on the order, each old value is some item's, once.
 */
static void NAMED(begin)(TYPE *cells)
{
    for (size_t c = 0; c < CELLS; c++)
        cells[c] = 0;
    cells[CELL_AND] = (TYPE) ~(UNSIGNED)0;
}

static void NAMED(expect)(const TYPE *x, size_t count, TYPE *cells)
{
    for (size_t i = 0; i < count; i++) {
        cells[CELL_COUNT]++;
        cells[CELL_ADD] = (TYPE)((UNSIGNED)cells[CELL_ADD] + (UNSIGNED)x[i]);
        cells[CELL_MIN] = x[i] < cells[CELL_MIN] ? x[i] : cells[CELL_MIN];
        cells[CELL_MAX] = x[i] > cells[CELL_MAX] ? x[i] : cells[CELL_MAX];
        cells[CELL_AND] &= (TYPE)(x[i] | 15);
        cells[CELL_OR] |= (TYPE)(x[i] & 255);
        cells[CELL_XOR] ^= x[i];
        cells[CELL_SWAP] ^= x[i];
    }
}

/* The counts are all numbers below `count`. Of what was exchanged, each item's number was found by
 * an item, except the last, which the cell still holds; and an item found the first value. */
static bool NAMED(is_permutation)(const TYPE *counts, const TYPE *exchanged, size_t first,
                                  size_t count, TYPE last)
{
    unsigned char *seen = test_allocate(2 * count + 1);
    bool right = last > 0 && (size_t)last - 1 - first < count;
    for (size_t i = 0; i < count; i++) {
        const size_t number = (size_t)counts[i];
        const size_t item = exchanged[i] == 0 ? count : (size_t)exchanged[i] - 1 - first;
        right = right && number < count && seen[number] == 0 && item <= count &&
                seen[count + item] == 0;
        if (!right)
            break;
        seen[number] = seen[count + item] = 1;
    }
    right = right && seen[count + (size_t)last - 1 - first] == 0 && seen[2 * count] == 1;
    free(seen);
    return right;
}

/* Of items in one piece: a launch's, or a group's. */
static void NAMED(compare)(const TYPE *x, size_t first, size_t count, size_t items, TYPE *cells,
                           const TYPE *old)
{
    TYPE expected[CELLS];
    NAMED(begin)(expected);
    NAMED(expect)(x + first, count, expected);
    CHECK(NAMED(is_permutation)(old + first, old + items + first, first, count,
                                cells[CELL_EXCHANGE]));
    expected[CELL_EXCHANGE] = cells[CELL_EXCHANGE];
    CHECK_BITS(cells, expected, sizeof expected, NAME_TEXT, count, 0);
}

static reap_status NAMED(launch)(reap_queue *queue, int kernel, reap_range range, const TYPE *x,
                                 TYPE *cells, TYPE *old)
{
    if (kernel == 0)
        return PARALLEL_FOR(queue, NAMED(change_in_range), reap_range_1d(range.size[0]), .x = x,
                            .cells = cells, .old = old);
    if (kernel == 1)
        return PARALLEL_FOR(queue, NAMED(change_in_groups), range, .x = x, .cells = cells,
                            .old = old);
    if (kernel == 2)
        return PARALLEL_FOR(queue, NAMED(change_in_phases), range, .x = x, .cells = cells,
                            .old = old);
    return PARALLEL_FOR(queue, NAMED(change_local), range, .x = x, .cells = cells, .old = old,
                        .own = CELLS);
}

static void NAMED(check)(reap_queue *queue, size_t groups, size_t size, uint64_t *random)
{
    const size_t items = groups * size;
    TYPE *x = test_allocate(items * sizeof(TYPE)), *old = test_allocate(2 * items * sizeof(TYPE));
    TYPE *cells = test_allocate(groups * CELLS * sizeof(TYPE));
    input_fill(sizeof(TYPE) == 4 ? INPUT_BITS_32 : INPUT_BITS_64, 0, items, random, x);
    for (int kernel = 0; kernel < 4; kernel++) {
        const size_t pieces = kernel == 3 ? groups : 1;
        for (size_t piece = 0; piece < pieces; piece++)
            NAMED(begin)(cells + piece * CELLS);
        CHECK_LAUNCH(NAMED(launch)(queue, kernel, reap_nd_range_1d(items, size), x, cells, old),
                     queue);
        for (size_t piece = 0; piece < pieces; piece++)
            NAMED(compare)(x, piece * size, items / pieces, items, cells + piece * CELLS, old);
    }
    free(x);
    free(old);
    free(cells);
}

#undef NAME
#undef NAME_TEXT
#undef TYPE
#undef UNSIGNED
