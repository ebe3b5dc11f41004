/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops over a type T; NAME(name) gives the functions of the type their names. Undefines both.
 */
static void NAME(sum)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    T sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += x[i];
    result->values[0] = (double)sum;
}

static void NAME(dot)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x, *y = task->y;
    T sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        sum += x[i] * y[i];
    result->values[0] = (double)sum;
}
#undef T
#undef NAME
