/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* The constants of types of up to 64 bytes (docs/reduction-shape.md, "Constants"), and nodes of 16
 * leaves. */
enum { LANES = 64, ROWS = 32, LEAF = LANES * ROWS, LEAVES = 16, NODE = LEAVES * LEAF };

/* All values in one launch. */
REAP_KERNEL(fold_all, in(float, values), reduce(plus, float, sum), reduce(maximum, float, largest),
            reduce(plus, double, squares))
{
    float v = values[reap_global_id(0)];
    reap_combine(sum, v);
    reap_combine(largest, v);
    reap_combine(squares, (double)v * v);
}

/* Each work-group computes a node, as the launch above does: first the lanes of all leaves, some by
 * each work-item, for any size of the group; then leaves combine lane by lane. A lane starts as the
 * identity; one without values, in the array's last leaf, is left out. */
REAP_GROUP_KERNEL(make_nodes, in(float, values), value(size_t, count), out(float, sums),
                  out(float, maxima), out(double, squares), local(float, sum),
                  local(float, largest), local(double, square))
{
    size_t node = reap_group_id(0), left = count - node * NODE;
    reap_for_each_item {
        for (size_t at = reap_local_id(0); at < LEAVES * LANES; at += reap_local_range(0)) {
            float s = 0, m = reap_known_identity(maximum, float);
            double q = 0;
            size_t first = at / LANES * LEAF + at % LANES;
            for (size_t i = first; i < first + LEAF && i < left; i += LANES) {
                float v = values[node * NODE + i];
                s += v;
                m = m < v ? v : m;
                q += (double)v * v;
            }
            sum[at] = s;
            largest[at] = m;
            square[at] = q;
        }
    }
    for (size_t apart = LANES; apart < LEAVES * LANES; apart *= 2)
        reap_for_each_item {
            for (size_t at = reap_local_id(0); at < LEAVES * LANES; at += reap_local_range(0)) {
                size_t right = at + apart;
                if (at / apart % 2 == 0 && at % apart < LANES &&
                    right / LANES * LEAF + right % LANES < left) {
                    sum[at] += sum[right];
                    largest[at] = largest[at] < largest[right] ? largest[right] : largest[at];
                    square[at] += square[right];
                }
            }
        }
    reap_for_each_item {
        for (size_t lane = reap_local_id(0); lane < LANES; lane += reap_local_range(0)) {
            sums[node * LANES + lane] = sum[lane];
            maxima[node * LANES + lane] = largest[lane];
            squares[node * LANES + lane] = square[lane];
        }
    }
}

/* One group combines the nodes in the same way, in place; then the root's lanes fold by halving. */
REAP_GROUP_KERNEL(fold_nodes, value(size_t, count), inout(float, sums), inout(float, maxima),
                  inout(double, squares), reduce(plus, float, sum), reduce(maximum, float, largest),
                  reduce(plus, double, square))
{
    size_t nodes = (count + NODE - 1) / NODE;
    for (size_t apart = LANES; apart < nodes * LANES; apart *= 2)
        reap_for_each_item {
            for (size_t p = reap_local_id(0); p < nodes * LANES / 2; p += reap_local_range(0)) {
                size_t at = p / LANES * 2 * apart + p % LANES, right = at + apart;
                if (right / LANES * NODE + right % LANES < count) {
                    sums[at] += sums[right];
                    maxima[at] = maxima[at] < maxima[right] ? maxima[right] : maxima[at];
                    squares[at] += squares[right];
                }
            }
        }
    for (size_t reach = LANES / 2; reach > 0; reach /= 2)
        reap_for_each_item {
            for (size_t at = reap_local_id(0); at < reach && at + reach < count;
                 at += reap_local_range(0)) {
                size_t right = at + reach;
                sums[at] += sums[right];
                maxima[at] = maxima[at] < maxima[right] ? maxima[right] : maxima[at];
                squares[at] += squares[right];
            }
        }
    reap_for_each_item {
        if (reap_local_id(0) == 0) {
            reap_combine(sum, sums[0]);
            reap_combine(largest, maxima[0]);
            reap_combine(square, squares[0]);
        }
    }
}
