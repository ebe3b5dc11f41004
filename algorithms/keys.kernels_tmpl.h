/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of one size of elements: see keys.kernels.h. An interval has the keys from `lowest`
 * to lowest + more, modulo 2^BITS, so it may continue from the largest key to the least.
 */
REAP_KERNEL_FILE

#define IS_WITHIN(key, lowest, more)                                                               \
    ((UNSIGNED_BITS)((UNSIGNED_BITS)(key) - (UNSIGNED_BITS)(lowest)) <= (more))

REAP_KERNEL(KEYS_NAMED(count), in(UNSIGNED_BITS, x), value(UNSIGNED_BITS, mask),
            value(UNSIGNED_BITS, flip), value(UNSIGNED_BITS, lowest), value(UNSIGNED_BITS, more),
            reduce(plus, uint64_t, count))
{
    const SIGNED_BITS key = KEY(x[reap_global_id(0)]);
    reap_combine(count, IS_WITHIN(key, lowest, more) ? 1 : 0);
}

REAP_KERNEL(KEYS_NAMED(extremes), in(UNSIGNED_BITS, x), value(UNSIGNED_BITS, mask),
            value(UNSIGNED_BITS, flip), reduce(minimum, SIGNED_BITS, smallest),
            reduce(maximum, SIGNED_BITS, largest))
{
    const SIGNED_BITS key = KEY(x[reap_global_id(0)]);
    reap_combine(smallest, key);
    reap_combine(largest, key);
}

/* The location of the smallest element; of the largest if `inverted` has the bits that reverse the
 * order. If `zeros` is 1, -0 counts as 0. `rotation` moves the keys of NaNs to the least ones; all
 * keys up to `nan` count as equal. */
REAP_KERNEL(KEYS_NAMED(position), in(UNSIGNED_BITS, x), value(UNSIGNED_BITS, mask),
            value(UNSIGNED_BITS, flip), value(UNSIGNED_BITS, inverted), value(UNSIGNED_BITS, zeros),
            value(UNSIGNED_BITS, rotation), value(SIGNED_BITS, nan),
            reduce_location(minimum, SIGNED_BITS, smallest))
{
    const UNSIGNED_BITS bits = x[reap_global_id(0)] ^ inverted;
    const UNSIGNED_BITS sign = (UNSIGNED_BITS)((SIGNED_BITS)bits >> (BITS - 1));
    const SIGNED_BITS key = (SIGNED_BITS)((UNSIGNED_BITS)(KEY(bits) + (sign & zeros)) + rotation);
    reap_combine(smallest, key < nan ? nan : key);
}

#define ROW_BEGIN                                                                                  \
    const size_t row = reap_global_id(0) / blocks, first = reap_global_id(0) % blocks * block;     \
    const size_t end = length - first < block ? length : first + block;                            \
    const REAP_GLOBAL UNSIGNED_BITS *const elements = x + row * length;                            \
    const REAP_GLOBAL uint8_t *const selected = where + row * length;

REAP_KERNEL(KEYS_NAMED(count_rows), in(UNSIGNED_BITS, x), in(uint8_t, where),
            value(UNSIGNED_BITS, mask), value(UNSIGNED_BITS, flip), value(uint32_t, is_masked),
            value(size_t, length), value(size_t, blocks), value(size_t, block),
            value(UNSIGNED_BITS, lowest), value(UNSIGNED_BITS, more),
            reduce_span(plus, uint64_t, counts))
{
    ROW_BEGIN
    uint32_t count = 0;
    if (is_masked != 0)
        for (size_t i = first; i < end; i++)
            count += IS_WITHIN(KEY(elements[i]), lowest, more) && selected[i] != 0 ? 1 : 0;
    else
        for (size_t i = first; i < end; i++)
            count += IS_WITHIN(KEY(elements[i]), lowest, more) ? 1 : 0;
    if (count > 0)
        reap_combine_at(counts, row, count);
}

