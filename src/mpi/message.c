/* SPDX-License-Identifier: Apache-2.0
 *
 * See message.h. The root is number 0 of the tree, and the others follow in their order, so the
 * ranks below a rank are consecutive: their parts' ranges usually touch. The bytes of a message are
 * sent one after the other in messages that always fit into an int's count.
 */
#include "src/mpi/message.h"

#include "src/core/allocate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAGIC UINT64_C(0x7265617070617202) /* the last byte is the version */

/* ---- Reports ----------------------------------------------------------------------------------*/

void reap__mpi_report_clear(struct reap__mpi_report *report, uint64_t number)
{
    memset(report, 0, sizeof *report);
    report->magic = MAGIC;
    report->number = number;
    report->lost_rank = -1;
    report->items_rank = -1;
}

void reap__mpi_report_failure(struct reap__mpi_report *report, reap_status status, const char *call,
                              int rank)
{
    if (report->status != REAP_OK)
        return;
    report->status = (uint32_t)status;
    snprintf(report->message, sizeof report->message, "%s: rank %d: %s", call, rank,
             reap_last_error());
}

void reap__mpi_report_adopt(struct reap__mpi_report *report, const struct reap__mpi_report *other)
{
    if (report->status != REAP_OK || other->status == REAP_OK)
        return;
    report->status = other->status;
    memcpy(report->message, other->message, sizeof report->message);
    report->message[sizeof report->message - 1] = '\0';
}

void reap__mpi_report_avoid(struct reap__mpi_report *report, int rank, const char *why)
{
    report->avoids_nccl = 1;
    if (report->status == REAP_OK && rank < 0)
        snprintf(report->message, sizeof report->message, "%s", why);
    else if (report->status == REAP_OK)
        snprintf(report->message, sizeof report->message, "rank %d: %s", rank, why);
}

void reap__mpi_report_avoid_too(struct reap__mpi_report *report,
                                const struct reap__mpi_report *other)
{
    if (report->avoids_nccl || !other->avoids_nccl)
        return;
    report->avoids_nccl = 1;
    if (report->status != REAP_OK)
        return;
    memcpy(report->message, other->message, sizeof report->message);
    report->message[sizeof report->message - 1] = '\0';
}

/* ---- Messages ---------------------------------------------------------------------------------*/

static int post(struct reap__mpi_context *context, struct reap__mpi_transfer *transfer, void *bytes,
                size_t count)
{
    const int peer = transfer->peer, tag = transfer->tag;
    return transfer->is_receiving ? MPI_Irecv(bytes, (int)count, MPI_BYTE, peer, tag, context->comm,
                                              &transfer->request)
                                  : MPI_Isend(bytes, (int)count, MPI_BYTE, peer, tag, context->comm,
                                              &transfer->request);
}

static int begin(struct reap__mpi_context *context, struct reap__mpi_transfer *transfer, int peer,
                 int tag, struct reap__mpi_report *report)
{
    transfer->is_begun = true;
    transfer->peer = peer;
    transfer->tag = tag;
    transfer->report = report;
    transfer->request = MPI_REQUEST_NULL;
    return post(context, transfer, report, sizeof *report);
}

static int begin_send(struct reap__mpi_context *context, struct reap__mpi_transfer *transfer,
                      int peer, int tag, struct reap__mpi_message *message)
{
    *transfer = (struct reap__mpi_transfer){.bytes = message->bytes};
    return begin(context, transfer, peer, tag, &message->report);
}

static int begin_receive(struct reap__mpi_context *context, struct reap__mpi_transfer *transfer,
                         int peer, int tag, struct reap__mpi_report *report)
{
    *transfer = (struct reap__mpi_transfer){.is_receiving = true};
    return begin(context, transfer, peer, tag, report);
}

/* Makes a report of another version a failure. Only its number of bytes is kept: they are received,
 * so that their sender does not wait forever. */
static void refuse_report(struct reap__mpi_transfer *transfer, uint64_t number)
{
    struct reap__mpi_report *report = transfer->report;
    const bool has_bytes = (report->magic ^ MAGIC) <= UINT8_MAX;
    const uint64_t byte_count = has_bytes ? report->byte_count : 0;
    reap__mpi_report_clear(report, number);
    report->byte_count = byte_count;
    report->status = REAP_ERROR_INVALID_ARGUMENT;
    snprintf(report->message, sizeof report->message,
             "rank %d uses another version of libreap_mpi, or another byte order", transfer->peer);
}

/* The report has come, or was sent. */
static void take_report(struct reap__mpi_transfer *transfer, uint64_t number)
{
    struct reap__mpi_report *report = transfer->report;
    transfer->has_report = true;
    if (!transfer->is_receiving)
        return;
    if (report->magic != MAGIC)
        refuse_report(transfer, number);
    assert(report->number == number); /* a tag is of one request at a time */
    if (report->byte_count == 0)
        return;
    if (report->status == REAP_OK && report->byte_count <= SIZE_MAX)
        transfer->bytes = reap__allocate((size_t)report->byte_count);
    transfer->is_unwanted = transfer->bytes == NULL;
}

/* Advances a message; sets *is_complete to whether it is complete. */
static int poll(struct reap__mpi_context *context, struct reap__mpi_transfer *transfer,
                uint64_t number, bool *is_complete)
{
    *is_complete = false;
    for (;;) {
        int is_moved = 0, code = MPI_Test(&transfer->request, &is_moved, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || !is_moved)
            return code;
        if (!transfer->has_report)
            take_report(transfer, number);
        const uint64_t left = transfer->report->byte_count - transfer->moved;
        const size_t count = left < REAP__MPI_MOST_BYTES ? (size_t)left : REAP__MPI_MOST_BYTES;
        *is_complete = count == 0;
        if (*is_complete)
            return MPI_SUCCESS;
        code = post(context, transfer,
                    transfer->is_unwanted ? context->unwanted : transfer->bytes + transfer->moved,
                    count);
        if (code != MPI_SUCCESS)
            return code;
        transfer->moved += count;
    }
}

