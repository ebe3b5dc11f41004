/* SPDX-License-Identifier: Apache-2.0
 *
 * Swaps the bytes of a run of elements in place. Included once for each type of more than one byte,
 * with T, SUFFIX (of the name) and SWAP(value).
 */
DESCRIBE_INLINE void DESCRIBE_PASTE(describe_swap_run_, SUFFIX)(REAP_GLOBAL T *elements,
                                                                size_t count)
{
    for (size_t i = 0; i < count; i++)
        elements[i] = SWAP(elements[i]);
}

#undef SWAP
