// SPDX-License-Identifier: Apache-2.0
//
// The cases with Threading Building Blocks, as a C++ programmer writes them: parallel_reduce over
// blocked ranges, a loop inside.
#include "bench/peers/peer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

namespace
{

using range = tbb::blocked_range<size_t>;

// The arena of so many threads; one is kept.
tbb::task_arena &arena(int threads)
{
    static tbb::task_arena kept;
    static int kept_threads = 0;
    if (threads != kept_threads) {
        kept.terminate();
        kept.initialize(threads);
        kept_threads = threads;
    }
    return kept;
}

template <class V, class Body, class Join>
V reduce(const bench_task *task, size_t count, V identity, const Body &body, const Join &join)
{
    return arena(task->threads).execute([&] {
        return tbb::parallel_reduce(range(0, count), identity, body, join);
    });
}

template <class T> void sum(const bench_task *task, bench_result *result)
{
    const T *x = static_cast<const T *>(task->x);
    result->values[0] = reduce(
        task, task->count, T(0),
        [x](const range &r, T all) {
            for (size_t i = r.begin(); i < r.end(); i++)
                all += x[i];
            return all;
        },
        std::plus<T>());
}

template <class T> T add_products(const bench_task *task, const T *x, const T *y)
{
    return reduce(
        task, task->count, T(0),
        [x, y](const range &r, T all) {
            for (size_t i = r.begin(); i < r.end(); i++)
                all += x[i] * y[i];
            return all;
        },
        std::plus<T>());
}

template <class T> void dot(const bench_task *task, bench_result *result)
{
    result->values[0] =
        add_products(task, static_cast<const T *>(task->x), static_cast<const T *>(task->y));
}

template <class T> void norm(const bench_task *task, bench_result *result)
{
    const T *x = static_cast<const T *>(task->x);
    result->values[0] = std::sqrt(add_products(task, x, x));
}

// What one pass finds.
template <class T> struct four_values {
    T sum, most, least, squares;
};

template <class T> void minmax(const bench_task *task, bench_result *result)
{
    struct both {
        T least, most;
    };
    const T *x = static_cast<const T *>(task->x);
    const auto all = reduce(
        task, task->count, both{x[0], x[0]},
        [x](const range &r, both a) {
            for (size_t i = r.begin(); i < r.end(); i++) {
                a.least = std::min(a.least, x[i]);
                a.most = std::max(a.most, x[i]);
            }
            return a;
        },
        [](const both &a, const both &b) {
            return both{std::min(a.least, b.least), std::max(a.most, b.most)};
        });
    result->values[0] = all.least;
    result->values[1] = all.most;
}

template <class T> void argmax(const bench_task *task, bench_result *result)
{
    struct place {
        T value;
        size_t at;
    };
    const T *x = static_cast<const T *>(task->x);
    const auto most = reduce(
        task, task->count, place{x[0], 0},
        [x](const range &r, place a) {
            for (size_t i = r.begin(); i < r.end(); i++)
                if (x[i] > a.value)
                    a = place{x[i], i};
            return a;
        },
        [](const place &a, const place &b) {
            return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
        });
    result->values[0] = most.value;
    result->values[1] = static_cast<double>(most.at);
}

template <class T> void moments(const bench_task *task, bench_result *result)
{
    struct both {
        double sum, squares;
    };
    const T *x = static_cast<const T *>(task->x);
    const auto all = reduce(
        task, task->count, both{0, 0},
        [x](const range &r, both a) {
            for (size_t i = r.begin(); i < r.end(); i++) {
                const double v = x[i];
                a.sum += v;
                a.squares += v * v;
            }
            return a;
        },
        [](const both &a, const both &b) {
            return both{a.sum + b.sum, a.squares + b.squares};
        });
    const double count = static_cast<double>(task->count), mean = all.sum / count;
    result->values[0] = mean;
    result->values[1] = all.squares / count - mean * mean;
}

template <class T> void four(const bench_task *task, bench_result *result)
{
    using values = four_values<T>;
    const T *x = static_cast<const T *>(task->x);
    const auto all = reduce(
        task, task->count, values{0, x[0], x[0], 0},
        [x](const range &r, values a) {
            for (size_t i = r.begin(); i < r.end(); i++) {
                a.sum += x[i];
                a.most = std::max(a.most, x[i]);
                a.least = std::min(a.least, x[i]);
                a.squares += x[i] * x[i];
            }
            return a;
        },
        [](const values &a, const values &b) {
            return values{a.sum + b.sum, std::max(a.most, b.most), std::min(a.least, b.least),
                          a.squares + b.squares};
        });
    result->values[0] = all.sum;
    result->values[1] = all.most;
    result->values[2] = all.least;
    result->values[3] = all.squares;
}

template <class T> void count(const bench_task *task, bench_result *result)
{
    const T *x = static_cast<const T *>(task->x);
    result->values[0] = static_cast<double>(reduce(
        task, task->count, size_t(0),
        [x](const range &r, size_t all) {
            for (size_t i = r.begin(); i < r.end(); i++)
                all += x[i] > 0;
            return all;
        },
        std::plus<size_t>()));
}

void histogram(const bench_task *task, bench_result *result)
{
    const uint32_t *x = static_cast<const uint32_t *>(task->x);
    const size_t extent = task->extent;
    arena(task->threads).execute([&] {
        tbb::combinable<std::vector<uint32_t>> parts(
            [extent] { return std::vector<uint32_t>(extent); });
        tbb::parallel_for(range(0, task->count), [&](const range &r) {
            std::vector<uint32_t> &bins = parts.local();
            for (size_t i = r.begin(); i < r.end(); i++)
                bins[x[i]]++;
        });
        std::fill(result->bins, result->bins + extent, 0);
        parts.combine_each([&](const std::vector<uint32_t> &bins) {
            std::transform(bins.begin(), bins.end(), result->bins, result->bins,
                           std::plus<uint32_t>());
        });
    });
}

template <class T> struct box {
    T low[2], high[2];
};

template <class T> box<T> surround(box<T> a, const box<T> &b)
{
    for (int d = 0; d < 2; d++) {
        a.low[d] = std::min(a.low[d], b.low[d]);
        a.high[d] = std::max(a.high[d], b.high[d]);
    }
    return a;
}

template <class T> void bound(const bench_task *task, bench_result *result)
{
    const T *x = static_cast<const T *>(task->x);
    const box<T> all = reduce(
        task, task->count, box<T>{{x[0], x[1]}, {x[0], x[1]}},
        [x](const range &r, box<T> a) {
            for (size_t i = r.begin(); i < r.end(); i++)
                a = surround(a, box<T>{{x[2 * i], x[2 * i + 1]}, {x[2 * i], x[2 * i + 1]}});
            return a;
        },
        surround<T>);
    for (int d = 0; d < 2; d++) {
        result->values[d] = all.low[d];
        result->values[2 + d] = all.high[d];
    }
}

template <class T> void sum_max(const bench_task *task, bench_result *result)
{
    struct both {
        T sum, most;
    };
    const T *x = static_cast<const T *>(task->x);
    const auto all = reduce(
        task, task->count, both{0, x[0]},
        [x](const range &r, both a) {
            for (size_t i = r.begin(); i < r.end(); i++) {
                a.sum += x[i];
                a.most = std::max(a.most, x[i]);
            }
            return a;
        },
        [](const both &a, const both &b) {
            return both{a.sum + b.sum, std::max(a.most, b.most)};
        });
    result->values[0] = all.sum;
    result->values[1] = all.most;
}

void rows(const bench_task *task, bench_result *result)
{
    const float *x = static_cast<const float *>(task->x);
    const size_t columns = task->extent;
    result->values[0] = reduce(
        task, task->count / columns, 0.0f,
        [x, columns](const range &r, float all) {
            for (size_t i = r.begin(); i < r.end(); i++)
                for (size_t c = 0; c < columns; c++)
                    all += x[i * columns + c];
            return all;
        },
        std::plus<float>());
}

void small(const bench_task *task, bench_result *result)
{
    double all = 0;
    bench_task piece = *task;
    for (size_t call = 0; call < task->extent; call++) {
        piece.x = static_cast<const float *>(task->x) + call * task->count;
        sum<float>(&piece, result);
        all += result->values[0];
    }
    result->values[0] = all;
}

const bench_offer offers[] = {
    {"sum", BENCH_FLOAT, sum<float>},
    {"sum", BENCH_DOUBLE, sum<double>},
    {"sum", BENCH_INT, sum<int>},
    {"dot", BENCH_FLOAT, dot<float>},
    {"dot", BENCH_DOUBLE, dot<double>},
    {"dot", BENCH_INT, dot<int>},
    {"norm", BENCH_FLOAT, norm<float>},
    {"norm", BENCH_DOUBLE, norm<double>},
    {"minmax", BENCH_FLOAT, minmax<float>},
    {"minmax", BENCH_DOUBLE, minmax<double>},
    {"minmax", BENCH_INT, minmax<int>},
    {"argmax", BENCH_FLOAT, argmax<float>},
    {"argmax", BENCH_DOUBLE, argmax<double>},
    {"argmax", BENCH_INT, argmax<int>},
    {"moments", BENCH_FLOAT, moments<float>},
    {"moments", BENCH_DOUBLE, moments<double>},
    {"moments", BENCH_INT, moments<int>},
    {"four", BENCH_FLOAT, four<float>},
    {"four", BENCH_DOUBLE, four<double>},
    {"four", BENCH_INT, four<int>},
    {"sum-max", BENCH_FLOAT, sum_max<float>},
    {"sum-max", BENCH_DOUBLE, sum_max<double>},
    {"sum-max", BENCH_INT, sum_max<int>},
    {"count", BENCH_FLOAT, count<float>},
    {"count", BENCH_DOUBLE, count<double>},
    {"count", BENCH_INT, count<int>},
    {"struct", BENCH_FLOAT, bound<float>},
    {"struct", BENCH_DOUBLE, bound<double>},
    {"struct", BENCH_INT, bound<int>},
    {"histogram", BENCH_UINT32, histogram},
    {"rows", BENCH_FLOAT, rows},
    {"launch", BENCH_FLOAT, sum<float>},
    {"small", BENCH_FLOAT, small},
};

} // namespace

const bench_peer *bench_peer_open(const char **)
{
    static const bench_peer peer = {TBB_VERSION_STRING ", " BENCH_VERSION,
                                    BENCH_FLAGS,
                                    offers,
                                    sizeof offers / sizeof *offers,
                                    false,
                                    false,
                                    false,
                                    nullptr};
    return &peer;
}
