/* SPDX-License-Identifier: Apache-2.0
 *
 * CUB's side, as a user writes it: temporary memory is asked for once and kept, everything runs in
 * one stream, and numbers of items are ints, for which CUB has its fastest kernels. What CUB does
 * not have is written by hand, with atomicAdd.
 */
#include "bench/gpu/side.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <vector>

static cudaStream_t stream;
static void *input, *output, *temporary, *pinned, *elements, *centres;
static uint32_t *keys; // of all numbers of the input, while key_mask is not 0
static uint32_t key_mask;
static size_t input_bytes, temporary_bytes;

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        gpu_fail("CUDA", cudaGetErrorString(error));
}

void gpu_cub_open(void)
{
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaMalloc(&output, sizeof(gpu_result)));
    check(cudaMalloc(&elements, GPU_MOST_KEYS * sizeof(double)));
    check(cudaMallocHost(&pinned, sizeof(double)));
    float places[GPU_CENTRES];
    for (uint32_t v = 0; v < GPU_CENTRES; v++)
        places[v] = gpu_centre(v);
    check(cudaMalloc(&centres, sizeof places));
    check(cudaMemcpy(centres, places, sizeof places, cudaMemcpyHostToDevice));
}

const char *gpu_cub_versions(void)
{
    static char line[128];
    int driver, runtime;
    check(cudaDriverGetVersion(&driver));
    check(cudaRuntimeGetVersion(&runtime));
    snprintf(line, sizeof line, "CUB %d.%d.%d, CUDA %d.%d, driver for CUDA %d.%d",
             CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, runtime / 1000,
             runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
    return line;
}

void gpu_cub_load(const void *host, size_t bytes)
{
    check(cudaMalloc(&input, bytes));
    check(cudaMemcpy(input, host, bytes, cudaMemcpyHostToDevice));
    input_bytes = bytes;
}

void gpu_cub_unload(void)
{
    check(cudaFree(input));
    check(cudaFree(keys));
    input = keys = nullptr;
    key_mask = 0;
}

/* ---- Tasks ------------------------------------------------------------------------------------*/

struct product {
    const float *x, *y;
    __host__ __device__ float operator()(int i) const
    {
        return x[i] * y[i];
    }
};

/* call(memory, bytes) is one of CUB's functions: asked for its bytes, then called. */
template <class Call> static void repeat(Call call, long times)
{
    size_t bytes = 0;
    check(call(nullptr, bytes));
    if (bytes > temporary_bytes) {
        check(cudaStreamSynchronize(stream));
        check(cudaFree(temporary));
        check(cudaMalloc(&temporary, bytes));
        temporary_bytes = bytes;
    }
    for (long t = 0; t < times; t++)
        check(call(temporary, bytes));
}

static void *results;
static size_t results_bytes;
static int *offsets;
static size_t offsets_of;

static void *find_results(const gpu_task *task)
{
    const size_t bytes = gpu_results(task->work, task->count, task->bins) * gpu_result_bytes(task->work);
    if (bytes != results_bytes) {
        check(cudaFree(results));
        check(cudaMalloc(&results, bytes));
        results_bytes = bytes;
    }
    return results;
}

template <class T> static void sum(const gpu_task *task, long times)
{
    const T *x = static_cast<const T *>(input);
    T *to = static_cast<T *>(output);
    const int count = static_cast<int>(task->count);
    repeat(
        [=](void *memory, size_t &bytes) {
            return cub::DeviceReduce::Sum(memory, bytes, x, to, count, stream);
        },
        times);
}

static void dot(const gpu_task *task, long times)
{
    const float *x = static_cast<const float *>(input);
    float *to = static_cast<float *>(output);
    const int count = static_cast<int>(task->count);
    const product multiply{x, x + task->count};
    repeat(
        [=](void *memory, size_t &bytes) {
            return cub::DeviceReduce::TransformReduce(memory, bytes,
                                                      thrust::counting_iterator<int>(0), to, count,
                                                      cuda::std::plus<>{}, multiply, 0.0f, stream);
        },
        times);
}

static void argmax(const gpu_task *task, long times)
{
    const float *x = static_cast<const float *>(input);
    gpu_result *to = static_cast<gpu_result *>(output);
    float *most = reinterpret_cast<float *>(&to->numbers[0]);
    int64_t *place = reinterpret_cast<int64_t *>(&to->place);
    const int64_t count = static_cast<int64_t>(task->count);
    repeat(
        [=](void *memory, size_t &bytes) {
            return cub::DeviceReduce::ArgMax(memory, bytes, x, most, place, count, stream);
        },
        times);
}

template <class T> static void histogram(const gpu_task *task, long times)
{
    const T *x = static_cast<const T *>(input);
    uint32_t *bins = static_cast<gpu_result *>(output)->bins;
    const int count = static_cast<int>(task->count), last = static_cast<int>(task->bins);
    repeat(
        [=](void *memory, size_t &bytes) {
            return cub::DeviceHistogram::HistogramEven(memory, bytes, x, bins, last + 1, 0, last,
                                                       count, stream);
        },
        times);
}

static __global__ void find_keys(const uint32_t *__restrict__ x, int count, uint32_t mask,
                                 uint32_t *keys)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        keys[i] = x[i] & mask;
}

