/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operators: on numbers and structs of up to 512 bytes and beyond, with and without an
 * identity, several kernels to an operator, operators that call others.
 */
#include <reap/kernel.h>

/* On numbers. */
REAP_OPERATOR(gcd, unsigned, 0, a, b)
{
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

REAP_OPERATOR(longest, double, -1.0, a, b)
{
    return fabs(a) < fabs(b) ? fabs(b) : fabs(a);
}

REAP_OPERATOR_NO_IDENTITY(first_seen, unsigned char, a, b)
{
    (void)b;
    return a;
}

/* On structs; one operator may use another. */
typedef struct {
    double count, mean, squares;
} moments;

REAP_OPERATOR(merge, moments, reap_value(moments, 0, 0, 0), a, b)
{
    const double count = a.count + b.count, delta = b.mean - a.mean;
    if (count == 0)
        return a;
    return reap_value(moments, count, a.mean + delta * (b.count / count),
                      a.squares + b.squares + delta * delta * a.count * (b.count / count));
}

typedef struct {
    moments of_all;
    unsigned divisor;
    unsigned char tag;
} summary;

REAP_OPERATOR(merge_all, summary, reap_value(summary, {0, 0, 0}, 0, 0), a, b)
{
    return reap_value(summary, reap_operate(merge, a.of_all, b.of_all),
                      reap_operate(gcd, a.divisor, b.divisor), (unsigned char)(a.tag | b.tag));
}

/* Large ones: 512 bytes and 12 KiB, a lane of which is a whole row. */
typedef struct {
    float values[128];
} wide;

REAP_OPERATOR(add_wide, wide, reap_value(wide, {0}), a, b)
{
    for (int i = 0; i < 128; i++)
        a.values[i] += b.values[i];
    return a;
}

REAP_OPERATOR_NO_IDENTITY(most_wide, wide, a, b)
{
    for (int i = 0; i < 128; i++)
        a.values[i] = a.values[i] < b.values[i] ? b.values[i] : a.values[i];
    return a;
}

typedef struct {
    int values[3000];
} huge;

REAP_OPERATOR_NO_IDENTITY(add_huge, huge, a, b)
{
    for (int i = 0; i < 3000; i++)
        a.values[i] += b.values[i];
    return a;
}

/* An odd size, and a type of one byte's alignment. */
typedef struct {
    char letters[7];
} letters;

REAP_OPERATOR_NO_IDENTITY(last_letters, letters, a, b)
{
    return b.letters[0] > a.letters[0] ? b : a;
}

REAP_KERNEL(with_numbers, in(unsigned, x), reduce_with(gcd, unsigned, divisor),
            reduce_with(longest, double, length), reduce_with(first_seen, unsigned char, byte))
{
    const unsigned v = x[reap_global_id(0)];
    reap_combine(divisor, v);
    reap_combine(length, -(double)v);
    reap_combine(byte, (unsigned char)(v & 1));
}

REAP_KERNEL(with_structs, in(unsigned, x), reduce_with(merge, moments, of_all),
            reduce_with(merge_all, summary, all), reduce_with(last_letters, letters, last))
{
    const unsigned v = x[reap_global_id(0)];
    const moments one = reap_value(moments, 1, v, 0);
    reap_combine(of_all, one);
    reap_combine(all, reap_value(summary, one, v, (unsigned char)(1u << v % 8)));
    reap_combine(last, reap_value(letters, {(char)(v % 100), 'x'}));
}

REAP_KERNEL(with_large, in(unsigned, x), reduce_with(add_wide, wide, sums),
            reduce_with(most_wide, wide, most), reduce_with(add_huge, huge, sum),
            reduce_span_with(add_wide, wide, spread))
{
    const size_t i = reap_global_id(0);
    wide v = add_wide_identity();
    huge h;
    v.values[i % 128] = (float)(x[i] % 16);
    for (int j = 0; j < 3000; j++)
        h.values[j] = j + (int)i;
    reap_combine(sums, v);
    reap_combine(most, v);
    if (i < 40)
        reap_combine(sum, h);
    reap_combine_at(spread, i % 3, v);
}

/* The same operators once more. */
REAP_KERNEL(with_numbers_again, in(unsigned, x), reduce_with(gcd, unsigned, divisor),
            reduce_span_with(gcd, unsigned, divisors))
{
    reap_combine(divisor, 7 * x[reap_global_id(0)]);
    reap_combine_at(divisors, reap_global_id(0) % 2, x[reap_global_id(0)]);
}
