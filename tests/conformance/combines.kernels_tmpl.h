/* SPDX-License-Identifier: Apache-2.0
 *
 * A narrow type, whose values the host stores for a row of items before it combines them: included
 * once per type by combines.kernels.h with NAME and TYPE, LEAST_BITS, those of the least number,
 * and MORE_BITS, which others may have beside them.
 */
REAP_KERNEL_FILE

/* A number from 0.5 to 2, or a little further, of either sign; at times -0, which changes no sum.
 */
static inline TYPE NAMED(make)(uint32_t x)
{
    TYPE made = {0x8000};
    if (x % 64 != 0)
        made.bits = (uint16_t)((x >> 16 & 0x8000) | LEAST_BITS | (x >> 8 & MORE_BITS));
    return made;
}

REAP_KERNEL(NAMED(sometimes), in(unsigned char, times), in(uint32_t, x), reduce(plus, TYPE, sum),
            reduce(multiplies, TYPE, product), reduce(minimum, TYPE, least),
            reduce(maximum, TYPE, most))
{
    const size_t i = reap_global_id(0);
    for (unsigned k = 0; k < times[i]; k++) {
        const TYPE value = NAMED(make)(x[2 * i + k]);
        reap_combine(sum, value);
        reap_combine(product, value);
        reap_combine(least, value);
        reap_combine(most, value);
    }
}

#undef NAME
#undef TYPE
#undef LEAST_BITS
#undef MORE_BITS
