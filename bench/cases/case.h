/* SPDX-License-Identifier: Apache-2.0
 *
 * A case: work that is tested and measured, said once. How Reap's user writes it (kernel and
 * launch), the types of elements it has, its variants and inputs, and a naive loop whose results
 * every side's must equal.
 */
#ifndef BENCH_CASES_CASE_H
#define BENCH_CASES_CASE_H

#include "bench/peers/peer.h"

/* What arrays hold. */
enum bench_input {
    BENCH_SIGNS,   /* -1, 0 and 1: every order of additions has the same sums (data.c) */
    BENCH_RANDOM,  /* floating-point numbers between -1 and 1, integers of all sizes */
    BENCH_UNIFORM, /* numbers below the variant's extent, of 32 bits in x: all alike */
    BENCH_SKEWED,  /* small ones far more often: k in proportion to (k + 1)^(-2/3), as Zipf's law */
    BENCH_ONE      /* all the same */
};

struct bench_variant {
    const char *name; /* "" where the case has one variant alone */
    size_t extent;
    enum bench_input input;
};

struct bench_case {
    const char *name, *title;
    const char *library_name;         /* of the case that libraries offer for it; NULL: the name */
    const struct bench_offer *offers; /* Reap's */
    size_t offer_count;
    const struct bench_variant *variants;
    size_t variant_count;
    size_t arrays;            /* 1: x; 2: x and y */
    size_t words;             /* values of the type that make an element */
    bool is_loop;             /* the extent is how many consecutive arrays a call works on */
    bool has_bins;            /* the extent is how many bins, of the type (uint32_t, int, float) */
    bool has_rows;            /* the extent is how many elements a row has */
    unsigned least, most;     /* log2 of the sizes it is measured at; none where most is 0 */
    bool has_speedup;         /* is measured for each number of threads, too */
    bool is_owed;             /* promises are about all its sizes, and about each cache */
    int value_count;          /* values of the result */
    double tolerance;         /* of a value, relative, or of 1; 0: the same bits */
    bench_function reference; /* the naive loop */
};

extern const struct bench_case *const bench_cases[];
extern const size_t bench_number_of_cases;

/* NULL where there is none. */
const struct bench_case *bench_case_find(const char *name);

size_t bench_type_bytes(enum bench_type type);
const char *bench_type_name(enum bench_type type);

/* The value of the type at x[i], for references. */
double bench_value(enum bench_type type, const void *x, size_t i);

/* What a call reads and writes at least. */
double bench_case_bytes(const struct bench_case *work, const struct bench_task *task);

#endif
