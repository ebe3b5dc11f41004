/* SPDX-License-Identifier: Apache-2.0
 *
 * Quotas, memory and time on Linux. A container's share of the processors is its control
 * group's quota; /proc/self/cgroup names the group, and each of its ancestors may have a lower
 * quota.
 */
#include "src/port/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Reads up to two numbers from a file; "max" reads as -1. */
static bool read_numbers(const char *path, double numbers[2])
{
    char line[64], *end = line + 3;
    FILE *file = fopen(path, "re");
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

/* One group's quota in processors, or 0 where it has none. Version 2: "QUOTA PERIOD" in one file.
 */
static double quota_of(const char *directory, bool version_2)
{
    char path[PATH_BYTES + 32];
    double quota[2] = {-1.0, 0.0}, period[2] = {0.0, 0.0};
    if (version_2) {
        snprintf(path, sizeof path, "%s/cpu.max", directory);
        if (!read_numbers(path, quota))
            return 0;
        period[0] = quota[1];
    } else {
        snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
        const bool known = read_numbers(path, quota);
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
        if (!known || !read_numbers(path, period))
            return 0;
    }
    return quota[0] > 0 && period[0] > 0 ? quota[0] / period[0] : 0;
}

/* The least quota of a group and its ancestors below `mount`. */
static double least_quota(const char *mount, const char *group, bool version_2)
{
    char directory[PATH_BYTES];
    const size_t mount_length = strlen(mount);
    double least = 0;
    const int length = snprintf(directory, sizeof directory, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof directory)
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
static double quota_of_line(const char *root, char *line)
{
    static const char *const mounts_1[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"};
    static const char *const mounts_2[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    char *controllers = strchr(line, ':');
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
        char mount[PATH_BYTES];
        snprintf(mount, sizeof mount, "%s%s", root, version_2 ? mounts_2[m] : mounts_1[m]);
        const double quota = least_quota(mount, group, version_2);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    return least;
}

static double cgroup_quota(const char *root)
{
    char path[PATH_BYTES], line[PATH_BYTES];
    double least = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        const double quota = quota_of_line(root, line);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    fclose(file);
    return least;
}

size_t reap__cpu_count(size_t processors, const char *root)
{
    const double quota = cgroup_quota(root);
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
