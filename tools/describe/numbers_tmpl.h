/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads elements of one type; included by numbers.c once for each, with NAME, TYPE, DOUBLE(element)
 * and, for integers, KEY(element).
 */
static size_t DESCRIBE_PASTE(read_doubles_, NAME)(const void *elements, size_t first, size_t count,
                                                  double *doubles)
{
    const TYPE *from = (const TYPE *)elements + first;
    size_t numbers = 0;
    for (size_t i = 0; i < count; i++) {
        doubles[i] = DOUBLE(from[i]);
        numbers += doubles[i] == doubles[i];
    }
    return numbers == count ? count : leave_out_nans(doubles, count);
}

#ifdef KEY
static void DESCRIBE_PASTE(read_keys_, NAME)(const void *elements, size_t first, size_t count,
                                             uint64_t *keys)
{
    const TYPE *from = (const TYPE *)elements + first;
    for (size_t i = 0; i < count; i++)
        keys[i] = KEY(from[i]);
}
#endif

#undef NAME
#undef TYPE
#undef DOUBLE
#undef KEY
