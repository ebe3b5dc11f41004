/* SPDX-License-Identifier: Apache-2.0
 *
 * How a rank makes parts of encodings that it reads and of words that have been added; and the
 * exchanges of small parts. In the first exchange, parts whose values are words send their ranges
 * and words, which are added here, and others send their encodings. If parts do not match, that is
 * only recorded (is_good): the rounds that follow compare the parts, and name the ranks. But if
 * memory is missing, the request fails.
 */
#include "src/core/allocate.h"
#include "src/mpi/request.h"

#include <assert.h>
#include <string.h>

enum { MOST_SMALL_BYTES = 1 << 16 };

/* Before the ranges and words of a packet. */
struct words_head {
    uint64_t hash;               /* of the part's reduction */
    uint64_t group_items, count; /* if the part has items */
    uint64_t range_count;
};

void reap__mpi_note(reap_mpi_request *request, reap_status status)
{
    if (status != REAP_OK)
        reap__mpi_report_failure(&request->failure, status, request->call, request->context->rank);
}

static void note_memory(reap_mpi_request *request, reap_status status)
{
    request->is_good &= status == REAP_OK;
    if (status == REAP_ERROR_OUT_OF_MEMORY)
        reap__mpi_note(request, status);
}

static reap_status no_memory(void)
{
    return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a message");
}

/* ---- Parts ------------------------------------------------------------------------------------*/

reap_status reap__mpi_read_part(const reap_mpi_request *request, const unsigned char *bytes,
                                uint64_t size, reap_part **part)
{
    reap_part_description is;
    REAP_TRY(reap_part_describe(request->part, &is));
    return reap_part_read(is.kernel, is.reduction, bytes, (size_t)size, part);
}

reap_status reap__mpi_make_of_words(reap_mpi_request *request)
{
    const reap_part_contents contents = {
        .ranges = request->ranges,
        .range_count = request->range_count,
        .group_items = (size_t)request->agreed.group_items,
        .count = (size_t)request->agreed.count,
        .words = request->uses_nccl ? request->sums : request->words,
    };
    reap_part_description is;
    REAP_TRY(reap_part_describe(request->part, &is));
    REAP_TRY(reap_part_create(is.kernel, is.reduction, &request->result));
    return reap_part_set_words(request->result, &contents);
}

/* ---- Words ------------------------------------------------------------------------------------*/

static reap_status collect_words(reap_mpi_request *request, const reap_part_description *is)
{
    struct reap__mpi_report *agreed = &request->agreed;
    request->hash = reap__mpi_hash(is);
    request->range_count = reap_part_range_count(request->part);
    agreed->word_size = is->word_size;
    if (request->range_count == 0)
        return REAP_OK;
    agreed->group_items = is->group_items;
    agreed->count = is->count;
    request->word_count = is->word_count;
    REAP_TRY(reap__mpi_list_ranges(request->part, request->range_count, &request->ranges));
    request->words = reap__allocate(is->word_count * is->word_size);
    if (request->words == NULL)
        return no_memory();
    return reap_part_get_words(request->part, request->words, is->word_count * is->word_size);
}

static void put(unsigned char **at, const void *from, size_t count)
{
    if (count > 0)
        memcpy(*at, from, count);
    *at += count;
}

static size_t size_of_words(const reap_mpi_request *request)
{
    return request->word_count * (size_t)request->agreed.word_size;
}

static size_t size_of_ranges(const reap_mpi_request *request)
{
    return request->range_count * sizeof(reap_part_range);
}

static void write_words(const reap_mpi_request *request, unsigned char *at)
{
    const struct words_head head = {request->hash, request->agreed.group_items,
                                    request->agreed.count, request->range_count};
    put(&at, &head, sizeof head);
    put(&at, request->ranges, size_of_ranges(request));
    put(&at, request->words, size_of_words(request));
}

static void add_words(void *into, const void *from, size_t count, size_t size)
{
    uint8_t *const bytes = into;
    uint16_t *const halves = into;
    uint32_t *const words = into;
    uint64_t *const longs = into;
    for (size_t w = 0; size == 1 && w < count; w++)
        bytes[w] = (uint8_t)(bytes[w] + ((const uint8_t *)from)[w]);
    for (size_t w = 0; size == 2 && w < count; w++)
        halves[w] = (uint16_t)(halves[w] + ((const uint16_t *)from)[w]);
    for (size_t w = 0; size == 4 && w < count; w++)
        words[w] += ((const uint32_t *)from)[w];
    for (size_t w = 0; size == 8 && w < count; w++)
        longs[w] += ((const uint64_t *)from)[w];
}

