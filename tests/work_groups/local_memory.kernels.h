/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory of two and three dimensions, whose sizes the launch gives: beside other parameters,
 * with more elements than work-items, in items and in phases.
 */
#include <reap/kernel.h>

/* Each group transposes its tile; a column more keeps a card's items from the same memory bank. */
REAP_ND_KERNEL(transpose_tiles, in(float, x), out(float, y), local_2d(float, tile))
{
    const size_t row = reap_local_id(0), column = reap_local_id(1);
    reap_at(tile, row, column) = x[reap_global_linear_id()];
    reap_barrier(REAP_LOCAL_SPACE);
    const size_t first = (reap_group_linear_id() * reap_local_linear_range());
    y[first + column * reap_local_range(0) + row] = reap_at(tile, row, column);
}

/* What every element was set to is read by another item, from the end. */
static int number(size_t i, size_t j, size_t k)
{
    return (int)(i * 10007 + j * 101 + k);
}

REAP_ND_KERNEL(number_in_items, local_3d(int, block), value(int, seed), local(int, row),
               local_2d(short, plane), inout(unsigned, wrong), out(size_t, extents),
               reduce(plus, uint64_t, sum))
{
    const size_t items = reap_local_linear_range(), l = reap_local_linear_id();
    const size_t planes = reap_extent(block, 0), rows = reap_extent(block, 1);
    const size_t columns = reap_extent(block, 2), count = planes * rows * columns;
    for (size_t e = l; e < count; e += items)
        reap_at(block, e / columns / rows, e / columns % rows, e % columns) =
            number(e / columns / rows, e / columns % rows, e % columns) + seed;
    for (size_t i = 0; i < reap_extent(plane, 0) && l == 0; i++)
        for (size_t j = 0; j < reap_extent(plane, 1); j++)
            reap_at(plane, i, j) = (short)(i * 100 + j);
    row[l] = (int)l;
    reap_barrier(REAP_LOCAL_SPACE);
    for (size_t e = l; e < count; e += items) {
        const size_t other = count - 1 - e, i = other / columns / rows;
        const size_t j = other / columns % rows, k = other % columns;
        if (reap_at(block, i, j, k) != number(i, j, k) + seed ||
            block[other] != reap_at(block, i, j, k))
            wrong[reap_global_linear_id()]++;
        reap_combine(sum, (uint64_t)reap_at(block, i, j, k));
    }
    for (size_t i = 0; i < reap_extent(plane, 0); i++)
        if (reap_at(plane, i, l % reap_extent(plane, 1)) !=
            (short)(i * 100 + l % reap_extent(plane, 1)))
            wrong[reap_global_linear_id()]++;
    if (reap_extent(plane, 2) != 1)
        wrong[reap_global_linear_id()]++;
    if (row[items - 1 - l] != (int)(items - 1 - l))
        wrong[reap_global_linear_id()]++;
    if (reap_global_linear_id() == 0)
        for (int d = 0; d < 3; d++)
            extents[d] = reap_extent(block, d);
}

/* The same tile in phases, between which it is read, too. */
REAP_GROUP_KERNEL(transpose_in_phases, in(float, x), out(float, y), local_2d(float, tile),
                  local_3d(int, counts))
{
    reap_for_each_item {
        reap_at(tile, reap_local_id(0), reap_local_id(1)) = x[reap_global_linear_id()];
        if (reap_group_leader())
            reap_at(counts, 0, 0, 0) = 0;
        ++reap_at(counts, 1, reap_local_id(0), reap_local_id(1));
        reap_at(counts, 1, reap_local_id(0), reap_local_id(1)) = 1;
    }
    const float corner = reap_at(tile, 0, 0);
    const size_t columns = reap_extent(tile, 1);
    reap_for_each_item {
        const size_t row = reap_local_id(0), column = reap_local_id(1);
        const size_t first = reap_group_linear_id() * reap_local_linear_range();
        const bool is_corner = row == 0 && column == 0 && columns > 0;
        y[first + column * reap_local_range(0) + row] =
            is_corner ? corner
                      : reap_at(tile, row, column) * (float)reap_at(counts, 1, row, column);
    }
}

/* Half of the items use the first elements, half the last ones. */
REAP_ND_KERNEL(reverse_at_ends, in(unsigned char, x), out(unsigned char, y),
               local(unsigned char, all), value(size_t, size))
{
    const size_t item = reap_local_id(0), items = reap_local_range(0);
    all[item < items / 2 ? item : size - items + item] = x[item];
    reap_barrier(REAP_LOCAL_SPACE);
    const size_t from = items - 1 - item;
    y[item] = all[from < items / 2 ? from : size - items + from];
}
