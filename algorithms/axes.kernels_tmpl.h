/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of the columns and of the rows of a matrix, for one type of elements: included by
 * elements.kernels_tmpl.h.
 */
REAP_KERNEL_FILE

/* Sums of columns, COLUMNS in each work-item, in the shape of docs/reduction-shape.md: `lanes` has
 * the lanes of a leaf, `nodes` for each level those of a node that waits for its sibling. In the
 * last leaf, lanes from `filled` on have no value. For the host only: the lanes are too large for a
 * device's work-item. */
REAP_KERNEL(NAMED(sum_columns), in(ELEMENT, x), out(SUM, results), inout(SUM, nodes),
            value(size_t, rows), value(size_t, columns), value(size_t, stride),
            value(size_t, levels))
{
    const size_t begin = reap_global_id(0) * COLUMNS;
    const size_t width = columns - begin < COLUMNS ? columns - begin : COLUMNS;
    SUM lanes[LANES * COLUMNS];
    REAP_GLOBAL SUM *const own = nodes + reap_global_id(0) * levels * LANES * COLUMNS;
    size_t filled = 0, leaf = 0;
    for (size_t first = 0; first < rows; first += LEAF_ROWS, leaf++) {
        const size_t count = rows - first < LEAF_ROWS ? rows - first : LEAF_ROWS;
        filled = count < LANES ? count : LANES;
        for (size_t i = 0; i < filled * COLUMNS; i++)
            lanes[i] = 0;
        for (size_t r = 0; r < count; r++) {
            const REAP_GLOBAL ELEMENT *const row = x + (first + r) * stride + begin;
            SUM *const lane = lanes + r % LANES * COLUMNS;
            if (width == COLUMNS)
                for (size_t c = 0; c < COLUMNS; c++)
                    lane[c] = PLUS(lane[c], VALUE(row[c]));
            else
                for (size_t c = 0; c < width; c++)
                    lane[c] = PLUS(lane[c], VALUE(row[c]));
        }
        const bool is_last = first + count == rows;
        size_t level = 0;
        for (; (is_last ? leaf >> level : leaf >> level & 1) != 0; level++) {
            const REAP_GLOBAL SUM *const left = own + level * LANES * COLUMNS;
            if ((leaf >> level & 1) == 0)
                continue;
            for (size_t i = 0; i < filled * COLUMNS; i++)
                lanes[i] = PLUS(left[i], lanes[i]);
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
                    PLUS(lanes[l * COLUMNS + c], lanes[(l + half) * COLUMNS + c]);
    for (size_t c = 0; c < width; c++)
        results[begin + c] = SETTLED(lanes[c]);
}

/* Sums of rows of at most a leaf, one in each work-item. */
REAP_KERNEL(NAMED(sum_rows), in(ELEMENT, x), out(SUM, results), value(size_t, length))
{
    const REAP_GLOBAL ELEMENT *const row = x + reap_global_id(0) * length;
    const size_t filled = length < LANES ? length : LANES;
    SUM lanes[LANES];
    for (size_t l = 0; l < LANES; l++)
        lanes[l] = 0;
    size_t first = 0;
    for (; first + LANES <= length; first += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = PLUS(lanes[l], VALUE(row[first + l]));
    for (size_t l = 0; first + l < length; l++)
        lanes[l] = PLUS(lanes[l], VALUE(row[first + l]));
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            lanes[l] = PLUS(lanes[l], lanes[l + half]);
    results[reap_global_id(0)] = SETTLED(lanes[0]);
}
