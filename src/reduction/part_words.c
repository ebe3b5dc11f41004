/* SPDX-License-Identifier: Apache-2.0
 *
 * The description of a part, and the words of which the values of some parts consist: unsigned
 * integers, so that everything that adds integers can merge parts (MPI, NCCL). A sum of integers is
 * one word. An exact sum is its digits and counts (kernel_table.h). Before it is written, each
 * digit except the last becomes a signed number of 32 bits, so 2^31 - 1 sums have digits below 2^62
 * in magnitude. Words do not contain ranges: in a part that is made of words, the first range has
 * the whole sum, and the others have zeros.
 */
#include "src/core/allocate.h"
#include "src/core/status.h"
#include "src/memory/buffer.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/part.h"

#include <string.h>

/* ---- Descriptions -----------------------------------------------------------------------------*/

static bool is_exact(const struct reap__part_shape *shape)
{
    return shape->is_exact_span || reap__is_exact(shape->reduction);
}

/* Returns the words of the result, or of an element; 0: values do not add as integers.
 * `has_identity`: launches have an identity of their own. */
static size_t words_of_value(const struct reap__part_shape *shape, bool has_identity)
{
    const struct reap__reduction *reduction = shape->reduction;
    if (is_exact(shape))
        return REAP__EXACT_WORDS(reduction->value_size);
    return reduction->is_builtin && reduction->built_in == REAP__OPERATION_plus &&
           reduction->number == REAP__NO_FLOAT && reduction->type != REAP__TYPE_boolean &&
           reduction->location_offset == 0 && !has_identity;
}

bool reap__part_has_words(const struct reap__part_shape *shape)
{
    return words_of_value(shape, shape->has_identity) > 0;
}

/* Describes a part. The shape of a part without items may be that of a launch that has not
 * completed, so it is not described. With the lock held. */
static reap_part_description describe(const reap_part *part)
{
    const struct reap__part_shape *shape = &part->shape;
    const bool has_items = part->ranges != NULL, has_identity = has_items && shape->has_identity;
    const size_t words = words_of_value(shape, has_identity), size = shape->reduction->value_size;
    const size_t count = reap__part_count(part);
    return (reap_part_description){
        .kernel = shape->table,
        .kernel_name = shape->kernel,
        .reduction = shape->parameter->name,
        .operation = shape->reduction->operation,
        .type = reap__part_type_name(shape->parameter),
        .value_size = size,
        .group_items = has_items ? shape->group_items : 1,
        .count = count,
        .identity = has_identity ? shape->identity : NULL,
        .word_size = words == 0        ? 0
                     : is_exact(shape) ? sizeof(uint64_t)
                                       : size,
        .words_of_value = words,
        .word_count = words * (shape->is_span ? count : 1),
    };
}

reap_status reap_part_describe(const reap_part *part, reap_part_description *description)
{
    if (part == NULL || description == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_describe: the %s is NULL",
                          part == NULL ? "part" : "pointer to the description");
    reap__part_lock(part);
    const reap_status status = reap__part_check_settled(part, "reap_part_describe");
    if (status == REAP_OK)
        *description = describe(part);
    reap__part_unlock(part);
    return status;
}

static reap_status refuse(const struct reap__part_shape *shape, const char *call, const char *what)
{
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: kernel '%s', reduction '%s': %s", call,
                      shape->kernel, shape->parameter->name, what);
}

static reap_status check_has_words(const struct reap__part_shape *shape, bool has_identity,
                                   const char *call)
{
    return words_of_value(shape, has_identity) > 0
               ? REAP_OK
               : refuse(shape, call,
                        "its values cannot be written as words whose sums are the result "
                        "(docs/mpi.md)");
}

/* ---- Words of values --------------------------------------------------------------------------*/

