/* SPDX-License-Identifier: Apache-2.0 */
#include "algorithms/run.h"

#include "algorithms/elements.kernels.h"
#include "algorithms/lines.h"

#include <math.h>
#include <string.h>

/* Launches a kernel of elements.kernels.h over all elements, and waits. */
#define RUN(word, ...)                                                                             \
    reap__finish(LAUNCH(JOIN(word, NAME), reap_range_1d(count), .x = x, __VA_ARGS__,               \
                        .launch = {.event = reap__event_for(queue, &event)}),                      \
                 &event)
#define LAUNCH(kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

#define HAS_NEGATIVES
#define SUM_TYPE int64_t
#define NAME i8
#define ELEMENT int8_t
#include "algorithms/run_tmpl.h"

#define NAME i16
#define ELEMENT int16_t
#include "algorithms/run_tmpl.h"

#define NAME i32
#define IS_WIDE
#define ELEMENT int32_t
#include "algorithms/run_tmpl.h"

#define NAME i64
#define IS_WIDE
#define ELEMENT int64_t
#include "algorithms/run_tmpl.h"

#undef SUM_TYPE

#undef HAS_NEGATIVES
#define SUM_TYPE uint64_t
#define NAME u8
#define ELEMENT uint8_t
#include "algorithms/run_tmpl.h"

#define NAME u16
#define ELEMENT uint16_t
#include "algorithms/run_tmpl.h"

#define NAME u32
#define ELEMENT uint32_t
#include "algorithms/run_tmpl.h"

#define NAME u64
#define ELEMENT uint64_t
#include "algorithms/run_tmpl.h"

#undef SUM_TYPE

#define HAS_NEGATIVES
#define IS_FLOATING
#define SUM_TYPE float
#define NAME f16
#define ELEMENT reap_half
#include "algorithms/run_tmpl.h"

#define NAME bf16
#define ELEMENT reap_bfloat16
#include "algorithms/run_tmpl.h"

#define NAME f32
#define IS_WIDE
#define ELEMENT float
#include "algorithms/run_tmpl.h"

#undef SUM_TYPE

#define IS_DOUBLE
#define SUM_TYPE double
#define NAME f64
#define IS_WIDE
#define ELEMENT double
#include "algorithms/run_tmpl.h"

#define RUN_OF(name, order)                                                                        \
    {                                                                                              \
        reduce_##name, order, rows_of_##name, columns_of_##name, dot_##name, powers_##name         \
    }

const struct reap__run *reap__run_of(reap_type type)
{
    static const struct reap__run all[] = {[REAP_TYPE_BOOL] = RUN_OF(u8, NULL),
                                           [REAP_TYPE_INT8] = RUN_OF(i8, NULL),
                                           [REAP_TYPE_UINT8] = RUN_OF(u8, NULL),
                                           [REAP_TYPE_INT16] = RUN_OF(i16, NULL),
                                           [REAP_TYPE_UINT16] = RUN_OF(u16, NULL),
                                           [REAP_TYPE_INT32] = RUN_OF(i32, order_of_i32),
                                           [REAP_TYPE_UINT32] = RUN_OF(u32, NULL),
                                           [REAP_TYPE_INT64] = RUN_OF(i64, order_of_i64),
                                           [REAP_TYPE_UINT64] = RUN_OF(u64, NULL),
                                           [REAP_TYPE_HALF] = RUN_OF(f16, NULL),
                                           [REAP_TYPE_BFLOAT16] = RUN_OF(bf16, NULL),
                                           [REAP_TYPE_FLOAT] = RUN_OF(f32, order_of_f32),
                                           [REAP_TYPE_DOUBLE] = RUN_OF(f64, order_of_f64)};
    return &all[type];
}

bool reap__run_has_order(reap_reduction reduction, reap_type type)
{
    switch (reduction) {
    case REAP_MINIMUM:
    case REAP_MAXIMUM:
    case REAP_ARGMIN:
    case REAP_ARGMAX:
        return reap__run_of(type)->order != NULL;
    case REAP_COUNT_NONZERO:
        return type == REAP_TYPE_FLOAT || type == REAP_TYPE_DOUBLE;
    default:
        return false;
    }
}
