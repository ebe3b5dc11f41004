/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimum and maximum with location, of one type: included once per type by locations.kernels.h
 * with NAME and TYPE. An item combines as often as an array says; or once at most, in a kernel
 * without other reductions, which the host runs in another way.
 */
REAP_KERNEL_FILE

REAP_KERNEL(NAMED(locate), in(unsigned char, times), in(TYPE, x),
            reduce_location(minimum, TYPE, least), reduce(plus, uint64_t, combined),
            reduce_location(maximum, TYPE, most))
{
    const size_t i = reap_global_linear_id();
    for (unsigned k = 0; k < times[i]; k++) {
        reap_combine(least, x[2 * i + k]);
        reap_combine(combined, 1);
        reap_combine(most, x[2 * i + k]);
    }
}

REAP_KERNEL(NAMED(locate_alone), in(unsigned char, times), in(TYPE, x),
            reduce_location(minimum, TYPE, least), reduce_location(maximum, TYPE, most))
{
    const size_t i = reap_global_linear_id();
    if (times[i] > 0) {
        reap_combine(least, x[2 * i]);
        reap_combine(most, x[2 * i]);
    }
}

#undef NAME
#undef TYPE
