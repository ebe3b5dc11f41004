/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* A work-item for each column. */
REAP_KERNEL(add_columns, in(float, matrix), value(size_t, rows), out(double, sums))
{
    size_t column = reap_global_id(0), columns = reap_global_range(0);
    double sum = 0;
    for (size_t row = 0; row < rows; row++)
        sum += matrix[row * columns + column];
    sums[column] = sum;
}

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
        reap_for_each_item {
            size_t item = reap_local_id(0);
            if (item < half)
                partial[item] += partial[item + half];
        }
    reap_for_each_item {
        if (reap_local_id(0) == 0)
            sums[reap_group_id(0)] = partial[0];
    }
}
