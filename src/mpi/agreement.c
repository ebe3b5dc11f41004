/* SPDX-License-Identifier: Apache-2.0
 *
 * The agreement of ranks before data are exchanged. A message up the tree describes all ranks below
 * its sender, whose parts agree; so if two messages differ, they name two ranks whose parts differ.
 * Adjacent ranges are merged, so if two overlap, a second round asks which ranks have them.
 */
#include "src/core/allocate.h"
#include "src/mpi/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a of 64 bits. */
static uint64_t hash(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ at[i]) * 0x100000001b3u;
    return sum;
}

static const uint64_t hash_start = 0xcbf29ce484222325u;

/* ---- The description of this rank -------------------------------------------------------------*/

static void list_texts(const reap_part_description *part, const char *texts[REAP__MPI_TEXTS])
{
    texts[REAP__MPI_KERNEL] = part->kernel_name;
    texts[REAP__MPI_REDUCTION] = part->reduction;
    texts[REAP__MPI_OPERATION] = part->operation;
    texts[REAP__MPI_TYPE] = part->type;
}

uint64_t reap__mpi_hash(const reap_part_description *part)
{
    const char *texts[REAP__MPI_TEXTS];
    const uint64_t size = part->value_size;
    uint64_t sum = hash(hash_start, &size, sizeof size);
    list_texts(part, texts);
    for (size_t t = 0; t < REAP__MPI_TEXTS; t++)
        sum = hash(sum, texts[t], strlen(texts[t]) + 1);
    return sum;
}

static void describe_kernel(const reap_part_description *part, struct reap__mpi_report *report)
{
    const char *texts[REAP__MPI_TEXTS];
    report->hash = reap__mpi_hash(part);
    list_texts(part, texts);
    for (size_t t = 0; t < REAP__MPI_TEXTS; t++)
        snprintf(report->texts[t], sizeof report->texts[t], "%s", texts[t]);
}

static void describe_items(const reap_part_description *part, int rank,
                           struct reap__mpi_report *report)
{
    report->items_rank = rank;
    report->group_items = part->group_items;
    report->count = part->count;
    report->identity_hash =
        part->identity == NULL ? 0 : hash(hash_start, part->identity, part->value_size);
    report->word_size = part->word_count > 0 ? part->word_size : 0;
    report->words_of_value = part->words_of_value;
}

#ifndef REAP__MPI_NCCL_BYTES /* tests have less */
#define REAP__MPI_NCCL_BYTES (1 << 18)
#endif

/* NCCL is faster for long arrays: on two H100s it takes 190 us for 64 KiB, and copies through the
 * host 75; for 512 KiB both take the same time, for 4 MiB NCCL a tenth. */
static void consider_nccl(const reap_mpi_request *request, const reap_part_description *part,
                          struct reap__mpi_report *report)
{
    struct reap__mpi_nccl *nccl = request->context->nccl;
    const char *why = "its array takes less than 256 KiB";
    if (nccl->is_off) {
        reap__mpi_report_avoid(report, -1, nccl->why);
        return;
    }
    if (part->count > 0 && part->word_count * part->word_size >= REAP__MPI_NCCL_BYTES)
        why = reap__mpi_nccl_refuse(nccl, request->part, part);
    if (why != NULL)
        reap__mpi_report_avoid(report, request->context->rank, why);
}

reap_status reap__mpi_list_ranges(const reap_part *part, size_t count, reap_part_range **ranges)
{
    *ranges = reap__allocate(count * sizeof **ranges);
    if (*ranges == NULL)
        return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for %zu ranges", count);
    for (size_t r = 0; r < count; r++)
        REAP_TRY(reap_part_get_range(part, r, &(*ranges)[r]));
    return REAP_OK;
}

reap_status reap__mpi_agreement_describe(const reap_mpi_request *request,
                                         struct reap__mpi_message *message)
{
    const int rank = request->context->rank, ranks = request->context->ranks;
    const size_t count = reap_part_range_count(request->part);
    struct reap__mpi_report *report = &message->report;
    reap_part_description part;
    report->rank = rank;
    report->root = request->root;
    if (request->root < -1)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "the root is negative");
    if (request->root >= ranks)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "the root is %d, but there are %d ranks",
                              request->root, ranks);
    if (request->part == NULL)
        return reap__mpi_fail(REAP_ERROR_INVALID_ARGUMENT, "the part is NULL");
    REAP_TRY(reap_part_describe(request->part, &part));
    describe_kernel(&part, report);
    if (count == 0) {
        reap__mpi_report_avoid(report, rank, "its part has no items");
        return REAP_OK;
    }
    describe_items(&part, rank, report);
    consider_nccl(request, &part, report);
    reap_part_range *ranges = NULL;
    const reap_status status = reap__mpi_list_ranges(request->part, count, &ranges);
    message->bytes = (unsigned char *)ranges;
    report->byte_count = ranges != NULL ? count * sizeof *ranges : 0;
    return status;
}

