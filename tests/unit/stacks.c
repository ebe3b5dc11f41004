/* SPDX-License-Identifier: Apache-2.0
 *
 * AddressSanitizer and the stacks of work-items: what it knows of frames there is forgotten when
 * the stacks are unmapped, so that the next mapping at their addresses can be used.
 */
#include "tests/support/check.h"

#include "src/host/stacks.h"

#include <sanitizer/asan_interface.h>

enum { STACKS = 4, MORE_STACKS = 5, FRAME_BYTES = 64 };

static struct reap__stacks *borrow(size_t count)
{
    struct reap__stacks *stacks = NULL;
    if (reap__stacks_borrow(count, &stacks) != REAP_OK)
        exit(1);
    return stacks;
}

int main(void)
{
    struct reap__stacks *stacks = borrow(STACKS);
    void *const memory = stacks->memory;
    const size_t bytes = stacks->count * stacks->stride;
    for (size_t i = 0; i < STACKS; i++) { /* as the frame of a function that waits is */
        size_t size;
        const unsigned char *bottom = reap__stacks_bottom(stacks, i, &size);
        __asan_poison_memory_region(bottom + size / 2, FRAME_BYTES);
    }
    CHECK(__asan_region_is_poisoned(memory, bytes) != NULL);
    reap__stacks_return(stacks);
    stacks = borrow(MORE_STACKS); /* for which the set of fewer is unmapped */
    CHECK(__asan_region_is_poisoned(memory, bytes) == NULL);
    reap__stacks_return(stacks);
    return check_finish();
}
