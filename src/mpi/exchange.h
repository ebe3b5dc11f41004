/* SPDX-License-Identifier: Apache-2.0
 *
 * An exchange: each rank gets what all ranks have, in about log2 of their number steps (recursive
 * doubling). In a step a rank sends what it has so far to another one, which sends its own, and
 * both merge the two. If the number of ranks is not a power of two, some ranks first send theirs to
 * their neighbour, and receive the outcome at the end. Each rank merges by itself: a rank on which
 * merging fails has another outcome than others. Nothing here waits.
 */
#ifndef REAP_MPI_EXCHANGE_H
#define REAP_MPI_EXCHANGE_H

#include "src/mpi/context.h"

/* With Open MPI's header a packet is 4 KiB, the most that it sends through shared memory without a
 * reply of the receiver. */
enum { REAP__MPI_PACKET_BYTES = 4000, REAP__MPI_PACKET_HEADER = 24 };

/* The first message of a step; bytes that do not fit follow in a second one. */
struct reap__mpi_packet {
    uint64_t number;     /* the request's */
    uint32_t byte_count; /* in all; at most REAP__MPI_MOST_BYTES */
    uint16_t is_small;   /* all parts merged into it were small */
    uint16_t is_good;    /* no error so far */
    int32_t root;        /* -1: all ranks get the items */
    uint32_t has_words;  /* the bytes are ranges and words, not an encoding */
    unsigned char bytes[REAP__MPI_PACKET_BYTES - REAP__MPI_PACKET_HEADER];
};

/* What a rank does in a step. */
struct reap__mpi_exchanger {
    /* Fills the packet that this rank sends; byte_count is 0 before. If the bytes do not fit, sets
     * *bytes to memory from reap__allocate, which the exchange frees. */
    void (*fill)(reap_mpi_request *request, struct reap__mpi_packet *packet, unsigned char **bytes);
    /* Merges a received packet; bytes is NULL if there was no memory for them. is_outcome: it
     * replaces what this rank has. */
    void (*take)(reap_mpi_request *request, const struct reap__mpi_packet *packet,
                 const unsigned char *bytes, bool is_outcome);
};

/* Messages of a step. */
enum {
    REAP__MPI_PACKET_IN,
    REAP__MPI_REST_IN,
    REAP__MPI_PACKET_OUT,
    REAP__MPI_REST_OUT,
    REAP__MPI_TRANSFERS
};

/* The state of an exchange. All members except the packets are zero before it begins, and again
 * once it is complete. */
struct reap__mpi_exchange {
    unsigned step;
    bool is_begun, has_packet;
    MPI_Request requests[REAP__MPI_TRANSFERS];
    unsigned char *sent, *received;  /* all bytes, if they do not fit */
    struct reap__mpi_packet out, in; /* not initialised */
};

/* Advances an exchange as far as possible without blocking; returns MPI's status. */
int reap__mpi_exchange_advance(struct reap__mpi_context *context,
                               struct reap__mpi_exchange *exchange,
                               const struct reap__mpi_exchanger *exchanger,
                               reap_mpi_request *request, int tag, bool *is_complete);

#endif
