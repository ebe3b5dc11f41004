/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of comparisons. A function here is one call of one side; both sides of a row read the
 * same data and leave what they computed in data->value.
 */
#include "bench/rows.h"

#include "bench/openblas.h"
#include "bench/opencl.h"
#include "bench/openmp.h"
#include "bench/side.h"

static size_t floats(const struct bench_data *data)
{
    return data->large / sizeof(float);
}

static size_t doubles(const struct bench_data *data)
{
    return data->large / sizeof(double);
}

/* ---- Data far larger than the caches, all threads ---------------------------------------------*/

static void read_one(struct bench_data *data)
{
    data->value = (double)(tuned_read(data->x, doubles(data)) & 1);
}

static void read_two(struct bench_data *data)
{
    const size_t half = doubles(data) / 2;
    data->value = (double)((tuned_read(data->x, half) | tuned_read(data->y, half)) & 1);
}

static void reap_sum_float(struct bench_data *data)
{
    data->value = (double)side_sum_float(data->queue, data->x, floats(data));
}

static void openmp_sum_float(struct bench_data *data)
{
    data->value = (double)tuned_sum_float(data->x, floats(data));
}

static void reap_sum_double(struct bench_data *data)
{
    data->value = (double)side_sum_double(data->queue, data->x, doubles(data));
}

static void openmp_sum_double(struct bench_data *data)
{
    data->value = (double)tuned_sum_double(data->x, doubles(data));
}

static void reap_sum_int(struct bench_data *data)
{
    data->value = (double)side_sum_int(data->queue, data->x, floats(data));
}

static void openmp_sum_int(struct bench_data *data)
{
    data->value = (double)tuned_sum_int(data->x, floats(data));
}

static void reap_dot(struct bench_data *data)
{
    data->value = (double)side_dot(data->queue, data->x, data->y, floats(data) / 2);
}

static void openmp_dot(struct bench_data *data)
{
    data->value = (double)tuned_dot(data->x, data->y, floats(data) / 2);
}

static double four_values(const float out[4])
{
    return (double)(out[0] + 2 * out[1] + 4 * out[2] + out[3]); /* 1 and -1 do not cancel */
}

static void reap_four(struct bench_data *data)
{
    float out[4];
    side_four(data->queue, data->x, floats(data), out);
    data->value = four_values(out);
}

static void openmp_four(struct bench_data *data)
{
    float out[4];
    tuned_four(data->x, floats(data), out);
    data->value = four_values(out);
}

/* ---- In the cache, one thread -----------------------------------------------------------------*/

static void reap_sum_max(struct bench_data *data)
{
    float out[2];
    side_sum_max(data->one, data->x, data->small, out);
    data->value = (double)(out[0] + out[1]);
}

static void tuned_openmp_sum_max(struct bench_data *data)
{
    float out[2];
    tuned_sum_max(data->x, data->small, out);
    data->value = (double)(out[0] + out[1]);
}

static void plain_openmp_sum_max(struct bench_data *data)
{
    float out[2];
    plain_sum_max(data->x, data->small, out);
    data->value = (double)(out[0] + out[1]);
}

static void reap_small_dot(struct bench_data *data)
{
    data->value = (double)side_dot(data->one, data->x, data->y, data->small);
}

static void blas_small_dot(struct bench_data *data)
{
    data->value = (double)openblas_dot((int)data->small, data->x, data->y);
}

static void reap_small_argmax(struct bench_data *data)
{
    data->value = (double)side_argmax(data->one, data->x, data->small);
}

static void reap_small_sum(struct bench_data *data)
{
    data->value = (double)side_sum_float(data->one, data->x, data->small);
}

static void reap_small_matrix(struct bench_data *data)
{
    data->value = (double)side_sum_matrix(data->one, data->x, data->small / 1000, 1000);
}

static void reap_small_vector(struct bench_data *data)
{
    data->value = (double)side_sum_float(data->one, data->x, data->small / 1000 * 1000);
}

/* ---- Launches and histograms ------------------------------------------------------------------*/

static void reap_launch_64(struct bench_data *data)
{
    data->value = (double)side_sum_float(data->queue, data->x, 64);
}

static void openmp_launch_64(struct bench_data *data)
{
    data->value = (double)plain_sum_without_simd(data->x, 64);
}

enum { CHAIN = 1000 };

static void reap_chain(struct bench_data *data)
{
    data->value = (double)side_chain(data->queue, CHAIN);
}

static void call_chain(struct bench_data *data)
{
    data->value = (double)side_call_chain(CHAIN);
}

static double all_bins(const struct bench_data *data)
{
    double all = 0;
    for (size_t i = 0; i < 256; i++)
        all += data->bins[i];
    return all;
}

static void reap_one_bin(struct bench_data *data)
{
    side_histogram(data->queue, data->zeros, floats(data) / 4, data->bins, 256);
    data->value = all_bins(data);
}

