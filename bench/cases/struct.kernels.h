/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

typedef struct point_float {
    float x, y;
} point_float;

typedef struct box_float {
    point_float low, high;
} box_float;

/* The smallest box around two boxes. Its identity is the box that holds nothing. */
REAP_OPERATOR(around_float, box_float,
              reap_value(box_float, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}), a, b)
{
    a.low.x = b.low.x < a.low.x ? b.low.x : a.low.x;
    a.low.y = b.low.y < a.low.y ? b.low.y : a.low.y;
    a.high.x = b.high.x > a.high.x ? b.high.x : a.high.x;
    a.high.y = b.high.y > a.high.y ? b.high.y : a.high.y;
    return a;
}

REAP_KERNEL(bound_float, in(point_float, x), reduce_with(around_float, box_float, bounds))
{
    point_float p = x[reap_global_id(0)];
    reap_combine(bounds, reap_value(box_float, p, p));
}

typedef struct point_double {
    double x, y;
} point_double;

typedef struct box_double {
    point_double low, high;
} box_double;

REAP_OPERATOR(around_double, box_double,
              reap_value(box_double, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}), a, b)
{
    a.low.x = b.low.x < a.low.x ? b.low.x : a.low.x;
    a.low.y = b.low.y < a.low.y ? b.low.y : a.low.y;
    a.high.x = b.high.x > a.high.x ? b.high.x : a.high.x;
    a.high.y = b.high.y > a.high.y ? b.high.y : a.high.y;
    return a;
}

REAP_KERNEL(bound_double, in(point_double, x), reduce_with(around_double, box_double, bounds))
{
    point_double p = x[reap_global_id(0)];
    reap_combine(bounds, reap_value(box_double, p, p));
}

typedef struct point_int {
    int x, y;
} point_int;

typedef struct box_int {
    point_int low, high;
} box_int;

REAP_OPERATOR(around_int, box_int,
              reap_value(box_int, {INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}), a, b)
{
    a.low.x = b.low.x < a.low.x ? b.low.x : a.low.x;
    a.low.y = b.low.y < a.low.y ? b.low.y : a.low.y;
    a.high.x = b.high.x > a.high.x ? b.high.x : a.high.x;
    a.high.y = b.high.y > a.high.y ? b.high.y : a.high.y;
    return a;
}

REAP_KERNEL(bound_int, in(point_int, x), reduce_with(around_int, box_int, bounds))
{
    point_int p = x[reap_global_id(0)];
    reap_combine(bounds, reap_value(box_int, p, p));
}
