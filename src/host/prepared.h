/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans that a thread keeps for its next launches of a kernel with scalar reductions. Most of the
 * time of a launch of few work-items is that of its checks and its plan. And a plan of several
 * threads that is written again takes longer, since the cache lines that the helpers have read must
 * be taken from their processors, and then be read by these again.
 */
#ifndef REAP_HOST_PREPARED_H
#define REAP_HOST_PREPARED_H

#include "src/core/arguments.h"
#include "src/host/run.h"

/* A kernel's short_items is in such parts of an item: an item may take longer than a short command.
 */
enum { REAP__PARTS_OF_ITEM = 1024 };

/* The number of items from which on launches of the kernel are not short; 0: unknown, or every
 * item takes longer. */
static inline size_t reap__host_short_items(const struct reap__kernel_state *state)
{
    return atomic_load_explicit(&state->short_items, memory_order_relaxed) / REAP__PARTS_OF_ITEM;
}

/* Of a command that is one call of the kernel's code; of one that several threads share. */
enum reap__prepared_kind { REAP__PREPARED_CALL, REAP__PREPARED_SHARED, REAP__PREPARED_KINDS };

struct reap__host_prepared {
    const struct reap_kernel *kernel;
    unsigned dimensions; /* of the range; a kernel object may be launched over others, too */
    unsigned checks;     /* reap__isa_checks when it was made */
    bool is_busy;        /* a launch is running */

    /* A call: for at most so many work-items; checks of the arguments, and the slot. */
    size_t most_items;
    struct reap__prepared_arguments arguments;
    struct reap__host_slot slot;
    const struct reap__operator_functions *leaf; /* reap__host_run_leaf takes one leaf; or NULL */

    /* Several threads: for exactly so many work-items (in the command) and threads. */
    size_t threads;

    struct reap__target targets[REAP__MOST_PREPARED];
    struct reap__execution execution;
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__launch command; /* helpers read these two */
    _Alignas(REAP__MEMORY_ALIGNMENT) struct reap__host_run run;
};

/* The thread's plans, each at a place that depends on the address of its kernel; NULL: it has none
 * yet. A pointer, since near thread-local memory is scarce in programs that open many libraries. */
enum { REAP__PREPARED_PLACES = 16 };
struct reap__host_prepared_plans {
    struct reap__host_prepared *at[REAP__PREPARED_KINDS][REAP__PREPARED_PLACES];

    /* The last shared launch without a plan. */
    const struct reap_kernel *last_kernel;
    size_t last_items, last_threads;

    unsigned attempts; /* to take the place of another kernel's plan */
};
extern _Thread_local struct reap__host_prepared_plans *reap__host_prepared_plans REAP__NEAR;

static inline size_t reap__host_prepared_place(const struct reap_kernel *kernel)
{
    const uintptr_t address = (uintptr_t)kernel;
    return (address >> 5 ^ address >> 9) % REAP__PREPARED_PLACES;
}

/* Returns the thread's plan for the kernel; NULL: there is none. */
static inline struct reap__host_prepared *reap__host_prepared_find(const struct reap_kernel *kernel,
                                                                   enum reap__prepared_kind kind)
{
    const struct reap__host_prepared_plans *const plans = reap__host_prepared_plans;
    struct reap__host_prepared *const plan =
        plans != NULL ? plans->at[kind][reap__host_prepared_place(kernel)] : NULL;
    return plan != NULL && plan->kernel == kernel &&
                   reap__isa_has_bit(&kernel->state->probed, plan->run.isa) &&
                   plan->checks == atomic_load_explicit(&reap__isa_checks, memory_order_relaxed)
               ? plan
               : NULL;
}

/* Make a plan like that of `run`, which took `bytes` of scratch memory: by
 * reap__host_plan_single_call; or by reap__host_plan for so many threads, if the thread's last
 * launch was one of the same kernel, with as many work-items and threads. They do nothing if
 * launches of the kernel cannot be prepared, if the thread has a plan that suffices, or without
 * memory. */
void reap__host_prepare_call(const struct reap__host_run *run, size_t bytes);
void reap__host_prepare_shared(const struct reap__host_run *run, size_t threads, size_t bytes);

#endif
