/* SPDX-License-Identifier: Apache-2.0
 *
 * A reduction of the columns and of the rows of a matrix, for one type of elements and one
 * operator: included by elements.kernels_tmpl.h with WORD, the reduction; RESULT, the type of
 * results; WORK, that of the arithmetic; START, the identity; COMBINED(a, b); and STORED(v), a
 * result of WORK as one of RESULT.
 */
REAP_KERNEL_FILE

#define OF_WORD(what) JOIN(JOIN(WORD, what), NAME)

/* Columns, COLUMNS in each work-item, in the reduction shape: `lanes` has the lanes of
 * a leaf, `nodes` for each level those of a node that waits for its sibling. Lanes from `filled` on
 * have no value, which only the last leaf has. For the host: a device has no room for them. */
REAP_KERNEL(OF_WORD(columns), in(ELEMENT, x), out(RESULT, results), inout(WORK, nodes),
            value(size_t, rows), value(size_t, columns), value(size_t, stride),
            value(size_t, levels))
{
    const size_t begin = reap_global_id(0) * COLUMNS;
    const size_t width = columns - begin < COLUMNS ? columns - begin : COLUMNS;
    WORK lanes[LANES * COLUMNS];
    REAP_GLOBAL WORK *const own = nodes + reap_global_id(0) * levels * LANES * COLUMNS;
    size_t filled = 0, leaf = 0;
    for (size_t first = 0; first < rows; first += LEAF_ROWS, leaf++) {
        const size_t count = rows - first < LEAF_ROWS ? rows - first : LEAF_ROWS;
        filled = count < LANES ? count : LANES;
        for (size_t i = 0; i < filled * COLUMNS; i++)
            lanes[i] = START;
        for (size_t r = 0; r < count; r++) {
            const REAP_GLOBAL ELEMENT *const row = x + (first + r) * stride + begin;
            WORK *const lane = lanes + r % LANES * COLUMNS;
            if (width == COLUMNS)
                for (size_t c = 0; c < COLUMNS; c++)
                    lane[c] = COMBINED(lane[c], LOADED(row[c]));
            else
                for (size_t c = 0; c < width; c++)
                    lane[c] = COMBINED(lane[c], LOADED(row[c]));
        }
        const bool is_last = first + count == rows;
        size_t level = 0;
        for (; (is_last ? leaf >> level : leaf >> level & 1) != 0; level++) {
            const REAP_GLOBAL WORK *const left = own + level * LANES * COLUMNS;
            if ((leaf >> level & 1) == 0)
                continue;
            for (size_t i = 0; i < filled * COLUMNS; i++)
                lanes[i] = COMBINED(left[i], lanes[i]);
            for (size_t i = filled * COLUMNS; i < LANES * COLUMNS; i++)
                lanes[i] = left[i];
            filled = LANES;
        }
        for (size_t i = 0; !is_last && i < LANES * COLUMNS; i++)
            own[level * LANES * COLUMNS + i] = lanes[i];
    }
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            for (size_t c = 0; c < COLUMNS; c++)
                lanes[l * COLUMNS + c] =
                    COMBINED(lanes[l * COLUMNS + c], lanes[(l + half) * COLUMNS + c]);
    for (size_t c = 0; c < width; c++)
        results[begin + c] = STORED(lanes[c]);
}

/* Rows of at most a leaf, one in each work-item. */
REAP_KERNEL(OF_WORD(rows), in(ELEMENT, x), out(RESULT, results), value(size_t, length))
{
    const REAP_GLOBAL ELEMENT *const row = x + reap_global_id(0) * length;
    const size_t filled = length < LANES ? length : LANES;
    WORK lanes[LANES];
    for (size_t l = 0; l < LANES; l++)
        lanes[l] = START;
    size_t first = 0;
    for (; first + LANES <= length; first += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = COMBINED(lanes[l], LOADED(row[first + l]));
    for (size_t l = 0; first + l < length; l++)
        lanes[l] = COMBINED(lanes[l], LOADED(row[first + l]));
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            lanes[l] = COMBINED(lanes[l], lanes[l + half]);
    results[reap_global_id(0)] = STORED(lanes[0]);
}

#undef OF_WORD
#undef WORD
#undef RESULT
#undef WORK
#undef START
#undef COMBINED
#undef STORED
