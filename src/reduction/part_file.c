/* SPDX-License-Identifier: Apache-2.0
 *
 * The encoding of a part (docs/chunks.md specifies it): its reduction, its ranges, and a checksum.
 * Numbers are little-endian. The number of nodes of a range, and their levels, follow from its
 * items. Nothing that is read is trusted: every length is compared with the bytes that are left.
 */
#include "src/core/allocate.h"
#include "src/core/arguments.h"
#include "src/core/sizes.h"
#include "src/core/status.h"
#include "src/reduction/exact_number.h"
#include "src/reduction/part.h"
#include "src/reduction/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC_BYTES = 8, VERSION = 1, CHECKSUM_BYTES = 8, TEXTS = 4 };
enum { HAS_IDENTITY = 1, HAS_TOTALS = 2, IS_BIG_ENDIAN = 4, ALL_FLAGS = 7 };
static const char magic[MAGIC_BYTES + 1] = "reappart";

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { ON_BIG_ENDIAN = 1 };
#else
enum { ON_BIG_ENDIAN = 0 };
#endif

/* FNV-1a of 64 bits: if one byte changes, so does the sum. */
static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

static size_t in_leaf(const struct reap__part_shape *shape, uint64_t item)
{
    return (size_t)(item & (((uint64_t)1 << shape->leaf_log2) - 1));
}

static size_t lanes_of(const struct reap__part_shape *shape)
{
    return shape->is_ordered ? (size_t)1 << shape->lanes_log2 : 1;
}

uint64_t reap__part_end_of_head(const struct reap__part_shape *shape, uint64_t begin, uint64_t end)
{
    const size_t begun = in_leaf(shape, begin);
    const uint64_t rest = begun == 0 ? 0 : ((uint64_t)1 << shape->leaf_log2) - begun;
    return end - begin < rest ? end : begin + rest;
}

unsigned reap__part_level_at(const struct reap__part_shape *shape, uint64_t at, uint64_t end)
{
    unsigned level = 0;
    const uint64_t leaves = (end - at) >> shape->leaf_log2, leaf = at >> shape->leaf_log2;
    while (leaves >> level > 1 && (leaf >> level & 1) == 0)
        level++;
    return level;
}

const char *reap__part_type_name(const struct reap__parameter *parameter)
{
    static const char *const names[REAP__OPERAND_COUNT] = {
        [REAP__OPERAND_u8] = "u8",       [REAP__OPERAND_u16] = "u16",
        [REAP__OPERAND_u32] = "u32",     [REAP__OPERAND_u64] = "u64",
        [REAP__OPERAND_s8] = "s8",       [REAP__OPERAND_s16] = "s16",
        [REAP__OPERAND_s32] = "s32",     [REAP__OPERAND_s64] = "s64",
        [REAP__OPERAND_float] = "float", [REAP__OPERAND_double] = "double",
        [REAP__OPERAND_half] = "half",   [REAP__OPERAND_bfloat16] = "bfloat16"};
    const struct reap__reduction *reduction = parameter->reduction;
    if (!reduction->is_builtin)
        return parameter->type;
    return reduction->type == REAP__TYPE_boolean ? "bool" : names[reap__operand(reduction->type)];
}

static void texts_of(const struct reap__part_shape *shape, const char *texts[TEXTS])
{
    texts[0] = shape->kernel;
    texts[1] = shape->parameter->name;
    texts[2] = shape->reduction->operation;
    texts[3] = reap__part_type_name(shape->parameter);
}

/* ---- Writing ----------------------------------------------------------------------------------*/

/* Writes bytes, or only counts them if `bytes` is NULL. */
struct writer {
    unsigned char *bytes;
    size_t size;
};

static void put(struct writer *writer, const void *from, size_t count)
{
    if (writer->bytes != NULL)
        memcpy(writer->bytes + writer->size, from, count);
    writer->size += count;
}

static void put_number(struct writer *writer, uint64_t number, size_t count)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    put(writer, bytes, count);
}

static void put_text(struct writer *writer, const char *text)
{
    put_number(writer, strlen(text), 4);
    put(writer, text, strlen(text));
}

