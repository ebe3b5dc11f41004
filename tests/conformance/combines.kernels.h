/* SPDX-License-Identifier: Apache-2.0
 *
 * Items that combine as many times as an array says, and kernels of every kind of parameter, or of
 * none.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

/* Neither associative nor commutative; the identity is not neutral. */
REAP_OPERATOR(chain, uint32_t, 7, a, b)
{
    return 31 * a + b;
}

REAP_OPERATOR_NO_IDENTITY(halfway, float, a, b)
{
    return (a + b) * 0.5f;
}

REAP_OPERATOR_NO_IDENTITY(newest, uint32_t, a, b)
{
    (void)a;
    return b;
}

typedef struct {
    uint16_t word[256];
} large; /* 512 bytes */

REAP_OPERATOR_NO_IDENTITY(mix_large, large, a, b)
{
    large mixed;
    for (size_t k = 0; k < 256; k++) {
        const unsigned rotated = (unsigned)a.word[k] << 5 | (unsigned)a.word[k] >> 11;
        mixed.word[k] = (uint16_t)(rotated * 40503u + (b.word[k] ^ b.word[(k + 1) % 256]));
    }
    return mixed;
}

static inline large make_large(uint32_t x)
{
    large made;
    for (uint32_t k = 0; k < 256; k++)
        made.word[k] = (uint16_t)(x * (2 * k + 1) >> 7);
    return made;
}

/* A helper that is given reductions. */
static inline void combine_floats(REAP_ITEM, reap_reducer(plus, float, sum),
                                  reap_reducer(halfway, float, middle), float value)
{
    reap_combine(sum, value);
    if (reap_global_id(0) < reap_global_range(0))
        reap_combine(middle, value);
}

/* Six reductions of four types. The inputs are two for each item. */
REAP_KERNEL(sometimes, in(unsigned char, times), in(uint32_t, x),
            reduce_with(chain, uint32_t, chained), reduce_with(newest, uint32_t, last),
            reduce(plus, float, sum), reduce_with(halfway, float, middle),
            reduce(minimum, int64_t, least), reduce(multiplies, unsigned char, product))
{
    const size_t i = reap_global_id(0);
    for (unsigned k = 0; k < times[i]; k++) {
        const uint32_t value = x[2 * i + k];
        reap_combine(chained, value);
        reap_combine(last, value);
        combine_floats(REAP_THIS_ITEM, reap_pass(sum), reap_pass(middle),
                       (float)(int32_t)value * 0x1p-20f);
        reap_combine(least, (int64_t)value * 3);
        reap_combine(product, (unsigned char)(value | 1));
    }
}

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME halves
#define TYPE reap_half
#define LEAST_BITS 0x3800
#define MORE_BITS 0x7ff
#include "tests/conformance/combines.kernels_tmpl.h"

#define NAME bfloat16s
#define TYPE reap_bfloat16
#define LEAST_BITS 0x3f00
#define MORE_BITS 0xff
#include "tests/conformance/combines.kernels_tmpl.h"

REAP_KERNEL(sometimes_large, in(unsigned char, times), in(uint32_t, x),
            reduce_with(mix_large, large, mixed))
{
    const size_t i = reap_global_id(0);
    for (unsigned k = 0; k < times[i]; k++)
        reap_combine(mixed, make_large(x[2 * i + k]));
}

/* Structs of sizes that no number has. */
typedef struct {
    unsigned char byte[3];
} three_bytes;

typedef struct {
    uint16_t word[3];
} six_bytes;

typedef struct {
    uint16_t word[7];
} fourteen_bytes;

REAP_OPERATOR_NO_IDENTITY(most_of_3, three_bytes, a, b)
{
    for (size_t k = 0; k < 3; k++)
        a.byte[k] = a.byte[k] > b.byte[k] ? a.byte[k] : b.byte[k];
    return a;
}

REAP_OPERATOR_NO_IDENTITY(most_of_6, six_bytes, a, b)
{
    for (size_t k = 0; k < 3; k++)
        a.word[k] = a.word[k] > b.word[k] ? a.word[k] : b.word[k];
    return a;
}

REAP_OPERATOR_NO_IDENTITY(most_of_14, fourteen_bytes, a, b)
{
    for (size_t k = 0; k < 7; k++)
        a.word[k] = a.word[k] > b.word[k] ? a.word[k] : b.word[k];
    return a;
}

REAP_KERNEL(odd_sizes, in(three_bytes, x3), in(six_bytes, x6), in(fourteen_bytes, x14),
            reduce_with(most_of_3, three_bytes, most3), reduce_with(most_of_6, six_bytes, most6),
            reduce_with(most_of_14, fourteen_bytes, most14),
            reduce_span_with(most_of_3, three_bytes, thirds))
{
    const size_t i = reap_global_id(0);
    reap_combine(most3, x3[i]);
    reap_combine(most6, x6[i]);
    reap_combine(most14, x14[i]);
    reap_combine_at(thirds, i % 3, x3[i]);
}

REAP_KERNEL(no_reduction, in(uint32_t, x), value(uint32_t, added), out(uint64_t, y))
{
    const size_t i = reap_global_id(0);
    y[i] = (uint64_t)x[i] + added;
}

REAP_KERNEL(nothing_at_all)
{
}

typedef struct {
    double scale, offset;
} straight_line;

REAP_KERNEL(every_parameter, in(uint32_t, x), out(double, y), inout(uint64_t, z),
            value(straight_line, f), value(bool, negated), reduce(plus, double, sum),
            reduce_with(chain, uint32_t, chained), reduce_location(maximum, uint32_t, peak),
            reduce_span(plus, uint64_t, bins), reduce_span_with(newest, uint32_t, latest))
{
    const size_t i = reap_global_id(0);
    const double product = f.scale * x[i];
    y[i] = negated ? -(product + f.offset) : product + f.offset;
    z[i] += i;
    reap_combine(sum, (double)x[i]);
    reap_combine(chained, x[i]);
    reap_combine(peak, x[i]);
    reap_combine_at(bins, x[i] % 16, 1);
    reap_combine_at(latest, x[i] % 16, (uint32_t)i);
}
