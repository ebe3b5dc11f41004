/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* Points and centres are three arrays after each other: x, y and z. A work-item of assign has a
 * block of points, of which the host's compiler makes vectors. */
enum { DIMENSIONS = 3, CLUSTERS = 64, BLOCK = 16 };

/* The nearest centre of each point, and the sum of the squares of the distances to them. */
REAP_KERNEL(assign, in(float, points), value(size_t, count), in(float, centres),
            out(unsigned char, nearest), reduce(plus, double, inertia))
{
    size_t first = reap_global_id(0) * BLOCK;
    float x[BLOCK], y[BLOCK], z[BLOCK], least[BLOCK];
    int nearer[BLOCK];
    for (int p = 0; p < BLOCK; p++) {
        size_t i = first + p < count ? first + p : count - 1;
        x[p] = points[i];
        y[p] = points[count + i];
        z[p] = points[2 * count + i];
        least[p] = INFINITY;
        nearer[p] = 0;
    }
    for (int c = 0; c < CLUSTERS; c++) {
        float cx = centres[c], cy = centres[CLUSTERS + c], cz = centres[2 * CLUSTERS + c];
        for (int p = 0; p < BLOCK; p++) {
            float dx = x[p] - cx, dy = y[p] - cy, dz = z[p] - cz;
            float square = dx * dx + dy * dy + dz * dz;
            /* The last centre that was nearer than those before: a maximum, without a branch. */
            int now = square < least[p] ? c : 0;
            nearer[p] = nearer[p] < now ? now : nearer[p];
            least[p] = square < least[p] ? square : least[p];
        }
    }
    for (int p = 0; p < BLOCK && first + p < count; p++) {
        nearest[first + p] = (unsigned char)nearer[p];
        reap_combine(inertia, least[p]);
    }
}

/* How many points each cluster has, and their sum, which is exact: in any order the same. */
REAP_KERNEL(add_up, in(float, points), value(size_t, count), in(unsigned char, nearest),
            reduce_span(plus, float, sums), reduce_span(plus, uint32_t, sizes))
{
    size_t i = reap_global_id(0), cluster = nearest[i];
    reap_combine_at(sizes, cluster, 1);
    for (size_t d = 0; d < DIMENSIONS; d++)
        reap_combine_at(sums, d * CLUSTERS + cluster, points[d * count + i]);
}
