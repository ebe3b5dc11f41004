/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans that a thread keeps, for commands that are one call of the kernel's code: the next launches
 * of such a kernel by this thread only read their arguments. Most of the time of a launch of few
 * work-items is that of its checks and its plan.
 */
#ifndef REAP_HOST_PREPARED_H
#define REAP_HOST_PREPARED_H

#include "src/core/arguments.h"
#include "src/host/run.h"

struct reap__host_prepared {
    const struct reap_kernel *kernel;
    unsigned checks;   /* reap__isa_checks when it was made */
    size_t most_items; /* for which there is memory */
    bool is_busy;      /* a launch is running */
    struct reap__prepared_arguments arguments;
    struct reap__target targets[REAP__MOST_PREPARED];
    struct reap__launch command;
    struct reap__execution execution;
    struct reap__host_run run;
    struct reap__host_slot slot;
};

/* The thread's plans, each at a place that depends on the address of its kernel. */
enum { REAP__PREPARED_PLACES = 16 };
extern _Thread_local struct reap__host_prepared
    *reap__host_prepared_plans[REAP__PREPARED_PLACES] REAP__NEAR;

static inline size_t reap__host_prepared_place(const struct reap_kernel *kernel)
{
    const uintptr_t address = (uintptr_t)kernel;
    return (address >> 5 ^ address >> 9) % REAP__PREPARED_PLACES;
}

/* Returns the thread's plan for the kernel; NULL: there is none. */
static inline struct reap__host_prepared *reap__host_prepared_find(const struct reap_kernel *kernel)
{
    struct reap__host_prepared *plan = reap__host_prepared_plans[reap__host_prepared_place(kernel)];
    return plan != NULL && plan->kernel == kernel &&
                   reap__isa_has_bit(&kernel->state->probed, plan->run.isa) &&
                   plan->checks == atomic_load_explicit(&reap__isa_checks, memory_order_relaxed)
               ? plan
               : NULL;
}

/* Makes a plan like that of `run`, a run of reap__host_plan_single_call, which took `bytes` of
 * scratch memory. Does nothing if launches of that kernel cannot be prepared, if the thread has a
 * plan for as many work-items, or without memory. */
void reap__host_prepare(const struct reap__host_run *run, size_t bytes);

#endif
