/* SPDX-License-Identifier: Apache-2.0
 *
 * The mapping, and the handler of SIGBUS, which the access to missing bytes raises: it maps zeros
 * in their place. A file that ends within a page raises no signal, so its size is also compared.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "tools/read/mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* For the handler: the mapping, and whether bytes were missing. */
static atomic_uintptr_t mapped_begin, mapped_end;
static atomic_bool is_cut;

static void put_zeros(int signal_number, siginfo_t *about, void *context)
{
    const int error = errno;
    const uintptr_t at = (uintptr_t)about->si_addr, end = atomic_load(&mapped_end);
    (void)context;
    if (at >= atomic_load(&mapped_begin) && at < end) {
        const size_t within = at % (uintptr_t)sysconf(_SC_PAGESIZE);
        unsigned char *page = (unsigned char *)about->si_addr - within;
        const void *zeros = mmap(page, (size_t)(end - at) + within, PROT_READ,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        atomic_store(&is_cut, true);
        if (zeros != MAP_FAILED) {
            errno = error;
            return;
        }
    }
    signal(signal_number, SIG_DFL); /* another SIGBUS: the instruction raises it again */
    errno = error;
}

static bool has_handler;

static void set_handler(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = put_zeros;
    sigemptyset(&action.sa_mask);
    has_handler = sigaction(SIGBUS, &action, NULL) == 0;
}

const void *cli_mapping_begin(struct cli_mapping *mapping, int file, uint64_t first, uint64_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const size_t before = (size_t)(first % (uint64_t)sysconf(_SC_PAGESIZE));
    pthread_once(&once, set_handler);
    if (!has_handler || atomic_load(&mapped_end) != 0 || bytes > SIZE_MAX / 2)
        return NULL;
    const size_t all = before + (size_t)bytes;
    void *begin = mmap(NULL, all, PROT_READ, MAP_SHARED, file, (off_t)(first - before));
    if (begin == MAP_FAILED)
        return NULL;
    *mapping = (struct cli_mapping){file, first + bytes, begin, all};
    atomic_store(&is_cut, false);
    atomic_store(&mapped_begin, (uintptr_t)begin);
    atomic_store(&mapped_end, (uintptr_t)begin + all);
    return (const unsigned char *)begin + before;
}

bool cli_mapping_end(struct cli_mapping *mapping)
{
    struct stat status;
    if (mapping->begin == NULL)
        return true;
    const bool is_whole = !atomic_load(&is_cut) && fstat(mapping->file, &status) == 0 &&
                          (uint64_t)status.st_size >= mapping->end;
    atomic_store(&mapped_end, 0);
    munmap(mapping->begin, mapping->bytes);
    mapping->begin = NULL;
    return is_whole;
}