/* Writes values of the reduction's type; those of built-in types little-endian. */
static void put_values(struct writer *writer, const struct reap__part_shape *shape,
                       const unsigned char *values, size_t count)
{
    const size_t size = shape->reduction->value_size;
    if (!shape->reduction->is_builtin || !ON_BIG_ENDIAN) {
        put(writer, values, count * size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t b = size; b-- > 0;)
            put(writer, values + i * size + b, 1);
}

static void put_words(struct writer *writer, const unsigned char *words, size_t count)
{
    uint64_t word;
    for (size_t w = 0; w < count; w++) {
        memcpy(&word, words + w * sizeof word, sizeof word);
        put_number(writer, word, 8);
    }
}

/* Writes lanes, each with a flag if values can be missing. A missing value is written as zeros. */
static void put_lanes(struct writer *writer, const struct reap__part_shape *shape,
                      const struct reap__results *row)
{
    static const unsigned char zeros[64];
    const size_t size = shape->reduction->value_size, lanes = lanes_of(shape);
    if (row->set == NULL) {
        put_values(writer, shape, row->values, lanes);
        return;
    }
    for (size_t l = 0; l < lanes; l++) {
        put_number(writer, row->set[l] != 0, 1);
        if (row->set[l] != 0)
            put_values(writer, shape, row->values + l * size, 1);
        for (size_t b = 0; row->set[l] == 0 && b < size; b += sizeof zeros)
            put(writer, zeros, reap__least(size - b, sizeof zeros));
    }
}

static void put_row(struct writer *writer, const struct reap__part_shape *shape,
                    const struct reap__part_node *node)
{
    const struct reap__reduction *reduction = shape->reduction;
    if (shape->is_ordered) {
        put_lanes(writer, shape, &node->row);
    } else if (reap__is_exact(reduction)) {
        put_words(writer, node->row.values, reduction->result_size / 8);
    } else {
        put_values(writer, shape, node->row.values, 1);
        put_words(writer, node->row.values + reduction->location_offset, 1);
    }
}

static size_t count_values(const struct reap__part_range *range)
{
    size_t count = 0;
    for (const struct reap__part_values *v = range->head; v != NULL; v = v->next)
        count += v->count;
    return count;
}

static void put_range(struct writer *writer, const struct reap__part_shape *shape,
                      const struct reap__part_range *range)
{
    put_number(writer, range->begin, 8);
    put_number(writer, range->end, 8);
    if (shape->is_ordered)
        put_number(writer, count_values(range), 8);
    for (const struct reap__part_values *v = range->head; v != NULL; v = v->next)
        for (size_t i = 0; i < v->count; i++) {
            put_number(writer, v->positions[i], 2);
            put_values(writer, shape, v->values + i * shape->reduction->value_size, 1);
        }
    for (const struct reap__part_node *n = range->first; n != NULL; n = n->next)
        put_row(writer, shape, n);
    if (range->tail != NULL)
        put_row(writer, shape, range->tail);
    if (range->result != NULL)
        put_row(writer, shape, range->result);
}

static void put_part(struct writer *writer, const reap_part *part, size_t size)
{
    const struct reap__part_shape *shape = &part->shape;
    const char *texts[TEXTS];
    size_t ranges = 0;
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next)
        ranges++;
    put(writer, magic, MAGIC_BYTES);
    put_number(writer, VERSION, 4);
    put_number(writer,
               (shape->has_identity ? HAS_IDENTITY : 0u) |
                   (part->totals != NULL ? HAS_TOTALS : 0u) |
                   (ON_BIG_ENDIAN && !shape->reduction->is_builtin ? IS_BIG_ENDIAN : 0u),
               4);
    put_number(writer, size, 8);
    put_number(writer, shape->reduction->value_size, 8);
    put_number(writer, shape->group_items, 8);
    put_number(writer, shape->count, 8);
    put_number(writer, ranges, 8);
    texts_of(shape, texts);
    for (size_t t = 0; t < TEXTS; t++)
        put_text(writer, texts[t]);
    if (shape->has_identity)
        put_values(writer, shape, shape->identity, 1);
    for (const struct reap__part_range *r = part->ranges; r != NULL; r = r->next)
        put_range(writer, shape, r);
    if (part->totals != NULL && shape->is_exact_span)
        put_words(writer, part->totals, reap__part_totals_bytes(shape) / 8);
    else if (part->totals != NULL)
        put_values(writer, shape, part->totals, shape->count);
}