/* Replaces the words and ranges: this rank has no items, or they are the outcome. */
static reap_status replace_words(reap_mpi_request *request, const struct words_head *head,
                                 const unsigned char *bytes, size_t byte_count)
{
    const size_t ranges = head->range_count * sizeof(reap_part_range);
    reap__free(request->ranges);
    reap__free(request->words);
    request->agreed.group_items = head->group_items;
    request->agreed.count = head->count;
    request->range_count = head->range_count;
    request->word_count = (byte_count - ranges) / (size_t)request->agreed.word_size;
    request->ranges = reap__allocate(ranges);
    request->words = reap__allocate(byte_count - ranges);
    if (request->ranges == NULL || request->words == NULL)
        return no_memory();
    memcpy(request->ranges, bytes, ranges);
    memcpy(request->words, bytes + ranges, byte_count - ranges);
    return REAP_OK;
}

static reap_status merge_words(reap_mpi_request *request, const struct words_head *head,
                               const unsigned char *bytes, size_t byte_count)
{
    const struct reap__mpi_ranges mine = {request->ranges, request->range_count};
    const struct reap__mpi_ranges other = {(const reap_part_range *)(const void *)bytes,
                                           head->range_count};
    const size_t ranges = head->range_count * sizeof(reap_part_range);
    uint64_t overlap;
    if (head->group_items != request->agreed.group_items || head->count != request->agreed.count ||
        byte_count - ranges != size_of_words(request))
        return REAP_ERROR_INVALID_ARGUMENT;
    reap_part_range *both = reap__allocate((mine.count + other.count) * sizeof *both);
    if (both == NULL)
        return no_memory();
    const bool is_overlap =
        reap__mpi_merge_ranges(&mine, &other, both, &request->range_count, &overlap);
    reap__free(request->ranges);
    request->ranges = both;
    add_words(request->words, bytes + ranges, request->word_count,
              (size_t)request->agreed.word_size);
    return is_overlap ? REAP_ERROR_INVALID_ARGUMENT : REAP_OK;
}

static reap_status take_words(reap_mpi_request *request, const unsigned char *bytes,
                              size_t byte_count, bool is_outcome)
{
    struct words_head head;
    memcpy(&head, bytes, sizeof head);
    if (head.hash != request->hash)
        return REAP_ERROR_INVALID_ARGUMENT;
    if (head.range_count == 0)
        return REAP_OK;
    const bool replaces = request->range_count == 0 || is_outcome;
    return (replaces ? replace_words : merge_words)(request, &head, bytes + sizeof head,
                                                    byte_count - sizeof head);
}

/* ---- Encodings --------------------------------------------------------------------------------*/

static const reap_part *merged(const reap_mpi_request *request)
{
    return request->result != NULL ? request->result : request->part;
}

static reap_status take_encoding(reap_mpi_request *request, const unsigned char *bytes,
                                 size_t byte_count, bool is_outcome)
{
    reap_part *part = NULL;
    REAP_TRY(reap__mpi_read_part(request, bytes, byte_count, &part));
    const reap_status status = is_outcome ? REAP_OK : reap_part_merge(part, merged(request));
    reap_part_release(status == REAP_OK ? request->result : part);
    if (status == REAP_OK)
        request->result = part;
    return status;
}

/* ---- Exchanges --------------------------------------------------------------------------------*/

/* Whether the part may be small. Arrays in a device's memory are not. */
static bool may_be_small(const reap_mpi_request *request, reap_part_description *is)
{
    const reap_device *device;
    const void *words;
    return request->part != NULL && request->root >= -1 &&
           request->root < request->context->ranks &&
           reap_part_describe(request->part, is) == REAP_OK &&
           reap_part_get_device_words(request->part, &device, &words) == REAP_OK &&
           device == NULL && is->count <= MOST_SMALL_BYTES / is->value_size &&
           is->word_count * is->word_size <= MOST_SMALL_BYTES;
}

