/* SPDX-License-Identifier: Apache-2.0
 *
 * The two sides of the GPU benchmark: Reap on a CUDA device, in C, and CUB on the same card, in
 * CUDA C++. Each has its own copy of the input in the card's memory. Whatever fails ends the
 * program with a line.
 */
#ifndef BENCH_GPU_SIDE_H
#define BENCH_GPU_SIDE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gpu_work {
    GPU_SUM_FLOAT,
    GPU_SUM_DOUBLE,
    GPU_SUM_INT,
    GPU_EXACT_FLOAT,
    GPU_EXACT_DOUBLE, /* CUB: a plain sum */
    GPU_DOT,          /* of floats: the first `count` with the next `count` */
    GPU_ARGMAX,       /* of floats */
    GPU_FOUR,         /* sum, max, min and sum of squares of floats; CUB: the sum alone */
    GPU_HISTOGRAM_8,
    GPU_HISTOGRAM_16,
    GPU_HISTOGRAM_32, /* of numbers of so many bits, which are bin numbers */
    GPU_KEYS_INT,     /* array reductions by key, the lower bits of a number: of ones; */
    GPU_KEYS_FLOAT,   /* of weights below 1, the upper 24 bits, into floats: exact sums; */
    GPU_KEYS_DOUBLE,  /* and into doubles; into floats with a user's operator, which has a fixed
                         order. CUB has the ones, as histograms; by hand: all */
    GPU_KEYS_ORDERED,
    GPU_SCAN_FLOAT, /* inclusive scans, sums, each waited for */
    GPU_SCAN_DOUBLE,
    GPU_SCAN_INT,
    GPU_SEGMENTS /* sums of segments of `bins` floats each, waited for */
};

/* Histograms have at most so many bins; keys are less than a power of two. */
enum { GPU_MOST_BINS = 8192, GPU_MOST_KEYS = 1 << 20 };

static inline int gpu_has_keys(enum gpu_work work)
{
    return work >= GPU_KEYS_INT && work <= GPU_KEYS_ORDERED;
}

/* The results are an array of so many elements; 0: another work. */
static inline size_t gpu_results(enum gpu_work work, size_t count, size_t bins)
{
    return work < GPU_SCAN_FLOAT ? 0 : work == GPU_SEGMENTS ? count / bins : count;
}

static inline size_t gpu_result_bytes(enum gpu_work work)
{
    return work == GPU_SCAN_DOUBLE ? sizeof(double) : sizeof(float);
}

/* FNV-1a (Fowler, Noll and Vo), by 32 bits. */
static inline uint64_t gpu_fingerprint_add(uint64_t hash, uint32_t word)
{
    return (hash ^ word) * 0x100000001b3u;
}

static inline uint64_t gpu_fingerprint(const uint32_t *words, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t w = 0; w < count; w++)
        hash = gpu_fingerprint_add(hash, words[w]);
    return hash;
}

/* k-means over as many points as the task has items: their x, y and z are the floats that were
 * loaded. Centres are in the same order, at places between 0 and 1. */
enum { GPU_DIMENSIONS = 3, GPU_CLUSTERS = 64, GPU_CENTRES = GPU_DIMENSIONS * GPU_CLUSTERS };

static inline float gpu_centre(uint32_t number)
{
    return (float)((number + 1) * 2654435761u >> 16) * 0x1p-16f;
}

struct gpu_task {
    enum gpu_work work;
    size_t count; /* items; at most 2^30 */
    size_t bins;  /* histograms; keys; elements of a segment */
};

struct gpu_result {
    double numbers[4]; /* keys: the sum of all elements, in double precision; k-means: inertia;
                          arrays: the last result */
    uint64_t place;    /* a fingerprint of the elements' bits; k-means: of the sums' and sizes';
                          arrays: of all results */
    uint32_t bins[GPU_MOST_BINS];
};

/* The device, as Reap knows it. */
struct gpu_machine {
    const char *version; /* Reap's */
    const char *name, *description, *instruction_set;
    double units, memory_bytes;
};

/* Enqueues a task so many times, or does it so many times one after the other; waits at the end. */
typedef void (*gpu_function)(const struct gpu_task *task, long times);

void gpu_fail(const char *side, const char *what);

/* ---- Reap: the device is the first of CUDA's, or REAP_DEVICE ----------------------------------*/

void gpu_reap_open(void);
const char *gpu_reap_device(void);
void gpu_reap_describe(struct gpu_machine *machine);
void gpu_reap_load(const void *host, size_t bytes);
void gpu_reap_unload(void);

/* The reduction's variables and bins lie in buffers, and stay on the device. */
void gpu_reap_run(const struct gpu_task *task, long times);
void gpu_reap_result(const struct gpu_task *task, struct gpu_result *result);

/* The same for an exact sum, but a plain one. */
void gpu_reap_run_plain(const struct gpu_task *task, long times);

/* Doubles to a variable on the stack, each value waited for. */
void gpu_reap_run_to_value(const struct gpu_task *task, long times);
void gpu_reap_value_result(const struct gpu_task *task, struct gpu_result *result);

/* Launches of one item, each of which needs the one before; and what comes out of so many. */
void gpu_reap_run_chain(const struct gpu_task *task, long times);
uint32_t gpu_reap_chain_result(long times);

/* The same kernel of Reap on the host, over what was loaded. */
void gpu_reap_host_result(const struct gpu_task *task, struct gpu_result *result);

/* Steps of k-means, by the kernels of the example. */
void gpu_reap_run_kmeans(const struct gpu_task *task, long times);
void gpu_reap_kmeans_result(const struct gpu_task *task, struct gpu_result *result);
void gpu_reap_host_kmeans_result(const struct gpu_task *task, struct gpu_result *result);

/* ---- CUB and CUDA -----------------------------------------------------------------------------*/

void gpu_cub_open(void);
const char *gpu_cub_versions(void);
void gpu_cub_load(const void *host, size_t bytes);
void gpu_cub_unload(void);
void gpu_cub_run(const struct gpu_task *task, long times);
void gpu_cub_result(const struct gpu_task *task, struct gpu_result *result);

/* Array reductions by key with atomicAdd into global memory. */
void gpu_atomic_run(const struct gpu_task *task, long times);
void gpu_atomic_result(const struct gpu_task *task, struct gpu_result *result);

/* Steps of k-means: atomicAdd into global memory, or first into each block's shared memory. */
void gpu_atomic_run_kmeans(const struct gpu_task *task, long times);
void gpu_shared_run_kmeans(const struct gpu_task *task, long times);
void gpu_atomic_kmeans_result(const struct gpu_task *task, struct gpu_result *result);
void gpu_shared_kmeans_result(const struct gpu_task *task, struct gpu_result *result);

/* Doubles, each sum copied to a variable on the stack, or to pinned memory, and waited for. */
void gpu_cub_run_to_value(const struct gpu_task *task, long times);
void gpu_cub_run_to_pinned(const struct gpu_task *task, long times);

/* The kernel of a chain, written in CUDA, launched to the stream. */
void gpu_cub_run_chain(const struct gpu_task *task, long times);

/* Seconds of one run on the device, by events around so many. */
double gpu_cub_device_seconds(const struct gpu_task *task, long times);

/* Bytes a second of a kernel that only reads what was loaded, by 16 bytes: the best of several
 * shapes of it. */
double gpu_cub_read_bandwidth(void);

#ifdef __cplusplus
}
#endif

#endif
