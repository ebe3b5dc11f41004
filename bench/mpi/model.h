/* SPDX-License-Identifier: Apache-2.0
 *
 * What a reduction over ranks costs: messages and bytes of each rank, and the time until the last
 * rank has finished (docs/scale.md). Ranks have equal shares of the items, one after the other, and
 * rank 0 gets the result, or all ranks do. It is not the first one on a communicator, and the
 * encodings of all ranks are small, or those of none. It needs no MPI.
 */
#ifndef BENCH_MPI_MODEL_H
#define BENCH_MPI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_LEAF = 2048, /* items; types of up to 64 bytes */
    MODEL_LANES = 64,
    MODEL_PACKET_BYTES = 4000,   /* the first message of a step of an exchange, */
    MODEL_HEADER_BYTES = 24,     /* of which the header takes so many */
    MODEL_SMALL_BYTES = 1 << 16, /* of words or encodings: no sweeps */
    MODEL_WORDS_HEADER = 32,
    MODEL_REPORT_BYTES = 976,     /* a message of a sweep begins with a report */
    MODEL_MESSAGE_BYTES = 1 << 20 /* and more bytes follow in messages of at most so many */
};

/* A part's encoding, or its words, as far as their size is concerned. */
struct model_reduction {
    size_t fixed_bytes; /* of an encoding without ranges */
    size_t value_size;
    bool is_ordered;     /* rows of lanes; else a value and its location */
    uint64_t word_bytes; /* that are added in place of encodings; 0: encodings */
};

struct model_run {
    struct model_reduction reduction;
    uint64_t ranks, items; /* items of each rank */
    bool to_all;
};

/* The ranks below a rank in the tree, and the rank itself, are consecutive: the one after them. */
uint64_t model_end_of_subtree(uint64_t rank, uint64_t ranks);

/* Rows of lanes of the items `first` to `end` - 1, and single values before them. */
uint64_t model_rows(uint64_t first, uint64_t end);
uint64_t model_values(uint64_t first, uint64_t end);

/* The size of the encoding of the items of the ranks `first` to `end` - 1, or of their words where
 * these are exchanged. */
uint64_t model_encoding(const struct model_run *run, uint64_t first, uint64_t end);

/* Whether MPI adds words. */
bool model_adds_words(const struct model_run *run);

struct model_traffic {
    uint64_t sent, sent_bytes, received, received_bytes; /* messages of libreap_mpi */
};

struct model_traffic model_traffic(const struct model_run *run, uint64_t rank);

/* Seconds, and seconds for each byte. */
struct model_costs {
    double latency;  /* from the end of sending a message to the begin of receiving it */
    double message;  /* of the processor, to send a message, and again to receive it */
    double byte;     /* on the link */
    double merge;    /* to read and merge an encoding */
    double write;    /* to encode a part */
    double sum_byte; /* of two words, to be added */
    double cores;    /* that all ranks share; 0: each rank has one */
};

/* The time until all ranks have finished, if all begin at 0. */
double model_time(const struct model_run *run, const struct model_costs *costs);

/* MPI's own reduction of so many bytes, by the faster of two well-known algorithms. */
double model_sum_time(uint64_t bytes, uint64_t ranks, bool to_all, const struct model_costs *costs);

#endif
