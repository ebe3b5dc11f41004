/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* A work-item for each row. */
REAP_KERNEL(add_rows, in(float, matrix), value(size_t, columns), out(double, sums))
{
    size_t row = reap_global_id(0);
    double sum = 0;
    for (size_t column = 0; column < columns; column++)
        sum += matrix[row * columns + column];
    sums[row] = sum;
}

/* A work-group of a power of two of items for each row. */
REAP_GROUP_KERNEL(add_long_rows, in(float, matrix), value(size_t, columns), out(double, sums),
                  local(double, partial))
{
    reap_for_each_item {
        size_t first = reap_group_id(0) * columns;
        double sum = 0;
        for (size_t column = reap_local_id(0); column < columns; column += reap_local_range(0))
            sum += matrix[first + column];
        partial[reap_local_id(0)] = sum;
    }
    for (size_t half = reap_local_range(0) / 2; half > 0; half /= 2)
        reap_for_first_items(half) {
            partial[reap_local_id(0)] += partial[reap_local_id(0) + half];
        }
    reap_for_first_items(1) {
        sums[reap_group_id(0)] = partial[0];
    }
}

/* A work-item for one column or more. A phase reads some rows of all columns of the group, which
 * are then in the cache. */
REAP_GROUP_KERNEL(add_columns, in(float, matrix), value(size_t, rows), value(size_t, columns),
                  out(double, sums))
{
    reap_item_private(double, sum);
    reap_for_each_item {
        reap_private(sum) = 0;
    }
    for (size_t first = 0; first < rows; first += 16)
        reap_for_each_item {
            size_t column = reap_global_id(0), end = first + 16 < rows ? first + 16 : rows;
            double partial = reap_private(sum);
            for (size_t row = first; row < end && column < columns; row++)
                partial += matrix[row * columns + column];
            reap_private(sum) = partial;
        }
    reap_for_each_item {
        if (reap_global_id(0) < columns)
            sums[reap_global_id(0)] = reap_private(sum);
    }
}
