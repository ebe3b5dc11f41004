/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the work-items of a group. They are started one after the other on one stack; the first that
 * waits for the others leaves it, and from then on each item has a stack of its own. So a kernel
 * without barriers costs no switches.
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

/* A reap_item_private word, and where its memory begins. */
struct reap__host_private_variable {
    const struct reap__private_variable *word;
    size_t begin;
};
enum { MOST_WORDS = 64 };

/* A group that runs. The kernel's code sees the first member. */
struct reap__host_group {
    struct reap__group group;
    struct reap__host_run *run;
    struct reap__work work; /* for each of its items */
    void **locals;          /* what the kernel sees of local_list */
    struct reap__host_local *local_list;
    size_t local_count;
    unsigned char *local_memory; /* of all of them; NULL: there are none */
    size_t local_bytes;
    struct reap__stacks *stacks;
    reap__item_function item; /* the kernel's; NULL: it is in phases */
    size_t runs;              /* of fibers: one for each item, or one for all phases */
    size_t started;           /* of those */
    size_t finished;          /* of those, once the group has ended */
    size_t next_id[3]; /* of the item that is started next, counted from the end where checked */

    /* Where the items of the round stand that do not wait where its first does. */
    const struct reap__call_site *place; /* of the first; ring.place, unless sanitizers watch */
    bool parted;
    const struct reap__call_site *others[2]; /* the first two such places */
    size_t at_others[2];
    size_t elsewhere;

    /* Sub-groups (group_run.c). */
    struct reap__host_sub_group {
        bool is_met;               /* the group has reached a word of sub-groups */
        struct reap__fiber *first; /* of the sub-group that runs alone; NULL: the group runs */
        struct reap__fiber *last;
        const struct reap__call_site *place; /* of the first in its round; NULL: none yet */
        /* Of items that do not wait there: where they wait. */
        const struct reap__call_site *others[REAP__SUB_GROUP_ITEMS];
        bool has_parted;
        size_t ended; /* items that ended on the fiber of the item that met the first such word */
    } sub_group;

    const struct reap__compiled *compiled; /* runs its items; NULL: fibers do, or phases */

    /* Kernels in phases, and compiled ones: memory for words of the items' own. */
    unsigned char *private_memory;
    size_t private_bytes;
    size_t private_used;
    struct reap__host_private_variable words[MOST_WORDS]; /* that the group has met */
    size_t word_count;

    /* Sanitizers. */
    bool is_watched;
    bool has_contexts; /* each work-item is a thread to ThreadSanitizer; in phases each group */
    void **contexts;   /* the newest ones; NULL: not made yet */
    size_t context_count;
    size_t next_context;
    void *thread_context;
    void *clean_context; /* knows what was done before the launch, and nothing that items or groups
                            do */
    const void *thread_bottom;
    size_t thread_bytes;
    bool from_thread;
};

/* Runs the work-items of one group of a REAP_ND_KERNEL, whose ids are set. Returns false if they
 * did not reach the same barriers; then the run has failed. */
bool reap__host_group_run(struct reap__host_group *group);

/* The same for a REAP_GROUP_KERNEL. */
bool reap__host_group_run_phases(struct reap__host_group *group);

/* The same for a kernel that was compiled at run time (compiled/). */
bool reap__host_group_run_compiled(struct reap__host_group *group);

/* The group of a work-item of a kernel without work-groups. A barrier in it makes the thread's run
 * fail. */
extern struct reap__group reap__host_no_group;

/* Sets the run that the thread works on; returns the previous one. */
static inline struct reap__host_run *reap__host_set_running(struct reap__host_run *run)
{
    struct reap__host_run *const before = reap__current_kernel_run;
    reap__current_kernel_run = run;
    return before;
}

/* ---- Local memory (local_memory.c): guarded under AddressSanitizer, Valgrind and REAP_CHECK
 * ----*/

/* Takes what the kernel's local parameters need. Fails with REAP_ERROR_OUT_OF_MEMORY. */
reap_status reap__local_memory_take(struct reap__host_group *group, struct reap__scratch *scratch);
void reap__local_memory_return(const struct reap__host_group *group);

/* Before a group runs: the memory holds indeterminate values, and no access to it is recorded. */
void reap__local_memory_begin(const struct reap__host_group *group);

/* Afterwards, in checked execution: a write into a guard makes the run fail. */
void reap__local_memory_check(const struct reap__host_group *group);

/* ---- Group algorithms (group_algorithms.c) ----------------------------------------------------*/

/* Makes the results of what the items of a group or sub-group bring to a collective: item i's value
 * is that of fiber i, or, where the order is reversed, of the i-th from the end. Gives NULL, or
 * what is wrong with the values; then they stay. */
const char *reap__host_group_algorithm(const struct reap__collective *collective,
                                       const struct reap__fiber *fibers, size_t items,
                                       bool is_reversed);

#endif
