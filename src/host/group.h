/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the work-items of a group. They are started one after the other on one stack. When an item
 * waits for the others, it keeps that stack, and from then on each item has its own. So a kernel
 * without barriers switches no stacks.
 */
#ifndef REAP_HOST_GROUP_H
#define REAP_HOST_GROUP_H

#include "src/core/backend.h"
#include "src/host/stacks.h"

#include <reap/detail/kernel_table.h>
#include <stdbool.h>

struct reap__host_run;
struct reap__scratch;

/* The memory of a local parameter. */
struct reap__host_local {
    const struct reap__parameter *parameter;
    unsigned char *memory;
    size_t bytes;
};

/* A reap_item_private variable, and the offset of its memory. */
struct reap__host_private_variable {
    const struct reap__private_variable *variable;
    size_t begin;
};
enum { MOST_PRIVATE_VARIABLES = 64 };

/* A group while it runs. The kernel's code sees the first member. */
struct reap__host_group {
    struct reap__group group;
    struct reap__host_run *run;
    struct reap__work work; /* the same for each of its items */
    void **locals;          /* the addresses in local_list, for the kernel's code */
    struct reap__host_local *local_list;
    size_t local_count;
    unsigned char *local_memory; /* of all of them; NULL: there are none */
    size_t local_bytes;
    struct reap__stacks *stacks;
    reap__item_function item; /* the kernel's; NULL: a kernel in phases */
    size_t runs;              /* fibers: one for each item, or one for all phases */
    size_t started;           /* how many have been started */
    size_t finished;          /* how many have finished, when the group has ended */
    size_t next_id[3]; /* of the item that is started next; in checked execution they are started
                          from the last to the first */

    /* The call sites of the round: that of its first item, and of items that wait at others. */
    const struct reap__call_site
        *site; /* of the first item; the same as the ring's, unless sanitizers watch */
    bool has_diverged;
    const struct reap__call_site *others[2]; /* the first two others */
    size_t at_others[2];                     /* how many items wait there, */
    size_t elsewhere;                        /* and how many at further ones */

    /* Sub-groups (group_run.c). */
    struct reap__host_sub_group {
        bool is_met;               /* an item of the group has called a function of sub-groups */
        struct reap__fiber *first; /* of the sub-group that runs alone; NULL: no sub-group does */
        struct reap__fiber *last;
        const struct reap__call_site *site; /* of the first item in its round; NULL: none yet */
        /* The call sites of items that do not wait there; NULL: they do. */
        const struct reap__call_site *others[REAP__SUB_GROUP_ITEMS];
        bool has_diverged;
        size_t
            ended; /* items that ended on the first fiber before an item called such a function */
    } sub_group;

    const struct reap__compiled
        *compiled; /* code that was compiled at run time; NULL: fibers or phases run the items */

    /* Kernels in phases, and those compiled at run time: memory for private variables. */
    unsigned char *private_memory;
    size_t private_bytes;
    size_t private_used;
    struct reap__host_private_variable
        private_variables[MOST_PRIVATE_VARIABLES]; /* that the group has declared so far */
    size_t private_count;

    /* Sanitizers. */
    bool is_watched;
    bool has_contexts; /* each work-item, or in phases each group, is a thread to ThreadSanitizer */
    void **contexts;   /* circular list of the newest ones; NULL: not made yet */
    size_t context_count;
    size_t next_context;
    void *thread_context;
    void *clean_context; /* ordered after what was done before the launch, and with no item or group
                          */
    const void *thread_bottom; /* the stack of the thread that runs the group, */
    size_t thread_bytes;       /* for AddressSanitizer: */
    bool from_thread;          /* unknown until the first switch */
};

/* Runs the work-items of one group of a REAP_ND_KERNEL, whose ids are set. Returns false if they
 * did not all reach the same barriers: the run has failed with REAP_ERROR_DIVERGENT_BARRIER. */
bool reap__host_group_run(struct reap__host_group *group);

/* The same for a REAP_GROUP_KERNEL. Returns true: reap__host_run_fail reports a phase that is left
 * early. */
bool reap__host_group_run_phases(struct reap__host_group *group);

/* The same for a kernel that was compiled at run time (compiled/). */
bool reap__host_group_run_compiled(struct reap__host_group *group);

/* The group of the work-items of a REAP_KERNEL. A barrier in it makes the run of the calling thread
 * fail. */
extern struct reap__group reap__host_no_group;

/* Sets the run that the thread works on; returns the previous one. */
static inline struct reap__host_run *reap__host_set_running(struct reap__host_run *run)
{
    struct reap__host_run *const before = reap__current_kernel_run;
    reap__current_kernel_run = run;
    return before;
}

/* ---- Local memory (local_memory.c) ------------------------------------------------------------*/

/* Takes memory for the kernel's local parameters, with guards under AddressSanitizer, Valgrind and
 * REAP_CHECK. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__local_memory_take(struct reap__host_group *group, struct reap__scratch *scratch);
void reap__local_memory_return(const struct reap__host_group *group);

/* Call it before a group runs: the memory holds indeterminate values, and no access to it is
 * recorded. */
void reap__local_memory_begin(const struct reap__host_group *group);

/* Call it when the group has run: in checked execution a write into a guard makes the run fail with
 * REAP_ERROR_INDEX_OUT_OF_RANGE. */
void reap__local_memory_check(const struct reap__host_group *group);

/* ---- Group algorithms (group_algorithms.c) ----------------------------------------------------*/

/* Computes a group algorithm. The contribution of item i is the value of fiber i, or if is_reversed
 * of the i-th fiber from the end; the results replace the values. Returns NULL, or what is wrong
 * with the contributions; then they are unchanged. */
const char *reap__host_group_algorithm(const struct reap__collective *collective,
                                       const struct reap__fiber *fibers, size_t items,
                                       bool is_reversed);

#endif
