/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels, operators, parameters and types with names that C's library, OpenCL, C++ or Reap's own
 * macros use.
 */
#include <reap/kernel.h>

/* Kernels. Each sums its parameter, which has another kernel's name. */
#define SUMMING_KERNEL(name, parameter)                                                            \
    REAP_KERNEL(name, value(int, parameter), reduce(plus, int, sum))                               \
    {                                                                                              \
        reap_combine(sum, parameter);                                                              \
    }
SUMMING_KERNEL(exp, log)
SUMMING_KERNEL(log, exp)
SUMMING_KERNEL(index, y0)
SUMMING_KERNEL(y0, index)
SUMMING_KERNEL(new, class)
SUMMING_KERNEL(class, new)
SUMMING_KERNEL(global, step)
SUMMING_KERNEL(step, global)
SUMMING_KERNEL(dot, clamp)
SUMMING_KERNEL(clamp, dot)
SUMMING_KERNEL(select, kernel)
SUMMING_KERNEL(kernel, select)
SUMMING_KERNEL(plus, plus_)
SUMMING_KERNEL(main_, in)
SUMMING_KERNEL(printf, reduce)
SUMMING_KERNEL(queue, value)
SUMMING_KERNEL(name, plain)
SUMMING_KERNEL(_1, __)

/* An operator, a kernel and a parameter of one name. */
REAP_OPERATOR(max, int, INT_MIN, min, max)
{
    return min < max ? max : min;
}
REAP_KERNEL(max, in(int, min), reduce_with(max, int, max))
{
    reap_combine(max, min[reap_global_id(0)]);
}

/* Parameters with the names that Reap's macros work with: values, then reductions of every kind. */
REAP_KERNEL(of_values, value(int, rows), value(int, lanes), value(int, count), value(int, first),
            value(int, item), value(int, l), value(int, k), value(int, T), value(int, n),
            value(int, op), value(int, kind), value(int, arguments), value(int, range),
            value(int, start), value(int, id), value(int, values), value(int, set),
            value(int, span), value(int, spans), value(int, a), value(int, b), value(int, now),
            value(int, result), value(int, into), value(int, from), value(int, isa),
            value(int, row), value(int, origin), value(int, facet), value(int, p), value(int, m),
            value(int, c), value(int, x), value(int, text), value(int, number), value(int, macro),
            value(int, class), value(int, Q), value(int, code), value(int, prefix), in(int, at),
            out(int, half), reduce(plus, int, width))
{
    reap_combine(width,
                 rows + lanes + count + first + item + l + k + T + n + op + kind + arguments);
    reap_combine(width, range + start + id + values + set + span + spans + a + b + now + result);
    reap_combine(width, into + from + isa + row + origin + facet + p + m + c + x + text + number);
    reap_combine(width, macro + class + Q + code + prefix + at[0]);
    half[reap_global_id(0)] = 1;
}

REAP_KERNEL(of_sums, reduce(plus, int, rows), reduce(plus, int, lanes), reduce(plus, int, count),
            reduce(plus, int, first), reduce(plus, int, item), reduce(plus, int, l),
            reduce(plus, int, k), reduce(plus, int, n), reduce(plus, int, values),
            reduce(plus, int, set), reduce(plus, int, value), reduce(plus, int, into))
{
    reap_combine(rows, 1);
    reap_combine(lanes, 2);
    reap_combine(count, 3);
    reap_combine(first, 4);
    reap_combine(item, 5);
    reap_combine(l, 6);
    reap_combine(k, 7);
    reap_combine(n, 8);
    reap_combine(values, 9);
    reap_combine(set, 10);
    reap_combine(value, 11);
    reap_combine(into, 12);
}

REAP_KERNEL(of_spans, reduce_span(plus, int, span), reduce_span(plus, int, spans),
            reduce_span(plus, int, index), reduce_span(plus, int, at), reduce_span(plus, int, set),
            reduce_span(plus, int, v))
{
    reap_combine_at(span, 0, 1);
    reap_combine_at(spans, 0, 2);
    reap_combine_at(index, 0, 3);
    reap_combine_at(at, 0, 4);
    reap_combine_at(set, 0, 5);
    reap_combine_at(v, 0, 6);
}

REAP_KERNEL(of_places, reduce_location(minimum, int, row), reduce_location(maximum, int, now),
            reduce_location(minimum, int, place), reduce_location(maximum, int, best))
{
    const int i = (int)reap_global_id(0);
    reap_combine(row, i);
    reap_combine(now, i);
    reap_combine(place, i + 1);
    reap_combine(best, i - 1);
}

/* User's types; each with an operator of its own name, which C keeps apart. */
#define TYPE_AND_KERNEL(T)                                                                         \
    typedef struct {                                                                               \
        int value;                                                                                 \
    } T;                                                                                           \
    REAP_OPERATOR(T, T, reap_value(T, 0), a, b)                                                    \
    {                                                                                              \
        return reap_value(T, a.value + b.value);                                                   \
    }                                                                                              \
    REAP_KERNEL(T##_kernel, in(T, x), reduce_with(T, T, total), reduce_span_with(T, T, totals))    \
    {                                                                                              \
        reap_combine(total, x[reap_global_id(0)]);                                                 \
        reap_combine_at(totals, 0, x[0]);                                                          \
    }
TYPE_AND_KERNEL(item)
TYPE_AND_KERNEL(half)
TYPE_AND_KERNEL(row)
TYPE_AND_KERNEL(value)
TYPE_AND_KERNEL(copy)
TYPE_AND_KERNEL(combined)
TYPE_AND_KERNEL(into)
TYPE_AND_KERNEL(range)
TYPE_AND_KERNEL(place)
TYPE_AND_KERNEL(result)
TYPE_AND_KERNEL(lanes)
