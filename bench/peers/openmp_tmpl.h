/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops over a type T; NAME(name) makes the names of the type's functions, ROOT is the
 * type's square root. Undefines all three.
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

static void NAME(norm)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    T squares = 0;
#pragma omp parallel for simd reduction(+ : squares) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        squares += x[i] * x[i];
    result->values[0] = (double)ROOT(squares);
}

static void NAME(minmax)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    T least = x[0], most = x[0];
#pragma omp parallel for simd reduction(min                                                        \
                                        : least) reduction(max                                     \
                                                           : most) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    result->values[0] = (double)least;
    result->values[1] = (double)most;
}

struct NAME(place) {
    T value;
    size_t at;
};

static inline struct NAME(place) NAME(first)(struct NAME(place) a, struct NAME(place) b)
{
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}

#pragma omp declare reduction(first                                                                \
                              : struct NAME(place)                                                 \
                              : omp_out = NAME(first)(omp_out, omp_in))                            \
    initializer(omp_priv = omp_orig)

static void NAME(argmax)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    struct NAME(place) most = {x[0], 0};
#pragma omp parallel for reduction(first : most) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        if (x[i] > most.value)
            most = (struct NAME(place)){x[i], i};
    result->values[0] = (double)most.value;
    result->values[1] = (double)most.at;
}

static void NAME(moments)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    double sum = 0, squares = 0;
#pragma omp parallel for simd reduction(+ : sum, squares) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        const double v = (double)x[i];
        sum += v;
        squares += v * v;
    }
    const double mean = sum / (double)task->count;
    result->values[0] = mean;
    result->values[1] = squares / (double)task->count - mean * mean;
}

static void NAME(four)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    T sum = 0, squares = 0, most = x[0], least = x[0];
#pragma omp parallel for simd reduction(+ : sum, squares) reduction(max : most)                    \
    reduction(min : least) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        sum += x[i];
        squares += x[i] * x[i];
        most = x[i] > most ? x[i] : most;
        least = x[i] < least ? x[i] : least;
    }
    result->values[0] = (double)sum;
    result->values[1] = (double)most;
    result->values[2] = (double)least;
    result->values[3] = (double)squares;
}

static void NAME(count)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    size_t count = 0;
#pragma omp parallel for simd reduction(+ : count) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++)
        count += x[i] > 0;
    result->values[0] = (double)count;
}

static void NAME(sum_max)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    T sum = 0, most = x[0];
#pragma omp parallel for simd reduction(+ : sum) reduction(max : most) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        sum += x[i];
        most = x[i] > most ? x[i] : most;
    }
    result->values[0] = (double)sum;
    result->values[1] = (double)most;
}

struct NAME(box) {
    T low[2], high[2];
};

static inline void NAME(surround)(struct NAME(box) * a, const struct NAME(box) * b)
{
    for (int d = 0; d < 2; d++) {
        a->low[d] = b->low[d] < a->low[d] ? b->low[d] : a->low[d];
        a->high[d] = b->high[d] > a->high[d] ? b->high[d] : a->high[d];
    }
}

#pragma omp declare reduction(around                                                               \
                              : struct NAME(box)                                                   \
                              : NAME(surround)(&omp_out, &omp_in))                                 \
    initializer(omp_priv = omp_orig)

static void NAME(bound)(const struct bench_task *task, struct bench_result *result)
{
    const T *x = task->x;
    struct NAME(box) all = {{x[0], x[1]}, {x[0], x[1]}};
#pragma omp parallel for reduction(around : all) num_threads(task->threads)
    for (size_t i = 0; i < task->count; i++) {
        const T a = x[2 * i], b = x[2 * i + 1];
        NAME(surround)(&all, &(const struct NAME(box)){{a, b}, {a, b}});
    }
    for (int d = 0; d < 2; d++) {
        result->values[d] = (double)all.low[d];
        result->values[2 + d] = (double)all.high[d];
    }
}
#undef T
#undef NAME
#undef ROOT
