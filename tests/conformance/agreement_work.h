/* SPDX-License-Identifier: Apache-2.0
 *
 * One group's trials: the inputs of a trial, drawn from its seed, so that they need not be kept,
 * what the reference makes of them, and what Reap does.
 */
#ifndef TESTS_CONFORMANCE_AGREEMENT_WORK_H
#define TESTS_CONFORMANCE_AGREEMENT_WORK_H

#include "tests/conformance/group.h"

struct trial {
    size_t count;
    unsigned flavour;
    uint64_t seed;
};

/* Room for one trial at a time. start, identity and result hold a row: a slot per reduction. */
struct workspace {
    const struct group *group;
    const struct trial *trial;
    size_t slot_bytes;
    unsigned char *memory, *start, *identity, *result;
    unsigned char *inputs; /* within memory, so that arrays begin at odd addresses too */
    struct reference_launch launch[GROUP_REDUCTIONS_MOST];
};

/* Allocates memory for the largest of the trials; workspace_close frees it. */
void workspace_open(const struct group *group, const struct trial *trials, size_t count,
                    struct workspace *work);
void workspace_close(struct workspace *work);
size_t workspace_row_bytes(const struct workspace *work);

/* Draws a trial's inputs, and for each reduction the variable's first value and whether the launch
 * gives an identity or the property. */
void workspace_prepare(struct workspace *work, const struct trial *trial);

/* The results of the reference, as a row. */
void workspace_expect(struct workspace *work, unsigned char *row);

/* Those of Reap stay in the workspace. */
reap_status workspace_launch(struct workspace *work, reap_queue *queue);

/* How many of these differ from the row; each is reported on standard error. */
unsigned workspace_compare(const struct workspace *work, const unsigned char *row);

#endif