static reap_status write_part(const reap_part *part, void *bytes, size_t capacity, size_t *size)
{
    struct writer counter = {NULL, 0}, writer = {bytes, 0};
    put_part(&counter, part, 0);
    const size_t needed = counter.size + CHECKSUM_BYTES;
    if (bytes != NULL && capacity < needed)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_write: the part takes %zu bytes, but only %zu are given",
                          needed, capacity);
    if (bytes != NULL) {
        put_part(&writer, part, needed);
        put_number(&writer, checksum(bytes, writer.size), CHECKSUM_BYTES);
    }
    *size = needed;
    return REAP_OK;
}

reap_status reap_part_write(const reap_part *part, void *bytes, size_t capacity, size_t *size)
{
    if (part == NULL || size == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_write: the %s is NULL",
                          part == NULL ? "part" : "pointer to the size");
    reap__part_lock(part);
    reap_status status = reap__part_check_settled(part, "reap_part_write");
    if (status == REAP_OK)
        status = reap__part_gather_all(part);
    if (status == REAP_OK)
        status = write_part(part, bytes, capacity, size);
    reap__part_unlock(part);
    return status;
}

/* ---- Reading ----------------------------------------------------------------------------------*/

/* Reads bytes. `wrong` is the first error; NULL: none so far. */
struct reader {
    const unsigned char *bytes;
    size_t left;
    const char *wrong;
    bool is_out_of_memory;
};

static void note(struct reader *reader, const char *wrong)
{
    if (reader->wrong == NULL)
        reader->wrong = wrong;
}

static const unsigned char *take(struct reader *reader, size_t count)
{
    const unsigned char *at = reader->bytes;
    if (reader->wrong != NULL || count > reader->left) {
        note(reader, "it is truncated");
        return NULL;
    }
    reader->bytes += count;
    reader->left -= count;
    return at;
}

static uint64_t get_number(struct reader *reader, size_t count)
{
    const unsigned char *at = take(reader, count);
    uint64_t number = 0;
    for (size_t i = 0; at != NULL && i < count; i++)
        number |= (uint64_t)at[i] << (8 * i);
    return number;
}

/* Checks that bools are 0 or 1. */
static bool are_values(const struct reap__part_shape *shape, const unsigned char *values,
                       size_t count)
{
    for (size_t i = 0;
         shape->reduction->is_builtin && shape->reduction->type == REAP__TYPE_boolean && i < count;
         i++)
        if (values[i] > 1)
            return false;
    return true;
}

