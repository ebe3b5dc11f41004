/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* One step towards equal heat: each inner cell becomes the mean of its neighbours. */
REAP_KERNEL(heat_step, in(float, before), out(float, after), reduce(maximum, float, change))
{
    size_t row = reap_global_id(0), column = reap_global_id(1);
    size_t rows = reap_global_range(0), columns = reap_global_range(1);
    size_t cell = row * columns + column;
    if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
        after[cell] = before[cell];
    } else {
        float mean = 0.25f * (before[cell - columns] + before[cell + columns] + before[cell - 1] +
                              before[cell + 1]);
        float difference = mean - before[cell];
        after[cell] = mean;
        reap_combine(change, difference < 0 ? -difference : difference);
    }
}