REAP_KERNEL(KEYS_NAMED(extremes_rows), in(UNSIGNED_BITS, x), in(uint8_t, where),
            value(UNSIGNED_BITS, mask), value(UNSIGNED_BITS, flip), value(uint32_t, is_masked),
            value(size_t, length), value(size_t, blocks), value(size_t, block),
            reduce_span(minimum, WIDE_BITS, smallest), reduce_span(maximum, WIDE_BITS, largest))
{
    ROW_BEGIN
    const SIGNED_BITS most = reap_known_identity(minimum, SIGNED_BITS);
    const SIGNED_BITS least = reap_known_identity(maximum, SIGNED_BITS);
    SIGNED_BITS low = most, high = least;
    if (is_masked != 0)
        for (size_t i = first; i < end; i++) {
            /* Without branches, so compilers vectorise the loop. */
            const SIGNED_BITS key = KEY(elements[i]);
            const UNSIGNED_BITS all =
                (UNSIGNED_BITS)(0 - (UNSIGNED_BITS)(selected[i] != 0 ? 1 : 0));
            const SIGNED_BITS at_low = (SIGNED_BITS)(((UNSIGNED_BITS)key & all) |
                                                     ((UNSIGNED_BITS)most & (UNSIGNED_BITS)~all));
            const SIGNED_BITS at_high = (SIGNED_BITS)(((UNSIGNED_BITS)key & all) |
                                                      ((UNSIGNED_BITS)least & (UNSIGNED_BITS)~all));
            low = at_low < low ? at_low : low;
            high = at_high > high ? at_high : high;
        }
    else
        for (size_t i = first; i < end; i++) {
            const SIGNED_BITS key = KEY(elements[i]);
            low = key < low ? key : low;
            high = key > high ? key : high;
        }
    reap_combine_at(smallest, row, low);
    reap_combine_at(largest, row, high);
}

/* The location of the first element of each row in the row's interval. */
REAP_KERNEL(KEYS_NAMED(position_rows), in(UNSIGNED_BITS, x), in(uint8_t, where),
            value(UNSIGNED_BITS, mask), value(UNSIGNED_BITS, flip), value(uint32_t, is_masked),
            value(size_t, length), value(size_t, blocks), value(size_t, block), in(int64_t, lowest),
            in(uint64_t, more), reduce_span(minimum, uint64_t, positions))
{
    ROW_BEGIN
    const UNSIGNED_BITS low = (UNSIGNED_BITS)lowest[row], after = (UNSIGNED_BITS)more[row];
    size_t i = first;
    while (i < end &&
           !(IS_WITHIN(KEY(elements[i]), low, after) && (is_masked == 0 || selected[i] != 0)))
        i++;
    if (i < end)
        reap_combine_at(positions, row, (uint64_t)i);
}

/* Extremes of columns, COLUMNS in each work-item: for the host, where the loops over columns are
 * vectorised. */
REAP_KERNEL(KEYS_NAMED(extremes_columns), in(UNSIGNED_BITS, x), value(UNSIGNED_BITS, mask),
            value(UNSIGNED_BITS, flip), value(size_t, rows), value(size_t, columns),
            value(size_t, stride), out(int64_t, smallest), out(int64_t, largest))
{
    const size_t begin = reap_global_id(0) * COLUMNS;
    const size_t width = columns - begin < COLUMNS ? columns - begin : COLUMNS;
    SIGNED_BITS low[COLUMNS], high[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++) {
        low[c] = reap_known_identity(minimum, SIGNED_BITS);
        high[c] = reap_known_identity(maximum, SIGNED_BITS);
    }
    for (size_t r = 0; r < rows; r++) {
        const REAP_GLOBAL UNSIGNED_BITS *const elements = x + r * stride + begin;
        for (size_t c = 0; width == COLUMNS && c < COLUMNS; c++) {
            const SIGNED_BITS key = KEY(elements[c]);
            low[c] = key < low[c] ? key : low[c];
            high[c] = key > high[c] ? key : high[c];
        }
        for (size_t c = 0; width < COLUMNS && c < width; c++) {
            const SIGNED_BITS key = KEY(elements[c]);
            low[c] = key < low[c] ? key : low[c];
            high[c] = key > high[c] ? key : high[c];
        }
    }
    for (size_t c = 0; c < width; c++) {
        smallest[begin + c] = low[c];
        largest[begin + c] = high[c];
    }
}

#undef ROW_BEGIN
#undef IS_WITHIN
#undef BITS
#undef UNSIGNED_BITS
#undef SIGNED_BITS
#undef WIDE_BITS