/* The keys are in an array of their own already: CUB is fastest with that. */
static void count_keys(const gpu_task *task, long times)
{
    const int count = static_cast<int>(task->count), last = static_cast<int>(task->bins);
    const uint32_t mask = static_cast<uint32_t>(task->bins - 1);
    if (key_mask != mask) {
        const int numbers = static_cast<int>(input_bytes / sizeof(uint32_t));
        if (keys == nullptr)
            check(cudaMalloc(&keys, input_bytes));
        find_keys<<<(numbers - 1) / 256 + 1, 256, 0, stream>>>(static_cast<const uint32_t *>(input),
                                                             numbers, mask, keys);
        check(cudaGetLastError());
        key_mask = mask;
    }
    repeat(
        [=](void *memory, size_t &bytes) {
            return cub::DeviceHistogram::HistogramEven(memory, bytes, keys,
                                                       static_cast<uint32_t *>(elements), last + 1,
                                                       0, last, count, stream);
        },
        times);
}

/* What one writes by hand: a thread adds to an element of global memory. */
template <class T> __device__ T weight(uint32_t number)
{
    return static_cast<T>(number >> 8) * static_cast<T>(0x1p-24);
}
template <> __device__ uint32_t weight<uint32_t>(uint32_t)
{
    return 1;
}

template <class T>
static __global__ void add_by_key(const uint32_t *__restrict__ x, int count, uint32_t mask,
                                  T *elements)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(&elements[x[i] & mask], weight<T>(x[i]));
}

template <class T> static void by_key(const gpu_task *task, long times)
{
    const uint32_t *x = static_cast<const uint32_t *>(input);
    const int count = static_cast<int>(task->count), threads = 256;
    for (long t = 0; t < times; t++) {
        check(cudaMemsetAsync(elements, 0, task->bins * sizeof(T), stream));
        add_by_key<T><<<(count - 1) / threads + 1, threads, 0, stream>>>(
            x, count, static_cast<uint32_t>(task->bins - 1), static_cast<T *>(elements));
    }
    check(cudaGetLastError());
}

/* Each waited for. */
template <class T> static void scan(const gpu_task *task, long times)
{
    const T *x = static_cast<const T *>(input);
    T *to = static_cast<T *>(find_results(task));
    const int count = static_cast<int>(task->count);
    repeat(
        [=](void *memory, size_t &bytes) {
            const cudaError_t error =
                cub::DeviceScan::InclusiveSum(memory, bytes, x, to, count, stream);
            if (memory == nullptr || error != cudaSuccess)
                return error;
            return cudaStreamSynchronize(stream);
        },
        times);
}

static void segments(const gpu_task *task, long times)
{
    const float *x = static_cast<const float *>(input);
    float *to = static_cast<float *>(find_results(task));
    const int count = static_cast<int>(task->count / task->bins);
    if (offsets_of != task->bins) {
        std::vector<int> all(count + 1);
        for (int s = 0; s <= count; s++)
            all[s] = s * static_cast<int>(task->bins);
        check(cudaFree(offsets));
        check(cudaMalloc(&offsets, all.size() * sizeof(int)));
        check(cudaMemcpy(offsets, all.data(), all.size() * sizeof(int), cudaMemcpyHostToDevice));
        offsets_of = task->bins;
    }
    const int *ends = offsets;
    repeat(
        [=](void *memory, size_t &bytes) {
            const cudaError_t error = cub::DeviceSegmentedReduce::Sum(memory, bytes, x, to, count,
                                                                      ends, ends + 1, stream);
            if (memory == nullptr || error != cudaSuccess)
                return error;
            return cudaStreamSynchronize(stream);
        },
        times);
}

