/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that read, each its part of the arrays. A reading takes from the first one's begin to the
 * last one's end, by their own clocks: one more thread that waits would take a processor from them.
 */
#include "bench/limits/limits.h"

#include "bench/fail.h"
#include "bench/limits/read.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_READERS = 1024, LIMIT_TURNS = 7 };

/* What all readers of one reading share. */
struct reading {
    const uint64_t *arrays[2];
    size_t words; /* of each array */
    long times;
    int threads;
    pthread_barrier_t begins;
};

struct reader {
    struct reading *reading;
    int number;
    pthread_t thread;
    double begin, end;
    volatile uint64_t bits; /* so that the loops are not left out */
};

static void *read_part(void *argument)
{
    enum { LINE = 8 }; /* words of a cache line */
    struct reader *reader = argument;
    struct reading *reading = reader->reading;
    const size_t lines = reading->words / LINE, threads = (size_t)reading->threads;
    const size_t first = lines * (size_t)reader->number / threads * LINE;
    const size_t last = lines * ((size_t)reader->number + 1) / threads * LINE;
    pthread_barrier_wait(&reading->begins);
    reader->begin = measure_now();
    for (long t = 0; t < reading->times; t++)
        for (int a = 0; a < 2 && reading->arrays[a] != NULL; a++)
            reader->bits = limits_read(reading->arrays[a] + first, last - first);
    reader->end = measure_now();
    return NULL;
}

static void start(struct reader *reader)
{
    if (pthread_create(&reader->thread, NULL, read_part, reader) != 0)
        bench_fail("no thread for the read loop");
}

/* Returns the seconds that it took. The calling thread is the first reader. */
static double time_reading(struct reading *reading)
{
    static struct reader readers[MOST_READERS];
    const unsigned threads = (unsigned)reading->threads;
    if (threads > MOST_READERS || pthread_barrier_init(&reading->begins, NULL, threads) != 0)
        bench_fail("too many threads for the read loop");
    for (int r = 0; r < reading->threads; r++) {
        readers[r].reading = reading;
        readers[r].number = r;
        if (r > 0)
            start(&readers[r]);
    }
    read_part(&readers[0]);
    double begin = readers[0].begin, end = readers[0].end;
    for (int r = 1; r < reading->threads; r++) {
        pthread_join(readers[r].thread, NULL);
        begin = readers[r].begin < begin ? readers[r].begin : begin;
        end = readers[r].end > end ? readers[r].end : end;
    }
    pthread_barrier_destroy(&reading->begins);
    return end - begin;
}

double limits_read_task(const struct bench_task *task, long times)
{
    struct reading reading = {.arrays = {task->x, task->y},
                              .words = task->bytes / sizeof(uint64_t),
                              .times = times,
                              .threads = task->threads};
    return time_reading(&reading);
}

static void measure(struct bench_report *report, const char *name, const uint64_t *array,
                    size_t bytes, int threads)
{
    const double turn_seconds = 5 * report->settings.turn_seconds; /* threads start unevenly */
    struct reading reading = {
        .arrays = {array}, .words = bytes / sizeof(uint64_t), .times = 2, .threads = threads};
    double times[LIMIT_TURNS];
    time_reading(&reading);
    const double each = time_reading(&reading) / (double)reading.times;
    reading.times = (long)(turn_seconds / each) + 1;
    for (int t = 0; t < LIMIT_TURNS; t++)
        times[t] = time_reading(&reading) / (double)reading.times;
    const struct measured time = measure_summarize(times, LIMIT_TURNS);
    const struct report_limit limit = {.name = name,
                                       .threads = threads,
                                       .bytes = (double)bytes,
                                       .bytes_per_second = (double)bytes / time.seconds,
                                       .spread = time.spread};
    report_add_limit(report, &limit);
}

/* Half a cache's size, which is what stays in it beside everything else; more where the level
 * before would hold that. */
static size_t bytes_in_cache(const struct machine *machine, int cache, int threads)
{
    const double all = machine_cache_bytes(machine, cache, threads);
    const double before = cache > 0 ? machine_cache_bytes(machine, cache - 1, threads) : 0;
    const double bytes = all / 2 > before ? all / 2 : (all + before) / 2;
    return (size_t)bytes / 4096 * 4096;
}

/* Four times the last caches, at least 256 MiB, but no more than a third of the memory. */
static size_t bytes_in_memory(const struct machine *machine)
{
    double bytes = 0x1p28;
    if (machine->cache_count > 0) {
        const double last =
            machine_cache_bytes(machine, machine->cache_count - 1, machine->threads);
        bytes = 4 * last > bytes ? 4 * last : bytes;
    }
    bytes = bytes > machine->memory_bytes / 3 ? machine->memory_bytes / 3 : bytes;
    return (size_t)bytes / 4096 * 4096;
}

void limits_measure(struct bench_report *report, const int *thread_counts)
{
    const struct machine *machine = &report->machine;
    const size_t bytes = bytes_in_memory(machine);
    const int counts[] = {1, machine->threads};
    uint64_t *array = aligned_alloc(4096, bytes);
    if (array == NULL)
        bench_fail("not enough memory");
    memset(array, 1, bytes);
    for (int c = 0; c < 2 && (c == 0 || machine->threads > 1); c++)
        for (int cache = 0; cache < machine->cache_count; cache++)
            measure(report, machine_level_name(machine, cache), array,
                    bytes_in_cache(machine, cache, counts[c]), counts[c]);
    for (int c = 0; thread_counts[c] > 0; c++)
        measure(report, machine_level_name(machine, machine->cache_count), array, bytes,
                thread_counts[c]);
    free(array);
}