static void get_values(struct reader *reader, const struct reap__part_shape *shape,
                       unsigned char *into, size_t count)
{
    const size_t size = shape->reduction->value_size;
    const unsigned char *at = count > SIZE_MAX / size ? NULL : take(reader, count * size);
    if (at == NULL) {
        note(reader, "it is truncated");
        return;
    }
    if (!are_values(shape, at, count))
        note(reader, "it has a bool that is neither true nor false");
    if (!shape->reduction->is_builtin || !ON_BIG_ENDIAN) {
        memcpy(into, at, count * size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < size; b++)
            into[i * size + b] = at[i * size + size - 1 - b];
}

static void get_words(struct reader *reader, unsigned char *into, size_t count)
{
    for (size_t w = 0; w < count && reader->wrong == NULL; w++) {
        const uint64_t word = get_number(reader, 8);
        memcpy(into + w * sizeof word, &word, sizeof word);
    }
}

/* Reads an exact sum, and checks that its digits have spare bits for carries. */
static void get_sum(struct reader *reader, size_t value_size, unsigned char *into)
{
    const int64_t limit = (int64_t)1 << 62;
    get_words(reader, into, REAP__EXACT_WORDS(value_size));
    for (size_t w = 0; w < REAP__EXACT_DIGITS(value_size) && reader->wrong == NULL; w++) {
        int64_t digit;
        memcpy(&digit, into + w * sizeof digit, sizeof digit);
        if (digit > limit || digit < -limit)
            note(reader, "a digit of an exact sum is out of range");
    }
}

static void get_lanes(struct reader *reader, const struct reap__part_shape *shape,
                      const struct reap__results *row)
{
    const size_t size = shape->reduction->value_size, lanes = lanes_of(shape);
    if (row->set == NULL) {
        get_values(reader, shape, row->values, lanes);
        return;
    }
    for (size_t l = 0; l < lanes && reader->wrong == NULL; l++) {
        row->set[l] = (unsigned char)get_number(reader, 1);
        if (row->set[l] > 1)
            note(reader, "a flag is neither 0 nor 1");
        get_values(reader, shape, row->values + l * size, 1);
    }
}

static void get_row(struct reader *reader, const struct reap__part_shape *shape,
                    const struct reap__part_node *node)
{
    const struct reap__reduction *reduction = shape->reduction;
    if (shape->is_ordered) {
        get_lanes(reader, shape, &node->row);
    } else if (reap__is_exact(reduction)) {
        get_sum(reader, reduction->value_size, node->row.values);
    } else {
        get_values(reader, shape, node->row.values, 1);
        get_words(reader, node->row.values + reduction->location_offset, 1);
    }
}

static struct reap__part_node *get_node(struct reader *reader, const struct reap__part_shape *shape,
                                        uint64_t at, unsigned level)
{
    if (reader->wrong != NULL || reader->left < reap__part_row_bytes(shape) / 2) {
        note(reader, "it is truncated");
        return NULL;
    }
    struct reap__part_node *node = reap__part_node_create(shape, at >> shape->leaf_log2, level);
    if (node == NULL) {
        reader->is_out_of_memory = true;
        note(reader, "");
        return NULL;
    }
    get_row(reader, shape, node);
    if (reader->wrong == NULL)
        return node;
    reap__free(node);
    return NULL;
}

/* Reads the values of the items from the range's begin to `end`, all of one leaf, in their
 * order. */
static void get_head(struct reader *reader, const struct reap__part_shape *shape,
                     struct reap__part_range *range, uint64_t end)
{
    const size_t size = shape->reduction->value_size;
    const uint64_t count = get_number(reader, 8);
    size_t least = in_leaf(shape, range->begin);
    const size_t most = least + (size_t)(end - range->begin);
    if (reader->wrong != NULL || count == 0)
        return;
    if (end == range->begin || count > reader->left / (size + 2)) {
        note(reader,
             end == range->begin ? "it has values that belong to no work-item" : "it is truncated");
        return;
    }
    struct reap__part_values *log = reap__part_values_create(shape, (size_t)count);
    reader->is_out_of_memory |= log == NULL;
    if (log == NULL) {
        note(reader, "");
        return;
    }
    range->head = range->head_last = log;
    for (; log->count < count && reader->wrong == NULL; log->count++) {
        const size_t position = (size_t)get_number(reader, 2);
        if (position < least || position >= most)
            note(reader, "a value belongs to no work-item");
        least = position;
        log->positions[log->count] = (uint16_t)position;
        get_values(reader, shape, log->values + log->count * size, 1);
    }
}

static void get_nodes(struct reader *reader, const struct reap__part_shape *shape,
                      struct reap__part_range *range, uint64_t end)
{
    const uint64_t leaf = (uint64_t)1 << shape->leaf_log2;
    const uint64_t head = reap__part_end_of_head(shape, range->begin, end);
    get_head(reader, shape, range, head);
    range->end = head;
    while (reader->wrong == NULL && end - range->end >= leaf) {
        struct reap__part_node *node =
            get_node(reader, shape, range->end, reap__part_level_at(shape, range->end, end));
        if (node != NULL)
            reap__part_range_add_node(shape, range, node);
    }
    if (reader->wrong != NULL || range->end == end)
        return;
    struct reap__part_node *tail = get_node(reader, shape, range->end, 0);
    if (tail != NULL)
        reap__part_range_add_tail(shape, range, tail, (size_t)(end - range->end));
}

/* Reads a range that begins at `least` or later; NULL: something is wrong. */
static struct reap__part_range *get_range(struct reader *reader,
                                          const struct reap__part_shape *shape, uint64_t least)
{
    const uint64_t begin = get_number(reader, 8), end = get_number(reader, 8);
    if (reader->wrong == NULL &&
        (begin < least || begin >= end || end > UINT64_MAX / shape->group_items))
        note(reader, "its ranges are not in order");
    if (reader->wrong != NULL)
        return NULL;
    struct reap__part_range *range = reap__part_range_create(shape, begin);
    if (range == NULL) {
        reader->is_out_of_memory = true;
        note(reader, "");
        return NULL;
    }
    if (shape->is_ordered)
        get_nodes(reader, shape, range, end);
    else if (!shape->is_span)
        get_row(reader, shape, range->result);
    range->end = end;
    return range;
}

/* Reads the ranges, which are in order and not adjacent. */
static void get_ranges(struct reader *reader, reap_part *part, uint64_t count)
{
    struct reap__part_range **at = &part->ranges;
    uint64_t least = 0;
    for (uint64_t r = 0; r < count && reader->wrong == NULL; r++) {
        *at = get_range(reader, &part->shape, least);
        if (*at == NULL)
            return;
        if ((*at)->end == UINT64_MAX && r + 1 < count)
            note(reader, "its ranges are not in order");
        least = (*at)->end + 1;
        at = &(*at)->next;
    }
}

static void get_totals(struct reader *reader, reap_part *part)
{
    const struct reap__part_shape *shape = &part->shape;
    const size_t size = shape->reduction->value_size;
    const size_t words = REAP__EXACT_WORDS(size), each = shape->is_exact_span ? 8 * words : size;
    if (reader->wrong != NULL)
        return;
    if (!shape->is_span || shape->count == 0 || shape->count != reader->left / each ||
        reader->left % each != 0) {
        note(reader, "the length of its array is wrong");
        return;
    }
    part->totals = reap__part_totals_create(shape);
    if (part->totals == NULL) {
        reader->is_out_of_memory = true;
        note(reader, "");
        return;
    }
    for (size_t i = 0; shape->is_exact_span && i < shape->count && reader->wrong == NULL; i++)
        get_sum(reader, size, part->totals + i * 8 * words);
    if (!shape->is_exact_span)
        get_values(reader, shape, part->totals, shape->count);
}

/* A text of the encoding, printable. */
struct text {
    char text[64];
    bool is_same;
};

static struct text get_text(struct reader *reader, const char *expected)
{
    struct text text = {"", false};
    const size_t length = (size_t)get_number(reader, 4);
    const unsigned char *at = take(reader, length);
    if (at == NULL)
        return text;
    text.is_same = length == strlen(expected) && memcmp(at, expected, length) == 0;
    for (size_t i = 0; i < length && i + 1 < sizeof text.text; i++)
        text.text[i] = at[i] >= 0x20 && at[i] < 0x7f ? (char)at[i] : '?';
    return text;
}

static reap_status refuse_other(const struct reap__part_shape *shape, const struct text *texts)
{
    const char *expected[TEXTS];
    texts_of(shape, expected);
    return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                      "reap_part_read: the part is of kernel '%s', reduction '%s' (%s of %s), and "
                      "not of kernel '%s', reduction '%s' (%s of %s)",
                      texts[0].text, texts[1].text, texts[2].text, texts[3].text, expected[0],
                      expected[1], expected[2], expected[3]);
}

