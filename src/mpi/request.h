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
    struct reap__mpi_report agreed;   /* the outcome of the round `agree` */
    reap_part_range *ranges;          /* if words are added: the ranges of all ranks, or so far */
    size_t range_count;
    reap_part *result; /* the part's new contents */

    unsigned char *words;
    size_t word_count, summed;
    MPI_Request reduction;
    bool uses_nccl, has_begun; /* NCCL's reduction */
    const char *why;           /* NCCL failed on this rank */
    void *sums;                /* what NCCL writes, in the device's memory */
    bool has_summed; /* the words are added, or being added: MPI's reductions of later requests may
                        begin, in the same order on all ranks */

    bool is_broken; /* MPI failed, and may still use this memory */

    bool is_small;                      /* merge: the parts of all ranks so far were small */
    bool is_good;                       /* merge, settle: no error so far */
    bool has_words;                     /* merge: words and ranges are sent, not an encoding */
    uint64_t hash;                      /* merge: of the part's reduction */
    struct reap__mpi_exchange exchange; /* the last member: its packets are not cleared */
};

static inline bool reap__mpi_gets_items(const reap_mpi_request *request)
{
    return request->root < 0 || request->root == request->context->rank;
}

/* ---- Parts (merge.c) --------------------------------------------------------------------------*/

/* Records a failure of this rank, with this thread's last error. REAP_OK: does nothing. */
void reap__mpi_note(reap_mpi_request *request, reap_status status);

/* Reads an encoding of a part of the request's reduction. Fails as reap_part_read. */
reap_status reap__mpi_read_part(const reap_mpi_request *request, const unsigned char *bytes,
                                uint64_t size, reap_part **part);

/* Makes the result of the ranges and the words. Fails as reap_part_set_words. */
reap_status reap__mpi_make_of_words(reap_mpi_request *request);

/* The exchanges merge and settle; return MPI's status. After merge, is_small is the same on all
 * ranks, and after settle is_good. If both are set, the ranks have the result; else what has been
 * merged is discarded. */
void reap__mpi_begin_merge(reap_mpi_request *request);
int reap__mpi_merge(reap_mpi_request *request, int tag, bool *is_complete);
void reap__mpi_end_merge(reap_mpi_request *request);
int reap__mpi_settle(reap_mpi_request *request, int tag, bool *is_complete);
void reap__mpi_discard_merged(reap_mpi_request *request);

/* ---- Agreement (agreement.c) ------------------------------------------------------------------*/

/* Returns a hash of the names of the kernel, the reduction, the operator and the type, and of the
 * size of values. */
uint64_t reap__mpi_hash(const reap_part_description *part);

/* Lists the ranges of a part. The caller frees them, also after a failure. Fails with
 * REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__mpi_list_ranges(const reap_part *part, size_t count, reap_part_range **ranges);

/* Ranges in order. Merges two lists; adjacent ranges become one. Returns whether two overlap, and
 * sets *overlap to an item that both have. */
struct reap__mpi_ranges {
    const reap_part_range *at;
    size_t count;
};
bool reap__mpi_merge_ranges(const struct reap__mpi_ranges *a, const struct reap__mpi_ranges *b,
                            reap_part_range *both, size_t *count, uint64_t *overlap);

/* Describes this rank's part in a message. Fails as functions of the part do. */
reap_status reap__mpi_agreement_describe(const reap_mpi_request *request,
                                         struct reap__mpi_message *message);

/* Compares a child's message with this rank's, and adds its ranges. */
void reap__mpi_agreement_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                              const struct reap__mpi_report *report, unsigned char *bytes);

/* The round `name`: adds this rank's range with the item to the message, if it has one; adds those
 * of a child; makes the failure. */
reap_status reap__mpi_owners_describe(const reap_mpi_request *request, uint64_t item,
                                      struct reap__mpi_message *message);
void reap__mpi_owners_take(const reap_mpi_request *request, struct reap__mpi_message *message,
                           const struct reap__mpi_report *report, unsigned char *bytes);
void reap__mpi_owners_report(const reap_mpi_request *request, struct reap__mpi_message *message);

#endif
