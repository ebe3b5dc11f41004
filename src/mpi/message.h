/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of a reduction, and the tree that they take. A message is a report of fixed size, and
 * perhaps bytes. A sweep up the binomial tree brings a message from each rank to its parent, which
 * combines it with its own; a sweep down brings the root's to all. Nothing here waits.
 */
#ifndef REAP_MPI_MESSAGE_H
#define REAP_MPI_MESSAGE_H

#include "src/mpi/context.h"

enum { REAP__MPI_MESSAGE_BYTES = 640, REAP__MPI_TEXT_BYTES = 56, REAP__MPI_MOST_CHILDREN = 31 };

/* The texts of a report that identify what a part reduces. */
enum {
    REAP__MPI_KERNEL,
    REAP__MPI_REDUCTION,
    REAP__MPI_OPERATION,
    REAP__MPI_TYPE,
    REAP__MPI_TEXTS
};

/* In the memory's layout of one machine: `magic` differs on another. The size and the first three
 * members are the same in all versions. */
struct reap__mpi_report {
    uint64_t magic;
    uint64_t number;     /* the request's */
    uint64_t byte_count; /* that follow, in messages of REAP__MPI_MOST_BYTES */
    int32_t lost_rank;   /* down: which rank had no memory for the bytes, so they are missing from
                          * there on; -1: none */
    uint32_t status;     /* a reap_status: of the lowest rank on which something is wrong, */
    char message[REAP__MPI_MESSAGE_BYTES]; /* and what; or why a rank cannot use NCCL */

    /* What ranks compare; of the lowest rank that this is about. */
    int32_t rank;
    int32_t root; /* -1: all ranks get the items */
    uint64_t hash;
    char texts[REAP__MPI_TEXTS][REAP__MPI_TEXT_BYTES]; /* cut */

    /* Of the lowest rank whose part has items: */
    int32_t items_rank; /* -1: none has */
    uint64_t group_items, count, identity_hash, word_size, words_of_value;

    uint32_t avoids_nccl; /* some rank, whose reason is the message unless something is wrong */
    uint32_t is_overlap;
    uint64_t overlap; /* an item that several parts have */
};
_Static_assert(sizeof(struct reap__mpi_report) == 976, "other versions expect this size");

/* One message that is sent or received; all zero: none. */
struct reap__mpi_transfer {
    bool is_begun, is_receiving, has_report;
    bool is_unwanted; /* its bytes find no memory */
    int peer, tag;
    MPI_Request request;
    struct reap__mpi_report *report; /* the caller's */
    unsigned char *bytes;            /* sent: the caller's; received: allocated for the caller */
    size_t moved;
};

/* A message: its report and its bytes. */
struct reap__mpi_message {
    struct reap__mpi_report report;
    unsigned char *bytes;
};

/* What a rank does in a sweep up. */
struct reap__mpi_visitor {
    /* takes a child's message into this rank's, and takes over its bytes */
    void (*take)(reap_mpi_request *request, const struct reap__mpi_report *report,
                 unsigned char *bytes);
    /* completes this rank's message, once all children's have been taken */
    void (*seal)(reap_mpi_request *request);
};

/* The state of a sweep. */
struct reap__mpi_sweep {
    int root, tag;
    struct reap__mpi_message *message; /* this rank's; down: replaced by the root's */
    uint64_t mask; /* up: of the next child or the parent; down: 0 before the parent has sent */
    struct reap__mpi_report received;
    struct reap__mpi_transfer transfer;                          /* up; down from the parent */
    struct reap__mpi_transfer children[REAP__MPI_MOST_CHILDREN]; /* down */
};

void reap__mpi_sweep_begin(struct reap__mpi_sweep *sweep, int root, int tag,
                           struct reap__mpi_message *message);

/* Advance a sweep up, or down, without blocking; set *is_complete to whether this rank's part of it
 * has ended. Return MPI's status. */
int reap__mpi_sweep_up(struct reap__mpi_context *context, struct reap__mpi_sweep *sweep,
                       const struct reap__mpi_visitor *visitor, reap_mpi_request *request,
                       bool *is_complete);
int reap__mpi_sweep_down(struct reap__mpi_context *context, struct reap__mpi_sweep *sweep,
                         bool *is_complete);

/* Makes an empty report for the request with this number. */
void reap__mpi_report_clear(struct reap__mpi_report *report, uint64_t number);

/* Sets the report's error to this thread's last error, after "`call`: rank n: ", unless it has one.
 */
void reap__mpi_report_failure(struct reap__mpi_report *report, reap_status status, const char *call,
                              int rank);

/* Sets the report's error unless it has one: the bytes of the message with the other report were
 * lost for lack of memory. */
void reap__mpi_report_loss(struct reap__mpi_report *report, const struct reap__mpi_report *other,
                           const char *call);

/* Copies the other report's error, unless this one has one. */
void reap__mpi_report_adopt(struct reap__mpi_report *report, const struct reap__mpi_report *other);

/* Notes that a rank (negative: no rank) cannot use NCCL, and why; `too` copies that from another
 * report, unless it is noted already. */
void reap__mpi_report_avoid(struct reap__mpi_report *report, int rank, const char *why);
void reap__mpi_report_avoid_too(struct reap__mpi_report *report,
                                const struct reap__mpi_report *other);

#endif
