/* SPDX-License-Identifier: Apache-2.0
 *
 * All cases, in the order of the table, and what they share.
 */
#include "bench/cases/list.h"

#include <reap/bfloat16.h>
#include <reap/half.h>
#include <string.h>

const struct bench_case *const bench_cases[] = {
#define ADDRESS(name) &bench_case_##name,
    BENCH_CASES(ADDRESS)
#undef ADDRESS
};

const size_t bench_number_of_cases = sizeof bench_cases / sizeof *bench_cases;

const struct bench_case *bench_case_find(const char *name)
{
    for (size_t c = 0; c < bench_number_of_cases; c++)
        if (strcmp(bench_cases[c]->name, name) == 0)
            return bench_cases[c];
    return NULL;
}

size_t bench_type_bytes(enum bench_type type)
{
    static const size_t bytes[BENCH_TYPES] = {4, 8, 4, 2, 4, 2};
    return bytes[type];
}

const char *bench_type_name(enum bench_type type)
{
    static const char *const names[BENCH_TYPES] = {"float", "double", "int",
                                                   "half",  "uint32", "bfloat16"};
    return names[type];
}

double bench_value(enum bench_type type, const void *x, size_t i)
{
    switch (type) {
    case BENCH_FLOAT:
        return (double)((const float *)x)[i];
    case BENCH_DOUBLE:
        return ((const double *)x)[i];
    case BENCH_INT:
        return ((const int *)x)[i];
    case BENCH_HALF:
        return (double)reap_half_to_float(((const reap_half *)x)[i]);
    case BENCH_BFLOAT16:
        return (double)reap_bfloat16_to_float(((const reap_bfloat16 *)x)[i]);
    default:
        return ((const uint32_t *)x)[i];
    }
}

double bench_case_bytes(const struct bench_case *work, const struct bench_task *task)
{
    const size_t element = work->words * bench_type_bytes(task->type);
    double bytes = (double)work->arrays * (double)task->count * (double)element;
    if (work->has_bins)
        bytes += (double)task->extent * sizeof(uint32_t);
    return bytes;
}
