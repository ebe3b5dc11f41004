/* SPDX-License-Identifier: Apache-2.0
 *
 * The plans of a thread are freed when it ends. A kernel whose place has the plan of another one
 * takes it at every 64th attempt, so that two kernels with one place do not make plans at each
 * launch.
 */
#include "src/host/prepared.h"

#include "src/core/allocate.h"
#include "src/queue/queue.h"

#include <pthread.h>

_Thread_local struct reap__host_prepared
    *reap__host_prepared_plans[REAP__PREPARED_PLACES] REAP__NEAR;

static _Thread_local unsigned attempts;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void *plans)
{
    struct reap__host_prepared **const of_thread = plans;
    for (size_t i = 0; i < REAP__PREPARED_PLACES; i++) {
        reap__free(of_thread[i]);
        of_thread[i] = NULL;
    }
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

/* Whether the kernel may have the place of the thread's plan. */
static bool may_replace(const struct reap__host_prepared *plan, const struct reap__host_run *run)
{
    enum { ATTEMPTS = 64 };
    if (plan == NULL)
        return true;
    if (plan->is_busy)
        return false;
    if (plan->kernel == run->kernel &&
        plan->checks == atomic_load_explicit(&reap__isa_checks, memory_order_relaxed))
        return plan->most_items < run->command->items;
    return attempts++ % ATTEMPTS == 0;
}

static bool plan_again(struct reap__host_prepared *plan, const struct reap__host_run *run,
                       size_t bytes)
{
    struct reap__scratch own = {.at = (unsigned char *)(plan + 1), .left = bytes};
    plan->kernel = run->kernel;
    plan->checks = atomic_load_explicit(&reap__isa_checks, memory_order_relaxed);
    plan->most_items = run->grains << run->leaf_log2;
    plan->is_busy = false;
    plan->command = *run->command;
    plan->command.scalars = plan->targets;
    plan->command.spans = NULL;
    plan->command.execution = &plan->execution;
    memcpy(plan->targets, run->command->scalars, run->scalar_count * sizeof *plan->targets);
    plan->execution = (struct reap__execution){.started = true};
    plan->run.command = &plan->command;
    plan->run.kernel = run->kernel;
    plan->run.isa = run->isa;
    plan->run.items = run->items;
    plan->slot.run = &plan->run;
    plan->slot.spans = NULL;
    /* as many bytes as the other plan took, so no block is added */
    return reap__host_plan_single_call(&plan->run, &plan->slot, &own) == REAP_OK;
}

void reap__host_prepare(const struct reap__host_run *run, size_t bytes)
{
    struct reap__host_prepared **const place =
        &reap__host_prepared_plans[reap__host_prepared_place(run->kernel)];
    struct reap__prepared_arguments arguments;
    if (!may_replace(*place, run) || !run->command->queue->runs_prepared ||
        !reap__arguments_prepare(run->command, &arguments))
        return;
    struct reap__host_prepared *plan = reap__allocate(sizeof *plan + bytes);
    if (plan == NULL)
        return;
    plan->arguments = arguments;
    if (!plan_again(plan, run, bytes)) {
        reap__free(plan);
        return;
    }
    reap__free(*place);
    *place = plan;
    pthread_once(&once, make_key);
    pthread_setspecific(key, reap__host_prepared_plans);
}
