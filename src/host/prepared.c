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

_Thread_local struct reap__host_prepared_plans *reap__host_prepared_plans REAP__NEAR;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void *of_thread)
{
    struct reap__host_prepared_plans *const plans = of_thread;
    for (size_t kind = 0; kind < REAP__PREPARED_KINDS; kind++)
        for (size_t i = 0; i < REAP__PREPARED_PLACES; i++) {
            reap__allocations_keep(plans->at[kind][i] != NULL ? -1 : 0);
            reap__free(plans->at[kind][i]);
        }
    reap__allocations_keep(-1);
    reap__free(plans);
    reap__host_prepared_plans = NULL;
}

static void make_key(void)
{
    pthread_key_create(&key, release);
}

/* The thread's plans, made at the first call; NULL: without memory. */
static struct reap__host_prepared_plans *plans_of_thread(void)
{
    if (reap__host_prepared_plans != NULL)
        return reap__host_prepared_plans;
    struct reap__host_prepared_plans *const made = reap__allocate(sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct reap__host_prepared_plans){.attempts = 0};
    reap__allocations_keep(1);
    pthread_once(&once, make_key);
    pthread_setspecific(key, made);
    reap__host_prepared_plans = made;
    return made;
}

static unsigned checks_now(void)
{
    return atomic_load_explicit(&reap__isa_checks, memory_order_relaxed);
}

/* Whether a kernel without a plan, or with one that does not suffice, may have the place of the
 * thread's plan. */
static bool may_replace(const struct reap__host_prepared *plan, const struct reap_kernel *kernel)
{
    enum { ATTEMPTS = 64 };
    return plan == NULL ||
           (!plan->is_busy && (plan->kernel == kernel || plan->checks != checks_now() ||
                               reap__host_prepared_plans->attempts++ % ATTEMPTS == 0));
}

/* Makes a plan whose memory is not divided yet; NULL: without memory. */
static struct reap__host_prepared *make(const struct reap__host_run *run, size_t bytes)
{
    struct reap__host_prepared *plan = reap__allocate(sizeof *plan + bytes);
    if (plan == NULL)
        return NULL;
    plan->kernel = run->kernel;
    plan->dimensions = run->command->range->dimensions;
    plan->checks = checks_now();
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
    return plan;
}

static struct reap__scratch memory_of(struct reap__host_prepared *plan, size_t bytes)
{
    return (struct reap__scratch){.at = (unsigned char *)(plan + 1), .left = bytes};
}

/* Puts the plan into the place if it was made with success: it took as many bytes as the other one,
 * so no memory was added. */
static void put(struct reap__host_prepared **place, struct reap__host_prepared *plan,
                reap_status status)
{
    if (status != REAP_OK) {
        reap__free(plan);
        return;
    }
    reap__allocations_keep(*place == NULL ? 1 : 0);
    reap__free(*place);
    *place = plan;
}

/* The functions with which reap__host_run_leaf may run a leaf; NULL: it may not. */
static const struct reap__operator_functions *leaf_functions(const struct reap__host_run *run)
{
    const struct reap__host_scalar *scalar = run->scalars;
    const struct reap__reduction *reduction = scalar->reduction;
    return run->scalar_count == 1 && reduction->is_builtin && !scalar->has_flags &&
                   !scalar->is_unordered && scalar->width == REAP__MOST_LANES
               ? reap__operator_functions(reduction->built_in, reduction->type)
               : NULL;
}

void reap__host_prepare_call(const struct reap__host_run *run, size_t bytes)
{
    struct reap__host_prepared_plans *const plans = plans_of_thread();
    if (plans == NULL)
        return;
    struct reap__host_prepared **const place =
        &plans->at[REAP__PREPARED_CALL][reap__host_prepared_place(run->kernel)];
    const struct reap__host_prepared *before =
        reap__host_prepared_find(run->kernel, REAP__PREPARED_CALL);
    struct reap__prepared_arguments arguments;
    if ((before != NULL && before->most_items >= run->command->items &&
         before->dimensions == run->command->range->dimensions) ||
        !may_replace(*place, run->kernel) || !run->command->queue->runs_prepared ||
        !reap__arguments_prepare(run->command, &arguments))
        return;
    struct reap__host_prepared *const plan = make(run, bytes);
    if (plan == NULL)
        return;
    struct reap__scratch own = memory_of(plan, bytes);
    plan->arguments = arguments;
    plan->most_items = run->grains << run->leaf_log2;
    plan->slot.run = &plan->run;
    plan->slot.spans = NULL;
    const reap_status status = reap__host_plan_single_call(&plan->run, &plan->slot, &own);
    plan->leaf = status == REAP_OK ? leaf_functions(&plan->run) : NULL;
    put(place, plan, status);
}

/* Notes the launch. Returns whether it is like the one before. */
static bool is_repeated(struct reap__host_prepared_plans *plans, const struct reap__host_run *run,
                        size_t threads)
{
    const bool is_same = plans->last_kernel == run->kernel &&
                         plans->last_items == run->command->items && plans->last_threads == threads;
    plans->last_kernel = run->kernel;
    plans->last_items = run->command->items;
    plans->last_threads = threads;
    return is_same;
}

void reap__host_prepare_shared(const struct reap__host_run *run, size_t threads, size_t bytes)
{
    enum { MOST_BYTES = 1 << 20 };
    struct reap__host_prepared_plans *const plans = plans_of_thread();
    if (plans == NULL)
        return;
    struct reap__host_prepared **const place =
        &plans->at[REAP__PREPARED_SHARED][reap__host_prepared_place(run->kernel)];
    if (!is_repeated(plans, run, threads) || bytes > MOST_BYTES ||
        !may_replace(*place, run->kernel) || !reap__arguments_are_plain(run->command))
        return;
    struct reap__host_prepared *const plan = make(run, bytes);
    if (plan == NULL)
        return;
    struct reap__scratch own = memory_of(plan, bytes);
    plan->threads = threads;
    plan->run.compiled = NULL;
    plan->run.is_checked = run->is_checked;
    plan->run.is_brief = run->is_brief;
    plan->run.item_nanoseconds = run->item_nanoseconds;
    plan->run.has_lines = false;
    put(place, plan, reap__host_plan(&plan->run, threads, &own));
}