/* Turns each digit except the last one into a number from -2^31 to 2^31 - 1. */
static void carry(const struct reap__part_shape *shape, unsigned char *words, size_t sums)
{
    const size_t size = shape->reduction->value_size;
    const size_t digits = REAP__EXACT_DIGITS(size), all = REAP__EXACT_WORDS(size);
    for (size_t s = 0; s < sums; s++) {
        int64_t over = 0, digit;
        for (size_t d = 0; d < digits; d++) {
            unsigned char *at = words + (s * all + d) * sizeof digit;
            memcpy(&digit, at, sizeof digit);
            digit = (int64_t)((uint64_t)digit + (uint64_t)over);
            const int64_t low = d + 1 < digits ? (int64_t)(int32_t)(uint32_t)digit : digit;
            over = (digit - low) / ((int64_t)1 << 32);
            memcpy(at, &low, sizeof low);
        }
    }
}

static uint64_t number_at(size_t size, const unsigned char *at)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t number = 0;
    switch (size) {
    case sizeof byte:
        return *at;
    case sizeof half:
        memcpy(&half, at, sizeof half);
        return half;
    case sizeof word:
        memcpy(&word, at, sizeof word);
        return word;
    default:
        memcpy(&number, at, sizeof number);
        return number;
    }
}

static void put_number(size_t size, uint64_t number, unsigned char *at)
{
    const uint8_t byte = (uint8_t)number;
    const uint16_t half = (uint16_t)number;
    const uint32_t word = (uint32_t)number;
    switch (size) {
    case sizeof byte:
        *at = byte;
        break;
    case sizeof half:
        memcpy(at, &half, sizeof half);
        break;
    case sizeof word:
        memcpy(at, &word, sizeof word);
        break;
    default:
        memcpy(at, &number, sizeof number);
    }
}

/* ---- Writing ----------------------------------------------------------------------------------*/

static uint64_t sum_of(const struct reap__part_shape *shape, const unsigned char *values,
                       size_t count)
{
    const size_t size = shape->reduction->value_size;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += number_at(size, values + i * size);
    return sum;
}

/* Sums all values of a range. Lanes without items are 0. */
static uint64_t sum_of_range(const struct reap__part_shape *shape,
                             const struct reap__part_range *range)
{
    const size_t lanes = (size_t)1 << shape->lanes_log2;
    uint64_t sum = 0;
    for (const struct reap__part_values *v = range->head; v != NULL; v = v->next)
        sum += sum_of(shape, v->values, v->count);
    for (const struct reap__part_node *n = range->first; n != NULL; n = n->next)
        sum += sum_of(shape, n->row.values, lanes);
    return range->tail != NULL ? sum + sum_of(shape, range->tail->row.values, lanes) : sum;
}

static void write_scalar(const reap_part *part, unsigned char *words)
{
    const struct reap__part_shape *shape = &part->shape;
    const struct reap__reduction *reduction = shape->reduction;
    uint64_t sum = 0;
    if (is_exact(shape))
        memset(words, 0, reduction->result_size);
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next)
        if (is_exact(shape))
            reap__exact_merge(reduction, (uint64_t *)(void *)words,
                              (const uint64_t *)(const void *)r->result->row.values);
        else
            sum += sum_of_range(shape, r);
    if (!is_exact(shape))
        put_number(reduction->value_size, sum, words);
}

/* Writes the words, to memory that need not be aligned. With the lock held. */
static void write_words(const reap_part *part, unsigned char *words)
{
    const struct reap__part_shape *shape = &part->shape;
    uint64_t sum[REAP__EXACT_WORDS(8)];
    const reap_part_description is = describe(part);
    const size_t bytes = is.word_count * is.word_size;
    if (shape->is_span && part->totals != NULL)
        memcpy(words, part->totals, bytes);
    else if (shape->is_span)
        memset(words, 0, bytes);
    else
        write_scalar(part, (unsigned char *)sum);
    if (!shape->is_span)
        memcpy(words, sum, bytes);
    if (is_exact(shape))
        carry(shape, words, shape->is_span ? shape->count : 1);
}

reap_status reap_part_get_words(const reap_part *part, void *words, size_t capacity)
{
    const char *const call = "reap_part_get_words";
    if (part == NULL || words == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the %s is NULL", call,
                          part == NULL ? "part" : "pointer to the words");
    reap__part_lock(part);
    reap_status status = reap__part_check_settled(part, call);
    if (status == REAP_OK)
        status =
            check_has_words(&part->shape, part->ranges != NULL && part->shape.has_identity, call);
    const reap_part_description is = describe(part);
    if (status == REAP_OK && is.word_count > 0 && capacity / is.word_count < is.word_size)
        status = reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                            "%s: the part has %zu words of %zu bytes, but the memory has %zu bytes",
                            call, is.word_count, is.word_size, capacity);
    if (status == REAP_OK)
        status = reap__part_gather_all(part);
    if (status == REAP_OK)
        write_words(part, words);
    reap__part_unlock(part);
    return status;
}

