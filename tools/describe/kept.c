/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps numbers as keys (tools/kernels/describe_part.h). A series has keys of each kind, as struct
 * cli_series has parts: a column of a table may have blocks of integers and of other numbers. The
 * key of a rank is found by quickselect (Hoare, "Algorithm 65: FIND", 1961) with three-way
 * partitioning, since many numbers may be equal.
 */
#include "tools/describe/kept.h"

#include "tools/describe/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of a kind. During the pass: the bits of doubles and 64-bit integers, and keys of smaller
 * integers. After make_keys: keys. */
struct keys {
    enum cli_element_type type; /* f64 represents all floating-point types */
    uint64_t *keys;
    size_t count, capacity;
};

struct cli_kept_numbers {
    uint64_t values; /* how many so far; missing ones and odd cells are none */
    bool is_dropped; /* there are too many: the keys were freed */
    size_t series_count;
    void *other;        /* a thread's tally of the other counting */
    struct keys keys[]; /* CLI_KIND_COUNT of each series */
};

/* The size of a packet for another rank, unless the numbers of a series are larger. */
enum { PACKET_BYTES = 1 << 20 };

static struct cli_kept *kept_of(const struct cli_counting *counting)
{
    return counting->data;
}

/* ---- Numbers ----------------------------------------------------------------------------------*/

static struct cli_kept_numbers *make_numbers(size_t series_count)
{
    const size_t bytes = series_count * CLI_KIND_COUNT * sizeof(struct keys);
    struct cli_kept_numbers *numbers = calloc(1, sizeof *numbers + bytes);
    if (numbers != NULL)
        numbers->series_count = series_count;
    return numbers;
}

static void drop(struct cli_kept_numbers *numbers)
{
    for (size_t k = 0; k < numbers->series_count * CLI_KIND_COUNT; k++) {
        free(numbers->keys[k].keys);
        numbers->keys[k] = (struct keys){.keys = NULL};
    }
}

/* Counts values, and drops the numbers if all threads together have too many of them. */
static void count_more(struct cli_kept_numbers *numbers, uint64_t values, uint64_t all)
{
    numbers->values += values;
    if (all <= CLI_MOST_KEPT || numbers->is_dropped)
        return;
    numbers->is_dropped = true;
    drop(numbers);
}

