/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions to be cut into parts: kernels of every type and operator, their inputs, and launches
 * of some of their items into variables or parts.
 */
#ifndef TESTS_CONFORMANCE_PART_TRIALS_H
#define TESTS_CONFORMANCE_PART_TRIALS_H

#include "tests/conformance/inputs.h"

#include <reap/detail/kernel_table.h>
#include <reap/reap.h>
#include <stdbool.h>

enum { MOST_REDUCTIONS = 8, ELEMENTS = 61, MOST_BYTES = 32768 };

/* A kernel; of its arrays, which has inputs of a type and which says how often items combine; how
 * many inputs an item has. */
struct subject {
    const struct reap_kernel *kernel;
    enum input_type input;
    unsigned each;
    size_t largest;
    size_t group; /* work-items of a group; 0: none */
    bool is_quick;
};

/* A reduction's variable as the tests have it: the value or the array, and a location. */
struct variable {
    _Alignas(64) unsigned char bytes[MOST_BYTES];
    uint64_t location;
};

struct trial {
    const struct subject *subject;
    size_t items;
    unsigned char *inputs, *times;
    size_t input_bytes; /* of an item */
    size_t reductions;
    const struct reap__parameter *parameters[MOST_REDUCTIONS];
    bool has_identity[MOST_REDUCTIONS]; /* the launches' own */
    struct variable identity;
    reap_queue *queue;
    uint64_t *random;
};

struct piece {
    size_t first, items;
};

extern const struct subject part_subjects[];
extern const size_t part_subject_count;

/* The inputs of a subject, drawn, and whether arrays of any size stay on devices; the caller's, as
 * the queue and the random state that it refers to. */
struct trial *trial_create(const struct subject *subject, reap_queue *queue, uint64_t *random);
void trial_release(struct trial *trial);

/* From 0 to most. */
size_t trial_draw(uint64_t *random, size_t most);

/* Where items may be cut, often at or after a leaf's beginning. */
size_t trial_draw_cut(const struct trial *trial);

/* Into variables or parts. */
reap_status trial_launch(const struct trial *trial, const struct piece *piece,
                         struct variable *variables, reap_part *const *parts);

/* A part of each reduction. */
reap_status trial_create_parts(const struct trial *trial, reap_part **parts);
void trial_release_parts(const struct trial *trial, reap_part **parts);

/* Gives all variables the same values. */
void trial_fill(const struct trial *trial, struct variable *expected, struct variable *found);

/* Finishes the parts of all items into variables; whether these are as others, of which it prints
 * those that are not. The caller counts it as a comparison of each reduction. */
bool trial_compare(const struct trial *trial, reap_part *const *parts, struct variable *found,
                   const struct variable *expected);

#endif
