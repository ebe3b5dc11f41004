/* SPDX-License-Identifier: Apache-2.0
 *
 * Quotas, memory and time on Linux. A container's share of the processors is its control
 * group's quota; /proc/self/cgroup names the group, and each of its ancestors may have a lower
 * quota.
 */
#include "src/port/cpu.h"

#include "src/core/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, NAME_BYTES = 32 };

/* Buffers for reading. They are allocated, since threads may have little stack. */
struct texts {
    char line[PATH_BYTES];
    char directory[PATH_BYTES + NAME_BYTES];
};

/* Reads up to two numbers from a file in a directory. The buffer of the directory's path has space
 * for a name. "max" reads as -1. */
static bool read_numbers(char *directory, const char *name, double numbers[2])
{
    char line[64], *end = line + 3;
    const size_t length = strlen(directory);
    snprintf(directory + length, NAME_BYTES, "/%s", name);
    FILE *file = fopen(directory, "re");
    directory[length] = '\0';
    if (file == NULL)
        return false;
    const bool known = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    if (!known)
        return false;
    numbers[0] = strncmp(line, "max", 3) == 0 ? -1.0 : strtod(line, &end);
    numbers[1] = strtod(end, NULL);
    return true;
}

/* One group's quota in processors, or 0 if it has none. Version 2: "QUOTA PERIOD" in one file.
 */
static double quota_of(char *directory, bool version_2)
{
    double quota[2] = {-1.0, 0.0}, period[2] = {0.0, 0.0};
    if (version_2) {
        if (!read_numbers(directory, "cpu.max", quota))
            return 0;
        period[0] = quota[1];
    } else if (!read_numbers(directory, "cpu.cfs_quota_us", quota) ||
               !read_numbers(directory, "cpu.cfs_period_us", period)) {
        return 0;
    }
    return quota[0] > 0 && period[0] > 0 ? quota[0] / period[0] : 0;
}

/* The least quota of a group and its ancestors below `mount`. */
static double least_quota(char directory[PATH_BYTES + NAME_BYTES], const char *root,
                          const char *mount, const char *group, bool version_2)
{
    const size_t mount_length = strlen(root) + strlen(mount);
    double least = 0;
    const int length = snprintf(directory, PATH_BYTES, "%s%s%s", root, mount, group);
    if (length < 0 || length >= PATH_BYTES)
        return 0;
    for (;;) {
        const double quota = quota_of(directory, version_2);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(directory, '/');
        if (slash == NULL || (size_t)(slash - directory) < mount_length)
            return least;
        *slash = '\0';
    }
}

static bool lists_cpu(const char *controllers)
{
    for (const char *at = controllers; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "cpu", 3) == 0 && (at[3] == ',' || at[3] == '\0'))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup is "NUMBER:CONTROLLERS:GROUP"; version 2 has no controllers. */
static double quota_of_line(const char *root, struct texts *texts)
{
    static const char *const mounts_1[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    static const char *const mounts_2[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    char *controllers = strchr(texts->line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    double least = 0;
    if (group == NULL)
        return 0;
    *group++ = '\0';
    controllers++;
    group[strcspn(group, "\n")] = '\0';
    const bool version_2 = *controllers == '\0';
    if (!version_2 && !lists_cpu(controllers))
        return 0;
    for (size_t m = 0; m < 2; m++) {
        const char *mount = version_2 ? mounts_2[m] : mounts_1[m];
        const double quota = least_quota(texts->directory, root, mount, group, version_2);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    return least;
}

static double cgroup_quota(const char *root, struct texts *texts)
{
    double least = 0;
    snprintf(texts->directory, PATH_BYTES, "%s/proc/self/cgroup", root);
    FILE *file = fopen(texts->directory, "re");
    if (file == NULL)
        return 0;
    while (fgets(texts->line, sizeof texts->line, file) != NULL) {
        const double quota = quota_of_line(root, texts);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    fclose(file);
    return least;
}

size_t reap__cpu_count(size_t processors, const char *root)
{
    struct texts *texts = reap__allocate(sizeof *texts);
    const double quota = texts != NULL ? cgroup_quota(root, texts) : 0;
    reap__free(texts);
    if (quota <= 0 || quota >= (double)processors)
        return processors;
    const size_t whole = (size_t)quota;
    return whole + (quota > (double)whole);
}

void reap__cpu_name(char *name, size_t bytes)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    name[0] = '\0';
    if (file == NULL)
        return;
    while (name[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL && colon[1] == ' ')
            snprintf(name, bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    fclose(file);
}

uint64_t reap__memory_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

uint64_t reap__now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