static void enqueue(const gpu_task *task, long times)
{
    switch (task->work) {
    case GPU_SUM_FLOAT:
    case GPU_EXACT_FLOAT:
    case GPU_FOUR:
        return sum<float>(task, times);
    case GPU_SUM_DOUBLE:
    case GPU_EXACT_DOUBLE:
        return sum<double>(task, times);
    case GPU_SUM_INT:
        return sum<int>(task, times);
    case GPU_DOT:
        return dot(task, times);
    case GPU_ARGMAX:
        return argmax(task, times);
    case GPU_HISTOGRAM_8:
        return histogram<uint8_t>(task, times);
    case GPU_HISTOGRAM_16:
        return histogram<uint16_t>(task, times);
    case GPU_HISTOGRAM_32:
        return histogram<uint32_t>(task, times);
    case GPU_KEYS_INT:
        return count_keys(task, times);
    case GPU_KEYS_FLOAT:
    case GPU_KEYS_ORDERED:
        return by_key<float>(task, times);
    case GPU_KEYS_DOUBLE:
        return by_key<double>(task, times);
    case GPU_SCAN_FLOAT:
        return scan<float>(task, times);
    case GPU_SCAN_DOUBLE:
        return scan<double>(task, times);
    case GPU_SCAN_INT:
        return scan<int>(task, times);
    case GPU_SEGMENTS:
        return segments(task, times);
    }
}

void gpu_cub_run(const gpu_task *task, long times)
{
    enqueue(task, times);
    check(cudaStreamSynchronize(stream));
}

void gpu_atomic_run(const gpu_task *task, long times)
{
    if (task->work == GPU_KEYS_INT)
        by_key<uint32_t>(task, times);
    else
        enqueue(task, times);
    check(cudaStreamSynchronize(stream));
}

template <class T> static void take_results(gpu_result *result)
{
    std::vector<T> copy(results_bytes / sizeof(T));
    check(cudaMemcpy(copy.data(), results, results_bytes, cudaMemcpyDeviceToHost));
    result->numbers[0] = copy.back();
    result->place = gpu_fingerprint(reinterpret_cast<const uint32_t *>(copy.data()),
                                    results_bytes / sizeof(uint32_t));
}

template <class T> static void take_elements(const gpu_task *task, gpu_result *result)
{
    std::vector<T> copy(task->bins);
    std::vector<uint32_t> words(task->bins * sizeof(T) / sizeof(uint32_t));
    const size_t bytes = task->bins * sizeof(T);
    check(cudaMemcpy(copy.data(), elements, bytes, cudaMemcpyDeviceToHost));
    memcpy(words.data(), copy.data(), bytes);
    result->place = gpu_fingerprint(words.data(), words.size());
    result->numbers[0] = 0;
    for (T element : copy)
        result->numbers[0] += element;
}

static void take_keys(const gpu_task *task, gpu_result *result)
{
    if (task->work == GPU_KEYS_INT)
        take_elements<uint32_t>(task, result);
    else if (task->work == GPU_KEYS_DOUBLE)
        take_elements<double>(task, result);
    else
        take_elements<float>(task, result);
}

void gpu_atomic_result(const gpu_task *task, gpu_result *result)
{
    gpu_atomic_run(task, 1);
    take_keys(task, result);
}

void gpu_cub_result(const gpu_task *task, gpu_result *result)
{
    gpu_cub_run(task, 1);
    if (gpu_has_keys(task->work))
        return take_keys(task, result);
    if (task->work == GPU_SCAN_DOUBLE)
        return take_results<double>(result);
    if (task->work == GPU_SCAN_INT)
        return take_results<int>(result);
    if (gpu_results(task->work, task->count, task->bins) > 0)
        return take_results<float>(result);
    check(cudaMemcpy(result, output, sizeof *result, cudaMemcpyDeviceToHost));
    int whole;
    float single;
    memcpy(&whole, result->numbers, sizeof whole);
    memcpy(&single, result->numbers, sizeof single);
    if (task->work == GPU_SUM_INT)
        result->numbers[0] = whole;
    else if (task->work != GPU_SUM_DOUBLE && task->work != GPU_EXACT_DOUBLE)
        result->numbers[0] = single;
}