/* Finds the number of bytes to send for what has been merged so far. */
static reap_status measure(const reap_mpi_request *request, size_t *size)
{
    *size = sizeof(struct words_head) + size_of_ranges(request) + size_of_words(request);
    return request->has_words ? REAP_OK : reap_part_write(merged(request), NULL, 0, size);
}

void reap__mpi_begin_merge(reap_mpi_request *request)
{
    reap_part_description is;
    size_t size = SIZE_MAX;
    request->is_small = request->is_good = may_be_small(request, &is);
    if (!request->is_small)
        return;
    request->has_words = is.word_size > 0;
    if (request->has_words)
        note_memory(request, collect_words(request, &is));
    note_memory(request, measure(request, &size));
    request->is_small = size <= MOST_SMALL_BYTES;
}

static reap_status fill(const reap_mpi_request *request, struct reap__mpi_packet *packet,
                        unsigned char **bytes)
{
    size_t size;
    unsigned char *at = packet->bytes;
    REAP_TRY(measure(request, &size));
    if (size > MOST_SMALL_BYTES)
        return REAP_ERROR_INVALID_ARGUMENT;
    if (size > sizeof packet->bytes)
        at = *bytes = reap__allocate(size);
    if (at == NULL)
        return no_memory();
    packet->byte_count = (uint32_t)size;
    if (!request->has_words)
        return reap_part_write(merged(request), at, size, &size);
    write_words(request, at);
    return REAP_OK;
}

static void fill_merge(reap_mpi_request *request, struct reap__mpi_packet *packet,
                       unsigned char **bytes)
{
    packet->number = request->failure.number;
    packet->root = request->root;
    packet->has_words = request->has_words;
    packet->is_small = request->is_small;
    if (request->is_small && request->is_good)
        note_memory(request, fill(request, packet, bytes));
    packet->is_good = request->is_good;
}

static void take_merge(reap_mpi_request *request, const struct reap__mpi_packet *packet,
                       const unsigned char *bytes, bool is_outcome)
{
    assert(packet->number == request->failure.number); /* a tag is of one request at a time */
    request->is_small &= packet->is_small;
    request->is_good &=
        packet->is_good && packet->root == request->root && packet->has_words == request->has_words;
    if (!request->is_small || !request->is_good)
        return;
    note_memory(request, bytes == NULL ? no_memory()
                                       : (request->has_words ? take_words : take_encoding)(
                                             request, bytes, packet->byte_count, is_outcome));
}

int reap__mpi_merge(reap_mpi_request *request, int tag, bool *is_complete)
{
    static const struct reap__mpi_exchanger exchanger = {fill_merge, take_merge};
    return reap__mpi_exchange_advance(request->context, &request->exchange, &exchanger, request,
                                      tag, is_complete);
}

void reap__mpi_end_merge(reap_mpi_request *request)
{
    reap_part_description is;
    if (request->is_good && request->has_words)
        note_memory(request, reap__mpi_make_of_words(request));
    if (request->is_good) /* fails if a launch has begun */
        note_memory(request, reap_part_describe(request->part, &is));
}

static void fill_settle(reap_mpi_request *request, struct reap__mpi_packet *packet,
                        unsigned char **bytes)
{
    (void)bytes;
    packet->number = request->failure.number;
    packet->is_small = true;
    packet->is_good = request->is_good;
}

static void take_settle(reap_mpi_request *request, const struct reap__mpi_packet *packet,
                        const unsigned char *bytes, bool is_outcome)
{
    (void)bytes;
    (void)is_outcome;
    assert(packet->number == request->failure.number);
    request->is_good &= packet->is_good;
}

int reap__mpi_settle(reap_mpi_request *request, int tag, bool *is_complete)
{
    static const struct reap__mpi_exchanger exchanger = {fill_settle, take_settle};
    return reap__mpi_exchange_advance(request->context, &request->exchange, &exchanger, request,
                                      tag, is_complete);
}

void reap__mpi_discard_merged(reap_mpi_request *request)
{
    reap_part_release(request->result);
    reap__free(request->ranges);
    reap__free(request->words);
    request->result = NULL;
    request->ranges = NULL;
    request->words = NULL;
    request->range_count = request->word_count = 0;
}