static bool append(struct keys *keys, const void *more, size_t count)
{
    if (keys->count + count > keys->capacity) {
        const size_t capacity =
            keys->count + count > 2 * keys->capacity ? keys->count + count : 2 * keys->capacity;
        uint64_t *grown = realloc(keys->keys, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        keys->keys = grown;
        keys->capacity = capacity;
    }
    if (count > 0)
        memcpy(keys->keys + keys->count, more, count * sizeof *keys->keys);
    keys->count += count;
    return true;
}

static struct keys *find_keys(struct cli_kept_numbers *numbers, size_t series,
                              enum cli_element_type type)
{
    const int kind = cli_element_kind(type) == 'f' ? CLI_FLOATS
                     : type == CLI_ELEMENT_u64     ? CLI_UNSIGNEDS
                                                   : CLI_INTEGERS;
    return &numbers->keys[series * CLI_KIND_COUNT + (size_t)kind];
}

/* Keeps a block's numbers. Those of 64 bits, which tables have, are copied without conversion,
 * which would be wasted if the table turns out to be large. */
static bool keep(struct cli_kept_numbers *numbers, size_t series, const struct cli_values *values)
{
    const enum cli_element_type type = values->element.type;
    struct keys *keys = find_keys(numbers, series, type);
    uint64_t chunk[CLI_CHUNK];
    double doubles[CLI_CHUNK];
    bool is_fine = true;
    keys->type = cli_element_kind(type) == 'f' ? CLI_ELEMENT_f64 : type;
    if (cli_element_bytes(type) == sizeof(uint64_t))
        return append(keys, values->elements, values->count);
    for (size_t first = 0; first < values->count && is_fine; first += CLI_CHUNK)
        if (keys->type == CLI_ELEMENT_f64)
            is_fine = append(keys, doubles, cli_values_read_doubles(values, first, doubles));
        else
            is_fine = append(keys, chunk, cli_values_read_keys(values, type, first, chunk));
    return is_fine;
}

/* Converts 64-bit numbers to keys, and removes NaNs. */
static void make_keys(struct keys *keys)
{
    const uint64_t sign = (uint64_t)1 << 63;
    size_t kept = 0;
    for (size_t i = 0; i < keys->count; i++) {
        double value;
        if (keys->type == CLI_ELEMENT_f64) {
            memcpy(&value, &keys->keys[i], sizeof value);
            if (value == value)
                keys->keys[kept++] = describe_key_of_float(value);
        } else {
            keys->keys[kept++] =
                keys->type == CLI_ELEMENT_i64 ? keys->keys[i] ^ sign : keys->keys[i];
        }
    }
    keys->count = kept;
}

/* ---- Counting ---------------------------------------------------------------------------------*/

static void begin(struct cli_counting *counting, const struct cli_block_source *source,
                  const struct cli_block *block)
{
    struct cli_counting *other = kept_of(counting)->other;
    other->begin(other, source, block);
}

static void *make_tally(const struct cli_counting *counting)
{
    const struct cli_kept *kept = kept_of(counting);
    struct cli_kept_numbers *numbers = make_numbers(kept->series_count);
    if (numbers == NULL || kept->other == NULL)
        return numbers;
    numbers->other = kept->other->make_tally(kept->other);
    if (numbers->other != NULL)
        return numbers;
    free(numbers);
    return NULL;
}

static void free_tally(const struct cli_counting *counting, void *tally)
{
    const struct cli_kept *kept = kept_of(counting);
    struct cli_kept_numbers *numbers = tally;
    if (kept->other != NULL)
        kept->other->free_tally(kept->other, numbers->other);
    drop(numbers);
    free(numbers);
}

static bool count_values(const struct cli_counting *counting, void *tally, size_t series,
                         const struct cli_values *values)
{
    struct cli_kept *kept = kept_of(counting);
    struct cli_kept_numbers *numbers = tally;
    const uint64_t more = values->count;
    const uint64_t all = atomic_fetch_add_explicit(&kept->values, more, memory_order_relaxed);
    count_more(numbers, more, all + more);
    return (numbers->is_dropped || keep(numbers, series, values)) &&
           (kept->other == NULL || kept->other->count(kept->other, numbers->other, series, values));
}

static bool add(struct cli_counting *counting, const void *tally)
{
    struct cli_kept *kept = kept_of(counting);
    const struct cli_kept_numbers *numbers = tally;
    bool is_fine = true;
    count_more(kept->numbers, numbers->values, kept->numbers->values + numbers->values);
    for (size_t k = 0; k < kept->series_count * CLI_KIND_COUNT && is_fine; k++) {
        if (kept->numbers->is_dropped || numbers->keys[k].count == 0)
            continue;
        kept->numbers->keys[k].type = numbers->keys[k].type;
        is_fine = append(&kept->numbers->keys[k], numbers->keys[k].keys, numbers->keys[k].count);
    }
    return is_fine && (kept->other == NULL || kept->other->add(kept->other, numbers->other));
}

/* ---- Between ranks ----------------------------------------------------------------------------*/

static void put_start(const struct cli_counting *counting, struct cli_packet *packet)
{
    const struct cli_counting *other = kept_of(counting)->other;
    other->put_start(other, packet);
}

static void get_start(struct cli_counting *counting, struct cli_packet *packet)
{
    struct cli_counting *other = kept_of(counting)->other;
    other->get_start(other, packet);
}

/* *at is the number of a kind of a series, and then, after those, the position in the other
 * counting. A packet has one or the other; the first one also has the number of values. */
static bool put_counts(const struct cli_counting *counting, size_t *at, struct cli_packet *packet)
{
    const struct cli_kept *kept = kept_of(counting);
    const size_t kinds = kept->series_count * CLI_KIND_COUNT;
    if (*at >= kinds) {
        size_t others = *at - kinds;
        cli_packet_put_number(packet, 1);
        const bool is_left = kept->other->put_counts(kept->other, &others, packet);
        *at = others + kinds;
        return is_left;
    }
    cli_packet_put_number(packet, 0);
    cli_packet_put_number(packet, *at == 0 ? kept->numbers->values : 0);
    for (; *at < kinds && packet->count < PACKET_BYTES; ++*at) {
        const struct keys *keys = &kept->numbers->keys[*at];
        if (keys->count == 0)
            continue;
        cli_packet_put_number(packet, *at);
        cli_packet_put_number(packet, keys->type);
        cli_packet_put_number(packet, keys->count);
        cli_packet_put(packet, keys->keys, keys->count * sizeof *keys->keys);
    }
    return *at < kinds || kept->other != NULL;
}

static bool get_keys(struct cli_kept_numbers *numbers, struct cli_packet *packet)
{
    const size_t k = (size_t)cli_packet_get_number(packet);
    struct keys *keys = &numbers->keys[k];
    keys->type = (enum cli_element_type)cli_packet_get_number(packet);
    const size_t count = (size_t)cli_packet_get_number(packet);
    bool is_fine = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t key;
        cli_packet_get(packet, &key, sizeof key);
        is_fine = is_fine && (numbers->is_dropped || append(keys, &key, 1));
    }
    return is_fine;
}

