/* SPDX-License-Identifier: Apache-2.0
 *
 * Anonymous mappings. Guarded pages split a mapping, and a Linux process may have 65530 mappings
 * (vm.max_map_count); beyond that pages remain unguarded, and no further mapping is possible.
 */
#define _GNU_SOURCE
#include "src/port/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE_BYTES ((size_t)2 << 20)
enum { KIND = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

unsigned char *reap__pages_map(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, KIND, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(pages, bytes, MADV_NOHUGEPAGE); /* a huge page would take memory that is not accessed */
#endif
    return pages;
}

unsigned char *reap__pages_reserve(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_NONE, KIND, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

void reap__pages_unmap(unsigned char *pages, size_t bytes)
{
    munmap(pages, bytes);
}

void reap__pages_renew(unsigned char *pages, size_t bytes)
{
    (void)mmap(pages, bytes, PROT_READ | PROT_WRITE, KIND | MAP_FIXED, -1, 0);
}

void reap__pages_guard(unsigned char *pages, size_t bytes)
{
    mprotect(pages, bytes, PROT_NONE);
}

void reap__pages_prefer_huge(void *memory, size_t bytes)
{
    const size_t mask = HUGE_BYTES - 1;
    const size_t before = (HUGE_BYTES - ((uintptr_t)memory & mask)) & mask;
#ifdef MADV_HUGEPAGE
    if (bytes >= before + HUGE_BYTES)
        madvise((char *)memory + before, (bytes - before) & ~mask, MADV_HUGEPAGE);
#endif
}
