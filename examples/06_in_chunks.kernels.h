/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Of a reduction of numbers of up to 16 bytes (docs/reduction-shape.md, "Constants"). */
enum { LANES = 1024, ROWS = 32, BLOCK = LANES * ROWS };

/* All values in one launch. */
REAP_KERNEL(fold_all, in(float, values), reduce(plus, float, sum), reduce(maximum, float, largest),
            reduce(plus, double, squares))
{
    float v = values[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(largest, v);
    reap_combine(squares, (double)v * v);
}

/* The results of whole blocks, and of the array's last one: a work-group makes those of a block as
 * the launch above makes them. Each work-item takes some lanes, for any size of the group. A lane
 * starts as the identity; one without values, in the last block, is skipped when the lanes fold. */
REAP_GROUP_KERNEL(fold_blocks, in(float, values), value(size_t, count), out(float, sums),
                  out(float, maxima), out(double, squares), local(float, sum),
                  local(float, largest), local(double, square))
{
    size_t first = reap_group_id(0) * BLOCK;
    size_t end = count - first < BLOCK ? count : first + BLOCK;
    size_t used = end - first < LANES ? end - first : LANES;
    reap_for_each_item {
        for (size_t lane = reap_local_id(0); lane < used; lane += reap_local_range(0)) {
            float s = 0, m = reap_known_identity(maximum, float);
            double q = 0;
            for (size_t i = first + lane; i < end; i += LANES) {
                float v = values[i];
                s += v;
                m = m < v ? v : m;
                q += (double)v * v;
            }
            sum[lane] = s;
            largest[lane] = m;
            square[lane] = q;
        }
    }
    for (size_t half = LANES / 2; half > 0; half /= 2)
        reap_for_each_item {
            for (size_t lane = reap_local_id(0); lane < half && lane + half < used;
                 lane += reap_local_range(0)) {
                float m = largest[lane + half];
                sum[lane] += sum[lane + half];
                largest[lane] = largest[lane] < m ? m : largest[lane];
                square[lane] += square[lane + half];
            }
        }
    reap_for_each_item {
        if (reap_local_id(0) == 0) {
            sums[reap_group_id(0)] = sum[0];
            maxima[reap_group_id(0)] = largest[0];
            squares[reap_group_id(0)] = square[0];
        }
    }
}

/* The blocks' results, in their order, are the items of the next level. */
REAP_KERNEL(fold_results, in(float, sums), in(float, maxima), in(double, squares),
            reduce(plus, float, sum), reduce(maximum, float, largest), reduce(plus, double, square))
{
    size_t block = reap_global_id(0);
    reap_combine(sum, sums[block]);
    reap_combine(largest, maxima[block]);
    reap_combine(square, squares[block]);
}
