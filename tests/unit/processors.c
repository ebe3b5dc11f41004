/* SPDX-License-Identifier: Apache-2.0
 *
 * How many processors a process may use: from the masks of its threads, and from control groups of
 * both versions in a directory that replaces the root.
 */
#define _GNU_SOURCE
#include "tests/support/check.h"

#include "src/port/affinity.h"
#include "src/port/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[] = "/tmp/reap-processors-XXXXXX";

/* Writes a file below the root, with its directories. */
static void write_file(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *at = full + sizeof root; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(full, 0700);
            *at = '/';
        }
    FILE *file = fopen(full, "w");
    if (file == NULL)
        exit(1);
    fputs(text, file);
    fclose(file);
}

static void clear(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    CHECK_EQ(system(command), 0);
}

/* Quotas below one processor give 1 on every machine; those of very many give what there is. */
static void check_version_2(size_t all)
{
    write_file("/proc/self/cgroup", "0::/outer/inner\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    write_file("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    write_file("/sys/fs/cgroup/outer/inner/cpu.max", "99900000 100000\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    write_file("/sys/fs/cgroup/outer/cpu.max", "50000 100000\n");
    CHECK_EQ(reap__cpu_count(all, root), 1); /* the ancestor's is lower */
    write_file("/sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
    CHECK_EQ(reap__cpu_count(all, root), (all < 2 ? all : 2)); /* rounded up */
    write_file("/sys/fs/cgroup/outer/cpu.max", "rubbish\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    clear();
}

static void check_version_1(size_t all)
{
    write_file("/proc/self/cgroup", "5:memory:/m\n4:cpuacct,cpu:/box\n0::/\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    write_file("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
    write_file("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    CHECK_EQ(reap__cpu_count(all, root), all);
    write_file("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "30000\n");
    CHECK_EQ(reap__cpu_count(all, root), 1);
    clear();
    write_file("/proc/self/cgroup", "4:cpu,cpuacct:/docker/0123\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "30000\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    CHECK_EQ(reap__cpu_count(all, root),
             1); /* a container sees its own group as the mount's root */
    clear();
    write_file("/proc/self/cgroup", "4:cpuset:/box\n");
    write_file("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "30000\n");
    write_file("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    CHECK_EQ(reap__cpu_count(all, root), all); /* another controller's group */
    clear();
}

static size_t allowed_now(void)
{
    struct reap__affinity affinity;
    reap__affinity_find(&affinity);
    return reap__affinity_count(&affinity);
}

static bool bind_to_one(cpu_set_t *before)
{
    cpu_set_t one;
    if (sched_getaffinity(0, sizeof *before, before) != 0)
        return false;
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++)
        if (CPU_ISSET(c, before))
            CPU_SET(c, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

static void *count_when_bound(void *count)
{
    cpu_set_t before;
    if (bind_to_one(&before))
        *(size_t *)count = allowed_now();
    return NULL;
}

/* A thread that is bound takes no processors from the process; a process that begins with one, as
 * by taskset, has one. */
static void check_affinity(const char *program, size_t all)
{
    struct reap__affinity affinity;
    cpu_set_t before, after;
    pthread_t thread;
    size_t count = 0;
    CHECK_EQ(pthread_create(&thread, NULL, count_when_bound, &count), 0);
    pthread_join(thread, NULL);
    CHECK_EQ(count, all);

    reap__affinity_find(&affinity);
    CHECK(bind_to_one(&before));
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        execl(program, program, "one", (char *)NULL);
        _exit(1);
    }
    int status = 1;
    CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    reap__affinity_use(&affinity);
    CHECK(sched_getaffinity(0, sizeof after, &after) == 0 && CPU_EQUAL(&before, &after));
}

int main(int count, char **arguments)
{
    const size_t all = allowed_now();
    if (count > 1)
        return all == 1 ? 0 : 1;
    if (mkdtemp(root) == NULL)
        return 1;
    CHECK_GE(all, 1);
    CHECK_EQ(reap__cpu_count(all, root), all); /* no control groups at all */
    check_version_2(all);
    check_version_1(all);
    check_affinity(arguments[0], all);
    CHECK(reap__cpu_count(all, "") >= 1 && reap__cpu_count(all, "") <= all);
    rmdir(root);
    return check_finish();
}
