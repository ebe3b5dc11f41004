/* SPDX-License-Identifier: Apache-2.0
 *
 * The union of the affinity masks of the process's threads. The mask of one thread is not enough:
 * programs bind each thread to one processor, the first one too. Nor is the mask at the start of
 * the process: MPI libraries assign it a part of the machine later.
 *
 * libgomp binds the first thread when it is loaded, before any code of this library runs and before
 * other threads exist. So this adds OpenMP's places, by the functions of OpenMP 4.5. They are weak:
 * without OpenMP in the program they are NULL.
 */
#define _GNU_SOURCE
#include "src/port/affinity.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_THREADS = 4096, MOST_PROCESSORS_OF_PLACE = 1024 };
enum { WORD_BITS = 8 * sizeof(unsigned long), WORDS = REAP__MOST_PROCESSORS / WORD_BITS };

int omp_get_num_places(void) __attribute__((weak));
int omp_get_place_num_procs(int place) __attribute__((weak));
void omp_get_place_proc_ids(int place, int *processors) __attribute__((weak));

static void add_thread(struct reap__affinity *affinity, pid_t thread)
{
    struct reap__affinity its;
    if (sched_getaffinity(thread, sizeof its, (cpu_set_t *)its.words) != 0)
        return;
    for (size_t w = 0; w < WORDS; w++)
        affinity->words[w] |= its.words[w];
}

static void add_threads(struct reap__affinity *affinity)
{
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL)
        return;
    const struct dirent *entry;
    for (int i = 0; i < MOST_THREADS && (entry = readdir(tasks)) != NULL; i++) {
        const long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0)
            add_thread(affinity, (pid_t)thread);
    }
    closedir(tasks);
}

static void add_places(struct reap__affinity *affinity)
{
    if (omp_get_num_places == NULL || omp_get_place_num_procs == NULL ||
        omp_get_place_proc_ids == NULL)
        return;
    const int places = omp_get_num_places();
    for (int p = 0; p < places; p++) {
        int processors[MOST_PROCESSORS_OF_PLACE];
        const int count = omp_get_place_num_procs(p);
        if (count > MOST_PROCESSORS_OF_PLACE)
            continue;
        omp_get_place_proc_ids(p, processors);
        for (int i = 0; i < count; i++)
            if (processors[i] >= 0 && processors[i] < REAP__MOST_PROCESSORS)
                affinity->words[processors[i] / WORD_BITS] |= 1ul << processors[i] % WORD_BITS;
    }
}

void reap__affinity_find(struct reap__affinity *affinity)
{
    *affinity = (struct reap__affinity){.words = {0}};
    add_thread(affinity, 0); /* in case /proc is not mounted */
    add_threads(affinity);
    /* OpenMP is asked only if threads are bound: the call makes some implementations start. */
    if (reap__affinity_count(affinity) < (size_t)sysconf(_SC_NPROCESSORS_ONLN))
        add_places(affinity);
}

size_t reap__affinity_count(const struct reap__affinity *affinity)
{
    size_t count = 0;
    for (size_t w = 0; w < WORDS; w++)
        count += (size_t)__builtin_popcountl(affinity->words[w]);
    return count > 0 ? count : 1;
}

void reap__affinity_use(const struct reap__affinity *affinity)
{
    sched_setaffinity(0, sizeof *affinity, (const cpu_set_t *)affinity->words);
}

int reap__affinity_current(void)
{
    return sched_getcpu();
}

void reap__affinity_leave(const struct reap__affinity *affinity, int processor)
{
    struct reap__affinity others = *affinity;
    if (processor < 0 || processor >= REAP__MOST_PROCESSORS)
        return;
    others.words[(size_t)processor / WORD_BITS] &= ~(1ul << (size_t)processor % WORD_BITS);
    reap__affinity_use(&others); /* refused if empty */
    reap__affinity_use(affinity);
}
