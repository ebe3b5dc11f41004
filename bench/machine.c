/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks Reap, the C library, and Linux (sysfs) of the caches.
 */
#include "bench/machine.h"

#include "bench/fail.h"

#include <ctype.h>
#include <reap/reap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* What Linux says of a cache of the first processor, as text; false: nothing. */
static bool read_of_cache(int index, const char *name, char *text, int room)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool is_read = fgets(text, room, file) != NULL;
    fclose(file);
    return is_read;
}

/* The bits of a mask in hexadecimal digits. */
static int count_bits(const char *mask)
{
    int count = 0;
    for (; *mask != '\0'; mask++)
        if (isxdigit((unsigned char)*mask))
            for (unsigned long bits = strtoul((char[]){*mask, '\0'}, NULL, 16); bits; bits /= 2)
                count += (int)(bits & 1);
    return count > 0 ? count : 1;
}

static void find_caches(struct machine *machine)
{
    char text[1024];
    for (int index = 0; machine->cache_count < MACHINE_MOST_CACHES; index++) {
        struct machine_cache *cache = &machine->caches[machine->cache_count];
        if (!read_of_cache(index, "type", text, sizeof text))
            break;
        if (strncmp(text, "Instruction", strlen("Instruction")) == 0)
            continue;
        if (read_of_cache(index, "level", text, sizeof text))
            cache->level = (int)strtol(text, NULL, 10);
        if (read_of_cache(index, "size", text, sizeof text)) /* in KiB, as "32K" */
            cache->bytes = strtoul(text, NULL, 10) * 1024;
        cache->sharers =
            read_of_cache(index, "shared_cpu_map", text, sizeof text) ? count_bits(text) : 1;
        machine->cache_count += cache->level > 0 && cache->bytes > 0;
    }
}

void machine_find(struct machine *machine)
{
    const reap_device *device;
    reap_device_info info;
    struct utsname names;
    *machine = (struct machine){0};
    if (reap_device_default(&device) != REAP_OK || reap_device_get_info(device, &info) != REAP_OK)
        bench_fail(reap_last_error());
    if (strcmp(info.name, "host") != 0)
        bench_fail("the default device is not the host; bench/gpu is about devices");
    machine->description = info.description;
    machine->instruction_set = info.instruction_set;
    machine->threads = (int)info.compute_units;
    machine->memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (uname(&names) == 0)
        snprintf(machine->system, sizeof machine->system, "%.80s %.80s %.80s", names.sysname,
                 names.release, names.machine);
    find_caches(machine);
}

double machine_cache_bytes(const struct machine *machine, int cache, int threads)
{
    const int sharers = machine->caches[cache].sharers;
    const int caches = (threads + sharers - 1) / sharers;
    return (double)machine->caches[cache].bytes * caches;
}

const char *machine_level_name(const struct machine *machine, int cache)
{
    static const char *const names[] = {"L1", "L2", "L3", "L4"};
    if (cache >= machine->cache_count)
        return "DRAM";
    return names[machine->caches[cache].level - 1];
}

const char *machine_level(const struct machine *machine, double bytes, int threads)
{
    int cache = 0;
    while (cache < machine->cache_count && bytes > machine_cache_bytes(machine, cache, threads))
        cache++;
    return machine_level_name(machine, cache);
}
