/* SPDX-License-Identifier: Apache-2.0
 *
 * The reductions of one type of elements: see elements.kernels.h. Integers are added as 64-bit
 * integers, and have no NaN.
 */
REAP_KERNEL_FILE

#if KIND == SIGNED
#define SUM int64_t
#define MAGNITUDE(v) ((v) < 0 ? 0 - (uint64_t)(v) : (uint64_t)(v))
#elif KIND == UNSIGNED
#define SUM uint64_t
#define MAGNITUDE(v) ((uint64_t)(v))
#else
#define MAGNITUDE(v) ((v) < 0 ? -(v) : (v) + 0) /* + 0: of -0 it is 0 */
#endif
#if KIND == SINGLE || KIND == DOUBLE
#define PLUS(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define SETTLED(sum) ((sum) != (sum) ? (SUM)NAN : (sum))
#else
#define SETTLED(sum) (sum)
#define VALUE(x) ((SUM)(x))
#define PLUS(a, b) ((SUM)((uint64_t)(a) + (uint64_t)(b)))
#define PRODUCT(a, b) ((SUM)((uint64_t)(a) * (uint64_t)(b)))
#endif

REAP_KERNEL(NAMED(sum), in(ELEMENT, x), reduce(plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}

/* The sums of columns, COLUMNS in each work-item, in the reduction shape: `lanes` has the lanes of
 * a leaf, `nodes` for each level those of a node that waits for its sibling. Lanes from `filled` on
 * have no value, which only the last leaf has. For the host: a device has no room for them. */
REAP_KERNEL(NAMED(sum_columns), in(ELEMENT, x), out(SUM, sums), inout(SUM, nodes),
            value(size_t, rows), value(size_t, columns), value(size_t, stride),
            value(size_t, levels))
{
    const size_t begin = reap_global_id(0) * COLUMNS;
    const size_t width = columns - begin < COLUMNS ? columns - begin : COLUMNS;
    SUM lanes[LANES * COLUMNS];
    REAP_GLOBAL SUM *const own = nodes + reap_global_id(0) * levels * LANES * COLUMNS;
    size_t filled = 0, leaf = 0;
    for (size_t first = 0; first < rows; first += LEAF_ROWS, leaf++) {
        const size_t count = rows - first < LEAF_ROWS ? rows - first : LEAF_ROWS;
        filled = count < LANES ? count : LANES;
        for (size_t i = 0; i < filled * COLUMNS; i++)
            lanes[i] = 0;
        for (size_t r = 0; r < count; r++) {
            const REAP_GLOBAL ELEMENT *const row = x + (first + r) * stride + begin;
            SUM *const lane = lanes + r % LANES * COLUMNS;
            if (width == COLUMNS)
                for (size_t c = 0; c < COLUMNS; c++)
                    lane[c] = PLUS(lane[c], VALUE(row[c]));
            else
                for (size_t c = 0; c < width; c++)
                    lane[c] = PLUS(lane[c], VALUE(row[c]));
        }
        const bool is_last = first + count == rows;
        size_t level = 0;
        for (; (is_last ? leaf >> level : leaf >> level & 1) != 0; level++) {
            const REAP_GLOBAL SUM *const left = own + level * LANES * COLUMNS;
            if ((leaf >> level & 1) == 0)
                continue;
            for (size_t i = 0; i < filled * COLUMNS; i++)
                lanes[i] = PLUS(left[i], lanes[i]);
            for (size_t i = filled * COLUMNS; i < LANES * COLUMNS; i++)
                lanes[i] = left[i];
            filled = LANES;
        }
        for (size_t i = 0; !is_last && i < LANES * COLUMNS; i++)
            own[level * LANES * COLUMNS + i] = lanes[i];
    }
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            for (size_t c = 0; c < COLUMNS; c++)
                lanes[l * COLUMNS + c] =
                    PLUS(lanes[l * COLUMNS + c], lanes[(l + half) * COLUMNS + c]);
    for (size_t c = 0; c < width; c++)
        sums[begin + c] = SETTLED(lanes[c]);
}

/* The sums of rows of at most a leaf, one in each work-item. */
REAP_KERNEL(NAMED(sum_rows), in(ELEMENT, x), out(SUM, sums), value(size_t, length))
{
    const REAP_GLOBAL ELEMENT *const row = x + reap_global_id(0) * length;
    const size_t filled = length < LANES ? length : LANES;
    SUM lanes[LANES];
    for (size_t l = 0; l < LANES; l++)
        lanes[l] = 0;
    size_t first = 0;
    for (; first + LANES <= length; first += LANES)
        for (size_t l = 0; l < LANES; l++)
            lanes[l] = PLUS(lanes[l], VALUE(row[first + l]));
    for (size_t l = 0; first + l < length; l++)
        lanes[l] = PLUS(lanes[l], VALUE(row[first + l]));
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t l = 0; l < half && l + half < filled; l++)
            lanes[l] = PLUS(lanes[l], lanes[l + half]);
    sums[reap_global_id(0)] = SETTLED(lanes[0]);
}

REAP_KERNEL(NAMED(sum_products), in(ELEMENT, x), in(ELEMENT, y), reduce(plus, SUM, sum))
{
    const size_t i = reap_global_id(0);
    reap_combine(sum, PRODUCT(VALUE(x[i]), VALUE(y[i])));
}

