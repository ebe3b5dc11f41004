/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the kernels of keys.kernels.h. One row without a mask is a scalar reduction. Several
 * rows are one launch, in which a work-item reduces a part of a row, so that there are enough
 * work-items and few of them combine into one result.
 */
#include "algorithms/keys.h"

#include "algorithms/keys.kernels.h"
#include "src/core/allocate.h"

#include <string.h>

/* The arguments of kernels that depend on the type, in 64 bits. */
struct transform {
    uint64_t mask, flip, zeros, rotation;
    int64_t nan;
};

static struct transform transform_of(reap_type type)
{
    const int bits = 8 * (int)reap_type_size(type);
    const uint64_t first = (uint64_t)1 << (bits - 1);
    const int64_t least = -(int64_t)(first - 1) - 1;
    const struct reap__interval nans = reap__interval_of_nans(type);
    /* + 1, since `zeros` increments the keys of elements with a sign, of NaNs, too. */
    if (type >= REAP_TYPE_HALF)
        return (struct transform){.mask = first - 1,
                                  .zeros = 1,
                                  .rotation = (uint64_t)least - (uint64_t)nans.lowest,
                                  .nan = (int64_t)((uint64_t)least + nans.more + 1)};
    const bool is_signed = type == REAP_TYPE_INT8 || type == REAP_TYPE_INT16 ||
                           type == REAP_TYPE_INT32 || type == REAP_TYPE_INT64;
    return (struct transform){.flip = is_signed ? 0 : first, .nan = least};
}

/* ---- Launches ---------------------------------------------------------------------------------*/

/* A launch over parts of rows. */
struct split {
    size_t blocks, block; /* parts of a row, and the elements of each */
    const void *where;
    uint32_t is_masked;
};

/* The launches for one size of elements. */
struct launches {
    reap_status (*count)(reap_queue *queue, const struct reap__keyed *x,
                         const struct reap__interval *interval, uint64_t *count);
    reap_status (*extremes)(reap_queue *queue, const struct reap__keyed *x, int64_t *smallest,
                            int64_t *largest);
    reap_status (*position)(reap_queue *queue, const struct reap__keyed *x, bool largest,
                            uint64_t *position);
    reap_status (*count_rows)(reap_queue *queue, const struct reap__keyed *x,
                              const struct split *split, const struct reap__interval *interval,
                              uint64_t *counts);
    reap_status (*extremes_rows)(reap_queue *queue, const struct reap__keyed *x,
                                 const struct split *split, int64_t *smallest, int64_t *largest);
    reap_status (*position_rows)(reap_queue *queue, const struct reap__keyed *x,
                                 const struct split *split, const int64_t *lowest,
                                 const uint64_t *more, uint64_t *positions);
    reap_status (*extremes_columns)(reap_queue *queue, reap_type type,
                                    const struct reap__columns *columns, int64_t *smallest,
                                    int64_t *largest);
};

#define LAUNCH(kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

#define BITS 8
#define UNSIGNED_BITS uint8_t
#define SIGNED_BITS int8_t
#define WIDE_BITS int32_t
#include "algorithms/keys_tmpl.h"

#define BITS 16
#define UNSIGNED_BITS uint16_t
#define SIGNED_BITS int16_t
#define WIDE_BITS int32_t
#include "algorithms/keys_tmpl.h"

#define BITS 32
#define UNSIGNED_BITS uint32_t
#define SIGNED_BITS int32_t
#define WIDE_BITS int32_t
#include "algorithms/keys_tmpl.h"

#define BITS 64
#define UNSIGNED_BITS uint64_t
#define SIGNED_BITS int64_t
#define WIDE_BITS int64_t
#include "algorithms/keys_tmpl.h"

#define LAUNCHES(bits)                                                                             \
    {                                                                                              \
        count_of_##bits, extremes_of_##bits, position_of_##bits, counts_of_##bits,                 \
            extremes_of_rows_##bits, positions_of_rows_##bits, extremes_of_columns_##bits          \
    }

