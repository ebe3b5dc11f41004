/* SPDX-License-Identifier: Apache-2.0 */
#include <reap/kernel.h>

/* How often each byte occurs, and how many bytes are letters. */
REAP_KERNEL(count_bytes, in(unsigned char, text), reduce_span(plus, uint64_t, counts),
            reduce(plus, uint64_t, letters))
{
    unsigned char byte = text[reap_global_id(0)];
    reap_combine_at(counts, byte, 1);
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'))
        reap_combine(letters, 1);
}