reap_status reap_part_get_device_words(const reap_part *part, const reap_device **device,
                                       const void **words)
{
    const char *const call = "reap_part_get_device_words";
    if (part == NULL || device == NULL || words == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: a pointer is NULL", call);
    reap__part_lock(part);
    const reap_status status = reap__part_check_settled(part, call);
    const struct reap__part_array *const array = part->arrays;
    const bool is_one = array != NULL && array->next == NULL && part->totals == NULL;
    if (status == REAP_OK) {
        *device = is_one ? array->device : NULL;
        *words = is_one ? array->memory : NULL;
    }
    reap__part_unlock(part);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

/* Adds one value, 0, for the items of a leaf that began before the range. */
static bool add_head(const struct reap__part_shape *shape, struct reap__part_range *range,
                     uint64_t end)
{
    struct reap__part_values *head = reap__part_values_create(shape, 1);
    if (head == NULL)
        return false;
    head->count = 1;
    head->positions[0] = (uint16_t)(range->begin & (((uint64_t)1 << shape->leaf_log2) - 1));
    memset(head->values, 0, shape->reduction->value_size);
    range->head = range->head_last = head;
    range->end = end;
    return true;
}

static bool add_nodes(const struct reap__part_shape *shape, struct reap__part_range *range,
                      uint64_t end)
{
    const uint64_t leaf = (uint64_t)1 << shape->leaf_log2;
    const uint64_t head = reap__part_end_of_head(shape, range->begin, end);
    if (head > range->begin && !add_head(shape, range, head))
        return false;
    while (end - range->end >= leaf) {
        const unsigned level = reap__part_level_at(shape, range->end, end);
        struct reap__part_node *node =
            reap__part_node_create(shape, range->end >> shape->leaf_log2, level);
        if (node == NULL)
            return false;
        reap__part_range_add_node(shape, range, node);
    }
    if (range->end == end)
        return true;
    struct reap__part_node *tail = reap__part_node_create(shape, range->end >> shape->leaf_log2, 0);
    if (tail != NULL)
        reap__part_range_add_tail(shape, range, tail, (size_t)(end - range->end));
    return tail != NULL;
}

/* Stores the whole sum as the range's first value or lane. */
static void put_sum(const struct reap__part_shape *shape, const struct reap__part_range *range,
                    const unsigned char *words)
{
    const size_t size = shape->reduction->value_size;
    if (is_exact(shape)) {
        memcpy(range->result->row.values, words, shape->reduction->result_size);
        carry(shape, range->result->row.values, 1);
        return;
    }
    unsigned char *into = range->head != NULL    ? range->head->values
                          : range->first != NULL ? range->first->row.values
                                                 : range->tail->row.values;
    memcpy(into, words, size);
}

/* Creates a range whose values are all 0; NULL: out of memory. */
static struct reap__part_range *make_range(const struct reap__part_shape *shape, uint64_t begin,
                                           uint64_t end)
{
    struct reap__part_range *range = reap__part_range_create(shape, begin);
    if (range == NULL)
        return NULL;
    if (range->result != NULL)
        memset(range->result->row.values, 0, shape->reduction->result_size);
    if (shape->is_ordered && !add_nodes(shape, range, end)) {
        reap__part_range_release(range);
        return NULL;
    }
    range->end = end;
    return range;
}

static reap_status no_memory(void)
{
    return reap__fail(REAP_ERROR_OUT_OF_MEMORY, "reap_part_set_words: no memory for a part");
}

/* Copies the words of a span to the part. If they are in a device's memory, they stay there, in an
 * array of the part. */
static reap_status put_array(reap_part *part, const void *words)
{
    const struct reap__part_shape *shape = &part->shape;
    const size_t bytes = reap__part_totals_bytes(shape);
    const reap_buffer *buffer = reap__registry_find(words, 1);
    const bool is_on_device =
        buffer != NULL && buffer->device != NULL && buffer->kind == REAP_MEMORY_DEVICE;
    if (buffer != NULL && (size_t)(buffer->extent.end - (const unsigned char *)words) < bytes)
        return refuse(shape, "reap_part_set_words", "the words do not fit in their memory");
    if (is_on_device && reap__part_stays(shape, buffer->device))
        return reap__part_array_copy(buffer->device, words, bytes, &part->arrays);
    part->totals = reap__part_totals_create(shape);
    if (part->totals == NULL)
        return no_memory();
    REAP_TRY(reap__memory_read(words, part->totals, bytes));
    if (is_exact(shape))
        carry(shape, part->totals, shape->count);
    return REAP_OK;
}

/* Fills a new part. Adjacent ranges become one. */
static reap_status fill(reap_part *part, const reap_part_contents *contents, size_t group_items)
{
    const struct reap__part_shape *shape = &part->shape;
    struct reap__part_range **at = &part->ranges;
    for (size_t r = 0, next; r < contents->range_count; r = next) {
        const reap_part_range *ranges = contents->ranges;
        for (next = r + 1;
             next < contents->range_count && ranges[next].first == ranges[next - 1].end;)
            next++;
        *at = make_range(shape, ranges[r].first / group_items, ranges[next - 1].end / group_items);
        if (*at == NULL)
            return no_memory();
        at = &(*at)->next;
    }
    if (part->ranges == NULL)
        return REAP_OK;
    if (shape->is_span)
        return put_array(part, contents->words);
    put_sum(shape, part->ranges, contents->words);
    return REAP_OK;
}

static reap_status check_contents(const struct reap__part_shape *shape,
                                  const reap_part_contents *contents, size_t group_items)
{
    const char *const call = "reap_part_set_words";
    uint64_t least = 0;
    if (contents->range_count > 0 && (contents->ranges == NULL || contents->words == NULL))
        return refuse(shape, call, "the ranges or the words are NULL");
    for (size_t r = 0; r < contents->range_count; r++) {
        const reap_part_range *range = &contents->ranges[r];
        if (range->first < least || range->first >= range->end)
            return refuse(shape, call, "the ranges are not in order, overlap or are empty");
        if (range->first % group_items != 0 || range->end % group_items != 0)
            return refuse(shape, call, "the ranges do not consist of whole work-groups");
        least = range->end;
    }
    if (shape->is_span && contents->count > SIZE_MAX / 1024)
        return refuse(shape, call, ".count is too large");
    if (shape->is_span ? contents->range_count > 0 && contents->count == 0 : contents->count > 0)
        return refuse(shape, call,
                      shape->is_span ? ".count is 0" : "it is not a span, and .count is given");
    return REAP_OK;
}

/* Creates a part of the same reduction with these contents. */
static reap_status make_of(const reap_part *part, const reap_part_contents *contents,
                           reap_part **made)
{
    const size_t group_items = contents->group_items > 0 ? contents->group_items : 1;
    REAP_TRY(check_contents(&part->shape, contents, group_items));
    reap_part *filled = reap__part_create_alike(part);
    if (filled == NULL)
        return no_memory();
    reap__part_bind(filled, NULL, group_items, contents->count);
    const reap_status status = fill(filled, contents, group_items);
    if (status == REAP_OK)
        *made = filled;
    else
        reap_part_release(filled);
    return status;
}

reap_status reap_part_set_words(reap_part *part, const reap_part_contents *contents)
{
    const char *const call = "reap_part_set_words";
    reap_part *made = NULL;
    if (part == NULL || contents == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "%s: the %s NULL", call,
                          part == NULL ? "part is" : "contents are");
    reap__part_lock(part);
    reap_status status = reap__part_check_settled(part, call);
    if (status == REAP_OK)
        status = check_has_words(&part->shape, false, call);
    reap__part_unlock(part);
    REAP_TRY(status);
    REAP_TRY(make_of(part, contents, &made));
    status = reap_part_swap(part, made);
    reap_part_release(made);
    return status;
}
