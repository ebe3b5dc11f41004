/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops that people write with OpenMP instead of a Reap kernel. Included once for each set of
 * compiler flags, with LOOP(name) giving the functions of that set their names.
 */
#include <stddef.h>
#include <stdint.h>

#include <omp.h>

void LOOP(set_threads)(int threads)
{
    omp_set_num_threads(threads);
}

int LOOP(thread_count)(void)
{
    return omp_get_num_procs();
}

uint64_t LOOP(read)(const uint64_t *x, size_t count)
{
    uint64_t all = 0;
#pragma omp parallel for simd reduction(| : all)
    for (size_t i = 0; i < count; i++)
        all |= x[i];
    return all;
}

float LOOP(sum_float)(const float *x, size_t count)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

double LOOP(sum_double)(const double *x, size_t count)
{
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

int LOOP(sum_int)(const int *x, size_t count)
{
    int sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}

float LOOP(dot)(const float *x, const float *y, size_t count)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

void LOOP(four)(const float *x, size_t count, float out[4])
{
    float sum = 0, squares = 0, most = x[0], least = x[0];
#pragma omp parallel for simd reduction(+ : sum, squares) reduction(max : most)                    \
    reduction(min : least)
    for (size_t i = 0; i < count; i++) {
        sum += x[i];
        squares += x[i] * x[i];
        most = x[i] > most ? x[i] : most;
        least = x[i] < least ? x[i] : least;
    }
    out[0] = sum;
    out[1] = most;
    out[2] = least;
    out[3] = squares;
}

void LOOP(sum_max)(const float *x, size_t count, float out[2])
{
    float sum = 0, most = x[0];
#pragma omp parallel for simd reduction(+ : sum) reduction(max : most)
    for (size_t i = 0; i < count; i++) {
        sum += x[i];
        most = x[i] > most ? x[i] : most;
    }
    out[0] = sum;
    out[1] = most;
}

float LOOP(sum_without_simd)(const float *x, size_t count)
{
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum;
}
