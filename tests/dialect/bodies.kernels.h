/* SPDX-License-Identifier: Apache-2.0
 *
 * What C a kernel's body may be written in: loops, switches, early returns, local arrays and
 * structs, tables, the standard library's mathematics, calls of functions.
 */
#include <reap/kernel.h>

typedef struct {
    double re, im;
} complex_number;

static const unsigned char digits[10] = {6, 2, 5, 5, 4, 5, 6, 3, 7, 6};

enum shape { CIRCLE, SQUARE, LINE };

/* Never inlined. */
__attribute__((noinline)) static int called_here(int value)
{
    return 2 * value + 1;
}

static unsigned reversed(unsigned v)
{
    unsigned result = 0;
    for (int bit = 0; bit < 32; bit++, v >>= 1)
        result = result << 1 | (v & 1);
    return result;
}

/* Loops of lengths that differ from item to item; break and continue. */
REAP_KERNEL(escape_times, value(size_t, width), value(int, most), out(int, times),
            reduce(plus, long, total))
{
    const size_t i = reap_global_id(0);
    const size_t row = i / width, column = i % width;
    const complex_number c = {(double)column / (double)width * 3 - 2,
                              (double)row / (double)width * 2 - 1};
    complex_number z = {0, 0};
    int n = 0;
    while (true) {
        if (n++ >= most)
            break;
        const double re = z.re * z.re - z.im * z.im + c.re;
        z.im = 2 * z.re * z.im + c.im;
        z.re = re;
        if (z.re * z.re + z.im * z.im <= 4)
            continue;
        break;
    }
    times[i] = n;
    reap_combine(total, n);
}

/* Signs of floats and doubles that are made of integers. */
REAP_KERNEL(signs, in(uint32_t, x), in(uint64_t, y), out(int, are_set))
{
    const size_t i = reap_global_id(0);
    union {
        uint32_t bits;
        float value;
    } a = {x[i]};
    union {
        uint64_t bits;
        double value;
    } b = {y[i]};
    are_set[i] = (signbit(a.value) ? 1 : 0) + (signbit(b.value) ? 2 : 0);
}

/* Early returns, a switch with a fall-through and a default, a conditional combine. */
REAP_KERNEL(areas, in(int, shapes), in(float, sizes), reduce(plus, float, area),
            reduce(plus, int, others), reduce(maximum, float, widest))
{
    const size_t i = reap_global_id(0);
    if (sizes[i] < 0)
        return;
    switch ((enum shape)shapes[i]) {
    case LINE:
        break;
    case CIRCLE:
        reap_combine(area, 3 * sizes[i] * sizes[i]);
        reap_combine(widest, 2 * sizes[i]);
        return;
    case SQUARE:
        reap_combine(area, sizes[i] * sizes[i]);
        /* fall through */
    default:
        reap_combine(widest, sizes[i]);
        return;
    }
    reap_combine(others, 1);
}

/* Local arrays, nested loops, many values from one item. */
REAP_KERNEL(medians, in(int, x), value(size_t, count), out(int, median), reduce(plus, int, sum),
            reduce(minimum, int, least))
{
    const size_t i = reap_global_id(0);
    int window[5] = {0};
    int used = 0;
    for (size_t j = i < 2 ? 0 : i - 2; j <= i + 2 && j < count; j++) {
        int k = used++;
        for (; k > 0 && window[k - 1] > x[j]; k--)
            window[k] = window[k - 1];
        window[k] = x[j];
    }
    for (int k = 0; k < used; k++) {
        reap_combine(sum, window[k]);
        reap_combine(least, window[k]);
    }
    median[i] = window[used / 2];
}

/* Local arrays whose elements are chosen by what the item reads, without a loop: a compiler that
 * takes items to be independent in every way has them share such an array, and makes vectors. */
REAP_KERNEL(sorted_pairs, in(float, x), in(float, y), out(float, lower), out(float, upper),
            reduce(plus, float, sum))
{
    const size_t i = reap_global_id(0);
    const int place = x[i] > y[i];
    float pair[2];
    pair[place] = x[i];
    pair[!place] = y[i];
    lower[i] = pair[0];
    upper[i] = pair[1];
    reap_combine(sum, pair[0]);
}

REAP_KERNEL(overwritten, in(int, x), in(int, y), out(int, found), value(size_t, columns))
{
    const size_t i = reap_global_id(0) * columns + reap_global_id(1);
    int slots[8];
    slots[x[i] & 7] = x[i];
    slots[y[i] & 7] = y[i];
    found[i] = slots[x[i] & 7];
}

typedef struct {
    int values[2];
} two_largest;

/* The same in an operator. */
REAP_OPERATOR(merge_two, two_largest, reap_value(two_largest, {INT_MIN, INT_MIN}), a, b)
{
    const int later = b.values[0] > a.values[0];
    int heads[2], rests[2];
    heads[later] = a.values[0];
    heads[!later] = b.values[0];
    rests[later] = a.values[1];
    rests[!later] = b.values[1];
    return reap_value(two_largest, {heads[0], rests[0] > heads[1] ? rests[0] : heads[1]});
}

REAP_KERNEL(find_two_largest, in(int, x), reduce_with(merge_two, two_largest, largest))
{
    reap_combine(largest, reap_value(two_largest, {x[reap_global_id(0)], INT_MIN}));
}

/* Tables, bits, functions. */
REAP_KERNEL(segments, in(unsigned, numbers), reduce(plus, unsigned, lit),
            reduce(bit_xor, unsigned, bits), reduce(plus, int, called))
{
    unsigned v = numbers[reap_global_id(0)];
    reap_combine(bits, reversed(v));
    do {
        reap_combine(lit, digits[v % 10]);
        v /= 10;
    } while (v > 0);
    reap_combine(called, called_here(1));
}

/* The standard library's mathematics. */
REAP_KERNEL(mathematics, in(double, x), out(double, y), out(float, z))
{
    const size_t i = reap_global_id(0);
    y[i] = sqrt(x[i]) + fabs(-x[i]) + exp(0.0) + floor(x[i]) + fmin(x[i], 2.0) + pow(x[i], 2.0);
    z[i] = sqrtf((float)x[i]) + fabsf(-1.0f) + fmaxf(0.0f, (float)x[i]) + truncf(2.5f);
}

/* What a macro of the file defines, and #if. */
#define SQUARED(x) ((x) * (x))
#if defined(SQUARED) && UINT_MAX >= 65535
REAP_KERNEL(squares, in(int, x), reduce(plus, int, sum))
{
#ifdef SQUARED
    reap_combine(sum, SQUARED(x[reap_global_id(0)]));
#else
    reap_combine(sum, -1);
#endif
}
#endif

/* Items that count themselves: each runs once, although the kernel finds only a location. */
REAP_KERNEL(counted_in_array, in(float, x), inout(int, runs), reduce_location(maximum, float, most))
{
    const size_t i = reap_global_id(0);
    runs[i]++;
    reap_combine(most, x[i]);
}

REAP_KERNEL(counted_by_value, in(float, x), value(int *, runs),
            reduce_location(maximum, float, most))
{
    const size_t i = reap_global_id(0);
    runs[i]++;
    reap_combine(most, x[i]);
}

typedef struct {
    float x;
    int *runs;
} counted;

REAP_KERNEL(counted_by_element, in(counted, all), reduce_location(maximum, float, most))
{
    const counted *const one = all + reap_global_id(0);
    ++*one->runs;
    reap_combine(most, one->x);
}