static void reap_uniform(struct bench_data *data)
{
    side_histogram(data->queue, data->uniform, floats(data) / 4, data->bins, 256);
    data->value = all_bins(data);
}

/* ---- Work-groups ------------------------------------------------------------------------------*/

enum { GROUP_SIZE = 256 };

static void tree_sum(struct bench_data *data, bool in_phases)
{
    data->value = (double)side_tree_sum(data->queue, data->uniform, floats(data) / 4, GROUP_SIZE,
                                        in_phases, data->partial);
}

static void reap_tree(struct bench_data *data)
{
    tree_sum(data, false);
}

static void reap_tree_in_phases(struct bench_data *data)
{
    tree_sum(data, true);
}

static void opencl_tree(struct bench_data *data)
{
    data->value = (double)opencl_tree_sum(data->uniform, floats(data) / 4, GROUP_SIZE);
}

/* ---- The table --------------------------------------------------------------------------------*/

#define REAP BENCH_REAP_FLAGS
#define TUNED BENCH_TUNED_FLAGS " -fopenmp"
#define PLAIN BENCH_PLAIN_FLAGS " -fopenmp"

const struct bench_row bench_rows[] = {
#if BENCH_HAS_OPENMP
    {"sum of floats", "read bandwidth", REAP, TUNED, 0.95, 1.0, reap_sum_float, read_one,
     .result = RESULT_DIFFERS},
    {"sum of doubles", "read bandwidth", REAP, TUNED, 0.95, 1.0, reap_sum_double, read_one,
     .result = RESULT_DIFFERS},
    {"sum of ints", "read bandwidth", REAP, TUNED, 0.95, 1.0, reap_sum_int, read_one,
     .result = RESULT_DIFFERS},
    {"dot of floats", "read bandwidth", REAP, TUNED, 0.95, 1.0, reap_dot, read_two,
     .result = RESULT_DIFFERS},
    {"sum, max, min, squares", "read bandwidth", REAP, TUNED, 0.95, 1.0, reap_four, read_one,
     .result = RESULT_DIFFERS},
    {"sum of floats", "OpenMP", REAP, TUNED, 1.0, 1.1, reap_sum_float, openmp_sum_float,
     .limit = read_one},
    {"sum of doubles", "OpenMP", REAP, TUNED, 1.0, 1.1, reap_sum_double, openmp_sum_double,
     .limit = read_one},
    {"sum of ints", "OpenMP", REAP, TUNED, 1.0, 1.1, reap_sum_int, openmp_sum_int,
     .limit = read_one},
    {"dot of floats", "OpenMP", REAP, TUNED, 1.0, 1.1, reap_dot, openmp_dot, .limit = read_two},
    {"sum, max, min, squares", "OpenMP", REAP, TUNED, 1.0, 1.1, reap_four, openmp_four,
     .limit = read_one},
    {"sum and max in cache", "OpenMP", REAP, TUNED, 0.9, 1.2, reap_sum_max, tuned_openmp_sum_max,
     .threads = 1},
    {"sum and max in cache", "OpenMP at -O2", REAP, PLAIN, 2.0, 4.0, reap_sum_max,
     plain_openmp_sum_max, .threads = 1},
#endif
    {"dot in cache", "OpenBLAS", REAP, "as packaged", 0.5, 0.8, reap_small_dot, blas_small_dot,
     .is_there = openblas_open},
#if BENCH_HAS_OPENMP
    {"64 items to a value", "OpenMP, all threads", REAP, PLAIN, 5.0, 20.0, reap_launch_64,
     openmp_launch_64, .result = RESULT_SAME},
    {"64 items to a value", "OpenMP, one thread", REAP, PLAIN, 1.0, 2.0, reap_launch_64,
     openmp_launch_64, .threads = 1},
#endif
    {"chain of 1000 launches", "1000 calls, atomics", REAP, REAP, 0.2, 0.2, reap_chain, call_chain,
     .result = RESULT_SAME},
    {"rows of 1000, 2-D", "the same in 1-D", REAP, REAP, 0.7, 0.9, reap_small_matrix,
     reap_small_vector, .result = RESULT_SAME},
    {"argmax in cache", "sum in cache", REAP, REAP, 0.3, 0.6, reap_small_argmax, reap_small_sum,
     .result = RESULT_DIFFERS},
    {"256 bins, one of them hit", "256 bins, all alike", REAP, REAP, 0.5, 1.0, reap_one_bin,
     reap_uniform, .result = RESULT_SAME},
    {"tree kernel, barriers", "OpenCL", REAP, "as built by it", 0.2, 0.33, reap_tree, opencl_tree,
     .is_there = opencl_open, .result = RESULT_SAME},
    {"tree kernel, phases", "OpenCL", REAP, "as built by it", 2.5, 5.0, reap_tree_in_phases,
     opencl_tree, .is_there = opencl_open, .result = RESULT_SAME},
};

const size_t bench_row_count = sizeof bench_rows / sizeof *bench_rows;