struct header {
    uint64_t flags, value_size, group_items, count, ranges;
};

static void get_header(struct reader *reader, struct header *header)
{
    header->flags = get_number(reader, 4);
    get_number(reader, 8); /* the size, checked before */
    header->value_size = get_number(reader, 8);
    header->group_items = get_number(reader, 8);
    header->count = get_number(reader, 8);
    header->ranges = get_number(reader, 8);
    if (reader->wrong == NULL &&
        ((header->flags & ~(uint64_t)ALL_FLAGS) != 0 || header->group_items == 0 ||
         header->group_items > SIZE_MAX || header->count > SIZE_MAX / 1024))
        note(reader, "its header is wrong");
}

static void check_header(struct reader *reader, const struct reap__part_shape *shape,
                         const struct header *header)
{
    const struct reap__target target = {
        .reduction = shape->reduction,
        .identity = (header->flags & HAS_IDENTITY) != 0 ? shape->identity : NULL};
    if (header->value_size != shape->reduction->value_size)
        note(reader, "its values have another size");
    if (((header->flags & IS_BIG_ENDIAN) != 0) != (ON_BIG_ENDIAN && !shape->reduction->is_builtin))
        note(reader, "its values were written on a machine of another byte order");
    if (((header->flags & HAS_TOTALS) != 0 && !shape->is_span) ||
        (header->count > 0 && !shape->is_span) ||
        ((header->flags & HAS_IDENTITY) != 0 && reap__is_exact(shape->reduction)) ||
        (shape->is_span && !reap__span_has_any_order(&target)) ||
        (shape->is_span && ((header->flags & HAS_TOTALS) != 0) != (header->ranges > 0)))
        note(reader, "its header is wrong");
}