/* ---- k-means ----------------------------------------------------------------------------------*/

struct step {
    double inertia;
    float sums[GPU_CENTRES];
    uint32_t sizes[GPU_CLUSTERS];
};

enum { STEP_THREADS = 256 };

static __device__ int find_nearest(const float *__restrict__ centres, float x, float y, float z,
                                   float *least)
{
    int nearest = 0;
    *least = INFINITY;
    for (int c = 0; c < GPU_CLUSTERS; c++) {
        const float dx = x - centres[c], dy = y - centres[GPU_CLUSTERS + c],
                    dz = z - centres[2 * GPU_CLUSTERS + c];
        const float square = dx * dx + dy * dy + dz * dz;
        if (square < *least) {
            *least = square;
            nearest = c;
        }
    }
    return nearest;
}

/* A thread has a point, and adds it to its cluster in global memory. The inertia is one number, to
 * which a block adds once. */
static __global__ void step_in_global(const float *__restrict__ x, int count,
                                      const float *__restrict__ centres, step *all)
{
    using reduce = cub::BlockReduce<double, STEP_THREADS>;
    __shared__ typename reduce::TempStorage room;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 0;
    if (i < count) {
        const float at[] = {x[i], x[count + i], x[2 * count + i]};
        const int nearest = find_nearest(centres, at[0], at[1], at[2], &least);
        for (int d = 0; d < GPU_DIMENSIONS; d++)
            atomicAdd(&all->sums[d * GPU_CLUSTERS + nearest], at[d]);
        atomicAdd(&all->sizes[nearest], 1);
    }
    const double inertia = reduce(room).Sum(static_cast<double>(least));
    if (threadIdx.x == 0)
        atomicAdd(&all->inertia, inertia);
}

/* A block goes over many points, and adds them to clusters in its shared memory first. */
static __global__ void step_in_shared(const float *__restrict__ x, int count,
                                      const float *__restrict__ centres, step *all)
{
    using reduce = cub::BlockReduce<double, STEP_THREADS>;
    __shared__ typename reduce::TempStorage room;
    __shared__ step mine;
    for (int v = threadIdx.x; v < GPU_CENTRES; v += blockDim.x)
        mine.sums[v] = mine.sizes[v % GPU_CLUSTERS] = 0;
    __syncthreads();
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const float at[] = {x[i], x[count + i], x[2 * count + i]};
        float least;
        const int nearest = find_nearest(centres, at[0], at[1], at[2], &least);
        for (int d = 0; d < GPU_DIMENSIONS; d++)
            atomicAdd(&mine.sums[d * GPU_CLUSTERS + nearest], at[d]);
        atomicAdd(&mine.sizes[nearest], 1);
        sum += least;
    }
    const double inertia = reduce(room).Sum(sum);
    __syncthreads();
    for (int v = threadIdx.x; v < GPU_CENTRES; v += blockDim.x)
        atomicAdd(&all->sums[v], mine.sums[v]);
    for (int c = threadIdx.x; c < GPU_CLUSTERS; c += blockDim.x)
        atomicAdd(&all->sizes[c], mine.sizes[c]);
    if (threadIdx.x == 0)
        atomicAdd(&all->inertia, inertia);
}

template <class Launch> static void run_steps(Launch launch, long times)
{
    for (long t = 0; t < times; t++) {
        check(cudaMemsetAsync(elements, 0, sizeof(step), stream));
        launch(static_cast<const float *>(input), static_cast<const float *>(centres),
               static_cast<step *>(elements));
    }
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream));
}

void gpu_atomic_run_kmeans(const gpu_task *task, long times)
{
    const int count = static_cast<int>(task->count), blocks = (count - 1) / STEP_THREADS + 1;
    run_steps(
        [=](const float *x, const float *places, step *all) {
            step_in_global<<<blocks, STEP_THREADS, 0, stream>>>(x, count, places, all);
        },
        times);
}