/* ---- Comparing --------------------------------------------------------------------------------*/

static void differ(const reap_mpi_request *request, struct reap__mpi_report *report,
                   const char *what)
{
    report->status = REAP_ERROR_INVALID_ARGUMENT;
    snprintf(report->message, sizeof report->message, "%s: %s", request->call, what);
}

static void name_call(const struct reap__mpi_report *report, char *text, size_t size)
{
    if (report->root < 0)
        snprintf(text, size, "rank %d calls reap_mpi_allreduce", (int)report->rank);
    else
        snprintf(text, size, "rank %d calls reap_mpi_reduce with root %d", (int)report->rank,
                 (int)report->root);
}

static void compare_calls(const reap_mpi_request *request, struct reap__mpi_report *mine,
                          const struct reap__mpi_report *other)
{
    char what[256], one[96], two[96];
    if (mine->root == other->root)
        return;
    name_call(mine, one, sizeof one);
    name_call(other, two, sizeof two);
    snprintf(what, sizeof what, "%s, and %s", one, two);
    differ(request, mine, what);
}

static void compare_kernels(const reap_mpi_request *request, struct reap__mpi_report *mine,
                            const struct reap__mpi_report *other)
{
    char what[600];
    if (mine->hash == other->hash || mine->status != REAP_OK)
        return;
    snprintf(what, sizeof what,
             "rank %d's part is of kernel '%s', reduction '%s' (%s of %s), and rank %d's of kernel "
             "'%s', reduction '%s' (%s of %s)",
             (int)other->rank, other->texts[REAP__MPI_KERNEL], other->texts[REAP__MPI_REDUCTION],
             other->texts[REAP__MPI_OPERATION], other->texts[REAP__MPI_TYPE], (int)mine->rank,
             mine->texts[REAP__MPI_KERNEL], mine->texts[REAP__MPI_REDUCTION],
             mine->texts[REAP__MPI_OPERATION], mine->texts[REAP__MPI_TYPE]);
    differ(request, mine, what);
}

static void compare_items(const reap_mpi_request *request, struct reap__mpi_report *mine,
                          const struct reap__mpi_report *other)
{
    const int rank = (int)other->items_rank, my_rank = (int)mine->items_rank;
    char what[256] = "";
    if (rank < 0 || my_rank < 0 || mine->status != REAP_OK)
        return;
    if (other->group_items != mine->group_items)
        snprintf(what, sizeof what,
                 "rank %d's part has work-groups of %" PRIu64
                 " work-items, and rank %d's of %" PRIu64,
                 rank, other->group_items, my_rank, mine->group_items);
    else if (other->count != mine->count)
        snprintf(what, sizeof what,
                 "rank %d's part has %" PRIu64 " elements, and rank %d's has %" PRIu64, rank,
                 other->count, my_rank, mine->count);
    else if (other->identity_hash != mine->identity_hash)
        snprintf(what, sizeof what,
                 "rank %d's part has items with another .identity than rank %d's", rank, my_rank);
    if (what[0] != '\0')
        differ(request, mine, what);
}

/* ---- Ranges -----------------------------------------------------------------------------------*/

/* Appends a range to those before it, or extends the last one. Returns whether they overlap. */
static bool append(reap_part_range *ranges, size_t *count, const reap_part_range *next)
{
    reap_part_range *last = *count > 0 ? &ranges[*count - 1] : NULL;
    const bool is_overlap = last != NULL && next->first < last->end;
    if (last == NULL || next->first > last->end)
        ranges[(*count)++] = *next;
    else if (next->end > last->end)
        last->end = next->end;
    return is_overlap;
}

bool reap__mpi_merge_ranges(const struct reap__mpi_ranges *a, const struct reap__mpi_ranges *b,
                            reap_part_range *both, size_t *count, uint64_t *overlap)
{
    bool is_overlap = false;
    *count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const bool is_of_a = j == b->count || (i < a->count && a->at[i].first <= b->at[j].first);
        const reap_part_range *next = is_of_a ? &a->at[i++] : &b->at[j++];
        if (append(both, count, next) && !is_overlap) {
            is_overlap = true;
            *overlap = next->first;
        }
    }
    return is_overlap;
}

