/* SPDX-License-Identifier: Apache-2.0
 *
 * A reduction in flight. Its ranks go through rounds. Small parts take two, each an exchange:
 *
 *   merge     the parts' words or encodings, which each rank merges by itself
 *   settle    whether all ranks have the result; then parts change, which cannot fail
 *
 * Where that is not so, because a part is large (then without settle) or anything is wrong, other
 * rounds follow. They also come first on a communicator, since their reports say the library's
 * version. Each is a sweep up the tree and one down, so all ranks know the same at the end of a
 * round:
 *
 *   agree     what the parts are of, and their ranges; whether anything is wrong on a rank
 *   name      only if ranges overlap: which ranks have the item
 *   ready     only where words are added: whether all ranks have memory for them
 *   sum       words: MPI's own reduction or NCCL's, in place of move
 *   move      the other parts, up to the rank that gets them; down again if all do
 *   confirm   whether every rank that gets the items has them; then parts change, which cannot fail
 *
 * Where NCCL could add the words (nccl.h), the rounds turn, invite and connect come before ready: a
 * request waits for those before it, rank 0 sends NCCL's id, once for a context, and the ranks
 * connect. The round check, after connect and after sum, tells all whether it worked on all; if
 * not, MPI adds the words.
 */
#ifndef REAP_MPI_REQUEST_H
#define REAP_MPI_REQUEST_H

#include "src/mpi/exchange.h"
#include "src/mpi/message.h"
#include "src/mpi/nccl.h"

#include <stddef.h>

enum reap__mpi_round {
    REAP__MPI_DUPLICATE, /* until the duplicate exists, and the request's tag is free */
    REAP__MPI_MERGE,
    REAP__MPI_SETTLE,
    REAP__MPI_AGREE,
    REAP__MPI_NAME,
    REAP__MPI_TURN,
    REAP__MPI_INVITE,
    REAP__MPI_CONNECT,
    REAP__MPI_CHECK,
    REAP__MPI_READY,
    REAP__MPI_MOVE,
    REAP__MPI_CONFIRM,
    REAP__MPI_SUM,
    REAP__MPI_DONE
};

struct reap_mpi_request {
    reap_mpi_request *next; /* of the context's */
    struct reap__mpi_context *context;
    const char *call; /* the public function */
    reap_part *part;  /* the program's; not changed before the end */
    int root;         /* -1: all ranks get the items */
    enum reap__mpi_round round;
    bool is_down; /* the round's sweep */
    struct reap__mpi_sweep sweep;
    struct reap__mpi_message message; /* of the round */
    struct reap__mpi_report failure;  /* what went wrong here, or was reported by another rank */
    struct reap__mpi_report agreed;   /* the outcome of the first round */
    reap_part_range *ranges;          /* of all ranks, or so far, where their words are added */
    size_t range_count;
    reap_part *result; /* what the part is to have */

    unsigned char *words;
    size_t word_count, summed;
    MPI_Request reduction;
    bool uses_nccl, has_begun; /* NCCL's reduction */
    const char *why;           /* NCCL failed on this rank */
    void *sums;                /* what NCCL writes, in the device's memory */
    bool has_summed; /* and MPI's reductions of later requests may begin: their order is the same on
                      * all ranks */

    bool is_broken; /* MPI failed, and may still use this memory */

    bool is_small;  /* merge: so were the parts of all ranks so far */
    bool is_good;   /* merge, settle: and nothing has been wrong */
    bool has_words; /* merge: of the ranges, and of what this is of: */
    uint64_t hash;
    struct reap__mpi_exchange exchange; /* the last member: its packets are not cleared */
};

static inline bool reap__mpi_gets_items(const reap_mpi_request *request)
{
    return request->root < 0 || request->root == request->context->rank;
}

/* ---- Parts (merge.c) --------------------------------------------------------------------------*/

/* What failed on this rank: the last error. */
void reap__mpi_note(reap_mpi_request *request, reap_status status);

/* An encoding of the request's reduction. */
reap_status reap__mpi_read_part(const reap_mpi_request *request, const unsigned char *bytes,
                                uint64_t size, reap_part **part);

/* The result, of the ranges and the words. */
reap_status reap__mpi_make_of_words(reap_mpi_request *request);

/* The exchanges merge and settle; MPI's status. After merge, is_small is the same on all ranks, and
 * after settle is_good. If both are set, the ranks have the result; else what has been merged is
 * discarded. */
void reap__mpi_begin_merge(reap_mpi_request *request);
int reap__mpi_merge(reap_mpi_request *request, int tag, bool *is_complete);
void reap__mpi_end_merge(reap_mpi_request *request);
int reap__mpi_settle(reap_mpi_request *request, int tag, bool *is_complete);
void reap__mpi_discard_merged(reap_mpi_request *request);

/* ---- Agreement (agreement.c) ------------------------------------------------------------------*/

/* Of the kernel, the reduction, the operator and the type. */
uint64_t reap__mpi_hash(const reap_part_description *part);

/* Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__mpi_list_ranges(const reap_part *part, size_t count, reap_part_range **ranges);

/* Ranges in order, and two lists of them as one, in which those that touch are one. Whether two
 * overlap, and where. */
struct reap__mpi_ranges {
    const reap_part_range *at;
    size_t count;
};
bool reap__mpi_merge_ranges(const struct reap__mpi_ranges *a, const struct reap__mpi_ranges *b,
                            reap_part_range *both, size_t *count, uint64_t *overlap);

/* What this rank says of its part; fails with the part. */
reap_status reap__mpi_agreement_describe(const reap_mpi_request *request,
                                         struct reap__mpi_message *message);

/* Compares a child's message with this rank's, and adds its ranges. */
void reap__mpi_agreement_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                              const struct reap__mpi_report *report, unsigned char *bytes);

/* The round `name`: this rank's range with the item, if it has one; a child's; and the message. */
reap_status reap__mpi_owners_describe(const reap_mpi_request *request, uint64_t item,
                                      struct reap__mpi_message *message);
void reap__mpi_owners_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                           const struct reap__mpi_report *report, unsigned char *bytes);
void reap__mpi_owners_report(const reap_mpi_request *request, struct reap__mpi_message *message);

#endif