static reap_status refuse(const struct reader *reader)
{
    return reader->is_out_of_memory
               ? reap__fail(REAP_ERROR_OUT_OF_MEMORY, "reap_part_read: no memory for a part")
               : reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                            "reap_part_read: the bytes are not the encoding of a part: %s",
                            reader->wrong);
}

/* Fills a new part. The caller releases it if that fails. */
static reap_status read_part(struct reader *reader, reap_part *part)
{
    struct reap__part_shape *shape = &part->shape;
    struct header header;
    struct text texts[TEXTS];
    const char *expected[TEXTS];
    get_header(reader, &header);
    texts_of(shape, expected);
    for (size_t t = 0; t < TEXTS; t++)
        texts[t] = get_text(reader, expected[t]);
    if (reader->wrong != NULL)
        return refuse(reader);
    for (size_t t = 0; t < TEXTS; t++)
        if (!texts[t].is_same)
            return refuse_other(shape, texts);
    check_header(reader, shape, &header);
    if (reader->wrong == NULL && (header.flags & HAS_IDENTITY) != 0)
        get_values(reader, shape, shape->identity, 1);
    if (reader->wrong != NULL)
        return refuse(reader);
    const bool has_identity = (header.flags & HAS_IDENTITY) != 0 && header.ranges > 0;
    reap__part_bind(part, has_identity ? shape->identity : NULL, (size_t)header.group_items,
                    (size_t)header.count);
    get_ranges(reader, part, header.ranges);
    if ((header.flags & HAS_TOTALS) != 0)
        get_totals(reader, part);
    if (reader->wrong == NULL && reader->left > 0)
        note(reader, "it has more bytes than its contents");
    return reader->wrong != NULL ? refuse(reader) : REAP_OK;
}

/* Checks the first bytes, which identify an encoding and its version, its size, and the checksum in
 * the last bytes. */
static reap_status check_bytes(const unsigned char *bytes, size_t size)
{
    enum { LEAST_BYTES = MAGIC_BYTES + 16 + CHECKSUM_BYTES };
    struct reader start = {bytes + MAGIC_BYTES, size - MAGIC_BYTES, NULL, false};
    if (size < LEAST_BYTES || memcmp(bytes, magic, MAGIC_BYTES) != 0)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_read: the %zu bytes are not the encoding of a part", size);
    const uint64_t version = get_number(&start, 4);
    get_number(&start, 4);
    const uint64_t whole = get_number(&start, 8);
    if (version != VERSION)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_read: the part was written in version %" PRIu64
                          " of the encoding, and this library reads version %d",
                          version, VERSION);
    if (whole != size)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_read: the part takes %" PRIu64 " bytes, and %zu are given: it "
                          "is truncated, or other bytes follow it",
                          whole, size);
    struct reader end = {bytes + size - CHECKSUM_BYTES, CHECKSUM_BYTES, NULL, false};
    if (get_number(&end, CHECKSUM_BYTES) != checksum(bytes, size - CHECKSUM_BYTES))
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT,
                          "reap_part_read: the part is damaged: its checksum is wrong");
    return REAP_OK;
}

reap_status reap_part_read(const struct reap_kernel *kernel, const char *reduction,
                           const void *bytes, size_t size, reap_part **part)
{
    reap_part *made;
    if (bytes == NULL || part == NULL)
        return reap__fail(REAP_ERROR_INVALID_ARGUMENT, "reap_part_read: the %s is NULL",
                          bytes == NULL ? "encoding" : "pointer to the part");
    REAP_TRY(reap__part_make(kernel, reduction, "reap_part_read", &made));
    reap_status status = check_bytes(bytes, size);
    struct reader reader = {(const unsigned char *)bytes + MAGIC_BYTES + 4, 0, NULL, false};
    reader.left = size - MAGIC_BYTES - 4 - CHECKSUM_BYTES;
    if (status == REAP_OK)
        status = read_part(&reader, made);
    if (status == REAP_OK)
        *part = made;
    else
        reap_part_release(made);
    return status;
}
