/* SPDX-License-Identifier: Apache-2.0
 *
 * See exchange.h. With 2^k + r ranks, the first 2 r ranks are r pairs. The second rank of a pair
 * sends what it has to the first one, which represents both. The first ranks of pairs and all ranks
 * after the pairs have the numbers 0 to 2^k - 1; in step s those exchange whose numbers differ in
 * bit s - 1. So a rank always has what consecutive ranks have.
 */
#include "src/mpi/exchange.h"

#include "src/core/allocate.h"

#include <string.h>

struct step {
    bool sends, receives, has_outcome;
    int peer;
};

/* Finds the step of this number, in which the rank may have nothing to do. Returns false after the
 * last step. */
static bool find_step(const struct reap__mpi_context *context, unsigned number, struct step *step)
{
    const unsigned ranks = (unsigned)context->ranks, rank = (unsigned)context->rank;
    unsigned log2 = 0;
    while (ranks >> log2 > 1)
        log2++;
    const unsigned pairs = ranks - (1u << log2);
    const bool is_in_pair = rank < 2 * pairs, is_second = is_in_pair && rank % 2 == 1;
    const unsigned place = is_in_pair ? rank / 2 : rank - pairs;
    *step = (struct step){.has_outcome = number > log2};
    if (number == 0 || number > log2) {
        step->sends = is_in_pair && is_second == (number == 0);
        step->receives = is_in_pair && !step->sends;
        step->peer = (int)(rank ^ 1);
    } else if (!is_second) {
        const unsigned other = place ^ (1u << (number - 1));
        step->sends = step->receives = true;
        step->peer = (int)(other < pairs ? 2 * other : other + pairs);
    }
    return number <= log2 + 1;
}

/* Returns how many bytes are in a packet; the others follow it. */
static size_t bytes_inside(const struct reap__mpi_packet *packet)
{
    return packet->byte_count < sizeof packet->bytes ? packet->byte_count : sizeof packet->bytes;
}

static int send(struct reap__mpi_context *context, struct reap__mpi_exchange *exchange, int peer,
                int tag)
{
    struct reap__mpi_packet *out = &exchange->out;
    const size_t inside = bytes_inside(out), rest = out->byte_count - inside;
    if (exchange->sent != NULL)
        memcpy(out->bytes, exchange->sent, inside);
    int code = MPI_Isend(out, (int)(REAP__MPI_PACKET_HEADER + inside), MPI_BYTE, peer, tag,
                         context->comm, &exchange->requests[REAP__MPI_PACKET_OUT]);
    if (code == MPI_SUCCESS && rest > 0)
        code = MPI_Isend(exchange->sent + inside, (int)rest, MPI_BYTE, peer, tag, context->comm,
                         &exchange->requests[REAP__MPI_REST_OUT]);
    return code;
}

static int begin(struct reap__mpi_context *context, struct reap__mpi_exchange *exchange,
                 const struct reap__mpi_exchanger *exchanger, reap_mpi_request *request,
                 const struct step *step, int tag)
{
    int code = MPI_SUCCESS;
    exchange->is_begun = true;
    exchange->has_packet = !step->receives;
    for (size_t r = 0; r < REAP__MPI_TRANSFERS; r++)
        exchange->requests[r] = MPI_REQUEST_NULL;
    if (step->receives)
        code = MPI_Irecv(&exchange->in, REAP__MPI_PACKET_BYTES, MPI_BYTE, step->peer, tag,
                         context->comm, &exchange->requests[REAP__MPI_PACKET_IN]);
    if (code != MPI_SUCCESS || !step->sends)
        return code;
    exchange->out.byte_count = 0;
    (exchanger->fill)(request, &exchange->out, &exchange->sent);
    return send(context, exchange, step->peer, tag);
}

/* Receives the bytes that follow the packet; without memory for them, into `unwanted`. */
static int receive_rest(struct reap__mpi_context *context, struct reap__mpi_exchange *exchange,
                        int peer, int tag)
{
    const struct reap__mpi_packet *in = &exchange->in;
    const size_t inside = bytes_inside(in), rest = in->byte_count - inside;
    exchange->has_packet = true;
    if (rest == 0)
        return MPI_SUCCESS;
    exchange->received = reap__allocate(in->byte_count);
    if (exchange->received != NULL)
        memcpy(exchange->received, in->bytes, inside);
    return MPI_Irecv(exchange->received != NULL ? exchange->received + inside : context->unwanted,
                     (int)rest, MPI_BYTE, peer, tag, context->comm,
                     &exchange->requests[REAP__MPI_REST_IN]);
}

static void end(struct reap__mpi_exchange *exchange, const struct reap__mpi_exchanger *exchanger,
                reap_mpi_request *request, const struct step *step)
{
    const struct reap__mpi_packet *in = &exchange->in;
    const bool is_inside = step->receives && in->byte_count <= sizeof in->bytes;
    if (step->receives)
        (exchanger->take)(request, in, is_inside ? in->bytes : exchange->received,
                          step->has_outcome);
    reap__free(exchange->sent);
    reap__free(exchange->received);
    exchange->sent = exchange->received = NULL;
    exchange->is_begun = false;
}

/* Advances a step. Its first message has the size of the second one. */
static int advance(struct reap__mpi_context *context, struct reap__mpi_exchange *exchange,
                   const struct step *step, int tag, bool *is_complete)
{
    int is_moved = 1, code = MPI_SUCCESS;
    for (size_t r = 0; r < REAP__MPI_TRANSFERS && code == MPI_SUCCESS && is_moved; r++) {
        if (r == REAP__MPI_REST_IN && !exchange->has_packet)
            code = receive_rest(context, exchange, step->peer, tag);
        if (code == MPI_SUCCESS && exchange->requests[r] != MPI_REQUEST_NULL)
            code = MPI_Test(&exchange->requests[r], &is_moved, MPI_STATUS_IGNORE);
    }
    *is_complete = code == MPI_SUCCESS && is_moved;
    return code;
}

int reap__mpi_exchange_advance(struct reap__mpi_context *context,
                               struct reap__mpi_exchange *exchange,
                               const struct reap__mpi_exchanger *exchanger,
                               reap_mpi_request *request, int tag, bool *is_complete)
{
    struct step step;
    while (find_step(context, exchange->step, &step)) {
        int code = MPI_SUCCESS;
        bool is_ended = false;
        if (!exchange->is_begun)
            code = begin(context, exchange, exchanger, request, &step, tag);
        if (code == MPI_SUCCESS)
            code = advance(context, exchange, &step, tag, &is_ended);
        if (code != MPI_SUCCESS || !is_ended)
            return code;
        end(exchange, exchanger, request, &step);
        exchange->step++;
    }
    exchange->step = 0;
    *is_complete = true;
    return MPI_SUCCESS;
}