static const struct launches *launches_of(reap_type type)
{
    static const struct launches all[] = {LAUNCHES(8), LAUNCHES(16), LAUNCHES(32), LAUNCHES(64)};
    const size_t size = reap_type_size(type);
    return &all[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

/* ---- Reductions -------------------------------------------------------------------------------*/

/* Parts are long on the host, for vectorised loops, and short on a device, for many work-items. */
static struct split split_of(const reap_queue *queue, const struct reap__keyed *x)
{
    const size_t block = reap__is_host(queue) ? 8192 : 128, length = x->rows->length;
    return (struct split){.blocks = length / block + (length % block != 0),
                          .block = block,
                          .where = x->where != NULL ? x->where->data : x->rows->data,
                          .is_masked = x->where != NULL};
}

static bool is_one(const struct reap__keyed *x)
{
    return x->rows->count == 1 && x->where == NULL;
}

reap_status reap__keyed_count(reap_queue *queue, const struct reap__keyed *x,
                              const struct reap__interval *interval, uint64_t *counts)
{
    const struct launches *launches = launches_of(x->type);
    memset(counts, 0, x->rows->count * sizeof *counts);
    if (x->rows->length == 0 || x->rows->count == 0)
        return REAP_OK;
    if (is_one(x))
        return (launches->count)(queue, x, interval, counts);
    const struct split split = split_of(queue, x);
    return (launches->count_rows)(queue, x, &split, interval, counts);
}

reap_status reap__count_selected(reap_queue *queue, const struct reap__rows *where,
                                 uint64_t *counts)
{
    const struct reap__interval nonzero =
        reap__interval_of(reap__key_least(REAP_TYPE_UINT8) + 1, reap__key_largest(REAP_TYPE_UINT8));
    return reap__keyed_count(queue, &(struct reap__keyed){where, NULL, REAP_TYPE_UINT8}, &nonzero,
                             counts);
}

reap_status reap__keyed_extremes(reap_queue *queue, const struct reap__keyed *x, int64_t *smallest,
                                 int64_t *largest)
{
    const struct launches *launches = launches_of(x->type);
    if (is_one(x))
        return (launches->extremes)(queue, x, smallest, largest);
    const struct split split = split_of(queue, x);
    return (launches->extremes_rows)(queue, x, &split, smallest, largest);
}

reap_status reap__keyed_extremes_of_columns(reap_queue *queue, reap_type type,
                                            const struct reap__columns *columns, int64_t *smallest,
                                            int64_t *largest)
{
    return (launches_of(type)->extremes_columns)(queue, type, columns, smallest, largest);
}

/* The keys of elements that are equal to an extreme: one key, those of -0 and 0, or those of all
 * NaNs. */
static struct reap__interval equal_to(reap_type type, int64_t smallest, int64_t largest,
                                      bool wants_largest)
{
    const int64_t key = wants_largest ? largest : smallest;
    if (type >= REAP_TYPE_HALF &&
        (reap__key_is_nan(type, smallest) || reap__key_is_nan(type, largest)))
        return reap__interval_of_nans(type);
    if (type >= REAP_TYPE_HALF && (key == 0 || key == -1))
        return reap__interval_of(-1, 0);
    return reap__interval_of(key, key);
}

/* Finds the extremes, then the first element of each row that is equal to its row's. `words`, two
 * for each row, holds first the extremes and then the intervals. */
static reap_status find_positions(reap_queue *queue, const struct reap__keyed *x, bool largest,
                                  uint64_t *positions, int64_t *words)
{
    const size_t rows = x->rows->count;
    const struct split split = split_of(queue, x);
    uint64_t *const more = (uint64_t *)words + rows;
    reap_buffer *buffer;
    REAP_TRY(reap__keyed_extremes(queue, x, words, words + rows));
    for (size_t r = 0; r < rows; r++) {
        const struct reap__interval interval =
            equal_to(x->type, words[r], words[rows + r], largest);
        words[r] = interval.lowest;
        more[r] = interval.more;
    }
    REAP_TRY(reap_buffer_wrap(words, 2 * rows * sizeof *words, &buffer));
    const reap_status status =
        (launches_of(x->type)->position_rows)(queue, x, &split, words, more, positions);
    const reap_status released = reap_buffer_release(buffer);
    return status != REAP_OK ? status : released;
}

reap_status reap__keyed_positions(reap_queue *queue, const struct reap__keyed *x, bool largest,
                                  uint64_t *positions)
{
    if (is_one(x))
        return (launches_of(x->type)->position)(queue, x, largest, positions);
    int64_t *const words = reap__allocate(2 * x->rows->count * sizeof *words);
    if (words == NULL)
        return reap__algorithm_fail(REAP_ERROR_OUT_OF_MEMORY,
                                    "no memory for the positions of %zu results", x->rows->count);
    const reap_status status = find_positions(queue, x, largest, positions, words);
    reap__free(words);
    return status;
}
