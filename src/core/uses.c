/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of the commands that have begun, in that order; who comes later waits for those before it
 * that it conflicts with. So nobody overtakes a command that waits, and since everybody waits for
 * earlier ones alone, no two wait for each other. A command stands in the list as long as its
 * launch lasts; what a device has left to do then, it does in order, and whoever moves a buffer
 * away waits for the device.
 *
 * Events order unified shared memory, so commands on it do not conflict, unless it moves as a
 * buffer does: then all commands on it do, since it is one piece and any of them may move it.
 */
#include "src/core/uses.h"

#include "src/core/fork.h"
#include "src/core/registry.h"

#include <pthread.h>

/* A forked child's list begins anew: those in it belong to threads that are not there. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct reap__uses *first;
    struct reap__uses *last;
} commands = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&commands.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&commands.lock);
}

static void after_fork_in_child(void)
{
    commands.first = commands.last = NULL;
    pthread_cond_init(&commands.ended, NULL);
    pthread_mutex_unlock(&commands.lock);
}

static void install_fork_handlers(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void reap__uses_add_buffer(struct reap__uses *uses, const reap_buffer *buffer, bool writes)
{
    const bool moves = reap__is_moving_allocation(buffer);
    if (uses->count < REAP__MOST_USES)
        uses->list[uses->count++] = (struct reap__use){
            .buffer = buffer, .writes = moves || (writes && buffer->device == NULL)};
}

void reap__uses_add_alone(struct reap__uses *uses, const reap_buffer *buffer)
{
    if (uses->count < REAP__MOST_USES)
        uses->list[uses->count++] = (struct reap__use){.buffer = buffer, .writes = true};
}

void reap__uses_add(struct reap__uses *uses, const void *memory, bool writes)
{
    const reap_buffer *buffer = reap__registry_find(memory, 1);
    if (buffer != NULL)
        reap__uses_add_buffer(uses, buffer, writes);
}

void reap__uses_add_command(struct reap__uses *uses, const struct reap__command *command)
{
    const struct reap_kernel *kernel = command->kernel;
    if (reap__registry_is_empty())
        return;
    for (size_t p = 1; p < kernel->parameter_count; p++)
        if (reap__is_array(&kernel->parameters[p]))
            reap__uses_add(uses, reap__array(command, &kernel->parameters[p]),
                           kernel->parameters[p].kind != REAP__IN);
    for (size_t s = 0; s < command->scalar_count; s++) {
        reap__uses_add(uses, command->scalars[s].variable, true);
        if (command->scalars[s].location != NULL)
            reap__uses_add(uses, command->scalars[s].location, true);
    }
    for (size_t s = 0; s < command->span_count; s++)
        reap__uses_add(uses, command->spans[s].variable, true);
}

static bool conflict(const struct reap__uses *a, const struct reap__uses *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (a->list[i].buffer == b->list[j].buffer && (a->list[i].writes || b->list[j].writes))
                return true;
    return false;
}

static bool must_wait(const struct reap__uses *uses)
{
    for (const struct reap__uses *other = commands.first; other != uses; other = other->behind)
        if (conflict(uses, other))
            return true;
    return false;
}

void reap__uses_begin(struct reap__uses *uses)
{
    if (uses->count == 0)
        return;
    pthread_once(&once, install_fork_handlers);
    uses->process = reap__process();
    pthread_mutex_lock(&commands.lock);
    uses->before = commands.last;
    uses->behind = NULL;
    if (commands.last != NULL)
        commands.last->behind = uses;
    else
        commands.first = uses;
    commands.last = uses;
    while (must_wait(uses))
        pthread_cond_wait(&commands.ended, &commands.lock);
    pthread_mutex_unlock(&commands.lock);
}

void reap__uses_end(struct reap__uses *uses)
{
    if (uses->count == 0 || uses->process != reap__process())
        return;
    pthread_mutex_lock(&commands.lock);
    if (uses->before != NULL)
        uses->before->behind = uses->behind;
    else
        commands.first = uses->behind;
    if (uses->behind != NULL)
        uses->behind->before = uses->before;
    else
        commands.last = uses->before;
    if (uses->behind != NULL)
        pthread_cond_broadcast(&commands.ended);
    pthread_mutex_unlock(&commands.lock);
}
