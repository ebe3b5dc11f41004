/* SPDX-License-Identifier: Apache-2.0
 *
 * One anonymous mapping; the protected pages split it into as many parts as there are stacks, of
 * which a Linux process may have 65530 (vm.max_map_count).
 */
#define _GNU_SOURCE
#include "src/port/stack_memory.h"

#include <sys/mman.h>
#include <unistd.h>

unsigned char *reap__stack_memory_map(size_t count, size_t bytes, size_t *stride)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t each = page + (bytes + page - 1) / page * page;
    unsigned char *memory = mmap(NULL, count * each, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    *stride = each;
    for (size_t i = 0; i < count; i++)
        if (mprotect(memory + i * each, page, PROT_NONE) != 0) {
            munmap(memory, count * each);
            return NULL;
        }
    return memory;
}

void reap__stack_memory_unmap(unsigned char *memory, size_t count, size_t stride)
{
    munmap(memory, count * stride);
}