void gpu_shared_run_kmeans(const gpu_task *task, long times)
{
    const int count = static_cast<int>(task->count);
    int device, processors;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    run_steps(
        [=](const float *x, const float *places, step *all) {
            step_in_shared<<<8 * processors, STEP_THREADS, 0, stream>>>(x, count, places, all);
        },
        times);
}

static void take_step(gpu_result *result)
{
    check(cudaMemcpy(result->numbers, elements, sizeof(double), cudaMemcpyDeviceToHost));
}

void gpu_atomic_kmeans_result(const gpu_task *task, gpu_result *result)
{
    gpu_atomic_run_kmeans(task, 1);
    take_step(result);
}

void gpu_shared_kmeans_result(const gpu_task *task, gpu_result *result)
{
    gpu_shared_run_kmeans(task, 1);
    take_step(result);
}

/* ---- To a value -------------------------------------------------------------------------------*/

static void run_to(const gpu_task *task, double *value, long times)
{
    const double *x = static_cast<const double *>(input);
    double *to = static_cast<double *>(output);
    const int count = static_cast<int>(task->count);
    repeat(
        [=](void *memory, size_t &bytes) {
            const cudaError_t error = cub::DeviceReduce::Sum(memory, bytes, x, to, count, stream);
            if (memory == nullptr || error != cudaSuccess)
                return error;
            check(cudaMemcpyAsync(value, to, sizeof *value, cudaMemcpyDeviceToHost, stream));
            return cudaStreamSynchronize(stream);
        },
        times);
}

void gpu_cub_run_to_value(const gpu_task *task, long times)
{
    double value;
    run_to(task, &value, times);
}

void gpu_cub_run_to_pinned(const gpu_task *task, long times)
{
    run_to(task, static_cast<double *>(pinned), times);
}

/* ---- A chain ----------------------------------------------------------------------------------*/

static __global__ void step_series(uint32_t *x)
{
    x[threadIdx.x] = 31 * x[threadIdx.x] + 7;
}

void gpu_cub_run_chain(const gpu_task *, long times)
{
    for (long t = 0; t < times; t++)
        step_series<<<1, 1, 0, stream>>>(static_cast<uint32_t *>(output));
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream));
}

/* ---- Time on the device -----------------------------------------------------------------------*/

/* Seconds between two events around what `work` enqueues. */
template <class Work> static double between_events(Work work)
{
    cudaEvent_t begin, end;
    float milliseconds;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin, stream));
    work();
    check(cudaEventRecord(end, stream));
    check(cudaEventSynchronize(end));
    check(cudaGetLastError());
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    return milliseconds * 1e-3;
}

double gpu_cub_device_seconds(const gpu_task *task, long times)
{
    return between_events([=] { enqueue(task, times); }) / static_cast<double>(times);
}

template <int EACH>
static __global__ void read_only(const uint4 *__restrict__ x, size_t count, unsigned *never)
{
    const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x * EACH;
    unsigned all = 0;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x * EACH + threadIdx.x;
         i + (EACH - 1) * blockDim.x < count; i += step) {
        uint4 v[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++)
            v[e] = __ldcs(&x[i + e * blockDim.x]);
#pragma unroll
        for (int e = 0; e < EACH; e++)
            all |= v[e].x ^ v[e].y ^ v[e].z ^ v[e].w;
    }
    if (all == 0x2f2f2f2f)
        *never = all;
}

template <int EACH> static double best_read(int processors)
{
    static const int threads[] = {256, 512, 1024}, groups[] = {1, 2, 4, 8, 16};
    const size_t count = input_bytes / sizeof(uint4);
    double best = 1e9;
    for (int t : threads)
        for (int g : groups)
            for (int again = 0; again < 4; again++)
                best = std::min(best, between_events([=] {
                                    read_only<EACH><<<processors * g, t, 0, stream>>>(
                                        static_cast<const uint4 *>(input), count,
                                        static_cast<unsigned *>(output));
                                }));
    return best;
}

double gpu_cub_read_bandwidth(void)
{
    int device, processors;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const double best =
        std::min({best_read<2>(processors), best_read<4>(processors), best_read<8>(processors)});
    return static_cast<double>(input_bytes) / best;
}
