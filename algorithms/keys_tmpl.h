/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the kernels of one size of elements: included by keys.c with BITS and types as in
 * keys.kernels.h. Keys on the host have 64 bits.
 */
#define ELEMENTS ((const UNSIGNED_BITS *)x->rows->data)
#define TRANSFORM .mask = (UNSIGNED_BITS)of.mask, .flip = (UNSIGNED_BITS)of.flip
#define OF_ROWS                                                                                    \
    .where = (const uint8_t *)split->where, TRANSFORM, .is_masked = split->is_masked,              \
    .length = x->rows->length, .blocks = split->blocks, .block = split->block
#define RUN(word, items, ...)                                                                      \
    reap__finish(LAUNCH(KEYS_NAMED(word), reap_range_1d(items), .x = ELEMENTS, __VA_ARGS__,        \
                        .launch = {.event = reap__event_for(queue, &event)}),                      \
                 &event)

static reap_status KEYS_NAMED(count_of)(reap_queue *queue, const struct reap__keyed *x,
                                        const struct reap__interval *interval, uint64_t *count)
{
    const struct transform of = transform_of(x->type);
    reap_event *event = NULL;
    return RUN(count, x->rows->length, TRANSFORM, .lowest = (UNSIGNED_BITS)interval->lowest,
               .more = (UNSIGNED_BITS)interval->more, .count = {.result = count});
}

static reap_status KEYS_NAMED(extremes_of)(reap_queue *queue, const struct reap__keyed *x,
                                           int64_t *smallest, int64_t *largest)
{
    const struct transform of = transform_of(x->type);
    reap_event *event = NULL;
    SIGNED_BITS low = 0, high = 0;
    const reap_status status = RUN(extremes, x->rows->length, TRANSFORM,
                                   .smallest = {.result = &low}, .largest = {.result = &high});
    *smallest = low;
    *largest = high;
    return status;
}

static reap_status KEYS_NAMED(position_of)(reap_queue *queue, const struct reap__keyed *x,
                                           bool largest, uint64_t *position)
{
    const struct transform of = transform_of(x->type);
    reap_event *event = NULL;
    SIGNED_BITS smallest;
    /* These bits reverse the order: the sign, or all bits of an integer. */
    const UNSIGNED_BITS all = (UNSIGNED_BITS)~0ull;
    const UNSIGNED_BITS inverted = of.mask != 0 ? (UNSIGNED_BITS)(of.mask + 1) : all;
    return RUN(position, x->rows->length, TRANSFORM, .inverted = largest ? inverted : 0,
               .zeros = (UNSIGNED_BITS)of.zeros, .rotation = (UNSIGNED_BITS)of.rotation,
               .nan = (SIGNED_BITS)of.nan, .smallest = {.result = &smallest, .location = position});
}

static reap_status KEYS_NAMED(counts_of)(reap_queue *queue, const struct reap__keyed *x,
                                         const struct split *split,
                                         const struct reap__interval *interval, uint64_t *counts)
{
    const struct transform of = transform_of(x->type);
    reap_event *event = NULL;
    return RUN(count_rows, x->rows->count * split->blocks, OF_ROWS,
               .lowest = (UNSIGNED_BITS)interval->lowest, .more = (UNSIGNED_BITS)interval->more,
               .counts = {.result = counts, .count = x->rows->count});
}

static reap_status KEYS_NAMED(extremes_of_rows)(reap_queue *queue, const struct reap__keyed *x,
                                                const struct split *split, int64_t *smallest,
                                                int64_t *largest)
{
    const struct transform of = transform_of(x->type);
    const size_t rows = x->rows->count;
    reap_event *event = NULL;
    /* Narrower results use the begin of the memory, and become 64-bit keys from the last one on. */
    WIDE_BITS *const low = (WIDE_BITS *)(void *)smallest, *const high =
                                                              (WIDE_BITS *)(void *)largest;
    const reap_status status =
        RUN(extremes_rows, rows * split->blocks, OF_ROWS,
            .smallest = {.result = low, .count = rows}, .largest = {.result = high, .count = rows});
    for (size_t r = rows; status == REAP_OK && r-- > 0;) {
        WIDE_BITS key;
        memcpy(&key, (const char *)smallest + r * sizeof key, sizeof key);
        smallest[r] = key;
        memcpy(&key, (const char *)largest + r * sizeof key, sizeof key);
        largest[r] = key;
    }
    return status;
}

static reap_status KEYS_NAMED(positions_of_rows)(reap_queue *queue, const struct reap__keyed *x,
                                                 const struct split *split, const int64_t *lowest,
                                                 const uint64_t *more, uint64_t *positions)
{
    const struct transform of = transform_of(x->type);
    reap_event *event = NULL;
    return RUN(position_rows, x->rows->count * split->blocks, OF_ROWS, .lowest = lowest,
               .more = more, .positions = {.result = positions, .count = x->rows->count});
}

static reap_status KEYS_NAMED(extremes_of_columns)(reap_queue *queue, reap_type type,
                                                   const struct reap__columns *columns,
                                                   int64_t *smallest, int64_t *largest)
{
    const struct transform of = transform_of(type);
    const size_t blocks = columns->count / COLUMNS + (columns->count % COLUMNS != 0);
    reap_event *event = NULL;
    return reap__finish(LAUNCH(KEYS_NAMED(extremes_columns), reap_range_1d(blocks),
                               .x = (const UNSIGNED_BITS *)columns->data, TRANSFORM,
                               .rows = columns->rows, .columns = columns->count,
                               .stride = columns->stride, .smallest = smallest, .largest = largest,
                               .launch = {.event = reap__event_for(queue, &event)}),
                        &event);
}

#undef ELEMENTS
#undef TRANSFORM
#undef OF_ROWS
#undef RUN
#undef BITS
#undef UNSIGNED_BITS
#undef SIGNED_BITS
#undef WIDE_BITS