static void merge_ranges(struct reap__mpi_message *message, const unsigned char *bytes,
                         size_t byte_count)
{
    const size_t size = sizeof(reap_part_range);
    struct reap__mpi_report *report = &message->report;
    const struct reap__mpi_ranges mine = {(const reap_part_range *)(const void *)message->bytes,
                                          (size_t)report->byte_count / size};
    const struct reap__mpi_ranges other = {(const reap_part_range *)(const void *)bytes,
                                           byte_count / size};
    size_t count;
    uint64_t overlap;
    reap_part_range *both = reap__allocate((mine.count + other.count) * size);
    if (both == NULL) {
        report->status = REAP_ERROR_OUT_OF_MEMORY;
        snprintf(report->message, sizeof report->message, "rank %d: no memory for %zu ranges",
                 (int)report->rank, mine.count + other.count);
        return;
    }
    if (reap__mpi_merge_ranges(&mine, &other, both, &count, &overlap) && !report->is_overlap) {
        report->is_overlap = 1;
        report->overlap = overlap;
    }
    reap__free(message->bytes);
    message->bytes = (unsigned char *)both;
    report->byte_count = count * size;
}

void reap__mpi_agreement_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                              const struct reap__mpi_report *report, unsigned char *bytes)
{
    struct reap__mpi_report *mine = &message->report;
    reap__mpi_report_loss(mine, report, request->call);
    if (mine->status == REAP_OK && report->status == REAP_OK) {
        compare_calls(request, mine, report);
        compare_kernels(request, mine, report);
        compare_items(request, mine, report);
    }
    reap__mpi_report_adopt(mine, report);
    reap__mpi_report_avoid_too(mine, report);
    if (mine->status == REAP_OK && mine->items_rank < 0) {
        mine->items_rank = report->items_rank;
        mine->group_items = report->group_items;
        mine->count = report->count;
        mine->identity_hash = report->identity_hash;
        mine->word_size = report->word_size;
        mine->words_of_value = report->words_of_value;
    }
    if (mine->status == REAP_OK && report->is_overlap && !mine->is_overlap) {
        mine->is_overlap = 1;
        mine->overlap = report->overlap;
    }
    if (mine->status == REAP_OK && report->byte_count > 0)
        merge_ranges(message, bytes, (size_t)report->byte_count);
    reap__free(bytes);
}

/* ---- The ranks that have an item --------------------------------------------------------------*/

struct owner {
    uint64_t rank;
    reap_part_range range;
};

reap_status reap__mpi_owners_describe(const reap_mpi_request *request, uint64_t item,
                                      struct reap__mpi_message *message)
{
    const size_t count = reap_part_range_count(request->part);
    struct owner *owners = reap__allocate(2 * sizeof *owners);
    if (owners == NULL)
        return reap__mpi_fail(REAP_ERROR_OUT_OF_MEMORY, "no memory for a message");
    message->bytes = (unsigned char *)owners;
    for (size_t r = 0; r < count; r++) {
        reap_part_range range;
        REAP_TRY(reap_part_get_range(request->part, r, &range));
        if (item >= range.first && item < range.end) {
            owners[0] = (struct owner){(uint64_t)request->context->rank, range};
            message->report.byte_count = sizeof *owners;
        }
    }
    return REAP_OK;
}

/* Keeps two owners, which are enough. */
void reap__mpi_owners_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                           const struct reap__mpi_report *report, unsigned char *bytes)
{
    struct owner *owners = (struct owner *)(void *)message->bytes;
    const struct owner *others = (const struct owner *)(const void *)bytes;
    size_t count = (size_t)message->report.byte_count / sizeof *owners;
    reap__mpi_report_loss(&message->report, report, request->call);
    reap__mpi_report_adopt(&message->report, report);
    for (size_t o = 0; owners != NULL && o < report->byte_count / sizeof *owners && count < 2; o++)
        owners[count++] = others[o];
    message->report.byte_count = count * sizeof *owners;
    reap__free(bytes);
}

void reap__mpi_owners_report(const reap_mpi_request *request, struct reap__mpi_message *message)
{
    const struct owner *owners = (const struct owner *)(const void *)message->bytes;
    char what[256];
    if (message->report.status != REAP_OK)
        return;
    if (message->report.byte_count / sizeof *owners < 2)
        snprintf(what, sizeof what, "the ranges of the parts overlap");
    else
        snprintf(what, sizeof what,
                 "work-items %" PRIu64 " to %" PRIu64 " of rank %d overlap work-items %" PRIu64
                 " to %" PRIu64 " of rank %d",
                 owners[1].range.first, owners[1].range.end - 1, (int)owners[1].rank,
                 owners[0].range.first, owners[0].range.end - 1, (int)owners[0].rank);
    differ(request, &message->report, what);
}
