/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of every kind of parameter, of many and of none, of types spelt in many ways.
 */
#include <reap/kernel.h>

/* Sixteen and seven values, p##0 to p##f and p##0 to p##6. */
#define SEVEN_VALUES(p)                                                                            \
    value(int, p##0), value(int, p##1), value(int, p##2), value(int, p##3), value(int, p##4),      \
        value(int, p##5), value(int, p##6)
#define SIXTEEN_VALUES(p)                                                                          \
    SEVEN_VALUES(p), value(int, p##7), value(int, p##8), value(int, p##9), value(int, p##a),       \
        value(int, p##b), value(int, p##c), value(int, p##d), value(int, p##e), value(int, p##f)
#define SEVEN_SUMMED(p) (p##0 + p##1 + p##2 + p##3 + p##4 + p##5 + p##6)
#define SIXTEEN_SUMMED(p)                                                                          \
    (SEVEN_SUMMED(p) + p##7 + p##8 + p##9 + p##a + p##b + p##c + p##d + p##e + p##f)

REAP_KERNEL(of_none)
{
}

REAP_KERNEL(of_one, reduce(plus, int, sum))
{
    reap_combine(sum, 1);
}

REAP_KERNEL(of_16, SEVEN_VALUES(x), SEVEN_VALUES(y), value(int, z), reduce(plus, int, sum))
{
    reap_combine(sum, SEVEN_SUMMED(x) + 100 * SEVEN_SUMMED(y) + 10000 * z);
}

REAP_KERNEL(of_17, SIXTEEN_VALUES(x), reduce(plus, int, sum))
{
    reap_combine(sum, SIXTEEN_SUMMED(x));
}

REAP_KERNEL(of_40, SIXTEEN_VALUES(x), reduce(plus, int, sum), SIXTEEN_VALUES(y), SEVEN_VALUES(z))
{
    reap_combine(sum, SIXTEEN_SUMMED(x) + 100 * SIXTEEN_SUMMED(y) + 10000 * SEVEN_SUMMED(z));
}

REAP_KERNEL(of_63, SIXTEEN_VALUES(w), SIXTEEN_VALUES(x), SIXTEEN_VALUES(y), SEVEN_VALUES(z),
            value(int, v), in(int, a), inout(int, b), out(int, c), reduce(plus, int, sum),
            reduce(maximum, int, most), reduce_span(plus, int, bins), value(int, last))
{
    const size_t i = reap_global_id(0);
    reap_combine(sum, SIXTEEN_SUMMED(w) + SIXTEEN_SUMMED(x) + SIXTEEN_SUMMED(y));
    reap_combine(sum, SEVEN_SUMMED(z) + v + last);
    reap_combine(most, a[i]);
    reap_combine_at(bins, (size_t)a[i] % 2, 1);
    b[i] += a[i];
    c[i] = last;
}

/* Every kind at once, the reductions between the arrays. */
REAP_OPERATOR_NO_IDENTITY(later, long, a, b)
{
    return b > a ? b : a;
}

REAP_KERNEL(of_every_kind, reduce_location(minimum, double, least), in(double, x),
            reduce_span(plus, unsigned, bins), out(double, doubled), reduce(plus, double, sum),
            value(double, factor), reduce_span_with(later, long, latest), inout(double, kept),
            reduce_with(later, long, last))
{
    const size_t i = reap_global_id(0);
    doubled[i] = factor * x[i];
    kept[i] += x[i];
    reap_combine(least, x[i]);
    reap_combine(sum, x[i]);
    reap_combine(last, (long)i);
    reap_combine_at(bins, i % 3, 1);
    reap_combine_at(latest, i % 2, (long)i);
}

/* Types. */
typedef unsigned char byte;
typedef struct {
    short x, y;
} point;
struct tagged {
    double values[3];
    char name[5];
};
enum colour { RED, GREEN = 1000 };
typedef enum colour paint;
typedef const char *label;
union either {
    float number;
    uint32_t bits;
};

REAP_KERNEL(of_types, value(unsigned char, a), value(char unsigned, b),
            value(long long unsigned, c), value(long unsigned int long, d), value(signed, e),
            value(unsigned, f), value(short int, g), value(byte, h), value(point, i),
            value(struct tagged, j), value(enum colour, k), value(paint, l), value(bool, m),
            value(_Bool, n), value(const float *, table), value(float const *const, other),
            value(label, text), value(union either, o), value(reap_half, p), value(const int, q),
            value(reap_bfloat16, u), value(void *, r), value(size_t, s), value(signed char, t),
            in(point, points), in(struct tagged, tags), in(float *, rows),
            inout(enum colour, colours), out(bool, flags), in(uint8_t, bytes),
            out(long long unsigned, results))
{
    const size_t at = reap_global_id(0);
    results[at] = a + b + c + d + (unsigned)e + f + (unsigned)g + h + (unsigned)i.x + (unsigned)i.y;
    results[at] += (unsigned)j.values[2] + (unsigned)j.name[4] + k + l + m + n;
    results[at] += (unsigned)table[1] + (unsigned)other[0] + (unsigned)text[0] + (o.bits != 0);
    results[at] += p.bits + u.bits + (unsigned)q + (r == NULL) + s + (unsigned)t;
    results[at] += (unsigned)points[at].y + (unsigned)tags[at].values[1] + (unsigned)rows[at][1];
    results[at] += bytes[at];
    flags[at] = colours[at] == GREEN;
    colours[at] = RED;
}

REAP_KERNEL(of_reduced_types, reduce(plus, unsigned char, a), reduce(plus, long long unsigned, b),
            reduce(maximum, short int, c), reduce(minimum, signed long, d),
            reduce(bit_xor, byte, e), reduce(bit_or, unsigned, f), reduce(logical_or, _Bool, g),
            reduce(logical_and, bool, h), reduce(bit_and, bool, i), reduce(plus, size_t, j),
            reduce(multiplies, int64_t, k), reduce(plus, char, l), reduce(minimum, reap_half, m),
            reduce(plus, paint, n), reduce_span(plus, uint16_t, o),
            reduce_location(maximum, signed char, p), reduce(maximum, reap_bfloat16, q))
{
    const size_t at = reap_global_id(0);
    reap_combine(a, 1);
    reap_combine(b, at);
    reap_combine(c, (short)at);
    reap_combine(d, -(long)at);
    reap_combine(e, (byte)(1u << at % 8));
    reap_combine(f, 1u << at % 32);
    reap_combine(g, at == 7);
    reap_combine(h, at < 1000);
    reap_combine(i, at != 7);
    reap_combine(j, at);
    reap_combine(k, at < 10 ? 2 : 1);
    reap_combine(l, (char)1);
    reap_combine(m, reap_half_from_float(-(float)at));
    reap_combine(n, GREEN);
    reap_combine_at(o, at % 4, (uint16_t)at);
    reap_combine(p, (signed char)(at % 100));
    reap_combine(q, reap_bfloat16_from_float((float)at));
}