static bool get_counts(struct cli_counting *counting, struct cli_packet *packet)
{
    struct cli_kept *kept = kept_of(counting);
    bool is_fine = true;
    if (cli_packet_get_number(packet) != 0)
        return kept->other->get_counts(kept->other, packet);
    const uint64_t values = cli_packet_get_number(packet);
    count_more(kept->numbers, values, kept->numbers->values + values);
    while (is_fine && !cli_packet_is_at_end(packet))
        is_fine = get_keys(kept->numbers, packet);
    return is_fine;
}

bool cli_kept_begin(struct cli_kept *kept, size_t series_count, struct cli_counting *other)
{
    *kept = (struct cli_kept){.other = other, .series_count = series_count};
    kept->counting = (struct cli_counting){.data = kept,
                                           .begin = other != NULL ? begin : NULL,
                                           .make_tally = make_tally,
                                           .free_tally = free_tally,
                                           .count = count_values,
                                           .add = add,
                                           .put_start = other != NULL ? put_start : NULL,
                                           .get_start = other != NULL ? get_start : NULL,
                                           .put_counts = put_counts,
                                           .get_counts = get_counts};
    kept->numbers = make_numbers(series_count);
    return kept->numbers != NULL;
}

void cli_kept_free(struct cli_kept *kept)
{
    if (kept->numbers != NULL)
        drop(kept->numbers);
    free(kept->numbers);
    kept->numbers = NULL;
}

/* ---- Medians ----------------------------------------------------------------------------------*/

/* The keys of a series, of one type, in one array; NULL: out of memory. */
static uint64_t *collect(struct cli_kept *kept, size_t series, enum cli_element_type type,
                         size_t *count)
{
    struct keys *kinds = &kept->numbers->keys[series * CLI_KIND_COUNT], all = {.count = 0};
    bool is_fine = append(&all, NULL, 0);
    for (int k = 0; k < CLI_KIND_COUNT && is_fine; k++) {
        make_keys(&kinds[k]);
        for (size_t i = 0; i < kinds[k].count && kinds[k].type != type; i++)
            kinds[k].keys[i] = cli_key_convert(kinds[k].type, type, kinds[k].keys[i]);
        is_fine = append(&all, kinds[k].keys, kinds[k].count);
    }
    if (!is_fine)
        free(all.keys);
    *count = all.count;
    return is_fine ? all.keys : NULL;
}

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t key = *a;
    *a = *b;
    *b = key;
}

/* Moves the key of a rank to its sorted position, and returns it. Smaller keys are then before it.
 * Pivots are pseudo-random, so that no order of the numbers is slow. */
static uint64_t select_rank(uint64_t *keys, size_t count, size_t rank)
{
    uint64_t state = 1;
    size_t first = 0, end = count;
    while (end - first > 1) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t pivot = keys[first + (size_t)(state >> 33) % (end - first)];
        size_t less = first, more = end;
        for (size_t i = first; i < more;)
            if (keys[i] < pivot)
                swap(&keys[i++], &keys[less++]);
            else if (keys[i] > pivot)
                swap(&keys[i], &keys[--more]);
            else
                i++;
        if (rank >= less && rank < more)
            return pivot;
        first = rank < less ? first : more;
        end = rank < less ? less : end;
    }
    return keys[first];
}

bool cli_kept_is_whole(const struct cli_kept *kept)
{
    return kept->numbers != NULL && !kept->numbers->is_dropped;
}

bool cli_kept_median(struct cli_kept *kept, size_t series, const struct cli_summary *summary,
                     struct cli_quantile *median)
{
    const struct cli_quantile_list list = {.count = 1, .probabilities = {0.5}};
    struct cli_ranks ranks;
    size_t count;
    if (!cli_quantiles_rank(&list, summary, &ranks))
        return false;
    uint64_t *keys = collect(kept, series, ranks.type, &count);
    for (size_t r = 0; r < ranks.count && keys != NULL; r++) {
        const uint64_t key = select_rank(keys, count, (size_t)ranks.ranks[r].rank);
        ranks.ranks[r].span = (struct cli_span){.lowest = key, .highest = key};
    }
    if (keys != NULL || ranks.count == 0)
        cli_quantile_find(0.5, summary, &ranks, median);
    const bool is_fine = keys != NULL || ranks.count == 0;
    free(keys);
    free(ranks.ranks);
    return is_fine;
}
