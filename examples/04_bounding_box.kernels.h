/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

typedef struct point {
    float x, y;
} point;

typedef struct box {
    point low, high;
} box;

/* The smallest box around two boxes. Its identity is the empty box. */
REAP_OPERATOR(around, box, reap_value(box, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}), a, b)
{
    a.low.x = b.low.x < a.low.x ? b.low.x : a.low.x;
    a.low.y = b.low.y < a.low.y ? b.low.y : a.low.y;
    a.high.x = b.high.x > a.high.x ? b.high.x : a.high.x;
    a.high.y = b.high.y > a.high.y ? b.high.y : a.high.y;
    return a;
}

REAP_KERNEL(bounding_box, in(point, points), reduce_with(around, box, bounds))
{
    point p = points[reap_global_id(0)];
    reap_combine(bounds, reap_value(box, p, p));
}