REAP_KERNEL(NAMED(norm_1), in(ELEMENT, x), reduce(plus, SUM, sum))
{
    const SUM v = VALUE(x[reap_global_id(0)]);
    reap_combine(sum, (SUM)MAGNITUDE(v));
}

REAP_KERNEL(NAMED(count_nonzero), in(ELEMENT, x), reduce(plus, uint64_t, count))
{
    reap_combine(count, VALUE(x[reap_global_id(0)]) != 0 ? 1 : 0);
}

REAP_KERNEL(NAMED(powers), in(ELEMENT, x), value(double, origin), reduce(plus, double, sum),
            reduce(plus, double, squares), reduce(plus, double, cubes),
            reduce(plus, double, fourths))
{
    const double v = (double)VALUE(x[reap_global_id(0)]) - origin, square = v * v;
    reap_combine(sum, v);
    reap_combine(squares, square);
    reap_combine(cubes, square * v);
    reap_combine(fourths, square * square);
}

#if KIND == DOUBLE
/* Large and small numbers are scaled, so that their squares are normal numbers. (E. Anderson,
 * Algorithm 978, ACM TOMS 44, 2017.) */
REAP_KERNEL(NAMED(norm_2), in(ELEMENT, x), reduce(plus, double, large), reduce(plus, double, sum),
            reduce(plus, double, small))
{
    const double v = x[reap_global_id(0)], magnitude = v < 0 ? -v : v;
    const bool is_large = magnitude > 0x1p+486, is_small = magnitude < 0x1p-511;
    const double up = is_large ? v * 0x1p-538 : 0, down = is_small ? v * 0x1p+537 : 0;
    const double rest = is_large || is_small ? 0 : v;
    reap_combine(large, up * up);
    reap_combine(sum, rest * rest);
    reap_combine(small, down * down);
}
#else
/* The squares of other types are normal numbers of type double. */
REAP_KERNEL(NAMED(norm_2), in(ELEMENT, x), reduce(plus, double, sum))
{
    const double v = (double)VALUE(x[reap_global_id(0)]);
    reap_combine(sum, v * v);
}
#endif

#if KIND == SINGLE || KIND == DOUBLE
#define IS_NAN(v) ((v) != (v))

REAP_KERNEL(NAMED(exact_sum), in(ELEMENT, x), reduce(exact_plus, SUM, sum))
{
    reap_combine(sum, VALUE(x[reap_global_id(0)]));
}

/* Built-in minimum and maximum ignore NaN. */
REAP_KERNEL(NAMED(minimum), in(ELEMENT, x), reduce(minimum, ELEMENT, smallest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(smallest, v);
    reap_combine(has_nan, IS_NAN(VALUE(v)) ? 1 : 0);
}

REAP_KERNEL(NAMED(maximum), in(ELEMENT, x), reduce(maximum, ELEMENT, largest),
            reduce(bit_or, uint32_t, has_nan))
{
    const ELEMENT v = x[reap_global_id(0)];
    reap_combine(largest, v);
    reap_combine(has_nan, IS_NAN(VALUE(v)) ? 1 : 0);
}

REAP_KERNEL(NAMED(norm_infinity), in(ELEMENT, x), reduce(maximum, SUM, largest),
            reduce(bit_or, uint32_t, has_nan))
{
    const SUM v = VALUE(x[reap_global_id(0)]);
    reap_combine(largest, MAGNITUDE(v));
    reap_combine(has_nan, IS_NAN(v) ? 1 : 0);
}

REAP_KERNEL(NAMED(argmin), in(ELEMENT, x), reduce_location(minimum, ELEMENT, smallest),
            reduce(minimum, uint64_t, first_nan))
{
    const size_t i = reap_global_id(0);
    reap_combine(smallest, x[i]);
    reap_combine(first_nan, IS_NAN(VALUE(x[i])) ? (uint64_t)i : UINT64_MAX);
}

REAP_KERNEL(NAMED(argmax), in(ELEMENT, x), reduce_location(maximum, ELEMENT, largest),
            reduce(minimum, uint64_t, first_nan))
{
    const size_t i = reap_global_id(0);
    reap_combine(largest, x[i]);
    reap_combine(first_nan, IS_NAN(VALUE(x[i])) ? (uint64_t)i : UINT64_MAX);
}

#undef IS_NAN
#else
REAP_KERNEL(NAMED(minimum), in(ELEMENT, x), reduce(minimum, ELEMENT, smallest))
{
    reap_combine(smallest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(maximum), in(ELEMENT, x), reduce(maximum, ELEMENT, largest))
{
    reap_combine(largest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(norm_infinity), in(ELEMENT, x), reduce(maximum, uint64_t, largest))
{
    const SUM v = VALUE(x[reap_global_id(0)]);
    reap_combine(largest, MAGNITUDE(v));
}

REAP_KERNEL(NAMED(argmin), in(ELEMENT, x), reduce_location(minimum, ELEMENT, smallest))
{
    reap_combine(smallest, x[reap_global_id(0)]);
}

REAP_KERNEL(NAMED(argmax), in(ELEMENT, x), reduce_location(maximum, ELEMENT, largest))
{
    reap_combine(largest, x[reap_global_id(0)]);
}
#endif

#undef NAME
#undef ELEMENT
#undef KIND
#undef SUM
#undef VALUE
#undef MAGNITUDE
#undef PLUS
#undef PRODUCT
#undef SETTLED