/* Ends the receipt of a message. Returns its bytes, which may be missing. */
static unsigned char *end_receive(struct reap__mpi_transfer *transfer, int rank)
{
    if (transfer->is_unwanted) {
        transfer->report->byte_count = 0;
        transfer->report->lost_rank = transfer->report->status == REAP_OK ? rank : -1;
    }
    transfer->is_begun = false;
    return transfer->bytes;
}

void reap__mpi_report_loss(struct reap__mpi_report *report, const struct reap__mpi_report *other,
                           const char *call)
{
    if (other->lost_rank < 0)
        return;
    reap_set_last_error(REAP_ERROR_OUT_OF_MEMORY, "no memory for a message");
    reap__mpi_report_failure(report, REAP_ERROR_OUT_OF_MEMORY, call, (int)other->lost_rank);
}

/* ---- Sweeps -----------------------------------------------------------------------------------*/

void reap__mpi_sweep_begin(struct reap__mpi_sweep *sweep, int root, int tag,
                           struct reap__mpi_message *message)
{
    *sweep = (struct reap__mpi_sweep){.root = root, .tag = tag, .message = message};
}

static uint64_t number_in_tree(const struct reap__mpi_context *context, int root)
{
    const int64_t number = (int64_t)context->rank - root;
    return (uint64_t)(number < 0 ? number + context->ranks : number);
}

static int rank_of(const struct reap__mpi_context *context, int root, uint64_t number)
{
    return (int)((number + (uint64_t)root) % (uint64_t)context->ranks);
}

int reap__mpi_sweep_up(struct reap__mpi_context *context, struct reap__mpi_sweep *sweep,
                       const struct reap__mpi_visitor *visitor, reap_mpi_request *request,
                       bool *is_complete)
{
    const uint64_t number = number_in_tree(context, sweep->root), ranks = (uint64_t)context->ranks;
    struct reap__mpi_transfer *transfer = &sweep->transfer;
    int code = MPI_SUCCESS;
    if (sweep->mask == 0)
        sweep->mask = 1;
    for (; sweep->mask < ranks; sweep->mask <<= 1) {
        const bool is_parent = (number & sweep->mask) != 0;
        const uint64_t peer = is_parent ? number - sweep->mask : number + sweep->mask;
        bool is_moved = false;
        if (peer >= ranks)
            continue;
        const int rank = rank_of(context, sweep->root, peer);
        if (!transfer->is_begun && is_parent) {
            (visitor->seal)(request);
            code = begin_send(context, transfer, rank, sweep->tag, sweep->message);
        } else if (!transfer->is_begun) {
            code = begin_receive(context, transfer, rank, sweep->tag, &sweep->received);
        }
        if (code == MPI_SUCCESS)
            code = poll(context, transfer, sweep->message->report.number, &is_moved);
        if (code != MPI_SUCCESS || !is_moved)
            return code;
        transfer->is_begun = false;
        if (is_parent)
            break;
        unsigned char *bytes = end_receive(transfer, context->rank);
        (visitor->take)(request, &sweep->received, bytes);
    }
    if (number == 0)
        (visitor->seal)(request);
    *is_complete = true;
    return MPI_SUCCESS;
}

/* Receives the root's message from the parent. */
static int receive_down(struct reap__mpi_context *context, struct reap__mpi_sweep *sweep,
                        uint64_t number, bool *is_moved)
{
    struct reap__mpi_transfer *transfer = &sweep->transfer;
    struct reap__mpi_message *own = sweep->message;
    const int parent = rank_of(context, sweep->root, number & (number - 1));
    const uint64_t request = own->report.number;
    int code = MPI_SUCCESS;
    if (!transfer->is_begun) {
        reap__free(own->bytes);
        own->bytes = NULL;
        code = begin_receive(context, transfer, parent, sweep->tag, &sweep->received);
    }
    if (code == MPI_SUCCESS)
        code = poll(context, transfer, request, is_moved);
    if (code != MPI_SUCCESS || !*is_moved)
        return code;
    own->bytes = end_receive(transfer, context->rank);
    own->report = sweep->received;
    return MPI_SUCCESS;
}

int reap__mpi_sweep_down(struct reap__mpi_context *context, struct reap__mpi_sweep *sweep,
                         bool *is_complete)
{
    struct reap__mpi_message *own = sweep->message;
    const uint64_t number = number_in_tree(context, sweep->root), ranks = (uint64_t)context->ranks;
    const uint64_t request = own->report.number;
    const uint64_t most = number != 0 ? number & (0 - number) : (uint64_t)1 << 31;
    int code = MPI_SUCCESS, c = 0;
    bool is_moved = true, are_moved = true;
    if (sweep->mask == 0 && number != 0)
        code = receive_down(context, sweep, number, &is_moved);
    if (code != MPI_SUCCESS || !is_moved)
        return code;
    sweep->mask = 1;
    for (uint64_t mask = most >> 1; mask > 0 && code == MPI_SUCCESS; mask >>= 1) {
        if (number + mask >= ranks)
            continue;
        struct reap__mpi_transfer *child = &sweep->children[c++];
        if (!child->is_begun)
            code = begin_send(context, child, rank_of(context, sweep->root, number + mask),
                              sweep->tag, own);
        if (code == MPI_SUCCESS)
            code = poll(context, child, request, &is_moved);
        are_moved = are_moved && is_moved;
    }
    *is_complete = code == MPI_SUCCESS && are_moved;
    return code;
}
